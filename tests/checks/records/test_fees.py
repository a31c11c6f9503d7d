"""A shipping fee as the price: told by being the same everywhere, by too few amounts, and by its name."""

from dataclasses import replace

import pytest

from sightline.checks import PageRecords, check_records, profile_of_run
from sightline.data import Origin, Records, Value
from sightline.page import Page
from sightline.testing import element, page_of

from ._shop import run_of_pages, with_texts


def test_one_fee_for_all_is_told() -> None:
    """The same amount everywhere where all were different, with the values as evidence."""
    run = run_of_pages()
    [issue] = check_records([with_texts(own, {"price": "250.00 €"}) for own in run], profile_of_run(run)).of("fees")
    assert issue.field == "price"
    assert issue.evidence


def test_three_fees_for_all_are_told() -> None:
    """Three amounts in turn, each of them a price that is possible."""
    run = run_of_pages()
    fees = ("250.00 €", "260.00 €", "290.00 €")
    planted = [with_texts(own, {"price": fees[number % 3]}) for number, own in enumerate(run)]
    assert "3 different amounts" in check_records(planted, profile_of_run(run)).of("fees")[0].reason


def test_amounts_that_were_always_the_same_may_stay_so() -> None:
    """A shop where everything costs one pound has no fees for prices."""
    run = [with_texts(own, {"price": "1.00 €"}) for own in run_of_pages()]
    assert check_records(run, profile_of_run(run)).verdict == "ok"


@pytest.mark.parametrize("label", ["Shipping:", "Versandkosten", "Frais de port"])
def test_a_fee_is_known_by_its_label(label: str) -> None:
    """The text before the amount says what it is, where it said something else."""
    good = [_detail(f"{number}", "Price:", f"{100 + number} €") for number in range(5)]
    planted = [_detail(f"{number}", label, f"{101 + number} €") for number in range(5)]
    assert check_records(good, profile_of_run(good)).verdict == "ok"
    assert check_records(planted, profile_of_run(good)).of("fees")
    assert check_records(planted, profile_of_run(planted)).of("fees") == ()


def test_a_fee_before_the_price_is_no_label() -> None:
    """A shop that shows both may show the fee first."""
    good = [_detail(f"{number}", "Price:", f"{100 + number} €") for number in range(5)]
    both = [_detail(f"{number}", "Shipping 4.99 €", f"{101 + number} €") for number in range(5)]
    assert check_records(both, profile_of_run(good)).of("fees") == ()


def _detail(name: str, label: str, price: str) -> PageRecords:
    page = page_of(
        element("html", element("h1", name), element("b", label), element("span", price)), title=name, kind="static"
    )
    records = Records([{"name": _value(page, "h1"), "price": _value(page, "span")}])
    return PageRecords(records, page, f"{name}.html")


def _value(page: Page, tag: str) -> Value:
    node = int(page.with_tag(tag)[0])
    return replace(Value(page.text_of(node)), origin=Origin(page.id, (node,)))
