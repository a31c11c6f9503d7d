"""The profile of a run: what was read when it was good, to hold later runs against."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from statistics import median
from typing import Any

from sightline.checks.records._places import ValuePlaces
from sightline.checks.records._run import FieldColumn, FieldValue, PageRecords, RecordRun, run_of
from sightline.data import FieldProfile, Profile, Record, Value, infer

__all__ = ["is_titled", "measured", "newest_of", "number_of", "placed", "profile_of_run"]

MOST_EXAMPLES = 40
MOST_LABELS = 6
MOST_PLACES = 12
MOST_TYPED = 500  # values of a field that its type is decided by
MOST_RECORDS = 12
LABELLED = 0.5  # of the values have one and the same text before them, from which on it is their label


def profile_of_run(run: Sequence[PageRecords], *, each: str = "") -> Profile:
    """The profile of what was taken from some pages; `each` is the name of the set whose items are the records.

    >>> from sightline.data import Records
    >>> profile = profile_of_run([PageRecords(Records([{"name": "A", "price": "5 €"}, {"name": "B", "price": "9 €"}]))])
    >>> price = profile.of("price")
    >>> str(price.type), price.low, price.high, price.fill
    ('money EUR', 5.0, 9.0, 1.0)
    """
    own = run_of(run)
    scope = f"{each}." if each else ""
    sizes = [len(taken.records) for taken in own.taken]
    fields = tuple(_field(column, scope, own) for column in own.columns.values() if column.cells)
    return Profile(len(sizes), min(sizes, default=0), max(sizes, default=0), fields, records=_remembered(own, each))


def _field(column: FieldColumn, scope: str, run: RecordRun) -> FieldProfile:
    standing = list(run.standing(column.cells))
    counts = Counter(cell.holder for cell in column.cells).values()
    return FieldProfile(
        scope + column.name,
        fill=round(column.fill, 4),
        least=min(counts),
        most=max(counts),
        labels=_labels(column.cells, standing),
        **measured(column.texts, run.language),
        **placed((places, node, cell.value.text) for cell, places, node in standing),
    )


def measured(texts: Sequence[str], language: str | None) -> dict[str, Any]:
    """The parts of a field's profile that its texts alone tell, by their names in `FieldProfile`.

    >>> told = measured(["5 €", "9 €", "9 €"], "de")
    >>> told["low"], told["high"], told["middle"], told["distinct"]
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


def placed(values: Iterable[tuple[ValuePlaces, int, str]]) -> dict[str, Any]:
    """The parts of a field's profile that its values' places tell: the places of a page, the node and the text."""
    found: dict[str, None] = {}
    told, titled = 0, 0
    for places, node, text in values:
        found.setdefault(places.place(node))
        told += 1
        titled += is_titled(text, places.page.title)
    return {"places": tuple(found)[:MOST_PLACES], "titled": round(titled / told, 4) if told else None}


def is_titled(text: str, title: str) -> bool:
    """Whether the title of a page has this text."""
    return bool(text.strip()) and " ".join(text.casefold().split()) in " ".join(title.casefold().split())


def number_of(value: object) -> float | None:
    """A typed value as a number, if it is one that is finite.

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
    """The latest of the dates among typed values, as ISO has it; times of the day are left out."""
    dates = [value.date() if isinstance(value, datetime) else value for value in values if isinstance(value, date)]
    return max(dates).isoformat() if dates else None


def _labels(cells: Sequence[FieldValue], standing: Sequence[tuple[FieldValue, ValuePlaces, int]]) -> tuple[str, ...]:
    """The texts before the values that stand before most of them; what is a value itself is no label."""
    values = {" ".join(cell.value.text.casefold().split()) for cell in cells}
    found = Counter(places.label(node) for _, places, node in standing)
    return tuple(
        label
        for label, count in found.most_common(MOST_LABELS)
        if label and label not in values and count >= max(2, LABELLED * len(cells))
    )


def _remembered(run: RecordRun, each: str) -> tuple[tuple[str, dict[str, tuple[str, ...]]], ...]:
    """Some whole records with the texts of their own fields."""
    records = [record for own in run.taken for record in own.records]
    return tuple((each, _texts(record)) for record in records[:MOST_RECORDS])


def _texts(record: Record) -> dict[str, tuple[str, ...]]:
    return {name: (content.text,) for name, content in record.items() if isinstance(content, Value)}
