"""Forms of real GTK 3 widgets drawn off screen (themes Adwaita light and dark, HighContrast, Raleigh), with the truth from their geometry.

  widgets_gtk.py FIRST LAST [--out FOLDER]       by the system's python3 (gir1.2-gtk-3.0, python3-gi, python3-gi-cairo); needs Xvfb
"""
import argparse
import glob
import json
import os
import random

from words import value, words
from display import display
from places import ICONS as DRAWN, place

EN = ['Cantarell', 'DejaVu Sans', 'Noto Sans', 'Open Sans', 'Roboto', 'Liberation Sans']
ZH = ['Noto Sans CJK SC', 'LXGW WenKai', 'Noto Serif CJK SC']
ICONS = sorted(glob.glob('/usr/share/icons/Tango/16x16/*/*.png'))
ICONS2 = sorted(glob.glob('/usr/share/icons/Tango/22x22/*/*.png'))
LINES = sorted(glob.glob(DRAWN + '/bootstrap-icons/icons/*.svg'))


class Form:
    def __init__(self, seed, Gtk, Gdk):
        self.r = r = random.Random('gtk %d' % seed)
        self.G, self.lang = Gtk, 'zh' if r.random() < .5 else 'en'
        self.w, self.marks = words(self.lang), []
        s = Gtk.Settings.get_default()
        s.set_property('gtk-theme-name', r.choice(['Adwaita', 'Adwaita', 'Adwaita', 'HighContrast', 'Raleigh', 'Default']))
        self.theme = s.get_property('gtk-theme-name')
        s.set_property('gtk-application-prefer-dark-theme', r.random() < .35)
        s.set_property('gtk-font-name', '%s %d' % (r.choice(ZH if self.lang == 'zh' else EN), r.choice([8, 9, 10, 10, 11, 11, 12])))
        s.set_property('gtk-enable-animations', False)
        s.set_property('gtk-xft-antialias', 0 if r.random() < .1 else 1)
        css = Gtk.CssProvider()
        text = 'window,.background{}'
        if r.random() < .3 and self.theme == 'Adwaita':
            text = '*{%s}' % r.choice(['min-height:0', 'border-radius:0', 'box-shadow:none', 'border-radius:2px'])
        css.load_from_data(text.encode())
        if getattr(Form, 'css', None):
            Gtk.StyleContext.remove_provider_for_screen(Gdk.Screen.get_default(), Form.css)
        Form.css = css
        Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), css, 800)

    def mark(self, w, role, p=.08, **kw):
        if role not in ('text', 'tabs', 'tree', 'menubar') and self.r.random() < p:
            w.set_sensitive(False)
            kw['enabled'] = False
        self.marks.append((w, role, kw))
        return w

    def image(self):
        r = self.r
        f = r.choice(ICONS if r.random() < .5 else ICONS2)
        return self.G.Image.new_from_file(f)

    def label(self, s):
        w = self.G.Label(label=s, xalign=self.xa)
        w.set_halign(self.G.Align.END if self.xa else self.G.Align.START)
        w.set_valign(self.G.Align.CENTER)
        return self.mark(w, 'text')

    def field(self):
        r, G = self.r, self.G
        k = r.choices(['entry', 'combo', 'spin', 'check', 'radios', 'scale', 'switch', 'link'], [46, 20, 9, 9, 6, 4, 5, 2])[0]
        if k == 'entry':
            w = G.Entry()
            w.set_width_chars(r.choice([6, 10, 16, 24, 30]))
            if r.random() < .65:
                w.set_text(value(r, self.w))
            elif r.random() < .5:
                w.set_placeholder_text(r.choice(self.w['ph']))
            if r.random() < .06:
                w.set_visibility(False)
            if r.random() < .08:
                w.set_icon_from_icon_name(r.choice([0, 1]), r.choice(['edit-find', 'edit-clear']))
            return self.mark(w, 'textbox')
        if k == 'combo':
            w = G.ComboBoxText.new_with_entry() if r.random() < .2 else G.ComboBoxText()
            for s in r.sample(self.w['noun'], 3):
                w.append_text(s)
            w.set_active(r.randrange(3) if r.random() < .9 else -1)
            return self.mark(w, 'combobox')
        if k == 'spin':
            w = G.SpinButton.new_with_range(0, 999, 1)
            w.set_value(r.randint(0, 99))
            return self.mark(w, 'textbox')
        if k == 'scale':
            w = G.Scale.new_with_range(G.Orientation.HORIZONTAL, 0, 100, 1)
            w.set_value(r.randint(0, 100))
            w.set_draw_value(False)
            w.set_size_request(r.choice([90, 140, 200]), -1)
            return self.mark(w, 'slider')
        if k == 'switch':
            w = G.Switch(halign=G.Align.START, valign=G.Align.CENTER)
            on = r.random() < .5
            w.set_active(on)
            return self.mark(w, 'switch', checked=on)
        if k == 'link':
            return self.mark(G.LinkButton(uri='http://a.example', label=r.choice(self.w['nav']), halign=G.Align.START), 'link', 0)
        return self.check() if k == 'check' else self.radios()

    def check(self, s=None):
        w = self.G.CheckButton(label=s or self.r.choice(self.w['tick']), halign=self.G.Align.START)
        on = self.r.random() < .5
        w.set_active(on)
        return self.mark(w, 'checkbox', checked=on)

    def radios(self, across=None):
        r, G = self.r, self.G
        b = G.Box(orientation=G.Orientation.HORIZONTAL if (r.random() < .6 if across is None else across) else G.Orientation.VERTICAL, spacing=r.choice([2, 6, 12]))
        first, names = None, r.sample(self.w['radio'], r.randint(2, 4))
        on = r.randrange(len(names))
        for i, s in enumerate(names):
            w = G.RadioButton.new_with_label_from_widget(first, s)
            w.set_halign(G.Align.START)
            first = first or w
            w.set_active(i == on)
            b.add(self.mark(w, 'radio', .04, checked=i == on))
        return b

    def button(self, s=None):
        w = self.G.Button(label=s or self.r.choice(self.w['button']))
        if self.r.random() < .15:
            w.set_image(self.image())
            w.set_always_show_image(True)
        if self.r.random() < .1:
            w.get_style_context().add_class('suggested-action')
        return self.mark(w, 'button')

    def tool(self):
        w = self.G.Button()
        w.set_image(self.image())
        w.set_always_show_image(True)
        w.set_valign(self.G.Align.CENTER)
        if self.flat:
            w.set_relief(self.G.ReliefStyle.NONE)
        return self.mark(w, 'icon', .12)

    def rows(self):
        r, G = self.r, self.G
        self.xa = 1.0 if r.random() < .3 else 0.0
        g = G.Grid(row_spacing=r.choice([2, 4, 6, 10]), column_spacing=r.choice([4, 8, 12]))
        colon, cols, above = r.choice(['', ':', '：' if self.lang == 'zh' else ':']), r.choice([1, 1, 2, 3]), r.random() < .3
        for i in range(r.randint(3, 10)):
            y, x = divmod(i, cols)
            lab = self.label(r.choice(self.w['label']) + colon)
            g.attach(lab, x if above else 2 * x, 2 * y if above else y, 1, 1)
            g.attach(self.field(), x if above else 2 * x + 1, 2 * y + 1 if above else y, 1, 1)
        return g

    def tree(self):
        r, G = self.r, self.G
        m, kind = r.choice([1, 1, 2, 3, 4, 5]), r.choice(['list', 'tree'])
        st = G.TreeStore(*[str] * m) if kind == 'tree' else G.ListStore(*[str] * m)
        for _ in range(r.randint(3, 10)):
            row = [value(r, self.w) if m > 1 else r.choice(self.w[r.choice(['nav', 'noun'])]) for _ in range(m)]
            it = st.append(None, row) if kind == 'tree' else st.append(row)
            if kind == 'tree' and m == 1:
                for _ in range(r.choice([0, 0, 2, 3])):
                    st.append(it, [r.choice(self.w['noun'])])
        t = G.TreeView(model=st)
        t.set_headers_visible(m > 1 or r.random() < .2)
        t.set_grid_lines(r.choice([0, 0, 1, 2, 3]))
        for j in range(m):
            t.append_column(G.TreeViewColumn(r.choice(self.w['label']), G.CellRendererText(), text=j))
        t.expand_all()
        t.set_size_request(r.choice([160, 240, 360]), -1)
        if r.random() < .5:
            t.get_selection().select_path(r.randrange(3))
        f = G.Frame()
        f.add(self.mark(t, 'tree', cols=m))
        return f

    def ticks(self):
        b = self.G.Box(orientation=self.G.Orientation.VERTICAL, spacing=self.r.choice([0, 2, 6]))
        for s in self.r.sample(self.w['tick'], self.r.randint(2, 6)):
            b.add(self.check(s))
        return b

    def text(self):
        w = self.G.TextView()
        w.get_buffer().set_text('\n'.join(self.r.choice(self.w['sent']) for _ in range(self.r.randint(0, 4))))
        w.set_size_request(self.r.choice([200, 320]), self.r.choice([50, 90, 140]))
        f = self.G.Frame()
        f.add(w)
        return self.mark(f, 'textbox', 0)

    def area(self):
        r = self.r
        a = r.choices([self.rows, self.tree, self.ticks, self.radios, self.text], [42, 18, 13, 8, 7])[0]()
        if r.random() < .3:
            f = self.G.Frame()
            lab = self.G.Label(label=r.choice(self.w['head']))
            f.set_label_widget(self.mark(lab, 'text'))
            a.set_property('margin', 6)
            f.add(a)
            return f
        return a

    def build(self):
        r, G = self.r, self.G
        self.win = w = G.OffscreenWindow()
        self.flat, self.xa = r.random() < .6, 0.0
        v = G.Box(orientation=G.Orientation.VERTICAL)
        w.add(v)
        if r.random() < .55:
            mb = G.MenuBar()
            for s in r.sample(self.w['menu'], r.randint(3, 9)):
                mb.append(self.mark(G.MenuItem(label=s), 'menuitem', 0))
            v.add(mb)
        if r.random() < .55:
            b = G.Box(spacing=r.choice([0, 0, 2, 4]))
            for _ in range(r.randint(3, 13)):
                b.add(self.tool())
                if r.random() < .12:
                    b.add(G.Separator(orientation=G.Orientation.VERTICAL))
            v.add(b)
        g = G.Grid(row_spacing=r.choice([6, 12, 18]), column_spacing=r.choice([8, 14, 24]), margin=r.choice([6, 10, 18]))
        cols = r.choice([1, 2, 2, 3])
        for i in range(r.randint(2, 6)):
            a = self.area()
            a.set_valign(G.Align.START)
            a.set_halign(G.Align.START)
            g.attach(a, i % cols, i // cols, 1, 1)
        if r.random() < .3:
            nb = G.Notebook()
            for i, s in enumerate(r.sample(self.w['head'], r.randint(2, 5))):
                lab = self.mark(G.Label(label=s), 'tabs')
                nb.append_page(g if i == 0 else G.Label(label=''), lab)
            v.add(nb)
        else:
            v.add(g)
        foot = G.Box(spacing=r.choice([4, 8]), halign=r.choice([G.Align.START, G.Align.END, G.Align.CENTER]), margin=r.choice([4, 10]))
        for s in r.sample(self.w['button'], r.randint(1, 5)):
            foot.add(self.button(s))
        v.add(foot)
        w.show_all()

    def truth(self, W, H):
        out = []

        def add(role, x, y, w, h, kw):
            q = [max(0, x), max(0, y), min(W, x + w), min(H, y + h)]
            if q[2] - q[0] > 3 and q[3] - q[1] > 3:
                out.append(dict({'role': role, 'bbox': [float(v) for v in q]}, **kw))
        for w, role, kw in self.marks:
            if not w.get_mapped():
                continue
            a = w.get_allocation()
            x, y = w.translate_coordinates(self.win, 0, 0)
            if role in ('checkbox', 'radio'):
                n = 16 if self.theme in ('Adwaita', 'HighContrast') else 13
                lab = w.get_child()
                lx, ly = lab.translate_coordinates(self.win, 0, 0)
                la = lab.get_allocation()
                left = max(x, lx - n - 4) if self.theme != 'Raleigh' and self.theme != 'Default' else max(x, lx - n - 6)
                add(role, left, y + (a.height - n) // 2, n, n, kw)
                add('text', lx, ly, la.width, la.height, {k: v for k, v in kw.items() if k == 'enabled'})
            elif role == 'tabs':
                add('tab', x - 12, y - 6, a.width + 24, a.height + 12, {})
            elif role == 'tree':
                m = w.get_model()

                def rows(it):
                    while it:
                        p = m.get_path(it)
                        for j in range(kw['cols']):
                            b = w.get_cell_area(p, w.get_column(j)) if kw['cols'] == 1 else w.get_background_area(p, w.get_column(j))
                            bx, by = w.convert_bin_window_to_widget_coords(b.x, b.y)
                            if b.height > 4:
                                add('cell' if kw['cols'] > 1 else 'listitem', x + bx, y + by, b.width, b.height, {})
                        rows(m.iter_children(it))
                        it = m.iter_next(it)
                rows(m.get_iter_first())
                if w.get_headers_visible():
                    for j in range(kw['cols']):
                        h = w.get_column(j).get_button()
                        hx, hy = h.translate_coordinates(self.win, 0, 0)
                        add('cell', hx, hy, h.get_allocated_width(), h.get_allocated_height(), {})
            else:
                add(role, x, y, a.width, a.height, kw)
        return out


def main():
    a = argparse.ArgumentParser()
    a.add_argument('first', type=int)
    a.add_argument('last', type=int)
    a.add_argument('--out', default=place('gtk'))
    a = a.parse_args()
    os.makedirs(a.out, exist_ok=True)
    with display('1400x1000') as name_of_display:
        os.environ['DISPLAY'] = name_of_display
        import gi
        gi.require_version('Gtk', '3.0')
        from gi.repository import Gdk, Gtk
        for seed in range(a.first, a.last):
            name = os.path.join(a.out, 'g%06d' % seed)
            if os.path.exists(name + '.json'):
                continue
            f = Form(seed, Gtk, Gdk)
            f.build()
            for _ in range(60):
                while Gtk.events_pending():
                    Gtk.main_iteration()
            p = f.win.get_pixbuf()
            if p is None:
                continue
            W, H = p.get_width(), p.get_height()
            elements = f.truth(W, H)
            p.savev(name + '.png', 'png', [], [])
            f.win.destroy()
            with open(name + '.tmp', 'w') as o:
                json.dump({'width': W, 'height': H, 'source': 'gtk', 'toolkit': 'gtk', 'lang': f.lang, 'seed': seed, 'scale': 1, 'elements': elements}, o)
            os.replace(name + '.tmp', name + '.json')


if __name__ == '__main__':
    main()
