"""Things under the names of schema.org, wherever they are described."""

from tests.page.own_data._pages import json_ld, said

from sightline.page import OwnData, OwnDocument

GRAPH = {
    "@context": "https://schema.org",
    "@graph": [
        {"@type": "Organization", "@id": "#us", "name": "Bee Shop", "founder": {"@id": "#ada"}},
        {"@type": "Person", "@id": "#ada", "name": "Ada", "worksFor": {"@id": "#us"}},
        {
            "@type": ["Product", "http://schema.org/Thing"],
            "brand": {"@id": "#us"},
            "offers": [{"price": 5}, {"price": "7"}],
        },
    ],
}


def test_graphs_are_opened_and_references_joined() -> None:
    """Also those that lead back to where they came from."""
    (product,) = said(json_ld(GRAPH)).things("product")
    assert product.types == ("Product", "Thing")
    assert product.data["brand"]["founder"]["name"] == "Ada"
    assert [value.value for value in product.values("brand", "founder")] == ["Ada"]
    assert [value.value for value in product.values("brand", "founder", "worksFor", "founder", "name")] == ["Ada"]
    assert [value.path for value in product.values("offers", "price")] == [
        ("@graph", 2, "offers", 0, "price"),
        ("@graph", 2, "offers", 1, "price"),
    ]


def test_references_lead_to_other_blocks() -> None:
    """The value tells the document that it stands in."""
    own = said(json_ld({"@type": "Article", "author": {"@id": "#a"}}, {"@id": "#a", "@type": "Person", "name": "Ada"}))
    (author,) = own.things("Article")[0].values("author")
    assert (author.value, author.document, author.path) == ("Ada", 1, ("name",))


def test_many_references_do_not_multiply() -> None:
    """Everybody knows everybody, and what is asked is still answered once for each."""
    people = [
        {"@type": "Person", "@id": f"#{one}", "name": str(one), "knows": [{"@id": f"#{other}"} for other in range(60)]}
        for one in range(60)
    ]
    first = said(json_ld({"@graph": people})).things("Person")[0]
    assert len(first.values("knows", "knows", "knows", "knows", "name")) == 60
    assert first.data["knows"][5]["name"] == "5"


def test_vocabularies_are_shorn() -> None:
    """Prefixes and addresses of schema.org say nothing."""
    (thing,) = said(json_ld({"@type": "schema:Product", "schema:name": "Bee", "http://schema.org/sku": 1})).things(
        "Product"
    )
    assert dict(thing.data) == {"@type": "schema:Product", "name": "Bee", "sku": 1}
    assert thing.values("sku")[0].path == ("http://schema.org/sku",)


def test_outermost_things_come_first() -> None:
    """Across all blocks."""
    own = said(json_ld({"@type": "WebPage", "mainEntity": {"@type": "Product"}}, {"@type": "Article"}))
    assert [thing.types for thing in own.things()] == [("WebPage",), ("Article",), ("Product",)]


def test_what_a_thing_stands_for_at_the_end() -> None:
    """Its name, its value, or its identifier; several names are several values."""
    thing = {"@type": "X", "a": {"name": {"@value": "A"}}, "b": {"@id": "#b"}, "c": [{"name": ["c", "d"]}, None, True]}
    own = OwnData((OwnDocument("json-ld", 3, thing),))
    found = [[value.value for value in own.things("X")[0].values(name)] for name in "abcd"]
    assert found == [["A"], ["#b"], ["c", "d", True], []]


def test_a_chain_of_names_does_not_end() -> None:
    """A name within a name within a name is given up."""
    name: object = "Bee"
    for _ in range(40):
        name = {"name": name}
    assert said(json_ld({"@type": "X", "brand": name})).things("X")[0].values("brand") == []
