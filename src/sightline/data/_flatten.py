"""Flattens nested records into columns, and infers the schema of records.

Nested records get dotted names. A list becomes one column: its texts joined, since a flat table has one cell for it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sightline.data._column import Column, read_title, unique_names
from sightline.data._record import Field, Record
from sightline.data._schema import Basic, Disjunction, Option, Schema, SetOf, TupleOf
from sightline.data._types import ColumnType, infer
from sightline.data._value import Value, joined_origin
from sightline.errors import UsageError

JOINER = "; "


@dataclass(frozen=True, slots=True)
class _Leaf:
    path: tuple[str, ...]
    type: ColumnType | None


def flat_columns(records: Sequence[Record], schema: Schema, joiner: str = JOINER) -> tuple[Column, ...]:
    """The columns of the schema, in its order, whether or not any record has them."""
    leaves = list(dict.fromkeys(_merged(_leaves(schema, ()))))
    names = unique_names(".".join(leaf.path) for leaf in leaves)
    return tuple(
        Column(name, tuple(_joined_in_place(list(_values(record, leaf.path)), joiner) for record in records), leaf.type)
        for name, leaf in zip(names, leaves, strict=True)
    )


def _leaves(node: Schema, path: tuple[str, ...]) -> Iterator[_Leaf]:
    if isinstance(node, TupleOf):
        for name, part in node.fields:
            yield from _leaves(part, (*path, name))
    elif isinstance(node, SetOf):
        yield from (_Leaf(leaf.path, ColumnType()) for leaf in _leaves(node.item, path))
    elif isinstance(node, Basic):
        yield _Leaf(path, node.type)
    else:
        for child in node.children:
            yield from _leaves(child, path)


def _merged(leaves: Iterable[_Leaf]) -> list[_Leaf]:
    """One leaf a path: alternatives of different types share a column of text."""
    found: dict[tuple[str, ...], _Leaf] = {}
    for leaf in leaves:
        known = found.setdefault(leaf.path, leaf)
        if known.type != leaf.type:
            found[leaf.path] = _Leaf(leaf.path, ColumnType())
    return list(found.values())


def _values(field: Field, path: tuple[str, ...]) -> Iterator[Value | None]:
    """The values on a path; None for a record in a list that has none there, so that columns of a list stay in step."""
    if isinstance(field, tuple):
        for item in field:
            found = list(_values(item, path))
            yield from found or ([None] if isinstance(item, Record) else [])
    elif isinstance(field, Record) and path:
        yield from _values(field.get(path[0]), path[1:])
    elif isinstance(field, Value) and not path:
        yield field


def _joined_in_place(values: list[Value | None], joiner: str) -> Value | None:
    """Several values joined into one, with an empty place for each missing one."""
    present = [value for value in values if value is not None]
    if not present or len(present) == len(values):
        return joined(present, joiner)
    whole = joined(present, joiner)
    origin = whole.origin if whole else None
    return Value(joiner.join(value.text if value else "" for value in values), None, origin)


def joined(values: list[Value], joiner: str) -> Value | None:
    """Several values joined into one, with an origin around all; None if there are none.

    >>> joined([Value("a"), Value("b")], "; ").text
    'a; b'
    """
    if len(values) < 2:
        return values[0] if values else None
    return Value(
        joiner.join(value.text for value in values),
        None,
        joined_origin(value.origin for value in values if value.origin),
    )


def infer_schema(records: Sequence[Record], language: str | None = None) -> TupleOf:
    """The schema that all these records follow, with the types of all values under each name.

    >>> print(infer_schema([Record({"a": "1", "b": ["x", "y"]}), Record({"a": "2"})]))
    (a: number, b: {text}?)
    """
    names = dict.fromkeys(name for record in records for name in record)
    parts = ((name, [record.get(name) for record in records]) for name in names)
    return TupleOf(tuple((name, _node(fields, language, read_title(name).unit)) for name, fields in parts))


def _node(fields: list[Field], language: str | None, unit: str | None) -> Schema:
    present = [field for field in fields if field is not None]
    node = _present_node(present, language, unit)
    return Option(node) if len(present) < len(fields) else node


def _present_node(fields: Sequence[Field], language: str | None, unit: str | None) -> Schema:
    lists = [field for field in fields if isinstance(field, tuple)]
    records = [field for field in fields if isinstance(field, Record)]
    values = [field for field in fields if isinstance(field, Value)]
    options: list[Schema] = []
    if values or not fields:
        options.append(Basic(infer([value.text for value in values], language, unit=unit)))
    if records:
        options.append(infer_schema(records, language))
    if lists:
        options.append(SetOf(_node([item for items in lists for item in items], language, unit)))
    return options[0] if len(options) == 1 else Disjunction(tuple(options))


def check_fields(record: Record, schema: Schema, where: str) -> None:
    """Reject a record with content that the schema has no place for, since an export would lose it."""
    if not _accepts(schema, record):
        name = next((name for name in record if not _has_place(schema, name, record[name])), "")
        raise UsageError(f"{where} has {name!r} in a form that its schema does not allow: {schema}.")


def _has_place(schema: Schema, name: str, field: Field) -> bool:
    return _accepts(schema, Record({name: field}))


def _accepts(node: Schema, field: Field) -> bool:
    if field is None or isinstance(node, Option):
        return field is None or _accepts(node.children[0], field)
    if isinstance(node, Disjunction):
        return any(_accepts(option, field) for option in node.options)
    if isinstance(node, SetOf):
        return isinstance(field, tuple) and all(_accepts(node.item, item) for item in field)
    if isinstance(node, TupleOf):
        parts = dict(node.fields)
        return isinstance(field, Record) and all(
            name in parts and _accepts(parts[name], item) for name, item in field.items()
        )
    return isinstance(field, Value)
