"""The flows of a project as the Studio uses them: drafts stay in memory, and each flow runs once at a time."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NotRequired

from fastapi import Response
from typing_extensions import TypedDict

from sightline.data import Verdict
from sightline.errors import SightlineError
from sightline.flow.run import FlowStore, RunState
from sightline.flow.spec import (
    STEP_GROUPS,
    DraftProblem,
    DraftStep,
    FlowChange,
    FlowDraft,
    FlowEdit,
    ProjectFlows,
    StoredFlow,
)
from sightline.server._caches import Cache
from sightline.server._job_registry import ENDED, JobHandle, JobWork
from sightline.server._problems import ProblemError, found_document, names_not_found, without_folders
from sightline.server._shapes import HistoryResponse, Json, JsonResponse, encodable, history_shape
from sightline.server._studio import Studio
from sightline.store import Steps, version_of

__all__ = [
    "FlowDesk",
    "FlowInfoResponse",
    "FlowNodeResponse",
    "FlowResponse",
    "ScheduleResponse",
    "flow_answer",
    "flow_info",
    "flow_state",
    "node_shape",
    "schedule_shape",
]

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


# A flow as the API shows it: its text, its steps with what is wrong with each, and when it runs.

SHOWN_TIMES = 3
StepGroup = Literal["source", "combine", "clean", "match", "check", "deliver"]


class FlowProblemResponse(TypedDict):
    """What is wrong with a flow, and where."""

    step: str | None
    key: str | None
    line: int | None
    message: str


class NodeProblemResponse(TypedDict):
    """What is wrong with a step, at one of its keys or as a whole."""

    key: str | None
    line: int | None
    message: str


class FlowInputResponse(TypedDict):
    """A step whose rows are taken, by the key that names it."""

    port: str
    step: str


class FlowNodeResponse(TypedDict):
    """A step: its keys as the file has them, and what is wrong with it."""

    name: str
    word: str
    group: StepGroup
    line: int
    what: str
    values: dict[str, Json]
    inputs: list[FlowInputResponse]
    problems: list[NodeProblemResponse]


class ScheduleResponse(TypedDict):
    """When a flow runs: as it is written, and the next times, or why it is not understood."""

    text: str
    next: list[str]
    problem: str | None


class FlowResponse(TypedDict):
    """The state of a flow; `readable` is false if its text is no YAML, and the steps are then those it had before."""

    name: str
    version: str
    text: str
    about: str
    variables: dict[str, str]
    secrets: dict[str, dict[str, str]]
    schedule: ScheduleResponse
    steps: list[FlowNodeResponse]
    problems: list[FlowProblemResponse]
    readable: bool
    history: HistoryResponse
    running: str | None
    added: NotRequired[str | None]
    notes: NotRequired[list[str]]


class LastRunResponse(TypedDict):
    """The last run of a flow in a list."""

    run: str
    began: str
    verdict: Verdict | None
    rows: int
    held: int


class FlowInfoResponse(TypedDict):
    """A flow in the list of flows."""

    name: str
    about: str
    version: str
    steps: int
    problems: int
    schedule: str
    due: str | None
    changed: str
    last: LastRunResponse | None
    running: str | None
    problem: str | None


def flow_answer(
    desk: FlowDesk, name: str, *, status: int = 200, added: str | None = None, notes: Sequence[str] = ()
) -> Response:
    """The state of a flow, as an answer; `notes` are what an edit left to do."""
    stored = desk.load(name)
    document = flow_state(desk.draft(stored), desk.drawn(stored), stored.history.steps, running=_running(desk, name))
    document |= {"name": name, "version": stored.version, "added": added, "notes": list(notes)}
    return JsonResponse(document, status, headers={"ETag": f'"{stored.version}"'})


def flow_state(draft: FlowDraft, drawn: FlowDraft, steps: Steps, *, running: str | None = None) -> dict[str, Any]:
    """A draft as the API shows it; `drawn` is the one whose steps are shown."""
    return {
        "text": encodable(draft.text),
        "about": drawn.about,
        "variables": dict(drawn.variables),
        "secrets": {name: _place(asdict(place)) for name, place in drawn.secrets.items()},
        "schedule": schedule_shape(drawn.schedule),
        "steps": [node_shape(step) for step in drawn.steps.values()],
        "problems": [_problem(problem) for problem in draft.problems],
        "readable": draft.readable,
        "history": history_shape(steps),
        "running": running,
    }


def _place(place: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in place.items() if value}


def node_shape(step: DraftStep) -> dict[str, Any]:
    """A step as the API shows it."""
    return {
        "name": step.name,
        "word": step.word,
        "group": STEP_GROUPS.get(step.word, "source"),
        "line": step.line,
        "what": step.what,
        "values": dict(step.values),
        "inputs": [{"port": one.port, "step": one.step} for one in step.inputs],
        "problems": [{"key": one.key, "line": one.line, "message": one.message} for one in step.problems],
    }


def _problem(problem: DraftProblem) -> dict[str, Any]:
    return {"step": problem.step, "key": problem.key, "line": problem.line, "message": problem.message}


def schedule_shape(text: str) -> dict[str, Any]:
    """When a schedule is due next."""
    if not text:
        return {"text": "", "next": [], "problem": None}
    try:
        from sightline.flow.schedule import Timetable

        timetable = Timetable.read(text)
        times = [due.isoformat() for due in islice(timetable.times(datetime.now(UTC)), SHOWN_TIMES)]
    except SightlineError as problem:
        return {"text": text, "next": [], "problem": problem.message}
    return {"text": text, "next": times, "problem": None}


def flow_info(desk: FlowDesk, name: str) -> dict[str, Any]:
    """A flow as it is listed; one that cannot be read at all says why, and does not keep the others from the list."""
    changed = datetime.fromtimestamp(desk.flows.documents.changed(name), UTC).isoformat(timespec="milliseconds")
    try:
        return _info(desk, name) | {"changed": changed, "problem": None}
    except SightlineError as problem:
        nothing = {"about": "", "version": "", "steps": 0, "problems": 1, "schedule": "", "due": None}
        nothing |= {"last": None, "running": None}
        return {"name": name, **nothing, "changed": changed, "problem": without_folders(problem.message)}


def _info(desk: FlowDesk, name: str) -> dict[str, Any]:
    stored = desk.load(name)
    draft, drawn = desk.draft(stored), desk.drawn(stored)
    schedule = schedule_shape(drawn.schedule)
    return {
        "name": name,
        "about": drawn.about,
        "version": stored.version,
        "steps": len(drawn.steps),
        "problems": len(draft.problems) + bool(schedule["problem"]),
        "schedule": drawn.schedule,
        "due": next(iter(schedule["next"]), None),
        "last": _last(desk, stored),
        "running": _running(desk, name),
    }


def _last(desk: FlowDesk, stored: StoredFlow) -> dict[str, Any] | None:
    try:
        state = desk.last_run(stored.name)
    except SightlineError:  # a run that cannot be read is told of where runs are listed
        return None
    return None if state is None else _last_run(desk, state)


def _last_run(desk: FlowDesk, state: RunState) -> dict[str, Any]:
    words = {step.name: step.word for step in desk.draft_of(state.flow, state.text).steps.values()}
    delivered = [step.rows for name, step in state.steps.items() if words.get(name) == "deliver"]
    return {
        "run": state.id,
        "began": state.began,
        "verdict": state.verdict,
        "rows": sum(delivered),
        "held": sum(step.held for step in state.steps.values()),
    }


def _running(desk: FlowDesk, name: str) -> str | None:
    job = desk.running(name)
    return job.id if job else None
