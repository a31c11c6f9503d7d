"""Tables of PDFs against those of the same manuals' HTML editions: the set `twins`.

Neighbours with text, to the right and below, are compared as by ICDAR, without blanks between them; a table over
several sheets may be found as one or in parts, and a head that is repeated on later sheets is dropped. Texts are
compared without white space, hyphens, quotes and bullets. Relations of cells that could not be verified are not asked.
"""

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean

from bench.measures import share
from bench.pdf.icdar import Cell, Found

LEFT_OUT = re.compile(
    "[\\s\\-\u00ad\u2010-\u2015\u2212'\"\u2018-\u201f\u00b4`\u2022\u25cf\u00b7\u2217*^~"
    "\u2039\u203a\u02dc\u02c6\u02bc\ufeff\u200b-\u200f\u2423\u23b5\u21a9\u21aa\u0002\ufffe\uffff]"
)
PART = 0.5  # of the words of a part that must be those of the table, for it to be joined to what was found before
FOUND = 0.5  # of the words of a table, from which on it counts as found

Relations = Counter[tuple[str, str, str]]
Bags = tuple[Counter[str], Counter[str]]


def plain(text: str) -> str:
    """What both editions share of a text; case is kept.

    >>> plain("“ﬁ- ve”")
    'five'
    """
    return LEFT_OUT.sub("", unicodedata.normalize("NFKC", text))


@dataclass(frozen=True)
class TwinTable:
    """A table as the HTML edition has it, and the sheets that it is on in the PDF."""

    document: str
    pages: frozenset[int]
    cells: tuple[Cell, ...]
    header_rows: int | None
    rules: str
    doubtful: frozenset[str]


@dataclass(frozen=True)
class TwinDocument:
    """A PDF with its tables, and the sheets on which these are all."""

    name: str
    path: Path
    tool_chain: str
    complete: frozenset[int]
    tables: tuple[TwinTable, ...]


@dataclass(frozen=True)
class TwinScore:
    """How well a table was read; one that was not found has nothing right."""

    table: TwinTable
    is_found: bool
    f1: float
    exact: bool
    header: bool | None


def read_twins(folder: Path) -> list[TwinDocument]:
    """The documents of the set, in the order of their names."""
    tables: dict[str, list[TwinTable]] = defaultdict(list)
    for line in map(json.loads, (folder / "truth.jsonl").read_text("utf-8").splitlines()):
        cells = tuple(Cell(*cell) for cell in line["cells"])
        doubtful = frozenset(plain(cells[place].text) for place in line.get("unverified", ()))
        known = TwinTable(line["doc"], frozenset(line["pages"]), cells, line["header_rows"], line["rules"], doubtful)
        tables[line["doc"]].append(known)
    documents = map(json.loads, (folder / "documents.jsonl").read_text("utf-8").splitlines())
    return sorted(
        (
            TwinDocument(
                line["doc"],
                folder / line["file"],
                line["toolchain"],
                frozenset(line["complete_pages"]),
                tuple(tables[line["doc"]]),
            )
            for line in documents
        ),
        key=lambda one: one.name,
    )


def score(document: TwinDocument, found: Sequence[Found]) -> tuple[list[TwinScore], int]:
    """Every table of a document, and how many tables too many there are on sheets where all are known."""
    parts = [_Part(table) for table in found]
    chosen, free = _chosen(document.tables, parts)
    extra = sum(part.page in document.complete for part in free)
    return [_scored(table, own) for table, own in zip(document.tables, chosen, strict=True)], extra


def mean_f1(scores: Iterable[TwinScore]) -> float:
    """The mean over tables; 0 where there are none."""
    values = [one.f1 for one in scores]
    return fmean(values) if values else 0.0


@dataclass(frozen=True, eq=False)
class _Part:
    """A table that was found."""

    table: Found

    @cached_property
    def page(self) -> int:
        return min(self.table.pages)

    @cached_property
    def bags(self) -> Bags:
        return _bags(self.table.cells)


def _bags(cells: Iterable[Cell]) -> Bags:
    """The words, and the characters of whole cells, for readers that lose blanks."""
    words: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for cell in cells:
        words.update(word for word in map(plain, cell.text.split()) if word)
        whole[plain(cell.text)] += len(plain(cell.text))
    return words, whole


def _shares(one: Bags, other: Bags) -> tuple[float, float]:
    """How much of each is in the other, by words or by whole cells, whichever is more."""
    both = [(mine & theirs).total() for mine, theirs in zip(one, other, strict=True)]
    pairs = zip(both, one, other, strict=True)
    return max((share(common, mine.total()), share(common, theirs.total())) for common, mine, theirs in pairs)


