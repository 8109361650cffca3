"""What is measured, in NiceGUI; a page's query says which of it: nicegui_app.py PORT."""

import random
import string
import sys

from nicegui import ui


@ui.page("/")
def page(what: str, count: int = 0, step: str = ""):
    {"key": key, "label": lambda: label(count), "table": lambda: table(step)}[what]()
    ui.label("All is there.")


def key():
    field = ui.input("Name")
    ui.label().classes("result").bind_text_from(field, "value", backward=lambda text: (text or "").upper())


def any_text():
    return "".join(random.choices(string.ascii_lowercase, k=8))


def label(count):
    labels = [ui.label(f"label {number}") for number in range(count)]
    ui.timer(1, lambda: labels[count // 2].set_text(any_text()))


def table(step):
    rows = [{"name": any_text(), "price": any_text()} for _ in range(1000)]
    columns = [{"name": name, "label": name.title(), "field": name} for name in ("name", "price")]
    element = ui.table(rows=rows, columns=columns, row_key="name")
    element.props("virtual-scroll").style("height: 400px")

    def change():
        if step == "cell":
            rows[3]["price"] = any_text()
        elif step == "insert":
            rows.insert(5, {"name": any_text(), "price": any_text()})
        else:
            rows.insert(8, rows.pop(3))
        element.rows = rows
        element.update()

    ui.timer(1, change)


ui.run(host="127.0.0.1", port=int(sys.argv[1]), show=False, reload=False)
