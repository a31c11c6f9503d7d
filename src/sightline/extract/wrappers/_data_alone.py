"""Values that only a page's data has, written as the page would show them; and pages of which all is read so."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sightline.data import Field, Option, Origin, Record, Schema, SetOf, TupleOf, Value, origin_of
from sightline.extract.behind import CarriedParts, NoWordError, Shown, ShownPart, ValuePath, leaves_of
from sightline.extract.wrappers._data_rules import DataRules
from sightline.extract.wrappers._found import WrapperRules
from sightline.page import Page

MOST_RECORDS = 10_000  # of a page that nobody sees; pages show some hundred
ALWAYS = 1.0  # fill of a field that no page or record was without


@dataclass(frozen=True)
class DataAlone:
    """A page of which nothing may be seen, and the rules by which its data gives what a wrapper reads."""

    page: Page
    carried: CarriedParts
    behind: DataRules
    rules: WrapperRules

    def records(self) -> list[Record] | None:
        """The records of the page; None unless its data gives every field that the wrapper reads."""
        schema = self.rules.schema
        if len(self.rules.each) != 1 or not isinstance(schema, TupleOf):
            return None
        each = self.rules.each[0]
        return (self._rows(each, schema) if each else self._one_record(schema)) or None

    def _one_record(self, schema: TupleOf) -> list[Record] | None:
        made: dict[str, Field] = {}
        for name, node in schema.fields:
            inner, required = _bare(node)
            if isinstance(inner, SetOf) and isinstance(inner.item, TupleOf):
                rows = self._rows(name, inner.item)
                if rows is None or (required and not rows):
                    return None
                made[name] = tuple(rows) or None
                continue
            one = self.behind.of(name)
            if one is None or not one.alone or isinstance(inner, TupleOf):
                return None
            said = [(path, raw) for path in one.paths if (raw := path.raw(self.carried)) is not None]
            made[name] = given_value(self.page, self.carried, said)
            if made[name] is None and (said or (required and self._is_always(name))):
                return None
        return [Record(made)]

    def _rows(self, name: str, schema: TupleOf) -> list[Record] | None:
        """The records of a list; None unless its array gives all their fields."""
        array = next((one.array for one in self.behind.lists if one.records == name), None)
        elements = array.array(self.carried) if array else None
        if array is None or elements is None or len(elements) > MOST_RECORDS:
            return None
        if not {field for field, _ in schema.fields} <= array.rules.keys():
            return None
        node = array.source_node(self.carried)
        always = [field for field, part in schema.fields if _bare(part)[1] and self._is_always(f"{name}.{field}")]
        try:
            texts = [
                {field: array.rules[field].read(leaves) for field, _ in schema.fields}
                for leaves in map(leaves_of, elements)
            ]
        except NoWordError:
            return None
        if any(not row[field] for row in texts for field in always):
            return None
        return [Record({field: data_values(self.page, node, text) for field, text in row.items()}) for row in texts]

    def _is_always(self, name: str) -> bool:
        known = self.rules.profile.of(name)
        return known is None or known.fill >= ALWAYS


def _bare(node: Schema) -> tuple[Schema, bool]:
    """A part of a schema without its option, and whether it has to be there."""
    return (node.item, False) if isinstance(node, Option) else (node, True)


def given_value(
    page: Page, carried: CarriedParts, said: Sequence[tuple[ValuePath, Any]]
) -> Value | tuple[Value, ...] | None:
    """The value that paths give as the page would write it; None if nobody can know, or they differ."""
    texts = [(path, raw, text) for path, raw in said if (text := path.shown(raw))]
    if len({text for *_, text in texts}) != 1:
        return None
    path, raw, text = texts[0]
    return data_values(page, carried[path.source].node_of(path.path), text, raw)


def data_values(page: Page, node: int, text: ShownPart, raw: Any = "") -> Shown | None:
    """What is shown for a value of the data, with the element that holds it as its origin."""
    if isinstance(text, tuple):
        return tuple(Value(one, origin=_origin(page, node, "")) for one in text)
    return None if text is None else Value(text, origin=_origin(page, node, "" if raw == text else str(raw)))


def _origin(page: Page, node: int, original: str) -> Origin:
    """The element that holds the data: it has no box, since nobody sees it."""
    return replace(origin_of(page, [node]), box=None, original=original)
