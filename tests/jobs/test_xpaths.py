"""XPaths of origins are looked up while the page is here, however deep a value is nested."""

from sightline.data import Item, ItemList, Origin, Record, Records, Value
from sightline.jobs import XPaths
from sightline.testing import grid_page, list_page


def test_origins_name_the_element_around_all_nodes() -> None:
    """A text has the XPath of its element, and several nodes that of what holds them."""
    page = grid_page([["a", "b"], ["c", "d"]])
    texts = [int(node) for node in range(len(page)) if page.is_text[node] and not page.is_blank[node]]
    xpaths = XPaths()
    one, row = Origin(page.id, (texts[1],)), Origin(page.id, (texts[2], texts[3]))
    xpaths.add(page, [one, row, Origin(page.id)])
    assert xpaths(one) == page.xpath(int(page.parent[texts[1]]))
    found = page.find(xpaths(row) or "")
    assert found is not None
    assert page.text_of(found).split() == ["c", "d"]
    assert xpaths(Origin("another page", (texts[1],))) is None


def test_origins_of_lists_reach_into_nested_parts() -> None:
    """Item, title, link, image, and every value of the parts, however deep, and what flat columns join."""
    page = list_page(["one", "two", "three", "four", "five"])
    texts = [int(node) for node in range(len(page)) if page.is_text[node] and not page.is_blank[node]]
    values = [Value("x", origin=Origin(page.id, (node,))) for node in texts]
    one, two, three, four, five = values
    parts = Record({"tags": (two, three), "maker": Record({"city": four})})
    xpaths = XPaths()
    xpaths.add_results(page, [ItemList((Item(one, one, image=five, components=parts), Item(Value("y"), Value("y"))))])
    for value, node in zip(values, texts, strict=True):
        assert value.origin
        assert xpaths(value.origin) == page.xpath(int(page.parent[node]))
    joined = xpaths(Origin(page.id, (texts[1], texts[2])))
    assert joined == page.xpath(int(page.parent[page.parent[texts[1]]]))


def test_origins_of_records_reach_into_nested_parts() -> None:
    """Every value, however deep, is found again by its XPath."""
    page = list_page(["one", "two", "three"])
    texts = [int(node) for node in range(len(page)) if page.is_text[node] and not page.is_blank[node]]
    one, two, three = (Value("x", origin=Origin(page.id, (node,))) for node in texts)
    xpaths = XPaths()
    xpaths.add_results(page, [Records([Record({"a": one, "b": (Record({"c": two}), Record({"c": three}))})])])
    for value, node in zip((one, two, three), texts, strict=True):
        assert value.origin
        assert xpaths(value.origin) == page.xpath(int(page.parent[node]))