def _chosen(tables: Sequence[TwinTable], parts: Sequence[_Part]) -> tuple[list[list[_Part]], list[_Part]]:
    """The parts of each table, the likeliest pairs first, and the parts of none."""
    wanted = [_bags(table.cells) for table in tables]
    shares = {
        (place, number): shares
        for place, table in enumerate(tables)
        for number, part in enumerate(parts)
        if part.page in table.pages and (shares := _shares(wanted[place], part.bags))[0]
    }
    taken: set[int] = set()
    chosen: list[list[_Part]] = [[] for _ in tables]
    for (place, number), (_, precision) in sorted(shares.items(), key=lambda pair: (-sum(pair[1]), pair[0])):
        own = chosen[place]
        pages = {part.page for part in own}
        if number not in taken and not (own and (parts[number].page in pages or precision < PART)):
            taken.add(number)
            own.append(parts[number])
    return chosen, [part for number, part in enumerate(parts) if number not in taken]


def _scored(table: TwinTable, parts: list[_Part]) -> TwinScore:
    ordered = sorted(parts, key=lambda part: part.page)
    options = [[part] for part in ordered] + ([ordered] if len(ordered) > 1 else [])
    measured = [(*_measured(table, cells), option[0]) for option in options for cells in _joined(option)]
    f1, exact, first = max(measured, key=lambda one: one[:2], default=(0.0, False, None))
    bag: Bags = sum((part.bags[0] for part in parts), Counter()), sum((part.bags[1] for part in parts), Counter())
    is_found = _shares(_bags(table.cells), bag)[0] >= FOUND
    header = None
    if table.header_rows and first is not None and f1 and first.table.header_rows is not None:
        header = first.table.header_rows == table.header_rows
    return TwinScore(table, is_found, f1 if is_found else 0.0, exact and is_found, header)


def _joined(parts: Sequence[_Part]) -> Iterator[list[Cell]]:
    """One table from parts in order, with and without the heads repeated on later sheets."""
    for skips in (False, True):
        joined: list[Cell] = []
        base = 0
        first: Mapping[int, list[tuple[int, str]]] | None = None
        for part in parts:
            cells = _squeezed(part.table.cells)
            if not cells:
                continue
            rows = _by_row(cells)
            drop = 0
            while skips and first is not None and drop in rows and rows[drop] == first.get(drop):
                drop += 1
            first = rows if first is None else first
            kept = [cell for cell in cells if cell.top >= drop]
            joined += [cell._replace(top=cell.top + base - drop, bottom=cell.bottom + base - drop) for cell in kept]
            base += 1 + max(rows) - drop
        yield joined


def _by_row(cells: Iterable[Cell]) -> dict[int, list[tuple[int, str]]]:
    rows: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for cell in cells:
        rows[cell.top].append((cell.left, cell.text))
    return rows


def _measured(table: TwinTable, cells: Sequence[Cell]) -> tuple[float, bool]:
    """F1 of the relations, and whether the whole grid is equal."""
    true, found = _squeezed(table.cells), _squeezed(cells)
    places = {(cell.top, cell.left): cell.text for cell in true}
    own = {(cell.top, cell.left): cell.text for cell in found}
    sure = [place for place, text in places.items() if text not in table.doubtful]
    exact = places.keys() == own.keys() and all(own[place] == places[place] for place in sure)
    return _f1(_relations(true), _relations(found), table.doubtful), exact


def _squeezed(cells: Iterable[Cell]) -> list[Cell]:
    """Cells with text on a grid without empty rows and columns."""
    filled = [cell._replace(text=text) for cell in cells if (text := plain(cell.text))]
    rows = {row: place for place, row in enumerate(sorted({cell.top for cell in filled}))}
    columns = {column: place for place, column in enumerate(sorted({cell.left for cell in filled}))}
    return sorted(
        Cell(
            rows[cell.top],
            max(place for row, place in rows.items() if row <= max(cell.top, cell.bottom)),
            columns[cell.left],
            max(place for column, place in columns.items() if column <= max(cell.left, cell.right)),
            cell.text,
        )
        for cell in filled
    )


def _relations(cells: Sequence[Cell]) -> Relations:
    """Neighbours with text, each pair once a direction."""
    grid: dict[tuple[int, int], int] = {}
    for number, cell in enumerate(cells):
        for row in range(cell.top, cell.bottom + 1):
            for column in range(cell.left, cell.right + 1):
                grid.setdefault((row, column), number)
    turned = {(column, row): number for (row, column), number in grid.items()}
    pairs = {(side, *pair) for side, places in (("right", grid), ("below", turned)) for pair in _neighbours(places)}
    return Counter((side, cells[one].text, cells[other].text) for side, one, other in pairs)


def _neighbours(places: Mapping[tuple[int, int], int]) -> Iterator[tuple[int, int]]:
    last: tuple[int, int] | None = None  # line and cell
    for (line, _), number in sorted(places.items()):
        if last is not None and last[0] == line and last[1] != number:
            yield last[1], number
        last = line, number


def _f1(true: Relations, found: Relations, doubtful: frozenset[str]) -> float:
    """F1 of two bags; relations of doubtful texts are not asked for, and as many others forgiven."""
    sure = Counter({key: count for key, count in true.items() if key[1] not in doubtful and key[2] not in doubtful})
    slack = true.total() - sure.total()
    both = (sure & found).total()
    return share(2 * both, sure.total() + max(both, found.total() - slack))
