"""How much of something is below a node."""

from sightline.page import Page
from sightline.signals import Tallies
from sightline.testing import Element, element, list_page, page_of

STYLE = {"display": "block", "visibility": "visible"}
BOX = (0, 0, 400, 20)


def _part(tag: str, *children: Element | str, **style: str) -> Element:
    return element(tag, *children, box=BOX, style=STYLE | style)


def _below(page: Page, tag: str, name: str) -> list[int]:
    tallies = Tallies(page)
    return tallies.below(page.with_tag(tag), getattr(tallies, name)).tolist()


PAGE = page_of(
    _part(
        "html",
        _part("td", "Two words", _part("a", "one link"), _part("img")),
        _part("td", _part("a", _part("b", "deep in a link")), _part("input"), _part("button", "Go")),
        _part("td", _part("a", "hidden link", visibility="hidden"), "seen"),
        _part("td"),
    )
)


def test_words_are_counted_where_they_can_be_seen() -> None:
    """Every visible word below a node counts once, however deep."""
    assert _below(PAGE, "td", "words") == [4, 5, 1, 0]
    assert _below(PAGE, "html", "words") == [10]


def test_words_in_links_are_counted_through_what_is_in_the_link() -> None:
    """A word is in a link when any element around it is one; words behind the link are not."""
    assert _below(PAGE, "td", "linked") == [2, 4, 0, 0]
    assert _below(PAGE, "b", "linked") == [4]


def test_links_in_links_count_words_once() -> None:
    """Markup that puts a link into a link does not make two words of one."""
    page = page_of(_part("html", _part("td", _part("a", "x", _part("a", "y")), "z")))
    assert _below(page, "td", "linked") == [2]
    assert _below(page, "td", "links") == [2]


def test_pictures_links_and_controls_are_counted() -> None:
    """What can be seen, followed or pressed."""
    assert _below(PAGE, "td", "links") == [1, 1, 0, 0]
    assert _below(PAGE, "td", "pictures") == [1, 0, 0, 0]
    assert _below(PAGE, "td", "controls") == [0, 2, 0, 0]


def test_the_last_node_is_counted_too() -> None:
    """Sums reach to the end of the page."""
    assert _below(list_page(["one", "two words", "three more words"]), "li", "words") == [1, 2, 3]
