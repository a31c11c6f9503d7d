"""Elements that look like some records: as wide, at the same level, with texts that look like the values."""

from collections.abc import Sequence

import numpy as np

from sightline.arrays import BoolArray, LongArray
from sightline.extract.wrappers.patterns._same_make import apart_from
from sightline.extract.wrappers.patterns._view import View

__all__ = ["same_look"]

LEAST_FIELDS = 2  # that records have whose look is their own
SAME_WIDTH = 2.0  # pixels that those may differ by which are equally wide
# The two below were chosen by `python -m bench.teach.fit_listings` over 625 lessons on 81 sites. With them 5 parts are
# said ok, without this check 13; 61 of 580 whole lists are doubted with it and without it. Verdicts are right on 0.892
# of a site left out of the choice, without this check on 0.876.
SHARED_LOOKS = 0.5  # of the fields: an element like the records has texts that look like their values
LEAST_ALIKE = 2  # that look like the records; a single one is as likely a note between them, and with 1, 69 are doubted


def same_look(view: View, records: LongArray, fields: Sequence[Sequence[int]]) -> LongArray:
    """The elements apart from some records that look like them; none if the page is not rendered.

    `fields` are the nodes of the values of each field. Elements are at the same level if the same tags lead to them.
    Records of a single field look like any other line of text, so nothing is like them.
    """
    page = view.page
    looks = [np.unique(view.look[list(values)]) for values in fields if len(values)]
    if page.kind != "rendered" or len(looks) < LEAST_FIELDS:
        return records[:0]
    nodes = np.flatnonzero(np.isin(page.path, page.path[records]) & (view.last > view.first))
    nodes = apart_from(view, nodes, records)
    nodes = nodes[_are_as_wide(view, nodes, records)]
    alike = np.array([node for node in nodes.tolist() if _shares(view, node, looks)], dtype=np.int64)
    return alike if len(alike) >= LEAST_ALIKE else alike[:0]


def _are_as_wide(view: View, nodes: LongArray, records: LongArray) -> BoolArray:
    width = view.page.box[:, 2] - view.page.box[:, 0]
    usual = np.nanmedian(width[records]) if np.isfinite(width[records]).any() else np.nan
    equal: BoolArray = np.abs(width[nodes] - usual) <= SAME_WIDTH
    return equal


def _shares(view: View, node: int, looks: Sequence[LongArray]) -> bool:
    """Whether an element has texts in the looks of enough of the fields."""
    own = view.look[view.leaves[int(view.first[node]) : int(view.last[node])]]
    return sum(bool(np.isin(own, known).any()) for known in looks) >= SHARED_LOOKS * len(looks)
