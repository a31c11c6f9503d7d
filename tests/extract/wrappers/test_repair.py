"""Repair after a redesign: what is found again, what is missing, and what is never taken instead."""

import json

import pytest

import sightline as sl
from sightline.errors import UsageError
from sightline.extract.schemas import InduceSettings
from sightline.extract.wrappers import Lesson, Patterns, Proposal
from sightline.page import Page

from .._templates import FOOT, learned, listed, opened, product, sentence, table


def _page(body: str) -> Page:
    return opened(body)[0]


CAMERAS = (("EOS 5D", "$500", "950 g"), ("D850", "$700", "900 g"), ("K-1", "$620", "925 g"))


def old(name: str, price: str, weight: str) -> str:
    """A page of the shop as it was."""
    return (
        f"<div class=top><a href=/>Home</a></div><div class=detail><h1 class=name>{name}</h1>"
        f"<p><b>Price:</b> <span class=price>{price}</span></p><p><b>Weight:</b> <span class=weight>{weight}</span></p>"
        "<p>Free returns within a month</p></div>"
    )


def new(name: str, price: str | None, weight: str, labels: tuple[str, str] = ("Price", "Weight")) -> str:
    """The same shop built anew: other tags, other classes, a table instead of paragraphs."""
    rows = [(label, value) for label, value in zip(labels, (price, weight), strict=True) if value is not None]
    told = "".join(f"<tr class=r><th class=k>{label}</th><td class=v>{value}</td></tr>" for label, value in rows)
    return (
        f"<nav><ul><li>Home</li></ul></nav><article class=sheet><h2 class=headline>{name}</h2>"
        f"<table class=facts>{told}</table><p>Free returns within a month</p></article>"
    )


OTHERS = ("Amount", "Mass")  # labels that nobody has seen before


@pytest.fixture(scope="module")
def shop() -> sl.Wrapper:
    """A wrapper taught on the pages as they were."""
    lesson = Lesson()
    for name, price, weight in CAMERAS:
        lesson.on(_page(old(name, price, weight))).want("name", name).want("price", price).want("weight", weight)
    return sl.Wrapper.loads(lesson.wrapper.dumps())


def _statuses(proposal: Proposal) -> dict[str, str]:
    return {own.name: own.status for own in proposal.changes}


def _read(wrapper: sl.Wrapper, body: str) -> dict[str, object]:
    (record,) = wrapper.read(_page(body)).records.to_dicts()
    return record


# ------------------------------------------------------------------ nothing to do


def test_nothing_changes_where_all_is_well(shop: sl.Wrapper) -> None:
    """The wrapper itself is proposed."""
    proposal = shop.repair([_page(old(*own)) for own in CAMERAS])
    assert not proposal.is_needed
    assert proposal.wrapper is shop
    assert set(_statuses(proposal).values()) == {"kept"}
    assert proposal.confidence == 1
    assert proposal.missing == []


def test_the_wrapper_itself_is_never_changed(shop: sl.Wrapper) -> None:
    """A repair is a proposal."""
    before = shop.dumps()
    proposal = shop.repair([_page(new(*own)) for own in CAMERAS])
    assert proposal.is_needed
    assert shop.dumps() == before
    assert proposal.wrapper is not shop


@pytest.mark.parametrize("pages", [[], ["https://example.org"]])
def test_a_repair_needs_pages(shop: sl.Wrapper, pages: list[Page]) -> None:
    """Anything else is refused."""
    with pytest.raises(UsageError, match="page"):
        shop.repair(pages)


# ------------------------------------------------------------------ found again


@pytest.mark.parametrize("labels", [("Price", "Weight"), OTHERS], ids=["the same labels", "other labels"])
def test_the_same_values_are_found_again(shop: sl.Wrapper, labels: tuple[str, str]) -> None:
    """A redesign with other tags and classes is learned by the values that are remembered."""
    proposal = shop.repair([_page(new(*own, labels)) for own in CAMERAS])
    assert proposal.missing == []
    for name, price, weight in (*CAMERAS, ("Z 9", "$801", "1,160 g")):
        found = _read(proposal.wrapper, new(name, price, weight, labels))
        assert found == {"name": name, "price": price, "weight": weight}
    assert proposal.wrapper.fields == shop.fields


def test_the_repaired_wrapper_is_well(shop: sl.Wrapper) -> None:
    """It was sure of all fields, and reads the new pages without a doubt; repairing it again changes nothing."""
    pages = [_page(new(*own, OTHERS)) for own in CAMERAS]
    proposal = shop.repair(pages)
    assert set(_statuses(proposal).values()) == {"found again"}
    assert [own.verdict for own in proposal.wrapper.checked] == ["ok"] * 3
    assert not proposal.wrapper.repair(pages).is_needed


