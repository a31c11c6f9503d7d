"""Runs of flows: their history with verdicts, the rows of each step, how values went, and what two runs differ in."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.data import Verdict
from sightline.errors import UsageError
from sightline.flow import run as flow_run  # its names are imported when used: Arrow and DuckDB take long
from sightline.flow.run import RunFolder, RunState, StepState
from sightline.flow.spec import DeliverStep, Flow
from sightline.server._flow_run_desk import (
    FlowRunDesk,
    NeedsFlows,
    arrow_grid,
    arrow_type,
    key_of,
    plain_rows,
    plain_text,
)
from sightline.server._problems import ProblemError, names_not_found
from sightline.server._shapes import GridResponse, JsonResponse, TypeResponse
from sightline.server._studio import StudioDep, WindowDep
from sightline.store import check_name

__all__ = ["alerts_of", "delivered_rows", "router", "run_info"]

router = APIRouter(tags=["flow runs"], dependencies=[NeedsFlows])

MOST_RUNS = 1_000
MOST_IN_SERIES = 60  # runs of a chart; a daily flow shows two months
MOST_LINES = 200
MOST_RELEASED = 10_000  # rows that are named one by one
MOST_REASONS = 3  # of a run in the list; the run itself has all
MOST_WINDOW = 5_000
LONGEST_NAME = 1_000

Limit = Annotated[int, Query(ge=0, le=MOST_RUNS)]
Text = Annotated[str, Query(max_length=LONGEST_NAME)]


class FlowRunInfoResponse(TypedDict):
    """A run of a flow in the list of runs."""

    id: str
    began: str
    ended: str
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
    """What became of a step; `key` are the columns that tell its rows apart, if the flow says so."""

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


class FlowRunResponse(FlowRunInfoResponse):
    """A run of a flow with its steps, in their order."""

    flow: str
    variables: dict[str, str]
    text: str
    steps: list[RunStepResponse]
    alerts: list[RunAlertResponse]


class ChangedRowResponse(TypedDict):
    """A row whose values are others: before and after, by column."""

    key: list[str | None]
    values: dict[str, tuple[str | None, str | None]]


class RowChangesResponse(TypedDict):
    """What differs between the rows of a step in two runs; the lists are cut at a thousand, the counts are of all."""

    step: str
    key: list[str]
    new: int
    gone: int
    changed: int
    same: int
    unkeyed: int
    new_rows: list[dict[str, str | None]]
    gone_rows: list[dict[str, str | None]]
    changed_rows: list[ChangedRowResponse]


# ---------------------------------------------------------------------- runs


@router.get("/flows/{name}/runs", response_model=list[FlowRunInfoResponse])
def list_flow_runs(name: str, studio: StudioDep, limit: Limit = 200) -> Response:
    """The runs of a flow, the newest first."""
    desk = studio.part(FlowRunDesk)
    store = desk.store(name)
    is_locked = store.is_locked
    return JsonResponse(
        [
            run_info(state, desk.flow_of(state), is_running=is_locked and at == 0 and not state.ended)
            for at, state in enumerate(desk.states(name, limit))
        ]
    )


@router.get("/flows/{name}/runs/{run_id}", response_model=FlowRunResponse)
def show_flow_run(name: str, run_id: str, studio: StudioDep) -> Response:
    """A run: what became of each step, why, and whom it told."""
    desk = studio.part(FlowRunDesk)
    folder, state = desk.run(name, run_id)
    flow = desk.flow_of(state)
    is_running = not state.ended and desk.store(name).is_locked
    names = list(flow.order) if flow else list(state.steps)
    return JsonResponse(
        run_info(state, flow, is_running=is_running)
        | {
            "flow": name,
            "reasons": list(state.reasons),
            "variables": dict(state.variables),
            "text": state.text,
            "steps": [_step(one, state, flow, desk, is_running=is_running) for one in names],
            "alerts": alerts_of(folder, state),
        }
    )


def run_info(state: RunState, flow: Flow | None, *, is_running: bool) -> dict[str, Any]:
    """A run in one line."""
    return {
        "id": state.id,
        "began": state.began,
        "ended": state.ended,
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
    ends = [name for name in flow.steps if flow.steps[name].word == "deliver"]
    ends = ends or [name for name in flow.steps if not flow.readers(name)]
    return sum(state.steps[name].rows for name in ends if name in state.steps)


def _step(name: str, state: RunState, flow: Flow | None, desk: FlowRunDesk, *, is_running: bool) -> dict[str, Any]:
    step = flow.steps[name] if flow else None
    own = state.steps.get(name) or StepState("waiting" if is_running else "skipped")
    columns = desk.columns(desk.rows_path(state, name))
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
        "key": key_of(flow, name, [column for column, _ in columns]),
        "columns": [
            {"name": column, "type": arrow_type(kind)} for column, kind in columns if not column.startswith("_")
        ],
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
    desk = studio.part(FlowRunDesk)
    folder, state = desk.run(name, run_id)
    windows = desk.windows(desk.rows_path(state, step, held=held))
    rows = windows.window(window.offset, min(window.limit, MOST_WINDOW))
    flow = desk.flow_of(state)
    places = flow_run.cell_places(flow, folder, step, rows) if flow and step in flow.steps else {}
    filled = {} if held or step not in state.steps else state.steps[_holder(flow, step)].filled
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
    desk = studio.part(FlowRunDesk)
    folder, state = desk.run(name, run_id)
    path = desk.rows_path(state, step, held=held)
    return JsonResponse({"rows": desk.windows(path).total, "columns": list(flow_run.kept_profiles(path, folder.path))})


def _holder(flow: Flow | None, step: str) -> str:
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
    desk = studio.part(FlowRunDesk)
    folder, state = desk.run(name, run_id)
    with names_not_found():
        check_name(step, "a step")
    if not wanted.rows and not wanted.all:
        raise UsageError("Name the rows to release, or say `all`.")
    found = flow_run.release_rows(desk.store(name), folder, step, None if wanted.all else wanted.rows)
    flow = desk.flow_of(state)
    words = _release_words(found.rows, found.before, _repeated(flow, step) if flow else [])
    return JsonResponse({"released": found.rows, "before": found.before, "words": words})


def _repeated(flow: Flow, step: str) -> list[str]:
    """The deliveries behind a check that add rows, and so cannot be repeated by a run that goes on from this one."""
    behind = [one for one in flow.steps.values() if isinstance(one, DeliverStep) and step in flow.upstream(one.name)]
    return [one.name for one in behind if one.mode == "append" or not (one.mode or one.key_columns)]


def _release_words(rows: int, before: int, adding: list[str]) -> str:
    """What comes of a release.

    >>> _release_words(2, 0, [])
    '2 rows are released; run the flow again from this run to deliver them.'
    """
    again = f", {before} of them already before" if before else ""
    subject = "1 row is" if rows == 1 else f"{rows} rows are"
    if not adding:
        return f"{subject} released{again}; run the flow again from this run to deliver them."
    named = " and ".join(f"`{name}`" for name in adding)
    verb = "adds" if len(adding) == 1 else "add"
    return (
        f"{subject} released{again}, and let through from the next whole run on; {named} {verb} rows to what is there, "
        "so that a run that goes on from this one would deliver the others twice."
    )


# ---------------------------------------------------------------------- over several runs


class SeriesRunResponse(TypedDict):
    """A run in a chart."""

    id: str
    began: str
    verdict: Verdict | None


class StepSeriesResponse(TypedDict):
    """The figures of a step, run by run."""

    word: str
    key: list[str]
    rows: list[int | None]
    held: list[int | None]
    seconds: list[float | None]
    fill: dict[str, list[float | None]]


class SeriesResponse(TypedDict):
    """The figures of all steps over the last runs."""

    runs: list[SeriesRunResponse]
    steps: dict[str, StepSeriesResponse]


class ValueLineResponse(TypedDict):
    """What a column was for one key, run by run."""

    key: list[str | None]
    values: list[float | None]


class ValueSeriesResponse(TypedDict):
    """What a column was in the last runs."""

    runs: list[SeriesRunResponse]
    key: list[str]
    lines: list[ValueLineResponse]


@router.get("/flows/{name}/series", response_model=SeriesResponse)
def show_series(name: str, studio: StudioDep, limit: Annotated[int, Query(ge=1, le=MOST_RUNS)] = 30) -> Response:
    """Rows, rows held back and fill rates of each step over the last runs, the oldest first."""
    desk = studio.part(FlowRunDesk)
    states = desk.states(name, limit)[::-1]
    flow = desk.flow_of(states[-1]) if states else None
    names = list(flow.order) if flow else []
    return JsonResponse(
        {
            "runs": [{"id": one.id, "began": one.began, "verdict": one.verdict} for one in states],
            "steps": {step: _line(step, states, flow) for step in names},
        }
    )


def _line(step: str, states: list[RunState], flow: Flow | None) -> dict[str, Any]:
    known = [state.steps.get(step) for state in states]
    # What only hands rows on has no counts of its own.
    held = [state.steps.get(_holder(flow, step)) for state in states]
    columns = dict.fromkeys(column for one in held if one for column in one.filled if not column.startswith("_"))
    return {
        "word": flow.steps[step].word if flow else "",
        "rows": [one.rows if one else None for one in known],
        "held": [one.held if one else None for one in known],
        "seconds": [round(one.seconds, 3) if one else None for one in known],
        "fill": {column: [_share(one, column) for one in held] for column in columns},
        "key": key_of(flow, step, columns),
    }


def _share(step: StepState | None, column: str) -> float | None:
    if step is None or not step.rows or column not in step.filled:
        return None
    return round(step.filled[column] / step.rows, 4)


@router.get("/flows/{name}/series/values", response_model=ValueSeriesResponse)
def show_values(  # noqa: PLR0913 - which values
    name: str,
    studio: StudioDep,
    step: Text,
    column: Text,
    key: Text = "",
    limit: Annotated[int, Query(ge=1, le=MOST_LINES)] = 20,
    search: Text = "",
    runs: Annotated[int, Query(ge=1, le=MOST_IN_SERIES)] = 30,
) -> Response:
    """What a column was in the last runs, a line for each key; those that changed most come first."""
    desk = studio.part(FlowRunDesk)
    states = desk.states(name, runs)[::-1]
    shown = [{"id": one.id, "began": one.began, "verdict": one.verdict} for one in states]
    if not states:
        return JsonResponse({"runs": [], "key": [], "lines": []})
    flow = desk.flow_of(states[-1])
    files = [path if (path := desk.rows_path(state, step)).exists() else None for state in states]
    last = next((path for path in reversed(files) if path), None)
    keys = _keys(key) or key_of(flow, step, desk.windows(last).schema.names if last else ())
    spill = desk.store(name).run(states[-1].id).path
    lines = flow_run.value_lines(files, keys, column, spill, limit=limit, search=search)
    return JsonResponse(
        {
            "runs": shown,
            "key": keys,
            "lines": [{"key": list(line.key), "values": list(line.values)} for line in lines],
        }
    )


@router.get("/flows/{name}/runs/{run_id}/diff/{other_id}", response_model=RowChangesResponse)
def compare_flow_runs(
    name: str, run_id: str, other_id: str, studio: StudioDep, step: Text = "", key: Text = ""
) -> Response:
    """What differs in the rows of a step from another run to this one."""
    desk = studio.part(FlowRunDesk)
    folder, state = desk.run(name, run_id)
    _, other = desk.run(name, other_id)
    flow = desk.flow_of(state)
    wanted = step or _compared_step(flow, state)
    new, old = desk.rows_path(state, wanted), desk.rows_path(other, wanted)
    for path, which in ((new, "this run"), (old, "the other run")):
        if not path.exists():
            raise ProblemError("not-found", f"The step {wanted} has no rows in {which}; choose another step.")
    keys = _keys(key) or key_of(flow, wanted, desk.windows(new).schema.names)
    found = flow_run.row_changes(old, new, keys, folder.path)
    return JsonResponse(
        {
            "step": wanted,
            "key": list(found.key),
            "new": found.new,
            "gone": found.gone,
            "changed": found.changed,
            "same": found.same,
            "unkeyed": found.unkeyed,
            "new_rows": plain_rows(found.new_rows),
            "gone_rows": plain_rows(found.gone_rows),
            "changed_rows": [
                {
                    "key": [plain_text(part) for part in row.key],
                    "values": {column: [plain_text(one), plain_text(two)] for column, (one, two) in row.values.items()},
                }
                for row in found.changed_rows
            ],
        }
    )


def _compared_step(flow: Flow | None, state: RunState) -> str:
    """The step whose rows are compared if none is named: the first that delivers, or else the last."""
    delivering = [name for name in state.steps if flow and name in flow.steps and flow.steps[name].word == "deliver"]
    found = delivering[0] if delivering else next(reversed(list(state.steps)), "")
    if not found:
        raise ProblemError("usage", "The run has no steps that could be compared; choose another run.")
    return found


def _keys(text: str) -> list[str]:
    """Names of columns with commas between them."""
    return [name.strip() for name in text.split(",") if name.strip()]
