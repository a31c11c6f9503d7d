"""`sightline tables`: tables for people, JSON for programs, files of every format, and a picture."""

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from ._inside import sightline

STYLE = (
    "<style>body{font:16px sans-serif;margin:20px} table{border-collapse:collapse} td,th{border:1px solid;padding:6px}"
)
CAMERAS = """<table><caption>Cameras [bold]</caption><tr><th>Name<th>Price<th>Weight
<tr><td>Arden R5<td>$4,299.00<td>738 g<tr><td>Lumora Z7<td>$2,899.95<td>675 g<tr><td>Norda A1<td>$6,499.00<td>737 g
<tr><td>Kestrel X<td>$1,699.00<td>607 g</table>"""
LENSES = """<table><caption>Lenses</caption><tr><th>Lens<th>Length<th>Aperture<th>Mount
<tr><td>Halden 35<td>35 mm<td>1.8<td>H<tr><td>Halden 50<td>50 mm<td>1.4<td>H<tr><td>Norda 85<td>85 mm<td>1.2<td>N
<tr><td>Norda 24<td>24 mm<td>2.8<td>N<tr><td>Arden 100<td>100 mm<td>2.8<td>A</table>"""
HEAD = f"<!doctype html><html lang=en><meta charset=utf-8><title>Shop</title>{STYLE}</style>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a page of one table, a page of two, and one of none."""
    (tmp_path / "one.html").write_text(f"{HEAD}<h1>Shop</h1><p>What we sell.{CAMERAS}<p>Come again.")
    (tmp_path / "two.html").write_text(f"{HEAD}<h1>Shop</h1>{CAMERAS}<h2>More</h2><p>And lenses too.{LENSES}")
    (tmp_path / "none.html").write_text(f"{HEAD}<h1>Hello</h1><p>Nothing but prose on this page.")
    return tmp_path


def test_tables_prints_what_is_seen(folder: Path) -> None:
    """People get the caption, the shape, the score and the rows; marks of ours stay text."""
    done = sightline("tables", "one.html", folder=folder)
    assert (done.status, done.errors) == (0, "")
    assert "Cameras [bold]" in done.output
    assert "5 rows × 3 columns" in done.output
    assert "│ Lumora Z7 │ $2,899.95 │ 675 g  │" in done.output


def test_tables_keeps_the_json_contract(folder: Path) -> None:
    """One document with one result a source, each table with exactly the promised names."""
    done = sightline("tables", "one.html", "none.html", "gone.html", "--json", folder=folder)
    assert done.status == 1
    assert [list(result) for result in done.results] == [["source", "kind", "verdict", "tables", "error"]] * 3
    assert [result["verdict"] for result in done.results] == ["ok", "ok", "failed"]
    assert [result["tables"] for result in done.results][1:] == [[], None]
    (table,) = done.results[0]["tables"]
    names = ["rows", "header_rows", "header_columns", "cells", "caption", "box", "sheet", "score"]
    assert list(table) == names
    assert table["rows"][0] == ["Name", "Price", "Weight"]
    assert (table["header_rows"], len(table["rows"]), table["caption"]) == (1, 5, "Cameras [bold]")
    assert set(table["cells"][0]) == {"row", "column", "row_span", "column_span", "text", "role"}


def test_tables_tells_where_each_cell_stands(folder: Path) -> None:
    """`--origins` adds box and XPath, which lead to the cell in the page."""
    done = sightline("tables", "one.html", "--json", "--origins", folder=folder)
    cells = done.results[0]["tables"][0]["cells"]
    price = next(cell for cell in cells if cell["text"] == "$2,899.95")
    assert "/table[1]/" in price["xpath"]
    assert "/tr[3]/td[2]" in price["xpath"]
    assert price["box"][2] > price["box"][0] > 20


