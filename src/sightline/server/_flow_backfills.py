"""Backfills: a flow that is run for many due dates, one after the other; and which dates a span of days has."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.data import Verdict
from sightline.flow.run import due_dates, missing_dates, nothing_due, read_day, run_dates
from sightline.flow.spec import Flow
from sightline.server._flow_jobs import (
    LONGEST_DATE,
    FlowRunResult,
    flow_to_run,
    run_listener,
    run_result,
    run_surroundings,
    without_file,
)
from sightline.server._flow_runs import NeedsFlows
from sightline.server._flows import StudioFlows
from sightline.server._job_registry import JobHandle
from sightline.server._jobs import accepted
from sightline.server._problems import problem
from sightline.server._shapes import JobResponse, JsonResponse
from sightline.server._studio import Studio, StudioDep

if TYPE_CHECKING:
    from sightline.flow.run import DueRun, FlowRun

router = APIRouter(tags=["flows"], dependencies=[NeedsFlows])

Day = Annotated[str, Query(max_length=LONGEST_DATE)]


class BackfillRequest(BaseModel):
    """From which day to which a flow is run; without `to`, to today. `missing` leaves out dates with a complete run."""

    first: str = Field(alias="from", max_length=LONGEST_DATE)
    last: str = Field(default="", alias="to", max_length=LONGEST_DATE)
    missing: bool = False
    variables: dict[str, str] = Field(default_factory=dict)


class BackfillDayResponse(TypedDict):
    """A due date of a backfill: underway, or its run with what became of it, or why it was refused."""

    kind: Literal["day"]
    due: str
    state: Literal["running", "done", "refused"]
    run: str | None
    verdict: Verdict | None
    reasons: list[str]
    problem: str | None


class BackfillResult(TypedDict):
    """What became of every due date; `nothing` says why there was none."""

    days: list[BackfillDayResponse]
    nothing: str


class DueDatesResponse(TypedDict):
    """The due dates of a span of days: how many, how many have no complete run yet, the first and the last."""

    total: int
    left: int
    first: str | None
    last: str | None


@router.get("/flows/{name}/due-dates", response_model=DueDatesResponse)
def show_due_dates(
    name: str, studio: StudioDep, first: Annotated[str, Query(alias="from", max_length=LONGEST_DATE)], to: Day = ""
) -> Response:
    """The due dates from one day to another that have come; without `to`, to today."""
    flows = studio.part(StudioFlows)
    flow, store = flow_to_run(flows, name), flows.store(name)
    every = due_dates(flow, store, *_span(first, to), now=datetime.now(UTC))
    left = missing_dates(store, every)
    ends = (every[0].isoformat(), every[-1].isoformat()) if every else (None, None)
    return JsonResponse({"total": len(every), "left": len(left), "first": ends[0], "last": ends[1]})


@router.post(
    "/flows/{name}/backfills",
    status_code=202,
    response_model=JobResponse[BackfillResult],
    responses={200: {"model": BackfillDayResponse, "description": "What a `found` event of the job tells of a date."}},
)
def backfill(name: str, wanted: BackfillRequest, studio: StudioDep) -> Response:
    """Run a flow for each due date of a span of days; one that fails or is refused does not stop the others.

    Between the events of its dates, the job tells those of the steps of each run.
    """
    flows = studio.part(StudioFlows)
    flow = flow_to_run(flows, name).with_variables(wanted.variables)
    first, last = _span(wanted.first, wanted.last)
    dues = due_dates(flow, flows.store(name), first, last, now=datetime.now(UTC), missing=wanted.missing)
    nothing = nothing_due(flow, dues, first, last)
    return accepted(flows.start(name, _work(studio, flow, dues, nothing), "backfill"))


def _span(first: str, last: str) -> tuple[date, date | None]:
    return read_day(first.strip()), read_day(last.strip()) if last.strip() else None


def _work(studio: Studio, flow: Flow, dues: Sequence[datetime], nothing: str) -> Callable[[JobHandle], BackfillResult]:
    def work(job: JobHandle) -> BackfillResult:
        from sightline.flow.run import run_flow  # with DuckDB and Arrow, which the server starts without

        days: list[BackfillDayResponse] = []

        def run(due: datetime) -> "FlowRun":
            def tell(step: str = "") -> None:
                job.progress(len(days), len(dues), f"{due:%Y-%m-%d}{step and f', {step}'}")

            tell()
            job.found(_day(due, "running"))
            listener = run_listener(job, flow, progress=tell)
            return run_flow(flow, due=due, **run_surroundings(studio, job, listener))

        for done in run_dates(dues, run):
            days.append(_ended(done, flow))
            job.found(days[-1])
        job.progress(len(days), len(dues))
        return {"days": days, "nothing": f"Nothing to do: {nothing}." if nothing else ""}

    return work


def _day(
    due: datetime,
    state: Literal["running", "done", "refused"],
    result: FlowRunResult | None = None,
    problem: str | None = None,
) -> BackfillDayResponse:
    return {
        "kind": "day",
        "due": due.isoformat(),
        "state": state,
        "run": result["run"] if result else None,
        "verdict": result["verdict"] if result else None,
        "reasons": result["reasons"] if result else [],
        "problem": problem,
    }


def _ended(done: "DueRun", flow: Flow) -> BackfillDayResponse:
    if done.run is not None:
        return _day(done.due, "done", run_result(done.run, flow))
    assert done.problem is not None
    said = problem("usage", without_file(done.problem.message, flow))["detail"]
    return _day(done.due, "refused", problem=said)
