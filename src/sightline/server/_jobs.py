"""Jobs: how far long work is, its result, and what happens to it as a stream of events."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Response
from sse_starlette import EventSourceResponse, ServerSentEvent
from typing_extensions import TypedDict

from sightline.server._job_registry import JobHandle
from sightline.server._shapes import JobResponse, JsonResponse
from sightline.server._studio import StudioDep

router = APIRouter(tags=["jobs"])

PING_SECONDS = 15


def accepted(job: JobHandle) -> Response:
    """The answer to a request that started a job."""
    return JsonResponse(job.to_json(), 202, headers={"Location": f"/api/jobs/{job.id}"})


class JobsResponse(TypedDict):
    """All jobs."""

    jobs: list[JobResponse[Any]]


@router.get("/jobs", response_model=JobsResponse)
def list_jobs(studio: StudioDep) -> Response:
    """All jobs, the newest first."""
    return JsonResponse({"jobs": [job.to_json() for job in studio.board.list()]})


@router.get("/jobs/{job_id}", response_model=JobResponse[Any])
def show_job(job_id: str, studio: StudioDep) -> Response:
    """A job, how far it is, and its result."""
    return JsonResponse(studio.board.get(job_id).to_json())


@router.delete("/jobs/{job_id}", response_model=JobResponse[Any])
def cancel_job(job_id: str, studio: StudioDep) -> Response:
    """Ask a job to stop; one that has ended stays as it is."""
    job = studio.board.get(job_id)
    studio.board.cancel(job)
    return JsonResponse(job.to_json())


@router.get("/jobs/{job_id}/events", response_class=EventSourceResponse)
async def stream_events(
    job_id: str, studio: StudioDep, last_event_id: Annotated[str | None, Header()] = None
) -> Response:
    """What happens to a job, as server-sent events; with `Last-Event-ID` only what happened after that one."""
    job = studio.board.get(job_id)
    last = int(last_event_id) if last_event_id and last_event_id.isdecimal() and len(last_event_id) < 16 else 0
    return EventSourceResponse(_messages(job, last), ping=PING_SECONDS, sep="\n")


async def _messages(job: JobHandle, last: int) -> AsyncIterator[ServerSentEvent]:
    loop = asyncio.get_running_loop()
    happened = asyncio.Event()

    def waker() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(happened.set)

    stop = job.wake(waker)
    try:
        while True:
            happened.clear()
            events, ended = job.events_after(last)
            for event in events:
                last = event.id
                data = orjson.dumps(event.data, default=str).decode()
                yield ServerSentEvent(data, event=event.kind, id=str(event.id), sep="\n")
            if ended:
                return
            await happened.wait()
    finally:
        stop()