def test_tables_says_when_there_is_none_and_what_to_try(folder: Path) -> None:
    """Nothing found is no error; standard error tells the next step, and nothing is written."""
    done = sightline("tables", "none.html", folder=folder)
    assert (done.status, done.output) == (0, "")
    assert "none.html: no table found" in done.errors
    assert "sightline show" in done.errors
    done = sightline("tables", "none.html", "-o", "x.csv", folder=folder)
    assert (done.status, done.output) == (0, "")
    assert "Nothing was written to x.csv" in done.errors
    assert not (folder / "x.csv").exists()


def test_tables_writes_one_table_under_the_name_given(folder: Path) -> None:
    """`-o` takes its format from the suffix; standard output stays empty, standard error names the file."""
    done = sightline("tables", "one.html", "-o", "x.csv", folder=folder)
    assert (done.status, done.output) == (0, "")
    assert "Written: x.csv (1 table)" in done.errors
    lines = (folder / "x.csv").read_text().splitlines()
    assert lines[:2] == ["Name,Price,Weight", 'Arden R5,"$4,299.00",738 g']


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["csv", "jsonl", "xml", "parquet", "grid.xml"])
def test_tables_numbers_the_files_of_formats_for_one_table(folder: Path, suffix: str) -> None:
    """Two tables are two files, and standard error names both."""
    done = sightline("tables", "two.html", "-o", f"x.{suffix}", folder=folder)
    assert done.status == 0
    assert f"Written: x-1.{suffix}, x-2.{suffix} (2 tables" in done.errors
    assert sorted(path.name for path in folder.glob("x*")) == [f"x-1.{suffix}", f"x-2.{suffix}"]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["json", "html", "xlsx"])
def test_tables_puts_all_into_one_file_where_it_can(folder: Path, suffix: str) -> None:
    """Two tables are one file with both in it."""
    done = sightline("tables", "two.html", "-o", f"x.{suffix}", folder=folder)
    assert f"Written: x.{suffix} (2 tables)" in done.errors
    assert [path.name for path in folder.glob("x*")] == [f"x.{suffix}"]


def test_tables_json_file_is_a_list_also_of_one(folder: Path) -> None:
    """A program need not ask how many there were."""
    sightline("tables", "one.html", "-o", "x.json", folder=folder)
    (table,) = json.loads((folder / "x.json").read_text())
    assert table["rows"][0][0] == "Name"


def test_tables_grid_file_has_every_cell(folder: Path) -> None:
    """`.grid.xml` is the table as seen."""
    sightline("tables", "one.html", "-o", "x.grid.xml", folder=folder)
    root = ElementTree.parse(folder / "x.grid.xml").getroot()
    assert (root.tag, root.get("header-rows"), len(root)) == ("table", "1", 5)
    assert [cell.text for cell in root[1]] == ["Arden R5", "$4,299.00", "738 g"]
    assert {"x0", "y0", "x1", "y1"} <= set(root[1][0].attrib)


def test_tables_takes_only_the_wanted_ones(folder: Path) -> None:
    """`--containing` and `--first` choose."""
    done = sightline("tables", "two.html", "--json", "--containing", "Halden", folder=folder)
    assert [table["caption"] for table in done.results[0]["tables"]] == ["Lenses"]
    done = sightline("tables", "two.html", "--json", "--first", "1", folder=folder)
    assert len(done.results[0]["tables"]) == 1


@pytest.mark.slow
def test_tables_tells_triples(folder: Path) -> None:
    """`--triples` gives facts: printed, in JSON, and as rows of one file."""
    fact = {"subject": "Lumora Z7", "predicate": "Price", "object": "$2,899.95"}
    done = sightline("tables", "one.html", "--triples", "--json", folder=folder)
    assert fact in done.results[0]["tables"][0]["triples"]
    done = sightline("tables", "one.html", "--triples", folder=folder)
    assert "│ Lumora Z7 │ Price     │ $2,899.95 │" in done.output
    sightline("tables", "two.html", "--triples", "-o", "x.csv", folder=folder)
    lines = (folder / "x.csv").read_text().splitlines()
    assert lines[0] == "subject,predicate,object"
    assert 'Lumora Z7,Price,"$2,899.95"' in lines
    assert "Halden 50,Aperture,1.4" in lines
    sightline("tables", "one.html", "--triples", "--origins", "-o", "x.jsonl", folder=folder)
    told = [json.loads(line) for line in (folder / "x.jsonl").read_text().splitlines()]
    assert all("/td[" in fact["object"]["xpath"] for fact in told)


