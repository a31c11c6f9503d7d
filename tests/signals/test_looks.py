"""Looks as numbers."""

import pytest

import sightline as sl
from sightline.page import Page
from sightline.signals import CLEAR, looks_of
from sightline.testing import element, page_of


def _styled(*styles: dict[str, str]) -> Page:
    """A page with an element for each style, numbered from 1."""
    return page_of(element("html", *(element("div", style=style) for style in styles)))


@pytest.mark.parametrize(
    ("weight", "bold"),
    [("400", False), ("500", False), ("600", True), ("700", True), ("bold", True), ("normal", False)],
)
def test_weights_from_600_are_bold(weight: str, bold: bool) -> None:
    """Browsers give weights as numbers; words are understood too."""
    assert looks_of(_styled({"font-weight": weight})).bold.tolist() == [False, bold]


@pytest.mark.parametrize(
    "colour", ["rgba(0, 0, 0, 0)", "transparent", "rgba(255, 255, 255, 0)", "color(srgb 1 1 1 / 0)"]
)
def test_what_shines_through_is_no_background(colour: str) -> None:
    """A colour without any opacity is no background of its own, whichever colour it would be."""
    looks = looks_of(_styled({"background-color": colour}, {"background-color": "rgb(0, 0, 0)"}))
    assert looks.background[1] == CLEAR
    assert looks.background[2] != CLEAR


def test_equal_backgrounds_have_equal_numbers() -> None:
    """Numbers of colours can be compared."""
    colours = ["rgb(1, 2, 3)", "rgb(4, 5, 6)", "rgb(1, 2, 3)", "rgba(1, 2, 3, 0.5)"]
    _, one, two, three, four = looks_of(_styled(*({"background-color": colour} for colour in colours))).background
    assert one == three
    assert len({one, two, four}) == 3


@pytest.mark.parametrize("side", ["top", "right", "bottom", "left"])
def test_a_line_at_any_side_is_a_line(side: str) -> None:
    """A border counts when it has both a style and a width."""
    drawn = {f"border-{side}-style": "solid", f"border-{side}-width": "1px"}
    looks = looks_of(_styled(drawn, drawn | {f"border-{side}-width": "0px"}, drawn | {f"border-{side}-style": "none"}))
    assert looks.lined.tolist() == [False, True, False, False]


def test_sizes_are_pixels() -> None:
    """Sizes are numbers; what is none is 0."""
    looks = looks_of(_styled({"font-size": "16px"}, {"font-size": "13.3333px"}, {"font-size": "large"}))
    assert looks.size.tolist() == pytest.approx([0, 16, 13.3333, 0])


def test_italics_and_oblique_are_one() -> None:
    """Whatever is not upright is italic."""
    looks = looks_of(_styled({"font-style": "italic"}, {"font-style": "oblique 10deg"}, {"font-style": "normal"}))
    assert looks.italic.tolist() == [False, True, True, False]


def test_all_look_the_same_without_styles() -> None:
    """A page without layout has one look for all nodes: plain."""
    page = sl.open(b"<p><b>bold</b> and <i>not</i>", static=True)
    looks = looks_of(page)
    assert len(looks.bold) == len(page)
    assert not (looks.bold | looks.italic | looks.lined).any()
    assert (looks.background == CLEAR).all()


def test_a_real_page_gives_real_looks() -> None:
    """What the browser computed is what is decoded."""
    page = sl.open(
        b"<!doctype html><p id=a>x<p id=b style='font:italic bold 20px serif;background:red;border-left:1px solid'>y"
    )
    one, two = page.with_tag("p").tolist()
    looks = looks_of(page)
    assert (looks.bold[one], looks.italic[one], looks.background[one], looks.lined[one]) == (False, False, CLEAR, False)
    assert (looks.bold[two], looks.italic[two], looks.lined[two], looks.size[two]) == (True, True, True, 20)
    assert page.strings[looks.background[two]] == "rgb(255, 0, 0)"
