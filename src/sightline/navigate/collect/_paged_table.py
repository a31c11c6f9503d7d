"""The table that is paged: found on the first page, and found again on every other by its columns."""

from collections.abc import Sequence

from sightline.data import Column, ColumnType, Record, Records, Table, Value
from sightline.errors import UsageError
from sightline.extract.tables import find_tables
from sightline.navigate.collect._paged_list import ReadRecords, RecordsOnPage
from sightline.page import Page

__all__ = ["table_reader"]

LEAST_SHARED = 0.5  # of the names of columns, for a table that is the same with other columns, and doubted
TEXT = "text"


def table_reader(page: Page, like: Table | None = None) -> ReadRecords:
    """Reads the rows of the main table of a page, or of the one `like` another, and of the same table on others."""
    found = find_tables(page)
    if not found:
        raise UsageError(
            "The page shows no table, so there is nothing to collect; give a wrapper, or collect its list instead."
        )
    return _TableReader(found[0] if like is None else _most_like(like, found))


def _most_like(like: Table, found: Sequence[Table]) -> Table:
    """The table that was meant, on its page as it is now: with the same columns, and the same caption if need be."""
    names = set(_names(like))
    shared = [len(names & set(_names(one))) / len(names | set(_names(one))) for one in found]
    best = max(range(len(found)), key=lambda place: (shared[place], found[place].caption == like.caption))
    if shared[best] < LEAST_SHARED:
        raise UsageError("The table is no longer on the page; open the page again and choose another one.")
    return found[best]


class _TableReader:
    def __init__(self, first: Table) -> None:
        self._columns = first.columns
        self._names = tuple(column.name for column in first.columns)

    def __call__(self, page: Page) -> RecordsOnPage:
        """The rows of the table with the same columns; one without headings, or with others, is told from it."""
        tables = find_tables(page) or find_tables(page, containing=self._names[0])
        for table in tables:
            if _names(table) == self._names:
                return RecordsOnPage(table.records())
        for table in tables:
            if self._goes_on(table):
                return RecordsOnPage(self._named(table.with_header_rows(0)))
        if not tables:
            return RecordsOnPage(Records(()))
        table = max(tables, key=self._shared)
        said = f"its columns are {', '.join(_names(table))} instead of {', '.join(self._names)}"
        if self._shared(table) >= LEAST_SHARED:
            return RecordsOnPage(table.records(), f"{said}; the rows are kept as they are")
        return RecordsOnPage(Records(()), f"{said}, so it is another table; its rows are left out")

    def _goes_on(self, table: Table) -> bool:
        """Whether a table has no headings of its own: all its rows have values of the types that the first one has."""
        plain = table.with_header_rows(0)
        if plain.header_columns or len(plain.columns) != len(self._columns):
            return False
        types = [(column.type, other.type) for column, other in zip(self._columns, plain.columns, strict=True)]
        told = [(one, other) for one, other in types if _kind(one) != TEXT]
        return bool(told) and all(_kind(one) == _kind(other) for one, other in told)

    def _named(self, table: Table) -> Records:
        """The rows of a table without headings under the names of the first one."""
        columns = [
            Column(name, one.cells, None, one.language) for name, one in zip(self._names, table.columns, strict=True)
        ]
        return Records(_rows(columns), language=table.language)

    def _shared(self, table: Table) -> float:
        names, others = set(self._names), set(_names(table))
        return len(names & others) / len(names | others)


def _names(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns)


def _kind(kind: ColumnType) -> str:
    """A type without what varies from page to page, such as its unit."""
    return str(kind).split()[0]


def _rows(columns: Sequence[Column]) -> list[Record]:
    names = [column.name for column in columns]
    cells: list[tuple[Value | None, ...]] = [column.cells for column in columns]
    return [Record(dict(zip(names, row, strict=True))) for row in zip(*cells, strict=True)]
