"""The bare page as lines and drawn rectangles."""

import numpy as np
import pytest

from sightline.extract.structure._layout import Layout, layout_of
from sightline.page import Builder, DrawnRules, Page

NAMES = ("display", "color", "font-family", "font-size", "font-style", "font-weight")


def _style(family: str = "Times", size: str = "10px", weight: str = "400") -> tuple[str, ...]:
    return ("inline", "rgb(0, 0, 0)", family, size, "normal", weight)


def _page(
    *spans: tuple[str, tuple[str, ...]], colours: tuple[str, ...] = (), tag: str = "", header: bool = False
) -> Page:
    """A bare page of one sheet with a line for each text, 20 pixels below each other."""
    builder = Builder(NAMES)
    builder.open("html", style=_style())
    builder.open("body")
    builder.open("section", box=(0, 0, 600, 800))
    builder.open("header" if header else "div")
    for place, (text, style) in enumerate(spans):
        builder.open("span", {"data-tag": tag} if tag else {}, style=style)
        starts = [0, *(n + 1 for n, c in enumerate(text) if c == " ")]
        words = [
            (at, at + len(word), (5 * at, 20 * place, 5 * (at + len(word)), 20 * place + 10))
            for at, word in zip(starts, text.split(), strict=True)
        ]
        builder.text(text, words, style=style)
        builder.close()
    for _ in range(3):
        builder.close()
    builder.close()
    colour = np.array([builder.string_id(value) for value in colours], dtype=np.int32)
    box = np.array([(0, 100 + n, 50, 101 + n) for n in range(len(colours))], dtype=np.float32).reshape(-1, 4)
    sheets = np.array([(0, 0, 600, 800)], dtype=np.float32)
    return builder.page(kind="pdf", sheets=sheets, rules=DrawnRules(box=box, colour=colour))


def _only(layout: Layout) -> tuple[str, float, bool, bool]:
    ((line,),) = (sheet.lines for sheet in layout.sheets)
    return line.text, line.size, line.bold, line.running


def test_line_has_its_words_and_looks() -> None:
    """Text, words, size and weight of a line come from the columns of the page."""
    layout = layout_of(_page(("Tern camera", _style(size="12.5px", weight="700"))))
    assert _only(layout) == ("Tern camera", 12.5, True, False)
    assert layout.words.text == ["Tern", "camera"]
    assert layout.words.spaced == [False, True]
    assert layout.words.joined([0, 1]) == "Tern camera"


def test_lines_of_a_header_run() -> None:
    """Lines in a header or footer are running lines."""
    assert _only(layout_of(_page(("Quotation", _style()), header=True)))[3]


def test_artifact_runs_only_at_the_edge() -> None:
    """What the tag tree calls an artifact is a running line near an edge of the sheet."""
    top = layout_of(_page(("Quotation", _style()), tag="Artifact"))
    assert _only(top)[3]
    many = layout_of(_page(*[("Quotation", _style())] * 8, tag="Artifact"))
    assert [line.running for line in many.sheets[0].lines] == [True] * 5 + [False] * 3


def test_tags_can_be_left_out() -> None:
    """The tags of a line come outermost first, and are empty where they are not to be looked at."""
    page = _page(("cell", _style()), tag="Table TR TD")
    assert layout_of(page).sheets[0].lines[0].tags == ("Table", "TR", "TD")
    assert layout_of(page, tagged=False).sheets[0].lines[0].tags == ()


@pytest.mark.parametrize(("family", "share"), [("CMMI10", 1.0), ("Symbol", 1.0), ("Times", 0.0)])
def test_fonts_for_formulas(family: str, share: float) -> None:
    """The share of a line in fonts for formulas is by characters; bullets do not count."""
    assert layout_of(_page(("x + y", _style(family)))).sheets[0].lines[0].formula == share
    assert layout_of(_page(("•", _style(family)))).sheets[0].lines[0].formula == 0


def test_rules_have_their_lightness() -> None:
    """The darkest channel of each colour, as a number; a colour that is none has no lightness."""
    (sheet,) = layout_of(_page(("x", _style()), colours=("rgb(10, 200, 255)", "rgb(255, 255, 255)", "none"))).sheets
    assert sheet.lightness.tolist()[:2] == [10, 255]
    assert np.isnan(sheet.lightness[2])
