"""Pages of the seeds from 6000 on: what is easily mistaken stands side by side and in many more looks (buttons and tabs, links and coloured words, combo boxes and fields
with a sign at the end, odd ticks, sliders, greyed-out and focused controls, tables, lists, menus). The marks are those of pages.py."""
import random

from icons import icon
from pages import SIZES, Maker, Theme, hsl, wrap_svg
from words import value

# From this seed on the whole scenes of pages_scenes.py are drawn too.
SCENES_FROM = 6060

GLYPHS = {'tri': '<path d="M2 4h8l-4 5z" fill="currentColor" stroke="none"/>', 'smalltri': '<path d="M3.5 5h5l-2.5 3z" fill="currentColor" stroke="none"/>',
          'chev': '<path d="M2 4l4 4 4-4" stroke-width="1.7"/>', 'thin': '<path d="M2 4l4 4 4-4" stroke-width=".9"/>', 'bold': '<path d="M2 4l4 4 4-4" stroke-width="2.6"/>',
          'updown': '<path d="M3 5l3-3 3 3M3 7l3 3 3-3" stroke-width="1.3"/>', 'twotri': '<path d="M3 5h6l-3-4zM3 7h6l-3 4z" fill="currentColor" stroke="none"/>',
          'double': '<path d="M2 2l4 4 4-4M2 6l4 4 4-4" stroke-width="1.2"/>', 'line': '<path d="M2 3h8l-4 4z" fill="currentColor" stroke="none"/><path d="M2 10h8" stroke-width="1.4"/>',
          'tick': '<path d="M2 6l3 3 5-6" stroke-width="1.8"/>', 'cross': '<path d="M2.5 2.5l7 7M9.5 2.5l-7 7" stroke-width="1.6"/>', 'dash': '<path d="M2 6h8" stroke-width="2"/>',
          'plus': '<path d="M6 2v8M2 6h8" stroke-width="1.5"/>', 'minus': '<path d="M2 6h8" stroke-width="1.5"/>', 'right': '<path d="M4 2l4 4-4 4" stroke-width="1.5"/>',
          'left': '<path d="M8 2l-4 4 4 4" stroke-width="1.5"/>', 'up': '<path d="M2 8h8l-4-5z" fill="currentColor" stroke="none"/>', 'righttri': '<path d="M4 2v8l5-4z" fill="currentColor" stroke="none"/>',
          'dots': '<path d="M2 6h.1M6 6h.1M10 6h.1" stroke-width="2" stroke-linecap="round"/>', 'ext': '<path d="M5 2H2v8h8V7M7 1.5h3.5V5M10 2L5.5 6.5"/>',
          'cal': '<path d="M1.5 2.5h9v8h-9zM1.5 5h9M4 1v2.5M8 1v2.5"/>', 'eye': '<path d="M1 6q5-6 10 0q-5 6-10 0z"/><circle cx="6" cy="6" r="1.6"/>', 'lens': '<circle cx="5" cy="5" r="3.4"/><path d="M7.6 7.6L11 11" stroke-width="1.4"/>',
          'clock': '<circle cx="6" cy="6" r="4.6"/><path d="M6 3v3l2.4 1.4"/>', 'clear': '<circle cx="6" cy="6" r="5" fill="currentColor" stroke="none" opacity=".6"/><path d="M4 4l4 4M8 4l-4 4" stroke="#fff"/>',
          'mic': '<path d="M4.5 2.5q1.5-2 3 0v3q-1.5 2-3 0zM3 5q0 3 3 3.2Q9 8 9 5M6 8.2V11"/>', 'warn': '<path d="M6 1.5L11 10.5H1zM6 5v2.5M6 9v.4"/>', 'lock': '<path d="M2.5 5.5h7v5h-7zM4 5.5V4q2-4 4 0v1.5"/>'}


def glyph(name, size):
    return wrap_svg(size, GLYPHS[name])


