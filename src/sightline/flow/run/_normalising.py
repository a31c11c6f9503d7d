"""The step that brings columns to one currency, unit and spelling."""

from datetime import UTC
from itertools import chain
from pathlib import Path

import pyarrow as pa

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
from sightline.flow.run._context import StepContext, StepResult, need_columns
from sightline.flow.spec import NormalColumn, NormaliseStep
from sightline.yaml import MistakeError

__all__ = ["normalise_step"]

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
