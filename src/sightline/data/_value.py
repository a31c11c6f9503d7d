"""A value and its origin."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from sightline.data._types import Typed
from sightline.errors import UsageError
from sightline.geometry import Box, BoxArray, union, union_of

# Where a value was seen on a page.


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value was seen: plain values, so that it outlives the page and can be stored.

    `page` is the page's id, `nodes` are node numbers in it, `box` is in CSS pixels, `sheet` counts from 1. Where a
    value is only a part of what stands there, `original` is all of it.

    >>> Origin("3f2a", (17, 18), (10.0, 20.0, 60.0, 32.0)).nodes
    (17, 18)
    """

    page: str
    nodes: tuple[int, ...] = ()
    box: Box | None = None
    sheet: int = 1
    original: str = ""


class OriginPage(Protocol):
    """What an origin needs to know about a page."""

    @property
    def whole_id(self) -> str:
        """The id of the whole page, also on a part of it."""

    @property
    def number_list(self) -> Sequence[int]:
        """The number that each node has on the whole page."""

    @property
    def box(self) -> BoxArray:
        """The box of each node."""

    def sheet_of(self, box: Box | None) -> int:
        """The sheet on which a box begins."""


def origin_of(page: OriginPage, nodes: Sequence[int] | npt.NDArray[Any]) -> Origin:
    """The origin of some nodes of a page: their numbers on the whole page, the box around them, and its sheet.

    >>> from sightline.testing import list_page
    >>> page = list_page(["one", "two"])
    >>> origin_of(page, page.with_tag("li")[1:]).nodes
    (5,)
    """
    if len(nodes) != 1:
        return origin_at(page, nodes, union(page.box[np.asarray(nodes, dtype=np.int64)]))
    x0, y0, x1, y1 = page.box[nodes[0]].tolist()  # by far the most common case, and much faster than an array
    return origin_at(page, nodes, None if x0 != x0 else (x0, y0, x1, y1))


def origin_at(page: OriginPage, nodes: Sequence[int] | npt.NDArray[Any], box: Box | None) -> Origin:
    """The origin of some nodes whose box is known, or None where they have none."""
    numbers = page.number_list
    nodes = nodes.tolist() if isinstance(nodes, np.ndarray) else nodes
    return Origin(page.whole_id, tuple([numbers[node] for node in nodes]), box, page.sheet_of(box))


def origins_at(page: OriginPage, nodes: Sequence[Sequence[int]], boxes: Sequence[Box | None] | None) -> list[Origin]:
    """As `origin_at` for many; without `boxes` none has one."""
    numbers = page.number_list
    whole: list[tuple[int, ...]]
    if {*map(len, nodes)} == {1}:  # as for all tables but those found by their words
        whole = list(zip(map(numbers.__getitem__, chain.from_iterable(nodes)), strict=True))
    else:
        whole = [tuple([numbers[node] for node in several]) for several in nodes]
    columns: dict[str, Sequence[Any]] = {"nodes": whole}
    if boxes is None:
        return filled(Origin, columns, page=page.whole_id, box=None, sheet=page.sheet_of(None), original="")
    columns |= {"box": boxes, "sheet": list(map(page.sheet_of, boxes))}
    return filled(Origin, columns, page=page.whole_id, original="")


def joined_origin(origins: Iterable[Origin]) -> Origin | None:
    """One origin around several, if all are on one page; its sheet is the first of theirs.

    >>> joined_origin([Origin("3f2a", (17,)), Origin("3f2a", (18,))])
    Origin(page='3f2a', nodes=(17, 18), box=None, sheet=1, original='')
    >>> joined_origin([Origin("3f2a", (17,)), Origin("77b0", (18,))])
    """
    several = list(origins)
    if len({origin.page for origin in several}) != 1:
        return None
    nodes = tuple(dict.fromkeys(node for origin in several for node in origin.nodes))
    return Origin(
        several[0].page, nodes, union_of(origin.box for origin in several), min(origin.sheet for origin in several)
    )


@dataclass(frozen=True, slots=True)
class Value:
    """A text as seen, its typed value if known, its origin, and the confidence in it.

    An empty text is `Value("")`; something not found at all is None instead of a `Value`.

    >>> Value("1.234 €").text
    '1.234 €'
    """

    text: str
    value: Typed | None = None
    origin: Origin | None = None
    confidence: float | None = None

    def __post_init__(self) -> None:
        """Reject a confidence outside 0 to 1."""
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            raise UsageError(f"The confidence of a value must be between 0 and 1, not {self.confidence:g}.")

    def __str__(self) -> str:
        """The text as seen."""
        return self.text


def values_at(texts: Sequence[str], origins: Sequence[Origin]) -> list[Value]:
    """Texts as seen, each with its origin.

    >>> values_at(["1.234 €"], [Origin("3f2a")])
    [Value(text='1.234 €', value=None, origin=Origin(page='3f2a', ...), confidence=None)]
    """
    return filled(Value, {"text": texts, "origin": origins}, value=None, confidence=None)


def values_with(values: Sequence[Value], typed: Sequence[Typed | None]) -> list[Value]:
    """The same values with what their texts mean.

    >>> values_with([Value("5 €")], [5])
    [Value(text='5 €', value=5, origin=None, confidence=None)]
    """
    kept = {name: [getattr(value, name) for value in values] for name in ("text", "origin", "confidence")}
    return filled(Value, {**kept, "value": typed})


def shortened(value: Value, text: str) -> Value:
    """A value that is a part of the text it was read from; its origin keeps the whole.

    >>> price = shortened(Value("Price: 5 €", origin=Origin("3f2a", (17,))), "5 €")
    >>> price.text, price.origin.original
    ('5 €', 'Price: 5 €')
    """
    if text == value.text:
        return value
    origin = value.origin and replace(value.origin, original=value.origin.original or value.text)
    return replace(value, text=text, value=None, origin=origin)


# Many frozen objects at once, made from columns.

_Made = TypeVar("_Made")


def filled(kind: type[_Made], columns: dict[str, Sequence[Any]], **same: Any) -> list[_Made]:
    """One object of a frozen class with slots for each row of some columns; `same` are the fields that all share.

    Every slot is filled for all objects in one call, which takes a third of the time of calling the class for each. The
    class does not check what it gets, so only values that are known to be right may be given.

    >>> from sightline.data._value import Origin
    >>> filled(Origin, {"nodes": [(1,), (2,)]}, page="3f2a", box=None, sheet=1, original="")
    [Origin(page='3f2a', nodes=(1,), ...), Origin(page='3f2a', nodes=(2,), ...)]
    """
    slots, count = kind.__slots__, _length(columns)  # type: ignore[attr-defined]
    if {*slots} != {*columns, *same}:
        raise TypeError(f"{kind.__name__} has the fields {', '.join(slots)}, not {', '.join([*columns, *same])}.")
    made = list(map(object.__new__, repeat(kind, count)))
    for name in slots:
        column = columns[name] if name in columns else repeat(same[name], count)
        deque(map(getattr(kind, name).__set__, made, column), maxlen=0)
    return made


def _length(columns: dict[str, Sequence[Any]]) -> int:
    lengths: set[int] = {len(column) for column in columns.values()}
    if len(lengths) != 1:
        raise TypeError(f"The columns are of different lengths: {sorted(lengths)}.")
    return lengths.pop()
