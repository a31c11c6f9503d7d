"""How each text block looks: its place, its column and its type. All of it is NaN without layout."""

from collections.abc import Iterator

import numpy as np

from sightline.arrays import AnyInts, FloatArray, number_rows
from sightline.extract.content._counts import BlockCounts
from sightline.geometry import is_box
from sightline.page import ABSENT
from sightline.signals import TextBlocks, bold_nodes, font_sizes

__all__ = ["of_looks"]

COLUMN = 8.0  # pixels; lines that begin within so many share an edge
QUARTERS = 4  # of a pixel; font sizes that differ by less are one
PLACED = {"fixed": ("fixed", "sticky"), "placed": ("absolute",)}
NOWHERE = -1e9  # stands for NaN, which is unequal to itself


def of_looks(blocks: TextBlocks, counts: BlockCounts) -> Iterator[tuple[str, FloatArray]]:
    """Place, column and type of each block."""
    page, box = blocks.page, blocks.boxes
    has_layout = bool(np.isfinite(box).any())
    wide, high = (float(np.nanmax(box[:, side], initial=1.0)) if has_layout else 1.0 for side in (2, 3))
    view = float(page.viewport[0] or wide)
    left, top, right, bottom = box.T
    width = right - left
    yield "left", left / view
    yield "middle", (left + right) / 2 / view
    yield "width", width / view
    yield "height", bottom - top
    yield "top", top
    yield "down", top / high
    yield "letters an area", counts.characters / np.maximum(width * (bottom - top), 1)
    weight = counts.words * np.isfinite(left)
    if counts.asks("edge"):
        yield "edge", _share_alike(np.round(left / COLUMN), weight)
    column = _column(left, right, weight * counts.reads)
    yield "in column", _overlap(left, right, column) if column else np.full(len(blocks), np.nan)
    yield "column width", np.full(len(blocks), (column[1] - column[0]) / view if column else np.nan)
    yield from _of_fonts(blocks, counts, weight)
    for name, values in PLACED.items():
        if counts.asks(name):
            yield name, _placed(blocks, *values)
    owner = page.box[blocks.owner]
    yield "block width", np.where(is_box(owner), owner[:, 2] - owner[:, 0], np.nan) / view


def _share_alike(values: FloatArray, weight: FloatArray) -> FloatArray:
    """The share of the page's words that have the same value as each block."""
    is_known = np.isfinite(values)
    if not is_known.any():
        return np.full(len(values), np.nan)
    group = np.unique(np.where(is_known, values, NOWHERE), return_inverse=True)[1]
    return np.where(is_known, _share_of_group(group, weight), np.nan)


def _share_of_group(group: AnyInts, weight: FloatArray) -> FloatArray:
    """The share of the page's words in the group of each block."""
    shares: FloatArray = (np.bincount(group, weights=weight) / max(1.0, weight.sum()))[group]
    return shares


def _column(left: FloatArray, right: FloatArray, weight: FloatArray) -> tuple[float, float] | None:
    """The column of the text: the weighted median of its edges."""
    return (_median(left, weight), _median(right, weight)) if weight.sum() else None


def _median(values: FloatArray, weight: FloatArray) -> float:
    """The weighted median of the known values."""
    known = np.flatnonzero(np.isfinite(values) & (weight > 0))
    order = known[np.argsort(values[known])]
    half = weight[order].sum() / 2
    return float(values[order[np.searchsorted(np.cumsum(weight[order]), half)]])


def _overlap(left: FloatArray, right: FloatArray, column: tuple[float, float]) -> FloatArray:
    """How much of the narrower of block and column is in the other, from 1 down to -1 far beside it."""
    shared = np.minimum(right, column[1]) - np.maximum(left, column[0])
    return np.clip(shared / np.maximum(np.minimum(right - left, column[1] - column[0]), 1), -1, 1)


def _of_fonts(blocks: TextBlocks, counts: BlockCounts, weight: FloatArray) -> Iterator[tuple[str, FloatArray]]:
    """Size, weight and colour of the type of each block."""
    page, nodes = blocks.page, blocks.start
    if not page.style_names:
        for name in ("font size", "font ratio", "bold", "look", "colour"):
            yield name, np.full(len(blocks), np.nan)
        return
    size = font_sizes(page)[nodes].astype(np.float64)
    reads = weight * counts.reads
    yield "font size", size
    yield "font ratio", size / (_median(size, reads) if reads.sum() else np.nan)
    bold = bold_nodes(page)[nodes]
    yield "bold", bold.astype(np.float64)
    colour = page.style_column("color")[nodes]
    yield (
        "look",
        _share_of_group(number_rows(np.round(size * QUARTERS).astype(np.int64), bold.astype(np.int64), colour), weight),
    )
    yield "colour", _share_of_group(colour - ABSENT, weight)


def _placed(blocks: TextBlocks, *values: str) -> FloatArray:
    """Which blocks are inside an element with one of these positions."""
    page = blocks.page
    ids = [number for value in values if (number := page.style_id(value)) >= 0]
    placed = np.flatnonzero(np.isin(page.style_column("position"), ids))
    return blocks.inside(placed).astype(np.float64)
