"""All that can be checked before the first request: secrets, files, targets, addresses of messages, the due date."""

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pyarrow as pa

from sightline.errors import SchemaChanged, UsageError
from sightline.flow.deliver import DeliveryTarget, check_target
from sightline.flow.run._captures import EarlierReadings, check_past
from sightline.flow.run._context import StepContext, kept_rows
from sightline.flow.run._notifying import checked_delivery, does_not_fit
from sightline.flow.spec import DeliverStep, Flow, FlowStep, NotifyStep, PlaySource, SourceStep
from sightline.redaction import hide_passwords
from sightline.yaml import SecretName, inside, look_up

# Targets that are files or folders; the others are servers, or whatever a plugin delivers to.
FILES = ("csv", "delta", "duckdb", "excel", "json", "jsonl", "parquet", "parquet-folder", "sqlite", "tsv", "xml")


def check_beforehand(flow: Flow, contexts: list[StepContext]) -> None:
    """Refuse a run that would fail later for a reason that is known now; the first such reason is the error."""
    for name in _secrets(flow):
        look_up(name, flow.secrets[name])
    if contexts and (replay := contexts[0].replay) is not None:
        _check_past(flow, contexts[0].due, replay)
    for context in contexts:
        step = context.step
        _check_files(context, step)
        if isinstance(step, DeliverStep):
            _check_target(context, step)
        elif isinstance(step, NotifyStep):
            _check_addresses([context.secret(one) for one in step.to])
    outcome = [*flow.on_failure, *flow.on_suspicious, *flow.on_success]
    if outcome and contexts:
        _check_addresses([contexts[0].secret(one) for one in outcome])


def _secrets(flow: Flow) -> Iterator[str]:
    """The secrets that the flow uses, each once."""
    values = [*flow.steps.values(), flow.on_failure, flow.on_suspicious, flow.on_success]
    found = (one.name for value in values for one in inside(value) if isinstance(one, SecretName))
    yield from dict.fromkeys(found)


def is_past(flow: Flow, due: datetime | None, now: datetime) -> bool:
    """Whether a run is for a day that pages no longer show; one that is a little late after midnight isn't."""
    if due is None or now - due <= flow.resume_within:
        return False
    return due.date() < now.astimezone(due.tzinfo).date()


def _check_past(flow: Flow, due: datetime, replay: EarlierReadings) -> None:
    """Refuse a past date for which a source has nothing; the rows of one that is optional are missing then."""
    for step in flow.steps.values():
        if isinstance(step, SourceStep) and not step.optional:
            try:
                check_past(flow.filled(step), due, replay)
            except UsageError as problem:
                raise flow.fail(step, problem.message) from problem


def _check_files(context: StepContext, step: FlowStep) -> None:
    """Wrappers and scripts that steps name."""
    named = [(key, str(getattr(step, key, "") or "")) for key in ("wrapper", "details")]
    if isinstance(step, PlaySource):
        named.append(("script", step.script))
    for key, name in named:
        if name and name != "auto" and not context.path(name).exists():
            where = "play" if key == "script" else key
            raise context.fail(f"there is no file {context.path(name)}; check its name.", where)


def _check_target(context: StepContext, step: DeliverStep) -> None:
    """What is wrong with a target: its folder, the rights of the user, and columns that do not fit it."""
    mode, text, options = checked_delivery(context, step)
    target = DeliveryTarget.read(text)
    if target.kind in FILES and "://" not in target.place:
        place = Path(target.place).absolute()
        there = next(one for one in (place, *place.parents) if one.exists())
        if there != place and not there.is_dir():
            raise context.fail(
                f"{there} isn't a folder, so {place.name} can't be written into it; name another place.", "to"
            )
        if not os.access(there, os.W_OK):
            raise context.fail(f"{there} can't be written to; change its permissions, or name another place.", "to")
        if there != place:
            return  # there is no table yet
    try:
        check_target(
            target,
            mode=mode,
            key=step.key_columns,
            schema=_columns_to_come(context, step),
            allow_schema_changes=step.changes,
            options=options,
        )
    except SchemaChanged as problem:
        raise does_not_fit(context, problem) from problem
    except UsageError as problem:
        raise context.fail(problem.message, "to") from problem


def _columns_to_come(context: StepContext, step: DeliverStep) -> pa.Schema | None:
    """The columns that the rows will probably have: those of the last run, if the flow was what it is now."""
    last = context.store.last_finished()
    if last is None or last.state.text != hide_passwords(context.flow.text):
        return None
    path = last.rows(context.flow.holder(step.rows))
    if not path.exists():
        return None
    schema = kept_rows(path).schema
    named = step.columns or {name: name for name in schema.names if not name.startswith("_")}
    if any(old not in schema.names for old in named.values()):
        return None
    return pa.schema([schema.field(old).with_name(new) for new, old in named.items()])


def _check_addresses(addresses: list[str]) -> None:
    from sightline.flow.notify import check_addresses  # its package is an extra

    check_addresses(addresses)
