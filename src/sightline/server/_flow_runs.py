"""Runs of flows: their history with verdicts, what became of each step, when its rows were read, and whom it told."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Response
from typing_extensions import TypedDict

from sightline.data import Verdict
from sightline.errors import MissingExtra, SightlineError, UsageError
from sightline.extras import is_installed
from sightline.flow import run as flow_run  # its names are imported when used: Arrow and DuckDB take long
from sightline.flow.run import FlowStore, RunFolder, RunState, StepState
from sightline.flow.spec import Flow, FlowStep, SourceStep, write_flow_step
from sightline.project import Documents, check_name
from sightline.server._caches import Cache
from sightline.server._flow_grids import arrow_type
from sightline.server._problems import ProblemError, names_not_found, without_folders
from sightline.server._shapes import JsonResponse, TypeResponse
from sightline.server._studio import Studio, StudioDep

if TYPE_CHECKING:
    import pyarrow as pa


# The runs of a project's flows: what became of them, and their rows, window by window.

SUFFIX = ".flow.yaml"
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


router = APIRouter(tags=["flow runs"], dependencies=[NeedsFlows])

MOST_RUNS = 1_000
MOST_REASONS = 3  # of a run in the list; the run itself has all

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
            "reasons": _told(state.reasons),
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
        "notices": _told(state.notices),
        "verdict": state.verdict,
        "running": is_running,
        "seconds": round(sum(step.seconds for step in state.steps.values()), 3),
        "rows": delivered_rows(state, flow),
        "held": sum(step.held for step in state.steps.values()),
        "reasons": _told(state.reasons[:MOST_REASONS]),
    }


def _told(sentences: Iterable[str]) -> list[str]:
    """Sentences about a run, without the folders of this machine."""
    return list(map(without_folders, sentences))


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
        "reasons": _told(own.reasons),
        "notes": _told(own.notes),
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


def holder_of(flow: Flow | None, step: str) -> str:
    """The step that holds the rows which a step hands on."""
    return flow.holder(step) if flow and step in flow.steps else step
