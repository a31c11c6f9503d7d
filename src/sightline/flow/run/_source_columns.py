"""What columns a source has had: new, missing and retyped ones are told once, and new ones kept, ignored or refused."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import orjson
import pyarrow as pa

from sightline.data import worst_verdict
from sightline.documents import MOST_BYTES, decoded_document
from sightline.files import read_bytes, write_bytes
from sightline.flow.rows import RowBatches
from sightline.flow.run._context import StepContext, StepResult, keep_rows, kept_rows
from sightline.flow.spec import FlowStep, SourceStep

MISSING = ""
"""The type of a column that a source had and has no more."""


def checked_columns(context: StepContext, step: FlowStep, outcome: StepResult) -> StepResult:
    """What a source gave, with what is to be said about its columns; only rows of today are looked at."""
    if not isinstance(step, SourceStep) or outcome.stands_in or context.replay is not None:
        return outcome
    path = context.run.rows(step.name)
    now = {field.name: str(field.type) for field in kept_rows(path).schema if not field.name.startswith("_")}
    if not now:
        return outcome
    memory = context.store.profiles / f"{step.name}.columns.json"
    before = _remembered(memory)
    new = [name for name in now if name not in before] if before else []
    if new and step.on_new_column == "stop":
        told = f"`{step.name}` has {_listed('new column', new)}; write `on_new_column: keep` to let it in"
        raise context.fail(f"{told}, or `ignore`.", "on_new_column")
    notes: tuple[str, ...] = ()
    if new and step.on_new_column == "ignore":
        _leave_out(context, path, new)
        notes = (f"left out {_listed('new column', new)}",)
        now = {name: kind for name, kind in now.items() if name not in new}
        new = []
    reasons = tuple(_changes(before, now, new)) if before else ()
    gone = {name: MISSING for name in before if name not in now}
    write_bytes(memory, orjson.dumps({**gone, **now}, option=orjson.OPT_INDENT_2) + b"\n")
    verdict = worst_verdict((outcome.verdict, "suspicious")) if reasons else outcome.verdict
    return replace(outcome, verdict=verdict, reasons=(*outcome.reasons, *reasons), notes=(*outcome.notes, *notes))


def _remembered(path: Path) -> dict[str, str]:
    """The columns of the last run, by their types."""
    if not path.exists():
        return {}
    content = decoded_document(read_bytes(path, "remove it", MOST_BYTES))
    return {str(name): str(kind) for name, kind in content.items()}


def _changes(before: dict[str, str], now: dict[str, str], new: list[str]) -> Iterator[str]:
    if new:
        yield f"has {_listed('new column', new)}, which it did not have before."
    if gone := [name for name, kind in before.items() if name not in now and kind != MISSING]:
        yield f"no longer has {_listed('column', gone)}."
    retyped = [name for name, kind in now.items() if before.get(name, kind) not in (kind, MISSING)]
    for name in retyped:
        yield f"`{name}` was of the type {before[name]} and is of {now[name]}."


def _listed(what: str, names: list[str]) -> str:
    return f"the {what}{'s' if len(names) > 1 else ''} {', '.join(f'`{name}`' for name in names)}"


def _leave_out(context: StepContext, path: Path, names: list[str]) -> None:
    """Write the rows again without some columns."""
    rows = kept_rows(path)
    kept = [name for name in rows.schema.names if name not in names]
    schema = pa.schema([rows.schema.field(name) for name in kept])
    batches = RowBatches(schema, lambda: (batch.select(kept) for batch in rows.batches())).batches()
    context.filled.clear()
    keep_rows(path, schema, batches, context.on_rows, context.filled)
