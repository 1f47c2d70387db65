"""An order entry in Tk, for screens.py: does a change that it is asked for, or tells the mouse and keyboard steps that make it.

Lines of JSON on standard input, {"kind": "letter", "seed": 1}, are answered by one line each; see Program in screens.py.
"""
import json
import os
import random
import string
import sys
import tkinter as tk
from tkinter import font, ttk

WORDS = ['Harbour', 'Rivera', 'Tools', 'Ltd', 'Monthly', 'S-20417', '12.50', 'urgent', 'Mill', 'Lane', 'steel', 'pallet', 'north', 'gate', 'Mon-Fri', '0417']
FIELDS = ['Customer', 'Order no.', 'Contact', 'Phone', 'Reference', 'Due date']
START = ['Sample Ltd', 'SO-10482', 'Ann Porter', '(02) 9374 4000', '', '2026-03-18']
ITEMS = ['Hex bolt M8', 'Washer 8 mm', 'Steel plate', 'Wood screw', 'Hinge, brass', 'Paint, white', 'Cable 3x1.5', 'Lamp socket', 'Sanding belt', 'Glue 500 g']
STATUS = ['Ready', 'Order saved', 'Price list of March loaded', 'Stock checked: 3 items short', 'Offline, changes are kept', 'Customer has 2 open invoices',
          'Printing page 1 of 2', 'Last saved at 10:42', 'Credit limit 80 % used']
ASKS = [('information', 'The order has been saved.', ['OK']), ('warning', 'Three items are short in stock.\nDeliver what is there?', ['Yes', 'No']),
        ('question', 'Delete the draft of this order?', ['Yes', 'No']), ('error', 'The due date lies in the past.', ['OK'])]


