"""From the browser's snapshot to a page: the bytes of one DevTools answer become columns.

Two thirds of the answer are style rows, of which a page has only a few hundred distinct ones: so they are compared as
bytes, before anything is parsed, and only the distinct ones are read. The rest goes through orjson.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import orjson

from sightline.arrays import BoolArray, IntArray, prefix_sum
from sightline.errors import BrowserError
from sightline.gc_paused import gc_paused
from sightline.geometry import BoxArray
from sightline.page import ABSENT, INNER, PLAIN, SLOTTED, TEXT, Attributes, ends
from sightline.sources.browser._pipe import read_json

# The computed properties that a rendered page carries, in the order of its style columns.

_SIDES = ("bottom", "left", "right", "top")

# The 32 properties by which visual outliers are judged (Potvin & Villemaire 2018) …
_LOOKS = (
    "background-color",
    *(f"border-{side}-{what}" for side in _SIDES for what in ("color", "style", "width")),
    *("border-top-left-radius", "border-top-right-radius", "color", "font-size", "font-style", "font-weight"),
    *(f"margin-{side}" for side in _SIDES),
    "outline-color",
    *(f"padding-{side}" for side in _SIDES),
    *("position", "text-align", "text-decoration", "visibility"),
)
# … and what visibility and word boxes need beyond them.
_SHOWING = (
    *("display", "opacity", "overflow-x", "overflow-y", "clip", "clip-path", "font-family", "z-index"),
    *("letter-spacing", "word-spacing"),
)

STYLES: tuple[str, ...] = (*_LOOKS, *_SHOWING)


Array = TypeVar("Array", bound=npt.NDArray[Any])

ELEMENT, TEXT_NODE = 1, 3
STYLES_BEGIN, STYLES_END = b'"styles":[', b']],"bounds":'
ROWS_BORDER = b"],["
SHADOWS_BEGIN = b'"shadowRootType":{"index":['
FIRST_LETTER = "first-letter"
LONGEST_FIRST_LETTER = 100  # with the blanks and quotation marks before it


@dataclass(frozen=True)
class Fragments:
    """The pieces of text that the browser laid out, one per line: node, position in its text (UTF-16 units), box."""

    node: IntArray
    start: IntArray
    length: IntArray
    box: BoxArray
    shown: IntArray  # id of the text as shown, which may be in capitals

    def chosen(self, rows: BoolArray) -> "Fragments":
        """Only these rows."""
        return Fragments(*(getattr(self, column.name)[rows] for column in fields(self)))

    def renumbered(self, behind: int, by: int) -> "Fragments":
        """The same with the numbers of all nodes behind `behind` raised."""
        node = np.where(self.node > behind, self.node + by, self.node).astype(np.int32)
        return replace(self, node=node)

    @classmethod
    def joined(cls, *several: "Fragments") -> "Fragments":
        """All of them, one after the other."""
        names = [column.name for column in fields(cls)]
        return cls(*(np.concatenate([getattr(one, name) for one in several]) for name in names))


@dataclass(frozen=True)
class Snapshot:
    """The columns of a page as captured, with text fragments in place of words."""

    strings: tuple[str, ...]
    parent: IntArray
    end: IntArray
    tag: IntArray
    text: IntArray
    attributes: Attributes
    box: BoxArray
    styles: IntArray
    style_of: IntArray
    edge: npt.NDArray[np.int8]
    fragments: Fragments
    url: str
    title: str
    size: tuple[int, int]
    frames_missing: int


@dataclass(frozen=True)
class Shadows:
    """Where shadow trees begin, by the place of elements in the order shown: their hosts, and the filled slots."""

    elements: int
    hosts: list[int]
    slots: list[int]


def has_shadows(answer: bytes) -> bool:
    """Whether there is any shadow tree in an answer."""
    return SHADOWS_BEGIN in answer and answer.count(SHADOWS_BEGIN) > answer.count(SHADOWS_BEGIN + b"]")


def decode(answer: bytes, shadows: Shadows | None = None, *, source: str) -> Snapshot:
    """The snapshot in the raw answer to `DOMSnapshot.captureSnapshot`; `shadows` are those of the main document."""
    with gc_paused():
        rest, style_rows = _cut_styles(answer)
        result = _parse(rest, source)
        strings = list(result["strings"])
        rows = _StyleTable(style_rows)
        styles = rows.columns(len(STYLES))
        raw = result["documents"]
        documents = [_document(one, style, strings) for one, style in zip(raw, rows.of_layout, strict=True)]
        if shadows:
            documents[0] = _shadowed(documents[0], shadows)
        missing = _frames_missing(documents, strings)
        return _snapshot(_flattened(documents, 0, styles, strings), strings, styles, raw[0], missing)


def _parse(answer: bytes, source: str) -> dict[str, Any]:
    message = read_json(answer)
    if "error" in message:
        raise BrowserError(source, f"could not be captured ({message['error'].get('message')}); try again.")
    result: dict[str, Any] = message["result"]
    return result


def _cut_styles(answer: bytes) -> tuple[bytes, list[list[bytes]]]:
    """The answer with every list of style rows emptied, and those rows as bytes, one list a document.

    The key cannot occur inside a string, where its quotation marks would be escaped.
    """
    kept: list[bytes] = []
    rows: list[list[bytes]] = []
    position = 0
    while (begin := answer.find(STYLES_BEGIN, position)) >= 0:
        begin += len(STYLES_BEGIN)
        end = answer.find(STYLES_END, begin)
        if end < 0:
            break
        kept.append(answer[position:begin])
        rows.append(answer[begin + 1 : end].split(ROWS_BORDER))
        position = end + 1
    kept.append(answer[position:])
    return b"".join(kept), rows


class _StyleTable:
    """The distinct style rows of all documents; row 0 is for nodes without layout."""

    def __init__(self, rows: list[list[bytes]]) -> None:
        self._distinct = [row for row in dict.fromkeys(chain.from_iterable(rows)) if row]
        numbers = {b"": 0} | dict(zip(self._distinct, range(1, len(self._distinct) + 1), strict=True))
        self.of_layout = [np.fromiter(map(numbers.__getitem__, one), np.int32, len(one)) for one in rows]

    def columns(self, width: int) -> IntArray:
        """The distinct rows as ids into the strings."""
        table = np.full((len(self._distinct) + 1, width), ABSENT, dtype=np.int32)
        if self._distinct:
            table[1:] = orjson.loads(b"[[" + ROWS_BORDER.join(self._distinct) + b"]]")
        return table


@dataclass(frozen=True)
class _Columns:
    """The columns of one document (the page or a frame), elements and texts only; later with its frames inside."""

    parent: IntArray
    name: IntArray
    value: IntArray
    is_text: BoolArray
    attributes: list[list[int]]
    box: BoxArray
    style_of: IntArray
    edge: npt.NDArray[np.int8]
    fragments: Fragments
    frames: dict[int, int]  # node -> number of the document inside
    scroll: tuple[float, float]  # how far the document is scrolled

    def moved(self, offset: npt.NDArray[np.float32]) -> "_Columns":
        """The same, with everything moved by `offset`."""
        corners = np.tile(offset, 2)
        return replace(
            self, box=self.box + corners, fragments=replace(self.fragments, box=self.fragments.box + corners)
        )


def _document(raw: dict[str, Any], style: IntArray, strings: list[str]) -> _Columns:
    nodes, layout = raw["nodes"], raw["layout"]
    parent, kind = _ints(nodes["parentIndex"]), _ints(nodes["nodeType"])
    keep = (kind == ELEMENT) | (kind == TEXT_NODE)
    keep[_rare(nodes, "pseudoType")] = False
    kept = np.flatnonzero(keep)
    new = np.full(len(keep) + 1, ABSENT, dtype=np.int32)  # the last row serves the parent -1
    new[kept] = np.arange(len(kept), dtype=np.int32)
    of_layout = _ints(layout["nodeIndex"])
    box, style_of = _layout(len(keep), of_layout, _boxes(layout["bounds"]), style)
    held = nodes["attributes"]
    frames = nodes.get("contentDocumentIndex", {"index": [], "value": []})
    fragments = _fragments(raw, kind, of_layout, strings)
    return _Columns(
        parent=new[parent[kept]],
        name=_ints(nodes["nodeName"])[kept],
        value=_ints(nodes["nodeValue"])[kept],
        is_text=(kind == TEXT_NODE)[kept],
        attributes=[held[node] for node in kept.tolist()],
        box=box[kept],
        style_of=style_of[kept],
        edge=_edges(parent, _rare(nodes, "shadowRootType"))[kept],
        # Elements have lines too: of list markers, of `<br>`, of the words in place of a missing image.
        fragments=replace(fragments, node=new[fragments.node]).chosen((kind == TEXT_NODE)[fragments.node]),
        frames={int(new[node]): inner for node, inner in zip(frames["index"], frames["value"], strict=True)},
        scroll=(raw.get("scrollOffsetX", 0.0), raw.get("scrollOffsetY", 0.0)),
    )


def _fragments(raw: dict[str, Any], kind: IntArray, of_layout: IntArray, strings: list[str]) -> Fragments:
    """The laid-out lines, their places counted in the text of the node.

    The browser counts differently in two cases: after the letters removed by `::first-letter`, and in characters as
    displayed, of which `text-transform` may have made more (ß becomes SS).
    """
    nodes, layout, lines = raw["nodes"], raw["layout"], raw["textBoxes"]
    of_line = _ints(lines["layoutIndex"])
    node, start, length = of_layout[of_line], _ints(lines["start"]), _ints(lines["length"])
    shown = _ints(layout["text"])[of_line]
    for letter, text in _first_letters(nodes, kind, strings):
        rest = np.flatnonzero(node == text)
        if len(rest):
            start[rest] += _first_letter_units(strings[nodes["nodeValue"][text]], strings[shown[rest[0]]])
        node[node == letter] = text
    order = np.lexsort((start, node))
    behind = order[1:]
    goes_on = (node[behind] == node[order[:-1]]) & (start[behind] > start[order[:-1]])
    room = np.where(goes_on, start[behind] - start[order[:-1]], length[order[:-1]])
    length[order[:-1]] = np.minimum(length[order[:-1]], room)
    return Fragments(node=node, start=start, length=length, box=_boxes(lines["bounds"]), shown=shown)


def _first_letter_units(value: str, rest: str) -> int:
    """How many UTF-16 units of a text come before the rest that is shown apart from its first letter."""
    rest = rest.upper()
    for place in range(min(len(value), LONGEST_FIRST_LETTER) + 1):
        if value[place:].upper() == rest:
            return place + sum(character > "\uffff" for character in value[:place])
    return 0


def _first_letters(nodes: dict[str, Any], kind: IntArray, strings: list[str]) -> Iterator[tuple[int, int]]:
    """The pseudo-elements of first letters, each with the text node from which its letter was taken."""
    pseudo = nodes.get("pseudoType", {"index": [], "value": []})
    texts = np.flatnonzero(kind == TEXT_NODE)
    for node, value in zip(pseudo["index"], pseudo["value"], strict=True):
        if strings[value] != FIRST_LETTER:
            continue
        for text in texts[np.searchsorted(texts, node) :].tolist():
            if not strings[nodes["nodeValue"][text]].isspace():
                yield node, text
                break


def _ints(values: list[int]) -> IntArray:
    return np.array(values, dtype=np.int32)


def _rare(nodes: dict[str, Any], name: str) -> IntArray:
    """The nodes that have some rare property."""
    return _ints(nodes.get(name, {}).get("index", []))


def _boxes(bounds: list[list[float]]) -> BoxArray:
    """Corners from corner and size."""
    boxes = np.fromiter(chain.from_iterable(bounds), dtype=np.float64, count=4 * len(bounds)).reshape(-1, 4)
    boxes[:, 2:] += boxes[:, :2]
    return boxes.astype(np.float32)


def _layout(count: int, node: IntArray, bounds: BoxArray, style: IntArray) -> tuple[BoxArray, IntArray]:
    """Box and style of each node: one with several layout objects has the box around them and the first's style."""
    box = np.full((count, 4), np.nan, dtype=np.float32)
    style_of = np.zeros(count, dtype=np.int32)
    box[node[::-1]] = bounds[::-1]
    style_of[node[::-1]] = style[::-1]
    several = (np.bincount(node, minlength=count) > 1)[node]
    low, high = box[:, :2], box[:, 2:]
    np.minimum.at(low, node[several], bounds[several, :2])
    np.maximum.at(high, node[several], bounds[several, 2:])
    return box, style_of


