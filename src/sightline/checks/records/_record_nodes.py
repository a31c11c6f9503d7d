"""The part of a page that each of several records fills."""

from collections.abc import Sequence

from sightline.checks.records._places import ValuePlaces

__all__ = ["units_of"]


def units_of(nodes: Sequence[Sequence[int]], places: ValuePlaces) -> list[int | None]:
    """For the nodes of each record the largest element that holds nothing of the others; None where there is none."""
    spans = [(min(own), max(own)) if own else None for own in nodes]
    order = sorted((span, number) for number, span in enumerate(spans) if span is not None)
    units: list[int | None] = [None] * len(nodes)
    for place, ((first, last), number) in enumerate(order):
        before = order[place - 1][0][1] if place else -1
        after = order[place + 1][0][0] if place + 1 < len(order) else len(places.parent)
        if before >= first or after <= last:
            continue
        own = places.lowest_common([first, last])
        if own <= before or places.end[own] > after:
            continue
        parent = places.parent[own]
        while parent >= 0 and parent > before and places.end[parent] <= after:
            own, parent = parent, places.parent[parent]
        units[number] = own
    return units
