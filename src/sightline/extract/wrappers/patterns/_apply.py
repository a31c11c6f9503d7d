"""Reading a page by patterns: values with their places, and by which rule each was found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sightline.data import Origin, Record, Value
from sightline.extract.wrappers.patterns._cut import cut_by
from sightline.extract.wrappers.patterns._locate import address_of
from sightline.extract.wrappers.patterns._pattern import Pattern, SearchSpan, found_by, inside, items_of
from sightline.extract.wrappers.patterns._view import View

__all__ = ["PatternReading", "TakenValue", "read_patterns", "value_of"]

MOST_MISSING = 0.5  # of the fields that records always had; what has fewer is no record


class TakenValue(NamedTuple):
    """One value: its field with the set before it, the record that it is in, its node, text, and the rule's number."""

    name: str
    record: int
    node: int
    text: str
    rule: int


@dataclass(eq=False)
class PatternReading:
    """What patterns have read on a page: the records, and every value in them."""

    fields: dict[str, object] = field(default_factory=dict)
    taken: list[TakenValue] = field(default_factory=list)
    records: int = 0

    def of(self, name: str) -> list[TakenValue]:
        """The values of a field."""
        return [own for own in self.taken if own.name == name]


def value_of(view: View, pattern: Pattern, node: int) -> str | None:
    """What a pattern takes from a node; None where there is nothing to cut out of it."""
    text = view.text(node) if pattern.take == "text" else address_of(view, node, pattern.take)
    return cut_by(pattern.cut, text) if pattern.cut else text


def read_patterns(view: View, patterns: Sequence[Pattern]) -> PatternReading:
    """Everything that patterns find on a page."""
    reading = PatternReading()
    whole = SearchSpan(0, len(view.page))
    for pattern in patterns:
        if pattern.dropped:
            continue
        reading.fields[pattern.name] = _found(view, pattern, whole, reading, pattern.name, 0)
    return reading


def _found(
    view: View, pattern: Pattern, span: SearchSpan, reading: PatternReading, name: str, record: int
) -> Value | tuple[Value, ...] | tuple[Record, ...] | None:
    """What a pattern finds in a span: a value, values, or records."""
    if pattern.fields:
        return tuple(_records(view, pattern, span, reading, name))
    return _field(view, pattern, span, reading, name, record)


def _records(view: View, pattern: Pattern, span: SearchSpan, reading: PatternReading, name: str) -> Iterator[Record]:
    required = [own.name for own in pattern.fields if not own.optional and not own.dropped]
    for item in items_of(view, pattern, span)[0]:
        known, before = len(reading.taken), reading.records
        reading.records += 1
        number = reading.records
        found = {
            own.name: _found(view, own, inside(own, item), reading, f"{name}.{own.name}", number)
            for own in pattern.fields
            if not own.dropped
        }
        missing = sum(not found[own] for own in required)
        if missing > MOST_MISSING * len(required) or not any(found.values()):
            del reading.taken[known:]
            reading.records = before
        else:
            yield Record(found)


def _field(
    view: View, pattern: Pattern, span: SearchSpan, reading: PatternReading, name: str, record: int
) -> Value | tuple[Value, ...] | None:
    nodes, rule = found_by(view, pattern, span)
    values = []
    for node in nodes.tolist():
        text = value_of(view, pattern, node)
        if text:
            reading.taken.append(TakenValue(name, record, node, text, rule))
            values.append(Value(text, None, _origin(view, node)))
    if pattern.many:
        return tuple(values) or None
    if not values:
        return None
    return values[0] if len(values) == 1 else tuple(values)


def _origin(view: View, node: int) -> Origin:
    page = view.page
    box = page.box[node].tolist()
    where = None if box[0] != box[0] else (box[0], box[1], box[2], box[3])
    return Origin(page.whole_id, (int(page.numbers[node]),), where, page.sheet_of(where))
