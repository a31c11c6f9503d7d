"""Drawn lines and pieces of text on a picture."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.sources.scans._ink import ink_of
from sightline.sources.scans._rules import find_rules
from sightline.sources.scans._segments import Segment, find_segments, parts_of, type_size

from ._draw import LEFTS, ROWS, SIZE, STEP, TOP, Gray, sheet, table


def _segments(picture: Gray) -> list[Segment]:
    ink = ink_of(picture)
    parts = parts_of(ink)
    found = find_segments(parts, type_size(parts), (ink.shape[0], ink.shape[1]))
    return sorted(found, key=lambda one: (one.box[1] // (STEP // 2), one.box[0]))


def test_size_of_the_type_is_told() -> None:
    """The size is that of most letters, whatever the title."""
    texts = [("Words of a paragraph that goes on", 50, 100 + 50 * row, 30) for row in range(5)]
    parts = parts_of(ink_of(sheet([("Title", 50, 10, 70), *texts])))
    assert type_size(parts) == pytest.approx(30, rel=0.25)
    assert type_size(parts_of(ink_of(sheet()))) == 0.0


def test_every_cell_is_a_segment() -> None:
    """Words of a cell stay together, and columns stay apart."""
    found = _segments(table())
    assert len(found) == len(ROWS) * len(LEFTS)
    assert [round(one.box[0] / 20) for one in found[: len(LEFTS)]] == [left // 20 for left in LEFTS]


@settings(max_examples=15)
@given(st.integers(0, 400), st.integers(0, 200))
def test_segments_move_with_the_sheet(right: int, down: int) -> None:
    """Wherever a text stands, its segment is the same."""
    ((x0, y0, x1, y1),) = [one.box for one in _segments(sheet([("Osric 40 cm, i.e.", 30, 30, SIZE)]))]
    moved = sheet([("Osric 40 cm, i.e.", 30 + right, 30 + down, SIZE)])
    assert [one.box for one in _segments(moved)] == [(x0 + right, y0 + down, x1 + right, y1 + down)]


def test_title_with_small_letters_is_one_segment() -> None:
    """Capitals of a title are much higher than the type of the sheet, its other letters are not."""
    texts = [("Words of a paragraph that goes on and on", 50, 200 + 50 * row, 30) for row in range(6)]
    first, *_ = _segments(sheet([("Quotation Q-2026", 50, 40, 66), *texts]))
    assert first.box[2] - first.box[0] > 400


def test_dust_is_no_text() -> None:
    """Single dots that a scanner adds are no segments."""
    dusty = table()
    random = np.random.default_rng(7)
    dusty[random.random(dusty.shape) < 0.0005] = 0
    assert len(_segments(dusty)) == len(ROWS) * len(LEFTS)


def test_grid_is_found_and_taken_out() -> None:
    """All lines of a grid are found where they are, and what is left are the letters."""
    ink = ink_of(table(ruled=True))
    drawn = find_rules(ink, SIZE)
    wide, tall = drawn.boxes[:, 2] - drawn.boxes[:, 0], drawn.boxes[:, 3] - drawn.boxes[:, 1]
    assert (int((wide > 900).sum()), int((tall > 300).sum())) == (6, 5)
    assert np.minimum(wide, tall).max() < 6
    tops = sorted(drawn.boxes[wide > 900, 1].tolist())
    assert tops == pytest.approx([TOP - 10 + STEP * row for row in range(6)], abs=3)
    left = ink & (1 - drawn.mask)
    parts = parts_of(left)
    assert len(find_segments(parts, type_size(parts), (left.shape[0], left.shape[1]))) == len(ROWS) * len(LEFTS)


def test_letters_are_no_drawn_lines() -> None:
    """Dashes, brackets and the stems of large letters aren't lines."""
    ink = ink_of(sheet([("[I—I] (H|H) – IlTL", 50, 50, SIZE)]))
    assert not len(find_rules(ink, SIZE).boxes)
