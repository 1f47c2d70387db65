"""Forms of real Win32 controls under Wine (widgets_win32.c), pictures from a display of their own, truth from the controls themselves.

  widgets_win32.py FIRST LAST [--out FOLDER]     needs wine, Xvfb, xwininfo, ImageMagick's import and the cross compiler of mingw-w64

Twenty seeds share a process: seed // 20 % 8 says which common controls (version 5 or 6), theme (none or Wine's Light) and DPI. The prefix is made once,
beside the screens.
"""
import argparse
import json
import os
import random
import re
import subprocess
import tempfile
import time

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from icons import files
from display import display
from places import place
from words import value, words

HERE = os.path.dirname(os.path.abspath(__file__))
# Common controls of version 6, theme, DPI.
MODES = [(0, 0, 96), (1, 0, 96), (1, 1, 96), (0, 0, 120), (0, 0, 96), (1, 1, 144), (1, 0, 120), (1, 1, 96)]
LIB, NOTO = '/usr/share/fonts/truetype/', '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'
EN = [('Tahoma', '/usr/share/wine/fonts/tahoma.ttf')] * 5 + [('Microsoft Sans Serif', '/usr/share/wine/fonts/tahoma.ttf')] * 2 + [
    ('Liberation Sans', LIB + 'liberation/LiberationSans-Regular.ttf'), ('DejaVu Sans', LIB + 'dejavu/DejaVuSans.ttf'), ('Noto Sans', LIB + 'noto/NotoSans-Regular.ttf'),
    ('Open Sans', LIB + 'open-sans/OpenSans-Regular.ttf'), ('Liberation Serif', LIB + 'liberation/LiberationSerif-Regular.ttf'), ('Liberation Sans Narrow', LIB + 'liberation/LiberationSansNarrow-Regular.ttf')]
ZH = [('Noto Sans CJK SC', NOTO)] * 4 + [('LXGW WenKai', LIB + 'lxgw-wenkai/LXGWWenKai-Regular.ttf'), ('Noto Serif CJK SC', '/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc')]
_fonts = {}


def face(path, px):
    if (path, px) not in _fonts:
        _fonts[path, px] = ImageFont.truetype(path if os.path.exists(path) else LIB + 'dejavu/DejaVuSans.ttf', px)
    return _fonts[path, px]


def rgb(r, g, b):
    return r | g << 8 | b << 16


# Window styles.
CAPTION, THICK, SYSMENU, MINBOX, MAXBOX, POPUP, BORDER, HSCROLL, VSCROLL, TABSTOP, CLIP = 0xc00000, 0x40000, 0x80000, 0x20000, 0x10000, 0x80000000, 0x800000, 0x100000, 0x200000, 0x10000, 0x2000000
CLIENTEDGE, STATICEDGE, DLGFRAME, TOOLWINDOW, WINDOWEDGE = 0x200, 0x20000, 1, 0x80, 0x100
# Palettes: face, light, shadow, dark shadow, paper, ink, grey ink, highlight, its ink, caption, its second colour, its ink.
PALETTES = {
    'w95': ((192,) * 3, (255,) * 3, (128,) * 3, (0,) * 3, (255,) * 3, (0,) * 3, (128,) * 3, (0, 0, 128), (255,) * 3, (0, 0, 128), (0, 0, 128), (255,) * 3),
    'w2k': ((212, 208, 200), (255,) * 3, (128,) * 3, (64,) * 3, (255,) * 3, (0,) * 3, (128,) * 3, (10, 36, 106), (255,) * 3, (10, 36, 106), (166, 202, 240), (255,) * 3),
    'xp': ((236, 233, 216), (255,) * 3, (172, 168, 153), (113, 111, 100), (255,) * 3, (0,) * 3, (172, 168, 153), (49, 106, 197), (255,) * 3, (0, 84, 227), (61, 149, 255), (255,) * 3),
    'w7': ((240,) * 3, (255,) * 3, (160,) * 3, (105,) * 3, (255,) * 3, (0,) * 3, (109,) * 3, (51, 153, 255), (255,) * 3, (153, 180, 209), (185, 209, 234), (0,) * 3),
    'contrast': ((0,) * 3, (255,) * 3, (128,) * 3, (255,) * 3, (0,) * 3, (255,) * 3, (0, 255, 0), (0, 128, 128), (255,) * 3, (128, 0, 128), (128, 0, 128), (255,) * 3),
    'dark': ((45, 45, 48), (80, 80, 84), (28, 28, 30), (10, 10, 10), (30, 30, 32), (230,) * 3, (120,) * 3, (0, 122, 204), (255,) * 3, (30, 30, 30), (60, 60, 64), (230,) * 3),
}


