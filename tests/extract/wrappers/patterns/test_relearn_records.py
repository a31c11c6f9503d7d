"""Records of a list that was made anew are found again by their values, in other elements and another order."""

from collections.abc import Callable

import pytest

import sightline as sl
from sightline.extract.wrappers import Proposal
from sightline.page import Page

from ..._templates import opened

LAMPS = (
    ("Brass table lamp", "£12.50", "in stock"),
    ("Oak floor lamp", "£80.00", "sold out"),
    ("Small reading light", "£9.75", "in stock"),
    ("Paper lantern, white", "£4.20", "in stock"),
    ("Desk lamp with clamp", "£31.00", "sold out"),
    ("Ceiling light, round", "£45.90", "in stock"),
)
Item = Callable[[str, str, str], str]


def _page(items: str, tag: str = "ul") -> Page:
    return opened(f"<h1>Lamps</h1><{tag} class=shelf>{items}</{tag}><p>Free returns within a month</p>")[0]


def old(name: str, price: str, stock: str) -> str:
    """An item as it was."""
    return f"<li class=item><h3>{name}</h3><span class=price>{price}</span> <i>{stock}</i></li>"


def reordered(name: str, price: str, stock: str) -> str:
    """The stock first, then the price, then the name."""
    return f"<article class=card><em>{stock}</em><div class=sum>{price}</div><div><a href=/x>{name}</a></div></article>"


def labelled(name: str, price: str, stock: str) -> str:
    """In another order, each value with a label of its own."""
    return (
        f"<article class=card><dl><dt>Availability</dt><dd>{stock}</dd><dt>Costs</dt><dd>{price}</dd></dl>"
        f"<h2>{name}</h2></article>"
    )


@pytest.fixture(scope="module")
def wrapper() -> sl.Wrapper:
    """Taught by the first two records."""
    lesson = sl.teach()
    names = ("name", "price", "stock")
    shown = [{name: [text] for name, text in zip(names, lamp, strict=True)} for lamp in LAMPS[:2]]
    lesson.show(_page("".join(old(*lamp) for lamp in LAMPS)), records=shown)
    return sl.Wrapper.loads(lesson.wrapper.dumps())


def _rows(proposal: Proposal, page: Page) -> list[tuple[object, ...]]:
    read = proposal.wrapper.read(page, heal=False)
    return [(record["name"], record["price"], record["stock"]) for record in read.records.to_dicts()]


@pytest.mark.parametrize("item", [reordered, labelled])
def test_list_in_other_elements_and_another_order(wrapper: sl.Wrapper, item: Item) -> None:
    """All records are read again, also those that nobody remembers, and the rules are those of known values."""
    lamps = (("Lava lamp", "£23.00", "in stock"), *LAMPS, ("Fairy lights, 10 m", "£7.10", "sold out"))
    page = _page("".join(item(*lamp) for lamp in lamps), "section")
    assert wrapper.read(page, heal=False).verdict == "failed"
    proposal = wrapper.repair([page])
    assert [change.status for change in proposal.changes] == ["found again"]
    assert _rows(proposal, page) == list(lamps)


def test_list_whose_numbers_are_others(wrapper: sl.Wrapper) -> None:
    """The names tell the records, and kinds and looks the other fields; that has to be confirmed."""
    lamps = [(name, price.replace("£", "£1"), stock) for name, price, stock in LAMPS]
    page = _page("".join(labelled(name, price, "on order") for name, price, _ in lamps), "section")
    proposal = wrapper.repair([page])
    assert [change.status for change in proposal.changes] == ["unsure"]
    assert [row[:2] for row in _rows(proposal, page)] == [lamp[:2] for lamp in lamps]
    assert proposal.wrapper.read(page, heal=False).verdict != "ok"


def test_field_that_is_gone_is_missing(wrapper: sl.Wrapper) -> None:
    """The records are found without it; that is told of the field itself, and no page of them is ok."""
    page = _page("".join(f"<article class=card><h2>{name}</h2><p>{price}</p></article>" for name, price, _ in LAMPS))
    proposal = wrapper.repair([page])
    statuses = {change.name: change.status for change in proposal.details}
    assert statuses == {"items": "unsure", "items.name": "unsure", "items.price": "unsure", "items.stock": "missing"}
    assert proposal.changes[0].why.endswith("not found: stock")
    for made in (proposal.wrapper, proposal.accept("items")):
        read = made.read(page, heal=False)
        assert (read.verdict, len(read.records)) == ("suspicious", len(LAMPS))
        assert any("items.stock" in problem.what for problem in read.problems)


def test_value_that_all_records_have_tells_none(wrapper: sl.Wrapper) -> None:
    """Where only the stock is left of them, and other things are said of it, nothing is found."""
    page = _page("".join(f"<article class=card><b>Shop {place}</b><i>in stock</i></article>" for place in range(6)))
    (change,) = wrapper.repair([page]).changes
    assert change.status == "missing"
    assert change.why == "none of the known records is on the pages"


def test_known_values_that_are_scattered_are_no_records(wrapper: sl.Wrapper) -> None:
    """All names in one place and all prices in another are two lists, and not records of both."""
    names = "".join(f"<li>{name}</li>" for name, _, _ in LAMPS)
    prices = "".join(f"<li>{price}</li>" for _, price, _ in LAMPS)
    page = opened(f"<h1>Lamps</h1><ul>{names}</ul><p>Their prices are:</p><ol>{prices}</ol>")[0]
    proposal = wrapper.repair([page])
    assert proposal.wrapper.read(page, heal=False).verdict != "ok"


def test_the_only_record_that_is_left_must_stand_together(wrapper: sl.Wrapper) -> None:
    """Its values within a few texts of each other are a record; far apart, with others between, they aren't."""
    (near,) = wrapper.repair([_page(labelled(*LAMPS[0]), "section")]).changes
    assert near.status == "unsure"
    between = "".join(f"<p>Sentence {number}</p>" for number in range(40))
    (far,) = wrapper.repair([opened(f"<h2>{LAMPS[0][0]}</h2>{between}<b>{LAMPS[0][1]}</b>")[0]]).changes
    assert far.status == "missing"
