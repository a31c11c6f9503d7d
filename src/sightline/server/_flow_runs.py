"""Runs of flows: their history with verdicts, the rows of each step, how values went, and what two runs differ in."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.data import Verdict
from sightline.errors import MissingExtra, SightlineError, UsageError
from sightline.extras import is_installed
from sightline.flow import run as flow_run  # its names are imported when used: Arrow and DuckDB take long
from sightline.flow.run import FlowStore, RunFolder, RunState, StepState
from sightline.flow.spec import Flow, FlowStep, SourceStep, write_flow_step
from sightline.project import Documents, check_name
from sightline.server._caches import Cache
from sightline.server._problems import ProblemError, names_not_found
from sightline.server._shapes import GridResponse, JsonResponse, TypeResponse, box_shape, encodable
from sightline.server._studio import Studio, StudioDep, WindowDep

if TYPE_CHECKING:
    import pyarrow as pa

    from sightline.flow.run import CellPlace

# The runs of a project's flows: what became of them, and their rows, window by window.

SUFFIX = ".flow.yaml"
TOLD_COLUMNS = ("_held_because", "_kept_from")
"""Columns of a flow's own that people want to see: why a row was held back, and when an older one was read."""
CACHED_RUNS = 2_000  # states of runs that stay in memory; each is some kilobytes
CACHED_FILES = 64  # files of rows of which it is remembered where their batches begin


def check_flows() -> None:
    """An error that says what to install if flows cannot be read or run here."""
    if not has_flows():
        raise MissingExtra("flow", "Working with flows")


def has_flows() -> bool:
    """Whether what flows need is installed."""
    return is_installed("flow")


NeedsFlows = Depends(check_flows)
"""For resources that only make sense where flows can be run."""


class FlowRuns:
    """Reads what runs left in the project folder; whoever runs a flow, here or on the command line, writes there."""

    def __init__(self, studio: Studio) -> None:
        self._folder = studio.folder
        self._documents = Documents(studio.folder, SUFFIX, "a flow")
        self._states: Cache[tuple[str, str, int], RunState] = Cache(CACHED_RUNS)
        self._flows: Cache[tuple[str, str], Flow | None] = Cache(CACHED_FILES)
        self._schemas: Cache[tuple[str, int], pa.Schema] = Cache(CACHED_FILES)
        self._windows: Cache[tuple[str, int], flow_run.RowWindows] = Cache(CACHED_FILES)

    def names(self) -> list[str]:
        """The flows of the project, by their files."""
        return self._documents.names()

    def file(self, name: str) -> Path:
        """The file of a flow."""
        return self._documents.path(name)

    def store(self, name: str) -> FlowStore:
        """The runs of a flow; a flow whose file was deleted keeps them."""
        with names_not_found():
            check_name(name, "a flow")
        found = FlowStore(self._folder, name)
        if not self.file(name).exists() and not found.folder.exists():
            raise ProblemError("not-found", "There is no such flow in the project; it may have been deleted.")
        return found

    def run(self, name: str, run_id: str) -> tuple[RunFolder, RunState]:
        """A run, with its folder."""
        store = self.store(name)
        with names_not_found():
            check_name(run_id, "a run")
        folder = store.run(run_id)
        if not (folder.path / "run.json").exists():
            raise ProblemError("not-found", f"The flow {name} has no such run; it may have been deleted.")
        return folder, self._state(name, folder)

    def states(self, name: str, limit: int) -> list[RunState]:
        """The last runs of a flow, the newest first; a run whose state cannot be read is left out."""
        return list(self._last(self.store(name), limit))

    def _last(self, store: FlowStore, limit: int) -> Iterator[RunState]:
        for run_id in store.run_ids()[: -limit - 1 : -1] if limit else ():
            try:
                yield self._state(store.flow, store.run(run_id))
            except (SightlineError, FileNotFoundError):  # half of a folder that somebody copied or deleted
                continue

    def _state(self, name: str, folder: RunFolder) -> RunState:
        changed = (folder.path / "run.json").stat().st_mtime_ns
        return self._states.get((name, folder.path.name, changed), lambda: folder.state)

    def flow_of(self, state: RunState) -> Flow | None:
        """The flow as it was when it ran; None if this version cannot read it."""

        def read() -> Flow | None:
            try:
                return Flow.loads(state.text, str(self.file(state.flow)))
            except UsageError:
                return None

        return self._flows.get((state.flow, state.id), read)

    def windows(self, path: Path) -> "flow_run.RowWindows":
        """A file of rows, to be looked at."""
        if not path.exists():
            raise ProblemError("not-found", "This step has no such rows in this run.")
        return self._windows.get((str(path), path.stat().st_mtime_ns), lambda: flow_run.RowWindows.of(path))

    def columns(self, path: Path) -> "list[tuple[str, pa.DataType]]":
        """The columns of a file of rows with their types; none if there is no file."""
        if not path.exists():
            return []
        key = (str(path), path.stat().st_mtime_ns)
        schema = self._schemas.get(key, lambda: flow_run.kept_rows(path).schema)
        return [(field.name, field.type) for field in schema]

    def rows_path(self, state: RunState, step: str, *, held: bool = False) -> Path:
        """The file with the rows of a step, or with those that it held back."""
        folder, _ = self.run(state.flow, state.id)
        with names_not_found():
            check_name(step, "a step")
        if held:
            return folder.held(step)
        flow = self.flow_of(state)
        return folder.rows(flow.holder(step) if flow and step in flow.steps else step)


