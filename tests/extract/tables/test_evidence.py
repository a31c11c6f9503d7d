"""Which grids are data tables, and why: the score and its parts."""

import pytest

from sightline.extract.tables import PARTS, TableSettings, find_tables, trace_tables
from sightline.page import Page
from sightline.testing import grid_page

from ._pages import STOCK, fixed_width, markup, rendered, rows_of


def link(text: object) -> str:
    """A link with this text."""
    return f"<a href='/{text}'>{text}</a>"


WEEK = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
DAYS = [[link(7 * week + day) for day in range(1, 8)] for week in range(4)]
SENTENCES = "There is more to say about this than fits into a cell, and so it goes on and on for a while. " * 2

OTHERS = {
    "menu": "<ul style='display:flex;list-style:none'>"
    + "".join(f"<li style='padding:8px'>{link(f'Topic {place}')}</li>" for place in range(8))
    + "</ul>",
    "menu in rows": "<nav style='display:grid;grid-template-columns:repeat(4,150px)'>"
    + "".join(f"<div>{link(f'Topic {place}')}</div>" for place in range(16))
    + "</nav>",
    "cards": "<div style='display:grid;grid-template-columns:repeat(3,220px);gap:20px'>"
    + "".join(
        f"<article style='border:1px solid'><img width=99 height=80><h3>Lamp {place}</h3><p>A fine lamp for a table</p>"
        f"<b>{19 * place} EUR</b><button>Buy</button></article>"
        for place in range(9)
    )
    + "</div>",
    "calendar": markup([["«", "", "", "May", "", "", "»"], WEEK, *DAYS], ""),
    "pages of results": "<div style='display:grid;grid-template-columns:repeat(5,40px)'>"
    + "".join(f"<div>{link(number)}</div>" for number in range(1, 21))
    + "</div>",
    "form": markup([[name, "<input>"] for name in ("Name", "Street", "Town", "Phone", "Mail")], ""),
    "box of links": markup(
        [[f"<b>Theme {place}</b>", " · ".join(link(f"Article {place}{n}") for n in range(9))] for place in range(6)]
    ),
    "text in two columns": markup([[SENTENCES, SENTENCES]] * 3, ""),
    "pictures": "<div style='display:grid;grid-template-columns:repeat(4,100px)'>"
    + "<div><img width=80 height=60></div>" * 12
    + "</div>",
    "one row": markup([["Arden", "Norda", "Alto"]]),
    "one column": markup([["Arden"], ["Norda"], ["Alto"]]),
}


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS.keys())
def test_what_only_stands_in_rows_is_no_data_table(body: str) -> None:
    """Menus, cards, calendars to choose a day from, forms and pages laid out as tables are not handed out."""
    assert find_tables(rendered(body)) == []


def test_a_calendar_with_lines_is_still_for_choosing_a_day() -> None:
    """Numbers that count on, each a link, are there to be pressed, lines around them or not."""
    assert find_tables(rendered(markup([WEEK, *DAYS]))) == []


def test_the_same_grid_with_data_is_a_table() -> None:
    """It is the contents that speak against a menu or a calendar, not the places of its boxes."""
    readings = [[str(100 * week + 17 * day % 23) for day in range(7)] for week in range(4)]
    assert rows_of(find_tables(rendered(markup([WEEK, *readings], "")))) == [[WEEK, *readings]]
    cells = "".join(f"<div>{text}</div>" for row in STOCK for text in row)
    page = rendered(f"<nav style='display:grid;grid-template-columns:repeat(3,150px)'>{cells}</nav>")
    assert rows_of(find_tables(page)) == [STOCK]


def test_a_page_laid_out_as_a_table_gives_the_table_in_it() -> None:
    """Of a table that holds menu, contents and foot of a page only the data table in its middle is handed out."""
    menu = "<br>".join(link(f"Page {place}") for place in range(6))
    rows = [[menu, f"<h2>Stock</h2>{markup(STOCK)}<p>{SENTENCES}</p>"], ["© 2024", "Imprint and terms"]]
    assert rows_of(find_tables(rendered(markup(rows, "")))) == [STOCK]


def test_whoever_points_at_a_text_gets_the_grid_around_it() -> None:
    """With `containing` the best grid that holds the text is given, though it scores too little; else nothing is."""
    page = rendered(OTHERS["menu in rows"])
    (table,) = find_tables(page, containing="topic 7")
    assert table.rows[1] == ["Topic 4", "Topic 5", "Topic 6", "Topic 7"]
    assert table.score < TableSettings().least_score
    assert find_tables(page, containing="nowhere") == []


