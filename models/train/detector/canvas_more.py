"""More drawn screens, seeds from 3000: plain immediate-mode looks beside the old ones, order forms, open lists and menus, sheets, dialogs, states.

  canvas_more.py FIRST LAST [--out FOLDER]
"""
import argparse
import json
import math
import os
import random

from PIL import Image, ImageDraw

from canvas import CJK, LATIN, Sheet, font
from canvas import glyph as any_glyph
from places import place
from words import value, words

LIB = '/usr/share/fonts/truetype/'
MORE_LATIN = LATIN + [LIB + 'roboto/unhinted/RobotoTTF/Roboto-Regular.ttf', '/usr/share/wine/fonts/tahoma.ttf', '/usr/share/wine/fonts/tahoma.ttf', LIB + 'dejavu/DejaVuSans-Bold.ttf', LIB + 'dejavu/DejaVuSansMono.ttf',
                      LIB + 'liberation/LiberationSans-Bold.ttf', LIB + 'liberation/LiberationMono-Regular.ttf', LIB + 'liberation/LiberationSerif-Regular.ttf', LIB + 'liberation/LiberationSansNarrow-Regular.ttf',
                      '/usr/share/fonts/opentype/inter/Inter-Regular.otf', '/usr/share/fonts/opentype/cantarell/Cantarell-Regular.otf', '/usr/share/fonts/opentype/urw-base35/NimbusSans-Regular.otf']
MORE_CJK = CJK + ['/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc']
MORE_LATIN, MORE_CJK = [f for f in MORE_LATIN if os.path.exists(f)], [f for f in MORE_CJK if os.path.exists(f)]
ORDER = {'en': 'New|Save|Delete|Close|Print|Edit|Cancel|Post|Find|Query|Refresh|Export|Add|Insert|First|Last|Exit|Approve|Preview|Copy'.split('|'),
         'zh': '新增|保存|删除|关闭|打印|修改|取消|过账|查找|查询|刷新|导出|增加|插入|首张|末张|退出|审核|预览|复制'.split('|')}
ASKED = {'en': [['Yes', 'No', 'Cancel'], ['Yes', 'No'], ['OK'], ['OK', 'Cancel'], ['Abort', 'Retry', 'Ignore'], ['Retry', 'Cancel'], ['Save', "Don't save", 'Cancel'], ['OK', 'Cancel', 'Help'], ['OK', 'Cancel', 'Apply'], ['Close'], ['Yes to all', 'Yes', 'No']],
         'zh': [['是', '否', '取消'], ['是', '否'], ['确定'], ['确定', '取消'], ['中止', '重试', '忽略'], ['重试', '取消'], ['保存', '不保存', '取消'], ['确定', '取消', '帮助'], ['是(Y)', '否(N)'], ['关闭'], ['确定', '取消', '应用']]}
WHITE = (255, 255, 255)


def glyph(r, size):
    pic = any_glyph(r, size)
    return pic if max(pic.size) <= size else pic.crop((0, 0, size, size))  # some hold the steps of a movement


def mix(a, b, t=.5):
    return tuple(int(p + (q - p) * t) for p, q in zip(a, b))


def light(c):
    return .3 * c[0] + .59 * c[1] + .11 * c[2]


def jitter(r, c, n=8):
    return tuple(max(0, min(255, v + r.randint(-n, n))) for v in c)


