"""A small GTK program that knows nothing of Deskhand: it writes what stands in its field to a file.

usage: gtk_app.py KIND OUT [--title T]
KIND: entry, text, copy (owns the clipboard with the text of the file OUT, and creates OUT.ready then).
"""

import argparse
import os

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402


def write(path, text):
    """Replaces the file as a whole, so that a reader never sees half of it."""
    with open(path + ".new", "w", encoding="utf-8", newline="") as file:
        file.write(text)
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["entry", "text", "copy"])
    parser.add_argument("out")
    parser.add_argument("--title", default="GTK window")
    args = parser.parse_args()
    window = Gtk.Window(title=args.title)
    window.set_default_size(400, 200)
    window.connect("destroy", Gtk.main_quit)
    if args.kind == "text":
        widget = Gtk.TextView()
        buffer = widget.get_buffer()
        buffer.connect("changed", lambda b: write(args.out, b.get_text(*b.get_bounds(), True)))
        window.add(widget)
    else:
        widget = Gtk.Entry()
        widget.connect("changed", lambda entry: write(args.out, entry.get_text()))
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        box.pack_start(widget, False, False, 10)
        window.add(box)
    widget.grab_focus()
    window.show_all()
    if args.kind == "copy":
        with open(args.out, encoding="utf-8", newline="") as file:
            text = file.read()
        Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).set_text(text, -1)
        write(args.out + ".ready", "")
    else:
        write(args.out, "")
    Gtk.main()


main()
