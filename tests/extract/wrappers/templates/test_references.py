"""Where records lead and what pages and records show are fields of induced wrappers, if they differ."""

from collections.abc import Iterator
from typing import Any

import pytest

import sightline as sl
from sightline.data import Value
from sightline.errors import UsageError

from ..._templates import FOOT, learned, listed, opened

NAMES = ("Alder", "Birch", "Cedar", "Damson", "Elm", "Fir", "Gorse", "Hazel")
CARD = "<a href=tree/{n}><img src=t{n}.jpg><b>{} {n}</b></a><i>{n} €</i>"
SHOP = "https://shop.example/trees/"


def page(number: int, *, head: str = "", card: str = "", photo: str = "", count: int = 4) -> str:
    """A page about a tree, with cards of related trees; `{}` is the name and `{n}` the number of each."""

    def filled(part: str, own: int) -> str:
        return part.replace("{n}", str(own)).replace("{}", NAMES[own % len(NAMES)])

    cards = listed(*(filled(card, 10 * number + place) for place in range(count))) if card else ""
    price = f"<p>Price: {number}9 €</p>"
    base = f"<base href={SHOP}><title>{NAMES[number]} Tree | Shop</title>"
    top = f"{base}{filled(head, number)}<h1>{NAMES[number]}</h1>{filled(photo, number)}{price}"
    return f"{top}<h2>Seeds</h2>{cards}{FOOT}"


def first_record(number: int = 6, **parts: Any) -> dict[str, Any]:
    """What a wrapper of such pages reads on a page that it was not learned from."""
    wrapper = learned([page(one, **parts) for one in range(5)])
    found = wrapper.read(opened(page(number, **parts))[0])
    return next(iter(found.records.to_dicts()))


@pytest.fixture(name="shop")
def _shop() -> Iterator[sl.Wrapper]:
    """A wrapper of pages with cards that have a link and a picture."""
    yield learned(
        [page(number, card=CARD, photo="<img class=photo width=300 height=200 src=p{n}.jpg>") for number in range(5)]
    )


def test_records_have_the_link_of_their_title() -> None:
    """Its address is whole, and other links of the record are not it."""
    card = "<a href=/author/7>Ada</a><h3><a href=tree/{n}>{} {n}</a></h3><a href=/basket>Buy</a><p>{n} €</p>"
    items = next(value for value in first_record(card=card).values() if isinstance(value, list))
    assert [item["link"] for item in items] == [f"{SHOP}tree/{60 + place}" for place in range(4)]


def test_a_link_around_the_whole_record_counts() -> None:
    """Cards are often one large link."""
    items = next(
        value
        for value in first_record(card="<a href=tree/{n}><h3>{} {n}</h3><p>{n} €</p></a>").values()
        if isinstance(value, list)
    )
    assert items[0]["link"] == f"{SHOP}tree/60"


@pytest.mark.parametrize(
    "card",
    [
        "<a href=/basket><h3>{} {n}</h3></a><p>{n} €</p>",
        "<a href=#top><h3>{} {n}</h3></a><p>{n} €</p>",
        "<a href='javascript:show({n})'><h3>{} {n}</h3></a><p>{n} €</p>",
        "<h3>{} {n}</h3><p>{n} €</p><a href=/basket?add={n}>Add to basket</a>",
    ],
)
def test_links_that_lead_nowhere_of_their_own_are_no_field(card: str) -> None:
    """One address for all records, jumps and scripts are no data; nor are buttons that say the same everywhere."""
    items = next(value for value in first_record(card=card).values() if isinstance(value, list))
    assert "link" not in items[0]


def test_records_have_their_own_picture() -> None:
    """A star that all records have before it is not it; a picture that loads later is."""
    card = "<img class=star src=/star.png><img class=t{n} data-src=t{n}.jpg src=/wait.gif><b>{} {n}</b><i>{n} €</i>"
    items = next(value for value in first_record(card=card).values() if isinstance(value, list))
    assert [item["image"] for item in items] == [f"{SHOP}t{60 + place}.jpg" for place in range(4)]


