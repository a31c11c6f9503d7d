"""Whether a page has more of what was read: elements like the records that no rule took."""

from collections.abc import Iterator, Sequence

import numpy as np

from sightline.extract.wrappers._found import Problem
from sightline.extract.wrappers.patterns._apply import ItemsRead, PatternReading
from sightline.extract.wrappers.patterns._pattern import Pattern
from sightline.extract.wrappers.patterns._same_make import Kinds, alike_among, same_make, telling_kinds
from sightline.extract.wrappers.patterns._view import View

__all__ = ["left_out"]

LEAST = 2  # records that others can be like
MOST_LEFT_OUT = 0.05  # of all elements of one make; a single advertisement among twenty results says nothing


def left_out(view: View, patterns: Sequence[Pattern], reading: PatternReading) -> Iterator[Problem]:
    """A problem for each set of records that is only a part of the elements of one make."""
    for pattern in patterns:
        items = reading.items.get(pattern.name)
        if pattern.dropped or pattern.flat or items is None or len(items.kept) < LEAST:
            continue
        if view.page.is_text[items.kept].any():
            continue
        left = _alike(
            view, items, [kinds for field in pattern.fields if (kinds := _kinds(view, reading, pattern, field))]
        )
        count = len(items.kept) + len(left)
        if len(left) > MOST_LEFT_OUT * count:
            what = f"“{pattern.name}”: only {len(items.kept)} of {count} elements of one make are taken"
            yield Problem(view.page.xpath(left[0]), what)


def _kinds(view: View, reading: PatternReading, pattern: Pattern, field: Pattern) -> Kinds:
    """The kinds of elements that the values of a field are."""
    return telling_kinds(view, [value.node for value in reading.of(f"{pattern.name}.{field.name}")])


def _alike(view: View, items: ItemsRead, fields: Sequence[Kinds]) -> list[int]:
    """The elements like the records that are none."""
    kept, dropped = (np.array(nodes, dtype=np.int64) for nodes in (items.kept, items.dropped))
    lacking = alike_among(view, dropped, kept)
    beside: list[int] = np.union1d(lacking, same_make(view, kept, fields)).tolist()
    return beside
