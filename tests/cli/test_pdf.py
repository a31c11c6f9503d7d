"""PDFs on the command line: the same commands, with sheets, passwords, notes and origins."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

import sightline as sl

from ..sources.pdf._write import locked, pdf, rows, scanned, written
from ._inside import sightline

EXAMPLE = Path(__file__).parents[2] / "examples" / "instruments.pdf"
SPACE = "{http://www.w3.org/1999/xhtml}"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with some PDFs."""
    (tmp_path / "three.pdf").write_bytes(pdf(*(written(word) for word in ("One", "Two", "Three"))))
    (tmp_path / "locked.pdf").write_bytes(locked("Secret sum", "sesame"))
    (tmp_path / "scan.pdf").write_bytes(pdf(written("Cover"), scanned()))
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nbroken")
    return tmp_path


def test_tables_of_a_pdf_as_json() -> None:
    """Every table with its caption and cells, best first."""
    done = sightline("tables", EXAMPLE, "--json")
    assert (done.status, done.errors) == (0, "")
    (result,) = done.results
    captions = [table["caption"] for table in result["tables"]]
    assert captions[:2] == ["What we offer", "Table 1. Optics of the tubes, and what they weigh"]


def test_origins_tell_sheet_and_place() -> None:
    """The box of a cell on the second sheet lies below the first, and its XPath leads to the cell."""
    done = sightline("tables", EXAMPLE, "--json", "--origins", "--first", "1")
    page = sl.open(EXAMPLE)
    cells = done.results[0]["tables"][0]["cells"]
    last = next(cell for cell in cells if cell["text"].startswith("Training"))
    assert page.sheet_of(tuple(last["box"])) == 2
    assert page.text_of(page.find(last["xpath"])) == last["text"]


def test_tables_of_a_pdf_into_files(tmp_path: Path) -> None:
    """A table that goes on on the second sheet is one file, with all its rows and its heading once."""
    done = sightline("tables", EXAMPLE, "--first", "1", "-o", "offer.csv", folder=tmp_path)
    assert done.status == 0
    lines = (tmp_path / "offer.csv").read_text("utf-8-sig").splitlines()
    assert lines[0] == "No.,Article,Quantity,Price (£),Amount (£)"
    assert [line.split(",")[0] for line in lines[1:]] == [str(number) for number in range(1, 23)]


def test_picture_of_tables_shows_the_sheets(tmp_path: Path) -> None:
    """All sheets below each other, below the legend."""
    done = sightline("tables", EXAMPLE, "--image", "x.png", folder=tmp_path)
    assert done.status == 0
    with Image.open(tmp_path / "x.png") as picture:
        wide, tall = picture.size
    bounds = sl.open(EXAMPLE).bounds
    assert bounds is not None
    assert abs(wide - bounds[2]) <= 1
    assert 0 <= tall - bounds[3] <= 60


def test_pdf_is_saved_as_xhtml(tmp_path: Path) -> None:
    """The suffix `.html` gives well-formed XHTML with headings, paragraphs, lists, notes and tables."""
    done = sightline("save", EXAMPLE, "-o", "x.html", "--json", folder=tmp_path)
    assert done.status == 0
    assert done.results[0]["saved"]["path"] == "x.html"
    root = ElementTree.parse(tmp_path / "x.html").getroot()
    names = {element.tag.removeprefix(SPACE) for element in root.iter()}
    assert {
        "section",
        "header",
        "footer",
        "h1",
        "h2",
        "p",
        "ul",
        "li",
        "table",
        "caption",
        "tr",
        "td",
        "aside",
    } <= names
    spans = [cell.get("colspan") for cell in root.iter(f"{SPACE}th") if cell.get("colspan")]
    assert spans == ["2", "2"]


def test_pdf_is_saved_as_a_page_and_opened(tmp_path: Path) -> None:
    """A `.page` file of a PDF gives the same tables."""
    assert sightline("save", EXAMPLE, "-o", "x.page", folder=tmp_path).status == 0
    again = sightline("tables", "x.page", "--json", folder=tmp_path)
    assert again.results[0]["tables"] == sightline("tables", EXAMPLE, "--json").results[0]["tables"]


