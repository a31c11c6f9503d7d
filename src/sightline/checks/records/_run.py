"""A run: what a wrapper took from one page or several, as the checks look at it, field by field."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, get_args

from sightline.checks.records._places import ValuePlaces
from sightline.checks.records._record_nodes import units_of
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

__all__ = [
    "FieldColumn",
    "FieldValue",
    "PageRecords",
    "RecordGroup",
    "RecordRun",
    "flat",
    "matched",
    "origins",
    "run_of",
    "shown",
    "telling",
    "values_of",
]

ENOUGH_PAGES = 5  # that a set inside of records must stand on before its values tell anything of a run


@dataclass(frozen=True, eq=False)
class PageRecords:
    """What was taken from one page: its records, the page if it is at hand, and what their reader said of them.

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
        """Refuse arguments of a wrong type: whatever is in the records is the checks' matter."""
        if not isinstance(self.records, Records):
            raise UsageError(f"What was taken from a page are Records, not {self.records!r:.60}.")
        if self.page is not None and not isinstance(self.page, Page):
            raise UsageError(f"The page that records were taken from is a Page or None, not {self.page!r:.60}.")
        if self.verdict not in get_args(Verdict):
            raise UsageError(f"{self.verdict!r:.60} is no verdict; use one of {', '.join(get_args(Verdict))}.")

    @property
    def called(self) -> str | None:
        """What the page is called: its source, else its address."""
        return self.source or (self.page.url if self.page else "") or None


class FieldValue(NamedTuple):
    """One value of a field: on which page of the run, and in which record (or nested record) of it."""

    value: Value
    page: int
    holder: int


@dataclass(eq=False)
class FieldColumn:
    """All values of a field in a run, and how many records could have had one."""

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
        """All values as a type reads them; every check asks, and they are read once."""
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
    """Records that stand together: those of a page, or those of a set in one record. `scope` is the set's name."""

    scope: str
    page: int
    records: tuple[Record, ...]


@dataclass(frozen=True, eq=False)
class RecordRun:
    """The pages of a run, the columns of all fields by their full names, and the groups of records."""

    taken: tuple[PageRecords, ...]
    columns: dict[str, FieldColumn]
    groups: tuple[RecordGroup, ...]
    _nodes: dict[RecordGroup, list[list[int]]] = field(default_factory=dict)
    _units: dict[RecordGroup, list[int | None]] = field(default_factory=dict)

    @property
    def records(self) -> int:
        """The number of records."""
        return sum(len(own.records) for own in self.taken)

    def lists(self, profile: Profile | None) -> tuple[RecordGroup, ...]:
        """The groups whose records are what the run is about.

        These are the records of the pages. Where each page is one record and the profile counts several, they are the
        items of its sets; other sets inside of records come as they like, and say nothing of the run.
        """
        is_single = all(len(own.records) <= 1 for own in self.taken)
        inner = is_single and profile is not None and profile.most > 1
        return tuple(group for group in self.groups if bool(group.scope) == inner and "." not in group.scope)

    @cached_property
    def places(self) -> tuple[ValuePlaces | None, ...]:
        """For each page where values stand on it; None where the page is not at hand."""
        return tuple(ValuePlaces(own.page) if own.page is not None else None for own in self.taken)

    def nodes(self, group: RecordGroup) -> list[list[int]]:
        """For each record of a group the nodes that it was taken from; none where the page is not at hand."""
        places = self.places[group.page]
        if group not in self._nodes:
            self._nodes[group] = [nodes_of(record, places) if places else [] for record in group.records]
        return self._nodes[group]

    def units(self, group: RecordGroup) -> list[int | None]:
        """For each record of a group the largest element that holds nothing of the others."""
        places = self.places[group.page]
        if group not in self._units:
            self._units[group] = units_of(self.nodes(group), places) if places else [None] * len(group.records)
        return self._units[group]

    def standing(self, cells: Sequence[FieldValue]) -> Iterator[tuple[FieldValue, ValuePlaces, int]]:
        """Those of some values whose place on a page is known, with the page's places and their node."""
        for cell in cells:
            places = self.places[cell.page]
            node = places.node(cell.value.origin) if places is not None else None
            if places is not None and node is not None:
                yield cell, places, node

    @property
    def language(self) -> str | None:
        """The language of the first page that has one."""
        return next((own.records.language for own in self.taken if own.records.language), None)


