"""The steps that put rows together: union, join, deduplicate, nest, unnest, SQL."""

from datetime import UTC
from itertools import chain
from pathlib import Path

import pyarrow as pa

from sightline.flow.integrate import (
    Duck,
    deduplicate_rows,
    join_rows,
    nest_rows,
    propose_mapping,
    union_rows,
    unnest_rows,
)
from sightline.flow.normalise import (
    BatchStep,
    CountrySettings,
    CountryStep,
    DateSettings,
    DateStep,
    FromColumn,
    MoneySettings,
    MoneyStep,
    RateTable,
    TaxSettings,
    TaxStep,
    TaxTable,
    TextSettings,
    TextStep,
    TypingSettings,
    TypingStep,
    UnitSettings,
    UnitStep,
    normalise_batches,
)
from sightline.flow.rows import RowBatches
from sightline.flow.run._context import StepContext, StepResult, dataset_of, need_columns
from sightline.flow.spec import (
    DeduplicateStep,
    JoinStep,
    NestStep,
    NormalColumn,
    NormaliseStep,
    SqlStep,
    UnionStep,
    UnnestStep,
)
from sightline.yaml import MistakeError

__all__ = ["deduplicate_step", "join_step", "nest_step", "normalise_step", "sql_step", "union_step", "unnest_step"]


def union_step(context: StepContext, step: UnionStep) -> StepResult:
    """The rows of all steps; a mapping that is only proposed is told, not used."""
    tables = {name: context.rows(name) for name in step.steps}
    for steps in (step.columns or {}).values():
        for name, column in steps.items():
            if name not in tables:
                known = ", ".join(tables)
                raise context.fail(
                    f"`columns` names the step `{name}`, which is not united; there are {known}.", "columns"
                )
            need_columns(context, tables[name].schema, [column], name, "columns")
    joined = union_rows(tables, step.columns, label=step.label)
    notes = list(joined.notes)
    if step.columns is None:
        notes += [
            f"`{one.column}` of {one.table} is probably `{one.same_as}` ({one.why}); "
            "`sightline plan --write` puts that into the flow"
            for one in propose_mapping(tables)[1]
        ]
    return StepResult(context.keep(joined.rows), notes=tuple(notes))


def join_step(context: StepContext, step: JoinStep) -> StepResult:
    """Two steps beside each other."""
    if len(step.steps) != 2:
        raise context.fail("`join` takes two steps; join a third one to the result.", "join")
    left, right = step.steps
    tables = context.rows(left), context.rows(right)
    need_columns(context, tables[0].schema, step.same, left, "on")
    need_columns(context, tables[1].schema, step.same.values(), right, "on")
    rows, notes = join_rows((left, tables[0]), (right, tables[1]), step.same, step.how, context.run.path)
    return StepResult(context.keep(rows), notes=notes)


def deduplicate_step(context: StepContext, step: DeduplicateStep) -> StepResult:
    """One row of each key."""
    rows = context.rows(step.rows)
    need_columns(context, rows.schema, step.by, step.rows, "by")
    if step.order:
        need_columns(context, rows.schema, [step.order], step.rows, "order")
    kept = context.keep(deduplicate_rows(rows, list(step.by), step.order, step.keep, context.run.path))
    dropped = context.states[step.rows].rows - kept
    return StepResult(kept, notes=(f"{dropped} rows had a key that another row has",) if dropped else ())


def nest_step(context: StepContext, step: NestStep) -> StepResult:
    """One row for each key, with a list of the others."""
    rows = context.rows(step.rows)
    need_columns(context, rows.schema, step.by, step.rows, "by")
    return StepResult(context.keep(nest_rows(rows, list(step.by), step.into, context.run.path)))


def unnest_step(context: StepContext, step: UnnestStep) -> StepResult:
    """One row for each entry of a list."""
    rows = context.rows(step.rows)
    need_columns(context, rows.schema, [step.column], step.rows, "column")
    if not pa.types.is_list(rows.schema.field(step.column).type):
        kind = rows.schema.field(step.column).type
        raise context.fail(
            f"`{step.column}` of `{step.rows}` isn't a list, but {kind}; name a column of lists.", "column"
        )
    return StepResult(context.keep(unnest_rows(rows, step.column, context.run.path)))


