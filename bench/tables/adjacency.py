"""The score of tables: which cells stand beside which, after the table competition of ICDAR 2013.

A relation is a filled cell with the next filled cell to its right or below, in the full grid with spans repeated.
Precision, recall and F1 compare the relations of a table with those of the one that was found for it. Within a page
tables are paired one to one, best F1 first; a table without a partner scores 0. All means are over tables.

What else a page is asked: whether tables known to serve the layout were handed out, and, where every data table of a
page is listed, how many of the tables found are data tables.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from bench.measures import harmonic, mean, share
from bench.texts import bag_of, cell_key, common

FOUND = 0.8  # F1 from which a table counts as found
SAME = 0.6  # F1 of the words from which a table found is taken for one of a page's other tables
KINDS = ("markup", "visual", "ascii")

Rows = Sequence[Sequence[str]]
Relations = Counter[tuple[str, str, str]]
Bag = Counter[str]


@dataclass(frozen=True)
class Found:
    """A table that was found: its full grid, and each cell's text once where spans are known."""

    rows: Rows
    header_rows: int | None
    texts: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, table: Mapping[str, Any]) -> "Found":
        """A table of the JSON contract; rows and header rows will do."""
        texts = tuple(cell.get("text") or "" for cell in table.get("cells") or ())
        return cls(table["rows"], table.get("header_rows"), texts)

    @cached_property
    def relations(self) -> Relations:
        """Which cells stand beside which."""
        return relations(self.rows)

    @cached_property
    def bag(self) -> Bag:
        """The words, those of a spanning cell once."""
        return bag_of(self.texts or _texts_once(self.rows))


@dataclass(frozen=True)
class TableTruth(Found):
    """A data table that a page has; `kind` tells how it is encoded.

    `header_rows` is what its markup says, if it says anything, `seen_header_rows` what a person sees otherwise.
    """

    kind: str = "markup"
    seen_header_rows: int | None = None

    @property
    def known_header_rows(self) -> int | None:
        """The number of header rows, from the markup or from a person."""
        return self.seen_header_rows if self.header_rows is None else self.header_rows


@dataclass(frozen=True)
class PageTruth:
    """What is known of a page: data tables, tables for layout, and tables that neither cost nor earn."""

    id: str
    set: str
    part: str
    file: str
    tables: tuple[TableTruth, ...]
    layout: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    is_complete: bool = False

    @classmethod
    def from_json(cls, line: Mapping[str, Any], seen: Mapping[str, int] | None = None) -> "PageTruth":
        """One line of `truth.jsonl`; `seen` has the header rows that a person saw, by the number of the table."""
        seen = seen or {}
        tables = tuple(
            TableTruth(
                table["rows"],
                table.get("header_rows"),
                kind=table.get("kind", "markup"),
                seen_header_rows=seen.get(str(number)),
            )
            for number, table in enumerate(line["tables"])
        )
        layout, ignore = (tuple(line.get(name, ())) for name in ("layout", "ignore"))
        known = line["id"], line["set"], str(line.get("part")), line["file"]
        return cls(*known, tables, layout, ignore, bool(line.get("complete")))

    @cached_property
    def others(self) -> tuple[tuple[str, int, Bag], ...]:
        """All tables known, as (sort, number, words); data before ignored before layout, so that a tie is no layout."""
        sorts = (
            ("data", [table.bag for table in self.tables]),
            ("ignore", [bag_of([text]) for text in self.ignore]),
            ("layout", [bag_of([text]) for text in self.layout]),
        )
        return tuple((sort, number, bag) for sort, bags in sorts for number, bag in enumerate(bags))


@dataclass(frozen=True)
class TableScore:
    """How well a data table was read; `partner` is the number of the table found for it."""

    kind: str
    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    header: bool | None = None
    partner: int | None = None
    with_headings: bool | None = None
    without_headings: bool | None = None

    @property
    def is_found(self) -> bool:
        """Whether it counts as found."""
        return self.f1 >= FOUND


@dataclass(frozen=True)
class PageScore:
    """How well a page was read.

    `wrong` and `ignored` number tables that were found, `layout` the layout tables that were among them.
    """

    truth: PageTruth
    tables: tuple[TableScore, ...]
    hits: int
    wrong: tuple[int, ...]
    ignored: tuple[int, ...]
    layout: frozenset[int]


@dataclass(frozen=True)
class Summary:
    """The means of several pages; None where there is nothing to take one of."""

    pages: int
    tables: int
    precision: float | None
    recall: float | None
    f1: float | None
    found: float | None
    header: float | None
    with_headings: float | None
    without_headings: float | None
    layout_handed_out: float | None = None
    hit_share: float | None = None
    extra: float | None = None


def relations(rows: Rows) -> Relations:
    """Which filled cells stand beside which.

    >>> sorted(relations([["a", "", "b"], ["c"]]))
    [('a', 'b', 'right'), ('a', 'c', 'below')]
    """
    keys = [[cell_key(text or "") for text in row] for row in rows]
    width = max(map(len, keys), default=0)
    columns = ([row[column] if column < len(row) else "" for row in keys] for column in range(width))
    found: Relations = Counter()
    for direction, lines in (("right", keys), ("below", columns)):
        for line in lines:
            filled = [key for key in line if key]
            found.update((one, other, direction) for one, other in pairwise(filled))
    return found


