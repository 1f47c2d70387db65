#!/usr/bin/python3
"""Reads forms of other toolkits with `deskhand see` and counts what it got exactly right.

  bench/vision.py "dist/deskhand see --image {image} --json" [--forms N] [--keep FOLDER]

Each form is a process of its own (Tk or GTK 3, English or Chinese, varied fonts, labels left or above) on a virtual
display; it tells its own geometry and values. Needs Xvfb, openbox, ImageMagick's import, python3-tk, gir1.2-gtk-3.0.
The last line is key=value figures.
"""
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time

VALUES = ['00120', '12.50', '月结', 'Sample Ltd', 'O0O01', 'Il1l|', 'B8-5S2Z', 'S-20417', '2026-03-18', '-5.00', '1,234.50', '0', '7',
          'x', '张三', 'INV/2026-001', 'sales@harbour.example', '(02) 9374 4000', '', '', '北京市海淀区中关村大街1号', '12', '3',
          'Rivera Tools SA', '100%', 'C:\\data\\orders', 'Q1 2026', '现金', '18:30', 'GmbH & Co. KG', "O'Brien", '1', 'l', 'N/A', '5.0']
LABELS = {'en': ['Customer name', 'Quantity', 'Unit price', 'Order no.', 'Delivery date', 'Phone', 'E-mail', 'Remarks', 'City', 'Tax code'],
          'zh': ['客户名称', '数量', '单价', '订单号', '交货日期', '电话', '邮箱', '备注', '城市', '税号']}
TICKS = {'en': ['Urgent', 'Tax included', 'Send invoice'], 'zh': ['加急', '含税', '开票']}
RADIOS = {'en': ['Cash', 'Transfer', 'Monthly'], 'zh': ['现金支付', '转账', '按月结算']}
BUTTONS = {'en': ['Save', 'Cancel', 'New order'], 'zh': ['保存', '取消', '新建订单']}
CHOICES = {'en': ['Retail', 'Wholesale', 'Export'], 'zh': ['零售', '批发', '出口']}


def plan(seed):
    """The same form for the same seed, in the form's process and in the scoring one."""
    r = random.Random(seed)
    lang = r.choice(['en', 'zh'])
    labels = r.sample(LABELS[lang], r.randint(4, 7))
    colon = r.choice(['', ':', '：' if lang == 'zh' else ':'])
    return {'toolkit': ('tk', 'ttk', 'gtk')[seed % 3], 'lang': lang, 'above': r.random() < 0.35, 'size': r.choice([9, 10, 11, 12]),
            'fields': [(l + colon, r.choice(VALUES), r.random() < 0.2) for l in labels],
            'ticks': [(t, r.random() < 0.5) for t in TICKS[lang]], 'radio': r.randrange(3), 'x': r.randint(20, 200), 'y': r.randint(20, 120),
            'width': r.choice([18, 24, 32])}


