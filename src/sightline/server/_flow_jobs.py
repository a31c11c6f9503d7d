"""Plans and runs of flows: long work whose events are the moments of each step."""

from collections.abc import Callable, Mapping
from datetime import datetime
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.data import Verdict
from sightline.errors import UsageError
from sightline.flow.run import due_meant
from sightline.flow.spec import Flow, FlowDraft
from sightline.server._flow_runs import step_age
from sightline.server._flows import StudioFlows
from sightline.server._job_registry import JobHandle
from sightline.server._jobs import accepted
from sightline.server._problems import without_folders
from sightline.server._shapes import JobResponse, Json, encodable
from sightline.server._studio import Studio, StudioDep

if TYPE_CHECKING:
    from sightline.flow.run import FlowEvent, FlowRun

router = APIRouter(tags=["flows"])

SHOWN_ROWS = 20  # of each step in a plan; what fits beside the picture
LONGEST_DATE = 100  # characters of what may be a date
LONGEST_CELL = 500  # characters of a value in a plan; a page of text tells no more than its beginning
MOST_VALUES = 50  # of a list in a cell
LARGEST_INT = 2**53  # what a number in JavaScript can hold
TOLD_SECONDS = 0.1  # how often a step tells how many rows it has; more often nobody can read it


class FlowRunRequest(BaseModel):
    """How to run a flow: anew even if the last run was interrupted, with other values of variables, or from a run.

    A run `from` an earlier one takes over what that did in the same way. `date` is the day or the time that the run is
    for; now, if it is not said.
    """

    fresh: bool = False
    date: str = Field(default="", max_length=LONGEST_DATE)
    variables: dict[str, str] = Field(default_factory=dict)
    from_run: str = Field(default="", alias="from", max_length=200)


class PlannedStepResponse(TypedDict):
    """What a step would do."""

    columns: dict[str, str]
    rows: list[dict[str, Json]]
    rows_known: int | None
    notes: list[str]
    problem: str | None


class PlanResponse(TypedDict):
    """What a run would do; `mappings` are names of columns, by the steps that find them."""

    steps: dict[str, PlannedStepResponse]
    mappings: dict[str, dict[str, dict[str, str]]]


class StepStateResponse(TypedDict):
    """What became of a step."""

    state: Literal["done", "held", "failed"]
    rows: int
    held: int
    seconds: float
    verdict: Verdict
    reasons: list[str]
    notes: list[str]
    counts: dict[str, int]
    at: str
    stands_in: bool
    missing: bool


class StepProgressResponse(TypedDict):
    """How far a step is."""

    done: int
    total: int | None


class FlowEventResponse(TypedDict):
    """A moment of a run."""

    kind: Literal["begun", "progress", "done", "reused", "failed", "skipped"]
    step: str
    rows: int
    seconds: float
    detail: str
    pace: float | None
    progress: StepProgressResponse | None
    state: StepStateResponse | None


class FlowRunResult(TypedDict):
    """What became of a run."""

    run: str
    verdict: Verdict
    reasons: list[str]


@router.post("/flows/{name}/plan", status_code=202, response_model=JobResponse[PlanResponse])
def plan(name: str, studio: StudioDep) -> Response:
    """What a run would do, step by step, with no side effects; steps with problems do not stop the others."""
    flows = studio.part(StudioFlows)
    draft = flows.draft(flows.load(name))
    if not draft.readable:
        raise UsageError("The text of the flow cannot be read; fix it first.")

    def work(job: JobHandle) -> dict[str, Any]:
        from sightline.flow.run import plan_flow  # with DuckDB and Arrow, which the server starts without

        flow = draft.sound_part()
        listen = run_listener(job, flow, tell_all=False)
        found = plan_flow(flow, store=flows.folder, shown=SHOWN_ROWS, on_event=listen, cancel=job.cancel)
        planned = {step.name: step for step in found.steps}
        steps = {}
        for step in draft.steps.values():
            known = planned.get(step.name)
            steps[step.name] = {
                "columns": dict(known.columns) if known else {},
                "rows": [plain_row(row) for row in known.rows] if known else [],
                "rows_known": known.count if known else None,
                "notes": list(known.notes) if known else [],
                "problem": (without_file(known.problem, flow) or None) if known else _why_not(draft, step.name),
            }
        mappings = {
            step: {column: dict(one) for column, one in columns.items()} for step, columns in found.mappings.items()
        }
        return {"steps": steps, "mappings": mappings}

    return accepted(studio.board.start("plan", name, work))


