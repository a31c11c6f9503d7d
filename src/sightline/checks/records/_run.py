"""A run: the records extracted from one or more pages, arranged field by field for the checks."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, get_args
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from sightline.data import (
    ColumnType,
    Disjunction,
    Field,
    FieldProfile,
    Option,
    Origin,
    Profile,
    Record,
    Records,
    Schema,
    SetOf,
    TupleOf,
    Typed,
    Value,
    Verdict,
)
from sightline.errors import UsageError
from sightline.page import Page

# -- where values are on their page: the elements around them and the text before them ------------------------------

_NUMBER = re.compile(r"\d+")
_LABEL_END = " \t\n:：;=-–—|•·»>.?"
LINKED = 4  # levels up in which to look for a link
HEIGHT = 2  # elements around a value that identify its place; outer ones differ from record to record
LONGEST_LABEL = 40  # characters; anything longer is a text in itself


def element_signature(page: Page, tag: int, classes: int) -> str:
    """The tag and classes of an element, by the ids of their strings, without digits in the classes: `li.product`."""
    names = page.strings[classes].split() if classes >= 0 else []
    return ".".join([page.strings[tag], *sorted({_NUMBER.sub("", name) for name in names})])


class ValuePlaces:
    """The places of values on one page. Origins on other pages and unknown nodes have no place."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._signatures: dict[tuple[int, int], str] = {}
        self._places: dict[int, str] = {}

    def node(self, origin: Origin | None) -> int | None:
        """The first node of an origin, in this page's numbering."""
        found = self.nodes(origin)
        return found[0] if found else None

    def nodes(self, origin: Origin | None) -> list[int]:
        """The nodes of an origin, in this page's numbering."""
        if origin is None or not origin.nodes or origin.page != self.page.whole_id:
            return []
        if self.page.part is None:
            return [node for node in origin.nodes if 0 <= node < len(self.page)]
        numbers = self.page.numbers
        places = np.searchsorted(numbers, origin.nodes).tolist()
        pairs = zip(origin.nodes, places, strict=True)
        return [place for node, place in pairs if place < len(numbers) and numbers[place] == node]

    def element(self, node: int) -> int:
        """The element that contains a text node; an element is returned unchanged."""
        return self.parent[node] if self.page.is_text[node] and self.parent[node] >= 0 else node

    def signature(self, node: int) -> str:
        """What `element_signature` says of an element."""
        pair = self._tags[node], self._classes[node]
        if pair not in self._signatures:
            self._signatures[pair] = element_signature(self.page, *pair)
        return self._signatures[pair]

    def place(self, node: int) -> str:
        """The elements around a value, outermost first: `li.product>p.price`."""
        element = self.element(node)
        if element not in self._places:
            self._places[element] = ">".join(
                reversed([self.signature(element_around) for element_around in self._upwards(element, HEIGHT)])
            )
        return self._places[element]

    def label(self, node: int) -> str | None:
        """The short text before a value, normalised for comparison: case-folded, without a trailing colon."""
        before = int(np.searchsorted(self.leaves, node)) - 1
        if before < 0:
            return None
        text = " ".join(self.page.strings[self.page.text[self.leaves[before]]].split())
        return text.casefold().strip(_LABEL_END) if len(text) <= LONGEST_LABEL else None

    def host(self, node: int) -> str | None:
        """The host that a value links to: empty for the page's own host, None if it is not a link."""
        for element in self._upwards(self.element(node), LINKED):
            if self._links[element] >= 0:
                found = _host_of(self.page.strings[self._links[element]])
                return "" if found == _host_of(self.page.url) else found
        return None

    def lowest_common(self, nodes: list[int]) -> int:
        """The lowest element around all these nodes."""
        first, last = min(nodes), max(nodes)
        element = self.element(first)
        while self.end[element] <= last and self.parent[element] >= 0:
            element = self.parent[element]
        return element

    def _upwards(self, node: int, most: int) -> Iterator[int]:
        for _ in range(most):
            if node < 0:
                return
            yield node
            node = self.parent[node]

    @cached_property
    def parent(self) -> list[int]:
        """The parents of all nodes, as a list: single lookups in an array are slow."""
        found: list[int] = self.page.parent.tolist()
        return found

    @cached_property
    def end(self) -> list[int]:
        """The ends of all nodes, as a list."""
        found: list[int] = self.page.end.tolist()
        return found

    @cached_property
    def _tags(self) -> list[int]:
        found: list[int] = self.page.tag.tolist()
        return found

    @cached_property
    def _classes(self) -> list[int]:
        found: list[int] = self.page.attribute("class").tolist()
        return found

    @cached_property
    def _links(self) -> list[int]:
        found: list[int] = self.page.attribute("href").tolist()
        return found

    @cached_property
    def leaves(self) -> npt.NDArray[np.intp]:
        """The texts of the page that are not blank."""
        return np.flatnonzero(self.page.is_text & ~self.page.is_blank)


