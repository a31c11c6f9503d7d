"""Long work: a board of jobs in threads of their own, and what happened to each."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from queue import SimpleQueue
from typing import Any, Literal, TypeAlias

from sightline.errors import JobCancelled, SightlineError
from sightline.jobs import Cancel, Progress
from sightline.redaction import redacted
from sightline.server._problems import ProblemError, internal_problem, problem_of

JobState: TypeAlias = Literal["waiting", "running", "done", "failed", "cancelled"]
ENDED = ("done", "failed", "cancelled")
# Events of one job that are kept for those who come late; progress takes the place of progress, so that only partial
# results can be that many, and a job over 10,000 pages has one for each.
MOST_EVENTS = 20_000


@dataclass(frozen=True)
class JobEvent:
    """One thing that happened to a job: `progress`, `found`, `done`, `failed` or `cancelled`."""

    id: int
    kind: str
    data: Any


@dataclass(eq=False)
class JobHandle:
    """A job as the work in it sees it: it tells how far it is and what it found, and looks whether it shall stop."""

    id: str
    kind: str
    title: str
    began: str
    cancel: Cancel = field(default_factory=Cancel)
    state: JobState = "waiting"
    done: int = 0
    total: int | None = None
    what: str = ""
    result: Any = None
    problem: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        """Begin with no events and no listeners."""
        self._lock = threading.Lock()
        self._events: list[JobEvent] = []
        self._last = 0
        self._wakers: set[Callable[[], None]] = set()

    def progress(self, done: int, total: int | None = None, what: str = "") -> None:
        """Tell how far the work is; raises `JobCancelled` if it shall stop."""
        self.cancel.check(done)
        self.done, self.total, self.what = done, total, what or self.what
        self._tell("progress", self._progress())

    def on_progress(self, event: Progress) -> None:
        """The same for everything that takes an `on_progress`."""
        self.progress(event.done, event.total, event.what)

    def found(self, part: Any) -> None:
        """Hand out a partial result."""
        self._tell("found", part)

    def to_json(self) -> dict[str, Any]:
        """The job as the API shows it."""
        return {
            "id": self.id,
            "kind": self.kind,
            "title": self.title,
            "state": self.state,
            "progress": self._progress(),
            "result": self.result,
            "problem": self.problem,
            "began": self.began,
        }

    def begin(self) -> bool:
        """Whether the work may begin: nobody cancelled it while it waited."""
        with self._lock:
            if self.state != "waiting":
                return False
            self.state = "running"
            return True

    def end(self, state: JobState, *, result: Any = None, problem: dict[str, Any] | None = None) -> None:
        """The last event of a job; whatever comes after it is ignored."""
        with self._lock:
            if self.state in ENDED:
                return
            self.result, self.problem = result, problem
            self.state = state
        data = {"done": {"result": result}, "failed": {"problem": problem}}.get(state, {})
        self._tell(state, data)

    def events_after(self, last: int) -> tuple[list[JobEvent], bool]:
        """What happened after an event, and whether that is all there will be."""
        with self._lock:
            later = [event for event in self._events if event.id > last]
            ended = bool(self._events) and self._events[-1].kind in ENDED
            return later, ended

    def wake(self, waker: Callable[[], None]) -> Callable[[], None]:
        """Call something after every event, in the thread that tells it; returns what ends that."""
        with self._lock:
            self._wakers.add(waker)
        return lambda: self._wakers.discard(waker)

    def _progress(self) -> dict[str, Any]:
        return {"done": self.done, "total": self.total, "what": self.what}

    def _tell(self, kind: str, data: Any) -> None:
        with self._lock:
            if self._events and self._events[-1].kind in ENDED:
                return
            self._last += 1
            event = JobEvent(self._last, kind, data)
            if kind == "progress" and self._events and self._events[-1].kind == "progress":
                self._events[-1] = event
            else:
                self._events.append(event)
            del self._events[: len(self._events) - MOST_EVENTS]
            wakers = list(self._wakers)
        for waker in wakers:
            waker()


JobWork: TypeAlias = Callable[[JobHandle], Any]
"""What a job does; what it returns is the result of the job."""


class JobRegistry:
    """Runs jobs in a few threads, and remembers the last ones that ended.

    `start` takes what a job does: a function of its handle, whose result is that of the job.
    """

    def __init__(self, workers: int = 4, remembered: int = 200) -> None:
        self._workers = workers
        self._remembered = remembered
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, JobHandle] = OrderedDict()
        self._waiting: SimpleQueue[tuple[JobHandle, JobWork] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._closed = False

    def start(self, kind: str, title: str, work: JobWork) -> JobHandle:
        """Start a job as soon as there is a thread for it."""
        title = redacted(title)
        job = JobHandle(secrets.token_hex(8), kind, title, datetime.now(UTC).isoformat(timespec="milliseconds"))
        with self._lock:
            if self._closed:
                raise ProblemError("busy", "The Studio is shutting down; start it again first.")
            self._jobs[job.id] = job
            self._forget_old()
            if len(self._threads) < self._workers:
                # They end with the program: work that cannot be interrupted must not keep it from ending.
                self._threads.append(threading.Thread(target=self._work, name="job", daemon=True))
                self._threads[-1].start()
            self._waiting.put((job, work))
        return job

    def get(self, job_id: str) -> JobHandle:
        """A job by its id."""
        job = self._jobs.get(job_id)
        if job is None:
            raise ProblemError("not-found", "There is no such job; it may have ended long ago, or with another server.")
        return job

    def list(self) -> list[JobHandle]:
        """All jobs, the newest first."""
        with self._lock:
            return list(reversed(self._jobs.values()))

    def cancel(self, job: JobHandle) -> None:
        """Ask a job to stop; one that still waits is over at once."""
        job.cancel.cancel()
        if job.state == "waiting":
            job.end("cancelled")

    def close(self) -> None:
        """Cancel all jobs and take no more; who listens to one is told."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            jobs = list(self._jobs.values())
        for job in jobs:
            job.cancel.cancel()
            job.end("cancelled")
        for _ in self._threads:
            self._waiting.put(None)

    def _work(self) -> None:
        while (given := self._waiting.get()) is not None:
            self._run(*given)

    def _run(self, job: JobHandle, work: JobWork) -> None:
        if not job.begin():
            return
        try:
            job.progress(0, job.total, job.what)
            result = work(job)
            job.cancel.check(job.done)
            job.end("done", result=result)
        except JobCancelled:
            job.end("cancelled")
        except ProblemError as error:
            job.end("failed", problem=error.document)
        except SightlineError as error:
            job.end("failed", problem=problem_of(error))
        except Exception as error:  # noqa: BLE001 - the border of a job: whatever breaks it is told to those who wait
            job.end("failed", problem=internal_problem(error))

    def _forget_old(self) -> None:
        ended = [job.id for job in self._jobs.values() if job.state in ENDED]
        for job_id in ended[: max(len(ended) - self._remembered, 0)]:
            del self._jobs[job_id]
