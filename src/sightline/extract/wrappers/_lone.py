"""Whether a single example is one of many: a field that takes one value where a list has several like it."""

from collections.abc import Sequence

import numpy as np

from sightline.extract.wrappers._listings import Listing
from sightline.extract.wrappers.patterns import (
    RELATIONS,
    Condition,
    Pattern,
    Rule,
    SearchSpan,
    View,
    found_by,
    label_key,
)

__all__ = ["is_lone"]

LEAST_ALIKE = 4  # records with such a value; of fewer, each may be something else
RECURRING = 0.5  # of the records
LABELLED = 2  # texts of a record that is a label and its value
ABOVE = ("after", "following", "below")  # tests of a label that only the first item of a list below it has
MOSTLY = 0.5  # of the other records have another one of them before them


def is_lone(view: View, listings: Sequence[Listing], pattern: Pattern) -> bool:
    """Whether a field's value is in a record of a list, others have the like, and its rule only counts.

    A rule that says what the value is, by a class, a label or a heading that the others lack, does not count. That it
    is below the heading of the whole list says only that it is the first.
    """
    found = found_by(view, pattern, SearchSpan(0, len(view.page)))[0]
    if len(found) != 1:
        return False
    return any(_is_one_of(view, listing, int(found[0]), pattern.rules[0]) for listing in listings if listing.is_list)


def _is_one_of(view: View, listing: Listing, node: int, rule: Rule) -> bool:
    number = int(listing.numbers([node])[0])
    if number < 0 or _is_labelled(view, listing, number, node):
        return False
    first = int(listing.start[0])
    alike = np.flatnonzero(view.page.path[first : int(listing.stop[-1])] == view.page.path[node]) + first
    records = len(set(listing.numbers(alike).tolist()) - {-1})
    if records < max(LEAST_ALIKE, RECURRING * len(listing.start)):
        return False
    own, others = _labels(view, listing, number)
    relations = {label_key(condition.value) for condition in rule.conditions if condition.test in RELATIONS}
    if relations & (own - others):
        return False
    if rule.pick != "all" or relations & (others - own) or any(map(_counts, rule.conditions)):
        return True
    above = {label_key(condition.value) for condition in rule.conditions if condition.test in ABOVE}
    return bool(above - own - others) and _follow_each_other(view, listing)


def _follow_each_other(view: View, listing: Listing) -> bool:
    """Whether the text before most records is in another one, so that they have no labels between them."""
    before = view.leaves[np.maximum(view.first[listing.start[1:]] - 1, 0)]
    return bool(np.mean(listing.numbers(before) >= 0) > MOSTLY)


def _is_labelled(view: View, listing: Listing, number: int, node: int) -> bool:
    """Whether a value follows a label in records that are just that, such as the rows of a data sheet."""
    begin, end = np.searchsorted(view.leaves, listing.start), np.searchsorted(view.leaves, listing.stop)
    return bool(np.median(end - begin) <= LABELLED and view.first[node] > view.first[listing.start[number]])


def _labels(view: View, listing: Listing, number: int) -> tuple[set[str], set[str]]:
    """The texts of a record as labels, and those of the others."""
    texts = [
        {label_key(text) for text in view.texts[int(view.first[start]) : int(view.last[stop - 1])]}
        for start, stop in zip(listing.start.tolist(), listing.stop.tolist(), strict=True)
    ]
    return texts[number], set().union(*texts[:number], *texts[number + 1 :])


def _counts(condition: Condition) -> bool:
    """Whether a condition tells one record from others by its position or its number."""
    numbered = condition.test in ("id", "attribute") and any(map(str.isdigit, condition.value))
    return numbered or condition.test in ("place", "last", "text")
