"""The step that tells people what changed since the last run."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson

from sightline.data import worst_verdict
from sightline.files import write_bytes
from sightline.flow.run._changes import RowChanges, row_changes
from sightline.flow.run._context import StepContext, StepResult, need_columns
from sightline.flow.run._state import ToldMessage
from sightline.flow.spec import ChangeRule, NotifyStep

__all__ = ["notify_step"]

_MOST_TOLD = 20  # rows named in one message


def notify_step(context: StepContext, step: NotifyStep) -> StepResult:
    """Send one message if there is anything to tell."""
    schema = context.rows(step.rows).schema
    need_columns(context, schema, step.key_columns, step.rows, "key")
    need_columns(context, schema, [rule.column for rule in step.when if rule.column], step.rows, "when")
    if any(rule.column for rule in step.when) and not step.key_columns:
        raise context.fail("a change of a column needs a `key` that tells rows apart.", "when")
    lines = list(_lines(context, step))
    count = context.states[context.flow.holder(step.rows)].rows
    if not lines:
        return StepResult(count, notes=("nothing to tell",))
    from sightline.flow.notify import notify, shown_address  # its package is an extra

    addresses = [context.secret(one) for one in step.to]
    told = notify(lines, addresses, title=f"{context.flow.name}: {lines[0]}")
    said = ToldMessage(datetime.now(UTC).isoformat(), tuple(lines), tuple(map(shown_address, addresses)), told.failed)
    write_bytes(context.run.told(step.name), orjson.dumps(asdict(said)) + b"\n")
    return StepResult(
        count,
        verdict="suspicious" if told.failed else "ok",
        reasons=told.failed,
        notes=(f"told {told.sent} of {len(step.to)} addresses: {lines[0]}",),
    )


def _lines(context: StepContext, step: NotifyStep) -> Iterator[str]:
    """What there is to tell, in the order in which it was asked for."""
    last = context.store.last_finished(before=context.run.path.name)
    path = last.rows(context.flow.holder(step.rows)) if last else None
    changes = None
    if path is not None and path.exists():
        changes = row_changes(path, context.path_of(step.rows), step.key_columns, context.run.path)
    for rule in step.when:
        if rule.kind in ("verdict changed", "not ok"):
            yield from _verdict_lines(context, rule, last.state.verdict if last else None)
        elif changes is not None:
            yield from _row_lines(rule, changes)


def _verdict_lines(context: StepContext, rule: ChangeRule, before: str | None) -> Iterator[str]:
    now = worst_verdict(state.verdict for state in context.states.values())
    reasons = [f"{name}: {reason}" for name, state in context.states.items() for reason in state.reasons]
    if rule.kind == "not ok" and now != "ok":
        yield f"the run is {now}"
        yield from reasons[:_MOST_TOLD]
    elif rule.kind == "verdict changed" and before is not None and before != now:
        yield f"the verdict was {before} and is {now}"
        yield from reasons[:_MOST_TOLD]


def _row_lines(rule: ChangeRule, changes: RowChanges) -> Iterator[str]:
    if rule.kind == "new rows" and changes.new:
        yield f"{changes.new} new rows"
        yield from _named(changes.new_rows, changes.key)
    elif rule.kind == "gone rows" and changes.gone:
        yield f"{changes.gone} rows are gone"
        yield from _named(changes.gone_rows, changes.key)
    elif rule.kind == "changed":
        moved = [
            (row.key, *row.values[rule.column])
            for row in changes.changed_rows
            if rule.column in row.values and _moved(*row.values[rule.column], rule.by)
        ]
        if moved:
            more = " or more" if changes.changed > len(changes.changed_rows) else ""
            yield f"{rule.column} changed by more than {rule.by:.0%} in {len(moved)}{more} rows"
            for key, old, new in moved[:_MOST_TOLD]:
                yield f"  {', '.join(map(str, key))}: {old} → {new}"


def _named(rows: tuple[dict[str, Any], ...], key: tuple[str, ...]) -> Iterator[str]:
    for row in rows[:_MOST_TOLD]:
        yield "  " + ", ".join(str(row[name]) for name in (key or tuple(row)[:3]))


def _moved(old: Any, new: Any, by: float) -> bool:
    """Whether a value changed by more than a share of what it was; other values than numbers just changed."""
    if isinstance(old, int | float | Decimal) and isinstance(new, int | float | Decimal) and old:
        return abs(float(new) - float(old)) > by * abs(float(old))
    return bool(old != new)
