"""Scanned sheets and pictures as sources: the same page as of text, marked as recognised."""

import io
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import sightline as sl
from sightline.errors import LimitError, MissingExtra, UnreadableError, UsageError
from sightline.extract.structure import structured
from sightline.net import Limits
from sightline.page import bare_page, dumps, loads
from sightline.sources import BrowserSettings
from sightline.sources.pdf import PdfLimits, PdfSettings, read_printed

from ..scans._draw import ROWS, Gray, kept, sheet, table, turned
from ._write import pdf, scanned, written

DPI = (300, 300)


def _pdf(*pictures: Gray) -> bytes:
    """A PDF of pictures without text, at 300 dots an inch."""
    out = io.BytesIO()
    first, *others = [Image.fromarray(picture) for picture in pictures]
    first.save(out, "PDF", resolution=300, save_all=True, append_images=others)
    return out.getvalue()


def _tiff(*pictures: Gray) -> bytes:
    out = io.BytesIO()
    first, *others = [Image.fromarray(picture) for picture in pictures]
    first.save(out, "TIFF", dpi=DPI, save_all=True, append_images=others)
    return out.getvalue()


@pytest.fixture
def without_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the extra isn't installed."""
    monkeypatch.setitem(sys.modules, "rapidocr", None)


@pytest.mark.parametrize("ruled", [True, False])
def test_scanned_table_is_a_table(ruled: bool) -> None:
    """A table on a sheet without text is found with its rows, whether or not it has lines."""
    page = sl.open(_pdf(turned(table(ruled=ruled), 0.8)))
    (found,) = sl.tables(page)
    assert [tuple(row) for row in found.rows] == list(ROWS)
    assert page.kind == "pdf"
    section = page.node(page.with_tag("section")[0])
    assert (section.attributes["data-recognised"], int(section.attributes["data-confidence"]) > 90) == ("ocr", True)
    assert page.notes[0].startswith("Sheet 1 is a picture whose text was recognised (OCR)")
    assert page.gaps == ()


def test_every_cell_has_its_confidence() -> None:
    """What was recognised says so, also after it was saved."""
    page = loads(dumps(sl.open(kept(table(), "PNG", dpi=DPI))))
    cells = [page.node(number).attributes["data-confidence"] for number in page.with_tag("td", "th")]
    assert len(cells) == len(ROWS) * len(ROWS[0])
    assert all(50 < int(cell) <= 100 for cell in cells)


def test_bare_page_keeps_the_confidences() -> None:
    """The structure of a bare page is that of the printed document, confidences and all."""
    printed = read_printed("x.pdf", _pdf(table()), settings=PdfSettings(), limits=PdfLimits())
    assert max(printed.lines.confidence) > 90
    assert structured(bare_page(printed)).id == structured(printed).id


def test_doubtful_words_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of little confidence are named with their sheet, and the table that holds them is in doubt."""
    monkeypatch.setattr("sightline.sources.pdf._scans.DOUBTFUL", 101)
    monkeypatch.setattr("sightline.extract.tables._interpret.DOUBTFUL", 101)
    page = sl.open(kept(table(), "PNG", dpi=DPI))
    assert page.notes[1].startswith("Sheet 1: ") and "words are doubtful, such as “" in page.notes[1]
    (found,) = sl.tables(page)
    assert any("recognised with little confidence" in doubt and "and 17 more" in doubt for doubt in found.doubts)


def test_other_sheets_are_read_as_ever() -> None:
    """Between sheets with text, a scanned one has its place and its number; progress counts every sheet once."""
    done: list[int] = []
    out = pdf(written("Before"), scanned(), written("After"))
    printed = read_printed(
        "x.pdf",
        out,
        settings=PdfSettings(),
        limits=PdfLimits(),
        on_sheet=lambda now, of: done.append(10 * now + of),
    )
    assert done == [13, 23, 33]
    assert printed.lines.text == ["Before", "After"]
    assert printed.lines.confidence == [-1, -1]
    assert printed.gaps == ("Sheet 2 is a picture in which no text was recognised.",)


def _never() -> None:
    raise AssertionError("Text was recognised, though nobody asked for it.")


@pytest.fixture
def no_recognition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where whatever recognises text is an error."""
    monkeypatch.setattr("sightline.sources.scans._text_reader.text_reader", _never)
    monkeypatch.setattr("sightline.sources.scans.text_reader", _never)


