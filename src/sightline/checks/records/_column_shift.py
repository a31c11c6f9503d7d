"""Shifted columns: the values of one field look like those of another, and vice versa.

Two fields have changed places, or all have moved by one, when each would look more like itself under the other's name.
A single field that looks a little more like another is normal: names of people and of places look alike.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import log, log2
from typing import NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from sightline.arrays import FloatArray
from sightline.checks._report import Issue
from sightline.checks.records._ranges import chance_rare
from sightline.checks.records._run import (
    FieldColumn,
    RecordRun,
    ValuePlaces,
    comparable_columns,
    flat_items,
    origins,
    shown,
)
from sightline.checks.records._run_profile import is_titled
from sightline.checks.records._settings import CheckSettings
from sightline.data import FieldProfile, Profile, Record, Value

# How the texts of a field look: their characters, words and lengths, as one vector to compare.

TextLook = npt.NDArray[np.float64]
"""The look of texts. The product of two looks is their similarity, 0 to 1 (weighted Bhattacharyya coefficients)."""

MOST_TEXTS = 60
MOST_CHARACTERS = 60
SHAPES, WORDS, LENGTHS = 512, 512, 24
STEP = log(1.35)  # lengths that differ by a third fall into different classes, and count half for their neighbours
# Of shapes, words and lengths: shapes tell most fields apart, lengths titles from names, words few-valued fields. Set
# by hand on the sites of the benchmark, where other weights between 0.2 and 0.6 do nearly as well.
WEIGHTS = (0.5, 0.2, 0.3)
_SCALE = np.repeat(WEIGHTS, (SHAPES, WORDS, LENGTHS))
_WORD = re.compile(r"[^\W\d_]+")
_CLASSES = ((str.isdigit, "0"), (str.isupper, "A"), (str.isalpha, "a"), (str.isspace, " "))


def text_look(texts: Sequence[str]) -> TextLook:
    """The look of some texts; every text counts the same, regardless of its length.

    >>> prices, names = text_look(["5.00 €", "12.50 €"]), text_look(["Canon EOS", "Nikon Z"])
    >>> bool(text_look(["7.99 €"]) @ prices > 2 * text_look(["7.99 €"]) @ names)
    True
    """
    vector = np.zeros(SHAPES + WORDS + LENGTHS)
    for text in texts[:MOST_TEXTS]:
        flat = " ".join(text.split())
        cut = flat[:MOST_CHARACTERS]
        _spread(vector, 0, SHAPES, _trigrams(cut))
        _spread(vector, SHAPES, WORDS, _WORD.findall(cut.casefold()))
        place = SHAPES + WORDS + min(LENGTHS - 2, int(log(len(flat) + 1) / STEP))
        vector[place - 1 : place + 2] += (0.25, 0.5, 0.25)
    return np.sqrt(_SCALE * vector / max(1, min(len(texts), MOST_TEXTS)))


def _spread(vector: TextLook, first: int, size: int, parts: Iterable[str]) -> None:
    """Distribute a total of one over the places of some parts."""
    found = [first + crc32(part.encode("utf-8", "surrogatepass")) % size for part in parts]
    for place in found:
        vector[place] += 1 / len(found)


def _trigrams(text: str) -> list[str]:
    """All trigrams, with letters and digits replaced by their class, so that different numbers look alike."""
    padded = f"^{''.join(map(_class, text))}$"
    return [padded[place : place + 3] for place in range(len(padded) - 2)]


def _class(character: str) -> str:
    return next((name for test, name in _CLASSES if test(character)), character)


# What two fields together must gain by changing places. On the sites of the benchmark the fields of clean runs gain at
# most 0.06 with taught wrappers and 0.17 with induced ones; those with moved columns gain 0.2 to 2.
LEAST_GAIN = 0.18
# The gain must be this much larger for each doubling of the number of fields if both have a single value, half as much
# for two values, and so on: with few values, some pair among many gains by chance. With it, 4 of 1,397 clean single
# pages are reported and 94 % of those with moved columns; without it, 90 and 99 %.
OF_FIELDS = 0.1
TITLED = 0.3  # weight of a field's values being in the page title, relative to how they look
LEAST_PLACED = 1.0  # out of 2: the summed shares of both fields' values that stand where only the other's did
LEAST_FILL = 0.5  # of the records, then and now: the look of a rare field is unknown
MOST_PLACED = 60  # values of a field whose places are examined
SAME = 0.8  # of the records have the same text in two fields that never agreed
FEWEST = 3  # values or records; from here on, their places or agreement isn't a coincidence


class _FieldLooks(NamedTuple):
    """A field of the run and its profile, with the looks of both."""

    column: FieldColumn
    profile: FieldProfile
    now: TextLook
    then: TextLook


def check_shift(run: RecordRun, profile: Profile, settings: CheckSettings) -> Iterator[Issue]:
    """Report pairs of fields whose values have changed places, and fields that repeat another."""
    scopes: dict[str, list[_FieldLooks]] = defaultdict(list)
    for column, field in comparable_columns(run, profile):
        if column.fill >= LEAST_FILL and field.fill >= LEAST_FILL and field.examples:
            scopes[column.scope].append(_FieldLooks(column, field, text_look(column.texts), text_look(field.examples)))
    for fields in scopes.values():
        if len(fields) >= 2:
            yield from _exchanged(run, fields)
    yield from _repeated(run, profile, settings)


def _exchanged(run: RecordRun, fields: Sequence[_FieldLooks]) -> Iterator[Issue]:
    gain = _gain(_alike(fields) - TITLED * _titled(run, fields))
    moved = _gain(_placed(run, fields, lambda field: field.places, lambda places, node: places.place(node)))
    called = _gain(_placed(run, fields, lambda field: field.labels, lambda places, node: places.label(node)))
    reported: set[int] = set()
    count = np.array([len(field.column.cells) for field in fields])
    fewer = np.minimum.outer(count, count)
    for size, least, how in (
        (gain, LEAST_GAIN + OF_FIELDS * log2(len(fields)) / fewer, "look like"),
        (moved, np.where(fewer < FEWEST, np.inf, LEAST_PLACED), "stand where"),
        (called, np.where(fewer < FEWEST, np.inf, LEAST_PLACED), "have labels like"),
    ):
        for one, other in _pairs(size, least):
            if not reported & {one, other}:
                reported |= {one, other}
                yield _shift_issue(fields[one], fields[other], how)


def _pairs(size: FloatArray, least: FloatArray) -> list[tuple[int, int]]:
    """The pairs that gain enough, largest gain first."""
    found = [(int(one), int(other)) for one, other in np.argwhere(np.triu(size, 1) >= least)]
    return sorted(found, key=lambda pair: -size[pair])


def _shift_issue(field: _FieldLooks, other: _FieldLooks, how: str) -> Issue:
    reason = (
        f"its values {how} those of “{other.column.name}” used to, and vice versa; one is "
        f"{shown(field.column.cells[0].value.text)}, was {shown(field.profile.examples[0])}."
    )
    return Issue("shift", "suspicious", reason, field.column.name, evidence=origins(field.column.cells))


def _gain(alike: FloatArray) -> FloatArray:
    """What each pair of fields gains together by changing places."""
    one_way = alike - np.diag(alike)[:, None]
    return one_way + one_way.T


def _alike(fields: Sequence[_FieldLooks]) -> FloatArray:
    return np.asarray(np.stack([field.now for field in fields]) @ np.stack([field.then for field in fields]).T)


def _titled(run: RecordRun, fields: Sequence[_FieldLooks]) -> FloatArray:
    """How far the share of values in their page's title is from that of each field; 0 where unknown."""
    shares = [_titled_share(run, field.column) for field in fields]
    return np.array(
        [
            [
                0.0 if share is None or field.profile.titled is None else abs(share - field.profile.titled)
                for field in fields
            ]
            for share in shares
        ]
    )


