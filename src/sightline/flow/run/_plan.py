"""What a run would do: the columns and some rows of every step, from samples of the sources, with no side effects."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from sightline.errors import UsageError
from sightline.flow.deliver import DeliveryTarget
from sightline.flow.integrate import UnionMap, propose_mapping
from sightline.flow.rows import RowBatches
from sightline.flow.run._context import FlowEvent, StepContext, StepResult, kept_rows
from sightline.flow.run._engine import WORK, FlowEngine, StepWork, page_loader
from sightline.flow.run._flow_case import CASE, FlowCase, case_folder
from sightline.flow.run._integrating import query_database
from sightline.flow.run._notifying import checked_delivery, delivered_columns
from sightline.flow.run._sources import read_files
from sightline.flow.run._state import FlowStore, RunFolder, RunState
from sightline.flow.spec import (
    DeliverStep,
    Flow,
    FlowDocument,
    FlowStep,
    MatchStep,
    NotifyStep,
    PythonStep,
    QuerySource,
    ReadSource,
    UnionStep,
)
from sightline.jobs import Cancel

SAMPLE_ROWS = 200
"""Rows of each source that a plan looks at."""
SHOWN_ROWS = 3


@dataclass(frozen=True)
class PlannedStep:
    """What a step would give: its columns with their types, some rows, and what to know about it."""

    name: str
    what: str
    columns: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[Mapping[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
    count: int | None = None
    """How many rows there would be, if no source was cut to a sample."""

    def to_json(self) -> dict[str, Any]:
        """The step as plain values."""
        rows = [{name: _plain(value) for name, value in row.items()} for row in self.rows]
        return {
            "step": self.name,
            "what": self.what,
            "columns": dict(self.columns),
            "rows": rows,
            "notes": list(self.notes),
            "problem": self.problem or None,
        }


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float | bool | list | dict) else str(value)


@dataclass(frozen=True)
class FlowPlan:
    """What a run would do, step by step; `mappings` are proposals for unions that have none."""

    flow: Flow
    steps: tuple[PlannedStep, ...]
    mappings: Mapping[str, UnionMap]

    @property
    def problems(self) -> tuple[str, ...]:
        """What would go wrong."""
        return tuple(step.problem for step in self.steps if step.problem)

    def with_mappings(self) -> str:
        """The text of the flow with the proposed mappings written into it."""
        document = FlowDocument(self.flow.text, self.flow.file)
        for step, mapping in self.mappings.items():
            document.set(step, "columns", {name: dict(steps) for name, steps in mapping.items()})
        return document.text


def plan_flow(
    flow: Flow,
    *,
    store: str | os.PathLike[str],
    shown: int = SHOWN_ROWS,
    on_event: Callable[[FlowEvent], None] | None = None,
    cancel: Cancel | None = None,
) -> FlowPlan:
    """Run a flow on samples in a folder of its own; nothing is fetched, delivered, sent or remembered.

    Pages are not opened: of a source that reads some, the rows of its last run are taken, if there are any, or those of
    the pages that were captured for its test. So many rows of each step are `shown`.
    """
    kept = FlowStore(store, flow.name)
    flow = flow.due_on(datetime.now(UTC))
    with tempfile.TemporaryDirectory(prefix="sightline-plan-") as folder:
        run = FlowStore(folder, flow.name).begin(_planned_state(flow), "plan")
        planner = _Planner(flow, kept, run, shown)

        def listen(event: FlowEvent) -> None:
            planner.listen(event)
            if on_event is not None:
                on_event(event)

        FlowEngine(
            flow, kept, run, Path(folder), page_loader, listen, cancel or Cancel(), planner.work, is_plan=True
        ).run()
        return FlowPlan(flow, tuple(planner.planned(flow, name) for name in flow.order), planner.mappings)


def _planned_state(flow: Flow) -> RunState:
    began = datetime.now(UTC).isoformat()
    return RunState("", flow.name, began, text=flow.text, variables=dict(flow.variables))


class _Planner:
    """What steps do in a plan, and what they told."""

    def __init__(self, flow: Flow, kept: FlowStore, run: RunFolder, shown: int) -> None:
        self._shown = shown
        self._cut: set[str] = set()
        self._kept = kept
        self._case = FlowCase.load(case_folder(flow)) if (case_folder(flow) / CASE).exists() else None
        self._run = run
        self._told: dict[str, tuple[tuple[str, ...], str]] = {}
        self._unknown: set[str] = set()
        # A record whose partner is not in the sample would look new, so catalogues are read whole.
        catalogues = [step.catalogue for step in flow.steps.values() if isinstance(step, MatchStep)]
        self._whole = {name for catalogue in catalogues for name in flow.upstream(catalogue)}
        self.mappings: dict[str, UnionMap] = {}
        sampled: dict[str, StepWork] = {
            "read": self._read,
            "query": self._query,
            "deliver": _deliver,
            "notify": _notify,
        }
        pages = dict.fromkeys(("extract", "about", "collect", "play", "python"), self._last_rows)
        self.work: dict[str, StepWork] = {**WORK, **sampled, **pages, "union": self._union}

    def listen(self, event: Any) -> None:
        """Note what the engine tells."""
        if event.kind in ("done", "failed", "skipped"):
            notes = (*event.state.notes, *event.state.reasons) if event.state and event.kind == "done" else ()
            problem = event.detail if event.kind != "done" else ""
            if cause := next((name for name in self._unknown if problem == f"`{name}` failed"), ""):
                problem = f"it needs `{cause}`, which is known after the first run."
            self._told[event.step] = (notes, problem)

    def planned(self, flow: Flow, name: str) -> PlannedStep:
        """What became of a step."""
        step = flow.filled(flow.steps[name])
        notes, problem = self._told.get(name, ((), ""))
        path = self._run.rows(flow.holder(name))
        if problem or not path.exists():
            return PlannedStep(name, str(step), notes=notes, problem=problem)
        rows = kept_rows(path)
        table = pa.Table.from_batches(list(rows.batches()), rows.schema)
        columns = {one.name: str(one.type) for one in rows.schema if not one.name.startswith("_")}
        shown = tuple(table.slice(0, self._shown).select(list(columns)).to_pylist())
        count = None if self._cut.intersection(flow.upstream(name)) else table.num_rows
        return PlannedStep(name, str(step), columns, shown, notes, count=count)

    def _last_rows(self, context: StepContext, step: FlowStep) -> StepResult:
        """What the source gave in the last run; before there is one, what it gives of the pages of the flow's test."""
        for run_id in reversed(self._kept.run_ids()):
            path = self._kept.run(run_id).rows(step.name)
            if path.exists():
                rows = context.keep(self._some(step, kept_rows(path)))
                state = self._kept.run(run_id).state.steps.get(step.name)
                read = f", read at {state.read_ago(context.now)}" if state and state.at else ""
                return StepResult(rows, notes=(f"as in the run {run_id}{read}; no page was opened",))
        if self._case is not None and not step.inputs and self._case.is_about(step):
            found = WORK[step.word](replace(context, replay=self._case, pages=self._case.folder), step)
            self._first_kept(context, step)
            note = f"of what was captured at {self._case.captured:%Y-%m-%d %H:%M} UTC for the test; nothing was opened"
            return replace(found, notes=(*found.notes, note))
        self._unknown.add(step.name)
        what = "runs no code" if isinstance(step, PythonStep) else "opens no pages"
        raise UsageError(f"its columns are known after the first run, since a plan {what}.")

    def _some(self, step: FlowStep, rows: RowBatches) -> RowBatches:
        """The rows of a source that a plan looks at."""
        return rows if step.name in self._whole else self._first(step, rows)

    def _first(self, step: FlowStep, rows: RowBatches) -> RowBatches:
        """The first rows; it is noted if there are more."""

        def batches() -> Iterator[pa.RecordBatch]:
            left = SAMPLE_ROWS
            for batch in rows.batches():
                if batch.num_rows > left:
                    self._cut.add(step.name)
                if left <= 0:
                    return
                yield batch.slice(0, left)
                left -= batch.num_rows

        return RowBatches(rows.schema, batches)

    def _first_kept(self, context: StepContext, step: FlowStep) -> None:
        """Cut what a source gave to a sample."""
        path = context.run.rows(step.name)
        rows = kept_rows(path)
        table = pa.Table.from_batches(list(rows.batches()), rows.schema)
        context.keep(self._some(step, RowBatches(rows.schema, lambda: iter(table.to_batches()))))

    def _read(self, context: StepContext, step: ReadSource) -> StepResult:
        return read_files(context, step, only=lambda rows: self._some(step, rows))

    def _query(self, context: StepContext, step: QuerySource) -> StepResult:
        if step.name in self._whole:
            return query_database(context, step)
        sample = f"SELECT * FROM ({step.sql}) AS sampled LIMIT {SAMPLE_ROWS}"
        found = query_database(context, replace(step, sql=sample))
        if found.rows >= SAMPLE_ROWS:
            self._cut.add(step.name)
        return found

    def _union(self, context: StepContext, step: UnionStep) -> StepResult:
        tables = {name: context.rows(name) for name in step.steps}
        if step.columns is None:
            mapping, proposals = propose_mapping(tables)
            if proposals:
                self.mappings[step.name] = mapping
        return WORK["union"](context, step)


def _deliver(context: StepContext, step: DeliverStep) -> StepResult:
    """What would be delivered, and how; the target is not touched."""
    columns = delivered_columns(context, step, context.rows(step.rows).schema)
    for name in step.key_columns:
        if name not in columns:
            raise context.fail(f"the key `{name}` is not among the columns: {', '.join(columns)}.", "key")
    mode, target, _ = checked_delivery(context, step)
    by = f" by {', '.join(step.key_columns)}" if step.key_columns else ""
    done = (
        f"keep the history of {len(columns)} columns in" if mode == "history" else f"{mode} {len(columns)} columns to"
    )
    return StepResult(0, notes=(f"would {done} {DeliveryTarget.read(target)}{by}",))


def _notify(_: StepContext, step: NotifyStep) -> StepResult:
    wanted = ", ".join(map(str, step.when))
    return StepResult(0, notes=(f"would tell {len(step.to)} addresses of: {wanted}",))
