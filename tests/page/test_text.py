"""The text of a node as a person reads it."""

import pytest
from hypothesis import given, settings

import sightline as sl
from sightline.page import Page, single_page_title
from sightline.testing import element, page_of

from ._build import Element, changed, el, page, pages, text

INLINE = {"display": "inline"}


def read(*children: Element | str, kind: str = "static") -> str:
    """The text of a page with these in its body."""
    made = page(el("html", el("body", *children, box=(0, 0, 1000, 1000)), box=(0, 0, 1000, 1000)), kind=kind)  # type: ignore[arg-type]
    return made.text_of(0)


@pytest.mark.parametrize("kind", ["static", "rendered"])
def test_text_of_begins_a_line_for_every_block(kind: str) -> None:
    """Paragraphs are lines, inline elements are not."""
    bold = el("b", "bold", style=INLINE)
    assert read(el("p", "one ", bold, " two"), el("p", "three"), kind=kind) == "one bold two\nthree"
    assert read("loose", el("div", "block"), "tail", kind=kind) == "loose\nblock\ntail"


@pytest.mark.parametrize("kind", ["static", "rendered"])
def test_text_of_puts_a_space_between_cells(kind: str) -> None:
    """The cells of a row stand in one line, rows in lines of their own."""
    cell = {"style": {"display": "table-cell"}}
    row = [el("tr", el("td", f"a{row}", **cell), el("td", f"b{row}", **cell)) for row in range(2)]
    assert read(el("table", *row), kind=kind) == "a0 b0\na1 b1"


@pytest.mark.parametrize("kind", ["static", "rendered"])
def test_text_of_breaks_lines_at_br(kind: str) -> None:
    """`<br>` ends a line."""
    assert read(el("p", "one", el("br", style=INLINE), "two"), kind=kind) == "one\ntwo"


def test_text_of_collapses_blanks() -> None:
    """Runs of blanks are one space, at the ends none; a hard space is kept inside."""
    assert read(el("p", "  a \n\t b  c\r\n"), el("p", "d\u00a0e")) == "a b c\nd\u00a0e"
    assert read(el("p", el("b", "a", style=INLINE), " ", el("i", "b", style=INLINE))) == "a b"


def test_text_of_keeps_lines_in_pre() -> None:
    """Preformatted text keeps its line breaks and its blanks inside a line."""
    assert read(el("p", "before"), el("pre", "a  b\n  c\n")) == "before\na  b\n  c"


def test_text_of_leaves_out_what_is_hidden() -> None:
    """Scripts and hidden elements are not read."""
    assert read(el("p", "seen"), el("script", "code"), el("p", "not seen", hidden="")) == "seen"
    assert read(el("p", "seen"), el("p", "not seen", box=None), kind="rendered") == "seen"


def test_text_of_nothing_is_empty() -> None:
    """A node without visible text has none."""
    assert read(el("p", "  \n ")) == "" and read() == ""


def test_text_of_one_node_is_that_part_of_the_whole() -> None:
    """The text below a node is read as if the rest were not there."""
    made = page(el("html", el("p", "one"), el("p", "two ", el("b", "three", style=INLINE))))
    assert made.text_of(int(made.with_tag("p")[1])) == "two three"
    assert made.node(int(made.with_tag("b")[0])).text == "three"


@given(pages())
@settings(max_examples=60, deadline=None)
def test_text_of_any_page_is_tidy(made: Page) -> None:
    """No line is blank or has blanks at its ends."""
    lines = made.text_of(0).split("\n")
    assert lines == [""] or all(line and line == line.strip() for line in lines)


def test_title_is_the_first_one() -> None:
    """The title is the text of the first `<title>`, its blanks collapsed."""
    made = page(el("html", el("title", " A \n title "), el("svg", el("title", "other"))), kind="static")
    assert single_page_title(made.strings, made.tag, made.text) == "A title"
    empty = page(el("html", el("title")), kind="static")
    assert single_page_title(empty.strings, empty.tag, empty.text) == ""
    assert single_page_title(("html",), empty.tag[:1], empty.text[:1]) == ""


def test_preview_is_safe_html() -> None:
    """A notebook shows the first lines, with nothing in them taken for markup."""
    made = changed(page(el("html", el("p", "<script>alert(1)</script>"), text("x"))), title="<b>")
    shown = made._repr_html_()
    assert "&lt;script&gt;" in shown and "<script>" not in shown and "&lt;b&gt;" in shown


def test_text_of_parts_words_that_stand_apart() -> None:
    """Links with a margin between them are read as separate words, those that touch as one."""
    look = {"display": "inline", "visibility": "visible"}
    page = page_of(
        element(
            "html",
            element("a", "Home", box=(0, 0, 32, 16), style=look),
            element("a", "Used", box=(50, 0, 82, 16), style=look),
            element("a", "cars", box=(82, 0, 114, 16), style=look),
            box=(0, 0, 200, 20),
            style={"display": "block", "visibility": "visible"},
        )
    )
    assert page.text_of() == "Home Usedcars"


def test_what_is_raised_or_lowered_is_told_so() -> None:
    """A power or a footnote never becomes part of the number before it."""
    cases = {
        "1200<sup>1</sup>": "1200¹",
        "10<sup>24</sup> kg": "10²⁴ kg",
        "H<sub>2</sub>O": "H₂O",
        "Rate<sup>a</sup>": "Rateᵃ",
        "x<sup>[1]</sup>": "x[1]",
        "5<sup>The first</sup>": "5The first",
    }
    for source, seen in cases.items():
        assert sl.open(f"<p>{source}</p>".encode(), static=True).text_of() == seen
