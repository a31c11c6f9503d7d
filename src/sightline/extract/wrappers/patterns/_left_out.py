"""Whether a page has more of what was read: elements like the records that no rule took."""

from collections.abc import Iterator, Sequence, Set

import numpy as np

from sightline.extract.wrappers._found import Problem
from sightline.extract.wrappers.patterns._apply import ItemsRead, PatternReading
from sightline.extract.wrappers.patterns._pattern import Pattern
from sightline.extract.wrappers.patterns._same_look import same_look
from sightline.extract.wrappers.patterns._same_make import alike_among, same_make, telling_kinds
from sightline.extract.wrappers.patterns._view import View

__all__ = ["left_beside", "left_out"]

LEAST = 2  # records that others can be like
# Of all elements of one make or look; a single advertisement among twenty results says nothing. By `python -m
# bench.teach.fit_listings`, 0 is as good; with 0.1, 30 of 625 lessons end in a part that is said to be ok instead of 5.
MOST_LEFT_OUT = 0.05
MOST_VALUES = (
    12  # of a field beside which is looked: records are made alike, and the rest of a list is beside its first
)
MOST_KIDS = 100  # of an element that are looked at; a list with more is long enough to show whether it goes on


def left_out(view: View, patterns: Sequence[Pattern], reading: PatternReading) -> Iterator[Problem]:
    """A problem for each set of records that is only a part of the elements of one make, or of one look."""
    for pattern in patterns:
        items = reading.items.get(pattern.name)
        if pattern.dropped or pattern.flat or items is None or len(items.kept) < LEAST:
            continue
        if view.page.is_text[items.kept].any():
            continue
        values = [[value.node for value in reading.of(f"{pattern.name}.{field.name}")] for field in pattern.fields]
        for told, left in (
            ("of one make", _same_make(view, items, values)),
            ("that look alike", _same_look(view, items, values)),
        ):
            count = len(items.kept) + len(left)
            if len(left) > MOST_LEFT_OUT * count:
                what = f"“{pattern.name}”: only {len(items.kept)} of {count} elements {told} are taken"
                yield Problem(view.page.xpath(left[0]), f"{what}; “{view.text(left[0]):.40}” is not")
                break


def _same_make(view: View, items: ItemsRead, values: Sequence[Sequence[int]]) -> list[int]:
    """The elements of the records' make that are none."""
    kept, dropped = (np.array(nodes, dtype=np.int64) for nodes in (items.kept, items.dropped))
    lacking = alike_among(view, dropped, kept)
    kinds = [kinds for nodes in values if (kinds := telling_kinds(view, nodes))]
    beside: list[int] = np.union1d(lacking, same_make(view, kept, kinds)).tolist()
    return beside


def _same_look(view: View, items: ItemsRead, values: Sequence[Sequence[int]]) -> list[int]:
    """The elements that look like the records and are none."""
    alike: list[int] = same_look(view, np.array(items.kept, dtype=np.int64), values).tolist()
    return alike


def left_beside(view: View, reading: PatternReading, names: Set[str] | None = None) -> dict[str, list[int]]:
    """For each field the elements beside its values that are of their make, and that no field takes.

    A second paragraph beside the one that is taken may be a part of the value. Values of a list may go on in the next
    list of the same make, as the ingredients of a recipe do. With `names` only these fields are asked for.
    """
    nodes: dict[str, list[int]] = {}
    for value in reading.taken:
        if names is None or value.name in names:
            nodes.setdefault(value.name, []).append(value.node)
    every = np.array([value.node for value in reading.taken], dtype=np.int64)
    taken: set[int] = set()
    for first, last in zip(view.first[every].tolist(), view.last[every].tolist(), strict=True):
        taken.update(range(first, last))
    return {name: _beside(view, list(dict.fromkeys(own)), taken) for name, own in nodes.items()}


def _beside(view: View, nodes: Sequence[int], taken: Set[int]) -> list[int]:
    page = view.page
    values = [node for node in nodes[:MOST_VALUES] if not page.is_text[node] and page.parent[node] >= 0]
    makes = {_make(view, node) for node in values}
    holders = dict.fromkeys(int(page.parent[node]) for node in values)
    if len(values) > 1:
        alike = {_make(view, holder) for holder in holders}
        above = dict.fromkeys(int(page.parent[holder]) for holder in holders if page.parent[holder] >= 0)
        holders |= dict.fromkeys(kid for parent in above for kid in _kids(view, parent) if _make(view, kid) in alike)
    return [
        kid
        for holder in holders
        for kid in _kids(view, holder)
        if _make(view, kid) in makes
        and view.last[kid] > view.first[kid]
        and taken.isdisjoint(range(int(view.first[kid]), int(view.last[kid])))
    ]


def _make(view: View, node: int) -> tuple[int, int]:
    return int(view.page.tag[node]), int(view.attribute("class")[node])


def _kids(view: View, node: int) -> Iterator[int]:
    """The elements in an element, the first so many."""
    page = view.page
    kid, stop = node + 1, int(page.end[node])
    for _ in range(MOST_KIDS):
        if kid >= stop:
            return
        if not page.is_text[kid]:
            yield kid
        kid = int(page.end[kid])
