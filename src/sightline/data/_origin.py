"""Where a value was seen on a page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from sightline.data._bulk import filled
from sightline.geometry import Box, BoxArray, union, union_of

__all__ = ["Origin", "OriginPage", "joined_origin", "origin_at", "origin_of", "origins_at"]


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