# Rows of flows as the API shows them: windows of Arrow tables in the same shape as every other grid.


def arrow_grid(
    rows: "pa.Table",
    offset: int,
    total: int,
    filled: Mapping[str, int],
    places: "Mapping[str, Sequence[CellPlace | None]]",
) -> dict[str, Any]:
    """A window of rows; cells that were seen on a page name it. Of the columns that only flows have, few are told."""
    nothing = [None] * rows.num_rows
    columns = []
    for field in rows.schema:
        if field.name.startswith("_") and field.name not in TOLD_COLUMNS:
            continue
        texts = [plain_text(value) for value in rows.column(field.name).to_pylist()]
        seen = places.get(field.name, nothing)
        columns.append(
            {
                "name": field.name,
                "type": arrow_type(field.type),
                "filled": filled.get(field.name, total),
                "misfits": [],
                "ambiguous": None,
                "texts": texts,
                "values": texts,
                "boxes": [box_shape(place.box) if place else None for place in seen],
                "nodes": [list(place.nodes) if place else None for place in seen],
                "pages": [place.page if place else None for place in seen],
            }
        )
    return {"offset": offset, "total": total, "columns": columns, "row_boxes": nothing}


def arrow_type(kind: "pa.DataType") -> dict[str, str]:
    """The type of a column, in one word and in words.

    >>> import pyarrow as pa
    >>> arrow_type(pa.decimal128(12, 2))
    {'kind': 'number', 'words': 'number with 2 decimals'}
    """
    import pyarrow as pa

    if pa.types.is_decimal(kind):
        return {"kind": "number", "words": f"number with {kind.scale} decimals" if kind.scale else "whole number"}
    if pa.types.is_integer(kind):
        return {"kind": "number", "words": "whole number"}
    if pa.types.is_floating(kind):
        return {"kind": "number", "words": "number"}
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return {"kind": "date", "words": "date" if pa.types.is_date(kind) else "date and time"}
    if pa.types.is_boolean(kind):
        return {"kind": "boolean", "words": "yes or no"}
    if pa.types.is_nested(kind):
        return {"kind": "list", "words": "list" if pa.types.is_list(kind) else "record"}
    return {"kind": "text", "words": "text"}


def plain_text(value: Any) -> str | None:
    """A value as people read it: plain numbers and ISO dates; lists as JSON."""
    match value:
        case None:
            return None
        case str():
            return encodable(value)
        case bool():
            return "yes" if value else "no"
        case datetime() | date() | time():
            return value.isoformat()
        case Decimal():
            return f"{value:f}"
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case list() | dict():
            return orjson.dumps(value, default=str).decode()
        case bytes():
            return value.hex()
    return str(value)


def plain_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, str | None]]:
    """Rows with texts for their values."""
    return [{name: plain_text(value) for name, value in row.items()} for row in rows]


router = APIRouter(tags=["flow runs"], dependencies=[NeedsFlows])

MOST_RUNS = 1_000
MOST_RELEASED = 10_000  # rows that are named one by one
MOST_REASONS = 3  # of a run in the list; the run itself has all
MOST_WINDOW = 5_000

Limit = Annotated[int, Query(ge=0, le=MOST_RUNS)]


class FlowRunInfoResponse(TypedDict):
    """A run of a flow in the list of runs; `due` is the time that it is for, which somebody gave if it is `dated`.

    `abandoned` says why it was closed before its end, and `notices` what to know beside its steps.
    """

    id: str
    began: str
    ended: str
    due: str
    dated: bool
    abandoned: str
    notices: list[str]
    verdict: Verdict | None
    running: bool
    seconds: float
    rows: int
    held: int
    reasons: list[str]


class StepColumnResponse(TypedDict):
    """A column of a step's rows."""

    name: str
    type: TypeResponse


class RunAlertResponse(TypedDict):
    """What a step told, and where it arrived."""

    step: str
    said: list[str]
    to: list[str]
    when: str
    sent: bool
    failed: list[str]