def _edges(parent: IntArray, in_shadow: IntArray) -> npt.NDArray[np.int8]:
    """What stands between each node and its parent: nothing, the border of a shadow tree, or a slot of one."""
    edge = np.full(len(parent), PLAIN, dtype=np.int8)
    if len(in_shadow):
        shadow = np.zeros(len(parent), dtype=bool)
        shadow[in_shadow] = True
        edge[shadow & ~shadow[parent]] = INNER
        edge[~shadow & shadow[parent] & (parent >= 0)] = SLOTTED
    return edge


def _shadowed(columns: _Columns, shadows: Shadows) -> _Columns:
    """The columns with the edges reported by the page itself; unchanged if the page changed or has closed trees."""
    elements = np.flatnonzero(~columns.is_text)
    if len(elements) != shadows.elements:
        return columns
    edge = np.full(len(columns.parent), PLAIN, dtype=np.int8)
    edge[np.isin(columns.parent, elements[shadows.hosts])] = INNER
    edge[np.isin(columns.parent, elements[shadows.slots])] = SLOTTED
    return replace(columns, edge=edge)


def _flattened(documents: list[_Columns], number: int, styles: IntArray, strings: list[str]) -> _Columns:
    """A document with the documents of its frames below them; from the last frame on, so that places stay right."""
    outer, frames = documents[number], documents[number].frames
    for node in sorted(frames, reverse=True):
        inner = _flattened(documents, frames[node], styles, strings)
        corner = _inner_corner(outer, node, styles, strings) - np.array(inner.scroll, dtype=np.float32)
        outer = _spliced(outer, node, inner.moved(corner))
    return outer


