"""What a page is about: what it says, what it shows, and where the two differ."""

from datetime import date
from decimal import Decimal

import pytest

import sightline as sl
from sightline.data import Thing
from sightline.errors import UsageError
from sightline.extract.about import KINDS, AboutSettings, trace_about

SHOP = """<html lang=en><head><title>Brass lamp | Lamps & Co</title>{said}</head><body>
<nav><a href=/>Home</a> <a href=/lamps>Lamps</a></nav>
<main><h1>Brass lamp</h1><p class=product-price>{price}</p><button>Add to cart</button><p>SKU: <span>BL-1042</span></p>
<p>A lamp of solid brass with a shade of linen, forty centimetres high, made in small numbers.</p></main>
<footer>© Lamps & Co</footer></body></html>"""
SAID = """<script type="application/ld+json">{{"@context": "https://schema.org", "@type": "Product",
"name": "Brass lamp", "sku": "BL-1042", "brand": {{"@type": "Brand", "name": "Lamps & Co"}},
"offers": {{"@type": "Offer", "price": "{price}", "priceCurrency": "EUR", "availability": "https://schema.org/{availability}"}}}}</script>"""


def _shop(*, shown: str = "49.00 €", said: str = "49.00", availability: str = "InStock") -> Thing:
    html = SHOP.format(said=SAID.format(price=said, availability=availability), price=shown)
    return sl.about(sl.open(html.encode(), static=True, url="https://lamps.example/p/brass-lamp"))


def test_what_is_said_and_seen_has_both_places() -> None:
    """What is said and seen has both places."""
    thing = _shop()
    price = thing.fields["price"][0]
    assert (thing.kind, thing["name"], thing["price"], thing["priceCurrency"]) == (
        *("product", "Brass lamp", Decimal("49.00"), "EUR"),
    )
    assert price.value.origin is not None
    assert price.said == "json-ld 1: offers.price"
    assert thing["availability"] == "InStock"
    assert thing.doubts == ()


def test_another_price_on_the_page_is_a_doubt() -> None:
    """Another price on the page than the one said for machines is a doubt that shows both."""
    (doubt,) = _shop(shown="59.00 €").doubts
    assert (doubt.field, doubt.said) == ("price", "49.00")
    assert doubt.seen is not None
    assert "59.00" in doubt.seen


def test_sold_out_for_machines_but_for_sale_is_a_doubt() -> None:
    """What can be put into the cart is not sold out."""
    (doubt,) = _shop(availability="OutOfStock").doubts
    assert (doubt.field, doubt.said, doubt.seen) == ("availability", "OutOfStock", "Add to cart")


def test_a_code_that_takes_the_place_of_the_one_said_is_a_doubt() -> None:
    """What is said is never replaced in silence: of two codes the one that is shown is taken, and both are told."""
    thing = _shop()
    page = SHOP.format(said=SAID.format(price="49.00", availability="InStock"), price="49.00 €")
    other = sl.about(sl.open(page.replace('"sku": "BL-1042"', '"sku": "lamp brass one"').encode(), static=True))
    assert thing.doubts == ()
    assert other["sku"] in ("BL-1042", "lamp brass one")
    assert [doubt.field for doubt in other.doubts] == (["sku"] if other["sku"] == "BL-1042" else [])


def test_hidden_text_is_not_seen() -> None:
    """A price that nobody sees does not count as seen."""
    html = SHOP.format(said=SAID.format(price="49.00", availability="InStock"), price="<span hidden>49.00 €</span>")
    thing = sl.about(sl.open(html.encode(), static=True), kind="product")
    assert thing.fields["price"][0].value.origin is None


def test_without_data_for_machines_values_are_found_by_their_looks() -> None:
    """Without data for machines values are found by how they look."""
    thing = sl.about(sl.open(SHOP.format(said="", price="49.00 €").encode(), static=True), kind="product")
    assert thing["price"] == Decimal("49.00")
    assert thing.fields["price"][0].said is None
    assert thing["sku"] == "BL-1042"


def test_a_wrong_check_digit_is_a_doubt() -> None:
    """A wrong check digit is told."""
    product = '{"@type": "Product", "name": "Brass lamp", "gtin13": "4006381333932"}'
    said = f'<script type="application/ld+json">{product}</script>'
    thing = sl.about(sl.open(SHOP.format(said=said, price="").encode(), static=True), kind="product")
    assert [doubt.field for doubt in thing.doubts] == ["gtin"]


def test_a_recipe_keeps_its_parts_in_order() -> None:
    """The steps of a recipe keep their order, below the names of sections; names of steps are left out."""
    said = """<script type="application/ld+json">{"@type": "Recipe", "name": "Bread", "totalTime": "PT1H30M",
    "recipeYield": ["4", "4 loaves"], "recipeIngredient": ["500 g flour", "1 tsp salt"], "author": "Ada",
    "datePublished": "2024-03-05", "recipeInstructions": [{"@type": "HowToSection", "name": "Dough",
    "itemListElement": [{"@type": "HowToStep", "text": "Mix."}, {"@type": "HowToStep", "text": "Knead."}]},
    {"@type": "HowToStep", "name": "Baking", "text": "Bake."}]}</script>"""
    thing = sl.about(sl.open(f"<title>Bread</title>{said}<h1>Bread</h1>".encode(), static=True), kind="recipe")
    assert thing["recipeInstructions"] == ["Dough", "Mix.", "Knead.", "Bake."]
    assert (thing["totalTime"], thing["recipeYield"], thing["datePublished"]) == ("PT1H30M", 4, date(2024, 3, 5))
    assert thing.to_json()["fields"]["author"] == ["Ada"]


def test_times_that_make_up_the_whole_are_added() -> None:
    """Where a recipe says two times and not the whole, the whole is their sum, and the path says so."""
    said = """<script type="application/ld+json">{"@type": "Recipe", "name": "Bread", "prepTime": "PT20M",
    "cookTime": "PT1H"}</script>"""
    thing = sl.about(sl.open(f"<title>Bread</title>{said}<h1>Bread</h1>".encode(), static=True), kind="recipe")
    assert thing["totalTime"] == "PT1H20M"
    assert thing.fields["totalTime"][0].said == "json-ld 1: prepTime + cookTime"


def test_a_page_of_many_things_says_so() -> None:
    """A page without a thing has none, and a page without any text as well."""
    assert sl.about(sl.open(b"<html><body></body></html>", static=True)).kind is None


def test_an_unknown_kind_is_rejected() -> None:
    """An unknown kind is rejected with the kinds there are."""
    with pytest.raises(UsageError, match="product"):
        AboutSettings(kind="lamp")


def test_every_step_is_told() -> None:
    """The trace tells the things said, the kinds and the candidates."""
    page = sl.open(
        SHOP.format(said=SAID.format(price="49.00", availability="InStock"), price="49.00 €").encode(), static=True
    )
    steps = {step.name: step.rows for step in trace_about(page).steps()}
    assert steps["said"][0]["kind"] == "product"
    assert {row["field"] for row in steps["candidates"]} >= {"name", "price", "sku"}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_can_be_asked_for(kind: str) -> None:
    """Every kind can be asked for on a page that says nothing of it."""
    thing = sl.about(sl.open(SHOP.format(said="", price="").encode(), static=True), kind=kind)
    assert thing.kind == kind
