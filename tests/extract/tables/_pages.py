"""Pages for the tests of tables: rendered by the real browser, read without one, or built by hand."""

from collections.abc import Sequence

import sightline as sl
from sightline.data import Table
from sightline.page import Page
from sightline.testing import Element, element, page_of

BLOCK = {"display": "block", "visibility": "visible"}
INLINE = {"display": "inline", "visibility": "visible"}
WHOLE = (0, 0, 1280, 1024)
CHARACTER, LINE = 8, 16  # pixels; what `page_of` gives every character and line

STOCK = [
    ["Model", "Price", "Stock"],
    ["Arden 5", "1,200", "5"],
    ["Norda 850", "2,100", "17"],
    ["Alto 7", "1,900", "2"],
    ["Vento 3", "2,450", "11"],
]


def rendered(body: str, css: str = "") -> Page:
    """The page of this markup, rendered by the browser that all calls share."""
    return sl.open(f"<!doctype html><meta charset=utf-8><style>{css}</style><body>{body}".encode())


def static(body: str) -> Page:
    """The page of this markup, without any layout."""
    return sl.open(f"<!doctype html><meta charset=utf-8><body>{body}".encode(), static=True)


def markup(rows: Sequence[Sequence[str]], attributes: str = "border=1", *, head: str = "td") -> str:
    """Rows as a `<table>`; `head` is the tag of the cells in the first one."""
    tags = [head] + ["td"] * (len(rows) - 1)
    lines = ["".join(f"<{tag}>{text}</{tag}>" for text in row) for tag, row in zip(tags, rows, strict=True)]
    return f"<table {attributes}>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def built(*parts: Element) -> Page:
    """The page with these parts in its body."""
    return page_of(element("html", element("body", *parts, box=WHOLE, style=BLOCK), box=WHOLE, style=BLOCK))


def fixed_width(lines: Sequence[str], left: int = 40, top: int = 40) -> Page:
    """A page with one `<pre>` of these lines, every character as wide as the others."""
    spans = [
        element(
            "span",
            line,
            box=(left, top + LINE * place, left + CHARACTER * len(line), top + LINE * (place + 1)),
            style=INLINE,
        )
        for place, line in enumerate(lines)
        if line.strip()
    ]
    width = CHARACTER * max(map(len, lines), default=0)
    return built(element("pre", *spans, box=(left, top, left + width, top + LINE * len(lines)), style=BLOCK))


def rows_of(tables: Sequence[Table]) -> list[list[list[str]]]:
    """The texts of some tables."""
    return [table.rows for table in tables]
