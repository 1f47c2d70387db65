"""A GTK form that knows nothing of Deskhand: every kind of widget once, some of them out of sight.

usage: gtk_form.py [--title T]
"""

import argparse

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402


def labelled(box, text, widget):
    """A line with a label that belongs to the widget."""
    line = Gtk.Box(spacing=8)
    label = Gtk.Label(label=text)
    label.set_mnemonic_widget(widget)
    line.pack_start(label, False, False, 0)
    line.pack_start(widget, True, True, 0)
    box.pack_start(line, False, False, 0)


def table():
    store = Gtk.ListStore(str, str)
    for row in [("A-100", "12"), ("B-200", "3"), ("C-300", "45")]:
        store.append(row)
    view = Gtk.TreeView(model=store)
    for at, title in enumerate(["Article", "Pieces"]):
        view.append_column(Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=at))
    view.get_selection().select_path(1)
    return view


def scrolled():
    """A pane that shows only its first lines."""
    lines = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for at in range(40):
        lines.pack_start(Gtk.Button(label=f"Line {at}"), False, False, 0)
    pane = Gtk.ScrolledWindow()
    pane.set_size_request(-1, 80)
    pane.add(lines)
    return pane


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--title", default="Order form")
    args = parser.parse_args()
    # Two looks at it shall be the same.
    Gtk.Settings.get_default().set_property("gtk-cursor-blink", False)
    window = Gtk.Window(title=args.title)
    window.set_default_size(520, 560)
    window.connect("destroy", Gtk.main_quit)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin=10)

    labelled(box, "Customer:", Gtk.Entry(text="Sample Ltd"))
    labelled(box, "PIN:", Gtk.Entry(text="secret", visibility=False))
    terms = Gtk.ComboBoxText()
    for text in ["Cash", "Monthly", "Yearly"]:
        terms.append_text(text)
    terms.set_active(1)
    labelled(box, "Terms:", terms)
    pieces = Gtk.SpinButton.new_with_range(0, 99, 1)
    pieces.set_value(12)
    labelled(box, "Quantity:", pieces)
    urgent = Gtk.CheckButton(label="Urgent")
    urgent.set_active(True)
    box.pack_start(urgent, False, False, 0)
    standard = Gtk.RadioButton(label="Standard")
    express = Gtk.RadioButton(label="Express", group=standard)
    express.set_active(True)
    for radio in [standard, express]:
        box.pack_start(radio, False, False, 0)

    book = Gtk.Notebook()
    book.append_page(table(), Gtk.Label(label="Articles"))
    book.append_page(Gtk.Entry(text="nobody sees this"), Gtk.Label(label="Notes"))
    box.pack_start(book, False, False, 0)
    box.pack_start(scrolled(), False, False, 0)

    buttons = Gtk.Box(spacing=8)
    buttons.pack_start(Gtk.Button(label="Save"), False, False, 0)
    delete = Gtk.Button(label="Delete")
    delete.set_sensitive(False)
    buttons.pack_start(delete, False, False, 0)
    box.pack_start(buttons, False, False, 0)
    window.add(box)
    window.show_all()
    Gtk.main()


main()
