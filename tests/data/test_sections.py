"""Sections and totals: headings between rows, and rows that sum up others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Cell, Origin, Role, Table, Value


def cell(row: int, column: int, text: str, role: Role = "data", *, spans: tuple[int, int] = (1, 1)) -> Cell:
    """A cell in short."""
    return Cell(row, column, *spans, Value(text), role)


# City | Sold, with two sections and a total at the end of each.
SALES = Table(
    (
        cell(0, 0, "City", "column header"),
        cell(0, 1, "Sold", "column header"),
        cell(1, 0, "Kiosk"),
        cell(1, 1, "1"),
        cell(2, 0, "North", "section", spans=(1, 2)),
        cell(3, 0, "Kiel"),
        cell(3, 1, "5"),
        cell(4, 0, "Sum", "total"),
        cell(4, 1, "5", "total"),
        cell(5, 0, "South", "section"),
        cell(6, 0, "Ulm"),
        cell(6, 1, "7"),
    ),
    header_rows=1,
    evidence=(("lines", 0.5), ("prose", -0.1)),
)


def test_sections_become_a_column_and_no_records() -> None:
    """Each row knows the section above it; before the first there is none."""
    assert SALES.to_dicts() == [
        {"section": None, "City": "Kiosk", "Sold": "1"},
        {"section": "North", "City": "Kiel", "Sold": "5"},
        {"section": "North", "City": "Sum", "Sold": "5"},
        {"section": "South", "City": "Ulm", "Sold": "7"},
    ]
    assert str(SALES.records().schema) == "(section: text?, City: text, Sold: number)"


def test_section_stays_where_it_was_seen() -> None:
    """The value in the section's column has the origin of the section's cell."""
    origin = Origin("p", (3,), (0.0, 0.0, 9.0, 9.0))
    head = Cell(0, 0, value=Value("North", origin=origin), role="section")
    assert Table((head, cell(1, 0, "5"))).columns[0].cells == (Value("North", origin=origin),)


def test_section_column_has_a_name_of_its_own() -> None:
    """A column that is called section already keeps its name."""
    table = Table((cell(0, 0, "section", "column header"), cell(1, 0, "A", "section"), cell(2, 0, "5")), header_rows=1)
    assert table.to_dicts() == [{"section (2)": "A", "section": "5"}]


def test_rows_with_a_section_and_values_stay_records() -> None:
    """Only a row of nothing but sections is a heading; anything else would lose its values."""
    table = Table((cell(0, 0, "North", "section"), cell(0, 1, "5"), cell(1, 0, "Kiel"), cell(1, 1, "6")))
    assert [row["column 1"] for row in table.to_dicts()] == ["North", "Kiel"]
    assert len(table.columns) == 2


def test_sections_of_a_turned_table_go_in_front_of_its_names() -> None:
    """A list of specifications with headings between its lines: the same name may stand in two sections."""
    specs = Table(
        (
            cell(0, 0, "Body", "section", spans=(1, 2)),
            cell(1, 0, "Weight", "row header"),
            cell(1, 1, "5 kg"),
            cell(2, 0, "Lens", "section"),
            cell(3, 0, "Weight", "row header"),
            cell(3, 1, "2 kg"),
        ),
        header_columns=1,
    )
    assert specs.to_dicts() == [{"Body / Weight": "5 kg", "Lens / Weight": "2 kg"}]
    assert len(specs.names) == specs.upright.width


def test_table_of_sections_alone_has_no_records() -> None:
    """Headings without anything below them are no data, and no error."""
    table = Table((cell(0, 0, "A", "section"), cell(1, 0, "B", "section")))
    assert (table.to_dicts(), len(table.records()), table.triples()) == ([], 0, [])


def test_totals_are_rows_without_other_values() -> None:
    """Totals stay in the grid and in the records, and have their numbers."""
    assert SALES.totals == (4,)
    assert ["Sum", "5"] in SALES.rows
    assert SALES.transposed().totals == ()


def test_without_totals_the_rest_moves_up() -> None:
    """Everything but the totals is as before, spans and sections too."""
    short = SALES.without_totals()
    assert short.totals == ()
    assert [row["City"] for row in short.to_dicts()] == ["Kiosk", "Kiel", "Ulm"]
    assert [row["section"] for row in short.to_dicts()] == [None, "North", "South"]
    assert (short.header_rows, short.evidence) == (1, SALES.evidence)


def test_without_totals_a_table_that_has_none_is_the_same() -> None:
    """Nothing to cut is no copy."""
    table = Table.from_rows([["a"], ["1"]])
    assert table.without_totals() is table


def test_without_totals_a_heading_beside_is_cut() -> None:
    """A heading that reaches over a row and its total still stands beside the row."""
    cells = (cell(0, 0, "North", "row header", spans=(2, 1)), cell(0, 1, "5"), cell(1, 1, "5", "total"))
    assert Table(cells, header_columns=1).without_totals().anchors == (cell(0, 0, "North", "row header"), cells[1])


def test_evidence_is_kept_and_told_on_request_only() -> None:
    """The parts of the score are no part of the JSON contract, and not of what makes two tables equal."""
    assert SALES.transposed().evidence == SALES.evidence
    assert "evidence" not in SALES.to_json()
    told = SALES.to_json(evidence=True)
    assert told["evidence"] == {"lines": 0.5, "prose": -0.1}
    assert Table.from_json(told).evidence == SALES.evidence
    assert Table(SALES.anchors, 1) == SALES
    assert len({Table(SALES.anchors, 1), SALES}) == 1


def test_html_shows_sections_as_headings_and_totals_as_values() -> None:
    """As drawn on most pages."""
    assert '<th colspan="2">North</th>' in SALES.to_html()
    assert "<td>Sum</td>" in SALES.to_html()


def test_without_totals_a_table_may_become_narrower() -> None:
    """Columns that only the totals had go with them, headings too."""
    table = Table((cell(0, 0, "5"), cell(1, 0, "Sum", "row header"), cell(1, 1, "5", "total")), header_columns=2)
    assert (table.without_totals().rows, table.without_totals().header_columns) == ([["5"]], 1)


ROLES = st.sampled_from(["data", "section", "total", "hole", "row header", "column header"])


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Any small grid with any roles, also those that make no sense."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    cells = tuple(
        Cell(row, column, value=Value(draw(st.sampled_from(["", " ", "a", "5"]))), role=draw(ROLES))
        for row in range(height)
        for column in range(width)
    )
    return Table(cells, draw(st.integers(0, height)), draw(st.integers(0, width)))


@given(tables())
def test_json_round_trip_keeps_every_role(table: Table) -> None:
    """From JSON comes what went in."""
    assert Table.from_json(table.to_json()) == table


@given(tables())
def test_records_hold_every_value(table: Table) -> None:
    """Whatever the roles are, no text of a data or total cell below the headings is lost on the way to records."""
    upright = table.upright
    below = [cell for line in upright.cells[upright.header_rows :] for cell in line]
    values = [cell.text for cell in below if cell.role in ("data", "total")]
    found = [text for row in table.to_dicts() for text in row.values()]
    assert all(found.count(text) >= values.count(text) for text in values)
    assert len(table.records()) == len(table.to_dicts())


@given(tables())
def test_without_totals_no_totals_are_left(table: Table) -> None:
    """Cutting them once is enough, and costs exactly their rows."""
    short = table.without_totals()
    assert short.totals == ()
    cut = len(table.cells) - len(short.cells)
    assert cut == len(table.totals)


@given(tables())
def test_turning_twice_gives_the_same_table(table: Table) -> None:
    """Transposing is its own inverse with every role."""
    assert table.transposed().transposed() == table


@pytest.mark.parametrize("wrong", [{"evidence": 5}, {"evidence": [1]}])
def test_from_json_refuses_evidence_that_is_none(wrong: dict[str, object]) -> None:
    """A wrong document is the user's mistake, said in one sentence."""
    with pytest.raises(ValueError, match="not a table of the JSON contract"):
        Table.from_json(SALES.to_json() | wrong)


