"""Lines and their pieces."""

import sightline as sl
from sightline.page import Page
from sightline.signals import Pieces
from sightline.testing import Element, element, page_of

BLOCK = {"display": "block", "visibility": "visible"}
INLINE = {"display": "inline", "visibility": "visible"}


def _page(body: str) -> Page:
    return sl.open(f"<!doctype html><body>{body}".encode(), static=True)


def _grouped(page: Page, name: str) -> list[str]:
    """The texts of a page, those of one number joined."""
    pieces = Pieces(page)
    groups: dict[int, str] = {}
    for node, number in zip(pieces.text.tolist(), getattr(pieces, name).tolist(), strict=True):
        groups[number] = groups.get(number, "") + page.strings[page.text[node]]
    return [" ".join(text.split()) for text in groups.values()]


def test_breaks_blocks_and_cells_part_lines() -> None:
    """What begins below, or in the next cell, is another line."""
    page = _page("<p>one<br>two</p><div>three</div><table><tr><td>four<td>five</table>")
    assert _grouped(page, "line") == ["one", "two", "three", "four", "five"]


def test_bold_letters_part_nothing() -> None:
    """Decoration is no other piece."""
    page = _page("<p>one <b>two </b><em><mark>three</mark></em> four")
    assert _grouped(page, "line") == _grouped(page, "piece") == ["one two three four"]


def test_links_part_pieces() -> None:
    """A link is a piece, and so is what stands between links; the line goes on."""
    page = _page("<p>by <a href=x>Anna <b>Bell</b></a> in <a href=y>Stars</a>, <a href=z>Nights</a>")
    assert _grouped(page, "piece") == ["by", "Anna Bell", "in", "Stars", ",", "Nights"]
    assert len(_grouped(page, "line")) == 1


def _line(*spans: Element | str) -> Page:
    line = element("p", *spans, box=(0, 0, 600, 16), style=BLOCK)
    return page_of(element("html", line, box=(0, 0, 600, 100), style=BLOCK))


def _span(text: str, left: float, tag: str = "span") -> Element:
    return element(tag, text, box=(left, 0, left + 8 * len(text), 16), style=INLINE)


def test_wide_gaps_part_pieces() -> None:
    """Texts of two elements that stand further apart than words do are two pieces."""
    assert _grouped(_line(_span("one", 0), _span("two", 60)), "piece") == ["one", "two"]
    assert _grouped(_line(_span("one", 0), _span("two", 28)), "piece") == ["onetwo"]


def test_a_gap_inside_decoration_parts_nothing() -> None:
    """Bold letters belong to the text around them, however far away they stand."""
    assert _grouped(_line("one", _span("two", 60, "b")), "piece") == ["onetwo"]


def test_a_text_hangs_in_what_does_more_than_decorate_it() -> None:
    """The holder of a bold text is the element around the decoration."""
    page = _page("<p>one <b><i>two</i></b> <span>three</span>")
    pieces = Pieces(page)
    assert [page.strings[page.tag[node]] for node in pieces.holder] == ["p", "p", "span"]


def test_texts_know_their_link() -> None:
    """A text in a link has its number, any other has none."""
    page = _page("<p>one <a href=x><b>two</b></a>")
    assert Pieces(page).link.tolist() == [-1, int(page.with_tag("a")[0])]


def test_hidden_texts_are_no_pieces() -> None:
    """Only what can be read is there."""
    assert _grouped(_page("<p>one <span hidden>two</span> three"), "piece") == ["one three"]


def test_an_empty_page_has_no_pieces() -> None:
    """All columns are empty, and of one length."""
    pieces = Pieces(_page(""))
    columns = [pieces.text, pieces.line, pieces.link, pieces.piece, pieces.holder]
    assert [len(column) for column in columns] == [0] * 5


def test_a_page_of_one_text_has_one_piece() -> None:
    """One text, one line, one piece."""
    assert Pieces(_page("word")).piece.tolist() == [0]
