"""Where an example stands on a page: in nodes, in parts of their texts, and in attributes."""

import pytest

import sightline as sl
from sightline.errors import UsageError
from sightline.extract.wrappers import Lesson
from sightline.extract.wrappers.patterns import Located, View, key_of, label_key, locate_node, locate_text
from sightline.page import Page
from sightline.testing import element, page_of


def _view(body: str) -> View:
    return View(sl.open(f"<!doctype html><html lang=en><body>{body}".encode(), static=True))


def _located(view: View, text: str) -> Located:
    return locate_text(view, text, 0, len(view.page))


def _tags(view: View, located: Located) -> list[str]:
    return [view.page.strings[int(view.page.tag[node])] for node in located.nodes]


def test_all_nodes_that_say_a_text_are_found() -> None:
    """From the outermost to the innermost, and in every place."""
    view = _view("<div><p><b>one</b></p></div><i>one</i><u>one more</u>")
    located = _located(view, "one")
    assert _tags(view, located) == ["div", "p", "b", "i"]
    assert located.places == 2
    assert not located.part


@pytest.mark.parametrize(
    "text", ["Canon EOS 5D", "canon eos 5d", " Canon\n EOS  5D ", "CanonEOS5D", "Canon\u00a0EOS 5D"]
)
def test_blanks_and_case_do_not_count(text: str) -> None:
    """People type what they see."""
    view = _view("<p>Canon <b>EOS</b> 5D</p><p>x</p>")
    assert _tags(view, _located(view, text)) == ["p"]


def test_letters_that_look_alike_are_alike() -> None:
    """Ligatures, soft hyphens and wide forms are only other ways to write."""
    assert key_of("ﬁne") == key_of("fine")
    assert key_of("cam\u00adera") == key_of("camera")
    assert key_of("Ｅ５") == key_of("e5")
    assert label_key("Price :") == label_key(" price*") == "price"


def test_a_text_over_several_elements_is_found() -> None:
    """The element that holds them together is meant."""
    view = _view("<p><span>$</span><span>5</span></p><p>x</p>")
    located = _located(view, "$5")
    assert _tags(view, located) == ["p"]
    assert view.text(located.nodes[0]) in ("$5", "$ 5")


def test_a_part_of_a_text_is_found() -> None:
    """As whole words only, and it is known to be a part."""
    view = _view("<p>Director: Jane Campion</p><p>Campioness</p>")
    located = _located(view, "Campion")
    assert located.part
    assert [view.text(node) for node in located.nodes] == ["Director: Jane Campion"]


def test_a_whole_text_goes_before_parts() -> None:
    """Where both stand on the page, nobody means a part."""
    view = _view("<p>Price: 5 dollars</p><b>5</b>")
    located = _located(view, "5")
    assert not located.part
    assert _tags(view, located) == ["b"]


def test_an_attribute_is_found() -> None:
    """Where no text says it."""
    view = _view("<p>x</p><img alt='A camera' src='/a.png'><time datetime='2021-05-12'>in May</time>")
    found = {text: _located(view, text).take for text in ("/a.png", "A camera", "2021-05-12")}
    assert found == {"/a.png": "src", "A camera": "alt", "2021-05-12": "datetime"}


def test_only_a_span_is_searched() -> None:
    """What stands outside of it is not there."""
    view = _view("<p>one</p><p>two</p>")
    first = int(view.page.with_tag("p")[0])
    with pytest.raises(UsageError, match="two"):
        locate_text(view, "two", first, int(view.page.end[first]))


def test_a_node_is_found_with_those_that_say_the_same() -> None:
    """Any of them will do."""
    view = _view("<div><p><b>one</b></p></div><i>one</i>")
    node = int(view.page.with_tag("b")[0])
    located = locate_node(view, node)
    assert _tags(view, located) == ["div", "p", "b"]
    assert located == locate_node(view, node + 1)


def _hidden() -> Page:
    shown, hidden = {"display": "block", "visibility": "visible"}, {"display": "none", "visibility": "visible"}
    parts = [element("p", "Seen", box=(0, 0, 90, 20), style=shown), element("p", "Unseen", style=hidden)]
    return page_of(element("html", element("body", *parts, box=(0, 0, 800, 90), style=shown), style=shown))


def test_what_is_hidden_on_a_rendered_page_is_no_example() -> None:
    """The message says that it is there, but cannot be seen."""
    view = View(_hidden())
    with pytest.raises(UsageError, match="not visible"):
        _located(view, "Unseen")
    with pytest.raises(UsageError, match="not visible"):
        locate_node(view, int(view.page.with_tag("p")[1]))


def test_a_text_that_is_all_of_a_page_is_found() -> None:
    """Also where no element is around it but the body."""
    view = _view("one")
    located = _located(view, "one")
    assert not located.part
    assert [view.text(node) for node in located.nodes] == ["one"]
    assert [match.text for match in Lesson(view.page).want("field", "one").matches("field")] == ["one"]


def test_what_is_no_address_stays_as_it_is_written() -> None:
    """A page's own mistake in a link or base stops nothing."""
    page = sl.open(b"<base href='http://[bad'><h1>A</h1><a href='http://[x'>go</a>", static=True)
    assert sl.teach(page).want("link", "http://[x").wrapper.extract(page).to_dicts() == [{"link": "http://[x"}]
