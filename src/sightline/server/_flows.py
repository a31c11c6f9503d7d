"""Flows: what is read, integrated, normalised, matched, checked and delivered, edited as a picture or as text."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from sightline.data import Verdict
from sightline.errors import SightlineError, UsageError
from sightline.flow.run import FlowStore, RunState
from sightline.flow.spec import (
    HEAD_SETTINGS,
    STEP_GROUPS,
    DraftProblem,
    DraftStep,
    FlowChange,
    FlowDraft,
    FlowEdit,
    ProjectFlows,
    StoredFlow,
    add_step,
    connect_steps,
    disconnect_steps,
    remove_steps,
    rename_step,
    set_head,
    set_key,
)
from sightline.project import Steps, version_of
from sightline.server._caches import Cache
from sightline.server._job_registry import ENDED, JobHandle, JobWork
from sightline.server._pages import attachment, file_name
from sightline.server._problems import ProblemError, found_document, names_not_found, without_folders
from sightline.server._shapes import HistoryResponse, Json, JsonResponse, encodable, history_shape
from sightline.server._studio import IfMatch, MaybeMatch, Studio, StudioDep

# The flows of a project as the Studio uses them: drafts stay in memory, and each flow runs once at a time.

DRAFTS = 64  # in memory; that of a flow with 60 steps takes 2 MB
LOOKED_BACK = 50  # versions before one that is no YAML, to find steps to draw


class StudioFlows:
    """Flows by name. Asking for one that is not there is a problem with the code `not-found`."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self.kept = ProjectFlows(studio.store, self.draft)
        self._drafts: Cache[tuple[str, str], FlowDraft] = Cache(DRAFTS)
        self._readable: dict[str, tuple[str, str]] = {}  # of each flow, the last version that was YAML, with its text
        self._running: dict[str, JobHandle] = {}
        self.on_change: Callable[[], None] = lambda: None
        """Called after a flow was made, changed or deleted."""
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """The names of all flows, the last changed first."""
        return sorted(self.kept.names(), key=self.kept.documents.changed, reverse=True)

    def load(self, name: str) -> StoredFlow:
        """A flow with its history."""
        found_document(self.kept.documents, name)
        return self.kept.load(name)

    def draft(self, stored: StoredFlow) -> FlowDraft:
        """A flow as it is, with everything that is wrong with it."""
        draft = self._read(stored.name, stored.version, stored.text)
        if draft.readable:
            self._readable[stored.name] = stored.version, stored.text
        return draft

    def version(self, name: str, version: str) -> FlowDraft:
        """An earlier version of a flow."""
        found_document(self.kept.documents, name)
        with names_not_found():
            text = self.kept.text_of(name, version)
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
        file = str(self.kept.path(name))
        return self._drafts.get((name, version), lambda: FlowDraft.loads(text, file))

    def edit(self, name: str, expected: str, change: FlowChange) -> FlowEdit:
        """Change a flow; refused if it has another version than expected."""
        found_document(self.kept.documents, name)
        made = self.kept.edit(name, expected, change)
        # The new text was read already, to check the edit; reading it takes longer than everything else.
        version = version_of(made.yaml.text.encode())
        self._drafts.get((name, version), lambda: FlowDraft(made.yaml))
        self.on_change()
        return made

    def create(self, name: str, text: str) -> None:
        """A new flow."""
        self.kept.create(name, text)
        self.on_change()

    def move(self, name: str, expected: str, action: str) -> None:
        """Undo or redo an edit."""
        found_document(self.kept.documents, name)
        self.kept.move(name, expected, action)
        self.on_change()

    def delete(self, name: str, expected: str) -> None:
        """Delete a flow; not while it runs."""
        found_document(self.kept.documents, name)
        if self.running(name):
            raise ProblemError("busy", f"The flow {name} is running; stop it first.")
        self.kept.delete(name, expected)
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

    def start(self, name: str, work: JobWork, kind: str = "flow") -> JobHandle:
        """Start a run, or several; refused while another one of the same flow goes on."""
        with self._lock:
            job = self._running.get(name)
            if job is not None and job.state not in ENDED:
                told = f"The flow {name} is running already; wait until it ends, or stop it."
                raise ProblemError("busy", told, job=job.id)
            started = self._studio.board.start(kind, name, work)
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


class FlowSettingsResponse(TypedDict):
    """How a flow runs and whom it tells, as its file says it; null is what it does not say."""

    resume_within: Json
    on_failure: Json
    on_suspicious: Json
    on_success: Json


