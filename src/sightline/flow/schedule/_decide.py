"""Which of the due times that have come get a run, and why the others do not. No clock, no file: values only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sightline.flow.schedule._store import ScheduledFlow

# How late a run may begin without its time being missed: twice the longest wait, so that a busy machine misses nothing.
GRACE = timedelta(minutes=2)

STILL_RUNNING = "the flow was still running"
NOT_CAUGHT_UP = "missed, and the flow does not catch up"
OVER_THE_LIMIT = "missed, and over the limit of what is caught up"
ONE_FOR_ALL = "one run stands for all that were missed"


@dataclass(frozen=True)
class Situation:
    """What is known when due times have come, in UTC."""

    now: datetime
    awake_since: datetime  # since when the schedule has been running without a pause
    last_run: tuple[datetime, datetime] | None = None  # when the flow last ran, if it has since then


@dataclass(frozen=True)
class SkippedTimes:
    """Times in a row that get no run of their own."""

    times: tuple[datetime, ...]
    reason: str


@dataclass(frozen=True)
class DueDecision:
    """The time that is run, those that it stands for, and those that are skipped, which are all earlier."""

    run: datetime | None
    covered: tuple[datetime, ...] = ()
    skipped: tuple[SkippedTimes, ...] = ()


def decide(flow: ScheduledFlow, times: Sequence[datetime], situation: Situation) -> DueDecision:
    """Decide on times that have come and are not decided yet, in order; with `all`, on the first of them."""
    overlapped = _overlapped(flow, times, situation)
    rest = times[len(overlapped) :]
    skipped = _reasoned(overlapped, STILL_RUNNING)
    missed = [due for due in rest if _is_missed(due + flow.delay, situation)]
    late = rest[len(missed) :]
    match flow.settings.catch_up:
        case "none":
            return _last_of(late, (*skipped, *_reasoned(missed, NOT_CAUGHT_UP)))
        case "one":
            return _last_of(rest, skipped)
    over = missed[: -flow.settings.catch_up_limit]
    wanted = rest[len(over) :]
    return DueDecision(wanted[0] if wanted else None, (), (*skipped, *_reasoned(over, OVER_THE_LIMIT)))


def _overlapped(flow: ScheduledFlow, times: Sequence[datetime], situation: Situation) -> Sequence[datetime]:
    """The first times, if they came while the flow ran; those that come while others are caught up wait their turn."""
    if flow.settings.overlap == "queue" or situation.last_run is None:
        return ()
    began, ended = situation.last_run
    count = 0
    while count < len(times) and began < times[count] + flow.delay <= ended:
        count += 1
    return times[:count]


def _is_missed(start: datetime, situation: Situation) -> bool:
    """Whether nothing ran at that time; a time that had to wait for another flow is only late."""
    return start < situation.awake_since and situation.now - start > GRACE


def _last_of(times: Sequence[datetime], skipped: tuple[SkippedTimes, ...]) -> DueDecision:
    return DueDecision(times[-1], tuple(times[:-1]), skipped) if times else DueDecision(None, (), skipped)


def _reasoned(times: Sequence[datetime], reason: str) -> tuple[SkippedTimes, ...]:
    return (SkippedTimes(tuple(times), reason),) if times else ()
