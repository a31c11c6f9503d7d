"""The shape of records: basic values, tuples of named parts, sets, options and disjunctions."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sightline.data._column import Column, fits
from sightline.data._exports._text import escape
from sightline.data._record import Field, Record
from sightline.data._types import ColumnType
from sightline.data._value import Value
from sightline.errors import UsageError


class Schema(ABC):
    """A node of a schema; every node is itself a schema.

    >>> price = Basic(ColumnType(kind="money", currency="EUR"))
    >>> schema = TupleOf((("name", Basic()), ("price", Option(price)), ("tags", SetOf(Basic()))))
    >>> print(schema)
    (name: text, price: money EUR?, tags: {text})
    >>> Schema.from_json(schema.to_json()) == schema
    True
    """

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The schema as plain JSON; docs/data.md has the form."""

    @abstractmethod
    def __str__(self) -> str:
        """The schema on one line: `( )` tuple, `{ }` set, `?` option, `|` disjunction."""

    @property
    def children(self) -> tuple["Schema", ...]:
        """The nodes directly below."""
        return ()

    def walk(self) -> Iterator["Schema"]:
        """The node and all below it, from top to bottom."""
        yield self
        for child in self.children:
            yield from child.walk()

    @staticmethod
    def from_json(document: dict[str, Any]) -> "Schema":
        """The inverse of `to_json`."""
        node = document.get("node") if isinstance(document, dict) else None
        if node not in _READERS:
            raise UsageError(f"A schema's node must be one of {', '.join(_READERS)}, not {node!r}.")
        try:
            return _READERS[node](document)
        except (KeyError, TypeError, ValueError) as problem:
            if isinstance(problem, UsageError):
                raise
            raise UsageError(f"The {node} in this schema is incomplete: {problem}.") from problem

    def _repr_html_(self) -> str:
        return f"<code>{escape(str(self))}</code>"


@dataclass(frozen=True, slots=True)
class Basic(Schema):
    """One value, and how its texts are parsed."""

    type: ColumnType = field(default_factory=ColumnType)

    def to_json(self) -> dict[str, Any]:
        """`{"node": "basic", "type": {"kind": …}}`."""
        return {"node": "basic", "type": self.type.to_json()}

    def __str__(self) -> str:
        return str(self.type)