def _titled_share(run: RecordRun, column: FieldColumn) -> float | None:
    pages = [(cell.value.text, run.pages[cell.page].page) for cell in column.cells]
    titled = [is_titled(text, page.title) for text, page in pages if page is not None]
    return sum(titled) / len(titled) if titled else None


def _placed(
    run: RecordRun,
    fields: Sequence[_FieldLooks],
    known: Callable[[FieldProfile], Sequence[str]],
    found: Callable[[ValuePlaces, int], str | None],
) -> FloatArray:
    """The share of each field's values that stand where those of another did, and not where its own did."""
    matrix = np.zeros((len(fields), len(fields)))
    sets = [set(known(field.profile)) for field in fields]
    for row, field in enumerate(fields):
        if not sets[row]:
            continue
        now = [found(places, node) for _, places, node in run.standing(field.column.cells[:MOST_PLACED])]
        strange = [place for place in now if place is not None and place not in sets[row]]
        for column, others in enumerate(sets):
            matrix[row, column] = sum(place in others for place in strange) / max(1, len(now))
    return matrix


def _repeated(run: RecordRun, profile: Profile, settings: CheckSettings) -> Iterator[Issue]:
    """Fields with the same text as another in nearly all records, which never agreed when the profile was made."""
    scopes = {group.scope for group in run.lists(profile)}
    pairs = [(column, field) for column, field in comparable_columns(run, profile) if column.scope in scopes]
    known = [record for _, record in profile.records]
    for place, (column, field) in enumerate(pairs):
        texts = {cell.holder: cell.value.text for cell in column.cells}
        if len(texts) < FEWEST:
            continue
        for other, other_field in pairs[place + 1 :]:
            if other.scope != column.scope or not other.cells:
                continue
            same = [cell for cell in other.cells if texts.get(cell.holder) == cell.value.text]
            if len(same) < max(FEWEST, SAME * len(texts)):
                continue
            both = _with_both(known, field.name, other_field.name)
            never = all(one != another for one, another in both)
            if never and chance_rare(len(same) / len(texts), len(both), 0) < settings.chance:
                reason = f"{len(same)} of {len(texts)} records have the same text as in “{column.name}”; none used to."
                yield Issue("shift", "suspicious", reason, field=other.name, evidence=origins(same))


