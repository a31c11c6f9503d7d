"""RDFa Lite, and what older pages write."""

from typing import Any

from tests.page.own_data._pages import said


def _data(html: str) -> list[Any]:
    return [document.data for document in said(html).documents if document.syntax == "rdfa"]


def test_things_and_their_properties() -> None:
    """By a vocabulary, by prefixes, and by addresses."""
    html = (
        "<div vocab=https://schema.org/ typeof=Product prefix='s: http://schema.org/ x: http://x/'>"
        "<b property=name>Bee</b><i property=s:sku content=12>x</i><u property=x:y>z</u>"
        "<img property=image src=https://x/b.png><time property=http://schema.org/releaseDate datetime=2020>then</time>"
        "<div property=offers typeof=Offer><b property=price>5</b><a property=url href=https://x/y>x</a></div></div>"
    )
    assert _data(html) == [
        {
            "@type": ["Product"],
            "name": ["Bee"],
            "sku": ["12"],
            "x:y": ["z"],
            "image": ["https://x/b.png"],
            "releaseDate": ["2020"],
            "offers": [{"@type": ["Offer"], "price": ["5"], "url": ["https://x/y"]}],
        }
    ]


def test_subjects_are_taken_up_again() -> None:
    """What is said elsewhere about the same thing belongs to it."""
    html = (
        "<div typeof=schema:Person resource=#ada><b property=schema:name>Ada</b></div>"
        "<div resource=#ada><b property=schema:email>a@x</b></div>"
    )
    assert _data(html) == [{"@type": ["Person"], "@id": "#ada", "name": ["Ada"], "email": ["a@x"]}]


def test_relations_wait_for_the_thing_inside() -> None:
    """As breadcrumbs were once written."""
    html = (
        "<div prefix='v: http://rdf.data-vocabulary.org/#' typeof=v:Breadcrumb>"
        "<a rel='v:url nofollow' property=v:title href=https://x/>Home</a>"
        "<div rel=v:child><div typeof=v:Breadcrumb><b property=v:title>Bees</b></div></div></div>"
    )
    assert _data(html) == [
        {
            "@type": ["Breadcrumb"],
            "title": ["https://x/"],
            "url": ["https://x/"],
            "child": [{"@type": ["Breadcrumb"], "title": ["Bees"]}],
        }
    ]


def test_what_is_said_of_the_page_is_left_to_meta() -> None:
    """Open Graph has no thing with a type around it."""
    assert not _data("<meta property=og:title content=Bees><div typeof=''><b property=x>y</b></div>")


def test_deep_things_are_cut_off() -> None:
    """It is told, and nothing is raised."""
    own = said("<div property=x typeof=y prefix='a: b'>" * 400)
    assert own.gaps == ("An item of rdfa is cut off 64 levels deep.",)