def show_tk(p):
    import tkinter as tk
    from tkinter import font, ttk
    root = tk.Tk()
    root.geometry('+%d+%d' % (p['x'], p['y']))
    root.title('Order')
    for name in ('TkDefaultFont', 'TkTextFont'):
        font.nametofont(name).configure(size=p['size'])
    kit = ttk if p['toolkit'] == 'ttk' else tk
    frame = kit.Frame(root)
    frame.pack(padx=14, pady=14)
    seen = []
    for i, (label, value, choice) in enumerate(p['fields']):
        w = kit.Label(frame, text=label)
        if choice:
            f = ttk.Combobox(frame, values=CHOICES[p['lang']], width=p['width'])
            f.set(value)
        else:
            f = kit.Entry(frame, width=p['width'])
            f.insert(0, value)
        row, column = (2 * (i // 2), i % 2) if p['above'] else (i, 0)
        w.grid(row=row, column=column if p['above'] else 0, sticky='w', padx=6, pady=(6, 0) if p['above'] else 3)
        f.grid(row=row + 1 if p['above'] else row, column=column if p['above'] else 1, sticky='w', padx=6, pady=(0, 6) if p['above'] else 3)
        seen.append(('combobox' if choice else 'textbox', f, {'label': label.rstrip(':：'), 'value': value}))
    bar = kit.Frame(root)
    bar.pack(anchor='w', padx=14)
    keep = []
    for text, on in p['ticks']:
        v = tk.IntVar(value=int(on))
        keep.append(v)
        b = kit.Checkbutton(bar, text=text, variable=v)
        b.pack(side='left', padx=8)
        seen.append(('checkbox', b, {'text': text, 'label': text, 'checked': on}))
    chosen = tk.IntVar(value=p['radio'])
    bar = kit.Frame(root)
    bar.pack(anchor='w', padx=14, pady=6)
    for i, text in enumerate(RADIOS[p['lang']]):
        b = kit.Radiobutton(bar, text=text, variable=chosen, value=i)
        b.pack(side='left', padx=8)
        seen.append(('radio', b, {'text': text, 'label': text, 'checked': i == p['radio']}))
    bar = kit.Frame(root)
    bar.pack(anchor='e', padx=14, pady=10)
    for text in BUTTONS[p['lang']]:
        b = kit.Button(bar, text=text)
        b.pack(side='left', padx=6)
        seen.append(('button', b, {'text': text}))

    def report():
        out = []
        for role, w, more in seen:
            x, y = w.winfo_rootx(), w.winfo_rooty()
            out.append(dict(more, role=role, bbox=[x, y, x + w.winfo_width(), y + w.winfo_height()]))
        print(json.dumps(out), flush=True)
    root.after(700, report)
    root.mainloop()


def show_gtk(p):
    import gi
    gi.require_version('Gtk', '3.0')
    gi.require_version('Gdk', '3.0')
    from gi.repository import Gdk, GLib, Gtk
    css = Gtk.CssProvider()
    css.load_from_data(('* { font-size: %dpt; }' % p['size']).encode())
    Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), css, 600)
    window = Gtk.Window(title='Order')
    window.move(p['x'], p['y'])
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=10, margin=14)
    grid = Gtk.Grid(row_spacing=6, column_spacing=12)
    seen = []
    for i, (label, value, choice) in enumerate(p['fields']):
        w = Gtk.Label(label=label, xalign=0)
        if choice and value:
            f = Gtk.ComboBoxText()
            f.append_text(value)
            f.set_active(0)
        else:
            f = Gtk.Entry(text=value, width_chars=p['width'])
        row, column = (2 * (i // 2), i % 2) if p['above'] else (i, 0)
        grid.attach(w, column if p['above'] else 0, row, 1, 1)
        grid.attach(f, column if p['above'] else 1, row + 1 if p['above'] else row, 1, 1)
        seen.append(('combobox' if choice and value else 'textbox', f, {'label': label.rstrip(':：'), 'value': value}))
    box.add(grid)
    bar = Gtk.Box(spacing=12)
    for text, on in p['ticks']:
        b = Gtk.CheckButton(label=text, active=on)
        bar.add(b)
        seen.append(('checkbox', b, {'text': text, 'label': text, 'checked': on}))
    box.add(bar)
    bar, first = Gtk.Box(spacing=12), None
    for i, text in enumerate(RADIOS[p['lang']]):
        b = Gtk.RadioButton.new_with_label_from_widget(first, text)
        first = first or b
        b.set_active(i == p['radio'])
        bar.add(b)
        seen.append(('radio', b, {'text': text, 'label': text, 'checked': i == p['radio']}))
    box.add(bar)
    bar = Gtk.Box(spacing=8, halign=Gtk.Align.END)
    for text in BUTTONS[p['lang']]:
        b = Gtk.Button(label=text)
        bar.add(b)
        seen.append(('button', b, {'text': text}))
    box.add(bar)
    window.add(box)
    window.show_all()
    # Put the focus where no caret blinks in a field.
    seen[-1][1].grab_focus()

    def report():
        out = []
        for role, w, more in seen:
            _, ox, oy = w.get_window().get_origin()
            a = w.get_allocation()
            x, y = ox + a.x, oy + a.y
            out.append(dict(more, role=role, bbox=[x, y, x + a.width, y + a.height]))
        print(json.dumps(out), flush=True)
    GLib.timeout_add(700, report)
    Gtk.main()


def squeeze(text):
    return ''.join(str(text or '').split())


def score(truth, seen, sums, name):
    for t in truth:
        b = t['bbox']
        hits = [e for e in seen if b[0] <= (e['bbox'][0] + e['bbox'][2]) / 2 <= b[2] and b[1] <= (e['bbox'][1] + e['bbox'][3]) / 2 <= b[3]]
        e = next((e for e in hits if e['role'] == t['role']), hits[0] if hits else {})
        checks = {'found': bool(e), 'role': e.get('role') == t['role']}
        if 'value' in t:
            checks['value'] = squeeze(e.get('value')) == squeeze(t['value'])
        if 'label' in t:
            checks['label'] = squeeze(e.get('label') or e.get('text')) == squeeze(t['label'])
        if 'checked' in t:
            checks['checked'] = ('checked' in e.get('state', [])) == t['checked']
        if t['role'] == 'button':
            checks['text'] = squeeze(e.get('text')) == squeeze(t['text'])
        for key, ok in checks.items():
            pair = sums.setdefault(key, [0, 0])
            pair[0] += ok
            pair[1] += 1
        wrong = [key for key, ok in checks.items() if not ok]
        if wrong:
            print('  %s: %s %s wrong: %s <- %s' % (name, t['role'], json.dumps({k: t[k] for k in ('label', 'text', 'value', 'checked', 'bbox') if k in t}, ensure_ascii=False),
                  ', '.join(wrong), json.dumps({k: e.get(k) for k in ('role', 'text', 'label', 'value', 'state', 'bbox')}, ensure_ascii=False)))


def main(argv):
    if argv[:1] == ['--show']:
        p = plan(int(argv[1]))
        (show_gtk if p['toolkit'] == 'gtk' else show_tk)(p)
        return 0
    if not argv or argv[0].startswith('--'):
        print(__doc__, file=sys.stderr)
        return 2
    forms = int(argv[argv.index('--forms') + 1]) if '--forms' in argv else 12
    folder = argv[argv.index('--keep') + 1] if '--keep' in argv else tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    display, number = os.pipe()
    server = subprocess.Popen(['Xvfb', '-displayfd', str(number), '-screen', '0', '1280x800x24', '-noreset', '-nolisten', 'tcp'],
                              pass_fds=[number], stderr=subprocess.DEVNULL)
    env = dict(os.environ, DISPLAY=':' + os.read(display, 16).decode().strip(), NO_AT_BRIDGE='1')
    manager = subprocess.Popen(['openbox'], env=env, stderr=subprocess.DEVNULL)
    sums, times = {}, []
    try:
        for seed in range(forms):
            image = os.path.join(folder, 'form%02d.png' % seed)
            if not os.path.exists(image):
                form = subprocess.Popen([sys.executable, os.path.abspath(__file__), '--show', str(seed)], env=env, stdout=subprocess.PIPE)
                truth = json.loads(form.stdout.readline())
                subprocess.run(['import', '-window', 'root', image], env=env, check=True)
                form.terminate()
                form.wait()
                json.dump(truth, open(image[:-4] + '.json', 'w'))
            truth = json.load(open(image[:-4] + '.json'))
            start = time.time()
            out = subprocess.run([a.replace('{image}', image) for a in shlex.split(argv[0])], stdout=subprocess.PIPE).stdout
            times.append((time.time() - start) * 1000)
            score(truth, json.loads(out)['elements'], sums, '%s %s' % (plan(seed)['toolkit'], os.path.basename(image)))
    finally:
        manager.terminate()
        server.terminate()
    print('forms=%d ' % forms + ' '.join('%s=%.1f(%d)' % (k, 100.0 * a / b, b) for k, (a, b) in sorted(sums.items())) + ' ms_median=%.0f' % sorted(times)[len(times) // 2])
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
