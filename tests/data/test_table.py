"""Tables: the grid, the headings, the way to records and JSON."""

import pickle

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Cell, Heading, Origin, Table, Value
from sightline.errors import UsageError


def cell(row: int, column: int, text: str, *, spans: tuple[int, int] = (1, 1), role: str = "data") -> Cell:
    """A cell in short."""
    return Cell(row, column, *spans, Value(text), role)  # type: ignore[arg-type]


TWO_LEVELS = Table(
    (
        cell(0, 0, "Name", spans=(2, 1), role="corner"),
        cell(0, 1, "2024", spans=(1, 2), role="column header"),
        cell(1, 1, "Q1", role="column header"),
        cell(1, 2, "Q2", role="column header"),
        cell(2, 0, "North", role="row header"),
        cell(2, 1, "5"),
        cell(2, 2, "7"),
    ),
    header_rows=2,
    header_columns=1,
)


def test_cells_repeat_the_same_object_over_its_spans() -> None:
    """A spanning cell stands in each of its places as one object."""
    assert TWO_LEVELS.cells[0][1] is TWO_LEVELS.cells[0][2]
    assert TWO_LEVELS.cells[0][0] is TWO_LEVELS.cells[1][0]
    assert TWO_LEVELS.rows == [["Name", "2024", "2024"], ["Name", "Q1", "Q2"], ["North", "5", "7"]]


def test_names_join_the_levels_of_headings() -> None:
    """A heading that spans rows stands once in a name."""
    assert TWO_LEVELS.names == ("Name", "2024 / Q1", "2024 / Q2")
    assert TWO_LEVELS.column_names(".") == ("Name", "2024.Q1", "2024.Q2")


def test_a_title_over_all_columns_is_in_no_name() -> None:
    """A first header row that is one cell is a caption: it tells no column from another. The tree keeps it."""
    heads = (
        Cell(0, 0, column_span=2, value=Value("Medals of 2024"), role="column header"),
        Cell(1, 0, value=Value("Country"), role="column header"),
        Cell(1, 1, value=Value("Gold"), role="column header"),
    )
    values = (Cell(2, 0, value=Value("Norway")), Cell(2, 1, value=Value("4")))
    table = Table((*heads, *values), header_rows=2)
    assert table.names == ("Country", "Gold")
    assert table.to_dicts() == [{"Country": "Norway", "Gold": "4"}]
    assert [heading.text for heading in table.header_tree] == ["Medals of 2024"]


def test_header_tree_nests_headings_by_their_columns() -> None:
    """Each heading holds those below it."""
    quarters = (Heading("Q1", 1, 2), Heading("Q2", 2, 3))
    assert TWO_LEVELS.header_tree == (Heading("Name", 0, 1), Heading("2024", 1, 3, quarters))


def test_names_are_numbered_when_empty_and_counted_when_double() -> None:
    """Every column has a name of its own."""
    table = Table.from_rows([["a", "", "a", " \n"], ["1", "2", "3", "4"]])
    assert table.names == ("a", "column 2", "a (2)", "column 4")


def test_names_without_headings_are_numbers() -> None:
    """A table without headings still has names."""
    assert Table.from_rows([["1", "2"]], header_rows=0).names == ("column 1", "column 2")


@given(st.lists(st.sampled_from(["a", "a (2)", "a (3)", "", "column 2"]), min_size=1, max_size=8))
def test_names_are_always_different(headings: list[str]) -> None:
    """No two columns share a name, whatever the headings are."""
    names = Table.from_rows([headings, headings]).names
    assert len(set(names)) == len(names) == len(headings)


def test_cells_that_overlap_are_refused() -> None:
    """Two cells cannot stand in one place."""
    with pytest.raises(UsageError, match="overlap: the one at row 0"):
        Table((cell(0, 0, "a", spans=(1, 2)), cell(0, 1, "b")))


def test_holes_become_empty_cells_of_their_own_role() -> None:
    """A place without a cell is a hole: empty in the grid, not found in the records."""
    table = Table((*(cell(0, place, name) for place, name in enumerate("ab")), cell(1, 0, "")), header_rows=1)
    assert table.cells[1][1].role == "hole"
    assert table.rows[1] == ["", ""]
    assert table.to_dicts() == [{"a": "", "b": None}]


def test_spans_too_large_are_refused_before_memory_is_taken() -> None:
    """A colspan bomb is an error at once."""
    with pytest.raises(UsageError, match="positions"):
        Table((cell(0, 0, "a", spans=(65534, 1000)),))


