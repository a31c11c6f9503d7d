"""The records of a page that a script extracts, or goes through one by one; and where on the page each of them is."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sightline.arrays import IntArray
from sightline.data import Record, Records, Value, named_values, origin_of
from sightline.errors import UsageError
from sightline.extract.content import find_content
from sightline.extract.lists import find_lists, find_top
from sightline.extract.tables import find_tables
from sightline.extract.wrappers import Wrapper
from sightline.navigate.collect import RecordsOnPage, list_reader
from sightline.navigate.script import RecordSource
from sightline.navigate.targets import same_name, squeezed
from sightline.page import Page


class ListMissing(UsageError):
    """A page shows no list where a script wants one."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"{address or 'The page'} shows no list of three or more items; see what it holds with `sightline lists`, "
            "or teach a wrapper, which also reads one or two."
        )


MOST_AROUND = 8  # nodes of an element that is one value

LoadWrapper = Callable[[str], Wrapper]


@dataclass(frozen=True)
class PageRecord:
    """A record, the nodes from and up to which it stands, and how many records before it say the same."""

    record: Record
    span: tuple[int, int]
    twin: int = 0


def records_of(page: Page, source: RecordSource, load: LoadWrapper) -> RecordsOnPage:
    """What a page shows, of the kind that is asked for."""
    if source.wrapper:
        return _by_wrapper(page, load(source.wrapper), source)
    number = source.number or 1
    found: Sequence[object]
    if source.kind == "lists":
        found = [one for one in find_lists(page) if one.kind == "items"]
    elif source.kind == "tables":
        found = find_tables(page)
    elif source.kind == "top":
        found = [one for one in [find_top(page)] if one is not None]
    else:
        found = [find_content(page)]
    if len(found) < number:
        what = {"lists": "list", "tables": "table", "top": "list that its title promises"}.get(source.kind, "text")
        count = f"only {len(found)} {what}{'s' * (len(found) > 1)}" if found else f"no {what}"
        raise UsageError(f"{page.url or 'The page'} shows {count}; see what it holds with `sightline {source.kind}`.")
    return RecordsOnPage(found[number - 1].records())  # type: ignore[attr-defined]


def read_records(page: Page, source: RecordSource, load: LoadWrapper) -> RecordsOnPage:
    """The records of a page by itself, for a look at what a step would extract."""
    if source.kind != "lists" or source.number is not None:
        return records_of(page, source, load)
    try:
        return list_reader(page)(page)
    except UsageError:
        raise ListMissing(page.url) from None


def _by_wrapper(page: Page, wrapper: Wrapper, source: RecordSource) -> RecordsOnPage:
    reading = wrapper.read(page)
    if reading.verdict == "failed":
        wrapper.extract(page)  # which says why it refuses the page
    doubt = ""
    if reading.verdict != "ok":
        why = reading.problems[0].what if reading.problems else "the page differs from those it was learned from"
        doubt = f"the wrapper {source.wrapper} is unsure: {why}"
    records = reading.records
    if source.field:
        records = Records([{source.field: one.get(source.field)} for one in records], language=records.language)
    return RecordsOnPage(records, doubt)


def wrapper_values(page: Page, wrapper: Wrapper, field: str) -> list[Value]:
    """All values of one field of a wrapper, in order."""
    return [
        value
        for record in wrapper.read(page).records
        for name, value in named_values(record)
        if name == field or name.rpartition(".")[2] == field
    ]


def value_beside(page: Page, label: str) -> Value | None:
    """The text that follows a label: after its colon, or the next text on the page. None if there is no such label."""
    texts = np.flatnonzero(page.is_text & page.visible & ~page.is_blank).tolist()
    wanted = squeezed(label).rstrip(":").casefold()
    for at, node in enumerate(texts):
        said = squeezed(page.strings[int(page.text[node])])
        if said.rstrip(": ").casefold() == wanted and at + 1 < len(texts):
            return _value_at(page, texts[at + 1])
        if said.casefold().startswith(f"{wanted}:") and len(said) > len(wanted) + 1:
            return Value(said[len(wanted) + 1 :].strip(), origin=origin_of(page, [node]))
    return None


