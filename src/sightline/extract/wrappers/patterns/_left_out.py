"""Whether a page has more of what was read: elements like the records that no rule took."""

from collections.abc import Iterator, Sequence

import numpy as np

from sightline.arrays import BoolArray, LongArray
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


def left_beside(view: View, reading: PatternReading) -> dict[str, list[int]]:
    """For each field the elements beside its values that are of their make, and that no field takes.

    A second paragraph beside the one that is taken may be a part of the value. Values of a list may go on in the next
    list of the same make, as the ingredients of a recipe do.
    """
    nodes: dict[str, list[int]] = {}
    for value in reading.taken:
        nodes.setdefault(value.name, []).append(value.node)
    taken = np.zeros(len(view.leaves) + 1, dtype=bool)
    for value in reading.taken:
        taken[int(view.first[value.node]) : int(view.last[value.node])] = True
    return {name: _beside(view, np.unique(own), taken) for name, own in nodes.items()}


def _beside(view: View, nodes: LongArray, taken: BoolArray) -> list[int]:
    page, classes = view.page, view.attribute("class")
    nodes = nodes[~page.is_text[nodes] & (page.parent[nodes] >= 0)]
    if not len(nodes):
        return []
    makes = set(zip(page.tag[nodes].tolist(), classes[nodes].tolist(), strict=True))
    holders = np.unique(page.parent[nodes]).astype(np.int64)
    if len(nodes) > 1:
        holders = np.union1d(holders, _alike_holders(view, holders))
    others = np.flatnonzero(np.isin(page.parent, holders) & (view.last > view.first) & ~page.is_text)
    return [
        node
        for node in others.tolist()
        if (int(page.tag[node]), int(classes[node])) in makes
        and not taken[int(view.first[node]) : int(view.last[node])].any()
    ]


def _alike_holders(view: View, holders: LongArray) -> LongArray:
    """The elements beside the holders of some values that are of the same make as these."""
    page, classes = view.page, view.attribute("class")
    makes = set(zip(page.tag[holders].tolist(), classes[holders].tolist(), strict=True))
    above = np.unique(page.parent[holders])
    kids = np.flatnonzero(np.isin(page.parent, above[above >= 0]) & ~page.is_text)
    alike = [node for node in kids.tolist() if (int(page.tag[node]), int(classes[node])) in makes]
    return np.array(alike, dtype=np.int64)
