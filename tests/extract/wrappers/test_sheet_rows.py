"""Teaching on PDFs: records are rows below their headings, and neither sums nor anything else that looks like rows."""

import pytest

import sightline as sl
from sightline.extract.wrappers import Lesson
from sightline.page import Page

from ..schemas._paper import LINE, Paper

HEADS = ((60, "Article"), (200, "Quantity"), (300, "Amount"))
GOODS = ((60, "Brush"), (200, "2"), (300, "7.50")), ((60, "Paint, 2 l"), (200, "1"), (300, "18.20"))
MORE = (((60, "Filler"), (200, "3"), (300, "12.30")),)
SUMS = (
    ((60, "Subtotal"), (200, ""), (300, "38.00")),
    ((60, "VAT 20 %"), (200, ""), (300, "7.60")),
    ((60, "Total EUR"), (200, ""), (300, "45.60")),
)
TEXT = (((60, "Please"), (200, "be"), (300, "careful")), ((60, "when"), (200, "you"), (300, "open")))


def _order(*rows: tuple[tuple[float, str], ...], text: bool = False) -> Page:
    """An order; `text` is a justified paragraph below it, which was taken for a table."""
    paper = Paper().block("h1", 60, 40, "Order").table(100, [HEADS, *GOODS, *rows], head=True)
    return (paper.table(300, TEXT) if text else paper).page()


def _lesson(page: Page) -> Lesson:
    return sl.teach(page).want("article", "Brush").want("amount", "7.50")


ARTICLES = ["Brush", "Paint, 2 l", "Filler"]


@pytest.mark.parametrize("taught_on", [_order(*MORE), _order(*MORE, *SUMS), _order(*MORE, *SUMS, text=True)])
@pytest.mark.parametrize("page", [_order(*MORE), _order(*MORE, *SUMS), _order(*MORE, *SUMS, text=True)])
def test_sums_and_other_rows_are_no_records(taught_on: Page, page: Page) -> None:
    """Neither where the lesson's page had them nor where it had none; and the page is in order."""
    found = _lesson(taught_on).wrapper.read(page)
    assert [record["article"] for record in found.records.to_dicts()] == ARTICLES
    assert found.verdict == "ok"


def test_sums_that_are_wanted_are_records() -> None:
    """An example in a row of sums says that they are meant."""
    page = _order(*MORE, *SUMS)
    lesson = _lesson(page).want("article", "Total EUR").want("amount", "45.60")
    assert [record["article"] for record in lesson.wrapper.read(page).records.to_dicts()][-1] == "Total EUR"


def test_the_rule_says_so_and_is_kept() -> None:
    """In words, and in the file."""
    wrapper = _lesson(_order(*MORE, *SUMS)).wrapper
    assert "in the column “article”" in wrapper.words()
    assert "not in a row of sums" in wrapper.words()
    again = sl.Wrapper.loads(wrapper.dumps()).read(_order(*SUMS))
    assert [record["article"] for record in again.records.to_dicts()] == ARTICLES[:2]


def test_web_pages_are_read_as_before() -> None:
    """There, classes tell rows apart, and a row of totals may be what somebody wants."""
    rows = "".join(f"<tr><td>{name}</td><td>{cost}</td></tr>" for name, cost in (("A", 1), ("B", 2), ("Total", 3)))
    page = sl.open(f"<table><tr><th>Name</th><th>Cost</th></tr>{rows}</table>".encode(), static=True)
    wrapper = sl.teach(page).want("name", "A").want("cost", "1").wrapper
    assert "sums" not in wrapper.words()


def test_a_label_in_the_text_is_the_rule() -> None:
    """A date behind its label is found by that, wherever the block stands among others."""

    def bill(*before: str) -> Page:
        blocks = [*before, "Bill no: 993548900", "Bill date: 19 April 2014", "Order date: 18 April 2014"]
        paper = Paper()
        for number, text in enumerate(blocks):
            paper.block("p", 60, 40 + 2 * LINE * number, text)
        return paper.page()

    wrapper = sl.teach(bill()).want("date", "19 April 2014").wrapper
    assert wrapper.words().startswith("date: the element that begins with “Bill date:”")
    assert wrapper.extract(bill("A copy of what was sent before")).to_dicts() == [{"date": "19 April 2014"}]
