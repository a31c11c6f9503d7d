"""From lines to blocks, and the order in which they are read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.sources.pdf._blocks import reading_order

from ._bare import blocks, sheet
from ._write import drawn, put

LEFT = ["The first column begins here", "and goes on for some lines", "until it has an end."]
RIGHT = ["The second column stands", "beside it on one height", "and is read after it."]


def _set(texts: list[str], x: float, top: float, *, leading: float = 14, **how: float) -> bytes:
    return b"".join(put(text, x, top - leading * row, **how) for row, text in enumerate(texts))


def test_lines_of_one_leading_are_a_block() -> None:
    """Lines that follow each other evenly are one block, from top to bottom."""
    assert blocks(sheet(_set(LEFT, 72, 700))) == [LEFT]


def test_room_between_paragraphs_parts_them() -> None:
    """A gap that is wider than the leading begins another block."""
    assert blocks(sheet(_set(LEFT, 72, 700), _set(RIGHT, 72, 646))) == [LEFT, RIGHT]


@pytest.mark.parametrize("leading", [13.0, 18.0, 27.0])
def test_leading_is_told_by_the_text_itself(leading: float) -> None:
    """Narrow, usual and double-spaced text on one sheet: no one distance suits them all."""
    page = sheet(_set(LEFT, 72, 750, leading=leading), _set(RIGHT, 72, 600, leading=14))
    assert blocks(page) == [LEFT, RIGHT]


def test_lines_of_other_sizes_and_weights_are_other_blocks() -> None:
    """A heading right above its paragraph is not a part of it."""
    heading = put("Instruments in service", 72, 716, font="B")
    assert blocks(sheet(heading, _set(LEFT, 72, 702))) == [["Instruments in service"], LEFT]
    title = put("Instruments in service", 72, 716, size=16)
    assert blocks(sheet(title, _set(LEFT, 72, 700))) == [["Instruments in service"], LEFT]


def test_columns_are_read_one_after_the_other() -> None:
    """Text in two columns is read down the first before the second, whatever the order of the file."""
    assert blocks(sheet(_set(RIGHT, 330, 700), _set(LEFT, 72, 700))) == [LEFT, RIGHT]


def test_paragraphs_of_a_column_are_read_before_the_next_column() -> None:
    """Paragraphs that stand side by side on one height are not read across."""
    page = sheet(*(_set(column, x, top) for top in (700, 640, 580) for x, column in ((72, LEFT), (330, RIGHT))))
    assert blocks(page) == [LEFT] * 3 + [RIGHT] * 3


def test_three_columns_below_a_title_that_spans_them() -> None:
    """A title above all columns comes first and parts nothing but itself; what is below them comes last."""
    columns = [[f"column {name} line {row}" for row in range(4)] for name in "abc"]
    title, foot = (
        "A title that is set across the whole of the sheet",
        "A line below the columns that is as wide as they are",
    )
    page = sheet(
        put(title, 72, 740, size=20),
        *(_set(column, 72 + 160 * place, 700) for place, column in enumerate(columns)),
        put(foot, 72, 600, size=18),
    )
    assert blocks(page) == [[title], *columns, [foot]]


def test_mark_of_an_item_belongs_to_its_text() -> None:
    """Bullets and numbers that stand apart from their text are in its block, in front of it."""
    page = sheet(
        put("1.", 72, 700), put("The first of the items", 96, 700), put("2.", 72, 686), put("The second item", 96, 686)
    )
    assert blocks(page) == [["1.", "The first of the items", "2.", "The second item"]]


def test_turned_line_is_a_block_of_its_own() -> None:
    """Text along the side joins no paragraph."""
    page = sheet(_set(LEFT, 72, 700), put("along the side", 60, 660, turn=90))
    assert [block for block in blocks(page) if "along the side" in block] == [["along the side"]]


def test_drawn_lines_and_pictures_are_kept_with_the_sheet() -> None:
    """What is drawn stands in `rules`, in the coordinates of the page; lengths are those of the file in pixels."""
    page = sheet(put("x", 72, 700), drawn(72, 600, 372, 600))
    (box,) = page.rules.box.tolist()
    assert (box[0], box[2]) == pytest.approx((96, 496), abs=1)
    assert (box[1] + box[3]) / 2 == pytest.approx((792 - 600) * 4 / 3, abs=1)


BOXES = st.lists(
    st.tuples(st.integers(0, 600), st.integers(0, 800), st.integers(1, 300), st.integers(1, 100)),
    min_size=1,
    max_size=25,
).map(lambda every: np.array([[x, y, x + w, y + h] for x, y, w, h in every], dtype=np.float32))


@given(BOXES)
def test_reading_order_has_every_box_once(boxes: np.ndarray) -> None:
    """Whatever overlaps and however it stands: all of it is read, and nothing twice."""
    assert sorted(reading_order(boxes, 12.0).tolist()) == list(range(len(boxes)))


@given(BOXES, st.integers(-500, 500), st.integers(-500, 500))
def test_reading_order_does_not_depend_on_the_place(boxes: np.ndarray, right: int, down: int) -> None:
    """The same boxes elsewhere are read in the same order."""
    moved = boxes + np.array([right, down, right, down], dtype=np.float32)
    assert reading_order(boxes, 12.0).tolist() == reading_order(moved, 12.0).tolist()


@given(st.lists(st.integers(1, 40), min_size=1, max_size=12))
def test_reading_order_of_one_column_is_from_top_to_bottom(heights: list[int]) -> None:
    """Boxes below each other are read as they stand."""
    tops = np.cumsum([0, *heights[:-1]]) + 5 * np.arange(len(heights))
    boxes = np.array([[0, top, 100, top + height] for top, height in zip(tops, heights, strict=True)], dtype=np.float32)
    shuffled = np.random.default_rng(len(heights)).permutation(len(boxes))
    assert shuffled[reading_order(boxes[shuffled], 12.0)].tolist() == list(range(len(boxes)))