def _host_of(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


# -- A run: the records extracted from one or more pages, arranged field by field for the checks --------------------

ENOUGH_PAGES = 5  # that must have a nested set before its values say anything about a run


@dataclass(frozen=True, eq=False)
class PageRecords:
    """The records extracted from one page, the page if available, and the wrapper's verdict.

    `verdict` and `problems` are those of the wrapper that read the page; `source` is the address or file.

    >>> PageRecords(Records([{"name": "EOS 5D"}]), source="cameras.html").verdict
    'ok'
    """

    records: Records
    page: Page | None = None
    source: str = ""
    verdict: Verdict = "ok"
    problems: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Reject arguments of the wrong type; the content of the records is for the checks to judge."""
        if not isinstance(self.records, Records):
            raise UsageError(f"PageRecords needs Records, not {self.records!r:.60}.")
        if self.page is not None and not isinstance(self.page, Page):
            raise UsageError(f"The page of PageRecords must be a Page or None, not {self.page!r:.60}.")
        if self.verdict not in get_args(Verdict):
            raise UsageError(f"{self.verdict!r:.60} is not a verdict; use one of {', '.join(get_args(Verdict))}.")

    @property
    def name(self) -> str | None:
        """The source of the page, or its address."""
        return self.source or (self.page.url if self.page else "") or None


class FieldValue(NamedTuple):
    """A value of a field, with its page in the run and its record (or nested record)."""

    value: Value
    page: int
    holder: int


@dataclass(eq=False)
class FieldColumn:
    """All values of a field in a run, and how many records could have one."""

    name: str
    scope: str = ""
    cells: list[FieldValue] = field(default_factory=list)
    holders: int = 0
    _typed: dict[ColumnType, list[Typed | None]] = field(default_factory=dict)

    @property
    def texts(self) -> list[str]:
        """The texts of all values."""
        return [cell.value.text for cell in self.cells]

    def typed(self, kind: ColumnType) -> list[Typed | None]:
        """All values parsed as a type; cached, since every check asks for them."""
        if kind not in self._typed:
            self._typed[kind] = [kind.parse(cell.value.text) for cell in self.cells]
        return self._typed[kind]

    @property
    def filled(self) -> int:
        """How many records have a value."""
        return len({cell.holder for cell in self.cells})

    @property
    def fill(self) -> float:
        """The share of the records that have a value."""
        return self.filled / self.holders if self.holders else 0.0

    @property
    def pages(self) -> int:
        """How many pages have a value."""
        return len({cell.page for cell in self.cells})


@dataclass(frozen=True, eq=False)
class RecordGroup:
    """Records that belong together: those of a page, or of a set in one record. `scope` is the set's name."""

    scope: str
    page: int
    records: tuple[Record, ...]


@dataclass(frozen=True, eq=False)
class RecordRun:
    """The pages of a run, the columns of all fields by full name, and the groups of records."""

    pages: tuple[PageRecords, ...]
    columns: dict[str, FieldColumn]
    groups: tuple[RecordGroup, ...]
    _nodes: dict[RecordGroup, list[list[int]]] = field(default_factory=dict)
    _units: dict[RecordGroup, list[int | None]] = field(default_factory=dict)

    @property
    def records(self) -> int:
        """The number of records."""
        return sum(len(page_records.records) for page_records in self.pages)

    def lists(self, profile: Profile | None) -> tuple[RecordGroup, ...]:
        """The groups of records that the run is about.

        These are the records of the pages. If each page is one record and the profile counts several, they are the
        items of its sets; other nested sets vary freely and say nothing about the run.
        """
        is_single = all(len(page_records.records) <= 1 for page_records in self.pages)
        inner = is_single and profile is not None and profile.most > 1
        return tuple(group for group in self.groups if bool(group.scope) == inner and "." not in group.scope)

    @cached_property
    def places(self) -> tuple[ValuePlaces | None, ...]:
        """The places of values on each page; None if the page is not available."""
        return tuple(
            ValuePlaces(page_records.page) if page_records.page is not None else None for page_records in self.pages
        )

    def nodes(self, group: RecordGroup) -> list[list[int]]:
        """For each record of a group, its nodes; empty if the page is not available."""
        places = self.places[group.page]
        if group not in self._nodes:
            self._nodes[group] = [nodes_of(record, places) if places else [] for record in group.records]
        return self._nodes[group]

    def units(self, group: RecordGroup) -> list[int | None]:
        """For each record of a group, the largest element that holds nothing of the others."""
        places = self.places[group.page]
        if group not in self._units:
            self._units[group] = units_of(self.nodes(group), places) if places else [None] * len(group.records)
        return self._units[group]

    def standing(self, cells: Sequence[FieldValue]) -> Iterator[tuple[FieldValue, ValuePlaces, int]]:
        """The values whose place on a page is known, with the page's places and their node."""
        for cell in cells:
            places = self.places[cell.page]
            node = places.node(cell.value.origin) if places is not None else None
            if places is not None and node is not None:
                yield cell, places, node

    @property
    def language(self) -> str | None:
        """The language of the first page that has one."""
        return next(
            (page_records.records.language for page_records in self.pages if page_records.records.language), None
        )


def run_of(pages: Sequence[PageRecords]) -> RecordRun:
    """Arrange the records of pages in columns and groups.

    >>> run = run_of([PageRecords(Records([{"name": "A", "shops": [{"city": "Ulm"}, {"city": None}]}]))])
    >>> {name: (column.texts, column.holders) for name, column in run.columns.items()}
    {'name': (['A'], 1), 'shops.city': (['Ulm'], 2)}
    """
    walk = _Walk()
    for number, page_records in enumerate(pages):
        walk.names(page_records.records.schema, "")
        walk.group("", number, tuple(page_records.records))
    return RecordRun(tuple(pages), walk.finished(), tuple(walk.groups))


@dataclass(eq=False)
class _Walk:
    """Walks through nested records and collects the values of every field."""

    columns: dict[str, FieldColumn] = field(default_factory=dict)
    groups: list[RecordGroup] = field(default_factory=list)
    holders: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    scopes: set[str] = field(default_factory=set)
    number: int = 0

    def names(self, schema: Schema, name: str, scope: str = "") -> None:
        """Note the fields that records could have, whether or not any record has them."""
        if isinstance(schema, Option | SetOf):
            self.names(schema.item, name, scope)
        elif isinstance(schema, Disjunction):
            for child in schema.children:
                self.names(child, name, scope)
        elif isinstance(schema, TupleOf):
            if name:
                self.scopes.add(name)
            for part, child in schema.fields:
                self.names(child, _full(name, part), name)
        elif name:
            self.column(name, scope)

    def column(self, name: str, scope: str) -> FieldColumn:
        """The column of a field of the records of a set, or of the pages."""
        return self.columns.setdefault(name, FieldColumn(name, scope))

    def group(self, scope: str, page: int, records: tuple[Record, ...]) -> None:
        """Walk through records that belong together."""
        self.groups.append(RecordGroup(scope, page, records))
        for record in records:
            self.number += 1
            self.holders[scope] += 1
            holder = self.number
            for part, content in record.items():
                self.content(_full(scope, part), scope, FieldValue(_NOTHING, page, holder), content)

    def content(self, name: str, scope: str, place: FieldValue, content: Field) -> None:
        """Walk through the content of a field."""
        inner: list[Record] = []
        for item in flat_items(content):
            if isinstance(item, Record):
                inner.append(item)
            else:
                self.column(name, scope).cells.append(place._replace(value=item))
        if inner:
            self.scopes.add(name)
            self.group(name, place.page, tuple(inner))

    def finished(self) -> dict[str, FieldColumn]:
        """The columns with their numbers of records, without sets, whose values are in the columns of their fields."""
        for scope in self.scopes:
            if scope in self.columns and not self.columns[scope].cells:
                del self.columns[scope]
        for column in self.columns.values():
            column.holders = self.holders[column.scope]
        return self.columns


_NOTHING = Value("")


def _full(scope: str, name: str) -> str:
    return f"{scope}.{name}" if scope else name


def flat_items(content: Field) -> Iterator[Value | Record]:
    """The values and records of a field, with nested lists flattened."""
    if isinstance(content, Value | Record):
        yield content
    elif content is not None:
        for item in content:
            yield from flat_items(item)


def values_of(record: Record) -> Iterator[Value]:
    """All values of a record, including those of nested records."""
    for content in record.values():
        if isinstance(content, Value):
            yield content
            continue
        for item in flat_items(content):
            if isinstance(item, Record):
                yield from values_of(item)
            else:
                yield item


def nodes_of(record: Record, places: ValuePlaces) -> list[int]:
    """The nodes of a record."""
    return [node for value in values_of(record) for node in places.nodes(value.origin)]


def matched_columns(run: RecordRun, profile: Profile) -> list[tuple[FieldColumn, FieldProfile]]:
    """The columns of a run, each with the profile of its field.

    A profile prefixes the fields of a set with its name, even if the items of the set are the records.

    >>> known = Profile(fields=(FieldProfile("items.name"), FieldProfile("total")))
    >>> run = run_of([PageRecords(Records([{"name": "A"}]))])
    >>> [(column.name, field.name) for column, field in matched_columns(run, known)]
    [('name', 'items.name')]
    """
    known = {field.name: field for field in profile.fields}
    scopes = dict.fromkeys(("", *(f"{scope}." for name in known if (scope := name.rpartition(".")[0]))))
    best = max(scopes, key=lambda scope: sum(scope + name in known for name in run.columns), default="")
    return [(column, known[best + name]) for name, column in run.columns.items() if best + name in known]


def comparable_columns(run: RecordRun, profile: Profile) -> list[tuple[FieldColumn, FieldProfile]]:
    """As `matched_columns`, without the fields of nested sets that few pages have.

    The items of such a set belong together, like the seasons of a player: each page is a single observation.
    """
    scopes = {"", *(group.scope for group in run.lists(profile))}
    return [
        (column, field)
        for column, field in matched_columns(run, profile)
        if column.scope in scopes or column.pages >= ENOUGH_PAGES
    ]


def shown(text: str, most: int = 40) -> str:
    """A text as quoted in reasons."""
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= most else f"“{line[: most - 1]}…”"


def origins(cells: Sequence[FieldValue]) -> tuple[Origin, ...]:
    """The origins of values."""
    return tuple(cell.value.origin for cell in cells if cell.value.origin is not None)


# The part of a page that each record fills.


def units_of(nodes: Sequence[Sequence[int]], places: ValuePlaces) -> list[int | None]:
    """For the nodes of each record, the largest element that holds nothing of the others, or None."""
    spans = [(min(record), max(record)) if record else None for record in nodes]
    order = sorted((span, number) for number, span in enumerate(spans) if span is not None)
    units: list[int | None] = [None] * len(nodes)
    for place, ((first, last), number) in enumerate(order):
        before = order[place - 1][0][1] if place else -1
        after = order[place + 1][0][0] if place + 1 < len(order) else len(places.parent)
        if before >= first or after <= last:
            continue
        element = places.lowest_common([first, last])
        if element <= before or places.end[element] > after:
            continue
        parent = places.parent[element]
        while parent >= 0 and parent > before and places.end[parent] <= after:
            element, parent = parent, places.parent[parent]
        units[number] = element
    return units
