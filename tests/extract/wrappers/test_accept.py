"""Accepting a repair field by field: named fields get the new rules, all others keep those that they had."""

import pytest

from sightline.errors import UsageError
from sightline.extract.wrappers import Lesson, Proposal, Wrapper, induce
from sightline.page import Page
from sightline.testing import shop_pages

from .._templates import opened

NAMES = ("Arden R5", "Lumora Z7", "Kestrel X", "Norda Q4")


def _page(body: str) -> Page:
    return opened(body)[0]


def _cards(card: str, price: str, note: str) -> str:
    items = "".join(
        f"<div class={card}><h3>{name}</h3><b class={price}>${n}99</b><i class={note}>{n} in stock</i></div>"
        for n, name in enumerate(NAMES, 1)
    )
    return f"<div class=grid>{items}</div>"


@pytest.fixture(scope="module")
def repaired() -> tuple[Wrapper, Proposal, Page]:
    """A list whose every class has changed."""
    old = _page(_cards("card", "price", "stock"))
    wrapper = Lesson(old).want("name", NAMES[0]).want("price", "$199").want("stock", "1 in stock").wrapper
    new = _page(f"<main>{_cards('tile', 'amount', 'state')}</main>")
    return wrapper, wrapper.repair([new]), new


def test_all_fields_accepted_is_the_proposal(repaired: tuple[Wrapper, Proposal, Page]) -> None:
    """With nothing left of the old rules."""
    _, proposal, new = repaired
    taken = proposal.accept("items", pages=[new])
    assert taken.words() == proposal.wrapper.words()
    assert taken.extract(new).to_dicts() == proposal.wrapper.extract(new).to_dicts()
    assert [page.verdict for page in taken.checked] == ["ok"]


def test_nothing_accepted_is_the_wrapper_as_it_was(repaired: tuple[Wrapper, Proposal, Page]) -> None:
    """Nor does looking at a proposal change anything."""
    wrapper, proposal, _ = repaired
    assert proposal.accept() is wrapper


def test_one_field_of_records_is_accepted_alone(repaired: tuple[Wrapper, Proposal, Page]) -> None:
    """It and the records are found by the new rules; the others still look where they looked."""
    wrapper, proposal, new = repaired
    taken = proposal.accept("items.price")
    by_name = {field.name: field for field in taken.rules.patterns[0].fields}
    before = {field.name: field for field in wrapper.rules.patterns[0].fields}
    assert by_name["stock"] == before["stock"]
    assert by_name["price"].rules != before["price"].rules
    assert [record.text("price") for record in taken.read(new).records] == ["$199", "$299", "$399", "$499"]
    assert all(record.text("stock") is None for record in taken.read(new).records)
    assert Wrapper.loads(taken.dumps()).words() == taken.words()


def test_a_proposal_is_told_field_by_field(repaired: tuple[Wrapper, Proposal, Page]) -> None:
    """Each with its rule before and after, and with values that have a place on the page."""
    _, proposal, new = repaired
    details = {change.name: change for change in proposal.details}
    assert list(details) == ["items", "items.name", "items.price", "items.stock"]
    assert details["items.price"].status == "found again"
    assert details["items.price"].new[:2] == ("$199", "$299")
    assert details["items.name"].status == "kept"
    origin = proposal.evidence["items.price"][0].origin
    assert origin is not None
    assert origin.page == new.id
    assert new.node(origin.nodes[0]).text == "$199"


def test_fields_of_a_page_about_one_thing_are_accepted_one_by_one() -> None:
    """The field that is not accepted keeps its rule, which finds nothing here."""
    old = _page("<h1 class=t>Arden R5</h1><p class=price>$4,299</p><p>Weight: <b class=w>738 g</b></p>")
    new = _page("<h2 class=head>Arden R5</h2><div class=price-now>$4,299</div><p>Weight: <em>738 g</em></p>")
    wrapper = Lesson(old).want("name", "Arden R5").want("price", "$4,299").wrapper
    proposal = wrapper.repair([new])
    changed = [change.name for change in proposal.changes if change.status in ("found again", "unsure")]
    assert changed
    taken = proposal.accept(changed[0])
    for pattern, before, after in zip(
        taken.rules.patterns, wrapper.rules.patterns, proposal.wrapper.rules.patterns, strict=True
    ):
        assert pattern == (after if pattern.name == changed[0] else before)


def test_an_unknown_field_is_an_error(repaired: tuple[Wrapper, Proposal, Page]) -> None:
    """It names those that there are."""
    with pytest.raises(UsageError, match=r"items\.price"):
        repaired[1].accept("weight")


def test_a_part_of_new_templates_stands_beside_the_old_ones() -> None:
    """Pages of before are read as they were, those of now give what was accepted."""
    before = shop_pages(6)
    wrapper = induce(before)
    after = [_redesigned(n) for n in range(6)]
    proposal = wrapper.repair(after)
    assert proposal.is_needed
    found = [change.name for change in proposal.changes if change.status != "missing"]
    taken = proposal.accept("Price")
    assert taken.extract(before[1]).to_dicts() == wrapper.extract(before[1]).to_dicts()
    assert taken.extract(after[1]).to_dicts() == [{"Price": "101 €"}]
    assert proposal.accept(*found).extract(after[1]).to_dicts() == proposal.wrapper.extract(after[1]).to_dicts()


def _redesigned(number: int) -> Page:
    rows = [f"<section><em>Price</em><strong>{100 + number} €</strong></section>"]
    rows += [f"<section><em>Weight</em><strong>{500 + 10 * number} g</strong></section>"]
    return _page(f"<header>Shop of all things</header><h2>Camera {number}</h2><aside>{''.join(rows)}</aside>")
