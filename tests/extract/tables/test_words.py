"""Method B: tables that nothing but the places of words makes."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.extract.tables import TableSettings, find_tables, trace_tables
from sightline.testing import shifted

from ._pages import STOCK, fixed_width, rendered, rows_of

ANY_SCORE = TableSettings(least_score=0)

PSQL = """\
   Model   | Price | Stock
-----------+-------+-------
 Arden 5   | 1,200 |     5
 Norda 850 | 2,100 |    17
 Alto 7    | 1,900 |     2
 Vento 3   | 2,450 |    11
(4 rows)
"""

MYSQL = """\
+-----------+-------+-------+
| Model     | Price | Stock |
+-----------+-------+-------+
| Arden 5   | 1,200 |     5 |
| Norda 850 | 2,100 |    17 |
| Alto 7    | 1,900 |     2 |
| Vento 3   | 2,450 |    11 |
+-----------+-------+-------+
4 rows in set (0.00 sec)
"""

REST_GRID = """\
+-----------+-------+-------+
| Model     | Price | Stock |
+===========+=======+=======+
| Arden 5   | 1,200 | 5     |
+-----------+-------+-------+
| Norda 850 | 2,100 | 17    |
+-----------+-------+-------+
| Alto 7    | 1,900 | 2     |
+-----------+-------+-------+
| Vento 3   | 2,450 | 11    |
+-----------+-------+-------+
"""

REST_SIMPLE = """\
=========  =====  =====
Model      Price  Stock
=========  =====  =====
Arden 5    1,200      5
Norda 850  2,100     17
Alto 7     1,900      2
Vento 3    2,450     11
=========  =====  =====
"""

MARKDOWN = """\
| Model     | Price | Stock |
|:----------|------:|------:|
| Arden 5 | 1,200 | 5 |
| Norda 850 | 2,100 | 17 |
| Alto 7  | 1,900 |     2 |
| Vento 3 | 2,450 | 11    |
"""

BOX_DRAWING = """\
┌───────────┬───────┬───────┐
│ Model     │ Price │ Stock │
├───────────┼───────┼───────┤
│ Arden 5   │ 1,200 │     5 │
│ Norda 850 │ 2,100 │    17 │
│ Alto 7    │ 1,900 │     2 │
│ Vento 3   │ 2,450 │    11 │
└───────────┴───────┴───────┘
"""

DOUBLE_LINES = BOX_DRAWING.translate(str.maketrans("┌─┬┐│├┼┤└┴┘", "╔═╦╗║╠╬╣╚╩╝"))

UNDERLINED = """\
Model      Price  Stock
---------  -----  -----
Arden 5    1,200      5
Norda 850  2,100     17
Alto 7     1,900      2
Vento 3    2,450     11
"""

DRAWN = {
    "psql": PSQL,
    "mysql": MYSQL,
    "reST grid": REST_GRID,
    "reST simple": REST_SIMPLE,
    "Markdown with ragged bars": MARKDOWN,
    "box drawing": BOX_DRAWING,
    "double lines": DOUBLE_LINES,
    "underlined heads": UNDERLINED,
}


@pytest.mark.parametrize("drawn", DRAWN.values(), ids=DRAWN.keys())
def test_tables_drawn_with_characters_are_read(drawn: str) -> None:
    """Dashes and bars are the lines of a table; what stands above the first line of dashes is its heading."""
    for page in (fixed_width(drawn.splitlines()), rendered(f"<pre>{drawn}</pre>")):
        (table,) = find_tables(page)
        assert (table.rows, table.header_rows) == (STOCK, 1)


def test_bars_count_where_they_stand_far_from_the_dashes() -> None:
    """In Markdown nothing need stand below anything: as many bars as the dashes have columns make a row."""
    lines = ["|".join(["", *(f" {text} " for text in row), ""]) for row in STOCK]
    (table,) = find_tables(fixed_width([lines[0], "|---|---|---|", *lines[1:]]))
    assert (table.rows, table.header_rows) == (STOCK, 1)


@pytest.mark.parametrize("drawn", [PSQL, MYSQL, BOX_DRAWING], ids=["psql", "mysql", "box drawing"])
@pytest.mark.parametrize("style", ["pre-wrap", "pre-wrap;word-break:break-all"], ids=["at blanks", "anywhere"])
def test_lines_broken_at_the_margin_are_joined_again(drawn: str, style: str) -> None:
    """In a box that is too narrow the lines of a table break; the table is the same."""
    page = rendered(f"<div style='width:170px'><pre style='white-space:{style}'>{drawn}</pre></div>")
    (table,) = find_tables(page, settings=ANY_SCORE)
    assert table.rows == STOCK


def test_columns_in_line_are_a_table_when_there_are_enough_rows() -> None:
    """Blanks alone make columns: words that start, or end, below each other on many lines."""
    rows = [["Model", "Price", "Left"], *[[f"Model {n}", str(1000 + 37 * n), str(n * n)] for n in range(3, 30)]]
    lines = [f"{name:<12}{price:>7}{left:>8}" for name, price, left in rows]
    for page in (fixed_width(lines), rendered("<pre>" + "\n".join(lines))):
        (table,) = find_tables(page)
        assert (table.rows, table.header_rows) == (rows, 1)


def test_a_cell_may_be_missing() -> None:
    """An empty place in a column is a hole and moves nothing."""
    lines = MYSQL.replace("2,100", "     ").replace(" 2 |", "   |").splitlines()
    (table,) = find_tables(fixed_width(lines))
    rows = [list(row) for row in STOCK]
    rows[2][1] = rows[3][2] = ""
    assert table.rows == rows
    assert table.cells[2][1].role == "hole"


def test_the_title_above_is_the_caption() -> None:
    """A line right above the heading that fills one column only names the table; an empty line parts them."""
    (table,) = find_tables(fixed_width(["Sold", "", *UNDERLINED.splitlines()]))
    assert (table.rows, table.caption) == (STOCK, None)
    (table,) = find_tables(fixed_width(["Sold", *UNDERLINED.splitlines()]))
    assert (table.rows, table.caption) == (STOCK, "Sold")


def test_lines_of_one_row_are_one_cell() -> None:
    """Where every row has a line of dashes below it, the lines between two of them are one row."""
    drawn = [
        "+-------+------------------+-----+",
        "| Name  | What it does     | Use |",
        "+-------+------------------+-----+",
        "| open  | Opens a page and | 120 |",
        "|       | waits for it     |     |",
        "+-------+------------------+-----+",
        "| save  | Saves it         | 17  |",
        "+-------+------------------+-----+",
        "| close | Closes it and    | 31  |",
        "|       | forgets it       |     |",
        "+-------+------------------+-----+",
    ]
    (table,) = find_tables(fixed_width(drawn))
    assert table.rows == [
        ["Name", "What it does", "Use"],
        ["open", "Opens a page and waits for it", "120"],
        ["save", "Saves it", "17"],
        ["close", "Closes it and forgets it", "31"],
    ]


def test_text_around_a_table_is_not_in_it() -> None:
    """What stands above and below the bars in the same block of text is left out."""
    lines = ["shop=> select * from stock", "", *PSQL.splitlines(), "", "shop=> quit", "bye"]
    assert rows_of(find_tables(fixed_width(lines))) == [STOCK]


def test_two_tables_in_one_text_are_two() -> None:
    """An empty line parts tables."""
    lines = [*MYSQL.splitlines(), "", *[line.replace("Model", "Maker") for line in MYSQL.splitlines()]]
    other = [["Maker", *STOCK[0][1:]], *STOCK[1:]]
    assert sorted(rows_of(find_tables(fixed_width(lines)))) == sorted([STOCK, other])


CODE = {
    "python": """\
