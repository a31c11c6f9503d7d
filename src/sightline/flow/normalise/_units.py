"""Measures to one unit; pint converts, and only within one dimension."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from math import isfinite
from typing import Any, TypeAlias

from sightline.data import ColumnType, convert_measure, dimension_of, infer, read_amount
from sightline.flow.normalise._normalised import CellItem, Normalised, items_of, normalised, quoted
from sightline.flow.normalise._settings import UnitSettings
from sightline.flow.normalise._shapes import ShapedTexts

__all__ = ["convert_units", "measure_type"]

_Measured: TypeAlias = float | str | None


def convert_units(
    values: Sequence[Any], settings: UnitSettings | None = None, *, type: ColumnType | None = None
) -> Normalised:
    """A column of measures in one unit, as floats.

    Numbers without a unit are in `from_unit` of the settings, or in the unit that most of the column has.

    >>> found = convert_units(["1.5 kg", "500 g", "3 lb", "20 cm"], UnitSettings(unit="kg"))
    >>> found.values
    [1.5, 0.5, 1.36077711, None]
    >>> found.problems
    {3: "'20 cm' is a length, not a mass."}
    """
    chosen = settings or UnitSettings()
    items = items_of(values)
    texts = ShapedTexts.of([item for item in items if isinstance(item, str)])
    decided = type or measure_type(Counter(texts.sample()), chosen)
    source = chosen.from_unit or (decided.unit if decided.kind == "measure" else None)
    read = {item: _measured(item, decided, source, chosen.unit) for item in dict.fromkeys(items)}
    found = [read[item] for item in items]
    problems = {row: one for row, one in enumerate(found) if isinstance(one, str)}
    numbers = [None if isinstance(one, str) else one for one in found]
    return normalised(chosen, values, numbers, problems, _told(decided, chosen), decided)


def measure_type(texts: Mapping[str, int], settings: UnitSettings) -> ColumnType:
    """The type of a column of measures, from how often each text stands there."""
    decided = infer(texts, settings.language, unit=settings.from_unit)
    if decided.kind in ("measure", "number"):
        return decided
    alone = {text: infer([text], settings.language).kind in ("measure", "number") for text in texts}
    measures = {text: count for text, count in texts.items() if alone[text]}
    return infer(measures, settings.language, unit=settings.from_unit)


def _told(type: ColumnType, settings: UnitSettings) -> tuple[str, ...]:
    """What is ambiguous; whether values of another dimension belong here is told row by row."""
    target = dimension_of(settings.unit)
    return tuple(doubt for doubt in type.ambiguous if not doubt.startswith(f"unit: {target} or "))


def _measured(item: CellItem, type: ColumnType, source: str | None, target: str) -> _Measured:
    if item is None:
        return None
    if isinstance(item, Decimal):
        return _bare(float(item), item, source, target)
    amount = read_amount(item, replace(type, kind="number", unit=None, currency=None))
    if amount is None:
        return None if type.is_whole(item, None) else f"{quoted(item)} is not a measure."
    if amount.is_money:
        return f"{quoted(item)} is money, not a {dimension_of(target)}."
    if not amount.unit:
        return _bare(amount.number, item, source, target)
    if dimension_of(amount.unit) is None:
        return f"{quoted(amount.unit)} is not a unit that can be read."
    return _finite(convert_measure(float(amount.written), amount.unit, target), item, amount.unit, target)


def _bare(number: float, item: CellItem, source: str | None, target: str) -> _Measured:
    if source is None:
        return f"{quoted(item)} has no unit; name it by from_unit."
    return _finite(convert_measure(number, source, target), item, source, target)


def _finite(number: float | None, item: CellItem, unit: str, target: str) -> _Measured:
    if number is None:
        return f"{quoted(item)} is a {dimension_of(unit)}, not a {dimension_of(target)}."
    return number if isfinite(number) else f"{quoted(item)} is too large."
