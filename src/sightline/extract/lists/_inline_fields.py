"""Inline elements that are parts of their own: the date in front of a snippet, the language of a project.

A page that gives some words of a line a class or a microdata property says that they are something. But the words that
were searched for have a class as well, wherever they occur. So an element is a part only if its like occurs once in a
record, in enough records, with different texts, and if it stands apart from the words around it.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray
from sightline.extract.lists._region import Region
from sightline.page import Page, nearest
from sightline.signals import DECORATION, Pieces, kind_name

# `python -m bench.lists.fit_fields` tries other shares over five folds of sites: 0.9 is chosen by four of them, and
# anything from 0.1 to 0.5 for the share of records gives the same figures.
LEAST_SHARE = 0.3  # of the records of a region have the element
MOST_SINGLE = 0.9  # of these have it once
MOST_APART = 0.9  # of the elements stand apart
LEAST_RECORDS = 2
# A neighbour that ends or begins like this is the same phrase: "7, 39939", "Springfield (Ohio)".
JOINING = frozenset(",()[]'\"’“”$€£")

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class InlineElements:
    """The inline elements of a page with a name of their own, in order, outside links, each within one line.

    `low` and `high` are the range of its texts. Elements of one `make` have the same path, class and property. It
    stands `apart` if a link, another such element, a gap or a mark parts it from its neighbours; it is at the `edge` if
    its line begins or ends with it.
    """

    node: IntArray
    low: Longs
    high: Longs
    make: Longs
    apart: BoolArray
    edge: BoolArray


def inline_elements(page: Page, pieces: Pieces, classes: IntArray, properties: IntArray) -> InlineElements:
    """The inline elements of a page that may be parts of records."""
    is_named = (classes >= 0) | (properties >= 0) | page.mask("time")
    node = np.flatnonzero(is_named & ~(page.is_block | page.is_cell | page.is_text | page.mask("a", *DECORATION)))
    low, high = np.searchsorted(pieces.text, node), np.searchsorted(pieces.text, page.end[node])
    node, low, high = (column[high > low] for column in (node, low, high))
    is_free = (pieces.link[low] < node) & (pieces.link[low] >= 0)
    is_free = ~is_free & (pieces.line[low] == pieces.line[high - 1])
    node, low, high = (column[is_free] for column in (node, low, high))
    strings = len(page.strings) + 1  # the ids begin at -1
    make = (page.path[node].astype(np.int64) * strings + classes[node] + 1) * strings + properties[node] + 1
    owner = _owners(page, pieces, node)
    apart = _is_parted(page, pieces, owner, node, low, low - 1) & _is_parted(page, pieces, owner, node, high - 1, high)
    return InlineElements(node.astype(np.int32), low, high, make, apart, _at_edge(pieces, low, high))


def _owners(page: Page, pieces: Pieces, node: Longs) -> Longs:
    """For each text the innermost of the elements around it, or -1."""
    marked = np.zeros(len(page), dtype=bool)
    marked[node] = True
    return nearest(page.parent, marked)[pieces.text]


def _at_edge(pieces: Pieces, low: Longs, high: Longs) -> BoolArray:
    line = np.concatenate([[-1], pieces.line, [-1]])  # moved by one, so that there is always a neighbour
    at_edge: BoolArray = (line[low] != line[low + 1]) | (line[high + 1] != line[high])
    return at_edge


def _is_parted(page: Page, pieces: Pieces, owner: Longs, node: Longs, own: Longs, other: Longs) -> BoolArray:
    """Whether each element is parted from its neighbour: `own` is its text on that side, `other` the one beside it."""
    exists = (other >= 0) & (other < len(pieces.text))
    beside = np.where(exists, other, own)
    parted: BoolArray = ~exists | (pieces.piece[own] != pieces.piece[beside])
    around = owner[beside]
    is_inside = (around <= node) & (node < page.end[np.maximum(around, 0)])
    parted |= (around >= 0) & ~is_inside
    for place in np.flatnonzero(~parted).tolist():
        text = page.strings[page.text[pieces.text[beside[place]]]].strip()
        letter = text[-1:] if beside[place] < own[place] else text[:1]
        parted[place] = not (letter.isalnum() or letter in JOINING)
    return parted


def inline_fields(page: Page, pieces: Pieces, elements: InlineElements, region: Region) -> dict[int, int]:
    """The texts, by their place, that are in an inline part of the region's records, and the part that each is in."""
    row = np.searchsorted(region.start, elements.node, side="right") - 1
    inside = np.flatnonzero((row >= 0) & (elements.node < region.stop[row]))
    if not len(inside):
        return {}
    make, members = np.unique(elements.make[inside], return_inverse=True)
    members = members.reshape(-1)
    held, times = np.unique(members * len(region) + row[inside], return_counts=True)
    records = np.bincount(held // len(region), minlength=len(make))
    single = np.bincount(held // len(region), weights=times == 1, minlength=len(make))
    total = np.bincount(members, minlength=len(make))
    apart = np.bincount(members, weights=elements.apart[inside], minlength=len(make)) >= MOST_APART * total
    edge = np.bincount(members, weights=elements.edge[inside], minlength=len(make)) >= MOST_APART * total
    likely = (records >= max(LEAST_RECORDS, LEAST_SHARE * len(region))) & (single >= MOST_SINGLE * records)
    found: dict[int, int] = {}
    for number in np.flatnonzero(likely & (apart | edge)).tolist():
        own = inside[members == number].tolist()
        texts = {_text(page, pieces, elements, place) for place in own}
        # A date or a number at an edge is something by itself, even if a sentence follows at once.
        if len(texts) > 1 and (apart[number] or kind_name(sorted(texts))):
            for place in own:
                for text in range(int(elements.low[place]), int(elements.high[place])):
                    found[text] = max(found.get(text, -1), int(elements.node[place]))  # the innermost is the last
    return found


def _text(page: Page, pieces: Pieces, elements: InlineElements, place: int) -> str:
    nodes = pieces.text[elements.low[place] : elements.high[place]]
    return " ".join(page.strings[text].strip() for text in page.text[nodes].tolist())
