"""Forms of real Lazarus (LCL) controls (widgets_lazarus.pas, GTK 2 below), with the truth from the controls; grids, trees and tool bars are what LCL draws itself.

  widgets_lazarus.py FIRST LAST [--out FOLDER]     needs fpc, the LCL units for gtk2, GTK 2 engines, Xvfb and ImageMagick's import
"""
import argparse
import glob
import json
import os
import random
import subprocess
import tempfile
import time

import numpy as np
from PIL import Image

from icons import files
from display import display
from places import place
from widgets_win32 import HERE, LIB, NOTO, Form as Win32, face, rgb, shot_at_rest
from words import value, words

EN = [('Liberation Sans', LIB + 'liberation/LiberationSans-Regular.ttf'), ('DejaVu Sans', LIB + 'dejavu/DejaVuSans.ttf'), ('Noto Sans', LIB + 'noto/NotoSans-Regular.ttf'), ('Open Sans', LIB + 'open-sans/OpenSans-Regular.ttf'),
      ('Roboto', LIB + 'dejavu/DejaVuSans.ttf'), ('Cantarell', LIB + 'dejavu/DejaVuSans.ttf')]
ZH = [('Noto Sans CJK SC', NOTO)] * 3 + [('LXGW WenKai', LIB + 'lxgw-wenkai/LXGWWenKai-Regular.ttf'), ('Noto Serif CJK SC', '/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc')]
THEMES = ['Clearlooks', 'Clearlooks', 'Redmond', 'Redmond', 'Redmond', 'Raleigh', 'Raleigh', 'ThinIce', 'Mist', 'Industrial', 'Crux', 'Adwaita']


