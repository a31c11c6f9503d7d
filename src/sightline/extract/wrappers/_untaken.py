"""Examples that the rules learned from them do not take, as where they are in two lists of different make."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sightline.extract.wrappers._given import GivenExample, ShownRecords
from sightline.extract.wrappers.patterns import Pattern, PatternReading, RecordExample, key_of, named_patterns

__all__ = ["mark_loose", "mark_partial", "overtaken", "untaken"]


def untaken(
    given: Sequence[GivenExample | ShownRecords], patterns: Sequence[Pattern], readings: Mapping[int, PatternReading]
) -> dict[str, str]:
    """The fields, with the names of their sets, that lack an example on its page, and the first such example.

    `readings` are what the patterns read on the pages, by their numbers.
    """
    found: dict[str, str] = {}
    fields = [name for name, pattern in named_patterns(patterns) if not pattern.fields]
    keys = {number: _keys(reading) for number, reading in readings.items()}
    for one in given:
        for name, text in _texts(one):
            names = [field for field in fields if f".{field}".endswith(f".{name}")]
            if names and not any(_are_said(keys[one.page].get(field, []), key_of(text)) for field in names):
                found.setdefault(names[0], text)
    return found


def overtaken(
    given: Sequence[GivenExample | ShownRecords], patterns: Sequence[Pattern], readings: Mapping[int, PatternReading]
) -> dict[str, str]:
    """The fields of a page shown as a whole that take a text which was not shown, and the first such text."""
    shown: dict[tuple[str, int], str] = {}
    for one in given:
        if isinstance(one, GivenExample) and one.complete and one.wanted and one.located:
            place = one.name, one.page
            shown[place] = shown.get(place, "") + "\x1f" + key_of(one.located.text)
    several = {pattern.name for pattern in patterns if pattern.many and not pattern.fields}
    found: dict[str, str] = {}
    for (name, page), texts in shown.items():
        for value in readings[page].taken if name in several else ():
            # What was shown may be made of several texts, or be a part of one.
            if value.name == name and not any(_overlap(key_of(value.text), text) for text in texts.split("\x1f")):
                found.setdefault(name, value.text)
    return found


def _overlap(key: str, shown: str) -> bool:
    return bool(shown) and (key in shown or shown in key)


def _keys(reading: PatternReading) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for value in reading.taken:
        found.setdefault(value.name, []).append(key_of(value.text))
    return found


def _are_said(keys: Sequence[str], wanted: str) -> bool:
    """Whether an example is one of the values, or some of them together: those that are joined by commas."""
    for start, key in enumerate(keys):
        stop = start + 1
        while wanted.startswith(key) and key != wanted and stop < len(keys):
            key += keys[stop]
            stop += 1
        if key == wanted:
            return True
    return False


def _texts(given: GivenExample | ShownRecords) -> Iterator[tuple[str, str]]:
    if isinstance(given, ShownRecords):
        for record in given.records:
            yield from _texts_in(record, given.name)
    elif given.wanted and given.located:
        yield given.name, given.located.text


def _texts_in(record: RecordExample, holder: str) -> Iterator[tuple[str, str]]:
    for name, values in record.items():
        for value in values:
            if isinstance(value, str):
                yield f"{holder}.{name}", value
            else:
                yield from _texts_in(value, f"{holder}.{name}")


def mark_loose(pattern: Pattern, names: Mapping[str, str]) -> Pattern:
    """A pattern, marked if its name is among these."""
    return replace(pattern, loose=True) if pattern.name in names else pattern


def mark_partial(pattern: Pattern, names: Mapping[str, str], holder: str = "") -> Pattern:
    """A pattern, and those of its fields, marked where a name is among these."""
    name = f"{holder}{pattern.name}"
    fields = tuple(mark_partial(field, names, f"{name}.") for field in pattern.fields)
    return replace(pattern, fields=fields, partial=name in names)
