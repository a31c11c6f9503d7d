"""Tables as files and on the terminal, from tables made by hand."""

from pathlib import Path

import pytest

from sightline.cli._files import ExportSettings
from sightline.cli._tables import check_name, print_tables, print_triples, write_tables, write_triples
from sightline.cli._text import print_trace
from sightline.data import Cell, Table, Value
from sightline.errors import UsageError
from sightline.extract.tables import TableTrace

SMALL = Table.from_rows([["Name", "Price"], ["EOS", "5"], ["Z7", "6"]], caption="Cameras", score=0.875)
LARGE = Table.from_rows([[f"{row}.{column}" for column in range(40)] for row in range(30)])


def test_print_shows_a_table_as_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    """Caption, shape, score, a line below the headings, and a spanning cell once."""
    wide = Table((Cell(0, 0, 1, 2, Value("2024"), "column header"), Cell(1, 0, value=Value("a"))), 1)
    print_tables([SMALL.to_json(), wide.to_json()], everything=False)
    shown = capsys.readouterr().out.splitlines()
    assert shown[:2] == ["Cameras", "table 1 of 2 · 3 rows × 2 columns · score 0.88"]
    assert shown[3:6] == ["│ Name │ Price │", "├──────┼───────┤", "│ EOS  │ 5     │"]
    assert "\n".join(shown).count("2024") == 1


def test_print_cuts_rows_columns_and_cells_until_all_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """What does not fit is counted on standard error; `--all` leaves nothing out."""
    print_tables([LARGE.to_json()], everything=False)
    shown = capsys.readouterr()
    assert "19.0" in shown.out
    assert "20.0" not in shown.out
    assert "0.39" not in shown.out
    assert "… 10 more rows; --all shows them." in shown.err
    assert "more columns" in shown.err
    print_tables([LARGE.to_json()], everything=True)
    shown = capsys.readouterr()
    assert all(text in shown.out for line in LARGE.rows for text in line)
    assert shown.err == ""


def test_print_obeys_no_page(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither our marks nor a terminal's own codes in a text are carried out."""
    hostile = Table.from_rows([["[red]a", "\x1b[2Jb"], ["\x07", "\u009b31m"]], caption="\x1b]0;x\x07")
    print_tables([hostile.to_json()], everything=False)
    shown = capsys.readouterr().out
    assert "[red]a" in shown
    assert not set("\x1b\x07\u009b") & set(shown)


def test_print_of_empty_things_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    """A table without cells and a search without candidates are shown as such."""
    print_tables([Table(()).to_json()], everything=False)
    print_triples([Table(()).to_json() | {"triples": []}], everything=True)
    print_trace(TableTrace(()))
    assert "0 rows × 0 columns" in capsys.readouterr().out


def test_print_triples_takes_them_with_and_without_origins(capsys: pytest.CaptureFixture[str]) -> None:
    """The object is a text either way."""
    for origins in (False, True):
        triples = [triple.to_json(origins=origins) for triple in SMALL.triples()]
        print_triples([SMALL.to_json() | {"triples": triples}], everything=False)
        assert "│ EOS     │ Price     │ 5      │" in capsys.readouterr().out


def test_numbered_files_keep_their_suffix(tmp_path: Path) -> None:
    """A name with points in it is numbered before its format."""
    write_tables([SMALL, SMALL], tmp_path / "a.b.CSV", origins=None, how=ExportSettings())
    write_tables([SMALL, SMALL], tmp_path / "a.b.grid.xml", origins=None, how=ExportSettings())
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["a.b-1.CSV", "a.b-1.grid.xml", "a.b-2.CSV", "a.b-2.grid.xml"]


def test_nothing_found_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty file would look like a result; standard error tells that there is none."""
    write_tables([], tmp_path / "x.json", origins=None, how=ExportSettings())
    write_triples([], tmp_path / "x.csv", origins=None, how=ExportSettings())
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().err.count("Nothing was written to") == 2


@pytest.mark.parametrize("name", ["x.csv", "x.JSON", "x.grid.xml", "x.xlsx"])
def test_names_of_formats_are_accepted(name: str) -> None:
    """The suffix may be written either way."""
    check_name(Path(name), triples=False)


def test_names_of_no_format_are_refused() -> None:
    """The message lists those that there are."""
    with pytest.raises(UsageError, match=r"\.csv, \.jsonl, .*\.grid\.xml"):
        check_name(Path("x.doc"), triples=False)