def test_a_note_is_seen_but_is_no_record() -> None:
    """A remark below the rows stays in the grid and out of records and exports."""
    note = Cell(2, 0, column_span=2, value=Value("* estimated"), role="note")
    head = [Cell(0, column, value=Value(text), role="column header") for column, text in enumerate(("City", "Sold"))]
    body = [Cell(1, column, value=Value(text)) for column, text in enumerate(("Ulm", "5*"))]
    table = Table((*head, *body, note), header_rows=1)
    assert table.rows[2] == ["* estimated", "* estimated"]
    assert table.to_dicts() == [{"City": "Ulm", "Sold": "5*"}]
    assert [triple.object.text for triple in table.triples()] == ["5*"]


def test_totals_have_no_say_in_the_type_of_a_column() -> None:
    """The name of a total, or what it has for a value, leaves a column of numbers a column of numbers."""
    rows = [["2021", "5"], ["2022", "7"], ["2023", "9"]]
    cells = [Cell(row, place, value=Value(text)) for row, line in enumerate(rows, 1) for place, text in enumerate(line)]
    head = [Cell(0, place, value=Value(name), role="column header") for place, name in enumerate(("Rank", "Sold"))]
    total = [Cell(4, 0, value=Value("Total"), role="total"), Cell(4, 1, value=Value("21 (all)"), role="total")]
    table = Table((*head, *cells, *total), header_rows=1)
    assert [column.type.kind for column in table.columns] == ["number", "number"]
    assert table["Sold"].values == (5, 7, 9, None)
    assert table["Sold"].misfits == ()
    assert table.to_dicts()[-1] == {"Rank": "Total", "Sold": "21 (all)"}
    whole = Table((*head, *cells, *(Cell(4, cell.column, value=cell.value) for cell in total)), header_rows=1)
    assert whole["Sold"].type.kind == "text"  # any other row still has its say