@pytest.mark.parametrize("header", [{"header_rows": 3}, {"header_columns": 9}, {"header_rows": -1}])
def test_headers_outside_the_table_are_refused(header: dict[str, int]) -> None:
    """There cannot be more headings than rows or columns."""
    with pytest.raises(UsageError, match="cannot have"):
        Table((cell(0, 0, "a"),), **header)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"row": -1}, {"column": -1}, {"row_span": 0}, {"column_span": -2}, {"role": "x"}])
def test_cell_refuses_impossible_places_and_roles(wrong: dict[str, object]) -> None:
    """A cell has a place, a size and a role that exist."""
    with pytest.raises(UsageError):
        Cell(**{"row": 0, "column": 0, **wrong})  # type: ignore[arg-type]


def test_table_with_headings_at_the_left_is_turned_for_records() -> None:
    """Headings name columns; the grid stays as drawn."""
    specs = Table.from_rows([["Weight", "5 kg", "6 kg"], ["Height", "3 cm", "4 cm"]], header_rows=0, header_columns=1)
    assert specs.rows[0] == ["Weight", "5 kg", "6 kg"]
    assert specs.to_dicts() == [{"Weight": "5 kg", "Height": "3 cm"}, {"Weight": "6 kg", "Height": "4 cm"}]
    assert specs.upright.cells[0][0].role == "column header"


def test_table_turned_twice_is_the_same() -> None:
    """Transposing is its own inverse."""
    assert TWO_LEVELS.transposed().transposed() == TWO_LEVELS


def test_repeated_heads_are_no_records() -> None:
    """A long table's repeated headings are not data."""
    rows = [["a", "b"], ["1", "2"]]
    again = tuple(cell(2, place, name, role="column header") for place, name in enumerate("ab"))
    table = Table((*Table.from_rows(rows).anchors, *again, cell(3, 0, "3"), cell(3, 1, "4")), header_rows=1)
    assert table.to_dicts() == [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]


def test_records_of_a_table_are_typed_and_keep_origins() -> None:
    """A row's values have types from their columns and places from their cells."""
    origin = Origin("p", (4,), (0.0, 0.0, 5.0, 5.0))
    body = Cell(1, 0, value=Value("1.234,50 €", origin=origin))
    table = Table((cell(0, 0, "Preis", role="column header"), body), header_rows=1, language="de")
    (record,) = table.records()
    value = record["Preis"]
    assert isinstance(value, Value)
    assert (str(value.value), value.origin) == ("1234.50", origin)
    assert str(table.records().schema) == "(Preis: money EUR)"


def test_to_json_has_exactly_the_names_of_the_contract() -> None:
    """Scripts outside rely on these names."""
    document = TWO_LEVELS.to_json()
    names = ["rows", "header_rows", "header_columns", "cells", "caption", "box", "sheet", "score"]
    assert list(document) == names
    assert list(document["cells"][0]) == ["row", "column", "row_span", "column_span", "text", "role"]


def test_to_json_with_origins_adds_the_place_of_each_cell() -> None:
    """Box and XPath come on request."""
    table = Table((Cell(0, 0, value=Value("a", origin=Origin("p", (1,), (0.0, 1.0, 2.0, 3.0)))),))
    place = table.to_json(origins=True, xpath=lambda _: "/td")["cells"][0]
    assert (place["xpath"], place["box"]) == ("/td", [0.0, 1.0, 2.0, 3.0])


def test_to_json_can_always_be_written() -> None:
    """A lone surrogate in a page's text does not stop the document."""
    assert orjson.dumps(Table.from_rows([["\ud800"]], caption="\udfff").to_json())


@pytest.mark.parametrize("document", [{}, {"cells": [{}]}, {"cells": 5}])
def test_from_json_refuses_what_is_no_table(document: dict[str, object]) -> None:
    """A wrong document is the user's mistake, said in one sentence."""
    with pytest.raises(UsageError, match="not a table of the JSON contract"):
        Table.from_json(document)


@given(st.lists(st.lists(st.none() | st.text(max_size=5), min_size=2, max_size=2), min_size=1, max_size=4))
def test_json_round_trip_gives_the_same_table(rows: list[list[str | None]]) -> None:
    """From JSON comes what went in."""
    table = Table.from_rows(rows, caption="c", box=(0.0, 0.0, 1.0, 1.0), score=0.5)
    assert Table.from_json(table.to_json()) == table


