"""The profile of a good run, to compare later runs with."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from statistics import median
from typing import Any

from sightline.checks.records._run import FieldColumn, FieldValue, PageRecords, RecordRun, ValuePlaces, run_of
from sightline.data import FieldProfile, Profile, Record, Value, infer

MOST_EXAMPLES = 40
MOST_LABELS = 6
MOST_PLACES = 12
MOST_TYPED = 500  # values of a field that decide its type
MOST_RECORDS = 12
LABELLED = 0.5  # a text before this share of the values is their label


def profile_of_run(run: Sequence[PageRecords], *, each: str = "") -> Profile:
    """The profile of the records of some pages; `each` is the name of the set whose items are the records.

    >>> from sightline.data import Records
    >>> profile = profile_of_run([PageRecords(Records([{"name": "A", "price": "5 €"}, {"name": "B", "price": "9 €"}]))])
    >>> price = profile.of("price")
    >>> str(price.type), price.low, price.high, price.fill
    ('money EUR', 5.0, 9.0, 1.0)
    """
    record_run = run_of(run)
    scope = f"{each}." if each else ""
    sizes = [len(page_records.records) for page_records in record_run.pages]
    fields = tuple(_field(column, scope, record_run) for column in record_run.columns.values() if column.cells)
    return Profile(
        len(sizes), min(sizes, default=0), max(sizes, default=0), fields, records=_remembered(record_run, each)
    )


def _field(column: FieldColumn, scope: str, run: RecordRun) -> FieldProfile:
    standing = list(run.standing(column.cells))
    counts = Counter(cell.holder for cell in column.cells).values()
    return FieldProfile(
        scope + column.name,
        fill=round(column.fill, 4),
        least=min(counts),
        most=max(counts),
        labels=_labels(column.cells, standing),
        **text_profile(column.texts, run.language),
        **place_profile((places, node, cell.value.text) for cell, places, node in standing),
    )


def text_profile(texts: Sequence[str], language: str | None) -> dict[str, Any]:
    """The parts of a field's profile that follow from its texts, by their names in `FieldProfile`.

    >>> profile = text_profile(["5 €", "9 €", "9 €"], "de")
    >>> profile["low"], profile["high"], profile["middle"], profile["distinct"]
    (5.0, 9.0, 9.0, 2)
    """
    kind = infer(texts[:MOST_TYPED], language)
    typed = [kind.parse(text) for text in texts] if kind.kind != "text" else []
    numbers = [number for value in typed if (number := number_of(value)) is not None]
    sizes = [len(text) for text in texts]
    distinct = dict.fromkeys(texts)
    return {
        "type": kind,
        "low": min(numbers, default=None),
        "high": max(numbers, default=None),
        "middle": median(numbers) if numbers else None,
        "newest": newest_of(typed),
        "shortest": min(sizes, default=0),
        "longest": max(sizes, default=0),
        "examples": tuple(distinct)[:MOST_EXAMPLES],
        "count": len(texts),
        "distinct": len(distinct),
    }


def place_profile(values: Iterable[tuple[ValuePlaces, int, str]]) -> dict[str, Any]:
    """The parts of a field's profile that follow from where its values are: page, node and text of each."""
    found: dict[str, None] = {}
    count, titled = 0, 0
    for places, node, text in values:
        found.setdefault(places.place(node))
        count += 1
        titled += is_titled(text, places.page.title)
    return {"places": tuple(found)[:MOST_PLACES], "titled": round(titled / count, 4) if count else None}


def is_titled(text: str, title: str) -> bool:
    """Whether the title of a page contains this text."""
    return bool(text.strip()) and " ".join(text.casefold().split()) in " ".join(title.casefold().split())


def number_of(value: object) -> float | None:
    """A typed value as a number, if it is a finite number.

    >>> number_of(5), number_of("5"), number_of(float("nan"))
    (5.0, None, None)
    """
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if abs(number) < float("inf") else None


def newest_of(values: Iterable[object]) -> str | None:
    """The latest date among typed values in ISO format, without the time of day."""
    dates = [value.date() if isinstance(value, datetime) else value for value in values if isinstance(value, date)]
    return max(dates).isoformat() if dates else None


def _labels(cells: Sequence[FieldValue], standing: Sequence[tuple[FieldValue, ValuePlaces, int]]) -> tuple[str, ...]:
    """The texts that stand before most of the values; a value itself is not a label."""
    values = {" ".join(cell.value.text.casefold().split()) for cell in cells}
    found = Counter(places.label(node) for _, places, node in standing)
    return tuple(
        label
        for label, count in found.most_common(MOST_LABELS)
        if label and label not in values and count >= max(2, LABELLED * len(cells))
    )


def _remembered(run: RecordRun, each: str) -> tuple[tuple[str, dict[str, tuple[str, ...]]], ...]:
    """Some whole records with the texts of their fields, without nested ones."""
    records = [record for page_records in run.pages for record in page_records.records]
    return tuple((each, _texts(record)) for record in records[:MOST_RECORDS])


def _texts(record: Record) -> dict[str, tuple[str, ...]]:
    return {name: (content.text,) for name, content in record.items() if isinstance(content, Value)}