@pytest.mark.usefixtures("no_recognition")
@pytest.mark.parametrize(
    "content",
    [_pdf(table()), _tiff(table()), *(kept(table(), form, dpi=DPI) for form in ("PNG", "JPEG", "WEBP"))],
    ids=["PDF", "TIFF", "PNG", "JPEG", "WEBP"],
)
def test_recognition_can_be_switched_off(content: bytes) -> None:
    """With `ocr=False` a scan or picture is a sheet without words, and a gap that says why."""
    page = sl.open(content, ocr=False)
    assert (page.text_of(), len(page.words), len(page.gaps)) == ("", 0, 1)
    assert page.gaps[0].startswith("Sheet 1 is a picture without text")
    assert "unless that is switched off" in page.gaps[0]
    section = page.node(page.with_tag("section")[0])
    assert "data-recognised" not in section.attributes
    assert sl.tables(page) == []


@pytest.mark.usefixtures("no_recognition")
def test_only_what_needs_no_recognition_is_read() -> None:
    """With `ocr=False` the text of other sheets is read, and each scanned one is named."""
    page = sl.open(pdf(written("Text"), scanned()), ocr=False)
    assert page.text_of() == "Text"
    assert [gap.split(" a ")[0] for gap in page.gaps] == ["Sheet 2 is"]
    content = _tiff(table(), table(), table())
    assert sl.open(content, ocr=False, sheets="2-").gaps[0].startswith("Sheets 2, 3 are a picture without text")


@pytest.mark.usefixtures("no_recognition")
def test_many_sources_are_not_recognised_either(tmp_path: Path) -> None:
    """`open_all` obeys `ocr=False` as well, whatever the source is."""
    contents = {tmp_path / "scan.pdf": _pdf(table()), tmp_path / "table.png": kept(table(), "PNG")}
    for path, content in contents.items():
        path.write_bytes(content)
    pages = [one.page for one in sl.open_all(map(str, contents), ocr=False)]
    assert [page and (page.text_of(), len(page.gaps)) for page in pages] == [("", 1)] * 2


@pytest.mark.usefixtures("no_recognition")
def test_picture_that_is_not_read_keeps_its_size_and_its_look() -> None:
    """With `ocr=False` a picture has the sheet and the picture that it would have, neither turned nor straightened."""
    content = kept(table(), "PNG", dpi=DPI)
    page = sl.open(content, ocr=False, browser=BrowserSettings(screenshot=True))
    assert page.sheets.tolist() == [pytest.approx([0, 0, 384, 192], abs=0.5)]
    assert page.screenshot is not None
    assert Image.open(io.BytesIO(page.screenshot)).size == (384, 192)


@pytest.mark.usefixtures("without_engine")
def test_picture_that_is_not_read_needs_no_extra() -> None:
    """With `ocr=False` a picture opens where nothing could recognise its text."""
    page = sl.open(kept(table(), "PNG"), ocr=False)
    assert (page.text_of(), len(page.gaps)) == ("", 1)


@pytest.mark.usefixtures("without_engine")
def test_scan_without_the_extra_names_it() -> None:
    """A scanned sheet is a gap that says what to install; the rest of the document is read."""
    page = sl.open(pdf(written("Text"), scanned()))
    assert page.text_of() == "Text"
    assert page.gaps == (
        "Sheet 2 is a picture without text, as scanners make; "
        "to have the text recognised (OCR), pip install 'sightline-data[ocr]'.",
    )


@pytest.mark.usefixtures("without_engine")
def test_picture_without_the_extra_names_it(tmp_path: Path) -> None:
    """A picture can't be read at all, and the error says what to install."""
    path = tmp_path / "table.png"
    path.write_bytes(kept(table(), "PNG"))
    with pytest.raises(MissingExtra, match=r"table\.png is a picture.*pip install 'sightline-data\[ocr\]'"):
        sl.open(path)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "TIFF", "WEBP"])