def test_other_values_are_found_by_what_stands_around_them(shop: sl.Wrapper) -> None:
    """Labels, names and types lead to values that nobody has seen; a price is never taken for a weight."""
    cameras = (("X-T5", "$555", "557 g"), ("GR III", "$444", "257 g"))
    proposal = shop.repair([_page(new(*own)) for own in cameras])
    for name, price, weight in cameras:
        found = _read(proposal.wrapper, new(name, price, weight))
        assert found["price"] == price
        assert found["weight"] == weight
        assert found.get("name") in (name, None)
    assert all(own.why for own in proposal.changes)


def test_a_class_that_is_called_as_the_field_leads_to_it(shop: sl.Wrapper) -> None:
    """Where the label is gone, a telling class is left; if it is not enough, the field is missing."""
    bodies = [
        f"<article><h2>{name}</h2><div class=item-price>{price}</div><div class=item-weight>{weight}</div></article>"
        for name, price, weight in (("X-T5", "$555", "557 g"), ("GR III", "$444", "257 g"))
    ]
    found = _read(shop.repair([_page(own) for own in bodies]).wrapper, bodies[0])
    assert found["price"] in ("$555", None)
    assert found["weight"] in ("557 g", None)
    assert found["name"] in ("X-T5", None)


def test_a_single_field_is_repaired_and_the_others_are_kept(shop: sl.Wrapper) -> None:
    """Only what no longer finds anything changes."""
    bodies = [old(*own).replace("<b>Price:</b> <span class=price>", "<i>Price</i> <em class=cost>") for own in CAMERAS]
    bodies = [own.replace("</span></p><p><b>Weight", "</em></p><p><b>Weight") for own in bodies]
    proposal = shop.repair([_page(own) for own in bodies])
    statuses = _statuses(proposal)
    assert statuses["name"] == statuses["weight"] == "kept"
    assert _read(proposal.wrapper, bodies[0]) == dict(zip(("name", "price", "weight"), CAMERAS[0], strict=True))


# ------------------------------------------------------------------ never the wrong thing

SHIPPING = {
    "a label": "<tr class=r><th class=k>Shipping</th><td class=v>$9</td></tr>",
    "the old class": "<tr class=r><th class=k>Shipping</th><td class=price>$9</td></tr>",
    "old tags and class": "<tr><td><p><b>Shipping:</b> <span class=price>$9</span></p></td></tr>",
    "the same size": "<tr class=r><th class=k>Shipping</th><td class=v>$510</td></tr>",
    "no label": "<tr class=r><td colspan=2 class=v>plus $9 shipping</td></tr>",
    "label in words": "<tr class=r><th class=k>Shipping costs</th><td class=v><b>$9</b></td></tr>",
    "a class called so": "<tr class=r><th class=k>Shipping</th><td class=shipping-price>$9</td></tr>",
    "a label called so": "<tr class=r><th class=k>Shipping price</th><td class=v>$9</td></tr>",
    "a mark called so": "<tr class=r><th class=k>Shipping</th><td class=v itemprop=price>$9</td></tr>",
    "a remembered number": "<tr class=r><th class=k>Deposit</th><td class=v>$500</td></tr>",
    "deposit": "<tr class=r><th class=k>Deposit</th><td class=v>$150</td></tr>",
}


@pytest.mark.slow
@pytest.mark.parametrize("beside", SHIPPING)
@pytest.mark.parametrize("known", [True, False], ids=["known cameras", "other cameras"])
def test_a_missing_price_is_never_a_fee_beside_it(shop: sl.Wrapper, beside: str, known: bool) -> None:
    """A price that is gone is reported as missing, whatever else of its kind or class stands there."""
    cameras = CAMERAS if known else (("X-T5", "", "557 g"), ("GR III", "", "257 g"), ("Z 9", "", "801 g"))
    bodies = [
        new(name, None, weight).replace("<table class=facts>", f"<table class=facts>{SHIPPING[beside]}")
        for name, _, weight in cameras
    ]
    proposal = shop.repair([_page(own) for own in bodies])
    assert "price" in proposal.missing
    assert [_read(proposal.wrapper, body).get("price") for body in bodies] == [None] * 3


