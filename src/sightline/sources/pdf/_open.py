"""A PDF document as it is printed: sheets come from the child one by one, and only what is needed of them is kept."""

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np

from sightline.errors import UnreadableError, UsageError
from sightline.page import Page, Printed, bare_page
from sightline.settings import Settings, setting
from sightline.sources.pdf._page import Laid, laid_out, printed_of
from sightline.sources.pdf._scans import Scans, named
from sightline.sources.pdf._sheet import PdfSheet
from sightline.sources.pdf._worker import PdfDocument, PdfLimits, PdfWorker, Picture, SheetFailed

# How PDFs are read: one declaration for Python and the command line.

RANGE = re.compile(r"\s*(\d{1,6})\s*(?:(-)\s*(\d{1,6})?)?\s*")


@dataclass(frozen=True, kw_only=True)
class PdfSettings(Settings):
    """Which sheets of a PDF to read, and its password.

    >>> PdfSettings(sheets="1-3, 7").numbers(10)
    [1, 2, 3, 7]
    """

    sheets: str = setting("", help="which sheets of a PDF to read, such as 1-20 or 1,3,8-; all by default")
    password: str = setting("", help="the password of a protected PDF")
    ocr: bool = setting(default=True, help="whether text in scanned sheets and pictures is recognised (extra `ocr`)")

    def __post_init__(self) -> None:
        """Reject text that names no sheets."""
        super().__post_init__()
        self._ranges()

    def numbers_in(self, name: str, count: int) -> list[int]:
        """The sheets to read of a document with `count` sheets; an error that calls it by name if there are none."""
        numbers = self.numbers(count)
        if not numbers:
            raise UsageError(f"{name} has {count} sheets, but none of those requested ({self.sheets}); choose others.")
        return numbers

    def numbers(self, count: int) -> list[int]:
        """The sheets to read of a document with `count` sheets, in order; missing ones are left out."""
        if not self.sheets:
            return list(range(1, count + 1))
        wanted: set[int] = set()
        for first, last in self._ranges():
            wanted.update(range(max(first, 1), min(last if last is not None else count, count) + 1))
        return sorted(wanted)

    def _ranges(self) -> list[tuple[int, int | None]]:
        found: list[tuple[int, int | None]] = []
        for part in self.sheets.split(",") if self.sheets else ():
            match = RANGE.fullmatch(part)
            if match is None or int(match[1]) < 1 or (match[3] and int(match[3]) < int(match[1])):
                raise UsageError(f"{part.strip()!r} names no sheets; write numbers and ranges such as 1-20 or 1,3,8-.")
            last = int(match[1]) if not match[2] else int(match[3]) if match[3] else None
            found.append((int(match[1]), last))
        return found


def sheets_text(numbers: "Iterable[int] | str | None") -> str:
    """Sheets as settings write them.

    >>> sheets_text(range(1, 4)), sheets_text([2, 3, 9]), sheets_text(None)
    ('1-3', '2-3,9', '')
    """
    if numbers is None or isinstance(numbers, str):
        return numbers or ""
    found: list[list[int]] = []
    for number in sorted(set(numbers)):
        if not isinstance(number, int) or number < 1:
            raise UsageError(f"{number!r} is not a sheet; sheets are counted from 1.")
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    if not found:
        raise UsageError("No sheets were named; leave `sheets` out to read them all.")
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


_worker = PdfWorker()

TALLEST = 30_000  # pixels of the picture of all sheets; more than viewers show


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
        numbers = settings.numbers_in(name, document.count)
        reading = _Reading(name, Scans(wanted=settings.ocr))
        laid = reading.sheets(document, numbers, on_sheet)
        if not laid:
            raise UnreadableError(name, f"is a PDF of which no sheet can be read ({reading.failed[0][1]}).")
        title = document.title.strip() or PurePosixPath(unquote(urlsplit(url).path)).stem
        picture = _picture(document, laid, reading) if screenshot else None
        gaps = (*notes, *reading.gaps())
        notes = (*gaps, *reading.notes())
        return printed_of(laid, document.bookmarks, url=url, title=title, notes=notes, gaps=gaps, screenshot=picture)


