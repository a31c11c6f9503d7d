"""What stands in for the rows of a source that can't be read: its last good rows for a while, or none at all."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pyarrow as pa

from sightline.errors import SightlineError
from sightline.flow.rows import RowBatches
from sightline.flow.run._context import StepContext, StepResult, kept_rows
from sightline.flow.run._record_rows import META_COLUMNS
from sightline.flow.run._state import RunFolder, StepState
from sightline.flow.spec import FlowStep, SourceStep

DAY = timedelta(days=1)
KEPT_FROM = "_kept_from"
"""The column of rows that stand in for newer ones: when they were read."""


def stand_in(context: StepContext, step: FlowStep, problem: SightlineError) -> StepResult | None:
    """The last good rows if they are young enough, no rows if the source is optional, or None."""
    if not isinstance(step, SourceStep):
        return None
    why = f"could not be read ({problem.message.rstrip('.')})"
    wanted_at = context.now if context.replay is None else min(context.now, context.due + DAY)
    last = _last_good(context, wanted_at)
    if step.keep_last is not None and last is not None:
        folder, state = last
        read_at = _read_at(folder, state)
        if wanted_at - read_at <= step.keep_last:
            count = context.keep(_marked(kept_rows(folder.rows(step.name)), read_at))
            reason = f"{why}; the rows of {read_at:%Y-%m-%d %H:%M} UTC stand in for them."
            return StepResult(count, verdict="suspicious", reasons=(reason,), stands_in=True, at=read_at.isoformat())
    if step.optional:
        schema = kept_rows(last[0].rows(step.name)).schema if last is not None else _NO_COLUMNS
        context.keep(RowBatches(schema, lambda: iter(())))
        reason = f"{why}; it is optional, so its rows are missing."
        return StepResult(0, verdict="suspicious", reasons=(reason,), stands_in=True)
    return None


_NO_COLUMNS = pa.schema([(name, pa.string()) for name in META_COLUMNS])


def _read_at(folder: RunFolder, state: StepState) -> datetime:
    return datetime.fromisoformat(state.at or folder.state.began)


def _last_good(context: StepContext, before: datetime) -> tuple[RunFolder, StepState] | None:
    """The last rows of this source that were ok and read on their own day; of a past day, none that are younger."""
    for run_id in reversed(context.store.run_ids()):
        folder = context.store.run(run_id)
        state = folder.state.steps.get(context.name)
        is_other = run_id != context.run.path.name
        is_good = is_other and state is not None and state.is_good and folder.rows(context.name).exists()
        if state is not None and is_good and _read_at(folder, state) <= before:
            return folder, state
    return None


def _marked(rows: RowBatches, read_at: datetime) -> RowBatches:
    """The rows with the time at which they were read."""
    schema = rows.schema.append(pa.field(KEPT_FROM, pa.string()))

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in rows.batches():
            kept_from = pa.array([read_at.isoformat()] * batch.num_rows, pa.string())
            yield pa.record_batch([*batch.columns, kept_from], schema=schema)

    return RowBatches(schema, batches)