@pytest.mark.parametrize("beside", ["a label", "the old class", "deposit"])
def test_a_fee_in_the_place_of_the_price_is_never_the_price(shop: sl.Wrapper, beside: str) -> None:
    """Also where the pages are built as ever, and only the price is gone from them."""
    fee = {
        "a label": "<p><b>Shipping:</b> <span class=fee>$9</span></p>",
        "the old class": "<p><b>Shipping:</b> <span class=price>$9</span></p>",
        "deposit": "<p><b>Deposit:</b> <span class=price>$500</span></p>",
    }[beside]
    bodies = [old(*own).replace(f"<p><b>Price:</b> <span class=price>{own[1]}</span></p>", fee) for own in CAMERAS]
    assert all(fee in own for own in bodies)
    proposal = shop.repair([_page(own) for own in bodies])
    for body in bodies:
        found = proposal.wrapper.read(_page(body))
        (record,) = found.records.to_dicts()
        assert record.get("price") is None or found.verdict != "ok"


def test_the_price_and_not_the_fee_is_found(shop: sl.Wrapper) -> None:
    """With both on the page the label decides."""
    cameras = (("X-T5", "$555", "557 g"), ("GR III", "$444", "257 g"))
    bodies = [new(*own).replace("<table class=facts>", f"<table class=facts>{SHIPPING['a label']}") for own in cameras]
    proposal = shop.repair([_page(own) for own in bodies])
    assert [_read(proposal.wrapper, body)["price"] for body in bodies] == ["$555", "$444"]


def test_what_is_missing_is_told_by_the_proposed_wrapper(shop: sl.Wrapper) -> None:
    """Nobody who takes the proposal gets records without a price and without a word."""
    bodies = [new(name, None, weight) for name, _, weight in CAMERAS]
    proposal = shop.repair([_page(own) for own in bodies])
    assert proposal.missing == ["price"]
    found = proposal.wrapper.read(_page(bodies[0]))
    assert found.verdict == "suspicious"
    assert any("price" in own.what for own in found.problems)


def test_another_page_altogether_gives_nothing(shop: sl.Wrapper) -> None:
    """All fields are missing, and the confidence is none."""
    proposal = shop.repair([_page("<p>We have moved.</p><p>Please call us</p>")])
    assert proposal.missing == ["name", "price", "weight"]
    assert proposal.confidence == 0


def test_what_is_unsure_is_marked(shop: sl.Wrapper) -> None:
    """Low confidence is told in the proposal, and by the proposed wrapper on every page."""
    cameras = (("X-T5", "$555", "557 g"),)
    proposal = shop.repair([_page(new(*own)) for own in cameras])
    unsure = [own for own in proposal.changes if own.status == "unsure"]
    assert all(0 < own.confidence < 0.75 for own in unsure)
    assert unsure or proposal.missing
    assert proposal.wrapper.read(_page(new(*cameras[0]))).verdict == "suspicious"


def test_what_is_unsure_is_told_until_somebody_confirms_it(shop: sl.Wrapper) -> None:
    """The mark is in the file of the wrapper, and taking it out is the confirmation."""
    document = shop.to_json()
    price = next(own for own in document["patterns"] if own["name"] == "price")
    price["unsure"] = True
    found = sl.Wrapper.from_json(document).read(_page(old(*CAMERAS[0])))
    assert found.verdict == "suspicious"
    assert [own.what for own in found.problems if "price" in own.what and "confirmed" in own.what]
    del price["unsure"]
    assert sl.Wrapper.from_json(document).read(_page(old(*CAMERAS[0]))).verdict == "ok"


# ------------------------------------------------------------------ records


def test_records_are_found_again() -> None:
    """A list that was built anew is found by records that are remembered."""
    items = [(f"Cam {own}", f"${own}25") for own in range(1, 7)]
    before = listed(*(f"<b class=name>{name}</b><i class=price>{price}</i>" for name, price in items))
    after = table([(f"<em>{name}</em>", price) for name, price in (*items[2:], ("Cam 9", "$925"), ("Cam 10", "$975"))])
    shown = [{"name": name, "price": price} for name, price in items[:3]]
    wrapper = Lesson().show(_page(before), records=shown).wrapper
    proposal = wrapper.repair([_page(after)])
    found = proposal.wrapper.read(_page(after)).records.to_dicts()
    assert found == [
        {"name": name, "price": price} for name, price in (*items[2:], ("Cam 9", "$925"), ("Cam 10", "$975"))
    ]
    assert proposal.wrapper.fields == wrapper.fields


def test_records_of_which_one_is_remembered_are_unsure() -> None:
    """One record may stand there by chance, so people confirm it; until then every page is suspicious."""
    items = [(f"Cam {own}", f"${own}25") for own in range(1, 7)]
    others = [(f"Lens {own}", f"${own}75") for own in range(1, 6)]
    before = listed(*(f"<b class=name>{name}</b><i class=price>{price}</i>" for name, price in items))
    after = table([(f"<em>{name}</em>", price) for name, price in (items[0], *others)])
    shown = [{"name": name, "price": price} for name, price in items[:3]]
    proposal = Lesson().show(_page(before), records=shown).wrapper.repair([_page(after)])
    (change,) = proposal.changes
    assert change.status == "unsure"
    assert 0 < change.confidence < 0.75
    found = proposal.wrapper.read(_page(after))
    assert len(found.records) == 6
    assert found.verdict == "suspicious"
    assert any("confirmed" in own.what for own in found.problems)