def _with_both(
    records: Sequence[dict[str, tuple[str, ...]]], one: str, other: str
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The texts of both fields in the remembered records that have both."""
    one, other = one.rpartition(".")[2], other.rpartition(".")[2]
    return [(record[one], record[other]) for record in records if one in record and other in record]


# Values shifted by a row: they are among those of the next or the previous record.

MOVED = 0.5  # of the records


def check_rows(run: RecordRun, profile: Profile | None) -> Iterator[Issue]:
    """Report fields whose values, in most records, lie within the record before or after."""
    for group in run.lists(profile):
        places = run.places[group.page]
        if places is None or len(group.records) < FEWEST:
            continue
        rows = [_nodes(record, places) for record in group.records]
        found = list(_candidates(rows))
        # If the price is in the next record, the name could as well be said to be in the previous one. Without the
        # field that really moved, the remaining values are close together, which means deep in the tree.
        deepest = max((_depth(rows, candidate.name, places) for candidate in found), default=0)
        for candidate in found:
            if _depth(rows, candidate.name, places) == deepest:
                full = f"{group.scope}.{candidate.name}" if group.scope else candidate.name
                reason = f"{candidate.records} of {len(rows)} values lie within the {candidate.direction} record."
                yield Issue("rows", "suspicious", reason, field=full, source=run.pages[group.page].name)


class _Candidate(NamedTuple):
    """A field that may have moved, in which direction, and in how many records."""

    name: str
    direction: str
    records: int


def _candidates(rows: Sequence[Mapping[str, int]]) -> Iterator[_Candidate]:
    for name in dict.fromkeys(name for row in rows for name in row):
        for step, direction in ((1, "next"), (-1, "previous")):
            moved = _moved(rows, name, step)
            if moved >= max(FEWEST, MOVED * len(rows)):
                yield _Candidate(name, direction, moved)


def _depth(rows: Sequence[Mapping[str, int]], without: str, places: ValuePlaces) -> int:
    """The summed depth of the lowest elements around the other values of each record."""
    others = [[node for name, node in row.items() if name != without] for row in rows]
    return sum(int(places.page.depth[places.lowest_common(nodes)]) for nodes in others if nodes)


def _nodes(record: Record, places: ValuePlaces) -> dict[str, int]:
    """The first node of every field."""
    found = {}
    for name, content in record.items():
        nodes = [
            node
            for value in flat_items(content)
            if isinstance(value, Value) and (node := places.node(value.origin)) is not None
        ]
        if nodes:
            found[name] = min(nodes)
    return found


def _moved(rows: Sequence[Mapping[str, int]], name: str, step: int) -> int:
    """How many values of a field lie between the first and last of the other values of a neighbouring record.

    If the page lists all records column by column, no value lies within a neighbour, and nothing is reported.
    """
    spans = [_span(row, name) for row in rows]
    count = 0
    for number, row in enumerate(rows):
        other = number + step
        if name not in row or not 0 <= other < len(rows) or spans[other] is None or spans[number] is None:
            continue
        (first, last), (own_first, own_last) = spans[other], spans[number]  # type: ignore[misc]
        is_apart = own_last < first if step > 0 else last < own_first
        count += is_apart and _is_nearer(row[name], (first, last), (own_first, own_last), step)
    return count


def _is_nearer(node: int, other: tuple[int, int], span: tuple[int, int], step: int) -> bool:
    """Whether a value lies after the first value of the next record, or before the last one of the previous."""
    return node > other[0] if step > 0 else node < other[1] and node < span[0]


def _span(row: Mapping[str, int], without: str) -> tuple[int, int] | None:
    nodes = [node for name, node in row.items() if name != without]
    return (min(nodes), max(nodes)) if nodes else None