class Form(Win32):
    def __init__(self, seed, folder):
        self.r = r = random.Random('lazarus %d' % seed)
        self.folder, self.k, self.v6, self.themed, self.palette = folder, 1, 0, 0, 'laz'
        self.lang = 'zh' if r.random() < .5 else 'en'
        self.w, self.lines, self.n = words(self.lang), [], 0
        self.name, self.path = r.choice(ZH if self.lang == 'zh' else EN)
        self.px = r.choice([11, 12, 12, 13, 13, 14, 15, 16]) if self.lang == 'en' else r.choice([12, 12, 13, 14, 14, 15, 16])
        self.font = face(self.path, self.px)
        self.th = self.px + 5
        self.theme = r.choice(THEMES)
        self.ch = max(self.th + 6, r.choice([21, 23, 24, 26, 28]))
        self.gap = r.choice([2, 4, 6, 8, 10])
        self.bg = r.choice([(240,) * 3, (212, 208, 200), (236, 233, 216), (217,) * 3, tuple(r.randint(180, 245) for _ in range(3))])
        self.edge = 0
        self.focus = False
        self.g0 = self.g = r.choice([16, 16, 22, 24, 32])

    def width(self, t):
        return int(self.font.getlength(t) * 1.06) + 6

    def put(self, p, kind, x, y, w, h, *rest):
        self.n += 1
        self.say('K', self.n, p, kind, int(x), int(y), int(w), int(h), *rest)
        return self.n

    # -- controls: as in widgets_win32.py, so that its areas can be used ------------------------------------------------------------------
    def label(self, p, x, y, w, t, h=None, right=False, font=0):
        i = self.put(p, 'label', x, y, w, h or self.ch, t)
        self.a(i, 'middle')
        if right:
            self.a(i, 'right')
        return i

    def words_at(self, p, x, y, w, t, font=0):
        i = self.put(p, 'label', x, y, w, self.th + 1 if font != 3 else self.th * 2 + 6, t)
        if font == 1:
            self.a(i, 'bold')
        elif font == 3:
            self.a(i, 'big', -int(self.px * 1.7))
        elif font == 2:
            self.a(i, 'link')
        return i

    def a(self, i, *rest):
        if rest[0] != 'role':
            self.say('A', i, *rest)

    def edit(self, p, x, y, w, t=None):
        r = self.r
        i = self.put(p, 'edit', x, y, w, self.ch, value(r, self.w) if r.random() < .68 else '')
        if r.random() < .06:
            self.a(i, 'password')
        elif r.random() < .06:
            self.a(i, 'readonly')
        elif r.random() < .2:
            self.a(i, 'hint', r.choice(self.w['ph']))
        self.off(i)
        return i

    def spin(self, p, x, y, w):
        i = self.put(p, self.r.choice(['spin', 'float']), x, y, w, self.ch)
        self.a(i, 'on', self.r.randint(0, 100))
        self.off(i)

    def combo(self, p, x, y, w, simple=False):
        r = self.r
        i = self.put(p, 'combo', x, y, w, self.ch)
        if r.random() < .6:
            self.a(i, 'ronly')
        its = r.sample(self.w['noun'], r.randint(2, 6))
        for t in its:
            self.a(i, 'item', t)
        if r.random() < .85:
            self.a(i, 'on', r.randrange(len(its)))
        self.off(i)

    def date(self, p, x, y, w):
        r = self.r
        i = self.put(p, 'date', x, y, w, self.ch, '2026-%02d-%02d' % (r.randint(1, 12), r.randint(1, 28))) if r.random() < .7 else self.put(p, 'file', x, y, w, self.ch, r.choice(['', '/srv/data/orders.csv', 'C:\\data']))
        self.off(i)

    def tick(self, p, x, y, w, t, kind=3, on=None):
        r = self.r
        on = r.random() < .5 if on is None else on
        i = self.put(p, 'radio' if kind == 9 else 'check', x, y, w, self.th + 2, t)
        self.a(i, 'on', 2 if kind == 3 and r.random() < .03 else int(on))
        self.off(i)
        return i

    def tick_width(self, t):
        return 26 + self.width(t) + 8

    def radios(self, p, x, y, w, h=None):
        r = self.r
        if h is not None or r.random() < .5:
            names = r.sample(self.w['radio'], r.randint(2, 5))
            across = w > 320 and r.random() < .5 or (h or 0) < 40 + len(names) * self.th
            if h and (not across or w > 320) and h > 44 + self.th:
                kind = r.choice(['radios', 'radios', 'checks'])
                i = self.put(p, kind, x, y, min(w, 420 if across else 220), 34 + self.th if across else 26 + len(names) * (self.th + 6), r.choice(self.w['head']))
                for t in names:
                    self.a(i, 'item', t)
                if across:
                    self.a(i, 'columns', len(names))
                self.a(i, 'on', r.randrange(len(names)))
                return h
        # On a panel of their own: radio buttons of one parent belong together.
        names = r.sample(self.w['radio'], r.randint(2, 4))
        q = self.put(p, 'panel', x, y, w, self.ch)
        cx = 0
        for i, t in enumerate(names):
            tw = self.tick_width(t)
            if cx + tw > w:
                break
            self.tick(q, cx, 0, tw, t, 9, i == 0)
            cx += tw + 6
        return self.ch

    def button(self, p, x, y, w=None, t=None, h=None, default=False):
        r = self.r
        t = t or r.choice(self.w['button'])
        k = r.choices(['button', 'bitbtn', 'speed'], [60, 25, 15])[0]
        w = max(w or 0, self.width(t) + 16 + (self.g + 8 if k != 'button' else 0))
        h = h or self.ch + 4
        if k != 'button':
            h = max(h, self.g + 8)
        i = self.put(p, k, x, y, w, h, t, *([r.randrange(12), int(r.random() < .2)] if k != 'button' else []))
        self.off(i, .1)
        return w

    def picture_button(self, p, x, y):
        i = self.put(p, self.r.choice(['speed', 'bitbtn']), x, y, self.g + 10, self.g + 10, '', self.r.randrange(12), int(self.r.random() < .5))
        self.off(i)
        return self.g + 10

    def slider(self, p, x, y, w):
        i = self.put(p, 'track', x, y, w, max(26, self.ch))
        self.a(i, 'ticks', 0)
        self.a(i, 'on', self.r.randint(0, 10))

    def list_box(self, p, x, y, w, h):
        r = self.r
        k = r.choice(['list', 'list', 'checklist'])
        i = self.put(p, k, x, y, w, h)
        n = r.randint(2, 20)
        for _ in range(n):
            self.a(i, 'item', r.choice(self.w[r.choice(['noun', 'nav', 'head'])]))
        if k == 'list':
            self.a(i, 'on', r.randrange(n))
        else:
            for j in range(n):
                if r.random() < .5:
                    self.a(i, 'on', j)

    def table(self, p, x, y, w, h):
        r = self.r
        i = self.put(p, 'grid', x, y, w, h)
        mark = r.random() < .4  # the narrow first column with the arrow of a data grid
        fixed = 1 if mark or r.random() < .35 else 0
        lh = self.th + r.choice([1, 3, 5, 8])
        m, n = r.randint(2, 9), r.randint(2, 40)
        named = r.random() < .75  # columns with titles, else plain cells
        title = r.choice([0, 0, 1, 2])
        flags = r.choice([3, 3, 3, 3, 1, 2, 0]) | r.choice([4, 4, 0]) | (8 if r.random() < .25 else 0) | (16 if r.random() < .3 else 0) | (32 if r.random() < .08 else 0) | (64 if mark else 0)
        alt = rgb(*[r.randint(225, 250) for _ in range(3)]) if r.random() < .3 else -1
        head = rgb(*[r.randint(170, 245) for _ in range(3)]) if r.random() < .35 else -1
        self.a(i, 'grid', (fixed if named else m + fixed), n, fixed, lh, title, flags, head, alt)
        kinds = [r.choices([0, 1, 2, 3], [58, 24, 10, 8])[0] if named else 0 for _ in range(m)]
        for j in range(m):
            wide = r.choice([50, 64, 80, 110, 150])
            if named:
                self.a(i, 'col', j, wide, kinds[j], r.choice(self.w['label']))
            else:
                self.a(i, 'col', j + fixed, wide, -1)
                self.a(i, 'cell', j + fixed, 0, r.choice([r.choice(self.w['label']), chr(65 + j)]))
        if fixed:
            self.a(i, 'col', 0, 14 if mark else r.choice([24, 32, 64]), -1)
            if not mark:
                for k in range(1, n):
                    self.a(i, 'cell', 0, k, str(k))
        for k in range(1, min(n, h // lh + 1)):
            for j in range(m):
                t = str(int(r.random() < .5)) if kinds[j] == 2 else '{:,.2f}'.format(r.uniform(0, 9999)) if kinds[j] == 1 else value(r, self.w) if r.random() < .9 else ''
                self.a(i, 'cell', j + fixed, k, t)
        row = r.randint(1, max(1, min(n - 1, h // lh - 2)))
        if kinds[0] != 2:
            self.a(i, 'at', fixed, row, int(r.random() < .25 and not flags & 8))

    def tree(self, p, x, y, w, h):
        r = self.r
        i = self.put(p, 'tree', x, y, w, h)
        level = 0
        sel = r.randrange(8)
        for k in range(r.randint(3, 24)):
            self.a(i, 'leaf', level, r.randrange(12), 1, int(k == sel), r.choice(self.w[r.choice(['noun', 'nav', 'head'])]))
            level = max(0, min(3, level + r.choice([-1, 0, 0, 1])))
        self.a(i, 'grown', int(r.random() < .6))

    def memo(self, p, x, y, w, h):
        r = self.r
        i = self.put(p, 'memo', x, y, w, h, '\n'.join(r.choice(self.w['sent']) for _ in range(r.randint(0, 6))))
        self.off(i, .05)

    def add(self, p, cls, style, ex, x, y, w, h, t='', font=0):
        """What widgets_win32.py makes by class: only the small buttons beside fields."""
        return self.put(p, 'button', x, y, w, h, t)

    def group(self, p, x, y, w, h, deep):
        i = self.put(p, 'group', x, y, w, h, self.fit(self.r.choice(self.w['head']), w - 24))
        self.fill(i, 8, 4, w - 22, h - self.th - 20, deep + 1, self.r.choice(['rows', 'rows', 'ticks', 'radios', 'buttons', 'list', None]))

    def tabs(self, p, x, y, w, h, deep):
        r = self.r
        i = self.put(p, 'pages', x, y, w, h)
        names = r.sample(self.w['head'], r.randint(2, 6))
        while len(names) > 2 and sum(self.width(t) + 18 for t in names) > w:
            names.pop()
        pages = [self.put(i, 'page', 0, 0, 0, 0, t) for t in names]
        on = r.randrange(len(names))
        self.a(i, 'on', on)
        if r.random() < .1:
            self.a(i, 'side', 1)
        self.fill(pages[on], 8, 8, w - 26, h - self.th - 34, deep + 1)

    def toolbar(self, p, y, w):
        r = self.r
        labels = r.random() < .2
        g = self.g + r.choice([6, 7, 8, 10])
        h = g + 4 + (self.th if labels else 0)
        i = self.put(p, 'bar', 0, y, w, h)
        beside = int(labels and r.random() < .4)
        self.a(i, 'size', g, h - 4, int(r.random() < .7))
        if labels:
            self.a(i, 'labels', beside)
        used = 0
        for _ in range(r.randint(3, 18)):
            t = r.choice(self.w['button']) if labels else ''
            used += max(g, self.width(t) + 10 if t else 0) + (g if beside else 0)
            if used > w - 20:
                break
            b = self.put(i, 'tool', 0, 0, 0, 0, t)
            self.a(b, 'tool', r.randrange(12), 2 if not labels and r.random() < .06 else 0)
            self.off(b, .12)
            if r.random() < .15:
                b = self.put(i, 'tool', 0, 0, 0, 0, '')
                self.a(b, 'tool', -1, r.choice([1, 3]))
                used += 10
        return h

    def build(self):
        r = self.r
        self.W, self.H = W, H = r.choice([(640, 480), (800, 600), (800, 600), (1024, 768), (1024, 768), (1280, 800), (1280, 900)])
        self.say('S', W, H, rgb(*self.bg) if r.random() < .4 else -1, self.name, self.px, self.g)
        for j in range(12):
            f = r.choice(files('tango%dx%d' % ((self.g if self.g != 24 else 22,) * 2)))
            im = Image.open(f).convert('RGBA').resize((self.g, self.g))
            f = os.path.join(self.folder, 'i%d.png' % j)
            im.save(f)
            self.say('I', f)
        h, y = H, 0
        if r.random() < .7:
            for t in r.sample(self.w['menu'], r.randint(3, 8)):
                self.say('M', t, int(r.random() > .06))
            h -= self.th + 8
        for _ in range(r.choice([0, 1, 1, 2])):
            y += self.toolbar(0, y, W)
        if r.random() < .6:
            i = self.put(0, 'status', 0, 0, 0, 0)
            for _ in range(r.randint(1, 5)):
                w = r.choice([80, 120, 200, 320])
                self.a(i, 'panelat', w, self.fit(r.choice([value(r, self.w), r.choice(self.w['sent'])]), w - 10) if r.random() < .8 else '')
            h -= self.th + 10
        if r.random() < .1:
            self.table(0, 0, y, W, h - y)
        else:
            self.fill(0, 8, y + 8, W - 16, h - y - 16)
        return '\n'.join(self.lines) + '\n'

    def settings(self):
        """What GTK 2 reads: theme, colours, font."""
        c = ['#%02x%02x%02x' % tuple(max(0, min(255, int(v * f))) for v in self.bg) for f in (1, .93, 1.04)]
        sel = '#%02x%02x%02x' % tuple(self.r.randint(20, 150) for _ in range(3))
        return ('include "/usr/share/themes/%s/gtk-2.0/gtkrc"\ngtk-font-name = "%s %g"\ngtk-cursor-blink = 0\n'
                'gtk-color-scheme = "bg_color:%s\\nfg_color:#000000\\nbase_color:#ffffff\\ntext_color:#000000\\nselected_bg_color:%s\\nselected_fg_color:#ffffff\\ntooltip_bg_color:#ffffe0\\ntooltip_fg_color:#000000"\n'
                'style "here" { bg[NORMAL] = "%s" bg[ACTIVE] = "%s" bg[PRELIGHT] = "%s" bg[INSENSITIVE] = "%s" base[SELECTED] = "%s" bg[SELECTED] = "%s" }\n%s'
                % (self.theme, self.name, self.px * .75, c[0], sel, c[0], c[1], c[2], c[0], sel, sel, 'class "GtkWidget" style "here"\n' if self.theme in ('Redmond', 'Raleigh', 'ThinIce') else ''))


def square(im, x0, y0, x1, y1):
    """The first square or circle in a stretch: the outline of what differs from the ground, from the left."""
    x0, y0, x1, y1 = max(0, int(x0)), max(0, int(y0)), min(im.shape[1], int(x1)), min(im.shape[0], int(y1))
    a = im[y0:y1, x0:x1].astype(int)
    if a.shape[0] < 9 or a.shape[1] < 9:
        return None
    d = np.abs(a - np.median(a.reshape(-1, 3), 0)).sum(-1) > 18
    for limit in (0, 1):
        cols = d.sum(0) > limit
        l = 0
        while l < len(cols) and not cols[l]:
            l += 1
        r = l
        while r < len(cols) and cols[r]:
            r += 1
        ys = np.where(d[:, l:r].sum(1) > limit)[0]
        if len(ys) and 9 <= r - l <= 21 and abs(ys[-1] + 1 - ys[0] - (r - l)) <= 2:
            return [float(v) for v in (x0 + l, y0 + ys[0], x0 + r, y0 + ys[-1] + 1)]
    return None


def truth(path, f, im):
    out = []
    for line in open(path, encoding='utf-8'):
        c = line.rstrip('\n').split('\t')
        role, b, area, ok, more = c[1], [float(v) for v in c[2:6]], float(c[6]), c[7] == '1', c[8:]
        sure = True
        words_of = None
        if role in ('checkbox', 'radio'):
            if more[0][0] == 'c':
                q = square(im, b[0] + 1, b[1], min(b[2], b[0] + 26), b[3])
                if q:
                    cx, cy, mid = float(more[1]), float(more[2]), (b[1] + b[3]) / 2
                    left = q[2] + 4
                    words_of = [left, mid - cy / 2, min(b[2], left + cx + 2), mid + cy / 2]
            else:
                q = square(im, b[0] + 2, b[1] + 1, b[2] - 2, b[3] - 2)
            sure = q is not None
            b = q or b
            area = 0
        for role, b in [(role, b)] + ([('text', words_of)] if words_of else []):
            q = [max(0., b[0]), max(0., b[1]), min(float(f.W), b[2]), min(float(f.H), b[3])]
            if q[2] - q[0] < 4 or q[3] - q[1] < 4:
                continue
            e = {'role': role, 'bbox': q}
            if not sure or area and (q[2] - q[0]) * (q[3] - q[1]) < .8 * area and role != 'text':
                e['ignore'] = True
            if role in ('checkbox', 'radio'):
                e['checked'] = more[0][1] == '1'
            if role != 'text' and not ok:
                e['enabled'] = False
            if more[0] == 'f':
                e['focused'] = True
            out.append(e)
    return out


def compiled(folder):
    lazarus = sorted(glob.glob('/usr/lib/lazarus/*/lcl'))[-1][:-4]
    units = [lazarus + s for s in ('/lcl/units/x86_64-linux/gtk2', '/lcl/units/x86_64-linux', '/components/lazutils/lib/x86_64-linux', '/packager/units/x86_64-linux')]
    subprocess.run(['fpc', '-MObjFPC', '-Scghi', '-O1', '-v0', '-l-', *['-Fu' + u for u in units], '-FU' + folder, '-o' + os.path.join(folder, 'show'), '-dLCL', '-dLCLgtk2', os.path.join(HERE, 'widgets_lazarus.pas')], check=True, stdout=subprocess.DEVNULL)


def main():
    a = argparse.ArgumentParser()
    a.add_argument('first', type=int)
    a.add_argument('last', type=int)
    a.add_argument('--out', default=place('lazarus'))
    a = a.parse_args()
    os.makedirs(a.out, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix='lazarus-') as folder, display('1280x900') as name_of_display:
        compiled(folder)
        rc, layout, made = (os.path.join(folder, n) for n in ('gtkrc', 'layout', 'truth'))
        env = dict(os.environ, DISPLAY=name_of_display, GTK2_RC_FILES=rc, LC_ALL='C.UTF-8', GTK_MODULES='', NO_AT_BRIDGE='1')
        for seed in range(a.first, a.last):
            name = os.path.join(a.out, 'l%06d' % seed)
            if os.path.exists(name + '.json'):
                continue
            f = Form(seed, folder)
            with open(layout, 'w', encoding='utf-8') as o:
                o.write(f.build())
            with open(rc, 'w') as o:
                o.write(f.settings())
            if os.path.exists(made):
                os.remove(made)
            p = subprocess.Popen([os.path.join(folder, 'show'), layout, made], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                till = time.time() + 40
                while not os.path.exists(made) and time.time() < till and p.poll() is None:
                    time.sleep(.05)
                if not os.path.exists(made):
                    print(seed, 'no answer', flush=True)
                    continue
                im = shot_at_rest(env, f.W, f.H)
            finally:
                p.kill()
                p.wait()
            elements = truth(made, f, im)
            Image.fromarray(im).save(name + '.png')
            with open(name + '.tmp', 'w') as o:
                json.dump({'width': f.W, 'height': f.H, 'source': 'lazarus', 'toolkit': 'lazarus-' + f.theme.lower(), 'lang': f.lang, 'seed': seed, 'scale': 1, 'elements': elements}, o)
            os.replace(name + '.tmp', name + '.json')


if __name__ == '__main__':
    main()
