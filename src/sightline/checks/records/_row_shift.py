"""Values that have moved by a row: they stand among those of the next or the previous record."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sightline.checks._report import Issue
from sightline.checks.records._places import ValuePlaces
from sightline.checks.records._run import RecordRun, flat
from sightline.data import Profile, Record, Value

__all__ = ["check_rows"]

FEWEST = 3  # records of which a value stands with the neighbour
MOVED = 0.5  # of the records


def check_rows(run: RecordRun, profile: Profile | None) -> Iterator[Issue]:
    """Tell fields whose values stand, in most records, within the record before or behind."""
    for group in run.lists(profile):
        places = run.places[group.page]
        if places is None or len(group.records) < FEWEST:
            continue
        rows = [_nodes(record, places) for record in group.records]
        found = list(_candidates(rows))
        # That the price stands with the next record may also be read as the name standing with the previous one. What
        # is left without the field that has moved stands close together, which is deep in the tree.
        deepest = max((_depth(rows, own.name, places) for own in found), default=0)
        for own in found:
            if _depth(rows, own.name, places) == deepest:
                full = f"{group.scope}.{own.name}" if group.scope else own.name
                reason = f"{own.records} of {len(rows)} values stand within the {own.told} record."
                yield Issue("rows", "suspicious", reason, field=full, source=run.taken[group.page].called)


class _Candidate(NamedTuple):
    """A field that may have moved, whereto, and in how many records."""

    name: str
    told: str
    records: int


def _candidates(rows: Sequence[Mapping[str, int]]) -> Iterator[_Candidate]:
    for name in dict.fromkeys(name for row in rows for name in row):
        for step, told in ((1, "next"), (-1, "previous")):
            moved = _moved(rows, name, step)
            if moved >= max(FEWEST, MOVED * len(rows)):
                yield _Candidate(name, told, moved)


def _depth(rows: Sequence[Mapping[str, int]], without: str, places: ValuePlaces) -> int:
    """How deep the lowest elements around the other values of all records lie, in sum."""
    others = [[node for name, node in row.items() if name != without] for row in rows]
    return sum(int(places.page.depth[places.lowest_common(nodes)]) for nodes in others if nodes)


def _nodes(record: Record, places: ValuePlaces) -> dict[str, int]:
    """The first node of every field."""
    found = {}
    for name, content in record.items():
        nodes = [
            node for own in flat(content) if isinstance(own, Value) and (node := places.node(own.origin)) is not None
        ]
        if nodes:
            found[name] = min(nodes)
    return found


def _moved(rows: Sequence[Mapping[str, int]], name: str, step: int) -> int:
    """How many values of a field stand between the first and the last of the other values of a neighbouring record.

    Where all records are written column by column, no value stands within a neighbour, and nothing is said.
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


def _is_nearer(node: int, other: tuple[int, int], own: tuple[int, int], step: int) -> bool:
    """Whether a value stands beyond the first value of the next record, or before the last one of the previous."""
    return node > other[0] if step > 0 else node < other[1] and node < own[0]


def _span(row: Mapping[str, int], without: str) -> tuple[int, int] | None:
    nodes = [node for name, node in row.items() if name != without]
    return (min(nodes), max(nodes)) if nodes else None