def _value_at(page: Page, node: int) -> Value:
    """The whole text of the element around a text, as long as it is one line."""
    parent = int(page.parent[node])
    text = page.text_of(parent)
    whole = "\n" not in text and page.end[parent] - parent <= MOST_AROUND
    return Value(squeezed(text if whole else page.text_of(node)), origin=origin_of(page, [parent if whole else node]))


def cell_in(page: Page, column: str, row: str) -> Value | None:
    """The cell below a heading, in the row with a text; without one, in the only row. None if there is none."""
    for table in find_tables(page):
        name = next((one.name for one in table.columns if same_name(column, one.name)), None)
        if name is None:
            continue
        rows = _rows_with(table.records(), row)
        if len(rows) > 1:
            what = f"with “{row}”" if row else "and no `row` is given"
            raise UsageError(f"The column “{column}” has {len(rows)} rows {what}; say which one with `row`.")
        if rows:
            value = rows[0][name]
            return value if isinstance(value, Value) else None
    return None


def _rows_with(records: Records, text: str) -> list[Record]:
    """The rows with a cell that is this text, or has it as a line; if there is none, those that have it as words."""
    if not text:
        return list(records)
    cells = [(record, [value.text for _, value in named_values(record)]) for record in records]
    exact = [record for record, texts in cells if any(_is_line(text, cell) for cell in texts)]
    words = re.compile(rf"(?<!\w){re.escape(squeezed(text))}(?!\w)", re.IGNORECASE)
    return exact or [record for record, texts in cells if any(words.search(squeezed(cell)) for cell in texts)]


def _is_line(text: str, cell: str) -> bool:
    return any(same_name(text, line) for line in (cell, *cell.splitlines()))


def spans_of(page: Page, records: Records) -> list[PageRecord]:
    """Each record with the nodes that belong to it: its values, and what stands between them and the next record."""
    nodes = [_nodes(record) for record in records]
    everything = np.array(sorted(node for own in nodes for node in own), dtype=np.int32)
    starts = [_top_of(page, np.array(own, dtype=np.int32), everything) for own in nodes]
    seen: dict[Record, int] = {}
    found = []
    for at, record in enumerate(records):
        start = starts[at]
        end = _end_of(page, start, [one for one in starts if one > start])
        plain = Record({name: _text(field) for name, field in record.items()})
        found.append(PageRecord(record, (start, end), seen.get(plain, 0)))
        seen[plain] = seen.get(plain, 0) + 1
    return found


def _text(field: object) -> object:
    """A field by its texts alone; where it stood and what it was typed as do not make it another one."""
    if isinstance(field, Value):
        return field.text
    if isinstance(field, Record):
        return Record({name: _text(one) for name, one in field.items()})
    return tuple(_text(one) for one in field) if isinstance(field, tuple) else field


def same_record(one: Record, other: Record) -> bool:
    """Whether two records say the same."""
    return _text(one) == _text(other)


def _nodes(record: Record) -> list[int]:
    return sorted({node for _, value in named_values(record) if value.origin for node in value.origin.nodes})


def _top_of(page: Page, own: IntArray, everything: IntArray) -> int:
    """The largest element that begins with a record and has nothing of another one."""
    if not len(own):
        return 0
    top = int(own[0])
    parent = int(page.parent[top])
    while parent >= 0 and _within(page, parent, everything) == _within(page, parent, own):
        top, parent = parent, int(page.parent[parent])
    return top


def _within(page: Page, node: int, numbers: IntArray) -> int:
    """How many of some sorted numbers are nodes in an element."""
    first, last = np.searchsorted(numbers, [node, int(page.end[node])])
    return int(last - first)


def _end_of(page: Page, start: int, further: list[int]) -> int:
    """Where a record ends: with its element, or in flat lists where the next one begins."""
    parent = int(page.parent[start])
    around = int(page.end[parent]) if parent >= 0 else len(page)
    return min([around, *further])
