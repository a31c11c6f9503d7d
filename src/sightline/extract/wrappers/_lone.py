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

LEAST_ALIKE = 3  # records with such a value, as many as a list has at least
RECURRING = 0.5  # of the records


def is_lone(view: View, listings: Sequence[Listing], pattern: Pattern) -> bool:
    """Whether a field's value is in a record of a list, others have the like, and its rule only counts.

    A rule that says what the value is, by a class, a label or a heading that the others lack, does not count.
    """
    found = found_by(view, pattern, SearchSpan(0, len(view.page)))[0]
    if len(found) != 1:
        return False
    return any(_is_one_of(view, listing, int(found[0]), pattern.rules[0]) for listing in listings if listing.is_list)


def _is_one_of(view: View, listing: Listing, node: int, rule: Rule) -> bool:
    number = int(listing.numbers([node])[0])
    if number < 0:
        return False
    first = int(listing.start[0])
    alike = np.flatnonzero(view.page.path[first : int(listing.stop[-1])] == view.page.path[node]) + first
    records = len(set(listing.numbers(alike).tolist()) - {-1})
    if records < LEAST_ALIKE or records < RECURRING * len(listing.start):
        return False
    return rule.pick != "all" or any(_counts(view, listing, number, condition) for condition in rule.conditions)


def _counts(view: View, listing: Listing, number: int, condition: Condition) -> bool:
    """Whether a condition tells one record from others by its position, its number, or the text of another one."""
    if condition.test in ("place", "last", "text"):
        return True
    if condition.test in ("id", "attribute"):
        return any(map(str.isdigit, condition.value))
    if condition.test not in RELATIONS:
        return False
    texts = view.texts[int(view.first[listing.start[0]]) : int(view.last[listing.stop[-1] - 1])]
    own = view.texts[int(view.first[listing.start[number]]) : int(view.last[listing.stop[number] - 1])]
    value = label_key(condition.value)
    return value in set(map(label_key, texts)) - set(map(label_key, own))
