"""Builds a page node by node, in document order: for sources without markup.

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

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.page._columns import Attributes, Words
from sightline.page._page import ABSENT, TEXT, Page

__all__ = ["Builder"]

Corners: TypeAlias = tuple[float, float, float, float]
EMPTY = (np.inf, np.inf, -np.inf, -np.inf)
NOTHING: Mapping[str, str] = {}


class Builder:
    """Collects nodes; an element without a box gets the box around its content."""

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
        self._box: list[Corners] = []
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
        self._open.append(self._add(tag, ABSENT, box, style, attributes or NOTHING))

    def close(self) -> None:
        """Close the last opened element."""
        number = self._open.pop()
        self._end[number] = len(self._parent)
        if self._open:
            self._grow(self._open[-1], self._box[number])

    def text(
        self, text: str, words: Iterable[tuple[int, int, Sequence[float]]] = (), *, style: tuple[str, ...] | None = None
    ) -> None:
        """A text with its words: from which character to which, and the box."""
        number = self._add(TEXT, self._id(text), None, style, NOTHING)
        self._end[number] = number + 1
        columns = tuple(zip(*words, strict=True))
        if not columns:
            return
        starts, ends, boxes = columns
        self._word_nodes += [number] * len(boxes)
        self._word_starts += starts
        self._word_ends += ends
        self._word_boxes += boxes
        if len(boxes) == 1:
            around: Corners = (boxes[0][0], boxes[0][1], boxes[0][2], boxes[0][3])
        else:
            left, top, right, bottom = zip(*boxes, strict=True)
            around = (min(left), min(top), max(right), max(bottom))
        self._box[number] = around
        if self._open:
            self._grow(self._open[-1], around)

    def string_id(self, string: str) -> int:
        """The id of a string, for columns that are handed in whole."""
        return self._id(string)

    def page(self, **rest: Any) -> Page:
        """The page; `rest` are the columns and facts that have nothing to do with nodes."""
        count = len(self._parent)
        box = _boxes(self._box)
        box[~np.isfinite(box).all(axis=1)] = np.nan
        styles = np.array([[self._id(value) for value in row] for row in self._styles], dtype=np.int32)
        return Page(
            strings=tuple(self._strings),  # complete: the styles above were the last to bring new ones
            parent=_ints(self._parent),
            end=_ints(self._end),
            tag=_ints(self._tag),
            text=_ints(self._text),
            attributes=Attributes(start=_ints(self._starts), name=_ints(self._names), value=_ints(self._values)),
            box=box,
            styles=styles.reshape(len(self._styles), len(self._style_names)),
            style_of=_ints(self._style_of),
            style_names=self._style_names,
            words=Words(
                node=_ints(self._word_nodes),
                start=_ints(self._word_starts),
                end=_ints(self._word_ends),
                box=_boxes(self._word_boxes),
            ),
            edge=np.zeros(count, dtype=np.int8),
            **rest,
        )

    def _add(
        self,
        tag: str,
        text: int,
        box: Sequence[float] | None,
        style: tuple[str, ...] | None,
        attributes: Mapping[str, str],
    ) -> int:
        above = self._open[-1] if self._open else ABSENT
        if style is None:
            known = self._style_of[above] if above >= 0 else self._style_id(("",) * len(self._style_names))
        else:
            known = self._style_id(style)
        self._style_of.append(known)
        self._parent.append(above)
        self._end.append(0)
        self._tag.append(self._id(tag))
        self._text.append(text)
        self._box.append(EMPTY if box is None else (float(box[0]), float(box[1]), float(box[2]), float(box[3])))
        if attributes:
            self._names += map(self._id, attributes)
            self._values += map(self._id, attributes.values())
        self._starts.append(len(self._names))
        return len(self._parent) - 1

    def _grow(self, number: int, box: Corners) -> None:
        x0, y0, x1, y1 = self._box[number]
        a0, b0, a1, b1 = box
        if a0 < x0 or b0 < y0 or a1 > x1 or b1 > y1:
            self._box[number] = (min(x0, a0), min(y0, b0), max(x1, a1), max(y1, b1))

    def _id(self, string: str) -> int:
        return self._strings.setdefault(string, len(self._strings))

    def _style_id(self, style: tuple[str, ...]) -> int:
        return self._styles.setdefault(style, len(self._styles))


def _ints(values: list[int]) -> npt.NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def _boxes(boxes: Sequence[Sequence[float]]) -> npt.NDArray[np.float32]:
    """Boxes as an array; from one stream of numbers, which takes a third of the time of rows."""
    return np.fromiter(chain.from_iterable(boxes), dtype=np.float32, count=4 * len(boxes)).reshape(-1, 4)
