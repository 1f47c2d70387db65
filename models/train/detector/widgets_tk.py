"""Forms of real Tk and ttk widgets on a display of their own (Xvfb), with the truth from their geometry.

  widgets_tk.py FIRST LAST [--out FOLDER]
"""
import argparse
import json
import os
import random
import time
import tkinter as tk
from tkinter import font as tkfont, ttk

from PIL import Image, ImageGrab, ImageTk

from icons import files
from words import value, words
from display import display
from places import place

EN = ['Liberation Sans', 'DejaVu Sans', 'Noto Sans', 'Open Sans', 'Roboto', 'Cantarell']
ZH = ['Noto Sans CJK SC', 'LXGW WenKai', 'Noto Serif CJK SC']


class Form:
    def __init__(self, seed, root):
        self.r = r = random.Random('tk %d' % seed)
        self.root = root
        self.lang = 'zh' if r.random() < .5 else 'en'
        self.w, self.marks, self.keep = words(self.lang), [], []
        self.modern = r.random() < .6
        self.style = ttk.Style()
        self.style.theme_use(r.choice(['clam', 'alt', 'default', 'classic']))
        size = r.choice([11, 12, 13, 14, 15, 16])
        for n in tkfont.names(root):
            tkfont.nametofont(n).configure(family=self.family(), size=-size)
        self.size = size
        self.bg = r.choice(['#d9d9d9', '#d9d9d9', '#f0f0f0', '#d4d0c8', '#ececec', '#%02x%02x%02x' % tuple(r.randint(190, 245) for _ in range(3)), '#2e2e33'])
        self.fg = '#eeeeee' if self.bg == '#2e2e33' else '#000000'
        self.paper = '#1e1e22' if self.fg != '#000000' else '#ffffff'
        st = self.style
        st.configure('.', background=self.bg, foreground=self.fg, fieldbackground=self.paper)
        st.configure('Treeview', background=self.paper, fieldbackground=self.paper, foreground=self.fg, rowheight=size + r.choice([6, 8, 12]))

    def family(self):
        if not hasattr(self, 'fam'):
            self.fam = self.r.choice(ZH if self.lang == 'zh' else EN)
        return self.fam

    def kit(self):
        return ttk if self.modern else tk

    def opt(self, **kw):
        return {} if self.modern else dict(bg=self.bg, fg=self.fg, **kw)

    def label(self, p, s):
        w = self.kit().Label(p, text=s, **self.opt())
        self.marks.append((w, 'text', None, True))
        return w

    def off(self, w, p=.08):
        ok = self.r.random() >= p
        if not ok:
            w.configure(state='disabled')
        return ok

    def field(self, p):
        r = self.r
        k = r.choices(['entry', 'combo', 'spin', 'check', 'scale'], [54, 26, 8, 8, 4])[0]
        wid = r.choice([8, 12, 18, 24, 32])
        if k == 'combo':
            w = ttk.Combobox(p, width=wid)
            w.set(r.choice([r.choice(self.w['noun']), r.choice(self.w['radio']), '']))
            self.marks.append((w, 'combobox', None, self.off(w)))
        elif k == 'check':
            return self.check(p)
        elif k == 'scale':
            w = ttk.Scale(p, from_=0, to=100, value=r.randint(0, 100), length=r.choice([80, 140, 200]))
            self.marks.append((w, 'slider', None, True))
        else:
            c = {'entry': self.kit().Entry, 'spin': self.kit().Spinbox}[k]
            w = c(p, width=wid if k == 'entry' else 7)
            if not self.modern:
                w.configure(bg=self.paper, fg=self.fg)
            if r.random() < .7:
                w.insert(0, value(r, self.w) if k == 'entry' else r.randint(0, 99))
            if k == 'entry' and r.random() < .05:
                w.configure(show='*')
            self.marks.append((w, 'textbox', None, self.off(w)))
        return w

    def check(self, p, s=None):
        v = tk.IntVar(value=self.r.random() < .5)
        self.keep.append(v)
        w = self.kit().Checkbutton(p, text=s or self.r.choice(self.w['tick']), variable=v, **self.opt(selectcolor=self.paper, anchor='w'))
        self.marks.append((w, 'checkbox', bool(v.get()), self.off(w)))
        return w

    def radios(self, p):
        r = self.r
        f = self.kit().Frame(p, **({} if self.modern else {'bg': self.bg}))
        v = tk.IntVar(value=r.randint(0, 2))
        self.keep.append(v)
        across = r.random() < .6
        for i, s in enumerate(r.sample(self.w['radio'], r.randint(2, 4))):
            w = self.kit().Radiobutton(f, text=s, variable=v, value=i, **self.opt(selectcolor=self.paper, anchor='w'))
            w.pack(side='left' if across else 'top', anchor='w')
            self.marks.append((w, 'radio', v.get() == i, True))
        return f

    def button(self, p, s=None):
        r = self.r
        w = self.kit().Button(p, text=s or r.choice(self.w['button']), **self.opt())
        if r.random() < .4:
            w.configure(width=r.choice([8, 10, 12]))
        self.marks.append((w, 'button', None, self.off(w)))
        return w

    def tool(self, p, g, flat):
        im = ImageTk.PhotoImage(Image.open(self.r.choice(files('tango%dx%d' % (g, g)))).convert('RGBA'))
        self.keep.append(im)
        w = self.kit().Button(p, image=im) if self.modern else tk.Button(p, image=im, bg=self.bg, relief='flat' if flat else 'raised', bd=1)
        self.marks.append((w, 'icon', None, self.off(w)))
        return w

    def frame(self, p, title=None):
        if title:
            return ttk.LabelFrame(p, text=title) if self.modern else tk.LabelFrame(p, text=title, bg=self.bg, fg=self.fg)
        return self.kit().Frame(p, **({} if self.modern else {'bg': self.bg}))

    def rows(self, p):
        r = self.r
        f = self.frame(p, r.choice(self.w['head']) if r.random() < .4 else None)
        colon, cols, above = r.choice(['', ':', '：' if self.lang == 'zh' else ':']), r.choice([1, 1, 2, 3]), r.random() < .3
        py = r.choice([1, 2, 4, 6])
        for i in range(r.randint(3, 10)):
            y, x = divmod(i, cols)
            self.label(f, r.choice(self.w['label']) + colon).grid(row=y * 2 if above else y, column=x if above else x * 2, sticky='w', padx=4, pady=0 if above else py)
            self.field(f).grid(row=y * 2 + 1 if above else y, column=x if above else x * 2 + 1, sticky=r.choice(['w', 'we']), padx=4, pady=py)
        return f

    def table(self, p):
        r = self.r
        m = r.randint(2, 6)
        t = ttk.Treeview(p, columns=list(range(m)), show='headings', height=r.randint(3, 10))
        for j in range(m):
            t.heading(j, text=r.choice(self.w['label']))
            t.column(j, width=r.choice([60, 90, 120, 160]))
        for _ in range(r.randint(2, 12)):
            t.insert('', 'end', values=[value(r, self.w) for _ in range(m)])
        self.marks.append((t, 'table', None, True))
        return t

    def listbox(self, p):
        r = self.r
        w = tk.Listbox(p, height=r.randint(3, 9), width=r.choice([14, 20, 28]), bg=self.paper, fg=self.fg)
        for _ in range(r.randint(2, 12)):
            w.insert('end', r.choice(self.w[r.choice(['noun', 'nav'])]))
        w.selection_set(r.randrange(3))
        self.marks.append((w, 'list', None, True))
        return w

    def area(self, p):
        r = self.r
        k = r.choices(['rows', 'table', 'list', 'radios', 'ticks', 'text'], [40, 16, 10, 12, 14, 6])[0]
        if k == 'ticks':
            f = self.frame(p, r.choice(self.w['head']) if r.random() < .5 else None)
            for s in r.sample(self.w['tick'], r.randint(2, 6)):
                self.check(f, s).pack(anchor='w')
            return f
        if k == 'text':
            w = tk.Text(p, width=r.choice([24, 40]), height=r.randint(2, 6), bg=self.paper, fg=self.fg)
            w.insert('1.0', '\n'.join(r.choice(self.w['sent']) for _ in range(r.randint(0, 3))))
            self.marks.append((w, 'textbox', None, True))
            return w
        return {'rows': self.rows, 'table': self.table, 'list': self.listbox, 'radios': self.radios}[k](p)

    def build(self):
        r = self.r
        self.top = t = tk.Toplevel(self.root, bg=self.bg)
        t.overrideredirect(True)
        t.geometry('+%d+%d' % (r.randint(0, 200), r.randint(0, 120)))
        if r.random() < .6:
            bar, g, flat = self.frame(t), r.choice([16, 16, 22, 24, 32]), r.random() < .6
            bar.pack(side='top', fill='x')
            for _ in range(r.randint(3, 14)):
                self.tool(bar, g, flat).pack(side='left', padx=r.choice([0, 0, 2]))
        body = self.frame(t)
        body.pack(padx=r.choice([4, 8, 14]), pady=r.choice([4, 8, 14]))
        if r.random() < .3:
            nb = ttk.Notebook(body)
            nb.pack()
            page = ttk.Frame(nb)
            names = r.sample(self.w['head'], r.randint(2, 5))
            nb.add(page, text=names[0])
            for s in names[1:]:
                nb.add(ttk.Frame(nb), text=s)
            self.marks.append((nb, 'tabs', None, True))
            body = page
        cols = r.choice([1, 2, 2, 3])
        for i in range(r.randint(2, 6)):
            self.area(body).grid(row=i // cols, column=i % cols, padx=6, pady=6, sticky='nw')
        foot = self.frame(t)
        foot.pack(anchor=r.choice(['e', 'w', 'center']), pady=4)
        for s in r.sample(self.w['button'], r.randint(1, 5)):
            self.button(foot, s).pack(side='left', padx=r.choice([2, 6]))

    def truth(self, W, H):
        out = []

        def add(role, x, y, w, h, **kw):
            q = [max(0, x), max(0, y), min(W, x + w), min(H, y + h)]
            if q[2] - q[0] > 3 and q[3] - q[1] > 3:
                e = {'role': role, 'bbox': [float(v) for v in q]}
                if (q[2] - q[0]) * (q[3] - q[1]) < .8 * w * h:
                    e['ignore'] = True
                e.update(kw)
                out.append(e)
        for w, role, on, ok in self.marks:
            x, y, ww, h = w.winfo_rootx(), w.winfo_rooty(), w.winfo_width(), w.winfo_height()
            kw = {} if ok else {'enabled': False}
            if role in ('checkbox', 'radio'):
                kw['checked'] = on
                n = self.indicator(w, role, x, y, h)
                add(role, *n, **kw)
                add('text', n[0] + n[2] + 2, y + (h - self.size - 4) // 2, max(8, min(x + ww - n[0] - n[2] - 4, tkfont.nametofont('TkDefaultFont').measure(w.cget('text')) + 2)), self.size + 4)
            elif role == 'table':
                for i in w.get_children():
                    for c in range(len(w['columns'])):
                        b = w.bbox(i, c)
                        if b:
                            add('cell', x + b[0], y + b[1], b[2], b[3])
            elif role == 'list':
                for i in range(w.size()):
                    b = w.bbox(i)
                    if b:
                        add('listitem', x + 2, y + b[1], ww - 4, b[3])
            elif role == 'tabs':
                seen = {}
                for xx in range(0, ww, 2):
                    try:
                        i = w.index('@%d,%d' % (xx, 8))
                        seen.setdefault(i, [xx, xx])[1] = xx
                    except tk.TclError:
                        pass
                bottom = min(c.winfo_rooty() for c in w.winfo_children() if c.winfo_ismapped()) - y if w.winfo_children() else 24
                for a, b in seen.values():
                    add('tab', x + a, y, b - a + 2, bottom)
            else:
                add(role, x, y, ww, h, **kw)
        return out

    def indicator(self, w, role, x, y, h):
        """The square or circle, found in the picture: between the left edge and the words."""
        im = self.im
        x1 = x + min(w.winfo_width(), 30)
        a = im.crop((x, y, x1, y + h)).convert('L')
        bg = a.getpixel((1, 1))
        px = a.load()
        cols = [any(abs(px[i, j] - bg) > 14 for j in range(h)) for i in range(a.width)]
        l = next((i for i, c in enumerate(cols) if c and i > 0), 3)
        if l > 8:
            l = 3
        r = l
        while r < min(a.width, l + 22) and cols[r]:
            r += 1
        n = max(9, min(20, r - l))
        rows = [any(abs(px[i, j] - bg) > 14 for i in range(l, min(a.width, l + n))) for j in range(h)]
        ys = [j for j, c in enumerate(rows) if c]
        t, b = (ys[0], ys[-1] + 1) if ys else ((h - n) // 2, (h + n) // 2)
        if b - t > n + 4 or b - t < n - 4:
            t = (h - n) // 2
            b = t + n
        return x + l, y + t, n, b - t


def main():
    a = argparse.ArgumentParser()
    a.add_argument('first', type=int)
    a.add_argument('last', type=int)
    a.add_argument('--out', default=place('tk'))
    a = a.parse_args()
    os.makedirs(a.out, exist_ok=True)
    with display('1280x900') as name_of_display:
        os.environ['DISPLAY'] = name_of_display
        root = tk.Tk()
        root.overrideredirect(True)
        for seed in range(a.first, a.last):
            name = os.path.join(a.out, 't%06d' % seed)
            if os.path.exists(name + '.json'):
                continue
            f = Form(seed, root)
            root.geometry('1280x900+0+0')
            root.configure(bg=f.r.choice(['#3a6ea5', '#777777', '#204060', '#e8e8e8', f.bg]))
            f.build()
            f.top.lift()
            f.top.wait_visibility()
            for _ in range(40):
                root.update()
                f.im = ImageGrab.grab(xdisplay=name_of_display).convert('RGB')
                x0, y0 = f.top.winfo_rootx(), f.top.winfo_rooty()
                if len(f.im.crop((x0, y0, x0 + f.top.winfo_width(), y0 + f.top.winfo_height())).getcolors(1 << 20)) > 8:
                    break
                time.sleep(.05)
            W, H = 1280, 900
            W, H = min(1280, f.top.winfo_rootx() + f.top.winfo_width() + 40), min(900, f.top.winfo_rooty() + f.top.winfo_height() + 40)
            elements = f.truth(W, H)
            f.im.crop((0, 0, W, H)).save(name + '.png')
            f.top.destroy()
            with open(name + '.tmp', 'w') as o:
                json.dump({'width': W, 'height': H, 'source': 'tk', 'toolkit': 'tk', 'lang': f.lang, 'seed': seed, 'scale': 1, 'elements': elements}, o)
            os.replace(name + '.tmp', name + '.json')
        root.destroy()


if __name__ == '__main__':
    main()
