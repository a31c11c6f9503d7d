"""Measures to one unit; pint converts, and only within one dimension."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from math import isfinite
from typing import Any

import pyarrow as pa

from sightline.data import ColumnType, convert_measure, dimension_of, infer, read_amount
from sightline.flow.normalise._cells import CellColumn
from sightline.flow.normalise._normalised import CellItem, Read, item_of, quoted
from sightline.flow.normalise._normaliser import BatchCells, DistinctNormaliser
from sightline.flow.normalise._settings import UnitSettings
from sightline.flow.normalise._steps import UnitStep


class UnitNormaliser(DistinctNormaliser):
    """Measures to one unit."""

    step: UnitStep

    def __init__(self, step: UnitStep, *, of_numbers: bool = False) -> None:
        super().__init__(step, step.type, is_decided=of_numbers or step.type is not None)

    def sample(self, batch: BatchCells) -> bool:
        """Count the texts; numbers decide nothing."""
        return batch.cells(self.name).is_text and super().sample(batch)

    def decide(self) -> None:
        """The unit that most have."""
        self.type = self.report.type = _measure_type(self.seen.texts, self.step.settings)
        super().decide()

    @property
    def notes(self) -> tuple[str, ...]:
        """What is ambiguous; whether values of another dimension belong here is told row by row."""
        target = dimension_of(self.step.settings.unit)
        doubts = self.type.ambiguous if self.type else ()
        return (*(doubt for doubt in doubts if not doubt.startswith(f"unit: {target} or ")), *super().notes)

    def read(self, value: Any) -> Read:
        """A measure in the unit."""
        settings, type = self.step.settings, self.type or ColumnType()
        source = settings.from_unit or (type.unit if type.kind == "measure" else None)
        return _measured(item_of(value), type, source, settings.unit)

    def arrow_type(self, _column: CellColumn) -> Any:
        """Floats."""
        return pa.float64()


def _measure_type(texts: Mapping[str, int], settings: UnitSettings) -> ColumnType:
    """The type of a column of measures, from how often each text stands there."""
    decided = infer(texts, settings.language, unit=settings.from_unit)
    if decided.kind in ("measure", "number"):
        return decided
    alone = {text: infer([text], settings.language).kind in ("measure", "number") for text in texts}
    measures = {text: count for text, count in texts.items() if alone[text]}
    return infer(measures, settings.language, unit=settings.from_unit)


def _measured(item: CellItem, type: ColumnType, source: str | None, target: str) -> Read:
    if item is None:
        return None, None
    if isinstance(item, Decimal):
        return _bare(float(item), item, source, target)
    amount = read_amount(item, replace(type, kind="number", unit=None, currency=None))
    if amount is None:
        return None, None if type.is_whole(item, None) else f"{quoted(item)} is not a measure."
    if amount.is_money:
        return None, f"{quoted(item)} is money, not a {dimension_of(target)}."
    if not amount.unit:
        return _bare(amount.number, item, source, target)
    if dimension_of(amount.unit) is None:
        return None, f"{quoted(amount.unit)} is not a unit that can be read."
    return _finite(convert_measure(float(amount.written), amount.unit, target), item, amount.unit, target)


def _bare(number: float, item: CellItem, source: str | None, target: str) -> Read:
    if source is None:
        return None, f"{quoted(item)} has no unit; name it by from_unit."
    return _finite(convert_measure(number, source, target), item, source, target)


def _finite(number: float | None, item: CellItem, unit: str, target: str) -> Read:
    if number is None:
        return None, f"{quoted(item)} is a {dimension_of(unit)}, not a {dimension_of(target)}."
    return (number, None) if isfinite(number) else (None, f"{quoted(item)} is too large.")
