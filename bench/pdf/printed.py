"""Tables that a browser printed, so that every cell of them is known: relations by style, and tables that are none.

Each style is one document with one table a sheet. A table's F1 is that of its relations, as `bench.pdf.icdar` counts
them, against all tables that were found on its sheet; the figure of a style is the mean of its tables, and that of all
styles the mean of theirs. Dots that lead from a label to its row are no part of a text, whoever hands them out. As
relations are compared without blanks, it is counted by itself how many cells have theirs where they should be.
"""

import hashlib
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from statistics import fmean

import pypdfium2
import pypdfium2.raw as pdfium

from bench.frame import CACHE, RIGHT, Corpus, thinned
from bench.pdf.headings import Headings, right_headings, share_right
from bench.pdf.icdar import Count, Found, Score, plain, structure_score
from bench.pdf.setters import UNTAGGED, print_page
from bench.pdf.sheets import LEVEL_STYLES, REAL_STYLES, TITLE, Sheet, bare_sheets, level_sheets, markup, real_sheets

PRINTED = CACHE / "pdf-printed"
BARE = "without tables"
LEADERS = re.compile(r"(?<=[^\s.…])(?:\s*[.…]){4,}\s*$")
TITLED = re.compile(rf"{TITLE}(\d+):")


def pages_of_sheets(path: Path, sheets: int) -> tuple[frozenset[int], ...]:
    """The pages of each sheet of a document, from 1, by the titles on them."""
    found: dict[int, set[int]] = {number: set() for number in range(sheets)}
    sheet = -1
    with pypdfium2.PdfDocument(path) as document:
        for number, page in enumerate(document, start=1):
            title = TITLED.search("".join(page.get_textpage().get_text_range().split()))
            sheet = int(title[1]) if title else sheet
            if sheet in found:
                found[sheet].add(number)
    if not all(found.values()):
        raise SystemExit(f"bench: sheets are missing in {path}; delete it, and it will be made again.")
    return tuple(map(frozenset, found.values()))


@dataclass(frozen=True)
class Printed:
    """A document in one style, its sheets, and the file that was printed."""

    style: str
    path: Path
    sheets: tuple[Sheet, ...]

    @cached_property
    def pages(self) -> tuple[frozenset[int], ...]:
        """The pages of each sheet, from 1: one that is too long goes on, its table whole on one of them."""
        return pages_of_sheets(self.path, len(self.sheets))

    @property
    def truth(self) -> dict[str, tuple[Found, ...]]:
        """The tables of each sheet, by its name."""
        return {
            self.name(number): (without_leaders(Found(sheet.cells, pages)),) if sheet.cells else ()
            for number, (sheet, pages) in enumerate(zip(self.sheets, self.pages, strict=True))
        }

    def name(self, sheet: int) -> str:
        """What a sheet is called."""
        return f"{self.style} {sheet}"

    def by_sheet(self, found: Iterable[Found]) -> dict[str, list[Found]]:
        """The tables found on each sheet, by its name, without leading dots."""
        tables = [without_leaders(table) for table in found]
        return {
            self.name(number): [table for table in tables if table.pages & pages]
            for number, pages in enumerate(self.pages)
        }


@dataclass(frozen=True)
class Result:
    """What a reader made of all documents."""

    styles: Mapping[str, float]
    right: Mapping[str, int]
    spaced: float
    false: Counter[str]
    headings: float

    @property
    def f1(self) -> float:
        """The mean over the styles."""
        return fmean(self.styles.values()) if self.styles else 0.0


def print_sheets(truth: Path, limit: int | None) -> tuple[Printed, ...]:
    """All documents, those without tables last; what was printed before is not printed again."""
    real = real_sheets(truth)
    if not real:
        raise SystemExit(f"bench: {truth} has no tables that can be printed; see docs/benchmarks.md.")
    several = dict.fromkeys(REAL_STYLES, real) | {style: level_sheets(style) for style in LEVEL_STYLES}
    several |= {BARE: bare_sheets()}
    return tuple(_printed(style, tuple(thinned(sheets, limit))) for style, sheets in several.items())