class More(Sheet):
    def __init__(self, r, lang, W, H, plain):
        super().__init__(r, lang, W, H)
        self.size = r.choice([10, 11, 12, 12, 13, 13, 14, 15, 16, 18]) if lang == 'en' else r.choice([12, 12, 13, 14, 14, 15, 16, 18, 20])
        self.path = r.choice(MORE_CJK if lang == 'zh' else MORE_LATIN)
        self.font = font(self.path, self.size)
        self.plain = plain
        self.grey, self.foc_p, self.foc_n = r.choice([.5, 1, 1, 2]), .12, r.choice([0, 1, 1])
        self.foc_style = r.choice(['caret', 'caret', 'frame', 'thick', 'glow'])
        self.foc_color = r.choice([self.accent, (0, 120, 215), (60, 120, 200), (51, 153, 255)])
        self.combo_arrow = r.choice(['own', 'own', 'own', 'bare'])
        self.smooth = plain or self.k in ('aero', 'gtk', 'dark')
        if plain:
            self.plainly()
        self.ch = max(self.size + 6, self.size + r.choice([6, 7, 8, 9, 11, 14]))
        self.d.fontmode = '1' if r.random() < (.12 if plain else .3) else 'L'

    # -- the plain looks ----------------------------------------------------------------------------------------------------------------
    def plainly(self):
        r = self.r
        s = self.style = r.choice(['egui', 'egui', 'imgui', 'imgui', 'fltk', 'metal', 'nimbus', 'flash', 'flat', 'flat', 'any', 'any', 'any'])
        self.k, self.mono = s, False
        dark = {'egui': .6, 'imgui': .75, 'any': .35, 'flat': .15, 'flash': .1}.get(s, 0) > r.random()
        self.night = dark
        g = (lambda v: (max(0, min(255, v + r.randint(-6, 6))),) * 3)
        hue = tuple(r.randint(0, 255) for _ in range(3))
        tint = (lambda c, t=.25: mix(c, hue, t))
        ink = (lambda v: (max(0, min(255, v + r.randint(-12, 12))),) * 3)
        self.accent = jitter(r, r.choice([(0, 92, 128), (66, 150, 250), (57, 105, 138), (0, 120, 215), (40, 160, 90), (200, 90, 30), (120, 70, 180)]), 20)
        P = self.P = dict(rad=r.choice([0, 2, 3, 4]), fline=None, bline=None, grad=None, arrow=r.choice(['tri', 'chev', 'thin', 'small', 'updown']), asq=False, combo='button', tick=r.choice(['tick', 'tick', 'cross', 'fill']), boxline=True, full=False, under=False)
        if s == 'egui':
            face, field, btn, text = (g(27), g(10), g(60), ink(180)) if dark else (g(248), g(255), g(230), ink(70))
            self.accent = jitter(r, (0, 92, 128) if dark else (144, 209, 255))
            P.update(arrow=r.choice(['tri', 'tri', 'thin', 'chev']), tick='tick', boxline=False)
            P['fline'] = None if dark or r.random() < .4 else g(205)
        elif s == 'imgui':
            face, text = (g(15) if r.random() < .7 else g(40), g(250)) if dark else (g(240), g(5))
            base = jitter(r, r.choice([(66, 150, 250), (66, 150, 250), (120, 90, 200), (90, 160, 90), (200, 120, 60), (130, 130, 130)]), 14)
            field, btn, self.accent = (mix(face, base, .25), mix(face, base, .4), base) if dark else (g(255), mix(face, base, .4), base)
            P.update(rad=r.choice([0, 0, 0, 3, 6]), arrow='tri', asq=True, combo='field', tick=r.choice(['tick', 'tick', 'fill']), boxline=False)
            P['fline'] = g(200 if not dark else 80) if r.random() < .25 else None
        elif s == 'fltk':
            face, field, btn, text = r.choice([g(192), g(220), tint(g(215), .1)]), WHITE, None, (0, 0, 0)
            btn = face
            P.update(rad=r.choice([0, 0, 3]), fline=mix(face, (0, 0, 0), .4), bline=mix(face, (0, 0, 0), .45), combo=r.choice(['button', 'field']), arrow='tri', asq=r.random() < .5, tick=r.choice(['tick', 'fill']))
        elif s == 'metal':
            face, field, text = g(238), WHITE, (51, 51, 51)
            btn = (221, 232, 243)
            P.update(rad=0, fline=(122, 138, 153), bline=(122, 138, 153), grad=((250, 252, 255), (184, 207, 229)), combo=r.choice(['button', 'field']), arrow='tri', asq=True, tick='tick')
            self.accent = (163, 184, 204)
        elif s == 'nimbus':
            face, field, text = (214, 217, 223), WHITE, (0, 0, 0)
            btn = (225, 227, 231)
            P.update(rad=r.choice([3, 5]), fline=(146, 151, 161), bline=(140, 145, 155), grad=((250, 250, 251), (206, 210, 216)), combo='button', arrow='updown' if r.random() < .4 else 'tri', asq=True, tick='tick')
            self.accent = (57, 105, 138)
        elif s == 'flash':
            face, field, text = r.choice([tint(g(225), .2), (134, 147, 152), g(240)]), WHITE, (11, 51, 60)
            btn = g(240)
            P.update(rad=r.choice([4, 5, 8]), fline=(150, 155, 160), bline=(143, 150, 153), grad=(WHITE, (220, 225, 228)), combo='button', arrow=r.choice(['tri', 'small']), asq=r.random() < .5, tick='tick')
            self.accent = r.choice([(0, 154, 255), (120, 190, 20), (255, 150, 0)])
        elif s == 'flat':
            face, field, text = (g(45), g(30), g(225)) if dark else (r.choice([g(240), g(255), tint(g(240), .08)]), WHITE, g(20))
            btn = r.choice([self.accent, mix(face, text, .12), mix(face, self.accent, .2)])
            P.update(rad=r.choice([0, 0, 2]), fline=r.choice([mix(face, text, .35), mix(face, text, .5), None]), bline=r.choice([None, None, mix(face, text, .5)]), combo='field', arrow=r.choice(['tri', 'chev', 'thin']), asq=r.random() < .3, full=r.random() < .5, under=r.random() < .15)
        else:
            face = tint(g(r.randint(18, 70)), .15) if dark else tint(g(r.randint(195, 252)), .12)
            text = g(230) if dark else g(30)
            field = r.choice([mix(face, (0, 0, 0), .35), mix(face, WHITE, .12)]) if dark else r.choice([WHITE, mix(face, WHITE, .7), mix(face, (0, 0, 0), .07)])
            btn = r.choice([mix(face, text, .15), mix(face, text, .25), self.accent])
            P.update(rad=r.choice([0, 0, 2, 3, 4, 6, 10]), fline=r.choice([None, mix(face, text, .3), mix(face, text, .5)]), bline=r.choice([None, None, mix(face, text, .4)]), combo=r.choice(['button', 'field']), asq=r.random() < .4, boxline=r.random() < .7, full=r.random() < .4, under=r.random() < .08)
            if r.random() < .2 and btn != self.accent:
                P['grad'] = (mix(btn, WHITE, .25), mix(btn, (0, 0, 0), .1))
        d = sum(abs(a - b) for a, b in zip(field, face))
        if d < 18 and not P['fline']:
            P['fline'] = mix(face, text, .35)
        self.face, self.paper, self.ink, self.faint = face, field, text, mix(face, text, .45)
        P['btn'] = btn
        P['bink'] = WHITE if light(btn) < 125 and light(btn) - light(text) < 60 else (0, 0, 0) if light(text) > 150 else text
        self.hi, self.lo, self.dk, self.line = mix(face, WHITE, .35), mix(face, (0, 0, 0), .3), mix(face, (0, 0, 0), .6), P['fline'] or mix(face, text, .3)
        self.tick = r.choice([12, 13, 14, 14, 15, 16, 18]) if s != 'imgui' else self.size + r.choice([4, 6, 8])
        self.mark = P['tick']
        self.alabel = 'right' if s == 'imgui' and r.random() < .8 else None

    def on_accent(self):
        return WHITE if light(self.accent) < 150 else (0, 0, 0)

    def off(self, p=.07):
        return self.r.random() < p * self.grey

    def take(self, p=None):
        """Whether this one has the keyboard."""
        if self.foc_n > 0 and self.r.random() < (p or self.foc_p):
            self.foc_n -= 1
            return True
        return False

    def hide(self, b):
        super().hide(b)
        for e in self.out:  # a field whose right end is not seen may be any field
            q = e['bbox']
            if e['role'] in ('combobox', 'textbox') and b[0] < q[2] - 2 and b[2] >= q[2] - 2 and b[1] < q[3] - 3 and b[3] > q[1] + 3:
                e['_hid'] = max(e.get('_hid', 0), .3)

    # -- smooth strokes -----------------------------------------------------------------------------------------------------------------
    def paint(self, x, y, w, h, draw, color):
        """`draw` on a canvas four times as large, in white; coordinates within the box times four."""
        x, y, w, h = int(x), int(y), int(w), int(h)
        if w < 1 or h < 1:
            return
        m = Image.new('L', (w * 4, h * 4))
        draw(ImageDraw.Draw(m))
        self.im.paste(color, (x, y), m.resize((w, h), Image.BOX))

    def rr(self, x, y, w, h, rad, fill=None, line=None, width=1):
        if not rad:
            if fill is not None or line is not None:
                self.d.rectangle([x, y, x + w - 1, y + h - 1], fill=fill, outline=line, width=width if line is not None else 1)
            return
        rad = min(rad, h // 2, w // 2)
        if line is not None:
            self.paint(x, y, w, h, lambda d: d.rounded_rectangle([0, 0, w * 4 - 1, h * 4 - 1], rad * 4, fill=255), line)
            if fill is None:
                fill = self.face
            x, y, w, h, rad = x + width, y + width, w - 2 * width, h - 2 * width, max(1, rad - width)
        if fill is not None:
            self.paint(x, y, w, h, lambda d: d.rounded_rectangle([0, 0, w * 4 - 1, h * 4 - 1], rad * 4, fill=255), fill)

    def mark_in(self, x, y, n, kind, color, wide=None):
        """A sign in a square of n pixels."""
        u, wd = n * 4 / 12, max(4, int((wide or max(1, n / 9)) * 4))

        def draw(d):
            L = (lambda *p: d.line([v * u for v in p], fill=255, width=wd, joint='curve'))
            F = (lambda *p: d.polygon([v * u for v in p], fill=255))
            if kind == 'tick':
                L(2, 6.5, 5, 9.5, 10.5, 2.5)
            elif kind == 'cross':
                L(2, 2, 10, 10)
                L(2, 10, 10, 2)
            elif kind == 'fill':
                d.rectangle([2 * u, 2 * u, 10 * u, 10 * u], fill=255)
            elif kind == 'dot':
                d.ellipse([2.5 * u, 2.5 * u, 9.5 * u, 9.5 * u], fill=255)
            elif kind == 'tri':
                F(1.5, 3.5, 10.5, 3.5, 6, 9)
            elif kind == 'small':
                F(3, 4.5, 9, 4.5, 6, 8)
            elif kind == 'chev':
                L(2, 4, 6, 8, 10, 4)
            elif kind == 'thin':
                d.line([1.5 * u, 4 * u, 6 * u, 8.5 * u, 10.5 * u, 4 * u], fill=255, width=4)
            elif kind == 'updown':
                F(2.5, 5, 9.5, 5, 6, 1)
                F(2.5, 7, 9.5, 7, 6, 11)
            elif kind == 'up':
                F(1.5, 8.5, 10.5, 8.5, 6, 3)
            elif kind in ('right', 'next', 'last'):
                F(3, 1.5, 3, 10.5, 8.5, 6)
                if kind == 'last':
                    d.rectangle([9 * u, 1.5 * u, 10.3 * u, 10.5 * u], fill=255)
            elif kind in ('left', 'prev', 'first'):
                F(9, 1.5, 9, 10.5, 3.5, 6)
                if kind == 'first':
                    d.rectangle([1.7 * u, 1.5 * u, 3 * u, 10.5 * u], fill=255)
            elif kind == 'plus':
                L(6, 1.5, 6, 10.5)
                L(1.5, 6, 10.5, 6)
            elif kind == 'minus':
                L(1.5, 6, 10.5, 6)
            elif kind == 'triup':
                F(1, 8.5, 11, 8.5, 6, 3)
            elif kind == 'ring':
                d.arc([2 * u, 2 * u, 10 * u, 10 * u], 30, 320, fill=255, width=wd)
                F(8, 5, 11.5, 5, 10.5, 1.5)
            elif kind == 'calendar':
                d.rectangle([1.5 * u, 2.5 * u, 10.5 * u, 10.5 * u], outline=255, width=wd)
                d.rectangle([1.5 * u, 2.5 * u, 10.5 * u, 5 * u], fill=255)
            elif kind == 'dots':
                for i in (2.5, 6, 9.5):
                    d.ellipse([(i - 1) * u, 5 * u, (i + 1) * u, 7 * u], fill=255)
        self.paint(x, y, n, n, draw, color)

    def grid_dots(self, x, y, w, h):
        self.dots(int(x), int(y), int(w), int(h))

    def halo(self, x, y, w, h):
        """The blue frame of what has the keyboard."""
        c = self.foc_color
        rad = self.P['rad'] if self.plain else 3 if self.k in ('gtk', 'aero') else 0
        for i in range({'thick': 2, 'glow': 3}.get(self.foc_style, 1)):
            q = mix(c, self.face, .3 * i if self.foc_style == 'glow' else 0)
            o = i if self.foc_style != 'glow' else -i
            if rad:
                self.d.rounded_rectangle([x + o, y + o, x + w - 1 - o, y + h - 1 - o], rad, outline=q)
            else:
                self.d.rectangle([x + o, y + o, x + w - 1 - o, y + h - 1 - o], outline=q)

    # -- grounds ------------------------------------------------------------------------------------------------------------------------
    def frame(self, x, y, w, h, dis=False, foc=False):
        if not self.plain:
            super().frame(x, y, w, h, dis)
        else:
            P = self.P
            bg = mix(self.paper, self.face, .6) if dis else self.paper
            if P['under']:
                self.d.rectangle([x, y, x + w - 1, y + h - 1], fill=mix(bg, self.face, .5))
                self.d.line([x, y + h - 1, x + w - 1, y + h - 1], fill=self.faint)
            elif self.k == 'fltk' and not P['rad']:
                self.bevel(x, y, w, h, False, bg, True)
            else:
                self.rr(x, y, w, h, P['rad'] if h < 60 else min(4, P['rad']), bg, (mix(P['fline'], self.face, .5) if dis else P['fline']) if P['fline'] else None)
        if foc and self.foc_style != 'caret':
            self.halo(x, y, w, h)

    def push(self, x, y, w, h, small=False, default=False, down=False, dis=False, hover=False):
        if not self.plain:
            return super().push(x, y, w, h, small, default, down, dis)
        P, r = self.P, self.r
        c = P['btn']
        if down:
            c = mix(c, self.accent, .5)
        elif hover:
            c = mix(c, self.ink, .18)
        elif default and P['full']:
            c = self.accent
        if dis:
            c = mix(c, self.face, .6)
        if self.k == 'fltk' and not P['rad']:
            return self.bevel(x, y, w, h, not down, c, True)
        line = P['bline']
        if dis and line:
            line = mix(line, self.face, .5)
        rad = min(P['rad'], 3) if small else P['rad']
        if P['grad'] and not down and not dis and h > 6:
            a, b = P['grad']
            self.rr(x, y, w, h, rad, mix(a, b), line or c)
            self.grad(x + 1, y + max(1, rad // 2), w - 2, h - 2 * max(1, rad // 2), a, b)
        else:
            self.rr(x, y, w, h, rad, c, line)

    def combo_face(self, x, y, w, h, dis, foc, mono_arrow=None):
        """The ground of a combo box with its arrow; returns what the words may take at the right."""
        r = self.r
        ink = self.faint if dis else self.ink
        if not self.plain:
            i = 2 if self.k in ('w95', 'w2k', 'tk', 'motif') else 1
            if self.combo_arrow == 'bare' or self.k == 'motif':
                self.push(x, y, w, h)
                if self.k == 'gtk':
                    self.d.line([x + w - 22, y + 4, x + w - 22, y + h - 5], fill=self.line)
                if self.k == 'motif':
                    self.bevel(x + w - 18, y + h // 2 - 4, 11, 8, True, self.face)
                else:
                    self.arrow(x + w - 11, y + h // 2, 'down', r.choice([3, 4]), ink)
                return 24
            super().frame(x, y, w, h, dis)
            bw = r.choice([15, 16, 17, 18]) if h < 26 else h - 6
            flat = r.random() < .15
            if not flat:
                self.push(x + w - bw - i, y + i, bw, h - 2 * i, small=self.k == 'luna')
            self.arrow(x + w - bw // 2 - i - 1, y + h // 2, 'down', 3 if bw < 17 else 4, ink)
            if foc and self.foc_style not in ('caret',) and self.k in ('luna', 'aero', 'gtk', 'dark'):
                self.halo(x, y, w, h)
            return bw + 8
        P = self.P
        if P['combo'] == 'button':
            self.push(x, y, w, h, dis=dis)
            ink = mix(P['bink'], self.face, .5) if dis else P['bink']
        else:
            self.frame(x, y, w, h, dis)
        n = max(7, min(12, h // 2))
        sq = h if P['asq'] else n + 8
        if P['asq']:
            o = 1 if P['fline'] or P['bline'] else 0
            if P['combo'] == 'button' and self.k == 'nimbus' and not dis:
                self.rr(x + w - sq, y, sq, h, P['rad'], self.accent, mix(self.accent, (0, 0, 0), .3))
                ink = WHITE
            elif P['combo'] == 'button':
                self.d.line([x + w - sq, y + 3 * o, x + w - sq, y + h - 1 - 3 * o], fill=P['bline'] or mix(P['btn'], self.ink, .3))
            else:
                c = mix(P['btn'], self.face, .6) if dis else P['btn']
                self.rr(x + w - sq + (0 if not o else -1), y + o, sq, h - 2 * o, min(2, P['rad']), c, None)
                ink = mix(P['bink'], self.face, .5) if dis else P['bink']
        self.mark_in(x + w - sq // 2 - n // 2 - (0 if P['asq'] else 1), y + (h - n) // 2, n, P['arrow'], ink)
        if foc:
            self.halo(x, y, w, h)
        return sq + 4

    # -- controls -----------------------------------------------------------------------------------------------------------------------
    def kw(self, dis=False, foc=False, **kw):
        if dis:
            kw['enabled'] = False
        if foc:
            kw['focused'] = True
        return kw

    def edit(self, x, y, w, val=None, h=None, ph=None, plainly=False):
        r = self.r
        h = h or self.ch
        dis = self.off()
        foc = not dis and not plainly and self.take()
        self.frame(x, y, w, h, dis, foc)
        val = ('' if r.random() < .35 else value(r, self.w)) if val is None else val
        pad = r.choice([3, 4, 5, 6]) if not self.plain else max(4, min(8, h // 4))
        val = self.fit(val, w - 2 * pad)
        ink = self.faint if dis else self.ink
        tx = x + pad if r.random() < .9 else x + w - pad - 1 - int(self.font.getlength(val))
        end = tx + int(self.font.getlength(val))
        if foc:
            if val and r.random() < .4:
                self.d.rectangle([tx - 1, y + 3, end, y + h - 4], fill=self.accent)
                self.mid(tx, y, h, val, self.on_accent())
            else:
                self.mid(tx, y, h, val)
                c = end + 1 if r.random() < .7 else tx - 1
                self.d.line([c, y + 3, c, y + h - 4], fill=self.ink, width=r.choice([1, 1, 2]))
        elif not val and (ph or r.random() < (.25 if self.plain else .04)):
            self.mid(x + pad, y, h, self.fit(ph or r.choice(self.w['ph']), w - 2 * pad), self.faint)
        elif val and r.random() < .05:
            if r.random() < .5:
                self.mid(x + pad, y, h, self.fit('*' * r.randint(4, 10), w - 2 * pad), ink)
            else:
                n = max(4, self.size // 2)
                for i in range(min(r.randint(4, 10), (w - 2 * pad) // (n + 2))):
                    self.paint(x + pad + i * (n + 2), y + (h - n) // 2, n, n, lambda d: d.ellipse([0, 0, n * 4 - 1, n * 4 - 1], fill=255), ink)
        else:
            self.mid(tx, y, h, val, ink)
        self.add('textbox', [x, y, x + w, y + h], **self.kw(dis, foc))
        return w

    def spin(self, x, y, w):
        r, h = self.r, self.ch
        if not self.plain:
            return super().spin(x, y, w)
        dis, foc = self.off(), self.take()
        self.frame(x, y, w, h, dis, foc)
        t, ink = self.fit(str(r.choice([r.randint(0, 500), '%.2f' % r.uniform(0, 99)])), w - 24), self.faint if dis else self.ink
        if r.random() < .4 and w > 3 * h:  # - and + as in immediate-mode GUIs: two buttons beside the field
            self.mid(x + 5, y, h, t, ink)
            self.add('textbox', [x, y, x + w - 2 * h - 4, y + h], **self.kw(dis))
            self.d.rectangle([x + w - 2 * h - 4, y, x + w - 1, y + h - 1], fill=self.face)
            for i, s in enumerate(('minus', 'plus')):
                bx = x + w - (2 - i) * h - 2 + 2 * i
                self.push(bx, y, h, h)
                self.mark_in(bx + h // 2 - 4, y + h // 2 - 4, 9, s, self.P['bink'])
                self.add('button', [bx, y, bx + h, y + h])
            return w
        self.mid(x + 5, y, h, t, ink)
        hh = (h - 2) // 2
        for j, s in enumerate(('up', 'tri')):
            if self.P['bline'] or r.random() < .5:
                self.push(x + w - 16, y + 1 + j * hh, 15, hh, small=True)
                c = self.P['bink']
            else:
                c = self.ink
            self.mark_in(x + w - 12, y + 1 + j * hh + (hh - 7) // 2, 7, s, c)
        self.add('textbox', [x, y, x + w, y + h], **self.kw(dis, foc))
        return w

    def combo(self, x, y, w, val=None, h=None):
        r, h = self.r, h or self.ch
        dis = self.off() if val is None else False
        foc = not dis and self.take()
        room = self.combo_face(x, y, w, h, dis, foc)
        val = r.choice([r.choice(self.w['noun']), r.choice(self.w['radio']), value(r, self.w), '', r.choice(self.w['ph'])]) if val is None else val
        val = self.fit(val, w - room - 4)
        btn = self.plain and self.P['combo'] == 'button'
        ink = self.P['bink'] if btn else self.ink
        if dis:
            ink = mix(ink, self.face, .5)
        if foc and not btn and val and self.foc_style == 'caret':
            if r.random() < .6:
                self.d.rectangle([x + 3, y + 3, x + w - room, y + h - 4], fill=self.accent)
                ink = self.on_accent()
                if r.random() < .5:
                    self.grid_dots(x + 3, y + 3, w - room - 2, h - 6)
            else:
                c = x + 5 + int(self.font.getlength(val))
                self.d.line([c, y + 3, c, y + h - 4], fill=self.ink)
        self.mid(x + (6 if btn else 4), y, h, val, ink)
        self.add('combobox', [x, y, x + w, y + h], **self.kw(dis, foc))
        return w

    def date(self, x, y, w):
        """A date with an arrow or a small calendar that drops down."""
        r, h = self.r, self.ch
        t = r.choice(['2026-%02d-%02d', '%02d/%02d/2026', '2026/%d/%d', '2026年%d月%d日' if self.lang == 'zh' else '%d.%d.2026']) % (r.randint(1, 12), r.randint(1, 28))
        if r.random() < .55 or self.plain:
            return self.combo(x, y, w, t)
        dis, foc = self.off(), self.take()
        self.frame(x, y, w, h, dis, foc)
        i = 2 if self.k in ('w95', 'w2k', 'tk', 'motif') else 1
        n, ink = min(12, h - 2 * i - 2), self.faint if dis else self.ink
        bw = n + 6
        if r.random() < .6:
            self.push(x + w - bw - i, y + i, bw, h - 2 * i, small=True)
        tx = x + 5
        if r.random() < .3:
            k = min(self.tick, h - 4)
            tx += 0
        self.mid(tx, y, h, self.fit(t, w - bw - 8), ink)
        self.mark_in(x + w - i - bw // 2 - n // 2, y + (h - n) // 2, n, 'calendar', ink)
        self.add('combobox', [x, y, x + w, y + h], **self.kw(dis, foc))
        return w

    def square(self, x, y, n, on, dis, foc=False):
        if self.plain:
            P = self.P
            bg = mix(self.paper, self.face, .6) if dis else self.paper
            full = on and P['full']
            line = P['fline'] if P['fline'] and (P['boxline'] or not self.night) else mix(self.face, self.ink, .4) if P['boxline'] else None
            if line is None and sum(abs(a - b) for a, b in zip(bg, self.face)) < 30:
                line = mix(self.face, self.ink, .4)
            self.rr(x, y, n, n, min(P['rad'], 4), mix(self.accent, self.face, .6) if full and dis else self.accent if full else bg, None if full else line)
            if on:
                c = self.on_accent() if full else self.accent if self.k == 'imgui' else self.ink
                self.mark_in(x + 1, y + 1, n - 2, P['tick'] if not (full and P['tick'] == 'fill') else 'tick', mix(c, self.face, .5) if dis else c)
            if foc:
                self.halo(x, y, n, n)
            return
        color = self.faint if dis else (33, 161, 33) if self.k == 'luna' else (74, 95, 151) if self.k == 'aero' else self.ink
        if self.k in ('w95', 'w2k'):
            self.bevel(x, y, n, n, False, self.face if dis else self.paper)
        elif self.k in ('motif', 'tk'):
            if on and self.mark == 'fill' and self.r.random() < .5:
                self.bevel(x, y, n, n, False, self.tickred)
            else:
                self.bevel(x, y, n, n, not (on or self.k == 'tk'), self.face if self.k == 'motif' else self.paper)
        else:
            c = {'luna': (28, 81, 128), 'aero': (142, 143, 143)}.get(self.k, self.line if self.k != 'dark' else (140, 140, 140))
            self.d.rectangle([x, y, x + n - 1, y + n - 1], fill=self.paper, outline=self.faint if dis else c)
            if self.k == 'aero':
                self.d.rectangle([x + 2, y + 2, x + n - 3, y + n - 3], outline=(200, 205, 210))
        if on:
            self.tickmark(x, y, n, color)

    def words_beside(self, x, y, h, s, dis, foc):
        b = self.mid(x, y, h, s, self.faint if dis else None, True, sunk=dis and self.k in ('w95', 'w2k'))
        if foc and (not self.plain or self.r.random() < .4):
            self.grid_dots(b[0] - 2, y + 1, b[2] - b[0] + 4, h - 2)
        return b[2]

    def check(self, x, y, text=None, h=None, bare=False, on=None):
        r, n = self.r, self.tick
        h = h or self.ch
        n = min(n, h)
        on, dis = r.random() < .5 if on is None else on, self.off()
        foc = not dis and not bare and self.take(.1)
        ty = y + (h - n) // 2
        self.square(x, ty, n, on, dis, foc)
        self.add('checkbox', [x, ty, x + n, ty + n], **self.kw(dis, foc, checked=on))
        if bare:
            return n
        return self.words_beside(x + n + r.choice([3, 4, 5, 6, 8]), y, h, text or r.choice(self.w['tick']), dis, foc) - x

    def radio(self, x, y, text=None, on=False, dis=False):
        if not self.plain:
            foc = on and not dis and text != '' and self.take(.15)
            n = super().radio(x, y, text, on, dis)
            e = self.out[-1] if self.out and self.out[-1]['role'] == 'radio' else self.out[-2] if len(self.out) > 1 else None
            if foc and e and e['role'] == 'radio':
                e['focused'] = True
                k = self.tick - (1 if self.tick > 12 else 0) + 2
                self.grid_dots(x + k, y + 1, n - k + 2, self.ch - 2)
            return n
        P, n, h = self.P, self.tick, self.ch
        n = min(n, h)
        ty = y + (h - n) // 2
        foc = on and not dis and self.take(.15)
        bg = mix(self.paper, self.face, .6) if dis else self.paper
        line = P['fline'] or (mix(self.face, self.ink, .4) if P['boxline'] else None)
        if line is None and sum(abs(a - b) for a, b in zip(bg, self.face)) < 30:
            line = mix(self.face, self.ink, .4)
        full = on and P['full']
        c = mix(self.accent, self.face, .6) if dis else self.accent
        E = (lambda m: (lambda d: d.ellipse([m * 4, m * 4, (n - m) * 4 - 1, (n - m) * 4 - 1], fill=255)))
        if full:
            self.paint(x, ty, n, n, E(0), c)
            self.paint(x, ty, n, n, E(n * .3), self.on_accent())
        else:
            if line:
                self.paint(x, ty, n, n, E(0), mix(line, self.face, .4) if dis else line)
            self.paint(x, ty, n, n, E(1 if line else 0), bg)
            if on:
                q = self.accent if self.k == 'imgui' else self.ink
                self.paint(x, ty, n, n, E(n * .28), mix(q, self.face, .5) if dis else q)
        if foc:
            self.d.ellipse([x - 1, ty - 1, x + n, ty + n], outline=self.foc_color)
        self.add('radio', [x, ty, x + n, ty + n], **self.kw(dis, foc, checked=on))
        if text == '':
            return n
        return self.words_beside(x + n + self.r.choice([4, 5, 6, 8]), y, h, text or self.r.choice(self.w['radio']), dis, foc) - x

    def radios(self, x, y, n=None, down=None, room=None):
        r = self.r
        names = r.sample(self.w['radio'], n or r.randint(2, 4))
        on, dis = r.randrange(len(names) + (r.random() < .1)), self.off(.05)
        down = r.random() < .4 if down is None else down
        x0, y0, w = x, y, 0
        for i, s in enumerate(names):
            if not down and room and x + self.tick + 8 + self.font.getlength(s) > x0 + room:
                break
            k = self.radio(x, y, s, i == on, dis)
            w = max(w, x + k - x0)
            if down:
                y += self.ch
            else:
                x += k + r.choice([6, 10, 18])
        return w, (y - y0 if down else self.ch)

    def toggle(self, x, y, text=None):
        r, h = self.r, max(12, min(20, self.ch - 6))
        w, on, dis = int(h * r.choice([1.6, 1.8, 2])), r.random() < .5, self.off()
        ty = y + (self.ch - h) // 2
        c = self.accent if on else mix(self.face, self.ink, .35)
        self.paint(x, ty, w, h, lambda d: d.rounded_rectangle([0, 0, w * 4 - 1, h * 4 - 1], h * 2, fill=255), mix(c, self.face, .6) if dis else c)
        m, k = r.choice([2, 3]), (w - h) if on else 0
        self.paint(x + k, ty, h, h, lambda d: d.ellipse([m * 4, m * 4, (h - m) * 4, (h - m) * 4], fill=255), WHITE)
        self.add('switch', [x, ty, x + w, ty + h], **self.kw(dis, checked=on))
        return self.mid(x + w + 6, y, self.ch, text or r.choice(self.w['tick']), self.faint if dis else None, True)[2] - x

    def button(self, x, y, text=None, w=None, h=None, default=None, state=None, pic=None, role='button', dis=None):
        r = self.r
        text = text or r.choice(self.w['button'])
        tw = int(self.font.getlength(text))
        if pic is None:
            pic = glyph(r, 16) if r.random() < (.05 if self.plain else .18) and h != 0 and (w is None or w > 40) else None
        w = max(w or 75, tw + (34 if pic else 14)) if w != 0 else tw + (36 if pic else 16)
        h = h or max(self.ch, self.size + 8) + r.choice([0, 0, 1, 2, 4])
        dis = self.off() if dis is None else dis
        foc = not dis and self.take(.08)
        default = (r.random() < .1 or foc and not self.plain) if default is None else default
        state = state or r.choices(['', 'hover', 'down'], [86, 9, 5])[0]
        down = state == 'down' and not dis
        ink = None
        if self.plain:
            self.push(x, y, w, h, default=default, down=down, dis=dis, hover=state == 'hover')
            now = mix(self.P['btn'], self.accent, .5) if down else self.accent if default and self.P['full'] and state != 'hover' else self.P['btn']
            ink = self.P['bink'] if abs(light(self.P['bink']) - light(now)) > 70 else WHITE if light(now) < 140 else (0, 0, 0)
            if dis:
                ink = mix(self.P['bink'], mix(self.P['btn'], self.face, .6), .6)
            if foc:
                self.halo(x, y, w, h)
        else:
            self.push(x, y, w, h, default=default, dis=dis, down=down)
            ink = self.faint if dis else None
            if state == 'hover' and not dis and self.k in ('luna', 'aero', 'gtk'):
                self.d.rectangle([x + 1, y + 1, x + w - 2, y + h - 2], outline=(250, 200, 90) if self.k == 'luna' else (120, 190, 240))
        o = 1 if down else 0
        tx = x + (w - tw - (20 if pic else 0)) // 2 + o
        if pic:
            self.im.paste(pic, (tx, y + (h - 16) // 2 + o), pic)
            tx += 20
        self.mid(tx, y + o, h, text, ink, sunk=dis and self.k in ('w95', 'w2k'))
        if foc and (not self.plain or r.random() < .3):
            self.grid_dots(x + 4, y + 4, w - 8, h - 8)
        self.add(role, [x, y, x + w, y + h], **self.kw(dis, foc))
        return w

    def sign(self, x, y, w, h, s, dis=None):
        """A button with one sign, drawn or a character."""
        r = self.r
        dis = self.off(.12) if dis is None else dis
        foc = not dis and self.take(.04)
        self.push(x, y, w, h, dis=dis)
        ink = self.P['bink'] if self.plain else self.ink
        if dis:
            ink = mix(ink, self.face, .6)
        kind = {'|<': 'first', '<': 'prev', '>': 'next', '>|': 'last', '+': 'plus', '-': 'minus', '✓': 'tick', '×': 'cross', '▲': 'triup', '▼': 'tri', '↻': 'ring', '…': 'dots'}.get(s)
        if kind and (self.drawn or s in '✓▲▼↻…'):
            n = max(8, min(w, h) // 2)
            c = ink if dis or not self.coloured or light(self.face) < 130 else {'plus': (0, 120, 0), 'minus': (170, 0, 0), 'tick': (0, 120, 0), 'cross': (190, 0, 0)}.get(kind, (0, 0, 140))
            self.mark_in(x + (w - n) // 2, y + (h - n) // 2, n, kind, c if not self.plain or dis else ink, 1 if r.random() < .3 else None)
        else:
            tw = int(self.font.getlength(s))
            self.mid(x + (w - tw) // 2, y, h, s, ink)
        if foc:
            self.grid_dots(x + 3, y + 3, w - 6, h - 6) if not self.plain else self.halo(x, y, w, h)
        self.add('button', [x, y, x + w, y + h], **self.kw(dis, foc))
        return w

    def track(self, x, y, w, name=None):
        r = self.r
        if not self.plain and r.random() < .8:
            dis = self.off()
            foc = not dis and self.take(.15)
            n = super().track(x, y, w)
            if foc:
                b = self.out[-1]['bbox']
                self.grid_dots(b[0] - 3, b[1] - 2, b[2] - b[0] + 6, b[3] - b[1] + 4)
                self.out[-1]['focused'] = True
            return n
        h, p, dis = self.ch, r.random(), self.off()
        c = mix(self.accent, self.face, .6) if dis else self.accent
        knob = self.P['btn'] if self.plain else self.face
        if self.plain and self.k == 'imgui' or self.plain and r.random() < .15:
            self.frame(x, y, w, h, dis)
            g = r.choice([8, 12, 18])
            gx = x + 2 + int(p * (w - g - 4))
            if r.random() < .8:
                self.d.rectangle([gx, y + 2, gx + g - 1, y + h - 3], fill=c)
            else:
                self.d.rectangle([x + 1, y + 1, gx, y + h - 2], fill=mix(c, self.paper, .4))
            t = '%.*f' % (r.choice([0, 2, 3]), p * r.choice([1, 10, 100]))
            self.mid(x + (w - int(self.font.getlength(t))) // 2, y, h, t, self.faint if dis else None)
        else:
            th, n = r.choice([2, 4, 4, 6, 8]), r.choice([12, 14, 16, 18])
            n = min(n, h)
            cy = y + h // 2
            self.rr(x, cy - th // 2, w, th, th // 2 if self.P['rad'] else 0, mix(self.paper, self.ink, .15), None) if self.plain else self.d.rectangle([x, cy - 2, x + w - 1, cy + 1], fill=self.lo)
            gx = x + int(p * (w - n))
            if r.random() < .5:
                self.d.rectangle([x + 1, cy - th // 2, gx, cy - th // 2 + th - 1], fill=c)
            k = r.choice(['round', 'round', 'square', 'bar'])
            kc = r.choice([c, mix(knob, self.ink, .25)])
            if k == 'round':
                self.paint(gx, cy - n // 2, n, n, lambda d: d.ellipse([0, 0, n * 4 - 1, n * 4 - 1], fill=255), self.lo)
                self.paint(gx, cy - n // 2, n, n, lambda d: d.ellipse([4, 4, n * 4 - 5, n * 4 - 5], fill=255), kc)
            elif k == 'square':
                self.rr(gx, cy - n // 2, n, n, 2, kc, self.lo)
            else:
                self.rr(gx + n // 4, cy - n // 2, n // 2, n, 1, kc, self.lo)
            y, h = cy - n // 2, n
        self.add('slider', [x, y, x + w, y + h], **self.kw(dis))
        return w

    def selectables(self, x, y, w, names=None, role='tab'):
        """Labels side by side, one of them chosen: filled, underlined or bare."""
        r = self.r
        names = names or r.sample(self.w[r.choice(['nav', 'head'])], r.randint(2, 6))
        on, hover, style = r.randrange(len(names)), r.randrange(len(names) * 3), r.choice(['fill', 'fill', 'line', 'all'])
        h, cx, gap = self.ch, x, r.choice([0, 2, 4, 8])
        for i, s in enumerate(names):
            tw = int(self.font.getlength(s)) + r.choice([8, 12, 16]) * 1
            if cx + tw > x + w:
                break
            ink, dis = self.ink, self.off(.03)
            rad = self.P['rad'] if self.plain else 0
            if i == on and style != 'line':
                self.rr(cx, y, tw, h, rad, self.accent)
                ink = self.on_accent()
            elif style == 'all' or i == hover:
                self.rr(cx, y, tw, h, rad, mix(self.face, self.ink, .1 if i != hover else .18))
            if i == on and style == 'line':
                self.d.rectangle([cx, y + h - 2, cx + tw - 1, y + h - 1], fill=self.accent)
            self.mid(cx + (tw - int(self.font.getlength(s))) // 2, y, h, s, self.faint if dis else ink)
            self.add(role, [cx, y, cx + tw, y + h], **self.kw(dis))
            cx += tw + gap
        if r.random() < .4:
            self.d.line([x, y + h + 1, x + w - 1, y + h + 1], fill=mix(self.face, self.ink, .25))
        return h + 6

    # -- larger things ------------------------------------------------------------------------------------------------------------------
    def hscroll(self, x, y, w):
        n = 16
        self.d.rectangle([x, y, x + w - 1, y + n - 1], fill=mix(self.face, self.hi))
        for bx, k in ((x, 'left'), (x + w - n, 'right')):
            self.push(bx, y, n, n, small=True)
            self.mark_in(bx + 4, y + 4, 8, k, self.P['bink'] if self.plain else self.ink)
        if w > 70:
            self.push(x + n + self.r.randint(0, w // 5), y, w // 3, n, small=True)

    def scrollbar(self, x, y, h):
        if not self.plain or self.k in ('fltk', 'metal'):
            return super().scrollbar(x, y, h)
        n = self.r.choice([6, 8, 10, 14])
        self.d.rectangle([x + 16 - n, y, x + 15, y + h - 1], fill=mix(self.paper, self.face))
        k = max(10, h // 3)
        self.rr(x + 17 - n, y + self.r.randint(0, max(0, h - k)), n - 2, k, n // 2 - 1, mix(self.face, self.ink, .35))

    def listing(self, x, y, w, h, kind='list', popup=False, hot=None, lh=None):
        """A list, a list to tick, a tree; popup: the list under a combo box."""
        r = self.r
        if popup:
            bg = self.paper if not self.plain or self.P['combo'] == 'field' or r.random() < .5 else self.face
            line = (0, 0, 0) if self.k in ('w95', 'w2k') else self.line if not self.plain else self.P['fline'] or mix(self.face, self.ink, .3)
            if self.k in ('motif', 'tk', 'fltk'):
                self.bevel(x, y, w, h, True, bg)
            else:
                self.rr(x, y, w, h, min(4, self.P['rad']) if self.plain else 0, bg, line)
        else:
            self.frame(x, y, w, h, self.off(.04))
        e = 1 if popup or self.smooth and not self.k == 'fltk' else 2
        tree, chk = kind == 'tree', kind == 'checks'
        lh = lh or self.size + r.choice([3, 4, 6, 8, 12])
        pics = tree and r.random() < .6 or not tree and r.random() < .12
        lh = max(lh, 17 if pics else 0, self.tick + 2 if chk else 0)
        room = max(1, (h - 2 * e) // lh)
        rows = room if popup else r.randint(1, room + 4)
        more = rows > room or popup and r.random() < .4 or r.random() < .1
        right = x + w - e - (16 if more else 0)
        if more:
            self.scrollbar(x + w - e - 16, y + e, h - 2 * e)
        cy, sel, depth = y + e, (hot if hot is not None else r.randrange(max(2, min(rows, room) * (1 if popup else 2)))), 0
        signs, dotted, old = r.choice(['box', 'box', 'tri', 'chev']), r.random() < .6, self.grey
        foc_list = not popup and self.take(.2)
        grey_sel = not popup and r.random() < .2
        names = r.choice([None, 'noun', 'nav', 'head', 'radio', 'label', 'item'])
        for i in range(min(rows, room)):
            s = value(r, self.w) if names is None else r.choice(self.w[names])
            cx = x + e + r.choice([3]) + (depth * 18 if tree else 0)
            if tree:
                if dotted:
                    for yy in range(cy, cy + lh, 2):
                        self.d.point((cx + 4, yy), fill=self.faint)
                    for xx in range(cx + 9, cx + 16, 2):
                        self.d.point((xx, cy + lh // 2), fill=self.faint)
                if r.random() < .5:
                    if signs == 'box':
                        self.d.rectangle([cx, cy + lh // 2 - 4, cx + 8, cy + lh // 2 + 4], fill=self.paper, outline=self.faint)
                        self.d.line([cx + 2, cy + lh // 2, cx + 6, cy + lh // 2], fill=self.ink)
                        if r.random() < .5:
                            self.d.line([cx + 4, cy + lh // 2 - 2, cx + 4, cy + lh // 2 + 2], fill=self.ink)
                    else:
                        self.mark_in(cx, cy + lh // 2 - 5, 10, 'right' if r.random() < .5 else 'tri' if signs == 'tri' else 'chev', self.ink)
                cx += 17
            start = cx
            if chk:
                cx += self.check(cx, cy, h=lh, bare=True) + 4
            if pics:
                pic = glyph(r, 16)
                self.im.paste(pic, (cx, cy + (lh - 16) // 2), pic)
                cx += 19
            s = self.fit(s, right - cx - 4)
            tw = int(self.font.getlength(s))
            ink = self.ink
            if i == sel:
                q = [cx - 1, cy, cx + tw + 1, cy + lh - 1] if tree and not self.plain else [x + e, cy, right - 1, cy + lh - 1]
                self.d.rectangle(q, fill=mix(self.face, (128, 128, 128), .3) if grey_sel else self.accent)
                ink = self.ink if grey_sel else self.on_accent()
                if foc_list:
                    self.grid_dots(q[0], q[1], q[2] - q[0] + 1, q[3] - q[1] + 1)
            dis = self.off(.02)
            self.mid(cx, cy, lh, s, self.faint if dis else ink)
            if s:
                b = [start, cy, cx + tw + 2, cy + lh] if tree else [x + e, cy, right, cy + lh]
                self.add('listitem', b, **self.kw(dis, foc_list and i == sel))
            cy += lh
            depth = max(0, min(3, depth + r.choice([-1, 0, 0, 1])))
        return w

    def listbox(self, x, y, w, h, tree=False):
        return self.listing(x, y, w, h, 'tree' if tree else self.r.choices(['list', 'checks'], [82, 18])[0])

    def grid(self, x, y, w, h, rows=None, heads=None):
        """A data grid; may be empty."""
        r = self.r
        self.frame(x, y, w, h)
        e = 1 if self.smooth or r.random() < .2 else 2
        x, y, w, h = x + e, y + e, w - 2 * e, h - 2 * e
        blank = r.choice([self.paper, self.paper, self.lo if not self.plain else mix(self.paper, self.face, .5), self.face])
        lh, hh = self.size + r.choice([4, 5, 7, 9, 12]), self.size + r.choice([5, 7, 9, 12])
        both, mark, flat = r.choice(['both', 'both', 'rows', 'none']), r.choice([0, 0, 12, 12, 30]), self.k in ('aero', 'gtk', 'dark') or bool(self.plain) and self.k != 'fltk' or r.random() < .25
        lc = r.choice([self.face, mix(self.paper, self.ink, .2), mix(self.paper, self.ink, .35), (192, 192, 192)])
        numbered = mark == 30
        xs = [x + mark]
        while xs[-1] < x + w and len(xs) < 16:
            xs.append(xs[-1] + r.choice([r.randint(40, 190), r.randint(50, 110)]))
        if xs[-1] > x + w or r.random() < .3:
            xs[-1] = x + w
        if len(xs) > 2 and xs[-1] - xs[-2] < 16:
            xs.pop()
        self.d.rectangle([x, y, x + w - 1, y + h - 1], fill=blank)
        kinds = [r.choices(['text', 'num', 'check'], [66, 26, 8])[0] for _ in xs[1:]]
        hc, gr, bold = r.choice([self.face, mix(self.face, self.ink, .08), mix(self.face, self.accent, .2), self.accent if self.plain else self.face]), r.random() < .4, r.random() < .2
        hink = WHITE if light(hc) < 120 else (0, 0, 0) if light(self.ink) > 150 and light(hc) > 140 else self.ink
        ends = self.k in ('w95', 'w2k') and r.random() < .5
        if mark:
            self.d.rectangle([x, y, x + mark - 1, y + hh - 1], fill=hc)
            if not flat:
                self.bevel(x, y, mark, hh, True, hc, False)
        mid_heads, sort = r.random() < .4, r.randrange(len(xs) * 4)
        for i in range(len(xs) - 1):
            a, b = xs[i], xs[i + 1]
            if flat:
                if gr and not self.plain:
                    self.grad(a, y, b - a, hh, self.paper, self.face)
                else:
                    self.d.rectangle([a, y, b - 1, y + hh - 1], fill=hc)
                if both != 'none' or r.random() < .5:
                    self.d.line([b - 1, y + 2, b - 1, y + hh - 3], fill=lc if lc != hc else self.lo)
                self.d.line([a, y + hh - 1, b - 1, y + hh - 1], fill=self.lo)
            else:
                self.bevel(a, y, b - a, hh, True, hc, ends)
            s = self.fit(heads[i % len(heads)] if heads else r.choice(self.w['label']), b - a - 8)
            self.mid(a + 4 if not mid_heads else a + (b - a - int(self.font.getlength(s))) // 2, y, hh, s, hink)
            if i == sort and b - a > self.font.getlength(s) + 24:
                self.mark_in(b - 13, y + hh // 2 - 4, 8, r.choice(['triup', 'tri']), hink)
            self.add('cell', [a, y, b, y + hh])
        foot = 17 if r.random() < .25 and h > 120 else 0
        side = 17 if r.random() < .35 and h > 90 else 0
        rows = r.choice([0, 0, 1, 2, r.randint(0, 12), r.randint(0, 40)]) if rows is None else rows
        sel, cy, way = r.randrange(24), y + hh, r.choice(['row', 'row', 'cell', 'cell', 'edit'])
        selc = r.randrange(len(xs) - 1)
        zebra, empty, foc_ok = r.random() < .25, r.random() < .2, r.random() < .6
        if sel >= rows and rows and r.random() < .6:
            sel = r.randrange(rows)
        for i in range(rows):
            if cy + lh > y + h - foot:
                break
            stripe = mix(self.paper, self.ink, .05) if zebra and i % 2 else self.paper
            if mark:
                self.d.rectangle([x, cy, x + mark - 1, cy + lh - 1], fill=hc)
                if not flat:
                    self.bevel(x, cy, mark, lh, True, hc, False)
                else:
                    self.d.line([x, cy + lh - 1, x + mark - 1, cy + lh - 1], fill=lc)
                if numbered:
                    s = self.fit(str(i + 1), mark - 4)
                    self.mid(x + (mark - int(self.font.getlength(s))) // 2, cy, lh, s, hink)
                    self.add('cell', [x, cy, x + mark, cy + lh])
                elif i == sel:
                    self.mark_in(x + 2, cy + lh // 2 - 4, 8, 'right', hink)
            for j in range(len(xs) - 1):
                a, b = xs[j], xs[j + 1]
                here = i == sel and (way == 'row' or j == selc)
                bg = self.accent if here and way != 'edit' else stripe
                self.d.rectangle([a, cy, b - 1, cy + lh - 1], fill=bg)
                if kinds[j] == 'check' and lh >= self.tick:
                    self.check(a + (b - a - self.tick) // 2, cy, h=lh, bare=True)
                else:
                    s = '' if empty and r.random() < .7 else '{:,.2f}'.format(r.uniform(0, 9999)) if kinds[j] == 'num' else value(r, self.w) if r.random() < .9 else ''
                    s = self.fit(s, b - a - 7)
                    tx = b - 4 - int(self.font.getlength(s)) if kinds[j] == 'num' else a + 3
                    edit = here and way == 'edit' and b - a > 30
                    if edit:
                        self.d.rectangle([a, cy, b - 2, cy + lh - 2], fill=self.paper, outline=self.ink if r.random() < .5 else self.accent)
                    self.mid(tx, cy, lh, s, self.on_accent() if here and way != 'edit' else self.ink)
                    if edit:
                        c = tx + int(self.font.getlength(s)) + 1
                        self.d.line([c, cy + 2, c, cy + lh - 4], fill=self.ink)
                        self.add('textbox', [a, cy, b - 1, cy + lh - 1], focused=True)
                    else:
                        foc = here and way == 'cell' and foc_ok
                        if foc and r.random() < .6:
                            self.grid_dots(a, cy, b - a - 1, lh - 1)
                        self.add('cell', [a, cy, b, cy + lh], **self.kw(False, foc))
                if both == 'both':
                    self.d.line([b - 1, cy, b - 1, cy + lh - 1], fill=lc)
            if both != 'none':
                self.d.line([xs[0], cy + lh - 1, xs[-1] - 1, cy + lh - 1], fill=lc)
            cy += lh
        if foot:
            self.hscroll(x, y + h - 16, w - (16 if side else 0))
        if side:
            self.shade([x + w - 16, y + hh, x + w, y + h])
            self.scrollbar(x + w - 16, y + hh, h - hh - (16 if foot else 0))

    def shade(self, b):
        """A scroll bar covers the right ends of what was just drawn: cut the boxes."""
        for e in self.out:
            q = e['bbox']
            if q[0] < b[0] < q[2] <= b[2] and q[1] >= b[1] - 1 and q[3] <= b[3] + 1 and e['role'] in ('cell', 'textbox'):
                e['_area'] = e['_area'] * (b[0] - q[0]) / max(1, q[2] - q[0])
                q[2] = b[0]
                if q[2] - q[0] < 8:
                    e['_hid'] = 1
            elif q[0] >= b[0] and q[2] <= b[2] + 1 and q[1] >= b[1] - 1 and q[3] <= b[3] + 1 and e['role'] in ('cell', 'textbox', 'checkbox') or e['role'] == 'checkbox' and q[0] < b[2] and q[2] > b[0] and q[1] >= b[1] and q[3] <= b[3]:
                e['_hid'] = 1
        self.out = [e for e in self.out if e.get('_hid', 0) < 1]

    def memo(self, x, y, w, h):
        dis = self.off()
        foc = not dis and self.take()
        self.frame(x, y, w, h, dis, foc)
        cy, n, end = y + 4, self.r.randint(0, max(1, (h - 6) // (self.size + 4))), x + 5
        for _ in range(n):
            if cy + self.size + 3 > y + h:
                break
            s = self.fit(self.r.choice(self.w['sent']), w - 28)
            self.text(x + 5, cy, s, self.faint if dis else None)
            end = x + 6 + int(self.font.getlength(s))
            cy += self.size + 4
        if foc:
            cy = max(y + 4, cy - self.size - 4)
            self.d.line([end, cy, end, cy + self.size + 1], fill=self.ink)
        if self.r.random() < .5 and h > 50:
            self.scrollbar(x + w - 18, y + 2, h - 4)
        self.add('textbox', [x, y, x + w, y + h], **self.kw(dis, foc))

    def pages_of(self, x, y, w, h):
        """A page control: tabs above in one or several rows, or below; returns the area within."""
        r = self.r
        th, way = self.size + r.choice([6, 8, 9, 12]), r.choices(['top', 'rows', 'bottom', 'flat'], [50, 18, 18, 14])[0]
        if way == 'flat' or self.plain and way == 'rows':
            k = self.selectables(x, y, w)
            return x + 4, y + k + 4, w - 8, h - k - 8
        n = r.choice([2, 2, 3]) if way == 'rows' else 1
        top = th * n if way != 'bottom' else 0
        by, bh = y + top, h - th * n
        classic = self.k in ('w95', 'w2k', 'motif', 'tk', 'dark', 'fltk')
        light = self.paper if self.k == 'aero' else self.face
        if classic:
            self.bevel(x, by, w, bh, True, self.face)
        else:
            self.rr(x, by, w, bh, 0, light, self.line)
        on, dim = r.randrange(3), r.choice([self.face, mix(self.face, self.lo, .25)])
        for row in range(n):
            front = row == n - 1
            names, cx = r.sample(self.w[r.choice(['head', 'nav'])], r.randint(2, 8) if n == 1 else 10), x + 2
            ty = y + row * th if way != 'bottom' else y + h - th
            widths, full = [], 0
            for s in names:
                tw = int(self.font.getlength(s)) + r.choice([10, 14, 20])
                if full + tw > w - 6:
                    break
                widths.append(tw)
                full += tw
            if n > 1 and widths:  # rows are justified
                widths = [int(t * (w - 4) / full) for t in widths]
            for i, tw in enumerate(widths):
                s, cur = names[i], front and i == on
                up = 2 if cur else 0
                dis = self.off(.03) and not cur
                if way != 'bottom':
                    q = [cx - up, ty + 2 - up, cx + tw + up, ty + th + (1 if cur else 0)]
                else:
                    q = [cx - up, ty - (1 if cur else 0), cx + tw + up, ty + th - 2 + up]
                self.d.rectangle([q[0], q[1], q[2] - 1, q[3] - 1], fill=light if cur else dim if self.k != 'aero' else (225, 225, 225))
                a, b = self.hi if classic else self.line, self.dk if self.k in ('w95', 'w2k') else self.lo
                if way != 'bottom':
                    self.d.line([q[0], q[3], q[0], q[1] + 2, q[0] + 2, q[1], q[2] - 3, q[1]], fill=a)
                    self.d.line([q[2] - 2, q[1] + 1, q[2] - 1, q[1] + 2, q[2] - 1, q[3] - 1], fill=b)
                    if cur and (self.k == 'luna' or self.plain and r.random() < .4):
                        self.d.line([q[0] + 1, q[1], q[2] - 2, q[1]], fill=(230, 139, 44) if self.k == 'luna' else self.accent, width=2)
                else:
                    self.d.line([q[0], q[1], q[0], q[3] - 3, q[0] + 2, q[3] - 1, q[2] - 3, q[3] - 1], fill=a)
                    self.d.line([q[2] - 3, q[3] - 1, q[2] - 1, q[3] - 3, q[2] - 1, q[1]], fill=b)
                self.mid(q[0] + (q[2] - q[0] - int(self.font.getlength(s))) // 2, q[1], q[3] - q[1], s, self.faint if dis else None)
                foc = cur and self.take(.3)
                if foc:
                    self.grid_dots(q[0] + 4, q[1] + 3, q[2] - q[0] - 8, q[3] - q[1] - 5)
                self.add('tab', list(q), **self.kw(dis, foc))
                cx += tw
        return x + 8, by + 8, w - 16, bh - 16

    def tabs(self, x, y, w, h):
        return self.pages_of(x, y, w, h)

    def group(self, x, y, w, h, s=None):
        if not self.plain:
            return super().group(x, y, w, h, s)
        self.rr(x, y + self.size // 2 + 1, w, h - self.size // 2 - 1, self.P['rad'], self.face, mix(self.face, self.ink, .22))
        s = self.fit(s or self.r.choice(self.w['head']), w - 20)
        self.d.rectangle([x + 7, y, x + 11 + int(self.font.getlength(s)), y + self.size + 2], fill=self.face)
        self.text(x + 9, y, s, None, True)

    def popup(self, x, y, names=None, hot=None, least=0):
        """A menu; returns its box."""
        r = self.r
        names = names or r.sample(self.w['item'], r.randint(3, 13))
        lh, left = self.size + r.choice([5, 7, 9, 12]), r.choice([8, 18, 22, 26]) if self.plain else r.choice([18, 22, 26])
        w = max(least, left + max(int(self.font.getlength(s)) for s in names) + r.choice([30, 70, 90]))
        gaps = [r.random() < .18 for _ in names]
        h = lh * len(names) + 8 * sum(gaps) + 6
        x, y = max(0, min(x, self.W - w)), max(0, min(y, self.H - h))
        self.hide([x, y, x + w, y + h])
        if not self.plain and r.random() < .3:
            self.d.rectangle([x + 3, y + 3, x + w + 2, y + h + 2], fill=self.lo)
        bg = self.face
        if self.k in ('w95', 'w2k', 'motif', 'tk', 'fltk'):
            self.bevel(x, y, w, h, True, self.face)
        else:
            bg = r.choice([self.paper, self.face]) if self.k != 'dark' else self.face
            if self.plain and bg == self.paper and sum(abs(a - b) for a, b in zip(bg, self.ink)) < 200:
                bg = self.face
            self.rr(x, y, w, h, min(self.P['rad'], 6) if self.plain else 0, bg, mix(self.face, self.ink, .3))
        if r.random() < .2 and left > 16:
            self.d.rectangle([x + 2, y + 2, x + left - 4, y + h - 3], fill=mix(bg, self.lo, .15))
        hot, keys, cy = (r.randrange(len(names) * 2) if hot is None else hot), r.random() < .6, y + 3
        for i, s in enumerate(names):
            dis, ink = self.off(.14), self.ink
            if dis:
                ink = self.faint
            if i == hot:
                self.d.rectangle([x + 2, cy, x + w - 3, cy + lh - 1], fill=self.accent)
                ink = self.on_accent() if not dis else self.faint
            if left > 16:
                k = r.random()
                if k < .2:
                    pic = glyph(r, 16)
                    self.im.paste(pic, (x + 3, cy + (lh - 16) // 2), pic)
                elif k < .3:
                    self.mark_in(x + 5, cy + (lh - 11) // 2, 11, r.choice(['tick', 'dot']), ink)
            self.mid(x + left, cy, lh, s, ink)
            if keys and r.random() < .5:
                t = r.choice(['Ctrl+' + r.choice('NOSPZXCV'), 'F%d' % r.randint(1, 12), 'Del', 'Alt+F4', 'Shift+F%d' % r.randint(1, 9)])
                if left + self.font.getlength(s) + self.font.getlength(t) + 20 < w:
                    self.mid(x + w - 12 - int(self.font.getlength(t)), cy, lh, t, ink)
            elif r.random() < .14:
                self.mark_in(x + w - 14, cy + lh // 2 - 4, 8, 'right', ink)
            self.add('menuitem', [x + 3, cy, x + w - 3, cy + lh], **self.kw(dis))
            cy += lh
            if gaps[i]:
                self.d.line([x + 4, cy + 3, x + w - 5, cy + 3], fill=self.lo)
                if not self.plain:
                    self.d.line([x + 4, cy + 4, x + w - 5, cy + 4], fill=self.hi)
                cy += 8
        return x, y, x + w, y + h

    def menu(self, x, y):
        return self.popup(x, y)

    def bar(self, x, y, w, hot=None):
        """A menu bar; returns its height and the places of its words."""
        r = self.r
        h, pad = self.size + r.choice([6, 7, 9, 12]), r.choice([5, 6, 8, 11])
        cx, seen = x + 2, []
        names = r.sample(self.w['menu'], r.randint(3, 10))
        if r.random() < .2:
            self.d.rectangle([x, y, x + w - 1, y + h - 1], fill=mix(self.face, self.ink, .06))
        for i, s in enumerate(names):
            tw = int(self.font.getlength(s))
            if cx + tw + 2 * pad > x + w:
                break
            ink, dis = self.ink, self.off(.04)
            if i == hot and r.random() < .8:
                if not self.plain and self.k in ('w95', 'w2k') and r.random() < .4:
                    self.bevel(cx, y, tw + 2 * pad, h, False, None, False)
                else:
                    self.d.rectangle([cx, y, cx + tw + 2 * pad - 1, y + h - 1], fill=self.accent)
                    ink = self.on_accent()
            b = self.mid(cx + pad, y, h, s, self.faint if dis else ink)
            if not self.plain and self.lang == 'en' and r.random() < .5:
                self.d.line([b[0], b[3] + 1, b[0] + self.size // 2, b[3] + 1], fill=ink)
            self.add('menuitem', [cx, y, cx + tw + 2 * pad, y + h], **self.kw(dis))
            seen.append((cx, y + h))
            cx += tw + 2 * pad
        return h + 1, seen

    # -- blocks: (x, y, w, room below) -> height used, or 0 ---------------------------------------------------------------------------------
    def b_form(self, x, y, w, room, most=99):
        r, ch = self.r, self.ch
        side = self.alabel if self.plain else None
        side = side or self.label_side
        above = side == 'above'
        lw = 0 if above else min(max(60, int(w * r.uniform(.2, .4))), r.choice([76, 96, 120, 160]) * max(12, self.size) // 12)
        cols = 1 if side == 'right' else max(1, min(r.randint(1, 4), w // (lw + 130)))
        cw = (w - 12 * (cols - 1)) // cols
        if w < 120 or room < ch + 20:
            return 0
        step = ch + self.gap + (self.size + 5 if above else 0)
        colon = r.choice(['', ':', '：' if self.lang == 'zh' else ':'])
        cy, n = y, 0
        narrow = r.random() < .5
        while cy + step <= y + room and n < most and (r.random() < .93 or n < 2):
            n += 1
            c = 0
            while c < cols:
                cx = x + c * (cw + 12)
                k = r.choices(self.mix_of[0], self.mix_of[1])[0]
                fx, fw, fy = (cx if side == 'right' else cx + lw), cw - lw, cy + (self.size + 5 if above else 0)
                s = self.fit(r.choice(self.w['label']) + colon, (lw or cw) - 6)
                c += 1
                if k == 'none' or fw < 40:
                    continue
                named = k not in ('check', 'toggle', 'two') or r.random() < .3
                if named:
                    if above:
                        self.text(cx, cy, s, None, True)
                    elif side == 'right':
                        self.mid(fx + fw + 6, fy, ch, s, None, True)
                    else:
                        self.mid(cx if side == 'left' else fx - 6 - int(self.font.getlength(s)), fy, ch, s, None, True)
                if narrow and k in ('edit', 'combo', 'date'):
                    fw = max(60, int(fw * r.uniform(.45, 1)))
                if k == 'edit':
                    self.edit(fx, fy, fw)
                elif k == 'combo':
                    self.combo(fx, fy, fw)
                elif k == 'date':
                    self.date(fx, fy, max(min(fw, int(self.font.getlength('2026-00-00')) + ch + 16), min(fw, 90)))
                elif k == 'spin':
                    self.spin(fx, fy, min(fw, r.choice([60, 80, 120])))
                elif k == 'check':
                    self.check(fx if named or r.random() < .6 else cx, fy, self.fit(r.choice(self.w['tick']), cw - lw - self.tick - 6))
                elif k == 'toggle':
                    self.toggle(fx, fy, self.fit(r.choice(self.w['tick']), fw - 46))
                elif k == 'radios':
                    self.radios(fx, fy, 3, False, fw)
                elif k == 'track':
                    self.track(fx, fy, max(60, fw - 60))
                elif k == 'two':  # a field, a combo box and a button of the same look, side by side
                    a = (fw - 8) // 3
                    if a > 45:
                        kinds = r.sample(['edit', 'combo', 'combo', 'edit'], 2)
                        for i, q in enumerate(kinds):
                            getattr(self, q)(fx + i * (a + 4), fy, a)
                        t = r.choice(self.w['button'])
                        if self.font.getlength(t) + 14 < a:
                            self.button(fx + 2 * (a + 4), fy, t, a, ch, pic=False)
                        else:
                            self.combo(fx + 2 * (a + 4), fy, a)
                    else:
                        self.combo(fx, fy, fw)
                elif k == 'more':
                    b = ch + r.choice([0, 4])
                    self.edit(fx, fy, fw - b - 2)
                    if r.random() < .6:
                        self.sign(fx + fw - b, fy, b, ch, r.choice(['…', '…', '+', '×', '▼', '✓']))
                    else:
                        t = '...'
                        self.button(fx + fw - b, fy, t, b, ch, False, pic=False)
            cy += step
        return cy - y

    def b_ticks(self, x, y, w, room):
        r, cy = self.r, y
        step = max(self.ch - 3, self.tick + r.choice([2, 5, 8]))
        n, cols = r.randint(2, 8), r.choice([1, 1, 2, 3])
        while n and cy + step <= y + room:
            cx = x
            for _ in range(cols):
                s = r.choice(self.w['tick'])
                if cx + self.tick + 10 + self.font.getlength(s) < x + w:
                    cx += max(w // cols, self.check(cx, cy, s, step) + 12)
            cy += step
            n -= 1
        return cy - y

    def b_radios(self, x, y, w, room):
        r = self.r
        down = r.random() < .5
        if room < self.ch * (4 if down else 1):
            return 0
        return self.radios(x, y, r.randint(2, 4), down, w)[1]

    def b_buttons(self, x, y, w, room, names=None, right=None):
        r = self.r
        h = max(self.ch, self.size + 8) + r.choice([0, 2, 4])
        if room < h:
            return 0
        names = names or r.sample(ORDER[self.lang] if r.random() < .6 else self.w['button'], r.randint(2, 9))
        bw, gap = r.choice([0, 60, 75, 80, 90]), r.choice([-1, 0, 2, 6, 8, 12])
        sizes = [max(bw, int(self.font.getlength(s)) + 14) if bw else int(self.font.getlength(s)) + 16 for s in names]
        while sizes and sum(sizes) + gap * len(sizes) > w:
            sizes.pop()
        cx = x + w - sum(sizes) - gap * (len(sizes) - 1) if (r.random() < .3 if right is None else right) else x
        for s, k in zip(names, sizes):
            cx += self.button(cx, y, s, k, h, pic=False if k < self.font.getlength(s) + 36 else None) + gap
        return h

    def b_column(self, x, y, w, room):
        r = self.r
        h, cy = max(self.ch, self.size + 8) + r.choice([0, 2, 6]), y
        bw = min(w, r.choice([75, 90, 110]) * max(12, self.size) // 12)
        for s in r.sample(r.choice([ORDER[self.lang], self.w['button']]), r.randint(2, 7)):
            if cy + h > y + room:
                break
            s = self.fit(s, bw - 14)
            self.button(x, cy, s or 'OK', bw, h, pic=False)
            cy += h + r.choice([4, 6]) * 1
        return cy - y

    def b_sliders(self, x, y, w, room):
        r, cy = self.r, y
        tw = min(w, r.choice([120, 160, 220, 300]))
        for _ in range(r.randint(1, 4)):
            if cy + self.ch + 12 > y + room:
                break
            k = self.track(x, cy, tw)
            if w - k > 60 and r.random() < .7:
                self.mid(x + k + 8, cy, self.ch, self.fit(r.choice(self.w['label']), w - k - 10), None, True)
            cy += self.ch + 12
        return cy - y

    def b_tabs(self, x, y, w, room):
        return self.selectables(x, y, w) if room > self.ch + 8 else 0

    def b_sized(self, x, y, w, room, least, most, draw):
        h = min(room, self.r.randint(least, most))
        if h < least or w < 90:
            return 0
        draw(x, y, w, h)
        return h

    def b_grid(self, x, y, w, room):
        return self.b_sized(x, y, w, room, 70, 360, self.grid)

    def b_list(self, x, y, w, room):
        return self.b_sized(x, y, min(w, self.r.choice([140, 200, 280])), room, 60, 260, lambda *b: self.listing(*b, self.r.choice(['list', 'list', 'checks', 'tree'])))

    def b_memo(self, x, y, w, room):
        return self.b_sized(x, y, w, room, 40, 150, self.memo)

    def b_group(self, x, y, w, room):
        r = self.r
        h = min(room, r.randint(80, 240))
        if h < 70 or w < 140:
            return 0
        self.group(x, y, w, h)
        self.stack(x + 10, y + self.size + 8, w - 20, h - self.size - 14, ['form', 'ticks', 'radios', 'buttons', 'sliders'])
        return h

    def b_page(self, x, y, w, room):
        h = min(room, self.r.randint(140, 420))
        if h < 130 or w < 220:
            return 0
        q = self.pages_of(x, y, w, h)
        self.stack(*q, ['form', 'ticks', 'radios', 'buttons', 'sliders', 'memo', 'grid'])
        return h

    def b_pager(self, x, y, w, room):
        r = self.r
        n = self.ch + r.choice([-2, 0, 2, 6])
        n = max(n, self.size + 4)
        if room < n or w < 6 * n:
            return 0
        self.drawn, self.coloured = r.random() < .7, r.random() < .3
        signs = r.choice([['|<', '<', '>', '>|'], ['|<', '<', '>', '>|', '+', '-'], ['|<', '<', '>', '>|', '+', '-', '▲', '✓', '×', '↻'], ['<', '>'], ['+', '-', '✓', '×'], ['+', '-'], ['▲', '▼'], ['<<', '<', '>', '>>']])
        gap, cx, bw = r.choice([0, 0, 2, 4]), x, n + r.choice([0, 0, 4, 10])
        middle = r.random() < .3 and '<' in signs
        for s in signs:
            if cx + bw > x + w:
                break
            dis = r.random() < .5 if s in ('|<', '<', '✓', '×') and self.drawn else None
            cx += self.sign(cx, y, bw, n, s, dis) + gap
            if s == '<' and middle and cx + 70 < x + w:
                self.edit(cx + 2, y, 40, str(r.randint(1, 30)), n)
                cx += 46
        t = r.choice(['1 / %d', 'Page 1 of %d', '1-20 of %d', '%d records'] if self.lang == 'en' else ['第 1 / %d 页', '共 %d 条', '1/%d', '%d 条记录']) % r.randint(2, 400)
        if cx + self.font.getlength(t) + 10 < x + w:
            self.mid(cx + 8, y, n, t, None, True)
        return n

    def b_sheet(self, x, y, w, room):
        """Fields in cells: text boxes close to each other, with heads above and at the left."""
        r = self.r
        cols, lw = r.randint(2, 8), r.choice([0, 60, 90])
        cw = (w - lw) // cols
        gap, h = r.choice([-1, 0, 1, 2, 4]), self.ch
        if cw < 40 or room < 3 * h:
            return 0
        kinds = [r.choices(['edit', 'combo', 'check', 'sign', 'button'], [64, 16, 9, 5, 6])[0] for _ in range(cols)]
        cy = y
        if r.random() < .7:
            for c in range(cols):
                self.mid(x + lw + c * cw + 2, cy, h, self.fit(r.choice(self.w['label']), cw - 6), None, True)
            cy += h
        self.drawn, self.coloured = r.random() < .5, False
        s = r.choice(self.w['button'])
        for i in range(r.randint(2, 12)):
            if cy + h > y + room:
                break
            if lw:
                self.mid(x, cy, h, self.fit(r.choice([str(i + 1), r.choice(self.w['label'])]), lw - 6), None, True)
            for c in range(cols):
                cx, k = x + lw + c * cw, kinds[c]
                if k == 'edit':
                    self.edit(cx, cy, cw - gap, '' if r.random() < .3 else None)
                elif k == 'combo':
                    self.combo(cx, cy, cw - gap)
                elif k == 'check':
                    self.check(cx + (cw - self.tick) // 2, cy, h=h, bare=True)
                elif k == 'sign':
                    self.sign(cx, cy, h, h, r.choice(['×', '×', '+', '-']))
                elif self.font.getlength(s) + 14 < cw - 2:
                    self.button(cx, cy, s, cw - max(gap, 1), h, pic=False)
                else:
                    self.edit(cx, cy, cw - gap)
            cy += h + gap
        return cy - y

    def b_table(self, x, y, w, room):
        """A sheet with lettered columns and numbered rows; one cell is the current one."""
        r = self.r
        h = min(room, r.randint(120, 500))
        if h < 100 or w < 200:
            return 0
        top = 0
        if r.random() < .6:
            self.combo(x, y, 90, '%s%d' % (r.choice('ABCDE'), r.randint(1, 20)))
            self.edit(x + 96, y, w - 96, r.choice(['=SUM(B2:B9)', '', value(r, self.w)]))
            top = self.ch + 4
        lh, cw, rw = self.size + r.choice([4, 6, 9]), r.choice([60, 72, 90, 120]), 34
        hc, lc = mix(self.face, self.ink, .07), mix(self.paper, self.ink, .2)
        Y, B = y + top, y + h
        self.d.rectangle([x, Y, x + w - 1, B - 1], fill=self.paper, outline=lc)
        cur = r.randint(0, 5), r.randint(0, 8)
        edit = r.random() < .4
        cx, c = x + rw, 0
        self.d.rectangle([x, Y, x + w - 1, Y + lh - 1], fill=hc)
        while cx < x + w - 10:
            b = min(cx + cw, x + w)
            if not self.plain and self.k in ('w95', 'w2k'):
                self.bevel(cx, Y, b - cx, lh, True, hc, False)
            else:
                self.d.line([b - 1, Y, b - 1, Y + lh - 1], fill=lc)
            s = chr(65 + c % 26)
            self.mid(cx + (b - cx - int(self.font.getlength(s))) // 2, Y, lh, s)
            self.add('cell', [cx, Y, b, Y + lh])
            cy, i = Y + lh, 0
            while cy + lh <= B:
                if c == 0:
                    self.d.rectangle([x, cy, x + rw - 1, cy + lh - 1], fill=hc)
                    self.d.line([x, cy + lh - 1, x + rw - 1, cy + lh - 1], fill=lc)
                    s = str(i + 1)
                    self.mid(x + (rw - int(self.font.getlength(s))) // 2, cy, lh, s)
                    self.add('cell', [x, cy, x + rw, cy + lh])
                s = self.fit(value(r, self.w), b - cx - 6) if r.random() < .45 else ''
                here = (c, i) == cur
                self.mid(cx + 3, cy, lh, s)
                self.d.line([b - 1, cy, b - 1, cy + lh - 1], fill=lc)
                self.d.line([cx, cy + lh - 1, b - 1, cy + lh - 1], fill=lc)
                if here:
                    self.late = [cx - 1, cy - 1, b, cy + lh]
                    if edit:
                        e = cx + 4 + int(self.font.getlength(s))
                        self.d.line([e, cy + 2, e, cy + lh - 3], fill=self.ink)
                self.add('textbox' if here and edit else 'cell', [cx, cy, b, cy + lh], **self.kw(False, here))
                cy += lh
                i += 1
            cx, c = b, c + 1
        if self.late:
            self.d.rectangle(self.late, outline=self.accent if self.plain or r.random() < .5 else self.ink, width=2)
            self.late = None
        return h

    def b_props(self, x, y, w, room):
        """A property grid: names and values, groups between; one value is being edited."""
        r = self.r
        w, h = min(w, r.choice([220, 280, 360])), min(room, r.randint(120, 480))
        if h < 100 or w < 160:
            return 0
        self.frame(x, y, w, h)
        lh, a = self.size + r.choice([4, 6, 8]), int(w * r.uniform(.35, .55))
        left, lc, cur = r.choice([0, 14, 16]), mix(self.paper, self.ink, r.choice([.12, .25])), r.randint(0, 10)
        way, cy, i = r.choice(['edit', 'combo', 'more', 'row']), y + 1, 0
        while cy + lh < y + h:
            if left and r.random() < .15:
                self.d.rectangle([x + 1, cy, x + w - 2, cy + lh - 1], fill=mix(self.face, self.ink, .05))
                self.d.rectangle([x + 4, cy + lh // 2 - 4, x + 12, cy + lh // 2 + 4], fill=self.paper, outline=self.faint)
                self.d.line([x + 6, cy + lh // 2, x + 10, cy + lh // 2], fill=self.ink)
                self.mid(x + left + 3, cy, lh, self.fit(r.choice(self.w['head']), w - 30), None)
                self.add('cell', [x + 1, cy, x + w - 1, cy + lh])
                cy += lh
                continue
            here = i == cur
            s, v = self.fit(r.choice(self.w['label']), a - left - 6), r.choice(['True', 'False', value(r, self.w), value(r, self.w), '', '(none)'])
            if here:
                self.d.rectangle([x + 1 + left, cy, x + a - 1, cy + lh - 1], fill=self.accent)
            self.mid(x + left + 3, cy, lh, s, self.on_accent() if here else None)
            self.add('cell', [x + 1 + left, cy, x + a, cy + lh])
            b = [x + a, cy, x + w - 1, cy + lh]
            if here and way == 'combo':
                self.push(x + w - 17, cy, 16, lh - 1, small=True)
                self.mark_in(x + w - 13, cy + lh // 2 - 4, 8, 'tri', self.P['bink'] if self.plain else self.ink)
                self.mid(x + a + 3, cy, lh, self.fit(v, w - a - 26))
                self.add('combobox', b, focused=True)
            elif here and way == 'edit':
                v = self.fit(v, w - a - 12)
                self.mid(x + a + 3, cy, lh, v)
                e = x + a + 4 + int(self.font.getlength(v))
                self.d.line([e, cy + 2, e, cy + lh - 3], fill=self.ink)
                self.add('textbox', b, focused=True)
            elif here and way == 'more':
                self.mid(x + a + 3, cy, lh, self.fit(v, w - a - 30))
                self.add('cell', [b[0], cy, b[2] - lh - 4, cy + lh])
                self.sign(x + w - lh - 5, cy, lh + 4, lh - 1, '…', False)
            elif v in ('True', 'False') and r.random() < .4 and lh > self.tick:
                self.check(x + a + 4, cy, h=lh, bare=True)
            else:
                self.mid(x + a + 3, cy, lh, self.fit(v, w - a - 8))
                self.add('cell', b)
            self.d.line([x + 1, cy + lh - 1, x + w - 2, cy + lh - 1], fill=lc)
            self.d.line([x + a - 1, cy, x + a - 1, cy + lh - 1], fill=lc)
            cy += lh
            i += 1
        return h

    def b_keys(self, x, y, w, room):
        r = self.r
        keys, cols = r.choice([(list('789456123') + ['0', '.', '='], 3), (list('123456789') + ['*', '0', '#'], 3), (['7', '8', '9', '/', '4', '5', '6', '*', '1', '2', '3', '-', '0', '.', '=', '+'], 4),
                               (['MC', '7', '8', '9', '/', 'sqrt', 'MR', '4', '5', '6', '*', '%', 'MS', '1', '2', '3', '-', '1/x', 'M+', '0', '+/-', '.', '+', '='], 6),
                               (['C', 'CE', '÷', '×', '7', '8', '9', '-', '4', '5', '6', '+', '1', '2', '3', '=', '0', '00', '.', '%'], 4), (list('QWERTYUIOPASDFGHJKLZXCVBNM'), 10)])
        kw, kh, gap = r.choice([30, 36, 44, 56, 70]), r.choice([24, 28, 36, 48]), r.choice([0, 2, 4, 6])
        kw = max(kw, int(self.font.getlength('1/x')) + 6)
        kh = max(kh, self.size + 4)
        rows = (len(keys) + cols - 1) // cols
        top = self.ch + 10 if r.random() < .7 else 0
        if w < cols * (kw + gap) or room < top + rows * (kh + gap):
            return 0
        if top:
            big = r.random() < .4
            old = self.font
            if big:
                self.font, self.ch = font(self.path, self.size + 8), self.ch + 8
                top += 8
            self.edit(x, y, cols * (kw + gap) - gap, r.choice(['0', '0.', '%.2f' % r.uniform(0, 9999)]))
            if big:
                self.font, self.ch = old, self.ch - 8
        tones = r.random() < .3
        for i, s in enumerate(keys):
            cx, cy = x + i % cols * (kw + gap), y + top + i // cols * (kh + gap)
            self.push(cx, cy, kw, kh, hover=tones and not s.isdigit())
            tw = int(self.font.getlength(s))
            c = self.P['bink'] if self.plain else (0, 0, 200) if tones and s.isdigit() else (200, 0, 0) if tones else self.ink
            self.mid(cx + (kw - tw) // 2, cy, kh, s, c)
            self.add('button', [cx, cy, cx + kw, cy + kh])
        return top + rows * (kh + gap)

    def b_zoo(self, x, y, w, room):
        """One of everything in a row."""
        r = self.r
        if room < self.ch + 4 or w < 160:
            return 0
        self.drawn, self.coloured = r.random() < .6, False
        cx = x
        while True:
            k = r.choices(['edit', 'combo', 'button', 'check', 'radio', 'sign', 'spin', 'toggle', 'track', 'text'], [22, 22, 18, 12, 8, 8, 5, 4, 5, 8])[0]
            n = r.choice([70, 90, 120, 160])
            if cx + max(n, 120) > x + w:
                break
            if k in ('edit', 'combo', 'spin', 'track'):
                cx += getattr(self, k)(cx, y, n)
            elif k == 'button':
                cx += self.button(cx, y, self.fit(r.choice(self.w['button']), 90), 0, self.ch, pic=False)
            elif k == 'check':
                cx += self.check(cx, y, self.fit(r.choice(self.w['tick']), 90))
            elif k == 'radio':
                cx += self.radio(cx, y, self.fit(r.choice(self.w['radio']), 90), r.random() < .5, self.off())
            elif k == 'toggle':
                cx += self.toggle(cx, y, self.fit(r.choice(self.w['tick']), 60))
            elif k == 'sign':
                cx += self.sign(cx, y, self.ch, self.ch, r.choice('+-×✓▲▼<>…'))
            else:
                cx = self.mid(cx, y, self.ch, self.fit(r.choice(self.w['label']), 100), None, True)[2]
            cx += r.choice([4, 6, 10, 16])
        return self.ch

    def b_head(self, x, y, w, room):
        r = self.r
        f = font(self.path, self.size + r.choice([0, 2, 5, 8]))
        s = r.choice(self.w['head'])
        if room < 40 or f.getlength(s) > w:
            return 0
        self.text(x, y, s, None, True, f)
        if r.random() < .4:
            self.d.line([x, y + f.size + 6, x + w - 1, y + f.size + 6], fill=mix(self.face, self.ink, .25))
        return f.size + 8

    def b_said(self, x, y, w, room):
        if room < self.size + 6:
            return 0
        self.text(x, y, self.fit(self.r.choice(self.w['sent']), w), None, True)
        return self.size + 6

    def b_bar(self, x, y, w, room):
        if room < 50 or w < 150:
            return 0
        return self.toolbar(x, y, w)

    def stack(self, x, y, w, h, kinds, weights=None):
        cy, miss = y, 0
        while cy < y + h - self.ch and miss < 4:
            k = getattr(self, 'b_' + self.r.choices(kinds, weights)[0])(x, cy, w, y + h - cy)
            miss += not k
            cy += k + (self.r.choice([4, 8, 12, 16]) if k else 0)

    def columns(self, x, y, w, h, kinds, weights=None):
        r = self.r
        n = max(1, min(r.choice([1, 2, 2, 3, 4]), w // 240))
        cuts = sorted(r.uniform(.25, .75) if n == 2 else (i + 1) / n + r.uniform(-.08, .08) for i in range(n - 1))
        xs = [x] + [x + int(w * c) for c in cuts] + [x + w + 12]
        for a, b in zip(xs, xs[1:]):
            self.stack(a, y, b - a - 12, h, kinds, weights)
            if n > 1 and b < x + w and r.random() < .2:
                self.d.line([b - 6, y, b - 6, y + h], fill=mix(self.face, self.ink, .2))

    # -- windows ------------------------------------------------------------------------------------------------------------------------
    def shell(self, x, y, w, h, title=None, small=False):
        """A window with its frame; returns the area within. The caller takes the clip off."""
        r = self.r
        self.hide([x, y, x + w, y + h])
        classic = self.k in ('w95', 'w2k', 'motif', 'tk', 'fltk')
        if classic:
            self.bevel(x, y, w, h, True, self.face)
            e = 3
        else:
            e = 3 if self.k == 'luna' else 1
            self.rr(x, y, w, h, r.choice([0, 0, 4, 6]) if self.plain and not (w == self.W) else 0, self.face, (0, 60, 200) if self.k == 'luna' else mix(self.face, self.ink, .35))
            if self.k == 'luna':
                self.d.rectangle([x, y, x + w - 1, y + h - 1], outline=(0, 60, 200), width=3)
        self.add('window', [x, y, x + w, y + h])
        self.clip.append((x, y, x + w, y + h))
        th = max(self.size + 5, r.choice([18, 20, 22, 25, 28, 32]))
        lively = r.random() < .75
        c = self.accent if lively else (128, 128, 128)
        c2 = {'w2k': (166, 202, 240) if lively else (192, 192, 192), 'luna': (0, 88, 238), 'aero': (210, 225, 240)}.get(self.k, c)
        c = {'luna': (8, 61, 220), 'aero': (185, 205, 226), 'gtk': (90, 90, 95), 'dark': (30, 30, 32)}.get(self.k, c)
        if self.plain:
            c = c2 = r.choice([mix(self.face, self.accent, .5), mix(self.face, self.ink, .1), self.face, self.accent, WHITE if not self.night else (20, 20, 20)])
        o = min(self.P['rad'], 4) if self.plain else 0
        self.grad(x + e + o, y + e, w - 2 * e - 2 * o, th, c, c2, self.k == 'w2k')
        ink = WHITE if light(c) < 135 else (0, 0, 0)
        tx = x + e + 5 + o
        if self.plain and r.random() < .4:
            self.mark_in(tx, y + e + th // 2 - 5, 10, 'tri', ink)
            tx += 16
        elif r.random() < .6:
            pic = glyph(r, 16)
            self.im.paste(pic, (tx, y + e + (th - 16) // 2), pic)
            tx += 20
        s = self.fit(title or r.choice(self.w['head']), w - 110)
        if self.plain and r.random() < .3:
            tx = x + (w - int(self.font.getlength(s))) // 2
        self.mid(tx, y + e, th, s, ink, True)
        bs, bx = min(th - 4, 22), x + w - e - 3 - o
        by = y + e + (th - bs) // 2
        for sign in (['x'] if small or self.plain and r.random() < .5 else ['x', 'max', 'min']):
            bx -= bs + (2 if sign != 'min' else 0)
            if self.k == 'luna':
                self.d.rounded_rectangle([bx, by, bx + bs - 1, by + bs - 1], 3, fill=(220, 80, 40) if sign == 'x' else (50, 110, 240), outline=WHITE)
            elif classic:
                self.push(bx, by, bs, bs)
            elif sign == 'x' and r.random() < .3:
                self.d.rectangle([bx, by, bx + bs - 1, by + bs - 1], fill=(200, 80, 70))
            k = (self.P['bink'] if self.plain else self.ink) if classic else ink
            n = max(7, bs // 2)
            q = [bx + (bs - n) // 2, by + (bs - n) // 2]
            if sign == 'x':
                self.mark_in(*q, n, 'cross', k)
            elif sign == 'max':
                self.d.rectangle([*q, q[0] + n - 1, q[1] + n - 1], outline=k)
                self.d.line([q[0], q[1] + 1, q[0] + n - 1, q[1] + 1], fill=k)
            else:
                self.d.line([q[0], q[1] + n - 1, q[0] + n - 2, q[1] + n - 1], fill=k, width=2 if classic else 1)
            self.add('icon', [bx, by, bx + bs, by + bs])
        return x + e, y + e + th + 1, w - 2 * e, h - 2 * e - th - 1

    def status(self, x, y, w, h):
        """A status bar at the bottom of the area; returns its height."""
        r, sh = self.r, self.size + r_of(self.r, 6, 8, 10)
        cx, by = x, y + h - sh
        flat = self.k in ('aero', 'gtk', 'dark') or bool(self.plain)
        if flat:
            self.d.line([x, by, x + w - 1, by], fill=mix(self.face, self.ink, .2))
        while cx < x + w - 40:
            pw = min(x + w - cx, r.choice([60, 100, 180, 320]))
            if not flat:
                self.bevel(cx, by + 1, pw - 2, sh - 2, False, self.face, False)
            if r.random() < .75:
                self.mid(cx + 4, by, sh, self.fit(r.choice([value(r, self.w), r.choice(self.w['noun']), r.choice(self.w['sent'])]), pw - 10), None, True)
            cx += pw
        return sh

    def ground(self):
        r, W, H = self.r, self.W, self.H
        bg = r.choice([(0, 128, 128), (58, 110, 165), (0, 0, 0), (128, 128, 128), (40, 60, 90), self.face, tuple(r.randint(0, 255) for _ in range(3))])
        if r.random() < .3:
            self.grad(0, 0, W, H, bg, tuple(r.randint(0, 255) for _ in range(3)))
        else:
            self.d.rectangle([0, 0, W, H], fill=bg)

    def places(self):
        """One window over all the screen, or some that lie over each other."""
        r, W, H = self.r, self.W, self.H
        if r.random() < .5:
            return [(0, 0, W, H)]
        out = []
        for _ in range(r.choice([1, 2, 2, 3, 4])):
            w, h = r.randint(min(W, 340), W * 3 // 4), r.randint(min(H, 280), H * 4 // 5)
            out.append((r.randint(0, W - w), r.randint(0, H - h), w, h))
        return out

    # -- scenes -------------------------------------------------------------------------------------------------------------------------
    def filled(self, kinds, weights, decorated=.5):
        """Windows full of blocks; returns where words of menu bars stand."""
        r, seen = self.r, []
        for q in self.places():
            bare = q[2] == self.W and r.random() < .5
            if bare:
                self.d.rectangle([0, 0, self.W, self.H], fill=self.face)
                self.add('window', [0, 0, self.W, self.H])
                self.clip.append((0, 0, self.W, self.H))
                x, y, w, h = 0, 0, self.W, self.H
            else:
                x, y, w, h = self.shell(*q)
            if r.random() < decorated:
                k, s = self.bar(x, y, w)
                seen = s
                y, h = y + k, h - k
            if r.random() < decorated * .6:
                k = self.toolbar(x, y, w)
                y, h = y + k, h - k
            if r.random() < decorated * .8:
                h -= self.status(x, y, w, h)
            m = r.choice([4, 8, 8, 12, 20])
            self.columns(x + m, y + m, w - 2 * m, h - 2 * m, kinds, weights)
            self.clip.pop()
        return seen

    def scene_plain(self):
        self.filled(['form', 'ticks', 'radios', 'buttons', 'sliders', 'tabs', 'zoo', 'memo', 'list', 'group', 'page', 'head', 'said', 'column'], [30, 8, 8, 8, 8, 7, 12, 3, 4, 6, 5, 8, 3, 3], .15)

    def scene_order(self):
        r = self.r
        for q in self.places():
            x, y, w, h = self.shell(*q)
            if r.random() < .5:
                k, _ = self.bar(x, y, w)
                y, h = y + k, h - k
            if r.random() < .4:
                k = self.toolbar(x, y, w)
                y, h = y + k, h - k
            if r.random() < .6:
                h -= self.status(x, y, w, h)
            m = r.choice([4, 8, 12])
            x, y, w, h = x + m, y + m, w - 2 * m, h - 2 * m
            if r.random() < .3:
                k = self.b_head(x, y, w, h)
                y, h = y + k, h - k
            at = r.choice(['top', 'bottom', 'bottom', 'side', 'both'])
            if at in ('top', 'both'):
                k = self.b_buttons(x, y, w, h, r.sample(ORDER[self.lang], r.randint(4, 10))) + 8
                y, h = y + k, h - k
            if at in ('bottom', 'both'):
                k = self.ch + 8
                self.b_buttons(x, y + h - k + 2, w, k + 6, r.sample(ORDER[self.lang], r.randint(3, 9)))
                h -= k + 6
            if at == 'side' and w > 420:
                self.b_column(x + w - 110, y, 110, h)
                w -= 124
            k = self.b_form(x, y, w, int(h * r.uniform(.25, .6)), r.randint(2, 8)) + 6
            y, h = y + k, h - k
            if r.random() < .35:
                k = self.b_memo(x, y, w, min(h // 3, 90))
                y, h = y + k + 6, h - k - 6
            if r.random() < .6:
                k = self.b_pager(x, y, w, h)
                y, h = y + k + 4, h - k - 4
            foot = self.b_form if r.random() < .3 and h > 200 else None
            gh = h - (self.ch + 10 if foot else 0)
            if gh > 60 and w > 150:
                if r.random() < .2:
                    self.grid(*self.pages_of(x, y, w, gh))
                else:
                    self.grid(x, y, w if r.random() < .85 else w * 3 // 4, gh)
            if foot:
                foot(x, y + gh + 6, w, self.ch + 22, 1)
            self.clip.pop()

    def drop(self, x, y, w, h, up=None):
        """The open list under the combo box that stands there."""
        r = self.r
        lh = self.size + r.choice([3, 4, 6, 9, 13])
        n = r.randint(2, 12)
        ph = n * lh + 2
        below = y + h + ph < self.H
        py = y + h + r.choice([-1, 0, 0, 2]) if below else y - ph
        if py < 0:
            return
        pw = w if r.random() < .8 else int(w * r.uniform(1.05, 1.5))
        x = min(x, self.W - pw)
        self.hide([x, py, x + pw, py + ph])
        if r.random() < .2:
            self.d.rectangle([x + 2, py + 2, x + pw + 1, py + ph + 1], fill=mix(self.face, (0, 0, 0), .3))
        self.listing(x, py, pw, ph, popup=True, hot=r.randrange(n) if r.random() < .9 else 99, lh=lh)

    def scene_open(self):
        r = self.r
        seen = self.filled(['form', 'zoo', 'list', 'group', 'page', 'sheet', 'grid', 'radios', 'ticks', 'buttons'], [36, 14, 14, 6, 5, 5, 6, 3, 4, 4], .7)
        combos = [e for e in self.out if e['role'] == 'combobox' and not e.get('_hid') and e.get('enabled', True) and e['bbox'][2] - e['bbox'][0] > 70]
        way = r.choices(['drop', 'menu', 'context', 'both'], [45, 25, 20, 10])[0]
        if way in ('drop', 'both') and combos:
            taken = []
            for e in r.sample(combos, min(len(combos), r.choice([1, 1, 2, 3]))):
                b = [int(v) for v in e['bbox']]
                if any(abs(b[0] - t[0]) < 400 and abs(b[1] - t[1]) < 330 for t in taken):
                    continue
                taken.append(b)
                self.drop(b[0], b[1], b[2] - b[0], b[3] - b[1])
        if way == 'menu' and seen:
            x, y = r.choice(seen)
            q = self.popup(x, y)
            if r.random() < .35:
                self.popup(q[2] - 3, q[1] + r.randint(0, max(1, q[3] - q[1] - 30)))
        if way in ('context', 'both') or way == 'menu' and not seen:
            q = self.popup(r.randint(0, max(1, self.W - 260)), r.randint(20, max(21, self.H - 200)))
            if r.random() < .3:
                self.popup(q[2] - 3, q[1] + r.randint(0, max(1, q[3] - q[1] - 30)))

    def scene_cells(self):
        self.filled(['sheet', 'table', 'props', 'keys', 'grid', 'form', 'pager', 'buttons', 'list'], [24, 14, 16, 18, 8, 6, 8, 6, 4], .4)

    def wrap(self, s, w):
        out, line = [], ''
        for part in (s.split(' ') if self.lang == 'en' else list(s)):
            t = (line + ' ' + part).strip() if self.lang == 'en' else line + part
            if self.font.getlength(t) > w and line:
                out, line = out + [line], part
            else:
                line = t
        return out + [line] if line else out

    def footer(self, x, y, w, h, names, right=None):
        """Buttons at the bottom of a dialog; returns the height taken."""
        r = self.r
        bh, gap = max(self.ch, self.size + 9) + r.choice([0, 2, 4]), r.choice([4, 6, 8, 12])
        bw = max(r.choice([60, 75, 75, 88]), max(int(self.font.getlength(s)) for s in names) + 16)
        while names and len(names) * (bw + gap) > w - 12:
            names = names[:-1]
        all_w = len(names) * (bw + gap) - gap
        how = right or r.choice(['right', 'middle', 'middle', 'left'])
        cx = x + w - 10 - all_w if how == 'right' else x + (w - all_w) // 2 if how == 'middle' else x + 10
        for i, s in enumerate(names):
            cx += self.button(cx, y + h - bh - 9, s, bw, bh, default=i == 0 and r.random() < .6, pic=None if r.random() < .2 and bw > self.font.getlength(s) + 36 else False) + gap
        return bh + 18

    def dialog(self, kind):
        r, W, H = self.r, self.W, self.H
        k = max(12, self.size) / 12
        if kind == 'box':
            lines = self.wrap(' '.join(r.sample(self.w['sent'], r.choice([1, 1, 2]))) if self.lang == 'en' else ''.join(r.sample(self.w['sent'], r.choice([1, 1, 2]))), int(r.choice([200, 280, 360]) * k))
            w = int(max([self.font.getlength(t) for t in lines] + [180 * k])) + 90
            h = len(lines) * (self.size + 5) + int(r.choice([90, 100, 120]) * k)
            x, y, w, h = self.shell(*self.spot(w, h), small=True)
            used = self.footer(x, y, w, h, r.choice(ASKED[self.lang])[:])
            tx = x + 16
            if r.random() < .75:
                cy = y + 14
                if r.random() < .5:
                    pic = glyph(r, 32)
                    self.im.paste(pic, (tx, cy), pic)
                else:
                    c, s = r.choice([((0, 90, 200), 'i'), ((230, 170, 0), '!'), ((200, 30, 30), '×'), ((0, 90, 200), '?')])
                    self.paint(tx, cy, 32, 32, lambda d: d.ellipse([0, 0, 127, 127], fill=255), c)
                    f = font(LIB + 'dejavu/DejaVuSans-Bold.ttf', 20)
                    self.d.text((tx + 16 - int(f.getlength(s)) // 2, cy + 4), s, font=f, fill=WHITE)
                self.add('image', [tx, cy, tx + 32, cy + 32])
                tx += 48
            for i, t in enumerate(lines):
                self.text(tx, y + 16 + i * (self.size + 5), t, None, True)
            if r.random() < .15:
                self.check(tx, y + h - used - self.ch + 4, self.fit(r.choice(self.w['tick']), w - 100))
        elif kind == 'login':
            w, h = int(r.choice([280, 340, 420]) * k), int(r.choice([190, 230, 280]) * k) + 40
            x, y, w, h = self.shell(*self.spot(w, h), small=True)
            used = self.footer(x, y, w, h, r.choice([['Log in', 'Cancel'], ['OK', 'Cancel'], ['Sign in'], ['Log in', 'Register', 'Exit']] if self.lang == 'en' else [['登录', '取消'], ['确定', '取消'], ['登录'], ['登录', '注册', '退出']]))
            if r.random() < .4:
                c = r.choice([self.accent, mix(self.accent, WHITE, .4)])
                self.grad(x, y, w, 44, c, mix(c, WHITE, .3), True)
                self.mid(x + 12, y, 44, self.fit(r.choice(self.w['head']), w - 30), WHITE if sum(c) < 420 else (0, 0, 0), True)
                y, h = y + 44, h - 44
            names = ['Server', 'User name', 'Password', 'Database'] if self.lang == 'en' else ['服务器', '用户名', '密码', '账套']
            left, cy, lw = r.choice([16, 30, 60]), y + 12, int(max(self.font.getlength(s) for s in names)) + 12
            if left == 60:
                pic = glyph(r, 32)
                self.im.paste(pic, (x + 14, cy), pic)
                self.add('image', [x + 14, cy, x + 46, cy + 32])
            for s in r.choice([names[1:3], names[1:3], names[:3], [names[3]] + names[1:3]]):
                if cy + self.ch > y + h - used:
                    break
                self.mid(x + left, cy, self.ch, s, None, True)
                fw = w - left - lw - 20
                if s in (names[0], names[3]) or s == names[1] and r.random() < .4:
                    self.combo(x + left + lw, cy, fw, r.choice(self.w['noun']))
                else:
                    self.edit(x + left + lw, cy, fw, r.choice(['', '*' * 7, '*' * 10]) if s == names[2] else r.choice(['', 'admin', 'ana', 'lee']))
                cy += self.ch + r.choice([6, 10])
            if cy + self.ch < y + h - used:
                self.check(x + left + lw, cy, self.fit(r.choice(self.w['tick']), w - left - lw - 40))
        elif kind == 'wizard':
            w, h = int(r.choice([480, 540, 620]) * k), int(r.choice([340, 380, 440]) * k)
            x, y, w, h = self.shell(*self.spot(w, h), small=True)
            used = self.footer(x, y, w, h, r.choice([['< Back', 'Next >', 'Cancel'], ['Back', 'Next', 'Cancel', 'Help'], ['< Back', 'Finish', 'Cancel']] if self.lang == 'en' else [['< 上一步', '下一步 >', '取消'], ['上一步', '下一步', '取消', '帮助'], ['上一步', '完成', '取消']]), 'right')
            yl = y + h - used
            self.d.line([x, yl, x + w - 1, yl], fill=self.lo)
            self.d.line([x, yl + 1, x + w - 1, yl + 1], fill=self.hi)
            if r.random() < .5:
                bw = int(w * .28)
                c = tuple(r.randint(0, 255) for _ in range(3))
                self.grad(x, y, bw, yl - y, c, mix(c, WHITE, .5))
                if r.random() < .6:
                    pic = glyph(r, 32)
                    self.im.paste(pic, (x + bw // 2 - 16, y + 30), pic)
                    self.add('image', [x + bw // 2 - 16, y + 30, x + bw // 2 + 16, y + 62])
                x, w = x + bw, w - bw
            else:
                self.d.rectangle([x, y, x + w - 1, y + 51], fill=self.paper)
                self.mid(x + 14, y + 4, 24, self.fit(r.choice(self.w['head']), w - 80), None, True)
                self.mid(x + 24, y + 24, 24, self.fit(r.choice(self.w['sent']), w - 90), None, True)
                y += 56
            self.stack(x + 16, y + 12, w - 32, yl - y - 20, ['said', 'form', 'radios', 'ticks', 'list', 'group', 'memo'], [12, 20, 10, 10, 8, 8, 5])
        else:  # a sheet of tabs with buttons beside or below
            w, h = int(r.choice([380, 460, 560]) * k), int(r.choice([320, 380, 460]) * k)
            x, y, w, h = self.shell(*self.spot(w, h), small=True)
            if r.random() < .4:
                bw = int(88 * k)
                cy = y + 10
                for s in r.choice([a for a in ASKED[self.lang] if len(a) > 1]) + r.sample(self.w['button'], r.randint(0, 3)):
                    self.button(x + w - bw - 8, cy, self.fit(s, bw - 12), bw, pic=False)
                    cy += self.ch + 12
                w -= bw + 12
            else:
                h -= self.footer(x, y, w, h, r.choice(ASKED[self.lang])[:], 'right')
            q = self.pages_of(x + 7, y + 7, w - 14, h - 10)
            self.stack(*q, ['form', 'group', 'ticks', 'radios', 'list', 'sliders', 'buttons'], [20, 12, 8, 8, 8, 6, 6])
        self.clip.pop()

    def spot(self, w, h):
        w, h = min(w, self.W - 10), min(h, self.H - 10)
        mid = self.r.random() < .4
        return ((self.W - w) // 2, (self.H - h) // 2, w, h) if mid else (self.r.randint(0, self.W - w), self.r.randint(0, self.H - h), w, h)

    def scene_dialogs(self):
        r = self.r
        if r.random() < .7:
            self.filled(['form', 'grid', 'list', 'buttons', 'group', 'page', 'zoo'], [20, 12, 8, 8, 6, 6, 6], .6)
        for _ in range(r.choice([1, 1, 2, 3])):
            self.dialog(r.choice(['box', 'box', 'login', 'wizard', 'tabs', 'tabs']))

    def scene_states(self):
        self.grey, self.foc_p, self.foc_n = self.r.choice([3, 5, 8]), self.r.choice([.15, .3]), self.r.choice([4, 10, 30])
        self.filled(['form', 'zoo', 'ticks', 'radios', 'buttons', 'sliders', 'list', 'grid', 'page', 'sheet', 'memo', 'column', 'pager'], [26, 26, 10, 10, 12, 6, 6, 4, 6, 5, 4, 4, 4], .4)
        if self.r.random() < .3:
            self.dialog('box')
        if self.r.random() < .2:
            self.popup(self.r.randint(0, max(1, self.W - 260)), self.r.randint(20, max(21, self.H - 200)))

    def screen(self, scene):
        r = self.r
        self.drawn, self.coloured, self.late = True, False, None
        self.label_side = r.choice(['left', 'left', 'left', 'right-set', 'above'])
        self.gap = r.choice([2, 4, 6, 8, 12])
        kinds = {'edit': 40, 'combo': 26, 'spin': 6, 'date': 6, 'check': 7, 'toggle': 3 if self.plain else 0, 'radios': 5, 'track': 4 if self.plain else 1, 'two': 9, 'more': 6, 'none': 3}
        self.mix_of = list(kinds), list(kinds.values())
        self.ground()
        getattr(self, 'scene_' + scene)()
        return self.judged()


class Wider(More):
    """From seed 3300: links, calendars, icon views, big keys, upright sliders, progress bars (nothing to find), fields with a sign at their right end that are no combo boxes,
    greyed groups, windows within windows, panels of two tones, large type, high contrast."""
    EXTRA = ['links', 'bars', 'calendar', 'tiles', 'icons', 'upright', 'flatbar', 'greyed', 'para', 'child', 'pairs']

    def __init__(self, r, lang, W, H, plain):
        super().__init__(r, lang, W, H, plain)
        if r.random() < .12 and W > 1000:  # large type
            self.size = r.choice([20, 22, 24, 26])
            self.font, self.ch, self.tick = font(self.path, self.size), self.size + r.choice([10, 14, 20]), r.choice([18, 20, 24])
        if plain and r.random() < .07:  # high contrast
            edge = r.choice([WHITE, (255, 255, 0), (0, 255, 0), (0, 255, 255)])
            self.face = self.paper = (0, 0, 0)
            self.ink, self.faint, self.line, self.hi, self.lo, self.dk = WHITE, (0, 200, 0), edge, edge, edge, edge
            self.accent = r.choice([(0, 128, 128), (26, 235, 255), (128, 0, 128), (255, 255, 0)])
            self.P.update(fline=edge, bline=edge, grad=None, btn=(0, 0, 0), bink=WHITE, rad=0, under=False, full=False, boxline=True, asq=r.random() < .5)
        self.link_ink = (120, 180, 255) if light(self.face) < 110 else r.choice([(0, 0, 255), (0, 102, 204), (0, 70, 213), (0, 0, 238), self.accent if light(self.accent) < 120 else (0, 0, 200)])
        self.link_line, self.depth, self.ends = r.random() < .65, 0, r.choice([.04, .1, .3])

    def mark_in(self, x, y, n, kind, color, wide=None):
        if kind == 'lens':
            u = n / 3
            self.paint(x, y, n, n, lambda d: (d.ellipse([u, u, u * 8.5, u * 8.5], outline=255, width=5), d.line([u * 7.5, u * 7.5, u * 11, u * 11], fill=255, width=6)), color)
        elif kind == 'eye':
            self.paint(x, y, n, n, lambda d: (d.ellipse([2, n, n * 4 - 3, n * 3], outline=255, width=4), d.ellipse([n * 1.5, n * 1.5, n * 2.5, n * 2.5], fill=255)), color)
        else:
            super().mark_in(x, y, n, kind, color, wide)

    def edit(self, x, y, w, val=None, h=None, ph=None, plainly=False):
        r = self.r
        k = super().edit(x, y, w, val, h, ph, plainly)
        h = h or self.ch
        if w > 80 and r.random() < self.ends:
            n = max(8, min(13, h - 8))
            q = [x + w - n - 8, y + 3, x + w - 4, y + h - 4]
            self.d.rectangle(q, fill=self.im.getpixel((x + w - 5, y + h // 2)))
            what = r.choice(['lens', 'cross', 'eye', 'unit', 'lens'])
            if what == 'unit':
                s = r.choice(['%', 'kg', 'mm', 's', '元', 'px', 'EUR'] if self.lang == 'zh' else ['%', 'kg', 'mm', 's', 'EUR', 'px'])
                tw = int(self.font.getlength(s))
                self.d.rectangle([x + w - tw - 8, q[1], q[2], q[3]], fill=self.im.getpixel((x + w - 5, y + h // 2)))
                self.mid(x + w - tw - 5, y, h, s, self.faint)
            else:
                self.mark_in(x + w - n - 5, y + (h - n) // 2, n, what, mix(self.ink, self.paper, .35))
        return k

    def check(self, x, y, text=None, h=None, bare=False, on=None):
        if bare or self.r.random() > .06:
            return super().check(x, y, text, h, bare, on)
        b = self.mid(x, y, h or self.ch, text or self.r.choice(self.w['tick']), None, True)  # the words stand before it
        super().check(b[2] + 5, y, None, h, True, on)
        return b[2] + 5 + self.tick - x

    def stack(self, x, y, w, h, kinds, weights=None):
        kinds, weights = list(kinds), list(weights or [10] * len(kinds))
        more = sum(weights) * .4 / len(self.EXTRA)
        if self.depth < 2:
            kinds, weights = kinds + self.EXTRA, weights + [more * self.r.choice([.3, 1, 2]) for _ in self.EXTRA]
        old = self.face
        if self.depth == 0 and self.r.random() < .2 and not self.k == 'fltk':
            self.face = mix(self.face, self.r.choice([WHITE, (0, 0, 0), self.accent]), self.r.choice([.05, .1, .2]))
            self.d.rectangle([x - 5, y - 4, x + w + 4, y + h + 3], fill=self.face)
        self.depth += 1
        super().stack(x, y, w, h, kinds, weights)
        self.depth -= 1
        self.face = old

    def link(self, x, y, h, s, dis=False):
        b = self.mid(x, y, h, s, self.faint if dis else self.link_ink)
        if self.link_line:
            self.d.line([b[0], b[3] + 1, b[2] - 1, b[3] + 1], fill=self.faint if dis else self.link_ink)
        self.add('link', [b[0], b[1], b[2], b[3] + (2 if self.link_line else 0)], **self.kw(dis))
        return b[2] - x

    def b_links(self, x, y, w, room):
        r, cy, lh = self.r, y, self.size + r_of(self.r, 6, 8, 12)
        if r.random() < .5:
            for _ in range(r.randint(2, 6)):
                s = r.choice(self.w[r.choice(['nav', 'button', 'item', 'sent'])])
                if cy + lh > y + room:
                    break
                if self.font.getlength(s) < w:
                    self.link(x, cy, lh, s, self.off(.04))
                    cy += lh
            return cy - y
        cx, sep = x, r.choice(['|', '', '·', '-'])
        if lh > room:
            return 0
        if r.random() < .4:
            cx = self.mid(cx, y, lh, self.fit(r.choice(self.w['label']) + (':' if self.lang == 'en' else '：'), w // 2), None, True)[2] + 6
        while True:
            s = r.choice(self.w[r.choice(['nav', 'button'])])
            if cx + self.font.getlength(s) > x + w:
                return lh
            cx += self.link(cx, y, lh, s) + 8
            if sep:
                cx = self.mid(cx, y, lh, sep)[2] + 8

    def b_bars(self, x, y, w, room):
        """Progress bars: nothing to find in them."""
        r, cy, bw = self.r, y, min(w, r_of(self.r, 120, 200, 320))
        for _ in range(r.randint(1, 3)):
            h = r.choice([6, 10, 16, 20, 23])
            if cy + h + 4 > y + room:
                break
            done = r.random()
            if self.plain:
                self.rr(x, cy, bw, h, min(self.P['rad'], h // 2), self.paper, self.P['fline'])
            else:
                self.bevel(x, cy, bw, h, False, self.face if r.random() < .5 else self.paper, False)
            if h > 8 and not self.plain and r.random() < .5:
                for bx in range(x + 3, x + 3 + int((bw - 10) * done), 10):
                    self.d.rectangle([bx, cy + 3, bx + 7, cy + h - 4], fill=(0, 200, 40) if self.k == 'luna' else self.accent)
            elif done * bw > 8:
                self.d.rectangle([x + 1, cy + 1, x + int((bw - 3) * done), cy + h - 2], fill=self.accent)
            if h >= self.size + 4 and r.random() < .6:
                s = '%d%%' % (done * 100)
                self.mid(x + (bw - int(self.font.getlength(s))) // 2, cy, h, s)
            cy += h + 8
        return cy - y

    def month(self, x, y, s, pad=3):
        """A month; returns its size. Draws nothing when y is None."""
        r = self.r
        w, h = s * 7 + 2 * pad, s * 8 + 2 * pad
        if y is None:
            return w, h
        self.drawn, self.coloured = True, False
        top = self.accent if r.random() < .4 else self.face
        self.d.rectangle([x, y, x + w - 1, y + h - 1], fill=self.paper, outline=self.line)
        self.d.rectangle([x + 1, y + 1, x + w - 2, y + pad + s - 1], fill=top)
        t = r.choice(['March 2026', 'June 2026', '2026-03'] if self.lang == 'en' else ['2026年3月', '2026年11月', '2026-03'])
        self.mid(x + (w - int(self.font.getlength(t))) // 2, y + pad, s, t, self.on_accent() if top == self.accent else self.ink, True)
        n = min(s - 4, 20)
        self.sign(x + pad, y + pad + 2, n, n, '<', False)
        self.sign(x + w - pad - n, y + pad + 2, n, n, '>', False)
        for i, dname in enumerate(self.w['day']):
            dname = self.fit(dname, s - 2)
            self.mid(x + pad + i * s + (s - int(self.font.getlength(dname))) // 2, y + pad + s, s, dname, self.faint)
        first, on, today = r.randint(0, 6), r.randint(1, 28), r.randint(1, 28)
        for day in range(1, r.choice([30, 31, 28]) + 1):
            i = first + day - 1
            cx, cy = x + pad + i % 7 * s, y + pad + (2 + i // 7) * s
            if day == on:
                self.d.rectangle([cx + 1, cy + 1, cx + s - 2, cy + s - 2], fill=self.accent)
            elif day == today:
                self.d.rectangle([cx + 1, cy + 1, cx + s - 2, cy + s - 2], outline=(200, 0, 0))
            t = str(day)
            self.mid(cx + (s - int(self.font.getlength(t))) // 2, cy, s, t, self.on_accent() if day == on else self.ink)
            self.add('button', [cx, cy, cx + s, cy + s])
        return w, h

    def b_calendar(self, x, y, w, room):
        s = self.size + self.r.choice([6, 8, 12])
        s = max(s, int(self.font.getlength('28')) + 4)
        a, b = self.month(x, None, s)
        if a > w or b > room or self.r.random() < .4:
            return 0
        return self.month(x, y, s)[1]

    def drop(self, x, y, w, h, up=None):
        s = max(self.size + 8, int(self.font.getlength('28')) + 4)
        a, b = self.month(x, None, s)
        if self.r.random() < .12 and x + a < self.W and y + h + b < self.H:
            self.hide([x, y + h, x + a, y + h + b])
            self.month(x, y + h, s)
        else:
            super().drop(x, y, w, h)

    def b_tiles(self, x, y, w, room):
        """Large keys, as at a till."""
        r = self.r
        cols, kh, gap = r.randint(2, 6), r.choice([36, 48, 60, 72]), r.choice([2, 4, 8])
        kw = min(w // cols - gap, r.choice([70, 90, 120]))
        if kw < 44 or room < kh + gap:
            return 0
        hues, pics = r.random() < .5, r.random() < .4
        n = 0
        for row in range(r.randint(1, 4)):
            if (row + 1) * (kh + gap) > room:
                break
            n = (row + 1) * (kh + gap)
            for c in range(cols):
                cx, cy, dis = x + c * (kw + gap), y + row * (kh + gap), self.off()
                s = self.fit(r.choice(self.w[r.choice(['nav', 'button', 'noun'])]), kw - 6)
                ink = self.P['bink'] if self.plain else self.ink
                if hues:
                    t = tuple(r.randint(40, 230) for _ in range(3))
                    t = mix(t, self.face, .6) if dis else t
                    self.rr(cx, cy, kw, kh, self.P['rad'] if self.plain else 0, t, mix(t, (0, 0, 0), .3) if r.random() < .5 else None)
                    ink = WHITE if light(t) < 130 else (0, 0, 0)
                else:
                    self.push(cx, cy, kw, kh, dis=dis)
                if dis:
                    ink = mix(ink, self.face, .55)
                tw = int(self.font.getlength(s))
                if pics and kh >= self.size + 34:
                    pic = glyph(r, 22)
                    self.im.paste(pic, (cx + (kw - 22) // 2, cy + 5), pic)
                    self.mid(cx + (kw - tw) // 2, cy + 28, kh - 30, s, ink)
                else:
                    self.mid(cx + (kw - tw) // 2, cy, kh, s, ink)
                self.add('button', [cx, cy, cx + kw, cy + kh], **self.kw(dis))
        return n

    def b_icons(self, x, y, w, room):
        """An icon view: pictures with names below, in a white field."""
        r = self.r
        h = min(room, r.randint(90, 300))
        if h < 80 or w < 160:
            return 0
        self.frame(x, y, w, h)
        cw, lh = r.choice([74, 90, 110]), 32 + self.size + 18
        sel, n, i = r.randrange(12), r.randint(2, 30), 0
        for cy in range(y + 4, y + h - lh, lh):
            for cx in range(x + 4, x + w - cw, cw):
                if i >= n:
                    break
                pic = glyph(r, 32)
                s = self.fit(r.choice(self.w[r.choice(['noun', 'nav'])]), cw - 6)
                tw = int(self.font.getlength(s))
                self.im.paste(pic, (cx + (cw - 32) // 2, cy + 4), pic)
                tx, ty = cx + (cw - tw) // 2, cy + 38
                if i == sel:
                    self.d.rectangle([tx - 2, ty, tx + tw + 1, ty + self.size + 5], fill=self.accent)
                self.mid(tx, ty, self.size + 6, s, self.on_accent() if i == sel else self.ink)
                half = max(tw + 4, 36) // 2
                self.add('listitem', [cx + cw // 2 - half, cy + 2, cx + cw // 2 + half, ty + self.size + 6])
                i += 1
        return h

    def b_upright(self, x, y, w, room):
        """Sliders that stand upright, as of a mixer."""
        r, h = self.r, r_of(self.r, 80, 120, 160)
        if room < h + self.size + 8:
            return 0
        cx, kw = x, r.choice([14, 18, 22])
        step = max(kw + 16, int(self.font.getlength('100')) + 8)
        names = r.random() < .7
        for _ in range(r.randint(2, 8)):
            if cx + step > x + w:
                break
            dis, p = self.off(), int(r.random() * (h - 12))
            m = cx + kw // 2
            if self.plain:
                self.rr(m - 2, y, 4, h, 2, mix(self.paper, self.ink, .15), None)
                self.d.rectangle([m - 2, y + p, m + 1, y + h - 1], fill=self.accent)
                self.rr(cx, y + p, kw, 11, min(4, self.P['rad']), mix(self.P['btn'], self.ink, .2), self.lo)
            else:
                self.bevel(m - 2, y, 4, h, False, self.paper, False)
                self.push(cx, y + p, kw, 11, small=True)
            self.add('slider', [cx, y, cx + kw, y + h], **self.kw(dis))
            if names:
                t = str(r.randint(0, 100))
                self.text(m - int(self.font.getlength(t)) // 2, y + h + 3, t, self.faint if dis else None, True)
            cx += step
        return h + self.size + 8

    def b_flatbar(self, x, y, w, room):
        """Buttons without a frame, the words bare or beside a picture; one is under the pointer."""
        r, h = self.r, self.ch + r_of(self.r, 0, 2, 6)
        if room < h:
            return 0
        names = r.sample(ORDER[self.lang] if r.random() < .6 else self.w['button'], r.randint(3, 9))
        cx, hot, pics = x, r.randrange(len(names) * 2), r.random() < .75
        if r.random() < .6:
            self.d.rectangle([x, y, x + w - 1, y + h - 1], fill=mix(self.face, self.ink, .06))
        for i, s in enumerate(names):
            tw = int(self.font.getlength(s))
            bw = tw + (30 if pics else 14)
            if cx + bw > x + w:
                break
            dis = self.off(.1)
            if i == hot and not dis:
                if self.plain or self.k in ('aero', 'gtk', 'dark', 'luna'):
                    self.d.rectangle([cx, y, cx + bw - 1, y + h - 1], fill=mix(self.face, self.accent, .3), outline=self.accent)
                else:
                    self.bevel(cx, y, bw, h, True, None, False)
            if pics:
                pic = glyph(r, 16)
                self.im.paste(pic, (cx + 4, y + (h - 16) // 2), pic)
            self.mid(cx + (24 if pics else 7), y, h, s, self.faint if dis else None)
            self.add('button', [cx, y, cx + bw, y + h], **self.kw(dis))
            cx += bw + 2
            if r.random() < .2:
                self.d.line([cx + 1, y + 3, cx + 1, y + h - 4], fill=self.lo)
                cx += 6
        return h

    def b_greyed(self, x, y, w, room):
        old, self.grey, foc, self.foc_n = self.grey, 99, self.foc_n, 0
        h = self.b_group(x, y, w, room) if self.r.random() < .6 else self.b_form(x, y, w, min(room, 110), 3)
        self.grey, self.foc_n = old, foc
        return h

    def b_para(self, x, y, w, room):
        cy = y
        s = self.r.sample(self.w['sent'], 3)
        for t in self.wrap((' ' if self.lang == 'en' else '').join(s), min(w, 420)):
            if cy + self.size + 5 > y + room:
                break
            self.text(x, cy, self.fit(t, w), None, True)
            cy += self.size + 5
        return cy - y

    def b_child(self, x, y, w, room):
        """A window within the window."""
        r = self.r
        h = min(room, r.randint(150, 360))
        if h < 140 or w < 260 or self.depth > 1:
            return 0
        clip = self.clip[-1]
        q = self.shell(x, y, w, h)
        self.clip[-1] = (max(clip[0], x), max(clip[1], y), min(clip[2], x + w), min(clip[3], y + h))
        self.stack(q[0] + 8, q[1] + 6, q[2] - 16, q[3] - 12, ['form', 'buttons', 'list', 'grid', 'ticks', 'radios'])
        self.clip.pop()
        return h

    def b_pairs(self, x, y, w, room):
        """What is easily taken for something else, side by side: field and combo box, button and tab, tick box and radio button."""
        r, h = self.r, self.ch
        if room < 3 * h + 16 or w < 220:
            return 0
        cy = y
        for _ in range(r.randint(1, 3)):
            if cy + 3 * h + 12 > y + room:
                break
            n = min(w // 2 - 6, r.choice([110, 150, 200]))
            v = r.choice(['', r.choice(self.w['noun']), value(r, self.w)])
            for i, k in enumerate(r.sample(['edit', 'combo'], 2)):
                getattr(self, k)(x + i * (n + 8), cy, n, v)
            cy += h + 6
            s = self.fit(r.choice(self.w['tick']), w // 2 - 50)
            k = self.check(x, cy, s)
            self.radio(x + max(k + 14, w // 2), cy, self.fit(r.choice(self.w['radio']), w // 2 - 40), r.random() < .5, self.off())
            cy += h + 6
        return cy - y


def r_of(r, *a):
    return r.choice(a)


def make(seed):
    r = random.Random('canvas more %d' % seed)
    lang = 'zh' if r.random() < .5 else 'en'
    W, H = r.choice([(800, 600), (800, 600), (1024, 768), (1024, 768), (1280, 720), (1280, 800), (1280, 1024), (1366, 768), (1600, 900), (1920, 1080)])
    scene = r.choice(['plain', 'order', 'open', 'cells', 'dialogs', 'states'])
    plain = scene == 'plain' or r.random() < {'order': .2, 'open': .5, 'cells': .45, 'dialogs': .4, 'states': .5}[scene]
    s = (More if seed < 3300 else Wider)(r, lang, W, H, plain)
    elements = s.screen(scene)
    im, scale = s.im, 1
    if r.random() < .06 and W < 1300:  # as enlarged by the system
        scale = r.choice([1.25, 1.5, 2])
        im = im.resize((int(W * scale), int(H * scale)), Image.NEAREST if scale == 2 else Image.BILINEAR)
        for e in elements:
            e['bbox'] = [v * scale for v in e['bbox']]
    return im, {'width': im.width, 'height': im.height, 'source': 'canvas', 'toolkit': 'canvas-%s-%s' % (scene, s.k), 'lang': lang, 'seed': seed, 'scale': scale, 'elements': elements}


def main():
    a = argparse.ArgumentParser()
    a.add_argument('first', type=int)
    a.add_argument('last', type=int)
    a.add_argument('--out', default=place('canvas'))
    a = a.parse_args()
    os.makedirs(a.out, exist_ok=True)
    for seed in range(max(3000, a.first), a.last):
        name = os.path.join(a.out, 'c%06d' % seed)
        if os.path.exists(name + '.json'):
            continue
        try:
            im, truth = make(seed)
        except ValueError as e:  # something came out too narrow to draw
            print(seed, e, flush=True)
            continue
        im.save(name + '.png')
        with open(name + '.tmp', 'w') as f:
            json.dump(truth, f)
        os.replace(name + '.tmp', name + '.json')


if __name__ == '__main__':
    main()
