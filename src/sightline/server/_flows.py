"""Flows: what is read, integrated, normalised, matched, checked and delivered, edited as a picture or as text."""

from contextlib import suppress
from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from sightline.errors import UsageError
from sightline.flow.spec import (
    FlowDraft,
    FlowEdit,
    add_step,
    connect_steps,
    disconnect_steps,
    flow_kinds,
    remove_steps,
    rename_step,
    set_head,
    set_key,
)
from sightline.server._flow_desk import (
    FlowDesk,
    FlowInfoResponse,
    FlowResponse,
    ScheduleResponse,
    StepGroup,
    flow_answer,
    flow_info,
    schedule_shape,
)
from sightline.server._pages import attachment, file_name
from sightline.server._problems import ProblemError
from sightline.server._shapes import Json, JsonResponse
from sightline.server._studio import IfMatch, MaybeMatch, StudioDep

__all__ = ["router"]

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
    "text": ("text",),
    "restore": ("version",),
}
_SHOWN_AS = {"giver": "from", "taker": "to"}


class EditorResponse(TypedDict):
    """How a key is edited; `many` values have commas between them, and `columns` are names of columns."""

    kind: str
    options: NotRequired[list[str]]
    suffixes: NotRequired[list[str]]
    minimum: NotRequired[float]
    whole: NotRequired[bool]
    many: NotRequired[bool]
    columns: NotRequired[bool]
    kinds: "NotRequired[list[NormalKindResponse]]"


class KeyResponse(TypedDict):
    """A key of a step."""

    key: str
    required: bool
    default: Json
    label: str
    about: str
    form: EditorResponse


class NormalKindResponse(TypedDict):
    """A kind of values that columns are normalised to."""

    word: str
    title: str
    about: str
    keys: list[KeyResponse]


class PortResponse(TypedDict):
    """A key that names the steps whose rows are taken."""

    key: str
    many: bool
    label: str


class StepKindResponse(NormalKindResponse):
    """A kind of steps."""

    group: StepGroup
    ports: list[PortResponse]


@router.get("/flow-kinds", response_model=list[StepKindResponse])
def list_kinds() -> Response:
    """The kinds of steps, each with its ports and a form for each of its keys."""
    return JsonResponse(flow_kinds())


@router.get("/flows", response_model=list[FlowInfoResponse])
def list_flows(studio: StudioDep) -> Response:
    """All flows, the last changed first."""
    desk = studio.part(FlowDesk)
    found = []
    for name in desk.names():
        with suppress(ProblemError):  # deleted while the others were read
            found.append(flow_info(desk, name))
    return JsonResponse(found)


@router.post("/flows", status_code=201, response_model=FlowResponse)
def create_flow(wanted: NewFlow, studio: StudioDep) -> Response:
    """Add a flow to the project, empty or with a text."""
    desk = studio.part(FlowDesk)
    name = wanted.name or desk.flows.documents.free_name("flow")
    text = wanted.text if wanted.text is not None else EMPTY
    FlowDraft.loads(text)
    desk.create(name, text)
    return flow_answer(desk, name, status=201)


@router.get("/flows/{name}", response_model=FlowResponse)
def show_flow(name: str, studio: StudioDep) -> Response:
    """A flow with its text, its steps, and everything that is wrong with it."""
    return flow_answer(studio.part(FlowDesk), name)


@router.delete("/flows/{name}", status_code=204)
def delete_flow(name: str, expected: MaybeMatch, studio: StudioDep) -> Response:
    """Delete a flow; its versions and runs stay in the project folder."""
    studio.part(FlowDesk).delete(name, expected)
    return Response(status_code=204)


@router.get("/flows/{name}/download", response_class=Response)
def download_flow(name: str, studio: StudioDep) -> Response:
    """The flow as a file, byte for byte as it is in the project folder."""
    stored = studio.part(FlowDesk).load(name)
    headers = attachment(f"{file_name(name)}.flow.yaml")
    return Response(stored.text.encode(), media_type="application/yaml; charset=utf-8", headers=headers)


@router.post("/flows/{name}/edits", response_model=FlowResponse)
def edit_flow(name: str, wanted: FlowChangeRequest, expected: IfMatch, studio: StudioDep) -> Response:
    """Edit a flow, or undo or redo an edit; `If-Match` names the version that was edited."""
    lacking = next((key for key in _NEEDED.get(wanted.action, ()) if getattr(wanted, key) is None), None)
    if lacking:
        raise UsageError(f"The edit {wanted.action!r} needs {_SHOWN_AS.get(lacking, lacking)!r}.")
    desk = studio.part(FlowDesk)
    if wanted.action in ("undo", "redo"):
        desk.move(name, expected, wanted.action)
        return flow_answer(desk, name)
    made = desk.edit(name, expected, lambda draft: _made(desk, name, draft, wanted))
    return flow_answer(desk, name, added=made.added, notes=made.notes)


@router.post("/schedule/preview", response_model=ScheduleResponse)
def preview_schedule(wanted: SchedulePreview) -> Response:
    """The next times of a schedule, or why it is not understood."""
    return JsonResponse(schedule_shape(" ".join(wanted.text.split())))


def _made(desk: FlowDesk, name: str, draft: FlowDraft, wanted: FlowChangeRequest) -> FlowEdit:
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
        case "restore":
            return _written(desk.version(name, wanted.version or "").text, draft, "went back to an earlier version")
        case "text":
            return _written(wanted.text or "", draft, "edited the text")
    value = wanted.values if wanted.action in ("variables", "secrets") else (wanted.text or "").strip()
    return set_head(draft, wanted.action, value)


def _written(text: str, draft: FlowDraft, words: str) -> FlowEdit:
    """The whole text anew; it may be anything that is not far too long."""
    return FlowEdit(FlowDraft.loads(text, draft.file).yaml, words)
