"""A PDF opened as a page: sheets below each other, chosen sheets, passwords, notes, limits and errors."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import sightline as sl
from sightline.errors import LimitError, SourceError, UnreadableError, UsageError
from sightline.net import Limits
from sightline.page import dumps, loads
from sightline.sources import BrowserSettings

from ._bare import bare, lines, texts
from ._write import locked, pdf, put, scanned, written

WORDS = ("One", "Two", "Three", "Four")
FOUR = pdf(*(written(word) for word in WORDS))
PT = 96 / 72


def test_page_knows_what_it_is() -> None:
    """Kind, size and sheets are those of the file, in CSS pixels; 72 points are 96 pixels."""
    page = sl.open(FOUR)
    assert page.kind == "pdf"
    assert page.sheets.tolist() == [pytest.approx([0, 1056 * n, 816, 1056 * (n + 1)]) for n in range(4)]
    assert page.viewport == (816, 1056)
    assert page.bounds == pytest.approx((0, 0, 816, 4224))


def test_sheets_are_sections_below_each_other() -> None:
    """Each sheet is a `section` with its number, and holds its own text at its own place."""
    page = sl.open(FOUR)
    sections = page.with_tag("section").tolist()
    assert [page.node(n).attributes["id"] for n in sections] == [f"sheet-{n}" for n in range(1, 5)]
    assert [page.text_of(n) for n in sections] == list(WORDS)
    tops = page.words.box[:, 1].tolist()
    assert [round(top // 1056) for top in tops] == [0, 1, 2, 3]
    assert np.ptp([top % 1056 for top in tops]) < 0.1


def test_words_stand_where_the_file_puts_them() -> None:
    """A word that begins an inch from the left begins at pixel 96, with its foot at its height."""
    page = bare(pdf(put("Foot", 72, 720)))
    x0, y0, _, y1 = page.words.box[0].tolist()
    assert x0 == pytest.approx(96, abs=1.5)
    assert y0 < 72 * PT < y1 + 1


def test_chosen_sheets_keep_their_numbers() -> None:
    """A table on the second sheet is on sheet 2, whether or not the first one was read; saving keeps that."""
    page = sl.open(FOUR, sheets="2, 4")
    boxes = [page.node(number).box for number in page.with_tag("section").tolist()]
    assert [page.sheet_of(box) for box in boxes] == [2, 4]
    again = loads(dumps(page))
    assert (again.id, [again.sheet_of(box) for box in boxes]) == (page.id, [2, 4])
    assert sl.open(FOUR, sheets="3").sheet_of((0, 0, 1, 1)) == 3
    assert sl.open(FOUR).sheet_numbers == ()


def test_sheet_of_a_box_is_told() -> None:
    """`sheet_of` counts from 1 and goes by the upper edge; a web page has one sheet."""
    page = sl.open(FOUR)
    boxes = [tuple(page.words.box[n].tolist()) for n in range(4)]
    assert [page.sheet_of(box) for box in boxes] == [1, 2, 3, 4]
    assert page.sheet_of((0, 100, 10, 3000)) == 1
    assert page.sheet_of(None) == 1
    assert sl.open(b"<p>x", static=True).sheet_of((0, 5000, 10, 5010)) == 1


def test_sheets_of_different_sizes_are_stacked_without_gaps() -> None:
    """A wide sheet behind a tall one begins where the tall one ends."""
    content = pdf(put("a", 72, 100), put("b", 72, 100), box=b"0 0 300 400").replace(
        b"[0 0 300 400]", b"[0 0 500 200]", 1
    )
    page = sl.open(content)
    assert page.sheets.tolist() == [
        pytest.approx([0, 0, 500 * PT, 200 * PT]),
        pytest.approx([0, 200 * PT, 300 * PT, 600 * PT]),
    ]


@pytest.mark.parametrize(
    ("sheets", "found"),
    [([2], ["Two"]), (range(2, 4), ["Two", "Three"]), ("3-", ["Three", "Four"]), ([4, 1], ["One", "Four"])],
)
def test_only_the_sheets_that_are_asked_for(sheets: "list[int] | range | str", found: list[str]) -> None:
    """Numbers, ranges and texts choose sheets; these keep their numbers and begin at the top of the page."""
    page = sl.open(FOUR, sheets=sheets)
    assert page.text_of().split("\n") == found
    assert page.node(page.with_tag("section")[0]).attributes["id"] == f"sheet-{WORDS.index(found[0]) + 1}"
    assert page.sheets[0, 1] == 0


def test_sheets_that_are_not_there_are_an_error() -> None:
    """Nothing is not given for something: the error says how many sheets there are."""
    with pytest.raises(UsageError, match=r"has 4 sheets, but none of those requested \(9-12\)"):
        sl.open(FOUR, sheets="9-12")


def test_password_opens_a_protected_file() -> None:
    """With it the text is read; without it or with another the error says what is missing."""
    content = locked("Secret sum", "sesame")
    assert sl.open(content, password="sesame").text_of() == "Secret sum"
    for password in (None, "wrong"):
        with pytest.raises(SourceError, match="password"):
            sl.open(content, password=password)


def test_scanned_sheets_are_named() -> None:
    """A sheet that is a picture without text is told by its number, and the others are read."""
    page = sl.open(pdf(written("Text"), scanned(), scanned()), ocr=False)
    (note,) = page.notes
    assert note.startswith("Sheets 2, 3 are a picture without text")
    assert "OCR" in note
    assert page.gaps == page.notes
    assert len(page.with_tag("img")) == 2
    assert page.text_of() == "Text"


def test_sheet_with_text_on_a_picture_is_not_called_scanned() -> None:
    """A background picture under text is no scan; an empty sheet is none either."""
    assert sl.open(pdf(scanned() + b"\n" + written("Text"))).notes == ()
    assert sl.open(pdf(b"", written("Text"))).notes == ()


def test_sheets_without_text_are_sheets_all_the_same() -> None:
    """An empty sheet, and a document of nothing else, keep their places."""
    assert len(sl.open(pdf(b"", written("x"), b"")).with_tag("section")) == 3
    page = sl.open(pdf(b""))
    assert (len(page.sheets), page.text_of()) == (1, "")


def test_damaged_sheet_is_a_note_and_the_rest_a_page() -> None:
    """What can be read is read, and the note names what is left out."""
    page = sl.open(FOUR.replace(b"6 0 R 8 0 R", b"1 0 R 8 0 R"))
    assert page.text_of().split() == ["One", "Three", "Four"]
    assert page.notes == ("Sheet 2 is left out: pdfium cannot load it.",)
    assert [page.node(n).attributes["id"] for n in page.with_tag("section")] == ["sheet-1", "sheet-3", "sheet-4"]


@pytest.mark.parametrize(
    "content", [b"%PDF-1.7\n", b"%PDF-1.7\nnothing of the kind", FOUR[:40], b"%PDF-1.4\n" + b"\0" * 5000]
)
def test_file_that_is_no_pdf_is_one_clear_error(content: bytes) -> None:
    """One sentence, no crash, and the next file is read as if nothing had been."""
    with pytest.raises(UnreadableError):
        sl.open(content)
    assert sl.open(FOUR, sheets=[1]).text_of() == "One"


def test_file_cut_short_is_repaired_if_its_sheets_are_there() -> None:
    """Without its last lines, which say where everything is, a file is read all the same."""
    assert "One" in sl.open(FOUR[: FOUR.index(b"startxref")]).text_of()


def test_limits_of_sheets_hold() -> None:
    """More sheets than allowed are an error that names the limit; choosing fewer is the way out."""
    limits = Limits(pdf_sheets=3)
    with pytest.raises(LimitError) as caught:
        sl.open(FOUR, limits=limits)
    assert "pdf_sheets" in caught.value.message or caught.value.limit == "pdf_sheets"
    assert sl.open(FOUR, limits=limits, sheets="1-3").text_of().split() == ["One", "Two", "Three"]


def test_title_is_that_of_the_document_or_its_name(tmp_path: Path) -> None:
    """What the file calls itself, else what it is called."""
    titled = pdf(written("x"), trailer=b"/Info 6 0 R", more=[b"<</Title(Price list)>>"])
    assert sl.open(titled).title == "Price list"
    (tmp_path / "list 2026.pdf").write_bytes(FOUR)
    assert sl.open(tmp_path / "list 2026.pdf").title == "list 2026"


def test_links_are_elements_with_their_addresses() -> None:
    """What stands in a link of the file stands in an `a`."""
    link = b"/Annots[<</Type/Annot/Subtype/Link/Rect[70 690 200 720]/A<</S/URI/URI(https://example.org/x)>>>>]"
    page = sl.open(pdf(written("Order here"), page=link))
    assert texts(page, "a") == ["Order here"]
    assert page.node(page.with_tag("a")[0]).attributes["href"] == "https://example.org/x"


def test_picture_of_the_page_is_as_large_as_the_page() -> None:
    """The screenshot shows all sheets below each other, a dot for a pixel."""
    page = sl.open(FOUR, browser=BrowserSettings(screenshot=True))
    assert page.screenshot is not None
    picture = Image.open(io.BytesIO(page.screenshot)).convert("L")
    assert picture.size == (816, 4224)
    for n in range(4):
        x0, y0, x1, y1 = (round(value) for value in page.words.box[n].tolist())
        assert np.asarray(picture)[y0:y1, x0:x1].min() < 128
        assert np.asarray(picture)[y1 + 5 : y1 + 200, x0:x1].min() > 250


def test_pdf_page_can_be_saved_and_opened() -> None:
    """A `.page` file of a PDF holds its sheets, kind and words."""
    page = sl.open(FOUR)
    again = loads(dumps(page))
    assert again.id == page.id
    assert (again.kind, again.sheets.tolist()) == ("pdf", page.sheets.tolist())


def test_reading_again_gives_the_same_page() -> None:
    """No chance, no clock: the same bytes are the same page."""
    assert sl.open(FOUR).id == sl.open(FOUR).id


def test_several_pdfs_are_opened_in_order(tmp_path: Path) -> None:
    """A folder of PDFs gives a page each, and a damaged one an error in its place."""
    for name, content in (("a", FOUR), ("b", b"%PDF-1.7 broken"), ("c", pdf(written("Last")))):
        (tmp_path / f"{name}.pdf").write_bytes(content)
    found = list(sl.open_all([str(tmp_path)]))
    assert [one.page is not None for one in found] == [True, False, True]
    assert isinstance(found[1].error, UnreadableError)
    assert lines(bare((tmp_path / "c.pdf").read_bytes())) == ["Last"]