def test_sheets_are_chosen(files: Path) -> None:
    """`--sheets` takes numbers and ranges; what names no sheet is wrong usage."""
    done = sightline("save", "three.pdf", "--sheets", "2-", "-o", "x.html", folder=files)
    assert done.status == 0
    text = (files / "x.html").read_text("utf-8")
    assert ("One" in text, "Two" in text, "Three" in text) == (False, True, True)
    wrong = sightline("save", "three.pdf", "--sheets", "two", "-o", "y.html", folder=files)
    assert wrong.status == 2
    assert "names no sheets" in wrong.errors
    beyond = sightline("save", "three.pdf", "--sheets", "7", "-o", "y.html", folder=files)
    assert beyond.status != 0
    assert "has 3 sheets" in beyond.errors
    assert not (files / "y.html").exists()


def test_password_opens(files: Path) -> None:
    """With `--password` a protected file is read; without, one line says what is missing, and never the password."""
    assert "Secret sum" in sightline("show", "locked.pdf", "--password", "sesame", folder=files).output
    for flags in ([], ["--password", "wrong-one"]):
        done = sightline("show", "locked.pdf", *flags, folder=files)
        assert done.status == 1
        assert "password" in done.errors
        assert "wrong-one" not in done.errors
        assert len(done.errors.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("flags", "told"), [(["--no-ocr"], "without text, as scanners make"), ([], "in which no text was recognised")]
)
def test_scanned_sheet_is_told_on_standard_error(files: Path, flags: list[str], told: str) -> None:
    """The note names the sheet; what has text is read, and the status says that something is missing."""
    done = sightline("show", "scan.pdf", *flags, folder=files)
    assert done.status == 3
    assert f"scan.pdf: Sheet 2 is a picture {told}" in done.errors
    assert "turned" not in done.errors
    assert "Cover" in done.output


def test_broken_file_stops_no_other(files: Path) -> None:
    """One error in its place, and the others read: with `--json` one document for all."""
    done = sightline("tables", "broken.pdf", "three.pdf", "--json", folder=files)
    assert done.status == 1
    broken, three = done.results
    assert (broken["verdict"], broken["error"]["type"]) == ("failed", "UnreadableError")
    assert (three["verdict"], three["error"]) == ("ok", None)


def test_limit_of_sheets_is_a_flag(files: Path) -> None:
    """`--pdf-sheets` bounds what is read, and the error says how to go on."""
    done = sightline("show", "three.pdf", "--pdf-sheets", "2", folder=files)
    assert done.status == 1
    assert "sheets" in done.errors
    assert sightline("show", "three.pdf", "--pdf-sheets", "2", "--sheets", "1-2", folder=files).status == 0


def test_pdf_needs_no_browser(files: Path) -> None:
    """A PDF is read where no browser is."""
    done = sightline("show", "three.pdf", folder=files, SIGHTLINE_BROWSER="/nowhere/chromium")
    assert done.status == 0
    assert "Two" in done.output


def test_standard_input_may_be_a_pdf(files: Path) -> None:
    """`-` takes a PDF as it takes HTML."""
    done = sightline("show", "-", "--json", stdin=(files / "three.pdf").read_bytes())
    assert done.status == 0
    assert "Three" in done.output


def test_taught_on_one_invoice_and_read_on_another(tmp_path: Path) -> None:
    """The total is found by its label, wherever it stands: further down, and among other rows."""
    head, at = [["Invoice", "17"], ["Date", "2026-03-14"]], [80, 400]
    first = rows([["Net", "£100.00"], ["VAT", "£20.00"], ["Total", "£120.00"]], at, 500)
    second = rows([["Net", "£900.00"], ["Discount", "£10.00"], ["VAT", "£178.00"], ["Total", "£1,068.00"]], at, 380)
    (tmp_path / "a.pdf").write_bytes(pdf(rows(head, at, 700) + first))
    (tmp_path / "b.pdf").write_bytes(pdf(rows(head, at, 700) + second))
    taught = sightline("teach", "a.pdf", "total=£120.00", "-o", "x.wrapper.json", folder=tmp_path)
    assert taught.status == 0
    done = sightline("extract", "x.wrapper.json", "b.pdf", "--json", folder=tmp_path)
    assert "1,068.00" in json.dumps(done.results[0], ensure_ascii=False)
    assert "178.00" not in json.dumps(done.results[0]["records"])
