"""Records beside their schema: typing every value, and taking lists apart."""

from collections.abc import Sequence
from dataclasses import replace

from sightline.data._column import Column, fits
from sightline.data._record import Field, Record
from sightline.data._schema import Basic, Disjunction, Option, Schema, SetOf, TupleOf
from sightline.data._value import Value

__all__ = ["fitting_schema", "several", "single_item", "typed_field"]


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
