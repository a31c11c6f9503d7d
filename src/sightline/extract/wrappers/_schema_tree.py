"""The schema of a wrapper as a tree to be edited: every field with examples from every page, also dropped ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from sightline.data import Basic, ColumnType, Disjunction, Option, Schema, SetOf, TupleOf, Value, named_values
from sightline.extract.wrappers._wrapper import Wrapper
from sightline.extract.wrappers.patterns import Pattern, Patterns, pattern_paths
from sightline.extract.wrappers.templates import Templates
from sightline.page import Page

PartKind: TypeAlias = Literal["field", "set", "tuple", "option", "alternatives"]
FROM_A_PAGE = 2  # examples of a field; more of one page say nothing new


@dataclass(frozen=True)
class SchemaPart:
    """A field or a set: its full name, what kind of part it is, its type, and examples.

    A field that is `dropped` is not read; one that is `aside` was set aside when the wrapper was learned. Both can be
    restored. `alternatives` is a field that is read from several places, whichever a page has.
    """

    name: str
    path: str
    kind: PartKind
    type: ColumnType | None
    optional: bool = False
    dropped: bool = False
    aside: bool = False
    examples: tuple[Value, ...] = ()
    children: tuple["SchemaPart", ...] = ()


def schema_tree(wrapper: Wrapper, pages: Sequence[Page] = ()) -> tuple[SchemaPart, ...]:
    """The parts of a wrapper's schema, with the first values of each on every page.

    Without pages, the examples are what the wrapper remembers, and have no place.

    >>> from sightline.testing import shop_pages
    >>> from sightline.extract.wrappers import induce
    >>> pages = shop_pages(4)
    >>> tree = schema_tree(induce(pages).drop("Weight"), pages)
    >>> [(part.name, part.dropped, part.examples[0].text) for part in tree]
    [('title', False, 'Camera 0'), ('Price', False, '100 €'), ('Weight', True, '500 g')]
    """
    whole = _everything(wrapper)
    found = _Found(
        set(wrapper.fields), set(wrapper.rules.aside), _merged(wrapper), _examples(whole, pages) or _remembered(whole)
    )
    each = whole.rules.each[0] if isinstance(whole.rules, Patterns) else ""
    if each:
        return tuple(_parts(TupleOf(((each, SetOf(whole.schema)),)), "", found))
    schemas = whole.schema.children if isinstance(whole.schema, Disjunction) else (whole.schema,)
    known: dict[str, SchemaPart] = {}
    for schema in schemas:
        for part in _parts(schema, "", found):
            known.setdefault(part.path, part)
    return tuple(known.values())


@dataclass(frozen=True)
class _Found:
    """What is known of the fields of a wrapper, by their full names."""

    shown: set[str]
    aside: set[str]
    merged: set[str]
    examples: dict[str, list[Value]]


def _everything(wrapper: Wrapper) -> Wrapper:
    """The wrapper with all fields, as one record a page."""
    rules = wrapper.rules
    if isinstance(rules, Patterns):
        return replace(wrapper, rules=replace(rules, patterns=tuple(map(_undropped, rules.patterns))))
    return replace(wrapper, rules=rules.everything().records_of(None)) if isinstance(rules, Templates) else wrapper


def _undropped(pattern: Pattern) -> Pattern:
    return replace(pattern, dropped=False, fields=tuple(map(_undropped, pattern.fields)))


def _merged(wrapper: Wrapper) -> set[str]:
    """The fields that are read from several places."""
    rules = wrapper.rules
    if isinstance(rules, Patterns):
        return {name for name, pattern in pattern_paths(rules.patterns) if pattern.needs_all and len(pattern.rules) > 1}
    return set(rules.merged) if isinstance(rules, Templates) else set()


def _examples(whole: Wrapper, pages: Sequence[Page]) -> dict[str, list[Value]]:
    each = whole.rules.each[0] if isinstance(whole.rules, Patterns) else ""
    found: dict[str, list[Value]] = {}
    for page in pages:
        here: dict[str, list[Value]] = {}
        for record in whole.read(page).records:
            for name, value in named_values(record, each):
                here.setdefault(name, []).append(value)
        for name, values in here.items():
            found.setdefault(name, []).extend(values[:FROM_A_PAGE])
    return found


def _remembered(whole: Wrapper) -> dict[str, list[Value]]:
    return {field.name: [Value(text) for text in field.examples] for field in whole.profile.fields}


def _parts(schema: Schema, scope: str, found: _Found) -> Iterator[SchemaPart]:
    for name, node in schema.fields if isinstance(schema, TupleOf) else ():
        yield _part(name, f"{scope}{name}", node, found)


def _part(name: str, path: str, node: Schema, found: _Found) -> SchemaPart:
    optional = isinstance(node, Option)
    inner = node.item if isinstance(node, Option) else node
    kind: PartKind = "alternatives" if path in found.merged else "set" if isinstance(inner, SetOf) else "field"
    item = inner.item if isinstance(inner, SetOf) else inner
    item = item.item if isinstance(item, Option) else item
    children = tuple(_parts(item, f"{path}.", found))
    if children and kind == "field":
        kind = "tuple"
    aside = path in found.aside or any(path.startswith(f"{other}.") for other in found.aside)
    examples = tuple(found.examples.get(path, ()))
    return SchemaPart(name, path, kind, _type(item), optional, path not in found.shown, aside, examples, children)


def _type(node: Schema) -> ColumnType | None:
    """The type of a value; of several, the first."""
    if isinstance(node, Disjunction):
        return next(iter(filter(None, map(_type, node.children))), None)
    return node.type if isinstance(node, Basic) else None
