"""What happens while flows run as JSON lines, for programs that collect logs."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from threading import RLock
from time import monotonic
from typing import Any, Literal, TypeAlias

import orjson

from sightline.flow.run import FlowEvent, RunWatcher, WatchedRun
from sightline.flow.schedule import (
    ClockMoved,
    RunDied,
    RunEnded,
    RunStarted,
    ScheduledRun,
    ScheduleEvent,
    ScheduleWaits,
    StopRequested,
    TimesSkipped,
    TimetableChanged,
)
from sightline.redaction import redacted_in

LogLevel: TypeAlias = Literal["info", "warning", "error"]

EVERY = 10.0
"""Seconds between two lines about the progress of one step; a step may tell it a thousand times a second."""

_VERDICTS: Mapping[str, LogLevel] = {"ok": "info", "suspicious": "warning", "failed": "error"}
_STEPS: Mapping[str, LogLevel] = {"failed": "error", "skipped": "warning"}
# Control characters that JSON allows and terminals obey.
_CONTROLS = re.compile(rb"\x7f|\xc2[\x80-\x9f]")


class JsonLog(RunWatcher):
    """Writes one line for each event; docs/operating.md lists the events and their fields.

    >>> lines = []
    >>> JsonLog(lines.append).message("info", "next at 06:30", source="prices")
    >>> sorted(orjson.loads(lines[0]))
    ['detail', 'event', 'flow', 'level', 'time']
    """

    def __init__(self, write: Callable[[bytes], object], clock: Callable[[], float] = monotonic) -> None:
        self._write = write
        self._clock = clock
        self._lock = RLock()  # a signal may have something to tell while a line is being written
        self._progress: dict[tuple[str, str], float] = {}

    def line(self, level: LogLevel, event: str, **more: Any) -> None:
        """Write one line; what is empty is left out, and what is secret is hidden."""
        fields = {name: value for name, value in more.items() if value not in (None, "", (), [], {})}
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        content = orjson.dumps(redacted_in({"time": now, "level": level, "event": event, **fields}), default=str)
        with self._lock:
            self._write(_CONTROLS.sub(_escaped, content) + b"\n")

    def message(self, level: LogLevel, detail: str, *, source: str = "") -> None:
        """What the command would have told people."""
        self.line(level, "message", flow=source, detail=" ".join(detail.split()))

    # What a run tells.

    def begun(self, run: WatchedRun) -> Sequence[str]:
        """The run begins, or is taken up again with the steps that are done."""
        done = [name for name, step in run.state.steps.items() if step.is_done]
        self.line("info", "run_begun", **_of(run), taken_up=bool(run.state.steps) or None, done=done)
        return ()

    def happened(self, run: WatchedRun, event: FlowEvent) -> None:
        """A step begins, goes on or ends."""
        if event.kind == "begun":
            self._progress[run.state.id, event.step] = self._clock()
        elif event.kind == "progress" and not self._is_time(run.state.id, event.step):
            return
        state = event.state
        level = _STEPS.get(event.kind) or (_VERDICTS[state.verdict] if state else "info")
        progress = event.progress
        found: dict[str, Any] = {"what": event.what, "detail": event.detail}
        if event.kind not in ("begun", "skipped"):
            found |= {"rows": event.rows, "seconds": round(event.seconds, 3)}
        if progress is not None:
            found |= {"pages": progress.done, "of_pages": progress.total}
        if state is not None:
            found |= {"state": state.state, "held": state.held, "verdict": state.verdict, "reasons": state.reasons}
            found |= {"notes": state.notes, "counts": dict(state.counts), "at": state.at}
            found |= {"stands_in": state.stands_in or None}
        self.line(level, f"step_{event.kind}", **_of(run), step=event.step, **found)

    def ended(self, run: WatchedRun) -> Sequence[str]:
        """The run is over, with its verdict."""
        self._end(run, "run_ended")
        return ()

    def stopped(self, run: WatchedRun) -> None:
        """The run was interrupted."""
        self._end(run, "run_stopped")

    def _end(self, run: WatchedRun, event: str) -> None:
        state = run.state
        level = _VERDICTS[state.verdict or "failed"] if event == "run_ended" else "warning"
        delivered = {step.name for step in run.flow.steps.values() if step.word == "deliver"}
        seconds = (datetime.now(UTC) - state.when).total_seconds()
        self.line(
            level,
            event,
            **_of(run),
            verdict=state.verdict,
            reasons=state.reasons,
            notices=state.notices,
            rows=sum(step.rows for name, step in state.steps.items() if name in delivered),
            held=sum(step.held for step in state.steps.values()),
            seconds=round(max(seconds, 0.0), 3),
        )

    def _is_time(self, run: str, step: str) -> bool:
        now = self._clock()
        if now - self._progress.get((run, step), now) < EVERY:
            return False
        self._progress[run, step] = now
        return True

    # What a schedule tells.

    def scheduled(self, event: ScheduleEvent) -> None:
        """A schedule waits, runs a flow, or leaves out times."""
        match event:
            case ScheduleWaits():
                self.line("info", "schedule_waits", flow=event.flow, due=_time(event.due), at=_time(event.start))
            case RunStarted():
                self.line("info", "schedule_runs", **_of_schedule(event.run))
            case RunEnded():
                told: dict[str, Any] = {"outcome": event.outcome, "detail": event.note}
                level: LogLevel = "info" if event.outcome == "done" else "error"
                self.line(level, "schedule_ran", **_of_schedule(event.run), seconds=round(event.seconds, 3), **told)
            case RunDied():
                self.line("error", "schedule_run_died", **_of_schedule(event.run), detail=event.why)
            case TimesSkipped():
                times: dict[str, Any] = {"first": _time(event.first), "due": _time(event.last), "count": event.count}
                self.line("warning", "schedule_skipped", flow=event.flow, **times, detail=event.reason)
            case TimetableChanged():
                told = {"before": event.before, "after": event.after}
                self.line("info", "schedule_changed", flow=event.flow, **told)
            case ClockMoved():
                self.line("warning", "clock_moved", before=_time(event.before), after=_time(event.after))
            case StopRequested():
                self.line("info", "schedule_stops")


def _of(run: WatchedRun) -> dict[str, str]:
    return {"flow": run.flow.name, "run": run.state.id, "due": _time(run.state.due_at)}


def _of_schedule(run: ScheduledRun) -> dict[str, Any]:
    several = {"first": _time(run.first), "count": run.count} if run.count > 1 else {}
    return {"flow": run.flow, "due": _time(run.due), "attempt": run.attempt, **several}


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _escaped(found: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(found[0].decode())
