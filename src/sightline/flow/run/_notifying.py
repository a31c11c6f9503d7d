"""The step that tells people what changed since the last run."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from sightline.data import RowTimes, count_differences, surplus, worst_verdict
from sightline.documents import MOST_BYTES, decoded_document
from sightline.errors import SchemaChanged, UsageError
from sightline.files import make_folder, read_bytes, write_bytes
from sightline.flow._addresses import scheme_of
from sightline.flow._duckdb import quoted
from sightline.flow.deliver import DatedLoad, Delivered, DeliveryMode, check_delivery, deliver, target_kind
from sightline.flow.integrate import Duck
from sightline.flow.run._column_origins import columns_to_deliver
from sightline.flow.run._context import StepContext, StepResult, dataset_of, need_columns
from sightline.flow.run._state import ToldMessage
from sightline.flow.spec import ChangeRule, DeliverStep, NotifyStep
from sightline.settings import describe

# What changed between two runs: rows that are new, gone or other, by their keys.

MOST_ROWS = 1000
"""Rows of each kind that are told one by one; all of them are counted."""


@dataclass(frozen=True)
class ChangedRow:
    """A row that is other than it was: its key, and the old and new values of what changed."""

    key: tuple[Any, ...]
    values: dict[str, tuple[Any, Any]]


@dataclass(frozen=True)
class RowChanges:
    """What changed between two tables; the lists are cut at a thousand rows, the counts are of all."""

    key: tuple[str, ...]
    new: int
    gone: int
    changed: int
    same: int
    new_rows: tuple[dict[str, Any], ...] = ()
    gone_rows: tuple[dict[str, Any], ...] = ()
    changed_rows: tuple[ChangedRow, ...] = ()
    unkeyed: int = 0
    """Rows that could not be compared, since their key is empty or not theirs alone."""

    @property
    def summary(self) -> str:
        """One line."""
        line = f"{self.new} new, {self.gone} gone, {self.changed} changed, {self.same} the same"
        return f"{line}, {self.unkeyed} without a key of their own" if self.unkeyed else line


def row_changes(
    old: Path, new: Path, key: Sequence[str], spill: Path, columns: Sequence[str] | None = None
) -> RowChanges:
    """Compare the rows of two files by a key, in all columns or in some; without a key, whole rows are compared."""
    before, after = dataset_of(old), dataset_of(new)
    shared = [name for name in after.schema.names if name in before.schema.names and not name.startswith("_")]
    if columns is not None:
        shared = [name for name in shared if name in columns or name in key]
    if not shared:
        raise UsageError("The two runs have no column in common, so their rows cannot be compared.")
    for name in key:
        if name not in shared:
            raise UsageError(f"The column `{name}` is not in both runs; compare by one of {', '.join(shared)}.")
    duck = Duck({"before": before, "after": after}, spill)
    return _by_key(duck, key, shared) if key else _by_whole_rows(duck, shared)


def _by_whole_rows(duck: Duck, shared: Sequence[str]) -> RowChanges:
    """Without a key a row is only new or gone: as often as it comes more, or less, often than before."""
    names = ", ".join(map(quoted, shared))
    times = (
        f"SELECT {names}, count(*) FILTER (NOT _later) AS _before, count(*) FILTER (_later) AS _after FROM ("
        f"SELECT {names}, FALSE AS _later FROM before UNION ALL SELECT {names}, TRUE AS _later FROM after) "
        f"GROUP BY {names}"
    )
    often = duck.rows(f"SELECT _before, _after, count(*) FROM ({times}) GROUP BY _before, _after")
    counts = count_differences((RowTimes(old, new), rows) for old, new, rows in often)

    def told(where: str) -> Iterator[tuple[tuple[Any, ...], RowTimes]]:
        order = f"ORDER BY {names} LIMIT {MOST_ROWS}"
        for row in duck.rows(f"SELECT {names}, _before, _after FROM ({times}) WHERE {where} {order}"):
            yield row[:-2], RowTimes(*row[-2:])

    return RowChanges(
        (),
        counts.new,
        counts.gone,
        0,
        counts.same,
        _first(shared, ((row, one.new) for row, one in told("_after > _before"))),
        _first(shared, ((row, one.gone) for row, one in told("_before > _after"))),
    )


def _first(names: Sequence[str], rows: Iterable[tuple[tuple[Any, ...], int]]) -> tuple[dict[str, Any], ...]:
    return tuple(dict(zip(names, row, strict=True)) for row in islice(surplus(rows), MOST_ROWS))


def _by_key(duck: Duck, by: Sequence[str], shared: Sequence[str]) -> RowChanges:
    """Rows are the same if their key is; those that have none of their own are only counted."""
    others = [name for name in shared if name not in by]
    keys = ", ".join(map(quoted, by))
    filled = " AND ".join(f"{quoted(name)} IS NOT NULL" for name in by)
    one = f"(SELECT * FROM (SELECT *, count(*) OVER (PARTITION BY {keys}) AS _times FROM {{table}}) "
    one += f"WHERE {filled} AND _times = 1)"
    olds, news = one.format(table="before"), one.format(table="after")
    same = " AND ".join(f"o.{quoted(name)} = n.{quoted(name)}" for name in by)
    differs = " OR ".join(f"o.{quoted(name)} IS DISTINCT FROM n.{quoted(name)}" for name in others) or "FALSE"
    total, is_same, changed = duck.rows(
        f"SELECT count(*), count(*) FILTER (NOT ({differs})), count(*) FILTER ({differs}) "
        f"FROM {olds} AS o JOIN {news} AS n ON {same}"
    )[0]
    count_old, count_new = (duck.rows(f"SELECT count(*) FROM {rows}")[0][0] for rows in (olds, news))
    all_old, all_new = (duck.rows(f"SELECT count(*) FROM {name}")[0][0] for name in ("before", "after"))
    return RowChanges(
        tuple(by),
        count_new - total,
        count_old - total,
        changed,
        is_same,
        _rows(duck, shared, f"SELECT {_of('n', shared)} FROM {news} AS n ANTI JOIN {olds} AS o ON {same}"),
        _rows(duck, shared, f"SELECT {_of('o', shared)} FROM {olds} AS o ANTI JOIN {news} AS n ON {same}"),
        _changed(duck, by, others, f"FROM {olds} AS o JOIN {news} AS n ON {same} WHERE {differs}"),
        max(all_old - count_old, all_new - count_new),
    )


def _of(table: str, names: Sequence[str]) -> str:
    return ", ".join(f"{table}.{quoted(name)}" for name in names)


def _rows(duck: Duck, names: Sequence[str], sql: str) -> tuple[dict[str, Any], ...]:
    found = duck.rows(f"{sql} ORDER BY ALL LIMIT {MOST_ROWS}")
    return tuple(dict(zip(names, row, strict=True)) for row in found)


def _changed(duck: Duck, by: Sequence[str], others: Sequence[str], source: str) -> tuple[ChangedRow, ...]:
    if not others:
        return ()
    found = duck.rows(
        f"SELECT {_of('n', by)}, {_of('o', others)}, {_of('n', others)} {source} ORDER BY ALL LIMIT {MOST_ROWS}"
    )
    rows = []
    for row in found:
        key, old, new = row[: len(by)], row[len(by) : len(by) + len(others)], row[len(by) + len(others) :]
        pairs = zip(others, old, new, strict=True)
        rows.append(ChangedRow(key, {name: (one, two) for name, one, two in pairs if one != two}))
    return tuple(rows)


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
    last = context.store.last_finished(before=context.run.state)
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


# -- the step that brings rows to a database, file or service -------------------------------------------------------

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
    if later := _later_file(context, target):
        return StepResult(0, notes=(_left(later),))
    try:
        delivered = deliver(
            batches(),
            target,
            load=dated_load(context),
            mode=mode,
            key=step.key_columns,
            allow_schema_changes=step.changes,
            options=options,
            complete=_is_complete(context, step),
        )
    except SchemaChanged as problem:
        raise does_not_fit(context, problem) from problem
    return StepResult(delivered.rows, notes=_notes(delivered), counts=_counts(delivered))


def does_not_fit(context: StepContext, problem: SchemaChanged) -> UsageError:
    """The error that a table would have to be changed, and how the flow says that it may be."""
    hint = "write `allow schema changes: true` to let it be made"
    return context.fail(f"{str(problem).rstrip('.')}; {hint}.", "to")


def _is_complete(context: StepContext, step: DeliverStep) -> bool:
    """Whether all rows of its sources have come: else nobody knows whether keys that are not among them are gone."""
    known = [context.states[name] for name in context.flow.upstream(step.rows) if name in context.states]
    return not any(state.held or (state.stands_in and not state.rows) for state in known)


# Targets that are one file, which has no place for what it was made from.
_ONE_FILE = ("csv", "excel", "json", "jsonl", "parquet", "tsv", "xml")


def _later_file(context: StepContext, target: str) -> str:
    """The due date that a file shows, if it is later than that of this run; else the file is noted to show this one."""
    if target_kind(target).name not in _ONE_FILE:
        return ""
    path = context.store.delivered(context.name)
    digest = hashlib.sha256(target.encode()).hexdigest()[:16]
    known = decoded_document(read_bytes(path, "remove it", MOST_BYTES)) if path.exists() else {}
    shown = known.get(digest, "")
    if shown and datetime.fromisoformat(shown) > context.due:
        return str(shown)
    make_folder(path.parent)
    write_bytes(path, orjson.dumps({**known, digest: context.due.isoformat()}, option=orjson.OPT_INDENT_2) + b"\n")
    return ""


def _left(later: str) -> str:
    day = datetime.fromisoformat(later).astimezone(UTC)
    return f"left as it is: it shows {day:%Y-%m-%d %H:%M} UTC, which is later than this run"


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


def dated_load(context: StepContext) -> DatedLoad:
    """What is delivered: the rows of this step for its due date; another run of that date replaces them."""
    return DatedLoad(
        f"{context.flow.name}/{context.name}",
        context.due,
        context.run.path.name,
        context.store.token,
        context.store.loads_before(context.name, context.due),
    )


def delivered_columns(context: StepContext, step: DeliverStep, schema: pa.Schema) -> dict[str, str]:
    """The columns that are delivered, by their new names; those that only flows know stay here."""
    if step.columns:
        need_columns(context, schema, step.columns.values(), step.rows, "columns")
    return dict(columns_to_deliver(step, schema.names))


def _counts(delivered: Delivered) -> dict[str, int]:
    parts = ("inserted", "updated", "unchanged", "closed", "replaced")
    return {name: count for name in parts if (count := getattr(delivered, name))}


def _notes(delivered: Delivered) -> tuple[str, ...]:
    done = ("it had been delivered before, and nothing was done now",) if delivered.was_done else ()
    late = (_left(delivered.later),) if delivered.later else ()
    return (*done, *late, *(f"changed the table: {change}" for change in delivered.schema_changes))