class FlowResponse(TypedDict):
    """The state of a flow; `readable` is false if its text is no YAML, and the steps are then those it had before."""

    name: str
    version: str
    text: str
    about: str
    variables: dict[str, str]
    secrets: dict[str, dict[str, str]]
    schedule: ScheduleResponse
    settings: FlowSettingsResponse
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
    flows: StudioFlows, name: str, *, status: int = 200, added: str | None = None, notes: Sequence[str] = ()
) -> Response:
    """The state of a flow, as an answer; `notes` are what an edit left to do."""
    stored = flows.load(name)
    document = flow_state(flows.draft(stored), flows.drawn(stored), stored.history.steps, running=_running(flows, name))
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
        "settings": {key: drawn.head.get(key) for key in HEAD_SETTINGS},
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


def flow_info(flows: StudioFlows, name: str) -> dict[str, Any]:
    """A flow as it is listed; one that cannot be read at all says why, and does not keep the others from the list."""
    changed = datetime.fromtimestamp(flows.kept.documents.changed(name), UTC).isoformat(timespec="milliseconds")
    try:
        return _flow_info(flows, name) | {"changed": changed, "problem": None}
    except SightlineError as problem:
        nothing = {"about": "", "version": "", "steps": 0, "problems": 1, "schedule": "", "due": None}
        nothing |= {"last": None, "running": None}
        return {"name": name, **nothing, "changed": changed, "problem": without_folders(problem.message)}


def _flow_info(flows: StudioFlows, name: str) -> dict[str, Any]:
    stored = flows.load(name)
    draft, drawn = flows.draft(stored), flows.drawn(stored)
    schedule = schedule_shape(drawn.schedule)
    return {
        "name": name,
        "about": drawn.about,
        "version": stored.version,
        "steps": len(drawn.steps),
        "problems": len(draft.problems) + bool(schedule["problem"]),
        "schedule": drawn.schedule,
        "due": next(iter(schedule["next"]), None),
        "last": _last(flows, stored),
        "running": _running(flows, name),
    }


def _last(flows: StudioFlows, stored: StoredFlow) -> dict[str, Any] | None:
    try:
        state = flows.last_run(stored.name)
    except SightlineError:  # a run that cannot be read is told of where runs are listed
        return None
    return None if state is None else _last_run(flows, state)


def _last_run(flows: StudioFlows, state: RunState) -> dict[str, Any]:
    words = {step.name: step.word for step in flows.draft_of(state.flow, state.text).steps.values()}
    delivered = [step.rows for name, step in state.steps.items() if words.get(name) == "deliver"]
    return {
        "run": state.id,
        "began": state.began,
        "verdict": state.verdict,
        "rows": sum(delivered),
        "held": sum(step.held for step in state.steps.values()),
    }


def _running(flows: StudioFlows, name: str) -> str | None:
    job = flows.running(name)
    return job.id if job else None


router = APIRouter(tags=["flows"])

LONGEST = 1_000  # characters of a name
LONGEST_TEXT = 1_000_000  # characters of a flow that are looked at, to say how many there may be
MOST_STEPS = 500  # in one edit
EMPTY = "flow: 1\nsteps:\n"

FlowAction: TypeAlias = Literal[
    "set",
    "add",
    "remove",
    "rename",
    "connect",
    "disconnect",
    "about",
    "schedule",
    "variables",
    "secrets",
    "setting",
    "text",
    "restore",
    "undo",
    "redo",
]
Name = Annotated[str, Field(max_length=LONGEST)]


class NewFlow(BaseModel):
    """A new flow: its name, or one that is free; and its text, if there is one already."""

    name: Name | None = None
    text: str | None = Field(default=None, max_length=LONGEST_TEXT)


