"""All that a page says about itself together."""

import gc
import weakref

import orjson
from hypothesis import given
from hypothesis import strategies as st
from tests.page.own_data._pages import json_ld, page_from, said

from sightline.page import Page

PIECES = (
    *(
        "<div itemscope itemtype=https://schema.org/Product itemref='a b' id=a>",
        "<b itemprop='name x' id=b>one",
        "</b>",
    ),
    *(
        "<div typeof=schema:Offer resource=#r>",
        "<i property=schema:price content=5>",
        "<a rel=v:url href=/x>",
        "</div>",
    ),
    *(
        "<div class='hrecipe vcard'>",
        "<span class='fn ingredient value p-name'>two",
        "<p class='h-entry p-author'>",
        "</p>",
    ),
    *(
        "<meta name=a property=og:b itemprop=c content=d>",
        "<link rel=canonical href=/y>",
        "<div data-x='{\"a\": [1, {}]}'>",
    ),
    *('<script type="application/ld+json">{"@graph": [{"@id": "#r", "a": {"@id": "#r"}}, {"@type": 1}]}</script>',),
    *('<script type="application/ld+json">{"@type": ["X", null], "name": {"@list": [{"@value": 1}]}, </script>',),
    *(
        "<script>window.abc = {a: [undefined, 'x'], b: now()}</script>",
        "<script>self.__next_f.push([1,'0:[1]'])</script>",
    ),
    *('<script type="application/json" id="__NUXT_DATA__">[["Ref", 1], {"a": 0, "b": 2}, "c"]</script>',),
)


@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_whatever_a_page_says_can_be_written_down(pieces: list[str]) -> None:
    """Nothing raises, all is JSON, and every value has a place on the page."""
    page = page_from("".join(pieces))
    own = page.own_data
    orjson.dumps(own.to_dict())
    for value in own.values():
        assert 0 <= value.node < len(page)
    for thing in own.things():
        orjson.dumps(thing.to_dict())
        assert 0 <= thing.node < len(page)
        for name in thing.data:
            thing.values(name, name)
            for value in thing.values(name):
                found = own.documents[value.document].data
                for step in value.path:
                    found = found[step]
                assert found == value.value


def test_it_is_read_once_and_does_not_keep_the_page() -> None:
    """Whoever asks gets the same, and the page is gone when nobody needs it."""
    page = page_from(json_ld({"@type": "Article"}) + "<div itemscope><b itemprop=a>b</b></div>")
    own = page.own_data
    assert page.own_data is own
    own.things()
    kept = weakref.ref(page)
    gc.disable()
    try:
        del page
        assert kept() is None
    finally:
        gc.enable()


def test_parts_of_a_page_have_their_own() -> None:
    """A part of a page is a page."""
    page = page_from("<div itemscope><b itemprop=a>1</b></div><div itemscope id=x><b itemprop=a>2</b></div>")
    second = page.own_data.documents[1].node
    assert isinstance(page, Page)
    assert [document.data for document in page.subtree(second).own_data.documents] == [{"@type": [], "a": ["2"]}]


def test_an_empty_page_says_nothing() -> None:
    """And nothing is missing."""
    own = said("")
    assert (own.documents, own.gaps, own.things(), dict(own.meta)) == ((), (), (), {})
