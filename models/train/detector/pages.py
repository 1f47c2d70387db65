"""One made-up page: HTML whose elements carry their role (data-r) and state (data-c checked, data-d disabled, data-f focused)."""
import random

from icons import icon
from words import value, words

FONTS_EN = ['Liberation Sans', 'DejaVu Sans', 'Roboto', 'Open Sans', 'Lato', 'Inter', 'Cantarell', 'Noto Sans', 'Noto Serif',
            'Liberation Serif', 'Liberation Sans Narrow', 'Noto Sans Display', 'DejaVu Sans', 'DejaVu Sans Mono']
FONTS_ZH = ["Noto Sans CJK SC", "Noto Serif CJK SC", "LXGW WenKai", "Noto Sans CJK SC", "Noto Sans Mono CJK SC", "Droid Sans Fallback"]


def hsl(h, s, l):
    return 'hsl(%d,%d%%,%d%%)' % (h, s, l)


class Theme:
    """Looks: colours, borders and drawing styles, drawn once for a page."""

    def __init__(self, r, lang, phone=False):
        self.kind = k = r.choices(['classic', 'xp', 'win7', 'flat', 'material', 'dark', 'boot', 'odd'], [22, 7, 9, 22, 12, 15, 10, 8])[0]
        if phone:
            self.kind = k = r.choice(['flat', 'material', 'dark', 'boot', 'odd'])
        self.classic = k in ('classic', 'xp', 'win7')
        h = r.randint(0, 359)
        self.hue = h
        self.accent = hsl(h, r.randint(55, 95), r.randint(32, 52))
        self.dark = k == 'dark' or (k in ('odd', 'material') and r.random() < .25)
        if self.dark:
            l = r.randint(8, 22)
            tone = r.choice([0, 8, 20])
            self.page, self.panel, self.paper = hsl(h, tone, l), hsl(h, tone, l + r.randint(-3, 6)), hsl(h, tone, max(3, l + r.randint(-7, 10)))
            self.ink, self.faint, self.line = hsl(h, 8, r.randint(78, 96)), hsl(h, 5, r.randint(45, 60)), hsl(h, tone, l + r.randint(8, 25))
            self.accent = hsl(h, r.randint(50, 90), r.randint(40, 65))
        elif k == 'classic':
            self.page = self.panel = r.choice(['#d4d0c8', '#c0c0c0', '#ece9d8', '#f0f0f0', '#d6d3ce', '#e0dfe3', hsl(h, 12, 82)])
            self.paper, self.ink, self.faint, self.line = '#fff', '#000', '#808080', '#808080'
            self.accent = r.choice(['#0a246a', '#000080', '#316ac5', '#006060', self.accent])
        elif k == 'xp':
            self.page = self.panel = r.choice(['#ece9d8', '#f1efe2', '#e0dfe3'])
            self.paper, self.ink, self.faint, self.line = '#fff', '#000', '#aca899', r.choice(['#7f9db9', '#919b9c'])
            self.accent = '#316ac5'
        elif k == 'win7':
            self.page = self.panel = r.choice(['#f0f0f0', '#fff', '#f7f7f7'])
            self.paper, self.ink, self.faint, self.line = '#fff', '#000', '#838383', r.choice(['#abadb3', '#b5b5b5', '#7a7a7a', '#e3e9ef'])
            self.accent = r.choice(['#3399ff', '#0078d7'])
        else:
            self.page = hsl(h, r.choice([0, 10, 30]), r.randint(92, 100))
            self.panel = r.choice(['#fff', self.page, hsl(h, 10, r.randint(94, 99))])
            self.paper = r.choice(['#fff', '#fff', hsl(h, 15, r.randint(93, 98))])
            self.ink, self.faint = hsl(h, 10, r.randint(8, 28)), hsl(h, 6, r.randint(50, 66))
            self.line = hsl(h, r.choice([0, 12]), r.randint(68, 90))
        self.size = r.choice([11, 12, 12, 12, 13, 13, 13, 14, 14, 15, 16, 18, 20]) if not self.classic else r.choice([11, 11, 12, 12, 12, 13, 14, 15])
        if lang == 'zh' and self.size < 12:
            self.size = 12
        if phone:
            self.size = r.choice([14, 15, 16, 17])
        self.font = r.choice(FONTS_ZH) if lang == 'zh' else r.choice(FONTS_EN)
        if lang == 'zh' and r.random() < .4:
            self.font = "%s','%s" % (r.choice(FONTS_EN), self.font)
        self.radius = 0 if k == 'classic' else r.choice([2, 3]) if self.classic else r.choice([0, 2, 3, 4, 4, 6, 8, 12, 99])
        self.height = max(self.size + 6, r.choice([19, 20, 21, 22, 23, 24]) if self.classic else r.choice([24, 26, 28, 30, 32, 34, 36, 38, 40]))
        if phone:
            self.height = r.choice([36, 40, 44, 48])
        self.gap = r.choice([4, 6, 8]) if self.classic else r.choice([6, 8, 10, 12, 16])
        self.field = 'sunken' if k == 'classic' else 'line' if self.classic else \
            r.choices(['line', 'filled', 'under', 'filledunder', 'none', 'shadow'], [55, 15, 10, 8, 3, 6])[0]
        self.push = {'classic': 'raised', 'xp': 'xp', 'win7': 'grad'}.get(k) or r.choice(['line', 'fill', 'ghost', 'soft', 'grad', 'raised2'])
        self.tick = r.choice(['native', 'box', 'box']) if not self.classic else r.choice(['sunken', 'sunken', 'line', 'native'])
        self.ticksize = r.choice([13, 13, 13, 12, 14, 15]) if self.classic else r.choice([13, 14, 15, 16, 16, 18, 20])
        self.mark = r.choice(['tick', 'tick', 'tick', 'cross', 'square', 'dash']) if r.random() < .4 else 'tick'
        self.tickfill = r.random() < .6
        self.arrow = r.choice(['triangle', 'chevron', 'chevron', 'updown', 'thin']) if not self.classic else r.choice(['triangle', 'triangle', 'chevron'])
        self.combo = r.choice(['native', 'own', 'own', 'own'])
        self.icons = r.choice(['lucide', 'bootstrap', 'mdi', 'tabler', 'tablerf'] + (['tango16x16', 'tango22x22'] * 3 if self.classic else ['tango22x22']))
        self.stroke = r.choice([1, 1.5, 2, 2, 2.5])
        self.iconink = r.choice([self.ink, self.ink, self.faint, self.accent])
        self.slider = r.choice(['native', 'own', 'own'])
        self.tabs = r.choice(['raised', 'raised', 'under']) if self.classic else r.choice(['under', 'pill', 'raised', 'segment', 'plain', 'chrome'])
        self.linkline = r.random() < .4
        self.linkink = r.choice(['#0000ee', '#0066cc', self.accent]) if not self.dark else r.choice(['#7ab7ff', self.accent, '#8ab4f8'])
        self.zebra = r.random() < .4
        self.colon = r.choice(['', '', ':', ' :'] if lang == 'en' else ['', '', '：', ':'])
        self.labels = r.choice(['left', 'left', 'above']) if not phone else r.choice(['above', 'above', 'left', 'inside'])
        self.labelright = r.random() < .35
        self.shadow = not self.classic and r.random() < .5

    def css(self, r):
        bevel_up, bevel_down = 'border:2px outset #fff', 'border:2px inset #eee'
        if r.random() < .6:
            bevel_up = 'border:1px solid;border-color:#fff #404040 #404040 #fff;box-shadow:inset -1px -1px #808080' + r.choice([',inset 1px 1px #dfdfdf', ''])
            bevel_down = 'border:1px solid;border-color:#808080 #fff #fff #808080;box-shadow:inset 1px 1px #404040' + r.choice([',inset -1px -1px #d4d0c8', ''])
        fields = {'sunken': bevel_down, 'line': 'border:%dpx solid %s' % (1 if r.random() < .9 else 2, self.line), 'filled': 'border:1px solid transparent',
                  'under': 'border:0;border-bottom:1px solid %s' % self.faint, 'filledunder': 'border:0;border-bottom:%dpx solid %s' % (r.choice([1, 2]), self.faint),
                  'none': 'border:0', 'shadow': 'border:1px solid %s;box-shadow:inset 0 1px 2px rgba(0,0,0,.2)' % self.line}
        alt = hsl(self.hue, 12, 22 if self.dark else r.randint(88, 95))
        self.alt = alt
        ground = {'filled': alt, 'filledunder': alt, 'under': 'transparent'}.get(self.field, self.paper)
        frad = 0 if self.field in ('sunken', 'under') else '4px 4px 0 0' if self.field == 'filledunder' else '%dpx' % min(self.radius, 20)
        pushes = {'raised': bevel_up + ';background:%s;color:%s' % (self.panel, self.ink),
                  'xp': 'border:1px solid #003c74;border-radius:3px;background:linear-gradient(#fff,#ecebe5 85%,#d6d0c5);color:#000',
                  'grad': 'border:1px solid %s;border-radius:%dpx;background:linear-gradient(%s);color:%s' % (self.line if self.dark else '#8f8f8f', min(3, self.radius), '#555,#333' if self.dark else r.choice(['#f2f2f2,#ebebeb 50%,#dddddd 50%,#cfcfcf', '#fefefe,#e4e4e4', '#e9e9e9,#d0d0d0']), '#eee' if self.dark else '#111'),
                  'line': 'border:1px solid %s;background:%s;color:%s' % (self.line, self.paper, self.ink),
                  'fill': 'border:0;background:%s;color:%s' % (alt, self.ink),
                  'ghost': 'border:1px solid %s;background:transparent;color:%s' % (r.choice([self.accent, 'transparent', self.line]), self.accent),
                  'soft': 'border:0;background:color-mix(in srgb,%s 18%%,%s);color:%s' % (self.accent, self.panel, self.ink),
                  'raised2': 'border:0;background:%s;color:%s;box-shadow:0 1px 3px rgba(0,0,0,.4)' % (self.panel, self.ink)}
        prim = pushes[self.push] if self.classic else 'border:0;background:%s;color:#fff' % self.accent
        tsz = self.ticksize
        tsk = {'sunken': bevel_down + ';background:#fff', 'line': 'border:1px solid %s;background:%s' % (r.choice(['#1c5180', '#8e8f8f', '#333']), self.paper),
               'box': 'border:%gpx solid %s;background:%s;border-radius:%dpx' % (r.choice([1, 1, 1.5, 2]), self.faint, self.paper, r.choice([0, 2, 3, 4])), 'native': ''}[self.tick]
        tracking = r.choice([0] * 8 + [.3, .5])
        return f"""*{{box-sizing:border-box}}body{{margin:0;background:{self.page};color:{self.ink};font:{self.size}px/{r.choice([1.2, 1.3, 1.4, 1.5])} '{self.font}','Noto Sans CJK SC',sans-serif;letter-spacing:{tracking}px;overflow:hidden;position:relative}}
input,select,textarea,button{{font:inherit;letter-spacing:inherit;margin:0}}
.row{{display:flex;align-items:center;gap:{self.gap}px}}.wrap{{flex-wrap:wrap}}.col{{display:flex;flex-direction:column;gap:{self.gap}px}}.sp{{flex:1}}
.tb{{height:{self.height}px;{fields[self.field]};background:{ground};color:{self.ink};border-radius:{frad};padding:0 {r.choice([3, 4, 6, 8, 10])}px;display:inline-flex;align-items:center;overflow:hidden;white-space:nowrap;min-width:0;outline:0}}
textarea.tb{{padding-top:4px;height:auto;resize:{r.choice(['none', 'both'])}}}.tb.foc{{border-color:{self.accent};{r.choice(['outline:1px solid ' + self.accent, 'box-shadow:0 0 0 3px color-mix(in srgb,' + self.accent + ' 35%,transparent)', ''])}}}
.dis{{color:{self.faint}!important;{'opacity:.5' if not self.classic and r.random() < .6 else 'background:' + self.panel if self.classic else ''}}}
.btn{{height:{self.height + r.choice([0, 0, 2, 4])}px;{pushes[self.push]};border-radius:{min(self.radius, 20)}px;padding:0 {r.choice([8, 10, 12, 16, 20])}px;display:inline-flex;align-items:center;justify-content:center;gap:5px;white-space:nowrap;{'min-width:75px' if self.classic else ''}}}
.btn.pri{{{prim};{'outline:1px solid #000' if self.kind == 'classic' else ''}}}.btn.caps{{text-transform:uppercase;font-weight:600}}.btn.dng{{{'' if self.classic else 'background:#d33;color:#fff;border-color:#b22'}}}.btn.dis{{{'text-shadow:1px 1px #fff' if self.kind == 'classic' else ''}}}
.ib{{display:inline-flex;align-items:center;justify-content:center;border:1px solid transparent;background:none;padding:0;color:{self.iconink};border-radius:{min(self.radius, 20)}px;flex:none}}.ib.fr{{{pushes[self.push]};padding:0;color:{self.iconink}}}.ib.dis{{opacity:.35}}
.tk{{width:{tsz}px;height:{tsz}px;{tsk};display:inline-flex;align-items:center;justify-content:center;flex:none;color:{self.ink if self.classic else '#fff' if self.tickfill else self.accent};position:relative}}
.tk.rd{{border-radius:50%}}.tk.on{{{'background:' + self.accent + ';border-color:' + self.accent if self.tickfill and not self.classic else ''}}}.tk svg{{display:block}}
input[type=checkbox],input[type=radio],input[type=range]{{accent-color:{self.accent if r.random() < .6 else 'auto'}}}input[type=checkbox],input[type=radio]{{width:{tsz}px;height:{tsz}px;flex:none}}
.lnk{{color:{self.linkink};text-decoration:{'underline' if self.linkline else 'none'};white-space:nowrap}}
.tab{{padding:{r.choice([2, 4, 6, 8])}px {r.choice([8, 10, 14, 18])}px;white-space:nowrap;display:inline-flex;gap:5px;align-items:center}}
.tabs{{display:flex;align-items:flex-end;overflow:hidden}}
.t-raised .tab{{border:1px solid {self.line};border-bottom:0;border-radius:{r.choice([0, 2, 4])}px {r.choice([2, 4])}px 0 0;background:{alt};margin-right:{r.choice([0, -1, 2])}px}}.t-raised .tab.on{{background:{self.panel};padding-top:6px;position:relative;top:1px}}
.t-under .tab.on{{border-bottom:2px solid {self.accent};color:{self.accent}}}.t-under{{border-bottom:1px solid {self.line}}}.t-pill .tab.on{{background:{self.accent};color:#fff;border-radius:99px}}
.t-segment{{border:1px solid {self.line};border-radius:{min(self.radius, 8)}px;width:max-content}}.t-segment .tab+.tab{{border-left:1px solid {self.line}}}.t-segment .tab.on{{background:{alt};font-weight:600}}.t-plain .tab.on{{font-weight:bold}}.t-plain .tab{{color:{self.faint}}}.t-plain .tab.on{{color:{self.ink}}}
.t-chrome{{background:{alt};padding:6px 6px 0}}.t-chrome .tab{{min-width:120px;border-right:1px solid {self.line}}}.t-chrome .tab.on{{background:{self.panel};border-radius:8px 8px 0 0;border:0}}
table{{border-collapse:collapse;background:{self.paper}}}td,th{{padding:{r.choice([1, 2, 3, 4, 6, 8, 10])}px {r.choice([3, 4, 6, 8, 12])}px;white-space:nowrap;text-align:left;font-weight:normal;height:{r.choice([18, 20, 22, 24, 28, 32])}px}}
.g-full td,.g-full th{{border:1px solid {self.line}}}.g-rows td{{border-bottom:1px solid {self.line}}}.g-rows th{{border-bottom:{r.choice([1, 2])}px solid {self.line};{r.choice(['font-weight:bold', 'color:' + self.faint, ''])}}}.g-full th{{background:{self.panel if self.classic else alt};{bevel_up if self.kind == 'classic' else ''}}}.sel,.sel td{{background:{self.accent}!important;color:#fff!important}}.sel>span:not(.tk),.sel a{{color:#fff!important}}
{'tr:nth-child(odd) td{background:' + alt + '}' if self.zebra else ''}
.menu{{background:{self.panel};border:1px solid {self.line};{bevel_up if self.kind == 'classic' else ''};{'box-shadow:2px 3px 8px rgba(0,0,0,.35)' if r.random() < .6 else ''};padding:{r.choice([2, 3, 6])}px;border-radius:{min(self.radius, 8)}px;width:max-content;position:absolute;z-index:60}}
.mi{{display:flex;align-items:center;gap:8px;padding:{r.choice([1, 2, 3, 5, 7])}px {r.choice([8, 14, 20])}px {r.choice([2, 3, 5])}px {r.choice([4, 8, 24])}px;white-space:nowrap;min-width:{r.choice([120, 160, 200])}px}}
.mb{{display:flex;align-items:center;background:{self.panel}}}.mb .m{{padding:{r.choice([1, 2, 3, 4])}px {r.choice([5, 6, 8, 10])}px;white-space:nowrap}}
.box{{background:{self.paper};{fields['sunken'] if self.kind == 'classic' else 'border:1px solid ' + self.line};overflow:hidden}}
.li{{display:flex;align-items:center;gap:6px;padding:{r.choice([0, 1, 2, 3, 5, 8])}px {r.choice([3, 4, 6, 10])}px;white-space:nowrap;overflow:hidden}}
fieldset{{border:{r.choice(['1px solid ' + self.line, '2px groove #fff' if self.classic else '1px solid ' + self.line])};margin:0;padding:{r.choice([6, 8, 10, 14])}px;min-width:0;border-radius:{min(self.radius, 5)}px}}legend{{padding:0 4px;{r.choice(['', 'font-weight:bold', 'color:' + self.accent])}}}
.card{{background:{self.panel};border:{r.choice(['1px solid ' + self.line, '0'])};border-radius:{min(self.radius, 14)}px;padding:{r.choice([8, 12, 16, 20])}px;{'box-shadow:0 1px 4px rgba(0,0,0,.25)' if self.shadow else ''}}}
h1,h2,h3{{margin:0;white-space:nowrap}}h1{{font-size:{self.size + r.choice([6, 8, 12, 16])}px}}h2{{font-size:{self.size + r.choice([2, 4, 6])}px}}h3{{font-size:{self.size}px}}
.mut{{color:{self.faint}}}.lab{{white-space:nowrap;{r.choice(['', '', 'font-weight:600', 'color:' + self.faint])}}}
.win{{position:absolute;background:{self.panel};overflow:hidden;display:flex;flex-direction:column;{bevel_up if self.kind == 'classic' else 'border:1px solid ' + self.line};{'box-shadow:0 6px 24px rgba(0,0,0,.4)' if r.random() < .7 else ''};border-radius:{0 if self.kind == 'classic' else min(self.radius, 8)}px}}
.ttl{{display:flex;align-items:center;gap:4px;padding:{r.choice([2, 3, 4, 6])}px 5px;white-space:nowrap;overflow:hidden;flex:none}}
.sep{{width:2px;align-self:stretch;border-left:1px solid {self.line};{'border-right:1px solid #fff' if self.kind == 'classic' else ''};margin:2px 3px;flex:none}}.hr{{height:0;border-top:1px solid {self.line};margin:3px 0}}
.bar{{display:flex;align-items:center;gap:{r.choice([0, 1, 2, 4, 8])}px;padding:{r.choice([2, 3, 4, 6])}px;flex:none;overflow:hidden}}.stat{{display:flex;gap:2px;font-size:{max(11, self.size - 1)}px;padding:1px;flex:none}}.stat span{{padding:1px 6px;{fields['sunken'] if self.kind == 'classic' else ''}}}
"""


