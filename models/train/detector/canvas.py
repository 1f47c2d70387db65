"""Screens drawn pixel by pixel in the manner of old programs: Win32 and Delphi forms, Luna, Motif-like and GTK-like looks, with exact truth.

  canvas.py FIRST LAST [--out FOLDER]
"""
import argparse
import json
import os
import random

from PIL import Image, ImageDraw, ImageFont

from icons import files
from words import value, words
from places import place

CJK = ['/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'] * 3 + ['/usr/share/fonts/truetype/lxgw-wenkai/LXGWWenKai-Regular.ttf', '/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc']
LATIN = ['/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf', '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf', '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf',
         '/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf', '/usr/share/fonts/truetype/open-sans/OpenSans-Regular.ttf', '/usr/share/fonts/truetype/lato/Lato-Regular.ttf', '/usr/share/fonts/truetype/dejavu/DejaVuSansCondensed.ttf']
_fonts, _icons = {}, {}


def font(path, size):
    if (path, size) not in _fonts:
        _fonts[path, size] = ImageFont.truetype(path, size, index=2 if path.endswith('.ttc') else 0)
    return _fonts[path, size]


def glyph(r, size):
    kind = 'tango%dx%d' % (size, size)
    f = r.choice(files(kind))
    if f not in _icons:
        _icons[f] = Image.open(f).convert('RGBA')
    return _icons[f]


