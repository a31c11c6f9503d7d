"""Runs the flows of a project when they are due, while the Studio is open."""

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sightline.errors import OutputError, SightlineError, UsageError
from sightline.server._flow_jobs import flow_to_run, run_work
from sightline.server._flows import StudioFlows
from sightline.server._job_registry import ENDED, JobHandle
from sightline.server._problems import ProblemError
from sightline.server._studio import Studio

if TYPE_CHECKING:
    from sightline.flow.schedule import Schedule, ScheduledFlow, ScheduledRun

LOOKING_SECONDS = 60.0  # between two looks at flows that were changed with another editor, and at others' locks


class _StudioClosed(Exception):
    """The Studio is closing; whatever runs is taken up again when it is opened next."""


class FlowScheduler:
    """A thread with a schedule of all flows that have one; it begins anew whenever one of them changes."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._awake = threading.Event()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._planned: dict[str, str] = {}
        self._schedule: Schedule | None = None
        self.words = "No flow has a schedule."

    @property
    def _flows(self) -> StudioFlows:
        return self._studio.part(StudioFlows)

    def start(self) -> None:
        """Begin."""
        self._flows.on_change = self._awake.set
        self._thread = threading.Thread(target=self._work, name="schedule", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End; a run that goes on is ended with the other jobs, and taken up at the next start."""
        self._stopping = True
        self._awake.set()

    # ------------------------------------------------------------------ as the clock of a schedule

    def now(self) -> datetime:
        """The present instant, in UTC."""
        return datetime.now(UTC)

    def wait(self, seconds: float) -> None:
        """Wait until something is due or a flow changes; a schedule that is no longer the right one is stopped."""
        self._sleep(seconds)
        if self._schedule is not None and (self._stopping or self._wanted() != self._planned):
            self._schedule.stop()

    def wake(self) -> None:
        """End the wait: the flows are looked at again."""
        self._awake.set()

    def _sleep(self, seconds: float) -> None:
        self._awake.wait(min(seconds, LOOKING_SECONDS))
        self._awake.clear()

    # ------------------------------------------------------------------ the thread

    def _work(self) -> None:
        while not self._stopping:
            self._planned = self._wanted()
            if not self._planned:
                self.words = "No flow has a schedule."
                self._sleep(LOOKING_SECONDS)
                continue
            try:
                self._serve()
            except _StudioClosed:
                return
            except SightlineError as problem:
                self.words = f"Flows are not run on time from here: {problem.message}"
                self._sleep(LOOKING_SECONDS)

    def _serve(self) -> None:
        from sightline.flow.schedule import Schedule

        flows = [self._scheduled(name, text) for name, text in self._planned.items()]
        count = f"{len(flows)} flows are" if len(flows) > 1 else f"{flows[0].name} is"
        self.words = f"{count} run on time while the Studio is open."
        self._schedule = Schedule(flows, self._studio.folder, run=self._run, clock=self)
        self._schedule.serve()

    def _scheduled(self, name: str, text: str) -> "ScheduledFlow":
        from sightline.flow.schedule import ScheduledFlow, Timetable

        return ScheduledFlow(name, Timetable.read(text))

    def _wanted(self) -> dict[str, str]:
        """When each flow runs that can run and says when; those with problems wait until they are mended."""
        found = {}
        for name in self._flows.kept.names():
            try:
                draft = self._flows.draft(self._flows.load(name))
                if draft.readable and draft.schedule and not draft.problems:
                    self._scheduled(name, draft.schedule)
                    found[name] = draft.schedule
            except (SightlineError, ProblemError):  # deleted meanwhile, unreadable, or not understood: told in the list
                continue
        return dict(sorted(found.items()))

    # ------------------------------------------------------------------ one run

    def _run(self, this: "ScheduledRun") -> str:
        try:
            flow = flow_to_run(self._flows, this.flow)
            self._wait_for(self._flows.running(this.flow))
            job = self._flows.start(this.flow, run_work(self._studio, flow, scheduled=this.due))
        except ProblemError as problem:
            if self._stopping:
                raise _StudioClosed from problem
            raise UsageError(str(problem)) from problem
        self._wait_for(job)
        if self._stopping:
            raise _StudioClosed
        return _note(job)

    def _wait_for(self, job: JobHandle | None) -> None:
        """Until a job has ended."""
        if job is None:
            return
        happened = threading.Event()
        stop = job.wake(happened.set)
        try:
            while job.state not in ENDED:
                happened.wait(LOOKING_SECONDS)
                happened.clear()
        finally:
            stop()


def _note(job: JobHandle) -> str:
    """What came of a run, for the history of the schedule; one that failed is an error."""
    if job.state == "cancelled":
        raise OutputError("It was stopped by somebody; the next run goes on with it.")
    if job.state == "failed":
        raise OutputError(str((job.problem or {}).get("detail", "It failed.")))
    result: dict[str, Any] = job.result
    reasons = f" ({'; '.join(result['reasons'][:3])})" if result["reasons"] else ""
    if result["verdict"] == "failed":
        raise OutputError(f"failed{reasons}; the next run goes on with it.")
    return f"{result['verdict']}{reasons}"
