"""Jobs: their events in order, streams that resume, and cancelling."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from sightline.errors import UsageError
from sightline.server._job_registry import JobHandle, JobRegistry
from sightline.server._problems import ProblemError

from .._wait import BOUND, wait_until
from ._running import Running, running


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with an empty project, which remembers few jobs."""
    with running(tmp_path_factory.mktemp("project"), workers=2, finished_jobs=3) as found:
        yield found


def _events(studio: Running, job: JobHandle, last: int | None = None) -> Iterator[dict[str, Any]]:
    """The events of a job as they come, until the stream ends."""
    headers = {} if last is None else {"Last-Event-ID": str(last)}
    with studio.client.stream("GET", f"/api/jobs/{job.id}/events", headers=headers) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        found: dict[str, Any] = {}
        for line in answer.iter_lines():
            name, _, value = line.partition(": ")
            if name in ("id", "event", "data"):
                found[name] = orjson.loads(value) if name == "data" else value
            elif not line and found:
                yield found
                found = {}


def test_events_come_as_they_happen_and_the_stream_ends(studio: Running) -> None:
    """Progress, partial results, and the result last; each has a higher id."""
    go_on = threading.Event()

    def work(job: JobHandle) -> dict[str, int]:
        job.progress(1, 2, "Counting")
        job.found({"page": "a"})
        assert go_on.wait(BOUND)
        job.progress(2, 2)
        return {"rows": 7}

    job = studio.studio.board.start("count", "Counting pages", work)
    seen = []
    for event in _events(studio, job):
        seen.append(event)
        if event["event"] == "found":
            go_on.set()
    assert [event["event"] for event in seen][-3:] == ["found", "progress", "done"]
    assert seen[-1]["data"] == {"result": {"rows": 7}}
    ids = [int(event["id"]) for event in seen]
    assert ids == sorted(set(ids))
    told = studio.get(f"/jobs/{job.id}")
    assert (told["state"], told["progress"]) == ("done", {"done": 2, "total": 2, "what": "Counting"})


def test_a_stream_goes_on_after_the_last_event_that_was_seen(studio: Running) -> None:
    """A lost connection loses nothing and repeats nothing."""
    go_on = threading.Event()

    def work(job: JobHandle) -> None:
        job.found(1)
        job.found(2)
        assert go_on.wait(BOUND)
        job.found(3)

    job = studio.studio.board.start("count", "", work)
    first = []
    for event in _events(studio, job):
        first.append(event)
        if event["data"] == 1:
            break  # which closes the connection
    go_on.set()
    later = list(_events(studio, job, int(first[-1]["id"])))
    assert [event["data"] for event in later if event["event"] == "found"] == [2, 3]
    assert later[-1]["event"] == "done"
    assert [event["event"] for event in _events(studio, job, 10**9)] == []


@pytest.mark.parametrize("last", ["x", "-1", "9" * 400, ""])
def test_a_nonsensical_last_event_is_none(studio: Running, last: str) -> None:
    """The stream then begins at the beginning."""
    job = studio.studio.board.start("count", "", lambda job: job.found(1))
    wait_until(lambda: job.state == "done")
    answer = studio.client.get(f"/api/jobs/{job.id}/events", headers={"Last-Event-ID": last})
    assert "event: found" in answer.text


def test_a_job_can_be_cancelled_while_it_runs_and_while_it_waits(studio: Running) -> None:
    """Who listens is told; what it returns afterwards does not count."""
    begun = threading.Semaphore(0)

    def work(job: JobHandle) -> None:
        begun.release()
        wait_until(lambda: job.cancel.requested)
        job.progress(1)

    board = studio.studio.board
    jobs = [board.start("wait", str(number), work) for number in range(3)]
    for _ in range(2):
        assert begun.acquire(timeout=BOUND)
    assert jobs[2].state == "waiting"
    for job in reversed(jobs):
        assert studio.client.delete(f"/api/jobs/{job.id}").status_code == 200
    assert jobs[2].state == "cancelled"
    for job in jobs:
        assert [event["event"] for event in _events(studio, job)][-1] == "cancelled"
    assert studio.client.delete(f"/api/jobs/{jobs[0].id}").json()["state"] == "cancelled"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("This makes no sense."), "usage"),
        (ProblemError("gone", "It is gone."), "gone"),
        (RuntimeError("the secret inside"), "internal"),
    ],
)
def test_a_job_that_fails_says_why(studio: Running, error: Exception, code: str) -> None:
    """In the shape of all problems; an unexpected error tells nothing of its inside."""

    def work(_: JobHandle) -> None:
        raise error

    job = studio.finished(studio.studio.board.start("fail", "", work).to_json())
    assert (job["state"], job["problem"]["code"], job["result"]) == ("failed", code, None)
    assert "secret" not in str(job)


def test_only_the_last_jobs_are_remembered(studio: Running) -> None:
    """Those that run are never forgotten."""
    board = studio.studio.board
    ids = []
    for _ in range(6):
        job = board.start("count", "", lambda _: None)
        wait_until(lambda job=job: job.state == "done")  # type: ignore[misc]
        ids.append(job.id)
    assert len(studio.get("/jobs")["jobs"]) <= 4
    assert studio.get(f"/jobs/{ids[0]}", 404)["code"] == "not-found"
    assert studio.get(f"/jobs/{ids[-1]}")["state"] == "done"


def test_progress_takes_the_place_of_progress() -> None:
    """A job of a million steps keeps one of them; partial results are all kept."""
    job = JobHandle("x", "count", "", "")
    for number in range(1_000):
        job.progress(number)
    job.found("a")
    job.progress(1_000)
    job.end("done", result=1)
    job.end("failed", problem={})
    job.found("late")
    events, ended = job.events_after(0)
    assert [(event.kind, event.id) for event in events] == [
        ("progress", 1_000),
        ("found", 1_001),
        ("progress", 1_002),
        ("done", 1_003),
    ]
    assert ended


def test_a_closed_board_ends_all_jobs_and_takes_no_more() -> None:
    """Also one that never looks whether it shall stop."""
    board, begun, never = JobRegistry(1), threading.Event(), threading.Event()

    def work(_: JobHandle) -> None:
        begun.set()
        never.wait(BOUND)

    jobs = [board.start("wait", "", work), board.start("wait", "", work)]
    assert begun.wait(BOUND)
    board.close()
    assert [job.state for job in jobs] == ["cancelled", "cancelled"]
    with pytest.raises(ProblemError, match="shutting down"):
        board.start("wait", "", work)
    never.set()


def test_a_server_that_stops_ends_the_streams(tmp_path: Path) -> None:
    """Whoever listens to a job gets its last event, and the server does not wait for the job."""
    never = threading.Event()
    with running(tmp_path) as studio:
        job = studio.studio.board.start("wait", "", lambda _: never.wait(BOUND))
        seen = []
        for event in _events(studio, job):
            seen.append(event["event"])
            studio.server.stop()
        assert seen[-1] == "cancelled"
    never.set()
