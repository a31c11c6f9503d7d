"""The steps that put rows together: union, join, deduplicate, nest, unnest, SQL."""

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
from sightline.flow.run._context import StepContext, StepResult, need_columns
from sightline.flow.run._results import dataset_of
from sightline.flow.spec import DeduplicateStep, JoinStep, NestStep, SqlStep, UnionStep, UnnestStep

__all__ = ["deduplicate_step", "join_step", "nest_step", "sql_step", "union_step", "unnest_step"]


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
            f"`{step.column}` of `{step.rows}` is no list, but {kind}; name a column of lists.", "column"
        )
    return StepResult(context.keep(unnest_rows(rows, step.column, context.run.path)))


def sql_step(context: StepContext, step: SqlStep) -> StepResult:
    """The rows of a query over other steps."""
    tables = {name: dataset_of(context.path_of(name)) for name in step.tables}
    return StepResult(
        context.keep(Duck(tables, context.run.path, folders=context.readable(step.files)).query(step.sql))
    )
