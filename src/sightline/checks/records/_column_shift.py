"""Columns that have moved: the values of a field look like those of another, and the other's like its own.

Two fields have changed places, or all have moved by one, when each would look more like itself under the other's name.
That one field alone looks a little more like another is normal: names of people and of places look alike.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from math import log2
from typing import NamedTuple

import numpy as np

from sightline.arrays import FloatArray
from sightline.checks._report import Issue
from sightline.checks.records._chance import chance_rare
from sightline.checks.records._places import ValuePlaces
from sightline.checks.records._run import FieldColumn, RecordRun, origins, shown, telling
from sightline.checks.records._run_profile import is_titled
from sightline.checks.records._settings import CheckSettings
from sightline.checks.records._text_likeness import TextLook, text_look
from sightline.data import FieldProfile, Profile

__all__ = ["check_shift"]

# What two fields must gain by changing places, both together. On the sites of the benchmark the fields of clean runs
# gain at most 0.06 where wrappers were taught, and 0.17 where they were induced; those with moved columns 0.2 to 2.
LEAST_GAIN = 0.18
# And so much more, for each time that the number of fields doubles, where both have a single value; half of it of two
# values, and so on: of few values a pair among many gains by chance. With it 4 of 1,397 clean single pages are told
# and 94 % of those with moved columns, without it 90 and 99 %.
OF_FIELDS = 0.1
TITLED = 0.3  # what it counts that the title of the page has a field's values, beside how they look
LEAST_PLACED = 1.0  # of 2: the shares of the values of both fields that stand where only the other's stood
LEAST_FILL = 0.5  # of the records, then and now: of what is rarely there nobody knows the look
MOST_PLACED = 60  # values of a field whose places are looked at
SAME = 0.8  # of the records have one text in two fields that never had
FEWEST = 3  # values or records, from which on their places, or that they are the same, is no chance


class _Known(NamedTuple):
    """A field of the run and what is known of it, with the look of both."""

    column: FieldColumn
    profile: FieldProfile
    now: TextLook
    then: TextLook


def check_shift(run: RecordRun, profile: Profile, settings: CheckSettings) -> Iterator[Issue]:
    """Tell pairs of fields whose values have changed places, and fields that repeat another."""
    scopes: dict[str, list[_Known]] = defaultdict(list)
    for column, own in telling(run, profile):
        if column.fill >= LEAST_FILL and own.fill >= LEAST_FILL and own.examples:
            scopes[column.scope].append(_Known(column, own, text_look(column.texts), text_look(own.examples)))
    for fields in scopes.values():
        if len(fields) >= 2:
            yield from _exchanged(run, fields)
    yield from _repeated(run, profile, settings)


def _exchanged(run: RecordRun, fields: Sequence[_Known]) -> Iterator[Issue]:
    gain = _gain(_alike(fields) - TITLED * _titled(run, fields))
    moved = _gain(_placed(run, fields, lambda own: own.places, lambda places, node: places.place(node)))
    called = _gain(_placed(run, fields, lambda own: own.labels, lambda places, node: places.label(node)))
    told: set[int] = set()
    count = np.array([len(own.column.cells) for own in fields])
    fewer = np.minimum.outer(count, count)
    for size, least, how in (
        (gain, LEAST_GAIN + OF_FIELDS * log2(len(fields)) / fewer, "look like"),
        (moved, np.where(fewer < FEWEST, np.inf, LEAST_PLACED), "stand as"),
        (called, np.where(fewer < FEWEST, np.inf, LEAST_PLACED), "are called as"),
    ):
        for one, other in _pairs(size, least):
            if not told & {one, other}:
                told |= {one, other}
                yield _told(fields[one], fields[other], how)


def _pairs(size: FloatArray, least: FloatArray) -> list[tuple[int, int]]:
    """The pairs that gain enough, those that gain most first."""
    found = [(int(one), int(other)) for one, other in np.argwhere(np.triu(size, 1) >= least)]
    return sorted(found, key=lambda pair: -size[pair])


def _told(own: _Known, other: _Known, how: str) -> Issue:
    reason = (
        f"its values {how} those of “{other.column.name}” did, and the other way round; one is "
        f"{shown(own.column.cells[0].value.text)}, and was {shown(own.profile.examples[0])}."
    )
    return Issue("shift", "suspicious", reason, own.column.name, evidence=origins(own.column.cells))


def _gain(alike: FloatArray) -> FloatArray:
    """What each pair of fields gains together when they change places."""
    one_way = alike - np.diag(alike)[:, None]
    return one_way + one_way.T


def _alike(fields: Sequence[_Known]) -> FloatArray:
    return np.asarray(np.stack([own.now for own in fields]) @ np.stack([own.then for own in fields]).T)


def _titled(run: RecordRun, fields: Sequence[_Known]) -> FloatArray:
    """How far the share of values that their page's title has is from that of each field; 0 where nobody knows."""
    shares = [_titled_share(run, own.column) for own in fields]
    return np.array(
        [
            [0.0 if share is None or own.profile.titled is None else abs(share - own.profile.titled) for own in fields]
            for share in shares
        ]
    )


def _titled_share(run: RecordRun, column: FieldColumn) -> float | None:
    pages = [(cell.value.text, run.taken[cell.page].page) for cell in column.cells]
    told = [is_titled(text, page.title) for text, page in pages if page is not None]
    return sum(told) / len(told) if told else None


def _placed(
    run: RecordRun,
    fields: Sequence[_Known],
    known: Callable[[FieldProfile], Sequence[str]],
    found: Callable[[ValuePlaces, int], str | None],
) -> FloatArray:
    """The share of the values of each field that stand where those of another did, and not where its own did."""
    matrix = np.zeros((len(fields), len(fields)))
    sets = [set(known(own.profile)) for own in fields]
    for row, own in enumerate(fields):
        if not sets[row]:
            continue
        now = [found(places, node) for _, places, node in run.standing(own.column.cells[:MOST_PLACED])]
        strange = [place for place in now if place is not None and place not in sets[row]]
        for column, others in enumerate(sets):
            matrix[row, column] = sum(place in others for place in strange) / max(1, len(now))
    return matrix


def _repeated(run: RecordRun, profile: Profile, settings: CheckSettings) -> Iterator[Issue]:
    """Fields that say the same as another in nearly all records, and never did so when the profile was made."""
    scopes = {group.scope for group in run.lists(profile)}
    pairs = [(column, own) for column, own in telling(run, profile) if column.scope in scopes]
    known = [record for _, record in profile.records]
    for place, (column, own) in enumerate(pairs):
        texts = {cell.holder: cell.value.text for cell in column.cells}
        if len(texts) < FEWEST:
            continue
        for other, two in pairs[place + 1 :]:
            if other.scope != column.scope or not other.cells:
                continue
            same = [cell for cell in other.cells if texts.get(cell.holder) == cell.value.text]
            if len(same) < max(FEWEST, SAME * len(texts)):
                continue
            both = _with_both(known, own.name, two.name)
            never = all(one != another for one, another in both)
            if never and chance_rare(len(same) / len(texts), len(both), 0) < settings.chance:
                reason = f"{len(same)} of {len(texts)} records say the same as in “{column.name}”, which none did."
                yield Issue("shift", "suspicious", reason, field=other.name, evidence=origins(same))


def _with_both(
    records: Sequence[dict[str, tuple[str, ...]]], one: str, other: str
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """What remembered records that have both fields say in them."""
    one, other = one.rpartition(".")[2], other.rpartition(".")[2]
    return [(record[one], record[other]) for record in records if one in record and other in record]
