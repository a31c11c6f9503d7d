"""The runs of a project's flows: what became of them, and their rows, window by window."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import Depends

from sightline.errors import MissingExtra, SightlineError, UsageError
from sightline.extras import is_installed
from sightline.flow import run as flow_run  # its names are imported when used: Arrow and DuckDB take long
from sightline.flow.run import FlowStore, RunFolder, RunState
from sightline.flow.spec import DeduplicateStep, DeliverStep, Flow, NotifyStep
from sightline.server._caches import Cache
from sightline.server._found import names_not_found
from sightline.server._problems import ProblemError
from sightline.server._studio import Studio
from sightline.store import Documents, check_name

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["FlowRunDesk", "NeedsFlows", "has_flows", "key_of"]

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