def test_tables_draws_a_picture(folder: Path) -> None:
    """`--image` makes a PNG of the page's width, with the colours of headings and data in it."""
    done = sightline("tables", "one.html", "--image", "x.png", "--width", "640", folder=folder)
    assert done.status == 0
    assert "Picture: x.png" in done.errors
    with Image.open(folder / "x.png") as picture:
        assert (picture.format, picture.width) == ("PNG", 640)
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or ()}
    assert {(213, 94, 0), (0, 114, 178)} <= colours


def test_tables_traces_what_it_looked_at(folder: Path) -> None:
    """`--trace` shows the candidates with what became of them; with `--json` the tables have their evidence."""
    done = sightline("tables", "one.html", "--trace", folder=folder)
    assert (done.status, done.errors) == (0, "")
    assert all(word in done.output for word in ("method", "score", "decision", "5 × 3"))
    done = sightline("tables", "one.html", "--trace", "--json", folder=folder)
    assert done.results[0]["tables"][0]["evidence"]


def test_tables_goes_on_after_a_source_that_fails(folder: Path) -> None:
    """What the other pages gave is written, and the status tells of the failure."""
    done = sightline("tables", "gone.html", "one.html", "-o", "x.csv", folder=folder)
    assert done.status == 1
    assert "gone.html" in done.errors
    assert (folder / "x.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["-o", "x.pdf"], ".grid.xml"),
        (["-o", "x"], ".csv"),
        (["-o", "x.grid.xml", "--triples"], "--triples"),
        (["--image", "x.jpg"], ".png"),
        (["two.html", "--image", "x.png"], "one source at a time"),
    ],
)
def test_tables_refuses_what_cannot_be_before_opening_anything(folder: Path, arguments: list[str], advice: str) -> None:
    """A wrong name is told at once, with what would be right."""
    done = sightline("tables", "one.html", *arguments, folder=folder)
    assert done.status == 2
    assert advice in done.errors
    assert done.errors.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--first", "0"], ["--least-score", "2"]])
def test_tables_calls_wrong_usage_by_its_status(arguments: list[str]) -> None:
    """Impossible numbers end with status 2."""
    assert sightline("tables", "x.html", *arguments).status == 2


def test_tables_tells_a_folder_that_is_not_there(folder: Path) -> None:
    """Where to write is looked at before any page is opened: one line, and the status of wrong usage."""
    done = sightline("tables", "gone.html", "-o", "missing/x.csv", folder=folder)
    assert done.status == 2
    assert "there is no folder missing" in done.errors
    assert "gone.html" not in done.errors


RACE = "<table><tr><th>Name<th>100 m<th>Phone" + "".join(
    f"<tr><td>{name}<td>{time}<td>+1-793-555-010{number}"
    for number, (name, time) in enumerate(zip("ABCDE", ("12.31", "12.40", "12.55", "13.02", "DNF"), strict=True))
)


def test_tables_lose_nothing_in_typed_files(tmp_path: Path) -> None:
    """A column with one value that does not fit stays as seen, and standard error says why and what to do."""
    (tmp_path / "race.html").write_text(RACE)
    for name, flags in (("a.csv", ["--typed"]), ("a.parquet", [])):
        done = sightline("tables", "race.html", "--static", "-o", name, *flags, folder=tmp_path)
        assert done.status == 0
        assert "100 m: 1 of 5 values is not a number ('DNF'), so the column is text; --coerce" in done.errors
    rows = list(csv.reader((tmp_path / "a.csv").read_text().splitlines()))
    assert rows[1:2] + rows[-1:] == [["A", "12.31", "+1-793-555-0100"], ["E", "DNF", "+1-793-555-0104"]]


