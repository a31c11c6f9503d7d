"""The step that brings rows to a database, file or service."""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from sightline.errors import SchemaChanged, UsageError
from sightline.flow._addresses import scheme_of
from sightline.flow.deliver import Delivered, DeliveryMode, check_delivery, deliver, target_kind
from sightline.flow.run._context import StepContext, StepResult, need_columns
from sightline.flow.spec import DeliverStep
from sightline.settings import describe

__all__ = ["checked_delivery", "deliver_step", "delivered_columns", "load_id"]

_FILES = ("delta", "duckdb", "file", "parquet", "soap", "sqlite")


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

    mode, target, options = checked_delivery(context, step)
    try:
        delivered = deliver(
            batches(),
            target,
            load=load_id(context),
            mode=mode,
            key=step.key_columns,
            at=context.began if mode == "history" else None,
            allow_schema_changes=step.changes,
            options=options,
            complete=not _held_before(context, step),
        )
    except SchemaChanged as problem:
        hint = "write `allow schema changes: true` to let it be made"
        raise context.fail(f"{str(problem).rstrip('.')}; {hint}.", "to") from problem
    return StepResult(delivered.rows, notes=_notes(delivered), counts=_counts(delivered))


def _held_before(context: StepContext, step: DeliverStep) -> bool:
    """Whether a check held rows back on their way: then nobody knows whether keys that did not come are gone."""
    return any(context.states[name].held for name in context.flow.upstream(step.rows) if name in context.states)


def checked_delivery(context: StepContext, step: DeliverStep) -> tuple[DeliveryMode, str, dict[str, Any]]:
    """How, where to and with what options rows are delivered; what could not be meant is an error with its line."""
    target = _target_text(context, step)
    try:
        kind = target_kind(target)
        mode: DeliveryMode = step.mode or _usual_mode(step, kind.modes)  # type: ignore[assignment]
        options = {name.replace(" ", "_"): context.plain(value) for name, value in (step.options or {}).items()}
        names = {one.name for one in describe(kind.options)}
        if "schema" in options and "schema" in names:
            options["schema"] = str(context.path(str(options["schema"])))
        if "state" in names:
            options.setdefault("state", str(context.store.folder / f"{step.name}.posted.json"))
        check_delivery(target, mode=mode, key=step.key_columns, options=options)
    except UsageError as problem:
        raise context.fail(str(problem), "to") from problem
    return mode, target, options


def _usual_mode(step: DeliverStep, modes: Sequence[DeliveryMode]) -> DeliveryMode:
    """What is meant if nothing is said: update by the key, add, or replace a file."""
    wanted: DeliveryMode = "upsert" if step.key_columns else "append"
    return wanted if wanted in modes or len(modes) > 1 else modes[0]


def _target_text(context: StepContext, step: DeliverStep) -> str:
    """Where the rows go, with secrets; files are relative to the folder of the flow."""
    target = context.secret(step.to)
    if step.table:
        target = f"{target}#{step.table}"
    scheme = scheme_of(target)
    if not scheme:
        return str(context.path(target))
    rest = target[len(scheme) + 1 :]
    if scheme in _FILES and "://" not in rest and not rest.startswith("//"):
        folder = "/" if rest.endswith("/") else ""
        return f"{scheme}:{context.path(rest)}{folder}"
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