def wrap_svg(size, body):
    return '<svg width="%d" height="%d" viewBox="0 0 12 12" fill="none" stroke="currentColor">%s</svg>' % (size, size, body)


class Maker:
    def __init__(self, r, lang, theme, width, height, rare=False):
        self.r, self.lang, self.w, self.t, self.W, self.H = r, lang, words(lang), theme, width, height
        self.focused = False
        # More of what stands on few screens: links, tabs, sliders, switches, greyed controls.
        self.rare = rare

    # -- single controls ---------------------------------------------------------------------------------------------------------
    def pick(self, key):
        return self.r.choice(self.w[key])

    def ic(self, size=None, color='currentColor', kind=None):
        return icon(self.r, kind or self.t.icons, size or self.r.choice([14, 16, 16, 18, 20, 22, 24]), color, self.t.stroke)

    def off(self, p=.06):
        return self.r.random() < (.2 if self.rare else p)

    def arrow(self, size=None):
        a = self.t.arrow
        s = size or self.r.choice([8, 9, 10, 12, 14])
        if a == 'triangle':
            return wrap_svg(s, '<path d="M2 4h8l-4 5z" fill="currentColor" stroke="none"/>')
        if a == 'updown':
            return wrap_svg(s + 2, '<path d="M3 5l3-3 3 3M3 7l3 3 3-3" stroke-width="1.3"/>')
        return wrap_svg(s, '<path d="M2 4l4 4 4-4" stroke-width="%g"/>' % (1 if a == 'thin' else 1.7))

    def textbox(self, width=None, val=None, ph=None, kind=None):
        r, t = self.r, self.t
        if kind is None:
            kind = r.choices(['native', 'own', 'spin', 'date', 'search', 'password', 'unit', 'clear'], [50, 14, 8, 6, 7, 5, 4, 3])[0]
        width = width or r.choice([60, 80, 100, 120, 150, 180, 220, 260, 320])
        dis, ro = self.off(), self.off(.04)
        val = ('' if r.random() < .28 else value(r, self.w)) if val is None else val
        ph = ph if ph is not None else (self.pick('ph') if not val and r.random() < .6 else '')
        foc = not dis and not self.focused and r.random() < .05
        self.focused |= foc
        st = (' data-d=1' if dis else '') + (' data-f=1' if foc else '')
        cls = 'tb' + (' dis' if dis else '') + (' foc' if foc else '')
        css = 'width:%dpx;' % width + ('background:%s;' % t.panel if ro and t.classic else '') + ('text-align:right;' if r.random() < .12 else '')
        if kind in ('native', 'password'):
            return '<input class="%s" data-r=textbox%s style="%s" type=%s value="%s" placeholder="%s">' % (cls, st, css, 'password' if kind == 'password' else 'text', val, ph)
        inner = val + ('<span style="display:inline-block;width:1px;height:%dpx;background:currentColor"></span>' % (t.size + 3) if foc else '') if val or foc else '<span class=mut>%s</span>' % ph
        if kind == 'own':
            body = '<span>%s</span>' % inner
        elif kind == 'spin':
            num = str(r.choice([r.randint(0, 99), '%.2f' % r.uniform(0, 900)]))
            up, dn = (wrap_svg(7, '<path d="M2 8h8l-4-5z" fill="currentColor" stroke="none"/>'), wrap_svg(7, '<path d="M2 4h8l-4 5z" fill="currentColor" stroke="none"/>'))
            spin = '<span style="display:flex;flex-direction:column;height:100%%;width:16px;border-left:1px solid %s"><span style="flex:1;display:flex;align-items:center;justify-content:center;%s">%s</span><span style="flex:1;display:flex;align-items:center;justify-content:center;%s">%s</span></span>'
            bg = 'background:%s' % t.panel if t.classic else ''
            body = '<span>%s</span><span class=sp></span>%s' % (num, spin % (t.line, bg, up, bg, dn))
            css += 'padding-right:0;'
        elif kind == 'date':
            body = '<span>%s</span><span class=sp></span>%s' % (r.choice(['2026-03-18', '18/03/2026', '', '%s' % val]), icon(r, 'lucide', 15, 'currentColor'))
        elif kind == 'search':
            body = self.ic(14) + '<span style="margin-left:5px">%s</span>' % (val if val and r.random() < .4 else '<span class=mut>%s</span>' % self.pick('ph'))
        elif kind == 'unit':
            body = '<span>%d</span><span class=sp></span><span class=mut>%s</span>' % (r.randint(1, 500), r.choice(['kg', 'mm', '%', 'EUR', '元', 'px']))
        else:
            body = '<span>%s</span><span class=sp></span><span class=mut>×</span>' % inner
        return '<span class="%s" data-r=textbox%s style="%s">%s</span>' % (cls, st, css, body)

    def textarea(self, width=None, rows=None):
        r = self.r
        rows = rows or r.choice([2, 3, 4, 6])
        val = ' '.join(self.pick('sent') for _ in range(r.randint(0, 3)))
        return '<textarea class=tb data-r=textbox rows=%d style="width:%dpx" placeholder="%s">%s</textarea>' % (rows, width or r.choice([180, 260, 340, 420]), self.pick('ph'), val)

    def combobox(self, width=None, val=None):
        r, t = self.r, self.t
        width = width or r.choice([80, 100, 120, 150, 180, 220, 260])
        dis = self.off()
        st = ' data-d=1' if dis else ''
        val = val or r.choice([self.pick('noun'), self.pick('radio'), self.pick('nav'), value(r, self.w), ''])
        if t.combo == 'native':
            return '<select class="tb%s" data-r=combobox%s style="width:%dpx;%s" %s><option>%s</option></select>' % (
                ' dis' if dis else '', st, width, 'appearance:auto', 'disabled' if dis else '', val)
        if t.classic:
            bevel = 'border:1px solid;border-color:#fff #404040 #404040 #fff;' if t.kind == 'classic' else 'border-left:1px solid %s;' % t.line if t.kind == 'xp' and r.random() < .5 else ''
            fill = 'background:%s;' % (t.panel if t.kind == 'classic' else 'linear-gradient(#e1eafe,#b6cdfb)' if t.kind == 'xp' else 'transparent')
            arrow = '<span style="width:17px;height:100%%;display:flex;align-items:center;justify-content:center;%s%s">%s</span>' % (bevel, fill, self.arrow(8))
            css = 'padding-right:%dpx' % r.choice([0, 1])
            if t.kind == 'win7' and r.random() < .5:
                css += ';background:linear-gradient(#f2f2f2,#ebebeb 50%,#dddddd 50%,#cfcfcf);border-radius:3px'
        else:
            arrow, css = self.arrow(), r.choice(['', '', 'border-radius:%dpx' % min(t.radius, 20)])
            if r.random() < .15:
                arrow = '<span style="display:flex;align-items:center;height:100%%;padding:0 7px;border-left:1px solid %s;margin-right:-6px">%s</span>' % (t.line, arrow)
        lead = self.ic(14) + '&nbsp;' if r.random() < .06 else ''
        body = '%s<span style="overflow:hidden">%s</span><span class=sp></span>%s' % (lead, val or '<span class=mut>%s</span>' % self.pick('ph'), arrow)
        return '<span class="tb%s" data-r=combobox%s style="width:%dpx;%s">%s</span>' % (' dis' if dis else '', st, width, css, body)

    def box(self, role, on=None, dis=None):
        """The square or circle alone."""
        r, t = self.r, self.t
        on = r.random() < (.5 if role == 'checkbox' else .4) if on is None else on
        dis = self.off() if dis is None else dis
        st = 'data-r=%s data-c=%d%s' % (role, on, ' data-d=1' if dis else '')
        if t.tick == 'native':
            return '<input type=%s %s%s%s>' % (role, st, ' checked' if on else '', ' disabled' if dis else '')
        s = t.ticksize - 2
        mark = ''
        if on and role == 'radio':
            if t.classic or r.random() < .99:
                d = max(4, round(s * (.4 if t.classic else .5)))
                mark = '<span style="width:%dpx;height:%dpx;border-radius:50%%;background:%s"></span>' % (d, d, '#fff' if t.tickfill and not t.classic else t.ink if t.classic else t.accent)
        elif on:
            mark = {'tick': wrap_svg(s, '<path d="M2 6l3 3 5-6" stroke-width="%g"/>' % (1.6 if t.ticksize > 14 else 2)),
                    'cross': wrap_svg(s, '<path d="M2 2l8 8M10 2l-8 8" stroke-width="1.6"/>'),
                    'square': wrap_svg(s, '<path d="M3 3h6v6h-6z" fill="currentColor" stroke="none"/>'),
                    'dash': wrap_svg(s, '<path d="M2 6l3 3 5-6" stroke-width="2.2"/>')}[t.mark]
        return '<span class="tk%s%s" style="%s" %s>%s</span>' % (' rd' if role == 'radio' else '', ' on' if on else '', 'opacity:.45' if dis else '', st, mark)

    def tick(self, role, text=None, on=None):
        dis = self.off()
        text = text if text is not None else self.pick('tick' if role == 'checkbox' else 'radio')
        return '<span class=row style="gap:%dpx;white-space:nowrap;display:inline-flex%s">%s<span>%s</span></span>' % (
            self.r.choice([3, 4, 5, 6, 8]), ';color:' + self.t.faint if dis else '', self.box(role, on, dis), text)

    def radios(self, n=None, vertical=None):
        n = n or self.r.randint(2, 4)
        on = self.r.randrange(n)
        names = self.r.sample(self.w['radio'], n)
        return '<span class=%s style="display:inline-flex;gap:%dpx">%s</span>' % ('col' if (self.r.random() < .4 if vertical is None else vertical) else 'row', self.r.choice([3, 6, 12]), ''.join(self.tick('radio', x, i == on) for i, x in enumerate(names)))

    def button(self, text=None, pri=None, width=None):
        r = self.r
        dis = self.off()
        cls = 'btn' + (' pri' if (pri if pri is not None else r.random() < .2) else '') + (' dng' if r.random() < .04 else '') + (' caps' if self.t.kind == 'material' and self.lang == 'en' else '') + (' dis' if dis else '')
        lead = self.ic(r.choice([14, 16])) if r.random() < .15 else ''
        tail = self.arrow(9) if r.random() < .04 else ''
        css = 'width:%dpx;padding:0' % width if width else ''
        return '<%s class="%s" data-r=button%s style="%s">%s<span>%s</span>%s</%s>' % (('span', cls, ' data-d=1' if dis else '', css, lead, text or self.pick('button'), tail, 'span'))

    def iconbtn(self, size=None, framed=None, glyph=None, color='currentColor', kind=None):
        r = self.r
        g = glyph or r.choice([14, 16, 16, 18, 20, 24])
        size = size or g + r.choice([4, 6, 8, 12, 16])
        dis = self.off()
        framed = r.random() < .2 if framed is None else framed
        tail = self.arrow(7) if r.random() < .05 else ''
        return '<span class="ib%s%s" data-r=icon%s style="width:%dpx;height:%dpx">%s%s</span>' % (
            ' fr' if framed else '', ' dis' if dis else '', ' data-d=1' if dis else '', size + (8 if tail else 0), size, self.ic(g, color, kind), tail)

    def link(self, text=None):
        return '<a class=lnk data-r=link>%s</a>' % (text or self.pick(self.r.choice(['nav', 'button', 'noun', 'tick'])))

    def slider(self, width=None):
        r, t = self.r, self.t
        width = width or r.choice([80, 120, 160, 200, 260])
        if t.slider == 'native' and not t.classic:
            return '<input type=range data-r=slider value=%d style="width:%dpx;margin:0">' % (r.randint(0, 100), width)
        p, th = r.randint(0, 100), r.choice([10, 12, 14, 16, 18, 20])
        tr = r.choice([2, 3, 4, 6, 8])
        classic = t.classic
        thumb = ('width:%dpx;height:%dpx;background:%s;border:1px solid #777;box-shadow:inset 1px 1px #fff' % (r.choice([9, 11]), th + 4, t.panel)) if classic else \
            'width:%dpx;height:%dpx;border-radius:%s;background:%s;%s' % (th, th, r.choice(['50%', '3px']), r.choice([t.accent, '#fff']), r.choice(['box-shadow:0 1px 3px rgba(0,0,0,.5)', 'border:1px solid ' + t.faint, 'border:2px solid ' + t.accent]))
        return ('<span data-r=slider style="display:inline-block;position:relative;width:%dpx;height:%dpx;flex:none"><span style="position:absolute;left:0;right:0;top:%dpx;height:%dpx;border-radius:%dpx;background:%s"></span>'
                '<span style="position:absolute;left:0;width:%d%%;top:%dpx;height:%dpx;border-radius:%dpx;background:%s"></span><span style="position:absolute;left:calc(%d%% - %dpx);top:0;%s"></span></span>') % (
            width, th + 4 if classic else th, (th - tr) // 2, tr, tr, t.line, 0 if classic else p, (th - tr) // 2, tr, tr, t.accent, p, th * p / 100, thumb)

    def switch(self):
        r, t = self.r, self.t
        on, dis = r.random() < .5, self.off()
        if not hasattr(t, 'switch'):
            t.switch = (r.choice([14, 16, 18, 20, 22, 24, 28]), r.choice([1.7, 1.8, 2, 2.2]), r.choice(['pill', 'pill', 'pill', 'thin', 'line', 'square']), r.choice([t.line, t.faint, '#bbb']), r.choice(['', 'box-shadow:0 1px 3px rgba(0,0,0,.5)']), r.random() < .12)
        h, wide, style, ground, shade, words_in = t.switch
        w = round(h * wide)
        bg = t.accent if on else ground
        if style == 'thin':
            th, knob, pad, kcol = h - 6, h, 0, t.accent if on else '#eee'
            track = 'border-radius:%dpx;background:%s;opacity:.6' % (h, bg)
        elif style == 'line':
            th, knob, pad, kcol = h, h - 8, 4, '#fff' if on else t.faint
            track = 'border-radius:%dpx;border:1.5px solid %s;background:%s' % (h, t.accent if on else t.faint, t.accent if on else 'transparent')
        else:
            th, knob, pad, kcol = h, h - 4, 2, '#fff'
            track = 'border-radius:%dpx;background:%s' % (3 if style == 'square' else h, bg)
        left = w - knob - pad if on else pad
        cap = '<span style="position:absolute;font-size:%dpx;line-height:%dpx;%s;color:#fff">%s</span>' % (max(8, h - 10), h, 'left:5px' if on else 'right:4px', ('开' if on else '关') if self.lang == 'zh' else ('ON' if on else 'OFF')) if style == 'pill' and h >= 20 and words_in else ''
        return '<span data-r=switch data-c=%d%s style="display:inline-block;position:relative;width:%dpx;height:%dpx;flex:none;%s"><span style="position:absolute;left:0;right:0;top:%dpx;height:%dpx;%s"></span>%s<span style="position:absolute;left:%dpx;top:%dpx;width:%dpx;height:%dpx;border-radius:%s;background:%s;%s"></span></span>' % (
            on, ' data-d=1' if dis else '', w, h, 'opacity:.5' if dis else '', (h - th) // 2, th, track, cap, left, (h - knob) // 2, knob, knob, '2px' if style == 'square' else '50%', kcol, shade)

    def image(self, w=None, h=None, round_=False):
        r = self.r
        w = w or r.choice([24, 32, 48, 64, 120, 200, 320])
        h = h or (w if round_ else r.choice([w, int(w * .6)]))
        k = r.random()
        if k < .3:
            g = 'linear-gradient(%ddeg,hsl(%d,60%%,60%%),hsl(%d,60%%,35%%))' % (r.randint(0, 180), r.randint(0, 359), r.randint(0, 359))
        elif k < .65:
            g = ','.join('radial-gradient(circle at %d%% %d%%,hsla(%d,70%%,%d%%,.9),transparent %d%%)' % (r.randint(0, 100), r.randint(0, 100), r.randint(0, 359), r.randint(25, 75), r.randint(15, 60)) for _ in range(5)) + ',hsl(%d,40%%,50%%)' % r.randint(0, 359)
        elif k < .85 and w > 100:  # a chart
            if r.random() < .5:
                bars = ''.join('<rect x="%d" y="%d" width="7" height="%d" fill="hsl(%d,60%%,50%%)"/>' % (i * 10 + 2, 100 - v, v, self.t.hue + i * 3) for i, v in ((i, r.randint(5, 95)) for i in range(10)))
            else:
                bars = '<polyline fill="none" stroke="%s" stroke-width="1.5" points="%s"/>' % (self.t.accent, ' '.join('%d,%d' % (i * 10, r.randint(5, 95)) for i in range(11))) + '<path d="M0 99.5h100M.5 0v100" stroke="#999"/>'
            return '<svg data-r=image width="%d" height="%d" viewBox="0 0 100 100" preserveAspectRatio="none" style="background:%s;flex:none">%s</svg>' % (w, h, self.t.paper, bars)
        else:
            return '<span data-r=image style="display:inline-flex;align-items:center;justify-content:center;flex:none;width:%dpx;height:%dpx;background:hsl(%d,45%%,60%%);color:#fff;border-radius:%s">%s</span>' % (w, h, r.randint(0, 359), '50%' if round_ else '2px', self.pick('noun')[0] if round_ else self.ic(min(w, h) // 2))
        return '<span data-r=image style="display:inline-block;flex:none;width:%dpx;height:%dpx;background:%s;border-radius:%s"></span>' % (w, h, g, '50%' if round_ else '%dpx' % r.choice([0, 0, 4, 8]))

    # -- groups -------------------------------------------------------------------------------------------------------------------
    def field(self, width=None):
        r = self.r
        k = r.choices(['t', 'c', 'a', 'r', 'x', 's', 'w', 'tt', 'tb', 'ti'], [52, 20, 3, 5, 5, 2, 2, 3, 4, 4])[0]
        if k == 't':
            return self.textbox(width)
        if k == 'c':
            return self.combobox(width)
        if k == 'a':
            return self.textarea(width)
        if k == 'r':
            return self.radios(vertical=False)
        if k == 'x':
            return self.tick('checkbox')
        if k == 's':
            return self.slider(width)
        if k == 'w':
            return self.switch()
        half = int((width or 220) / 2 - 10)
        if k == 'tt':
            return '<span class=row>%s<span>%s</span>%s</span>' % (self.textbox(half), r.choice(['-', '~', '至' if self.lang == 'zh' else 'to']), self.textbox(half))
        if k == 'tb':
            return '<span class=row style="gap:4px">%s%s</span>' % (self.textbox(half), self.button(r.choice(['...', None])))
        return '<span class=row style="gap:2px">%s%s</span>' % (self.textbox(half), self.iconbtn(self.t.height, True, 14))

    def form(self, n=None, cols=None, width=None):
        r, t = self.r, self.t
        n = n or r.randint(3, 12)
        cols = cols or r.choice([1, 1, 2, 2, 3, 4])
        fw = width or r.choice([90, 120, 150, 180, 220, 280])
        cells = []
        for _ in range(n):
            star = '<span style="color:#d22">*</span>' if r.random() < .12 else ''
            lab = '<span class=lab>%s%s%s</span>' % (self.pick('label'), t.colon, star)
            w = fw if r.random() < .7 else r.randint(60, fw)
            if t.labels == 'above':
                cells.append('<span style="display:flex;flex-direction:column;align-items:flex-start;gap:3px">%s%s</span>' % (lab, self.field(w)))
            elif t.labels == 'inside':
                cells.append(self.textbox(w, '', self.pick('label')))
            else:
                cells.append('<span style="text-align:%s">%s</span>' % ('right' if t.labelright else 'left', lab))
                cells.append('<span>%s</span>' % self.field(w))
        k = cols * (2 if t.labels == 'left' else 1)
        return '<div style="display:grid;grid-template-columns:repeat(%d,max-content);gap:%dpx %dpx;align-items:center;justify-items:%s">%s</div>' % (
            k, r.choice([3, 5, 8, 12]), r.choice([5, 8, 12, 20]), 'start' if not t.labelright else 'start', ''.join(cells))

    def group(self, body=None):
        r = self.r
        body = body or r.choice([lambda: self.form(r.randint(2, 6), r.choice([1, 2])), lambda: self.radios(vertical=r.random() < .6), lambda: self.ticks()])()
        return '<fieldset style="width:max-content"><legend>%s</legend>%s</fieldset>' % (self.pick('head'), body)

    def ticks(self, n=None):
        r = self.r
        names = r.sample(self.w['tick'], n or r.randint(2, 7))
        if r.random() < .6:
            return '<div class=col style="gap:%dpx;align-items:flex-start">%s</div>' % (r.choice([2, 4, 8]), ''.join(self.tick('checkbox', x) for x in names))
        return '<div style="display:grid;grid-template-columns:repeat(%d,max-content);gap:4px 14px">%s</div>' % (r.choice([2, 3]), ''.join(self.tick('checkbox', x) for x in names))

    def buttons(self, n=None, end=None):
        r = self.r
        names = r.sample(self.w['button'], n or r.randint(1, 5))
        w = r.choice([None, None, 75, 88, 100])
        return '<div class=row style="gap:%dpx;justify-content:%s">%s</div>' % (r.choice([2, 4, 6, 8, 12]), r.choice(['flex-start', 'flex-end', 'center']) if end is None else end,
                                                                           ''.join(self.button(x, i == 0 and r.random() < .5, w) for i, x in enumerate(names)))

    def toolbar(self, n=None):
        r = self.r
        n = n or r.randint(4, 22)
        g = r.choice([14, 16, 16, 16, 20, 22, 24, 32])
        kind = None
        if r.random() < .12:
            kind = r.choice(['tango22x22', 'tango16x16', 'mdi', 'bootstrap'])
        k = (kind or self.t.icons)
        if k.startswith('tango'):
            g = int(k[5:7]) if r.random() < .8 else g
        size = g + r.choice([4, 6, 8, 10, 14])
        framed, caption, beside = r.random() < .2, r.random() < .12, r.random() < .12
        out = []
        for _ in range(n):
            if caption:
                dis = self.off()
                out.append('<span class="ib%s" data-r=button%s style="flex-direction:column;padding:2px 6px;gap:1px;white-space:nowrap">%s<span style="font-size:%dpx">%s</span></span>' % (' dis' if dis else '', ' data-d=1' if dis else '', self.ic(g, kind=kind), max(11, self.t.size - 1), self.pick('button')))
            elif beside:
                out.append('<span class="ib" data-r=button style="padding:2px 6px;gap:4px;white-space:nowrap;height:%dpx">%s<span>%s</span></span>' % (size, self.ic(g, kind=kind), self.pick('button')))
            else:
                out.append(self.iconbtn(size, framed, g, kind=kind))
            if r.random() < .16:
                out.append('<span class=sep></span>')
            if r.random() < .05:
                out.append(self.combobox(r.choice([60, 100, 130])))
            if r.random() < .03:
                out.append(self.textbox(r.choice([60, 140])))
            if r.random() < .03:
                out.append(self.button())
        return '<div class=bar style="%s">%s</div>' % (r.choice(['', 'border-bottom:1px solid ' + self.t.line, 'background:' + self.t.alt]), ''.join(out))

    def menubar(self):
        r = self.r
        names = r.sample(self.w['menu'], r.randint(3, 10))
        hot = r.randrange(len(names)) if r.random() < .2 else -1
        return '<div class=mb>%s</div>' % ''.join('<span class="m%s" data-r=menuitem>%s</span>' % (' sel' if i == hot else '', x if i or r.random() < .7 or self.lang == 'zh' else '<u>%s</u>%s' % (x[0], x[1:])) for i, x in enumerate(names))

    def menu(self, x, y, n=None):
        r = self.r
        names = r.sample(self.w['item'], n or r.randint(3, 14))
        icons, keys, hot = r.random() < .4, r.random() < .6, r.randrange(30)
        gs = r.choice([14, 16])
        out = []
        for i, s in enumerate(names):
            dis = self.off(.12)
            lead = ('<span style="width:18px;display:inline-flex">%s</span>' % (self.ic(gs) if r.random() < .75 else '')) if icons else ''
            if not icons and r.random() < .05:
                lead = '✓'
            tail = '<span class=sp></span>' + ('<span style="margin-left:20px">%s</span>' % r.choice(['Ctrl+%s' % r.choice('NOSPZXCVAFHG'), 'F%d' % r.randint(1, 12), 'Del', '⌘S']) if keys and r.random() < .6 else '▸' if r.random() < .12 else '')
            out.append('<div class="mi%s%s" data-r=menuitem%s>%s<span>%s</span>%s</div>' % (' sel' if i == hot else '', ' dis' if dis else '', ' data-d=1' if dis else '', lead, s, tail))
            if r.random() < .2:
                out.append('<div class=hr></div>')
        return '<div class=menu style="left:%dpx;top:%dpx">%s</div>' % (x, y, ''.join(out))

    def tabs(self, n=None, role='tab'):
        r, t = self.r, self.t
        names = r.sample(self.w['head'] + self.w['nav'], n or r.randint(2, 7))
        on, ics, close = r.randrange(len(names)), r.random() < .15, t.tabs == 'chrome' or r.random() < .06
        return '<div class="tabs t-%s">%s</div>' % (t.tabs, ''.join('<span class="tab%s" data-r=tab>%s<span>%s</span>%s</span>' % (' on' if i == on else '', self.ic(14) if ics else '', x, '<span class=sp></span><span class=mut>×</span>' if close else '') for i, x in enumerate(names)))

    def table(self, rows=None, cols=None, width=None):
        r, t = self.r, self.t
        rows, cols = rows or r.randint(3, 18), cols or r.randint(3, 9)
        full = r.random() < (.85 if t.classic else .4)
        kinds = [r.choices(['text', 'num', 'link', 'icons', 'field', 'combo', 'tickc', 'badge', 'btn', 'switch'], [60, 20, 6, 3, 4, 2, 2, 4, 2, 1])[0] for _ in range(cols)]
        check, sel = r.random() < .3, r.randrange(rows * 2)
        if check:
            kinds[0] = 'tickc'
        if r.random() < .2 and not t.classic:
            kinds[-1] = r.choice(['icons', 'links', 'btn'])
        seq = r.random() < .2
        out = ['<tr>' + ''.join('<th%s>%s</th>' % (' data-r=cell' if k != 'tickc' else '', (self.box('checkbox', False) if check else '') if k == 'tickc' else self.pick('label') + r.choice([''] * 6 + [' ▲', ' ↕'])) for k in kinds) + '</tr>']
        fw = r.choice([50, 70, 100])
        nicon, gi = r.randint(1, 3), r.choice([14, 16, 18])
        for i in range(rows):
            tds = []
            for j, k in enumerate(kinds):
                if k == 'text':
                    tds.append('<td data-r=cell>%s</td>' % (i + 1 if j == 0 and seq else value(r, self.w) if r.random() < .95 else '&nbsp;'))
                elif k == 'num':
                    tds.append('<td data-r=cell style="text-align:right">%s</td>' % '{:,.2f}'.format(r.uniform(0, 9999)))
                elif k == 'badge':
                    tds.append('<td data-r=cell><span style="padding:1px 7px;border-radius:9px;background:hsl(%d,60%%,%d%%)">%s</span></td>' % (r.randint(0, 359), 30 if t.dark else 85, self.pick('noun')[:9]))
                else:
                    inner = {'link': lambda: self.link(value(r, self.w)), 'links': lambda: ' '.join(self.link(self.pick('button')) for _ in range(2)), 'icons': lambda: ''.join(self.iconbtn(gi + 6, False, gi) for _ in range(nicon)),
                             'field': lambda: self.textbox(fw, kind='native'), 'combo': lambda: self.combobox(fw + 30), 'tickc': lambda: self.box('checkbox'), 'btn': lambda: self.button(), 'switch': lambda: self.switch()}[k]()
                    tds.append('<td>%s</td>' % inner)
            out.append('<tr class="%s">%s</tr>' % ('sel' if i == sel else '', ''.join(tds)))
        return '<table class=%s style="%s">%s</table>' % ('g-full' if full else 'g-rows', 'width:100%' if r.random() < .3 else '', ''.join(out))

    def listbox(self, width=None, rows=None):
        r = self.r
        rows = rows or r.randint(3, 12)
        sel, ics, chk = r.randrange(rows * 2), r.random() < .4, r.random() < .12
        g = r.choice([14, 16, 20])
        lines = ''.join('<div class="li%s" data-r=listitem>%s%s<span>%s</span></div>' % (' sel' if i == sel else '', self.box('checkbox') if chk else '', self.ic(g) if ics else '', value(r, self.w) if r.random() < .3 else self.pick(r.choice(['noun', 'nav', 'label']))) for i in range(rows))
        return '<div class=box style="width:%dpx">%s</div>' % (width or r.choice([120, 160, 200, 260]), lines)

    def tree(self, width=None, rows=None):
        r = self.r
        g, kind, style, ind = r.choice([14, 16]), r.choice([self.t.icons, 'lucide', 'tango16x16', 'mdi']), r.choice(['pm', 'chev', 'chev', 'tri']), r.choice([14, 16, 19, 22])
        depth, out, sel = 0, [], r.randrange(24)
        for i in range(rows or r.randint(4, 16)):
            leaf = r.random() < .5
            mark = '' if leaf else {'pm': '<span style="width:9px;height:9px;border:1px solid %s;display:inline-flex;align-items:center;justify-content:center;font-size:9px;line-height:7px">%s</span>' % (self.t.faint, r.choice('+-')), 'chev': self.arrow(9) if r.random() < .5 else wrap_svg(9, '<path d="M4 2l4 4-4 4"/>'), 'tri': r.choice('▸▾')}[style]
            out.append('<div class="li" style="padding-left:%dpx;gap:4px"><span style="width:11px;display:inline-flex;flex:none">%s</span><span class="%s" data-r=listitem style="display:inline-flex;gap:4px;align-items:center">%s<span>%s</span></span></div>' % (2 + depth * ind, mark, 'sel' if i == sel else '', self.ic(g, kind=kind), self.pick(r.choice(['nav', 'noun', 'head']))))
            depth = max(0, min(4, depth + r.choice([-1, 0, 0, 1 if not leaf else 0])))
        return '<div class=box style="width:%dpx;height:%s">%s</div>' % (width or r.choice([150, 190, 240]), r.choice(['100%', 'auto']), ''.join(out))

    def sidenav(self, width=None):
        r, t = self.r, self.t
        names = r.sample(self.w['nav'], r.randint(4, 12))
        on, ics, pad = r.randrange(len(names)), r.random() < .6, r.choice([4, 6, 8, 10, 13])
        g = r.choice([16, 18, 20])
        bg = r.choice(['', 'background:' + t.alt, 'background:#22303f;color:#dde'])
        return '<div style="width:%dpx;flex:none;padding:%dpx 0;align-self:stretch;%s">%s</div>' % (width or r.choice([140, 180, 220, 250]), r.choice([4, 14]), bg, ''.join(
            '<div data-r=link class="row" style="padding:%dpx %dpx;white-space:nowrap;%s">%s<span>%s</span></div>' % (pad, r.choice([10, 16]), r.choice(['background:%s;color:#fff' % t.accent, 'border-left:3px solid %s;font-weight:bold' % t.accent, 'color:' + t.accent]) if i == on else '', self.ic(g) if ics else '', x) for i, x in enumerate(names)))

    def paragraph(self):
        r = self.r
        parts = []
        for _ in range(r.randint(1, 4)):
            s = self.pick('sent')
            parts.append(s if r.random() < .7 else s + ' ' + self.link())
        return '<p style="margin:2px 0;max-width:%dpx">%s</p>' % (r.choice([260, 380, 520]), ' '.join(parts))

    def keypad(self):
        r = self.r
        keys = r.choice([list('789456123') + ['0', '.', '=', '+', '-', '×'], list('123456789') + ['*', '0', '#'], ['7', '8', '9', '÷', '4', '5', '6', '×', '1', '2', '3', '-', '0', '.', '=', '+'], ['MC', 'MR', 'M+', 'C', '√', '%', '1/x', '±', '7', '8', '9', '/', '4', '5', '6', '*', '1', '2', '3', '-']])
        w, h = r.choice([34, 44, 56, 72]), r.choice([26, 32, 44, 56])
        return '<div style="display:grid;grid-template-columns:repeat(%d,max-content);gap:%dpx">%s</div>' % (r.choice([3, 4, 5]), r.choice([1, 3, 6]), ''.join(
            '<span class="btn" data-r=button style="width:%dpx;height:%dpx;padding:0;min-width:0;font-size:%dpx">%s</span>' % (w, h, self.t.size + 2, k) for k in keys))

    def calendar(self):
        r = self.r
        s = r.choice([22, 26, 30, 36])
        on = r.randint(1, 28)
        head = '<div class=row>%s<span class=sp></span><b>%s</b><span class=sp></span>%s</div>' % (self.iconbtn(22, None, 14, kind='lucide'), r.choice(['March 2026', '2026年3月', '2026-03']), self.iconbtn(22, None, 14, kind='lucide'))
        days = ''.join('<span style="text-align:center" class=mut>%s</span>' % d[:2] for d in self.w['day'])
        nums = ''.join('<span data-r=button style="height:%dpx;display:flex;align-items:center;justify-content:center;%s">%d</span>' % (s, 'background:%s;color:#fff;border-radius:%s' % (self.t.accent, r.choice(['50%', '3px'])) if d == on else '', d) for d in range(1, 31))
        return '<div class=card style="width:max-content">%s<div style="display:grid;grid-template-columns:repeat(7,%dpx)">%s%s</div></div>' % (head, s, days, nums)

    def settings(self):
        r, t = self.r, self.t
        out = []
        for _ in range(r.randint(3, 10)):
            ctl = r.choice([self.switch, self.switch, self.combobox, lambda: self.textbox(140), self.slider, self.button, self.link, lambda: self.box('checkbox'), lambda: self.radios(vertical=False)])()
            sub = '<div class=mut style="font-size:%dpx">%s</div>' % (max(11, t.size - 2), self.pick('sent')) if r.random() < .35 else ''
            lead = self.ic(20) if r.random() < .15 else ''
            out.append('<div class=row style="padding:%dpx 0;border-bottom:1px solid %s;white-space:nowrap">%s<div style="overflow:hidden">%s%s</div><span class=sp></span>%s</div>' % (r.choice([4, 8, 12, 16]), t.line, lead, self.pick(r.choice(['tick', 'label', 'nav'])), sub, ctl))
        return '<div style="min-width:%dpx">%s</div>' % (r.choice([280, 420, 600]), ''.join(out))

    def maillist(self):
        r = self.r
        return '<div class=box style="width:%dpx">%s</div>' % (r.choice([260, 320, 400]), ''.join('<div data-r=listitem class=row style="padding:8px;border-bottom:1px solid %s;overflow:hidden">%s<div style="white-space:nowrap;overflow:hidden"><div><b>%s</b></div><div class=mut>%s</div></div><span class=sp></span><span class=mut>%02d:%02d</span></div>' % (
            self.t.line, self.image(32, 32, True) if r.random() < .7 else '', self.pick('noun'), self.pick('sent'), r.randint(0, 23), r.randint(0, 59)) for _ in range(r.randint(3, 9))))

    def crumbs(self):
        r = self.r
        sep = r.choice(['/', '›', '>', '»', '|', '·'])
        return '<div class=row style="gap:6px">%s</div>' % (' <span class=mut>%s</span> ' % sep).join(self.link(self.pick('nav')) for _ in range(r.randint(2, 6)))

    def links(self):
        """Links as a list, with bars or bullets between them, or in the middle of a sentence."""
        r = self.r
        n = r.randint(2, 8)
        way = r.choice(['list', 'bar', 'bullets', 'said', 'columns', 'marked'])
        if way == 'said':
            return '<p style="margin:2px 0">%s %s</p>' % (self.pick('ph'), self.link()) * r.randint(1, 3)
        if way == 'bar':
            sep = r.choice(['|', '·', '', '/', '-'])
            return '<div class="row wrap" style="gap:%dpx">%s</div>' % (r.choice([4, 8, 14]), ('<span class=mut>%s</span>' % sep).join(self.link() for _ in range(n)))
        if way == 'bullets':
            return '<ul style="margin:0;padding-left:18px">%s</ul>' % ''.join('<li>%s</li>' % self.link() for _ in range(n))
        if way == 'columns':
            return '<div class=row style="align-items:flex-start;gap:24px">%s</div>' % ''.join('<div class=col><b>%s</b>%s</div>' % (self.pick('head'), ''.join(self.link() for _ in range(n))) for _ in range(r.randint(2, 4)))
        mark = (lambda: '<span class=row style="gap:5px">%s%s</span>' % (self.ic(14, self.t.linkink), self.link())) if way == 'marked' else self.link
        return '<div class=col style="align-items:flex-start;gap:%dpx">%s</div>' % (r.choice([1, 4, 8]), ''.join(mark() for _ in range(n)))

    def pager(self):
        r = self.r
        s = r.choice([22, 26, 30, 34])
        return '<div class=row style="gap:%dpx"><span class=mut>%s</span>%s</div>' % (r.choice([0, 3, 6]), r.choice(['1-20 / 312', '共 312 条', 'Page 1 of 16']), ''.join('<span class="btn%s" data-r=button style="width:%dpx;height:%dpx;padding:0;min-width:0">%s</span>' % (' pri' if p == '2' else '', s, s, p) for p in ['‹', '1', '2', '3', '4', '…', '16', '›']))

    def chips(self):
        r = self.r
        return '<div class="row wrap" style="gap:6px">%s</div>' % ''.join('<span data-r=button style="border-radius:99px;padding:3px 11px;white-space:nowrap;%s">%s</span>' % (r.choice(['background:' + self.t.alt, 'border:1px solid ' + self.t.line, 'background:%s;color:#fff' % self.t.accent]), self.pick('nav') + r.choice(['', '', ' ×'])) for _ in range(r.randint(2, 7)))

    def tiles(self):
        r = self.r
        w, h = r.choice([70, 90, 120, 150]), r.choice([50, 70, 90, 110])
        col = r.random() < .5
        return '<div style="display:grid;grid-template-columns:repeat(%d,max-content);gap:%dpx">%s</div>' % (r.randint(2, 6), r.choice([4, 8, 12]), ''.join(
            '<span class=btn data-r=button style="width:%dpx;height:%dpx;flex-direction:column;padding:2px;white-space:normal;text-align:center;border-radius:%dpx;%s">%s<span>%s</span></span>' % (w, h, min(self.t.radius, 10), 'background:hsl(%d,45%%,%d%%)' % (r.randint(0, 359), 35 if self.t.dark else 78) if col else '', self.ic(r.choice([20, 28, 36])) if r.random() < .6 else '', self.pick(r.choice(['nav', 'noun']))) for _ in range(r.randint(4, 16))))

    def stat(self):
        return '<div class=card style="width:max-content"><div class=mut>%s</div><h1>%s</h1>%s</div>' % (self.pick('label'), '{:,}'.format(self.r.randint(10, 99999)), self.link() if self.r.random() < .3 else '')

    def zoo(self, n=None):
        """Controls of all kinds side by side."""
        r = self.r
        kinds = [self.textbox, self.combobox, self.button, self.button, self.iconbtn, self.iconbtn, self.link, lambda: self.tick('checkbox'), lambda: self.tick('radio'), self.switch, self.slider,
                 lambda: '<span>%s</span>' % self.pick('label'), lambda: self.radios(vertical=False), lambda: self.image(r.choice([24, 40]))]
        return '<div class="row wrap" style="gap:%dpx;max-width:%dpx">%s</div>' % (r.choice([5, 9, 14]), r.choice([350, 500, 800]), ''.join(r.choice(kinds)() for _ in range(n or r.randint(8, 26))))

    def block(self):
        r = self.r
        f = r.choices([self.form, self.group, self.ticks, self.buttons, self.toolbar, self.tabs, self.table, self.listbox, self.tree, self.paragraph, self.keypad, self.calendar,
                       self.settings, self.maillist, self.crumbs, self.pager, self.chips, self.tiles, self.stat, self.zoo, self.image, self.radios, self.textarea] + [self.links] * self.rare,
                      [14, 5, 2, 4, 4, 14, 6, 4, 4, 5, 0, 0, 8, 2, 5, 2, 3, 2, 2, 12, 2, 2, 2, 14] if self.rare else [16, 9, 5, 6, 6, 5, 10, 4, 4, 4, 2, 2, 7, 2, 3, 2, 3, 3, 2, 8, 2, 4, 2])[0]
        body = f()
        if r.random() < .25:
            body = '<div class=card style="width:max-content;max-width:100%%">%s%s</div>' % ('<h2 style="margin-bottom:8px">%s</h2>' % self.pick('head') if r.random() < .7 else '', body)
        elif r.random() < .2:
            body = '<div><h3>%s</h3>%s</div>' % (self.pick('head'), body)
        return '<div style="flex:none;max-width:100%%">%s</div>' % body

    def blocks(self, n):
        way = self.r.choice(['column', 'column', 'row'])
        return '<div style="display:flex;flex-direction:%s;flex-wrap:wrap;align-content:flex-start;align-items:flex-start;gap:%dpx;padding:%dpx;height:100%%;overflow:hidden">%s</div>' % (
            way, self.r.choice([6, 10, 14, 20]), self.r.choice([4, 8, 12, 20]), ''.join(self.block() for _ in range(n)))

    # -- whole pages ------------------------------------------------------------------------------------------------------------
    def title(self, dialog=False):
        r, t = self.r, self.t
        k = t.kind
        bg = {'classic': 'background:linear-gradient(90deg,%s,%s);color:#fff;font-weight:bold' % (t.accent, r.choice([t.accent, '#a6caf0', '#1084d0'])), 'xp': 'background:linear-gradient(#0997ff,#0053ee 20%,#0050ee 80%,#06f);color:#fff;font-weight:bold',
              'win7': 'background:linear-gradient(#dfebf7,#b9d1ea)'}.get(k) or r.choice(['background:' + t.alt, 'background:%s;color:#fff' % t.accent, 'background:' + t.panel, 'background:#2b2b2b;color:#ddd'])
        s = r.choice([14, 16, 18, 20]) if t.classic else r.choice([20, 24, 28, 34])
        sign = {'min': wrap_svg(s - 7, '<path d="M2 9h8" stroke-width="1.5"/>'), 'max': wrap_svg(s - 7, '<path d="M2 2h8v8h-8z" stroke-width="1.3"/>'), 'close': wrap_svg(s - 7, '<path d="M2 2l8 8M10 2l-8 8" stroke-width="1.3"/>')}
        css = 'width:%dpx;height:%dpx;' % (s + 2, s)
        if k == 'classic':
            css += 'background:%s;color:#000;border:1px solid;border-color:#fff #404040 #404040 #fff;' % t.panel
        elif k == 'xp':
            css += 'border:1px solid #fff;border-radius:3px;background:#3c81f3;'
        if not t.classic and r.random() < .15:
            ctl = ''.join('<span data-r=icon style="width:12px;height:12px;border-radius:50%%;background:%s;flex:none"></span>' % c for c in ('#ff5f57', '#febc2e', '#28c840'))
            return '<div class=ttl style="%s;gap:8px">%s<span class=sp></span><span>%s</span><span class=sp></span></div>' % (bg, ctl, self.pick('head'))
        ctl = ''.join('<span class=ib data-r=icon style="%scolor:%s;%s">%s</span>' % (css, '#000' if k == 'classic' else 'inherit', 'background:#d9481f;' if x == 'close' and k == 'xp' else '', sign[x]) for x in (['close'] if dialog and r.random() < .6 else ['min', 'max', 'close']))
        return '<div class=ttl style="%s">%s<span style="overflow:hidden">%s</span><span class=sp></span>%s</div>' % (bg, self.ic(16, kind=r.choice(['tango16x16', 'mdi'])) if r.random() < .5 else '', self.pick('head') + r.choice(['', ' - ' + self.pick('noun')]), ctl)

    def status(self):
        r = self.r
        return '<div class=stat style="border-top:1px solid %s">%s</div>' % (self.t.line, ''.join('<span%s>%s</span>' % (' style="flex:1"' if i == 0 else '', value(r, self.w) if r.random() < .5 else self.pick('noun')) for i in range(r.randint(1, 5))))

    def window(self, x, y, w, h, dialog=False):
        r = self.r
        parts = [self.title(dialog)]
        if dialog:
            body = r.choice([
                lambda: '<div class=row style="padding:16px;gap:14px">%s<div>%s</div></div>' % (self.ic(32, kind='tango32x32') if r.random() < .5 else '<span data-r=image style="flex:none;display:inline-flex">%s</span>' % self.ic(32, self.t.accent, 'mdi'), self.pick('sent')),
                lambda: '<div style="padding:12px">%s</div>' % self.form(r.randint(2, 7), 1),
                lambda: '<div style="padding:10px">%s<div class=row style="align-items:flex-start;padding:10px">%s%s</div></div>' % (self.tabs(), self.group(), self.group()),
                lambda: '<div class=row style="padding:10px;align-items:flex-start">%s%s</div>' % (self.listbox(), self.ticks())])()
            parts += [body, '<span class=sp></span>', '<div style="padding:%dpx">%s</div>' % (r.choice([6, 10, 16]), self.buttons(r.randint(1, 4)))]
        else:
            if r.random() < .7:
                parts.append(self.menubar())
            for _ in range(r.choice([0, 1, 1, 2])):
                parts.append(self.toolbar())
            main = r.choice([lambda: self.blocks(r.randint(2, 5)), lambda: self.blocks(r.randint(2, 5)),
                             lambda: '<div style="padding:8px" class=col>%s%s%s</div>' % (self.form(r.randint(4, 14), r.choice([2, 3, 4])), self.table(), self.buttons()),
                             lambda: '<div style="padding:6px">%s<div style="padding:8px;border:1px solid %s">%s</div></div>' % (self.tabs(), self.t.line, self.blocks(3)),
                             lambda: self.table(r.randint(8, 30)) + self.pager()])()
            left = self.tree() if r.random() < .25 else ''
            right = '<div class=col style="padding:8px">%s</div>' % ''.join(self.button(width=90) for _ in range(r.randint(3, 7))) if r.random() < .15 else ''
            parts.append('<div style="display:flex;flex:1;min-height:0;overflow:hidden">%s<div style="flex:1;min-width:0;overflow:hidden">%s</div>%s</div>' % (left, main, right))
            if r.random() < .6:
                parts.append(self.status())
        size = 'left:%dpx;top:%dpx;width:%dpx;height:%dpx' % (x, y, w, h) if not dialog or r.random() < .5 else 'left:%dpx;top:%dpx' % (x, y)
        return '<div class=win data-r=window style="%s">%s</div>' % (size, ''.join(parts))

    def wallpaper(self):
        r = self.r
        k = r.random()
        if k < .4:
            return r.choice(['#008080', '#3a6ea5', '#000', '#808080', '#2b5797', '#456', '#f2f2f2', hsl(r.randint(0, 359), 40, 40)])
        if k < .6:
            return 'linear-gradient(%ddeg,hsl(%d,60%%,60%%),hsl(%d,60%%,30%%))' % (r.randint(0, 180), r.randint(0, 359), r.randint(0, 359))
        return ','.join('radial-gradient(circle at %d%% %d%%,hsla(%d,70%%,%d%%,.8),transparent %d%%)' % (r.randint(0, 100), r.randint(0, 100), r.randint(0, 359), r.randint(20, 80), r.randint(10, 50)) for _ in range(7)) + ',hsl(%d,50%%,40%%)' % r.randint(0, 359)

    def desktop(self):
        """Windows above one another on a wallpaper."""
        r, W, H = self.r, self.W, self.H
        out = []
        if r.random() < .35:
            for i in range(r.randint(2, 8)):
                out.append('<div data-r=icon style="position:absolute;left:%dpx;top:%dpx;width:72px;text-align:center;color:#fff">%s<div data-skip=1 style="font-size:12px">%s</div></div>' % (10, 10 + i * 80, self.ic(36, kind='tango32x32'), self.pick('nav')))
        for i in range(r.choice([1, 1, 2, 3])):
            w, h = min(W - 10, r.randint(420, max(430, int(W * .9)))), min(H - 10, r.randint(300, max(310, int(H * .92))))
            out.append(self.window(r.randint(0, W - w), r.randint(0, H - h), w, h))
        if r.random() < .4:
            out.append(self.window(r.randint(0, W // 2), r.randint(0, H // 2), r.randint(260, 480), r.randint(140, 320), True))
        if r.random() < .3:
            out.append(self.menu(r.randint(0, W - 200), r.randint(0, H // 2)))
        if r.random() < .35:
            out.append('<div class="bar" style="position:absolute;left:0;right:0;bottom:0;background:%s;height:%dpx;z-index:70">%s%s<span class=sp></span>%s<span>%02d:%02d</span></div>' % (r.choice([self.t.panel, '#222', '#1b3a6b']), r.choice([28, 32, 40]), self.button(), ''.join(self.iconbtn(28, False, 20, r.choice(['#eee', '#cde']), kind='tango22x22') for _ in range(r.randint(0, 6))), ''.join(self.iconbtn(20, False, 16, '#999') for _ in range(r.randint(0, 3))), r.randint(0, 23), r.randint(0, 59)))
        return '<div style="position:absolute;inset:0;background:%s">%s</div>' % (self.wallpaper(), ''.join(out))

    def maximised(self):
        return self.window(0, 0, self.W, self.H)

    def web(self):
        r, t = self.r, self.t
        h = r.choice([36, 44, 48, 56, 64])
        bg = r.choice(['background:%s;color:#fff' % t.accent, 'background:' + t.panel, 'background:' + t.alt, 'background:#1f2733;color:#eee'])
        bits = ['<b style="font-size:%dpx">%s</b>' % (t.size + 4, self.pick('noun')[:10])] + ['<span data-r=link style="white-space:nowrap;padding:%dpx 0">%s</span>' % (r.choice([0, 4, 8]), self.pick('nav')) for _ in range(r.randint(0, 6))] + ['<span class=sp></span>']
        if r.random() < .5:
            bits.append(self.textbox(r.choice([160, 220, 300]), kind='search'))
        bits += [self.iconbtn(32, False, 20) for _ in range(r.randint(0, 4))] + ([self.image(28, 28, True)] if r.random() < .5 else [self.button()])
        head = '<div class=row style="height:%dpx;padding:0 16px;gap:%dpx;%s;border-bottom:1px solid %s;flex:none;overflow:hidden">%s</div>' % (h, r.choice([10, 16, 24]), bg, t.line, ''.join(bits))
        side = self.sidenav() if r.random() < .55 else ''
        body = self.blocks(r.randint(4, 9))
        crumb = '<div style="padding:8px 12px">%s<h1>%s</h1></div>' % (self.crumbs() if r.random() < .5 else '', self.pick('head')) if r.random() < .6 else ''
        foot = '<div class=row style="padding:8px 16px;gap:18px;flex:none">%s</div>' % ''.join(self.link() for _ in range(r.randint(2, 6))) if r.random() < .25 else ''
        page = '<div style="display:flex;flex-direction:column;height:%dpx">%s<div style="display:flex;flex:1;min-height:0">%s<div style="flex:1;min-width:0;overflow:hidden;display:flex;flex-direction:column">%s<div style="flex:1;min-height:0">%s</div></div></div>%s</div>' % (self.H, head, side, crumb, body, foot)
        if r.random() < .18:
            page += '<div style="position:absolute;inset:0;background:rgba(0,0,0,.%d)"></div>' % r.choice([3, 45, 6]) + self.window(r.randint(20, self.W // 2), r.randint(20, self.H // 2), r.randint(280, 520), r.randint(180, 400), True)
        elif r.random() < .12:
            page += self.menu(r.randint(0, max(1, self.W - 220)), r.randint(20, self.H // 2))
        return page

    def login(self):
        r = self.r
        body = '<h1>%s</h1>%s%s<div class=row>%s<span class=sp></span>%s</div>%s%s' % (self.pick('head'), self.form(r.randint(2, 4), 1, r.choice([200, 260, 320])), '', self.tick('checkbox'), self.link(), self.button(pri=True, width=r.choice([120, 240, 320])), '<div class=row>%s%s</div>' % (self.link(), ''.join(self.iconbtn(36, True, 20) for _ in range(r.randint(0, 4)))))
        return '<div style="position:absolute;inset:0;background:%s"><div class="card col" style="position:absolute;left:%d%%;top:%d%%;width:max-content;align-items:stretch">%s</div></div>' % (self.wallpaper() if r.random() < .5 else self.t.page, r.randint(5, 55), r.randint(5, 35), body)

    def plain(self):
        return '<div style="height:%dpx">%s</div>' % (self.H, self.blocks(self.r.randint(5, 12)))

    def phone(self):
        r, t = self.r, self.t
        out = ['<div class=row style="padding:10px 14px;%s">%s<h2>%s</h2><span class=sp></span>%s</div>' % (r.choice(['background:%s;color:#fff' % t.accent, 'border-bottom:1px solid ' + t.line]), self.iconbtn(36, False, 22), self.pick('head'), ''.join(self.iconbtn(36, False, 22) for _ in range(r.randint(0, 2))))]
        if r.random() < .35:
            out.append('<div style="padding:8px 14px">%s</div>' % self.textbox(self.W - 28, kind='search'))
        if r.random() < .3:
            out.append(self.tabs(r.randint(2, 3)))
        for _ in range(r.randint(2, 5)):
            k = r.choice(['settings', 'form', 'list', 'tiles', 'chips', 'card', 'buttons', 'text'])
            b = {'settings': self.settings, 'form': lambda: self.form(r.randint(2, 5), 1, self.W - 40 if t.labels != 'left' else 180), 'list': self.maillist, 'tiles': self.tiles, 'chips': self.chips,
                 'card': lambda: '<div class=card>%s<h3>%s</h3>%s%s</div>' % (self.image(self.W - 80, 120), self.pick('head'), self.paragraph(), self.button()), 'buttons': lambda: self.button(pri=True, width=self.W - 40), 'text': self.paragraph}[k]()
            out.append('<div style="padding:8px 14px;overflow:hidden">%s</div>' % b)
        if r.random() < .5:
            names = r.sample(self.w['nav'], r.randint(3, 5))
            out.append('<div style="position:absolute;left:0;right:0;bottom:0;height:56px;background:%s;border-top:1px solid %s;display:flex;z-index:50">%s</div>' % (t.panel, t.line, ''.join('<span data-r=tab style="flex:1;display:flex;flex-direction:column;align-items:center;justify-content:center;font-size:11px;%s">%s%s</span>' % ('color:' + t.accent if i == 0 else '', self.ic(22), x) for i, x in enumerate(names))))
        if r.random() < .25:
            out.append('<span data-r=icon style="position:absolute;right:18px;bottom:76px;width:54px;height:54px;border-radius:50%%;background:%s;color:#fff;display:flex;align-items:center;justify-content:center;box-shadow:0 3px 8px rgba(0,0,0,.4);z-index:51">%s</span>' % (t.accent, self.ic(24)))
        return '<div style="height:%dpx;overflow:hidden">%s</div>' % (self.H, ''.join(out))


SIZES = [(1024, 768), (1280, 800), (1280, 800), (1366, 768), (1440, 900), (1600, 900), (1920, 1080), (2560, 1440)]


# Pages from this seed on show more of what is rare.
RARE_FROM = 3000
# Pages from this seed on come from pages_more.py.
MORE_FROM = 6000


def page(seed):
    """HTML and size of the screen with this seed."""
    if seed >= MORE_FROM:
        import pages_more
        return pages_more.page(seed)
    r = random.Random('page %d' % seed)
    lang = 'zh' if r.random() < .45 else 'en'
    is_phone = r.random() < .08
    scale = 1
    if is_phone:
        W, H = r.choice([(360, 740), (390, 844), (412, 915), (768, 1024)])
        scale = r.choice([1, 2])
    else:
        W, H = r.choice(SIZES)
        k = r.random()
        scale = 1 if k < .75 else r.choice([1.25, 1.5, 2])
        if scale > 1:
            W, H = int(min(W, 1920) / scale), int(min(H, 1080) / scale)
    t = Theme(r, lang, is_phone)
    css = t.css(r)
    m = Maker(r, lang, t, W, H, seed >= RARE_FROM)
    if is_phone:
        body = m.phone()
    else:
        kinds = [m.desktop, m.maximised, m.web, m.login, m.plain]
        body = r.choices(kinds, [30, 25, 8, 4, 20] if t.classic else [18, 10, 35, 7, 22])[0]()
    html = '<!doctype html><meta charset=utf-8><style>%s</style><body style="width:%dpx;height:%dpx">%s</body>' % (css, W, H, body)
    return {'html': html, 'width': W, 'height': H, 'scale': scale, 'lang': lang, 'toolkit': 'html-' + ('phone' if is_phone else t.kind)}


if __name__ == '__main__':
    import sys
    for s in range(int(sys.argv[1]), int(sys.argv[2])):
        page(s)
