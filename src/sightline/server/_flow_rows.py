"""The rows of a step of a run: windows of them, what its columns hold, and what a check held back."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.errors import UsageError
from sightline.flow import run as flow_run  # its names are imported when used: Arrow and DuckDB take long
from sightline.project import check_name
from sightline.server._flow_grids import arrow_grid
from sightline.server._flow_runs import FlowRuns, NeedsFlows, holder_of
from sightline.server._problems import names_not_found
from sightline.server._shapes import GridResponse, JsonResponse
from sightline.server._studio import StudioDep, WindowDep

router = APIRouter(tags=["flow runs"], dependencies=[NeedsFlows])

MOST_WINDOW = 5_000
MOST_RELEASED = 10_000  # rows that are named one by one


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
