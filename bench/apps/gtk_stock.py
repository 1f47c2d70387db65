#!/usr/bin/python3
"""A stock-receipt form in GTK 3: a stranger's program for Deskhand to be tried on. It knows nothing of Deskhand.

usage: gtk_stock.py LOG [--lang en|zh]

Every saved record is appended to LOG as one line of JSON: code, name, quantity, warehouse, unit, inspected, note.
Needs the Debian packages python3-gi and gir1.2-gtk-3.0.
"""

import argparse
import json

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

TEXTS = {
    "en": {
        "title": "Stock receipt",
        "code": "Item code",
        "name": "Item name",
        "quantity": "Quantity",
        "warehouse": "Warehouse",
        "warehouses": ["Main store", "East store", "West store"],
        "unit": "Unit",
        "note": "Note",
        "inspected": "Inspected",
        "save": "Save",
        "clear": "Clear",
        "ready": "Ready",
        "cleared": "Form cleared",
        "saved": "Record saved: {code} ({count} in total)",
        "empty": "{label} is missing, nothing saved",
        "number": "{label} is not a number, nothing saved",
    },
    "zh": {
        "title": "入库登记",
        "code": "物料编码",
        "name": "物料名称",
        "quantity": "数量",
        "warehouse": "仓库",
        "warehouses": ["主仓库", "东仓库", "西仓库"],
        "unit": "单位",
        "note": "备注",
        "inspected": "已检验",
        "save": "保存",
        "clear": "清空",
        "ready": "就绪",
        "cleared": "已清空",
        "saved": "记录已保存：{code}（共 {count} 条）",
        "empty": "缺少{label}，未保存",
        "number": "{label}不是数字，未保存",
    },
}


class StockWindow(Gtk.Window):
    def __init__(self, texts, log):
        super().__init__(title=texts["title"])
        self.texts, self.log, self.count = texts, log, 0
        self.set_default_size(520, -1)
        self.move(80, 60)
        self.entries = {field: Gtk.Entry(hexpand=True) for field in ("code", "name", "quantity", "unit", "note")}
        self.warehouse = Gtk.ComboBoxText(hexpand=True)
        for name in texts["warehouses"]:
            self.warehouse.append_text(name)
        self.inspected = Gtk.CheckButton(label=texts["inspected"])

        grid = Gtk.Grid(row_spacing=8, column_spacing=12, margin=14)
        rows = ["code", "name", "quantity", "warehouse", "unit", "note"]
        for row, field in enumerate(rows):
            grid.attach(Gtk.Label(label=texts[field] + ":", xalign=0), 0, row, 1, 1)
            grid.attach(self.warehouse if field == "warehouse" else self.entries[field], 1, row, 1, 1)
        grid.attach(self.inspected, 1, len(rows), 1, 1)

        buttons = Gtk.ButtonBox(layout_style=Gtk.ButtonBoxStyle.END, spacing=8, margin=14, margin_top=0)
        for name, action in (("clear", self.on_clear), ("save", self.on_save)):
            button = Gtk.Button(label=texts[name])
            button.connect("clicked", action)
            buttons.add(button)

        self.status = Gtk.Statusbar()
        self.say(texts["ready"])
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for part in (grid, buttons, self.status):
            page.pack_start(part, False, False, 0)
        self.add(page)
        self.connect("destroy", Gtk.main_quit)

    def say(self, text):
        self.status.remove_all(0)
        self.status.push(0, text)

    def clear(self):
        for entry in self.entries.values():
            entry.set_text("")
        self.warehouse.set_active(-1)
        self.inspected.set_active(False)
        self.entries["code"].grab_focus()

    def on_clear(self, _button):
        self.clear()
        self.say(self.texts["cleared"])

    def on_save(self, _button):
        value = {field: entry.get_text() for field, entry in self.entries.items()}
        value["warehouse"] = self.warehouse.get_active_text() or ""
        for field in ("code", "name", "quantity", "warehouse"):
            if not value[field].strip():
                self.say(self.texts["empty"].format(label=self.texts[field]))
                return
        try:
            float(value["quantity"])
        except ValueError:
            self.say(self.texts["number"].format(label=self.texts["quantity"]))
            return
        value["inspected"] = self.inspected.get_active()
        order = ("code", "name", "quantity", "warehouse", "unit", "inspected", "note")
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(json.dumps({field: value[field] for field in order}, ensure_ascii=False) + "\n")
        self.count += 1
        self.clear()
        self.say(self.texts["saved"].format(code=value["code"], count=self.count))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("log")
    parser.add_argument("--lang", choices=sorted(TEXTS), default="en")
    arguments = parser.parse_args()
    StockWindow(TEXTS[arguments.lang], arguments.log).show_all()
    Gtk.main()


if __name__ == "__main__":
    main()