class More(Maker):
    def __init__(self, r, lang, theme, width, height):
        super().__init__(r, lang, theme, width, height, True)
        t = theme
        self.sign = r.choice(['tri', 'tri', 'smalltri', 'chev', 'chev', 'thin', 'bold', 'updown', 'twotri', 'double', 'line'])
        self.signsize = r.choice([8, 9, 10, 12, 14, 16])
        self.comboway = r.choice(['plain', 'plain', 'plain', 'boxed', 'boxed', 'sep', 'bare', 'filled', 'button', 'round', 'tight', 'theme', 'theme'])
        self.oddtick = r.random() < .65
        self.tsize = r.choice([10, 11, 12, 13, 14, 15, 16, 16, 18, 18, 20, 22, 24, 26, 28])
        self.radioway = r.choice(['dot', 'dot', 'ring', 'tick', 'tick', 'full', 'thick', 'eye', 'halo', 'smalldot'])
        self.checkway = r.choice(['tick', 'tick', 'fulltick', 'fulltick', 'square', 'fullsquare', 'dash', 'fulldash', 'cross', 'fullcross', 'full', 'dot', 'bigtick'])
        self.tickround = r.choice([0, 0, 2, 3, 4, .3, .36, .42])
        self.tickline = r.choice([1, 1, 1.5, 2, 2, 3])
        self.tickink = r.choice([t.accent, t.accent, t.ink, '#107c10', '#0078d7', '#444'])
        self.tickempty = r.choice([t.paper, t.paper, 'transparent', '#fff', t.alt])
        self.focusway = r.choice(['border', 'border2', 'glow', 'glow2', 'outline', 'offset', 'black', 'under', 'tint', 'caret', 'dotted', 'yellow'])
        self.fadeway = r.choice(['theme', 'theme', 'pale', 'grey', 'dash', 'flat', 'emboss'])
        self.endsign = r.choice(['cal', 'eye', 'lens', 'clear', 'clock', 'mic', 'cross', 'warn', 'lock', 'dots'])
        self.slideway = None

    def off(self, p=.06):
        return self.r.random() < (.24 if self.rare else p)

    def arrow(self, size=None):
        return glyph(self.sign, size or self.signsize)

    def fade(self, field=False):
        """Style of a control that is greyed out, beside class dis."""
        t = self.t
        return {'theme': '', 'pale': 'opacity:.4;', 'grey': f'background:{t.alt};color:{t.faint};border-color:{t.line};', 'dash': f'border-style:dashed;color:{t.faint};', 'flat': f'background:{t.panel};color:{t.faint};border-color:{t.line};box-shadow:none;',
                'emboss': f'color:#9a9a9a;text-shadow:1px 1px #fff;' if not t.dark else 'color:#777;'}[self.fadeway]

    def focus(self):
        a = self.t.accent
        return {'border': f'border:1px solid {a};', 'border2': f'border:2px solid {a};', 'glow': f'border:1px solid {a};box-shadow:0 0 0 3px color-mix(in srgb,{a} 35%,transparent);', 'glow2': f'border:1px solid {a};box-shadow:0 0 6px 1px {a};',
                'outline': f'outline:2px solid {a};', 'offset': f'outline:2px solid {a};outline-offset:2px;', 'black': f'border:2px solid {self.t.ink};', 'under': f'border-bottom:2px solid {a};', 'tint': f'background:color-mix(in srgb,{a} 15%,{self.t.paper});',
                'caret': '', 'dotted': f'outline:1px dotted {self.t.ink};outline-offset:-3px;', 'yellow': 'background:#ffffc8;color:#000;border:1px solid #e0a000;'}[self.focusway]

    # -- fields -------------------------------------------------------------------------------------------------------------------
    def textbox(self, width=None, val=None, ph=None, kind=None, css=''):
        r, t = self.r, self.t
        wish = not self.focused and r.random() < .22
        if not wish and not css and (kind not in (None, 'native') or r.random() < .4):
            return super().textbox(width, val, ph, kind)
        kind = kind if kind in ('native', 'search') else r.choices(['native', 'end', 'spin', 'lead', 'unit', 'note', 'plusminus', 'ro'], [34, 30, 12, 6, 7, 4, 4, 6])[0]
        width = width or r.choice([60, 80, 100, 120, 150, 180, 220, 260, 320])
        dis = not wish and self.off()
        self.focused |= wish
        val = ('' if r.random() < .25 else value(r, self.w)) if val is None else val
        ph = ph if ph is not None else (self.pick('ph') if r.random() < .6 else '')
        style = f'width:{width}px;{css}' + (self.fade() if dis else '') + (self.focus() if wish else '')
        h = t.height
        caret = f'<span style="display:inline-block;width:{r.choice([1, 1, 2])}px;height:{t.size + 3}px;background:currentColor;flex:none"></span>' if wish and (r.random() < .8 or self.focusway == 'caret') else ''
        text = f'<span style="overflow:hidden">{val}</span>' if val else f'<span class=mut style="overflow:hidden">{ph}</span>'
        if wish and val and r.random() < .3:
            text, caret = f'<span style="background:{t.accent};color:#fff">{val}</span>', ''
        text = caret + text if not val else text + caret
        lead = tail = ''
        if kind == 'search':
            lead = glyph('lens', r.choice([12, 14, 16])) + '&nbsp;'
        elif kind == 'end':
            s = r.choice([11, 12, 14, 16, 18])
            g = glyph(self.endsign if r.random() < .7 else r.choice(['cal', 'eye', 'lens', 'clear', 'clock', 'mic', 'cross']), s) if r.random() < .8 else icon(r, 'lucide', s, 'currentColor')
            tail = r.choice([f'<span style="color:{t.faint};display:inline-flex">{g}</span>', f'<span style="display:inline-flex">{g}</span>',
                             f'<span style="display:inline-flex;align-items:center;height:100%;padding:0 6px;border-left:1px solid {t.line};margin-right:-4px">{g}</span>'])
        elif kind == 'spin':
            a, b = r.choice([('up', 'tri'), ('up', 'tri'), ('plus', 'minus')])
            w, bg, g = r.choice([13, 15, 17, 20]), f'background:{t.panel};' if r.random() < .5 else '', r.choice([6, 7, 8])
            one = f'flex:1;display:flex;align-items:center;justify-content:center;{bg}' + r.choice(['', f'border:1px solid {t.line};', 'border:1px solid;border-color:#fff #888 #888 #fff;'])
            text, tail = f'<span>{r.choice([r.randint(0, 99), r.randint(0, 9999), "%.2f" % r.uniform(0, 99)])}</span>', f'<span style="display:flex;flex-direction:column;height:100%;width:{w}px;flex:none"><span style="{one}">{glyph(a, g)}</span><span style="{one}">{glyph(b, g)}</span></span>'
            style += 'padding-right:1px;'
        elif kind == 'plusminus':
            lead, text, tail = f'<span style="display:inline-flex">{glyph("minus", 12)}</span><span class=sp></span>', f'<span>{r.randint(0, 40)}</span>', f'<span style="display:inline-flex">{glyph("plus", 12)}</span>'
        elif kind == 'lead':
            lead = (self.ic(r.choice([13, 14, 16]), t.faint) if r.random() < .6 else f'<span class=mut>{r.choice("$€¥#@")}</span>') + '&nbsp;'
        elif kind == 'unit':
            text, tail = f'<span>{r.randint(1, 900)}</span>' + caret, f'<span class=mut>{r.choice(["kg", "mm", "%", "EUR", "元", "px", "°C", "天" if self.lang == "zh" else "days", ".com"])}</span>'
        elif kind == 'note' and t.field == 'line' and h > 28:
            style += 'position:relative;overflow:visible;'
            lead = f'<span style="position:absolute;left:8px;top:-7px;font-size:11px;line-height:13px;padding:0 3px;background:{t.panel};color:{t.faint}">{self.pick("label")}</span>'
        elif kind == 'ro':
            style += f'background:{r.choice([t.panel, t.alt, "transparent"])};'
        if r.random() < .04 and not wish and not dis:
            style += 'border-color:#d22;'
        if r.random() < .1:
            lead += '<span class=sp></span>'
        cls = 'tb' + (' dis' if dis else '')
        return f'<span class="{cls}" data-r=textbox{" data-d=1" if dis else ""}{" data-f=1" if wish else ""} style="{style}">{lead}{text}{"<span class=sp></span>" if tail else ""}{tail}</span>'

    def combobox(self, width=None, val=None, css='', dis=None):
        r, t = self.r, self.t
        way = self.comboway
        if way == 'theme' and not css:
            return super().combobox(width, val)
        width = width or r.choice([70, 90, 110, 130, 160, 200, 240])
        dis = self.off() if dis is None else dis
        val = val or r.choice([self.pick('noun'), self.pick('radio'), self.pick('nav'), value(r, self.w), ''])
        g = f'<span style="display:inline-flex;flex:none;margin-left:2px">{self.arrow()}</span>'
        style = f'width:{width}px;' + (self.fade() if dis else '')
        btn = 'display:flex;align-items:center;justify-content:center;height:100%;flex:none;'
        if way == 'boxed':
            edge = 'border:1px solid;border-color:#fff #555 #555 #fff;' if t.classic else f'border:1px solid {t.line};border-radius:{min(t.radius, 4)}px;'
            g, style = f'<span style="{btn}width:{min(t.height, 24)}px;background:{t.panel};{edge}">{g}</span>', style + 'padding-right:1px;'
        elif way == 'sep':
            g, style = f'<span style="{btn}padding:0 6px;border-left:1px solid {t.line}">{g}</span>', style + 'padding-right:0;'
        elif way == 'filled':
            g, style = f'<span style="{btn}width:{min(t.height, 30)}px;background:{r.choice([t.alt, t.accent])};color:{t.ink}">{g}</span>', style + 'padding-right:0;'
        elif way == 'bare':
            style += 'border-color:transparent;background:transparent;box-shadow:none;width:max-content;gap:5px;'
        elif way == 'button':
            style += f'background:{t.alt};' if t.dark else 'background:linear-gradient(#fdfdfd,#e2e2e2);color:#111;'
        elif way == 'round':
            style += 'border-radius:99px;padding:0 12px;'
        elif way == 'tight':
            style += 'padding-right:2px;'
        lead = self.ic(14) + '&nbsp;' if r.random() < .05 else f'<span style="width:12px;height:12px;background:hsl({r.randint(0, 359)},60%,50%);margin-right:5px;flex:none"></span>' if r.random() < .05 else ''
        text = f'<span class="{"" if val else "mut"}" style="overflow:hidden">{val or self.pick("ph")}</span>'
        return f'<span class="tb{" dis" if dis else ""}" data-r=combobox{" data-d=1" if dis else ""} style="{style}{css}">{lead}{text}<span class=sp></span>{g}</span>'

    # -- ticks, sliders, buttons ----------------------------------------------------------------------------------------------------
    def box(self, role, on=None, dis=None):
        r, t = self.r, self.t
        if not self.oddtick:
            return super().box(role, on, dis)
        on = r.random() < (.5 if role == 'checkbox' else .4) if on is None else on
        dis = self.off() if dis is None else dis
        s, a, lw = self.tsize, self.tickink, self.tickline
        edge, bg, ink, inner = t.faint, self.tickempty, a, ''
        way = self.radioway if role == 'radio' else self.checkway
        if on:
            edge = a
            full = way.startswith('full') or way in ('tick', 'eye') and role == 'radio' or way == 'bigtick'
            if full:
                bg, ink = a, '#fff'
            blob = lambda part, rad: f'<span style="width:{max(3, round(s * part))}px;height:{max(3, round(s * part))}px;border-radius:{rad};background:{ink}"></span>'
            k = way.replace('full', '') or ('dot' if role == 'radio' else 'none')
            if k in ('dot', 'eye', 'halo'):
                inner = blob(.45, '50%')
            elif k == 'smalldot':
                inner = blob(.28, '50%')
            elif k == 'ring':
                inner = blob(.62, '50%')
            elif k == 'thick':
                lw = max(lw, round(s * .28))
            elif k == 'square':
                inner = blob(.5, '1px')
            elif k in ('tick', 'dash', 'cross'):
                inner = glyph(k, max(8, round(s * .8)))
            elif k == 'bigtick':
                inner = glyph('tick', s)
            if k == 'halo':
                edge = f'{a};box-shadow:0 0 0 3px color-mix(in srgb,{a} 25%,transparent)'
        rad = '50%' if role == 'radio' else f'{self.tickround}px' if self.tickround >= 1 or not self.tickround else f'{round(s * self.tickround)}px'
        if dis:
            edge, bg = t.line, t.alt if not on or bg != a else t.faint
        return f'<span data-r={role} data-c={int(on)}{" data-d=1" if dis else ""} style="display:inline-flex;align-items:center;justify-content:center;flex:none;width:{s}px;height:{s}px;border:{lw}px solid {edge};background:{bg};border-radius:{rad};color:{ink if not dis else t.faint}">{inner}</span>'

    def tick(self, role, text=None, on=None, dis=None):
        dis = self.off() if dis is None else dis
        text = text if text is not None else self.pick('tick' if role == 'checkbox' else 'radio')
        return f'<span class=row style="gap:{self.r.choice([3, 4, 6, 8])}px;white-space:nowrap;display:inline-flex{";color:" + self.t.faint if dis else ""}">{self.box(role, on, dis)}<span>{text}</span></span>'

    def slider(self, width=None, tall=None):
        r, t = self.r, self.t
        if tall is None and r.random() < .3:
            return super().slider(width)
        if self.slideway is None:
            self.slideway = (r.choice([2, 3, 4, 6, 8, 12, 16, 22]), r.choice([8, 10, 12, 14, 16, 18, 20, 24, 28]), r.choice(['round', 'round', 'square', 'bar', 'point', 'ring', 'none']), r.choice([t.line, t.faint, t.alt, '#ccc']), r.random() < .75, r.random() < .25)
        tr, th, knob, ground, fill, bubble = self.slideway
        if knob in ('round', 'ring', 'square') and tr > th:
            th = tr + r.choice([0, 2, 6])
        tall = r.random() < .25 if tall is None else tall
        n, p = width or r.choice([80, 120, 160, 200, 260, 340]), r.randint(0, 100)
        if tall:
            n = min(n, 160)
        two, dis = r.random() < .15, self.off()
        q = r.randint(0, p) if two else 0
        across = max(th, tr)
        kw, kh = {'bar': (max(5, th // 2), across), 'none': (2, tr)}.get(knob, (th, th))
        look = {'ring': f'border-radius:50%;background:#fff;border:{max(2, th // 5)}px solid {t.accent}', 'bar': f'border-radius:2px;background:{t.accent if r.random() < .5 else t.panel};border:1px solid {t.faint}',
                'point': f'background:{t.accent};clip-path:polygon(0 0,100% 0,100% 60%,50% 100%,0 60%)', 'none': '', 'square': f'background:{t.panel};border:1px solid {t.faint};box-shadow:inset 1px 1px #fff'}.get(knob) or 'border-radius:50%%;background:%s;%s' % (r.choice([t.accent, '#fff', t.ink]), r.choice(['', 'box-shadow:0 1px 3px rgba(0,0,0,.5)', f'border:1px solid {t.faint}']))
        rad = r.choice([0, tr])
        color = t.faint if dis else t.accent if fill else ground

        def bar(a, b, c):
            return f'<span style="position:absolute;{"left" if not tall else "top"}:{a}%;{"width" if not tall else "height"}:{b - a}%;{"top" if not tall else "left"}:{(across - tr) // 2}px;{"height" if not tall else "width"}:{tr}px;border-radius:{rad}px;background:{c}"></span>'

        def hand(v):
            k = kw if not tall else (kw if knob == 'bar' else kh)
            side, other = ('left', 'top') if not tall else ('top', 'left')
            w, h = (kw, kh) if not tall else (kh, kw)
            tip = f'<span data-skip=1 style="position:absolute;left:50%;bottom:calc(100% + 5px);transform:translateX(-50%);background:{t.ink};color:{t.page};font-size:11px;line-height:16px;padding:0 5px;border-radius:3px">{v}</span>' if bubble and not tall and knob != 'point' else ''
            return f'<span style="position:absolute;{side}:calc({v}% - {k * v / 100:.1f}px);{other}:{(across - kh) // 2}px;width:{w}px;height:{h}px;{look}">{tip}</span>'
        body = bar(0, 100, ground) + (bar(q, p, color) if not tall else bar(p, 100, color)) + hand(p) + (hand(q) if two else '')
        st = f'display:inline-block;position:relative;flex:none;{"opacity:.5;" if dis else ""}{"margin-top:22px;" if bubble and not tall else ""}'
        return f'<span data-r=slider{" data-d=1" if dis else ""} style="{st}width:{across if tall else n}px;height:{n if tall else across}px">{body}</span>'

    def button(self, text=None, pri=None, width=None, css='', dis=None):
        r = self.r
        dis = self.off() if dis is None else dis
        cls = 'btn' + (' pri' if (pri if pri is not None else r.random() < .15) else '') + (' dng' if r.random() < .03 else '') + (' dis' if dis else '')
        lead = self.ic(r.choice([13, 14, 16])) if r.random() < .15 else ''
        tail = f'<span style="display:inline-flex">{glyph("tri", 8)}</span>' if r.random() < .03 else ''
        style = css + (f'width:{width}px;padding:0;' if width else '') + (self.fade() if dis else '')
        return f'<span class="{cls}" data-r=button{" data-d=1" if dis else ""} style="{style}">{lead}<span>{text or self.pick("button")}</span>{tail}</span>'

    def glyphbutton(self, s=None, g=None):
        """A button with one sign that is a letter."""
        s = s or self.t.height
        dis = self.off()
        return f'<span class="btn{" dis" if dis else ""}" data-r=button{" data-d=1" if dis else ""} style="width:{s}px;height:{s}px;min-width:0;padding:0">{g or self.r.choice(["…", "...", "?", "+", "−", "×", "<", ">", "▼", "A", "B", "1", "√", "!", ">>", "<<", "▲"])}</span>'

    def buttons(self, n=None, end=None):
        return super().buttons(n, end) if self.r.random() < .3 else self.commands(n)

    def commands(self, n=None):
        """A row or column of plain buttons in many looks."""
        r, t = self.r, self.t
        n = n or r.randint(2, 8)
        names = r.sample(self.w['button'], n)
        way = r.choice(['row', 'row', 'row', 'wide', 'joined', 'joined', 'flat', 'bar', 'text', 'column', 'menuish', 'glyphs', 'split'])
        off = r.randrange(n * 2)
        if way == 'joined':
            on = r.randrange(n * 3)
            rad, cells = min(t.radius, 10), []
            for i, x in enumerate(names):
                edge = f'border-radius:{rad if i == 0 else 0}px {rad if i == n - 1 else 0}px {rad if i == n - 1 else 0}px {rad if i == 0 else 0}px;' + ('margin-left:-1px;' if i else '') + f'border:1px solid {t.line};'
                cells.append(self.button(x, False, css=edge + (f'background:{t.alt};' if i == on else ''), dis=i == off))
            return f'<div class=row style="gap:0">{"".join(cells)}</div>'
        if way in ('flat', 'bar', 'text', 'menuish'):
            hot, ics = r.randrange(n * 2), r.random() < .5
            pad = f'padding:{r.choice([2, 4, 6, 8])}px {r.choice([5, 8, 12, 16])}px;'
            ink = {'text': f'color:{t.accent};font-weight:600;', 'bar': ''}.get(way, '')
            cells = []
            for i, x in enumerate(names):
                dis = i == off
                st = f'display:inline-flex;align-items:center;gap:5px;white-space:nowrap;border:1px solid transparent;{pad}{ink}' + (f'border-color:{t.line};background:{t.alt};' if i == hot else '') + (f'color:{t.faint};opacity:.6;' if dis else '')
                cells.append(f'<span data-r=button{" data-d=1" if dis else ""} style="{st}">{self.ic(16) if ics else ""}<span>{x.upper() if way == "text" and self.lang == "en" else x}</span></span>' + (f'<span class=sep></span>' if r.random() < .2 else ''))
            return f'<div class=bar style="{r.choice(["background:" + t.alt, "border:1px solid " + t.line, "", "background:linear-gradient(#fafafa,#ddd);color:#111" if not t.dark else ""])}">{"".join(cells)}</div>'
        if way == 'glyphs':
            return f'<div class=row style="gap:{r.choice([0, 2, 5])}px">{"".join(self.glyphbutton() for _ in range(n))}</div>'
        if way == 'column':
            w = r.choice([75, 90, 110, 140])
            return f'<div class=col style="gap:{r.choice([2, 5, 8])}px;align-items:flex-start">{"".join(self.button(x, i == 0 and r.random() < .3, w, dis=i == off) for i, x in enumerate(names))}</div>'
        if way == 'split':
            s = t.height
            return f'<div class=row style="gap:8px">{"".join("<span class=row style=gap:0>" + self.button(x, False) + f"<span class=ib data-r=icon style=width:18px;height:{s}px;border-color:{t.line};border-radius:0>" + glyph("tri", 8) + "</span></span>" for x in names[:4])}</div>'
        gap, w = (r.choice([0, 1, 2]), r.choice([80, 100])) if way == 'wide' else (r.choice([2, 4, 6, 8, 12]), r.choice([None, None, 75, 88, 100]))
        return f'<div class=row style="gap:{gap}px;justify-content:{r.choice(["flex-start", "flex-end", "center"])};{r.choice(["", "", "padding:6px;border-top:1px solid " + t.line, "padding:6px;background:" + t.alt])}">{"".join(self.button(x, i == 0 and r.random() < .4, w, dis=i == off) for i, x in enumerate(names))}</div>'

    def tabs(self, n=None, role='tab'):
        """Tabs over (beside, below) what they show."""
        r, t = self.r, self.t
        if r.random() < .25:
            return super().tabs(n)
        names = r.sample(self.w['head'] + self.w['nav'], n or r.randint(2, 7))
        on, off = r.randrange(len(names)), r.randrange(len(names) * 6)
        way = r.choice(['under', 'over', 'box', 'box', 'boxall', 'browser', 'slant', 'round', 'left', 'leftline', 'turned', 'tall', 'bottom', 'ribbon', 'fillon', 'plainbox'])
        ics, close, badge, a = r.random() < .25, way == 'browser' or r.random() < .12, r.random() < .15, t.accent
        base = f'padding:{r.choice([2, 3, 5, 8, 10])}px {r.choice([6, 10, 14, 20])}px;white-space:nowrap;display:inline-flex;gap:6px;align-items:center;flex:none;'
        ln = t.line if t.line != t.panel else t.faint
        rad = r.choice([0, 2, 4, 6])
        each = {'under': ('', f'box-shadow:inset 0 -{r.choice([2, 3])}px {a};'), 'over': (f'border:1px solid transparent;border-bottom:1px solid {ln};', f'border:1px solid {ln};border-top:3px solid {a};border-bottom-color:{t.panel};'),
                'box': (f'border:1px solid transparent;border-bottom:1px solid {ln};color:{a};', f'border:1px solid {ln};border-bottom-color:transparent;border-radius:{rad}px {rad}px 0 0;background:{t.paper};'),
                'boxall': (f'border:1px solid {ln};border-radius:{rad}px {rad}px 0 0;background:{t.alt};margin-right:{r.choice([-1, 0, 2, 4])}px;', f'background:{t.panel};border-bottom-color:{t.panel};font-weight:{r.choice([400, 700])};'),
                'browser': (f'min-width:{r.choice([110, 150])}px;background:{t.alt};border-right:1px solid {ln};', f'background:{t.paper};border-radius:{rad}px {rad}px 0 0;'),
                'slant': (f'background:{t.alt};clip-path:polygon(8px 0,calc(100% - 8px) 0,100% 100%,0 100%);padding-left:18px;padding-right:18px;', f'background:{a};color:#fff;'),
                'round': (f'border:1px solid {ln};border-bottom:0;border-radius:10px 10px 0 0;background:linear-gradient({"#555,#333" if t.dark else "#fff,#ddd"});color:{t.ink};', f'background:{t.panel};padding-top:9px;'),
                'left': (f'border:1px solid {ln};background:{t.alt};margin-bottom:-1px;', f'background:{t.panel};border-right-color:{t.panel};font-weight:bold;'), 'leftline': ('', f'border-left:3px solid {a};color:{a};background:{t.alt};'),
                'turned': (f'writing-mode:vertical-rl;padding:10px 4px;border:1px solid {ln};background:{t.alt};', f'background:{t.panel};border-right-color:{t.panel};'), 'tall': ('flex-direction:column;gap:2px;', f'color:{a};background:{t.alt};'),
                'bottom': (f'border:1px solid {ln};border-top:0;border-radius:0 0 {rad}px {rad}px;background:{t.alt};', f'background:{t.paper};font-weight:600;'), 'ribbon': (f'background:{a};color:#fff;', f'background:{t.panel};color:{a};'),
                'fillon': (f'border-bottom:2px solid {a};', f'background:{a};color:#fff;'), 'plainbox': (f'color:{t.faint};', f'color:{t.ink};font-weight:bold;')}[way]
        cells = ''.join(f'<span data-r=tab{" data-d=1" if i == off and i != on else ""} style="{base}{each[0]}{each[1] if i == on else ""}{"color:" + t.faint + ";opacity:.6;" if i == off and i != on else ""}">{self.ic(20 if way == "tall" else 15) if ics or way == "tall" else ""}<span>{x}</span>'
                        + (f'<span style="background:{a if way not in ("fillon", "slant", "ribbon") else "#e33"};color:#fff;border-radius:9px;font-size:11px;line-height:15px;padding:0 5px">{r.randint(1, 40)}</span>' if badge and i % 2 == 0 else '') + (f'<span class=sp></span><span class=mut style="display:inline-flex">{glyph("cross", 9)}</span>' if close else '') + '</span>' for i, x in enumerate(names))
        tall = way in ('left', 'leftline', 'turned')
        row = f'<div style="display:flex;{"flex-direction:column;align-self:stretch;" if tall else "align-items:flex-end;overflow:hidden;" if way != "bottom" else "align-items:flex-start;"}{"background:" + t.alt + ";padding:5px 5px 0;" if way == "browser" else "background:" + a + ";padding:3px 3px 0;" if way == "ribbon" else ""}{"border-bottom:1px solid " + ln + ";" if way in ("under", "tall", "plainbox") and r.random() < .8 else ""}{"border-right:1px solid " + ln + ";" if way == "leftline" else ""}">{cells}{self.iconbtn(22, False, 14) if way == "browser" else ""}</div>'
        if not tall and way != 'bottom' and (n or r.random() < .35):
            return row
        inner = r.choice([lambda: self.form(r.randint(2, 6), r.choice([1, 2])), self.ticks, self.paragraph, lambda: self.zoo(8)])()
        edge = f'border:1px solid {ln};padding:10px;min-width:240px;min-height:{r.choice([60, 110])}px;background:{t.paper if way == "box" else t.panel};' if way not in ('under', 'leftline', 'plainbox', 'tall') else 'padding:10px;'
        body = f'<div style="{edge}">{inner}</div>'
        return f'<div style="display:flex;{"" if tall else "flex-direction:column"}">{body + row if way == "bottom" else row + body}</div>'

    # -- links and what only looks like one -------------------------------------------------------------------------------------------
    def link(self, text=None, css=''):
        r, t = self.r, self.t
        k = r.random()
        css += f'background:{t.alt};' if k < .03 else 'text-decoration:underline;' if k < .08 else f'text-decoration:underline dotted;' if k < .1 else ''
        return f'<a class=lnk data-r=link style="{css}">{text or self.pick(r.choice(["nav", "button", "noun", "tick"]))}</a>'

    def coloured(self):
        """Coloured words that are no links."""
        r, t = self.r, self.t
        ink = r.choice([t.accent, t.linkink, '#c00', '#080', '#06c', '#b60', t.faint])
        return f'<span style="white-space:nowrap;color:{ink};{r.choice(["", "", "font-weight:bold", "font-style:italic"])}">{self.pick(r.choice(["head", "label", "noun", "radio", "nav"]))}</span>'

    def links(self):
        r, t = self.r, self.t
        if r.random() < .3:
            return super().links()
        n = r.randint(2, 8)
        way = r.choice(['said', 'said', 'mixed', 'foot', 'list', 'crumb', 'pairs', 'news', 'marked'])
        if way == 'said':
            parts = []
            for _ in range(r.randint(2, 6)):
                parts.append(self.pick('sent') + ' ' + r.choice([self.link, self.link, self.coloured, lambda: '<b>%s</b>' % self.pick('noun')])() + ' ' + self.pick('ph').lower())
            return f'<p style="margin:2px 0;max-width:{r.choice([260, 380, 560])}px">{" ".join(parts)}</p>'
        if way == 'mixed':
            return f'<div class="row wrap" style="gap:{r.choice([8, 14])}px;max-width:500px">{"".join(r.choice([self.link, self.coloured, lambda: "<span>%s</span>" % self.pick("noun")])() for _ in range(n * 2))}</div>'
        if way == 'foot':
            cols = ''.join(f'<div class=col style="gap:{r.choice([2, 5, 8])}px"><b style="color:{r.choice([t.ink, t.accent])}">{self.pick("head")}</b>{"".join(self.link(css=r.choice(["", "color:inherit;"])) for _ in range(n))}</div>' for _ in range(r.randint(2, 4)))
            return f'<div class=row style="align-items:flex-start;gap:30px;padding:12px;background:{r.choice([t.alt, "transparent"])}">{cols}</div>'
        if way == 'crumb':
            sep = r.choice(['/', '›', '>', '»', '→'])
            return f'<div class=row style="gap:6px">{(f"<span class=mut>{sep}</span>").join(self.link(self.pick("nav")) for _ in range(r.randint(2, 4)))}<span class=mut>{sep}</span><span>{self.pick("head")}</span></div>'
        if way == 'pairs':
            two = ''.join(f'<span class=mut>{self.pick("label")}</span>' + r.choice([self.link, self.coloured, lambda: '<span>%s</span>' % value(r, self.w)])() for _ in range(n))
            return f'<div style="display:grid;grid-template-columns:repeat(2,max-content);gap:{r.choice([3, 6])}px 14px">{two}</div>'
        if way == 'news':
            return ''.join(f'<div style="padding:4px 0">{self.link(self.pick("sent"), "font-size:%dpx;" % (t.size + r.choice([0, 2, 4])))}<div class=mut style="font-size:{max(11, t.size - 2)}px">{self.pick("noun")} · 2026-0{r.randint(1, 9)}-1{r.randint(0, 9)}</div></div>' for _ in range(r.randint(2, 5)))
        if way == 'marked':
            ext, out = r.random() < .5, ''
            for _ in range(n):
                out += f'<a class=lnk data-r=link style="display:inline-flex;gap:4px;align-items:center">{"" if ext else self.ic(14)}<span>{self.pick("nav")}</span>{glyph("ext", 10) if ext else ""}</a>'
            return f'<div class=col style="align-items:flex-start;gap:{r.choice([2, 5])}px">{out}</div>'
        return f'<ul style="margin:0;padding-left:18px">{"".join("<li>" + r.choice([self.link, self.link, self.coloured])() + r.choice(["", " <span class=mut>(%d)</span>" % r.randint(1, 99)]) + "</li>" for _ in range(n))}</ul>'

    # -- tables, lists, menus ---------------------------------------------------------------------------------------------------------
    def pager(self):
        r, t = self.r, self.t
        if r.random() < .25:
            return super().pager()
        s, arrows = r.choice([18, 20, 24, 28, 32]), r.choice([('«', '‹', '›', '»'), ('‹', '›'), ('|<', '<', '>', '>|'), ('⏮', '◀', '▶', '⏭'), ()])
        half = len(arrows) // 2
        nums = [str(i) for i in range(1, r.randint(3, 7))] + r.choice([[], ['…', '12']])
        bare = r.random() < .35
        one = lambda p, on: f'<span data-r={"link" if bare else "button"} class="{"lnk" if bare else "btn" + (" pri" if on else "")}" style="{"padding:0 3px" if bare else f"width:{s}px;height:{s}px;padding:0;min-width:0"}">{p}</span>' if not (bare and on) else f'<b>{p}</b>'
        out = ''.join(one(p, False) for p in arrows[:half]) + ''.join('<span class=mut>…</span>' if p == '…' else one(p, p == '2') for p in nums) + ''.join(one(p, False) for p in arrows[half:])
        extra = r.choice(['', '', self.combobox(r.choice([60, 90]), r.choice(['10', '20', '50'])), self.textbox(44, '2', kind='native')])
        return f'<div class=row style="gap:{r.choice([0, 2, 4, 6])}px;padding:3px"><span class=mut>{r.choice(["1-20 / 312", "共 312 条" if self.lang == "zh" else "312 rows", ""])}</span>{out}{extra}</div>'

    def table(self, rows=None, cols=None, width=None):
        r, t = self.r, self.t
        if r.random() < .25:
            return super().table(rows, cols, width)
        way = r.choices(['mixed', 'empty', 'wide', 'edit', 'filter', 'acts'], [30, 14, 12, 18, 10, 16])[0]
        rows, cols = rows or r.randint(3, 16), cols or r.randint(3, 8)
        full = way == 'edit' or r.random() < (.85 if t.classic else .45)
        if way == 'wide':
            cols = r.randint(9, 18)
        sort = r.choice(['▲', '▼', '↕', '⇅', glyph('up', 8), glyph('updown', 9), glyph('tri', 8)])
        allsort, seq, check = r.random() < .2, r.random() < .3, r.random() < .3
        first = r.randrange(cols)
        heads = []
        for j in range(cols):
            mark = f' {sort}' if j == first and r.random() < .6 or allsort else ''
            heads.append(f'<th data-r=cell>{self.pick("label")}{mark}</th>')
        lead = ('<th>%s</th>' % self.box('checkbox', False, False) if check else '') + ('<th data-r=cell>#</th>' if seq else '')
        acts = way in ('acts', 'mixed') and r.random() < .8
        out = [f'<tr>{lead}{"".join(heads)}{"<th data-r=cell>" + self.pick("button") + "</th>" if acts else ""}</tr>']
        w = r.choice([50, 70, 90, 120])
        if way == 'filter':
            out.append('<tr>' + '<td></td>' * (bool(check) + bool(seq)) + ''.join('<td>%s</td>' % (self.combobox(w) if r.random() < .25 else self.textbox(w, '', r.choice(['', None]), 'native')) for _ in range(cols)) + '</tr>')
        kinds = [r.choices(['text', 'num', 'date', 'link', 'col', 'badge', 'icon', 'tick', 'combo', 'bar'], [44, 22, 8, 10, 8, 5, 3, 3, 2, 2])[0] for _ in range(cols)]
        act = r.choice(['icons', 'icons', 'links', 'buttons', 'menu', 'one'])
        gi, fr = r.choice([13, 14, 16, 18]), r.random() < .3
        edits = [r.random() < .6 for _ in range(cols)]
        sel, cur = r.randrange(rows * 2), (r.randrange(rows * 2), r.randrange(cols))
        links = lambda: r.choice([' ', ' | ', '&nbsp;&nbsp;']).join(self.link(self.pick('button')) for _ in range(r.choice([1, 2, 3])))
        for i in range(0 if way == 'empty' else rows):
            tds = ('<td>%s</td>' % self.box('checkbox') if check else '') + ('<td data-r=cell>%d</td>' % (i + 1) if seq else '')
            for j, k in enumerate(kinds):
                if way == 'edit' and edits[j]:
                    css = f'height:{r.choice([20, 22])}px;border-radius:0;' if self.fadeway != 'dash' else ''
                    tds += '<td style="padding:1px">%s</td>' % (self.combobox(w + 20, css='border-radius:0;') if k in ('col', 'combo', 'badge') else self.textbox(w + 20, css='border-radius:0;margin:0;' + css))
                elif way != 'edit' and (i, j) == cur and not self.focused and r.random() < .6:
                    self.focused = True
                    tds += f'<td style="padding:0"><span data-r=textbox data-f=1 style="display:flex;align-items:center;height:{t.size + 10}px;min-width:50px;padding:0 3px;border:{r.choice([1, 2])}px solid {r.choice([t.ink, t.accent])};background:{t.paper}">{value(r, self.w)}<span style="width:1px;height:{t.size + 2}px;background:currentColor"></span></span></td>'
                elif k == 'text' or k == 'date' or way == 'edit':
                    tds += f'<td data-r=cell>{"2026-%02d-%02d" % (r.randint(1, 12), r.randint(1, 28)) if k == "date" else value(r, self.w) if r.random() < .92 else "&nbsp;"}</td>'
                elif k == 'num':
                    tds += f'<td data-r=cell style="text-align:right">{"{:,.2f}".format(r.uniform(-99, 9999))}</td>'
                elif k == 'col':
                    tds += f'<td data-r=cell style="color:{r.choice(["#c00", "#080", t.accent, t.faint])}">{self.pick("noun")}</td>'
                elif k == 'badge':
                    tds += f'<td data-r=cell><span style="padding:1px 7px;border-radius:{r.choice([2, 9])}px;background:hsl({r.randint(0, 359)},60%,{30 if t.dark else 85}%)">{self.pick("radio")}</span></td>'
                elif k == 'bar':
                    tds += f'<td data-r=cell><span style="display:inline-block;width:70px;height:8px;background:{t.line}"><span style="display:block;height:8px;width:{r.randint(5, 100)}%;background:{t.accent}"></span></span></td>'
                else:
                    tds += '<td>%s</td>' % {'link': lambda: self.link(value(r, self.w)), 'icon': lambda: self.iconbtn(gi + 6, False, gi), 'tick': lambda: self.box('checkbox'), 'combo': lambda: self.combobox(w + 30)}[k]()
            if acts:
                tds += '<td>%s</td>' % {'icons': lambda: ''.join(self.iconbtn(gi + r.choice([6, 8]), fr, gi) for _ in range(3)), 'links': links, 'buttons': lambda: ' '.join(self.button(css='height:%dpx;padding:0 6px;min-width:0;' % (t.size + 9)) for _ in range(2)),
                                        'menu': lambda: f'<span class=ib data-r=icon style="width:22px;height:22px">{glyph("dots", 13)}</span>', 'one': lambda: self.link(self.pick('button'))}[act]()
            out.append(f'<tr class="{"sel" if i == sel and way != "edit" else ""}">{tds}</tr>')
        grid = f'<table class={"g-full" if full else "g-rows"} style="{"width:100%" if r.random() < .25 else ""}">{"".join(out)}</table>'
        if way == 'empty':
            note = f'<div style="padding:{r.choice([14, 30])}px;text-align:center" class=mut>{self.pick("sent")}</div>' if r.random() < .5 else ''
            grid = f'<div class=box style="min-height:{r.choice([80, 140, 220])}px;width:max-content;min-width:{r.choice([300, 500])}px">{grid}{note}</div>'
        top = self.commands(r.randint(2, 5)) if r.random() < .3 else ''
        return f'<div>{top}{grid}{self.pager() if r.random() < .3 else ""}</div>'

    def listbox(self, width=None, rows=None):
        r, t = self.r, self.t
        if r.random() < .35:
            return super().listbox(width, rows)
        n = rows or r.randint(3, 12)
        way = r.choice(['ticks', 'radio', 'twoline', 'chevron', 'num', 'acts', 'plain', 'cards'])
        on, out = r.randrange(n * 2), []
        pad, ln = r.choice([1, 3, 5, 8]), r.random() < .5
        for i in range(n):
            text = f'<span>{self.pick(r.choice(["noun", "nav", "tick"]))}</span>'
            if way == 'twoline':
                text = f'<span>{self.pick("noun")}<br><span class=mut style="font-size:{max(10, t.size - 2)}px">{self.pick("sent")[:30]}</span></span>'
            lead = {'ticks': lambda: self.box('checkbox'), 'radio': lambda: self.box('radio', i == on % n), 'num': lambda: f'<span class=mut>{i + 1}.</span>', 'cards': lambda: self.image(28, 28, r.random() < .5)}.get(way, lambda: self.ic(16) if n % 2 else '')()
            tail = {'chevron': f'<span class=mut>{glyph("right", 11)}</span>', 'acts': self.iconbtn(20, False, 14) if way == 'acts' else '', 'num': f'<span class=mut>{r.randint(1, 99)}</span>'}.get(way, '')
            look = r.choice(['sel', 'sel', '']) if i == on else ''
            st = f'padding:{pad}px 8px;' + (f'border-bottom:1px solid {t.line};' if ln else '') + (f'background:{t.alt};' if i == on and not look else '') + (f'border:1px solid {t.line};border-radius:{min(t.radius, 10)}px;margin:4px;' if way == 'cards' else '')
            out.append(f'<div class="li {look}" data-r=listitem style="{st}">{lead}{text}<span class=sp></span>{tail}</div>')
        return f'<div class=box style="width:{width or r.choice([130, 170, 220, 280, 340])}px">{"".join(out)}</div>'

    def tree(self, width=None, rows=None):
        r, t = self.r, self.t
        if r.random() < .5:
            return super().tree(width, rows)
        ind, g, mark, ics = r.choice([12, 16, 20, 24]), r.choice([9, 11, 13]), r.choice(['chev', 'tri', 'box']), r.random() < .6
        depth, out, sel = 0, [], r.randrange(24)
        for i in range(rows or r.randint(5, 18)):
            leaf, open_ = r.random() < .5, r.random() < .5
            m = '' if leaf else {'chev': glyph('chev' if open_ else 'right', g), 'tri': glyph('tri' if open_ else 'righttri', g), 'box': f'<span style="width:11px;height:11px;border:1px solid {t.faint};display:inline-flex;align-items:center;justify-content:center">{glyph("minus" if open_ else "plus", 8)}</span>'}[mark]
            out.append(f'<div style="display:flex;align-items:center;gap:4px;padding:{r.choice([1, 2])}px 2px 1px {4 + depth * ind}px;white-space:nowrap"><span style="width:13px;display:inline-flex;flex:none">{m}</span><span class="{"sel" if i == sel else ""}" data-r=listitem style="display:inline-flex;gap:5px;align-items:center;padding:0 3px">{self.ic(15) if ics else ""}<span>{self.pick(r.choice(["nav", "noun", "head"]))}</span></span></div>')
            depth = max(0, min(4, depth + r.choice([-1, 0, 0, 1 if not leaf else 0])))
        return f'<div class=box style="width:{width or r.choice([160, 200, 250])}px;height:{r.choice(["100%", "auto"])};padding:4px 0">{"".join(out)}</div>'

    def opened(self):
        """A combo box whose list is open."""
        r, t = self.r, self.t
        w, n, hot = r.choice([120, 160, 220, 280]), r.randint(3, 9), r.randint(0, 8)
        names = r.sample(self.w[r.choice(['radio', 'nav', 'noun'])], n)
        pad, tick = r.choice([1, 2, 4, 7]), r.random() < .2
        look = r.choice(['sel', 'alt', 'bold'])
        out = ''.join(f'<div class="li {"sel" if i == hot and look == "sel" else ""}" data-r=listitem style="padding:{pad}px 8px;{f"background:{t.alt};" if i == hot and look == "alt" else "font-weight:bold;" if i == hot and look == "bold" else ""}">{self.box("checkbox") if tick else ""}<span>{x}</span>{"<span class=sp></span>" + glyph("tick", 11) if look == "bold" and i == hot else ""}</div>' for i, x in enumerate(names))
        top = self.combobox(w, names[hot % n], f'width:{w}px;', False)
        return f'<div style="width:{w}px">{top}<div class=box style="width:{w}px;margin-top:{r.choice([0, -1, 2, 4])}px;{r.choice(["", "box-shadow:0 4px 12px rgba(0,0,0,.3)", "border:1px solid " + t.ink])}">{out}</div></div>'

    def popup(self):
        """A menu with ticks, signs, shortcuts, an open menu beside it."""
        r, t = self.r, self.t
        def one(n, sub):
            names, hot, keys, marks = r.sample(self.w['item'], n), r.randrange(n), r.random() < .6, r.choice(['ticks', 'icons', 'none', 'dots'])
            pad, out = r.choice([1, 3, 5, 8]), []
            for i, x in enumerate(names):
                dis = self.off()
                lead = {'ticks': glyph('tick', 11) if r.random() < .3 else '', 'icons': self.ic(15) if r.random() < .7 else '', 'dots': '●' if r.random() < .2 else '', 'none': ''}[marks]
                lead = f'<span style="width:{18 if marks != "none" else 0}px;display:inline-flex;flex:none">{lead}</span>'
                tail = glyph('righttri' if t.classic else 'right', 9) if i == hot and sub or r.random() < .1 else f'<span style="margin-left:22px;{"color:" + t.faint if r.random() < .4 else ""}">{r.choice(["Ctrl+", "Ctrl+Shift+", "Alt+", "⌘"]) + r.choice("ABCDEFGHNOPQSTVXZ")}</span>' if keys and r.random() < .6 else ''
                out.append(f'<div class="mi{" sel" if i == hot else ""}{" dis" if dis else ""}" data-r=menuitem{" data-d=1" if dis else ""} style="padding:{pad}px 10px;background-clip:padding-box">{lead}<span>{x}</span><span class=sp></span>{tail}</div>' + ('<div class=hr></div>' if r.random() < .18 else ''))
            return f'<div class=menu style="position:static">{"".join(out)}</div>', hot
        first, hot = one(r.randint(4, 12), True)
        second = one(r.randint(2, 6), False)[0] if r.random() < .5 else ''
        return f'<div style="display:flex;align-items:flex-start">{first}<div style="margin-top:{hot * 20}px">{second}</div></div>'

    def cards(self):
        """Cards with a tick in the corner."""
        r, t = self.r, self.t
        role = r.choice(['radio', 'checkbox'])
        n = r.randint(2, 5)
        on, w = r.randrange(n), r.choice([120, 160, 200])
        corner = r.random() < .5
        out = ''
        for i in range(n):
            c = i == on if role == 'radio' else r.random() < .5
            b = self.box(role, c)
            place_ = f'<span style="position:absolute;right:7px;top:7px;display:inline-flex">{b}</span>' if corner else b
            out += f'<div style="position:relative;display:{"block" if corner else "flex"};gap:8px;align-items:center;width:{w}px;padding:12px;border:{2 if c else 1}px solid {t.accent if c else t.line};border-radius:{min(t.radius, 14)}px;background:{f"color-mix(in srgb,{t.accent} 12%,{t.panel})" if c else t.panel};overflow:hidden">{place_}<div><b>{self.pick("radio")}</b><div class=mut style="font-size:{max(11, t.size - 2)}px">{self.pick("noun")}</div></div></div>'
        return f'<div style="display:flex;gap:{r.choice([6, 12])}px;{r.choice(["", "flex-direction:column"])}">{out}</div>'

    def sliders(self):
        r = self.r
        if r.random() < .4:
            n = r.choice([80, 110, 150])
            return f'<div class=row style="gap:{r.choice([14, 22])}px;align-items:flex-end">{"".join(f"<div style=text-align:center>{self.slider(n, True)}<div>{r.choice(range(32, 999))}</div></div>" for _ in range(r.randint(2, 8)))}</div>'
        return ''.join(f'<div class=row style="padding:{r.choice([3, 6])}px 0;gap:10px"><span style="width:110px;overflow:hidden;white-space:nowrap">{self.pick("label")}</span>{self.slider(r.choice([100, 160, 240]), False)}<span>{r.randint(0, 100)}{r.choice(["", "%"])}</span></div>' for _ in range(r.randint(2, 5)))

    def pairs(self):
        """The same field as text box and as combo box, enabled and not, side by side."""
        r = self.r
        out = []
        for _ in range(r.randint(3, 9)):
            w = r.choice([90, 120, 160, 200])
            out.append(f'<div class=row style="margin:{r.choice([2, 4])}px 0"><span style="width:90px;overflow:hidden;white-space:nowrap">{self.pick("label")}</span>{"".join(r.choice([self.textbox, self.combobox])(w) for _ in range(r.randint(1, 3)))}{r.choice(["", "", self.glyphbutton(), self.iconbtn(self.t.height, True, 14), self.button()])}</div>')
        return ''.join(out)

    def greys(self):
        """Rows of enabled and greyed-out controls of one kind."""
        r = self.r
        kinds = [lambda d: self.button(dis=d), lambda d: self.tick('checkbox', dis=d), lambda d: self.tick('radio', dis=d), lambda d: self.combobox(120, dis=d) if self.comboway != 'theme' else self.combobox(120)]
        return ''.join(f'<div class=row style="gap:{r.choice([6, 10])}px;padding:2px">{"".join(k(r.random() < .5) for _ in range(r.randint(2, 5)))}</div>' for k in r.sample(kinds, 3))

    def signs(self):
        """Buttons with a sign alone."""
        r = self.r
        s, g = r.choice([20, 24, 28, 32, 40]), r.choice([12, 14, 16, 20])
        return f'<div class="row wrap" style="gap:{r.choice([0, 2, 4, 8])}px;max-width:480px">{"".join(r.choice([lambda: self.iconbtn(s, True, g), lambda: self.iconbtn(s, False, g), lambda: self.glyphbutton(s), lambda: self.iconbtn(s, r.random() < .5, g)])() for _ in range(r.randint(5, 16)))}</div>'

    def sidelist(self):
        """A side bar of entries with signs: entries of a list, one chosen."""
        r, t = self.r, self.t
        names, ics = r.sample(self.w['nav'], r.randint(4, 12)), r.random() < .7
        on, pad, out = r.randrange(len(names)), r.choice([3, 5, 8, 11]), ''
        for i, x in enumerate(names):
            out += f'<div data-r=listitem class="li{" sel" if i == on else ""}" style="padding:{pad}px;border-radius:{min(t.radius, 8)}px">{self.ic(16) if ics else ""}<span>{x}</span></div>'
        return f'<div class=box style="width:{r.choice([140, 180, 220])}px;padding:4px">{out}</div>'

    def block(self):
        r = self.r
        f = r.choices([self.form, self.group, self.ticks, self.commands, self.toolbar, self.tabs, self.table, self.listbox, self.tree, self.calendar, self.settings, self.maillist, self.chips, self.tiles, self.zoo, self.links,
                       self.opened, self.popup, self.cards, self.sliders, self.pairs, self.greys, self.signs, self.sidelist, self.pager, self.radios, super().block],
                      [10, 6, 5, 16, 4, 16, 14, 6, 4, 2, 5, 2, 2, 2, 6, 14, 6, 5, 5, 7, 8, 6, 5, 3, 3, 4, 10])[0]
        body = f()
        if r.random() < .3:
            head = self.coloured() if r.random() < .5 else f'<h3>{self.pick("head")}</h3>'
            body = f'<div style="width:max-content;max-width:100%" class="{r.choice(["card", "", ""])}">{head}{body}</div>'
        return f'<div style="flex:none;max-width:100%">{body}</div>'


def style(r, t):
    """Odd looks on top of those of Theme."""
    k = r.choices(['', 'contrast', 'pastel', 'round', 'dense', 'paper'], [62, 6, 8, 8, 12, 4])[0]
    if k == 'contrast':
        t.dark, t.page, t.panel, t.paper, t.ink, t.faint, t.line = True, '#000', '#000', '#000', '#fff', '#3f3', '#fff'
        t.accent, t.linkink, t.iconink = r.choice(['#1aebff', '#ff0', '#0f0']), '#ff0', '#fff'
    elif k == 'pastel':
        h = r.randint(0, 359)
        t.dark, t.page, t.panel, t.paper, t.ink, t.faint, t.line = False, hsl(h, 60, 94), hsl(h, 50, 97), '#fff', hsl(h, 30, 25), hsl(h, 15, 55), hsl(h, 40, 82)
        t.accent, t.radius = hsl((h + 180) % 360, 55, 60), r.choice([6, 10, 16])
    elif k == 'round':
        t.radius, t.height, t.gap = 24, max(t.height, 36), 12
    elif k == 'dense':
        t.size, t.gap, t.radius, t.field = max(11, min(t.size, 12)), 3, r.choice([0, 0, 2]), 'line'
        t.height = t.size + r.choice([6, 7, 8, 10])
        t.labels = 'left'
    elif k == 'paper':
        t.page, t.panel, t.paper, t.ink = '#f7f1e1', '#fbf7ec', '#fffdf5', '#3a2f1c'
        t.dark, t.line, t.faint = False, '#d8caa5', '#8f8263'
    t.alt = t.panel
    return k


def page(seed):
    """HTML and size of the screen with this seed, from 6000 on."""
    r = random.Random('more %d' % seed)
    lang = 'zh' if r.random() < .45 else 'en'
    phone = r.random() < .1
    if phone:
        W, H = r.choice([(360, 740), (390, 844), (412, 915), (768, 1024)])
        scale = r.choice([1, 2])
    else:
        W, H = r.choice(SIZES[:-1])
        scale = 1 if r.random() < .75 else r.choice([1.25, 1.5, 2])
        if scale > 1:
            W, H = int(min(W, 1920) / scale), int(min(H, 1080) / scale)
    t = Theme(r, lang, phone)
    odd = style(r, t)
    css = t.css(r)
    if seed >= SCENES_FROM:
        from pages_scenes import Scenes
        m = Scenes(r, lang, t, W, H)
        # Signs on coloured bars are seen; what has no room is cut, not squeezed; links are as wide as their words; black on the bright colours of high contrast.
        css += '.inv>.ib:not(.fr){color:inherit}.bar>*,.row>.tb{flex-shrink:0}.lnk{justify-self:start}.col>.lnk{align-self:flex-start}'
        if odd == 'contrast':
            css += '.btn.pri{color:#000}.sel,.sel td,.sel>span:not(.tk),.sel a{color:#000!important}'
    else:
        m = More(r, lang, t, W, H)
    if phone:
        kinds, weights = [m.phone], [1]
    else:
        kinds, weights = [m.desktop, m.maximised, m.web, m.login, m.plain], [22, 22, 0, 3, 22] if t.classic else [12, 12, 26, 5, 26]
    if seed >= SCENES_FROM:
        more = m.phones() if phone else m.scenes()
        weights = weights + [sum(weights) * 1.4 / len(more)] * len(more)
        kinds = kinds + more
    body = r.choices(kinds, weights)[0]()
    html = f'<!doctype html><meta charset=utf-8><style>{css}</style><body style="width:{W}px;height:{H}px">{body}</body>'
    return {'html': html, 'width': W, 'height': H, 'scale': scale, 'lang': lang, 'toolkit': 'html-' + ('phone' if phone else odd or t.kind)}