def test_tables_coerced_keep_their_texts(tmp_path: Path) -> None:
    """Numbers with a gap, and the texts beside them; standard error names the column, the count and examples."""
    (tmp_path / "race.html").write_text(RACE)
    done = sightline("tables", "race.html", "--static", "-o", "a.csv", "--coerce", folder=tmp_path)
    assert "100 m: 1 of 5 values is not a number ('DNF'); the texts are in '100 m (text)'." in done.errors
    rows = list(csv.reader((tmp_path / "a.csv").read_text().splitlines()))
    assert rows[-1] == ["E", "", "DNF", "+1-793-555-0104"]


def test_tables_takes_the_header_rows_that_are_asked_for(folder: Path) -> None:
    """All tables have them, in JSON and in files; more than a table has rows is an error that says so."""
    done = sightline("tables", "two.html", "--header-rows", "2", "--json", folder=folder)
    assert [table["header_rows"] for table in done.results[0]["tables"]] == [2, 2]
    sightline("tables", "one.html", "--header-rows", "0", "-o", "bare.csv", folder=folder)
    assert (folder / "bare.csv").read_text("utf-8-sig").splitlines()[:2] == [
        "column 1,column 2,column 3",
        "Name,Price,Weight",
    ]
    done = sightline("tables", "one.html", "--header-rows", "9", folder=folder)
    assert done.status != 0
    assert "9 header rows are more than any table here has rows (5 at most)" in done.errors


def test_tables_write_a_file_each_to_a_folder(folder: Path) -> None:
    """In a folder every table is a CSV file named by its source."""
    (folder / "found").mkdir()
    done = sightline("tables", "one.html", "two.html", "-o", "found/", folder=folder)
    assert sorted(path.name for path in (folder / "found").iterdir()) == ["one.csv", "two-1.csv", "two-2.csv"]
    assert "Written: 3 files in found (one.csv, …)" in done.errors
    sightline("tables", "one.html", "-o", "one.csv", folder=folder)
    assert (folder / "found" / "one.csv").read_bytes() == (folder / "one.csv").read_bytes()
    refused = sightline("tables", "one.html", "--triples", "-o", "found", folder=folder)
    assert "found is a folder; name a file in it." in refused.errors


def test_tables_tell_what_a_file_of_rows_is(tmp_path: Path) -> None:
    """A CSV is no page: its rows are data already."""
    path = tmp_path / "prices.csv"
    path.write_text("a,b\n1,2\n", "utf-8")
    done = sightline("tables", str(path), "--static")
    assert done.status == 0
    assert "this is a CSV file, whose rows are data already" in done.errors


def test_tables_leave_out_totals_and_print_doubts(tmp_path: Path) -> None:
    """`--without-totals` leaves out rows of totals; a doubt stands below its table, and in JSON."""
    path = tmp_path / "sales.html"
    rows = "".join(f"<tr><td>{name}<td>{value}" for name, value in (("Kiel", 5), ("Ulm", 7), ("Total", 12)))
    path.write_text(f"<table border=1><tr><th>City<th>Sold{rows}</table>", "utf-8")
    (table,) = json.loads(sightline("tables", str(path), "--static", "--json", "--without-totals").output)["results"][
        0
    ]["tables"]
    assert table["rows"] == [["City", "Sold"], ["Kiel", "5"], ["Ulm", "7"]]
    assert "doubts" not in table
    path.write_text("<table border=1><tr><td>Gold<td>Silver<tr><td>Kim Ng<td>Ann Lee<tr><td>Sam Poe<td>Joe Fox</table>")
    assert "--header-rows 1" in sightline("tables", str(path), "--static").output
