"""The step that lets only good rows through; the others go to quarantine, each with the reasons."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import msgspec
import pyarrow as pa

from sightline.data import Verdict
from sightline.errors import UsageError
from sightline.files import make_folder, writing
from sightline.flow._duckdb import literal, quoted
from sightline.flow.integrate import ROW_NUMBER, Duck, numbered
from sightline.flow.run._context import StepContext, StepResult, dataset_of, kept_rows, need_columns, row_count
from sightline.flow.run._record_rows import META_COLUMNS, REASONS, VERDICT
from sightline.flow.run._state import FlowStore, RunFolder
from sightline.flow.spec import FlowCheckStep, NormaliseStep
from sightline.project import Journal, read_journal
from sightline.yaml import did_you_mean

HELD_BECAUSE = "_held_because"
"""The column of the rows in quarantine that says why they are there."""
RELEASED = "_released"
PROBLEM = "_problem"  # behind the name of a column: why its value could not be read
_MOST_SAID = 5  # reasons that are told of a step; the rows have all


def gate_step(context: StepContext, step: FlowCheckStep) -> StepResult:
    """Part the rows by verdicts, missing values, keys and rules; then ask whether enough are left."""
    rows = context.rows(step.rows)
    names = rows.schema.names
    _check_keys(context, step)
    need_columns(context, rows.schema, step.need or (), step.rows, "need")
    need_columns(context, rows.schema, step.unique or (), step.rows, "unique")
    reasons = [*_verdict_reasons(step, names), *_problem_reasons(context, step, names), *_row_reasons(step)]
    listed = f"list_filter([{', '.join(reasons)}], lambda said: said IS NOT NULL)" if reasons else "[]::VARCHAR[]"
    released = released_prints(context.store, step.name)
    is_released = f"{row_print(names)} IN (SELECT print FROM released)" if released.num_rows else "FALSE"
    judged = f"SELECT *, {listed} AS {HELD_BECAUSE}, {is_released} AS {RELEASED} FROM rows_of"
    tables = {"rows_of": dataset_of(context.path_of(step.rows)), "released": released}
    duck = Duck(tables, context.run.path)
    chosen = ", ".join(map(quoted, names))
    passes = f"len({HELD_BECAUSE}) = 0 OR {RELEASED}"
    kept = context.keep(duck.query(f"SELECT {chosen} FROM ({judged}) WHERE {passes}"))
    said = f"array_to_string({HELD_BECAUSE}, '; ') AS {HELD_BECAUSE}"
    held = context.keep_held(duck.query(f"SELECT {chosen}, {said} FROM ({judged}) WHERE NOT ({passes})"))
    notes, all_released = _released(duck, judged) if released.num_rows else ((), False)
    stopping = [*_upstream(context, step, names), *_too_few(context, step, kept)]
    if stopping and all_released:
        return StepResult(kept, notes=(*notes, f"all rows were released, though {'; '.join(stopping)}"))
    if stopping:
        everything = f"SELECT {chosen}, {literal('; '.join(stopping))} AS {HELD_BECAUSE} FROM rows_of"
        held = context.keep_held(duck.query(everything))
        return StepResult(0, held, "failed", tuple(stopping), stops=True)
    if not held:
        return StepResult(kept, notes=notes)
    each = f"SELECT unnest({HELD_BECAUSE}) AS said FROM ({judged}) WHERE NOT {RELEASED}"
    commonest = duck.rows(f"SELECT said, count(*) FROM ({each}) GROUP BY 1 ORDER BY 2 DESC, 1")
    told = [f"{count} rows held back: {reason}" for reason, count in commonest[:_MOST_SAID]]
    if len(commonest) > _MOST_SAID:
        told.append(f"rows held back for {len(commonest) - _MOST_SAID} other reasons")
    return StepResult(kept, held, "suspicious", tuple(told), notes, stops=not kept)


def _released(duck: Duck, judged: str) -> tuple[tuple[str, ...], bool]:
    """What to tell of rows that people released, and whether these are all."""
    ((count, needed, total),) = duck.rows(
        f"SELECT count(*) FILTER ({RELEASED}), count(*) FILTER ({RELEASED} AND len({HELD_BECAUSE}) > 0), count(*) "
        f"FROM ({judged})"
    )
    rows = "1 row was" if needed == 1 else f"{needed} rows were"
    return ((f"{rows} let through, since a person released them",) if needed else ()), bool(total) and count == total


def _check_keys(context: StepContext, step: FlowCheckStep) -> None:
    for verdict in step.let:
        if verdict not in get_args(Verdict):
            raise context.fail(f"`{verdict}` isn't a verdict; {did_you_mean(verdict, get_args(Verdict))}", "let")


def _verdict_reasons(step: FlowCheckStep, names: list[str]) -> list[str]:
    """Rows of pages whose verdict is not let through, with what was said about the page."""
    if VERDICT not in names:
        return []
    allowed = ", ".join(map(literal, step.let))
    said = f"': ' || {REASONS}" if REASONS in names else "NULL"
    return [
        f"CASE WHEN {VERDICT} IS NOT NULL AND {VERDICT} NOT IN ({allowed}) "
        f"THEN 'its page is ' || {VERDICT} || coalesce({said}, '') END"
    ]


def _problem_reasons(context: StepContext, step: FlowCheckStep, names: list[str]) -> list[str]:
    """Rows with a value that a step before could not read."""
    if "suspicious" in step.let:
        return []
    steps = [context.flow.steps[name] for name in context.flow.upstream(step.rows)]
    columns = [one.settings.new_name for normal in steps if isinstance(normal, NormaliseStep) for one in normal.columns]
    problems = {name: f"{name}{PROBLEM}" for name in columns if f"{name}{PROBLEM}" in names}
    return [
        f"CASE WHEN {quoted(problem)} IS NOT NULL THEN {literal(f'{name}: ')} || {quoted(problem)} END"
        for name, problem in problems.items()
    ]


def _missing(name: str) -> str:
    return f"`{name}` is missing"


def _not_unique(step: FlowCheckStep) -> str:
    return f"another row has the same {', '.join(step.unique or ())}"


def _broken(rule: str) -> tuple[str, str]:
    return f"not so: {rule}", f"cannot be told: {rule}"


def _row_reasons(step: FlowCheckStep) -> list[str]:
    found = [f"CASE WHEN {quoted(name)} IS NULL THEN {literal(_missing(name))} END" for name in step.need or ()]
    if step.unique:
        keys = ", ".join(map(quoted, step.unique))
        found.append(f"CASE WHEN count(*) OVER (PARTITION BY {keys}) > 1 THEN {literal(_not_unique(step))} END")
    for name, rule in (step.rules or {}).items():
        broken, unknown = map(literal, _broken(name))
        found.append(f"CASE WHEN ({rule}) IS NULL THEN {unknown} WHEN NOT ({rule}) THEN {broken} END")
    return found


def _upstream(context: StepContext, step: FlowCheckStep, names: list[str]) -> list[str]:
    """Doubts of steps before about all their rows; and verdicts of sources whose rows no longer say them."""
    found = []
    for name in context.flow.upstream(step.rows):
        state = context.states.get(name)
        if state is None or state.verdict in step.let:
            continue
        found += [f"`{name}`: {doubt}" for doubt in state.doubts]
        if VERDICT not in names and context.flow.steps[name].is_source:
            reason = state.reasons[0] if state.reasons else "no reason was given"
            found.append(f"the source `{name}` is {state.verdict}: {reason}")
    return found


def _too_few(context: StepContext, step: FlowCheckStep, kept: int) -> list[str]:
    found = []
    if step.least is not None and kept < step.least:
        found.append(f"{kept} rows are good, and there should be at least {step.least}")
    last = context.store.last_finished(before=context.run.state)
    if step.fall is not None and last is not None and last.rows(step.name).exists():
        before = row_count(last.rows(step.name))
        if kept < before * (1 - step.fall):
            found.append(
                f"{kept} rows are good, after {before} in the last run; at most {step.fall:.0%} may be missing"
            )
    return found


# What became of each thing that a check asks for, for those who watch runs.


RuleKind: TypeAlias = Literal["need", "unique", "rule"]


@dataclass(frozen=True)
class CheckedRule:
    """One thing that a check asks for: its kind, its columns or its name, and how many rows it held back."""

    kind: RuleKind
    names: tuple[str, ...]
    held: int


def checked_rules(run: RunFolder, step: FlowCheckStep) -> tuple[CheckedRule, ...]:
    """What became of each thing that a check asks for; nothing, if it let no row through, since rows don't say why."""
    path = run.held(step.name)
    if not path.exists() or not run.rows(step.name).exists() or not row_count(run.rows(step.name)):
        return ()
    asked: list[tuple[RuleKind, tuple[str, ...], tuple[str, ...]]] = []
    asked += (("need", (name,), (_missing(name),)) for name in step.need or ())
    asked += [("unique", tuple(step.unique), (_not_unique(step),))] if step.unique else []
    asked += (("rule", (name,), _broken(name)) for name in step.rules or ())
    duck = Duck({"held": dataset_of(path)}, run.path)
    found = []
    for kind, names, texts in asked:
        said = " OR ".join(f"contains('; ' || {HELD_BECAUSE} || '; ', {literal(f'; {text}; ')})" for text in texts)
        ((count,),) = duck.rows(f"SELECT count(*) FROM held WHERE {said}")
        found.append(CheckedRule(kind, names, count))
    return tuple(found)


