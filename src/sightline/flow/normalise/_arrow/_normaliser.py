"""What all normalisers share: each is a step at work on a stream, with what it decided and what it counted."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches
from typing import Any

import numpy as np
import pyarrow as pa

from sightline.data import ColumnType
from sightline.errors import UsageError
from sightline.flow.normalise._arrow._cells import CellColumn, Ints, Labels, sampled_shapes, sampled_texts
from sightline.flow.normalise._dates import date_type, days_of, undecided_dates
from sightline.flow.normalise._normalised import StepReport, texts_of
from sightline.flow.normalise._settings import DateSettings
from sightline.flow.normalise._shapes import SampledText, TextSample
from sightline.flow.normalise._steps import BatchStep, CountryStep, FromColumn, TextStep

__all__ = [
    "BatchCells",
    "DayReader",
    "Normaliser",
    "StepColumn",
    "column_or",
    "count_into",
    "problem_column",
    "sample_into",
    "texts_in",
]

# What a step makes of a batch, and what it tells of all batches together.


@dataclass(frozen=True, slots=True)
class StepColumn:
    """The new column of a batch, its problems by row (None where there is none), and what is told of it."""

    values: Any
    problems: Labels[str | None]
    notes: tuple[str, ...] = ()


def problem_column(problems: Labels[str | None]) -> Any:
    """The sentences as a column of Arrow."""
    if not any(problems.values):
        return pa.nulls(len(problems.ids), pa.string())
    return pa.array(problems.values, pa.string()).take(pa.array(problems.ids))


def count_into(report: StepReport, column: StepColumn, mended: int) -> None:
    """Add a batch to the report of its step."""
    counts: Counter[str] = Counter()
    if any(column.problems.values):
        found = np.bincount(column.problems.ids, minlength=len(column.problems.values))
        for number in _in_order(column.problems.ids):
            problem = column.problems.values[number]
            if problem is not None:
                counts[problem] += int(found[number])
    report.add(len(column.values), column.values.null_count, counts, column.notes, mended)


def _in_order(ids: Ints) -> Sequence[int]:
    """The numbers that occur, by their first rows."""
    return [int(number) for number in pa.array(ids).unique().to_pylist()]


# Of a column in which every date says its own order.
_PLAIN_DATES = ColumnType(kind="date", date_order="YMD")


class BatchCells:
    """The columns of a batch by their names, each prepared once."""

    def __init__(self, batch: Any) -> None:
        names = batch.schema.names
        doubled = next((name for name in names if names.count(name) > 1), None)
        if doubled is not None:
            raise UsageError(f"The batches have two columns {doubled!r}; rename one of them.")
        self._fields = {field.name: field for field in batch.schema}
        self._metadata = batch.schema.metadata
        self.columns: dict[str, Any] = dict(zip(batch.schema.names, batch.columns, strict=True))
        self.rows = batch.num_rows
        self._cells: dict[str, CellColumn] = {}
        self._labels: dict[str, Labels[Any]] = {}

    def cells(self, name: str) -> CellColumn:
        """A column to read; one that is not there is an error that names those that are."""
        if name not in self.columns:
            close = get_close_matches(name, self.columns, n=1)
            meant = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(self.columns) or 'none'}."
            raise UsageError(f"There is no column {name!r} in the batches; {meant}")
        if name not in self._cells:
            self._cells[name] = CellColumn.of(self.columns[name])
        return self._cells[name]

    def labels(self, name: str) -> Labels[Any]:
        """The different values of a column."""
        if name not in self._labels:
            self._labels[name] = Labels.of(self.cells(name).cells)
        return self._labels[name]

    def put(self, columns: dict[str, Any]) -> None:
        """Replace or add columns."""
        for name, column in columns.items():
            self.columns[name] = column
            self._fields.pop(name, None)
            self._cells.pop(name, None)
            self._labels.pop(name, None)

    def batch(self) -> Any:
        """All columns as a batch; those that no step touched keep their fields."""
        fields = [self._fields.get(name, pa.field(name, column.type)) for name, column in self.columns.items()]
        return pa.record_batch(list(self.columns.values()), schema=pa.schema(fields, self._metadata))


def sample_into(sample: TextSample, batch: BatchCells, name: str, *, by_shape: bool) -> None:
    """Count the texts of a column; numbers are counted as their texts."""
    column = batch.cells(name)
    if column.is_text and by_shape:
        sample.add(sampled_shapes(column.cells, sample))
    else:
        labels = batch.labels(name)
        sample.add(sampled_texts(texts_of(labels.values), labels.ids))


class Normaliser(ABC):
    """A step at work."""

    def __init__(self, step: BatchStep, type: ColumnType | None, *, is_decided: bool) -> None:
        settings = step.settings
        self.step, self.type, self.is_decided = step, type, is_decided
        self.report = StepReport(settings.new_name, settings.original_name, settings.problem_name)

    @property
    def name(self) -> str:
        """The column that it reads."""
        return self.step.settings.column

    @property
    def sampled_names(self) -> tuple[str, ...]:
        """The columns that it looks at before anything is decided."""
        return (self.name,)

    @abstractmethod
    def sample(self, batch: BatchCells) -> bool:
        """Look at a batch before anything is decided; whether more has to be seen."""

    def decide(self) -> None:
        """Decide what holds for all batches."""
        self.is_decided = True

    @abstractmethod
    def apply(self, batch: BatchCells) -> StepColumn:
        """The new column of a batch."""

    def settled(self) -> BatchStep:
        """The step with the types that were decided."""
        if self.type is None or isinstance(self.step, CountryStep | TextStep):
            return self.step
        return replace(self.step, type=self.type)


class DayReader:
    """The day of each row: from a column, whose order is decided once, or one for all."""

    def __init__(self, dates: FromColumn | date | str, type: ColumnType | None) -> None:
        self.dates, self.type = dates, type
        self.is_decided = type is not None or not isinstance(dates, FromColumn)
        self._sample = TextSample()
        if not isinstance(dates, FromColumn):
            self._one, self.notes = days_of(dates, 1)

    def sample(self, batch: BatchCells) -> bool:
        """Look at a batch; whether more has to be seen."""
        if self.is_decided or not isinstance(self.dates, FromColumn):
            return False
        if pa.types.is_temporal(batch.cells(self.dates.name).cells.type):
            return False
        self._sample.add(SampledText(text, 1) for text in undecided_dates(batch.labels(self.dates.name).values))
        return True

    def decide(self) -> None:
        """The order of the dates that do not say it themselves, each counted once."""
        if not self.is_decided:
            texts = dict.fromkeys(self._sample.texts, 1)
            self.type = date_type(texts, DateSettings(form="date")) if texts else _PLAIN_DATES
            self.is_decided = True

    def read(self, batch: BatchCells) -> tuple[Labels[date | str | None], tuple[str, ...]]:
        """The days of a batch, and what is ambiguous about them."""
        if not isinstance(self.dates, FromColumn):
            return Labels.same(self._one[0], batch.rows), self.notes
        labels = batch.labels(self.dates.name)
        days, notes = days_of(labels.values, len(labels.values), self.type)
        return labels.replaced(days), notes


def column_or(value: FromColumn | Any, batch: BatchCells) -> Labels[Any]:
    """The values of a column, or the one for all."""
    return batch.labels(value.name) if isinstance(value, FromColumn) else Labels.same(value, batch.rows)


def texts_in(labels: Labels[Any]) -> Labels[str | None]:
    """The values as texts."""
    return labels.replaced(texts_of(labels.values))
