"""Captions of tables: the table's own caption, or else the nearest heading above it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sightline.arrays import BoolArray
from sightline.extract.tables._draft import PageTexts
from sightline.geometry import Box, contains
from sightline.signals import LayoutBlocks, first_texts

__all__ = ["Captions"]

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
NEAR = 24.0  # pixels between a caption and its table
FAR = 600.0  # pixels between a heading and what it heads: about one screen
HEADING_WORDS = 20
LARGER = 1.15  # times the usual size of the page's words


@dataclass(frozen=True, eq=False)
class Captions:
    """All captions and headings of a page, for every table that looks for its own."""

    page_texts: PageTexts
    blocks: LayoutBlocks
    tables: Sequence[Box] = ()

    def of(self, boxes: Sequence[Box]) -> list[str | None]:
        """The text of the caption at each box, or of the heading above it."""
        found = [self._at(box) for box in boxes]
        nodes = [int(self.blocks.node[number]) for number in found if number is not None]
        texts = iter(self.page_texts.page.texts_of(nodes))
        return [None if number is None else " ".join(next(texts).split()) or None for number in found]

    def _at(self, box: Box) -> int | None:
        caption = self._nearest(self.blocks.caption, box, above=NEAR, below=NEAR)
        return self._nearest(self._headings, box, above=FAR, below=-np.inf) if caption is None else caption

    @cached_property
    def _headings(self) -> BoolArray:
        """Short blocks of text that are headings by their tags, or larger or bolder than the page's words."""
        page, looks, blocks = self.page_texts.page, self.page_texts.looks, self.blocks
        short = (blocks.own_ink > 0) & (blocks.ink <= HEADING_WORDS)
        tagged = page.mask(*HEADINGS)
        first = first_texts(page, blocks.node)
        usual = float(np.median(looks.size[page.words.node])) if len(page.words) else 0.0
        stands_out = (looks.size[first] >= LARGER * usual) | looks.bold[first]
        headings: BoolArray = (short & stands_out & (blocks.count == 0)) | (tagged[blocks.node] & (blocks.ink > 0))
        return headings & ~self._in_tables

    @cached_property
    def _in_tables(self) -> BoolArray:
        """Which blocks are in a table: bold text there heads nothing else."""
        inside = np.zeros(len(self.blocks), dtype=bool)
        for table in self.tables:
            inside |= contains(np.array(table, dtype=np.float32), self.blocks.box, slack=1.0)
        return inside

    def _nearest(self, chosen: BoolArray, box: Box, *, above: float, below: float) -> int | None:
        """The nearest of some blocks that ends above a box, or starts below it, within a distance."""
        numbers = np.flatnonzero(chosen)
        if not len(numbers):
            return None
        boxes = self.blocks.box[numbers]
        beside = (boxes[:, 2] > box[0]) & (boxes[:, 0] < box[2])
        up, down = box[1] - boxes[:, 3], boxes[:, 1] - box[3]
        distance = np.where(up >= -1, up, np.where(down >= -1, down + above, np.inf))
        within = beside & (((up >= -1) & (up <= above)) | ((down >= -1) & (down <= below)))
        return int(numbers[within][distance[within].argmin()]) if within.any() else None
