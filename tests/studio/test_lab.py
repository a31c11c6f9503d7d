"""The lab: methods on one page, step by step, beside each other."""

import re

import pytest
from playwright.sync_api import Page, expect

from ._steps import check_axe, go, marks
from .conftest import Shoot

pytestmark = pytest.mark.slow


def _open(page: Page, title: str) -> None:
    go(page, "Lab")
    page.get_by_role("button", name=title).click()
    page.wait_for_url("**/lab/**")
    expect(page.get_by_role("button", name=re.compile("found"))).to_be_visible()


def test_each_step_is_drawn_and_a_rule_can_be_switched_off(page: Page, shoot: Shoot) -> None:
    """The paper's algorithm beside ours; without its rules, ours finds something else, and says so."""
    _open(page, "7 telescopes worth a detour")
    page.get_by_label("Another method beside it").select_option(label="Basic top-k")
    expect(page.get_by_role("heading", name=re.compile("Basic top-k"))).to_be_visible()
    expect(page.get_by_text("7. Corrie Hill Refractor")).to_be_visible()
    check_axe(page)
    shoot(page, "lab")
    page.get_by_label("Method", exact=True).select_option(label="Basic top-k")
    page.get_by_role("button", name=re.compile("classes")).click()
    expect(page.get_by_role("cell", name="html/body/section", exact=True)).to_be_visible()
    expect(marks(page, "part")).to_have_count(21)
    page.get_by_label("Method", exact=True).select_option(label="Top-k list")
    page.get_by_role("button", name="Rules").click()
    for rule in ("paths", "headings", "bold lines", "regions", "windows", "numbering"):
        page.get_by_role("switch", name=re.compile(f"^{rule} ")).uncheck()
    expect(page.get_by_role("button", name=re.compile("found nothing"))).to_be_visible()
    expect(page).to_have_url(re.compile("without="))


def test_a_pdf_shows_its_rows_and_columns(page: Page, shoot: Shoot) -> None:
    """Edges, pieces, areas and borders, drawn on the sheet."""
    _open(page, "A quotation in a PDF")
    page.get_by_role("button", name=re.compile("^4 rows and columns")).click()
    expect(marks(page, "part").first).to_be_attached()
    shoot(page, "lab-pdf")


def test_ventrec_grows_boxes_to_tables(page: Page) -> None:
    """Pointing at a step of the expansion shows the box that it had grown to."""
    _open(page, "An observatory's report")
    page.get_by_label("Method", exact=True).select_option(label="VENTrec")
    page.get_by_role("button", name=re.compile("expansion")).click()
    page.get_by_role("cell", name="table", exact=True).first.hover()
    expect(marks(page, "lit")).to_have_count(1)
