"""The measures of the ICDAR 2013 table competition (Göbel, Hassan, Oro and Orsi), over whole documents.

*Structure*: a relation is a filled cell with the next filled cell to its right or below, and the number of blank
positions between. Each true table gets the table found on one of its pages that shares most relations with it, one to
one; what is left over counts as wrong, what is missed as missing. Precision and recall are averaged over documents,
and F1 is that of the two means. *Regions*: the same for the characters of the PDF whose centres lie in the true and
found regions. Where two truths are admissible, the better one counts.

Texts are compared without white space and case, as the competition's own tool does.
"""

import ctypes
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pypdfium2
import pypdfium2.raw as pdfium

from bench.measures import harmonic, share

T = TypeVar("T", bound="Count")

BLANKS = re.compile("[ \t\n\x0b\f\r\u00a0]")
NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
UNSEEN = frozenset({0, 9, 10, 13, 32, 160})
# The sheets of this document are turned, and its true regions are in the frame of the unturned sheet.
WITHOUT_REGIONS = frozenset({"eu-015"})

Relations = Counter[tuple[str, str, str, int]]
Points = Sequence[Sequence[tuple[float, float]]]


class Cell(NamedTuple):
    """A cell with its first and last row and column, from 0."""

    top: int
    bottom: int
    left: int
    right: int
    text: str


