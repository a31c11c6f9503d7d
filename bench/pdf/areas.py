"""Areas of PDFs that may be tables, and how much of each is one: what the trees of tables are grown from."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

from bench.pdf.known import KnownDocument, KnownRows, of_manuals
from sightline.errors import SightlineError
from sightline.extract.structure import _tables
from sightline.extract.structure._area_parts import best_of, part_of, stretches_of
from sightline.extract.structure._cells import TableArea, table_in_area
from sightline.extract.structure._layout import Edges, Layout, PrintedWords, SheetLines, layout_of
from sightline.extract.structure._printed_line import LineRow, lines_of
from sightline.extract.structure._table_measures import area_measures
from sightline.extract.structure._tables import SheetTables
from sightline.sources.pdf import PdfLimits, PdfSettings
from sightline.sources.pdf._open import read_printed

HALF = 0.5  # of what an area and a table have in common, from which on the area is taken for the table
KNOWN = 0.6  # share of the words of an area of which it must be known what they are
MOST_ALIKE = 24  # areas of a manual with one answer


@dataclass(frozen=True)
class AreaSample:
    """An area: where it comes from, what is measured of it, and how much of it and of a true table are the same."""

    source: str
    family: str
    document: str
    measures: tuple[float, ...]
    shared: float
    is_whole: bool  # not a part of another area

    @property
    def is_table(self) -> bool:
        """Whether it is a table rather than not."""
        return self.shared >= HALF


def areas_of(document: KnownDocument) -> list[AreaSample]:
    """The areas of a document of which it is known what they are."""
    found: list[AreaSample] = []
    for _ in known_tables(document, found):
        pass
    return found


def known_tables(
    document: KnownDocument, found: list[AreaSample] | None = None
) -> Iterator[tuple[int, Layout, SheetTables]]:
    """The tables of each sheet (from 0), where the truth decides what is one; areas that are none keep no line.

    What is measured of the areas goes to `found`.
    """
    settings = PdfSettings(sheets=f"1-{document.most_sheets}" if document.most_sheets else "")
    path = document.path
    layout = layout_of(read_printed(path.name, path.read_bytes(), settings=settings, limits=PdfLimits()))
    for number, sheet in enumerate(layout.sheets):
        recorder = _Recorder(document, number, found)
        with (
            patch.object(_tables, "with_judgement", recorder.judged),
            patch.object(_tables, "parts_with_tables", recorder.parted),
        ):
            tables = _tables.tables_of(layout.words, sheet)
        yield number, layout, tables


@dataclass(frozen=True)
class _Recorder:
    """What takes the place of the judge: the truth decides, and where there is none, lines drawn do."""

    document: KnownDocument
    number: int
    found: list[AreaSample] | None

    def judged(self, words: PrintedWords, sheet: SheetLines, edges: Edges, area: TableArea) -> TableArea:
        """An area that is not parted."""
        if area.table is None:
            return area
        shared = shared_with(self.document.told(self.number, sheet, area.rows), area.rows, 0, len(area.rows))
        self._note(words, sheet, edges, area, shared)
        return area if (area.kind != "white" if shared is None else shared >= HALF) else replace(area, table=None)

    def parted(self, words: PrintedWords, sheet: SheetLines, edges: Edges, area: TableArea) -> list[TableArea]:
        """The parts of an area that have the most in common with true tables."""
        known = self.document.told(self.number, sheet, area.rows)
        parts: dict[tuple[int, int], TableArea] = {}
        worth: dict[tuple[int, int], float] = {}
        for bounds in stretches_of(area.rows):
            part = table_in_area(words, part_of(area, *bounds), edges)
            shared = shared_with(known, area.rows, *bounds)
            is_whole = bounds == (0, len(area.rows))
            if shared is None and is_whole and area.kind != "white":
                shared = HALF  # lines are drawn, so that it may be one
            elif part.table is not None:
                self._note(words, sheet, edges, part, shared, is_whole=is_whole)
            parts[bounds] = part
            has_table = part.table is not None and shared is not None and shared >= HALF
            worth[bounds] = len(lines_of(part.rows)) * (shared or 0.0) if has_table else 0.0
        chosen = [parts[bounds] for bounds in best_of(worth)]
        return chosen or [replace(parts[0, len(area.rows)], table=None)]

    def _note(
        self,
        words: PrintedWords,
        sheet: SheetLines,
        edges: Edges,
        area: TableArea,
        shared: float | None,
        *,
        is_whole: bool = True,
    ) -> None:
        if shared is not None and self.found is not None and self.number not in self.document.rows_alone:
            measures = tuple(area_measures(words, sheet, edges, area))
            document = self.document
            self.found.append(
                AreaSample(document.source, document.family, document.path.stem, measures, shared, is_whole)
            )


def shared_with(known: KnownRows, rows: Sequence[LineRow], start: int, stop: int) -> float | None:
    """How much some rows of an area and a true table have in common, of all that is in either; None if unknown.

    Of the table only what stands in the area counts.
    """
    weights = [sum(len(line.words) for line in row.lines) for row in rows]
    pairs = list(zip(weights, known.tables, strict=True))
    inside = pairs[start:stop]
    told = sum(weight for weight, tables in inside if tables is not None)
    if told < KNOWN * sum(weight for weight, _ in inside):
        return None
    numbers = frozenset[int]().union(*(tables for _, tables in inside if tables is not None))
    if not numbers:
        return 0.0 if known.is_complete else None
    return max(
        _common(inside, number) / (told + _common(pairs, number) - _common(inside, number)) for number in numbers
    )


def _common(pairs: Iterable[tuple[int, frozenset[int] | None]], number: int) -> int:
    return sum(weight for weight, tables in pairs if tables is not None and number in tables)


def areas_of_manuals(folder: Path) -> list[AreaSample]:
    """The areas of all manuals of a package, a few of each with either answer."""
    found: list[AreaSample] = []
    for document in of_manuals(folder):
        try:
            several = areas_of(document)
        except SightlineError:  # a few packages hold files that are damaged
            continue
        counts: Counter[bool] = Counter()
        for one in several:
            counts[one.is_table] += 1
            if counts[one.is_table] <= MOST_ALIKE:
                found.append(one)
    return found
