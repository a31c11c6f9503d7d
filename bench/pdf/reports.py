"""Reports that were set by a browser, by LibreOffice and by TeX, so that every cell of their tables is known.

A document has one sheet of each layout; its real tables come from one partition of them, so that documents of different
partitions share none. A sheet's F1 is that of the relations of its tables against all that was found on it; that of a
kind of layout, of a style or of a document is the mean of its sheets. `python -m bench.pdf.reports` prints them.
"""

import hashlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean

from bench.frame import CACHE, Options, folder_of, program
from bench.pdf.icdar import Count, Found, structure_score
from bench.pdf.layouts import KINDS, Layout, grids_of, layout_of
from bench.pdf.ours import read_tables
from bench.pdf.printed import pages_of_sheets, without_leaders
from bench.pdf.setters import STYLES, set_document, source_of

REPORTS = CACHE / "pdf-reports"
PARTITIONS = 5


@dataclass(frozen=True)
class Report:
    """A document: its style, the partition its real tables come from, the layout of each sheet, and its file."""

    style: str
    partition: int
    layouts: tuple[Layout, ...]
    path: Path

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.style}, {self.partition}"

    @cached_property
    def pages(self) -> tuple[frozenset[int], ...]:
        """The pages of each sheet, from 1."""
        return pages_of_sheets(self.path, len(self.layouts))


@dataclass(frozen=True)
class SheetScore:
    """What was found on a sheet."""

    report: str
    style: str
    partition: int
    sheet: int
    kind: str
    count: Count


def reports(truth: Path, seed: int = 0) -> list[Report]:
    """All documents; what was set before is not set again. Another seed draws other sheets."""
    found = []
    for place, style in enumerate(STYLES):
        for partition in range(PARTITIONS):
            chance = random.Random(1000 * seed + 10 * place + partition)
            grids = grids_of(truth, partition)
            kinds = [kind for kind in KINDS if _is_set_by(style, kind)]
            layouts = tuple(layout_of(kind, chance, grids) for kind in kinds)
            source = source_of(style, layouts)
            key = hashlib.blake2b(source.encode(), digest_size=8).hexdigest()
            path = REPORTS / f"{style.replace(', ', '-')}-{partition}-{key}.pdf"
            if not path.exists():
                set_document(style, source, path)
            found.append(Report(style, partition, layouts, path))
    return found


def _is_set_by(style: str, kind: str) -> bool:
    """LibreOffice has no columns of text in HTML."""
    return STYLES[style][0] != "office" or kind != "columns"


def scores(report: Report, found: Iterable[Found]) -> list[SheetScore]:
    """Every sheet of a document, against all that was found on it."""
    tables = [without_leaders(table) for table in found]
    several = []
    for number, (layout, pages) in enumerate(zip(report.layouts, report.pages, strict=True)):
        truth = [without_leaders(Found(table.cells, pages)) for table in layout.tables]
        here = [table for table in tables if table.pages & pages]
        count = structure_score(truth, here)
        several.append(SheetScore(report.name, report.style, report.partition, number, layout.kind, count))
    return several


def by(found: Sequence[SheetScore], part: str) -> dict[str, float]:
    """The mean F1 of the sheets of each kind, style or document."""
    names = dict.fromkeys(str(getattr(one, part)) for one in found)
    return {name: fmean(one.count.f1 for one in found if str(getattr(one, part)) == name) for name in names}


def main() -> None:
    """Set all documents, read them, and print the figures by kind and by style."""
    parser = program(__doc__)
    parser.add_argument("--seed", type=int, default=0, help="another one draws other sheets; 1 was never looked at")
    arguments = parser.parse_args()
    truth = folder_of("tables", Options(data=arguments.data)) / "truth.jsonl"
    found = [one for report in reports(truth, arguments.seed) for one in scores(report, read_tables(report.path))]
    print(f"{len(found)} sheets: F1 {fmean(one.count.f1 for one in found):.4f}")
    for part in ("kind", "style"):
        print(*(f"  {name}: {value:.3f}" for name, value in by(found, part).items()), sep="\n")


if __name__ == "__main__":
    main()
