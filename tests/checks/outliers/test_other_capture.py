"""Nodes of one capture are found again on another: by their XPath, else by their text and place."""

from hypothesis import given
from hypothesis import strategies as st

import sightline as sl
from sightline.checks import map_nodes
from sightline.testing import element, list_page, page_of


def test_the_same_tree_gives_the_same_nodes() -> None:
    """Where nothing changed, XPaths lead to the node itself."""
    page = list_page(["one", "two", "one"])
    assert map_nodes(range(len(page)), page, page) == list(range(len(page)))


def test_where_another_text_stands_now_the_text_is_looked_for() -> None:
    """A list that got a new first item has the old ones one place further."""
    before, after = list_page(["one", "two"]), list_page(["new", "one", "two"])
    assert [after.text_of(node) for node in map_nodes(before.with_tag("li").tolist(), before, after) if node] == [
        "one",
        "two",
    ]


def test_of_texts_that_are_alike_the_nearest_is_taken() -> None:
    """The second of two equal texts is found as the second, behind a node that is new."""
    before = page_of(element("html", element("p", "same"), element("p", "x"), element("p", "same")), kind="static")
    after = page_of(
        element(
            "html", element("h1", "new"), element("div", element("p", "same"), element("b", "x"), element("p", "same"))
        ),
        kind="static",
    )
    texts = [node for node in range(len(before)) if before.is_text[node]]
    assert map_nodes(texts, before, after) == [node for node in range(len(after)) if after.is_text[node]][1:]


def test_what_is_gone_or_never_was_has_no_place() -> None:
    """A text that nobody says any more, and numbers that the page has no node for."""
    assert map_nodes([4, 99, -1], list_page(["one"]), list_page(["two"])) == [None, None, None]


def test_what_was_read_without_a_browser_is_found_on_the_rendered_page() -> None:
    """Every text of an example that can be seen is found on the rendered page, and says the same there."""
    plain, shown = (sl.open("examples/telescopes.html", static=static) for static in (True, False))
    nodes = [
        node for node in range(len(plain)) if plain.is_text[node] and plain.visible[node] and not plain.is_blank[node]
    ]
    there = map_nodes(nodes, plain, shown)
    assert None not in there
    assert [plain.strings[plain.text[a]].split() for a in nodes] == [
        shown.strings[shown.text[b]].split() for b in there if b
    ]


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=6), st.lists(st.sampled_from(["a", "b", "c"]), max_size=6))
def test_what_is_found_says_the_same(before: list[str], after: list[str]) -> None:
    """Whatever changed between two captures, a text is only ever mapped to the same text."""
    old, new = list_page(before), list_page(after)
    for node, other in zip(range(len(old)), map_nodes(range(len(old)), old, new), strict=True):
        if other is not None and old.is_text[node]:
            assert old.strings[old.text[node]] == new.strings[new.text[other]]
