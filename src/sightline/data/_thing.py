"""What a page is about: one thing of a kind, with fields that know where they are seen and where the page says them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from sightline.data._column import Column
from sightline.data._exports import Exportable, jsonable
from sightline.data._record import Record
from sightline.data._result import Mark, Plain, XPath, series
from sightline.data._table import Records
from sightline.data._value import Origin, Value

LONGEST_IN_REASON = 60  # characters of a value in a sentence about it


@dataclass(frozen=True)
class ThingValue:
    """A value of a field: as it is seen or said, and where in the page's own data it is said.

    `value.origin` is where it is seen; it is None where nobody sees it. `said` is None where only a reader learns it.
    """

    value: Value
    said: str | None = None

    @property
    def plain(self) -> Any:
        """What it says, typed where that is known."""
        return self.value.text if self.value.value is None else self.value.value


@dataclass(frozen=True)
class ThingDoubt:
    """Why a field is doubtful, with what the page says for machines and what it shows to people."""

    field: str
    reason: str
    said: str | None = None
    seen: str | None = None
    origin: Origin | None = None
    """Where it is seen."""

    @classmethod
    def of_difference(
        cls, field: str, said: str, seen: str, origin: Origin | None, *, in_words: bool = False
    ) -> "ThingDoubt":
        """What is doubtful because the page says it for machines but shows something else, or words that mean it.

        >>> ThingDoubt.of_difference("price", "49.00", "€59.00", None).reason
        'The page says 49.00 for machines but shows €59.00; check which holds.'
        """
        short = seen[:LONGEST_IN_REASON]
        shown = f"“{short}”" if in_words else short
        reason = f"The page says {said[:LONGEST_IN_REASON]} for machines but shows {shown}; check which holds."
        return cls(field, reason, said, seen, origin)

    def to_json(self) -> dict[str, Any]:
        """The doubt for JSON."""
        return {"field": self.field, "reason": self.reason, "said": self.said, "seen": self.seen}


@dataclass(frozen=True)
class ThingProposal:
    """What comes nearest to a field that was asked for and not found, or is doubtful; `value` has its likelihood."""

    value: Value
    said: str | None = None

    def to_json(self, xpath: XPath | None = None) -> dict[str, Any]:
        """The proposal for JSON: its text, and the place where it is seen."""
        place = Plain(origins=True, xpath=xpath).of(self.value)
        return {"text": self.value.text, "xpath": place["xpath"], "box": place["box"], "said": self.said}


@dataclass(frozen=True, repr=False)
class Thing(Exportable):
    """The thing that a page is about: its kind, its fields by the names of schema.org, and what is doubtful.

    `kind` is None where the page is about no single thing; `is_list` then says whether it lists several. If fields were
    asked for, `fields` has all of them in that order, those that were not found without a value.

    >>> thing = Thing("product", {"name": (ThingValue(Value("Lamp")),), "price": (ThingValue(Value("5 €", 5.0)),)})
    >>> thing["price"], thing.to_json()["fields"]
    (5.0, {'name': 'Lamp', 'price': 5.0})
    """

    result_kind: ClassVar[str] = "thing"

    kind: str | None
    fields: Mapping[str, tuple[ThingValue, ...]] = field(default_factory=dict)
    doubts: tuple[ThingDoubt, ...] = ()
    many: frozenset[str] = frozenset()
    proposals: Mapping[str, tuple[ThingProposal, ...]] = field(default_factory=dict)
    """What comes nearest to fields that were asked for and not found, or are doubtful."""
    is_list: bool = False
    score: float = 1.0
    language: str | None = None

    def __repr__(self) -> str:
        name = f" {self['name']!r}" if self.fields.get("name") else ""
        return f"<Thing {self.kind or 'of no kind'}{name}, {len(self)} fields, {len(self.doubts)} doubts>"

    def __getitem__(self, name: str) -> Any:
        """What a field says; a list where it may have several values, None where nothing was found."""
        found = [one.plain for one in self.fields.get(name, ())]
        return found if name in self.many else next(iter(found), None)

    def __len__(self) -> int:
        return sum(map(bool, self.fields.values()))

    @cached_property
    def _records(self) -> Records:
        return Records([Record({name: self._one(found) for name, found in self.fields.items()})], None, self.language)

    def _one(self, found: tuple[ThingValue, ...]) -> Value | None:
        """One value for a cell; several in a line each."""
        if not found:
            return None
        if len(found) == 1:
            return found[0].value
        return Value("\n".join(one.value.text for one in found), origin=found[0].value.origin)

    def records(self) -> Records:
        """The thing as one record."""
        return self._records

    @property
    def columns(self) -> tuple[Column, ...]:
        """A column with one value for each field."""
        return self._records.columns

    def values(self) -> Iterator[Value]:
        """Every value of every field, then those that are proposed."""
        yield from (one.value for found in self.fields.values() for one in found)
        yield from (one.value for near in self.proposals.values() for one in near)

    def marks(self, number: int = 1) -> list[Mark]:  # noqa: ARG002 - a page is about one thing
        """What to draw: every value that is seen, under the name of its field."""
        doubted = {one.field for one in self.doubts}
        found = [
            Mark(one.value.origin.box, series(place), name)
            for place, (name, values) in enumerate(self.fields.items(), start=1)
            for one in values
            if one.value.origin and one.value.origin.box and name not in doubted
        ]
        doubts = [(one.field, one.origin.box) for one in self.doubts if one.origin]
        return [*found, *(Mark(box, "other", f"{name} ?") for name, box in doubts if box)]

    def to_json(self, *, origins: bool = False, xpath: XPath | None = None) -> dict[str, Any]:
        """The thing of the JSON contract; with `origins` each value has its place, and where the page says it."""
        plain = Plain(typed=True, origins=origins, xpath=xpath)

        def shown(one: ThingValue) -> Any:
            return {**plain.of(one.value), "said": one.said} if origins else plain.of(one.value)

        fields = {
            name: None if not found else [shown(one) for one in found] if name in self.many else shown(found[0])
            for name, found in self.fields.items()
        }
        about = {"kind": self.kind, "fields": fields, "doubts": [one.to_json() for one in self.doubts]}
        near = {name: [one.to_json(xpath) for one in several] for name, several in self.proposals.items()}
        more = ({"list": True} if self.is_list else {}) | ({"proposals": near} if near else {})
        return dict(jsonable(about | more))