# The places of these four in the style columns.
_BORDERS_AND_PADDINGS = tuple(
    tuple(STYLES.index(name) for name in names)
    for names in (("border-left-width", "padding-left"), ("border-top-width", "padding-top"))
)


def _inner_corner(columns: _Columns, node: int, styles: IntArray, strings: list[str]) -> npt.NDArray[np.float32]:
    """Where the content of a frame begins: its box, less border and padding."""
    row = styles[columns.style_of[node]]
    inset = [
        sum(float(strings[row[place]].removesuffix("px") or 0) for place in places if row[place] >= 0)
        for places in _BORDERS_AND_PADDINGS
    ]
    corner: npt.NDArray[np.float32] = np.nan_to_num(columns.box[node][:2]) + np.array(inset, dtype=np.float32)
    return corner


def _spliced(outer: _Columns, at: int, inner: _Columns) -> _Columns:
    """The outer columns with the inner ones behind the node `at`, as its children."""
    size, place = len(inner.parent), at + 1
    edge = inner.edge.copy()
    edge[inner.parent < 0] = INNER

    def put(of_outer: Array, of_inner: Array) -> Array:
        return np.concatenate([of_outer[:place], of_inner, of_outer[place:]])  # type: ignore[return-value]

    shifted = np.where(outer.parent > at, outer.parent + size, outer.parent)
    return _Columns(
        parent=put(shifted, np.where(inner.parent < 0, at, inner.parent + place)).astype(np.int32),
        name=put(outer.name, inner.name),
        value=put(outer.value, inner.value),
        is_text=put(outer.is_text, inner.is_text),
        attributes=[*outer.attributes[:place], *inner.attributes, *outer.attributes[place:]],
        box=put(outer.box, inner.box),
        style_of=put(outer.style_of, inner.style_of),
        edge=put(outer.edge, edge),
        fragments=Fragments.joined(outer.fragments.renumbered(at, size), inner.fragments.renumbered(-1, place)),
        frames={},
        scroll=outer.scroll,
    )