def run_of(taken: Sequence[PageRecords]) -> RecordRun:
    """The columns and groups of what was taken.

    >>> run = run_of([PageRecords(Records([{"name": "A", "shops": [{"city": "Ulm"}, {"city": None}]}]))])
    >>> {name: (column.texts, column.holders) for name, column in run.columns.items()}
    {'name': (['A'], 1), 'shops.city': (['Ulm'], 2)}
    """
    walk = _Walk()
    for number, own in enumerate(taken):
        walk.names(own.records.schema, "")
        walk.group("", number, tuple(own.records))
    return RecordRun(tuple(taken), walk.finished(), tuple(walk.groups))


@dataclass(eq=False)
class _Walk:
    """Walks through nested records and collects the values of every field."""

    columns: dict[str, FieldColumn] = field(default_factory=dict)
    groups: list[RecordGroup] = field(default_factory=list)
    holders: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    scopes: set[str] = field(default_factory=set)
    number: int = 0

    def names(self, schema: Schema, name: str, scope: str = "") -> None:
        """Note the fields that records could have had, whether or not one has them."""
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
        """The column of a field, which is one of the records of a set, or of the pages."""
        return self.columns.setdefault(name, FieldColumn(name, scope))

    def group(self, scope: str, page: int, records: tuple[Record, ...]) -> None:
        """Walk through records that stand together."""
        self.groups.append(RecordGroup(scope, page, records))
        for record in records:
            self.number += 1
            self.holders[scope] += 1
            holder = self.number
            for part, content in record.items():
                self.content(_full(scope, part), scope, FieldValue(_NOTHING, page, holder), content)

    def content(self, name: str, scope: str, place: FieldValue, content: Field) -> None:
        """Walk through what stands under a name."""
        inner: list[Record] = []
        for own in flat(content):
            if isinstance(own, Record):
                inner.append(own)
            else:
                self.column(name, scope).cells.append(place._replace(value=own))
        if inner:
            self.scopes.add(name)
            self.group(name, place.page, tuple(inner))

    def finished(self) -> dict[str, FieldColumn]:
        """The columns with the number of their records; what is a set has its values in the columns of its fields."""
        for scope in self.scopes:
            if scope in self.columns and not self.columns[scope].cells:
                del self.columns[scope]
        for column in self.columns.values():
            column.holders = self.holders[column.scope]
        return self.columns


_NOTHING = Value("")


def _full(scope: str, name: str) -> str:
    return f"{scope}.{name}" if scope else name


def flat(content: Field) -> Iterator[Value | Record]:
    """The values and records that stand under a name, lists of lists laid out flat."""
    if isinstance(content, Value | Record):
        yield content
    elif content is not None:
        for item in content:
            yield from flat(item)


def values_of(record: Record) -> Iterator[Value]:
    """All values of a record, those of nested records as well."""
    for content in record.values():
        if isinstance(content, Value):
            yield content
            continue
        for own in flat(content):
            if isinstance(own, Record):
                yield from values_of(own)
            else:
                yield own


def nodes_of(record: Record, places: ValuePlaces) -> list[int]:
    """The nodes that a record was taken from."""
    return [node for value in values_of(record) for node in places.nodes(value.origin)]


def matched(run: RecordRun, profile: Profile) -> list[tuple[FieldColumn, FieldProfile]]:
    """The columns of a run, each with what is known of its field.

    A profile names the fields of a set with its name before them, also where the items of the set are the records.

    >>> known = Profile(fields=(FieldProfile("items.name"), FieldProfile("total")))
    >>> [(column.name, own.name) for column, own in matched(run_of([PageRecords(Records([{"name": "A"}]))]), known)]
    [('name', 'items.name')]
    """
    known = {own.name: own for own in profile.fields}
    scopes = dict.fromkeys(("", *(f"{scope}." for name in known if (scope := name.rpartition(".")[0]))))
    best = max(scopes, key=lambda scope: sum(scope + name in known for name in run.columns), default="")
    return [(column, known[best + name]) for name, column in run.columns.items() if best + name in known]


def telling(run: RecordRun, profile: Profile) -> list[tuple[FieldColumn, FieldProfile]]:
    """As `matched`, without the fields of sets inside of records that few pages have.

    What stands in such a set belongs together, as the seasons of a player: one page of it is one observation.
    """
    scopes = {"", *(group.scope for group in run.lists(profile))}
    return [
        (column, own) for column, own in matched(run, profile) if column.scope in scopes or column.pages >= ENOUGH_PAGES
    ]


def shown(text: str, most: int = 40) -> str:
    """A text as reasons quote it."""
    flat = " ".join(text.split())
    return f"“{flat}”" if len(flat) <= most else f"“{flat[: most - 1]}…”"


def origins(cells: Sequence[FieldValue]) -> tuple[Origin, ...]:
    """Where values stand."""
    return tuple(cell.value.origin for cell in cells if cell.value.origin is not None)
