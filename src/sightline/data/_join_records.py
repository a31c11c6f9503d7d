"""Records of several pages as one: their schemas joined, so that every record has a place in it."""

from collections.abc import Iterable, Sequence

from sightline.data._schema import Basic, Disjunction, Option, Schema, SetOf, TupleOf
from sightline.data._table import Records


def join_records(parts: Iterable[Records]) -> Records:
    """All records in one sequence, in their order; what only some of the schemas have is optional.

    >>> one, two = Records([{"name": "A", "price": "5 €"}]), Records([{"name": "B", "tags": ["x"]}])
    >>> print(join_records([one, two]).schema)
    (name: text, price: money EUR?, tags: {text}?)
    """
    parts = list(parts)
    languages = {part.language for part in parts}
    schema = _joined([part.schema for part in parts]) if parts else TupleOf(())
    return Records(
        (record for part in parts for record in part), schema, languages.pop() if len(languages) == 1 else None
    )


def _joined(nodes: Sequence[Schema]) -> Schema:
    """One schema for all that each of these has a place for."""
    plain = [option for node in nodes for option in _options(node)]
    tuples = [node for node in plain if isinstance(node, TupleOf)]
    sets = [node for node in plain if isinstance(node, SetOf)]
    choices: list[Schema] = [*dict.fromkeys(node for node in plain if isinstance(node, Basic))]
    if tuples:
        choices.append(_joined_tuples(tuples))
    if sets:
        choices.append(SetOf(_joined([node.item for node in sets])))
    joined = choices[0] if len(choices) == 1 else Disjunction(tuple(choices))
    return Option(joined) if any(isinstance(node, Option) for node in nodes) else joined


def _joined_tuples(tuples: Sequence[TupleOf]) -> TupleOf:
    found: dict[str, list[Schema]] = {}
    for node in tuples:
        for name, part in node.fields:
            found.setdefault(name, []).append(part)
    joined = ((name, _joined(parts), len(parts)) for name, parts in found.items())
    return TupleOf(
        tuple(
            (name, node if count == len(tuples) or isinstance(node, Option) else Option(node))
            for name, node, count in joined
        )
    )


def _options(node: Schema) -> list[Schema]:
    """The node itself, or what it is a choice of."""
    if isinstance(node, Option):
        return _options(node.item)
    return [inner for option in node.options for inner in _options(option)] if isinstance(node, Disjunction) else [node]