class Form:
    def __init__(self, seed, folder):
        self.r = r = random.Random('win32 %d' % seed)
        self.folder = folder
        self.v6, self.themed, self.dpi = MODES[seed // 20 % len(MODES)]
        self.k = self.dpi / 96
        self.lang = 'zh' if r.random() < .5 else 'en'
        self.w, self.lines, self.n, self.marks = words(self.lang), [], 0, {}
        self.name, self.path = r.choice(ZH if self.lang == 'zh' else EN)
        pt = r.choice([8, 8, 8, 9, 9, 9, 10, 10, 11, 12, 14]) if self.lang == 'en' else r.choice([9, 9, 9, 9, 10, 10.5, 11, 12, 14])
        self.px = round(pt * self.dpi / 72)
        self.font = face(self.path, self.px)
        self.th = self.px + 3  # what a line takes
        self.quality = r.choice([0, 3, 3, 4, 4, 5])  # 3: not smoothed
        self.palette = r.choices(list(PALETTES) + ['any'], [24, 24, 14, 18, 6, 7, 7])[0]
        if self.themed:
            self.palette = 'w7'
        p = list(PALETTES[self.palette if self.palette != 'any' else r.choice(['w95', 'w2k', 'w7'])])
        if self.palette == 'any':
            f = tuple(r.randint(165, 245) for _ in range(3))
            p[0], p[1], p[2], p[3] = f, tuple(min(255, c + 40) for c in f), tuple(int(c * .65) for c in f), tuple(int(c * .35) for c in f)
            p[7] = p[9] = tuple(r.randint(0, 160) for _ in range(3))
            p[10] = tuple(r.randint(60, 220) for _ in range(3))
        self.p = p
        self.ch = max(self.th + 6, self.s(r.choice([19, 20, 21, 21, 22, 23, 25])))
        b = random.Random('win32 menus %d' % (seed // 20))  # Wine makes the font of menus once a process
        self.menu_name, self.menu_px = b.choice(EN + ZH * 2)[0], self.s(b.choice([11, 12, 12, 13, 14]))
        self.edge = CLIENTEDGE if r.random() < .82 else 0
        self.focus = r.random() < .6
        self.gap = self.s(r.choice([3, 4, 6, 8, 10]))

    def s(self, v):
        return int(round(v * self.k))

    def say(self, *a):
        self.lines.append('\t'.join(str(x).replace('\n', '\x01').replace('\t', ' ') for x in a))

    def width(self, t):
        return int(self.font.getlength(t) * 1.02) + 4

    def fit(self, t, w):
        while t and self.width(t) > w:
            t = t[:-1]
        return t

    def add(self, p, cls, style, ex, x, y, w, h, t='', font=0):
        self.n += 1
        self.say('K', self.n, p, cls, style, ex, int(x), int(y), int(w), int(h), font, t)
        return self.n

    def a(self, i, *rest):
        self.say('A', i, *rest)

    def off(self, i, p=.08):
        if self.r.random() < p:
            self.a(i, 'off')

    def sized(self):
        """Colours, metrics, fonts, pictures."""
        r, p = self.r, self.p
        c = {4: 0, 15: 0, 20: 1, 22: 0, 16: 2, 21: 3, 5: 4, 8: 5, 7: 5, 18: 5, 17: 6, 13: 7, 14: 8, 2: 9, 27: 10, 9: 11, 30: 0, 29: 7}
        flat = []
        for k, v in c.items():
            flat += [k, rgb(*p[v])]
        dim = tuple((a + 128) // 2 for a in p[0])
        flat += [3, rgb(*(128,) * 3 if self.palette in ('w95', 'w2k') else dim), 28, rgb(*(192,) * 3), 19, rgb(*(212, 208, 200)), 10, rgb(*p[0]), 11, rgb(*p[0])]
        if r.random() < .25:
            flat += [4, rgb(*p[4])]  # menus like paper
        self.say('C', *flat)
        self.say('N', max(self.th + 1, self.s(r.choice([18, 18, 18, 20, 22, 25, 28]))), self.s(r.choice([16, 16, 17, 13, 18])), max(self.menu_px + 6, self.s(r.choice([18, 19, 20, 22]))), self.name, -self.px, r.choice([700, 700, 400]), self.quality, self.menu_name, -self.menu_px)
        self.say('F', 0, self.name, -self.px, 400, self.quality, 0)
        self.say('F', 1, self.name, -self.px, 700, self.quality, 0)
        self.say('F', 2, self.name, -self.px, 400, self.quality, 1)
        self.say('F', 3, self.name, -int(self.px * r.choice([1.5, 2])), 700, self.quality, 0)
        self.say('F', 4, 'Liberation Mono' if self.lang == 'en' else self.name, -self.px, 400, self.quality, 0)
        for i, g in enumerate((16, r.choice([16, 22, 24, 32]), 32)):
            self.strip(i, g)

    def strip(self, i, g):
        size = g if g != 24 else 22
        im = Image.new('RGB', (g * 12, g), (255, 0, 255))
        for j in range(12):
            pic = Image.open(self.r.choice(files('tango%dx%d' % (size, size)))).convert('RGBA').resize((size, size))
            flat = Image.new('RGB', pic.size, self.p[0])
            flat.paste(pic, (0, 0), pic)
            im.paste(flat, (j * g + (g - size) // 2, (g - size) // 2), pic.getchannel('A').point(lambda v: 255 if v > 100 else 0))
        f = 'strip%d.bmp' % i
        im.save(os.path.join(self.folder, f))
        self.say('I', i, g, 'Z:' + os.path.join(self.folder, f).replace('/', '\\'))
        setattr(self, 'g%d' % i, g)

    def ground(self):
        r, W, H = self.r, self.W, self.H
        c = r.choice([(0, 128, 128), (58, 110, 165), (0, 0, 0), (128, 128, 128), (40, 60, 90), self.p[0], tuple(r.randint(0, 255) for _ in range(3))])
        self.say('S', W, H, rgb(*c))
        if r.random() < .45:
            a, b = np.array(c, float), np.array([r.randint(0, 255) for _ in range(3)], float)
            t = np.linspace(0, 1, H)[:, None, None] if r.random() < .5 else np.linspace(0, 1, W)[None, :, None]
            im = Image.fromarray(np.broadcast_to(a + (b - a) * t, (H, W, 3)).astype(np.uint8))
            d = ImageDraw.Draw(im)
            for _ in range(r.choice([0, 4, 12])):
                x, y, q = r.randint(0, W), r.randint(0, H), r.randint(20, 400)
                (d.ellipse if r.random() < .5 else d.rectangle)([x, y, x + q, y + q * r.uniform(.3, 1)], fill=tuple(r.randint(0, 255) for _ in range(3)))
            im.save(os.path.join(self.folder, 'wall.bmp'))
            self.say('B', 'Z:' + os.path.join(self.folder, 'wall.bmp').replace('/', '\\'))

    # -- controls ---------------------------------------------------------------------------------------------------------------------
    def label(self, p, x, y, w, t, h=None, right=False, font=0):
        h = h or self.ch
        return self.add(p, 'Static', (2 if right else 0) | 0x200, 0, x, y, w, h, t, font)  # SS_CENTERIMAGE

    def words_at(self, p, x, y, w, t, font=0):
        return self.add(p, 'Static', 0xc, 0, x, y, w, self.th + 1 if font != 3 else self.th * 2 + 4, t, font)  # SS_LEFTNOWORDWRAP

    def edit(self, p, x, y, w, t=None):
        r = self.r
        t = value(r, self.w) if t is None and r.random() < .68 else t or ''
        style = TABSTOP | 0x80 | (0x20 if r.random() < .06 else 0) | (0x800 if r.random() < .06 else 0) | (2 if r.random() < .12 else 0)
        i = self.add(p, 'Edit', style | (0 if self.edge else BORDER), self.edge, x, y, w, self.ch, t)
        if not t and self.v6 and r.random() < .5:
            self.a(i, 'cue', r.choice(self.w['ph']))
        if self.focus and r.random() < .3:
            self.focus = False
            self.a(i, 'focus')
        else:
            self.off(i)
        return i

    def spin(self, p, x, y, w):
        r = self.r
        e = self.add(p, 'Edit', TABSTOP | (0 if self.edge else BORDER) | r.choice([0, 2]), self.edge, x, y, w, self.ch, r.choice(['0', '1', str(r.randint(2, 999))]))
        u = self.add(p, 'msctls_updown32', 4 | 2 if r.random() < .7 else 4, 0, 0, 0, 0, 0)  # aligned right
        self.a(u, 'buddy', e)
        if r.random() < .07:
            self.a(e, 'off')

    def combo(self, p, x, y, w, simple=False):
        r = self.r
        kind = 1 if simple else 3 if r.random() < .7 else 2
        i = self.add(p, 'ComboBox', kind | VSCROLL | TABSTOP | 0x40, 0 if r.random() < .8 else CLIENTEDGE, x, y, w, self.ch * (5 if simple else 8))
        its = r.sample(self.w['noun'], r.randint(3, 9))
        for t in its:
            self.a(i, 'cb', t)
        if r.random() < .85:
            self.a(i, 'send', 0x14e, r.randrange(len(its)), 0)
        if not simple:
            if not hasattr(self, 'open') and r.random() < .03:
                self.open = True
                self.a(i, 'unfold')
            else:
                self.off(i)
        return i

    def date(self, p, x, y, w):
        r = self.r
        i = self.add(p, 'SysDateTimePick32', TABSTOP | r.choice([0, 0, 1, 9]), self.edge if r.random() < .5 else 0, x, y, w, self.ch)
        self.a(i, 'date', 2026, r.randint(1, 12), r.randint(1, 28), r.randint(0, 23), r.randint(0, 59), r.choice(['yyyy-MM-dd', 'dd/MM/yyyy', "yyyy'年'M'月'd'日'" if self.lang == 'zh' else 'd MMM yyyy', 'HH:mm:ss']))
        self.off(i)

    def tick(self, p, x, y, w, t, kind=3, on=None):
        r = self.r
        three = kind == 3 and r.random() < .06
        i = self.add(p, 'Button', TABSTOP | (6 if three else kind) | (0x20 if kind == 3 and r.random() < .04 else 0), 0, x, y, w, max(self.th, self.s(16)), t)
        on = r.random() < .5 if on is None else on
        self.a(i, 'send', 0xf1, 2 if three and r.random() < .3 else int(on), 0)
        self.off(i)
        return i

    def tick_width(self, t):
        return self.s(13) + self.width(t) + self.s(10)

    def radios(self, p, x, y, w, h=None):
        r = self.r
        names = r.sample(self.w['radio'], r.randint(2, 5))
        on, cx, cy, step = r.randrange(len(names)), x, y, max(self.th, self.s(16)) + self.s(r.choice([1, 3, 6]))
        down = h is not None and r.random() < .6
        for i, t in enumerate(names):
            tw = self.tick_width(t)
            if not down and cx + tw > x + w or down and cy + step > y + h:
                break
            self.tick(p, cx, cy + (0 if down else (self.ch - max(self.th, self.s(16))) // 2), tw, t, 9, i == on)
            if down:
                cy += step
            else:
                cx += tw + self.s(r.choice([2, 6, 12]))
        return cy - y if down else self.ch

    def button(self, p, x, y, w=None, t=None, h=None, default=False):
        r = self.r
        t = t or r.choice(self.w['button'])
        if r.random() < .3:
            t = (t + '(&%s)' % r.choice('ABCDEFS')) if self.lang == 'zh' else '&' + t
        w = max(w or 0, self.width(t) + self.s(10))
        i = self.add(p, 'Button', TABSTOP | (1 if default else 0), 0, x, y, w, h or self.ch + self.s(2), t)
        if not default:
            self.off(i, .1)
        return w

    def picture_button(self, p, x, y):
        g = self.g0
        i = self.add(p, 'Button', TABSTOP | 0x40, 0, x, y, g + self.s(8), g + self.s(8), '')
        self.a(i, 'strip', 0, self.r.randrange(12))
        self.off(i)
        return g + self.s(8)

    def slider(self, p, x, y, w):
        r = self.r
        i = self.add(p, 'msctls_trackbar32', TABSTOP | r.choice([1, 1, 0x11, 8]), 0, x, y, w, self.ch)
        self.a(i, 'send', 0x406, 1, 10 << 16)
        self.a(i, 'send', 0x405, 1, r.randint(0, 10))

    def list_box(self, p, x, y, w, h):
        r = self.r
        i = self.add(p, 'ListBox', VSCROLL | 0x40 | (0x100 if r.random() < .5 else 0) | (0 if self.edge else BORDER), self.edge, x, y, w, h)
        for _ in range(r.randint(2, 24)):
            self.a(i, 'lb', r.choice(self.w[r.choice(['noun', 'nav', 'head'])]))
        if r.random() < .7:
            self.a(i, 'send', 0x186, r.randint(0, 4), 0)
        self.off(i, .05)

    def table(self, p, x, y, w, h):
        r = self.r
        kind = r.choices([1, 3, 0], [82, 10, 8])[0]
        i = self.add(p, 'SysListView32', TABSTOP | kind | 8 | (0x4000 if r.random() < .1 else 0), self.edge or CLIENTEDGE, x, y, w, h)
        ex = (1 if r.random() < .55 else 0) | (0x20 if r.random() < .6 else 0) | (4 if kind != 0 and r.random() < .3 else 0)
        self.a(i, 'send', 0x1036, ex, ex)
        pics = kind == 0 or r.random() < .4
        if pics:
            self.a(i, 'strip', 2 if kind == 0 else 0)
        m = r.randint(2, 8) if kind == 1 else 1
        kinds = [r.choices(['text', 'num'], [70, 30])[0] for _ in range(m)]
        for j in range(m):
            self.a(i, 'col', self.s(r.choice([50, 70, 90, 120, 160])) + (self.s(40) if j == 0 and pics else 0), 1 if kinds[j] == 'num' and j else r.choice([0, 0, 0, 2]) if j else 0, r.choice(self.w['label']))
        sel, n = r.randrange(12), r.randint(1, 30)
        for k in range(n):
            self.a(i, 'row', r.randrange(12) if pics else -1, int(r.random() < .5) if ex & 4 else -1, int(k == sel), *['{:,.2f}'.format(r.uniform(0, 9999)) if c == 'num' else value(r, self.w) if r.random() < .93 else '' for c in kinds])
        self.off(i, .04)

    def tree(self, p, x, y, w, h):
        r = self.r
        boxes = r.random() < .18
        i = self.add(p, 'SysTreeView32', TABSTOP | r.choice([7, 7, 5, 3]) | 0x20 | (0x100 if boxes else 0), self.edge, x, y, w, h)
        if r.random() < .6:
            self.a(i, 'strip', 0)
        level = 0
        sel = r.randrange(10)
        for k in range(r.randint(3, 26)):
            self.a(i, 'leaf', level, r.randrange(12), int(r.random() < .85), int(r.random() < .5) if boxes else -1, int(k == sel), r.choice(self.w[r.choice(['noun', 'nav', 'head'])]))
            level = max(0, min(3, level + r.choice([-1, 0, 0, 1])))

    def memo(self, p, x, y, w, h):
        r = self.r
        t = '\r\n'.join(r.choice(self.w['sent']) for _ in range(r.randint(0, 7)))
        cls = 'Edit' if r.random() < .8 else 'RichEdit20W'
        i = self.add(p, cls, TABSTOP | 4 | 0x1000 | (VSCROLL if r.random() < .5 else 0) | (HSCROLL if cls == 'Edit' and r.random() < .15 else 0) | (0 if self.edge else BORDER), self.edge, x, y, w, h, '', 4 if r.random() < .15 else 0)
        self.lines.append('A\t%d\ttext\t%s' % (i, t.replace('\r\n', '\r\x01')))
        self.off(i, .05)

    # -- areas ------------------------------------------------------------------------------------------------------------------------
    def rows(self, p, x, y, w, h):
        r = self.r
        if w < self.s(110) or h < self.ch:
            return
        above = r.random() < .2
        lw = 0 if above else self.s(r.choice([60, 76, 90, 110])) + (self.px - 11) * 3
        cw = min(w, lw + self.s(r.choice([110, 150, 200, 260])))
        cols = max(1, min(4, w // (cw + self.s(10))))
        step = self.ch + self.gap + (self.th + 2 if above else 0)
        right = r.random() < .3
        colon = r.choice(['', ':', '：' if self.lang == 'zh' else ':'])
        cy = y
        while cy + step <= y + h and r.random() < .97:
            for c in range(cols):
                cx = x + c * (cw + self.s(10))
                t = self.fit(r.choice(self.w['label']) + colon, (lw or cw) - 4)
                k = r.choices(['edit', 'combo', 'spin', 'date', 'check', 'radios', 'more', 'slider', 'none'], [44, 22, 7, 6, 7, 6, 6, 2, 2])[0]
                fx, fw, fy = cx + lw, cw - lw, cy + (self.th + 2 if above else 0)
                if k == 'none':
                    continue
                if k == 'check':
                    t2 = r.choice(self.w['tick'])
                    self.tick(p, fx, fy + (self.ch - max(self.th, self.s(16))) // 2, min(fw, self.tick_width(t2)), self.fit(t2, fw - self.s(22)))
                    continue
                if above:
                    self.words_at(p, cx, cy, cw, t)
                else:
                    self.label(p, cx, fy, lw - 4, t, right=right)
                if k == 'more':
                    b = self.s(r.choice([22, 26]))
                    self.edit(p, fx, fy, fw - b - 2)
                    self.add(p, 'Button', TABSTOP, 0, fx + fw - b, fy, b, self.ch, r.choice(['...', '...', '?', '+']))
                elif k == 'radios':
                    self.radios(p, fx, fy, fw)
                else:
                    {'edit': self.edit, 'combo': self.combo, 'spin': self.spin, 'date': self.date, 'slider': self.slider}[k](p, fx, fy, fw if k not in ('spin',) or r.random() < .4 else min(fw, self.s(80)))
            cy += step

    def group(self, p, x, y, w, h, deep):
        r = self.r
        # First the frame, then what is in it, so that hiding is not in question.
        t = self.fit(r.choice(self.w['head']), w - 24)
        self.add(p, 'Button', 7, 0, x, y, w, h, t)
        x, y, w, h = x + self.s(10), y + self.th + self.s(4), w - self.s(20), h - self.th - self.s(12)
        self.fill(p, x, y, w, h, deep + 1, r.choice(['rows', 'rows', 'ticks', 'radios', 'buttons', 'list', None]))

    def tabs(self, p, x, y, w, h, deep):
        r = self.r
        style = TABSTOP | CLIP | (0x100 if r.random() < .1 else 0) | (0x40 if r.random() < .3 else 0)
        names = r.sample(self.w['head'], r.randint(2, 6))
        i = self.add(p, 'SysTabControl32', style, 0, x, y, w, h)
        pics = r.random() < .15
        if pics:
            self.a(i, 'strip', 0)
        for t in names:
            self.a(i, 'tab', r.randrange(12) if pics else -1, t)
        self.a(i, 'send', 0x130c, r.randrange(len(names)) if sum(self.width(t) + 14 for t in names) < w else 0, 0)
        top = max(self.th, 16 if pics else 0) + self.s(10)
        # What a page holds are children of the form that lie over the tab control, as in a dialog.
        self.fill(p, x + self.s(10), y + top + self.s(8), w - self.s(20), h - top - self.s(18), deep + 1)

    def fill(self, p, x, y, w, h, deep=0, kind=None):
        r = self.r
        if w < self.s(60) or h < self.ch:
            return
        if kind is None and deep < 3 and (w > self.s(500) or h > self.s(380) or r.random() < .3) and w > self.s(220) and h > self.s(150):
            if w > h * 1.1 and r.random() < .7:
                a = int(w * r.uniform(.28, .7))
                self.fill(p, x, y, a - self.s(6), h, deep + 1)
                self.fill(p, x + a, y, w - a, h, deep + 1)
            else:
                a = int(h * r.uniform(.25, .7))
                self.fill(p, x, y, w, a - self.s(6), deep + 1)
                self.fill(p, x, y + a, w, h - a, deep + 1)
            return
        big = w > self.s(150) and h > self.s(80)
        kind = kind or r.choices(['rows', 'table', 'list', 'tree', 'memo', 'ticks', 'radios', 'buttons', 'group', 'tabs', 'text', 'combo'], [30, 15 * big, 5, 7 * big, 5, 7, 4, 4, 14 * big, (10 if deep < 3 else 0) * big, 4, 2 * big])[0]
        if kind == 'rows':
            self.rows(p, x, y, w, h)
        elif kind == 'table':
            self.table(p, x, y, w, h)
        elif kind == 'list':
            self.list_box(p, x, y, min(w, self.s(r.choice([140, 200, 300]))), h)
        elif kind == 'tree':
            self.tree(p, x, y, min(w, self.s(r.choice([180, 240, 400]))), h)
        elif kind == 'memo':
            self.memo(p, x, y, w, min(h, self.s(r.choice([60, 100, 200]))))
        elif kind == 'combo':
            self.combo(p, x, y, min(w, self.s(180)), True)
        elif kind == 'ticks':
            step, cy, cols = max(self.th, self.s(16)) + self.s(r.choice([1, 3, 6])), y, r.choice([1, 1, 2, 3])
            while cy + step <= y + h and r.random() < .95:
                for c in range(cols):
                    t = self.fit(r.choice(self.w['tick']), w // cols - self.s(26))
                    if t:
                        self.tick(p, x + c * (w // cols), cy, min(w // cols, self.tick_width(t)), t)
                cy += step
        elif kind == 'radios':
            self.radios(p, x, y, w, h)
        elif kind == 'buttons':
            cx, cy = x, y
            across = r.random() < .6
            bw = self.s(r.choice([0, 60, 75, 90]))
            for t in r.sample(self.w['button'], r.randint(2, 7)):
                need = max(bw, self.width(t) + self.s(34))
                if cx + need > x + w or cy + self.ch + self.s(4) > y + h:
                    break
                if r.random() < .12:
                    self.picture_button(p, cx, cy)
                    d = self.g0 + self.s(8)
                else:
                    d = self.button(p, cx, cy, bw, t)
                if across:
                    cx += d + self.s(r.choice([1, 4, 8]))
                else:
                    cy += self.ch + self.s(8)
        elif kind == 'text':
            cy = y
            if r.random() < .4:
                self.words_at(p, x, cy, w, self.fit(r.choice(self.w['head']), w // 2), 3)
                cy += self.th * 2 + 6
            while cy + self.th < y + h and r.random() < .75:
                if r.random() < .3:
                    t = r.choice(self.w['nav'])
                    if self.v6 and r.random() < .5:
                        self.add(p, 'SysLink', TABSTOP, 0, x, cy, w, self.th + 2, '<a>%s</a>' % t)
                    else:
                        i = self.words_at(p, x, cy, min(w, self.width(t)), t, 2)
                        self.a(i, 'ink', rgb(0, 0, 220) if self.palette not in ('dark', 'contrast') else rgb(120, 170, 255))
                        self.a(i, 'role', 1)
                else:
                    i = self.words_at(p, x, cy, w, self.fit(r.choice(self.w['sent']), w), r.choice([0, 0, 1]))
                    if r.random() < .15:
                        self.a(i, 'ink', rgb(*[r.randint(0, 140) for _ in range(3)]))
                cy += self.th + self.s(4)
        elif kind == 'group':
            self.group(p, x, y, w, h, deep)
        else:
            self.tabs(p, x, y, w, h, deep)

    def window(self, x, y, w, h, dialog=False):
        r = self.r
        self.n += 1
        p = self.n
        tool = dialog and r.random() < .15
        style = CAPTION | SYSMENU | (POPUP if dialog else 0) | (THICK | MINBOX | MAXBOX if not dialog else 0)
        if not dialog and r.random() < .1:
            style &= ~MAXBOX
        ex = (DLGFRAME if dialog and not tool else 0) | (TOOLWINDOW if tool else 0) | WINDOWEDGE
        bare = not dialog and r.random() < .05
        if bare:
            style = POPUP | BORDER
        coloured = -1
        if not self.themed and self.palette not in ('dark', 'contrast') and r.random() < .12:
            coloured = rgb(*[r.randint(195, 255) for _ in range(3)])
        t = r.choice(self.w['head']) + r.choice(['', ' - ' + r.choice(self.w['noun'])])
        cap = self.s(22)
        t = self.fit(t, w - cap * 6 - 30)
        self.say('W', p, style, ex, x, y, w, h, t, coloured, 0 if r.random() < .7 else -1, r.randrange(12))
        e = 1 if bare else 4 if not dialog else 3
        e, cap = self.s(e) if e > 1 else 1, 0 if bare else self.caption
        cw, ch = w - 2 * e - 2, h - 2 * e - cap - 2
        cy = 0
        if dialog:
            bh, n = self.ch + self.s(4), r.randint(1, 4)
            bw = self.s(r.choice([75, 75, 80, 90]))
            bx = r.choice([cw - n * (bw + self.s(26)), (cw - n * (bw + self.s(6))) // 2, self.s(10)])
            bx = max(self.s(6), bx)
            for i, b in enumerate(r.sample(self.w['button'], n)):
                if bx + max(bw, self.width(b) + self.s(34)) > cw:
                    break
                bx += self.button(p, bx, ch - bh - self.s(8), bw, b, bh, i == 0) + self.s(6)
            if r.random() < .5:
                i = self.add(p, 'Static', 3, 0, self.s(14), self.s(14), 32, 32)
                self.a(i, 'icon', r.choice([32513, 32514, 32515, 32516]))
                t = r.choice(self.w['sent'])
                self.words_at(p, self.s(60), self.s(20), cw - self.s(66), self.fit(t, cw - self.s(66)))
                if r.random() < .4:
                    self.words_at(p, self.s(60), self.s(24) + self.th, cw - self.s(66), self.fit(r.choice(self.w['sent']), cw - self.s(66)))
                if ch > self.s(200) and r.random() < .5:
                    self.fill(p, self.s(14), self.s(60) + self.th * 2, cw - self.s(28), ch - bh - self.s(84) - self.th * 2, 1)
            else:
                self.fill(p, self.s(11), self.s(11), cw - self.s(22), ch - bh - self.s(30), 1)
            return p
        if not bare and r.random() < .78:
            for t in r.sample(self.w['menu'], r.randint(3, 9)):
                self.say('M', p, 0, 1 if r.random() < .05 else 0, t if r.random() < .6 or '(' in t else (t + '(&%s)' % r.choice('FEVTH') if self.lang == 'zh' else '&' + t))
            ch -= self.menu + 1
        for _ in range(r.choice([0, 1, 1, 2])):
            cy += self.toolbar(p, cy, cw)
        bottom = ch
        if r.random() < .65:
            i = self.add(p, 'msctls_statusbar32', 0x100 if r.random() < .7 else 0, 0, 0, 0, 0, 0)
            edge, ends = 0, []
            while edge < cw - self.s(60) and len(ends) < 6:
                edge += self.s(r.choice([80, 120, 200, 320]))
                ends.append(min(edge, cw))
            ends[-1] = -1
            self.a(i, 'parts', *ends)
            for j in range(len(ends)):
                if r.random() < .75:
                    a, b = ends[j - 1] if j else 0, ends[j] if ends[j] > 0 else cw - 20
                    self.a(i, 'part', j, self.fit(r.choice([value(r, self.w), r.choice(self.w['sent'])]), b - a - 10))
            bottom -= self.th + self.s(8)
        if r.random() < .06:
            self.table(p, 0, cy, cw, bottom - cy)
        else:
            self.fill(p, self.s(8), cy + self.s(8), cw - self.s(16), bottom - cy - self.s(14))
        return p

    def toolbar(self, p, y, w):
        r = self.r
        labels = r.choices([None, 'below', 'beside'], [70, 18, 12])[0]
        which = r.choice([0, 1, 1]) if labels != 'below' else r.choice([1, 2])
        g = getattr(self, 'g%d' % which)
        style = 4 | 8 | (0x800 if r.random() < .7 else 0) | (0x1000 if labels == 'beside' else 0) | (0x40 if r.random() < .3 else 0)  # no resizing, no align top
        bw, bh = g + self.s(r.choice([6, 7, 8])), g + self.s(r.choice([6, 7, 8])) + (self.th if labels == 'below' else 0)
        h = bh + self.s(4)
        i = self.add(p, 'ToolbarWindow32', style, 0, 0, y, w, h)
        self.a(i, 'strip', which)
        self.a(i, 'send', 0x41f, 0, bw | bh << 16)
        if labels is None:
            self.a(i, 'send', 0x43c, 0, 0)  # TB_SETMAXTEXTROWS
        used = 0
        for _ in range(r.randint(3, 18)):
            t = r.choice(self.w['button']) if labels else ''
            d = max(bw, self.width(t) + self.s(16)) + (g if labels == 'beside' else 0) if t else bw
            if used + d > w:
                break
            used += d
            self.a(i, 'tool', r.randrange(12), 0 if r.random() < .12 else 4 | (1 if r.random() < .05 else 0), 0x10 if labels == 'beside' else 0, t)
            if r.random() < .18:
                self.a(i, 'tool', self.s(8), 0, 1, '')
                used += self.s(8)
        return h

    def menu_open(self, p):
        r = self.r
        self.say('P', r.randint(0, max(1, self.W - self.s(260))), r.randint(20, max(21, self.H // 2)), p)
        for t in r.sample(self.w['item'], r.randint(3, 13)):
            if r.random() < .3:
                t += '\x03' + r.choice(['Ctrl+N', 'Ctrl+S', 'F5', 'Ctrl+Shift+P', 'Del'])
            f = (1 if r.random() < .15 else 0) | (8 if r.random() < .12 else 0) | (0x10 if r.random() < .1 else 0)
            self.lines.append('P\t%d\t%s' % (f, t))
            if r.random() < .15:
                self.say('P', 0x800, '-')

    def build(self):
        r = self.r
        self.W, self.H = W, H = r.choice([(800, 600), (1024, 768), (1024, 768), (1280, 800), (1280, 1024), (1366, 768), (1440, 900), (1600, 1200)])
        self.sized()
        n = [l for l in self.lines if l.startswith('N')][0].split('\t')
        self.caption, self.menu = int(n[1]) + 1, int(n[3])
        self.ground()
        last = None
        if r.random() < .4:
            last = self.window(0, 0, W, H)
        else:
            for _ in range(r.choice([1, 1, 2, 3])):
                w, h = r.randint(min(W, self.s(380)), W), r.randint(min(H, self.s(300)), H)
                last = self.window(r.randint(0, W - w), r.randint(0, H - h), w, h)
        if r.random() < .4:
            w, h = self.s(r.randint(240, 520)), self.s(r.randint(130, 420))
            last = self.window(r.randint(0, max(1, W - w)), r.randint(0, max(1, H - h)), w, h, True)
        if not hasattr(self, 'open') and r.random() < .3:
            self.menu_open(last)
        self.say('T')
        return '\n'.join(self.lines) + '\n'


# -- truth ----------------------------------------------------------------------------------------------------------------------------
def indicator(im, b, n):
    """The square or circle found in the picture, about where it is said to be; else what was said."""
    x0, y0, x1, y1 = [int(v) for v in b]
    x0, y0, x1, y1 = max(0, x0 - 3), max(0, y0 - 4), min(im.shape[1], x1 + 3), min(im.shape[0], y1 + 4)
    a = im[y0:y1, x0:x1].astype(int)
    if a.size == 0:
        return b
    back = a[0, 0]
    d = np.abs(a - back).sum(-1) > 24
    xs, ys = np.where(d.sum(0) >= n // 3)[0], np.where(d.sum(1) >= n // 3)[0]
    if len(xs) and len(ys):
        q = [x0 + xs[0], y0 + ys[0], x0 + xs[-1] + 1, y0 + ys[-1] + 1]
        if all(abs((q[i + 2] - q[i]) - n) <= 3 for i in (0, 1)):
            return [float(v) for v in q]
    return b


def in_row(im, b, k):
    """The box of a row in a list: the first square of lines in the stretch that the list calls its state."""
    x0, y0, x1, y1 = [int(v) for v in b]
    x0 = max(0, x0 - 3)
    a = im[y0:y1, x0:min(im.shape[1], x0 + int(20 * k))].astype(int)
    if a.shape[0] < 8 or a.shape[1] < 8:
        return None
    d = np.abs(a - np.median(a.reshape(-1, 3), 0)).sum(-1) > 30
    cols = [x for x in range(a.shape[1]) if d[:, x].sum() >= 7 * k]
    best = None
    for l in cols:
        for r in cols:
            if 8.5 * k <= r - l <= 14 * k:
                ys = np.where(d[:, l:r + 1].mean(1) >= .8)[0]
                ys = [y for y in ys if d[:, l + 2:r - 1][y].all()]
                for t in ys:
                    for u in ys:
                        if abs(u - t - (r - l)) <= 1 and (best is None or u - t > best[3] - best[1]):
                            best = (l, t, r, u)
    return best and [float(v) for v in (x0 + best[0], y0 + best[1], x0 + best[2] + 1, y0 + 1 + best[3])]


def stacked(env):
    """Rectangles of the display's windows, from the back to the front: what Wine holds for its order is not always what is seen."""
    out = []
    text = subprocess.run(['xwininfo', '-root', '-children'], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60).stdout.decode(errors='replace')
    for m in re.finditer(r' (\d+)x(\d+)\+-?\d+\+-?\d+ +\+(-?\d+)\+(-?\d+)$', text, re.M):
        w, h, x, y = [int(v) for v in m.groups()]
        out.append([x, y, x + w, y + h])
    return out[::-1]


def truth(path, f, im, stack):
    """None when a window of the truth is not on the display."""
    W, H = f.W, f.H
    rects, found = {}, []
    for line in open(path, encoding='utf-8'):
        c = line.rstrip('\n').split('\t')
        if c[0] == 'L':
            rects[int(c[1])] = [int(v) for v in c[2:6]]
        elif c[0] == 'E':
            found.append((int(c[1]), c[2], [float(v) for v in c[3:7]], float(c[7]), c[8] == '1', c[9]))
    out = []
    order = np.full((H, W), -1)
    place_of = {z: max([i for i, q in enumerate(stack) if max(abs(a - b) for a, b in zip(q, rects[z])) <= 1], default=-1) for z in rects}
    if min(place_of.values(), default=-1) < 0:
        return None
    for z in sorted(rects, key=lambda z: place_of[z]):
        x0, y0, x1, y1 = rects[z]
        order[max(0, y0):max(0, y1), max(0, x0):max(0, x1)] = z
    n = round(12 * f.k) + 1
    for z, role, b, area, ok, more in found:
        if more.startswith('b'):  # a slot of the title bar: the button is a little smaller
            b = [b[0], b[1] + 2, b[2] - (2 if more in ('b20', 'b9') else 0), b[3] - 2]
        if role in ('checkbox', 'radio'):
            if more.startswith('s'):
                q = in_row(im, b, f.k)
                b, sure = q or (b[0], b[1], b[0] + n, b[3]), q is not None
            else:
                b, sure = indicator(im, b, n), True
            area = (b[2] - b[0]) * (b[3] - b[1])
        q = [max(0., b[0]), max(0., b[1]), min(float(W), b[2]), min(float(H), b[3])]
        if q[2] - q[0] < 4 or q[3] - q[1] < 4:
            continue
        i = [int(v) for v in q]
        here = (order[i[1]:i[3], i[0]:i[2]] == z).mean()
        if here < .25:
            continue
        share = here * (q[2] - q[0]) * (q[3] - q[1]) / max(area, 1) if area else here
        e = {'role': role, 'bbox': q}
        if share < (.45 if role == 'window' else .8) and not more.startswith('b'):
            e['ignore'] = True
        if role in ('checkbox', 'radio'):
            e['checked'] = more[1:] == '1'
            if not sure:
                e['ignore'] = True
        if role not in ('text', 'window') and (not ok or more == 'd'):
            e['enabled'] = False
        if more == 'f':
            e['focused'] = True
        out.append(e)
    return out


# -- Wine -----------------------------------------------------------------------------------------------------------------------------
MANIFEST = '''<?xml version="1.0" encoding="UTF-8" standalone="yes"?><assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0">%s
<application xmlns="urn:schemas-microsoft-com:asm.v3"><windowsSettings><dpiAware xmlns="http://schemas.microsoft.com/SMI/2005/WindowsSettings">true</dpiAware></windowsSettings></application></assembly>'''
V6 = '<dependency><dependentAssembly><assemblyIdentity type="win32" name="Microsoft.Windows.Common-Controls" version="6.0.0.0" processorArchitecture="*" publicKeyToken="6595b64144ccf1df" language="*"/></dependentAssembly></dependency>'


def compiled(folder):
    for v, dep in ((5, ''), (6, V6)):
        exe = os.path.join(folder, 'v%d.exe' % v)
        with open(exe + '.manifest.xml', 'w') as o:
            o.write(MANIFEST % dep)
        with open(exe + '.rc', 'w') as o:
            o.write('1 24 "%s.manifest.xml"\n' % exe)
        tool = os.environ.get('MINGW', 'x86_64-w64-mingw32-')
        subprocess.run([tool + 'windres', exe + '.rc', exe + '.o'], check=True)
        subprocess.run([tool + 'gcc', '-municode', '-mwindows', '-O1', '-s', '-o', exe, os.path.join(HERE, 'widgets_win32.c'), exe + '.o', '-lcomctl32', '-lgdi32'], check=True)


def environment(display, prefix):
    return dict(os.environ, DISPLAY=display, WINEPREFIX=prefix, WINEDEBUG='-all', LC_ALL='C.UTF-8', WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe=')


def wine(env, *a, wait=120):
    return subprocess.run(['timeout', '-k', '5', str(wait), 'wine', *a], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode


LINK = ''.join('"%s"=hex(7):%s\n' % (n, ','.join('%02x' % c for c in 'NotoSansCJK-Regular.ttc,Noto Sans CJK SC\0\0'.encode())) for n in
               ('Tahoma', 'Tahoma Bold', 'Microsoft Sans Serif', 'MS Shell Dlg', 'DejaVu Sans', 'Liberation Sans', 'Noto Sans', 'Open Sans', 'Liberation Serif', 'Liberation Sans Narrow', 'Liberation Mono'))


def settings(env, folder, themed, dpi):
    """No frames by a window manager, DPI, theme; Chinese letters for fonts that have none."""
    reg = os.path.join(folder, 'settings.reg')
    with open(reg, 'w') as o:
        o.write('REGEDIT4\n\n[HKEY_CURRENT_USER\\Software\\Wine\\X11 Driver]\n"Managed"="N"\n\n[HKEY_CURRENT_USER\\Control Panel\\Desktop]\n"LogPixels"=dword:%08x\n"FontSmoothing"="2"\n"FontSmoothingType"=dword:00000001\n\n'
                '[HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\ThemeManager]\n"ThemeActive"="%d"\n"ColorName"="Blue"\n"SizeName"="NormalSize"\n"DllName"="C:\\\\windows\\\\resources\\\\themes\\\\light\\\\light.msstyles"\n\n'
                '[HKEY_LOCAL_MACHINE\\Software\\Microsoft\\Windows NT\\CurrentVersion\\FontLink\\SystemLink]\n%s\n' % (dpi, themed, LINK))
    wine(env, 'regedit', '/S', 'Z:' + reg.replace('/', '\\'))


def end(env):
    subprocess.run(['wineserver', '-k'], env=env, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=30)
    subprocess.run(['timeout', '30', 'wineserver', '-w'], env=env, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def shot(env, W, H):
    f = subprocess.run(['import', '-silent', '-window', 'root', '-crop', '%dx%d+0+0' % (W, H), '+repage', '-depth', '8', 'rgb:-'], env=env, stdout=subprocess.PIPE, timeout=60).stdout
    return np.frombuffer(f, np.uint8).reshape(H, W, 3)


def shot_at_rest(env, W, H):
    im = shot(env, W, H)
    for _ in range(6):
        time.sleep(.15)
        again = shot(env, W, H)
        same = (again != im).mean() < 1e-4
        im = again
        if same:
            break
    return im


def main():
    a = argparse.ArgumentParser()
    a.add_argument('first', type=int)
    a.add_argument('last', type=int)
    a.add_argument('--out', default=place('win32'))
    a.add_argument('--prefix', default=place('wineprefix'))
    a = a.parse_args()
    os.makedirs(a.out, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix='win32-') as folder, display('1600x1200') as name_of_display:
        compiled(folder)
        env = environment(name_of_display, a.prefix)
        try:
            if not os.path.exists(os.path.join(a.prefix, 'system.reg')):
                wine(env, 'wineboot', '-i', wait=300)
                end(env)
                fonts = os.path.join(a.prefix, 'drive_c', 'windows', 'Fonts')
                for f in sorted({f for _, f in EN + ZH} | {'/usr/share/wine/fonts/' + n for n in ('marlett.ttf', 'tahomabd.ttf', 'ms_sans_serif.ttf')}):
                    if os.path.exists(f) and not os.path.exists(os.path.join(fonts, os.path.basename(f))):
                        os.symlink(f, os.path.join(fonts, os.path.basename(f)))
            have, p = None, None
            for seed in [n for n in range(a.first, a.last) for _ in range(3)]:  # what fails is tried again
                name = os.path.join(a.out, 'w%06d' % seed)
                if os.path.exists(name + '.json'):
                    continue
                f = Form(seed, folder)
                if p is None or have != seed // 20 or p.poll() is not None:
                    end(env)
                    settings(env, folder, f.themed, f.dpi)
                    end(env)
                    p = subprocess.Popen(['wine', os.path.join(folder, 'v%d.exe' % (6 if f.v6 else 5)), 'Z:' + folder.replace('/', '\\')], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    have = seed // 20
                made, gone = os.path.join(folder, 'truth'), os.path.join(folder, 'gone')
                for old in (made, gone):
                    if os.path.exists(old):
                        os.remove(old)
                with open(os.path.join(folder, 'layout.part'), 'w', encoding='utf-8', newline='') as o:
                    o.write(f.build())
                os.replace(os.path.join(folder, 'layout.part'), os.path.join(folder, 'layout'))
                till = time.time() + 60
                while not os.path.exists(made) and time.time() < till and p.poll() is None:
                    time.sleep(.05)
                if not os.path.exists(made):
                    print(seed, 'no answer', flush=True)
                    end(env)
                    p = None
                    continue
                im = shot_at_rest(env, f.W, f.H)
                if os.path.exists(gone):
                    print(seed, 'a menu has closed', flush=True)
                    continue
                elements = truth(made, f, im, stacked(env))
                if elements is None:
                    print(seed, 'a window is not seen', flush=True)
                    continue
                Image.fromarray(im).save(name + '.png')
                with open(name + '.tmp', 'w') as o:
                    json.dump({'width': f.W, 'height': f.H, 'source': 'win32', 'toolkit': 'win32-%s%s%s' % (f.palette, '-v6' if f.v6 else '', '-light' if f.themed else ''), 'lang': f.lang, 'seed': seed, 'scale': f.k, 'elements': elements}, o)
                os.replace(name + '.tmp', name + '.json')
        finally:
            end(env)


if __name__ == '__main__':
    main()
