"""Whether a page has more of what was read: elements like the records that no rule took."""

from collections.abc import Iterator, Sequence

import numpy as np

from sightline.extract.wrappers._found import Problem
from sightline.extract.wrappers.patterns._apply import ItemsRead, PatternReading
from sightline.extract.wrappers.patterns._pattern import Pattern
from sightline.extract.wrappers.patterns._same_look import same_look
from sightline.extract.wrappers.patterns._same_make import alike_among, same_make, telling_kinds
from sightline.extract.wrappers.patterns._view import View

__all__ = ["left_out"]

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
