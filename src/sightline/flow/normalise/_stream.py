"""A stream of batches through its steps: one pass to decide what holds for whole columns, one to convert."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeAlias

import pyarrow.compute as pc

from sightline.errors import UsageError
from sightline.flow.normalise._amounts import MoneyNormaliser, TaxNormaliser
from sightline.flow.normalise._dates import DateNormaliser
from sightline.flow.normalise._normalised import Normalised, StepReport
from sightline.flow.normalise._normaliser import (
    BatchCells,
    CountryNormaliser,
    Normaliser,
    StepColumn,
    count_into,
    problem_column,
)
from sightline.flow.normalise._steps import (
    BatchStep,
    CountryStep,
    DateStep,
    MoneyStep,
    TaxStep,
    TextStep,
    TypingStep,
    UnitStep,
    columns_of,
)
from sightline.flow.normalise._texts import TextNormaliser, TypingNormaliser
from sightline.flow.normalise._units import UnitNormaliser

OpenBatches: TypeAlias = Callable[[], Iterable[Any]]

_NORMALISERS: dict[type, Callable[[Any], Normaliser]] = {
    DateStep: DateNormaliser,
    CountryStep: CountryNormaliser,
    TextStep: TextNormaliser,
    TypingStep: TypingNormaliser,
}
# Normalisers to which it makes a difference that a step before made numbers of their column.
_NUMBER_NORMALISERS: dict[type, Callable[..., Normaliser]] = {
    MoneyStep: MoneyNormaliser,
    TaxStep: TaxNormaliser,
    UnitStep: UnitNormaliser,
}
# Rows that are in work at once: enough for the cost of a call to vanish, and few enough for the caches of a core.
_ROWS = 65_536
# Batches that may be ready before they are taken: a delivery waits for its database much of the time.
_AHEAD = 2


class NormalisedBatches:
    """The batches of a stream with their new columns; see `normalise_batches`."""

    def __init__(self, open_batches: OpenBatches, steps: Sequence[BatchStep]) -> None:
        self._open, self.steps = open_batches, tuple(steps)
        self._made = _made_names(self.steps)
        self._normalisers = [_normaliser(step, self.steps[:number]) for number, step in enumerate(self.steps)]

    @property
    def reports(self) -> tuple[StepReport, ...]:
        """What each step counted so far; up to two batches more than were taken, which are made ahead."""
        return tuple(normaliser.report for normaliser in self._normalisers)

    def decide(self) -> tuple[BatchStep, ...]:
        """Decide what holds for whole columns, if that is not done, and return the steps with their types.

        Steps with types need no first pass.
        """
        while waiting := self._ready():
            self._pass(waiting)
            for normaliser in waiting:
                normaliser.decide()
        return tuple(normaliser.settled() for normaliser in self._normalisers)

    def __iter__(self) -> Iterator[Any]:
        """Batches with the new columns; each time anew from the first."""
        self.decide()
        for normaliser in self._normalisers:
            normaliser.report = _fresh(normaliser.report)
        yield from _ahead(self._normalised, _pieces(self._open()))

    def _ready(self) -> list[Normaliser]:
        """Normalisers that are not decided, and look at no column that waits for another one of these."""
        open_names: set[str] = set()
        ready = []
        for normaliser in self._normalisers:
            if not normaliser.is_decided and not open_names & set(normaliser.sampled_names):
                ready.append(normaliser)
            if not normaliser.is_decided or open_names & set(columns_of(normaliser.step)):
                open_names.add(normaliser.step.settings.new_name)
        return ready

    def _pass(self, waiting: list[Normaliser]) -> None:
        """Show batches to normalisers that have to decide, until none wants more."""
        helping = self._makers(waiting)
        for piece in _pieces(self._open()):
            cells = BatchCells.of(piece)
            wanted = False
            for number, normaliser in enumerate(self._normalisers):
                if normaliser in waiting:
                    wanted = normaliser.sample(cells) or wanted
                elif normaliser in helping:
                    self._put(cells, number, normaliser.apply(cells))
            if not wanted:
                return

    def _makers(self, waiting: list[Normaliser]) -> list[Normaliser]:
        """The decided normalisers whose columns these normalisers read, directly or not."""
        needed: set[str] = set()
        makers = []
        for normaliser in reversed(self._normalisers):
            if normaliser in waiting or normaliser.step.settings.new_name in needed:
                needed.update(normaliser.sampled_names if normaliser in waiting else columns_of(normaliser.step))
                makers += [] if normaliser in waiting else [normaliser]
        return makers

    def _normalised(self, piece: Any) -> Any:
        cells = BatchCells.of(piece)
        for number, normaliser in enumerate(self._normalisers):
            mended = cells.cells(normaliser.name).mended
            column = normaliser.apply(cells)
            count_into(normaliser.report, column, mended)
            self._put(cells, number, column)
        return cells.batch()

    def _put(self, cells: BatchCells, number: int, column: StepColumn) -> None:
        """The new column, its original if this is the first step on it, and its problems, side by side."""
        settings = self.steps[number].settings
        kept = cells.cells(settings.column).original
        new: dict[str, Any] = {settings.new_name: column.values}
        if self._is_first(number):
            new[settings.original_name] = kept
        is_again = settings.new_name in self._made[number]
        if not is_again:
            self._check_free(cells, [name for name in (*new, settings.problem_name) if name != settings.column])
        new[settings.problem_name] = _with(cells.columns.get(settings.problem_name), problem_column(column.problems))
        cells.put(new)
        if not is_again:
            _move_beside(cells.columns, settings.column, list(new))

    def _is_first(self, number: int) -> bool:
        """Whether a step reads a column that no step made."""
        return self.steps[number].settings.column not in self._made[number]

    def _check_free(self, cells: BatchCells, names: Iterable[str]) -> None:
        for name in names:
            if name in cells.columns:
                raise UsageError(
                    f"The batches have a column {name!r} already, which a step would make; rename it, or name the new "
                    "column by `into`."
                )


def _ahead(work: Callable[[Any], Any], pieces: Iterable[Any]) -> Iterator[Any]:
    """The results of some work in order, made in a thread of its own while the taker is busy with those before."""
    with ThreadPoolExecutor(max_workers=1) as worker:
        waiting: deque[Future[Any]] = deque()
        try:
            for piece in pieces:
                waiting.append(worker.submit(work, piece))
                if len(waiting) > _AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _made_names(steps: Sequence[BatchStep]) -> list[set[str]]:
    """For each step the new columns of those before it; two steps that make one column must be a chain."""
    found: list[set[str]] = []
    made: set[str] = set()
    for step in steps:
        settings = step.settings
        if settings.new_name in made and settings.column != settings.new_name:
            raise UsageError(f"Two steps make the column {settings.new_name!r}; name another one by `into`.")
        found.append(set(made))
        made.add(settings.new_name)
    return found


def _normaliser(step: BatchStep, before: Sequence[BatchStep]) -> Normaliser:
    """The normaliser of a step, which has to know whether the steps before made numbers of its column."""
    maker = next((one for one in reversed(before) if one.settings.new_name == step.settings.column), None)
    if type(step) in _NUMBER_NORMALISERS:
        return _NUMBER_NORMALISERS[type(step)](step, of_numbers=type(maker) in _NUMBER_NORMALISERS)
    return _NORMALISERS[type(step)](step)


def _pieces(batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        for first in range(0, max(batch.num_rows, 1), _ROWS):
            yield batch.slice(first, _ROWS)


def _with(before: Any, problems: Any) -> Any:
    """The problems of a step, and those of the step before it on the same column; no row has both."""
    if before is None or before.null_count == len(before):
        return problems
    return pc.coalesce(before, problems)


def _move_beside(columns: dict[str, Any], place: str, names: list[str]) -> None:
    """Reorder columns so that those of one step are side by side, where the column was that it read."""
    moved = [name for name in names if name != place]
    ordered: dict[str, Any] = {}
    for name, column in list(columns.items()):
        if name in moved:
            continue
        ordered[name] = column
        if name == place:
            ordered.update({other: columns[other] for other in moved})
    columns.clear()
    columns.update(ordered)


def _fresh(report: StepReport) -> StepReport:
    return replace(report, rows=0, missing=0, unread=0, mended=0, _causes=type(report._causes)(), _notes=[])


def normalised_column(step: BatchStep, columns: Mapping[str, Sequence[Any]]) -> Normalised:
    """The column of Python that a step makes of its own and of those beside it."""
    settings = step.settings
    values = columns[settings.column]
    normaliser, cells = _normaliser(step, ()), BatchCells.of_values(columns, len(values))
    if not normaliser.is_decided:
        normaliser.keep_all()
        normaliser.sample(cells)
        normaliser.decide()
    made = normaliser.make(cells)
    found, problems = made.listed()
    names = settings.new_name, settings.original_name
    return Normalised(*names, found, list(values), problems, made.notes, normaliser.type)