class Region(NamedTuple):
    """A box on a page (from 1), in points, the origin at the lower left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class Found:
    """A table: its cells, the pages it stands on, and its region on each of them and its header rows, where known."""

    cells: tuple[Cell, ...]
    pages: frozenset[int]
    regions: tuple[Region, ...] = ()
    header_rows: int | None = None

    @classmethod
    def from_json(cls, table: Mapping[str, Any]) -> "Found":
        """A table of a peer, which stands on one page."""
        box = table["bbox"]
        regions = (Region(table["page"], *box),) if box else ()
        return cls(tuple(Cell(*cell) for cell in table["cells"]), frozenset({table["page"]}), regions)

    @cached_property
    def relations(self) -> Relations:
        """Every pair of neighbours, once, however many rows or columns they share."""
        texts = [plain(cell.text) for cell in self.cells]
        grid = {
            (row, column): number
            for number, cell in enumerate(self.cells)
            if texts[number]
            for row in range(cell.top, cell.bottom + 1)
            for column in range(cell.left, cell.right + 1)
        }
        turned = {(column, row): number for (row, column), number in grid.items()}
        found: Relations = Counter()
        for side, places in (("right", grid), ("below", turned)):
            for (one, other), blanks in _neighbours(places).items():
                found[side, texts[one], texts[other], blanks] += 1
        return found


@dataclass(frozen=True)
class Count:
    """How much is right of what is true and of what was found."""

    right: int
    true: int
    found: int

    @property
    def precision(self) -> float:
        """The share of what was found that is right; nothing found is no merit."""
        return share(self.right, self.found)

    @property
    def recall(self) -> float:
        """The share of what is true that was found."""
        return self.right / self.true if self.true else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        return harmonic(self.precision, self.recall)


@dataclass(frozen=True)
class RegionCount(Count):
    """Characters, and of the regions how many hold all of theirs, hold no others, are missed, and are none."""

    complete: int = 0
    pure: int = 0
    missed: int = 0
    false: int = 0


@dataclass(frozen=True)
class Document:
    """A document with its admissible truths."""

    path: Path
    structures: tuple[tuple[Found, ...], ...]
    regions: tuple[tuple[Region, ...], ...]

    @property
    def name(self) -> str:
        """What it is called in the set."""
        return self.path.stem

    @property
    def files(self) -> tuple[Path, ...]:
        """The document and its truths, for the hash of the set."""
        return (self.path, *truths_of(self.path, "reg"), *truths_of(self.path, "str"))


@dataclass(frozen=True)
class Score:
    """What was found in a document: of its structure, and of its regions where they can be told."""

    name: str
    structure: Count
    regions: RegionCount | None


@dataclass(frozen=True)
class Summary:
    """Means over documents, F1 of the means, and F1 of all relations together."""

    precision: float
    recall: float
    f1: float
    pooled: float
    region_precision: float
    region_recall: float
    region_f1: float
    complete: int
    pure: int
    missed: int
    false: int
    region_f1_known: float  # over the documents alone whose regions can be told


def plain(text: str) -> str:
    """The text as it is compared."""
    return BLANKS.sub("", text).upper()


def _neighbours(places: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """Every cell with the next in its line, and the blank positions between in the first line that they share."""
    found: dict[tuple[int, int], int] = {}
    last: tuple[int, int, int] | None = None  # line, place and cell
    for (line, place), number in sorted(places.items()):
        if last is not None and last[0] == line and last[2] != number:
            found.setdefault((last[2], number), place - last[1] - 1)
        last = (line, place, number)
    return found


# ---------------------------------------------------------------------- truth


def read_documents(folder: Path) -> list[Document]:
    """The documents of the set, in the order of their names."""
    return [
        Document(
            path,
            tuple(_tables(truth) for truth in truths_of(path, "str")),
            tuple(_regions(truth) for truth in truths_of(path, "reg")),
        )
        for path in sorted(folder.glob("*.pdf"))
    ]


def truths_of(path: Path, kind: str) -> list[Path]:
    """The truth of a document; of one that ends in a, the other one (b) as well."""
    names = [path.stem, *([f"{path.stem[:-1]}b"] if path.stem.endswith("a") else [])]
    return [truth for name in names if (truth := path.with_name(f"{name}-{kind}.xml")).exists()]


def _tables(path: Path) -> tuple[Found, ...]:
    return tuple(
        Found(
            tuple(cell for region in table.iter("region") for cell in _cells(region)),
            frozenset(int(region.attrib["page"]) for region in table.iter("region")),
        )
        for table in ET.parse(path).getroot().iter("table")
    )


def _cells(region: ET.Element) -> Iterable[Cell]:
    """The cells of a region; one that goes on from another page says by how many rows and columns."""
    down, across = (int(region.get(f"{side}-increment") or 0) for side in ("row", "col"))
    for cell in region.iter("cell"):
        top, left = int(cell.attrib["start-row"]), int(cell.attrib["start-col"])
        bottom, right = int(cell.get("end-row") or top), int(cell.get("end-col") or left)
        yield Cell(top + down, bottom + down, left + across, right + across, "".join(cell.itertext()))


def _regions(path: Path) -> tuple[Region, ...]:
    found = []
    for region in ET.parse(path).getroot().iter("region"):
        box = region.find("bounding-box")
        if box is None:
            raise SystemExit(f"bench: {path} has a region without a box.")
        (x0, x1), (y0, y1) = (sorted(float(box.attrib[f"{axis}{end}"]) for end in "12") for axis in "xy")
        found.append(Region(int(region.attrib["page"]), x0, y0, x1, y1))
    return tuple(found)


@cache
def characters(path: Path) -> Points:
    """The centres of the characters that are seen on every page."""
    with pypdfium2.PdfDocument(path) as document:
        return [_centres(page) for page in document]


def _centres(page: pypdfium2.PdfPage) -> list[tuple[float, float]]:
    text = page.get_textpage()
    sides = [ctypes.c_double() for _ in range(4)]
    found = []
    for number in range(text.count_chars()):
        if pdfium.FPDFText_GetUnicode(text.raw, number) in UNSEEN or pdfium.FPDFText_IsGenerated(text.raw, number) == 1:
            continue
        pdfium.FPDFText_GetCharBox(text.raw, number, *sides)
        left, right, bottom, top = (side.value for side in sides)
        found.append(((left + right) / 2, (bottom + top) / 2))
    return found


# ---------------------------------------------------------------------- scores


def score(document: Document, found: Sequence[Found]) -> Score:
    """What was found in a document, by the truth that it fits best."""
    regions = None
    if document.name not in WITHOUT_REGIONS:
        boxes = [region for table in found for region in table.regions]
        points = characters(document.path)
        regions = _best(document.regions, lambda truth: regions_score(truth, boxes, points))
    return Score(document.name, _best(document.structures, lambda truth: structure_score(truth, found)), regions)


def _best(truths: Sequence[Any], count: Callable[[Any], T]) -> T:
    counts = [count(truth) for truth in truths]
    return max(reversed(counts), key=lambda one: one.f1)  # of equals the last, as the reference has it


def structure_score(truth: Sequence[Found], found: Sequence[Found]) -> Count:
    """Relations of the true tables and of those found for them; tables too many count with all they have."""
    left = list(found)
    right = 0
    for table in truth:
        here = [other for other in left if other.pages & table.pages]
        if here:
            best = max(here, key=lambda other: (table.relations & other.relations).total())
            right += (table.relations & best.relations).total()
            left.remove(best)
    return Count(right, _relations(truth), _relations(found))


def _relations(tables: Iterable[Found]) -> int:
    return sum(table.relations.total() for table in tables)


def regions_score(truth: Sequence[Region], found: Sequence[Region], points: Points) -> RegionCount:
    """Characters of the true regions and of those found for them."""
    true = [_members(region, points) for region in truth]
    left = [_members(region, points) for region in found]
    total = sum(map(len, left))
    right = complete = pure = missed = 0
    for region in true:
        best = max(left, key=lambda other: (len(region & other), -len(other)), default=frozenset())
        if not region & best:
            missed += 1
            continue
        left.remove(best)
        right += len(region & best)
        complete += region <= best
        pure += best <= region
    return RegionCount(right, sum(map(len, true)), total, complete, pure, missed, len(left))


def _members(region: Region, points: Points) -> frozenset[tuple[int, int]]:
    if not 1 <= region.page <= len(points):
        return frozenset()
    return frozenset(
        (region.page, number)
        for number, (x, y) in enumerate(points[region.page - 1])
        if region.x0 <= x <= region.x1 and region.y0 <= y <= region.y1
    )


def summary(scores: Sequence[Score]) -> Summary:
    """The figures of a set; documents whose regions cannot be told count as nothing there, as in the reference."""
    structures = [one.structure for one in scores]
    regions = [one.regions for one in scores if one.regions is not None]
    precision, recall = (_mean(structures, side, len(scores)) for side in ("precision", "recall"))
    region_precision, region_recall = (_mean(regions, side, len(scores)) for side in ("precision", "recall"))
    pooled = Count(*(sum(getattr(one, part) for one in structures) for part in ("right", "true", "found")))
    marks = {part: sum(getattr(one, part) for one in regions) for part in ("complete", "pure", "missed", "false")}
    return Summary(
        precision,
        recall,
        harmonic(precision, recall),
        pooled.f1,
        region_precision,
        region_recall,
        harmonic(region_precision, region_recall),
        **marks,
        region_f1_known=harmonic(*(_mean(regions, side, len(regions)) for side in ("precision", "recall"))),
    )


def _mean(counts: Collection[Count], side: str, number: int) -> float:
    return sum(getattr(one, side) for one in counts) / number if number else 0.0


# ---------------------------------------------------------------------- the reference's formats


def export(found: Mapping[str, Sequence[Found]], folder: Path) -> tuple[Path, Path]:
    """Write what was found for the reference scorer: `structure/` by the competition's XML, `regions/` as JSON.

    Its JSON knows one page a table, so that tables which go on over pages need the XML, which in turn has no regions.
    """
    structure, regions = folder / "structure", folder / "regions"
    for one in (structure, regions):
        one.mkdir(parents=True, exist_ok=True)
    for name, tables in found.items():
        boxes = [{"page": region.page, "bbox": region[1:], "cells": []} for table in tables for region in table.regions]
        (regions / f"{name}.json").write_text(json.dumps({"tables": boxes}), "utf-8")
        root = ET.Element("document", filename=f"{name}.pdf")
        for number, table in enumerate(tables):
            _write_table(ET.SubElement(root, "table", id=str(number)), table)
        ET.ElementTree(root).write(structure / f"{name}-str-result.xml", "utf-8", xml_declaration=True)
    return structure, regions


def _write_table(element: ET.Element, table: Found) -> None:
    """All cells in the first region: only the numbers of the pages count."""
    first, *_ = [ET.SubElement(element, "region", page=str(page)) for page in sorted(table.pages)]
    for cell in table.cells:
        places = {"start-row": cell.top, "end-row": cell.bottom, "start-col": cell.left, "end-col": cell.right}
        own = ET.SubElement(first, "cell", {name: str(place) for name, place in places.items()})
        ET.SubElement(own, "content").text = NOT_IN_XML.sub("", cell.text)