class RunStepResponse(TypedDict):
    """What became of a step; `key` are the columns that tell its rows apart, if the flow says so.

    `at` is when its rows were read or made. If they `stands_in`, these are the last good rows of a source that could
    not be read; if they are `missing`, the run went on without them. `optional` and `keeps_last` are what the flow says
    of such a source.
    """

    name: str
    word: str
    what: str
    inputs: list[str]
    state: Literal["done", "held", "failed", "skipped", "waiting"]
    rows: int
    held: int
    seconds: float
    verdict: Verdict
    reasons: list[str]
    notes: list[str]
    counts: dict[str, int]
    key: list[str]
    columns: list[StepColumnResponse]
    source: bool
    at: str
    stands_in: bool
    missing: bool
    optional: bool
    keeps_last: str


class FlowRunResponse(FlowRunInfoResponse):
    """A run of a flow with its steps, in their order."""

    flow: str
    variables: dict[str, str]
    text: str
    steps: list[RunStepResponse]
    alerts: list[RunAlertResponse]


# ---------------------------------------------------------------------- runs


@router.get("/flows/{name}/runs", response_model=list[FlowRunInfoResponse])
def list_flow_runs(name: str, studio: StudioDep, limit: Limit = 200) -> Response:
    """The runs of a flow, the newest first."""
    history = studio.part(FlowRuns)
    store = history.store(name)
    is_locked = store.is_locked
    return JsonResponse(
        [
            run_info(state, history.flow_of(state), is_running=is_locked and at == 0 and not state.ended)
            for at, state in enumerate(history.states(name, limit))
        ]
    )


@router.get("/flows/{name}/runs/{run_id}", response_model=FlowRunResponse)
def show_flow_run(name: str, run_id: str, studio: StudioDep) -> Response:
    """A run: what became of each step, why, and whom it told."""
    history = studio.part(FlowRuns)
    folder, state = history.run(name, run_id)
    flow = history.flow_of(state)
    is_running = not state.ended and history.store(name).is_locked
    names = list(flow.order) if flow else list(state.steps)
    return JsonResponse(
        run_info(state, flow, is_running=is_running)
        | {
            "flow": name,
            "reasons": list(state.reasons),
            "variables": dict(state.variables),
            "text": state.text,
            "steps": [_step(one, state, flow, history, is_running=is_running) for one in names],
            "alerts": alerts_of(folder, state),
        }
    )


def run_info(state: RunState, flow: Flow | None, *, is_running: bool) -> dict[str, Any]:
    """A run in one line."""
    return {
        "id": state.id,
        "began": state.began,
        "ended": state.ended,
        "due": state.due or state.began,
        "dated": state.dated,
        "abandoned": state.abandoned,
        "notices": list(state.notices),
        "verdict": state.verdict,
        "running": is_running,
        "seconds": round(sum(step.seconds for step in state.steps.values()), 3),
        "rows": delivered_rows(state, flow),
        "held": sum(step.held for step in state.steps.values()),
        "reasons": list(state.reasons[:MOST_REASONS]),
    }


def delivered_rows(state: RunState, flow: Flow | None) -> int:
    """The rows that a run brought to their destinations; those of the last steps if it has none."""
    if flow is None:
        return max((step.rows for step in state.steps.values()), default=0)
    return sum(state.steps[name].rows for name in ends_of(flow) if name in state.steps)


def ends_of(flow: Flow) -> list[str]:
    """The steps that deliver; without any, those whose rows no other step takes."""
    delivering = [name for name in flow.steps if flow.steps[name].word == "deliver"]
    return delivering or [
        name
        for name, step in flow.steps.items()
        if step.word != "notify" and all(flow.steps[one].word == "notify" for one in flow.readers(name))
    ]


def _step(name: str, state: RunState, flow: Flow | None, history: FlowRuns, *, is_running: bool) -> dict[str, Any]:
    step = flow.steps[name] if flow else None
    own = state.steps.get(name) or StepState("waiting" if is_running else "skipped")
    columns = history.columns(history.rows_path(state, name))
    return {
        "name": name,
        "word": step.word if step else "",
        "what": str(step) if step else "",
        "inputs": list(step.inputs) if step else [],
        "state": own.state,
        "rows": own.rows,
        "held": own.held,
        "seconds": round(own.seconds, 3),
        "verdict": own.verdict,
        "reasons": list(own.reasons),
        "notes": list(own.notes),
        "counts": dict(own.counts),
        "key": list(flow.key_of(name, [column for column, _ in columns])) if flow else [],
        "columns": [
            {"name": column, "type": arrow_type(kind)} for column, kind in columns if not column.startswith("_")
        ],
        **step_age(own),
        **_if_unreadable(step),
    }


