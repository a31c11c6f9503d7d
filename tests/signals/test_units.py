"""What stands one after another inside each element: blocks, and the lines between them."""

from hypothesis import given, settings
from hypothesis import strategies as st

import sightline as sl
from sightline.page import Page
from sightline.signals import Units, units_of


def _page(body: str) -> Page:
    return sl.open(f"<!doctype html><body>{body}".encode(), static=True)


def _units(page: Page, tag: str) -> list[tuple[str, bool]]:
    """The texts of the units of the first element of a tag, and whether each is a line."""
    units = units_of(page)
    place = units.of.get(int(page.with_tag(tag)[0]))
    if place is None:
        return []
    part = slice(int(units.first[place]), int(units.first[place + 1]))
    texts = page.texts_between(units.start[part], units.stop[part])
    return list(zip(texts, units.line[part].tolist(), strict=True))


def test_blocks_are_units() -> None:
    """Items of a list are the units of the list."""
    assert _units(_page("<ul><li>one<li>two</ul>"), "ul") == [("one", False), ("two", False)]


def test_a_word_in_bold_is_no_unit() -> None:
    """A line goes on through inline elements."""
    assert _units(_page("<p>one <b>two</b> three"), "p") == [("one two three", True)]


def test_a_break_begins_a_new_line() -> None:
    """Lines between breaks are units of their own."""
    page = _page("<p>one <b>two</b><br>three<br>four")
    assert _units(page, "p") == [("one two", True), ("three", True), ("four", True)]


def test_a_block_parts_lines() -> None:
    """What stands before a block and behind it are two lines."""
    page = _page("<div>before<p>block</p>behind <i>it</i></div>")
    assert _units(page, "div") == [("before", True), ("block", False), ("behind it", True)]


def test_an_inline_element_with_a_block_in_it_is_no_line() -> None:
    """A link around a card is a block for whoever looks."""
    page = _page("<div><a href=x><p>one</p></a><a href=y><p>two</p></a></div>")
    assert _units(page, "div") == [("one", False), ("two", False)]


def test_cells_are_units() -> None:
    """The cells of a row stand apart, though in one line."""
    assert _units(_page("<table><tr><td>one<td>two</table>"), "tr") == [("one", False), ("two", False)]


def test_pictures_count_and_blanks_do_not() -> None:
    """What can be seen is a unit; empty elements, blanks and hidden texts are none."""
    page = _page("<div> <p> </p><p hidden>no</p><p><img src=x></p><p>yes</p></div>")
    assert _units(page, "div") == [("", False), ("yes", False)]


def test_an_empty_page_has_no_units() -> None:
    """Nothing to see, nothing to count."""
    units = units_of(_page(""))
    assert len(units) == 0
    assert units.first.tolist() == [0]
    assert units.of == {}


def _check(page: Page, units: Units) -> None:
    assert len(units.first) == len(units.parent) + 1
    assert units.first[-1] == len(units) == len(units.stop) == len(units.line)
    for place, parent in enumerate(units.parent.tolist()):
        part = slice(int(units.first[place]), int(units.first[place + 1]))
        start, stop = units.start[part].tolist(), units.stop[part].tolist()
        assert start
        assert all(page.parent[one] == parent for one in start)
        assert all(one < other for one, other in zip(start, stop, strict=True))
        assert all(stop[row] <= start[row + 1] for row in range(len(start) - 1))
        assert stop[-1] <= page.end[parent]


TAGS = st.sampled_from(
    ["<p>", "</p>", "<b>", "</b>", "<br>", "<ul>", "<li>", "</ul>", "<td>", "<img src=x>", "x ", " "]
)


@given(st.lists(TAGS, max_size=40))
@settings(max_examples=80)
def test_units_of_any_page_follow_each_other(parts: list[str]) -> None:
    """Units of one element are in order, do not overlap, and lie in it."""
    page = _page("".join(parts))
    _check(page, units_of(page))