class _Reading:
    """Reads sheets, and collects the notes on them."""

    def __init__(self, name: str, scans: Scans) -> None:
        self.name = name
        self.failed: list[tuple[int, str]] = []
        self.scans = scans
        self.turned: list[int] = []
        self.unshown = 0

    def sheets(
        self, document: PdfDocument, numbers: Sequence[int], on_sheet: Callable[[int, int], None] | None
    ) -> list[Laid]:
        """The sheets in order; those that are scanned are recognised after all others were read."""
        found: list[Laid] = []
        scanned: list[int] = []
        done = 0
        for sheet in document.sheets(numbers):
            laid = None if isinstance(sheet, SheetFailed) else laid_out(sheet)
            if laid and not len(laid.lines) and _is_picture(laid.sheet):
                scanned.append(len(found))
                found.append(laid)
                if self.scans.on:
                    continue
            elif laid:
                found.append(laid)
            elif isinstance(sheet, SheetFailed):
                self.failed.append((sheet.number, sheet.reason))
            done += 1
            if on_sheet:
                on_sheet(done, len(numbers))
        if not self.scans.on:
            self.scans.left_out = [found[place].sheet.number for place in scanned]
        for later, place in enumerate(scanned if self.scans.on else (), done + 1):
            if on_sheet:
                on_sheet(later, len(numbers))
            found[place] = self.scans.of_document(document, found[place])
        self.turned = [laid.sheet.number for laid in found if laid.turned]
        return found

    def gaps(self) -> Iterator[str]:
        """Which sheets are missing from the page, and why."""
        yield from self.scans.gaps()
        for reason in sorted({reason for _, reason in self.failed}):
            yield f"{named([number for number, why in self.failed if why == reason])} left out: {reason}."

    def notes(self) -> Iterator[str]:
        """The other notes on the page."""
        yield from self.scans.notes()
        if self.turned:
            yield f"{named(self.turned)} turned, so that the text reads from left to right."
        if self.unshown:
            yield f"The picture of the page leaves out its last {self.unshown} sheets."


def _is_picture(sheet: PdfSheet) -> bool:
    """Whether a picture covers much of a sheet."""
    if not len(sheet.images):
        return False
    area = (sheet.images[:, 2] - sheet.images[:, 0]) * (sheet.images[:, 3] - sheet.images[:, 1])
    return float(area.sum()) > 0.3 * sheet.size[0] * sheet.size[1]


def _picture(document: PdfDocument, laid: Sequence[Laid], reading: _Reading) -> bytes:
    """The rendered sheets below each other, one dot per CSS pixel."""
    shown = laid[: room_for(each.sheet.size[1] for each in laid)]
    reading.unshown = len(laid) - len(shown)
    pictures = document.render([each.sheet.number for each in shown], 1.0)
    turned = (
        picture if picture is None else np.rot90(picture, each.turned)
        for each, picture in zip(shown, pictures, strict=True)
    )
    return stacked([each.sheet.size for each in shown], turned, [each.angle for each in shown])


# ------------------------------------------------------------------ the picture of all sheets


def room_for(heights: Iterable[float]) -> int:
    """How many of the sheets the picture of all of them has room for; the first is shown however high it is."""
    return max(sum(bottom <= TALLEST for bottom in accumulate(heights)), 1)


def stacked(sizes: Sequence[tuple[float, float]], pictures: Iterable[Picture | None], angles: Sequence[float]) -> bytes:
    """The pictures of sheets below each other as a PNG, each straightened by its angle; white where there is none."""
    from PIL import Image  # slow to import, rarely needed

    size = round(max(wide for wide, _ in sizes)), round(sum(tall for _, tall in sizes))
    whole = Image.new("RGB", size, "#ffffff")
    top = 0.0
    for (_, tall), picture, angle in zip(sizes, pictures, angles, strict=True):
        if picture is not None:
            image = Image.fromarray(picture)
            whole.paste(image.rotate(angle, fillcolor="#ffffff") if angle else image, (0, round(top)))
        top += tall
    out = io.BytesIO()
    whole.save(out, "PNG")
    return out.getvalue()
