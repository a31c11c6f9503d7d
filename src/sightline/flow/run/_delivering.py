"""The step that brings rows to a database, file or service."""

from collections.abc import Iterator

import pyarrow as pa

from sightline.errors import SchemaChanged
from sightline.flow.deliver import Delivered, deliver
from sightline.flow.run._context import StepContext, StepResult, need_columns
from sightline.flow.spec import DeliverStep

__all__ = ["deliver_step", "delivered_columns", "load_id", "target_text"]


def deliver_step(context: StepContext, step: DeliverStep) -> StepResult:
    """Deliver the rows once: the load is named by the run, so that a run that is taken up again repeats nothing."""
    rows = context.rows(step.rows)
    columns = delivered_columns(context, step, rows.schema)
    need_columns(context, pa.schema([rows.schema.field(old) for old in columns.values()]), (), step.rows)
    for name in step.key_columns:
        if name not in columns:
            need_columns(context, pa.schema([(new, pa.string()) for new in columns]), [name], step.rows, "key")

    def batches() -> Iterator[pa.RecordBatch]:
        done = 0
        schema = pa.schema([rows.schema.field(old).with_name(new) for new, old in columns.items()])
        yield pa.RecordBatch.from_pylist([], schema)  # a table without rows has columns, too
        for batch in rows.batches():
            done += batch.num_rows
            context.on_rows(done)
            yield pa.record_batch([batch.column(old) for old in columns.values()], schema=schema)

    mode = step.mode or ("upsert" if step.key_columns else "append")
    try:
        delivered = deliver(
            batches(),
            target_text(context, step),
            load=load_id(context),
            mode=mode,  # type: ignore[arg-type]
            key=step.key_columns,
            at=context.began if mode == "history" else None,
            allow_schema_changes=step.changes,
        )
    except SchemaChanged as problem:
        hint = "write `allow schema changes: true` to let it be made"
        raise context.fail(f"{str(problem).rstrip('.')}; {hint}.", "to") from problem
    return StepResult(delivered.rows, notes=_notes(delivered), counts=_counts(delivered))


def target_text(context: StepContext, step: DeliverStep) -> str:
    """Where the rows go, with secrets; files are relative to the folder of the flow."""
    target = context.secret(step.to)
    if step.table:
        target = f"{target}#{step.table}"
    scheme, colon, rest = target.partition(":")
    if not colon or len(scheme) < 2:
        return str(context.path(target))
    if scheme in ("sqlite", "duckdb", "parquet", "delta") and not rest.startswith("//"):
        return f"{scheme}:{context.path(rest)}"
    return target


def load_id(context: StepContext) -> str:
    """The name of what is delivered, in the table of loads."""
    return f"{context.flow.name}/{context.run.path.name}/{context.name}"


def delivered_columns(context: StepContext, step: DeliverStep, schema: pa.Schema) -> dict[str, str]:
    """The columns that are delivered, by their new names; those that only flows know stay here."""
    if step.columns:
        need_columns(context, schema, step.columns.values(), step.rows, "columns")
        return dict(step.columns)
    return {name: name for name in schema.names if not name.startswith("_")}


def _counts(delivered: Delivered) -> dict[str, int]:
    parts = ("inserted", "updated", "unchanged", "closed")
    return {name: count for name in parts if (count := getattr(delivered, name))}


def _notes(delivered: Delivered) -> tuple[str, ...]:
    done = ("it had been delivered before, and nothing was done now",) if delivered.was_done else ()
    return (*done, *(f"changed the table: {change}" for change in delivered.schema_changes))