# Rows that a check held back and a person released: they are let through as long as their values stay the same.

# What matching says of a row changes with every decision that people make; who the partner is counts, not how sure.
_LEFT_OUT = ("match_candidate", "match_text", "match_score", "match_zone", "match_why")


@dataclass(frozen=True)
class Released:
    """How many rows were released now, and how many had been before."""

    rows: int
    before: int = 0


def releases_path(store: FlowStore, step: str) -> Path:
    """Where it is kept which rows of a check people released."""
    return store.folder / "releases" / f"{step}.jsonl"


def row_print(names: Sequence[str]) -> str:
    """SQL for what tells a row from every other: its values, without what only flows know.

    >>> row_print(["name", "_origins"])
    'md5(concat_ws(chr(31), coalesce(CAST("name" AS VARCHAR), chr(30))))'
    """
    shown = [name for name in names if name not in META_COLUMNS and name not in _LEFT_OUT and not name.startswith("_")]
    values = ", ".join(f"coalesce(CAST({quoted(name)} AS VARCHAR), chr(30))" for name in shown)
    return f"md5(concat_ws(chr(31), {values}))" if values else "''"


def released_prints(store: FlowStore, step: str) -> pa.Table:
    """The rows that were released, by their prints, as DuckDB reads them."""
    return pa.table({"print": pa.array(sorted(_known(releases_path(store, step))), pa.string())})


