"""What readers say below a text: the blocks inside of elements that their names call comments."""

import re

import numpy as np

from sightline.arrays import BoolArray
from sightline.extract.content._measures import Measured

__all__ = ["COMMENT_MEASURES", "comment_blocks"]

CALLED = "comment"  # the mark of elements named after comments, replies and discussions
# Marks of what stands beside a comment: who said it and when, what can be clicked, and where an answer is written.
BESIDE = ("near byline", "near signature", "near share", "in form", "in nav", "in footer", "subscribe", "overlay")
MOST_LINKED = 0.5  # of a block; set by hand: a comment may have a link in it, "Reply" is one
MOST_OF_TEXT = (
    0.5  # of the words of the main text: where more of it is called comments, they are what the page is about
)
LOWEST_HEADING = 6
COMMENT_MEASURES = frozenset([CALLED, *BESIDE, "links", "heading", "notices a word", "closed"])
# Who said it and when, in a line that its element does not call so.
WHEN = re.compile(r"\d:\d\d|\b(?:19|20)\d\d\b|\b\d+ (?:second|minute|hour|day|week|month|year)s? ago\b|\bvor \d+ ")
LONGEST_BYLINE = 8  # words


def comment_blocks(measured: Measured, kept: BoolArray) -> BoolArray:
    """The blocks that are comments on the text made of the kept ones; none if that text is itself what people say."""
    columns, words = measured.columns, measured.counts.words
    called: BoolArray = columns[CALLED] > 0
    if words[called & kept].sum() > MOST_OF_TEXT * words[kept].sum():
        return np.zeros(len(kept), dtype=bool)
    said = called & ~kept & (columns["links"] < MOST_LINKED)
    for name in BESIDE:
        said &= columns[name] == 0
    said &= (columns["heading"] > LOWEST_HEADING) & (columns["notices a word"] < 1)
    for row in np.flatnonzero(said & (words <= LONGEST_BYLINE) & (columns["closed"] == 0)).tolist():
        said[row] = not WHEN.search(measured.counts.blocks.texts[row])
    return said
