"""Recordings: live browsers in the Studio, whose steps become a script."""

import threading
import time
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request, Response, WebSocket
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from typing_extensions import TypedDict

from sightline.data import Verdict
from sightline.errors import UsageError
from sightline.navigate.script import Script, step_of
from sightline.project import check_name
from sightline.server._examples import PracticeSite
from sightline.server._live import serve_live
from sightline.server._live_recording import LiveRecording, opened_addresses, with_scheme
from sightline.server._open_scripts import OpenScripts
from sightline.server._problems import ProblemError
from sightline.server._shapes import BoxResponse, GridResponse, Json, JsonResponse, PageResponse, page_shape
from sightline.server._studio import Studio, StudioDep, WindowDep

router = APIRouter(tags=["recordings"])

LONGEST_ADDRESS = 8_000
ENDED = 4002


class NewRecording(BaseModel):
    """The address to begin with; `script` names one to go on with, `practice` asks for the shop to practise on."""

    url: str | None = Field(default=None, max_length=LONGEST_ADDRESS)
    script: str | None = Field(default=None, max_length=200)
    practice: bool = False


class PointRequest(BaseModel):
    """A point of the window, in its pixels."""

    x: float
    y: float


class RowsPreviewRequest(BaseModel):
    """What to extract, as a script says it: `lists`, `tables`, `{"wrapper": "wrappers/x.wrapper.json"}`."""

    source: Any


class PointedResponse(TypedDict):
    """What is at a point, as a script would name it: `target` is the value of a step, `words` say it."""

    target: Json
    words: str
    role: str
    doubt: str
    box: BoxResponse | None


class PreviewResponse(TypedDict):
    """The rows that a step would extract, and what speaks against them."""

    rows: GridResponse
    doubt: str


class OutputResponse(TypedDict):
    """What a replay has extracted: rows by the names of the outputs, and a window of one of them."""

    outputs: dict[str, int]
    rows: GridResponse


class KeptFileResponse(TypedDict):
    """The name that an uploaded file has in the project."""

    name: str


class TabResponse(TypedDict):
    """A tab of a live browser."""

    url: str
    title: str


class DialogResponse(TypedDict):
    """A dialog that waits for an answer."""

    kind: str
    message: str
    suggested: str


class ChooserResponse(TypedDict):
    """A page that wants files."""

    several: bool


class OptionResponse(TypedDict):
    """An option of an opened choice."""

    label: str
    chosen: bool
    disabled: bool


class ChoiceResponse(TypedDict):
    """A choice that was opened, and where."""

    box: BoxResponse
    options: list[OptionResponse]


class OutcomeResponse(TypedDict):
    """What became of a step of a replay."""

    state: Literal["done", "failed"]
    why: str


class ReplayResponse(TypedDict):
    """How far a replay is."""

    state: Literal["running", "waiting", "failed", "ended"]
    place: str
    why: str
    logged_out: bool
    box: BoxResponse | None
    outcomes: dict[str, OutcomeResponse]
    outputs: dict[str, int]
    verdict: Verdict | None
    doubts: list[str]


class RecordingResponse(TypedDict):
    """A live browser as its viewer is told."""

    kind: Literal["state"]
    id: str
    script: str
    mode: Literal["starting", "recording", "paused", "replaying"]
    busy: str
    problem: str
    notice: str
    url: str
    title: str
    tabs: list[TabResponse]
    tab: int
    can_back: bool
    can_forward: bool
    loading: bool
    dialog: DialogResponse | None
    chooser: ChooserResponse | None
    choice: ChoiceResponse | None
    downloads: list[str]
    width: int
    height: int
    replay: ReplayResponse | None


@router.get("/recordings", response_model=list[RecordingResponse])
def list_recordings(studio: StudioDep) -> Response:
    """The live browsers that are open."""
    return JsonResponse([one.to_json() for one in studio.part(Recordings).list()])


@router.post("/recordings", status_code=201, response_model=RecordingResponse)
def begin_recording(wanted: NewRecording, studio: StudioDep) -> Response:
    """Open a live browser; what is done in it becomes a script. It is seen at `/recordings/ID/live`."""
    found = studio.part(Recordings).begin(wanted.url, wanted.script, practice=wanted.practice)
    return JsonResponse(found.to_json(), 201, headers={"Location": f"/api/recordings/{found.id}"})


@router.get("/recordings/{recording_id}", response_model=RecordingResponse)
def show_recording(recording_id: str, studio: StudioDep) -> Response:
    """A live browser as its viewer is told."""
    return JsonResponse(studio.part(Recordings).find(recording_id).to_json())


@router.delete("/recordings/{recording_id}", status_code=204)
def end_recording(recording_id: str, studio: StudioDep) -> Response:
    """Close a live browser; its script stays."""
    recordings = studio.part(Recordings)
    recordings.end(recordings.find(recording_id))
    return Response(status_code=204)


@router.post("/recordings/{recording_id}/files", status_code=201, response_model=KeptFileResponse)
async def upload_file(
    recording_id: str, name: Annotated[str, Query(max_length=200)], request: Request, studio: StudioDep
) -> Response:
    """Upload a file for a page that asks for one; it is kept in the project, where the script finds it again."""
    uploads = studio.part(Recordings).find(recording_id).uploads
    check_name(name, "a file")
    kept = await run_in_threadpool(uploads.keep, name, await request.body())
    return JsonResponse({"name": kept}, 201)


