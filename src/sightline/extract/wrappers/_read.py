"""Reading a page by a template: its values, and whether it is a page of that template at all.

The children of every element are read as a word by the machine of its body (see `schemas`); words that were read before
are known. What no state takes is unknown, what is always there and was not is missing, and both are told with their
place.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from sightline.data import Origin, Record, Value
from sightline.extract.schemas import (
    Body,
    Leaf,
    Outline,
    Row,
    Slot,
    Taker,
    Template,
    inner_kids,
    leaves_in,
    outline_of,
    parse,
    pieces,
)
from sightline.page import Page

__all__ = ["Label", "Problem", "Reading", "Verdict", "read_page"]

Verdict: TypeAlias = Literal["ok", "suspicious", "failed"]

# Of the fixed texts that all pages had. On the sites of the benchmark a page of the same template has nearly all of
# them, a page of another site none, and a page of another template of the same site at most half (its head and foot).
LEAST_FOUND = 0.6
ALL_FOUND = 0.9
# Where a template has too few fixed texts to know it by, the share of known texts has to do.
FEW_LANDMARKS = 3
LEAST_KNOWN = 0.5
ALL_KNOWN = 0.8  # of the texts have a place; comments, advertisements and rare parts of a page may have none
ALL_FIELDS = 0.9  # of the fields that all pages had


class Problem(NamedTuple):
    """Where a page does not comply: the place, and what is wrong there."""

    xpath: str
    what: str


class Label(NamedTuple):
    """What a run of leaves was read as: a field, a fixed text, or nothing."""

    first: int
    last: int
    taker: Taker | None
    leaf: Leaf | None


@dataclass(frozen=True, eq=False)
class Reading:
    """What a template has read on a page.

    `found` is the share of the template's fixed texts that the page has, `known` the share of the page's texts that
    have a place in the template.
    """

    records: tuple[Record, ...]
    verdict: Verdict
    found: float
    known: float
    problems: tuple[Problem, ...] = ()
    labels: tuple[Label, ...] = ()
    repeated: bool = False


class _Items(list[Any]):
    """The records of a set."""


class _Values(list[Any]):
    """The values of a set."""


@dataclass(eq=False)
class _Reader:
    """Reads one page; everything found is kept as lists and made into records at the end."""

    outline: Outline
    traced: bool
    landmarks: set[int] = field(default_factory=set)
    unknown: list[tuple[int, int]] = field(default_factory=list)
    missing: list[tuple[Taker, int]] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    values: list[list[Any]] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    def body(self, body: Body, kids: list[int], record: dict[str, list[Any]]) -> None:
        """Read the children of an element."""
        parsed = parse(body, self.outline, kids)
        if parsed.missing:
            self.missing += [(taker, kids[0]) for taker in parsed.missing]
        for taker, start, stop in parsed.parts:
            if taker is None:
                self.unknown.append((kids[start], kids[stop - 1]))
            elif isinstance(taker, Slot) and taker.take in ("set", "group"):
                self._set(taker, body, kids[start:stop], record)
            else:
                self._one(taker, kids[start:stop], record)

    def _set(self, slot: Slot, body: Body, kids: list[int], record: dict[str, list[Any]]) -> None:
        parts = pieces(slot, body, self.outline, kids)
        if slot.is_of_values:
            if slot.name not in record:
                record[slot.name] = _Values()
            for piece in parts:
                self._one(slot, piece, record)
            return
        items = record.get(slot.name) or _Items()
        for piece in parts:
            item: dict[str, list[Any]] = {}
            self._one(slot, piece, item)
            if item:
                items.append(item)
        if items:
            record[slot.name] = items

    def _one(self, taker: Taker, piece: list[int], record: dict[str, list[Any]]) -> None:
        inner = taker.inner
        if isinstance(inner, Body):
            inside = inner_kids(taker, self.outline, piece)
            if inside:
                self.body(inner, inside, record)
        elif inner is not None:
            self._leaf(inner, taker, piece, record)

    def _leaf(self, leaf: Leaf, taker: Taker, piece: list[int], record: dict[str, list[Any]]) -> None:
        if self.traced:
            self.labels.append(Label(piece[0], piece[-1], taker, leaf))
        if leaf.fixed is not None:
            if self.outline.texts[self.outline.first[piece[0]]] == leaf.fixed:
                self.landmarks.add(id(leaf))
        elif not leaf.dropped:
            into = record.setdefault(leaf.name, [])
            self.values.append(into)
            into.append(len(self.spans))
            inside = inner_kids(taker, self.outline, piece) if leaf.prose else piece
            self.spans.append((inside[0], inside[-1]) if inside else (piece[0], piece[-1]))


def read_page(page: Page, template: Template, each: Slot | None, *, traced: bool = False) -> Reading:
    """Read a page by a template; `each` is the set whose items are the records, else the page is one record."""
    outline = outline_of(page, template.alphabet)
    reader = _Reader(outline, traced)
    record: dict[str, list[Any]] = {}
    if len(outline):
        reader.body(template.root, [0], record)
    return _reading(reader, template, each, record)


def _reading(reader: _Reader, template: Template, each: Slot | None, record: dict[str, list[Any]]) -> Reading:
    outline = reader.outline
    wanted = template.landmarks
    found = len(reader.landmarks & wanted) / len(wanted) if wanted else 1.0
    lost = sum(outline.last[last] - outline.first[first] for first, last in reader.unknown)
    known = 1 - lost / len(outline.texts) if outline.texts else 0.0
    lacking = [taker for taker, _ in reader.missing if _has_field(taker)]
    verdict = _verdict(found, known, len(wanted), len(lacking), template)
    problems = tuple(_problems(reader)) if verdict != "ok" or reader.traced else ()
    if verdict == "failed":
        return Reading((), verdict, found, known, problems, tuple(reader.labels))
    values = _values(reader)
    items = [record] if each is None else record.get(each.name, [])
    plain = [_finished(item, values) for item in items]
    repeated = any(len(own) > 1 and not isinstance(own, _Values) for own in reader.values)
    return Reading(tuple(map(Record, plain)), verdict, found, known, problems, tuple(reader.labels), repeated)


def _verdict(found: float, known: float, landmarks: int, lacking: int, template: Template) -> Verdict:
    if found < LEAST_FOUND or (landmarks < FEW_LANDMARKS and known < LEAST_KNOWN):
        return "failed"
    fields = max(1, template.required_fields)
    if found < ALL_FOUND or known < ALL_KNOWN or lacking > (1 - ALL_FIELDS) * fields:
        return "suspicious"
    return "ok"


def _has_field(taker: Taker) -> bool:
    return any(leaf.is_field for leaf in leaves_in(taker.inner))


# ---------------------------------------------------------------- values


def _values(reader: _Reader) -> list[Value]:
    """All values of a page, read at once."""
    if not reader.spans:
        return []
    outline, page = reader.outline, reader.outline.page
    first, last = np.array(reader.spans).T
    start, stop = outline.node[first], page.end[outline.node[last]]
    single = (np.array(outline.last)[last] - np.array(outline.first)[first] == 1).tolist()
    long = [place for place, one in enumerate(single) if not one]
    merged = dict(zip(long, page.texts_between(start[long], stop[long]), strict=True)) if long else {}
    numbers, whole = page.numbers, page.whole_id
    boxes = page.box[start].tolist()
    values = []
    for place, (node, box) in enumerate(zip(start.tolist(), boxes, strict=True)):
        text = (
            " ".join(merged[place].split()) if place in merged else outline.texts[outline.first[reader.spans[place][0]]]
        )
        where = None if box[0] != box[0] else (box[0], box[1], box[2], box[3])
        values.append(Value(text, None, Origin(whole, (int(numbers[node]),), where)))
    return values


def _finished(record: dict[str, list[Any]], values: list[Value]) -> dict[str, Any]:
    """A record with its values in place of their numbers."""
    return {name: _field(found, values) for name, found in record.items() if found}


def _field(found: list[Any], values: list[Value]) -> Any:
    if isinstance(found, _Items):
        return tuple(_finished(item, values) for item in found)
    if len(found) == 1 and not isinstance(found, _Values):
        return values[found[0]]
    return tuple(values[number] for number in found)


# ---------------------------------------------------------------- problems


def _problems(reader: _Reader) -> Iterator[Problem]:
    outline, page = reader.outline, reader.outline.page
    if not len(outline):
        yield Problem("", "the page has no text that can be read")
    for first, last in reader.unknown:
        count = outline.last[last] - outline.first[first]
        text = outline.texts[outline.first[first]]
        told = f"“{text:.60}”" if count == 1 else f"“{text:.60}” and {count - 1} more texts"
        yield Problem(page.xpath(int(outline.node[first])), f"{told}: the template has no place for it")
    for taker, near in reader.missing:
        yield Problem(page.xpath(int(page.parent[outline.node[near]])), f"{_called(taker)} is missing")


def _called(taker: Taker) -> str:
    if isinstance(taker, Row):
        return f"the row “{taker.label}”"
    fixed = next((leaf.fixed for leaf in leaves_in(taker.inner) if leaf.fixed is not None), None)
    name = next((leaf.name for leaf in leaves_in(taker.inner) if leaf.is_field), None)
    if taker.name:
        return f"the set “{taker.name}”"
    return f"the field “{name}”" if name else f"the text “{fixed or ''}”"
