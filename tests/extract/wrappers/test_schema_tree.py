"""The schema of a wrapper as a tree, with examples of every field from every page."""

from sightline.extract.wrappers import Lesson, SchemaPart, induce, schema_tree
from sightline.testing import shop_pages

from .._templates import opened


def _by_path(parts: tuple[SchemaPart, ...]) -> dict[str, SchemaPart]:
    return {part.path: part for own in parts for part in (own, *_by_path(own.children).values())}


def test_every_page_gives_an_example() -> None:
    """With its place on that page."""
    pages = shop_pages(4)
    price = _by_path(schema_tree(induce(pages), pages))["Price"]
    assert price.type is not None
    assert price.type.kind == "money"
    assert [(value.text, value.origin.page) for value in price.examples if value.origin] == [
        (f"{100 + number} €", page.id) for number, page in enumerate(pages)
    ]


def test_dropped_fields_and_those_set_aside_are_there_too() -> None:
    """So that people can bring them back."""
    pages = shop_pages(5)
    wrapper = induce(pages).drop("Weight")
    parts = _by_path(schema_tree(wrapper, pages))
    assert parts["Weight"].dropped
    assert parts["Weight"].optional
    assert parts["Weight"].examples
    assert not parts["Price"].dropped
    assert {part.path for part in parts.values() if part.aside} >= set(wrapper.aside)


def test_sets_have_children_and_merged_fields_are_alternatives() -> None:
    """In an induced wrapper of lists, and after a merge."""
    body = "<h1>List {0}</h1><ul>{1}</ul><footer>About us</footer>"
    rows = ["".join(f"<li><b>Item {p}{n}</b><i>{n}{p} €</i></li>" for n in range(3 + p % 2)) for p in range(4)]
    pages = opened(*(body.format(page, items) for page, items in enumerate(rows)))
    wrapper = induce(pages)
    each = wrapper.rules.each[0]
    parts = _by_path(schema_tree(wrapper, pages))
    assert parts[each].kind == "set"
    assert len(parts[each].children) == 2
    inner = [part.path for part in parts[each].children]
    merged = _by_path(schema_tree(wrapper.merge(*inner, into="any"), pages))
    assert merged[f"{each}.any"].kind == "alternatives"


def test_a_taught_wrapper_has_a_tree_as_well() -> None:
    """With its records as a set; without pages, the examples are those that it remembers."""
    (page,) = opened("<div>" + "".join(f"<p class=c><b>Cam {n}</b><i>${n}</i></p>" for n in range(1, 6)) + "</div>")
    wrapper = Lesson(page).want("name", "Cam 1").want("price", "$1").wrapper.drop("items.price")
    (items,) = schema_tree(wrapper, [page])
    assert (items.name, items.kind) == ("items", "set")
    assert [(part.path, part.dropped) for part in items.children] == [("items.name", False), ("items.price", True)]
    assert [value.text for value in items.children[1].examples] == ["$1", "$2"]
    (remembered,) = schema_tree(wrapper)
    assert remembered.children[0].examples[0].origin is None
    assert remembered.children[0].examples[0].text == "Cam 1"