def _snapshot(columns: _Columns, strings: list[str], styles: IntArray, main: dict[str, Any], missing: int) -> Snapshot:
    held = columns.attributes
    flat = np.fromiter(chain.from_iterable(held), dtype=np.int32).reshape(-1, 2)
    start = prefix_sum(np.fromiter(map(len, held), np.int32, len(held)) // 2).astype(np.int32)
    flat[flat < 0] = empty = _empty(strings)
    without_place = columns.is_text.copy()
    without_place[columns.fragments.node] = False
    box = columns.box.copy()
    box[without_place] = np.nan  # blanks between elements have a layout object but no place
    return Snapshot(
        parent=columns.parent,
        end=ends(columns.parent),
        tag=_tags(columns, strings),
        text=np.where(columns.is_text, np.where(columns.value < 0, empty, columns.value), ABSENT).astype(np.int32),
        attributes=Attributes(start=start, name=flat[:, 0], value=flat[:, 1]),
        box=box,
        styles=styles,
        style_of=columns.style_of,
        edge=columns.edge,
        fragments=columns.fragments,
        url=strings[main["documentURL"]],
        title=strings[main["title"]] if main.get("title", ABSENT) >= 0 else "",
        size=(int(main.get("contentWidth", 0)), int(main.get("contentHeight", 0))),
        frames_missing=missing,
        strings=tuple(strings),
    )


def _empty(strings: list[str]) -> int:
    """The number of the empty string, for which the browser gives -1."""
    if "" not in strings:
        strings.append("")
    return strings.index("")


def _tags(columns: _Columns, strings: list[str]) -> IntArray:
    """Tag names in lower case, as far as they are HTML's (those the browser gives in capitals); `#text` for texts."""
    numbers = {string: number for number, string in enumerate(strings)}
    table = np.arange(len(strings) + 1, dtype=np.int32)
    for old in np.unique(columns.name).tolist():
        name = strings[old]
        lower = TEXT if name == "#text" else name.lower() if name == name.upper() else name
        if lower not in numbers:
            numbers[lower] = len(strings)
            strings.append(lower)
        table[old] = numbers[lower]
    return table[columns.name]


def _frames_missing(documents: list[_Columns], strings: list[str]) -> int:
    """How many frames lack their document: those of other sites run in separate processes."""
    names = [number for number, string in enumerate(strings) if string in ("IFRAME", "FRAME")]
    shown = sum(int((np.isin(one.name, names) & ~np.isnan(one.box[:, 0])).sum()) for one in documents)
    return max(0, shown - sum(len(one.frames) for one in documents))
