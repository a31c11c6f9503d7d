"""For tests, ours and yours: hand-built pages, and the contract for every extractor.

The contract for every extractor, checked on any page.

An extractor is a function from a page to a list of results (tables, records, values). Run this in a test of any
extractor, here or in a plugin:

>>> from sightline.data import Value, origin_of
>>> def first_words(page):
...     return [Value(page.text_of(node), origin=origin_of(page, [node])) for node in page.with_tag("li")]
>>> check_extractor(first_words, [list_page(["one", "two"])])
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import orjson

from sightline.arrays import prefix_sum
from sightline.data import ContentPart, Origin, Result, Value
from sightline.geometry import Box
from sightline.page import ABSENT, TEXT, Attributes, Page, PageKind, Words, dumps, ends, loads

__all__ = ["Element", "check_extractor", "element", "grid_page", "list_page", "page_of", "shifted", "shop_pages"]

PageFunction = Callable[[Page], Sequence[Any]]

SHIFT = (64.0, 32.0)
SLACK = 1.0  # pixels; boxes are kept in 32 bits


def check_extractor(extract: PageFunction, pages: Iterable[Page] | None = None) -> None:
    """Check the contract on some pages (by default on a list and a grid); AssertionError says what is broken.

    The same page gives the same result; the page is not changed; an empty page gives an empty list; a saved and opened
    page gives the same; every value is a text that stands at its origin; origins lie on the page; results survive
    JSON; and when the page is moved, the origins move with it.
    """
    _check_empty(extract)
    for page in (
        pages if pages is not None else (list_page(["one", "two", "three"]), grid_page([["a", "b"], ["c", "d"]]))
    ):
        found = extract(page)
        _check_repeatable(extract, page, found)
        for value in _values(found):
            _check_origin(page, value)
        _check_json(found)
        _check_shift(extract, page, found)


def _check_empty(extract: PageFunction) -> None:
    empty = page_of(element("html", element("body")))
    found = extract(empty)
    assert isinstance(found, Sequence), f"an extractor returns a list, not {type(found).__name__}"
    assert not list(found), f"an empty page gave {len(found)} results; nothing found is an empty list"


def _check_repeatable(extract: PageFunction, page: Page, found: Sequence[Any]) -> None:
    before = page.id
    assert _plain(extract(page)) == _plain(found), "the same page gave another result the second time"
    assert loads(dumps(page)).id == before, "the page was changed by the extractor"
    assert _plain(extract(loads(dumps(page)))) == _plain(found), "the saved and opened page gave another result"


def _check_origin(page: Page, value: Value) -> None:
    origin = value.origin
    if origin is None:
        assert not value.text.strip(), f"the value {value.text!r} has no origin"
        return
    assert origin.page == page.whole_id, f"the origin of {value.text!r} is on another page"
    assert all(0 <= node < len(page) for node in origin.nodes), f"the origin of {value.text!r} names nodes off the page"
    seen = "".join(page.text_of(node) for node in origin.nodes)
    assert _bare(value.text) in _bare(seen), f"the value {value.text!r} does not stand at its origin ({seen[:80]!r})"
    assert _inside(origin.box, page), f"the origin of {value.text!r} has the box {origin.box}, off the page"


def _inside(box: Box | None, page: Page) -> bool:
    if box is None:
        return True
    if page.bounds is None:
        return False
    low, high = np.array(page.bounds[:2]) - SLACK, np.array(page.bounds[2:]) + SLACK
    return bool((np.array(box[:2]) >= low).all() and (np.array(box[2:]) <= high).all())


def _check_json(found: Sequence[Any]) -> None:
    for result in found:
        if isinstance(result, Result):
            document = result.to_json(origins=True)
            assert orjson.loads(orjson.dumps(document)) == document, f"{result!r:.60} did not survive JSON"


def _check_shift(extract: PageFunction, page: Page, found: Sequence[Any]) -> None:
    moved = [value.origin for value in _values(extract(shifted(page, *SHIFT)))]
    at_first = [value.origin for value in _values(found)]
    assert len(moved) == len(at_first), "the moved page gave another number of values"
    for one, other in zip(at_first, moved, strict=True):
        expected = None if one is None else _moved(one)
        actual = None if other is None else (other.nodes, other.box)
        same = expected is None if actual is None else expected is not None and _alike(expected, actual)
        assert same, f"the page was moved by {SHIFT} and the origin went from {one} to {other}"


def _moved(origin: Origin) -> tuple[tuple[int, ...], Box | None]:
    x, y = SHIFT
    box = origin.box
    return origin.nodes, box and (box[0] + x, box[1] + y, box[2] + x, box[3] + y)


def _alike(one: tuple[tuple[int, ...], Box | None], other: tuple[tuple[int, ...], Box | None]) -> bool:
    if one[0] != other[0] or (one[1] is None) != (other[1] is None):
        return False
    return one[1] is None or other[1] is None or bool(np.allclose(one[1], other[1], atol=SLACK))


def _bare(text: str) -> str:
    return "".join(text.split())


def _values(result: Any) -> Iterator[Value]:
    """Every value in what an extractor gave: results, values, records, or several of these."""
    if isinstance(result, Value):
        yield result
    elif isinstance(result, Result):
        yield from result.values()
    elif isinstance(result, ContentPart):
        yield result.value
    elif isinstance(result, Mapping):
        yield from _values(list(result.values()))
    elif isinstance(result, str | bytes | int | float):
        raise AssertionError(f"the result holds {result!r}, a bare {type(result).__name__} without an origin")
    elif isinstance(result, Iterable):
        for part in result:
            yield from _values(part)


def _plain(found: Sequence[Any]) -> list[tuple[str, Any]]:
    return [(value.text, value.origin) for value in _values(found)]


# -- small pages built by hand, with boxes and styles as a browser would give them ----------------------------------

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
