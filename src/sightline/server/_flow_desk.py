"""The flows of a project as the Studio uses them: drafts stay in memory, and each flow runs once at a time."""

import threading
from collections.abc import Callable
from pathlib import Path

from sightline.flow.run import FlowStore, RunState
from sightline.flow.spec import FlowChange, FlowDraft, FlowEdit, ProjectFlows, StoredFlow
from sightline.server._board import ENDED, JobHandle, JobWork
from sightline.server._caches import Cache
from sightline.server._found import found_document, names_not_found
from sightline.server._problems import ProblemError
from sightline.server._studio import Studio
from sightline.store import version_of

__all__ = ["FlowDesk"]

DRAFTS = 64  # in memory; that of a flow with 60 steps takes 2 MB
LOOKED_BACK = 50  # versions before one that is no YAML, to find steps to draw


class FlowDesk:
    """Flows by name. Asking for one that is not there is a problem with the code `not-found`."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self.flows = ProjectFlows(studio.store, self.draft)
        self._drafts: Cache[tuple[str, str], FlowDraft] = Cache(DRAFTS)
        self._readable: dict[str, tuple[str, str]] = {}  # of each flow, the last version that was YAML, with its text
        self._running: dict[str, JobHandle] = {}
        self.on_change: Callable[[], None] = lambda: None
        """Called after a flow was made, changed or deleted."""
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """The names of all flows, the last changed first."""
        return sorted(self.flows.names(), key=self.flows.documents.changed, reverse=True)

    def load(self, name: str) -> StoredFlow:
        """A flow with its history."""
        found_document(self.flows.documents, name)
        return self.flows.load(name)

    def draft(self, stored: StoredFlow) -> FlowDraft:
        """A flow as it is, with everything that is wrong with it."""
        draft = self._read(stored.name, stored.version, stored.text)
        if draft.readable:
            self._readable[stored.name] = stored.version, stored.text
        return draft

    def version(self, name: str, version: str) -> FlowDraft:
        """An earlier version of a flow."""
        found_document(self.flows.documents, name)
        with names_not_found():
            text = self.flows.text_of(name, version)
        return self._read(name, version, text)

    def draft_of(self, name: str, text: str) -> FlowDraft:
        """The draft of a text that a flow had, such as that of a run."""
        return self._read(name, version_of(text.encode()), text)

    def drawn(self, stored: StoredFlow) -> FlowDraft:
        """The draft whose steps can be drawn: that of the last version that is YAML.

        The last that was seen here comes first: one that another editor wrote is in no history before it is changed.
        """
        draft = self.draft(stored)
        if draft.readable:
            return draft
        if (seen := self._readable.get(stored.name)) is not None:
            return self._read(stored.name, *seen)
        for version in stored.history.latest[:LOOKED_BACK]:
            try:
                earlier = self.version(stored.name, version)
            except ProblemError:  # no longer kept
                continue
            if earlier.readable:
                return earlier
        return draft

    def _read(self, name: str, version: str, text: str) -> FlowDraft:
        file = str(self.flows.path(name))
        return self._drafts.get((name, version), lambda: FlowDraft.loads(text, file))

    def edit(self, name: str, expected: str, change: FlowChange) -> FlowEdit:
        """Change a flow; refused if it has another version than expected."""
        found_document(self.flows.documents, name)
        made = self.flows.edit(name, expected, change)
        # The new text was read already, to check the edit; reading it takes longer than everything else.
        version = version_of(made.yaml.text.encode())
        self._drafts.get((name, version), lambda: FlowDraft(made.yaml))
        self.on_change()
        return made

    def create(self, name: str, text: str) -> None:
        """A new flow."""
        self.flows.create(name, text)
        self.on_change()

    def move(self, name: str, expected: str, action: str) -> None:
        """Undo or redo an edit."""
        found_document(self.flows.documents, name)
        self.flows.move(name, expected, action)
        self.on_change()

    def delete(self, name: str, expected: str) -> None:
        """Delete a flow; not while it runs."""
        found_document(self.flows.documents, name)
        if self.running(name):
            raise ProblemError("busy", f"The flow {name} is running; stop it first.")
        self.flows.delete(name, expected)
        self._readable.pop(name, None)
        self.on_change()

    # ------------------------------------------------------------------ runs

    def store(self, name: str) -> FlowStore:
        """Where the runs of a flow are kept."""
        return FlowStore(self._studio.folder, name)

    @property
    def folder(self) -> Path:
        """The project folder, which is the store of its flows."""
        return self._studio.folder

    def last_run(self, name: str) -> RunState | None:
        """What became of the last run."""
        store = self.store(name)
        ids = store.run_ids()
        return store.run(ids[-1]).state if ids else None

    def running(self, name: str) -> JobHandle | None:
        """The job that runs a flow now."""
        with self._lock:
            job = self._running.get(name)
            return job if job is not None and job.state not in ENDED else None

    def start(self, name: str, work: JobWork) -> JobHandle:
        """Start a run; refused while another one of the same flow goes on."""
        with self._lock:
            job = self._running.get(name)
            if job is not None and job.state not in ENDED:
                told = f"The flow {name} is running already; wait until it ends, or stop it."
                raise ProblemError("busy", told, job=job.id)
            started = self._studio.board.start("flow", name, work)
            self._running[name] = started
            return started
