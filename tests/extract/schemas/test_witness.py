"""What pages say about themselves in their own data, as a witness for names."""

import json

import pytest

from sightline.extract.schemas._said_names import SaidNames, said_names_of

from .._templates import opened


def _script(document: object) -> str:
    text = document if isinstance(document, str) else json.dumps(document)
    return f'<script type="application/ld+json">{text}</script>'


def _said(*documents: object) -> SaidNames:
    return said_names_of(opened(*map(_script, documents)))


def test_texts_are_called_what_the_pages_call_them() -> None:
    """Names, numbers and what stands deep in lists are known by their property."""
    said = _said(*({"name": f"EOS {n}D", "offers": [{"price": 2499.5 + n}], "sku": f"A-1{n}"} for n in (5, 6)))
    assert said.name(["EOS 5D", "EOS 6D"]) == "name"
    assert said.name(["2504.5", "2505.5"]) == "price"
    assert said.name(["A-15", "A-16"]) == "sku"
    assert said.name(["Canon", "Nikon"]) == ""


def test_a_thing_is_called_by_what_it_is_to_the_page() -> None:
    """The name of the brand is the brand; a brand that stands for itself names nothing."""
    assert _said({"brand": {"@type": "Brand", "name": "Canon"}}).name(["Canon"]) == "brand"
    assert _said({"@type": "Brand", "name": "Canon"}).name(["Canon"]) == ""


def test_how_an_amount_or_a_day_is_written_does_not_matter() -> None:
    """A price is the same with its sign and its separators, a day in words, and a name in capitals."""
    days = ("2026-03-14T08:00:00Z", "2026-04-02")
    said = _said(*({"price": price, "datePublished": day} for price, day in zip(("1299", "949.50"), days, strict=True)))
    assert said.name(["$1,299.00", "$949.50"]) == said.name(["1.299 €", "949,5 €"]) == "price"
    assert said.name(["14 March 2026", "Published April 2, 2026"]) == "datePublished"
    assert _said({"name": "Eos Camera"}).name(["EOS  CAMERA"]) == "name"


def test_most_of_the_texts_have_to_agree() -> None:
    """A property counts where it has most texts of a field as its values."""
    said = _said({"color": "red"}, {"color": "blue"})
    assert said.name(["red", "blue", "other"]) == "color"
    assert said.name(["red", "other", "another"]) == ""
    assert said.name([]) == ""


def test_one_and_the_same_number_says_nothing() -> None:
    """It may be the value of many things; words that one property alone has are certain."""
    assert _said({"reviewCount": "38"}).name(["38", "38"]) == ""
    assert _said({"rating": "5"}).name(["5"]) == ""
    assert _said({"author": {"name": "Ada Lovelace"}}).name(["Ada Lovelace"]) == "author"
    assert _said({"author": "Ada Lovelace", "editor": "Ada Lovelace"}).name(["Ada Lovelace"]) == ""


def test_of_properties_with_the_same_values_none_is_certain() -> None:
    """Unless they say the same: a headline is a name. The day of a change is not that of publication."""
    day = {"datePublished": "2026-03-14", "dateModified": "2026-03-14"}
    said = _said(*({"name": f"EOS {n}D", "headline": f"EOS {n}D", **day} for n in (5, 6)))
    assert said.name(["EOS 5D", "EOS 6D"]) == "name"
    assert said.name(["14 March 2026", "March 14, 2026"]) == ""


def test_a_title_is_called_by_a_name_or_not_at_all() -> None:
    """A description may repeat the title; it is still the title."""
    said = _said(*({"description": f"EOS {n}D"} for n in (5, 6)))
    assert said.name(["EOS 5D", "EOS 6D"]) == "description"
    assert said.name(["EOS 5D", "EOS 6D"], is_title=True) == ""


def test_menus_and_other_things_name_nothing() -> None:
    """Trails of links do not, and neither does what a related thing is to the page; its own properties do."""
    trail = {"@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "name": "Cameras", "position": 1}]}
    bag = {"@type": "Product", "name": "Bag", "color": "brown"}
    said = _said(trail, {"@type": "Product", "isRelatedTo": bag})
    assert (said.name(["Cameras"]), said.name(["Bag"]), said.name(["brown"])) == ("", "", "color")


def test_items_in_the_markup_and_meta_elements_are_witnesses() -> None:
    """As JSON-LD is: a page may say its data in any syntax."""
    item = '<div itemscope itemtype="https://schema.org/Recipe"><meta itemprop=recipeYield content="{0} cakes"></div>'
    meta = '<meta property="article:published_time" content="2026-03-0{0}">'
    said = said_names_of(opened(*((item + meta).format(number) for number in (4, 6))))
    assert said.name(["4 cakes", "6 cakes"]) == "recipeYield"
    assert said.name(["4 March 2026", "6 March 2026"]) == "datePublished"


@pytest.mark.parametrize("document", ["{broken", "", "[" * 100_000, '"text"', "null", '{"a": true}'])
def test_a_script_that_is_wrong_loses_only_its_say(document: str) -> None:
    """Scripts that are no JSON, or say nothing, are passed over."""
    assert _said(document, {"name": "Camera"}).name(["Camera"]) == "name"


def test_other_scripts_are_not_read() -> None:
    """Only what is declared as JSON-LD is a witness."""
    (page,) = opened('<script type="application/json">{"name": "EOS 5D"}</script><script>{"name": "EOS 5D"}</script>')
    assert said_names_of([page]).name(["EOS 5D"]) == ""


def test_a_graph_of_things_is_a_witness() -> None:
    """What stands in `@graph`, as on most sites, is known by its key as well."""
    said = _said({"@graph": [{"@type": "Product", "name": "Camera", "color": "black"}]})
    assert (said.name(["Camera"]), said.name(["black"])) == ("name", "color")
