"""Induction as a whole: exactly the records of a further page, from pages that are made of random ones."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sightline as sl
from sightline.extract.schemas import (
    INDUCE_RULES,
    InduceSettings,
    Slot,
    Template,
    TemplateBody,
    induce_template,
    leaves_in,
)
from sightline.extract.wrappers import trace_induction
from sightline.testing import shop_pages

from ..._effort import growth
from .._templates import FOOT, learned, lenses, listing, opened, product, read, rules_of

Record = tuple[str | None, ...]

FIELDS = {  # every field says what no other field says, so that only its place can be wrong
    "name": lambda number: f"Lens {number}",
    "price": lambda number: f"{number}.50 €",
    "stock": lambda number: f"{number} left",
    "maker": lambda number: f"by Firm{number}",
    "code": lambda number: f"No. A{number}",
}


def _as_classes(records: list[Record]) -> str:
    items = (
        "".join(f"<p class=f-{name}>{text}</p>" for name, text in zip(FIELDS, record, strict=False) if text)
        for record in records
    )
    return "<div class=list>" + "".join(f"<div class=item>{item}</div>" for item in items) + "</div>"


def _as_tags(records: list[Record]) -> str:
    tags = ("h3", "p", "div", "h4", "pre")
    items = ("".join(f"<{tag}>{text}</{tag}>" for tag, text in zip(tags, own, strict=False) if text) for own in records)
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def _as_cells(records: list[Record]) -> str:
    rows = (
        "".join(f"<td class={name}>{text or ''}</td>" for name, text in zip(FIELDS, own, strict=False))
        for own in records
    )
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


@st.composite
def _shops(draw: st.DrawFn) -> list[list[Record]]:
    """Five pages of one to twelve records, as lists have them; any field but the first may be missing here and there.

    The first four differ in how many records they have: two records on each of them may as well be two things.
    """
    width = draw(st.integers(2, 5))
    optional = draw(st.integers(0, width - 1))
    missing = st.tuples(*(st.booleans() if place and place == optional else st.just(False) for place in range(width)))
    counts = [*draw(st.lists(st.integers(1, 12), min_size=4, max_size=4, unique=True)), draw(st.integers(1, 12))]
    numbers = iter(range(100, 1000))
    return [
        [
            tuple(
                None if gone else made(next(numbers))
                for made, gone in zip(FIELDS.values(), draw(missing), strict=False)
            )
            for _ in range(count)
        ]
        for count in counts
    ]


@pytest.mark.slow
@pytest.mark.parametrize("form", [_as_classes, _as_tags, _as_cells])
@settings(max_examples=25)
@given(shop=_shops())
def test_further_pages_are_read_exactly(form: object, shop: list[list[Record]]) -> None:
    """From four pages of random records, every record of a fifth: each value once, and in the field of its kind."""
    pages = [f"<h1>All lenses</h1>{form(records)}{FOOT}" for records in shop]  # type: ignore[operator]
    wrapper = learned(pages[:4])
    (name,) = rules_of(wrapper).each
    wrapper = wrapper if name else wrapper.records_of(wrapper.fields[0])
    found = [list(record.to_dict().items()) for record in wrapper.extract(opened(pages[4])[0])]
    seen = {
        name for records in shop[:4] for record in records for name, text in zip(FIELDS, record, strict=False) if text
    }
    wanted = [[text for name, text in zip(FIELDS, record, strict=False) if text and name in seen] for record in shop[4]]
    assert [[text for _, text in record] for record in found] == wanted
    columns = {(name, text.strip("0123456789")[:3]) for record in found for name, text in record}
    assert max(Counter(name for name, _ in columns).values()) == 1
    assert max(Counter(kind for _, kind in columns).values()) == 1


def test_a_list_page_hands_out_its_items() -> None:
    """Where a page is a list, its items are the records."""
    wrapper = learned(listing(number, 2 + number) for number in range(4))
    assert rules_of(wrapper).each != ("",)
    assert read(wrapper, listing(9, 3)) == lenses(9, 3)


def test_a_page_about_one_thing_is_one_record() -> None:
    """Where most of the page is about one thing, its lists are fields of the one record."""

    def page(number: int) -> str:
        rows = [(label, f"{label} {number}") for label in ("Price", "Weight", "Zoom", "Maker", "Colour")]
        likes = "".join(
            f"<li><b>User {number}{own}</b> <i>Says {number}{own}</i></li>" for own in range(1 + number % 2)
        )
        return product(number, rows=rows, more=f"<h2>Reviews</h2><ul>{likes}</ul>")

    wrapper = learned(map(page, range(4)))
    assert rules_of(wrapper).each == ("",)
    (record,) = read(wrapper, page(9))
    assert record["Price"] == "Price 9"
    assert [list(own.values()) for own in record["Reviews"]] == [["User 90", "Says 90"], ["User 91", "Says 91"]]


def test_what_was_seen_once_may_come_twice() -> None:
    """A field with one value on every training page gives both where a page has two."""

    def page(number: int, authors: int) -> str:
        names = "".join(f"<p class=author>Author {number}{own}</p>" for own in range(authors))
        return f"<h1>Book {number}</h1><div>{names}<p class=date>May {number}</p></div>{FOOT}"

    wrapper = learned(page(number, 1) for number in range(4))
    assert read(wrapper, page(9, 1)) == [{"title": "Book 9", "author": "Author 90", "date": "May 9"}]
    assert read(wrapper, page(9, 2)) == [{"title": "Book 9", "author": ["Author 90", "Author 91"], "date": "May 9"}]


def test_classes_and_ids_of_single_pages_do_not_matter() -> None:
    """Pages that write their own name into classes and ids are of one template."""

    def page(number: int) -> str:
        own = "abcdefgh"[number]
        return (
            f"<div id=page-{own} class='product {own}x'><h1 class=t{own}>Thing {own}</h1>"
            f"<p id=p{own} class='price {own}y'>{number} €</p></div>{FOOT}"
        )

    wrapper = learned(map(page, range(4)))
    assert read(wrapper, page(7)) == [{"title": "Thing h", "price": "7 €"}]


def test_fixed_texts_are_no_data() -> None:
    """What all pages say is the template's, wherever it stands."""
    wrapper = learned(map(product, range(4)))
    assert not {"Home", "Price:", "Weight:", "All prices include tax."} & set(
        map(str, read(wrapper, product(9))[0].values())
    )
    fixed = {leaf.fixed for leaf in leaves_in(rules_of(wrapper).templates[0].root)}
    assert {"Home", "Price:", "Weight:", "All prices include tax."} <= fixed