def score(truth: PageTruth, found: Sequence[Found]) -> PageScore:
    """Compare the tables found on a page with what it has; tables without rows are nobody's."""
    found = [table for table in found if table.rows]
    partners = _partners(truth.tables, found)
    tables = tuple(_table_score(table, found, partners.get(number)) for number, table in enumerate(truth.tables))
    hits = {table.partner for table in tables if table.is_found}
    rest = [(number, *nearest_of(truth, table.bag)) for number, table in enumerate(found) if number not in hits]
    return PageScore(
        truth,
        tables,
        len(hits),
        wrong=tuple(number for number, sort, _ in rest if sort != "ignore"),
        ignored=tuple(number for number, sort, _ in rest if sort == "ignore"),
        layout=frozenset(other for _, sort, other in rest if sort == "layout"),
    )


def summary(pages: Sequence[PageScore], kind: str | None = None) -> Summary:
    """The means over the tables of these pages; of one kind only, without what concerns pages as a whole."""
    tables = [table for page in pages for table in page.tables if kind in (None, table.kind)]
    means = (
        mean(table.precision for table in tables),
        mean(table.recall for table in tables),
        mean(table.f1 for table in tables),
        mean(table.is_found for table in tables),
        *(
            mean(right for table in tables if (right := getattr(table, name)) is not None)
            for name in ("header", "with_headings", "without_headings")
        ),
    )
    return Summary(len(pages), len(tables), *means, **({} if kind else _of_pages(pages)))


def groups(pages: Sequence[PageScore]) -> dict[str, Summary]:
    """Summaries of everything, of each kind, of each set, and of the parts of a set that has several."""
    found = {"all": summary(pages)}
    for kind in KINDS:
        having = [page for page in pages if any(table.kind == kind for table in page.tables)]
        if having:
            found[kind] = summary(having, kind)
    for name in sorted({page.truth.set for page in pages}):
        own = [page for page in pages if page.truth.set == name]
        found[name] = summary(own)
        parts = sorted({page.truth.part for page in own})
        for part in parts if len(parts) > 1 else ():
            found[f"{name} / {part}"] = summary([page for page in own if page.truth.part == part])
    return found


def _partners(tables: Sequence[Found], found: Sequence[Found]) -> dict[int, tuple[int, tuple[float, float, float]]]:
    """For the number of a data table, that of the table found for it, with precision, recall and F1."""
    pairs = [
        (_compared(table.relations, other.relations), number, partner)
        for number, table in enumerate(tables)
        for partner, other in enumerate(found)
        if not table.relations.keys().isdisjoint(other.relations.keys())
    ]
    partners: dict[int, tuple[int, tuple[float, float, float]]] = {}
    taken: set[int] = set()
    for scores, number, partner in sorted(pairs, key=lambda pair: (-pair[0][2], pair[1], pair[2])):
        if number not in partners and partner not in taken:
            partners[number] = partner, scores
            taken.add(partner)
    return partners


def _compared(truth: Relations, found: Relations) -> tuple[float, float, float]:
    same = sum(min(times, found[relation]) for relation, times in truth.items() if relation in found)
    precision, recall = (share(same, several.total()) for several in (found, truth))
    return precision, recall, harmonic(precision, recall)


def _table_score(
    table: TableTruth, found: Sequence[Found], partner: tuple[int, tuple[float, float, float]] | None
) -> TableScore:
    if partner is None:
        return TableScore(table.kind)
    number, (precision, recall, f1) = partner
    known = table.known_header_rows if f1 >= FOUND else None
    right = None if known is None else found[number].header_rows == known
    header = right if table.header_rows is not None else None
    return TableScore(
        table.kind, precision, recall, f1, header, number, right if known else None, right if known == 0 else None
    )


def nearest_of(truth: PageTruth, bag: Bag) -> tuple[str, int]:
    """Which of the known tables has the words of one that was found: its sort and number, or nothing."""
    best, sort, number = 0.0, "", -1
    for its_sort, its_number, other in truth.others:
        if (f1 := _bag_f1(bag, other)) > best:
            best, sort, number = f1, its_sort, its_number
    return (sort, number) if best >= SAME else ("", -1)


def _bag_f1(one: Bag, other: Bag) -> float:
    if not one or not other:
        return 0.0
    return 2 * common(one, other) / (one.total() + other.total())


def _texts_once(rows: Rows) -> Iterator[str]:
    """The texts of a grid without the repetitions to the right and below, which are most likely spans."""
    above: Sequence[str] = ()
    for row in rows:
        for column, text in enumerate(row):
            is_left = column > 0 and row[column - 1] == text
            is_above = column < len(above) and above[column] == text
            if text and not is_left and not is_above:
                yield text
        above = row


def _of_pages(pages: Sequence[PageScore]) -> dict[str, float | None]:
    layout = sum(len(page.truth.layout) for page in pages)
    complete = [page for page in pages if page.truth.is_complete]
    hits, wrong = sum(page.hits for page in complete), sum(len(page.wrong) for page in complete)
    return {
        "layout_handed_out": sum(len(page.layout) for page in pages) / layout if layout else None,
        "hit_share": hits / max(1, hits + wrong) if complete else None,
        "extra": wrong / len(complete) if complete else None,
    }
