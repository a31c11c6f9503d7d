"""The comparison of own data with other readers, on values few enough to count by hand."""

from bench.own_data.compare import Share, found_of, ours_of, share
from bench.own_data.readers import _items, _json, _rdf

from sightline.testing import element, page_of


def test_values_are_the_same_without_regard_to_their_form() -> None:
    """Blanks, case, entities, vocabularies and zones of time; types are not compared, nor is what is no Open Graph."""
    ours = found_of([("rdfa", "name", "Tom & Jerry "), ("rdfa", "@type", "X"), ("rdfa", "d", "10:00+01:00")])
    theirs = found_of([("rdfa", "http://schema.org/name", "tom &amp;\njerry"), ("rdfa", "d", "10:00+0100")])
    assert ours == theirs
    assert found_of([("meta", "og:title", "x"), ("meta", "viewport", "y")]) == {("meta", "og:title", "x")}


def test_shares_are_of_what_either_found() -> None:
    """Each page by itself."""
    pages = [found_of([("json-ld", "a", 1), ("json-ld", "b", 2)]), found_of([("json-ld", "a", 1)])]
    others = [found_of([("json-ld", "a", 1), ("json-ld", "c", 3)]), found_of([])]
    assert share(pages, others, "json-ld") == Share(either=4, ours=3, peer=2)


def test_ours_are_found_in_a_page() -> None:
    """Under the name of the property, however deep; states of programs are not compared."""
    inner = element("b", "5", itemprop="price")
    offer = element("div", inner, itemprop="offers", itemscope="")
    page = page_of(element("body", element("div", offer, itemscope=""), element("script", "window.abc = {a: 1}")))
    assert ours_of(page) == {("microdata", "price", "5")}


def test_answers_of_peers_are_flat() -> None:
    """Their ways to nest values end in the same triples."""
    item = {
        "type": "X",
        "properties": {"a": ["1", {"type": "Y", "properties": {"b": "2"}}, {"value": "3", "html": ""}]},
    }
    assert list(_items("microdata", [item])) == [
        ("microdata", "a", "1"),
        ("microdata", "b", "2"),
        ("microdata", "a", "3"),
    ]
    assert list(_json("json-ld", {"a": [{"b": 1}, None, "x"]})) == [("json-ld", "b", 1), ("json-ld", "a", "x")]
    assert list(_rdf([{"@type": ["X"], "n": [{"@value": "1"}, {"@id": "_:N"}]}, {"n": [{"@value": "2"}]}])) == [
        ("rdfa", "n", "1")
    ]