@router.post("/recordings/{recording_id}/point", response_model=PointedResponse)
def point_at(recording_id: str, at: PointRequest, studio: StudioDep) -> Response:
    """How a script would name what is at a point; nothing is clicked."""
    return JsonResponse(studio.part(Recordings).find(recording_id).point(at.x, at.y))


@router.post("/recordings/{recording_id}/preview", response_model=PreviewResponse)
def preview_rows(recording_id: str, wanted: RowsPreviewRequest, studio: StudioDep) -> Response:
    """The rows that a step would extract from the page as it is now."""
    return JsonResponse(studio.part(Recordings).find(recording_id).preview(wanted.source))


@router.post("/recordings/{recording_id}/page", status_code=201, response_model=PageResponse)
def keep_page(recording_id: str, studio: StudioDep) -> Response:
    """Keep the page as it is now in the project, to teach a wrapper on it."""
    return JsonResponse(page_shape(studio.part(Recordings).find(recording_id).keep_page()), 201)


@router.get("/recordings/{recording_id}/data", response_model=OutputResponse)
def show_data(recording_id: str, studio: StudioDep, window: WindowDep, output: str = "") -> Response:
    """What the replay has extracted so far."""
    found = studio.part(Recordings).find(recording_id)
    return JsonResponse(found.data(output, window.offset, window.limit))


@router.websocket("/recordings/{recording_id}/live")
async def show_live(socket: WebSocket, recording_id: str) -> None:
    """The live view: pictures out, mouse and keys in; docs/studio.md describes the messages."""
    studio: Studio = socket.app.state.studio
    try:
        recording = studio.part(Recordings).find(recording_id)
    except ProblemError as problem:
        await socket.accept()
        await socket.close(ENDED, problem.document["detail"])
        return
    await serve_live(socket, recording)


# Live browsers: a few at a time, each with the script that it writes; they end when nobody has looked for a while.

MOST_LIVE = 3  # browsers at a time: each takes some 300 MB
LOOK_SECONDS = 5.0  # between two looks for those that nobody watches


class Recordings:
    """The live browsers of a Studio."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._live: dict[str, LiveRecording] = {}
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._watcher: threading.Thread | None = None
        self.practice = PracticeSite()

    def begin(self, url: str | None, script: str | None, *, practice: bool = False) -> LiveRecording:
        """Open a live browser on an address, for a new script or for one that there is."""
        scripts = self._studio.part(OpenScripts)
        address = self.practice.open() if practice else url
        if script is not None:
            opened = scripts.open(script)
            address = address or next(opened_addresses(opened.script.steps), "")
        if not address:
            raise UsageError("Say which address to open.")
        address = with_scheme(address)
        if not self._studio.has_browser:
            raise ProblemError("usage", "Recording needs a browser; `sightline doctor --install` installs one.")
        with self._lock:
            if self._over.is_set():
                raise ProblemError("busy", "The Studio is shutting down; start it again first.")
            if len(self._live) >= MOST_LIVE:
                names = ", ".join(one.name for one in self._live.values())
                raise ProblemError("busy", f"{MOST_LIVE} live browsers are open ({names}); end one of them first.")
            name = script or _create(scripts, address, "camera shop" if practice else "")
            shop = self.practice if practice or self.is_practice(address) else None
            recording = LiveRecording(self._studio, name, is_new=script is None, practice=shop)
            self._live[recording.id] = recording
            if self._watcher is None:
                self._watcher = threading.Thread(target=self._watch, name="recordings", daemon=True)
                self._watcher.start()
        recording.do(lambda: recording.begin(address), f"Opening {address}")
        return recording

    def is_practice(self, address: str) -> bool:
        """Whether an address is one of the practice shop's."""
        origin = self.practice.origin
        return bool(origin) and address.startswith(f"{origin}/")

    def find(self, recording_id: str) -> LiveRecording:
        """A live browser by its id."""
        with self._lock:
            found = self._live.get(recording_id)
        if found is None:
            raise ProblemError("gone", "This recording has ended; what it recorded is in its script.")
        return found

    def list(self) -> list[LiveRecording]:
        """Those that are open."""
        with self._lock:
            return list(self._live.values())

    def of_script(self, name: str) -> LiveRecording | None:
        """The live browser that works on a script, if there is one."""
        return next((one for one in self.list() if one.name == name), None)

    def end(self, recording: LiveRecording, why: str = "") -> None:
        """Close a live browser; one that somebody else has closed meanwhile stays closed."""
        with self._lock:
            self._live.pop(recording.id, None)
        recording.close(why)

    def close(self) -> None:
        """Close all of them."""
        self._over.set()
        for one in self.list():
            self.end(one, "The Studio has ended.")
        self.practice.close()

    def _watch(self) -> None:
        """End those that nobody has looked at, or used, for too long."""
        idle = self._studio.settings.idle_seconds
        while not self._over.wait(min(LOOK_SECONDS, idle)):
            for one in self.list():
                unused = time.monotonic() - one.used
                if unused > (idle if not one.is_watched else 6 * idle):
                    self.end(one, "Nobody used this browser for a while, so it was closed; the script is kept.")


def _create(scripts: OpenScripts, address: str, wanted: str) -> str:
    """A new script, named after its site; its first step is what the recording will say anyway."""
    host = _host(address)
    name = scripts.documents.free_name(wanted or host or "script")
    text = Script(steps=(step_of({"open": address}),), about=f"Recorded on {host}.").dumps()
    scripts.create(name, text)
    return name


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError as problem:  # half of an IPv6 address, for one
        raise UsageError(f"{address[:200]} is not an address; check how it is written.") from problem