class Order:
    def __init__(self, root):
        self.root, self.asking, self.second, self.hint = root, None, None, None
        r = random.Random(7)
        root.title('Order entry - SO-10482')
        root.geometry('900x610+90+60')
        self.menus()
        self.fields = []
        head = ttk.LabelFrame(root, text='Order')
        head.pack(fill='x', padx=10, pady=8)
        for i, (label, value) in enumerate(zip(FIELDS, START)):
            ttk.Label(head, text=label).grid(row=i // 2, column=i % 2 * 2, sticky='w', padx=8, pady=4)
            self.entry(head, value, 34).grid(row=i // 2, column=i % 2 * 2 + 1, sticky='w', padx=4)
        self.combos, self.ticks, self.radios, self.spins = [], [], [], []
        self.choice(head, 'Payment', ['Cash', 'Transfer', '14 days', '30 days', 'Monthly'], 3, 0)
        self.choice(head, 'Warehouse', ['Main store', 'East store', 'West store', 'Returns'], 3, 2)

        self.book = ttk.Notebook(root)
        self.book.pack(fill='both', expand=True, padx=10)
        lines = ttk.Frame(self.book)
        self.book.add(lines, text='Lines')
        self.tree = ttk.Treeview(lines, columns=list('abcd'), show='headings', height=8, selectmode='browse')
        for column, title, width in zip('abcd', ['Item', 'Quantity', 'Price', 'Amount'], [330, 120, 120, 140]):
            self.tree.heading(column, text=title)
            self.tree.column(column, width=width, anchor='w' if column == 'a' else 'e')
        self.bar = ttk.Scrollbar(lines, command=self.tree.yview)
        self.tree.configure(yscrollcommand=self.bar.set)
        self.bar.pack(side='right', fill='y')
        self.tree.pack(fill='both', expand=True)
        # A wheel step of three rows, 60 pixels; Tk's own is five.
        self.tree.bind('<Button-4>', lambda _: self.tree.yview_scroll(-3, 'units') or 'break')
        self.tree.bind('<Button-5>', lambda _: self.tree.yview_scroll(3, 'units') or 'break')
        self.tree.bind('<Button-3>', lambda e: self.context.tk_popup(e.x_root, e.y_root))
        for _ in range(40):
            self.add_row(r)

        delivery = ttk.Frame(self.book)
        self.book.add(delivery, text='Delivery')
        for i, label in enumerate(['Street', 'City', 'Country', 'Driver']):
            ttk.Label(delivery, text=label).grid(row=i, column=0, sticky='w', padx=8, pady=5)
            self.entry(delivery, ['12 Mill Lane', 'Leeds', '', ''][i], 40).grid(row=i, column=1, sticky='w')
        self.choice(delivery, 'Carrier', ['Own van', 'Rail', 'Parcel', 'Pick-up'], 0, 2)
        box = ttk.Frame(delivery)
        box.grid(row=5, column=0, columnspan=4, sticky='w', pady=8)
        for label in ['Call before', 'Tail lift', 'Sign on paper', 'Neutral box']:
            self.tick(box, label, False)
        ttk.Label(delivery, text='Parcels').grid(row=1, column=2, padx=8)
        self.spin(delivery, 0, 99, 1, 4).grid(row=1, column=3, sticky='w')
        notes = ttk.Frame(self.book)
        self.book.add(notes, text='Notes')
        for i, label in enumerate(['Internal note', 'Note on invoice', 'Note for driver']):
            ttk.Label(notes, text=label).pack(anchor='w', padx=8, pady=(8, 2))
            self.entry(notes, ['Ask for the new price list', '', ''][i], 80).pack(anchor='w', padx=8)

        under = ttk.Frame(root)
        under.pack(fill='x', padx=10, pady=6)
        for label, on in [('Urgent', False), ('Tax included', True), ('Send invoice', False)]:
            self.tick(under, label, on)
        self.ship = tk.IntVar(value=0)
        for i, label in enumerate(['Retail', 'Wholesale', 'Export']):
            b = ttk.Radiobutton(under, text=label, variable=self.ship, value=i)
            b.pack(side='left', padx=5)
            self.radios.append((b, i))
        ttk.Label(under, text='Discount %').pack(side='left', padx=(20, 4))
        self.discount = self.spin(under, 0, 50, 2.5, 0)
        self.discount.pack(side='left')
        ttk.Label(under, text='Total').pack(side='left', padx=(14, 4))
        self.total = tk.StringVar()
        tk.Entry(under, textvariable=self.total, width=12, state='readonly', justify='right').pack(side='left')

        foot = ttk.Frame(root)
        foot.pack(fill='x', padx=10, pady=(0, 6))
        self.buttons = {}
        for label, action in [('Add line', self.add_row), ('Delete line', self.delete_row), ('Compute', self.compute), ('Stock...', self.open_second),
                              ('Print', None), ('Save', self.ask), ('Cancel', None)]:
            self.buttons[label] = b = ttk.Button(foot, text=label, command=action or (lambda: None))
            b.pack(side='left', padx=3)
            b.bind('<Enter>', lambda e, text=label: self.plan_hint(e.widget, text))
            b.bind('<Leave>', lambda e: self.drop_hint())
        self.status = tk.StringVar(value='Ready')
        ttk.Label(root, textvariable=self.status, relief='sunken', anchor='w').pack(fill='x', side='bottom')

    def menus(self):
        self.menubar, self.menu = tk.Menu(self.root), []
        for title, entries in [('File', ['New order', 'Open...', 'Save', '-', 'Print...', 'Quit']), ('Edit', ['Undo', 'Cut', 'Copy', 'Paste', '-', 'Find...']),
                               ('Order', ['Confirm', 'Split', 'Cancel order']), ('View', ['Columns...', 'Larger', 'Smaller', '-', 'Full screen']), ('Help', ['Contents', 'About'])]:
            self.menu.append(self.fill(tk.Menu(self.menubar, tearoff=0), entries))
            self.menubar.add_cascade(label=title, menu=self.menu[-1])
        self.root.config(menu=self.menubar)
        self.context = self.fill(tk.Menu(self.root, tearoff=0), ['Edit line', 'Copy line', 'Insert above', '-', 'Delete line', 'Item details'])

    def fill(self, menu, entries):
        for entry in entries:
            menu.add_separator() if entry == '-' else menu.add_command(label=entry)
        return menu

    def entry(self, parent, value, width):
        # The entry of Tk, not that of ttk, whose caret cannot be kept from blinking.
        e = tk.Entry(parent, width=width, insertofftime=0)
        e.insert(0, value)
        self.fields.append(e)
        return e

    def choice(self, parent, label, values, row, column):
        ttk.Label(parent, text=label).grid(row=row, column=column, sticky='w', padx=8, pady=4)
        c = ttk.Combobox(parent, values=values, state='readonly', width=22)
        c.current(0)
        c.grid(row=row, column=column + 1, sticky='w', padx=4)
        self.combos.append(c)

    def tick(self, parent, label, on):
        v = tk.BooleanVar(value=on)
        b = ttk.Checkbutton(parent, text=label, variable=v)
        # Tk drops a variable that nobody holds, and the box would lose its state.
        b.held = v
        b.pack(side='left', padx=5)
        self.ticks.append(b)

    def spin(self, parent, low, high, step, value):
        s = tk.Spinbox(parent, from_=low, to=high, increment=step, width=6, insertofftime=0)
        s.delete(0, 'end')
        s.insert(0, value)
        self.spins.append(s)
        return s

    # What the program does.
    def add_row(self, r=None):
        r = r or self.r
        n, price = r.randint(1, 40), r.randint(40, 9900) / 100
        at = self.tree.index(self.tree.selection()[0]) + 1 if self.tree.selection() else 'end'
        row = self.tree.insert('', at, values=(r.choice(ITEMS), n, '%.2f' % price, '%.2f' % (n * price)))
        if r is self.r:
            self.tree.selection_set(row)
            self.tree.see(row)

    r = None

    def delete_row(self):
        self.tree.delete(*self.tree.selection())

    def sum(self):
        return '%.2f' % (sum(float(self.tree.set(i, 'd')) for i in self.tree.get_children()) * (1 - float(self.discount.get() or 0) / 100))

    def compute(self):
        self.total.set(self.sum())

    def ask(self):
        # Not tkinter.messagebox: it waits in an event loop of its own, where standard input is not read.
        icon, text, answers = self.r.choice(ASKS)
        self.asking = w = tk.Toplevel(self.root)
        w.title('Order entry')
        w.transient(self.root)
        w.resizable(False, False)
        w.geometry('+%d+%d' % (self.root.winfo_rootx() + 270, self.root.winfo_rooty() + 230))
        ttk.Label(w, image='::tk::icons::' + icon).grid(row=0, column=0, padx=14, pady=14)
        ttk.Label(w, text=text).grid(row=0, column=1, columnspan=2, padx=(0, 20), pady=14)
        self.answers = []
        for i, answer in enumerate(answers):
            b = ttk.Button(w, text=answer, command=self.close_dialog)
            b.grid(row=1, column=i + 1, padx=6, pady=(0, 12))
            self.answers.append(b)
        self.answers[0].focus_set()
        # A window that is not shown yet cannot have the grab.
        w.bind('<Map>', lambda _: w.grab_set())

    def close_dialog(self):
        self.asking.destroy()
        self.asking = None

    def open_second(self):
        self.second = w = tk.Toplevel(self.root)
        w.title('Stock')
        x, y = self.root.winfo_rootx(), self.root.winfo_rooty()
        w.geometry('320x240+%d+%d' % (min(x + self.r.randint(380, 700), 940), min(y + self.r.randint(40, 300), 520)))
        w.transient(self.root)
        for item in self.r.sample(ITEMS, 5):
            ttk.Label(w, text='%s: %d in stock' % (item, self.r.randint(0, 400))).pack(anchor='w', padx=12, pady=4)
        self.close = ttk.Button(w, text='Close', command=self.close_second)
        self.close.pack(pady=10)

    def close_second(self):
        self.second.destroy()
        self.second = None

    def plan_hint(self, widget, text):
        self.drop_hint()
        self.waiting = self.root.after(500, self.show_hint, widget, text)

    waiting = None

    def show_hint(self, widget, text):
        self.hint = w = tk.Toplevel(self.root)
        w.overrideredirect(True)
        w.geometry('+%d+%d' % (widget.winfo_rootx() + 12, widget.winfo_rooty() + widget.winfo_height() + 6))
        tk.Label(w, text='%s (Alt+%s)' % (text.rstrip('.'), text[0]), bg='#ffffe0', relief='solid', bd=1, padx=4).pack()

    def drop_hint(self):
        if self.waiting:
            self.root.after_cancel(self.waiting)
        if self.hint:
            self.hint.destroy()
        self.hint = self.waiting = None

    # What is asked for.
    def over(self):
        if self.asking:
            return 'dialog'
        if any(self.popdown_shown(c) for c in self.combos):
            return 'combo'
        # An open menu of the bar is a copy that Tk makes; the copies are children of the bar's own copy.
        if any(self.shown(m) for m in self.all_menus()):
            return 'context menu' if self.shown(str(self.context)) else 'menu'
        return None

    def all_menus(self, path='.'):
        for child in self.root.tk.splitlist(self.root.tk.call('winfo', 'children', path)):
            if self.root.tk.call('winfo', 'class', child) == 'Menu' and str(self.root.tk.call(child, 'cget', '-type')) != 'menubar':
                yield child
            yield from self.all_menus(child)

    def shown(self, path):
        return bool(int(self.root.tk.call('winfo', 'ismapped', path)))

    def popdown_shown(self, c):
        return self.shown(self.root.tk.call('ttk::combobox::PopdownWindow', c))

    def spot(self, widget, fx=0.5, fy=0.5):
        """A point of a widget on the screen; none where it is hidden, greyed or covered."""
        if not widget.winfo_viewable() or isinstance(widget, ttk.Button) and widget.instate(['disabled']):
            return None
        x, y = widget.winfo_rootx() + int(widget.winfo_width() * fx), widget.winfo_rooty() + int(widget.winfo_height() * fy)
        return None if self.covered(x, y) else (x, y)

    def covered(self, x, y):
        w = self.second
        return w is not None and -8 <= x - w.winfo_rootx() <= w.winfo_width() + 8 and -32 <= y - w.winfo_rooty() <= w.winfo_height() + 8

    def click(self, widgets, fx=0.5, fy=0.5):
        spots = [s for s in (self.spot(w, fx, fy) for w in widgets) if s]
        return [['click', *self.r.choice(spots)]] if spots else None

    def typed_in(self):
        # By name: focus_get() fails on the menus and lists that Tk makes itself.
        name = str(self.root.tk.call('focus'))
        return next((f for f in self.fields if str(f) == name and f.winfo_viewable()), None)

    def rows(self):
        boxes = [(i, self.tree.bbox(i)) for i in self.tree.get_children()] if self.tree.winfo_viewable() else []
        at = [(i, self.tree.winfo_rootx() + b[0] + self.r.randint(20, 300), self.tree.winfo_rooty() + b[1] + b[3] // 2) for i, b in boxes if b]
        return [(i, x, y) for i, x, y in at if not self.covered(x, y)]

    def steps(self, kind, r):
        self.r, field = r, self.typed_in()
        if kind == 'focus':
            return self.click([f for f in self.fields if f is not field], 0.8)
        if kind == 'letter':
            return [['type', r.choice(string.ascii_letters + string.digits)]] if field else None
        if kind == 'word':
            return [['type', r.choice(WORDS)]] if field and len(field.get()) < 40 else None
        if kind == 'clear':
            return [['keys', 'ctrl+slash', 'BackSpace']] if field and field.get() else None
        if kind == 'backspace':
            return [['keys', 'BackSpace']] if field and field.index('insert') else None
        if kind == 'tab':
            return [['keys', 'Tab']]
        if kind == 'tick':
            return self.click(self.ticks, 0.3)
        if kind == 'radio':
            return self.click([b for b, i in self.radios if i != self.ship.get()], 0.3)
        if kind == 'combo opened':
            return self.click(self.combos)
        if kind == 'combo chosen':
            c = next(c for c in self.combos if self.popdown_shown(c))
            down = c.current() < len(c['values']) - 1 and (c.current() == 0 or r.random() < 0.5)
            return [['keys', 'Down' if down else 'Up', 'Return']]
        if kind in ('combo closed', 'context menu closed'):
            return [['keys', 'Escape']]
        if kind == 'menu closed':
            # The first Escape closes the menu, the second leaves the bar.
            return [['keys', 'Escape', 'Escape']]
        if kind == 'menu opened':
            x = self.root.winfo_rootx() + r.choice([20, 60, 105, 160])
            y = self.root.winfo_rooty() - 12
            return None if self.covered(x, y) else [['click', x, y]]
        if kind == 'context menu opened':
            rows = self.rows()
            return [['right', *r.choice(rows)[1:]]] if rows else None
        if kind == 'row selected':
            rows = [row for row in self.rows() if row[0] not in self.tree.selection()]
            return [['click', *r.choice(rows)[1:]]] if rows else None
        if kind == 'scroll step':
            rows = self.rows()
            first, last = self.tree.yview()
            ways = [way for way, ok in ((4, first > 0), (5, last < 1), (5, last < 1)) if ok]
            return [['wheel', *r.choice(rows)[1:], r.choice(ways)]] if rows and ways else None
        if kind == 'scroll far':
            first, last = self.bar.get()
            at = self.spot(self.bar, 0.5, 0.1 + 0.8 * (first + last) / 2)
            low, high = self.bar.winfo_rooty() + 20, self.bar.winfo_rooty() + self.bar.winfo_height() - 20
            return [['drag', *at, at[0], r.randint(low, high)]] if at else None
        if kind == 'page':
            x, y = self.book.winfo_rootx() + r.choice([18, 75, 130]), self.book.winfo_rooty() + 12
            now = self.book.index('@%d,%d' % (x - self.book.winfo_rootx(), 12))
            return None if now in ('', self.book.index('current')) or self.covered(x, y) else [['click', x, y]]
        if kind == 'row added':
            return self.click([self.buttons['Add line']]) if self.tree.winfo_viewable() else None
        if kind == 'row deleted':
            return self.click([self.buttons['Delete line']]) if self.tree.winfo_viewable() and self.tree.selection() else None
        if kind == 'button greyed':
            b = self.buttons[r.choice(['Print', 'Cancel', 'Save', 'Stock...'])]
            b.state(['!disabled' if b.instate(['disabled']) else 'disabled'])
            return []
        if kind == 'dialog opened':
            return self.click([self.buttons['Save']])
        if kind == 'dialog closed':
            return self.click(self.answers)
        if kind == 'hint':
            at = self.click(list(self.buttons.values()))
            return [['move', *at[0][1:]], ['wait', 0.8]] if at else None
        if kind == 'status':
            self.status.set(r.choice([s for s in STATUS if s != self.status.get()]))
            return []
        if kind == 'computed':
            return self.click([self.buttons['Compute']]) if self.total.get() != self.sum() else None
        if kind == 'spin':
            return self.click(self.spins, 0.9, r.choice([0.25, 0.75]))
        if kind == 'window moved':
            # By the title bar, above the bar of menus; `.#!menu` is Tk's own copy of it.
            x, y = self.root.winfo_rootx() + 200, int(self.root.tk.call('winfo', 'rooty', '.#!menu')) - 10
            dx, dy = r.randint(-60, 60), r.randint(-40, 40)
            inside = 10 < self.root.winfo_rootx() + dx < 400 and 50 < self.root.winfo_rooty() + dy < 160
            return [['drag', x, y, x + dx, y + dy]] if inside and not self.covered(x, y) else None
        if kind == 'second window opened':
            return None if self.second else self.click([self.buttons['Stock...']])
        if kind == 'second window closed':
            return [['click', self.close.winfo_rootx() + 30, self.close.winfo_rooty() + 10]] if self.second else None
        return None


def main():
    root = tk.Tk(className='OrderEntry')
    # Tk's own default is a bitmap font on a bare X server.
    for name in ('TkDefaultFont', 'TkTextFont', 'TkMenuFont', 'TkCaptionFont', 'TkHeadingFont'):
        font.nametofont(name).configure(family='DejaVu Sans', size=10)
    ttk.Style(root).theme_use('clam')
    ttk.Style(root).configure('Treeview', rowheight=20)
    order = Order(root)

    def asked(*_):
        line = sys.stdin.readline()
        if not line:
            os._exit(0)
        ask = json.loads(line)
        if ask['kind'] == 'over':
            # Later, once what came by mouse and keyboard is done.
            root.after(80, lambda: print(json.dumps(order.over()), flush=True))
        else:
            print(json.dumps(order.steps(ask['kind'], random.Random(ask['seed']))), flush=True)
    root.tk.createfilehandler(sys.stdin, tk.READABLE, asked)
    root.after(500, lambda: print('ready', flush=True))
    root.mainloop()


if __name__ == '__main__':
    main()
