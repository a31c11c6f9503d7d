"""What is said, held and seen of a field is weighed, and each value counts once."""

import sightline as sl
from sightline.extract.about._candidates import candidates_of
from sightline.extract.about._kinds import KINDS
from sightline.extract.about._model import FieldLikelihoods
from sightline.extract.about._options import OPTION_MEASURES, ValueOptions
from sightline.extract.about._said import said_values, thing_of_kind, things_said
from sightline.extract.about._state_values import state_values

SHOP = """<html><head><title>Lamp | Mira</title><meta property="og:title" content="Lamp - Mira lamps and more">
<script type="application/ld+json">{"@type": "Product", "sku": "$sku", "offers": {"price": "49.00"}}</script>
<script>window.item = {"price": 49}</script></head>
<body><h1>Lamp</h1><p class=price><del>59.00 €</del> <b>49,00 €</b></p></body></html>"""


def _options(name: str) -> ValueOptions:
    page = sl.open(SHOP.encode(), static=True, url="https://mira.example/p/lamp-1042877")
    found, product = candidates_of(page), KINDS["product"]
    field = next(one for one in product.fields if one.name == name)
    said = said_values(page, thing_of_kind(things_said(page), product), field)
    likely = FieldLikelihoods(found)[name]
    return ValueOptions(page, field, found, likely, said, state_values(page).get(name, []))


def test_a_value_counts_once_wherever_it_is_said_held_and_seen() -> None:
    """An amount that is said, held by a program and seen in another spelling is one option."""
    options = _options("price")
    (own,) = [one for one in options.all if one.said]
    assert (len(own.said), len(own.held), len(own.seen) > 0) == (1, 1, True)
    row = dict(zip(OPTION_MEASURES, options.measures()[options.all.index(own)].tolist(), strict=True))
    assert (row["json-ld"], row["states"] > 0, row["sources"], row["higher beside"]) == (1, True, 3, 1)


def test_what_a_template_left_unfilled_is_not_said() -> None:
    """A placeholder is no code; the one in the address is an option."""
    assert [one.text for one in _options("sku").all if one.said] == []
    assert "1042877" in [one.text for one in _options("sku").all]


def test_the_heading_is_the_name_and_not_the_title_for_shares() -> None:
    """A heading that begins the title which a page gives to social networks is the name."""
    page = sl.open(SHOP.encode(), static=True, url="https://mira.example/p/lamp-1042877")
    assert sl.about(page, kind="product")["name"] == "Lamp"
