"""Scripts that are read from right to left, from their order on paper to that of reading."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.right_to_left import as_read, has_right_to_left, is_right_to_left, letters_as_read, words_as_read

HEBREW = "שלום"


@pytest.mark.parametrize(
    ("paper", "read"),
    [
        (HEBREW[::-1], HEBREW),
        ("." + HEBREW[::-1], HEBREW + "."),
        (")" + HEBREW[::-1] + "(", ")" + HEBREW + "("),
        ("12-" + HEBREW[::-1], HEBREW + "-12"),
        ("1,250.5" + HEBREW[::-1], HEBREW + "1,250.5"),
        ("PDF-" + "ב", "ב-PDF"),
        ("word", "word"),
        ("\ufee2", "م"),
    ],
)
def test_letters_are_read_from_right_to_left(paper: str, read: str) -> None:
    """Letters and marks turn, brackets look the other way, numbers and other scripts stay; forms become letters."""
    assert letters_as_read(paper) == read


def test_words_of_a_line_are_read_from_right_to_left() -> None:
    """Names and numbers that follow each other keep their order; a line of another script keeps its own."""
    assert words_as_read(["a", "few", HEBREW]) == [0, 1, 2]
    assert words_as_read([HEBREW, "New", "York", HEBREW, "א"]) == [4, 3, 1, 2, 0]


@given(st.lists(st.booleans(), max_size=20))
def test_every_place_is_read_once(forward: list[bool]) -> None:
    """However directions are mixed, nothing is lost or said twice, and turning all is a plain turn."""
    assert sorted(as_read(forward)) == list(range(len(forward)))
    assert as_read([False] * len(forward)) == list(range(len(forward)))[::-1]


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=20))
def test_other_scripts_stay_as_they_are(text: str) -> None:
    """A text without such letters isn't touched, and none is lost where there are some."""
    if not has_right_to_left(np.array([ord(sign) for sign in text])):
        assert letters_as_read(text) == text
    assert len(letters_as_read(text + HEBREW)) >= len(HEBREW)


def test_majority_of_letters_tells_the_direction() -> None:
    """Numbers say nothing."""
    assert is_right_to_left([HEBREW, "12345678"])
    assert not is_right_to_left(["12345678"])
