"""Whole programs and phone screens for pages_more.py: business forms, admin lists, mail, chat, player, editor, shop, wizard, file dialog, spreadsheet and so on."""
from pages import hsl
from pages_more import More, glyph
from words import value


class Scenes(More):
    def scenes(self):
        return [self.erp, self.erp, self.erp, self.admin, self.admin, self.wizard, self.signin, self.chat, self.calculator, self.month, self.colours, self.player, self.properties, self.mail, self.editor,
                self.dashboard, self.shop, self.options, self.filedialog, self.browser, self.sheet, self.ribbon, self.opened_menu, self.article, self.dense_dialogs, self.tabbed, self.tabbed, self.tabbed, self.mixer]

    def phones(self):
        return [self.p_list, self.p_settings, self.p_chat, self.p_dial, self.p_player, self.p_shop, self.p_form]

    # -- where a scene stands -----------------------------------------------------------------------------------------------------------
    def stand(self, body, w=None, h=None, full=True):
        """The body fills the screen, or a window of its own."""
        r, W, H = self.r, self.W, self.H
        k = r.random()
        if full and k < .4:
            return f'<div style="width:{W}px;height:{H}px;overflow:hidden;display:flex;flex-direction:column;background:{self.t.panel}">{body}</div>'
        if full and k < .65:
            x, y, w, h = 0, 0, W, H
        else:
            w, h = min(W, w or r.randint(int(W * .6), W)), min(H, h or r.randint(int(H * .6), H))
            x, y = r.randint(0, W - w), r.randint(0, H - h)
        behind = self.window(r.randint(0, W // 3), r.randint(0, H // 3), W // 2, H // 2) if r.random() < .2 and w < W else ''
        return f'<div style="position:absolute;inset:0;background:{self.wallpaper()}">{behind}<div class=win data-r=window style="left:{x}px;top:{y}px;width:{w}px;height:{h}px">{self.title()}<div style="flex:1;min-height:0;display:flex;flex-direction:column;overflow:hidden">{body}</div></div></div>'

    def block(self):
        k = self.r.random()
        return f'<div style="flex:none;max-width:100%">{self.tabs()}</div>' if k < .1 else f'<div style="flex:none">{self.sliders()}</div>' if k < .14 else super().block()

    def field(self, width=None):
        r = self.r
        if r.random() < .12:
            half = max(40, (width or 180) - self.t.height - 4)
            return f'<span class=row style="gap:{r.choice([0, 2, 4])}px">{self.textbox(half)}{r.choice([self.glyphbutton(self.t.height, r.choice(["…", "...", "?"])), self.iconbtn(self.t.height, r.random() < .7, 14)])}</span>'
        return super().field(width)

    def round(self, inner, s, css='', role='icon'):
        """A round sign: its square is what counts."""
        return f'<span data-r={role} style="display:inline-flex;flex:none;width:{s}px;height:{s}px"><span style="width:100%;height:100%;border-radius:50%;display:flex;align-items:center;justify-content:center;{css}">{inner}</span></span>'

    def grid(self, n, cols, width, labels='left'):
        """Fields with their names in columns."""
        r, t, out = self.r, self.t, ''
        for _ in range(n):
            star = r.choice(['', '', '', '<span style="color:#d22">*</span>'])
            lab = f'<span class=lab style="{"text-align:right;" if t.labelright else ""}">{star if r.random() < .5 else ""}{self.pick("label")}{t.colon}{star if not t.labelright else ""}</span>'
            f = self.field(width)
            out += lab + f'<span>{f}</span>' if labels == 'left' else f'<span class=col style="gap:2px;align-items:flex-start">{lab}{f}</span>'
        k = cols * (2 if labels == 'left' else 1)
        return f'<div style="display:grid;grid-template-columns:repeat({k},max-content);gap:{r.choice([2, 4, 6, 8])}px {r.choice([5, 8, 14])}px;align-items:center">{out}</div>'

    # -- programs -----------------------------------------------------------------------------------------------------------------------
    def erp(self):
        r, t = self.r, self.t
        cols = r.choice([2, 3, 3, 4])
        parts = [self.menubar()] if r.random() < .5 else []
        parts.append(self.commands(r.randint(4, 8)) if r.random() < .6 else self.toolbar())
        head = f'<div class=row style="padding:6px 8px;gap:12px"><h2 style="color:{r.choice([t.ink, t.accent])}">{self.pick("head")}</h2><span>{self.pick("radio")}</span><span class=sp></span>{self.coloured()}</div>'
        form = self.grid(r.randint(cols * 2, cols * 5), cols, r.choice([90, 110, 130, 160]), r.choice(['left', 'left', 'left', 'above']))
        if r.random() < .4:
            form = f'<fieldset><legend>{self.pick("head")}</legend>{form}</fieldset>'
        if r.random() < .3:
            form += f'<div style="display:flex;gap:10px;margin-top:8px;align-items:flex-start">{self.group()}{self.group()}</div>'
        tabs = self.tabs(r.randint(3, 7)) if r.random() < .6 else self.coloured()
        end = f'<div class=row style="padding:6px 8px;gap:8px">{self.grid(r.randint(2, 4), 4, 90)}</div>' if r.random() < .5 else ''
        parts += [head, f'<div style="padding:4px 8px">{form}</div>', f'<div style="padding:4px 8px">{tabs}</div>', f'<div style="padding:0 8px;flex:1;min-height:0;overflow:hidden">{self.table()}</div>', end]
        parts.append(f'<div style="padding:6px 8px">{self.commands(r.randint(2, 6))}</div>' if r.random() < .6 else '')
        return self.stand(''.join(parts) + self.status())

    def admin(self):
        """A list in a web program: conditions above, commands, rows with actions, pages below."""
        r, t = self.r, self.t
        cond = ''.join(f'<span class=row style="gap:6px"><span>{self.pick("label")}{t.colon}</span>{r.choice([self.textbox, self.textbox, self.combobox])(r.choice([110, 140, 170]))}</span>' for _ in range(r.randint(2, 7)))
        words = ('查询', '重置') if self.lang == 'zh' else ('Search', 'Reset')
        cond += self.button(words[0], True) + self.button(words[1], False) + (self.link() if r.random() < .4 else '')
        main = f'<div style="padding:8px 14px">{self.crumbs()}</div><div class="row wrap" style="padding:8px 14px;gap:10px">{cond}</div><div style="padding:4px 14px">{self.commands(r.randint(3, 7))}</div><div style="padding:4px 14px;overflow:hidden">{self.table(r.randint(6, 14), r.randint(5, 9))}</div><div style="padding:4px 14px">{self.pager()}</div>'
        side = r.choice([self.sidenav, self.sidenav, self.sidelist, self.tree])() if r.random() < .75 else ''
        top = f'<div class="row inv" style="height:{r.choice([40, 48, 56])}px;padding:0 14px;flex:none;{r.choice([f"background:{t.accent};color:#fff", "border-bottom:1px solid " + t.line])}"><b>{self.pick("noun")}</b><span class=sp></span>{"".join(self.iconbtn(28, False, 18) for _ in range(r.randint(1, 4)))}{self.image(26, 26, True)}<span>{r.choice(["admin", "Ana", "张三"])} ▾</span></div>' if r.random() < .7 else ''
        opened = self.tabs(r.randint(3, 6)) if r.random() < .55 else ''
        return self.stand(f'{top}<div style="display:flex;flex:1;min-height:0;overflow:hidden">{side}<div style="flex:1;min-width:0;overflow:hidden">{opened}{main}</div></div>')

    def wizard(self):
        r, t = self.r, self.t
        n, on = r.randint(3, 6), r.randint(0, 3)
        names = r.sample(self.w['head'], n)
        side = r.random() < .4
        steps = ''
        for i, x in enumerate(names):
            c = f'background:{t.accent};color:#fff' if i <= on else f'border:1px solid {t.faint};color:{t.faint}'
            steps += f'<span class=row style="gap:6px;white-space:nowrap;{"font-weight:bold" if i == on else ""}"><span style="width:24px;height:24px;border-radius:50%;display:inline-flex;align-items:center;justify-content:center;{c}">{glyph("tick", 12) if i < on else i + 1}</span>{x}</span>' + ('' if side or i == n - 1 else f'<span style="flex:1;height:1px;background:{t.line};min-width:12px"></span>')
        body = r.choice([lambda: self.form(r.randint(3, 8), r.choice([1, 2])), self.cards, lambda: self.ticks() + self.radios(vertical=True), lambda: self.paragraph() + self.textarea(360, 6) + self.tick('checkbox'), lambda: self.listbox(300)])()
        names = ('< 上一步', '下一步 >', '取消', '完成') if self.lang == 'zh' else ('< Back', 'Next >', 'Cancel', 'Finish')
        foot = ''.join(self.button(x, i == 1 and r.random() < .5, r.choice([None, 85]), dis=r.random() < .25) for i, x in enumerate(names[:r.randint(3, 4)]))
        inner = f'<div class={"col" if side else "row"} style="padding:14px;gap:10px;{f"background:{t.alt};width:200px" if side else ""}">{steps}</div>'
        right = f'<div style="padding:16px;flex:1;overflow:hidden"><h2>{self.pick("head")}</h2><p class=mut>{self.pick("sent")}</p>{body}</div>'
        return self.stand(f'<div style="display:flex;flex:1;min-height:0;{"" if side else "flex-direction:column"}">{inner}{right}</div><div class=row style="justify-content:{r.choice(["flex-end", "flex-end", "center"])};padding:10px;border-top:1px solid {t.line}">{foot}</div>', r.randint(520, 760), r.randint(380, 560), False)

    def signin(self):
        r, t, zh = self.r, self.t, self.lang == 'zh'
        w = r.choice([240, 280, 320, 360])
        names = ['用户名', '密码', '验证码'] if zh else ['User name', 'Password', 'Code']
        above, fields = r.random() < .4, ''
        for i, x in enumerate(names[:r.choice([2, 2, 2, 3])]):
            f = self.textbox(w if i < 2 else w - 110, '••••••' if i == 1 and r.random() < .5 else r.choice(['', 'ana']), '' if above else x, r.choice([None, 'native']))
            if i == 2:
                f = f'<span class=row>{f}{self.image(90, self.t.height)}</span>'
            fields += f'<div style="display:flex;flex-direction:column;gap:3px;align-items:flex-start">{f"<span class=lab>{x}</span>" if above else ""}{f}</div>'
        forgot, join = ('忘记密码？', '注册账号') if zh else ('Forgot password?', 'Create an account')
        tabs = self.tabs(2) if r.random() < .3 else ''
        social = ''.join(r.choice([lambda: self.round(self.ic(20), 38, f'border:1px solid {t.line}'), lambda: self.iconbtn(36, True, 20)])() for _ in range(r.randint(2, 4))) if r.random() < .4 else ''
        more = self.button(css=f'width:{w}px;') if r.random() < .3 else ''
        card = f'<div class="card col" style="width:max-content;padding:{r.choice([16, 24, 32])}px;gap:{r.choice([8, 12, 16])}px">{self.image(56, 56, True) if r.random() < .4 else ""}<h1>{self.pick("head")}</h1>{tabs}{fields}<div class=row>{self.tick("checkbox", "记住密码" if zh else "Remember me")}<span class=sp></span>{self.link(forgot)}</div>{self.button("登 录" if zh else "Sign in", True, w)}{more}<div class=row style="justify-content:center">{social}</div><div><span class=mut>{"没有账号？" if zh else "New here?"}</span> {self.link(join)}</div></div>'
        split = r.random() < .35
        pic = self.image(self.W // 2, self.H) if split else ''
        foot = f'<div class=row style="position:absolute;bottom:12px;left:0;right:0;justify-content:center;gap:16px">{"".join(self.link() for _ in range(3))}<span class=mut>© 2026</span></div>' if r.random() < .5 else ''
        return f'<div style="position:absolute;inset:0;background:{self.t.page if split or r.random() < .5 else self.wallpaper()}">{pic}<div style="position:absolute;left:{55 if split else r.randint(8, 50)}%;top:{r.randint(5, 25)}%">{card}</div>{foot}<div style="position:absolute;right:14px;top:10px">{self.combobox(100, r.choice(["English", "中文"]))}</div></div>'

    def bubbles(self, n, width):
        r, t, out = self.r, self.t, ''
        for _ in range(n):
            me = r.random() < .45
            b = f'<span style="background:{t.accent if me else t.alt};color:{"#fff" if me else t.ink};padding:7px 11px;border-radius:{min(12, t.radius + 4)}px;max-width:{width}px;display:inline-block">{self.pick("sent")}</span>'
            face = self.image(32, 32, True)
            out += f'<div style="display:flex;gap:8px;padding:5px 12px;{"justify-content:flex-end" if me else ""}">{b + face if me else face + b}</div>' + (f'<div class=mut style="text-align:center;font-size:11px">{r.randint(0, 23)}:{r.randint(10, 59)}</div>' if r.random() < .2 else '')
        return out

    def chat(self):
        r, t = self.r, self.t
        send = self.button('发送' if self.lang == 'zh' else 'Send', r.random() < .6)
        box = self.textbox(self.r.choice([300, 420, 520])) if r.random() < .5 else self.textarea(420, 3)
        rail = f'<div class=col style="padding:10px 6px;background:#2b2f36;color:#ccc;align-items:center;gap:14px">{self.image(34, 34, True)}{"".join(self.iconbtn(34, False, 22, "#cdd") for _ in range(r.randint(3, 6)))}</div>' if r.random() < .5 else ''
        left = f'<div style="border-right:1px solid {t.line};overflow:hidden;flex:none"><div style="padding:8px">{self.textbox(220, kind="search")}</div>{self.maillist()}</div>'
        head = f'<div class=row style="padding:8px 12px;border-bottom:1px solid {t.line}"><b>{self.pick("noun")}</b><span class=mut>{r.choice(["online", "3", "在线"])}</span><span class=sp></span>{"".join(self.iconbtn(30, False, 18) for _ in range(3))}</div>'
        return self.stand(f'<div style="display:flex;flex:1;min-height:0">{rail}{left}<div style="flex:1;min-width:0;display:flex;flex-direction:column">{head}<div style="flex:1;overflow:hidden;background:{t.page}">{self.bubbles(r.randint(4, 10), 340)}</div><div class=row style="padding:8px 12px;border-top:1px solid {t.line}">{"".join(self.iconbtn(28, False, 18) for _ in range(r.randint(1, 4)))}{box}{send}</div></div></div>')

    def calculator(self):
        r, t = self.r, self.t
        rows = r.choice([['7 8 9 ÷', '4 5 6 ×', '1 2 3 −', '0 . = +'], ['C ± % ÷', '7 8 9 ×', '4 5 6 −', '1 2 3 +', '0 . ⌫ ='], ['MC MR MS M+', '√ x² 1/x CE', '7 8 9 /', '4 5 6 *', '1 2 3 -', '0 +/- . ='], ['sin cos tan π ( )', 'ln log √ ^ ! C', '7 8 9 ÷ DEL AC', '4 5 6 × − Ans', '1 2 3 + = EXP']])
        w, h, gap, way = r.choice([36, 46, 60, 80]), r.choice([28, 36, 48, 60]), r.choice([1, 2, 4, 8]), r.choice(['theme', 'flat', 'round', 'colour'])
        keys = ''
        for line in rows:
            for k in line.split():
                fs = f'font-size:{r.choice([t.size, t.size + 4, t.size + 6])}px;'
                if way == 'round':
                    keys += self.round(k, max(w, h), fs + f'background:{t.alt if k.isdigit() else t.accent};color:{t.ink if k.isdigit() else "#fff"}', 'button')
                elif way == 'theme':
                    keys += f'<span class=btn data-r=button style="width:{w}px;height:{h}px;min-width:0;padding:0;{fs}">{k}</span>'
                else:
                    bg = t.alt if k.isdigit() or way == 'flat' else t.accent
                    keys += f'<span data-r=button style="width:{w}px;height:{h}px;display:flex;align-items:center;justify-content:center;background:{bg};color:{"#fff" if bg == t.accent else t.ink};{fs}">{k}</span>'
        n = len(rows[0].split())
        show = '{:,.2f}'.format(r.uniform(0, 99999))
        wide = n * max(w, h if way == 'round' else 0) + (n - 1) * gap
        top = f'<span class=tb data-r=textbox style="width:{wide}px;height:{h + 4}px;justify-content:flex-end;font-size:{t.size + 8}px">{show}</span>' if r.random() < .6 else f'<div style="text-align:right;font-size:{t.size + 14}px;width:{wide}px">{show}</div>'
        body = f'<div style="padding:{r.choice([6, 10])}px;width:max-content" class=col>{top}<div style="display:grid;grid-template-columns:repeat({n},max-content);gap:{gap}px">{keys}</div></div>'
        hist = self.listbox(180) if r.random() < .3 else ''
        return self.stand(f'{self.menubar() if r.random() < .5 else ""}<div style="display:flex;align-items:flex-start">{body}{hist}</div>', wide + 60, len(rows) * (h + gap) + 200, False)

    def month(self):
        r, t = self.r, self.t
        on, w, h = r.randint(1, 28), (self.W - 310) // 7, (self.H - 200) // 5
        days = ''
        for d in range(1, 36):
            ev = ''.join(f'<div style="background:hsl({r.randint(0, 359)},60%,{35 if t.dark else 85}%);font-size:11px;line-height:15px;margin:1px 2px;padding:0 3px;overflow:hidden;white-space:nowrap">{self.pick("noun")}</div>' for _ in range(r.choice([0, 0, 1, 2]))) if h > 60 else ''
            num = f'<span style="{f"background:{t.accent};color:#fff;border-radius:50%;padding:1px 5px" if d == on else f"color:{t.faint}" if d > 30 else ""}">{(d - 1) % 30 + 1}</span>'
            days += f'<span data-r=button style="height:{h}px;overflow:hidden;padding:2px;border:1px solid {t.line}">{num}{ev}</span>'
        names = ''.join(f'<span style="text-align:center;padding:3px">{d}</span>' for d in self.w['day'])
        left = f'<div style="width:290px;padding:10px;flex:none;overflow:hidden">{self.calendar()}{self.ticks(4)}</div>'
        views = ['日', '周', '月', '年'] if self.lang == 'zh' else ['Day', 'Week', 'Month', 'Year']
        bar = f'<div class=row style="padding:8px">{self.button("今天" if self.lang == "zh" else "Today")}{self.iconbtn(28, None, 14)}{self.iconbtn(28, None, 14)}<h2>{"2026年3月" if self.lang == "zh" else "March 2026"}</h2><span class=sp></span><span class=row style="gap:0">{"".join(self.button(x, i == 2) for i, x in enumerate(views))}</span>{self.button(pri=True)}</div>'
        return self.stand(f'{bar}<div style="display:flex">{left}<div style="display:grid;grid-template-columns:repeat(7,{w}px)">{names}{days}</div></div>')

    def colours(self):
        r, t = self.r, self.t
        s, gap = r.choice([14, 18, 22, 28]), r.choice([0, 1, 2, 4])
        sw = ''.join(f'<span data-r=icon style="width:{s}px;height:{s}px;background:{hsl(i * 37 % 360, r.choice([40, 70, 90]), 20 + i % 8 * 9)};{r.choice(["", f"border:1px solid {t.line}"])}"></span>' for i in range(r.choice([16, 24, 32, 48])))
        area = f'<span data-r=image style="display:block;width:{r.choice([180, 220, 260])}px;height:180px;background:linear-gradient(transparent,#000),linear-gradient(90deg,#fff,hsl({r.randint(0, 359)},100%,50%))"></span>'
        hue = f'<span data-r=slider style="display:block;position:relative;width:200px;height:14px"><span style="position:absolute;inset:2px 0;background:linear-gradient(90deg,red,#ff0,lime,cyan,blue,#f0f,red);border-radius:{r.choice([0, 6])}px"></span><span style="position:absolute;left:{r.randint(5, 90)}%;top:0;width:{r.choice([5, 14])}px;height:14px;background:#fff;border:1px solid #555;border-radius:{r.choice([1, 8])}px"></span></span>'
        nums = ''.join(f'<span>{x}</span>{self.textbox(56, str(r.randint(0, 255)))}' for x in r.choice(['RGB', 'HSL', 'RGBA', 'CMYK']))
        right = f'<div class=col>{hue}{self.slider(200, False)}<div style="display:grid;grid-template-columns:repeat(4,max-content);gap:5px;align-items:center">{nums}</div><div class=row><span>Hex</span>{self.textbox(90, "#%06x" % r.randrange(1 << 24))}{self.iconbtn(26, None, 16)}</div>{self.radios(vertical=False)}</div>'
        return self.stand(f'<div style="padding:12px;display:flex;gap:14px">{area}{right}</div><div style="padding:0 12px;display:grid;grid-template-columns:repeat(8,max-content);gap:{gap}px">{sw}</div><div class=row style="padding:12px;justify-content:flex-end">{self.button()}{self.button()}</div>', r.randint(480, 620), r.randint(420, 560), False)

    def controls(self, big):
        r, t = self.r, self.t
        s = r.choice([18, 22, 26])
        play = self.round(self.ic(s, '#fff'), s * 2, f'background:{t.accent};color:#fff') if big else self.iconbtn(s + 12, None, s)
        return f'<div class=row style="gap:{r.choice([4, 10, 16])}px;justify-content:center">{self.iconbtn(s + 8, False, s - 2)}{self.iconbtn(s + 8, False, s)}{play}{self.iconbtn(s + 8, False, s)}{self.iconbtn(s + 8, False, s - 2)}</div>'

    def player(self):
        r, t = self.r, self.t
        tracks = self.table(r.randint(5, 12), r.randint(3, 5)) if r.random() < .4 else self.listbox(r.choice([260, 420]), r.randint(6, 14))
        bar = f'<div class=row style="padding:8px 14px;gap:14px;border-top:1px solid {t.line};background:{t.alt}">{self.image(44, 44)}<div style="white-space:nowrap"><b>{self.pick("noun")}</b><div class=mut>{self.pick("head")}</div></div>{self.controls(r.random() < .6)}<span class=mut>1:{r.randint(10, 59)}</span>{self.slider(r.choice([200, 320]), False)}<span class=mut>4:02</span><span class=sp></span>{self.iconbtn(26, False, 18)}{self.slider(80, False)}</div>'
        tiles = ''.join(f'<div style="width:140px">{self.image(140, 140)}<div style="overflow:hidden;white-space:nowrap">{self.link(self.pick("noun"))}</div><span class=mut>{self.pick("noun")}</span></div>' for _ in range(r.randint(3, 8)))
        main = r.choice([tracks, f'<div class="row wrap" style="gap:16px;align-items:flex-start">{tiles}</div>'])
        return self.stand(f'<div style="display:flex;flex:1;min-height:0">{r.choice([self.sidenav, self.sidelist, self.tree])()}<div style="flex:1;padding:14px;overflow:hidden"><h1>{self.pick("head")}</h1><div class=row style="padding:8px 0">{self.button(pri=True)}{self.iconbtn(32, None, 18)}</div>{main}</div></div>{bar}')

    def properties(self):
        r, t, rows = self.r, self.t, ''
        hot = r.randrange(6)
        for i in range(r.randint(8, 22)):
            if i % 7 == 0:
                rows += f'<tr><td colspan=2 data-r=cell style="background:{t.alt};font-weight:bold">{r.choice("▾▸⊟")} {self.pick("head")}</td></tr>'
            v = {0: lambda: f'<td style="padding:0">{self.combobox(150, css="border-radius:0;")}</td>', 1: lambda: f'<td style="padding:0">{self.textbox(150, css="border-radius:0;")}</td>', 2: lambda: f'<td>{self.box("checkbox")}</td>'}.get(r.randrange(9), lambda: f'<td data-r=cell>{value(r, self.w)}</td>')()
            rows += f'<tr class="{"sel" if i == hot else ""}"><td data-r=cell>{self.pick("label")}</td>{v}</tr>'
        grid = f'<div style="width:300px;flex:none;border-left:1px solid {t.line}">{self.combobox(280) if r.random() < .6 else ""}<div class=bar>{"".join(self.iconbtn(22, False, 15) for _ in range(3))}</div><table class=g-full style="width:100%">{rows}</table></div>'
        return self.stand(f'{self.menubar()}{self.toolbar()}<div style="display:flex;flex:1;min-height:0">{self.tree()}<div style="flex:1;min-width:0;overflow:hidden">{self.tabs(r.randint(2, 5))}{self.blocks(2)}</div>{grid}</div>{self.status()}')

    def mail(self):
        r, t = self.r, self.t
        text = ''.join(self.paragraph() for _ in range(r.randint(1, 4)))
        att = ''.join(f'<span data-r=button class=row style="display:inline-flex;gap:6px;border:1px solid {t.line};padding:5px 9px;border-radius:{min(t.radius, 6)}px">{self.ic(16)}<span>{self.pick("noun")}</span></span> ' for _ in range(r.randint(0, 3)))
        read = f'<div style="padding:12px;flex:1;overflow:hidden"><h2>{self.pick("sent")}</h2><div class=row style="padding:8px 0">{self.image(36, 36, True)}<div><b>{self.pick("noun")}</b><div class=mut>{r.choice(["to", "an"])} {self.link("info@example.com")}</div></div><span class=sp></span>{"".join(self.iconbtn(28, False, 18) for _ in range(3))}</div>{text}<div style="padding:8px 0">{att}</div>{self.buttons(r.randint(2, 3))}</div>'
        if r.random() < .3:
            rows = ''.join(f'<div class=row style="padding:3px 0"><span style="width:60px">{x}</span>{self.textbox(r.choice([300, 420]))}</div>' for x in (['收件人', '抄送', '主题'] if self.lang == 'zh' else ['To', 'Cc', 'Subject']))
            read = f'<div style="padding:10px;flex:1;overflow:hidden">{rows}{self.toolbar(10)}{self.textarea(480, 10)}{self.buttons(3)}</div>'
        return self.stand(f'{self.menubar() if r.random() < .5 else ""}{self.toolbar() if r.random() < .5 else self.commands(6)}<div style="display:flex;flex:1;min-height:0">{r.choice([self.tree, self.sidelist, self.sidenav])()}<div style="overflow:hidden;flex:none">{self.textbox(260, kind="search")}{self.maillist()}</div>{read}</div>{self.status() if r.random() < .5 else ""}')

    def code(self, n):
        r, out = self.r, ''
        word = lambda: r.choice(['total', 'item', 'order', 'rows', 'count', 'name', 'price', 'result', 'load', 'save'])
        for i in range(n):
            c = hsl(r.choice([200, 280, 30, 130]), 60, 60 if self.t.dark else 38)
            out += '<div style="white-space:pre">' + '    ' * r.choice([0, 1, 1, 2, 2, 3]) + r.choice([f'<span style="color:{c}">def</span> {word()}({word()}):', f'{word()} = {word()}({r.randint(0, 99)})', f'<span style="color:{c}">if</span> {word()} &gt; {r.randint(0, 99)}:', f'<span style="color:{c}">return</span> {word()}', f'<span style="color:#888"># {self.pick("label")}</span>', f'{word()}.{word()}(<span style="color:{c}">"{word()}"</span>)', '']) + '&nbsp;</div>'
        return out

    def editor(self):
        r, t = self.r, self.t
        n = min(40, (self.H - 160) // (t.size + 6))
        rail = f'<div class=col style="padding:8px 5px;background:{t.alt};gap:10px">{"".join(self.iconbtn(34, False, 22) for _ in range(5))}</div>' if r.random() < .5 else ''
        nums = ''.join(f'<div>{i}</div>' for i in range(1, n + 1))
        code = f'<div style="display:flex;flex:1;min-height:0;overflow:hidden;font-family:\'DejaVu Sans Mono\',monospace;line-height:{t.size + 6}px"><div class=mut style="text-align:right;padding:0 8px;width:44px;flex:none">{nums}</div><div data-r=textbox style="flex:1;background:{t.paper};overflow:hidden;padding:0 4px">{self.code(n)}</div></div>'
        low = f'<div style="height:130px;border-top:1px solid {t.line};overflow:hidden">{self.tabs(r.randint(3, 5))}<div style="padding:4px 10px;font-family:monospace">{"<br>".join(self.pick("sent") for _ in range(4))}</div></div>' if r.random() < .5 else ''
        find = f'<div class=row style="position:absolute;right:24px;top:{r.choice([70, 90])}px;z-index:5;background:{t.panel};border:1px solid {t.line};padding:5px;gap:4px">{self.textbox(160)}{"".join(self.iconbtn(22, r.random() < .3, 14) for _ in range(4))}</div>' if r.random() < .4 else ''
        return self.stand(f'{self.menubar()}{self.toolbar() if r.random() < .4 else ""}<div style="display:flex;flex:1;min-height:0">{rail}{self.tree(rows=16)}<div style="flex:1;min-width:0;display:flex;flex-direction:column">{self.tabs(r.randint(2, 5))}{code}{low}</div></div>{self.status()}{find}')

    def dashboard(self):
        r, t = self.r, self.t
        cards = ''.join(f'<div class=card style="flex:1;min-width:150px">{self.ic(22, t.accent) if r.random() < .5 else ""}<div class=mut>{self.pick("label")}</div><h1>{r.randint(10, 99999):,}</h1><span style="color:{r.choice(["#0a0", "#c00"])}">{r.choice("▲▼")} {r.randint(1, 30)}%</span> {self.link() if r.random() < .4 else ""}</div>' for _ in range(r.randint(3, 5)))
        span = ['今天', '本周', '本月', '今年'] if self.lang == 'zh' else ['Today', '7 days', '30 days', '1 year']
        charts = ''.join(f'<div class=card><div class=row><h3>{self.pick("head")}</h3><span class=sp></span>{r.choice([lambda: self.combobox(100), lambda: self.iconbtn(24, False, 16), self.link])()}</div>{self.image(r.choice([260, 360, 420]), r.choice([140, 180]))}</div>' for _ in range(r.randint(1, 3)))
        head = f'<div class=row style="padding:10px 0"><h1>{self.pick("head")}</h1><span class=sp></span><span class=row style="gap:0">{"".join(self.button(x, i == 1) for i, x in enumerate(span))}</span>{self.textbox(150)}{self.button(pri=True)}{self.iconbtn(32, True, 16)}</div>'
        return self.stand(f'<div style="display:flex;flex:1;min-height:0">{self.sidenav() if r.random() < .8 else ""}<div style="flex:1;min-width:0;overflow:hidden;padding:0 16px">{head}<div class=row style="align-items:stretch;gap:12px">{cards}</div><div class=row style="padding:12px 0;align-items:flex-start;gap:12px;overflow:hidden">{charts}</div><div class=row style="align-items:flex-start">{self.table()}{self.listbox()}</div></div></div>')

    def goods(self, n, w):
        r, t, out = self.r, self.t, ''
        way, price = r.choice(['button', 'icon', 'step', 'none']), r.choice(['#c00', t.ink, t.accent])
        for _ in range(n):
            act = {'button': lambda: self.button('加入购物车' if self.lang == 'zh' else 'Add to cart', True), 'icon': lambda: self.iconbtn(30, True, 16), 'none': lambda: '',
                   'step': lambda: f'<span class=row style="gap:0">{self.glyphbutton(26, "−")}{self.textbox(40, str(r.randint(1, 9)), kind="native")}{self.glyphbutton(26, "+")}</span>'}[way]()
            heart = f'<span style="position:absolute;right:6px;top:6px">{self.iconbtn(26, False, 18)}</span>' if r.random() < .5 else ''
            out += f'<div style="position:relative;width:{w}px;border:1px solid {t.line};border-radius:{min(t.radius, 12)}px;padding:8px;overflow:hidden;background:{t.panel}">{self.image(w - 18, round(w * .6))}{heart}<div style="overflow:hidden">{self.link(self.pick("noun"), "color:inherit;" if r.random() < .5 else "")}</div><div style="color:#e90">★★★★☆ <span class=mut>({r.randint(1, 900)})</span></div><div class=row><b style="color:{price}">{r.choice(["$", "¥", "€"])}{r.uniform(1, 900):.2f}</b><span class=sp></span></div>{act}</div>'
        return f'<div style="display:flex;flex-wrap:wrap;gap:{r.choice([8, 14])}px">{out}</div>'

    def shop(self):
        r, t = self.r, self.t
        cats = ''.join(f'<span data-r=link style="padding:4px 0;white-space:nowrap">{self.pick("nav")}</span>' for _ in range(r.randint(4, 8)))
        bg, fg = r.choice([(t.panel, t.ink), (t.accent, '#fff'), ('#222', '#fff')])
        head = f'<div class="row inv" style="padding:8px 18px;gap:14px;background:{bg};color:{fg}"><h2>{self.pick("noun")[:8]}</h2>{self.textbox(r.choice([260, 380]), kind="search")}{self.button(pri=True)}<span class=sp></span>{"".join(self.iconbtn(32, False, 20) for _ in range(3))}</div><div class=row style="padding:4px 18px;gap:20px;border-bottom:1px solid {t.line}">{cats}</div>'
        flt = ''.join(f'<div style="padding:6px 0"><b>{self.pick("label")}</b>{r.choice([lambda: self.ticks(4), lambda: self.radios(3, True), lambda: self.slider(160, False), lambda: "<div class=row>" + self.textbox(64) + "<span>-</span>" + self.textbox(64) + "</div>"])()}</div>' for _ in range(r.randint(2, 4)))
        sort = f'<div class=row style="padding:8px 0"><span class=mut>{r.randint(10, 900)} {"件商品" if self.lang == "zh" else "results"}</span><span class=sp></span>{self.chips() if r.random() < .4 else ""}{self.combobox(140)}{self.iconbtn(28, True, 16)}{self.iconbtn(28, True, 16)}</div>'
        foot = self.links() if r.random() < .5 else ''
        return self.stand(f'{head}<div style="display:flex;flex:1;min-height:0;overflow:hidden"><div style="width:200px;padding:10px 18px;flex:none;overflow:hidden">{flt}</div><div style="flex:1;padding:6px 14px;overflow:hidden">{self.crumbs()}{sort}{self.goods(r.randint(4, 12), r.choice([150, 180, 210]))}{self.pager()}</div></div>{foot}')

    def options(self):
        """A dialog of settings."""
        r, t = self.r, self.t
        body = ''.join(r.choice([self.group, self.group, self.settings, lambda: self.form(4, 1), self.ticks, self.sliders, self.pairs])() for _ in range(r.randint(2, 3)))
        body = f'<div class=col style="padding:10px;align-items:flex-start;overflow:hidden;flex:1">{body}</div>'
        names = ('确定', '取消', '应用', '帮助') if self.lang == 'zh' else ('OK', 'Cancel', 'Apply', 'Help')
        foot = f'<div class=row style="padding:8px;justify-content:{r.choice(["flex-end", "flex-end", "center"])}">{"".join(self.button(x, i == 0 and r.random() < .5, 78, dis=i == 2 and r.random() < .6) for i, x in enumerate(names[:r.randint(2, 4)]))}</div>'
        way = r.choice(['tabs', 'tabs', 'list', 'tree', 'icons'])
        top = f'<div style="padding:8px 8px 0">{self.tabs(r.randint(3, 7))}</div>' if way == 'tabs' else ''
        if way == 'icons':
            for i, x in enumerate(r.sample(self.w['nav'], 5)):
                top += f'<span data-r=tab style="display:flex;flex-direction:column;align-items:center;padding:4px 12px;white-space:nowrap;{"background:" + t.alt if i == 1 else ""}">{self.ic(26)}<span>{x}</span></span>'
            top = f'<div class=row style="padding:6px;border-bottom:1px solid {t.line}">{top}</div>'
        left = self.sidelist() if way == 'list' else self.tree() if way == 'tree' else ''
        return self.stand(f'{top}<div style="display:flex;flex:1;min-height:0;padding:{r.choice([0, 6])}px">{left}{body}</div>{foot}', r.randint(460, 760), r.randint(400, 640), False)

    def filedialog(self):
        r, t, zh = self.r, self.t, self.lang == 'zh'
        path = self.crumbs() if r.random() < .3 else self.combobox(300, r.choice(['C:\\data', '/home/ana', 'Documents'])) if r.random() < .6 else self.textbox(300, '/home/ana/docs')
        bar = f'<div class=row style="padding:8px">{"".join(self.iconbtn(26, r.random() < .3, 16) for _ in range(r.randint(2, 4)))}{path}{self.textbox(150, kind="search") if r.random() < .6 else ""}{self.iconbtn(26, False, 16)}</div>'
        files = self.table(r.randint(6, 14), 4) if r.random() < .5 else self.listbox(420, r.randint(8, 14))
        names = (('文件名', '文件类型', '打开', '取消') if zh else ('File name', 'Files of type', 'Open', 'Cancel'))
        foot = f'<div style="display:grid;grid-template-columns:max-content 1fr max-content;gap:6px 10px;padding:10px;align-items:center"><span>{names[0]}{t.colon}</span><span>{self.combobox(300, "report.txt") if r.random() < .5 else self.textbox(300, "report.txt")}</span>{self.button(names[2], True, 84)}<span>{names[1]}{t.colon}</span><span>{self.combobox(300, "*.txt")}</span>{self.button(names[3], False, 84)}</div>'
        return self.stand(f'{bar}<div style="display:flex;flex:1;min-height:0;padding:0 8px;gap:6px">{r.choice([self.sidelist, self.tree])()}<div style="overflow:hidden;flex:1">{files}</div></div>{foot}', r.randint(600, 820), r.randint(420, 580), False)

    def browser(self):
        r, t = self.r, self.t
        n, on = r.randint(2, 7), r.randrange(2)
        rad = r.choice([0, 4, 8, 12])
        tabs = ''.join(f'<span data-r=tab style="display:inline-flex;align-items:center;gap:6px;width:{r.choice([150, 180, 200])}px;flex:0 1 auto;min-width:60px;padding:{r.choice([5, 7])}px 9px;overflow:hidden;white-space:nowrap;border-radius:{rad}px {rad}px 0 0;{f"background:{t.panel}" if i == on else f"border-right:1px solid {t.line}"}">{self.ic(14, kind="mdi")}<span style="overflow:hidden">{self.pick("head")}</span><span class=sp></span>{glyph("cross", 9)}</span>' for i in range(n))
        addr = f'<span class=tb data-r=textbox style="flex:1;border-radius:{r.choice([4, 99])}px">{glyph("lock", 12)}&nbsp;<span>https://{r.choice(["shop", "intranet", "mail"])}.example/{r.choice(["a", "orders", "help"])}</span><span class=sp></span>{self.ic(14)}</span>'
        bar = f'<div class=row style="padding:5px 8px;background:{t.panel};gap:4px">{"".join(self.iconbtn(28, False, 17) for _ in range(r.randint(3, 4)))}{addr}{"".join(self.iconbtn(28, False, 17) for _ in range(r.randint(1, 4)))}</div>'
        marks = f'<div class=row style="padding:2px 8px;gap:2px;background:{t.panel}">{"".join(f"<span data-r=button style=display:inline-flex;gap:5px;padding:3px;align-items:center;white-space:nowrap>{self.ic(14)}<span>{x}</span></span>" for x in r.sample(self.w["nav"], r.randint(3, 9)))}</div>' if r.random() < .5 else ''
        h, self.H = self.H, max(300, self.H - 90)
        page = self.web()
        self.H = h
        return f'<div style="width:{self.W}px;height:{h}px;display:flex;flex-direction:column;overflow:hidden"><div style="display:flex;background:{t.alt};padding:6px 8px 0;align-items:flex-end;flex:none">{tabs}{self.iconbtn(26, False, 14)}</div>{bar}{marks}<div style="flex:1;position:relative;min-height:0;overflow:hidden;background:{t.page}">{page}</div></div>'

    def sheet(self):
        r, t = self.r, self.t
        cols, rows = min(14, self.W // 90), min(30, (self.H - 180) // 26)
        cur = (r.randrange(rows), r.randrange(cols))
        heads = '<tr><th></th>' + ''.join(f'<th data-r=cell style="text-align:center;background:{t.alt}">{"ABCDEFGHIJKLMNOP"[j]}</th>' for j in range(cols)) + '</tr>'
        kinds, dense, out = [r.choice(['num', 'text', 'none']) for _ in range(cols)], r.uniform(.1, .9), ''
        for i in range(rows):
            out += f'<tr><th data-r=cell style="background:{t.alt};text-align:center">{i + 1}</th>'
            for j in range(cols):
                v = '' if kinds[j] == 'none' or r.random() > dense else f'{r.uniform(0, 9999):,.2f}' if kinds[j] == 'num' else value(r, self.w)
                out += f'<td data-r=cell style="max-width:110px;min-width:62px;overflow:hidden;{"text-align:right;" if kinds[j] == "num" else ""}{f"outline:2px solid {t.accent};outline-offset:-1px" if (i, j) == cur else ""}">{v or "&nbsp;"}</td>'
            out += '</tr>'
        bar = f'<div class=row style="padding:3px;gap:4px">{self.combobox(80, "B7")}{self.iconbtn(22, False, 14)}{self.textbox(self.W // 2, "=SUM(B2:B9)", kind="native")}</div>'
        tabs = ''.join(f'<span data-r=tab style="padding:3px 12px;border:1px solid {t.line};border-top:0;white-space:nowrap;{f"background:{t.paper};font-weight:bold" if i == 0 else f"background:{t.alt}"}">{"表" if self.lang == "zh" else "Sheet"}{i + 1}</span>' for i in range(r.randint(2, 5)))
        return self.stand(f'{self.menubar()}{self.toolbar()}{bar}<div style="flex:1;min-height:0;overflow:hidden"><table class=g-full>{heads}{out}</table></div><div class=row style="gap:0;align-items:flex-start">{tabs}{self.iconbtn(22, False, 14)}<span class=sp></span>{self.slider(100, False)}<span>100%</span></div>')

    def ribbon(self):
        r, t = self.r, self.t
        groups = ''
        for _ in range(r.randint(3, 7)):
            big = ''.join(f'<span data-r=button style="display:inline-flex;flex-direction:column;align-items:center;padding:3px 7px;white-space:nowrap;{"opacity:.4" if d else ""}"{" data-d=1" if d else ""}>{self.ic(28)}<span>{self.pick("button")}</span></span>' for d in (self.off() for _ in range(r.randint(0, 2))))
            small = ''.join(f'<span data-r=button style="display:flex;align-items:center;gap:4px;padding:1px 4px;white-space:nowrap">{self.ic(14)}<span>{self.pick("button")}</span></span>' for _ in range(r.choice([0, 2, 3])))
            icons = f'<span style="display:grid;grid-template-columns:repeat({r.randint(2, 5)},max-content)">{"".join(self.iconbtn(24, False, 16) for _ in range(r.randint(4, 10)))}</span>' if r.random() < .5 else ''
            combo = f'<span class=col style="gap:3px">{self.combobox(120)}{self.combobox(60, "12")}</span>' if r.random() < .25 else ''
            groups += f'<span style="display:flex;flex-direction:column;border-right:1px solid {t.line};padding:2px 5px;flex:none"><span style="display:flex;align-items:flex-start;flex:1">{big}<span>{small}</span>{combo}{icons}</span><span class=mut style="text-align:center;font-size:11px">{self.pick("label")}</span></span>'
        n, on = r.randint(4, 8), r.randrange(4)
        names = r.sample(self.w['menu'], n)
        tabs = ''.join(f'<span data-r=tab style="padding:5px 13px;white-space:nowrap;{f"background:{t.panel};border:1px solid {t.line};border-bottom:0;color:{t.accent}" if i == on else ""}">{x}</span>' for i, x in enumerate(names))
        return self.stand(f'<div style="background:{t.alt};padding:4px 6px 0;display:flex">{tabs}<span class=sp></span>{self.iconbtn(22, False, 14)}</div><div style="display:flex;background:{t.panel};border-bottom:1px solid {t.line};padding:3px;overflow:hidden">{groups}</div><div style="flex:1;min-height:0;overflow:hidden">{self.blocks(3)}</div>{self.status()}')

    def opened_menu(self):
        """The menu bar with one of its menus open."""
        r, t = self.r, self.t
        names = r.sample(self.w['menu'], r.randint(4, 9))
        hot = r.randrange(4)
        pad = r.choice([3, 5, 8])
        bar = ''.join(f'<span data-r=menuitem class="{"sel" if i == hot else ""}" style="padding:{pad}px {pad + 5}px;white-space:nowrap;position:relative">{x}</span>' for i, x in enumerate(names))
        drop = f'<div style="position:absolute;left:{hot * 52 + 4}px;top:0;z-index:40">{self.popup()}</div>'
        return self.stand(f'<div style="display:flex;background:{t.panel};flex:none">{bar}</div><div style="position:relative;flex:1;min-height:0;overflow:hidden">{drop}{self.toolbar()}{self.blocks(r.randint(2, 5))}</div>{self.status()}')

    def article(self):
        """A page of reading: links in and beside it, coloured headings that are none."""
        r, t, out = self.r, self.t, ''
        for _ in range(r.randint(3, 6)):
            out += f'<h2 style="color:{r.choice([t.ink, t.accent, t.linkink])};padding-top:10px">{self.pick("head")}</h2>' + ''.join(self.links() if r.random() < .3 else self.paragraph() for _ in range(r.randint(1, 3)))
        toc = f'<div style="width:200px;flex:none;padding:10px"><b>{self.pick("head")}</b><div class=col style="align-items:flex-start;gap:{r.choice([3, 8])}px;padding-top:6px">{"".join(self.link(self.pick("head"), r.choice(["", "color:inherit;", "font-weight:bold;"])) for _ in range(r.randint(4, 12)))}</div></div>'
        rail = f'<div style="width:240px;flex:none;padding:10px">{self.links()}<div class=card>{self.image(180, 90)}{self.paragraph()}{self.button()}</div></div>'
        tags = ' '.join(f'<span data-r=link style="background:{t.alt};padding:1px 8px;border-radius:9px;white-space:nowrap">{self.pick("nav")}</span>' for _ in range(r.randint(2, 6))) if r.random() < .4 else ''
        return self.stand(f'<div class=row style="padding:10px 18px;gap:20px;border-bottom:1px solid {t.line}"><b>{self.pick("noun")}</b>{"".join(self.link(self.pick("nav"), "color:inherit;text-decoration:none;") for _ in range(5))}<span class=sp></span>{self.textbox(180, kind="search")}{self.link()}{self.button(pri=True)}</div><div style="display:flex;flex:1;min-height:0;overflow:hidden">{toc}<div style="flex:1;padding:10px;overflow:hidden">{self.crumbs()}<h1>{self.pick("head")}</h1><div class=mut>{self.pick("noun")} · 2026-03-1{r.randint(0, 9)} · {self.link()}</div>{out}{tags}</div>{rail}</div>')

    def dense_dialogs(self):
        """Small dialogs beside each other."""
        r, W, H = self.r, self.W, self.H
        out = ''
        for i in range(r.randint(2, 5)):
            body = r.choice([self.pairs, self.greys, lambda: self.grid(5, 1, 130), self.group, self.signs, self.sliders, self.cards, self.opened])()
            out += f'<div class=win data-r=window style="left:{(i % 3) * W // 3 + r.randint(0, 40)}px;top:{(i // 3) * H // 2 + r.randint(0, 60)}px;width:max-content;max-width:{W // 3 + 40}px">{self.title(True)}<div style="padding:10px">{body}</div><div style="padding:8px">{self.commands(r.randint(2, 4))}</div></div>'
        return f'<div style="position:absolute;inset:0;background:{self.wallpaper()}">{out}</div>'

    def tabbed(self):
        """Tabs above, buttons below, both again inside."""
        r, t, out = self.r, self.t, ''
        for _ in range(r.randint(1, 3)):
            body = r.choice([self.form, self.table, self.pairs, self.ticks, self.greys, self.cards, self.links])()
            out += f'<div style="padding:8px;min-width:0;overflow:hidden;flex:1">{self.tabs(r.randint(3, 8))}<div style="padding:8px;{r.choice(["", f"border:1px solid {t.line};border-top:0"])}">{self.commands(r.randint(2, 5)) if r.random() < .5 else ""}{body}</div>{self.commands(r.randint(3, 7))}</div>'
        top = self.tabs(r.randint(3, 9)) if r.random() < .4 else self.menubar() if r.random() < .5 else ''
        return self.stand(f'{top}<div style="display:flex;flex:1;min-height:0;{r.choice(["", "flex-direction:column"])}">{out}</div>{self.commands(r.randint(3, 8)) if r.random() < .5 else ""}')

    def mixer(self):
        r, t, out = self.r, self.t, ''
        n = r.choice([90, 120, 160])
        for _ in range(r.randint(3, 9)):
            out += f'<div class=col style="align-items:center;padding:8px;border-right:1px solid {t.line}"><span>{self.pick("label")[:8]}</span>{self.slider(n, True)}<span>{r.randint(-40, 12)} dB</span>{self.box("checkbox") if r.random() < .5 else self.iconbtn(24, None, 14)}{self.combobox(70) if r.random() < .3 else ""}</div>'
        return self.stand(f'{self.toolbar()}<div style="display:flex">{out}</div><div style="padding:10px">{self.sliders()}{self.sliders()}</div>{self.commands(4)}', r.randint(520, 800), r.randint(440, 600))

    # -- phones -------------------------------------------------------------------------------------------------------------------------
    def p_head(self):
        r, t = self.r, self.t
        big = r.random() < .3
        head = f'<div class="row inv" style="padding:10px 12px;{r.choice([f"background:{t.accent};color:#fff", "border-bottom:1px solid " + t.line, ""])}">{r.choice([self.iconbtn(36, False, 22), "<span data-r=icon style=padding:8px;display:inline-flex>" + glyph("left", 18) + "</span>", ""])}{"" if big else "<h2>" + self.pick("head") + "</h2>"}<span class=sp></span>{"".join(self.iconbtn(36, False, 22) for _ in range(r.randint(0, 2)))}</div>'
        return head + (f'<h1 style="padding:4px 16px">{self.pick("head")}</h1>' if big else '') + (f'<div style="padding:6px 14px">{self.textbox(self.W - 28, kind="search", css=f"border-radius:{r.choice([6, 12, 99])}px;background:{t.alt};")}</div>' if r.random() < .45 else '') + (f'<div style="overflow:hidden">{self.tabs(r.randint(2, 4))}</div>' if r.random() < .3 else '')

    def p_foot(self):
        r, t = self.r, self.t
        out = ''
        if r.random() < .6:
            names, on, pill = r.sample(self.w['nav'], r.randint(3, 5)), r.randrange(3), r.random() < .3
            words = r.random() < .85
            cells = ''
            for i, x in enumerate(names):
                pic = f'<span style="padding:2px 16px;border-radius:99px;{f"background:{t.alt}" if pill and i == on else ""}">{self.ic(r.choice([20, 22, 24]))}</span>'
                cells += f'<span data-r=tab style="flex:1;display:flex;flex-direction:column;align-items:center;justify-content:center;overflow:hidden;white-space:nowrap;font-size:11px;color:{t.accent if i == on else t.faint}">{pic}{x if words else ""}</span>'
            out += f'<div style="position:absolute;left:0;right:0;bottom:0;height:{r.choice([50, 56, 64])}px;background:{t.panel};border-top:1px solid {t.line};display:flex;z-index:50">{cells}</div>'
        if r.random() < .4:
            out += f'<div style="position:absolute;right:16px;bottom:80px;z-index:51">{self.round(self.ic(24, "#fff"), r.choice([48, 56]), f"background:{t.accent};color:#fff;box-shadow:0 3px 8px rgba(0,0,0,.4)")}</div>'
        return out

    def p_page(self, body):
        return f'<div style="height:{self.H}px;overflow:hidden;background:{self.r.choice([self.t.page, self.t.panel])}">{self.p_head()}{body}{self.p_foot()}</div>'

    def p_list(self):
        r, t, out = self.r, self.t, ''
        lead, tail, two = r.choice(['face', 'icon', 'none', 'tick']), r.choice(['chev', 'chev', 'time', 'icon', 'none']), r.random() < .5
        for _ in range(r.randint(5, 14)):
            a = {'face': lambda: self.image(40, 40, True), 'icon': lambda: self.ic(24), 'none': lambda: '', 'tick': lambda: self.box('checkbox')}[lead]()
            b = {'chev': lambda: f'<span class=mut style="display:inline-flex">{glyph("right", 14)}</span>', 'time': lambda: f'<span class=mut>{r.randint(0, 23)}:{r.randint(10, 59)}</span>', 'icon': lambda: self.iconbtn(32, False, 20), 'none': lambda: ''}[tail]()
            under = f'<div class=mut>{self.pick("sent")[:26]}</div>' if two else ''
            out += f'<div data-r=listitem class=row style="padding:{r.choice([10, 12])}px 14px;gap:12px;border-bottom:1px solid {t.line};overflow:hidden">{a}<div style="overflow:hidden;white-space:nowrap"><div>{self.pick("noun")}</div>{under}</div><span class=sp></span>{b}</div>'
        return self.p_page(out)

    def p_settings(self):
        r, t, out = self.r, self.t, ''
        for _ in range(r.randint(2, 4)):
            rows = ''
            for _ in range(r.randint(2, 5)):
                k = r.choice(['switch', 'switch', 'chev', 'value', 'slider', 'tick', 'seg'])
                ctl = {'switch': self.switch, 'chev': lambda: f'<span class=mut>{glyph("right", 13)}</span>', 'value': lambda: f'<span class=mut>{self.pick("radio")} {glyph("right", 11)}</span>', 'slider': lambda: self.slider(120, False), 'tick': lambda: self.box(r.choice(['checkbox', 'radio'])), 'seg': lambda: self.combobox(110)}[k]()
                rows += f'<div {"data-r=listitem" if k in ("chev", "value") else ""} class=row style="padding:11px 14px;gap:12px;border-bottom:1px solid {t.line};white-space:nowrap">{self.ic(20, t.accent) if r.random() < .4 else ""}<span>{self.pick("tick")}</span><span class=sp></span>{ctl}</div>'
            out += f'<div style="padding:12px 16px 4px;color:{r.choice([t.accent, t.faint])}">{self.pick("head")}</div><div style="background:{t.paper};margin:0 {r.choice([0, 12])}px;border-radius:{min(t.radius, 12)}px;overflow:hidden">{rows}</div>'
        return self.p_page(out + f'<div style="padding:14px">{self.button(width=self.W - 28)}</div>')

    def p_chat(self):
        r, t = self.r, self.t
        return f'<div style="height:{self.H}px;overflow:hidden;background:{t.page}">{self.p_head()}{self.bubbles(r.randint(4, 9), 220)}<div class=row style="position:absolute;left:0;right:0;bottom:0;padding:8px;background:{t.panel};border-top:1px solid {t.line}">{self.iconbtn(36, False, 22)}{self.textbox(self.W - 130)}{self.round(self.ic(20, "#fff"), 40, f"background:{t.accent};color:#fff")}</div></div>'

    def p_dial(self):
        r, t = self.r, self.t
        s = r.choice([60, 68, 76])
        keys = ''.join(self.round(f'<span style="font-size:24px">{k}</span>', s, f'background:{t.alt}', 'button') for k in '123456789*0#')
        return self.p_page(f'<div style="text-align:center;font-size:30px;padding:26px">{r.randint(10 ** 6, 10 ** 9)}</div><div style="display:grid;grid-template-columns:repeat(3,max-content);gap:16px;justify-content:center">{keys}</div><div style="display:flex;justify-content:center;padding:18px">{self.round(self.ic(28, "#fff"), s, "background:#2a4;color:#fff")}</div>')

    def p_player(self):
        r = self.r
        w = self.W - 60
        return self.p_page(f'<div style="padding:20px 30px">{self.image(w, min(w, 320))}<h2 style="padding-top:12px">{self.pick("noun")}</h2><div class=mut>{self.pick("noun")}</div><div style="padding:14px 0">{self.slider(w, False)}<div class=row><span class=mut>1:{r.randint(10, 59)}</span><span class=sp></span><span class=mut>3:40</span></div></div>{self.controls(True)}</div>')

    def p_shop(self):
        r = self.r
        return self.p_page(f'<div style="padding:8px 12px;overflow:hidden">{self.chips()}</div><div style="padding:6px 12px">{self.goods(r.randint(4, 6), (self.W - 40) // 2)}</div>')

    def p_form(self):
        r, t = self.r, self.t
        w, out = self.W - 32, ''
        for _ in range(r.randint(4, 8)):
            f = r.choice([lambda: self.textbox(w), lambda: self.textbox(w), lambda: self.combobox(w, css=f'width:{w}px;'), lambda: self.tick('checkbox'), lambda: self.radios(3), lambda: self.slider(w, False), lambda: self.textarea(w, 3)])()
            out += f'<div style="padding:5px 16px;overflow:hidden"><div class=lab>{self.pick("label")}{r.choice(["", "", " *"])}</div>{f}</div>'
        return self.p_page(out + f'<div style="padding:12px 16px">{self.button(pri=True, width=w)}<div style="text-align:center;padding:10px">{self.link()}</div></div>')
