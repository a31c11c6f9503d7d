"""The runs of a project's flows: what became of them, and their rows, window by window."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from fastapi import Depends

from sightline.errors import MissingExtra, SightlineError, UsageError
from sightline.extras import is_installed
from sightline.flow import run as flow_run  # its names are imported when used: Arrow and DuckDB take long
from sightline.flow.run import FlowStore, RunFolder, RunState
from sightline.flow.spec import DeduplicateStep, DeliverStep, Flow, NotifyStep
from sightline.server._caches import Cache
from sightline.server._problems import ProblemError, names_not_found
from sightline.server._shapes import box_shape, encodable
from sightline.server._studio import Studio
from sightline.store import Documents, check_name

if TYPE_CHECKING:
    import pyarrow as pa

    from sightline.flow.run import CellPlace

__all__ = ["FlowRunDesk", "NeedsFlows", "arrow_grid", "arrow_type", "has_flows", "key_of", "plain_rows", "plain_text"]

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


class FlowRunDesk:
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


def key_of(flow: Flow | None, step: str, columns: Iterable[str]) -> list[str]:
    """The columns that tell the rows of a step apart, as the flow uses them further on, if the step has them."""
    found = _key_further_on(flow, step) if flow is not None and step in flow.steps else []
    return found if set(found) <= set(columns) else []


def _key_further_on(flow: Flow, step: str) -> list[str]:
    for name in flow.order:
        one = flow.steps[name]
        if not isinstance(one, DeliverStep | NotifyStep | DeduplicateStep) or step not in flow.upstream(name):
            continue
        if isinstance(one, DeduplicateStep):
            return list(one.by)
        if one.key_columns:
            named = one.columns if isinstance(one, DeliverStep) and one.columns else {}
            return [named.get(name, name) for name in one.key_columns]
    return []


# Rows of flows as the API shows them: windows of Arrow tables in the same shape as every other grid.


def arrow_grid(
    rows: "pa.Table",
    offset: int,
    total: int,
    filled: Mapping[str, int],
    places: "Mapping[str, Sequence[CellPlace | None]]",
) -> dict[str, Any]:
    """A window of rows; columns that only flows know are left out, and cells that were seen on a page name it."""
    nothing = [None] * rows.num_rows
    columns = []
    for field in rows.schema:
        if field.name.startswith("_") and field.name != "_held_because":
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
