"""Runs a flow over what its sources read once, delivers nothing, and says what differs from what it is to give.

What would be delivered goes into a DuckDB file that is thrown away, in the mode in which it would be delivered.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

import orjson
import pyarrow as pa

from sightline.files import make_folder
from sightline.flow._duckdb import open_duckdb, quoted
from sightline.flow.deliver import target_kind
from sightline.flow.run._captures import Capture
from sightline.flow.run._context import FlowEvent, StepContext, StepResult, keep_rows, kept_rows
from sightline.flow.run._engine import WORK, FlowEngine, FlowRun, StepWork, page_loader
from sightline.flow.run._flow_case import ExpectedStep, FlowCase, plain_value, put_case, source_line
from sightline.flow.run._notifying import RowChanges, deliver_step, row_changes
from sightline.flow.run._python import check_trusted
from sightline.flow.run._sources import file_paths
from sightline.flow.run._state import FlowStore, RunState, StepState
from sightline.flow.spec import (
    CollectSource,
    DeliverStep,
    Flow,
    FlowStep,
    NotifyStep,
    PagesSource,
    ReadSource,
)
from sightline.jobs import Cancel
from sightline.redaction import redacted_in

OnEvent: TypeAlias = Callable[[FlowEvent], None]


# -- capturing --------------------------------------------------------------------------------------------------------


def capture_case(  # noqa: PLR0913 - keywords, each of them said seldom
    flow: Flow,
    folder: Path,
    *,
    due: datetime,
    now: datetime,
    given: Mapping[str, str],
    trust: bool = False,
    on_event: OnEvent | None = None,
    cancel: Cancel | None = None,
) -> FlowRun:
    """Run a flow over its sources, deliver nothing, and keep in a folder what they read and what each step gave.

    `given` are variables that have other values than the flow says. An earlier case gives way when all is there; if a
    step failed, it stays, and nothing is kept.
    """
    check_trusted(flow, trust=trust)
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    make_folder(part)
    try:
        with FlowRehearsal(flow, due, now, pages=part, on_event=on_event, cancel=cancel, trust=trust) as rehearsed:
            found = rehearsed.run()
            if found.errors:
                return found
            case = FlowCase(part, due, now, _harmless(given), rehearsed.sources(part), {})
            replace(case, expected=rehearsed.expected(case)).save()
        put_case(part, folder)
        return found
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _harmless(given: Mapping[str, str]) -> dict[str, str]:
    """Variables without those that hold a secret, which have to be given again."""
    return {name: value for name, value in given.items() if redacted_in(value) == value}


class FlowRehearsal:
    """A run whose deliveries go to a file that is thrown away, and whose messages to nobody."""

    def __init__(  # noqa: PLR0913 - what a run consists of
        self,
        flow: Flow,
        due: datetime,
        now: datetime,
        *,
        pages: Path,
        replay: FlowCase | None = None,
        on_event: OnEvent | None,
        cancel: Cancel | None,
        trust: bool,
    ) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="sightline-test-")
        self.place = Path(self._temporary.name)
        self.flow = flow.due_on(due)
        store = FlowStore(self.place, flow.name)
        with store.locked():
            state = RunState("", flow.name, now.isoformat(), text=flow.text, due=due.isoformat(), dated=True)
            self.folder = store.begin(state, "test")
        work: dict[str, StepWork] = {**WORK, "deliver": self._deliver, "notify": _notify}
        self._engine = FlowEngine(
            self.flow,
            store,
            self.folder,
            pages,
            page_loader,
            on_event,
            cancel or Cancel(),
            work,
            now=now,
            replay=replay,
            trust=trust,
            tells=False,
        )

    def __enter__(self) -> "FlowRehearsal":
        return self

    def __exit__(self, *_: object) -> None:
        self._temporary.cleanup()

    def run(self) -> FlowRun:
        """Do all steps."""
        self.found = self._engine.run()
        return self.found

    @property
    def _delivered(self) -> Path:
        return self.place / "delivered.duckdb"

    def _deliver(self, context: StepContext, step: DeliverStep) -> StepResult:
        """Deliver to a table of its own, in the same mode, and keep what the table has then."""
        instead = replace(
            step, to=str(self._delivered), table=step.name, mode=_mode(context, step), options=None, changes=True
        )
        return deliver_step(context, instead)

    def rows(self, name: str) -> tuple[Mapping[str, str], list[dict[str, Any]]]:
        """The columns of a step with their types, and its rows as plain values; those of a delivery as delivered."""
        step = self.flow.steps[name]
        if isinstance(step, DeliverStep):
            with open_duckdb(self._delivered, read_only=True, folders=[self.place]) as connection:
                table = connection.sql(f"SELECT * FROM {quoted(name)} ORDER BY ALL").to_arrow_table()
        else:
            rows = kept_rows(self.folder.rows(name))
            table = pa.Table.from_batches(list(rows.batches()), rows.schema)
        shown = [field for field in table.schema if not field.name.startswith("_")]
        plain = table.select([field.name for field in shown]).to_pylist()
        columns = {field.name: str(field.type) for field in shown}
        return columns, [{key: plain_value(value) for key, value in row.items()} for row in plain]

    def sources(self, case: Path) -> dict[str, Any]:
        """What the sources read, copied into the folder of a case."""
        return {
            name: {"what": source_line(self.flow.filled(self.flow.steps[name])), **self._source(name, case)}
            for name in self.flow.order
            if not self.flow.steps[name].inputs
        }

    def _source(self, name: str, case: Path) -> dict[str, Any]:
        step = self.flow.filled(self.flow.steps[name])
        context = self._engine.context(step)
        if isinstance(step, ReadSource):
            paths = [path for one in step.files for path in file_paths(context, one)]
            targets = [case / "files" / name / f"{number:03}-{path.name}" for number, path in enumerate(paths)]
            for path, target in zip(paths, targets, strict=True):
                make_folder(target.parent)
                shutil.copyfile(path, target)
            return {"files": [str(target.relative_to(case)) for target in targets]}
        if isinstance(step, PagesSource | CollectSource):
            return {"captures": [asdict_of(one) for one in context.notes.captures]}
        make_folder(case / "rows")
        shutil.copyfile(self.folder.rows(name), case / "rows" / f"{name}.arrow")
        state = self.found.state.steps[name]
        said = {"verdict": state.verdict, "reasons": list(state.reasons), "at": state.at}
        return {"rows": f"rows/{name}.arrow", **said}

    def expected(self, case: FlowCase) -> dict[str, ExpectedStep]:
        """What became of each step, with its rows written into a case."""
        found = {}
        for name, state in self.found.state.steps.items():
            columns, rows = self.rows(name) if _has_rows(self.flow.steps[name], state) else ({}, None)
            if rows is not None:
                case.keep_rows(name, rows)
            found[name] = ExpectedStep(state.state, state.verdict, columns, state.held)
        return found


def asdict_of(capture: Capture) -> dict[str, str]:
    """A capture as plain values."""
    return {"source": capture.source, "page": capture.page, "way": capture.way, "error": capture.error}


def _has_rows(step: FlowStep, state: StepState) -> bool:
    return state.state != "failed" and not isinstance(step, NotifyStep)


def _mode(context: StepContext, step: DeliverStep) -> str:
    """The mode in which the rows would be delivered, as far as that is known without the secrets of the flow."""
    if step.mode:
        return step.mode
    if step.key_columns:
        return "upsert"
    if isinstance(step.to, str):
        target = f"{context.secret(step.to)}#{step.table}" if step.table else context.secret(step.to)
        modes = target_kind(target).modes
        return "append" if "append" in modes else modes[0]
    return "append"


def _notify(_: StepContext, step: NotifyStep) -> StepResult:
    return StepResult(0, notes=(f"would tell {len(step.to)} addresses",))


# -- testing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TestedStep:
    """Whether a step gave what it is to give; `told` says in sentences what differs, and `changes` which rows."""

    __test__ = False  # it only looks like a test of pytest

    name: str
    outcome: Literal["same", "differs", "failed"]
    told: tuple[str, ...] = ()
    changes: RowChanges | None = None

    def to_json(self) -> dict[str, Any]:
        """The step as plain values."""
        rows = self.changes
        changed = [] if rows is None else [{"key": list(one.key), "values": one.values} for one in rows.changed_rows]
        new, gone = ([], []) if rows is None else (list(rows.new_rows), list(rows.gone_rows))
        differences = {"unexpected": new, "missing": gone, "changed": changed}
        return {"step": self.name, "outcome": self.outcome, "told": list(self.told), **differences}


@dataclass(frozen=True)
class FlowTested:
    """What became of the test of a flow."""

    run: FlowRun
    steps: tuple[TestedStep, ...]

    @property
    def is_same(self) -> bool:
        """Whether the flow gave what it is to give."""
        return all(step.outcome == "same" for step in self.steps)


def run_case(
    flow: Flow,
    case: FlowCase,
    *,
    update: bool = False,
    trust: bool = False,
    on_event: OnEvent | None = None,
    cancel: Cancel | None = None,
) -> FlowTested:
    """Run a flow over what its sources read once, and compare each step with what it is to give.

    With `update`, what it gives now is what it is to give from now on.
    """
    check_trusted(flow, trust=trust)
    known = {name: value for name, value in case.variables.items() if name in flow.variables}
    flow = flow.with_variables(known)
    with FlowRehearsal(
        flow,
        case.due,
        case.captured,
        pages=case.folder,
        replay=case,
        on_event=on_event,
        cancel=cancel,
        trust=trust,
    ) as rehearsed:
        found = rehearsed.run()
        gone = [name for name in case.expected if name not in flow.steps]
        steps = [*(_compared(rehearsed, case, name) for name in flow.order), *map(_gone, gone)]
        if update and not found.errors:
            part = case.folder.with_name(f".{case.folder.name}.part")
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(case.folder, part, ignore=shutil.ignore_patterns("expected"))
            moved = replace(case, folder=part)
            replace(moved, expected=rehearsed.expected(moved)).save()
            put_case(part, case.folder)
        return FlowTested(found, tuple(steps))


def _gone(name: str) -> TestedStep:
    return TestedStep(name, "differs", ("the flow no longer has this step",))


def _compared(rehearsed: FlowRehearsal, case: FlowCase, name: str) -> TestedStep:
    """A step beside what it is to give."""
    state, wanted = rehearsed.found.state.steps.get(name), case.expected.get(name)
    if state is None:
        return TestedStep(name, "failed", ("it was not run, since a step before it let nothing through or failed",))
    if wanted is None:
        return TestedStep(name, "differs", ("it was not there when the test was captured",))
    told = [
        f"{what} {now}, and was to be {before}"
        for what, now, before in (
            ("it is", state.state, wanted.state),
            ("its verdict is", state.verdict, wanted.verdict),
            ("rows held back:", state.held, wanted.held),
        )
        if now != before
    ]
    if state.state == "failed":
        outcome: Literal["failed", "same"] = "failed" if wanted.state != "failed" else "same"
        return TestedStep(name, outcome, (*told, *state.reasons) if outcome == "failed" else ())
    expected = case.rows(name)
    if expected is None or not _has_rows(rehearsed.flow.steps[name], state):
        return TestedStep(name, "differs" if told else "same", tuple(told))
    columns, rows = rehearsed.rows(name)
    told += _columns_told(columns, wanted.columns)
    changes = _changes(rehearsed, name, expected, rows, columns)
    same = not (told or changes.new or changes.gone or changes.changed)
    if same and changes.unkeyed:
        changes = _changes(rehearsed, name, expected, rows, columns, keyed=False)
        same = not (changes.new or changes.gone)
    return TestedStep(name, "same" if same else "differs", tuple(told), None if same else changes)


def _columns_told(now: Mapping[str, str], wanted: Mapping[str, str]) -> Iterator[str]:
    if new := [name for name in now if name not in wanted]:
        yield f"it has more columns than it was to have: {', '.join(new)}"
    if gone := [name for name in wanted if name not in now]:
        yield f"it lacks columns that it was to have: {', '.join(gone)}"
    for name, kind in now.items():
        if wanted.get(name, kind) != kind:
            yield f"`{name}` is of the type {kind}, and was to be of {wanted[name]}"


def _changes(
    rehearsed: FlowRehearsal,
    name: str,
    expected: Sequence[Mapping[str, Any]],
    rows: Sequence[Mapping[str, Any]],
    columns: Mapping[str, str],
    *,
    keyed: bool = True,
) -> RowChanges:
    """What differs between two tables of plain values, by the key of the step if it has one."""
    names = list(columns)
    paths = (rehearsed.place / "expected.arrow", rehearsed.place / "found.arrow")
    schema = pa.schema([(one, pa.string()) for one in names])
    for path, table in zip(paths, (expected, rows), strict=True):
        texts = pa.Table.from_pylist([{one: _text(row.get(one)) for one in names} for row in table], schema)
        keep_rows(path, schema, texts.to_batches(), _ignore)
    key = rehearsed.flow.key_of(name, names) if keyed else ()
    return row_changes(paths[0], paths[1], key, rehearsed.folder.path)


def _ignore(_: int) -> None:
    """Nobody is told of the rows."""


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return orjson.dumps(value).decode()


def shown_differences(step: TestedStep, most: int = 5) -> Iterator[str]:
    """What differs in a step, in lines."""
    yield from step.told
    if step.changes is None:
        return
    for row in step.changes.changed_rows[:most]:
        for column, (old, new) in row.values.items():
            yield f"{', '.join(map(str, row.key))}: {column} is {_shown(new)}, and was to be {_shown(old)}"
    rows = step.changes
    for what, number, some in (
        ("was not expected", rows.new, rows.new_rows),
        ("is missing", rows.gone, rows.gone_rows),
    ):
        for found in some[:most]:
            yield f"{what}: {', '.join(f'{key}={_shown(value)}' for key, value in found.items() if value is not None)}"
        if number > most:
            yield f"{what}: {number - most} more rows"


def _shown(value: Any) -> str:
    return "nothing" if value is None else f"{value!s:.60}"
