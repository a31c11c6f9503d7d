"""Microdata, by the HTML standard."""

from typing import Any

import pytest
from tests.page.own_data._pages import page_from, said

ITEM = '<div itemscope itemtype="https://schema.org/Product">{}</div>'


def _data(html: str) -> list[Any]:
    return [document.data for document in said(html).documents if document.syntax == "microdata"]


@pytest.mark.parametrize(
    ("element", "value"),
    [
        ("<b itemprop=p>a  <i>b</i>\n c</b>", "a b c"),
        ("<div itemprop=p><p>one</p><p>two</p><script>x</script></div>", "one\ntwo"),
        ("<meta itemprop=p content=' x '>", "x"),
        ("<a itemprop=p href=/bees>Bees</a>", "https://bees.example/bees"),
        ("<a itemprop=p>Bees</a>", "Bees"),
        ("<link itemprop=p href=https://schema.org/InStock>", "https://schema.org/InStock"),
        ("<img itemprop=p src=b.png alt=x>", "https://bees.example/b.png"),
        ("<img itemprop=p src='data:image/gif;base64,R0' data-src=b.png>", "https://bees.example/b.png"),
        ("<object itemprop=p data=b.svg></object>", "https://bees.example/b.svg"),
        ("<data itemprop=p value=9>nine</data>", "9"),
        ("<meter itemprop=p value=4>four</meter>", "4"),
        ("<time itemprop=p datetime=2020-01-01>New Year</time>", "2020-01-01"),
        ("<time itemprop=p>2020-01-01</time>", "2020-01-01"),
        ("<span itemprop=p content=9.50>9,50 €</span>", "9.50"),
        ("<a itemprop=p href='javascript:void(0)'>x</a>", "javascript:void(0)"),
    ],
)
def test_values_by_element(element: str, value: str) -> None:
    """The kind of the element says where the value is."""
    base = "<base href=https://bees.example/shop>"
    assert _data(base + ITEM.format(element)) == [{"@type": ["Product"], "p": [value]}]


def test_items_in_items_know_their_elements() -> None:
    """Every value has the element that it stands in."""
    html = ITEM.format(
        "<div itemprop=offers itemscope itemtype=http://schema.org/Offer><b itemprop='price x'>5</b></div>"
    )
    page = page_from(html)
    document = page.own_data.documents[0]
    assert document.data == {"@type": ["Product"], "offers": [{"@type": ["Offer"], "price": ["5"], "x": ["5"]}]}
    assert {path: page.node(node).tag for path, node in document.nodes.items()} == {
        ("offers", 0): "div",
        ("offers", 0, "price", 0): "b",
        ("offers", 0, "x", 0): "b",
    }
    (price,) = page.own_data.things("Product")[0].values("offers", "price")
    assert (price.value, page.node(price.node).tag) == ("5", "b")


def test_properties_elsewhere_are_referred_to() -> None:
    """By `itemref`, each only once, and not those that belong to an item there."""
    html = (
        "<div itemscope itemref='a b a none'><i itemprop=x>1</i></div><div id=a><i itemprop=y>2</i>"
        "<div itemprop=z itemscope><i itemprop=w>3</i></div></div><i id=b itemprop=v>4</i>"
    )
    assert _data(html) == [{"@type": [], "x": ["1"], "y": ["2"], "z": [{"@type": [], "w": ["3"]}], "v": ["4"]}]


def test_an_item_within_itself_is_left_out() -> None:
    """References may go in circles."""
    own = said("<div itemscope id=a itemref=b><div itemprop=x id=b itemscope itemref=a><i itemprop=n>1</i></div></div>")
    assert own.documents[0].data == {"@type": [], "x": [{"@type": [], "n": ["1"]}]} or own.gaps


def test_a_property_of_nothing_is_an_item() -> None:
    """Pages forget the item around."""
    html = "<div itemprop=offers itemscope itemtype=schema.org/Offer itemid=' #o '><i itemprop=price>5</i></div>"
    assert _data(html) == [{"@type": ["Offer"], "@id": "#o", "price": ["5"]}]


def test_deep_items_are_cut_off() -> None:
    """It is told, and nothing is raised."""
    own = said("<div itemprop=x itemscope>" * 400)
    assert own.gaps == ("An item of microdata is cut off 64 levels deep.",)


def test_texts_in_texts_are_bounded() -> None:
    """Every property holding all others' text would be quadratic."""
    own = said("<div itemscope>" + "<b itemprop=x>word " * 500 + "text " * 20_000)
    assert any("16,000,000" in gap for gap in own.gaps)
