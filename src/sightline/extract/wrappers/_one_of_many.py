"""Whether a single example stands for a list: measures of the lists that it is in, weighed by a fitted model.

`python -m bench.teach.fit_one_of_many` fits the weights.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sightline.arrays import LongArray
from sightline.data import infer
from sightline.extract.wrappers._listings import Listing, values_like
from sightline.extract.wrappers.patterns import Located, View, label_key
from sightline.page import below
from sightline.signals import text_kind

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
APART = ("nav", "header", "footer", "aside")
# Of the measures: what each says for a list.
WEIGHTS = {
    "number": 0.74,
    "recurring": 2.98,
    "whole": 0.24,
    "texts": -0.49,
    "is list": 1.42,
    "rank": 3.06,
    "item": 0.81,
    "main heading": 0.30,
    "heading": -0.05,
    "linked": -0.13,
    "same class": 0.68,
    "labelled": -2.23,
    "distinct": -0.61,
    "lengths": 2.49,
    "words": 0.10,
    "plain": -0.13,
    "apart": 0.48,
    "first text": 0.16,
    "titled": -0.73,
    "elsewhere": 0.30,
    "part": 0.14,
    "colon": -2.26,
    "named": -0.66,
}
CONSTANT = -8.34
# Of the chance that an example stands for a list: from the first on it does, from the second on it is doubted.
LIKELY, POSSIBLE = 0.7, 0.3
TYPED = frozenset(["date", "measure", "money"])  # an example that is one stands for no others
SAMPLE = 30  # values that tell the type of a list
SHORT = 2  # texts of a record that is a label and its value


@dataclass(frozen=True, eq=False)
class OneOfMany:
    """A list that an example is in, the number of its record, and what was measured."""

    listing: Listing
    number: int
    measures: tuple[float, ...]

    @property
    def chance(self) -> float:
        """How likely the example stands for this list."""
        score = CONSTANT + sum(weight * value for weight, value in zip(WEIGHTS.values(), self.measures, strict=True))
        return float(1 / (1 + np.exp(-score)))


def lists_around(view: View, listings: Sequence[Listing], located: Located) -> Iterator[OneOfMany]:
    """The lists that an example is in, with what speaks for each."""
    for rank, listing in enumerate(listings):
        numbers = sorted(set(listing.numbers(located.nodes).tolist()) - {-1})
        if not numbers:
            continue
        found = values_like(view, listing, numbers[0], located)
        if len(found) > 1 and _are_alike(view, found, located.text):
            yield OneOfMany(listing, numbers[0], _measures(view, listing, rank, numbers[0], located, found))


def _are_alike(view: View, found: LongArray, text: str) -> bool:
    """Whether the values of a list may be of the type of the example: numbered items are no list of their total."""
    own = infer([text]).kind
    return own not in TYPED or infer([view.text(node) for node in found[:SAMPLE].tolist()]).kind == own


def has_own_label(view: View, located: Located, name: str) -> bool:
    """Whether a value stands after a label that is on the page once and that the example is named by, as in totals."""
    place = int(view.first[located.nodes[0]])
    wanted = label_key(name)
    if not wanted or not place or label_key(view.texts[place - 1]) != wanted:
        return False
    return sum(label_key(text) == wanted for text in view.texts) == 1


def _measures(
    view: View, listing: Listing, rank: int, number: int, located: Located, found: LongArray
) -> tuple[float, ...]:
    page = view.page
    start, stop = int(listing.start[number]), int(listing.stop[number])
    node = next(node for node in located.nodes if start <= node < stop)
    first, last = np.searchsorted(view.leaves, listing.start), np.searchsorted(view.leaves, listing.stop)
    texts = [view.text(int(one)) for one in found[:: -(-len(found) // 20)].tolist()]
    own = located.text
    classes = view.attribute("class")
    holder = int(page.parent[node])
    words = np.log1p([len(text.split()) for text in texts])
    apart, headings, linked = (below(page.mask(*tags), page.end) for tags in (APART, HEADINGS, ("a",)))
    place = int(view.first[node])
    before = view.texts[place - 1] if place > first[number] else ""
    own_label, others = view.before[node], view.before[found[found != node]]
    values = {
        "number": np.log1p(len(listing.start)),
        "recurring": len(found) / len(listing.start),
        "whole": (view.last[node] - view.first[node]) / max(1, last[number] - first[number]),
        "texts": np.log1p(np.median(last - first)),
        "is list": listing.is_list,
        "rank": 1 / (1 + rank),
        "item": page.strings[int(page.tag[start])] in ("li", "dd"),
        "main heading": bool(below(page.mask("h1"), page.end)[node]),
        "heading": bool(headings[node]),
        "linked": bool(linked[node] or linked[holder]),
        "same class": np.mean(classes[found] == classes[node]),
        "labelled": bool(np.median(last - first) <= SHORT and view.first[node] > first[number]),
        "distinct": len(set(texts)) / len(texts),
        "lengths": 1 / (1 + words.std()),
        "words": np.log1p(len(own.split())),
        "plain": text_kind(own) == text_kind("plain words"),
        "apart": bool(apart[node]),
        "first text": view.first[node] == first[number],
        "titled": own.casefold() in page.title.casefold(),
        "elsewhere": located.places > 1,
        "part": (last[-1] - first[0]) / len(view.leaves),
        "colon": before.rstrip().endswith(":"),
        "named": bool(before) and own_label != 0 and not np.any(others == own_label),
    }
    return tuple(float(values[name]) for name in WEIGHTS)
