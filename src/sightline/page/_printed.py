"""A printed document before anything is found in it: words in lines on sheets, as plain columns in document order.

It holds what its bare page would (`bare_page`), which takes as long to build as all that follows takes to read: so a
page is built once, when it is known what its lines are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from sightline.arrays import begins
from sightline.geometry import Box, BoxArray
from sightline.page._columns import ABSENT, TEXT, Attributes, DrawnRules, Words
from sightline.page._page import Page

# -- builds a page node by node, in document order: for sources without markup --------------------------------------

EMPTY = (np.inf, np.inf, -np.inf, -np.inf)


class Builder:
    """Collects nodes; an element without a box gets the box around its content.

    >>> builder = Builder(("display",))
    >>> builder.open("html")
    >>> builder.open("p", style=("block",))
    >>> builder.text("Hello there", [(0, 5, (0.0, 0.0, 40.0, 16.0)), (6, 11, (44.0, 0.0, 90.0, 16.0))])
    >>> builder.close()
    >>> builder.close()
    >>> page = builder.page(kind="pdf")
    >>> page.text_of(), page.box[1].tolist()
    ('Hello there', [0.0, 0.0, 90.0, 16.0])
    """

    def __init__(self, style_names: Sequence[str] = ()) -> None:
        self._strings: dict[str, int] = {}
        self._styles: dict[tuple[str, ...], int] = {}
        self._style_names = tuple(style_names)
        self._open: list[int] = []
        self._style_of: list[int] = []
        self._parent: list[int] = []
        self._end: list[int] = []
        self._tag: list[int] = []
        self._text: list[int] = []
        self._boxed: list[int] = []
        self._boxes: list[Sequence[float]] = []
        self._starts: list[int] = [0]
        self._names: list[int] = []
        self._values: list[int] = []
        self._word_nodes: list[int] = []
        self._word_starts: list[int] = []
        self._word_ends: list[int] = []
        self._word_boxes: list[Sequence[float]] = []

    def __len__(self) -> int:
        """How many nodes there are so far."""
        return len(self._parent)

    def open(
        self,
        tag: str,
        attributes: Mapping[str, str] | None = None,
        *,
        box: Sequence[float] | None = None,
        style: tuple[str, ...] | None = None,
    ) -> None:
        """Open an element; without a style, it looks like the one around it."""
        number = self._add(tag, ABSENT, style)
        self._open.append(number)
        if box is not None:
            self._boxed.append(number)
            self._boxes.append(box)
        if attributes:
            self._names += map(self._id, attributes)
            self._values += map(self._id, attributes.values())
        self._starts.append(len(self._names))

    def close(self) -> None:
        """Close the last opened element."""
        self._end[self._open.pop()] = len(self._parent)

    def text(
        self, text: str, words: Sequence[tuple[int, int, Sequence[float]]] = (), *, style: tuple[str, ...] | None = None
    ) -> None:
        """A text with its words: from which character to which, and the box."""
        starts, ends, boxes = zip(*words, strict=True) if words else ((), (), ())
        self.text_of_words(text, starts, ends, boxes, style=style)

    def text_of_words(
        self,
        text: str,
        starts: Sequence[int],
        ends: Sequence[int],
        boxes: Sequence[Sequence[float]],
        *,
        style: tuple[str, ...] | None = None,
    ) -> None:
        """A text with its words, as columns."""
        number = self._add(TEXT, self._id(text), style)
        self._end[number] = number + 1
        self._starts.append(len(self._names))
        self._word_nodes += [number] * len(boxes)
        self._word_starts += starts
        self._word_ends += ends
        self._word_boxes += boxes

    def string_id(self, string: str) -> int:
        """The id of a string, for columns that are handed in whole."""
        return self._id(string)

    def page(self, **rest: Any) -> Page:
        """The page; `rest` are the columns and facts that have nothing to do with nodes."""
        count = len(self._parent)
        end, word_nodes, word_boxes = _ints(self._end), _ints(self._word_nodes), _boxes(self._word_boxes)
        styles = np.array([[self._id(value) for value in row] for row in self._styles], dtype=np.int32)
        return Page(
            strings=tuple(self._strings),  # complete: the styles above were the last to bring new ones
            parent=_ints(self._parent),
            end=end,
            tag=_ints(self._tag),
            text=_ints(self._text),
            attributes=Attributes(start=_ints(self._starts), name=_ints(self._names), value=_ints(self._values)),
            box=_around(end, (_ints(self._boxed), _boxes(self._boxes)), (word_nodes, word_boxes)),
            styles=styles.reshape(len(self._styles), len(self._style_names)),
            style_of=_ints(self._style_of),
            style_names=self._style_names,
            words=Words(
                node=word_nodes,
                start=_ints(self._word_starts),
                end=_ints(self._word_ends),
                box=word_boxes,
            ),
            edge=np.zeros(count, dtype=np.int8),
            **rest,
        )

    def _add(self, tag: str, text: int, style: tuple[str, ...] | None) -> int:
        number = len(self._parent)
        above = self._open[-1] if self._open else ABSENT
        if style is not None:
            known = self._style_id(style)
        else:
            known = self._style_of[above] if above >= 0 else self._style_id(("",) * len(self._style_names))
        self._style_of.append(known)
        self._parent.append(above)
        self._end.append(0)
        self._tag.append(self._id(tag))
        self._text.append(text)
        return number

    def _id(self, string: str) -> int:
        return self._strings.setdefault(string, len(self._strings))

    def _style_id(self, style: tuple[str, ...]) -> int:
        return self._styles.setdefault(style, len(self._styles))


def _ints(values: list[int]) -> npt.NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def _around(
    end: npt.NDArray[np.int32],
    given: tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]],
    words: tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]],
) -> npt.NDArray[np.float32]:
    """The box around each node and all below it; NaN where nothing has one. Both pairs are nodes and boxes."""
    count = len(end)
    own = np.tile(np.array(EMPTY, dtype=np.float32), (count + 1, 1))  # the last row lets ranges end at the last node
    own[given[0]] = given[1]
    node, box = words
    if len(node):
        first = np.flatnonzero(begins(node))
        own[node[first], :2] = np.minimum.reduceat(box[:, :2], first)
        own[node[first], 2:] = np.maximum.reduceat(box[:, 2:], first)
    ranges = np.stack([np.arange(count), end], axis=1).reshape(-1)
    low, high = np.fmin.reduceat(own[:, :2], ranges)[::2], np.fmax.reduceat(own[:, 2:], ranges)[::2]
    around = np.concatenate([low, high], axis=1) if count else own[:0]
    around[~np.isfinite(around).all(axis=1)] = np.nan
    return around


def _boxes(boxes: Sequence[Sequence[float]]) -> npt.NDArray[np.float32]:
    """Boxes as an array; from one stream of numbers, which takes a third of the time of rows."""
    return np.fromiter(chain.from_iterable(boxes), dtype=np.float32, count=4 * len(boxes)).reshape(-1, 4)


# -- A printed document before anything is found in it --------------------------------------------------------------

SHIFTS = {1: "sup", -1: "sub"}
DOUBTFUL = 70
"""In percent: a recognised word that is less sure is named as doubtful."""


@dataclass(eq=False)
class PrintedLines:
    """The lines of a document with their words, one list for each property.

    `starts` has the first word of each line, and at its end the number of words. Nodes are those of the bare page.
    """

    text: list[str] = field(default_factory=list)  # of each word
    box: list[list[float]] = field(default_factory=list)
    spaced: list[bool] = field(default_factory=list)  # whether a blank stands before the word
    style: list[int] = field(default_factory=list)
    shift: list[int] = field(default_factory=list)  # 1 where it is raised, -1 where it is lowered
    link: list[str] = field(default_factory=list)
    confidence: list[int] = field(default_factory=list)  # in percent, of a recognised word; -1 if the file has its text
    run: list[bool] = field(default_factory=list)  # whether a text of its own begins with the word
    starts: list[int] = field(default_factory=lambda: [0])
    node: list[int] = field(default_factory=list)  # of each line
    line_box: list[list[float]] = field(default_factory=list)
    line_style: list[int] = field(default_factory=list)  # of most of the line
    block: list[int] = field(default_factory=list)  # the node of the block that holds it
    block_tag: list[str] = field(default_factory=list)  # `div`, `header` or `footer`
    angle: list[int] = field(default_factory=list)
    hyphenated: list[bool] = field(default_factory=list)
    tag: list[str] = field(default_factory=list)  # the types of a tagged PDF around it, outermost first
    sheet: list[int] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class PrintedSheet:
    """A sheet: its node on the bare page, the box around all that is on it, its attributes and its pictures."""

    node: int
    box: Box
    attributes: Mapping[str, str]
    images: BoxArray
    figures: BoxArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Printed:
    """A whole document: its lines, what is drawn, and everything else that a page holds."""

    lines: PrintedLines
    sheets: tuple[PrintedSheet, ...]
    style_names: tuple[str, ...]
    styles: tuple[tuple[str, ...], ...]  # the first is that of the document
    rules: BoxArray
    rule_colour: list[str]
    sheet_boxes: BoxArray
    sheet_numbers: tuple[int, ...] = ()
    viewport: tuple[int, int] = (0, 0)
    url: str = ""
    title: str = ""
    notes: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    screenshot: bytes | None = None

    def finished(self, builder: Builder) -> Page:
        """The page of all nodes of a builder, with what belongs to no node."""
        colours = {colour: builder.string_id(colour) for colour in dict.fromkeys(self.rule_colour)}
        ids = np.array([colours[colour] for colour in self.rule_colour], dtype=np.int32)
        return builder.page(
            url=self.url,
            title=self.title,
            kind="pdf",
            viewport=self.viewport,
            sheet_numbers=self.sheet_numbers,
            sheets=self.sheet_boxes,
            rules=DrawnRules(box=self.rules, colour=ids),
            notes=self.notes,
            gaps=self.gaps,
            screenshot=self.screenshot,
        )


def bare_page(printed: Printed) -> Page:
    """The document as a page of `section` (a sheet), `header`, `footer` and `div` (blocks) and `span` (lines)."""
    builder = Builder(printed.style_names)
    lines = printed.lines
    builder.open("html", style=printed.styles[0])
    builder.open("body")
    blocks = {
        sheet: [list(held) for _, held in groupby(numbers, key=lines.block.__getitem__)]
        for sheet, numbers in groupby(range(len(lines.node)), key=lines.sheet.__getitem__)
    }
    for number, sheet in enumerate(printed.sheets):
        builder.open("section", sheet.attributes, box=sheet.box)
        for block in blocks.get(number, ()):
            builder.open(lines.block_tag[block[0]])
            for line in block:
                _write_line(builder, printed, line)
            builder.close()
        for tag, boxes in (("img", sheet.images), ("svg", sheet.figures)):
            for box in boxes.tolist():
                builder.open(tag, box=box)
                builder.close()
        builder.close()
    builder.close()
    builder.close()
    return printed.finished(builder)


def _write_line(builder: Builder, printed: Printed, line: int) -> None:
    """A line as a `span` of texts."""
    lines = printed.lines
    attributes = {}
    if lines.angle[line]:
        attributes["data-angle"] = str(lines.angle[line])
    if lines.hyphenated[line]:
        attributes["data-hyphen"] = "true"
    if lines.tag[line]:
        attributes["data-tag"] = lines.tag[line]
    first, last = lines.starts[line], lines.starts[line + 1]
    if lines.confidence[first] >= 0:
        attributes["data-confidence"] = " ".join(map(str, lines.confidence[first:last]))
    builder.open("span", attributes, style=printed.styles[lines.line_style[line]])
    starts = [word for word in range(first, last) if lines.run[word]]
    for start, stop in zip(starts, [*starts[1:], last], strict=True):
        _write_run(builder, printed, start, stop)
    builder.close()


def _write_run(builder: Builder, printed: Printed, first: int, last: int) -> None:
    """Words that are set alike, as one text."""
    lines = printed.lines
    words, text = [], ""
    for word in range(first, last):
        text += " " if lines.spaced[word] else ""
        words.append((len(text), len(text) + len(lines.text[word]), lines.box[word]))
        text += lines.text[word]
    style, link, shift = printed.styles[lines.style[first]], lines.link[first], SHIFTS.get(lines.shift[first])
    if link:
        builder.open("a", {"href": link}, style=style)
    if shift:
        builder.open(shift, style=style)
    builder.text(text, words, style=style)
    for _ in range(bool(link) + bool(shift)):
        builder.close()