def test_records_that_nobody_remembers_are_missing() -> None:
    """Another list is not taken for the old one."""
    items = [(f"Cam {own}", f"${own}25") for own in range(1, 7)]
    before = listed(*(f"<b class=name>{name}</b><i class=price>{price}</i>" for name, price in items))
    after = table([(f"Lens {own}", f"{own} mm") for own in range(1, 7)])
    shown = [{"name": name, "price": price} for name, price in items[:3]]
    proposal = Lesson().show(_page(before), records=shown).wrapper.repair([_page(after)])
    assert proposal.missing == ["items"]


# ------------------------------------------------------------------ wrappers learned from pages alone


def test_an_induced_wrapper_keeps_its_names() -> None:
    """It is learned anew, and the fields are called as people had called them."""
    wrapper = learned(map(product, range(1, 7))).rename("title", "name").rename("Price", "cost")
    bodies = [
        f"<div class=new><nav>Start</nav><h2>Camera {own}</h2>"
        f"<dl><dt>Amount</dt><dd>{own}9 €</dd><dt>Mass</dt><dd>{own}50 g</dd></dl>"
        "<small>Thank you for your visit</small></div>"
        for own in range(1, 7)
    ]
    proposal = wrapper.repair([_page(own) for own in bodies])
    assert proposal.missing == []
    assert {"name", "cost"} <= set(proposal.wrapper.fields)
    found = _read(proposal.wrapper, bodies[2])
    assert found["name"] == "Camera 3"
    assert found["cost"] == "39 €"


def test_an_induced_wrapper_that_is_well_is_kept() -> None:
    """Pages of its own template need no repair."""
    wrapper = learned(map(product, range(1, 6)))
    proposal = wrapper.repair([_page(product(own)) for own in range(6, 8)])
    assert not proposal.is_needed
    assert proposal.wrapper is wrapper


# ------------------------------------------------------------------ what is told


def test_a_diff_tells_field_by_field(shop: sl.Wrapper) -> None:
    """Rules and values before and after, for people."""
    diff = shop.repair([_page(new(*own, OTHERS)) for own in CAMERAS]).diff()
    for name in ("name", "price", "weight"):
        assert f"{name}: found again" in diff
    assert "  - price:" in diff
    assert "  + price:" in diff
    assert "before: $500" in diff
    assert "now:    $500" in diff


def test_a_diff_tells_what_is_missing(shop: sl.Wrapper) -> None:
    """There is a rule before and none after."""
    diff = shop.repair([_page(new(name, None, weight)) for name, _, weight in CAMERAS]).diff()
    assert "price: missing" in diff
    assert "  - price:" in diff
    assert "  + price:" not in diff


def test_a_proposal_is_json(shop: sl.Wrapper) -> None:
    """The proposed wrapper in it is a wrapper."""
    proposal = shop.repair([_page(new(*own)) for own in CAMERAS])
    document = json.loads(json.dumps(proposal.to_json()))
    assert [own["field"] for own in document["changes"]] == ["name", "price", "weight"]
    assert document["confidence"] == proposal.confidence
    again = sl.Wrapper.from_json(document["wrapper"])
    assert isinstance(again.rules, Patterns)
    assert _read(again, new(*CAMERAS[0])) == _read(proposal.wrapper, new(*CAMERAS[0]))


def test_what_was_wanted_is_found_where_it_would_be_set_aside() -> None:
    """A field that stands in a footer after a redesign is restored, under its old name, and no name comes twice."""
    trees = ("Alder", "Birch", "Cedar", "Damson", "Elm", "Fir")
    old = [
        f"<h1>{name}</h1><p>Height: {n}3 m</p><div><b>Grows in {name} county</b></div>{FOOT}"
        for n, name in enumerate(trees)
    ]
    new = [
        f"<article><h2>The {name} tree</h2><dl><dt>Size</dt><dd>{n}3 m</dd></dl></article>"
        f"<footer><i>Served by machine {n}</i><em>Grows in {name} county</em></footer><p>{sentence(1)}</p>"
        for n, name in enumerate(trees)
    ]
    wrapper = learned(old, InduceSettings(all_fields=True))
    assert "text 1" in wrapper.fields
    proposal = wrapper.repair(opened(*new))
    (record,) = proposal.wrapper.read(opened(new[2])[0]).records.to_dicts()
    assert record["text 1"] == "Grows in Cedar county"
