"""Forms of real Qt widgets (styles Fusion and Windows, palettes light and dark, style sheets), grabbed off screen, with the truth from their geometry.

  widgets_qt.py FIRST LAST [--out FOLDER]
"""
import argparse
import json
import os
import random
import sys

os.environ.setdefault('QT_QPA_PLATFORM', 'offscreen')
from PySide6 import QtCore, QtGui, QtWidgets as Q  # noqa: E402

from icons import files  # noqa: E402
from words import value, words  # noqa: E402
from places import place

EN = ['Liberation Sans', 'DejaVu Sans', 'Noto Sans', 'Open Sans', 'Roboto', 'Lato', 'Cantarell']
ZH = ['Noto Sans CJK SC', 'LXGW WenKai', 'Noto Serif CJK SC']


class Form:
    def __init__(self, seed):
        self.r = r = random.Random('qt %d' % seed)
        self.lang = 'zh' if r.random() < .5 else 'en'
        self.w = words(self.lang)
        self.found = []

    def icon(self):
        r = self.r
        f = r.choice(files(r.choice(['tango16x16', 'tango22x22', 'lucide', 'bootstrap', 'mdi'])))
        if f.endswith('.png') or not self.dark:
            return QtGui.QIcon(f)
        return QtGui.QIcon(f)

    def style(self, app):
        r = self.r
        app.setStyleSheet('')
        app.setStyle(r.choice(['Fusion', 'Fusion', 'Windows', 'Windows']))
        self.dark = r.random() < .3
        p = QtGui.QPalette()
        C = QtGui.QPalette.ColorRole
        if self.dark:
            b = r.randint(25, 60)
            col = lambda d: QtGui.QColor(max(0, min(255, b + d)), max(0, min(255, b + d)), max(0, min(255, b + d + r.choice([0, 0, 4]))))
            for role, c in ((C.Window, col(0)), (C.Base, col(-15)), (C.AlternateBase, col(6)), (C.Button, col(8)), (C.Text, QtGui.QColor('#eee')), (C.WindowText, QtGui.QColor('#eee')), (C.ButtonText, QtGui.QColor('#eee')), (C.PlaceholderText, QtGui.QColor('#888')), (C.Light, col(40)), (C.Midlight, col(20)), (C.Dark, col(-20)), (C.Mid, col(-8)), (C.Shadow, QtGui.QColor('#000'))):
                p.setColor(role, c)
            for role in (C.Text, C.WindowText, C.ButtonText):
                p.setColor(QtGui.QPalette.ColorGroup.Disabled, role, QtGui.QColor('#777'))
        else:
            base = QtGui.QColor.fromHsv(r.randint(0, 359), r.choice([0, 0, 8, 25]), r.randint(205, 245)) if r.random() < .7 else QtGui.QColor(r.choice(['#d4d0c8', '#f0f0f0', '#ece9d8']))
            p = QtGui.QPalette(base)
        p.setColor(C.Highlight, QtGui.QColor.fromHsv(r.randint(0, 359), r.randint(90, 220), r.randint(110, 220)))
        app.setPalette(p)
        f = QtGui.QFont(r.choice(ZH if self.lang == 'zh' else EN))
        f.setPixelSize(r.choice([11, 12, 12, 13, 13, 14, 15, 16, 18]) if self.lang == 'en' else r.choice([12, 13, 14, 15, 16, 18]))
        if r.random() < .2:
            f.setStyleStrategy(QtGui.QFont.StyleStrategy.NoAntialias)
        app.setFont(f)
        if r.random() < .2:
            a = p.color(C.Highlight).name()
            app.setStyleSheet('QPushButton{border:1px solid %s;border-radius:%dpx;padding:4px 12px;background:%s}QLineEdit{border:1px solid %s;border-radius:%dpx;padding:%dpx}' % (a, r.choice([0, 3, 8]), r.choice(['transparent', a]), r.choice([a, '#999']), r.choice([0, 3, 6]), r.choice([1, 3, 5])))

    def off(self, w, p=.08):
        if self.r.random() < p:
            w.setEnabled(False)
        return w

    def edit(self):
        r = self.r
        k = r.choices(['line', 'spin', 'dspin', 'date', 'pass'], [70, 10, 8, 8, 4])[0]
        if k == 'line' or k == 'pass':
            w = Q.QLineEdit(value(r, self.w) if r.random() < .65 else '')
            if r.random() < .4:
                w.setPlaceholderText(r.choice(self.w['ph']))
            if k == 'pass':
                w.setEchoMode(Q.QLineEdit.EchoMode.Password)
        elif k == 'spin':
            w = Q.QSpinBox()
            w.setValue(r.randint(0, 99))
        elif k == 'dspin':
            w = Q.QDoubleSpinBox()
            w.setValue(r.uniform(0, 99))
        else:
            w = Q.QDateEdit(QtCore.QDate(2026, r.randint(1, 12), r.randint(1, 28)))
            w.setDisplayFormat('yyyy-MM-dd')
            w.setCalendarPopup(False)
        if r.random() < .5:
            w.setMaximumWidth(r.choice([80, 120, 160, 240]))
        return self.off(w)

    def combo(self):
        w = Q.QComboBox()
        w.addItem(self.r.choice([self.r.choice(self.w['noun']), self.r.choice(self.w['radio']), '']))
        w.setEditable(self.r.random() < .2)
        if self.r.random() < .6:
            w.setMinimumWidth(self.r.choice([70, 110, 160]))
        return self.off(w)

    def check(self, text=None):
        w = Q.QCheckBox(text or self.r.choice(self.w['tick']))
        w.setChecked(self.r.random() < .5)
        return self.off(w)

    def button(self, text=None):
        w = Q.QPushButton(text or self.r.choice(self.w['button']))
        if self.r.random() < .2:
            w.setIcon(self.icon())
        w.setDefault(self.r.random() < .1)
        return self.off(w)

    def tool(self):
        w = Q.QToolButton()
        w.setIcon(self.icon())
        w.setAutoRaise(self.r.random() < .6)
        return self.off(w)

    def radios(self, across=None):
        r = self.r
        w = Q.QWidget()
        b = (Q.QHBoxLayout if (r.random() < .6 if across is None else across) else Q.QVBoxLayout)(w)
        b.setContentsMargins(0, 0, 0, 0)
        names = r.sample(self.w['radio'], r.randint(2, 4))
        on = r.randrange(len(names))
        for i, s in enumerate(names):
            x = Q.QRadioButton(s)
            x.setChecked(i == on)
            b.addWidget(self.off(x, .05))
        return w

    def slider(self):
        w = Q.QSlider(QtCore.Qt.Orientation.Horizontal)
        w.setValue(self.r.randint(0, 99))
        if self.r.random() < .4:
            w.setTickPosition(Q.QSlider.TickPosition.TicksBelow)
        w.setMinimumWidth(100)
        return w

    def field(self):
        return self.r.choices([self.edit, self.combo, self.check, self.radios, self.slider], [55, 24, 8, 6, 4])[0]()

    def rows(self, n=None):
        r = self.r
        w = Q.QWidget()
        colon = r.choice(['', ':', '：' if self.lang == 'zh' else ':'])
        if r.random() < .6:
            f = Q.QFormLayout(w)
            f.setLabelAlignment(r.choice([QtCore.Qt.AlignmentFlag.AlignLeft, QtCore.Qt.AlignmentFlag.AlignRight]))
            f.setVerticalSpacing(r.choice([2, 4, 6, 10]))
            for _ in range(n or r.randint(2, 9)):
                f.addRow(r.choice(self.w['label']) + colon, self.field())
        else:
            g = Q.QGridLayout(w)
            cols, above = r.choice([1, 2, 3]), r.random() < .4
            for i in range(n or r.randint(3, 12)):
                y, x = divmod(i, cols)
                lab = Q.QLabel(r.choice(self.w['label']) + colon)
                if above:
                    g.addWidget(lab, y * 2, x)
                    g.addWidget(self.field(), y * 2 + 1, x)
                else:
                    g.addWidget(lab, y, x * 2)
                    g.addWidget(self.field(), y, x * 2 + 1)
        return w

    def table(self):
        r = self.r
        n, m = r.randint(2, 14), r.randint(2, 7)
        t = Q.QTableWidget(n, m)
        t.setHorizontalHeaderLabels([r.choice(self.w['label']) for _ in range(m)])
        t.verticalHeader().setVisible(r.random() < .4)
        t.setShowGrid(r.random() < .7)
        t.setAlternatingRowColors(r.random() < .4)
        t.verticalHeader().setDefaultSectionSize(r.choice([20, 22, 24, 28, 32]))
        for i in range(n):
            for j in range(m):
                t.setItem(i, j, Q.QTableWidgetItem(value(r, self.w)))
        if r.random() < .4:
            t.selectRow(r.randrange(n))
        return t

    def items(self):
        r = self.r
        if r.random() < .5:
            w = Q.QListWidget()
            for _ in range(r.randint(3, 12)):
                i = Q.QListWidgetItem(r.choice(self.w[r.choice(['noun', 'nav'])]))
                if r.random() < .3:
                    i.setIcon(self.icon())
                w.addItem(i)
            w.setCurrentRow(r.randrange(6))
        else:
            w = Q.QTreeWidget()
            w.setHeaderHidden(True)
            for _ in range(r.randint(2, 5)):
                i = Q.QTreeWidgetItem([r.choice(self.w['nav'])])
                for _ in range(r.randint(0, 4)):
                    i.addChild(Q.QTreeWidgetItem([r.choice(self.w['noun'])]))
                w.addTopLevelItem(i)
                i.setExpanded(r.random() < .7)
        w.setMaximumWidth(r.choice([160, 220, 300]))
        return w

    def buttons(self):
        r = self.r
        w = Q.QWidget()
        b = Q.QHBoxLayout(w)
        if r.random() < .5:
            b.addStretch()
        for s in r.sample(self.w['button'], r.randint(1, 4)):
            b.addWidget(self.button(s))
        for _ in range(r.choice([0, 0, 2, 4])):
            b.addWidget(self.tool())
        return w

    def group(self, deep):
        w = Q.QGroupBox(self.r.choice(self.w['head']))
        b = Q.QVBoxLayout(w)
        b.addWidget(self.r.choice([self.rows, lambda: self.rows(3), lambda: self.radios(False), self.ticks])())
        return w

    def ticks(self):
        w = Q.QWidget()
        g = Q.QGridLayout(w)
        cols = self.r.choice([1, 1, 2, 3])
        for i, s in enumerate(self.r.sample(self.w['tick'], self.r.randint(2, 7))):
            g.addWidget(self.check(s), i // cols, i % cols)
        return w

    def memo(self):
        w = Q.QPlainTextEdit('\n'.join(self.r.choice(self.w['sent']) for _ in range(self.r.randint(0, 4))))
        w.setMaximumHeight(self.r.choice([60, 100, 160]))
        return w

    def area(self, deep=0):
        r = self.r
        k = r.choices(['rows', 'table', 'items', 'buttons', 'group', 'ticks', 'memo', 'v', 'h', 'tabs'], [20, 12, 7, 6, 14, 6, 4] + ([22, 22, 9] if deep < 2 else [0, 0, 0]))[0]
        if k in 'vh':
            w = Q.QWidget()
            b = (Q.QVBoxLayout if k == 'v' else Q.QHBoxLayout)(w)
            b.setContentsMargins(*[r.choice([0, 4, 8])] * 4)
            for _ in range(r.randint(2, 3)):
                b.addWidget(self.area(deep + 1))
            if r.random() < .3:
                b.addStretch()
            return w
        if k == 'tabs':
            w = Q.QTabWidget()
            for i, s in enumerate(r.sample(self.w['head'], r.randint(2, 5))):
                w.addTab(self.area(deep + 1) if i == 0 else Q.QWidget(), s)
            return w
        return self.group(deep) if k == 'group' else getattr(self, k)()

    def add(self, w, role, rect, **kw):
        a = w.mapTo(self.win, rect.topLeft())
        # Clipped by all parents.
        q, p = QtCore.QRect(a, rect.size()), w
        while p is not None:
            q = q.intersected(QtCore.QRect(p.mapTo(self.win, QtCore.QPoint(0, 0)), p.size()))
            if p is self.win:
                break
            p = p.parentWidget()
        if q.width() < 4 or q.height() < 4:
            return
        e = {'role': role, 'bbox': [float(q.left()), float(q.top()), float(q.left() + q.width()), float(q.top() + q.height())]}
        if q.width() * q.height() < .8 * rect.width() * rect.height():
            e['ignore'] = True
        if not w.isEnabled():
            e['enabled'] = False
        e.update(kw)
        self.found.append(e)

    def label_rect(self, w):
        fm = w.fontMetrics()
        return fm.boundingRect(w.contentsRect(), w.alignment(), w.text())

    def truth(self):
        st = Q.QApplication.style()
        for w in self.win.findChildren(Q.QWidget):
            if not w.isVisible():
                continue
            up = w.parentWidget()
            full = w.rect()
            if isinstance(w, Q.QLabel) and w.text():
                self.add(w, 'text', self.label_rect(w))
            elif isinstance(w, (Q.QAbstractSpinBox,)):
                self.add(w, 'textbox', full)
            elif isinstance(w, Q.QLineEdit) and not isinstance(up, (Q.QAbstractSpinBox, Q.QComboBox)):
                self.add(w, 'textbox', full, focused=True) if w.hasFocus() else self.add(w, 'textbox', full)
            elif isinstance(w, Q.QPlainTextEdit):
                self.add(w, 'textbox', full)
            elif isinstance(w, Q.QComboBox):
                self.add(w, 'combobox', full)
            elif isinstance(w, Q.QSlider):
                self.add(w, 'slider', full)
            elif isinstance(w, (Q.QCheckBox, Q.QRadioButton)):
                o = Q.QStyleOptionButton()
                w.initStyleOption(o)
                box = isinstance(w, Q.QCheckBox)
                S = Q.QStyle.SubElement
                self.add(w, 'checkbox' if box else 'radio', st.subElementRect(S.SE_CheckBoxIndicator if box else S.SE_RadioButtonIndicator, o, w), checked=w.isChecked())
                c = st.subElementRect(S.SE_CheckBoxContents if box else S.SE_RadioButtonContents, o, w)
                c.setWidth(min(c.width(), w.fontMetrics().horizontalAdvance(w.text()) + 2))
                self.add(w, 'text', c)
            elif isinstance(w, Q.QToolButton) and isinstance(up, (Q.QToolBar, Q.QWidget)) and not w.icon().isNull():
                self.add(w, 'button' if w.toolButtonStyle() != QtCore.Qt.ToolButtonStyle.ToolButtonIconOnly and w.text() else 'icon', full)
            elif isinstance(w, Q.QPushButton):
                self.add(w, 'button', full)
            elif isinstance(w, Q.QTabBar):
                for i in range(w.count()):
                    self.add(w, 'tab', w.tabRect(i))
            elif isinstance(w, Q.QMenuBar):
                for a in w.actions():
                    self.add(w, 'menuitem', w.actionGeometry(a))
            elif isinstance(w, Q.QTableWidget):
                v = w.viewport()
                for i in range(w.rowCount()):
                    for j in range(w.columnCount()):
                        self.add(v, 'cell', w.visualItemRect(w.item(i, j)))
                h = w.horizontalHeader()
                for j in range(w.columnCount()):
                    self.add(h.viewport(), 'cell', QtCore.QRect(h.sectionViewportPosition(j), 0, h.sectionSize(j), h.height()))
            elif isinstance(w, (Q.QListWidget, Q.QTreeWidget)):
                if isinstance(w, Q.QListWidget):
                    its = [w.item(i) for i in range(w.count())]
                else:
                    its, it = [], Q.QTreeWidgetItemIterator(w)
                    while it.value():
                        its.append(it.value())
                        it += 1
                for i in its:
                    q = w.visualItemRect(i)
                    if not q.isEmpty():
                        self.add(w.viewport(), 'listitem', q)
            elif isinstance(w, Q.QGroupBox):
                o = Q.QStyleOptionGroupBox()
                w.initStyleOption(o)
                self.add(w, 'text', st.subControlRect(Q.QStyle.ComplexControl.CC_GroupBox, o, Q.QStyle.SubControl.SC_GroupBoxLabel, w))

    def make(self, app):
        r = self.r
        self.style(app)
        self.win = w = Q.QMainWindow()
        W, H = r.choice([(640, 480), (800, 600), (900, 700), (1024, 768), (1280, 800), (1366, 768)])
        if r.random() < .7:
            for s in r.sample(self.w['menu'], r.randint(3, 9)):
                w.menuBar().addMenu(s)
            w.menuBar().setNativeMenuBar(False)
        if r.random() < .6:
            t = w.addToolBar('x')
            t.setIconSize(QtCore.QSize(*[r.choice([16, 16, 20, 22, 24, 32])] * 2))
            t.setToolButtonStyle(r.choice([QtCore.Qt.ToolButtonStyle.ToolButtonIconOnly] * 3 + [QtCore.Qt.ToolButtonStyle.ToolButtonTextUnderIcon, QtCore.Qt.ToolButtonStyle.ToolButtonTextBesideIcon]))
            for _ in range(r.randint(3, 16)):
                a = t.addAction(self.icon(), r.choice(self.w['button']))
                a.setEnabled(r.random() < .88)
                if r.random() < .15:
                    t.addSeparator()
        c = Q.QWidget()
        b = Q.QVBoxLayout(c)
        for _ in range(r.randint(1, 3)):
            b.addWidget(self.area())
        b.addWidget(self.buttons())
        if r.random() < .4:
            b.addStretch()
        w.setCentralWidget(c)
        if r.random() < .6:
            w.statusBar().addWidget(Q.QLabel(r.choice(self.w['sent'])))
            w.statusBar().addPermanentWidget(Q.QLabel(value(r, self.w)))
        w.resize(W, H)
        w.show()
        app.processEvents()
        app.processEvents()
        self.truth()
        return w.grab().toImage(), w.width(), w.height()


def main():
    a = argparse.ArgumentParser()
    a.add_argument('first', type=int)
    a.add_argument('last', type=int)
    a.add_argument('--out', default=place('qt'))
    a = a.parse_args()
    os.makedirs(a.out, exist_ok=True)
    app = Q.QApplication(sys.argv[:1])
    for seed in range(a.first, a.last):
        name = os.path.join(a.out, 'q%06d' % seed)
        if os.path.exists(name + '.json'):
            continue
        f = Form(seed)
        im, W, H = f.make(app)
        im.save(name + '.png')
        f.win.close()
        f.win.deleteLater()
        with open(name + '.tmp', 'w') as o:
            json.dump({'width': W, 'height': H, 'source': 'qt', 'toolkit': 'qt', 'lang': f.lang, 'seed': seed, 'scale': 1, 'elements': f.found}, o)
        os.replace(name + '.tmp', name + '.json')


if __name__ == '__main__':
    main()