def release_rows(store: FlowStore, run: RunFolder, step: str, rows: Sequence[int] | None = None) -> Released:
    """Release rows that a step of a run held back, by their numbers from 0 on, or all of them."""
    held = run.held(step)
    if not held.exists():
        raise UsageError(f"The step `{step}` held nothing back in this run; choose another.")
    names = kept_rows(held).schema.names
    duck = Duck({"held": numbered(kept_rows(held))}, run.path)
    found = dict(duck.rows(f"SELECT {ROW_NUMBER}, {row_print(names)} FROM held"))
    wanted = list(found) if rows is None else list(dict.fromkeys(rows))
    for number in wanted:
        if number not in found:
            raise UsageError(f"There is no row {number} in quarantine; it has {len(found)}, counted from 0.")
    path = releases_path(store, step)
    known = _known(path)
    prints = dict.fromkeys(found[number] for number in wanted)
    fresh = [one for one in prints if one not in known]
    _add(path, fresh, run.path.name)
    return Released(len(wanted), len(wanted) - sum(found[number] in fresh for number in wanted))


class _Release(msgspec.Struct, frozen=True):
    """A row that somebody released, by its print, and from which run."""

    print: str
    run: str
    when: str


def _known(path: Path) -> set[str]:
    return {one.print for one in read_journal(path).entries(_Release, "a release", "delete the line")}


def _add(path: Path, prints: Sequence[str], run: str) -> None:
    """Write some down at once, before anybody is told that they are released."""
    if not prints:
        return
    when = datetime.now(UTC).isoformat(timespec="seconds")
    make_folder(path.parent)
    with writing(path, then="; the rows were not released"), Journal(path) as journal:
        journal.add(*(_Release(one, run, when) for one in prints))
