"""Where the delivered columns of a run come from: the columns of its sources, and where these were seen."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from fastapi import APIRouter, Response
from typing_extensions import TypedDict

from sightline.data import Verdict
from sightline.flow import run as flow_run  # its names are imported when used: Arrow and DuckDB take long
from sightline.flow.run import RunFolder, RunState, StepState
from sightline.flow.spec import Flow, FlowStep
from sightline.server._flow_grids import arrow_type
from sightline.server._flow_runs import FlowRuns, NeedsFlows, ends_of, step_age
from sightline.server._problems import ProblemError
from sightline.server._shapes import JsonResponse, TypeResponse
from sightline.server._studio import StudioDep

if TYPE_CHECKING:
    from sightline.flow.run import ColumnOrigins

router = APIRouter(tags=["flow runs"], dependencies=[NeedsFlows])

LOOKED_AT = 200  # first rows of a source in which a value is looked for that was seen on a page


class SeenPlaceResponse(TypedDict):
    """The first value of a column that was seen on a page: its row, and the page."""

    row: int
    page: str


class SourceColumnResponse(TypedDict):
    """A column of a source; `seen` if its values were seen on pages."""

    name: str
    type: TypeResponse
    seen: SeenPlaceResponse | None


class LineageSourceResponse(TypedDict):
    """A source: when it was read, from how many pages, and its columns."""

    name: str
    word: str
    what: str
    verdict: Verdict
    rows: int
    pages: int
    at: str
    stands_in: bool
    missing: bool
    columns: list[SourceColumnResponse]


class UsedColumnResponse(TypedDict):
    """A column of a source that another column comes from, and what became of its values."""

    source: str
    column: str
    kind: Literal["identity", "transformation", "aggregation"]


class DeliveredColumnResponse(TypedDict):
    """A delivered column: what it comes from, and why that can't be told, or not wholly."""

    name: str
    type: TypeResponse
    uses: list[UsedColumnResponse]
    unknown: str


class DecidingColumnResponse(TypedDict):
    """A column of a source that decides which rows are delivered, and how, as far as that is known."""

    source: str
    column: str
    how: Literal["join", "filter", "group_by", ""]


class DeliveryLineageResponse(TypedDict):
    """What a step delivers: its columns, and those that decide about its rows."""

    name: str
    word: str
    what: str
    verdict: Verdict
    rows: int
    columns: list[DeliveredColumnResponse]
    deciding: list[DecidingColumnResponse]


class LineageResponse(TypedDict):
    """Of each delivered column the columns of the sources that it depends on."""

    sources: list[LineageSourceResponse]
    deliveries: list[DeliveryLineageResponse]


@router.get("/flows/{name}/runs/{run_id}/lineage", response_model=LineageResponse)
def show_lineage(name: str, run_id: str, studio: StudioDep) -> Response:
    """Which columns of its sources each delivered column of a run depends on; without a delivery, those of its ends."""
    history = studio.part(FlowRuns)
    folder, state = history.run(name, run_id)
    flow = history.flow_of(state)
    if flow is None:
        raise ProblemError("usage", "The flow of this run cannot be read by this version of Sightline.")
    look = _Look(history, flow, folder, state)
    return JsonResponse({"sources": list(look.sources()), "deliveries": list(look.deliveries())})


class _Look:
    """One look at a run."""

    def __init__(self, history: FlowRuns, flow: Flow, folder: RunFolder, state: RunState) -> None:
        self._history, self._flow, self._folder, self._state = history, flow, folder, state
        self._origins: ColumnOrigins = flow_run.ColumnOrigins(flow, flow_run.columns_of_run(flow, folder))

    def _known(self, name: str) -> StepState:
        return self._state.steps.get(name) or StepState("skipped")

    def _types(self, name: str) -> Mapping[str, dict[str, str]]:
        """The columns of a step with their types, those of flows alone, too; none if it has no rows."""
        path = self._history.rows_path(self._state, name)
        return {column: arrow_type(kind) for column, kind in self._history.columns(path)}

    def sources(self) -> Iterator[dict[str, Any]]:
        """The sources with their columns."""
        for step in self._flow.steps.values():
            if not step.is_source:
                continue
            seen, types = self._seen(step.name), self._types(step.name)
            yield self._step(step) | {
                "pages": len(flow_run.pages_read(self._folder, step.name)),
                **step_age(self._known(step.name)),
                "columns": [
                    {"name": name, "type": kind, "seen": seen.get(name)}
                    for name, kind in types.items()
                    if not name.startswith("_")
                ],
            }

    def _step(self, step: FlowStep) -> dict[str, Any]:
        own = self._known(step.name)
        return {"name": step.name, "word": step.word, "what": str(step), "verdict": own.verdict, "rows": own.rows}

    def _seen(self, name: str) -> dict[str, dict[str, Any]]:
        """Where the first value of each column was seen."""
        path = self._history.rows_path(self._state, name)
        if not path.exists():
            return {}
        rows = self._history.windows(path).window(0, LOOKED_AT)
        places = flow_run.cell_places(self._flow, self._folder, name, rows)
        return {
            column: {"row": row, "page": place.page}
            for column, cells in places.items()
            if (first := next(((row, cell) for row, cell in enumerate(cells) if cell), None))
            for row, place in (first,)
        }

    def deliveries(self) -> Iterator[dict[str, Any]]:
        """What is delivered, with what each column comes from."""
        for name in ends_of(self._flow):
            step = self._flow.steps[name]
            giver = step.inputs[0] if step.word == "deliver" else name
            types = self._types(giver)
            named = flow_run.columns_to_deliver(step, types)
            yield self._step(step) | {
                "columns": [
                    {"name": new, "type": types[old], **self._made(giver, old)}
                    for new, old in named.items()
                    if old in types
                ],
                "deciding": [
                    {"source": one.step, "column": one.column, "how": one.how.lower()}
                    for one in sorted(self._origins.deciding(giver))
                    if types and not one.column.startswith("_")
                ],
            }

    def _made(self, step: str, column: str) -> dict[str, Any]:
        made = self._origins.of(step, column)
        return {
            "uses": [
                {"source": one.table, "column": one.column, "kind": flow_run.LINEAGE_KINDS[one.way].lower()}
                for one in sorted(made.used)
            ],
            "unknown": made.doubt,
        }
