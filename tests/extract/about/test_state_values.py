"""What the programs of a page hold of its product."""

import json

from hypothesis import given
from hypothesis import strategies as st

import sightline as sl
from sightline.extract.about._state_values import MOST_ALIKE, state_values

KEYS = st.sampled_from(("price", "sku", "brand", "product", "items", "now", "old", "id", "x"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def _page(state: object, body: str = "") -> sl.Page:
    script = f"<script>window.page = {json.dumps(state)};</script>"
    html = f"<html><head><title>Bed</title></head><body>{body}{script}</body></html>"
    return sl.open(html.encode(), static=True, url="https://beds.example/bed?pid=M67296549")


def test_values_stand_under_keys_that_mean_the_field() -> None:
    """A price, a code and a brand are found under whatever name a shop has for them."""
    found = state_values(_page({"product": {"salesPrice": 49.9, "articleNumber": "A-1", "brand": {"name": "Mira"}}}))
    assert {name: [one.text for one in own] for name, own in found.items()} == {
        "price": ["49.9"],
        "sku": ["A-1"],
        "brand": ["Mira"],
    }
    assert found["brand"][0].path == ("product", "brand", "name")


def test_the_goods_of_a_whole_list_are_none_of_the_product() -> None:
    """What stands in one place of a long list with other values is of other goods."""
    found = state_values(_page({"items": [{"price": number} for number in range(MOST_ALIKE + 2)]}))
    assert found["price"] == []


def test_a_code_that_only_a_program_holds_is_found() -> None:
    """Where a page neither shows nor says its code, that of its program and address is taken, and the path says so."""
    page = _page({"product": {"pid": "M67296549"}}, "<h1>Bed</h1><p>49.00 €</p><button>Add to cart</button>")
    thing = sl.about(page, kind="product")
    assert thing["sku"] == "M67296549"
    assert thing.fields["sku"][0].value.origin is None
    assert thing.fields["sku"][0].said == "state window.page: product.pid"


@given(state=JSON)
def test_any_state_can_be_read(state: object) -> None:
    """Any state can be read, and each value that is told stands at its path."""
    page = _page({"product": state})
    for own in state_values(page).values():
        for one in own:
            held = page.own_data.documents[one.document].data
            for step in one.path:
                held = held[step]
            assert str(held).strip() == one.text
