"""Which array behind a page gives the records that it shows, and which of its keys give which field.

Every value of every document is looked up once among the texts that the records show; an array whose elements are met
again and again in the same records is theirs. What is not rare in the records says nothing and is left out, so the work
grows with the sizes of page and documents, not with their product.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from sightline.data import Record, Records, Value, named_values
from sightline.extract.behind._documents import (
    DEEPEST,
    EVERY,
    MOST_VALUES,
    DataDocument,
    elements_of,
    is_keyed,
    leaves_of,
    told_path,
    value_at,
)
from sightline.extract.behind._forms import plain
from sightline.extract.behind._keys import keys_of_shown, keys_of_value
from sightline.extract.behind._rules import DataRule, Leaves, ShownPart, find_rule
from sightline.page import OwnPath

MOST_ALIKE = 3  # records that may share a text which is to tell them apart
MOST_AROUND = 4  # arrays around a value that may be that of the records, from the inside
CANDIDATES = 3  # arrays that are looked at in full, of those with the most evidence
LEAST_FOUND = 0.5  # of the records, for an array that is theirs
SAMPLED = 300  # records of which that is looked at; a rule is held against all of them
LEAST_SAME = 0.8  # of the records with a field, for a key that gives it though not letter by letter


class ArrayPlace(NamedTuple):
    """An array: the number of its document, and the path to it."""

    document: int
    path: OwnPath


@dataclass(frozen=True)
class DataField:
    """Where a field comes from: a rule that gives it letter by letter, or the path of a value that is the same."""

    rule: DataRule | None
    path: OwnPath
    share: float
    """Of the records that show the field, those whose value is explained."""

    @property
    def told(self) -> str:
        """The same in words."""
        return self.rule.told if self.rule else told_path(self.path)


@dataclass(frozen=True)
class ArrayMatch:
    """The array that gives some records of a page."""

    document: DataDocument
    path: OwnPath
    length: int
    """How many elements it has."""
    places: tuple[int | None, ...]
    """For each record the number of its element."""
    fields: Mapping[str, DataField]
    missing: tuple[str, ...]
    """The fields that are not found in it."""
    share: float
    """Of all values that the records show, those that are explained."""

    @property
    def told_path(self) -> str:
        """The path in words."""
        return told_path(self.path)

    @property
    def in_order(self) -> bool:
        """Whether the records are elements that follow each other without a gap."""
        first = self.places[0] if self.places else None
        return first is not None and self.places == tuple(range(first, first + len(self.places)))

    @property
    def rules(self) -> dict[str, DataRule] | None:
        """The rules of all fields; None unless each is given letter by letter."""
        rules = {name: found.rule for name, found in self.fields.items() if found.rule}
        return rules if not self.missing and len(rules) == len(self.fields) else None

    @property
    def unwritten(self) -> list[str]:
        """The fields whose texts do not follow letter by letter."""
        return [*self.missing, *(name for name, found in self.fields.items() if found.rule is None)]


@dataclass(frozen=True)
class ShownRows:
    """Records as they are compared: the values of each, and what each field shows."""

    values: list[list[Value]]
    shown: list[dict[str, ShownPart]]
    cells: list[dict[str, Value]]
    """The fields with a single value, typed where the records are."""
    nested: frozenset[str] = field(default=frozenset())
    """Fields that are records themselves; they are not compared."""

    @property
    def names(self) -> list[str]:
        """The fields that any record shows."""
        return list(dict.fromkeys(name for row in self.shown for name, text in row.items() if text))


def shown_rows(records: Records) -> ShownRows:
    """What some records show."""
    values = [[value for _, value in named_values(record) if value.text] for record in records]
    nested = {name for record in records for name, part in record.items() if _is_nested(part)}
    shown = [{name: _shown(part) for name, part in record.items() if name not in nested} for record in records]
    cells = [{name: part for name, part in record.items() if isinstance(part, Value)} for record in records]
    return ShownRows(values, shown, cells, frozenset(nested))


def _is_nested(part: object) -> bool:
    several = part if isinstance(part, tuple) else (part,)
    return any(isinstance(one, Record | tuple) for one in several)


def _shown(part: object) -> ShownPart:
    if isinstance(part, Value):
        return plain(part.text) or None
    if isinstance(part, tuple):
        return tuple(plain(one.text) for one in part if isinstance(one, Value)) or None
    return None


def match_rows(
    several: Sequence[ShownRows], documents: Sequence[DataDocument], *, base: str = "", language: str = "en"
) -> list[ArrayMatch | None]:
    """For each of several groups of records the array that gives them, or None."""
    votes = _votes(several, documents, base)
    return [_best(rows, votes.get(number, {}), documents, base, language) for number, rows in enumerate(several)]


def likely_arrays(rows: ShownRows, documents: Sequence[DataDocument], *, base: str = "") -> list[ArrayPlace]:
    """The arrays that most speaks for, the likeliest first; whether they give the records is still to be seen."""
    votes = _votes([rows], documents, base).get(0, {})
    ranked = [(_weight(cells, len(rows.shown)), place) for place, cells in votes.items()]
    enough = [(weight, place) for weight, place in ranked if weight[0] >= max(2, LEAST_FOUND * len(rows.shown))]
    return [place for _, place in sorted(enough, key=lambda one: one[0], reverse=True)[:CANDIDATES]]


# ---------------------------------------------------------------------- evidence

_Votes = dict[ArrayPlace, Counter[tuple[int, int]]]
"""For each array, how many values its elements share with the records."""


def _votes(several: Sequence[ShownRows], documents: Sequence[DataDocument], base: str) -> dict[int, _Votes]:
    index = _index(several)
    found: dict[int, _Votes] = defaultdict(lambda: defaultdict(Counter))
    left = MOST_VALUES
    for number, document in enumerate(documents):
        for around, value in _values(document.data, left):
            left -= 1
            for key in keys_of_value(value, base):
                for rows, row in index.get(key, ()):
                    for path, place in around[-MOST_AROUND:]:
                        found[rows][ArrayPlace(number, path)][row, place] += 1
    return found


def _index(several: Sequence[ShownRows]) -> dict[str, list[tuple[int, int]]]:
    """The records that show a key, unless too many of a group do."""
    index: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, rows in enumerate(several):
        showing: dict[str, set[int]] = defaultdict(set)
        for row, values in enumerate(rows.values):
            for key in {key for value in values for key in keys_of_shown(value)}:
                showing[key].add(row)
        for key, those in showing.items():
            if len(those) <= MOST_ALIKE:
                index[key] += [(number, row) for row in those]
    return index


_Around = tuple[tuple[OwnPath, int], ...]
"""The arrays around a value, with the number of the element in each, from the outside."""


def _values(data: Any, most: int) -> Iterator[tuple[_Around, Any]]:
    """Every plain value with the arrays around it; what is deeper than anybody writes is left out."""
    waiting: list[tuple[OwnPath, _Around, Any]] = [((), (), data)]
    while waiting and most > 0:
        path, around, value = waiting.pop()
        if not isinstance(value, dict | list):
            most -= 1
            yield around, value
            continue
        if len(path) >= DEEPEST:
            continue
        counted = isinstance(value, list) or is_keyed(value)
        for place, (key, inner) in enumerate(value.items() if isinstance(value, dict) else enumerate(value)):
            waiting.append(((*path, key), (*around, (path, place)) if counted else around, inner))


# ---------------------------------------------------------------------- the array of a group of records


def _best(
    rows: ShownRows, votes: _Votes, documents: Sequence[DataDocument], base: str, language: str
) -> ArrayMatch | None:
    ranked = sorted(((*_weight(cells, len(rows.shown)), place) for place, cells in votes.items()), key=_first_two)
    tried = (_matched(rows, place, votes[place], documents, base, language) for *_, place in ranked[-CANDIDATES:])
    found = [match for match in tried if match is not None]
    # Of two that explain as much, the one with the exact rules, then the shorter path.
    return max(found, key=lambda one: (round(one.share, 2), -len(one.unwritten), -len(one.path)), default=None)


def _first_two(ranked: tuple[Any, ...]) -> tuple[int, int]:
    return ranked[0], ranked[1]


def _weight(cells: Counter[tuple[int, int]], rows: int) -> tuple[int, int]:
    """How many records an array may give, and how much speaks for it."""
    places = _places(cells, rows)
    evidence = sum(cells[row, place] for row, place in enumerate(places) if place is not None)
    return len({place for place in places if place is not None}), evidence


def _places(cells: Counter[tuple[int, int]], rows: int) -> list[int | None]:
    """For each record the element that shares the most with it; of several the one that follows that before."""
    of_row: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for (row, element), count in cells.items():
        of_row[row].append((count, element))
    found: list[int | None] = []
    expected = 0
    for row in range(rows):
        choices = [(-count, abs(place - expected), place) for count, place in of_row.get(row, ())]
        place = min(choices)[-1] if choices else None
        found.append(place)
        expected = expected + 1 if place is None else place + 1
    return found


def _matched(
    rows: ShownRows,
    place: ArrayPlace,
    cells: Counter[tuple[int, int]],
    documents: Sequence[DataDocument],
    base: str,
    language: str,
) -> ArrayMatch | None:
    document = documents[place.document]
    elements = elements_of(value_at(document.data, place.path))
    places = _filled(_places(cells, len(rows.shown)), len(elements))
    there = [(row, at) for row, at in enumerate(places) if at is not None]
    if len(there) < max(2, LEAST_FOUND * len(places)):
        return None
    leaves = [leaves_of(elements[at]) for _, at in there]
    shown = [rows.shown[row] for row, _ in there]
    seen = [rows.cells[row] for row, _ in there]
    fields = {name: _field(name, shown, leaves, language) or _same(name, seen, leaves, base) for name in rows.names}
    found = {name: one for name, one in fields.items() if one is not None}
    present = sum(1 for row in rows.shown for text in row.values() if text)
    explained = sum(one.share * sum(1 for row in shown if row.get(name)) for name, one in found.items())
    return ArrayMatch(
        document,
        place.path,
        len(elements),
        tuple(places),
        found,
        (*(name for name in rows.names if name not in found), *sorted(rows.nested)),
        explained / present if present else 0.0,
    )


def _filled(places: list[int | None], length: int) -> list[int | None]:
    """Places with those between two others that leave no choice: a record may show nothing that is rare."""
    known = [(-1, -1), *((row, place) for row, place in enumerate(places) if place is not None), (len(places), length)]
    found = list(places)
    for (row, place), (next_row, next_place) in pairwise(known):
        if next_row - row == next_place - place:
            found[row + 1 : next_row] = range(place + 1, next_place)
    return found


def _field(
    name: str, shown: Sequence[Mapping[str, ShownPart]], leaves: Sequence[Leaves], language: str
) -> DataField | None:
    """Where a field comes from, by a rule on all records."""
    rule = find_rule([row.get(name) for row in shown], leaves, language)
    return DataField(rule, rule.slots[0].path if rule.slots else (), 1.0) if rule else None


def _same(name: str, cells: Sequence[Mapping[str, Value]], leaves: Sequence[Leaves], base: str) -> DataField | None:
    """Where a field comes from, by a value that says the same in most records, however it is written."""
    counted: Counter[OwnPath] = Counter()
    present = [(row[name], element) for row, element in zip(cells, leaves, strict=True) if name in row][:SAMPLED]
    for value, element in present:
        keys = keys_of_shown(value)
        alike = ((path, keys_of_value(one, base)) for path, one in element.items() if EVERY not in path)
        counted.update(path for path, others in alike if keys & others)
    path, count = max(counted.items(), key=lambda one: (one[1], -len(one[0])), default=((), 0))
    return DataField(None, path, count / len(present)) if present and count >= LEAST_SAME * len(present) else None