def area(width, height):
    \"\"\"How large it is.\"\"\"
    if width < 0:        # never drawn
        return 0         # nothing
    return width * height

x     = area(1, 2)
yy    = area(3, 4)
total = x + yy
""",
    "c": """\
int main(int argc, char **argv) {
    int    i;           /* counts */
    double sum = 0.0;   /* adds up */
    for (i = 0; i < argc; i++) {
        sum += i;
    }
    return 0;
}
""",
    "shell": """\
$ make test
ruff format --check .
132 files already formatted
$ git status --short
$ echo done --- really
""",
    "prose": """\
It was a day like any other, and nobody who had been there
would have said --- if anyone had asked --- that the hills
were any greener than those of the year before. They walked
on for an hour, then another, and sat down by the water.
""",
}


@pytest.mark.parametrize("text", CODE.values(), ids=CODE.keys())
def test_code_and_prose_are_no_tables(text: str) -> None:
    """Indentation, comments in line and dashes in sentences do not make a table."""
    assert find_tables(rendered(f"<pre>{text.replace('<', '&lt;')}</pre>")) == []
    assert find_tables(rendered(f"<p style='text-align:justify;width:300px'>{text.replace('<', '&lt;')}</p>")) == []


def test_areas_of_words_are_traced() -> None:
    """The block of text in which words were looked at is in the trace; an ordinary paragraph is not."""
    trace = trace_tables(rendered(f"<p>{'A sentence of some words. ' * 40}</p><pre>{MYSQL}</pre>"))
    (area,) = trace.areas
    assert [table.rows for table in trace.found] == [STOCK]
    assert trace.found[0].box is not None
    assert area[1] <= trace.found[0].box[1]
    assert area[3] >= trace.found[0].box[3]


def test_origins_of_words_are_their_text_nodes() -> None:
    """A cell made of words leads to the text in which they stand and to the box around them alone."""
    page = fixed_width(MYSQL.splitlines())
    (table,) = find_tables(page)
    cell = table.cells[2][0]
    assert cell.origin is not None
    assert cell.origin.box == (40 + 8 * 2, 40 + 16 * 4, 40 + 8 * 11, 40 + 16 * 5)
    assert [page.text_of(node) for node in cell.origin.nodes] == ["| Norda 850 | 2,100 |    17 |"]


# ------------------------------------------------------------------ anything written as psql does

WORD = st.text("abcdefgxyzABC0123456789.,", min_size=1, max_size=7).filter(lambda word: word[0].isalnum())
CELL = st.lists(WORD, min_size=1, max_size=3).map(" ".join)


@st.composite
def results(draw: st.DrawFn) -> list[list[str]]:
    """Headings and rows of words; cells below the headings may be empty, rows may not."""
    width = draw(st.integers(2, 5))
    head = draw(st.lists(CELL, min_size=width, max_size=width))
    row = st.lists(st.one_of(CELL, st.just("")), min_size=width, max_size=width).filter(any)
    return [head, *draw(st.lists(row, min_size=1, max_size=7))]


def psql(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as psql writes them: headings in the middle, numbers at the right, the number of rows below."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    head = "|".join(f" {text:^{width}} " for text, width in zip(rows[0], widths, strict=True))
    rule = "+".join("-" * (width + 2) for width in widths)
    body = [
        "|".join(
            f" {text:>{width}} " if text.isdecimal() else f" {text:<{width}} "
            for text, width in zip(row, widths, strict=True)
        )
        for row in rows[1:]
    ]
    return [line.rstrip() for line in (head, rule, *body)] + [f"({len(body)} rows)"]


def mysql(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as MySQL writes them, in a box."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = "+".join(["", *("-" * (width + 2) for width in widths), ""])
    lines = ["|".join(["", *(f" {t:<{w}} " for t, w in zip(row, widths, strict=True)), ""]) for row in rows]
    return [rule, lines[0], rule, *lines[1:], rule]


@pytest.mark.slow
@settings(max_examples=60)
@given(rows=results(), write=st.sampled_from([psql, mysql]))
def test_whatever_a_database_prints_is_read_back(
    rows: list[list[str]], write: Callable[[Sequence[Sequence[str]]], list[str]]
) -> None:
    """Any rows of words, printed as databases print them, come back exactly, headings told from rows."""
    (table,) = find_tables(fixed_width(write(rows)), settings=ANY_SCORE)
    assert (table.rows, table.header_rows) == (rows, 1)


@settings(max_examples=20)
@given(rows=results(), by=st.tuples(st.integers(0, 2000), st.integers(0, 2000)))
def test_moving_the_page_changes_no_word(rows: list[list[str]], by: tuple[int, int]) -> None:
    """Where the text stands does not matter."""
    page = fixed_width(psql(rows))
    here, there = (find_tables(one, settings=ANY_SCORE) for one in (page, shifted(page, *by)))
    assert rows_of(here) == rows_of(there)
    assert [table.score for table in here] == [table.score for table in there]
