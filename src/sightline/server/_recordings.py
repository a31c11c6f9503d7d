"""Recordings: live browsers in the Studio, whose steps become a script."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response, WebSocket
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from typing_extensions import TypedDict

from sightline.server._live import serve_live
from sightline.server._problems import ProblemError
from sightline.server._recording_desk import RecordingDesk
from sightline.server._shapes import GridShape, JsonResponse, PageShape, page_shape
from sightline.server._studio import Studio
from sightline.server._studio_of import StudioDep, WindowDep
from sightline.store import check_name

__all__ = ["router"]

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


class PointedShape(TypedDict):
    """What is at a point, as a script would name it: `target` is the value of a step, `words` say it."""

    target: Any
    words: str
    role: str
    doubt: str
    box: list[float] | None


class PreviewShape(TypedDict):
    """The rows that a step would extract, and what speaks against them."""

    rows: GridShape
    doubt: str


class OutputShape(TypedDict):
    """What a replay has extracted: rows by the names of the outputs, and a window of one of them."""

    outputs: dict[str, int]
    rows: GridShape


@router.get("/recordings", response_model=list[dict[str, Any]])
def list_recordings(studio: StudioDep) -> Response:
    """The live browsers that are open."""
    return JsonResponse([one.to_json() for one in studio.part(RecordingDesk).list()])


@router.post("/recordings", status_code=201, response_model=dict[str, Any])
def begin_recording(wanted: NewRecording, studio: StudioDep) -> Response:
    """Open a live browser; what is done in it becomes a script. It is seen at `/recordings/ID/live`."""
    found = studio.part(RecordingDesk).begin(wanted.url, wanted.script, practice=wanted.practice)
    return JsonResponse(found.to_json(), 201, headers={"Location": f"/api/recordings/{found.id}"})


@router.get("/recordings/{recording_id}", response_model=dict[str, Any])
def show_recording(recording_id: str, studio: StudioDep) -> Response:
    """A live browser as its viewer is told."""
    return JsonResponse(studio.part(RecordingDesk).find(recording_id).to_json())


@router.delete("/recordings/{recording_id}", status_code=204)
def end_recording(recording_id: str, studio: StudioDep) -> Response:
    """Close a live browser; its script stays."""
    desk = studio.part(RecordingDesk)
    desk.end(desk.find(recording_id))
    return Response(status_code=204)


@router.post("/recordings/{recording_id}/files", status_code=201, response_model=dict[str, str])
async def upload_file(
    recording_id: str, name: Annotated[str, Query(max_length=200)], request: Request, studio: StudioDep
) -> Response:
    """Upload a file for a page that asks for one; it is kept in the project, where the script finds it again."""
    uploads = studio.part(RecordingDesk).find(recording_id).uploads
    check_name(name, "a file")
    kept = await run_in_threadpool(uploads.keep, name, await request.body())
    return JsonResponse({"name": kept}, 201)


@router.post("/recordings/{recording_id}/point", response_model=PointedShape)
def point_at(recording_id: str, at: PointRequest, studio: StudioDep) -> Response:
    """How a script would name what is at a point; nothing is clicked."""
    return JsonResponse(studio.part(RecordingDesk).find(recording_id).point(at.x, at.y))


@router.post("/recordings/{recording_id}/preview", response_model=PreviewShape)
def preview_rows(recording_id: str, wanted: RowsPreviewRequest, studio: StudioDep) -> Response:
    """The rows that a step would extract from the page as it is now."""
    return JsonResponse(studio.part(RecordingDesk).find(recording_id).preview(wanted.source))


@router.post("/recordings/{recording_id}/page", status_code=201, response_model=PageShape)
def keep_page(recording_id: str, studio: StudioDep) -> Response:
    """Keep the page as it is now in the project, to teach a wrapper on it."""
    return JsonResponse(page_shape(studio.part(RecordingDesk).find(recording_id).keep_page()), 201)


@router.get("/recordings/{recording_id}/data", response_model=OutputShape)
def show_data(recording_id: str, studio: StudioDep, window: WindowDep, output: str = "") -> Response:
    """What the replay has extracted so far."""
    found = studio.part(RecordingDesk).find(recording_id)
    return JsonResponse(found.data(output, window.offset, window.limit))


@router.websocket("/recordings/{recording_id}/live")
async def show_live(socket: WebSocket, recording_id: str) -> None:
    """The live view: pictures out, mouse and keys in; docs/studio.md describes the messages."""
    studio: Studio = socket.app.state.studio
    try:
        recording = studio.part(RecordingDesk).find(recording_id)
    except ProblemError as problem:
        await socket.accept()
        await socket.close(ENDED, problem.document["detail"])
        return
    await serve_live(socket, recording)
