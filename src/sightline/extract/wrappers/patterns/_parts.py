"""One value that has become several: the parts of a block where one line was taught.

A rule that is learned from one page takes what is in the same place on another one, and there may be several values:
two genres in a list where one was, or the steps of a recipe as items of a list instead of paragraphs.
"""

from collections.abc import Sequence

import numpy as np

from sightline.extract.wrappers.patterns._view import BLOCKS, View

__all__ = ["PROSE", "parts_of"]

PROSE = 120  # characters of running text, as of articles: of one that has several paragraphs, all are the value
MOST_PARTS = 60  # of one value; a block with more is another kind of thing


def parts_of(view: View, node: int, *, short: bool) -> list[int]:
    """The blocks that a node consists of, if these are several; with `short` ones that are no prose, or else lines."""
    count = int(view.last[node] - view.first[node])
    if count < 2:
        return []
    kids = _kids(view, node)
    while len(kids) == 1 and not view.page.is_text[kids[0]]:
        kids = _kids(view, kids[0])
    if not 1 < len(kids) <= MOST_PARTS:
        return []
    if short and ((view.sizes(np.array(kids)) > PROSE).any() or _are_paragraphs(view, kids)):
        return []
    return kids if _are_blocks(view, kids) or (short and _are_lines(view, kids)) else []


def _kids(view: View, node: int) -> list[int]:
    """The children of an element that have a text, in order; of one with too many, only the first."""
    page = view.page
    found: list[int] = []
    kid, stop = node + 1, int(page.end[node])
    while kid < stop and len(found) <= MOST_PARTS:
        if view.last[kid] > view.first[kid]:
            found.append(kid)
        kid = int(page.end[kid])
    return found


def _are_paragraphs(view: View, kids: Sequence[int]) -> bool:
    """Whether children are the paragraphs of one text, which are one value together."""
    return bool((view.page.tag[kids] == view.page.string_id("p")).any())


def _are_blocks(view: View, kids: Sequence[int]) -> bool:
    """Whether children are blocks of one make without further ones in them."""
    page = view.page
    blocks = [page.string_id(tag) for tag in BLOCKS]
    tag = int(page.tag[kids[0]])
    if tag not in blocks or any(page.tag[kid] != tag for kid in kids):
        return False
    if tag == page.string_id("div") and any(not view.alike(kid, kids[0]) for kid in kids):
        return False
    return not any(np.isin(page.tag[kid + 1 : page.end[kid]], blocks).any() for kid in kids)


def _are_lines(view: View, kids: Sequence[int]) -> bool:
    """Whether each child is a line: there is a break between any two of them."""
    page = view.page
    breaks = np.flatnonzero(page.tag[kids[0] : kids[-1]] == page.string_id("br")) + kids[0]
    if len(breaks) < len(kids) - 1 or not all(view.may_be_value[kid] for kid in kids):
        return False
    after = np.searchsorted(breaks, [int(page.end[kid]) for kid in kids[:-1]])
    return bool((after < len(breaks)).all() and (breaks[np.minimum(after, len(breaks) - 1)] < kids[1:]).all())
