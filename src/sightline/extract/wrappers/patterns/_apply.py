"""Reading a page by patterns: values with their places, and the rule that found each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sightline.data import Record, Value, origin_of, shortened
from sightline.extract.wrappers._found import Problem
from sightline.extract.wrappers.patterns._expression import SlowExpression, StepBudget
from sightline.extract.wrappers.patterns._pattern import Pattern, SearchSpan, found_by, items_of, search_span_in
from sightline.extract.wrappers.patterns._split import address_of, apply_cut, split_text
from sightline.extract.wrappers.patterns._view import View

MOST_MISSING = 0.5  # of the fields that records always had; an item that lacks more is not a record


class TakenValue(NamedTuple):
    """One value: its field's full name, the record it is in, its node and text, and the number of its rule."""

    name: str
    record: int
    node: int
    text: str
    rule: int


@dataclass(eq=False)
class ItemsRead:
    """The nodes of a set that became records, and those that lack too many fields to be any."""

    kept: list[int] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)


@dataclass(eq=False)
class PatternReading:
    """What patterns have read on a page: the records, and every value in them.

    If the expressions of the patterns need more work than a page is worth, `slow` says which one was given up, and
    nothing that was read can be trusted.
    """

    fields: dict[str, object] = field(default_factory=dict)
    taken: list[TakenValue] = field(default_factory=list)
    records: int = 0
    items: dict[str, ItemsRead] = field(default_factory=dict)
    slow: Problem | None = None
    budget: StepBudget = field(default_factory=StepBudget)

    def of(self, name: str) -> list[TakenValue]:
        """The values of a field."""
        return [value for value in self.taken if value.name == name]


def value_of(view: View, pattern: Pattern, node: int, budget: StepBudget | None = None) -> str | None:
    """What a pattern extracts from a node; None if its cut does not match."""
    text = view.text(node) if pattern.take == "text" else address_of(view, node, pattern.take)
    return apply_cut(pattern.cut, text, budget) if pattern.cut else text


def values_of(view: View, pattern: Pattern, node: int, budget: StepBudget | None = None) -> list[str]:
    """The values that a pattern extracts from a node: one, or the parts of its text."""
    text = value_of(view, pattern, node, budget)
    if not text:
        return []
    return split_text(text, pattern.split) if pattern.split else [text]


def read_patterns(view: View, patterns: Sequence[Pattern], span: SearchSpan | None = None) -> PatternReading:
    """Everything that patterns find on a page, or in a span of it."""
    reading = PatternReading()
    whole = span or SearchSpan(0, len(view.page))
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
    required = [field.name for field in pattern.fields if not field.optional and not field.dropped]
    items = reading.items.setdefault(name, ItemsRead())
    for item in items_of(view, pattern, span)[0]:
        count, before = len(reading.taken), reading.records
        reading.records += 1
        number = reading.records
        found = {
            field.name: _found(view, field, search_span_in(field, item), reading, f"{name}.{field.name}", number)
            for field in pattern.fields
            if not field.dropped
        }
        missing = sum(not found[required_name] for required_name in required)
        if missing > MOST_MISSING * len(required) or not any(found.values()):
            del reading.taken[count:]
            reading.records = before
            items.dropped.append(item.start)
        else:
            items.kept.append(item.start)
            yield Record(found)


def _value(view: View, pattern: Pattern, node: int, text: str) -> Value:
    """A value with its origin, which keeps the whole text where the value is a part of it."""
    origin = origin_of(view.page, [node])
    return (
        shortened(Value(view.text(node), None, origin), text)
        if pattern.cut or pattern.split
        else Value(text, None, origin)
    )


def _field(
    view: View, pattern: Pattern, span: SearchSpan, reading: PatternReading, name: str, record: int
) -> Value | tuple[Value, ...] | None:
    nodes, rule = found_by(view, pattern, span)
    values = []
    for node in nodes.tolist():
        try:
            texts = values_of(view, pattern, node, reading.budget)
        except SlowExpression as problem:
            reading.slow = reading.slow or _slow(view, node, name, problem)
            break
        for text in texts:
            reading.taken.append(TakenValue(name, record, node, text, rule))
            values.append(_value(view, pattern, node, text))
    if pattern.many:
        return tuple(values) or None
    if not values:
        return None
    return values[0] if len(values) == 1 else tuple(values)


def _slow(view: View, node: int, name: str, problem: SlowExpression) -> Problem:
    what = f"“{name}”: its cut {problem.expression} takes too long on this page; write it with fewer repeats"
    return Problem(view.page.xpath(node), what)
