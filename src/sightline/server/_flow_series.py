"""Several runs of a flow: how figures and values went from run to run, and what differs between two of them."""

from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from typing_extensions import TypedDict

from sightline.data import Verdict
from sightline.flow import run as flow_run  # its names are imported when used: Arrow and DuckDB take long
from sightline.flow.run import RunState, StepState
from sightline.flow.spec import Flow
from sightline.server._flow_grids import plain_rows, plain_text
from sightline.server._flow_runs import (
    MOST_RUNS,
    FlowRuns,
    NeedsFlows,
    holder_of,
)
from sightline.server._problems import ProblemError
from sightline.server._shapes import JsonResponse
from sightline.server._studio import StudioDep

router = APIRouter(tags=["flow runs"], dependencies=[NeedsFlows])

MOST_IN_SERIES = 60  # runs of a chart; a daily flow shows two months


MOST_LINES = 200


LONGEST_NAME = 1_000


Text = Annotated[str, Query(max_length=LONGEST_NAME)]


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


class SeriesRunResponse(TypedDict):
    """A run in a chart, at the time that it is for."""

    id: str
    began: str
    due: str
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
    history = studio.part(FlowRuns)
    states = _by_due_date(history.states(name, limit))
    flow = history.flow_of(states[-1]) if states else None
    names = list(flow.order) if flow else []
    return JsonResponse(
        {
            "runs": [_in_chart(one) for one in states],
            "steps": {step: _line(step, states, flow) for step in names},
        }
    )


def _by_due_date(states: Iterable[RunState]) -> list[RunState]:
    """Runs in the order of the times that they are for; of those of the same time, the last one tells what it was."""
    last = {state.due_at: state for state in sorted(states, key=lambda state: state.id)}
    return [last[due] for due in sorted(last)]


def _in_chart(state: RunState) -> dict[str, Any]:
    return {"id": state.id, "began": state.began, "due": state.due or state.began, "verdict": state.verdict}


def _line(step: str, states: list[RunState], flow: Flow | None) -> dict[str, Any]:
    known = [state.steps.get(step) for state in states]
    # What only hands rows on has no counts of its own.
    held = [state.steps.get(holder_of(flow, step)) for state in states]
    columns = dict.fromkeys(column for one in held if one for column in one.filled if not column.startswith("_"))
    return {
        "word": flow.steps[step].word if flow else "",
        "rows": [one.rows if one else None for one in known],
        "held": [one.held if one else None for one in known],
        "seconds": [round(one.seconds, 3) if one else None for one in known],
        "fill": {column: [_share(one, column) for one in held] for column in columns},
        "key": list(flow.key_of(step, columns)) if flow else [],
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
    history = studio.part(FlowRuns)
    states = _by_due_date(history.states(name, runs))
    shown = [_in_chart(one) for one in states]
    if not states:
        return JsonResponse({"runs": [], "key": [], "lines": []})
    flow = history.flow_of(states[-1])
    files = [path if (path := history.rows_path(state, step)).exists() else None for state in states]
    last = next((path for path in reversed(files) if path), None)
    keys = _keys(key) or _own_key(flow, step, history.windows(last).schema.names if last else ())
    spill = history.store(name).run(states[-1].id).path
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
    history = studio.part(FlowRuns)
    folder, state = history.run(name, run_id)
    _, other = history.run(name, other_id)
    flow = history.flow_of(state)
    wanted = step or _compared_step(flow, state)
    new, old = history.rows_path(state, wanted), history.rows_path(other, wanted)
    for path, which in ((new, "this run"), (old, "the other run")):
        if not path.exists():
            raise ProblemError("not-found", f"The step {wanted} has no rows in {which}; choose another step.")
    keys = _keys(key) or _own_key(flow, wanted, history.windows(new).schema.names)
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


def _own_key(flow: Flow | None, step: str, columns: Iterable[str]) -> list[str]:
    """The columns that tell rows apart, as far as the flow says so."""
    return list(flow.key_of(step, columns)) if flow else []


def _keys(text: str) -> list[str]:
    """Names of columns with commas between them."""
    return [name.strip() for name in text.split(",") if name.strip()]