def test_a_record_without_picture_or_link_has_none() -> None:
    """Nothing is taken from its neighbours."""
    wrapper = learned([page(number, card=CARD) for number in range(5)])
    body = page(6, card=CARD).replace("<a href=tree/61><img src=t61.jpg><b>Fir 61</b></a>", "<a><b>Fir 61</b></a>")
    items = next(
        value for value in wrapper.read(opened(body)[0]).records.to_dicts()[0].values() if isinstance(value, list)
    )
    assert [item.get("link") for item in items][:2] == [f"{SHOP}tree/60", None]
    assert [item.get("image") for item in items][:2] == [f"{SHOP}t60.jpg", None]


@pytest.mark.parametrize(
    ("parts", "address"),
    [
        ({"head": "<meta property=og:image content=/og{n}.jpg>"}, "https://shop.example/og6.jpg"),
        ({"photo": "<div><img class=photo width=300 height=200 src=p{n}.jpg></div>"}, f"{SHOP}p6.jpg"),
        ({"photo": "<img src=/logo.png width=400 height=200><p><img alt='{} Tree' src=p{n}.jpg></p>"}, f"{SHOP}p6.jpg"),
    ],
)
def test_pages_have_the_picture_of_what_they_show(parts: dict[str, str], address: str) -> None:
    """It is what the page says it is, or else a large one, or one called like the page, that differs."""
    assert first_record(photo=parts.pop("photo", "<p>{} {n}</p>"), **parts)["image"] == address


@pytest.mark.parametrize(
    "photo",
    [
        "<img src=/logo.png width=400 height=200>",
        "<img src=/flag{n}.png width=20 height=20>",
        "<img src=/maker{n}.png alt={}>",
    ],
)
def test_logos_and_icons_are_no_picture_of_a_page(photo: str) -> None:
    """What never differs, is small, or is not known to be large is none."""
    assert "image" not in first_record(photo=photo + "<p>{n} m</p>")


def test_addresses_are_fields_like_others(shop: sl.Wrapper) -> None:
    """They are in the schema, can be renamed, dropped and restored, and survive the file."""
    name = next(field for field in shop.fields if field.endswith(".link"))
    holder = name.rpartition(".")[0]
    assert {f"{holder}.image", "image"} <= set(shop.fields)
    renamed = shop.rename(name, "address")
    assert f"{holder}.address" in renamed.fields and name not in renamed.fields
    assert name not in shop.drop(name).fields
    assert shop.drop(name).restore(name).dumps() == shop.dumps()
    assert "image" not in shop.drop("image").fields
    again = sl.Wrapper.loads(shop.dumps())
    one = opened(page(7, card=CARD))[0]
    assert again.dumps() == shop.dumps()
    assert again.read(one).records.to_dicts() == shop.read(one).records.to_dicts()


def test_an_address_and_a_text_cannot_be_merged(shop: sl.Wrapper) -> None:
    """They are different things, whatever they are called."""
    name = next(field for field in shop.fields if field.endswith(".link"))
    text = next(field for field in shop.fields if field.startswith(name.rpartition(".")[0] + ".") and field != name)
    with pytest.raises(UsageError, match="stands for both a value and an address"):
        shop.merge(text, name)


def test_the_origin_of_an_address_is_its_element(shop: sl.Wrapper) -> None:
    """A link is an `a`, a picture an `img`."""
    one = opened(page(7, photo="<img class=photo width=300 height=200 src=p{n}.jpg>"))[0]
    value = shop.read(one).records[0]["image"]
    assert isinstance(value, Value)
    assert value.origin is not None
    assert one.xpath(value.origin.nodes[0]).endswith("/img[1]")


def test_a_set_that_becomes_one_of_values_has_no_links(shop: sl.Wrapper) -> None:
    """Values have no fields, so where they lead is left out and nothing else changes."""
    holder = next(field for field in shop.fields if field.endswith(".link")).rpartition(".")[0]
    texts = [field for field in shop.fields if field.startswith(f"{holder}.") and not field.endswith(("link", "image"))]
    plain = shop.merge(*texts, into=holder)
    found = plain.read(opened(page(7, card=CARD))[0]).records.to_dicts()[0]
    assert found[holder][:2] == ["Gorse 70", "70 €"]
    assert "link" not in found
    assert not any(name.startswith(f"{holder}.") for name in plain.fields)
