"""What rows and columns are for: headings, sections, totals."""

from collections.abc import Callable

import pytest

from sightline.data import Table
from sightline.errors import UsageError
from sightline.extract.tables import TableSettings, find_tables
from sightline.extract.tables._draft import GridView, PageTexts
from sightline.extract.tables._find import _Search
from sightline.extract.tables._headings import MEASURES as MEASURES_OF_HEADINGS
from sightline.extract.tables._headings import WEIGHTS, rows_by_tags
from sightline.page import Page
from sightline.testing import check_extractor, grid_page

from ._pages import STOCK, markup, rendered, static

YEARS = [["2021", "2022", "2023"], ["41", "42", "43"], ["51", "52", "53"], ["61", "62", "63"], ["71", "72", "73"]]
NUMBERS = [["17", "28", "90"], *YEARS[1:]]
NAMES = [
    ["__init__(left)", "Starts it."],
    ["by_key()", "Values by key."],
    ["change_key(old)", "Changes a key in place."],
]
MEASURES = [("Weight", 3), ("Height", 4), ("Depth", 5), ("Power", 9)]


def _only(body: str, css: str = "") -> Table:
    (table,) = find_tables(rendered(body, css))
    return table


def _headings(table: Table) -> tuple[int, int]:
    return table.header_rows, table.header_columns


@pytest.mark.parametrize(
    "style", ["font-weight:bold", "background:#cde", "font-weight:600;color:navy"], ids=["bold", "painted", "semibold"]
)
def test_a_row_that_looks_unlike_the_others_is_a_heading(style: str) -> None:
    """Weight or background of the first row make it the heading, also where all texts are numbers."""
    table = _only(markup(YEARS).replace("<tr>", f"<tr style='{style}'>", 1))
    assert _headings(table) == (1, 0)
    assert [cell.role for cell in table.cells[0]] == ["column header"] * 3
    assert table.names == ("2021", "2022", "2023")


def test_rows_in_turns_of_colour_have_no_painted_heading() -> None:
    """Every other row has a background of its own, the first among them: that does not make it a heading."""
    table = _only(markup(NUMBERS), "tr:nth-child(odd){background:#cde}")
    assert _headings(table) == (0, 0)


def test_words_over_numbers_are_a_heading() -> None:
    """Where nothing looks different the kinds of the texts tell; a first row of numbers is no heading."""
    (table,) = find_tables(grid_page(STOCK))
    assert _headings(table) == (1, 0)
    (table,) = find_tables(grid_page(NUMBERS))
    assert _headings(table) == (0, 0)


def test_years_over_numbers_are_a_heading() -> None:
    """Years that count up name the columns below them, though nothing looks different."""
    (table,) = find_tables(grid_page([["City", "2021", "2022"], ["Oslo", "41", "42"], ["Bern", "51", "52"]]))
    assert _headings(table) == (1, 0)


@pytest.mark.parametrize("open_page", [rendered, static])
def test_a_table_without_headings_keeps_its_first_row(open_page: Callable[[str], Page]) -> None:
    """Names with descriptions and no heading above: the first of them is a record like all others."""
    (table,) = find_tables(open_page(markup(NAMES)))
    assert table.header_rows == 0
    assert table.rows == NAMES


@pytest.mark.parametrize("open_page", [rendered, static])
def test_headings_without_tags_over_words_are_found(open_page: Callable[[str], Page]) -> None:
    """A first row that names columns of words is a heading, though it is made and looks like the rows below."""
    (table,) = find_tables(open_page(markup([["Function", "Description"], *NAMES])))
    assert table.names == ("Function", "Description")