def sql_step(context: StepContext, step: SqlStep) -> StepResult:
    """The rows of a query over other steps."""
    tables = {name: dataset_of(context.path_of(name)) for name in step.tables}
    return StepResult(
        context.keep(Duck(tables, context.run.path, folders=context.readable(step.files)).query(step.sql))
    )


# The step that brings columns to one currency, unit and spelling.

STANDARD_TAX = "standard"  # the category of what has no other
_MOST_CAUSES = 3  # told of a column; the rows have all


def normalise_step(context: StepContext, step: NormaliseStep) -> StepResult:
    """Normalise column after column; what could not be read is told, and stays beside the new value."""
    rows = context.rows(step.rows)
    known = set(rows.schema.names)
    declared: list[BatchStep] = []
    for one in step.columns:
        _need(context, step, one, known)
        declared.append(_declared(context, one, known))
        known.add(one.settings.new_name)
    empty = pa.RecordBatch.from_pylist([], rows.schema)  # so that columns are known where there are no rows
    stream = normalise_batches(lambda: chain([empty], rows.batches()), declared)
    batches = iter(stream)
    first = next(batches)
    count = context.keep(RowBatches(first.schema, lambda: batches))
    reasons, doubts, notes = [], [], []
    for report in stream.reports:
        notes.append(report.summary)
        # An ambiguity is a doubt, not a note: 2.849 € that are taken for 2.85 € look like data.
        doubts += [f"{report.name}: {note}; say which it is in the flow" for note in report.notes]
        causes = list(report.causes.items())[:_MOST_CAUSES]
        reasons += [f"{report.name}: {number} rows: {cause}" for cause, number in causes]
    return StepResult(
        count,
        verdict="suspicious" if reasons or doubts else "ok",
        reasons=(*doubts, *reasons),
        notes=tuple(notes),
        doubts=tuple(doubts),
    )


def _need(context: StepContext, step: NormaliseStep, one: NormalColumn, known: set[str]) -> None:
    schema = pa.schema([(name, pa.string()) for name in known])
    try:
        need_columns(context, schema, [one.settings.column], step.rows)
    except MistakeError as problem:
        raise MistakeError(problem.file, one.line, problem.problem) from problem


def _declared(context: StepContext, one: NormalColumn, known: set[str]) -> BatchStep:
    beside = {key: FromColumn(value) if value in known else value for key, value in one.beside.items()}
    today = context.began.astimezone(UTC).date()
    match one.settings:
        case MoneySettings():
            currencies = beside.get("currency column")
            return MoneyStep(
                rates=_rates(context, one),
                dates=beside.get("date", today),
                currencies=currencies if isinstance(currencies, FromColumn) else None,
                settings=one.settings,
            )
        case TaxSettings():
            return TaxStep(
                table=TaxTable.read(_file(context, one)),
                tax=one.kind.removesuffix(" tax"),
                countries=beside["country"],
                dates=beside.get("date", today),
                categories=beside.get("category", STANDARD_TAX),
                settings=one.settings,
            )
        case UnitSettings():
            return UnitStep(settings=one.settings)
        case DateSettings():
            return DateStep(settings=one.settings)
        case CountrySettings():
            return CountryStep(settings=one.settings)
        case TextSettings():
            return TextStep(settings=one.settings)
        case TypingSettings():
            return TypingStep(settings=one.settings)
    raise context.fail(f"nothing is known about `{one.kind}`.")


def _rates(context: StepContext, one: NormalColumn) -> RateTable:
    """The table of rates; without one, only what is in the currency already can be read."""
    if "rates" in one.files:
        return RateTable.read(_file(context, one))
    assert isinstance(one.settings, MoneySettings)  # for the type checker
    return RateTable(one.settings.currency, {}, {})


def _file(context: StepContext, one: NormalColumn) -> Path:
    return context.path(one.files["rates"])
