"""PDFs as forms: what is a label, what is its value, and what is a row, wherever it stands on the sheet."""

import pytest

from sightline.extract.schemas import SheetLabels, form_of, sheet_labels
from sightline.page import Page

from ._paper import LINE, Paper, forms

HEADS = ((60, "No."), (100, "Article"), (300, "Amount"))
TERMS = ("30 days net", "cash", "60 days")
GOODS = ("Brush", "Blue paint", "Ladder", "Filler", "Rope")


def _bill(number: int, rows: int = 2, *, note: str = "") -> Page:
    """A bill: labels beside values and in them, an address below its label, a table, and sums below its rows."""
    paper = Paper().block("h1", 60, 40, "Acme Paper Works").block("h2", 60, 80, "Deliver to")
    paper.block("p", 60, 100, f"Person {number}{number}\n{number} Mill Lane").block(
        "p", 400, 100, f"Bill no.: B-{number}7"
    )
    paper.table(150, [[(60, "Customer"), (200, f"C{number}{number}")], [(60, "Terms"), (200, TERMS[number % 3])]])
    if note:
        paper.block("p", 60, 195, note)
    lines = [[(60, str(row + 1)), (100, GOODS[(row + number) % 5]), (300, f"{row}.50")] for row in range(rows)]
    paper.table(230, [HEADS, *lines, [(60, ""), (100, "Total"), (300, f"{number}9.00")]], head=True)
    return paper.page()


BILLS = [_bill(number, 2 + number % 3) for number in range(4)]


@pytest.fixture(scope="module")
def known() -> SheetLabels:
    """What the bills share."""
    return sheet_labels(BILLS)


def test_labels_are_what_documents_share(known: SheetLabels) -> None:
    """Headings of columns and names of sums are labels as well; what varies, or is the value of a label, is none."""
    assert known.labels >= {"customer", "terms", "deliver to", "article", "amount", "total"}
    assert "bill no." in known.prefixes
    assert not known.labels & {"30 days net", "cash", "brush", "blue paint", "ladder"}


def test_a_form_has_entries_and_rows(known: SheetLabels) -> None:
    """A value is beside its label, behind its colon, or below it; sums are entries and no rows."""
    assert forms(form_of(_bill(7), known).page) == [
        "Acme Paper Works",
        "Deliver to = Person 77 7 Mill Lane",
        "Bill no.: = B-77",
        "Customer = C77",
        "Terms = cash",
        "No. | Article | Amount",
        "1 | Ladder | 0.50",
        "2 | Filler | 1.50",
        "Total = 79.00",
    ]


def test_a_paragraph_is_parted_where_a_label_begins(known: SheetLabels) -> None:
    """A block may hold two lines with a label each, and the value of the second may be a block of its own."""
    paper = Paper().block("p", 60, 40, "Bill no.: B-1\nCustomer").block("p", 200, 40 + LINE, "C12")
    assert forms(form_of(paper.page(), known).page) == ["Bill no.: = B-1", "Customer = C12"]


def test_lines_of_a_paragraph_come_together(known: SheetLabels) -> None:
    """Whether an address is one block or three depends on the length of its lines; what is farther off is apart."""
    paper = (
        Paper().block("p", 60, 40, "Ada Li").block("p", 60, 40 + LINE, "1 Mill Lane\nLeeds").block("p", 60, 140, "Hi")
    )
    assert forms(form_of(paper.page(), known).page) == ["Ada Li 1 Mill Lane Leeds", "Hi"]


def test_a_row_is_parted_at_a_label(known: SheetLabels) -> None:
    """Where the lines of several rows were taken for one, the sum among them begins another."""
    rows = [HEADS, [(60, "1"), (100, "Brush"), (300, "7.50")], [(60, "2"), (100, "Rope\nTotal"), (300, "1.00\n8.50")]]
    form = form_of(Paper().table(40, rows, head=True).page(), known)
    assert forms(form.page)[1:] == ["1 | Brush | 7.50", "2 | Rope | 1.00", "Total = 8.50"]


def test_a_block_beside_labels_is_no_part_of_their_table(known: SheetLabels) -> None:
    """An address that stands beside labels looks like their first column."""
    rows = [[(60, "Ada Li"), (300, "Customer"), (400, "C1")], [(60, "1 Mill Lane"), (300, "Terms"), (400, "cash")]]
    form = form_of(Paper().table(40, rows).page(), known)
    assert sorted(forms(form.page)) == ["Ada Li 1 Mill Lane", "Customer = C1", "Terms = cash"]


def test_a_cell_goes_on_in_the_next_block(known: SheetLabels) -> None:
    """The last line of a cell may have become a paragraph, and the rows below it a table of their own."""
    paper = Paper().table(40, [HEADS, [(60, "1"), (100, "Ladder, 3 x 9"), (300, "7.50")]], head=True)
    paper.block("p", 100, 40 + 2 * LINE, "rungs").table(40 + 3 * LINE, [[(60, "2"), (100, "Rope"), (300, "1.00")]])
    form = form_of(paper.page(), known)
    assert forms(form.page)[1:] == ["1 | Ladder, 3 x 9 rungs | 7.50", "2 | Rope | 1.00"]


def test_empty_cells_keep_their_place(known: SheetLabels) -> None:
    """A row without an amount has an empty cell, so that the cells after it stay in their columns."""
    form = form_of(Paper().table(40, [HEADS, [(60, ""), (100, "Gift"), (300, "")]], head=True).page(), known)
    assert forms(form.page)[1:] == [" | Gift | "]


def test_nodes_are_those_of_the_page(known: SheetLabels) -> None:
    """Each text of a form is a text of the page, or a part of it."""
    page = _bill(3)
    form = form_of(page, known)
    for node, whole in enumerate(form.nodes):
        if form.page.text[node] >= 0:
            assert form.page.strings[form.page.text[node]].strip() in page.strings[page.text[whole]]


def test_numbers_of_sheets_are_left_out() -> None:
    """What recurs on sheets is left out, unless it has a label: on one sheet, that would be a block."""
    paper = Paper().block("header", 60, 10, "Customer: C5").block("footer", 60, 1100, "Page 1 of 2")
    learned = sheet_labels([Paper().block("p", 60, 10, f"Customer: C{number}").page() for number in range(3)])
    assert forms(form_of(paper.page(), learned).page) == ["Customer: = C5"]