class FlowChangeRequest(BaseModel):
    """One edit; which members it has depends on the action."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    action: FlowAction
    step: Name | None = None
    key: Name | None = None
    value: Any = None
    name: Name | None = None
    word: Name | None = None
    values: dict[str, Any] | None = None
    after: Name | None = None
    steps: list[Name] | None = Field(default=None, max_length=MOST_STEPS)
    giver: Name | None = Field(default=None, alias="from")
    taker: Name | None = Field(default=None, alias="to")
    port: Name | None = None
    text: str | None = Field(default=None, max_length=LONGEST_TEXT)
    version: Name | None = None


class SchedulePreview(BaseModel):
    """When a flow should run, in words or as cron."""

    text: str = Field(max_length=LONGEST)


_NEEDED = {
    "set": ("step", "key"),
    "add": ("word",),
    "remove": ("steps",),
    "rename": ("step", "name"),
    "connect": ("giver", "taker"),
    "disconnect": ("giver", "taker"),
    "about": ("text",),
    "schedule": ("text",),
    "variables": ("values",),
    "secrets": ("values",),
    "setting": ("key",),
    "text": ("text",),
    "restore": ("version",),
}
_SHOWN_AS = {"giver": "from", "taker": "to"}


@router.get("/flows", response_model=list[FlowInfoResponse])
def list_flows(studio: StudioDep) -> Response:
    """All flows, the last changed first."""
    flows = studio.part(StudioFlows)
    found = []
    for name in flows.names():
        with suppress(ProblemError):  # deleted while the others were read
            found.append(flow_info(flows, name))
    return JsonResponse(found)


@router.post("/flows", status_code=201, response_model=FlowResponse)
def create_flow(wanted: NewFlow, studio: StudioDep) -> Response:
    """Add a flow to the project, empty or with a text."""
    flows = studio.part(StudioFlows)
    name = wanted.name or flows.kept.documents.free_name("flow")
    text = wanted.text if wanted.text is not None else EMPTY
    FlowDraft.loads(text)
    flows.create(name, text)
    return flow_answer(flows, name, status=201)


@router.get("/flows/{name}", response_model=FlowResponse)
def show_flow(name: str, studio: StudioDep) -> Response:
    """A flow with its text, its steps, and everything that is wrong with it."""
    return flow_answer(studio.part(StudioFlows), name)


@router.delete("/flows/{name}", status_code=204)
def delete_flow(name: str, expected: MaybeMatch, studio: StudioDep) -> Response:
    """Delete a flow; its versions and runs stay in the project folder."""
    studio.part(StudioFlows).delete(name, expected)
    return Response(status_code=204)


@router.get("/flows/{name}/download", response_class=Response)
def download_flow(name: str, studio: StudioDep) -> Response:
    """The flow as a file, byte for byte as it is in the project folder."""
    stored = studio.part(StudioFlows).load(name)
    headers = attachment(f"{file_name(name)}.flow.yaml")
    return Response(stored.text.encode(), media_type="application/yaml; charset=utf-8", headers=headers)


@router.post("/flows/{name}/edits", response_model=FlowResponse)
def edit_flow(name: str, wanted: FlowChangeRequest, expected: IfMatch, studio: StudioDep) -> Response:
    """Edit a flow, or undo or redo an edit; `If-Match` names the version that was edited."""
    lacking = next((key for key in _NEEDED.get(wanted.action, ()) if getattr(wanted, key) is None), None)
    if lacking:
        raise UsageError(f"The edit {wanted.action!r} needs {_SHOWN_AS.get(lacking, lacking)!r}.")
    flows = studio.part(StudioFlows)
    if wanted.action in ("undo", "redo"):
        flows.move(name, expected, wanted.action)
        return flow_answer(flows, name)
    made = flows.edit(name, expected, lambda draft: _made(flows, name, draft, wanted))
    return flow_answer(flows, name, added=made.added, notes=made.notes)


@router.post("/schedule/preview", response_model=ScheduleResponse)
def preview_schedule(wanted: SchedulePreview) -> Response:
    """The next times of a schedule, or why it is not understood."""
    return JsonResponse(schedule_shape(" ".join(wanted.text.split())))


def _made(flows: StudioFlows, name: str, draft: FlowDraft, wanted: FlowChangeRequest) -> FlowEdit:
    """What an edit makes of a flow; all members that it needs are there."""
    match wanted.action:
        case "set":
            return set_key(draft, wanted.step or "", wanted.key or "", wanted.value)
        case "add":
            return add_step(draft, wanted.word or "", wanted.values or {}, name=wanted.name, after=wanted.after)
        case "remove":
            return remove_steps(draft, wanted.steps or ())
        case "rename":
            return rename_step(draft, wanted.step or "", wanted.name or "")
        case "connect":
            return connect_steps(draft, wanted.giver or "", wanted.taker or "", wanted.port)
        case "disconnect":
            return disconnect_steps(draft, wanted.giver or "", wanted.taker or "", wanted.port)
        case "setting":
            return _with_setting(draft, wanted.key or "", wanted.value)
        case "restore":
            return _written(flows.version(name, wanted.version or "").text, draft, "went back to an earlier version")
        case "text":
            return _written(wanted.text or "", draft, "edited the text")
    value = wanted.values if wanted.action in ("variables", "secrets") else (wanted.text or "").strip()
    return set_head(draft, wanted.action, value)


def _with_setting(draft: FlowDraft, key: str, value: Any) -> FlowEdit:
    """How a flow runs and whom it tells; the other keys above the steps have actions of their own."""
    if key not in HEAD_SETTINGS:
        raise UsageError(f"A flow has no setting {key!r:.60}; choose one of {', '.join(HEAD_SETTINGS)}.")
    return set_head(draft, key, value)


def _written(text: str, draft: FlowDraft, words: str) -> FlowEdit:
    """The whole text anew; it may be anything that is not far too long."""
    return FlowEdit(FlowDraft.loads(text, draft.file).yaml, words)