def test_a_number_of_header_rows_that_is_not_sure_is_doubted() -> None:
    """The doubt names the flag and the number to try; the number given, there is no doubt."""
    page = static(markup([["Gold", "Silver"], ["Kim Ng", "Ann Lee"], ["Sam Poe", "Joe Fox"]]))
    (table,) = find_tables(page)
    (doubt,) = table.doubts
    assert doubt.endswith(f"use --header-rows {1 - table.header_rows}")
    assert table.to_json()["doubts"] == [doubt]
    assert Table.from_json(table.to_json()).doubts == (doubt,)
    (asked,) = find_tables(page, settings=TableSettings(header_rows=1))
    assert (asked.doubts, asked.to_json().get("doubts")) == ((), None)
    assert table.with_header_rows(1).doubts == ()


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        ("<tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4", 1),
        ("<tr><th>a<th colspan=2>b<tr><th>c<th>d<th>e<tr><th>1<td>2<td>3<tr><th>4<td>5<td>6", 2),
        ("<tr><th>a<td>1<tr><th>b<td>2<tr><th>c<td>3", 0),
        ("<tr><td>a<td>b<tr><td>1<td>2", None),
        ("<tr><th>a<th>b<tr><th>1<th>2<tr><th>3<th>4", None),
        ("<tr><th colspan=2>a<tr><td>b<td>c<tr><td>1<td>2", None),
        ("<tr><th>a<th>b<tr><td>1<td>2<tr><th>3<th>4<tr><th>5<th>6<tr><th>7<th>8", None),
    ],
    ids=["one", "two", "beside", "no tags", "all tags", "title", "tags below"],
)
def test_no_text_is_read_where_tags_leave_no_doubt(rows: str, count: int | None) -> None:
    """Rows of headings over rows of values are told by their tags alone; titles and doubtful tags are not."""
    search = _Search(PageTexts(static(f"<table>{rows}</table>")), None, TableSettings())
    (draft,) = search.drafts
    assert rows_by_tags(draft, GridView.of(draft)) == count


def test_every_measure_of_headings_has_a_weight() -> None:
    """The model was fitted to the measures that there are."""
    assert list(WEIGHTS) == list(MEASURES_OF_HEADINGS)


def test_tags_tell_headings_that_look_like_all_others() -> None:
    """`th` and `thead` are believed, where there are any."""
    plain = "th{font-weight:normal;text-align:left}"
    assert _headings(_only(markup(YEARS, head="th"), plain)) == (1, 0)
    body = "".join(f"<tr>{''.join(f'<td>{text}' for text in row)}" for row in YEARS[1:])
    head = "".join(f"<td>{text}" for text in YEARS[0])
    assert _headings(_only(f"<table border=1><thead><tr>{head}</thead><tbody>{body}</table>", plain)) == (1, 0)


TWO_LEVELS = (
    "<tr><{0} rowspan=2>Region<{0} colspan=2>2023<{0} colspan=2>2024<tr><{0}>Sold<{0}>Left<{0}>Sold<{0}>Left"
    + "".join(f"<tr><td>{name}<td>11<td>12<td>13<td>14" for name in ("North", "South", "East", "West"))
)


@pytest.mark.parametrize("tag", ["th", "td style='font-weight:bold'"], ids=["by tags", "by looks"])
def test_headings_of_two_levels_are_a_tree(tag: str) -> None:
    """A heading over two others is above them in the tree, and part of the names of their columns."""
    table = _only(f"<table border=1>{TWO_LEVELS.format(tag)}</table>")
    assert _headings(table) == (2, 0)
    assert table.names == ("Region", "2023 / Sold", "2023 / Left", "2024 / Sold", "2024 / Left")
    assert [(heading.text, [child.text for child in heading.children]) for heading in table.header_tree] == [
        ("Region", []),
        ("2023", ["Sold", "Left"]),
        ("2024", ["Sold", "Left"]),
    ]


@pytest.mark.parametrize(
    ("tag", "css"), [("th", ""), ("td class=b", ".b{font-weight:bold}"), ("td class=b", ".b{background:#cde}")]
)
def test_a_column_of_headings_makes_records_of_columns(tag: str, css: str) -> None:
    """Headings at the left name what the columns hold: each column is a record."""
    rows = "".join(f"<tr><{tag}>{name}<td>{value}<td>{2 * value}" for name, value in MEASURES)
    table = _only(f"<table border=1>{rows}</table>", css)
    assert _headings(table) == (0, 1)
    assert [line[0].role for line in table.cells] == ["row header"] * 4
    assert table.to_dicts() == [
        {name: str(value) for name, value in MEASURES},
        {name: str(2 * value) for name, value in MEASURES},
    ]