def corpus_of(documents: Iterable[Printed]) -> Corpus:
    """What was printed, and not the files that came of it: these tell the time of day."""
    return Corpus("printed", tuple(document.path.with_suffix(".html") for document in documents))


def _printed(style: str, sheets: tuple[Sheet, ...]) -> Printed:
    text = markup(style, sheets)
    key = hashlib.blake2b(f"{UNTAGGED}\0{text}".encode(), digest_size=8).hexdigest()
    path = PRINTED / f"{style.replace(', ', '-').replace(' ', '-')}-{key}.pdf"
    if not path.exists():
        _print(text, path)
    return Printed(style, path, sheets)


def _print(text: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_suffix(".html").write_text(text, "utf-8")
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        target = Path(folder) / "printed.pdf"
        print_page(path.with_suffix(".html"), target, Path(folder))
        if _is_tagged(target):
            raise SystemExit(f"bench: the browser does not know {UNTAGGED}; the tags would tell what is asked for.")
        target.replace(path)


def _is_tagged(path: Path) -> bool:
    with pypdfium2.PdfDocument(path) as document:
        return bool(pdfium.FPDFCatalog_IsTagged(document.raw))


# ---------------------------------------------------------------------- scores


def without_leaders(table: Found) -> Found:
    """A table whose labels have no dots behind them."""
    return replace(table, cells=tuple(cell._replace(text=LEADERS.sub("", cell.text)) for cell in table.cells))


def scores(document: Printed, found: Iterable[Found]) -> list[Score]:
    """Every sheet with a table, against all that was found on it."""
    here = document.by_sheet(found)
    return [Score(name, structure_score(truth, here[name]), None) for name, truth in document.truth.items() if truth]


def spaced(document: Printed, found: Iterable[Found]) -> Count:
    """The cells that are found on their sheet, by their texts without blanks, and those with the same blanks."""
    right = total = 0
    here = document.by_sheet(found)
    for name, truth in document.truth.items():
        true = {plain(cell.text): " ".join(cell.text.split()) for table in truth for cell in table.cells}
        for cell in (cell for table in here[name] for cell in table.cells):
            text = plain(cell.text)
            if text and text in true:
                total += 1
                right += " ".join(cell.text.split()) == true[text]
    return Count(right, total, total)


def headings(document: Printed, found: Iterable[Found]) -> list[Headings]:
    """The headings of every sheet with a table."""
    here = document.by_sheet(found)
    named = zip(document.truth.items(), document.sheets, strict=True)
    return [
        one
        for (name, truth), sheet in named
        for one in right_headings(name, truth, [sheet.header_rows] * len(truth), here[name])
    ]


def false_tables(document: Printed, found: Sequence[Found]) -> Counter[str]:
    """The tables found where none is, by the kind of the sheet that they begin on."""
    kinds = {page: sheet.kind for sheet, pages in zip(document.sheets, document.pages, strict=True) for page in pages}
    return Counter(kinds[min(table.pages)] for table in found)


def result(documents: Sequence[Printed], found: Sequence[Sequence[Found]]) -> Result:
    """What was found in each document, in their order."""
    styles, right, false = {}, {}, Counter[str]()
    blanks, heads = Count(0, 0, 0), list[Headings]()
    for document, tables in zip(documents, found, strict=True):
        if document.style == BARE:
            false += false_tables(document, tables)
            continue
        values = [score.structure.f1 for score in scores(document, tables)]
        styles[document.style] = fmean(values)
        right[document.style] = sum(value >= RIGHT for value in values)
        heads += headings(document, tables)
        own = spaced(document, tables)
        blanks = Count(blanks.right + own.right, blanks.true + own.true, blanks.found + own.found)
    return Result(styles, right, blanks.precision, false, share_right(heads))
