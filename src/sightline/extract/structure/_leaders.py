"""Dots and lines that lead the eye from a label to its row: how much of a cell they are."""

from collections.abc import Sequence

__all__ = ["leader_of"]

DOTS, LINES = ".…·", "_"
# By judgement: three dots are an ellipsis, and so is one with a full stop behind it. Where nothing stands to the right
# of a cell, four may be a careless ellipsis as well.
FEWEST, FEWEST_TO_NOTHING = 4, 8
WORTH = {"…": 2}  # how many dots a character counts for


def leader_of(texts: Sequence[str], *, leads: bool) -> tuple[int, int]:
    """How many words at the end of a cell are a leader, and how many characters at the end of the word before them.

    `leads` says that something stands to the right of the cell; without it, a line is a place to write on.

    >>> leader_of(["Total", ".", ".", ".", "."], leads=True), leader_of(["Total......"], leads=True)
    ((4, 0), (0, 6))
    >>> leader_of(["and", "so", "on..."], leads=True), leader_of(["Name", "____"], leads=False)
    ((0, 0), (0, 0))
    """
    signs = DOTS + LINES if leads else DOTS
    if texts and texts[-1] and texts[-1][-1] not in signs:
        return 0, 0  # as most cells
    words = 0
    while words < len(texts) and not texts[-1 - words].strip(signs):
        words += 1
    if words == len(texts):
        return 0, 0  # nothing but dots stands for a missing value
    last = texts[-1 - words]
    tail = len(last) - len(last.rstrip(signs))
    if tail == 1 and words and len(texts[len(texts) - words]) > 1:
        tail = 0  # the full stop of the label itself, before dots that are set as one
    found = last[len(last) - tail :] + "".join(texts[len(texts) - words :])
    count = sum(WORTH.get(sign, 1) for sign in found)
    return (words, tail) if count >= (FEWEST if leads else FEWEST_TO_NOTHING) else (0, 0)
