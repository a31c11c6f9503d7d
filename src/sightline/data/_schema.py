"""The shape of records: basic values, tuples of named parts, sets, options and disjunctions."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sightline.data._exports._html import escape
from sightline.data._types import ColumnType
from sightline.errors import UsageError

__all__ = ["Basic", "Disjunction", "Option", "Schema", "SetOf", "TupleOf"]


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
