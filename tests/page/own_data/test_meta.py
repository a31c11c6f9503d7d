"""What `meta` and `link` elements say."""

from tests.page.own_data._pages import said


def test_names_of_every_kind() -> None:
    """By name, by property, by both; without regard to case; several times."""
    own = said(
        "<meta name=Author content=Ada><meta name=author content=Bob><meta property=og:title content=Bees>"
        "<meta name=description property=og:description content=All><meta http-equiv=refresh content=5><meta name=x>"
    )
    assert own.meta == {
        "author": ("Ada", "Bob"),
        "og:title": ("Bees",),
        "description": ("All",),
        "og:description": ("All",),
    }
    assert own.documents[0].nodes[("author", 0)] > own.documents[0].nodes[("Author", 0)]


def test_properties_belong_to_their_items() -> None:
    """A price is what an offer says, not the page."""
    own = said("<meta itemprop=name content=Bees><div itemscope><meta itemprop=price content=5></div>")
    assert own.meta == {"name": ("Bees",)}


def test_links_to_the_same_page() -> None:
    """The address of the page, and those of its translations."""
    own = said(
        "<link rel=canonical href=https://x/a><link rel='Alternate' hreflang=de href=/de><link rel=stylesheet href=x>"
        "<link rel=alternate href=/rss><link rel=next>"
    )
    assert own.meta == {"link:canonical": ("https://x/a",), "link:alternate:de": ("/de",), "link:alternate": ("/rss",)}


def test_many_items_and_many_properties() -> None:
    """Whether a property is in an item is looked up, not searched."""
    own = said("<div itemscope></div>" * 20_000 + "<meta itemprop=a content=b>" * 20_000)
    assert len(own.meta["a"]) == 20_000