def step_age(state: StepState) -> dict[str, Any]:
    """When the rows of a step were read, and whether others stand in for them or they are missing."""
    is_missing = state.stands_in and not state.rows
    return {"at": state.at, "stands_in": state.stands_in and not is_missing, "missing": is_missing}


def _if_unreadable(step: FlowStep | None) -> dict[str, Any]:
    """What a flow says of a source that can't be read."""
    said = write_flow_step(step) if isinstance(step, SourceStep) else {}
    return {
        "source": step is not None and step.is_source,
        "optional": said.get("optional", False),
        "keeps_last": said.get("keep_last", ""),
    }


def alerts_of(folder: RunFolder, state: RunState) -> list[dict[str, Any]]:
    """Whom a run told what."""
    found = []
    for name in state.steps:
        message = folder.message(name)
        if message is None:
            continue
        found.append(
            {
                "step": name,
                "said": list(message.lines),
                "to": list(message.to),
                "when": message.at,
                "sent": len(message.failed) < len(message.to),
                "failed": list(message.failed),
            }
        )
    return found


# ---------------------------------------------------------------------- rows


@router.get("/flows/{name}/runs/{run_id}/steps/{step}/rows", response_model=GridResponse)
def show_step_rows(
    name: str, run_id: str, step: str, studio: StudioDep, window: WindowDep, *, held: bool = False
) -> Response:
    """A window of the rows of a step, or of those that it held back; each cell that was seen on a page names it."""
    history = studio.part(FlowRuns)
    folder, state = history.run(name, run_id)
    windows = history.windows(history.rows_path(state, step, held=held))
    rows = windows.window(window.offset, min(window.limit, MOST_WINDOW))
    flow = history.flow_of(state)
    places = flow_run.cell_places(flow, folder, step, rows) if flow and step in flow.steps else {}
    filled = {} if held or step not in state.steps else state.steps[holder_of(flow, step)].filled
    return JsonResponse(arrow_grid(rows, min(window.offset, windows.total), windows.total, filled, places))


class HistogramResponse(TypedDict):
    """How numbers are spread."""

    edges: list[float]
    counts: list[int]


class ColumnProfileResponse(TypedDict):
    """What a column holds."""

    name: str
    type: str
    filled: int
    distinct: int | None
    histogram: HistogramResponse | None
    commonest: list[tuple[str, int]]


class ProfileResponse(TypedDict):
    """What the columns of a step hold."""

    rows: int
    columns: list[ColumnProfileResponse]


@router.get("/flows/{name}/runs/{run_id}/steps/{step}/profile", response_model=ProfileResponse)
def show_step_profile(name: str, run_id: str, step: str, studio: StudioDep, *, held: bool = False) -> Response:
    """What the columns of a step hold: how full they are, how their values are spread, and which come often."""
    history = studio.part(FlowRuns)
    folder, state = history.run(name, run_id)
    path = history.rows_path(state, step, held=held)
    return JsonResponse(
        {"rows": history.windows(path).total, "columns": list(flow_run.kept_profiles(path, folder.path))}
    )


def holder_of(flow: Flow | None, step: str) -> str:
    """The step that holds the rows which a step hands on."""
    return flow.holder(step) if flow and step in flow.steps else step


# ---------------------------------------------------------------------- quarantine


class ReleaseRequest(BaseModel):
    """Rows in quarantine, by their numbers from 0 on, or all of them."""

    rows: list[Annotated[int, Field(ge=0)]] = Field(default_factory=list, max_length=MOST_RELEASED)
    all: bool = False


class ReleasedResponse(TypedDict):
    """How many rows were released, and in words what comes of it."""

    released: int
    before: int
    words: str


@router.post("/flows/{name}/runs/{run_id}/steps/{step}/release", response_model=ReleasedResponse)
def release(name: str, run_id: str, step: str, wanted: ReleaseRequest, studio: StudioDep) -> Response:
    """Release rows that a check held back: from the next run on they are let through, until their values change."""
    history = studio.part(FlowRuns)
    folder, _ = history.run(name, run_id)
    with names_not_found():
        check_name(step, "a step")
    if not wanted.rows and not wanted.all:
        raise UsageError("Name the rows to release, or say `all`.")
    found = flow_run.release_rows(history.store(name), folder, step, None if wanted.all else wanted.rows)
    words = _release_words(found.rows, found.before)
    return JsonResponse({"released": found.rows, "before": found.before, "words": words})


def _release_words(rows: int, before: int) -> str:
    """What comes of a release.

    >>> _release_words(2, 0)
    '2 rows are released; run the flow again from this run to deliver them.'
    """
    again = f", {before} of them already before" if before else ""
    subject = "1 row is" if rows == 1 else f"{rows} rows are"
    return f"{subject} released{again}; run the flow again from this run to deliver them."


# ---------------------------------------------------------------------- over several runs