def test_learning_twice_gives_the_same() -> None:
    """The same pages give the same wrapper, to the letter."""
    for pages in ([product(number) for number in range(4)], [listing(number, 2 + number) for number in range(4)]):
        assert learned(pages).dumps() == learned(pages).dumps()


def test_the_order_of_pages_does_not_change_what_is_read() -> None:
    """Whichever page comes first, the same values are found."""
    pages = [listing(number, count) for number, count in enumerate((3, 1, 5, 2))]
    assert read(learned(pages), listing(9, 4)) == read(learned(pages[::-1]), listing(9, 4)) == lenses(9, 4)


def test_every_decision_is_told() -> None:
    """The trace names rules that exist, with what was decided and where."""
    pages = opened(*(listing(number, 2 + number) for number in range(4)))
    trace = trace_induction(pages)
    assert any(step.rule == "sets" and "li" in step.what and "ul" in step.path for step in trace.decisions)
    assert trace.found.dumps() == sl.induce(pages).dumps()


@pytest.mark.parametrize("rule", INDUCE_RULES)
def test_every_rule_can_be_left_out(rule: str) -> None:
    """Without a rule something may be found worse, and nothing breaks."""
    for pages in ([product(number) for number in range(4)], [listing(number, 2 + number) for number in range(4)]):
        wrapper = learned(pages, InduceSettings(without=(rule,)))
        assert wrapper.fields


def test_a_rule_that_does_not_exist_is_refused() -> None:
    """A misspelt rule would leave out nothing, so it is an error."""
    with pytest.raises(sl.errors.UsageError, match="rowz"):
        InduceSettings(without=("rowz",))


def test_the_template_is_a_tree_of_leaves() -> None:
    """Every slot and row of a template holds something, and fields come with examples."""
    template: Template = induce_template(shop_pages(4)).template

    def check(body: TemplateBody) -> None:
        for taker in body.takers:
            assert taker.inner is not None
            assert taker.present <= body.total or isinstance(taker, Slot)
            if isinstance(taker.inner, TemplateBody):
                check(taker.inner)

    check(template.root)
    assert next(leaf.texts for leaf in leaves_in(template.root) if leaf.is_field) == [
        "Camera 0",
        "Camera 1",
        "Camera 2",
    ]


@pytest.mark.parametrize("deep", [60, 200, 2_000])
def test_elements_in_each_other_do_not_exhaust_the_stack(deep: int) -> None:
    """Pages of any depth are learned from and read; what is too deep is one text."""
    pages = [
        f"{'<div>' * deep}<p class=title>Name {number}</p><b>{number} €</b>{'</div>' * deep}{FOOT}"
        for number in range(4)
    ]
    (record,) = read(learned(pages), pages[3])
    assert " ".join(record.values()) == "Name 3 3 €"


def test_a_foreign_page_of_any_depth_is_refused() -> None:
    """Reading does not follow a page deeper than the template goes."""
    wrapper = learned(map(product, range(4)))
    assert wrapper.read(opened(f"{'<div>' * 3_000}x{'</div>' * 3_000}")[0]).verdict == "failed"


@pytest.mark.slow
def test_long_lists_are_learned_from_and_read() -> None:
    """A page with 3,000 records is read, with work that grows as they do, and long ones can be learned from."""
    wrapper = learned(listing(number, 3 + number) for number in range(4))
    (large,) = opened(listing(9, 3_000))
    found = wrapper.extract(large)
    assert [record.to_dict() for record in found] == lenses(9, 3_000)
    assert len(learned([listing(8, 800), listing(9, 800)]).fields) > 1

    def reading(count: int) -> Callable[[], object]:
        (page,) = opened(listing(9, count))
        return lambda: wrapper.extract(page)

    assert growth(reading, 50) < 6


def test_pages_of_many_texts_are_read() -> None:
    """A page with 30,000 texts is read, with work that grows as they do."""

    def page(number: int, count: int) -> str:
        return f"<h1>Log {number}</h1><div>{''.join(f'<p>Line {number}-{own}</p>' for own in range(count))}</div>{FOOT}"

    wrapper = learned(page(number, 3 + number) for number in range(4))
    (large,) = opened(page(9, 30_000))
    (record,) = wrapper.extract(large).to_dicts()
    assert max(len(value) for value in record.values() if isinstance(value, list)) == 30_000

    def reading(count: int) -> Callable[[], object]:
        (one,) = opened(page(9, count))
        return lambda: wrapper.extract(one)

    assert growth(reading, 100) < 6
