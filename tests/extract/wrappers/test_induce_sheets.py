"""Wrappers induced from PDFs: fields by their labels, records below their headings, and where each was seen."""

import pytest

import sightline as sl
from sightline.errors import UsageError
from sightline.extract.wrappers import Wrapper
from sightline.page import Page

from ..schemas._paper import LINE, Paper

HEADS = ((60, "Date"), (130, "Text"), (300, "Debit"), (400, "Credit"))
TEXTS = ("Rent", "Salary", "Card payment", "Refund", "Interest")


def _booking(row: int, text: str) -> list[tuple[float, str]]:
    """A row of a statement: every second one is a credit."""
    debit, credit = ("", f"{row}.20") if row % 2 else (f"{row}.10", "")
    return [(60, f"0{row + 1}.05."), (130, text), (300, debit), (400, credit)]


def _statement(number: int, *, limit: bool = False) -> Page:
    """A statement: what stands on it moves with what is above, and a booking is a debit or a credit."""
    rows = 2 + number % 4
    paper = Paper().block("h1", 60, 40, "Harbour Bank").block("p", 60, 70, f"Account number: {number}4711")
    if limit:
        paper.block("p", 60, 70 + LINE, f"Limit: {number}00.00")
    top = 130 + LINE * (number % 3)
    paper.block("p", 60, top, f"Period: May 20{number + 10}\nOpening balance").block(
        "p", 300, top + LINE, f"{number}1.00"
    )
    lines = [_booking(row, TEXTS[(number + row) % 5]) for row in range(rows)]
    paper.table(200, [HEADS, *lines], head=True)
    paper.table(320, [[(60, "Closing balance"), (300, f"{number}2.00")]])
    return paper.page()


@pytest.fixture(scope="module")
def wrapper() -> Wrapper:
    """What six statements teach; two of them have a limit."""
    return sl.induce([_statement(number, limit=number in (2, 4)) for number in range(6)])


def test_fields_and_records_are_read(wrapper: Wrapper) -> None:
    """A statement that was not learned from has other rows, and its blocks elsewhere."""
    found = wrapper.read(_statement(8))
    record = sl.Wrapper.loads(wrapper.dumps()).read(_statement(8)).records.to_dicts()
    assert found.verdict == "ok"
    assert found.records.to_dicts() == record
    [page] = wrapper.records_of(None).read(_statement(8)).records.to_dicts()
    assert page["Account number"] == "84711"
    assert page["Period"] == "May 2018"
    assert (page["Opening balance"], page["Closing balance"]) == ("81.00", "82.00")
    [rows] = [value for value in page.values() if isinstance(value, list)]
    assert rows == [
        {"Date": "01.05.", "Text": "Refund", "Debit": "0.10"},
        {"Date": "02.05.", "Text": "Interest", "Credit": "1.20"},
    ]


def test_optional_fields_are_found_by_their_label(wrapper: Wrapper) -> None:
    """A field that few documents have is found on one that was not learned from."""
    [page] = wrapper.records_of(None).read(_statement(9, limit=True)).records.to_dicts()
    assert page["Limit"] == "900.00"


def test_values_know_where_they_were_seen(wrapper: Wrapper) -> None:
    """The origin is a text of the PDF, the box that of the value alone, and the whole text is kept where it is more."""
    page = _statement(8)
    [record] = wrapper.records_of(None).read(page).records
    value = record["Period"]
    assert value.origin is not None
    assert value.origin.page == page.id
    assert [page.strings[page.text[node]] for node in value.origin.nodes] == ["Period: May 2018 Opening balance"]
    assert value.origin.original == "Period: May 2018 Opening balance"
    assert value.origin.box is not None
    assert value.origin.box[3] - value.origin.box[1] < LINE
    assert any(one.field == "Period" and page.find(one.xpath) is not None for one in wrapper.explain(page))


def test_other_documents_are_refused(wrapper: Wrapper) -> None:
    """A letter from the same bank is no statement."""
    letter = Paper().block("h1", 60, 40, "Harbour Bank").block("p", 60, 90, "Dear Ms Li,\nthank you for your letter.")
    assert wrapper.read(letter.page()).verdict == "failed"


def test_damaged_labels_are_refused(wrapper: Wrapper) -> None:
    """What documents share is checked like everything else in a file."""
    assert '"labels"' in wrapper.dumps()
    with pytest.raises(UsageError, match="sheet"):
        sl.Wrapper.loads(wrapper.dumps().replace('"sheet": {', '"sheet": 5, "was": {'))
