"""What a step makes of a batch, and what it tells of all batches together."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from sightline.flow.normalise._arrow._cells import Ints
from sightline.flow.normalise._arrow._labels import Labels
from sightline.flow.normalise._reports import StepReport

__all__ = ["StepColumn", "count_into", "problem_column"]


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