def test_headings_at_both_sides_meet_in_a_corner() -> None:
    """Above and at the left: the cell where both meet is the corner, and every value has two names."""
    rows = "".join(f"<tr><th>{name}<td>{value}<td>{2 * value}" for name, value in MEASURES)
    table = _only(f"<table border=1><tr><td>Measure<th>2021<th>2022{rows}</table>")
    assert (table.header_columns, table.cells[1][0].role) == (1, "row header")
    table = _only(f"<table border=1><tr><th>Measure<th>2021<th>2022{rows}</table>")
    assert _headings(table) == (1, 1)
    assert table.cells[0][0].role == "corner"
    triples = [(triple.subject, triple.predicate, triple.object.text) for triple in table.triples()]
    assert ("Depth", "2022", "10") in triples


def test_names_that_end_in_colons_are_headings() -> None:
    """Of two columns, of which the first says what is in the second, the first is a heading."""
    table = _only(markup([["Weight:", "5 kg"], ["Height:", "30 cm"], ["Colour:", "red"], ["Price:", "12 EUR"]]))
    assert _headings(table) == (0, 1)


SECTIONS = (
    "<table border=1><tr><th>Model<th>Price<th>Left"
    + "".join(
        f"<tr><td colspan=3>{name}<tr><td>{name[0]}1<td>10<td>3<tr><td>{name[0]}2<td>12<td>4"
        for name in ("Cameras", "Lenses")
    )
    + "<tr><td>{}<td>44<td>14</table>"
)


def test_headings_between_rows_become_a_column() -> None:
    """A row of one text over all columns is a section: it is no record, and the rows below it have it as a value."""
    table = _only(SECTIONS.format("L3"))
    assert [line[0].role for line in table.cells] == ["column header", *["section", "data", "data"] * 2, "data"]
    assert table.to_dicts()[2] == {"section": "Lenses", "Model": "L1", "Price": "10", "Left": "3"}
    assert [record["section"] for record in table.to_dicts()] == ["Cameras", "Cameras", "Lenses", "Lenses", "Lenses"]


@pytest.mark.parametrize("word", ["Total", "Grand total", "Subtotal", "Summe", "Gesamt", "Average", "Итого", "合計"])
def test_totals_are_told(word: str) -> None:
    """A row that begins with a word for a total, and has numbers, is one; it can be left out."""
    table = _only(SECTIONS.format(word))
    assert table.totals == (7,)
    assert table.without_totals().rows[-1][0] == "L2"


@pytest.mark.parametrize("word", ["Totally new", "Sumatra", "Allen", "Mediation", "Meaning"])
def test_names_that_begin_like_a_total_are_names(word: str) -> None:
    """Only the whole word counts."""
    assert _only(SECTIONS.format(word)).totals == ()


def test_a_word_for_a_total_in_the_heading_is_a_heading() -> None:
    """A column named "Total" does not make its heading a total."""
    table = _only(markup([["Total", "Year"], ["41", "2021"], ["42", "2022"], ["43", "2023"]], head="th"))
    assert (table.totals, table.header_rows) == ((), 1)


def test_origins_lead_to_what_was_read() -> None:
    """Every cell's origin names nodes whose text holds the cell's, and a box on the page; spans and sections too."""
    page = rendered(f"<h1>Years</h1><table border=1>{TWO_LEVELS.format('th')}</table>{SECTIONS.format('Total')}")
    check_extractor(find_tables, [page])
    assert len(find_tables(page)) == 2
    for table in find_tables(page):
        for cell in table.anchors:
            assert cell.origin is not None
            assert [page.text_of(node) for node in cell.origin.nodes] == [cell.text]


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("kind", ["rendered", "static", "words"])
def test_header_rows_can_be_asked_for(kind: str, count: int) -> None:
    """Tables of every kind have the header rows that are asked for, and what follows from them."""
    pages = {
        "rendered": lambda: rendered(markup(STOCK)),
        "static": lambda: static(markup(STOCK)),
        "words": lambda: rendered(
            "<pre>Name    Price  Left\n------  -----  ----\nArden    4299     3\nNorda    6499     1</pre>"
        ),
    }
    (table,) = find_tables(pages[kind](), settings=TableSettings(least_score=0, header_rows=count))
    assert table.header_rows == count
    assert len(table) == len(table.rows) - count


def test_more_header_rows_than_rows_are_refused() -> None:
    """The message names the table, and says what to do."""
    with pytest.raises(UsageError, match=r"99 header rows are more than any table here has rows .*; ask for fewer"):
        find_tables(rendered(markup(STOCK)), settings=TableSettings(header_rows=99))