def test_pointing_at_a_text_chooses_among_tables() -> None:
    """Of several tables those with the text in a cell are given; a text outside of all of them finds none."""
    hours = [["Day", "Opens"], ["Mon", "7:30"], ["Tue", "8:30"], ["Wed", "9:30"], ["Thu", "7:00"]]
    page = rendered(f"<h1>Elsewhere</h1>{markup(STOCK)}<p>&nbsp;<p>{markup(hours)}")
    assert len(find_tables(page)) == 2
    assert rows_of(find_tables(page, containing="NORDA")) == [STOCK]
    assert rows_of(find_tables(page, containing="Tue")) == [hours]
    assert find_tables(page, containing="Elsewhere") == []


def test_the_least_score_decides() -> None:
    """Just above a table's score nothing is handed out, just below it the table is."""
    page = grid_page(STOCK)
    (table,) = find_tables(page)
    assert find_tables(page, settings=TableSettings(least_score=table.score - 0.001)) == [table]
    assert find_tables(page, settings=TableSettings(least_score=table.score + 0.001)) == []


def test_better_tables_come_first() -> None:
    """Tables come in the order of how much they tell: a long one before a short one of the same kind."""
    long = [STOCK[0], *[[f"Model {n}", str(900 + 31 * n), str(n)] for n in range(30)]]
    page = rendered(f"{markup(STOCK)}<p>&nbsp;</p>{markup(long)}")
    assert rows_of(find_tables(page)) == [long, STOCK]


def test_evidence_is_handed_out_with_the_table() -> None:
    """A table tells every part of its score by its name; together they make it."""
    (table,) = find_tables(grid_page(STOCK))
    assert {name for name, _ in table.evidence} == set(PARTS)
    assert dict(table.evidence)["filled"] > 0
    assert dict(table.evidence)["controls"] == 0
    assert 0 < table.score < 1


SHOWING = {
    "links in a named column": markup([[f"<b>Maker {n}</b>", f"{link(f'Model {n}')} {n} kg"] for n in range(6)]),
    "sections": "<table border=1>"
    + "".join(f"<tr><td colspan=3>Part {n}<tr><td>A{n}<td>{n}<td>{n * n}" for n in range(5))
    + "</table>",
    "prose beside names": markup([[f"<b>Name {n}</b>", SENTENCES] for n in range(5)]),
    "empty column": markup([[f"Model {n}", "", str(n)] for n in range(6)]),
    "code": "<pre>" + "\n".join(f"call({n});        // number {n}       {n}" for n in range(10, 20)) + "</pre>",
    "many blocks in a cell": markup([[f"Model {n}", f"{'<p>New</p>' * 6}"] for n in range(4)]),
    "headed": markup(STOCK, head="th"),
    "items": f"<style>ul {{ display: flex }} li {{ flex: 1 }}</style>{'<ul><li>Norda</li><li>17</li></ul>' * 5}",
    "guiding": f"<nav>{markup([['<a href=a>Alto</a>', '<a href=b>Vento</a>']] * 5)}</nav>",
}


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    """Pages that have, among them, something of every part."""
    return [rendered(body) for body in (*OTHERS.values(), *SHOWING.values())]


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_every_part_counts_and_can_be_left_out(part: str, pages: list[Page]) -> None:
    """A part that is left out is gone from the evidence, changes the score where it was not 0, and nothing else."""
    changed = 0
    for page in pages:
        whole = trace_tables(page).candidates
        less = trace_tables(page, settings=TableSettings(without=(f"part: {part}",))).candidates
        assert [one.cells for one in whole] == [one.cells for one in less]
        for one, other in zip(whole, less, strict=True):
            weight = one.evidence[part]
            assert {**other.evidence, part: weight} == one.evidence
            assert part not in other.evidence
            assert (one.score > other.score) == (weight > 0) or abs(one.score - other.score) < 1e-9
            changed += one.score != other.score
    assert changed


def test_words_in_columns_must_say_more_than_cells_that_are_drawn() -> None:
    """What a real table with lines is given, a few lines of a listing are not."""
    rows = [["Call", "Effect"], ["open(page);", "opens();"], ["save(page);", "saves();"], ["close();", "ends();"]]
    assert rows_of(find_tables(rendered(markup(rows)))) == [rows]
    lines = [f"{one:<14}{other}" for one, other in rows]
    (candidate,) = trace_tables(fixed_width(lines)).candidates
    assert (candidate.method, candidate.decision) == ("words", "scores too little")
    assert candidate.evidence["by words"] < 0
