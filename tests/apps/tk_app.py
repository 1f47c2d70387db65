"""A small Tk program that knows nothing of Deskhand: it writes what the user did to a file.

usage: tk_app.py KIND OUT [--title T] [--geometry WxH+X+Y] [--dialog T]
KIND: entry, text (what stands in it is written), clicks, keys (one line per event is written), combo.
"""

import argparse
import os
import tkinter
from tkinter import ttk


def write(path, text):
    """Replaces the file as a whole, so that a reader never sees half of it."""
    with open(path + ".new", "w", encoding="utf-8", newline="") as file:
        file.write(text)
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["entry", "text", "clicks", "keys", "combo"])
    parser.add_argument("out")
    parser.add_argument("--title", default="Tk window")
    parser.add_argument("--geometry", default="400x200+60+40")
    parser.add_argument("--dialog")
    args = parser.parse_args()
    root = tkinter.Tk(className="Deskprobe")
    root.title(args.title)
    root.geometry(args.geometry)
    lines = []

    def log(line):
        lines.append(line)
        write(args.out, "\n".join(lines))

    if args.kind == "entry":
        value = tkinter.StringVar()
        value.trace_add("write", lambda *_: write(args.out, value.get()))
        widget = tkinter.Entry(root, textvariable=value)
        widget.pack(fill="x", padx=10, pady=10)
    elif args.kind == "text":
        widget = tkinter.Text(root)
        widget.pack(fill="both", expand=True)

        def changed(_event):
            widget.edit_modified(False)
            write(args.out, widget.get("1.0", "end-1c"))

        widget.bind("<<Modified>>", changed)
    elif args.kind == "combo":
        choice = tkinter.StringVar()
        choice.trace_add("write", lambda *_: write(args.out, choice.get()))
        widget = ttk.Combobox(root, values=[f"Choice {n}" for n in range(1, 9)], textvariable=choice, state="readonly")
        widget.pack(side="bottom", fill="x")
    else:
        widget = tkinter.Canvas(root, highlightthickness=0, takefocus=True)
        widget.pack(fill="both", expand=True)
        widget.create_line(0, 0, 50, 50)
        if args.kind == "clicks":
            for number in (1, 2, 3):
                widget.bind(f"<ButtonPress-{number}>", lambda e: log(f"down {e.num} {e.x} {e.y}"))
                widget.bind(f"<ButtonRelease-{number}>", lambda e: log(f"up {e.num} {e.x} {e.y}"))
            widget.bind("<Double-ButtonPress-1>", lambda e: log(f"double {e.num} {e.x} {e.y}"))
            for number in (4, 5):
                widget.bind(f"<ButtonPress-{number}>", lambda e, n=number: log(f"wheel {n}"))
            widget.bind("<B1-Motion>", lambda e: log(f"drag {e.x} {e.y}"))
        else:
            widget.bind("<KeyPress>", lambda e: log(f"press {e.keysym} {e.state & 0x4f}"))
            widget.bind("<KeyRelease>", lambda e: log(f"release {e.keysym}"))
    widget.focus_set()
    if args.dialog:
        dialog = tkinter.Toplevel(root)
        dialog.title(args.dialog)
        dialog.geometry("200x100+120+90")
        dialog.transient(root)
        tkinter.Label(dialog, text="Really?").pack()
    root.update()
    if not os.path.exists(args.out):
        write(args.out, "")
    root.mainloop()


main()