def test_table_survives_pickling_after_use() -> None:
    """Cached columns do not stand in the way of other processes."""
    TWO_LEVELS.to_dicts(typed=True)
    assert pickle.loads(pickle.dumps(TWO_LEVELS)) == TWO_LEVELS


def test_table_shows_few_rows_escaped_and_says_how_many_more() -> None:
    """A notebook gets a small table that runs nothing."""
    table = Table.from_rows([["<b>"]] + [[str(number)] for number in range(100)])
    html = table._repr_html_()
    assert "&lt;b&gt;" in html
    assert "… 81 more rows" in html


def test_html_keeps_spans_and_headings() -> None:
    """The page's table can be drawn again."""
    html = TWO_LEVELS.to_html()
    assert '<th rowspan="2">Name</th><th colspan="2">2024</th>' in html
    assert "<td>5</td>" in html


def test_empty_table_exports_without_complaint() -> None:
    """Nothing found is not a failure."""
    table = Table(())
    assert (table.rows, table.names, table.to_dicts(), len(table.records())) == ([], (), [], 0)
    assert "<table>" in table._repr_html_()


# ---------------------------------------------------------------------- other header rows


def test_header_rows_can_be_set() -> None:
    """Names, types, records and exports follow; the cells know their new roles, and the table itself stays."""
    table = Table.from_rows([["Shop", "Sales"], ["", "EUR"], ["North", "5"], ["South", "7"]])
    headed = table.with_header_rows(2)
    assert (table.header_rows, headed.header_rows) == (1, 2)
    assert headed.to_dicts(typed=True) == [{"Shop": "North", "Sales / EUR": 5}, {"Shop": "South", "Sales / EUR": 7}]
    assert [cell.role for cell in headed.cells[1]] == ["column header"] * 2
    assert "<th>EUR</th>" in headed.to_html()
    assert headed.with_header_rows(1) == table


def test_without_header_rows_all_rows_are_records() -> None:
    """No headings are as good as any number, and rows that repeated them are records again."""
    rows = [["Shop", "Sales"], ["North", "5"], ["Shop", "Sales"], ["South", "7"]]
    headed = Table.from_rows(rows, header_rows=0).with_header_rows(1)
    assert headed.to_dicts() == [{"Shop": "North", "Sales": "5"}, {"Shop": "South", "Sales": "7"}]
    bare = headed.with_header_rows(0)
    assert bare.names == ("column 1", "column 2")
    assert [list(row.values()) for row in bare.to_dicts()] == rows


def test_header_rows_keep_the_headings_beside() -> None:
    """Where both meet is a corner; sections and totals below stay what they are, holes always do."""
    cells = (cell(0, 0, "2024"), cell(0, 1, "Q1"), cell(1, 0, "All", role="section"), cell(2, 0, "Sum", role="total"))
    table = Table(cells, header_columns=1).with_header_rows(1)
    roles = [[place.role for place in line] for line in table.cells]
    assert roles == [["corner", "column header"], ["section", "hole"], ["total", "hole"]]
    assert TWO_LEVELS.with_header_rows(1).cells[1][1].role == "data"
    assert TWO_LEVELS.with_header_rows(3).cells[2][0].role == "corner"
    assert TWO_LEVELS.with_header_rows(2) == TWO_LEVELS


@pytest.mark.parametrize("count", [-1, 4])
def test_header_rows_that_a_table_does_not_have_are_refused(count: int) -> None:
    """The message says how many rows there are."""
    with pytest.raises(UsageError, match=f"A table of 3 rows cannot have {count} header rows"):
        TWO_LEVELS.with_header_rows(count)


def test_a_cell_over_several_columns_is_said_once() -> None:
    """An infobox whose values span three columns has them once, not again under invented names; single cells stay."""
    spanning = [
        Cell(0, 0, column_span=4, value=Value("Ulm"), role="column header"),
        *(Cell(row, 0, value=Value(label)) for row, label in ((1, "Country"), (2, "Area"))),
        *(Cell(row, 1, column_span=3, value=Value(text)) for row, text in ((1, "Germany"), (2, "118 km²"))),
    ]
    table = Table(tuple(spanning), header_rows=1)
    assert table.to_dicts() == [{"Ulm": "Country", "Ulm (2)": "Germany"}, {"Ulm": "Area", "Ulm (2)": "118 km²"}]
    parted = [
        *spanning[:-1],
        *(Cell(2, place, value=Value(text)) for place, text in ((1, "118"), (2, "km²"), (3, "x"))),
    ]
    assert [len(row) for row in Table(tuple(parted), header_rows=1).to_dicts()] == [4, 4]