def test_pictures_are_sheets(form: str, tmp_path: Path) -> None:
    """A picture of any kind is a page of one sheet, as large as it says."""
    path = tmp_path / f"table.{form.lower()}"
    path.write_bytes(kept(table(), form, **({"dpi": DPI} if form != "WEBP" else {"lossless": True})))
    page = sl.open(path)
    (found,) = sl.tables(page)
    assert found.to_dicts()[3]["Price"] == "27,950.00"
    scale = 96 / 300 if form != "WEBP" else 1
    assert page.sheets.tolist() == [pytest.approx([0, 0, 1200 * scale, 600 * scale], abs=0.5)]
    assert page.title == "table"


def test_tiff_has_a_sheet_for_each_picture() -> None:
    """The pictures of a TIFF are sheets below each other, of which some may be chosen."""
    content = _tiff(sheet([("First", 100, 100, 60)]), sheet([("Second", 100, 100, 60)]))
    page = sl.open(content)
    assert [page.text_of(section) for section in page.with_tag("section")] == ["First", "Second"]
    assert sl.open(content, sheets="2").text_of() == "Second"
    with pytest.raises(UsageError, match="has 2 sheets, but none of those requested"):
        sl.open(content, sheets="3")
    with pytest.raises(LimitError, match="pdf_sheets"):
        sl.open(content, limits=Limits(pdf_sheets=1))


def test_photo_is_turned_as_the_camera_says() -> None:
    """A photo that was taken sideways, as its EXIF data say, is read upright."""
    exif = Image.Exif()
    exif[0x0112] = 6
    content = kept(np.ascontiguousarray(np.rot90(table())), "JPEG", exif=exif)
    assert len(sl.tables(sl.open(content))[0].rows) == len(ROWS)


def test_clear_and_deep_pictures_are_read() -> None:
    """Letters on a transparent ground and pictures with 16 bits to a dot are read as they look."""
    clear = np.zeros((600, 1200, 4), dtype=np.uint8)
    clear[..., 3] = 255 - table()
    deep = Image.fromarray(table().astype(np.uint16) * 257)
    for image in (Image.fromarray(clear), deep):
        out = io.BytesIO()
        image.save(out, "PNG")
        assert len(sl.tables(sl.open(out.getvalue()))[0].rows) == len(ROWS)


def test_screenshot_is_the_straightened_sheet() -> None:
    """The picture of a page is that of its sheet, in CSS pixels, with the words where their boxes are."""
    page = sl.open(kept(turned(table(), 1.5), "PNG", dpi=DPI), browser=BrowserSettings(screenshot=True))
    assert page.screenshot is not None
    shown = np.array(Image.open(io.BytesIO(page.screenshot)).convert("L"))
    assert shown.shape == (192, 384)
    for x0, y0, x1, y1 in page.words.box.round().astype(int).tolist():
        assert shown[y0:y1, x0:x1].min() < 128


def _bomb(wide: int, tall: int) -> bytes:
    """The head of a PNG that claims to be huge."""
    small = kept(np.zeros((1, 1), dtype=np.uint8), "PNG")
    size = wide.to_bytes(4, "big") + tall.to_bytes(4, "big")
    import zlib

    head = b"IHDR" + size + small[24:29]
    return small[:12] + head + zlib.crc32(head).to_bytes(4, "big") + small[33:]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (_bomb(60_000, 60_000), "more than 80 million dots"),
        (_bomb(10_000, 9_000), "more than 80 million dots"),
        (kept(table(), "PNG")[:900], "damaged picture"),
        (kept(table(), "JPEG")[:300], "damaged picture"),
        (b"II*\x00\x08\x00\x00\x00", "damaged picture"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "damaged picture"),
    ],
)
def test_hostile_pictures_are_one_error(content: bytes, problem: str) -> None:
    """A picture that is too large, cut short or no picture at all is an error that says so."""
    with pytest.raises(UnreadableError, match=problem):
        sl.open(content)


def test_sheets_keep_their_order() -> None:
    """Sheets that are recognised later stand where they belong."""
    page = sl.open(_pdf(*(sheet([(word, 100, 100, 60)]) for word in ("Alpha", "Beta"))))
    assert page.text_of().split() == ["Alpha", "Beta"]
    assert all(above[3] <= below[1] + 0.1 for above, below in pairwise(page.sheets.tolist()))
