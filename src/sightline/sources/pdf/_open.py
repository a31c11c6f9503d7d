"""A PDF document as it is printed: sheets come from the child one by one, and only what is needed of them is kept."""

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np

from sightline.errors import UnreadableError, UsageError
from sightline.page import Page, Printed, bare_page
from sightline.sources.pdf._page import Laid, laid_out, printed_of
from sightline.sources.pdf._settings import PdfSettings
from sightline.sources.pdf._sheet import PdfSheet
from sightline.sources.pdf._worker import PdfDocument, PdfLimits, PdfWorker, SheetFailed

__all__ = ["PdfLimits", "read_pdf", "read_printed"]

_worker = PdfWorker()

TALLEST = 30_000  # pixels of the picture of all sheets; more than viewers show
FEW = 6  # sheets that a note names before it counts the rest


def read_pdf(name: str, content: bytes, **options: Any) -> Page:
    """The bare page of a PDF, blocks of lines on sheets below each other; the options are those of `read_printed`."""
    return bare_page(read_printed(name, content, **options))


def read_printed(  # noqa: PLR0913 - what is known of a document, one by one
    name: str,
    content: bytes,
    *,
    url: str = "",
    settings: PdfSettings,
    limits: PdfLimits,
    screenshot: bool = False,
    notes: Sequence[str] = (),
    on_sheet: Callable[[int, int], None] | None = None,
) -> Printed:
    """A PDF as it is printed: lines in blocks, on sheets below each other.

    `on_sheet` is called with the number of sheets that were read, and how many there are.
    """
    with _worker.open(name, content, password=settings.password or None, limits=limits) as document:
        numbers = settings.numbers(document.count)
        if not numbers:
            raise UsageError(
                f"{name} has {document.count} sheets, but none of those requested ({settings.sheets}); choose others."
            )
        reading = _Reading(name)
        laid = list(reading.sheets(document, numbers, on_sheet))
        if not laid:
            raise UnreadableError(name, f"is a PDF of which no sheet can be read ({reading.failed[0][1]}).")
        title = document.title.strip() or PurePosixPath(unquote(urlsplit(url).path)).stem
        picture = _picture(document, laid, reading) if screenshot else None
        gaps = (*notes, *reading.gaps())
        notes = (*gaps, *reading.notes())
        return printed_of(laid, document.bookmarks, url=url, title=title, notes=notes, gaps=gaps, screenshot=picture)


class _Reading:
    """Reads sheets, and collects the notes on them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.failed: list[tuple[int, str]] = []
        self.scanned: list[int] = []
        self.turned: list[int] = []
        self.unshown = 0

    def sheets(
        self, document: PdfDocument, numbers: Sequence[int], on_sheet: Callable[[int, int], None] | None
    ) -> Iterator[Laid]:
        for count, sheet in enumerate(document.sheets(numbers), 1):
            if on_sheet:
                on_sheet(count, len(numbers))
            if isinstance(sheet, SheetFailed):
                self.failed.append((sheet.number, sheet.reason))
                continue
            laid = laid_out(sheet)
            if not len(laid.lines) and _is_picture(sheet):
                self.scanned.append(sheet.number)
            if laid.turned:
                self.turned.append(sheet.number)
            yield laid

    def gaps(self) -> Iterator[str]:
        """Which sheets are missing from the page, and why."""
        if self.scanned:
            yield f"{_named(self.scanned)} a picture without text, as scanners make; recognise the text first (OCR)."
        for reason in sorted({reason for _, reason in self.failed}):
            yield f"{_named([number for number, why in self.failed if why == reason])} left out: {reason}."

    def notes(self) -> Iterator[str]:
        """The other notes on the page."""
        if self.turned:
            yield f"{_named(self.turned)} turned, so that the text reads from left to right."
        if self.unshown:
            yield f"The picture of the page leaves out its last {self.unshown} sheets."


def _named(numbers: Sequence[int]) -> str:
    """Some sheets with the verb that follows them."""
    if len(numbers) == 1:
        return f"Sheet {numbers[0]} is"
    shown = ", ".join(map(str, numbers[:FEW]))
    return f"Sheets {shown} are" if len(numbers) <= FEW else f"Sheets {shown} and {len(numbers) - FEW} more are"


def _is_picture(sheet: PdfSheet) -> bool:
    """Whether a picture covers much of a sheet."""
    if not len(sheet.images):
        return False
    area = (sheet.images[:, 2] - sheet.images[:, 0]) * (sheet.images[:, 3] - sheet.images[:, 1])
    return float(area.sum()) > 0.3 * sheet.size[0] * sheet.size[1]


def _picture(document: PdfDocument, laid: Sequence[Laid], reading: _Reading) -> bytes:
    """The rendered sheets below each other, one dot per CSS pixel."""
    from PIL import Image  # slow to import, rarely needed

    shown: list[Laid] = []
    tall = 0.0
    for laid_sheet in laid:
        tall += laid_sheet.sheet.size[1]
        if shown and tall > TALLEST:
            break
        shown.append(laid_sheet)
    reading.unshown = len(laid) - len(shown)
    wide = round(max(laid_sheet.sheet.size[0] for laid_sheet in shown))
    whole = Image.new("RGB", (wide, round(sum(laid_sheet.sheet.size[1] for laid_sheet in shown))), "#ffffff")
    top = 0.0
    for laid_sheet, picture in zip(
        shown, document.render([laid_sheet.sheet.number for laid_sheet in shown], 1.0), strict=True
    ):
        if picture is not None:
            image = Image.fromarray(np.rot90(picture, laid_sheet.turned) if laid_sheet.turned else picture)
            whole.paste(image, (0, round(top)))
        top += laid_sheet.sheet.size[1]
    out = io.BytesIO()
    whole.save(out, "PNG")
    return out.getvalue()