class Sheet:
    def __init__(self, r, lang, W, H):
        self.r, self.lang, self.w, self.W, self.H = r, lang, words(lang), W, H
        self.k = k = r.choices(['w95', 'w2k', 'luna', 'aero', 'motif', 'gtk', 'tk', 'dark'], [24, 22, 14, 12, 6, 8, 9, 5])[0]
        self.face = {'w95': (192, 192, 192), 'w2k': (212, 208, 200), 'luna': (236, 233, 216), 'aero': (240, 240, 240), 'motif': r.choice([(174, 178, 195), (190, 190, 190), (160, 170, 160)]),
                     'gtk': (237, 236, 235), 'tk': (217, 217, 217), 'dark': (r.randint(36, 70),) * 3}[k]
        if r.random() < .12 and k != 'dark':
            self.face = tuple(r.randint(170, 245) for _ in range(3))
        d = k == 'dark'
        self.paper = tuple(max(0, c - r.choice([12, 18])) for c in self.face) if d else (255, 255, 255)
        self.ink, self.faint = ((225,) * 3, (125,) * 3) if d else ((0, 0, 0), (128, 128, 128))
        self.hi = tuple(min(255, c + (25 if d else 60)) for c in self.face) if k != 'w95' else (255, 255, 255)
        self.lo = tuple(int(c * .66) for c in self.face)
        self.dk = tuple(int(c * .3) for c in self.face)
        self.line = {'luna': (127, 157, 185), 'aero': (171, 173, 179), 'gtk': (150, 145, 140)}.get(k, self.lo)
        self.accent = {'w95': (0, 0, 128), 'w2k': (10, 36, 106), 'luna': (49, 106, 197), 'aero': (51, 153, 255), 'gtk': (134, 171, 217)}.get(k) or tuple(r.randint(20, 150) for _ in range(3))
        self.size = r.choice([11, 11, 12, 12, 13, 13, 14, 15]) if lang == 'en' else r.choice([12, 12, 12, 13, 14, 15, 16])
        self.font = font(r.choice(CJK if lang == 'zh' else LATIN), self.size)
        self.mono = r.random() < (.65 if k in ('w95', 'w2k') else .25)
        self.ch = max(self.size + 7, r.choice([19, 20, 21, 21, 22, 23, 24]))
        self.tick = r.choice([13, 13, 13, 13, 12, 11, 14, 15])
        self.mark = r.choice(['tick', 'tick', 'tick', 'cross', 'fill']) if k not in ('motif', 'tk') else r.choice(['fill', 'tick', 'fill'])
        self.diamond = k in ('motif', 'tk') and r.random() < .35
        self.tickred = r.choice([(176, 48, 96), self.ink])
        self.im = Image.new('RGB', (W, H))
        self.d = ImageDraw.Draw(self.im)
        self.d.fontmode = '1' if self.mono else 'L'
        self.out, self.clip = [], []
        self.focus_left = r.random() < .5

    # -- strokes --------------------------------------------------------------------------------------------------------------------
    def text_size(self, s, f=None):
        b = (f or self.font).getbbox(s)
        return b[2], self.size + 3

    def text(self, x, y, s, color=None, truth=False, f=None, sunk=False):
        """y is the top of the line."""
        f = f or self.font
        if sunk:
            self.d.text((x + 1, y + 1), s, font=f, fill=self.hi, anchor='la')
        self.d.text((x, y), s, font=f, fill=color or self.ink, anchor='la')
        b = self.d.textbbox((x, y), s, font=f, anchor='la')
        if truth and s.strip():
            self.add('text', b)
        return b

    def mid(self, x, y, h, s, color=None, truth=False, f=None, sunk=False):
        f = f or self.font
        m = f.getbbox('中' if self.lang == 'zh' else 'Hg', anchor='la')
        return self.text(x, y + (h - (m[3] + m[1])) // 2, s, color, truth, f, sunk)

    def fit(self, s, w):
        while s and self.font.getlength(s) > w:
            s = s[:-1]
        return s

    def bevel(self, x, y, w, h, up=True, fill=None, double=True):
        d = self.d
        if fill is not None:
            d.rectangle([x, y, x + w - 1, y + h - 1], fill=fill)
        a, b, c, e = (self.hi, self.dk, self.hi if self.k == 'w2k' else self.face, self.lo) if up else (self.lo, self.hi, self.dk, self.face)
        if self.k in ('motif', 'tk'):
            a, b, c, e = (self.hi, self.lo, self.hi, self.lo) if up else (self.lo, self.hi, self.lo, self.hi)
        for i, (p, q) in enumerate([(a, b), (c, e)] if double else [(a if up else self.lo, self.lo if up else self.hi)]):
            d.line([x + i, y + h - 1 - i, x + i, y + i, x + w - 1 - i, y + i], fill=p)
            d.line([x + i, y + h - 1 - i, x + w - 1 - i, y + h - 1 - i, x + w - 1 - i, y + i], fill=q)

    def etched(self, x, y, w, h):
        self.d.rectangle([x + 1, y + 1, x + w - 1, y + h - 1], outline=self.hi)
        self.d.rectangle([x, y, x + w - 2, y + h - 2], outline=self.lo)

    def grad(self, x, y, w, h, a, b, side=False):
        n = w if side else h
        for i in range(n):
            c = tuple(int(a[j] + (b[j] - a[j]) * i / max(1, n - 1)) for j in range(3))
            self.d.line([x + i, y, x + i, y + h - 1] if side else [x, y + i, x + w - 1, y + i], fill=c)

    def add(self, role, b, **kw):
        x0, y0, x1, y1 = b
        cx0, cy0, cx1, cy1 = self.clip[-1] if self.clip else (0, 0, self.W, self.H)
        q = [max(x0, cx0), max(y0, cy0), min(x1, cx1), min(y1, cy1)]
        if q[2] - q[0] < 3 or q[3] - q[1] < 3:
            return
        e = {'role': role, 'bbox': q, '_area': (x1 - x0) * (y1 - y0)}
        e.update(kw)
        self.out.append(e)

    def hide(self, b):
        """Something is drawn over this place: what lies below is hidden, or in part."""
        keep = []
        for e in self.out:
            q = e['bbox']
            i = max(0, min(q[2], b[2]) - max(q[0], b[0])) * max(0, min(q[3], b[3]) - max(q[1], b[1]))
            share = i / max(1, (q[2] - q[0]) * (q[3] - q[1])) + e.get('_hid', 0)
            e['_hid'] = share
            if share < .75:
                keep.append(e)
        self.out = keep

    def arrow(self, cx, cy, way='down', n=4, color=None):
        for i in range(n):
            k = n - 1 - i
            if way == 'down':
                self.d.line([cx - k, cy + i - n // 2, cx + k, cy + i - n // 2], fill=color or self.ink)
            elif way == 'up':
                self.d.line([cx - i, cy + i - n // 2, cx + i, cy + i - n // 2], fill=color or self.ink)
            else:
                self.d.line([cx + i - n // 2, cy - k, cx + i - n // 2, cy + k], fill=color or self.ink)

    # -- controls: each returns its width -----------------------------------------------------------------------------------------------
    def off(self, p=.07):
        return self.r.random() < p

    def frame(self, x, y, w, h, dis=False):
        """The ground of a field."""
        bg = self.face if dis and self.k != 'w95' or self.r.random() < .03 else self.paper
        if self.k in ('w95', 'w2k', 'motif', 'tk'):
            self.bevel(x, y, w, h, False, bg)
        elif self.k == 'gtk':
            self.d.rounded_rectangle([x, y, x + w - 1, y + h - 1], 3, fill=bg, outline=self.line)
        else:
            self.d.rectangle([x, y, x + w - 1, y + h - 1], fill=bg, outline=self.line)
            if self.k == 'aero':
                self.d.line([x, y, x + w - 1, y], fill=self.lo)

    def edit(self, x, y, w, val=None, h=None):
        r = self.r
        h = h or self.ch
        dis = self.off()
        self.frame(x, y, w, h, dis)
        val = ('' if r.random() < .3 else value(r, self.w)) if val is None else val
        val = self.fit(val, w - 8)
        foc = self.focus_left and not dis and r.random() < .1
        tx = x + 4 if r.random() < .9 else x + w - 5 - int(self.font.getlength(val))
        if foc:
            self.focus_left = False
            if val and r.random() < .6:
                self.d.rectangle([tx - 1, y + 3, tx + int(self.font.getlength(val)), y + h - 4], fill=self.accent)
                self.mid(tx, y, h, val, (255, 255, 255))
            else:
                self.mid(tx, y, h, val)
                c = tx + int(self.font.getlength(val)) + 1
                self.d.line([c, y + 3, c, y + h - 4], fill=self.ink)
        elif val and r.random() < .05:
            self.mid(tx, y, h, '*' * r.randint(4, 10) if r.random() < .5 else '●' * r.randint(4, 8))
        else:
            self.mid(tx, y, h, val, self.faint if dis else None)
        kw = {'enabled': False} if dis else {}
        if foc:
            kw['focused'] = True
        self.add('textbox', [x, y, x + w, y + h], **kw)
        return w

    def spin(self, x, y, w):
        h = self.ch
        self.frame(x, y, w, h)
        self.mid(x + 4, y, h, self.fit(str(self.r.choice([self.r.randint(0, 500), '%.2f' % self.r.uniform(0, 99)])), w - 22))
        i = 2 if self.k in ('w95', 'w2k', 'tk', 'motif') else 1
        bw, hh = 15, (h - 2 * i) // 2
        for j, way in enumerate(('up', 'down')):
            self.push(x + w - bw - i, y + i + j * hh, bw, hh, small=True)
            self.arrow(x + w - bw // 2 - i - 1, y + i + j * hh + hh // 2, way, 3)
        self.add('textbox', [x, y, x + w, y + h])
        return w

    def push(self, x, y, w, h, small=False, default=False, down=False, dis=False):
        """The face of a button."""
        k, d = self.k, self.d
        if k in ('w95', 'w2k', 'motif', 'tk', 'dark'):
            if default and k != 'dark':
                d.rectangle([x, y, x + w - 1, y + h - 1], outline=(0, 0, 0))
                x, y, w, h = x + 1, y + 1, w - 2, h - 2
            self.bevel(x, y, w, h, not down, self.face if not down else tuple((a + b) // 2 for a, b in zip(self.face, self.hi)), double=not small or h > 9)
        elif k == 'luna':
            a, b = ((225, 234, 254), (174, 200, 247)) if small else ((255, 255, 255), (226, 223, 214))
            self.grad(x + 1, y + 1, w - 2, h - 2, a, b)
            d.rounded_rectangle([x, y, x + w - 1, y + h - 1], 3 if not small else 1, outline=(0, 60, 116) if not small and not dis else (172, 190, 220))
            if default:
                d.rectangle([x + 1, y + 1, x + w - 2, y + h - 2], outline=(160, 190, 240))
        else:
            if k == 'aero':
                self.grad(x + 1, y + 1, w - 2, h // 2, (243, 243, 243), (235, 235, 235))
                self.grad(x + 1, y + h // 2, w - 2, h - h // 2 - 1, (221, 221, 221), (207, 207, 207))
            else:
                self.grad(x + 1, y + 1, w - 2, h - 2, (250, 250, 249), (222, 220, 216))
            d.rounded_rectangle([x, y, x + w - 1, y + h - 1], 3, outline=(60, 127, 177) if default else (112, 112, 112) if not dis else (180, 180, 180))

    def combo(self, x, y, w):
        r, h = self.r, self.ch
        dis = self.off()
        i = 2 if self.k in ('w95', 'w2k', 'tk', 'motif') else 1
        val = self.fit(r.choice([r.choice(self.w['noun']), r.choice(self.w['radio']), value(r, self.w), '']), w - 26)
        if self.k in ('gtk', 'aero') and r.random() < .6 or self.k == 'motif':
            self.push(x, y, w, h)
            self.mid(x + 6, y, h, val, self.faint if dis else None)
            if self.k == 'gtk':
                self.d.line([x + w - 22, y + 4, x + w - 22, y + h - 5], fill=self.line)
            if self.k == 'motif':
                self.bevel(x + w - 18, y + h // 2 - 4, 11, 8, True, self.face)
            else:
                self.arrow(x + w - 11, y + h // 2, 'down', 4)
        else:
            self.frame(x, y, w, h, dis)
            self.mid(x + 4, y, h, val, self.faint if dis else None)
            bw = r.choice([16, 17, 18])
            self.push(x + w - bw - i, y + i, bw, h - 2 * i, small=self.k == 'luna')
            self.arrow(x + w - bw // 2 - i - 1, y + h // 2, 'down', r.choice([3, 4, 4]), self.faint if dis else None)
        self.add('combobox', [x, y, x + w, y + h], **({'enabled': False} if dis else {}))
        return w

    def tickmark(self, x, y, n, color):
        if self.mark == 'cross':
            for o in (0, 1):
                self.d.line([x + 3 + o, y + 3, x + n - 4, y + n - 4 - o], fill=color)
                self.d.line([x + 3 + o, y + n - 4, x + n - 4, y + 3 + o], fill=color)
        elif self.mark == 'fill':
            self.d.rectangle([x + 3, y + 3, x + n - 4, y + n - 4], fill=self.tickred if self.k in ('tk', 'motif') else color)
        else:
            m = (n - 13) // 2
            for i in range(7):  # the tick of Win32: seven columns, three pixels high
                yy = y + m + 5 + (i if i < 3 else 4 - i)
                self.d.line([x + m + 3 + i, yy, x + m + 3 + i, yy + 2], fill=color)

    def check(self, x, y, text=None, h=None, bare=False):
        r, n = self.r, self.tick
        h = h or self.ch
        on, dis = r.random() < .5, self.off()
        ty = y + (h - n) // 2
        color = self.faint if dis else (33, 161, 33) if self.k == 'luna' else (74, 95, 151) if self.k == 'aero' else self.ink
        if self.k in ('w95', 'w2k'):
            self.bevel(x, ty, n, n, False, self.face if dis else self.paper)
        elif self.k in ('motif', 'tk'):
            if on and self.mark == 'fill' and r.random() < .5:
                self.bevel(x, ty, n, n, False, self.tickred)
            else:
                self.bevel(x, ty, n, n, not (on or self.k == 'tk'), self.face if self.k == 'motif' else self.paper)
        else:
            c = {'luna': (28, 81, 128), 'aero': (142, 143, 143)}.get(self.k, self.line if self.k != 'dark' else (140, 140, 140))
            self.d.rectangle([x, ty, x + n - 1, ty + n - 1], fill=self.paper, outline=self.faint if dis else c)
            if self.k == 'aero':
                self.d.rectangle([x + 2, ty + 2, x + n - 3, ty + n - 3], outline=(200, 205, 210))
        if on:
            self.tickmark(x, ty, n, color)
        kw = {'checked': on}
        if dis:
            kw['enabled'] = False
        self.add('checkbox', [x, ty, x + n, ty + n], **kw)
        if bare:
            return n
        text = text or r.choice(self.w['tick'])
        b = self.mid(x + n + r.choice([3, 4, 5, 6]), y, h, text, self.faint if dis else None, True, sunk=dis and self.k in ('w95', 'w2k'))
        if r.random() < .04:
            self.dots(b[0] - 2, y + 1, b[2] - b[0] + 4, h - 2)
        return b[2] - x

    def dots(self, x, y, w, h):
        for i in range(0, w, 2):
            for yy in (y, y + h - 1):
                self.d.point((x + i, yy), fill=self.ink)
        for i in range(0, h, 2):
            for xx in (x, x + w - 1):
                self.d.point((xx, y + i), fill=self.ink)

    def radio(self, x, y, text=None, on=False, dis=False):
        n, h = self.tick - (1 if self.tick > 12 else 0), self.ch
        ty = y + (h - n) // 2
        d = self.d
        e = n - 1
        if self.diamond:
            c, m = (x + e / 2, ty + e / 2), e / 2
            pts = [(c[0], ty), (x + e, c[1]), (c[0], ty + e), (x, c[1])]
            d.polygon(pts, fill=self.tickred if on else self.face)
            d.line([pts[3], pts[0], pts[1]], fill=self.lo if on else self.hi, width=1)
            d.line([pts[3], pts[2], pts[1]], fill=self.hi if on else self.lo, width=1)
        elif self.k in ('w95', 'w2k', 'motif', 'tk'):
            d.ellipse([x, ty, x + e, ty + e], fill=self.face if dis else self.paper)
            d.arc([x, ty, x + e, ty + e], 135, 315, fill=self.lo)
            d.arc([x, ty, x + e, ty + e], 315, 135, fill=self.hi)
            d.arc([x + 1, ty + 1, x + e - 1, ty + e - 1], 135, 315, fill=self.dk)
            d.arc([x + 1, ty + 1, x + e - 1, ty + e - 1], 315, 135, fill=self.face)
        else:
            d.ellipse([x, ty, x + e, ty + e], fill=self.paper, outline=self.faint if dis else {'luna': (28, 81, 128), 'aero': (142, 143, 143), 'dark': (150, 150, 150)}.get(self.k, self.line))
        if on and not self.diamond:
            q = 4
            d.ellipse([x + q, ty + q, x + e - q, ty + e - q], fill=self.faint if dis else (33, 161, 33) if self.k == 'luna' else (40, 90, 140) if self.k == 'aero' else self.ink)
        kw = {'checked': on}
        if dis:
            kw['enabled'] = False
        self.add('radio', [x, ty, x + n, ty + n], **kw)
        if text == '':
            return n
        b = self.mid(x + n + self.r.choice([3, 4, 5]), y, h, text or self.r.choice(self.w['radio']), self.faint if dis else None, True, sunk=dis and self.k in ('w95', 'w2k'))
        return b[2] - x

    def radios(self, x, y, n=None, down=None):
        r = self.r
        names = r.sample(self.w['radio'], n or r.randint(2, 4))
        on, dis = r.randrange(len(names) + (r.random() < .1)), self.off(.05)
        down = r.random() < .4 if down is None else down
        x0, w = x, 0
        for i, s in enumerate(names):
            k = self.radio(x, y, s, i == on, dis)
            w = max(w, x + k - x0)
            if down:
                y += self.ch
            else:
                x += k + r.choice([6, 10, 18])
        return w, (self.ch * len(names) if down else self.ch)

    def button(self, x, y, text=None, w=None, h=None, default=None):
        r = self.r
        text = text or r.choice(self.w['button'])
        tw = int(self.font.getlength(text))
        pic = glyph(r, 16) if r.random() < .2 else None
        w = max(w or 75, tw + (34 if pic else 14)) if w != 0 else tw + 16
        h = h or r.choice([self.ch + 1, self.ch + 2, self.ch + 4, 25])
        dis = self.off()
        self.push(x, y, w, h, default=r.random() < .12 if default is None else default, dis=dis)
        tx = x + (w - tw - (20 if pic else 0)) // 2
        if pic:
            self.im.paste(pic, (tx, y + (h - 16) // 2), pic)
            tx += 20
        self.mid(tx, y, h, text, self.faint if dis else None, sunk=dis and self.k in ('w95', 'w2k'))
        if r.random() < .04:
            self.dots(x + 4, y + 4, w - 8, h - 8)
        self.add('button', [x, y, x + w, y + h], **({'enabled': False} if dis else {}))
        return w

    def tool(self, x, y, n, g, framed):
        dis = self.off(.12)
        if framed or self.r.random() < .04:
            self.push(x, y, n, n, small=True, down=not framed)
        pic = glyph(self.r, g)
        if dis:
            pic = Image.merge('RGBA', [c.convert('L') for c in (pic.convert('L').convert('RGB')).split()] + [pic.getchannel('A').point(lambda v: v * 2 // 5)])
        self.im.paste(pic, (x + (n - g) // 2, y + (n - g) // 2), pic)
        self.add('icon', [x, y, x + n, y + n], **({'enabled': False} if dis else {}))
        return n

    def toolbar(self, x, y, w):
        r = self.r
        g = r.choice([16, 16, 16, 22, 24, 32])
        n, framed, space = g + r.choice([6, 7, 8, 10]), r.random() < .25, r.choice([0, 0, 1, 2, 4])
        cap = r.random() < .15
        if r.random() < .4:
            self.d.line([x, y, x + w, y], fill=self.lo)
            self.d.line([x, y + 1, x + w, y + 1], fill=self.hi)
        cx, cy = x + r.choice([2, 6, 10]), y + 3
        while cx < x + w - n - 10 and r.random() < .95:
            if cap:
                s = r.choice(self.w['button'])
                tw = int(self.font.getlength(s))
                bw = max(tw + 8, n)
                if cx + bw > x + w:
                    break
                if framed:
                    self.push(cx, cy, bw, n + self.size + 2, small=True)
                pic = glyph(r, g)
                self.im.paste(pic, (cx + (bw - g) // 2, cy + 3), pic)
                self.text(cx + (bw - tw) // 2, cy + g + 4, s)
                self.add('button', [cx, cy, cx + bw, cy + n + self.size + 2])
                cx += bw + space
            else:
                cx += self.tool(cx, cy, n, g, framed) + space
            if r.random() < .15:
                self.d.line([cx + 3, cy + 2, cx + 3, cy + n - 2], fill=self.lo)
                self.d.line([cx + 4, cy + 2, cx + 4, cy + n - 2], fill=self.hi)
                cx += 8
            if r.random() < .05 and not cap and cx + 130 < x + w:
                cx += self.combo(cx, cy + (n - self.ch) // 2, r.choice([70, 110])) + 4
        return n + 6 + (self.size + 2 if cap else 0)

    def menubar(self, x, y, w):
        r = self.r
        h, pad = self.size + r.choice([6, 7, 9]), r.choice([5, 6, 8])
        cx, hot = x + 2, r.randrange(30)
        for i, s in enumerate(r.sample(self.w['menu'], r.randint(3, 10))):
            tw = int(self.font.getlength(s))
            if cx + tw + 2 * pad > x + w:
                break
            if i == hot:
                self.d.rectangle([cx, y, cx + tw + 2 * pad - 1, y + h - 1], fill=self.accent)
            b = self.mid(cx + pad, y, h, s, (255, 255, 255) if i == hot else None)
            if r.random() < .5 and self.lang == 'en':
                self.d.line([b[0], b[3] + 1, b[0] + self.size // 2, b[3] + 1], fill=self.ink)
            self.add('menuitem', [cx, y, cx + tw + 2 * pad, y + h])
            cx += tw + 2 * pad
        return h + 1

    def menu(self, x, y):
        r = self.r
        names = r.sample(self.w['item'], r.randint(3, 13))
        lh, left = self.size + r.choice([5, 7, 9]), r.choice([18, 22, 26])
        w = left + max(int(self.font.getlength(s)) for s in names) + r.choice([30, 70, 90])
        gaps = [r.random() < .2 for _ in names]
        h = lh * len(names) + 8 * sum(gaps) + 6
        self.hide([x, y, x + w, y + h])
        if self.k in ('w95', 'w2k', 'motif', 'tk'):
            self.bevel(x, y, w, h, True, self.face)
        else:
            self.d.rectangle([x, y, x + w - 1, y + h - 1], fill=self.paper if self.k != 'dark' else self.face, outline=self.lo)
        hot, keys, cy = r.randrange(len(names) * 2), r.random() < .6, y + 3
        for i, s in enumerate(names):
            dis = self.off(.12)
            ink = self.faint if dis else None
            if i == hot:
                self.d.rectangle([x + 3, cy, x + w - 4, cy + lh - 1], fill=self.accent)
                ink = (255, 255, 255)
            if r.random() < .25:
                pic = glyph(r, 16)
                self.im.paste(pic, (x + 3, cy + (lh - 16) // 2), pic)
            elif r.random() < .06:
                self.tickmark(x + 4, cy + (lh - 13) // 2, 13, self.ink)
            self.mid(x + left, cy, lh, s, ink)
            if keys and r.random() < .5:
                t = r.choice(['Ctrl+' + r.choice('NOSPZXCV'), 'F%d' % r.randint(1, 12), 'Del'])
                self.mid(x + w - 12 - int(self.font.getlength(t)), cy, lh, t, ink)
            elif r.random() < .1:
                self.arrow(x + w - 10, cy + lh // 2, 'right', 4)
            self.add('menuitem', [x + 3, cy, x + w - 3, cy + lh], **({'enabled': False} if dis else {}))
            cy += lh
            if gaps[i]:
                self.d.line([x + 4, cy + 3, x + w - 5, cy + 3], fill=self.lo)
                self.d.line([x + 4, cy + 4, x + w - 5, cy + 4], fill=self.hi)
                cy += 8

    def scrollbar(self, x, y, h):
        n = 16
        self.d.rectangle([x, y, x + n - 1, y + h - 1], fill=tuple((a + b) // 2 for a, b in zip(self.face, self.hi)))
        self.push(x, y, n, n, small=True)
        self.arrow(x + 7, y + 8, 'up', 3)
        self.push(x, y + h - n, n, n, small=True)
        self.arrow(x + 7, y + h - 8, 'down', 3)
        if h > 60:
            self.push(x, y + n + self.r.randint(0, h // 4), n, max(8, h // 4), small=True)

    def memo(self, x, y, w, h):
        self.frame(x, y, w, h)
        cy = y + 3
        for _ in range(self.r.randint(0, max(1, (h - 6) // (self.size + 3)))):
            if cy + self.size + 2 > y + h:
                break
            self.text(x + 4, cy, self.fit(self.r.choice(self.w['sent']), w - 26))
            cy += self.size + 3
        if self.r.random() < .6:
            self.scrollbar(x + w - 18, y + 2, h - 4)
        self.add('textbox', [x, y, x + w, y + h])

    def listbox(self, x, y, w, h, tree=False):
        r = self.r
        self.frame(x, y, w, h)
        lh = self.size + r.choice([2, 3, 4, 6])
        lh = max(lh, 16) if tree else lh
        cy, sel, depth, pics, chk = y + 2, r.randrange(24), 0, tree and r.random() < .7 or r.random() < .2, not tree and r.random() < .12
        rows = r.randint(2, 40)
        for i in range(rows):
            if cy + lh > y + h - 2:
                break
            s = value(r, self.w) if r.random() < .2 else r.choice(self.w[r.choice(['noun', 'nav', 'head'])])
            cx = x + 3
            if tree:
                cx += depth * 18
                for yy in range(cy, cy + lh, 2):
                    self.d.point((cx + 4, yy), fill=self.faint)
                if r.random() < .5:
                    self.d.rectangle([cx, cy + lh // 2 - 4, cx + 8, cy + lh // 2 + 4], fill=self.paper, outline=self.faint)
                    self.d.line([cx + 2, cy + lh // 2, cx + 6, cy + lh // 2], fill=self.ink)
                    if r.random() < .5:
                        self.d.line([cx + 4, cy + lh // 2 - 2, cx + 4, cy + lh // 2 + 2], fill=self.ink)
                for xx in range(cx + 9, cx + 16, 2):
                    self.d.point((xx, cy + lh // 2), fill=self.faint)
                cx += 17
            start = cx
            if chk:
                cx += self.check(cx, cy, h=lh, bare=True) + 3
            if pics:
                pic = glyph(r, 16)
                self.im.paste(pic, (cx, cy + (lh - 16) // 2), pic)
                cx += 19
            s = self.fit(s, x + w - cx - 20)
            tw = int(self.font.getlength(s))
            if i == sel:
                self.d.rectangle([cx - 1 if tree else x + 2, cy, cx + tw + 1 if tree else x + w - 3, cy + lh - 1], fill=self.accent)
            self.mid(cx, cy, lh, s, (255, 255, 255) if i == sel else None)
            if s:
                self.add('listitem', [start, cy, cx + tw + 2, cy + lh] if tree else [x + 2, cy, x + w - 2, cy + lh])
            cy += lh
            depth = max(0, min(3, depth + r.choice([-1, 0, 0, 1])))
        return w

    def grid(self, x, y, w, h):
        """A data grid as in Delphi or a list view with columns."""
        r = self.r
        self.frame(x, y, w, h)
        x, y, w, h = x + 2, y + 2, w - 4, h - 4
        lh, hh = self.size + r.choice([4, 5, 7, 9]), self.size + r.choice([5, 7, 9])
        lines, mark, flat = r.random() < .75, r.random() < .5, self.k in ('aero', 'gtk') or r.random() < .2
        xs = [x + (12 if mark else 0)]
        while xs[-1] < x + w and len(xs) < 12:
            xs.append(xs[-1] + r.randint(40, 190))
        fill = r.random() < .4
        if xs[-1] > x + w or fill:
            xs[-1] = x + w
        kinds = [r.choices(['text', 'num', 'check'], [70, 24, 6])[0] for _ in xs[1:]]
        if mark:
            self.bevel(x, y, 12, hh, True, self.face, False)
        for i in range(len(xs) - 1):
            a, b = xs[i], xs[i + 1]
            if b - a < 12:
                continue
            if flat:
                self.grad(a, y, b - a, hh, (255, 255, 255) if self.k != 'dark' else self.face, self.face)
                self.d.line([b - 1, y + 2, b - 1, y + hh - 3], fill=self.lo)
                self.d.line([a, y + hh - 1, b, y + hh - 1], fill=self.lo)
            else:
                self.bevel(a, y, b - a, hh, True, self.face, self.k in ('w95', 'w2k') and r.random() < .5)
            s = self.fit(r.choice(self.w['label']), b - a - 8)
            self.mid(a + 4 if r.random() < .7 else a + (b - a - int(self.font.getlength(s))) // 2, y, hh, s)
            self.add('cell', [a, y, b, y + hh])
        rows, sel, cy = r.randint(0, 40), r.randrange(24), y + hh
        zebra = r.random() < .2
        for i in range(rows):
            if cy + lh > y + h:
                break
            bg = self.accent if i == sel else tuple(int(c * .95) for c in self.paper) if zebra and i % 2 else None
            if mark:
                self.bevel(x, cy, 12, lh, True, self.face, False)
                if i == sel:
                    self.arrow(x + 5, cy + lh // 2, 'right', 4)
            for j in range(len(xs) - 1):
                a, b = xs[j], xs[j + 1]
                if b - a < 12:
                    continue
                if bg:
                    self.d.rectangle([a, cy, b - 1, cy + lh - 1], fill=bg)
                if kinds[j] == 'check' and lh >= self.tick:
                    self.check(a + (b - a - self.tick) // 2, cy, h=lh, bare=True)
                else:
                    s = '{:,.2f}'.format(r.uniform(0, 9999)) if kinds[j] == 'num' else value(r, self.w) if r.random() < .93 else ''
                    s = self.fit(s, b - a - 6)
                    self.mid(b - 4 - int(self.font.getlength(s)) if kinds[j] == 'num' else a + 3, cy, lh, s, (255, 255, 255) if i == sel else None)
                    self.add('cell', [a, cy, b, cy + lh])
                if lines:
                    self.d.line([b - 1, cy, b - 1, cy + lh - 1], fill=self.face)
            if lines:
                self.d.line([xs[0], cy + lh - 1, xs[-1], cy + lh - 1], fill=self.face)
            cy += lh

    def tabs(self, x, y, w, h):
        """A page control; returns the area within."""
        r = self.r
        th = self.size + r.choice([6, 8, 9])
        if self.k in ('w95', 'w2k', 'motif', 'tk', 'dark'):
            self.bevel(x, y + th, w, h - th, True, self.face)
        else:
            self.d.rectangle([x, y + th, x + w - 1, y + h - 1], fill=self.paper if self.k == 'aero' else self.face, outline=self.line)
        names, cx = r.sample(self.w['head'], r.randint(2, 6)), x + 2
        on = r.randrange(len(names))
        for i, s in enumerate(names):
            tw = int(self.font.getlength(s)) + r.choice([10, 12, 14])
            if cx + tw > x + w:
                break
            up = 2 if i == on else 0
            q = [cx - up, y + 2 - up, cx + tw + up, y + th + (1 if i == on else 0)]
            self.d.rectangle([q[0], q[1], q[2] - 1, q[3] - 1], fill=self.face if i == on or self.k != 'aero' else (225, 225, 225))
            self.d.line([q[0], q[3], q[0], q[1] + 2, q[0] + 2, q[1], q[2] - 3, q[1]], fill=self.hi if self.k in ('w95', 'w2k', 'motif', 'tk') else self.line)
            self.d.line([q[2] - 2, q[1] + 1, q[2] - 1, q[1] + 2, q[2] - 1, q[3] - 1], fill=self.dk if self.k in ('w95', 'w2k') else self.lo)
            if self.k == 'luna' and i == on:
                self.d.line([q[0] + 1, q[1], q[2] - 2, q[1]], fill=(230, 139, 44), width=2)
            self.mid(q[0] + (q[2] - q[0] - int(self.font.getlength(s))) // 2, q[1], q[3] - q[1], s)
            self.add('tab', [q[0], q[1], q[2], q[3]])
            cx += tw
        return x + 8, y + th + 8, w - 16, h - th - 16

    def track(self, x, y, w):
        r, h = self.r, r_h(self.r)
        cy, p = y + h // 2, x + 6 + int(r.random() * (w - 12))
        if self.k in ('w95', 'w2k', 'tk', 'motif'):
            self.bevel(x, cy - 2, w, 4, False, self.paper)
        else:
            self.d.rounded_rectangle([x, cy - 2, x + w - 1, cy + 1], 2, fill=self.hi, outline=self.lo)
        self.push(p - 5, y, 11, h - (6 if r.random() < .5 else 0))
        if r.random() < .6:
            for i in range(11):
                xx = x + 6 + (w - 12) * i // 10
                self.d.line([xx, y + h + 1, xx, y + h + 4], fill=self.ink)
        self.add('slider', [x, y, x + w, y + h])
        return w

    def group(self, x, y, w, h, s=None):
        if self.k in ('luna', 'aero', 'gtk', 'dark'):
            self.d.rounded_rectangle([x, y + self.size // 2 + 1, x + w - 1, y + h - 1], 3, outline=tuple((a + b) // 2 for a, b in zip(self.lo, self.face)))
        else:
            self.etched(x, y + self.size // 2 + 1, w, h - self.size // 2 - 1)
        s = self.fit(s or self.r.choice(self.w['head']), w - 20)
        tw = int(self.font.getlength(s))
        self.d.rectangle([x + 7, y, x + 11 + tw, y + self.size + 2], fill=self.face)
        self.text(x + 9, y, s, (0, 70, 213) if self.k == 'luna' else None, True)

    # -- filling an area --------------------------------------------------------------------------------------------------------------
    def rows(self, x, y, w, h):
        """Labelled fields in columns."""
        r = self.r
        if w < 110 or h < 24:
            return
        above = r.random() < .2
        lw = 0 if above else r.choice([60, 76, 90, 110])
        cw = min(w, lw + r.choice([120, 160, 200, 260]))
        cols = max(1, min(4, w // (cw + 10)))
        step = self.ch + r.choice([2, 4, 6, 9]) + (self.size + 4 if above else 0)
        right = r.random() < .3
        colon = r.choice(['', ':', '：' if self.lang == 'zh' else ':'])
        cy = y
        while cy + step <= y + h and r.random() < .96:
            for c in range(cols):
                cx = x + c * (cw + 10)
                s = self.fit(r.choice(self.w['label']) + colon, (lw or cw) - 6)
                k = r.choices(['edit', 'combo', 'spin', 'check', 'radios', 'more', 'track', 'none'], [48, 22, 7, 8, 6, 6, 1, 3])[0]
                fx, fw, fy = cx + lw, cw - lw, cy + (self.size + 4 if above else 0)
                if k == 'none':
                    continue
                if k != 'check' or r.random() < .3:
                    if above:
                        self.text(cx, cy, s, None, True)
                    else:
                        self.mid(cx if not right else fx - 6 - int(self.font.getlength(s)), fy, self.ch, s, None, True)
                fw = fw if r.random() < .7 else max(50, int(fw * r.uniform(.4, .9)))
                if k == 'edit':
                    self.edit(fx, fy, fw)
                elif k == 'combo':
                    self.combo(fx, fy, fw)
                elif k == 'spin':
                    self.spin(fx, fy, max(46, fw // 2))
                elif k == 'check':
                    self.check(fx if r.random() < .6 else cx, fy)
                elif k == 'radios':
                    if fx + 200 < x + w:
                        self.radios(fx, fy, 2, False)
                        break
                    self.check(fx, fy)
                elif k == 'track':
                    self.track(fx, fy, fw)
                else:
                    self.edit(fx, fy, fw - 26)
                    if r.random() < .5:
                        self.button(fx + fw - 25, fy, '...', 24, self.ch, False)
                    else:
                        self.tool(fx + fw - 24, fy - 1, 23, 16, True)
            cy += step

    def fill(self, x, y, w, h, deep=0):
        r = self.r
        if w < 90 or h < 40:
            return
        opts = [('rows', 26)]
        if h > 90 and w > 180:
            opts += [('grid', 16), ('list', 6), ('tree', 6), ('memo', 5), ('group', 14)]
        if h > 70:
            opts += [('ticks', 7), ('radios', 6), ('buttons', 5)]
        if deep < 3 and (w > 320 or h > 260):
            opts += [('split', 40)]
        if deep < 2 and w > 260 and h > 150:
            opts += [('tabs', 9)]
        if w > 420 and h > 300:
            opts = [('split', 70), ('tabs', 12), ('grid', 10), ('rows', 8)] if deep < 3 else opts
        k = r.choices([o[0] for o in opts], [o[1] for o in opts])[0]
        if k == 'rows':
            self.rows(x, y, w, h)
        elif k == 'grid':
            self.grid(x, y, w if r.random() < .7 else int(w * .8), h)
        elif k in ('list', 'tree'):
            self.listbox(x, y, min(w, r.randint(120, 320)), h if r.random() < .6 else int(h * .7), k == 'tree')
        elif k == 'memo':
            self.memo(x, y, w, min(h, r.randint(50, 240)))
        elif k == 'group':
            self.group(x, y, w, h)
            self.fill(x + 10, y + self.size + 8, w - 20, h - self.size - 16, deep + 1)
        elif k == 'ticks':
            cy, step = y, self.size + r.choice([6, 8, 11])
            old, self.ch = self.ch, step
            while cy + step <= y + h and r.random() < .9:
                cx = x
                for _ in range(r.choice([1, 1, 2, 3])):
                    if cx + 130 < x + w:
                        cx += max(120, self.check(cx, cy) + 12)
                cy += step
            self.ch = old
        elif k == 'radios':
            cy = y
            while cy + self.ch * 4 < y + h and r.random() < .6:
                cy += self.radios(x, cy, r.randint(2, 4) if w > 260 else 2, None if w > 320 else True)[1] + 6
        elif k == 'buttons':
            cx, cy = x, y
            down = r.random() < .4
            while cx + 100 < x + w and cy + 34 < y + h and r.random() < .85:
                bw = self.button(cx, cy, w=88 if down else r.choice([75, 0, 80]))
                cx, cy = (cx, cy + self.ch + r.choice([6, 10])) if down else (cx + bw + r.choice([2, 6, 8]), cy)
        elif k == 'tabs':
            self.fill(*self.tabs(x, y, w, h), deep + 1)
        elif w > 320 and (w > h * 1.1 or r.random() < .4):
            a = int(w * r.uniform(.3, .7))
            self.fill(x, y, a - 5, h, deep + 1)
            self.fill(x + a + 5, y, w - a - 5, h, deep + 1)
        else:
            a = int(h * r.uniform(.25, .75))
            self.fill(x, y, w, a - 5, deep + 1)
            self.fill(x, y + a + 5, w, h - a - 5, deep + 1)

    def window(self, x, y, w, h, dialog=False):
        r = self.r
        self.hide([x, y, x + w, y + h])
        if self.k in ('w95', 'w2k', 'motif', 'tk'):
            self.bevel(x, y, w, h, True, self.face)
            e = r.choice([3, 4])
        else:
            self.d.rectangle([x, y, x + w - 1, y + h - 1], fill=self.face, outline=self.lo)
            e = 4 if self.k == 'luna' else 1
            if self.k == 'luna':
                self.d.rectangle([x, y, x + w - 1, y + h - 1], outline=(0, 60, 200), width=3)
        self.add('window', [x, y, x + w, y + h])
        self.clip.append((x, y, x + w, y + h))
        th = r.choice([18, 18, 20, 22, 25, 28])
        lively = r.random() < .75
        c = self.accent if lively else (128, 128, 128)
        c2 = {'w2k': (166, 202, 240) if lively else (192, 192, 192), 'luna': (0, 88, 238), 'aero': (210, 225, 240)}.get(self.k, c)
        c = {'luna': (8, 61, 220), 'aero': (185, 205, 226), 'gtk': (90, 90, 95), 'dark': (30, 30, 32)}.get(self.k, c)
        self.grad(x + e, y + e, w - 2 * e, th, c, c2, self.k == 'w2k')
        tx = x + e + 3
        if r.random() < .6:
            pic = glyph(r, 16)
            self.im.paste(pic, (tx, y + e + (th - 16) // 2), pic)
            tx += 20
        s = self.fit(r.choice(self.w['head']) + r.choice(['', ' - ' + r.choice(self.w['noun'])]), w - 110)
        self.mid(tx, y + e, th, s, (0, 0, 0) if self.k == 'aero' else (255, 255, 255), True)
        bs, bx = th - 4, x + w - e - 2
        for i, sign in enumerate(['x', 'max', 'min'] if not dialog or r.random() < .3 else ['x', '?'] if r.random() < .3 else ['x']):
            bx -= bs + 2 + (2 if i == 1 else 0)
            by = y + e + 2
            if self.k == 'luna':
                self.d.rounded_rectangle([bx, by, bx + bs, by + bs - 1], 3, fill=(220, 80, 40) if sign == 'x' else (50, 110, 240), outline=(255, 255, 255))
            elif self.k in ('aero', 'gtk', 'dark'):
                if r.random() < .5 and sign == 'x':
                    self.d.rectangle([bx, by, bx + bs + 1, by + bs - 1], fill=(200, 80, 70))
            else:
                self.push(bx, by, bs + 1, bs, small=False)
            ink = self.ink if self.k in ('w95', 'w2k', 'motif', 'tk', 'aero') else (255, 255, 255)
            m = bs // 2 - 1
            q = [bx + bs // 2 - m // 2, by + bs // 2 - m // 2 - 1, bx + bs // 2 + m // 2, by + bs // 2 + m // 2 - 1]
            if sign == 'x':
                for o in (0, 1):
                    self.d.line([q[0] + o, q[1], q[2] + o, q[3]], fill=ink)
                    self.d.line([q[0] + o, q[3], q[2] + o, q[1]], fill=ink)
            elif sign == 'max':
                self.d.rectangle(q, outline=ink)
                self.d.line([q[0], q[1] + 1, q[2], q[1] + 1], fill=ink)
            elif sign == 'min':
                self.d.line([q[0], q[3], q[2] - 2, q[3]], fill=ink, width=2)
            else:
                self.mid(bx + 4, by, bs, '?', ink)
            self.add('icon', [bx, by, bx + bs + 1, by + bs])
        cy, bottom = y + e + th + 1, y + h - e
        x0, w0 = x + e, w - 2 * e
        if dialog:
            bh = self.ch + 4
            n = r.randint(1, 4)
            bw = r.choice([75, 75, 80, 90])
            bx = r.choice([x0 + w0 - n * (bw + 30) - 6, x0 + (w0 - n * (bw + 6)) // 2, x0 + 10])
            bx = max(x0 + 4, bx)
            for s in r.sample(self.w['button'], n):
                if bx + max(bw, self.font.getlength(s) + 36) > x0 + w0:
                    break
                bx += self.button(bx, bottom - bh - 8, s, bw, bh) + 6
            if r.random() < .4:
                pic = glyph(r, 32)
                self.im.paste(pic, (x0 + 12, cy + 12), pic)
                self.add('image', [x0 + 12, cy + 12, x0 + 44, cy + 44])
                self.text(x0 + 58, cy + 20, self.fit(r.choice(self.w['sent']), w0 - 66), None, True)
            else:
                self.fill(x0 + 10, cy + 10, w0 - 20, bottom - bh - 18 - cy - 10, 1)
        else:
            if r.random() < .75:
                cy += self.menubar(x0, cy, w0)
            for _ in range(r.choice([0, 1, 1, 2])):
                cy += self.toolbar(x0, cy, w0)
            if r.random() < .6:
                sh = self.size + 7
                bottom -= sh
                cx = x0
                while cx < x0 + w0 - 40:
                    pw = min(x0 + w0 - cx, r.choice([60, 100, 180, 320]))
                    self.bevel(cx, bottom, pw - 2, sh - 1, False, self.face, False)
                    if r.random() < .75:
                        self.mid(cx + 4, bottom, sh, self.fit(value(r, self.w), pw - 10), None, True)
                    cx += pw
            self.fill(x0 + 8, cy + 8, w0 - 16, bottom - cy - 16)
        self.clip.pop()

    def screen(self):
        r, W, H = self.r, self.W, self.H
        bg = r.choice([(0, 128, 128), (58, 110, 165), (0, 0, 0), (128, 128, 128), (40, 60, 90), self.face, tuple(r.randint(0, 255) for _ in range(3))])
        if r.random() < .3:
            self.grad(0, 0, W, H, bg, tuple(r.randint(0, 255) for _ in range(3)))
        else:
            self.d.rectangle([0, 0, W, H], fill=bg)
        if r.random() < .4:
            self.window(0, 0, W, H)
        else:
            for _ in range(r.choice([1, 1, 2, 3])):
                w, h = r.randint(min(W, 380), W), r.randint(min(H, 300), H)
                self.window(r.randint(0, W - w), r.randint(0, H - h), w, h)
        if r.random() < .4:
            w, h = r.randint(240, 520), r.randint(130, 420)
            self.window(r.randint(0, max(1, W - w)), r.randint(0, max(1, H - h)), w, h, True)
        if r.random() < .3:
            self.menu(r.randint(0, W - 300), r.randint(20, H // 2))
        return self.judged()

    def judged(self):
        """The elements drawn; what is mostly hidden or cut off is marked to be ignored."""
        out = []
        for e in self.out:
            hid, area, b = e.pop('_hid', 0), e.pop('_area'), e['bbox']
            share = (b[2] - b[0]) * (b[3] - b[1]) / max(1, area)
            if e['role'] != 'window' and (hid > .2 or share < .6):
                e['ignore'] = True
            e['bbox'] = [float(v) for v in b]
            out.append(e)
        return out


def r_h(r):
    return r.choice([18, 20, 22])


def make(seed):
    r = random.Random('canvas %d' % seed)
    lang = 'zh' if r.random() < .5 else 'en'
    W, H = r.choice([(640, 480), (800, 600), (1024, 768), (1024, 768), (1280, 800), (1280, 1024), (1366, 768), (1920, 1080)])
    s = Sheet(r, lang, W, H)
    elements = s.screen()
    scale = 1
    im = s.im
    if r.random() < .08:  # as enlarged by the system
        scale = r.choice([1.25, 1.5, 2])
        im = im.resize((int(W * scale), int(H * scale)), Image.NEAREST if scale == 2 else Image.BILINEAR)
        for e in elements:
            e['bbox'] = [v * scale for v in e['bbox']]
    return im, {'width': im.width, 'height': im.height, 'source': 'canvas', 'toolkit': 'canvas-' + s.k, 'lang': lang, 'seed': seed, 'scale': scale, 'elements': elements}


def main():
    a = argparse.ArgumentParser()
    a.add_argument('first', type=int)
    a.add_argument('last', type=int)
    a.add_argument('--out', default=place('canvas'))
    a = a.parse_args()
    os.makedirs(a.out, exist_ok=True)
    for seed in range(a.first, a.last):
        name = os.path.join(a.out, 'c%06d' % seed)
        if os.path.exists(name + '.json'):
            continue
        try:
            im, truth = make(seed)
        except ValueError as e:  # a form that came out too narrow to draw
            print(seed, e, flush=True)
            continue
        im.save(name + '.png')
        with open(name + '.tmp', 'w') as f:
            json.dump(truth, f)
        os.replace(name + '.tmp', name + '.json')


if __name__ == '__main__':
    main()
