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


@pytest.mark.parametrize("blank", ["\t", "\u00a0", " \n\t"])
def test_text_of_blanks_in_pre_is_empty_before_and_after_the_page_is_read(blank: str) -> None:
    """What a node says does not depend on what was asked for before."""
    made = page(el("body", el("p", "one"), el("p", "two"), el("p", "three"), el("pre", blank)), kind="static")
    (node,) = made.with_tag("pre").tolist()
    alone = made.text_of(node)
    assert (made.has_been_read, alone) == (False, "")
    made.text_of(0)
    assert (made.has_been_read, made.text_of(node)) == (True, "")


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
@settings(max_examples=60)
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


# ------------------------------------------------------------------ ranges of nodes


def test_texts_between_reads_from_a_node_up_to_another() -> None:
    """A heading and what follows it, up to the next heading, are read as lines; the next heading is not."""
    made = sl.open(b"<!doctype html><h2>One</h2><p>a <b>b</b></p><h2>Two</h2><p>c", static=True)
    first, second = made.with_tag("h2").tolist()
    assert made.texts_between([first, second], [second, len(made)]) == ["One\na b", "Two\nc"]


def test_texts_between_may_overlap_and_be_empty() -> None:
    """Ranges are read on their own; a range of no nodes has no text, and no ranges give no texts."""
    made = sl.open(b"<ul><li>one<li>two<li>three</ul>", static=True)
    one, two, three = made.with_tag("li").tolist()
    assert made.texts_between([one, two, one], [three, len(made), one]) == ["one\ntwo", "two\nthree", ""]
    assert made.texts_between([], []) == []


def test_texts_between_leaves_out_what_is_hidden() -> None:
    """Only what can be read is in a range."""
    made = sl.open(b"<p>seen<p hidden>not seen<script>code</script><p>too", static=True)
    assert made.texts_between([0], [len(made)]) == ["seen\ntoo"]


@given(pages())
@settings(max_examples=60)
def test_texts_between_the_ends_of_nodes_are_their_texts(made: Page) -> None:
    """The range of a node is the node, whichever are read together."""
    starts = list(range(len(made)))
    assert made.texts_between(starts, made.end) == [made.text_of(node) for node in starts]


@pytest.mark.parametrize("kind", ["static", "rendered"])
def test_blocks_and_cells_are_told_by_style_or_tag(kind: str) -> None:
    """Paragraphs and breaks are blocks, cells are cells, and inline elements neither."""
    inline, cell = {"style": INLINE}, {"style": {"display": "table-cell"}}
    row = el("table", el("tr", el("td", "c", **cell)))
    made = page(el("html", el("p", "a", el("br", **inline), el("b", "b", **inline)), row), kind=kind)  # type: ignore[arg-type]
    blocks = {made.strings[made.tag[node]] for node in made.is_block.nonzero()[0]}
    cells = {made.strings[made.tag[node]] for node in made.is_cell.nonzero()[0]}
    assert {"p", "br"} <= blocks
    assert cells == {"td"}
    assert not blocks & {"b", "td"}


@pytest.mark.parametrize("mark", ["\ufeff", "\u00ad"])
def test_texts_have_no_characters_that_show_nothing(mark: str) -> None:
    """A byte order mark in the middle of a page, or a soft hyphen, is in no text."""
    made = sl.open(f"<p>Pri{mark}ce: {mark}12".encode(), static=True)
    assert made.text_of(0) == "Price: 12"
