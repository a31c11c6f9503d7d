"""Text that runs on in the next column."""

import pytest

from sightline.page import Page
from sightline.sources import Loader

WORDS = " ".join(f"word{number}" for number in range(60))
STYLE = "<!doctype html><style>body{margin:10px;width:600px;font:16px serif}.c{column-count:2;column-gap:20px}</style>"


def _word_lefts(page: Page) -> list[float]:
    return [float(left) for left in page.words.box[:, 0]]


def test_lines_in_the_second_column_stand_there() -> None:
    """A text directly in a box of two columns has words in both, each where it is drawn."""
    with Loader() as loader:
        page = loader.load(f"{STYLE}<p class=c>{WORDS}".encode())
        control = loader.load(f"{STYLE}<div class=c><p>{'</p><p>'.join(WORDS.split())}</p></div>".encode())
    lefts = _word_lefts(page)
    assert min(lefts) == 10
    assert max(lefts) > 320
    assert 320 in lefts
    assert {10.0, 320.0} == set(_word_lefts(control))


def test_text_box_goes_around_both_columns() -> None:
    """The box of such a text holds all of its words."""
    with Loader() as loader:
        page = loader.load(f"{STYLE}<p class=c>{WORDS}".encode())
    text = int(page.words.node[0])
    assert page.box[text, 0] == 10
    assert page.box[text, 2] >= page.words.box[:, 2].max()


@pytest.mark.slow
def test_ordinary_text_is_left_alone() -> None:
    """Lines below one another, and sub- and superscripts, are not taken for columns."""
    with Loader() as loader:
        page = loader.load(f"{STYLE}<p>{WORDS}<p>x<sup>2</sup> and H<sub>2</sub>O".encode())
    assert page.notes == ()
    assert min(_word_lefts(page)) == 10
