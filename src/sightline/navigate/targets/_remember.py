"""What is remembered of an element, and where it is on a page that looks different now.

As with the values of a wrapper, every element that could be it gets a score by how it is called, what is around it and
where it is; nothing is taken unless it clearly wins. `bench/navigate/fit_memory.py` finds weights and limits.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from rapidfuzz import fuzz

from sightline.navigate.targets._names import CONTROLS, NamedElement, NamedElements, squeezed
from sightline.page import Page
from sightline.signals import class_words

__all__ = [
    "LEAST",
    "MARGIN",
    "WEIGHTS",
    "Relocation",
    "Remembered",
    "relocate",
    "remember",
    "remember_all",
    "similarities",
]

# Attributes that say what an element is for. `value` is not among them: it may be what somebody typed.
KEPT = ("id", "name", "type", "href", "src", "placeholder", "title", "autocomplete", "data-testid", "data-test")
LONGEST = 120  # characters of an attribute or a text that are kept
BESIDE = 2  # elements before and after whose names are remembered
PLACES = 2  # digits of a place; finer ones would only record how a window was sized

# How much each likeness counts. What an element is called says most, then what a form calls it; its place says least.
WEIGHTS: dict[str, float] = {
    "name": 3.0,
    "id": 2.0,
    "called": 2.0,
    "href": 2.0,
    "hints": 1.5,
    "type": 0.7,
    "classes": 0.7,
    "heading": 0.7,
    "beside": 1.2,
    "place": 0.6,
}
LEAST = 0.45  # of a score from 0 to 1; below, it is another element
MARGIN = 0.12  # to the next best


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """An element as it was: plain texts and numbers, to be kept in a file."""

    role: str
    name: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    heading: str = ""
    beside: tuple[str, ...] = ()
    place: tuple[float, float] = (0.0, 0.0)


class Relocation(NamedTuple):
    """The element that is most like a remembered one, how much (0 to 1), and how much less the next one is."""

    node: int
    score: float
    margin: float

    @property
    def is_clear(self) -> bool:
        """Whether this can only be the element that was meant."""
        return self.score >= LEAST and self.margin >= MARGIN


def remember(elements: NamedElements, node: int) -> Remembered:
    """What can be remembered of an element that has a role."""
    one = elements.of(node)
    if one is None:
        raise ValueError(f"node {node} has no role")
    return _Surroundings(elements).seen(one)


def remember_all(elements: NamedElements) -> dict[int, Remembered]:
    """What can be remembered of all elements of a page, by their nodes."""
    around = _Surroundings(elements)
    return {one.node: around.seen(one) for one in elements.all}


def relocate(elements: NamedElements, was: Remembered, among: Sequence[int] | None = None) -> Relocation | None:
    """The element that is most like a remembered one, of the same role; None if there is none."""
    around = _Surroundings(elements)
    nodes = None if among is None else set(among)
    candidates = [one for one in elements.all if one.role == was.role and (nodes is None or one.node in nodes)]
    scored = sorted(((_score(was, around.seen(one)), one.node) for one in candidates), reverse=True)
    if not scored:
        return None
    best, node = scored[0]
    return Relocation(node, best, best - scored[1][0] if len(scored) > 1 else 1.0)


def similarities(was: Remembered, now: Remembered) -> dict[str, float]:
    """How alike two elements are in each respect that the first one has, from 0 to 1."""
    old, new = was.attributes, now.attributes
    found = {
        "name": _alike(was.name, now.name),
        "id": _same(old.get("id"), new.get("id")),
        "called": _same(old.get("name"), new.get("name")),
        "href": _alike(old.get("href") or old.get("src"), new.get("href") or new.get("src")),
        "hints": _best(
            _alike(old.get(key), new.get(key)) for key in ("placeholder", "title", "data-testid", "data-test")
        ),
        "type": _same(old.get("type"), new.get("type")),
        "classes": _overlap(was.classes, now.classes),
        "heading": _alike(was.heading, now.heading),
        "beside": _overlap(was.beside, now.beside),
        "place": 1 - min(1.0, abs(was.place[0] - now.place[0]) + abs(was.place[1] - now.place[1])),
    }
    return {key: value for key, value in found.items() if value is not None}


def _score(was: Remembered, now: Remembered) -> float:
    alike = similarities(was, now)
    return sum(WEIGHTS[key] * value for key, value in alike.items()) / sum(WEIGHTS[key] for key in alike)


def _same(old: str | None, new: str | None) -> float | None:
    return None if not old else float(old == new)


def _alike(old: str | None, new: str | None) -> float | None:
    return None if not old else fuzz.token_sort_ratio(old.casefold(), (new or "").casefold()) / 100


def _overlap(old: Sequence[str], new: Sequence[str]) -> float | None:
    return None if not old else len(set(old) & set(new)) / len(set(old) | set(new))


def _best(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


class _Surroundings:
    """What is around the elements of a page."""

    def __init__(self, elements: NamedElements) -> None:
        self._elements = elements
        self._page: Page = elements.page

    def seen(self, one: NamedElement) -> Remembered:
        """An element as it is now."""
        given = self._page.node(one.node).attributes
        kept = {key: given[key].strip()[:LONGEST] for key in KEPT if given.get(key, "").strip()}
        return Remembered(
            role=one.role,
            name=one.name[:LONGEST],
            attributes=kept,
            classes=tuple(sorted({word for token in given.get("class", "").split() for word in class_words(token)})),
            heading=self._heading(one.node),
            beside=self._beside(one.node),
            place=self._place(one.node),
        )

    @cached_property
    def _controls(self) -> list[NamedElement]:
        return [one for one in self._elements.all if one.role in CONTROLS]

    @cached_property
    def _control_nodes(self) -> list[int]:
        return [one.node for one in self._controls]

    @cached_property
    def _headings(self) -> list[NamedElement]:
        return [one for one in self._elements.all if one.role == "heading"]

    def _heading(self, node: int) -> str:
        above = [one.name for one in self._headings if one.node < node]
        return above[-1][:LONGEST] if above else ""

    def _beside(self, node: int) -> tuple[str, ...]:
        at = int(np.searchsorted(self._control_nodes, node))
        own = at < len(self._control_nodes) and self._control_nodes[at] == node
        near = [*self._controls[max(0, at - BESIDE) : at], *self._controls[at + own : at + own + BESIDE]]
        return tuple(f"{one.role} {squeezed(one.name)[:LONGEST]}" for one in near if one.name)

    def _place(self, node: int) -> tuple[float, float]:
        """The middle of an element, as shares of the page; of parsed pages, how far down it is in the document."""
        bounds, box = self._page.bounds, self._page.box[node]
        if bounds is None or np.isnan(box).any():
            return 0.0, round(node / max(1, len(self._page)), PLACES)
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        width, height = max(1.0, bounds[2] - bounds[0]), max(1.0, bounds[3] - bounds[1])
        return round(float(x - bounds[0]) / width, PLACES), round(float(y - bounds[1]) / height, PLACES)
