"""What a lesson is given: examples of fields, and records that are shown, with where they are on their pages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sightline.errors import UsageError
from sightline.extract.wrappers.patterns import Located, RecordExample, Values, View, locate_text

__all__ = [
    "GivenExample",
    "ShownRecords",
    "checked_name",
    "examples_by_name",
    "keep_located",
    "locate_record",
    "names_in",
    "nodes_of",
    "record_example",
    "without_field",
]


@dataclass(frozen=True, eq=False)
class GivenExample:
    """One example that was given: its page, its field, and whether it is wanted or rejected."""

    page: int
    name: str
    located: Located | None
    wanted: bool
    complete: bool = False


@dataclass(frozen=True, eq=False)
class ShownRecords:
    """Records that were shown on a page."""

    page: int
    name: str
    records: tuple[RecordExample, ...]


def examples_by_name(given: Sequence[GivenExample], page: int, *, wanted: bool) -> dict[str, list[Located]]:
    """The examples of a page that are wanted, or rejected, by their field."""
    found: dict[str, list[Located]] = {}
    for one in given:
        if one.page == page and one.wanted == wanted and one.located:
            found.setdefault(one.name, []).append(one.located)
    return found


def nodes_of(located: Sequence[Located]) -> list[int]:
    """All nodes of some examples."""
    return [node for one in located for node in one.nodes]


def checked_name(name: str) -> str:
    """The name of a field, if it can be one."""
    if not isinstance(name, str) or not name.strip():
        raise UsageError(f"A field cannot be named {name!r}; give it a name that says what it is, such as price.")
    if "." in name:
        raise UsageError(
            f"A field cannot be named {name!r}, since a dot separates a set from its fields; show records instead."
        )
    return name


def record_example(record: Mapping[str, Any]) -> RecordExample:
    """An example record, with the fields that have values."""
    found: dict[str, tuple[str | RecordExample, ...]] = {}
    for name, given in record.items():
        values = [given] if isinstance(given, str | Mapping) else given
        examples = tuple(
            record_example(value) if isinstance(value, Mapping) else _text(name, value) for value in values
        )
        if examples:
            found[checked_name(name)] = examples
    return found


def keep_located(view: View, record: RecordExample, lost: list[str]) -> RecordExample:
    """A record with only the texts that are on a page; adds what is wrong with the others to `lost`."""
    found: dict[str, tuple[str | RecordExample, ...]] = {}
    for name, values in record.items():
        kept: list[str | RecordExample] = []
        for value in values:
            if not isinstance(value, str):
                kept += [inner] if (inner := keep_located(view, value, lost)) else []
                continue
            try:
                locate_text(view, value, 0, len(view.page))
            except UsageError as problem:
                lost.append(f"{name}: {problem}")
            else:
                kept.append(value)
        if kept:
            found[name] = tuple(kept)
    return found


def locate_record(view: View, record: RecordExample) -> Values | None:
    """Where the texts of a record are on a page; None if it has records of its own."""
    found: dict[str, tuple[Located, ...]] = {}
    for name, values in record.items():
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) < len(values):
            return None
        found[name] = tuple(locate_text(view, text, 0, len(view.page)) for text in texts)
    return found


def names_in(record: RecordExample) -> Iterator[str]:
    """The names of all fields of a record, with those of the sets that they are in."""
    for name, values in record.items():
        yield name
        for value in values:
            if not isinstance(value, str):
                yield from (f"{name}.{inner}" for inner in names_in(value))


def without_field(given: GivenExample | ShownRecords, name: str) -> GivenExample | ShownRecords | None:
    """What was given without a field, which in shown records is named with its sets; None if nothing is left."""
    if given.name == name:
        return None
    if isinstance(given, GivenExample) or not name.startswith(f"{given.name}."):
        return given
    path = name.split(".")[1:]
    records = tuple(kept for record in given.records if (kept := _without(record, path)))
    return replace(given, records=records) if records else None


def _without(record: RecordExample, path: Sequence[str]) -> RecordExample:
    first, *rest = path
    if not rest:
        return {name: values for name, values in record.items() if name != first}
    inner = tuple(value if isinstance(value, str) else _without(value, rest) for value in record.get(first, ()))
    return {name: inner if name == first else values for name, values in record.items()}


def _text(name: str, given: object) -> str:
    if not isinstance(given, str):
        raise UsageError(f"An example of “{name}” must be a text or a record, not {given!r:.60}.")
    return given
