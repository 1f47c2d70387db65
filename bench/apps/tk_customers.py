#!/usr/bin/python3
"""A customer form in Tk that looks like the nineties: a stranger's program for Deskhand to be tried on.

usage: tk_customers.py LOG [--lang en|zh]

Every saved record is appended to LOG as one line of JSON: code, name, contact, phone, category, credit_limit, vip.
Needs the Debian package python3-tk. It knows nothing of Deskhand.
"""

import argparse
import json
import tkinter as tk
from tkinter import font, messagebox, ttk

TEXTS = {
    "en": {
        "title": "Customer file",
        "group": "Customer data",
        "code": "Customer code",
        "name": "Name",
        "contact": "Contact",
        "phone": "Phone",
        "category": "Category",
        "categories": ["Retail", "Wholesale", "Export"],
        "credit_limit": "Credit limit",
        "vip": "VIP customer",
        "save": "Save",
        "clear": "Clear",
        "saved": "Customer saved.",
        "empty": "{label} must not be empty.",
        "number": "{label} must be a number.",
    },
    "zh": {
        "title": "客户档案",
        "group": "客户资料",
        "code": "客户编号",
        "name": "名称",
        "contact": "联系人",
        "phone": "电话",
        "category": "类别",
        "categories": ["零售", "批发", "外贸"],
        "credit_limit": "信用额度",
        "vip": "VIP客户",
        "save": "保存",
        "clear": "清空",
        "saved": "客户已保存。",
        "empty": "{label}不能为空。",
        "number": "{label}必须是数字。",
    },
}

FIELDS = ("code", "name", "contact", "phone", "category", "credit_limit")
GREY = "#d4d0c8"


class CustomerForm:
    def __init__(self, root, texts, log):
        self.root, self.texts, self.log = root, texts, log
        root.title(texts["title"])
        root.geometry("+100+70")
        root.configure(bg=GREY)
        root.resizable(False, False)
        self.values = {field: tk.StringVar() for field in FIELDS}
        self.vip = tk.BooleanVar()

        group = tk.LabelFrame(root, text=texts["group"], bg=GREY, padx=12, pady=8)
        group.grid(row=0, column=0, padx=12, pady=10, sticky="we")
        self.inputs = {}
        for row, field in enumerate(FIELDS):
            tk.Label(group, text=texts[field] + ":", bg=GREY, anchor="w").grid(row=row, column=0, sticky="w", pady=4)
            if field == "category":
                box = ttk.Combobox(group, textvariable=self.values[field], values=texts["categories"], state="readonly")
                box.configure(width=30)
            else:
                box = tk.Entry(group, textvariable=self.values[field], width=32, relief="sunken", bd=2, bg="white")
                box.configure(highlightthickness=0)
            box.grid(row=row, column=1, sticky="we", padx=(14, 0), pady=4, ipady=2)
            self.inputs[field] = box
        check = tk.Checkbutton(group, text=texts["vip"], variable=self.vip, bg=GREY, activebackground=GREY)
        check.configure(highlightbackground=GREY)
        check.grid(row=len(FIELDS), column=1, sticky="w", padx=(8, 0), pady=4)

        buttons = tk.Frame(root, bg=GREY)
        buttons.grid(row=1, column=0, padx=12, pady=(0, 12), sticky="e")
        for name, action in (("save", self.save), ("clear", self.clear)):
            button = tk.Button(buttons, text=texts[name], command=action, width=9, relief="raised", bd=2, bg=GREY)
            button.configure(highlightbackground=GREY)
            button.pack(side="left", padx=(8, 0))
        self.inputs["code"].focus_set()

    def clear(self):
        for value in self.values.values():
            value.set("")
        self.vip.set(False)
        self.inputs["code"].focus_set()

    def complain(self, key, field):
        messagebox.showerror(self.texts["title"], self.texts[key].format(label=self.texts[field]), parent=self.root)
        self.inputs[field].focus_set()

    def save(self):
        record = {field: value.get() for field, value in self.values.items()}
        for field in ("code", "name", "category"):
            if not record[field].strip():
                self.complain("empty", field)
                return
        try:
            float(record["credit_limit"] or "0")
        except ValueError:
            self.complain("number", "credit_limit")
            return
        record["vip"] = self.vip.get()
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(json.dumps(record, ensure_ascii=False) + "\n")
        messagebox.showinfo(self.texts["title"], self.texts["saved"], parent=self.root)
        self.clear()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("log")
    parser.add_argument("--lang", choices=sorted(TEXTS), default="en")
    arguments = parser.parse_args()
    root = tk.Tk(className="CustomerFile")
    # Tk's own default picks a bitmap font without Chinese on a bare X server.
    for name in ("TkDefaultFont", "TkTextFont", "TkMenuFont", "TkCaptionFont", "TkHeadingFont"):
        family = "Noto Sans CJK SC" if arguments.lang == "zh" else "DejaVu Sans"
        font.nametofont(name).configure(family=family, size=11 if arguments.lang == "zh" else 10)
    style = ttk.Style(root)
    style.theme_use("alt")
    style.configure("TCombobox", arrowsize=16, background=GREY)
    style.map("TCombobox", fieldbackground=[("readonly", "white")], foreground=[("readonly", "black")])
    CustomerForm(root, TEXTS[arguments.lang], arguments.log)
    root.mainloop()


if __name__ == "__main__":
    main()
