"""Words between the white around them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.sources.scans._segments import Segment
from sightline.sources.scans._text_reader import StripText
from sightline.sources.scans._words import BEARING, dash_of, size_and_foot, words_of

LETTER, SIZE = 10, 20.0


def _segment(text: str, blank: int) -> tuple[Segment, StripText, np.ndarray]:
    """A segment whose letters are bars, eight dots wide and two apart, with so much white for a blank."""
    ink = np.zeros((20, 2000), dtype=np.uint8)
    x, boxes, places = 5, [], []
    for letter in text:
        if letter == " ":
            places.append(x + blank / 2)
            x += blank
            continue
        ink[3:17, x : x + 8] = 1
        boxes.append((x, 3, x + 8, 17))
        places.append(x + 4.0)
        x += LETTER
    letters = np.array(boxes, dtype=np.int32)
    box = (boxes[0][0], 3, boxes[-1][2], 17)
    sure = np.full(len(text), 0.9, dtype=np.float32)
    return Segment(box, letters), StripText(text, np.array(places, dtype=np.float32), sure), ink


@given(
    st.lists(st.text("abco", min_size=1, max_size=6), min_size=1, max_size=6), st.integers(4, 15), st.integers(-3, 3)
)
def test_words_end_where_their_ink_ends(texts: list[str], blank: int, astray: int) -> None:
    """Each word has the edges of its own ink, though the model says only roughly where letters are."""
    segment, reading, ink = _segment(" ".join(texts), blank)
    reading = StripText(reading.text, reading.places + astray, reading.confidences)
    words = words_of(segment, reading, 0.0, 1.0, ink, SIZE)
    assert [word.text for word in words] == texts
    x = 5
    for word, text in zip(words, texts, strict=True):
        assert (word.x0, word.x1) == pytest.approx((x - BEARING * SIZE, x + LETTER * len(text) - 2 + BEARING * SIZE))
        x += LETTER * len(text) + blank


def test_wide_white_parts_words_by_itself() -> None:
    """Where a column begins, a word ends, though the model saw no blank."""
    segment, reading, ink = _segment("ab cd", 30)
    seen = [number for number, letter in enumerate(reading.text) if letter != " "]
    without = StripText("abcd", reading.places[seen], reading.confidences[seen])
    words = words_of(segment, without, 0.0, 1.0, ink, SIZE)
    assert [word.text for word in words] == ["ab", "cd"]


def test_blank_without_white_parts_words_by_a_hair() -> None:
    """Letters that touch are two words if the model says so."""
    segment, reading, ink = _segment("ab cd", 4)
    ink[3:17, 5:60] = 1
    first, second = words_of(segment, reading, 0.0, 1.0, ink, SIZE)
    assert (first.text, second.text) == ("ab", "cd")
    assert -2 < second.x0 - first.x1 < 3


def test_word_is_as_sure_as_its_least_sure_letter() -> None:
    """One doubtful digit makes a number doubtful."""
    segment, reading, ink = _segment("120", 4)
    (word,) = words_of(segment, StripText("120", reading.places, np.array([0.9, 0.4, 0.8])), 0.0, 1.0, ink, SIZE)
    assert word.confidence == 0.4


def test_size_goes_by_the_letters() -> None:
    """A word of small letters is as large as one with capitals; a dash is as large as the rest of the sheet."""
    small = Segment((0, 0, 30, 24), np.array([(0, 0, 10, 24), (12, 0, 20, 24)], dtype=np.int32))
    capitals = Segment((0, 0, 30, 35), np.array([(0, 0, 10, 35), (12, 0, 20, 35)], dtype=np.int32))
    assert size_and_foot(small, "nm", 10.0) == (50.0, 24.0)
    assert size_and_foot(capitals, "HB", 10.0) == (50.0, 35.0)
    dash = Segment((0, 10, 20, 12), np.array([(0, 10, 20, 12)], dtype=np.int32))
    assert size_and_foot(dash, "-", 40.0) == (40.0, 25.0)


def test_dash_is_flat() -> None:
    """A flat mark that stands alone is a dash, and the flatter the surer; points and letters aren't."""

    def alone(wide: int, tall: int) -> Segment:
        return Segment((0, 0, wide, tall), np.array([(0, 0, wide, tall)], dtype=np.int32))

    sure, less = (dash_of(alone(*size), 40.0, 0.0, 1.0) for size in ((12, 3), (12, 6)))
    assert sure is not None and less is not None
    assert (sure.text, sure.confidences[0], less.confidences[0] < 0.9) == ("-", 1.0, True)
    assert [dash_of(alone(*size), 40.0, 0.0, 1.0) for size in ((5, 5), (20, 28), (100, 3))] == [None] * 3