@router.post(
    "/flows/{name}/runs",
    status_code=202,
    response_model=JobResponse[FlowRunResult],
    responses={200: {"model": FlowEventResponse, "description": "What each `found` event of the job tells."}},
)
def run(name: str, wanted: FlowRunRequest, studio: StudioDep) -> Response:
    """Run a flow; it keeps the text that it has now, whatever is edited meanwhile. One run of a flow at a time."""
    flows = studio.part(StudioFlows)
    flow = flow_to_run(flows, name).with_variables(wanted.variables)
    due = due_meant(wanted.date.strip(), flow, flows.store(name)) if wanted.date.strip() else None
    return accepted(flows.start(name, run_work(studio, flow, fresh=wanted.fresh, from_run=wanted.from_run, due=due)))


def flow_to_run(flows: StudioFlows, name: str) -> Flow:
    """The flow of a name; if it cannot run, the first mistake is the problem."""
    draft = flows.draft(flows.load(name))
    try:
        return draft.flow
    except UsageError as problem:
        told = problem.message.removeprefix(f"{draft.file}, ").removeprefix(f"{draft.file} ")
        raise UsageError(f"The flow cannot run yet: {told}") from problem


def run_work(
    studio: Studio,
    flow: Flow,
    *,
    fresh: bool = False,
    from_run: str = "",
    due: datetime | None = None,
    scheduled: datetime | None = None,
) -> Callable[[JobHandle], Any]:
    """What a job does that runs a flow, now, for a date that somebody gave, or because it was due by its schedule."""

    def work(job: JobHandle) -> FlowRunResult:
        from sightline.flow.run import run_due, run_flow

        how = run_surroundings(studio, job, run_listener(job, flow))
        if scheduled is not None:
            return run_result(run_due(flow, scheduled, **how), flow)
        return run_result(run_flow(flow, fresh=fresh, from_run=from_run, due=due, **how), flow)

    return work


def run_surroundings(studio: Studio, job: JobHandle, listener: "Callable[[FlowEvent], None]") -> Any:
    """What every run of a flow gets from the Studio, as keywords."""
    return {"store": studio.folder, "loader": studio.flow_loader, "on_event": listener, "cancel": job.cancel}


def run_result(found: "FlowRun", flow: Flow) -> FlowRunResult:
    """What became of a run."""
    reasons = [without_file(reason, flow) for reason in found.state.reasons]
    return {"run": found.id, "verdict": found.verdict, "reasons": reasons}


def run_listener(
    job: JobHandle, flow: Flow, *, tell_all: bool = True, progress: Callable[[str], None] | None = None
) -> "Callable[[FlowEvent], None]":
    """Tells what happens to a run; how many rows a step has, not more often than people can read.

    `progress` tells how far the job is if it does more than this run; it is given the step.
    """
    total, ended = len(flow.steps), set[str]()
    told: dict[str, float] = {}

    def listen(event: "FlowEvent") -> None:
        if event.kind == "progress":
            if monotonic() - told.get(event.step, 0.0) < TOLD_SECONDS:
                return
            told[event.step] = monotonic()
        elif event.kind != "begun":
            ended.add(event.step)
        if tell_all:
            job.found(event_shape(event, flow))
        if progress is not None:
            progress(event.step)
        else:
            job.progress(len(ended), total, event.step)

    return listen


def event_shape(event: "FlowEvent", flow: Flow) -> dict[str, Any]:
    """A moment of a run as the API tells it."""
    state, progress = event.state, event.progress
    return {
        "kind": event.kind,
        "step": event.step,
        "rows": event.rows,
        "seconds": round(event.seconds, 3),
        "detail": encodable(without_file(event.detail, flow)),
        "pace": event.pace,
        "progress": {"done": progress.done, "total": progress.total} if progress else None,
        "state": {
            "state": state.state,
            "rows": state.rows,
            "held": state.held,
            "seconds": state.seconds,
            "verdict": state.verdict,
            "reasons": [encodable(without_file(reason, flow)) for reason in state.reasons],
            "notes": [encodable(note) for note in state.notes],
            "counts": dict(state.counts),
            **step_age(state),
        }
        if state
        else None,
    }


def without_file(text: str, flow: Flow) -> str:
    """A message without the path of the flow, which everybody who sees it has open, and without other folders."""
    return without_folders(text.replace(f"{flow.file}, line", "line"))


def _why_not(draft: FlowDraft, name: str) -> str:
    """Why a step was not planned: its own problem, or that of a step whose rows it takes."""
    step = draft.steps[name]
    if step.problems:
        return step.problems[0].message
    cause = next((one.step for one in step.inputs if one.step in draft.steps), "")
    return f"it needs `{cause}`, which has a problem."


# ---------------------------------------------------------------------- values


def plain_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as JSON has it, with long values cut."""
    return {encodable(name): _plain(value) for name, value in row.items()}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return value if abs(value) < LARGEST_INT else str(value)
    if isinstance(value, Mapping):
        return {encodable(str(name)): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value[:MOST_VALUES]]
    text = encodable(str(value))
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"