@dataclass(frozen=True, slots=True)
class TupleOf(Schema):
    """Named parts in their order."""

    fields: tuple[tuple[str, Schema], ...]

    def __post_init__(self) -> None:
        """Reject empty or duplicate names, and parts that are not schemas."""
        names = [name for name, _ in self.fields]
        if not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
            raise UsageError(f"The names in a tuple must be unique and not empty; these are not: {names}.")
        _check(node for _, node in self.fields)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parts."""
        return tuple(name for name, _ in self.fields)

    @property
    def children(self) -> tuple[Schema, ...]:
        """The parts."""
        return tuple(node for _, node in self.fields)

    def to_json(self) -> dict[str, Any]:
        """`{"node": "tuple", "fields": [{"name": …, "schema": …}]}`."""
        parts = [{"name": name, "schema": node.to_json()} for name, node in self.fields]
        return {"node": "tuple", "fields": parts}

    def __str__(self) -> str:
        return "(" + ", ".join(f"{name}: {node}" for name, node in self.fields) + ")"


@dataclass(frozen=True, slots=True)
class _Wrapping(Schema):
    """A node around exactly one other."""

    item: Schema

    def __post_init__(self) -> None:
        _check([self.item])

    @property
    def children(self) -> tuple[Schema, ...]:
        """The one node inside."""
        return (self.item,)


class SetOf(_Wrapping):
    """Any number of one thing, in the order of the page."""

    def to_json(self) -> dict[str, Any]:
        """`{"node": "set", "item": …}`."""
        return {"node": "set", "item": self.item.to_json()}

    def __str__(self) -> str:
        return f"{{{self.item}}}"


class Option(_Wrapping):
    """One thing or nothing."""

    def __post_init__(self) -> None:
        """Reject an option of an option."""
        _check([self.item])
        if isinstance(self.item, Option):
            raise UsageError("An option of an option adds nothing; use a single option.")

    def to_json(self) -> dict[str, Any]:
        """`{"node": "option", "item": …}`."""
        return {"node": "option", "item": self.item.to_json()}

    def __str__(self) -> str:
        return f"{self.item}?"


@dataclass(frozen=True, slots=True)
class Disjunction(Schema):
    """Exactly one of several things."""

    options: tuple[Schema, ...]

    def __post_init__(self) -> None:
        """Reject fewer than two options."""
        _check(self.options)
        if len(self.options) < 2:
            raise UsageError(f"A disjunction needs at least two options, not {len(self.options)}.")

    @property
    def children(self) -> tuple[Schema, ...]:
        """The options."""
        return self.options

    def to_json(self) -> dict[str, Any]:
        """`{"node": "disjunction", "options": […]}`."""
        return {"node": "disjunction", "options": [option.to_json() for option in self.options]}

    def __str__(self) -> str:
        return "[" + " | ".join(map(str, self.options)) + "]"


def _check(nodes: Iterable[Any]) -> None:
    for node in nodes:
        if not isinstance(node, Schema):
            raise UsageError(f"A schema is made of schemas; {node!r} is a {type(node).__name__}.")


_READERS: dict[Any, Callable[[dict[str, Any]], Schema]] = {
    "basic": lambda document: Basic(ColumnType.from_json(document.get("type", {}))),
    "tuple": lambda document: TupleOf(
        tuple((part["name"], Schema.from_json(part["schema"])) for part in document["fields"])
    ),
    "set": lambda document: SetOf(Schema.from_json(document["item"])),
    "option": lambda document: Option(Schema.from_json(document["item"])),
    "disjunction": lambda document: Disjunction(tuple(map(Schema.from_json, document["options"]))),
}


# Records beside their schema: typing every value, and taking lists apart.


def fitting_schema(node: Schema, fields: Sequence[Field], language: str | None = None, name: str = "") -> Schema:
    """The schema with the type of each value decided anew by all values in its place, so that none is lost.

    >>> from sightline.data import ColumnType
    >>> postcode = Basic(ColumnType(kind="number", integer=True))
    >>> str(fitting_schema(postcode, [Value("04103"), Value("10115")])), str(fitting_schema(postcode, [Value("10115")]))
    ('text', 'number')
    """
    if isinstance(node, Basic):
        cells = tuple(field for field in fields if isinstance(field, Value))
        return Basic(Column(name, cells, node.type, language).type) if cells else node
    if isinstance(node, SetOf):
        items = [item for field in fields if isinstance(field, tuple) for item in field]
        return SetOf(fitting_schema(node.item, items, language, name))
    if isinstance(node, TupleOf):
        records = [field for field in fields if isinstance(field, Record)]
        parts = ((key, part, [record.get(key) for record in records]) for key, part in node.fields)
        return TupleOf(tuple((key, fitting_schema(part, inner, language, key)) for key, part, inner in parts))
    if isinstance(node, Option):
        return Option(fitting_schema(node.item, fields, language, name))
    if isinstance(node, Disjunction):
        return Disjunction(tuple(fitting_schema(option, fields, language, name) for option in node.options))
    return node


def single_item(node: Schema) -> Schema:
    """What a list holds, as an option, since a list may be empty."""
    if isinstance(node, Option):
        return single_item(node.item)
    if not isinstance(node, SetOf):
        return node
    return node.item if isinstance(node.item, Option) else Option(node.item)


def several(field: Field) -> tuple[Field, ...]:
    """The items of a list, or what else there is; at least one, so that no record is lost."""
    if isinstance(field, tuple):
        return field or (None,)
    return (field,)


def typed_field(field: Field, node: Schema) -> Field:
    """A field with every value in it typed as the schema says."""
    if isinstance(node, Option):
        return typed_field(field, node.item)
    if isinstance(field, Value):
        return _typed_value(field, node)
    if isinstance(field, tuple):
        item = _choice(node, SetOf)
        return tuple(typed_field(part, item.item) for part in field) if isinstance(item, SetOf) else field
    chosen = _choice(node, TupleOf)
    if isinstance(field, Record) and isinstance(chosen, TupleOf):
        parts = dict(chosen.fields)
        return Record({name: typed_field(part, parts[name]) if name in parts else part for name, part in field.items()})
    return field


def _typed_value(value: Value, node: Schema) -> Value:
    basic = _choice(node, Basic)
    if not isinstance(basic, Basic) or (value.value is not None and fits(value.value, basic.type)):
        return value
    return replace(value, value=basic.type.parse(value.text))


def _choice(node: Schema, kind: type[Schema]) -> Schema | None:
    """The node itself, or that option of a disjunction which is of the kind."""
    if isinstance(node, kind):
        return node
    options = node.options if isinstance(node, Disjunction) else ()
    inner = (option.item if isinstance(option, Option) else option for option in options)
    return next((option for option in inner if isinstance(option, kind)), None)
