"""The page itself: columns, nodes, and that nothing changes."""

from dataclasses import FrozenInstanceError, fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from sightline.errors import UsageError
from sightline.page import Attributes, DrawnRules, NumberedStrings, Page, Words, no_boxes, no_edges, no_ints
from sightline.page._columns import SHARED_ROWS

from ._build import changed, el, list_page, page, pages, with_rules

DERIVED = ("style", "depth", "position", "visible", "is_text", "is_blank", "path", "numbers")


def arrays(made: Any) -> list[np.ndarray]:
    """All arrays of a page, those of its column groups included."""
    values = [getattr(made, one.name) for one in fields(made)]
    groups = [value for value in values if isinstance(value, Attributes | Words | DrawnRules)]
    return [value for value in values if isinstance(value, np.ndarray)] + [
        one for group in groups for one in arrays(group)
    ]


def test_page_columns_cannot_be_written() -> None:
    """Writing to any array of a page, given or derived, is an error."""
    made = with_rules(list_page())
    derived = [getattr(made, name) for name in DERIVED] + [made.attribute("class"), made.style_column("display")]
    for array in arrays(made) + derived:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_page_fields_cannot_be_replaced() -> None:
    """A page is frozen, and so is a node."""
    made = list_page()
    with pytest.raises(FrozenInstanceError):
        made.url = "x"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        made.node(0).number = 3  # type: ignore[misc]


def test_page_does_not_follow_arrays_it_was_made_from() -> None:
    """Who keeps an array that a page was made from cannot change the page by it."""
    parent = np.array([-1, 0], dtype=np.int32)
    made = list_page()
    Page(**{one.name: getattr(made, one.name) for one in fields(made)} | {"parent": parent})
    with pytest.raises(ValueError, match="read-only"):
        parent[0] = 5


def test_node_shows_one_row() -> None:
    """A node's properties are those of its row."""
    made = list_page()
    item = made.node(int(made.with_tag("li")[1]))
    assert (item.tag, item.text, item.raw_text, item.attributes) == ("li", "item 1", "", {"class": "x"})
    assert item.box == (10.0, 20.0, 200.0, 40.0) and item.style["display"] == "block" and item.visible
    assert item.parent is not None and item.parent.tag == "ul" and made.node(0).parent is None
    assert [child.raw_text for child in item.children] == ["item 1"]
    assert [child.number for child in item.parent.children] == made.with_tag("li").tolist()
    assert item.xpath == "/html[1]/body[1]/ul[1]/li[2]" and repr(item) == "<Node 5 li>"


def test_node_refuses_numbers_that_are_not_there() -> None:
    """There is no node -1."""
    for number in (-1, 9):
        with pytest.raises(UsageError, match="numbered 0 to 8"):
            list_page().node(number)


def test_node_attribute_without_value_is_empty() -> None:
    """An attribute whose value is no string at all reads as the empty one."""
    made = list_page()
    attributes = made.attributes
    bare = Attributes(start=attributes.start, name=attributes.name, value=np.full_like(attributes.value, -1))
    assert changed(made, attributes=bare).node(0).attributes == {"lang": ""}


@given(pages())
def test_attribute_of_one_node_is_that_of_the_column(made: Page) -> None:
    """Asking one node gives what the column of all nodes says, and -1 for a name that the page lacks."""
    for name in {made.strings[number] for number in made.attributes.name.tolist()} | {"no-such-name"}:
        assert [made.attribute_of(node, name) for node in range(len(made))] == made.attribute(name).tolist()


def test_columns_of_nothing_are_of_any_length() -> None:
    """No boxes, numbers and edges: read-only, whether they are shared or too long for that."""
    for count in (0, 1, SHARED_ROWS, SHARED_ROWS + 1):
        boxes, numbers, edges = no_boxes(count), no_ints(count), no_edges(count)
        assert boxes.shape == (count, 4)
        assert len(numbers) == len(edges) == count
        assert np.isnan(boxes).all()
        assert not numbers.any()
        assert not edges.any()
        assert not (boxes.flags.writeable or numbers.flags.writeable or edges.flags.writeable)


def test_what_a_source_leaves_is_taken_once_and_not_inherited() -> None:
    """It is for one step that comes later; a page that is changed has none of it."""
    made = list_page()
    made.attach(NumberedStrings((), b"", b""))
    assert changed(made, url="https://example.org/").detach(NumberedStrings) is None
    assert made.detach(NumberedStrings) == NumberedStrings((), b"", b"")
    assert made.detach(NumberedStrings) is None


def test_attribute_column_has_a_value_for_every_node() -> None:
    """One attribute as a column of string ids, -1 where it is missing."""
    made = list_page()
    column = made.attribute("class")
    assert np.flatnonzero(column >= 0).tolist() == made.with_tag("li").tolist()
    assert {made.strings[value] for value in column[column >= 0]} == {"x"}
    assert (made.attribute("no such") == -1).all()


def test_style_columns_are_string_ids() -> None:
    """Computed styles by node and property; a property that was not captured is missing everywhere."""
    made = list_page()
    assert made.style.shape == (len(made), len(made.style_names))
    assert {made.strings[value] for value in made.style_column("display")} == {"block", "inline"}
    assert (made.style_column("no-such") == -1).all()


def test_path_names_spell_tag_paths() -> None:
    """Nodes of one tag path share a number, and the number has a name."""
    made = list_page()
    names = [made.path_names[number] for number in made.path.tolist()]
    assert names[:5] == ["html", "html/body", "html/body/ul", "html/body/ul/li", "html/body/ul/li/#text"]
    assert names.count("html/body/ul/li") == 3


def test_facts_of_a_page() -> None:
    """Language, bounds, length and a short description."""
    made = list_page()
    assert made.language == "en" and made.bounds == (0.0, 0.0, 300.0, 400.0) and len(made) == 9
    assert repr(made) == "<Page rendered 9 nodes, 6 words, '' >"
    assert page(el("html"), kind="static").language is None
    assert "…" in repr(page(el("html"), url="https://example.org/" + "x" * 90))


def test_is_blank_knows_texts_of_blanks() -> None:
    """A blank text is a text; an element is not."""
    made = page(el("html", " \n", "x", ""))
    assert made.is_blank.tolist() == [False, True, False, True] and made.is_text.tolist() == [False, True, True, True]


def test_numbers_of_a_whole_page_are_its_own() -> None:
    """On a whole page a node's number is its number."""
    made = list_page()
    assert made.numbers.tolist() == list(range(len(made))) and made.whole_id == made.id
