"""What all normalisers share: each is a step at work on columns, with what it decided and what it counted."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from decimal import Decimal
from difflib import get_close_matches
from sys import maxsize
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sightline.data import ColumnType
from sightline.errors import UsageError
from sightline.flow.normalise._cells import LONGEST, CellColumn, Ints, Labels
from sightline.flow.normalise._countries import country_code
from sightline.flow.normalise._normalised import CellItem, Read, StepReport, item_of, quoted, text_of
from sightline.flow.normalise._numbers import PRECISION, Decimals, decimal_array
from sightline.flow.normalise._sample import SampledText, TextSample, sampled_shapes, sampled_texts
from sightline.flow.normalise._steps import BatchStep, CountryStep, FromColumn, TextStep

_LARGEST_INTEGER = 2**63 - 1


class BatchCells:
    """The columns of a batch by their names, each prepared once."""

    def __init__(self, columns: Mapping[str, Any], rows: int, prepare: Callable[[Any], CellColumn]) -> None:
        self.columns, self.rows = dict(columns), rows
        self._prepare = prepare
        self._fields: dict[str, Any] = {}
        self._metadata: Any = None
        self._cells: dict[str, CellColumn] = {}
        self._labels: dict[str, Labels[Any]] = {}

    @classmethod
    def of(cls, batch: Any) -> "BatchCells":
        """Those of a batch of Arrow."""
        names = batch.schema.names
        doubled = next((name for name in names if names.count(name) > 1), None)
        if doubled is not None:
            raise UsageError(f"The batches have two columns {doubled!r}; rename one of them.")
        found = cls(dict(zip(names, batch.columns, strict=True)), batch.num_rows, CellColumn.of)
        found._fields = {field.name: field for field in batch.schema}
        found._metadata = batch.schema.metadata
        return found

    @classmethod
    def of_values(cls, columns: Mapping[str, Sequence[Any]], rows: int) -> "BatchCells":
        """Columns of Python, as one batch."""
        return cls(columns, rows, CellColumn.of_values)

    def cells(self, name: str) -> CellColumn:
        """A column to read; one that is not there is an error that names those that are."""
        if name not in self.columns:
            close = get_close_matches(name, self.columns, n=1)
            meant = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(self.columns) or 'none'}."
            raise UsageError(f"There is no column {name!r} in the batches; {meant}")
        if name not in self._cells:
            self._cells[name] = self._prepare(self.columns[name])
        return self._cells[name]

    def labels(self, name: str) -> Labels[Any]:
        """The different values of a column."""
        if name not in self._labels:
            self._labels[name] = self.cells(name).labels()
        return self._labels[name]

    def texts(self, value: FromColumn | Any) -> Labels[str | None]:
        """The values of a column as texts, or the one text for all rows."""
        if isinstance(value, FromColumn):
            return self.labels(value.name).mapped(text_of)
        return Labels.same(text_of(value), self.rows)

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


@dataclass(frozen=True, slots=True)
class Made:
    """What a step made of a column: some rows one by one, all others at once.

    `rows` are those one by one, `cells` what is different about them, and `reads` what became of that. `at_once` has a
    place for every row, and is None if there are no others.
    """

    at_once: Any
    rows: Ints
    cells: Labels[Any]
    reads: Sequence[Read]
    notes: tuple[str, ...] = ()

    def listed(self) -> tuple[list[Any], dict[int, str]]:
        """The values as Python has them, and the problems by row."""
        match self.at_once:
            case None:
                values: list[Any] = [None] * len(self.rows)
            case Decimals():
                values = self.at_once.listed()
            case _:
                values = self.at_once.to_pylist()
        problems: dict[int, str] = {}
        for row, number in zip(self.rows.tolist(), self.cells.ids.tolist(), strict=True):
            values[row], problem = self.reads[number]
            if problem:
                problems[row] = problem
        return values, problems


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


class Normaliser(ABC):
    """A step at work."""

    def __init__(self, step: BatchStep, type: ColumnType | None, *, is_decided: bool) -> None:
        settings = step.settings
        self.step, self.type, self.is_decided = step, type, is_decided
        self.seen = TextSample()
        self.report = StepReport(settings.new_name, settings.original_name, settings.problem_name, type=type)

    @property
    def name(self) -> str:
        """The column that it reads."""
        return self.step.settings.column

    @property
    def sampled_names(self) -> tuple[str, ...]:
        """The columns that it looks at before anything is decided."""
        return (self.name,)

    def keep_all(self) -> None:
        """Decide from every text: for a column that is in memory as a whole."""
        self.seen.most = maxsize

    @abstractmethod
    def sample(self, batch: BatchCells) -> bool:
        """Look at a batch before anything is decided; whether more has to be seen."""

    def decide(self) -> None:
        """Decide what holds for all batches."""
        self.is_decided = True

    @abstractmethod
    def make(self, batch: BatchCells) -> Made:
        """What becomes of the column of a batch."""

    @abstractmethod
    def arrow_type(self, column: CellColumn) -> Any:
        """How Arrow stores that."""

    def apply(self, batch: BatchCells) -> StepColumn:
        """The new column of a batch."""
        made = self.make(batch)
        type = self.arrow_type(batch.cells(self.name))
        values: list[Any] = []
        problems: list[str | None] = []
        for cell, (value, told) in zip(made.cells.values, made.reads, strict=True):
            problem = told if value is None else self.misfit(cell, value, type)
            values.append(value if problem is None else None)
            problems.append(problem)
        rest = _array(values, type).take(pa.array(made.cells.ids))
        if made.at_once is None:
            return StepColumn(rest, made.cells.replaced(problems), made.notes)
        column = made.at_once.stored() if isinstance(made.at_once, Decimals) else made.at_once
        if not len(made.rows):
            return StepColumn(column, Labels.same(None, batch.rows), made.notes)
        ids, is_rest = np.zeros(batch.rows, np.int64), np.zeros(batch.rows, np.bool_)
        ids[made.rows], is_rest[made.rows] = made.cells.ids + 1, True
        column = pc.replace_with_mask(column, pa.array(is_rest), rest)
        return StepColumn(column, Labels(ids, [None, *problems]), made.notes)

    def misfit(self, cell: Any, value: Any, type: Any) -> str | None:
        """Why a column of a type has no room for the value of a cell; None if it has."""
        problem = _misfit(value, type)
        return problem and f"{quoted(str(cell))} {problem}"

    def settled(self) -> BatchStep:
        """The step with the types that were decided."""
        if self.type is None or isinstance(self.step, CountryStep | TextStep):
            return self.step
        return replace(self.step, type=self.type)


def sample_shapes(sample: TextSample, batch: BatchCells, name: str, item: Callable[[Any], CellItem] = item_of) -> None:
    """Count the texts of a column by their shapes; of other cells beside them those that are texts as items."""
    column = batch.cells(name)
    if not column.is_text:
        labels = batch.labels(name)
        sample.add(sampled_texts([text_of(value) for value in labels.values], labels.ids))
        return
    sample.add(sampled_shapes(column.cells, sample))
    others = map(item, column.others.values())
    sample.add(SampledText(one, 1) for one in others if isinstance(one, str))


# Values as Arrow stores them; what a column has no room for is a problem.


def _array(values: Sequence[Any], type: Any) -> Any:
    if pa.types.is_decimal(type):
        return decimal_array(values, type.scale)
    if pa.types.is_timestamp(type):
        values = [_moment(value, type) for value in values]
    return pa.array(values, type)


def _moment(value: Any, type: Any) -> Any:
    if not isinstance(value, date):
        return value
    moment = value if isinstance(value, datetime) else datetime.combine(value, time())
    if type.tz is None:
        return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _misfit(value: Any, type: Any) -> str | None:
    if pa.types.is_integer(type) and abs(value) > _LARGEST_INTEGER:
        return "does not fit into 64 bits."
    if pa.types.is_decimal(type) and isinstance(value, Decimal):
        exponent = int(value.as_tuple().exponent)
        if -exponent > type.scale and value != round(value, type.scale):
            return f"has more than {type.scale} digits behind the point."
        if not has_room(value, type):
            return f"has more than {PRECISION} digits."
    return None


def has_room(value: Decimal, type: Any) -> bool:
    """Whether a column of decimals has as many digits before the point."""
    return not value or value.adjusted() + int(type.scale) < PRECISION


# -- steps that read each different value of a column once ----------------------------------------------------------

# Texts that are remembered from batch to batch, of at most 200 characters each: some 20 MB at worst.
_MOST_REMEMBERED = 65_536


class DistinctNormaliser(Normaliser):
    """A normaliser that reads each different value of a batch once."""

    def __init__(self, step: BatchStep, type: ColumnType | None = None, *, is_decided: bool) -> None:
        super().__init__(step, type, is_decided=is_decided)
        self._known: dict[str, Read] = {}

    def sample(self, batch: BatchCells) -> bool:
        """Count the texts."""
        sample_shapes(self.seen, batch, self.name)
        return True

    @property
    def notes(self) -> tuple[str, ...]:
        """What is told of the whole column."""
        return self.seen.notes

    @abstractmethod
    def read(self, value: Any) -> Read:
        """One value, and its problem."""

    def make(self, batch: BatchCells) -> Made:
        """Read the different values, then give each row its own."""
        labels = batch.labels(self.name)
        return self.made(None, np.arange(batch.rows), labels)

    def made(self, at_once: Any, rows: Any, cells: Labels[Any]) -> Made:
        """Read some rows one by one."""
        reads = self._remembered(cells.values)
        return Made(at_once, rows, cells, reads, self.notes)

    def _remembered(self, values: Sequence[Any]) -> list[Read]:
        """What each value becomes, and its problem; most texts were met in the batches before."""
        if len(self._known) > _MOST_REMEMBERED:
            self._known = {}
        known, found = self._known, []
        for value in values:
            if (read := known.get(value) if isinstance(value, str) else None) is None:
                read = self.read(value)
                if isinstance(value, str) and len(value) <= LONGEST:
                    known[value] = read
            found.append(read)
        return found

    def arrow_type(self, _column: CellColumn) -> Any:
        """Texts, unless a step makes something else."""
        return pa.string()


class CountryNormaliser(DistinctNormaliser):
    """Countries to ISO 3166."""

    step: CountryStep

    def __init__(self, step: CountryStep) -> None:
        super().__init__(step, is_decided=True)

    def read(self, value: Any) -> Read:
        """The code of a country."""
        return country_code(text_of(value), self.step.settings.language)
