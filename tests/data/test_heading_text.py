"""Units and notes in headings: what they say of a column, and what they must never do to its values."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Cell, Column, Records, Table, Value

UNITS = ["kg", "€", "km²", "%", "US$ million", "km/h", "°C", "EUR", "thousands", "people/km²", "'000 t", "GWh", "£m"]
MARKS = ["*", "†", "[3]", "[a]", "[note 2]"]
LABELS = st.sampled_from(["Weight", "GDP per head", "Fläche", "人口", "Output 2024", "Name (short)", "A / B"])
NAMES = st.text(alphabet="abkgmtWL %€$°²¹()[]（）/,.*†'0123 inen", max_size=30)
NUMBERS = st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=6)


def column(name: str, *texts: str, language: str | None = None) -> Column:
    """A column of texts."""
    return Column(name, tuple(map(Value, texts)), language=language)


@pytest.mark.parametrize(
    ("name", "label", "unit", "notes"),
    [
        ("Weight (kg)", "Weight", "kg", ()),
        ("Price [€]", "Price", "€", ()),
        ("Area, km²", "Area", "km²", ()),
        ("Population[3]", "Population", None, ("[3]",)),
        ("GDP (US$ million)*", "GDP", "US$ million", ("*",)),
        ("GDP[1] (nominal, US$ bn)†", "GDP[1] (nominal)", "US$ bn", ("†",)),
        ("Speed in km/h", "Speed", "km/h", ()),
        ("Revenue (in millions)", "Revenue", "millions", ()),
        ("Density (people/km²)[b]", "Density", "people/km²", ("[b]",)),
        ("Länge [m]", "Länge", "m", ()),
        ("Depth[m]", "Depth", None, ("[m]",)),
        ("Cup[A] / Goals", "Cup / Goals", None, ("[A]",)),
        ("Price(€)", "Price", "€", ()),
        ("Emissions (kt) / 2023", "Emissions / 2023", "kt", ()),
        ("Votes / %", "Votes", "%", ()),
        ("Distance / km", "Distance", "km", ()),
        ("Speed (km / h)", "Speed", "km / h", ()),
        ("Price (€) (2)", "Price (2)", "€", ()),
        ("Rank¹", "Rank", None, ("¹",)),
        ("(kg)", "kg", "kg", ()),
        ("%", "%", "%", ()),
    ],
)
def test_heading_is_taken_apart(name: str, label: str, unit: str | None, notes: tuple[str, ...]) -> None:
    """A heading has a name, perhaps a unit, perhaps marks of notes."""
    read = column(name)
    assert (read.label, read.unit, read.notes) == (label, unit, notes)


@pytest.mark.parametrize(
    "name",
    ["Year", "Win %", "R²", "Name (English)", "Population (2020)", "Record (W/L)", "Votes (DEM)", "Einwohner/km²", "L",
     "Home / W", "Wins (W)", "Time (t)", "Matches played (MP)", "Born in Ulm", "Point(s)", "Pct.", "Rank (1000)",
     "*", "[1]", ""],
)  # fmt: skip
def test_heading_without_unit_is_left_alone(name: str) -> None:
    """What only looks like a unit stays a part of the name, and numbers below it stay plain."""
    read = column(name, "5", "7")
    assert (read.label, read.unit, str(read.type), read.values) == (name, None, "number", (5, 7))


@pytest.mark.parametrize(
    ("name", "texts", "kind", "values"),
    [
        ("Weight (kg)", ("5", "7.5", "500 g"), "measure kg", (5.0, 7.5, 0.5)),
        ("Price [€]", ("5", "1,200.50"), "money EUR", (Decimal(5), Decimal("1200.50"))),
        ("Change in %", ("−4.1", "2"), "measure %", (-4.1, 2.0)),
        ("Harvest (t)", ("1.5", "20 kg"), "measure t", (1.5, 0.02)),
        ("GDP (US$ million)*", ("1,234.5", "20"), "number", (1234.5, 20.0)),
        ("Sales (in millions)", ("$ 1,234", "20"), "money USD", (Decimal(1234), Decimal(20))),
        ("Sales (US$ million)", ("5", "US$ 2 bn"), "text", ("5", "US$ 2 bn")),
        ("People (thousands)", ("83", "1,204"), "number", (83, 1204)),
        ("Area (sq mi)", ("5", "7"), "measure mi²", (5.0, 7.0)),
        ("Density (people/km²)", ("231", "7"), "number", (231, 7)),
        ("Weight (kg)", ("5 lb", "7 lb"), "measure lb", (5.0, 7.0)),
        ("Price (€)", ("$5", "$7"), "money USD", (Decimal(5), Decimal(7))),
        ("Sold (kg)", ("May 5, 2024", "June 7, 2024"), "date", None),
        ("Name (kg)", ("Ulm", "Kiel"), "text", ("Ulm", "Kiel")),
    ],
)
def test_plain_numbers_are_in_the_unit_of_their_heading(
    name: str, texts: tuple[str, ...], kind: str, values: tuple[object, ...] | None
) -> None:
    """A heading says what plain numbers are; what the values say themselves goes before it."""
    read = column(name, *texts, language="en-US")
    assert str(read.type) == kind
    assert values is None or read.values == values


@pytest.mark.parametrize("name", ["Low (min)", "Emissions (kt)", "Founded (year)", "Goals (PEN)", "Salary (K)"])
def test_word_with_two_meanings_is_told_and_changes_nothing(name: str) -> None:
    """A unit that may be something else leaves the numbers plain, and the column says why."""
    read = column(name, "5", "7")
    assert (read.unit, str(read.type), read.values) == (name.split("(")[1][:-1], "number", (5, 7))
    assert read.type.ambiguous[0].startswith(f"unit: {read.unit} in the heading is ")


def test_letter_is_taken_for_a_unit_with_a_mark() -> None:
    """One letter is a unit in most headings, and the column says that it was supposed; not where the values agree."""
    assert column("Height (m)", "5").type.ambiguous == ("unit: m in the heading is taken for length",)
    assert column("Height (m)", "5 m").type.ambiguous == ()


def test_names_and_exports_keep_the_heading() -> None:
    """Names, dicts and files have the heading as it was seen; the records have typed values in its unit."""
    table = Table.from_rows([["City", "Area, km²[1]"], ["Ulm", "118.7"]])
    assert table.names == ("City", "Area, km²[1]")
    assert table.to_csv().splitlines()[0] == 'City,"Area, km²[1]"'
    assert str(table.records().schema) == "(City: text, Area, km²[1]: measure km²)"
    assert table.records()[0]["Area, km²[1]"].value == 118.7


def test_levels_of_headings_share_the_unit_above_them() -> None:
    """A unit over several columns is that of each; an inner one goes before it."""
    heads = (
        Cell(0, 0, column_span=2, value=Value("Sales (€)"), role="column header"),
        Cell(1, 0, value=Value("2024"), role="column header"),
        Cell(1, 1, value=Value("Change (%)"), role="column header"),
    )
    table = Table((*heads, Cell(2, 0, value=Value("5")), Cell(2, 1, value=Value("7"))), header_rows=2)
    assert [str(one.type) for one in table.columns] == ["money EUR", "measure %"]
    assert [one.values[0] for one in table.columns] == [Decimal(5), 7.0]


def test_scale_in_a_heading_leaves_values_as_written() -> None:
    """A value and the name of its column tell the truth together, so the value is not scaled; the column says so."""
    read = column("Sales (US$ million)", "5", "7")
    assert (read.unit, read.values) == ("US$ million", (5, 7))
    assert read.type.ambiguous == ("scale: the heading scales the values, which are read as they are written",)
    assert column("Sales (in millions)", "5 million", "7 million").type.ambiguous == ()


def test_records_read_the_units_of_their_names() -> None:
    """Records that were made by hand are typed as those of a table."""
    assert str(Records([{"Weight (kg)": "5"}, {"Weight (kg)": "7"}]).schema) == "(Weight (kg): measure kg)"


@given(
    label=LABELS, unit=st.sampled_from(UNITS), marks=st.lists(st.sampled_from(MARKS), max_size=2), way=st.integers(0, 2)
)
def test_unit_and_notes_are_found_again(label: str, unit: str, marks: list[str], way: int) -> None:
    """Whatever the name, a unit in brackets and notes behind it are taken off, and the name is left."""
    written = (f" ({unit})", f" [{unit}]", f" (in {unit})")[way]
    read = column(label + written + "".join(marks))
    assert (read.label, read.unit, "".join(read.notes)) == (label, unit, "".join(marks))


@given(NAMES)
def test_any_name_is_read(name: str) -> None:
    """Any name gives a label, a unit and notes that all stand in it; a name is never lost."""
    read = column(name)
    assert bool(read.label) == bool(name)
    assert set(read.label) <= set(name)
    assert read.unit is None or read.unit in name
    assert all(note in name for note in read.notes)


@given(name=NAMES | st.sampled_from([f"X ({unit})" for unit in UNITS]), numbers=NUMBERS)
def test_no_heading_changes_a_number(name: str, numbers: list[int]) -> None:
    """Whatever the heading says, numbers below it keep their amount."""
    read = column(name, *map(str, numbers))
    assert read.type.kind in ("number", "money", "measure")
    assert [float(value) for value in read.values] == numbers
