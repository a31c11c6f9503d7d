"""Values shifted by a row: they are among those of the next or the previous record."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sightline.checks._report import Issue
from sightline.checks.records._places import ValuePlaces
from sightline.checks.records._run import RecordRun, flat_items
from sightline.data import Profile, Record, Value

__all__ = ["check_rows"]

FEWEST = 3  # records with a value inside a neighbouring record
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
