"""Records beside their schema: typing every value, and taking lists apart."""

from dataclasses import replace

from sightline.data._column import fits
from sightline.data._record import Field, Record
from sightline.data._schema import Basic, Disjunction, Option, Schema, SetOf, TupleOf
from sightline.data._value import Value

__all__ = ["several", "single_item", "typed_field"]


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
