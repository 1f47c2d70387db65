"""A window whose picture is useless, and a log of everything that is done to it.

usage: liar.py KIND OUT [--title T]
KIND: black, white (one colour all over), form (two fields and a button, as true as any window).
"""

import argparse
import tkinter


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["black", "white", "form"])
    parser.add_argument("out")
    parser.add_argument("--title", default="Liar")
    args = parser.parse_args()
    root = tkinter.Tk(className="Liar")
    root.title(args.title)
    root.geometry("420x220+200+120")
    if args.kind == "form":
        for row, name in enumerate(["Customer", "Quantity"]):
            tkinter.Label(root, text=name).grid(row=row, column=0, padx=10, pady=10)
            tkinter.Entry(root).grid(row=row, column=1)
        tkinter.Button(root, text="Save").grid(row=2, column=1, pady=10)
    else:
        root.configure(background=args.kind)
    root.update()
    out = open(args.out, "a", encoding="utf-8")

    def log(event):
        out.write(f"{event.type} {event.x} {event.y}\n")
        out.flush()

    for what in ("<ButtonPress>", "<KeyPress>"):
        root.bind_all(what, log)
    root.mainloop()


main()
