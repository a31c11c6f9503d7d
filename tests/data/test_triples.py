"""Triples: of whom, what, and the value."""

import pickle

from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Cell, Origin, Role, Table, Triple, Value


def cell(row: int, column: int, text: str, role: Role = "data", *, spans: tuple[int, int] = (1, 1)) -> Cell:
    """A cell in short."""
    return Cell(row, column, *spans, Value(text), role)


def told(table: Table) -> list[tuple[str, str, str]]:
    """The triples in short."""
    return [(triple.subject, triple.predicate, triple.object.text) for triple in table.triples()]


def test_first_column_names_the_rows_where_nothing_else_does() -> None:
    """Its own cells are subjects and no objects."""
    table = Table.from_rows([["Name", "Price", "Stock"], ["EOS", "5", "2"], ["Z7", "6", ""]])
    assert told(table) == [("EOS", "Price", "5"), ("EOS", "Stock", "2"), ("Z7", "Price", "6")]


def test_two_way_table_speaks_of_its_row_headings() -> None:
    """Row headings of several levels are joined like those over the columns."""
    table = Table(
        (
            cell(0, 0, "", "corner", spans=(2, 2)),
            cell(0, 2, "2024", "column header", spans=(1, 2)),
            cell(1, 2, "Q1", "column header"),
            cell(1, 3, "Q2", "column header"),
            cell(2, 0, "North", "row header", spans=(2, 1)),
            cell(2, 1, "Kiel", "row header"),
            cell(2, 2, "5"),
            cell(2, 3, "6"),
            cell(3, 1, "Ulm", "row header"),
            cell(3, 2, "7"),
        ),
        header_rows=2,
        header_columns=2,
    )
    assert told(table) == [
        ("North / Kiel", "2024 / Q1", "5"),
        ("North / Kiel", "2024 / Q2", "6"),
        ("North / Ulm", "2024 / Q1", "7"),
    ]


def test_objects_keep_their_origin() -> None:
    """A fact can be followed back to the place where it was seen."""
    value = Value("5", origin=Origin("p", (7,), (0.0, 0.0, 5.0, 5.0)))
    table = Table((cell(0, 0, "EOS"), Cell(0, 1, value=value)))
    assert table.triples() == [Triple("EOS", "column 2", value)]
    assert pickle.loads(pickle.dumps(table.triples())) == table.triples()


def test_records_in_columns_are_told_like_records_in_rows() -> None:
    """Headings at the left only: each column is a record, named by its first value."""
    specs = Table.from_rows([["Name", "EOS", "Z7"], ["Weight", "5 kg", "6 kg"]], header_rows=0, header_columns=1)
    assert told(specs) == [("EOS", "Weight", "5 kg"), ("Z7", "Weight", "6 kg")]


def test_single_record_is_named_by_the_caption() -> None:
    """A list of specifications is about what its caption says; its first line is a fact like the others."""
    rows = [["Weight", "5 kg"], ["Height", "3 cm"]]
    specs = Table.from_rows(rows, header_rows=0, header_columns=1, caption="EOS 5D")
    assert told(specs) == [("EOS 5D", "Weight", "5 kg"), ("EOS 5D", "Height", "3 cm")]
    assert told(Table.from_rows(rows, header_rows=0, header_columns=1))[0] == ("1", "Weight", "5 kg")


def test_sections_stand_in_front_of_subjects() -> None:
    """The same name in two sections is two things."""
    table = Table(
        (
            cell(0, 0, "Name", "column header"),
            cell(0, 1, "Price", "column header"),
            cell(1, 0, "New", "section", spans=(1, 2)),
            cell(2, 0, "EOS"),
            cell(2, 1, "5"),
            cell(3, 0, "Used", "section", spans=(1, 2)),
            cell(4, 0, "EOS"),
            cell(4, 1, "3"),
            cell(5, 0, "Sum", "total"),
            cell(5, 1, "8", "total"),
        ),
        header_rows=1,
    )
    assert told(table) == [("New / EOS", "Price", "5"), ("Used / EOS", "Price", "3"), ("Used / Sum", "Price", "8")]
    assert told(table.without_totals()) == told(table)[:2]


def test_spanning_values_are_told_of_all_that_they_cover() -> None:
    """One cell over two columns and two rows is four facts."""
    head = tuple(cell(0, place, name, "column header") for place, name in enumerate("abc"))
    table = Table((*head, cell(1, 0, "x"), cell(2, 0, "y"), cell(1, 1, "5", spans=(2, 2))), header_rows=1)
    assert told(table) == [("x", "b", "5"), ("x", "c", "5"), ("y", "b", "5"), ("y", "c", "5")]


def test_rows_without_a_name_are_called_by_their_number() -> None:
    """Neither a single column nor an empty first cell leaves a fact without a subject."""
    assert told(Table.from_rows([["a"], ["x"], ["y"]])) == [("1", "a", "x"), ("2", "a", "y")]
    assert told(Table.from_rows([["a", "b"], [" ", "5"]])) == [("1", "b", "5")]


def test_repeated_headings_and_holes_say_nothing() -> None:
    """Only values are told."""
    again = tuple(cell(2, place, name, "column header") for place, name in enumerate("ab"))
    table = Table((*Table.from_rows([["a", "b"], ["1", None]]).anchors, *again), header_rows=1)
    assert told(table) == []


@given(
    st.lists(st.lists(st.none() | st.sampled_from(["", "x", "y"]), min_size=3, max_size=3), min_size=1, max_size=5),
    st.integers(0, 3),
    st.booleans(),
)
def test_every_value_beside_the_names_is_told_once(rows: list[list[str | None]], beside: int, headed: bool) -> None:
    """Subjects and predicates are never empty, and there are as many facts as values."""
    table = Table.from_rows(rows, header_rows=int(headed), header_columns=beside)
    triples = table.triples()
    assert all(triple.subject and triple.predicate for triple in triples)
    upright = table.upright
    lines = upright.cells[upright.header_rows :]
    alone = upright is not table and len(lines) == 1
    naming = upright.header_columns or (0 if alone or upright.width == 1 else 1)
    expected = [one.text for line in lines for one in line[naming:] if one.text and one.role == "data"]
    assert [triple.object.text for triple in triples] == expected


def test_a_rank_does_not_name_a_row() -> None:
    """Of a league table the club is told, not the place; where nothing else names the rows, the number does."""
    league = Table.from_rows([["Pos", "Club", "Points"], ["1", "Arsenal", "71"], ["2.", "Chelsea", "68"]])
    assert told(league)[:2] == [("Arsenal", "Pos", "1"), ("Arsenal", "Points", "71")]
    assert told(Table.from_rows([["Year", "Tons"], ["1990", "12"]])) == [("1990", "Tons", "12")]
