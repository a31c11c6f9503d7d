"""Every step of the search can be looked at."""

import pytest

from sightline.extract.tables import TableSettings, find_tables, trace_tables
from sightline.geometry import Box
from sightline.page import Page
from sightline.testing import grid_page

from ._pages import STOCK, built, markup, rendered, static

MENU = "<nav style='display:grid;grid-template-columns:repeat(4,150px)'>" + "<a href=/>Go</a>" * 16 + "</nav>"


@pytest.fixture(scope="module")
def page() -> Page:
    """A page with a menu, a table that holds most of a larger one, a short table and a drawn one."""
    frame = markup([["Shop", "Sells"], ["North", markup(STOCK)], ["South", "as North"]])
    drawn = "\n".join(
        ["+-----+-----+", "| Day | Own |", "+-----+-----+", "| Mon | 120 |", "| Tue | 130 |", "+-----+-----+"]
    )
    return rendered(f"{MENU}<h2>Shops</h2>{frame}<p>Some words.</p><pre>{drawn}</pre>")


def _within(inner: Box, outer: Box) -> bool:
    low = inner[0] >= outer[0] - 1 and inner[1] >= outer[1] - 1
    return low and inner[2] <= outer[2] + 1 and inner[3] <= outer[3] + 1


def test_the_tables_of_the_trace_are_those_that_are_found(page: Page) -> None:
    """Tracing changes nothing, whatever is asked for."""
    for options in ({}, {"containing": "Norda"}, {"containing": "nowhere"}, {"settings": TableSettings(least_score=0)}):
        assert list(trace_tables(page, **options).found) == find_tables(page, **options)


def test_every_grid_has_its_decision(page: Page) -> None:
    """All that was looked at is there, with what became of it and by whom it was found."""
    decisions = {(one.method, one.shape): one.decision for one in trace_tables(page).candidates}
    assert decisions == {
        ("elements", (4, 4)): "scores too little",
        ("elements", (5, 3)): "table",
        ("elements", (3, 2)): "overlaps a better one",
        ("words", (3, 2)): "table",
    }
    pointed = {(one.method, one.shape): one.decision for one in trace_tables(page, containing="Mon").candidates}
    assert pointed == {
        ("elements", (4, 4)): "does not hold the word",
        ("elements", (5, 3)): "does not hold the word",
        ("elements", (3, 2)): "does not hold the word",
        ("words", (3, 2)): "table",
    }


def test_decisions_agree_with_scores(page: Page) -> None:
    """As many candidates are tables as are handed out, and none of those scores less than was asked for."""
    trace = trace_tables(page)
    kept = [one for one in trace.candidates if one.decision == "table"]
    assert sorted(round(one.score, 4) for one in kept) == sorted(table.score for table in trace.found)
    for one in trace.candidates:
        assert (one.score < TableSettings().least_score) == (one.decision == "scores too little")


def test_boxes_lie_on_the_page(page: Page) -> None:
    """Blocks, areas, grids and cells can be drawn onto the page; cells lie in their grid."""
    trace, whole = trace_tables(page), page.bounds
    assert whole is not None
    assert trace.blocks
    assert len(trace.areas) == 1
    for box in (*trace.blocks, *trace.areas):
        assert _within(box, whole)
    for one in trace.candidates:
        assert one.box is not None
        assert _within(one.box, whole)
        assert len(one.cells) <= one.shape[0] * one.shape[1]
        assert all(_within(cell, one.box) for cell in one.cells)


def test_a_page_with_nothing_has_an_empty_trace() -> None:
    """Nothing found is an empty trace, not an error."""
    trace = trace_tables(built())
    assert (trace.found, trace.candidates, trace.areas) == ((), (), ())


def test_a_page_without_layout_is_traced_without_boxes() -> None:
    """Candidates by markup have their shapes and decisions, and no boxes."""
    (one,) = trace_tables(static(markup(STOCK))).candidates
    assert (one.method, one.shape, one.decision, one.box, one.cells) == ("markup", (5, 3), "table", None, ())


def test_leaving_out_the_words_leaves_out_their_areas(page: Page) -> None:
    """A rule that is left out leaves no trace."""
    trace = trace_tables(page, settings=TableSettings(without=("words",)))
    assert trace.areas == ()
    assert {one.method for one in trace.candidates} == {"elements"}
    assert {one.method for one in trace_tables(grid_page(STOCK)).candidates} == {"elements"}
