"""Where a target is on a captured page: exactly one place, or a report of what is there instead."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple
from zlib import crc32

import numpy as np
from rapidfuzz import fuzz, process

from sightline.navigate.targets._names import CONTROLS, ROLES, NamedElement, NamedElements, same_name, squeezed
from sightline.page import Page
from sightline.signals import class_words

# -- what is remembered of an element, and where it is on a page that looks different now ---------------------------
# As with the values of a wrapper, every element that could be it gets a score by how it is called, what is around it
# and where it is; nothing is taken unless it clearly wins. `bench/navigate/fit_memory.py` finds weights and limits.

# Attributes that say what an element is for. `value` is not among them: it may be what somebody typed.
KEPT = ("id", "name", "type", "href", "src", "placeholder", "title", "autocomplete", "data-testid", "data-test")
LONGEST = 120  # characters of an attribute or a text that are kept
BESIDE = 2  # elements before and after whose names are remembered
OTHERS = 60  # elements of the same role before and after whose names are marked
LETTERS = "abcdefghijklmnop"  # of marks; no mark can then be taken for a number
PLACES = 2  # digits of a place; finer ones would only record how a window was sized

# How much each likeness counts, fitted with the limits below to 24 sites in two or more versions each: out of fold,
# 80 % of reworded controls are found again, and 0.3 % of all cases are wrong. After a change, run `fit_memory` again. A
# name counts little, since what is looked for here is mostly what has a new one.
WEIGHTS: dict[str, float] = {
    "name": 0.30,
    "id": 2.00,
    "called": 2.00,
    "href": 5.00,
    "hints": 3.75,
    "type": 0.70,
    "classes": 0.34,
    "heading": 0.70,
    "beside": 1.20,
    "place": 0.60,
}
LEAST = 0.75  # of a score from 0 to 1; below, it is another element
LEAST_ALONE = 0.51  # where nothing else of its role has a new name
MARGIN = 0.08  # to the next best


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """An element as it was: plain texts and numbers, to be kept in a file.

    `others` are marks of the names that other elements of its role had: what is called so now is one of those.
    """

    role: str
    name: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    heading: str = ""
    beside: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    place: tuple[float, float] = (0.0, 0.0)


class Relocation(NamedTuple):
    """The element that is most like a remembered one, how much (0 to 1), and how much less the next one is.

    It is `alone` if no other element of its role has a name that is new on the page.
    """

    node: int
    score: float
    margin: float
    alone: bool = False

    @property
    def is_clear(self) -> bool:
        """Whether this can only be the element that was meant."""
        return self.score >= (LEAST_ALONE if self.alone else LEAST) and self.margin >= MARGIN


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
    candidates = [one for one in candidates if not was_another(was, one.name)]
    scored = sorted(((_score(was, around.seen(one)), one.node) for one in candidates), reverse=True)
    if not scored:
        return None
    best, node = scored[0]
    return Relocation(node, best, best - scored[1][0] if len(scored) > 1 else 1.0, len(scored) == 1)


def was_another(was: Remembered, name: str) -> bool:
    """Whether this is the name of an element that was beside the remembered one, on the same page."""
    return mark_of(name) in was.others


def mark_of(name: str) -> str:
    """A short mark of a name: enough to know it again, and not the name itself, of which pages have hundreds.

    >>> mark_of("Sign in"), mark_of("sign  IN") == mark_of("Sign in")
    ('ggkl', True)
    """
    number = crc32(squeezed(name).casefold().encode())
    return "".join(LETTERS[number >> shift & 15] for shift in (0, 4, 8, 12))


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
            others=self._others(one),
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

    def _others(self, one: NamedElement) -> tuple[str, ...]:
        """Marks of the nearest elements of the same role that are called otherwise."""
        own = mark_of(one.name)
        named = self._of_role[one.role]
        at = bisect_left(named, (one.node, ""))
        near = named[max(0, at - OTHERS) : at + OTHERS]
        return tuple(dict.fromkeys(mark for _, mark in near if mark != own))

    @cached_property
    def _of_role(self) -> dict[str, list[tuple[int, str]]]:
        found: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for one in self._elements.all:
            if one.name:
                found[one.role].append((one.node, mark_of(one.name)))
        return found

    def _place(self, node: int) -> tuple[float, float]:
        """The middle of an element, as shares of the page; of parsed pages, how far down it is in the document."""
        bounds, box = self._page.bounds, self._page.box[node]
        if bounds is None or np.isnan(box).any():
            return 0.0, round(node / max(1, len(self._page)), PLACES)
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        width, height = max(1.0, bounds[2] - bounds[0]), max(1.0, bounds[3] - bounds[1])
        return round(float(x - bounds[0]) / width, PLACES), round(float(y - bounds[1]) / height, PLACES)


# What a step acts on: named as people name it, by a field of a wrapper, or by a selector.

ANYTHING, LABEL, TEXT = "anything", "label", "text"


@dataclass(frozen=True, kw_only=True)
class Target:
    """An element of a page: what it is called, or else a wrapper's field, or else a selector.

    Where it has several of these, they are tried in this order; where one finds several places, the next one decides.

    `kind` is a role of `ROLES`, `label` for an input by its label, `text` for whatever has this text, or `anything` for
    a control by its name or else a text. `inside` limits the search, `number` chooses among several, from 1. `memory`
    is what a recording remembers of the element, to find it again when its page was redesigned.
    """

    kind: str = ""
    name: str = ""
    wrapper: str = ""
    field: str = ""
    css: str = ""
    xpath: str = ""
    inside: "Target | Literal['record'] | None" = None
    number: int | None = None
    memory: Remembered | None = None

    def __str__(self) -> str:
        """The target as in a sentence: button “Search”."""
        if self.kind:
            article = "" if self.kind in (ANYTHING, TEXT) else f"{'input' if self.kind == LABEL else self.kind} "
            words = f"{article}“{self.name}”"
        elif self.wrapper:
            words = f"field “{self.field}” of {self.wrapper}"
        else:
            words = self.css or self.xpath
        place = "" if self.number is None else f" number {self.number}"
        within = "" if self.inside is None else f" in {'the record' if self.inside == 'record' else self.inside}"
        return f"{words}{place}{within}"


# -- where a target is on a captured page: exactly one place, or a report of what is there instead ------------------

LABELLED = frozenset(("textbox", "checkbox", "radio", "switch", "combobox", "slider", "file"))
CLOSE = 60  # of 100; a name that is less alike doesn't help
SAME = 0.02  # of a likeness from 0 to 1: differences as between two rows of a list
SHOWN = 4  # names that an error lists
LARGEST = 400  # nodes of an element that is looked for by its whole text; larger ones are parts of the page
LONGEST_NAME = 40


@dataclass(frozen=True)
class FoundTarget:
    """The nodes that a target may be, and in which way they were found; one node is what every step needs."""

    nodes: tuple[int, ...]
    how: str = "name"

    @property
    def one(self) -> int | None:
        """The only one."""
        return self.nodes[0] if len(self.nodes) == 1 else None


def find_target(
    elements: NamedElements, target: Target, span: tuple[int, int] | None = None, roles: Collection[str] = ()
) -> FoundTarget:
    """Where a target is by its name, in a span of nodes, or else by what is remembered of it.

    Where a target does not say what it is, `roles` say what it can be.
    Several places with one name are told apart by memory as well; a doubt stays a doubt.
    """
    found = find_named(elements, target, span, roles)
    if target.number is not None:
        chosen = found[target.number - 1 : target.number]
        return FoundTarget(tuple(chosen if _is_as_remembered(elements, target, chosen, found) else found))
    if len(found) == 1 or target.memory is None:
        return FoundTarget(tuple(found))
    start, stop = span or (0, len(elements.page))
    among = found or [one.node for one in elements.all if start <= one.node < stop]
    again = relocate(elements, target.memory, among)
    if again and again.is_clear:
        return FoundTarget((again.node,), f"memory ({again.score:.0%} alike, the next {again.margin:.0%} less)")
    return FoundTarget(tuple(found))


def _is_as_remembered(elements: NamedElements, target: Target, chosen: Sequence[int], found: Sequence[int]) -> bool:
    """Whether no other element of the name is more like the remembered one than the one with the number.

    Numbers shift when a page is redesigned; then it is a doubt which one is meant.
    """
    if target.memory is None or not chosen:
        return True
    best, own = relocate(elements, target.memory, found), relocate(elements, target.memory, chosen)
    return best is None or own is None or own.score >= best.score - SAME


def find_named(
    elements: NamedElements, target: Target, span: tuple[int, int] | None = None, roles: Collection[str] = ()
) -> list[int]:
    """All nodes with the role and name of a target."""
    start, stop = span or (0, len(elements.page))
    within = [one for one in elements.all if start <= one.node < stop]
    if target.kind == TEXT:
        return _with_text(elements.page, target.name, start, stop)
    called = [one for one in within if same_name(target.name, one.name)]
    if target.kind == ANYTHING:
        meant = _innermost(elements.page, [one for one in called if one.role in roles])
        others = _innermost(elements.page, [one for one in called if one.role in CONTROLS])
        return meant or others or _with_text(elements.page, target.name, start, stop)
    kinds = LABELLED if target.kind == LABEL else {target.kind}
    return _innermost(elements.page, [one for one in called if one.role in kinds])


def _innermost(page: Page, found: Sequence[NamedElement]) -> list[int]:
    """Without elements that only surround another one of the same name, as a link around a button."""
    nodes = [one.node for one in found]
    return [node for node in nodes if not any(node < other < int(page.end[node]) for other in nodes)]


def _with_text(page: Page, wanted: str, start: int, stop: int) -> list[int]:
    """The smallest visible elements whose whole text this is."""
    size = page.end - np.arange(len(page))
    small = np.flatnonzero(page.visible & ~page.is_text & (size > 1) & (size <= LARGEST))
    small = small[(small >= start) & (small < stop)]
    texts = page.texts_of(small)
    nodes = [node for node, text in zip(small.tolist(), texts, strict=True) if text and same_name(wanted, text)]
    return [node for node in nodes if not any(node < other < int(page.end[node]) for other in nodes)]


def nothing_found(elements: NamedElements, target: Target) -> str:
    """Why a target is not on the page, with what comes close; a clause to follow the target."""
    roles = CONTROLS if target.kind in (ANYTHING, TEXT) else LABELLED if target.kind == LABEL else {target.kind}
    names = list(dict.fromkeys(one.name for one in elements.all if one.role in roles and one.name))
    other = next((one for one in elements.all if target.kind in ROLES and same_name(target.name, one.name)), None)
    if other is not None:
        return f"is not on the page, but there is the {other.role} “{other.name}”; write {{{other.role}: {other.name}}}"
    if target.kind and target.kind not in ROLES and not names:
        return "is not on the page"
    close = [
        name for name, *_ in process.extract(target.name, names, scorer=fuzz.WRatio, score_cutoff=CLOSE, limit=SHOWN)
    ]
    if close:
        return f"is not on the page; close to it {'is' if len(close) == 1 else 'are'} {_listed(close)}"
    what = f"{target.kind}s" if target.kind in ROLES else "controls"
    return (
        f"is not on the page; its {what} are {_listed(names[:SHOWN])}"
        if names
        else f"is not on the page, which has no {what}"
    )


def too_many(elements: NamedElements, nodes: Sequence[int]) -> str:
    """Why a target is ambiguous; a clause to follow the target."""
    page = elements.page
    where = [page.xpath(node) for node in nodes[:SHOWN]]
    more = f" and {len(nodes) - SHOWN} more" if len(nodes) > SHOWN else ""
    roles = {one.role: one.name for node in nodes if (one := elements.of(node)) is not None}
    advice = "say which one with `in` (in a loop, `in: record`) or `number`"
    if len(roles) > 1:
        advice = "say what it is: " + " or ".join(f"{{{role}: {name}}}" for role, name in roles.items())
    return f"is on the page {len(nodes)} times ({', '.join(where)}{more}); {advice}"


def _listed(names: Sequence[str]) -> str:
    short = [squeezed(name) for name in names]
    return ", ".join(f"“{name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + '…'}”" for name in short)
