"""Tables as reports set them: each test is one kind of layout that once came out wrong."""

import pytest

from sightline.extract.structure import trace_structure
from sightline.extract.structure._white_runs import cut_at_rivers, parts_between, titles_between

from ...sources.pdf._bare import bare
from ...sources.pdf._write import drawn, pdf, put, rows
from ._made import LETTER, written
from ._made import rows as made_rows
from ._sheets import grid, opened, prose

TOP = 600
STATES = [
    ["Albany", "1614", "Hudson"],
    ["Boston", "1630", "Charles"],
    ["Concord", "1725", "Merrimack"],
    ["Denver", "1858", "Platte"],
    ["Elko", "1868", "Humboldt"],
]


def test_headings_centred_over_words_make_no_columns() -> None:
    """Headings that overlap nothing below them name the column they are over, one each."""
    heads = put("City", 130, TOP + 16) + put("Founded", 258, TOP + 16) + put("River", 415, TOP + 16)
    content = heads + rows(STATES, [80, 200, 340], TOP) + prose()
    assert grid(opened(content)) == [["City", "Founded", "River"], *STATES]


def test_heading_over_an_empty_column_is_not_lost() -> None:
    """A heading with nothing below it keeps its column where those beside it have headings of their own."""
    heads = [["City", "Founded", "Notes", "River"]]
    body = [[city, year, "", river] for city, year, river in STATES]
    content = rows([*heads, *body], [80, 180, 280, 380], TOP) + prose()
    assert grid(opened(content))[0] == heads[0]


def test_columns_set_close_are_parted_by_the_white_that_runs_down() -> None:
    """Words 6 pixels apart read as one line; where the white goes on in all rows, it parts cells."""
    words, lines = written(["aaaa", "bbbb", "cc"], ["dddd", "eeee", "ff"], ["gggg", "hhhh", "ii"], gap=6.0)
    expected = ["aaaa", "bbbb", "cc", "dddd", "eeee", "ff", "gggg", "hhhh", "ii"]
    assert [line.text for line in cut_at_rivers(words, lines)] == expected


@pytest.mark.parametrize("gap", [3.0, 6.0])
def test_running_text_has_no_rivers(gap: float) -> None:
    """Blanks that are not below each other part nothing, be they narrow or those of justified text."""
    texts = (
        ["a", "paragraph", "of", "running", "text"],
        ["which", "goes", "on", "and", "on", "here"],
        ["until", "it", "comes", "to", "its", "end"],
    )
    words, lines = written(*texts, gap=gap)
    assert len(cut_at_rivers(words, lines)) == 3


def test_blanks_of_type_of_one_width_are_no_gaps() -> None:
    """In typewritten lines every blank is as wide as a letter, and some of them stand below each other."""
    typed = [["ore", "and", "tin"], ["oil", "and", "gas"], ["tea", "for", "two"], ["men", "and", "ice"]]
    words, lines = written(*typed, gap=LETTER)
    assert cut_at_rivers(words, lines) == lines


HEADS = ["Item", "Male", "Female"]
FIRST = [["Births", "210", "198"], ["Deaths", "190", "201"], ["Moves", "15", "31"]]
SECOND = [["Exports", "7.5", "8.1"], ["Imports", "9.0", "6.2"], ["Balance", "1.5", "1.9"]]


@pytest.mark.parametrize("heads", [HEADS, ["Item", "Value", "Share"]])
@pytest.mark.parametrize("ruled", [False, True])
def test_title_between_two_tables_parts_them(*, heads: list[str], ruled: bool) -> None:
    """The same headings again, or other words over columns of numbers, begin a new table below a title."""
    title = [["Trade in goods", "", ""]]
    content = rows([HEADS, *FIRST, *title, heads, *SECOND], [80, 240, 340], TOP) + prose()
    if ruled:
        content += b"".join(drawn(70, TOP + 12 - 16 * row, 400, TOP + 12 - 16 * row) for row in (0, 1, 9))
    page = opened(content)
    assert [grid(page, 0), grid(page, 1)] == [[HEADS, *FIRST], [heads, *SECOND]]


def test_row_that_names_a_group_parts_nothing() -> None:
    """Below the name of a group come numbers at once."""
    group = [["Trade in goods", "", ""]]
    assert grid(opened(rows([HEADS, *FIRST, *group, *SECOND], [80, 240, 340], TOP) + prose())) == [
        HEADS,
        *FIRST,
        *group,
        *SECOND,
    ]
    assert titles_between(made_rows([HEADS, *FIRST, *group, *SECOND], [0, 150, 250])) == []


def test_parts_are_what_titles_leave() -> None:
    """Every title takes its rows out."""
    assert parts_between(12, [(3, 4), (8, 10)]) == [(0, 3), (4, 8), (10, 12)]


def test_names_of_groups_over_the_middle_span_all_columns() -> None:
    """Lines alone over the middle of a table, twice, belong to no column and continue no cell."""
    parts = [rows([HEADS, *FIRST], [80, 240, 340], TOP), rows(SECOND, [80, 240, 340], TOP - 16 * 5)]
    middle = (80 + 340 + 28) / 2
    names = put("North", middle - 14, TOP - 16 * 4) + put("South", middle - 14, TOP - 16 * 8)
    rest = rows([["Rents", "3.5", "2.1"], ["Wages", "4.0", "4.2"]], [80, 240, 340], TOP - 16 * 9)
    trace = trace_structure(bare(pdf(b"".join(parts) + names + rest + prose())))
    ((table,),) = trace.tables
    whole = [trace.layout.words.in_lines(cell.words) for cell in table.cells if cell.columns == 3]
    assert (table.rows, whole) == (11, ["North", "South"])


def test_dots_with_blanks_between_them_are_no_words() -> None:
    """A label with spaced dots behind it is no running text, however many dots there are."""
    dots = " ".join("." * 24)
    labels = [[f"{label} {dots}", value] for label, value in (("Births", "210"), ("Deaths", "190"), ("Moves", "15"))]
    found = grid(opened(rows(labels, [80, 380], TOP) + prose()))
    assert [row[1] for row in found] == ["210", "190", "15"]


def test_rows_set_wide_are_one_table() -> None:
    """Where rows are all equally far apart, it does not matter how far."""
    content = rows([HEADS, *FIRST, *SECOND], [80, 240, 340], TOP, step=30) + prose()
    assert grid(opened(content)) == [HEADS, *FIRST, *SECOND]


def test_range_below_a_heading_is_data() -> None:
    """The first row of years or ranges ends the headings, though they are no single numbers."""
    body = [["Turner", "2006-2007"], ["McElroy", "2008-2010"], ["Merrill", "2011"], ["Quinlan", "2012-2013"]]
    content = rows([["Name", "Seasons"], *body], [80, 240], TOP, step=12) + prose()
    assert grid(opened(content)) == [["Name", "Seasons"], *body]


def test_words_that_come_again_are_no_running_text() -> None:
    """Cells that begin with small letters are a table where they are alike."""
    body = [
        ["libfoo", "any", "same"],
        ["libbar", "any", "same"],
        ["libbaz", "all", "foreign"],
        ["libqux", "any", "same"],
    ]
    body += [["libbee", "any", "foreign"], ["libcow", "all", "same"]]
    assert grid(opened(rows(body, [80, 220, 340], TOP) + prose())) == body
