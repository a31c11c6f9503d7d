"""Every extractor is traced in one way: what it found, and the steps on the way to it."""

from collections.abc import Callable
from typing import Any

import pytest

import sightline as sl
from sightline.data import Trace
from sightline.extract.content import find_content, trace_content
from sightline.extract.lists import find_lists, find_top, trace_lists, trace_top
from sightline.extract.structure import structured, trace_structure
from sightline.extract.tables import find_tables, trace_tables
from sightline.extract.wrappers import induce, trace_induction
from sightline.page import Page
from sightline.testing import grid_page, list_page, shop_pages

from ..sources.pdf._bare import bare
from ..sources.pdf._write import pdf
from .structure._sheets import prose


def _bare() -> Page:
    return bare(pdf(prose()))


@pytest.mark.parametrize(
    ("find", "trace", "given"),
    [
        (find_tables, trace_tables, grid_page([["Name", "Price"], ["EOS", "5"], ["R5", "7"]])),
        (find_lists, trace_lists, list_page(["one", "two", "three"])),
        (find_top, trace_top, list_page(["Sirius", "Vega", "Rigel"], title="3 bright stars")),
        (find_content, trace_content, list_page(["one", "two", "three"])),
        (induce, trace_induction, shop_pages(4)),
    ],
    ids=["tables", "lists", "top", "content", "induction"],
)
def test_a_trace_has_what_is_found_and_every_step(
    find: Callable[[Any], Any], trace: Callable[[Any], Any], given: Any
) -> None:
    """What is found is the same with and without a trace; each step has a name, a sentence and plain rows."""
    traced = trace(given)
    assert isinstance(traced, Trace)
    expected = find(given)
    found = list(traced.found) if isinstance(traced.found, tuple) else traced.found
    assert found == expected or found.dumps() == expected.dumps()
    steps = traced.steps()
    assert steps and all(step.name and step.about for step in steps)
    assert any(step.rows for step in steps)
    assert all(list(row) == list(step.rows[0]) for step in steps for row in step.rows)


def test_the_structure_of_a_pdf_is_traced_alike() -> None:
    """The page that is found is the one that opening the PDF gives."""
    page = _bare()
    traced = trace_structure(page)
    assert isinstance(traced, Trace)
    assert traced.found.id == structured(page).id
    names = ["edges", "pieces", "areas", "rows and columns", "tables", "parts"]
    assert [step.name for step in traced.steps()] == names
    assert sl.tables(traced.found) == sl.tables(structured(page))
