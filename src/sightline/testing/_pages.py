"""Small pages built by hand, with boxes and styles as a browser would give them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sightline.arrays import prefix_sum
from sightline.geometry import Box
from sightline.page import ABSENT, TEXT, Attributes, Page, PageKind, Words, ends

__all__ = ["Element", "element", "grid_page", "list_page", "page_of", "shifted", "shop_pages"]

CHARACTER_WIDTH = 8.0
LINE_HEIGHT = 16.0
ROW_HEIGHT = 24.0
COLUMN_WIDTH = 120.0


@dataclass(frozen=True)
class Element:
    """An element to build: its content, its place, and its style."""

    tag: str
    children: tuple["Element | str", ...] = ()
    box: Box | None = None
    style: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)


def element(
    tag: str, *children: Element | str, box: Box | None = None, style: dict[str, str] | None = None, **attributes: str
) -> Element:
    """An element; a trailing underscore of an attribute's name is dropped (`class_`).

    >>> element("p", "Hello", class_="lead").attributes
    {'class': 'lead'}
    """
    named = {name.removesuffix("_").replace("_", "-"): value for name, value in attributes.items()}
    return Element(tag, children, box, style or {}, named)


def page_of(root: Element, *, kind: PageKind = "rendered", title: str = "", url: str = "https://example.org/") -> Page:
    """The page of an element; a text starts at the upper left of its element, one word after the other.

    >>> page_of(element("html", element("p", "Hi", box=(0, 0, 100, 20)))).text_of()
    'Hi'
    """
    strings: dict[str, int] = {}

    def number(string: str) -> int:
        return strings.setdefault(string, len(strings))

    rows = list(_rows(root, ABSENT, [0]))
    names = tuple(dict.fromkeys(name for row in rows for name in row.style))
    styles = [[ABSENT] * len(names)]
    styles += [[number(row.style[name]) if name in row.style else ABSENT for name in names] for row in rows]
    pairs = [(number(name), number(value)) for row in rows for name, value in row.attributes.items()]
    parent = np.array([row.parent for row in rows], dtype=np.int32)
    flat = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    start = prefix_sum([len(row.attributes) for row in rows]).astype(np.int32)
    return Page(
        parent=parent,
        end=ends(parent),
        tag=np.array([number(row.tag) for row in rows], dtype=np.int32),
        text=np.array([ABSENT if row.text is None else number(row.text) for row in rows], dtype=np.int32),
        attributes=Attributes(start=start, name=flat[:, 0], value=flat[:, 1]),
        box=np.array([row.box or (np.nan,) * 4 for row in rows], dtype=np.float32).reshape(-1, 4),
        styles=np.array(styles, dtype=np.int32).reshape(len(rows) + 1, len(names)),
        style_of=np.arange(1, len(rows) + 1, dtype=np.int32),
        style_names=names,
        words=_words(rows),
        edge=np.zeros(len(rows), dtype=np.int8),
        url=url,
        title=title,
        kind=kind,
        viewport=(1280, 1024),
        strings=tuple(strings),
    )


@dataclass(frozen=True)
class _Row:
    """A node before it is written to the columns."""

    parent: int
    tag: str
    text: str | None
    box: Box | None
    style: dict[str, str]
    attributes: dict[str, str]


def _rows(item: Element | str, parent: int, count: list[int], around: Element | None = None) -> Iterator[_Row]:
    number = count[0]
    count[0] += 1
    if isinstance(item, str):
        box = around.box if around else None
        place = (box[0], box[1], box[0] + CHARACTER_WIDTH * len(item), box[1] + LINE_HEIGHT) if box else None
        yield _Row(parent, TEXT, item, place, around.style if around else {}, {})
        return
    yield _Row(parent, item.tag, None, item.box, item.style, item.attributes)
    for child in item.children:
        yield from _rows(child, number, count, item)


def _words(rows: list[_Row]) -> Words:
    found: list[tuple[int, int, int, Box]] = []
    for node, row in enumerate(rows):
        if row.text is None or row.box is None:
            continue
        x0, y0, _, y1 = row.box
        end = 0
        for word in row.text.split():
            start = row.text.index(word, end)
            end = start + len(word)
            found.append((node, start, end, (x0 + CHARACTER_WIDTH * start, y0, x0 + CHARACTER_WIDTH * end, y1)))
    columns = np.array([row[:3] for row in found], dtype=np.int32).reshape(-1, 3)
    boxes = np.array([row[3] for row in found], dtype=np.float32).reshape(-1, 4)
    return Words(node=columns[:, 0], start=columns[:, 1], end=columns[:, 2], box=boxes)


def list_page(items: Sequence[str], *, title: str = "A list") -> Page:
    r"""A page with one list, one item per line.

    >>> list_page(["one", "two"]).text_of()
    'one\ntwo'
    """
    width = COLUMN_WIDTH * 3
    lines = [
        element("li", item, box=(40, 40 + ROW_HEIGHT * row, 40 + width, 40 + ROW_HEIGHT * (row + 1)), style=_BLOCK)
        for row, item in enumerate(items)
    ]
    return _document(element("ul", *lines, box=(40, 40, 40 + width, 40 + ROW_HEIGHT * len(items)), style=_BLOCK), title)


def shop_pages(count: int) -> list[Page]:
    """Pages of a small shop with one template: a name, a price and, on every second page, a weight.

    >>> shop_pages(2)[1].text_of().splitlines()
    ['Home', 'Camera 1', 'Price: 101 €', 'All prices include tax.']
    """
    pages = []
    for number in range(count):
        weight = [element("tr", element("th", "Weight:"), element("td", f"{500 + 10 * number} g"))]
        rows = [
            element("tr", element("th", "Price:"), element("td", f"{100 + number} €")),
            *(weight if number % 2 == 0 else []),
        ]
        parts = [
            element("p", element("a", "Home")),
            element("h1", f"Camera {number}"),
            element("table", element("tbody", *rows)),
            element("p", "All prices include tax."),
        ]
        pages.append(page_of(element("html", element("body", *parts)), kind="static", title=f"Camera {number}"))
    return pages


def grid_page(
    rows: Sequence[Sequence[str]], *, tags: tuple[str, str, str] = ("table", "tr", "td"), title: str = "A table"
) -> Page:
    """A page with one grid of cells, by default a `<table>`; other tags make the same picture without one.

    >>> page = grid_page([["a", "b"], ["c", "d"]], tags=("div", "div", "span"))
    >>> page.node(page.with_tag("span")[3]).box
    (160.0, 64.0, 280.0, 88.0)
    """
    outer, line, cell = tags
    width, height = COLUMN_WIDTH * max(map(len, rows), default=0), ROW_HEIGHT * len(rows)
    lines = [
        element(
            line,
            *(element(cell, text, box=_cell(row, column), style=_CELL) for column, text in enumerate(texts)),
            box=(40, 40 + ROW_HEIGHT * row, 40 + width, 40 + ROW_HEIGHT * (row + 1)),
            style=_BLOCK,
        )
        for row, texts in enumerate(rows)
    ]
    return _document(element(outer, *lines, box=(40, 40, 40 + width, 40 + height), style=_BLOCK), title)


_BLOCK = {"display": "block", "visibility": "visible"}
_CELL = {"display": "table-cell", "visibility": "visible"}


def _cell(row: int, column: int) -> Box:
    x, y = 40 + COLUMN_WIDTH * column, 40 + ROW_HEIGHT * row
    return (x, y, x + COLUMN_WIDTH, y + ROW_HEIGHT)


def _document(content: Element, title: str) -> Page:
    whole: Box = (0, 0, 1280, 1024)
    body = element("body", content, box=whole, style=_BLOCK)
    return page_of(element("html", body, box=whole, style=_BLOCK, lang="en"), title=title)


def shifted(page: Page, x: float, y: float) -> Page:
    """The same page with everything moved, as if it had a wider margin."""
    by = np.array([x, y, x, y], dtype=np.float32)
    return replace(
        page,
        box=page.box + by,
        words=replace(page.words, box=page.words.box + by),
        rules=replace(page.rules, box=page.rules.box + by),
        sheets=page.sheets + by,
    )
