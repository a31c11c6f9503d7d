"""Whether a table is one record: a title, a picture, and labels with their values, as an infobox has them."""

from dataclasses import replace

import numpy as np

from sightline.extract.tables._draft import TableDraft
from sightline.extract.tables._roles import Roles, roles_of
from sightline.signals import TextKind

__all__ = ["is_record", "roles_of_record"]

FEWEST_PAIRS = 2
PAIRS = 0.8  # share of the rows, without those of one cell over all columns, that are a label and a value
UNLIKE = 0.9  # share of the labels that no other is like
LABEL_WORDS = 8  # labels are short
WORDS = 0.7  # share of the labels that are words: years and ranks are values, each of a row of its own
MOST_NAMED = 1  # rows of headings that may be a label and its value after all
MARKED = 0.6  # share of the labels that are headings by their tags or their looks, or end in a colon


def is_record(draft: TableDraft, roles: Roles) -> bool:
    """Whether nearly all rows are a label and its value, with nothing over the columns but a title."""
    grid = draft.grid
    width = grid.shape[1]
    filled = draft.words > 0
    whole = (grid.column_span == width) | (width < 2)
    whole_rows = set(grid.row[whole].tolist())
    named = [row for row in range(roles.header_rows) if row not in whole_rows]
    if len(named) > MOST_NAMED:
        return False
    cells: dict[int, list[int]] = {}
    single = np.flatnonzero(filled & ~whole)
    for cell, row in zip(single.tolist(), grid.row[single].tolist(), strict=True):
        cells.setdefault(row, []).append(cell)
    pairs = [held for held in cells.values() if len(held) == 2 and grid.column[held[0]] == 0]
    if len(pairs) < FEWEST_PAIRS or len(pairs) < PAIRS * len(cells):
        return False
    labels = [held[0] for held in pairs]
    texts = [draft.texts[cell].strip().casefold() for cell in labels]
    if len(set(texts)) < UNLIKE * len(texts) or max(draft.words[labels].tolist()) > LABEL_WORDS:
        return False
    titled = bool(whole_rows) or bool(draft.pictures.any())
    if named and (not titled or _is_headed(draft, named)):
        return False  # headings name columns
    wordy = np.isin(draft.kinds[labels], (TextKind.WORDS, TextKind.PROSE))
    return wordy.mean() >= WORDS and _are_labels(draft, pairs, texts, titled=titled)


def roles_of_record(draft: TableDraft) -> Roles:
    """The roles of a record: no row of it names columns, whatever its texts are."""
    return roles_of(replace(draft, header_rows=0))


def _is_headed(draft: TableDraft, rows: list[int]) -> bool:
    """Whether what stands beside the first column in some rows is set as headings."""
    beside = np.isin(draft.grid.row, rows) & (draft.grid.column > 0)
    return bool((draft.marked[beside] | draft.bold[beside]).any())


def _are_labels(draft: TableDraft, pairs: list[list[int]], texts: list[str], *, titled: bool) -> bool:
    """Whether the first cells of most rows name what stands beside them, by their tags or a colon.

    Below a title, or with a picture, it is enough that they are bold or painted: without these they may be the names
    of things with a description beside each.
    """
    labels, values = [held[0] for held in pairs], [held[1] for held in pairs]
    named = draft.marked[labels] & ~draft.marked[values]
    named |= np.array([text.endswith(":") for text in texts])
    if titled:
        named |= draft.bold[labels] & ~draft.bold[values]
        named |= draft.background[labels] != draft.background[values]
    return float(named.mean()) >= MARKED
