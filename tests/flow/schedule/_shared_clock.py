"""A simulated clock of several threads: that of a schedule, and one for each run."""

import threading
from dataclasses import dataclass
from datetime import datetime, timedelta

from sightline.flow.schedule import RunStarted, ScheduleEvent

from ..._wait import BOUND
from ._services import BEGIN


@dataclass(eq=False)
class _Sleeper:
    """Somebody who waits for a moment."""

    until: datetime
    is_awake: bool = False


class SharedClock:
    """Moves on to the next moment that somebody waits for, but only while everybody waits.

    So a run takes exactly as long as it says with `take`, and no time at all if it waits for an event of the test.
    """

    def __init__(self, time: datetime = BEGIN) -> None:
        self.time = time
        self._changed = threading.Condition()
        self._sleepers: list[_Sleeper] = []
        self._schedule: _Sleeper | None = None
        self._is_woken = False
        self._busy = 1  # threads that do something: at first that of the schedule

    def now(self) -> datetime:
        """What it shows."""
        return self.time

    def on_event(self, event: ScheduleEvent) -> None:
        """Know that there is one more thread, before it begins."""
        if isinstance(event, RunStarted):
            with self._changed:
                self._busy += 1

    def wait(self, seconds: float) -> None:
        """Wait, as the schedule."""
        assert seconds > 0
        with self._changed:
            if not self._is_woken:
                self._schedule = _Sleeper(self.time + timedelta(seconds=seconds))
                self._sleep(self._schedule)
            self._is_woken, self._schedule = False, None

    def wake(self) -> None:
        """Wake the schedule; the thread that does so has nothing else to do."""
        with self._changed:
            self._is_woken = True
            if self._schedule in self._sleepers:
                self._rouse(self._schedule)
            self._rest()

    def take(self, duration: timedelta) -> None:
        """Take so long, as a run."""
        with self._changed:
            self._sleep(_Sleeper(self.time + duration))

    def _sleep(self, sleeper: _Sleeper) -> None:
        self._sleepers.append(sleeper)
        self._rest()
        while not sleeper.is_awake:
            assert self._changed.wait(BOUND), "waited in vain"

    def _rest(self) -> None:
        """One thread less does something; if it was the last one, time goes on."""
        self._busy -= 1
        if not self._busy and self._sleepers:
            self.time = max(self.time, min(one.until for one in self._sleepers))
            for one in [one for one in self._sleepers if one.until <= self.time]:
                self._rouse(one)

    def _rouse(self, sleeper: _Sleeper) -> None:
        self._sleepers.remove(sleeper)
        sleeper.is_awake = True
        self._busy += 1
        self._changed.notify_all()
