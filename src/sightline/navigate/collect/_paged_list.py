"""The list that is paged: found on the first page, and found again on every other."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from sightline.data import Column, ColumnType, ItemList, Record, Records, Table, Value, named_values
from sightline.errors import UsageError
from sightline.extract.lists import find_lists
from sightline.extract.tables import find_tables
from sightline.extract.wrappers import Lesson, Wrapper
from sightline.page import Page

LEAST_ALIKE = 0.4  # of the names of parts that two lists share, if they are one list on two pages
EXAMPLES = 2  # records that a wrapper is taught by, for pages with fewer records than make a list
COUNTED = "rank"  # where an item stands is not a part of it: it may move

# What sites add to addresses to know visitors and where they came from.
_VISIT = re.compile(r"[?&;](?:sid|s|session|sessionid|phpsessid|jsessionid|token|ref|utm_\w+)=[\w.-]*", re.IGNORECASE)

Fingerprint: TypeAlias = tuple[tuple[str, str], ...]


class RecordsOnPage(NamedTuple):
    """The records of a page, and what speaks against them; "" if nothing does."""

    records: Records
    doubt: str = ""


ReadRecords: TypeAlias = Callable[[Page], RecordsOnPage]
"""Reads the records of a page of the list."""


def wrapper_reader(wrapper: Wrapper) -> ReadRecords:
    """Reads records by a wrapper; a page of another template is a `VerificationError`."""
    return partial(read_by, wrapper)


def read_by(wrapper: Wrapper, page: Page) -> RecordsOnPage:
    """What a wrapper reads on a page, and whether it has doubts about it."""
    found = wrapper.read(page)
    if found.verdict == "failed":
        wrapper.extract(page)  # which says why it refuses the page
    why = found.problems[0].what if found.problems else "it differs from the pages that the wrapper was learned from"
    return RecordsOnPage(found.records, f"the wrapper is unsure of the page: {why}" if found.verdict != "ok" else "")


def list_reader(page: Page, like: ItemList | None = None) -> ReadRecords:
    """Reads the most important list of a page, or the one that is most `like` another, and the same list on others."""
    found = [one for one in find_lists(page) if one.kind == "items" and not _asks_password(page, one)]
    if not found:
        raise UsageError(
            "The page shows no list, so there is nothing to collect; give a wrapper, or see what it holds with "
            "`sightline lists` and `sightline tables`."
        )
    return _ListReader(found[0] if like is None else _most_like(like, found), page)


def _most_like(like: ItemList, found: Sequence[ItemList]) -> ItemList:
    """The list that was meant, on its page as it is now: with the same parts, and the same caption if several have."""
    names = _names(like)
    best = max(found, key=lambda one: (_alike(names, _names(one)), one.caption == like.caption))
    if _alike(names, _names(best)) < LEAST_ALIKE:
        raise UsageError("The list is no longer on the page; open the page again and choose another one.")
    return best


def _asks_password(page: Page, found: ItemList) -> bool:
    """Whether a list is a form to log in: its fields repeat like records."""
    fields = [node for node in page.with_tag("input").tolist() if _attribute(page, node, "type") == "password"]
    nodes = [node for value in found[0].values() if value.origin for node in value.origin.nodes]
    forms = [form for form in page.with_tag("form").tolist() if any(form < node < page.end[form] for node in nodes)]
    return any(form < field < page.end[form] for form in forms for field in fields)


def _attribute(page: Page, node: int, name: str) -> str:
    return page.node(node).attributes.get(name, "").lower()


class _ListReader:
    def __init__(self, first: ItemList, page: Page) -> None:
        self._names = _names(first)
        self._wrapper = _taught(first, page)

    def __call__(self, page: Page) -> RecordsOnPage:
        """The list of this page that has the same parts; where it is too short to be a list, what a wrapper reads."""
        lists = [one for one in find_lists(page) if one.kind == "items"]
        ranked = [(_alike(self._names, _names(one)), -number, one) for number, one in enumerate(lists)]
        share, _, best = max(ranked, key=lambda one: one[:2], default=(0.0, 0, None))
        if best is not None and share >= LEAST_ALIKE:
            return RecordsOnPage(best.records())
        if self._wrapper is not None:
            reading = self._wrapper.read(page)
            if reading.verdict != "failed":
                return RecordsOnPage(reading.records)
        return RecordsOnPage(Records(()))


def _names(found: ItemList) -> frozenset[str]:
    return frozenset(name for item in found for name in item.components)


def _alike(names: frozenset[str], others: frozenset[str]) -> float:
    return len(names & others) / max(1, len(names | others))


def _taught(first: ItemList, page: Page) -> Wrapper | None:
    """A wrapper taught by the first records, if it reads the list on its own page as it was found."""
    records = [_texts(item.record) for item in list(first)[:EXAMPLES]]
    if not all(records):
        return None
    try:
        wrapper = Lesson(page).show(page, records=records).wrapper
        return wrapper if len(wrapper.read(page).records) == len(first) else None
    except UsageError:  # the examples are not what the rules can take
        return None


def _texts(components: Record) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in named_values(components):
        if value.text and name != COUNTED:
            found.setdefault(name, []).append(value.text)
    return found


def fingerprint(record: Record) -> Fingerprint:
    """What a record says, wherever it stands, and where it leads: two records with the same one are one.

    Addresses count without what only tells visits apart.

    >>> fingerprint(Record({"title": "EOS 5D", "rank": "3"})) == fingerprint(Record({"title": "EOS 5D", "rank": "4"}))
    True
    >>> fingerprint(Record({"link": "/5d?sid=8a"})) == fingerprint(Record({"link": "/5d?sid=93"}))
    True
    """
    said = ((name, _VISIT.sub("", value.text)) for name, value in named_values(record) if name != COUNTED)
    return tuple(sorted(said))


# The table that is paged: found on the first page, and found again on every other by its columns.

LEAST_SHARED = 0.5  # of the names of columns, for a table that is the same with other columns, and doubted
TEXT = "text"


def table_reader(page: Page, like: Table | None = None) -> ReadRecords:
    """Reads the rows of the main table of a page, or of the one `like` another, and of the same table on others."""
    found = find_tables(page)
    if not found:
        raise UsageError(
            "The page shows no table, so there is nothing to collect; give a wrapper, or collect its list instead."
        )
    return _TableReader(found[0] if like is None else _table_most_like(like, found))


def _table_most_like(like: Table, found: Sequence[Table]) -> Table:
    """The table that was meant, on its page as it is now: with the same columns, and the same caption if need be."""
    names = set(_column_names(like))
    shared = [len(names & set(_column_names(one))) / len(names | set(_column_names(one))) for one in found]
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
            if _column_names(table) == self._names:
                return RecordsOnPage(table.records())
        for table in tables:
            if self._goes_on(table):
                return RecordsOnPage(self._named(table.with_header_rows(0)))
        if not tables:
            return RecordsOnPage(Records(()))
        table = max(tables, key=self._shared)
        said = f"its columns are {', '.join(_column_names(table))} instead of {', '.join(self._names)}"
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
        names, others = set(self._names), set(_column_names(table))
        return len(names & others) / len(names | others)


def _column_names(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns)


def _kind(kind: ColumnType) -> str:
    """A type without what varies from page to page, such as its unit."""
    return str(kind).split()[0]


def _rows(columns: Sequence[Column]) -> list[Record]:
    names = [column.name for column in columns]
    cells: list[tuple[Value | None, ...]] = [column.cells for column in columns]
    return [Record(dict(zip(names, row, strict=True))) for row in zip(*cells, strict=True)]
