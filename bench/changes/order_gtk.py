#!/usr/bin/python3
"""An order entry in GTK 3 with Chinese texts, for screens.py: does a change that it is asked for, or tells the steps that make it.

Lines of JSON on standard input, {"kind": "letter", "seed": 1}, are answered by one line each; see Program in screens.py.
"""
import json
import random
import string
import sys

import gi

gi.require_version('Gtk', '3.0')
gi.require_version('Gdk', '3.0')
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

WORDS = ['上海', '有限公司', '月结', '加急', '张三', '海淀区', '仓库', '已付款', 'S-20417', '12.50', '周五', '电话', '请核对', '样品', '2026-04-02', '王芳']
FIELDS = ['客户名称', '订单号', '联系人', '电话', '备注', '交货日期']
START = ['华东五金商行', 'DD-20260318', '李小红', '021-5588 3390', '', '2026-03-18']
ITEMS = ['六角螺栓 M8', '平垫圈', '不锈钢板', '木螺丝', '黄铜合页', '白色乳胶漆', '电缆 3x1.5', '灯座', '砂带', '白乳胶 500克']
STATUS = ['就绪', '订单已保存', '已载入三月价格表', '库存已核对：缺 3 项', '离线，修改已暂存', '该客户有 2 张未付发票', '正在打印第 1 页，共 2 页', '上次保存 10:42', '信用额度已用 80%']
ASKS = [(Gtk.MessageType.INFO, Gtk.ButtonsType.OK, '订单已保存。'), (Gtk.MessageType.WARNING, Gtk.ButtonsType.YES_NO, '三项库存不足，是否先发现货？'),
        (Gtk.MessageType.QUESTION, Gtk.ButtonsType.OK_CANCEL, '确定删除该订单草稿？'), (Gtk.MessageType.ERROR, Gtk.ButtonsType.CLOSE, '交货日期早于今天。')]
MENUS = [('文件', ['新建订单', '打开…', '保存', '-', '打印…', '退出']), ('编辑', ['撤销', '剪切', '复制', '粘贴', '-', '查找…']),
         ('订单', ['确认', '拆分', '取消订单']), ('视图', ['列设置…', '放大', '缩小', '-', '全屏']), ('帮助', ['目录', '关于'])]
CONTEXT = ['编辑明细', '复制明细', '在上方插入', '-', '删除明细', '商品详情']


