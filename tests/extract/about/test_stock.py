"""Whether a product can be had, by what is seen."""

import pytest

import sightline as sl

SHOP = (
    "<html><head><title>Lamp</title></head><body><h1>Lamp</h1><p class=price>49.00 €</p>"
    "{}<p>Of brass.</p></body></html>"
)


def _availability(shown: str) -> str | None:
    thing = sl.about(sl.open(SHOP.format(shown).encode(), static=True), kind="product")
    return None if thing["availability"] is None else str(thing["availability"])


@pytest.mark.parametrize(
    "shown",
    [
        "<button>In den Warenkorb</button>",
        "<form action=/cart/add><input type=submit value='＋'></form>",
        "<a class=add-to-basket href=#></a>",
    ],
)
def test_what_can_be_put_into_a_cart_can_be_had(shown: str) -> None:
    """Words and the names of buttons and forms tell that a product can be had, in any language."""
    assert _availability(shown) == "InStock"


def test_what_is_sold_out_cannot_be_had() -> None:
    """The words beside the price tell that a product cannot be had."""
    assert _availability("<p class=out-of-stock>Sold out</p><p>Notify me when it is back.</p>") == "OutOfStock"
