"""Ink, paper and skew of a picture."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.sources.scans._ink import gray_of, ink_of, leveled, skew_of, straightened

from ._draw import sheet, table, turned

HARDLY = 0.15  # degrees, up to which a skew may not be clear enough to turn a sheet by


@settings(max_examples=15)
@given(st.floats(-4.0, 4.0))
def test_skew_is_measured(degrees: float) -> None:
    """Lines of text that lie askew are measured to a tenth of a degree, in both directions; less is straight."""
    found = skew_of(ink_of(turned(table(), degrees)))
    assert found == pytest.approx(degrees, abs=0.1) or (found == 0.0 and abs(degrees) < HARDLY)


@pytest.mark.parametrize("degrees", [-1.5, 0.7])
def test_straightened_picture_is_straight(degrees: float) -> None:
    """Turned back by its skew, a sheet has none."""
    askew = turned(table(ruled=True), degrees)
    straight = straightened(askew, skew_of(ink_of(askew)))
    assert straight.shape == askew.shape
    assert abs(skew_of(ink_of(straight))) <= 0.1


def test_blank_sheets_have_no_skew() -> None:
    """Nothing, a point and a sheet that is all black say nothing of lines."""
    point = np.zeros((50, 50), dtype=np.uint8)
    point[10, 10] = 1
    assert [skew_of(picture) for picture in (np.zeros((50, 50), dtype=np.uint8), point)] == [0.0, 0.0]
    straight = sheet()
    assert straightened(straight, 0.0) is straight


def test_shade_is_paper() -> None:
    """On a photo that grows dark to one side, the letters are ink and the shade isn't."""
    plain = table()
    shade = np.linspace(1.0, 0.45, plain.shape[1])
    shaded = (plain * shade).astype(np.uint8)
    ink, expected = ink_of(leveled(shaded).picture), ink_of(plain)
    assert (ink != expected).mean() < 0.005


def test_white_letters_on_a_dark_box_are_ink() -> None:
    """The dark heading of a table is paper, and its white letters are ink."""
    negative = sheet([("Heading in white", 100, 230, 50)])
    boxed = negative.copy()
    boxed[200:320, 60:700] = 255 - boxed[200:320, 60:700]
    ink = ink_of(leveled(boxed).picture)
    assert ink[215:305, 80:680].mean() == pytest.approx(ink_of(negative)[215:305, 80:680].mean(), rel=0.2)


def test_bold_letters_are_no_box() -> None:
    """Large dark letters stay what they are."""
    title = sheet([("HHMWHHM", 100, 200, 120)])
    assert (ink_of(leveled(title).picture) != ink_of(title)).mean() < 0.002


def test_colours_become_lightness() -> None:
    """Yellow is light and blue is dark."""
    colours = np.array([[[255, 255, 0], [0, 0, 255]]], dtype=np.uint8)
    light, dark = gray_of(colours)[0].tolist()
    assert light > 200 > 60 > dark