class Order(Gtk.Window):
    def __init__(self):
        super().__init__(title='订单录入 - DD-20260318')
        self.r = random.Random(7)
        self.dialog = self.second = None
        self.fields, self.combos, self.ticks, self.radios, self.spins = [], [], [], [], []
        self.set_default_size(880, 640)
        self.move(80, 50)
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        self.add(page)
        self.bar = Gtk.MenuBar()
        for title, entries in MENUS:
            item = Gtk.MenuItem(label=title)
            item.set_submenu(self.menu(entries))
            self.bar.append(item)
        page.pack_start(self.bar, False, False, 0)
        self.context = self.menu(CONTEXT)
        self.context.attach_to_widget(self)

        head = Gtk.Grid(row_spacing=6, column_spacing=10, margin_start=12, margin_end=12)
        for i, (label, value) in enumerate(zip(FIELDS, START)):
            self.put(head, label, self.entry(value, 28), i // 2, i % 2)
        self.put(head, '付款方式', self.choice(['现金', '转账', '14 天', '30 天', '月结']), 3, 0)
        self.put(head, '仓库', self.choice(['主仓库', '东仓库', '西仓库', '退货区']), 3, 1)
        page.pack_start(head, False, False, 0)

        self.book = Gtk.Notebook(margin_start=12, margin_end=12)
        page.pack_start(self.book, True, True, 0)
        self.rows = Gtk.ListStore(str, int, str, str)
        self.tree = Gtk.TreeView(model=self.rows, enable_search=False)
        for i, (title, width) in enumerate([('商品', 330), ('数量', 120), ('单价', 140), ('金额', 140)]):
            column = Gtk.TreeViewColumn(title, Gtk.CellRendererText(xalign=1 if i else 0), text=i)
            column.set_min_width(width)
            self.tree.append_column(column)
        for _ in range(40):
            self.add_row(None)
        self.scrolled = Gtk.ScrolledWindow()
        self.scrolled.set_policy(Gtk.PolicyType.NEVER, Gtk.PolicyType.ALWAYS)
        self.scrolled.add(self.tree)
        self.tree.connect('button-press-event', self.pressed)
        self.tree.connect('scroll-event', self.wheel)
        self.book.append_page(self.scrolled, Gtk.Label(label='明细'))
        delivery = Gtk.Grid(row_spacing=6, column_spacing=10, margin=12)
        for i, (label, value) in enumerate([('街道', '中关村大街1号'), ('城市', '北京市'), ('国家', ''), ('司机', '')]):
            self.put(delivery, label, self.entry(value, 30), i, 0)
        self.put(delivery, '承运', self.choice(['自有车', '铁路', '快递', '自提']), 0, 1)
        self.put(delivery, '件数', self.spin(0, 99, 1, 4), 1, 1)
        box = Gtk.Box(spacing=14)
        for label in ['提前电话', '尾板', '纸质签收', '中性包装']:
            self.tick(box, label, False)
        delivery.attach(box, 0, 5, 4, 1)
        self.book.append_page(delivery, Gtk.Label(label='交货'))
        notes = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin=12)
        for label, value in [('内部备注', '索取新价格表'), ('发票备注', ''), ('给司机的备注', '')]:
            notes.add(Gtk.Label(label=label, xalign=0))
            notes.add(self.entry(value, 60))
        self.book.append_page(notes, Gtk.Label(label='备注'))

        under = Gtk.Box(spacing=10, margin_start=12, margin_end=12)
        for label, on in [('加急', False), ('含税', True), ('开票', False)]:
            self.tick(under, label, on)
        for label in ['零售', '批发', '出口']:
            b = Gtk.RadioButton.new_with_label_from_widget(self.radios[0] if self.radios else None, label)
            under.add(b)
            self.radios.append(b)
        self.discount = self.spin(0, 50, 2.5, 0)
        self.total = Gtk.Entry(editable=False, can_focus=False, width_chars=12, xalign=1)
        for part in (Gtk.Label(label='折扣 %'), self.discount, Gtk.Label(label='合计'), self.total):
            under.add(part)
        page.pack_start(under, False, False, 0)
        foot = Gtk.Box(spacing=8, margin_start=12, margin_end=12)
        self.buttons = {}
        for label, hint, action in [('添加明细', '在所选行之后添加一行', self.add_row), ('删除明细', '删除所选行', self.delete_row), ('计算', '按明细和折扣计算合计', self.compute),
                                    ('库存…', '在另一个窗口查看库存', self.open_second), ('打印', '打印本订单', None), ('保存', '保存订单', self.ask), ('取消', '放弃修改', None)]:
            self.buttons[label] = b = Gtk.Button(label=label, tooltip_text=hint)
            if action:
                b.connect('clicked', action)
            foot.add(b)
        page.pack_start(foot, False, False, 0)
        self.status = Gtk.Label(label='就绪', xalign=0, margin=6)
        page.pack_start(self.status, False, False, 0)

    def menu(self, entries):
        menu = Gtk.Menu()
        for entry in entries:
            menu.append(Gtk.SeparatorMenuItem() if entry == '-' else Gtk.MenuItem(label=entry))
        menu.show_all()
        return menu

    def put(self, grid, label, widget, row, column):
        grid.attach(Gtk.Label(label=label, xalign=0), 2 * column, row, 1, 1)
        grid.attach(widget, 2 * column + 1, row, 1, 1)

    def entry(self, value, width):
        e = Gtk.Entry(text=value, width_chars=width)
        self.fields.append(e)
        return e

    def choice(self, values):
        c = Gtk.ComboBoxText(hexpand=True)
        for value in values:
            c.append_text(value)
        c.set_active(0)
        self.combos.append(c)
        return c

    def tick(self, parent, label, on):
        b = Gtk.CheckButton(label=label, active=on)
        parent.add(b)
        self.ticks.append(b)

    def spin(self, low, high, step, value):
        s = Gtk.SpinButton.new_with_range(low, high, step)
        s.set_value(value)
        self.spins.append(s)
        return s

    # What the program does.
    def selected(self):
        return self.tree.get_selection().get_selected()[1]

    def add_row(self, button):
        r = self.r
        n, price = r.randint(1, 40), r.randint(40, 9900) / 100
        row = self.rows.insert_after(self.selected() if button and self.selected() else self.last(), [r.choice(ITEMS), n, '%.2f' % price, '%.2f' % (n * price)])
        if button:
            self.tree.get_selection().select_iter(row)
            self.tree.scroll_to_cell(self.rows.get_path(row))

    def last(self):
        return self.rows.iter_nth_child(None, len(self.rows) - 1) if len(self.rows) else None

    def delete_row(self, _button):
        if self.selected():
            self.rows.remove(self.selected())

    def sum(self):
        return '%.2f' % (sum(float(row[3]) for row in self.rows) * (1 - self.discount.get_value() / 100))

    def compute(self, _button):
        self.total.set_text(self.sum())

    def ask(self, _button):
        kind, buttons, text = self.r.choice(ASKS)
        self.dialog = Gtk.MessageDialog(transient_for=self, modal=True, message_type=kind, buttons=buttons, text=text)
        self.dialog.connect('response', self.answered)
        self.dialog.show_all()

    def answered(self, dialog, _answer):
        dialog.destroy()
        self.dialog = None

    def open_second(self, _button):
        self.second = w = Gtk.Window(title='库存', transient_for=self)
        _, x, y = self.get_window().get_origin()
        w.set_default_size(300, 230)
        w.move(min(x + self.r.randint(380, 700), 940), min(y + self.r.randint(40, 300), 520))
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, margin=12)
        for item in self.r.sample(ITEMS, 5):
            box.add(Gtk.Label(label='%s：库存 %d' % (item, self.r.randint(0, 400)), xalign=0))
        self.close_button = Gtk.Button(label='关闭')
        self.close_button.connect('clicked', self.close_second)
        box.add(self.close_button)
        w.add(box)
        w.show_all()

    def close_second(self, _button):
        self.second.destroy()
        self.second = None

    def pressed(self, _tree, event):
        if event.button == 3:
            self.context.popup_at_pointer(event)
            return True
        return False

    def wheel(self, _tree, event):
        # A wheel step of 60 pixels; GTK's own depends on the height of the list.
        way = {Gdk.ScrollDirection.UP: -60, Gdk.ScrollDirection.DOWN: 60}.get(event.direction)
        if way:
            a = self.scrolled.get_vadjustment()
            a.set_value(a.get_value() + way)
        return bool(way)

    # What is asked for.
    def over(self):
        if self.dialog:
            return 'dialog'
        if any(c.get_property('popup-shown') for c in self.combos):
            return 'combo'
        if self.context.get_mapped():
            return 'context menu'
        if any(item.get_submenu().get_mapped() for item in self.bar.get_children()):
            return 'menu'
        return None

    def place(self, widget):
        top = widget.get_toplevel()
        x, y = widget.translate_coordinates(top, 0, 0)
        _, ox, oy = top.get_window().get_origin()
        return ox + x, oy + y, widget.get_allocated_width(), widget.get_allocated_height()

    def spot(self, widget, fx=0.5, fy=0.5):
        """A point of a widget on the screen; none where it is hidden, greyed or covered."""
        if not widget.get_mapped() or not widget.is_sensitive():
            return None
        x, y, w, h = self.place(widget)
        x, y = int(x + w * fx), int(y + h * fy)
        return None if widget.get_toplevel() is self and self.covered(x, y) else (x, y)

    def covered(self, x, y):
        if not self.second:
            return False
        _, sx, sy = self.second.get_window().get_origin()
        w, h = self.second.get_size()
        return -8 <= x - sx <= w + 8 and -32 <= y - sy <= h + 8

    def click(self, widgets, fx=0.5, fy=0.5):
        spots = [s for s in (self.spot(w, fx, fy) for w in widgets) if s]
        return [['click', *self.r.choice(spots)]] if spots else None

    def typed_in(self):
        f = self.get_focus()
        return f if f in self.fields and f.get_mapped() else None

    def seen_rows(self):
        shown = self.tree.get_visible_range() if self.tree.get_mapped() else None
        found = []
        for i in range(shown[0][0], shown[1][0] + 1) if shown else []:
            area = self.tree.get_background_area(Gtk.TreePath(i), self.tree.get_column(0))
            x, y = self.tree.convert_bin_window_to_widget_coords(self.r.randint(20, 300), area.y + area.height // 2)
            px, py, _, _ = self.place(self.tree)
            tx, ty, _, th = self.place(self.scrolled)
            # The tree counts from its own start; rows half out of sight are left alone.
            if ty + 34 < py + y < ty + th - 6 and not self.covered(px + x, py + y):
                found.append((i, px + x, py + y))
        return found

    def steps(self, kind, r):
        self.r, field = r, self.typed_in()
        if kind == 'focus':
            return self.click([f for f in self.fields if f is not field], 0.8)
        if kind == 'letter':
            return [['type', r.choice(string.ascii_letters + string.digits)]] if field else None
        if kind == 'word':
            if not field or len(field.get_text()) > 30:
                return None
            # As an input method does: a Chinese word comes at once, not by keys.
            field.emit('insert-at-cursor', r.choice(WORDS))
            return []
        if kind == 'clear':
            return [['keys', 'ctrl+a', 'BackSpace']] if field and field.get_text() else None
        if kind == 'backspace':
            return [['keys', 'BackSpace']] if field and (field.get_position() or field.get_selection_bounds()) else None
        if kind == 'tab':
            return [['keys', 'Tab']]
        if kind == 'tick':
            return self.click(self.ticks, 0.3)
        if kind == 'radio':
            return self.click([b for b in self.radios if not b.get_active()], 0.3)
        if kind == 'combo opened':
            return self.click(self.combos)
        if kind == 'combo chosen':
            c = next(c for c in self.combos if c.get_property('popup-shown'))
            last = len(c.get_model()) - 1
            down = c.get_active() < last and (c.get_active() == 0 or r.random() < 0.5)
            return [['keys', 'Down' if down else 'Up', 'Return']]
        if kind in ('combo closed', 'context menu closed', 'menu closed'):
            return [['keys', 'Escape']]
        if kind == 'menu opened':
            return self.click(self.bar.get_children())
        if kind == 'context menu opened':
            rows = self.seen_rows()
            return [['right', *r.choice(rows)[1:]]] if rows else None
        if kind == 'row selected':
            now = self.rows.get_path(self.selected())[0] if self.selected() else None
            rows = [row for row in self.seen_rows() if row[0] != now]
            return [['click', *r.choice(rows)[1:]]] if rows else None
        if kind == 'scroll step':
            a, rows = self.scrolled.get_vadjustment(), self.seen_rows()
            ways = [way for way, ok in ((4, a.get_value() > 0), (5, a.get_value() < a.get_upper() - a.get_page_size())) if ok]
            return [['wheel', *r.choice(rows)[1:], r.choice(ways)]] if rows and ways else None
        if kind == 'scroll far':
            bar, a = self.scrolled.get_vscrollbar(), self.scrolled.get_vadjustment()
            at = self.spot(bar, 0.5, (a.get_value() + a.get_page_size() / 2) / a.get_upper())
            _, y, _, h = self.place(bar)
            return [['drag', *at, at[0], r.randint(y + 10, y + h - 10)]] if at else None
        if kind == 'page':
            now = self.book.get_current_page()
            return self.click([self.book.get_tab_label(self.book.get_nth_page(i)) for i in range(3) if i != now])
        if kind == 'row added':
            return self.click([self.buttons['添加明细']]) if self.tree.get_mapped() else None
        if kind == 'row deleted':
            return self.click([self.buttons['删除明细']]) if self.tree.get_mapped() and self.selected() else None
        if kind == 'button greyed':
            b = self.buttons[r.choice(['打印', '取消', '保存', '库存…'])]
            b.set_sensitive(not b.get_sensitive())
            return []
        if kind == 'dialog opened':
            return self.click([self.buttons['保存']])
        if kind == 'dialog closed':
            t = Gtk.ResponseType
            answers = [self.dialog.get_widget_for_response(a) for a in (t.OK, t.CANCEL, t.YES, t.NO, t.CLOSE)]
            return self.click([a for a in answers if a])
        if kind == 'hint':
            at = self.click(list(self.buttons.values()))
            return [['move', *at[0][1:]], ['wait', 0.9]] if at else None
        if kind == 'status':
            self.status.set_text(r.choice([s for s in STATUS if s != self.status.get_text()]))
            return []
        if kind == 'computed':
            return self.click([self.buttons['计算']]) if self.total.get_text() != self.sum() else None
        if kind == 'spin':
            s = r.choice(self.spins)
            at = self.spot(s)
            if not at:
                return None
            # The two buttons at the end, minus and plus, are about as wide as the field is high.
            x, _, w, h = self.place(s)
            return [['click', x + w - r.choice([h // 2, h * 3 // 2]), at[1]]]
        if kind == 'window moved':
            _, x, y = self.get_window().get_origin()
            dx, dy = r.randint(-60, 60), r.randint(-40, 40)
            inside = 10 < x + dx < 380 and 30 < y + dy < 130
            return [['drag', x + 200, y - 10, x + 200 + dx, y - 10 + dy]] if inside and not self.covered(x + 200, y - 10) else None
        if kind == 'second window opened':
            return None if self.second else self.click([self.buttons['库存…']])
        if kind == 'second window closed':
            return self.click([self.close_button]) if self.second else None
        return None


def main():
    order = Order()
    order.show_all()

    def tell():
        print(json.dumps(order.over()), flush=True)

    def asked(*_):
        line = sys.stdin.readline()
        if not line:
            Gtk.main_quit()
            return False
        ask = json.loads(line)
        if ask['kind'] == 'over':
            # Later, once what came by mouse and keyboard is done.
            GLib.timeout_add(80, tell)
        else:
            print(json.dumps(order.steps(ask['kind'], random.Random(ask['seed']))), flush=True)
        return True
    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, asked)
    GLib.timeout_add(500, lambda: print('ready', flush=True))
    Gtk.main()


if __name__ == '__main__':
    main()
