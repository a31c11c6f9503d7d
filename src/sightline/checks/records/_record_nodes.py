"""The part of a page that each record fills."""

from collections.abc import Sequence

from sightline.checks.records._places import ValuePlaces

__all__ = ["units_of"]


def units_of(nodes: Sequence[Sequence[int]], places: ValuePlaces) -> list[int | None]:
    """For the nodes of each record, the largest element that holds nothing of the others, or None."""
    spans = [(min(record), max(record)) if record else None for record in nodes]
    order = sorted((span, number) for number, span in enumerate(spans) if span is not None)
    units: list[int | None] = [None] * len(nodes)
    for place, ((first, last), number) in enumerate(order):
        before = order[place - 1][0][1] if place else -1
        after = order[place + 1][0][0] if place + 1 < len(order) else len(places.parent)
        if before >= first or after <= last:
            continue
        element = places.lowest_common([first, last])
        if element <= before or places.end[element] > after:
            continue
        parent = places.parent[element]
        while parent >= 0 and parent > before and places.end[parent] <= after:
            element, parent = parent, places.parent[parent]
        units[number] = element
    return units
