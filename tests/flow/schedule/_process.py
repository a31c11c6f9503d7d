"""A schedule in a process of its own: `python _process.py STORE BASE FACTOR TIMETABLE [CATCH_UP]`.

From the instant BASE on (seconds since 1970), its clock goes FACTOR times as fast as that of the machine; all processes
agree on it. A run is a line in `runs.txt`, and does not end while there is a file `hold`. Each event is a line of the
output.
"""

import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from sightline.flow.schedule import Schedule, ScheduledFlow, ScheduledRun, ScheduleSettings, Timetable

PAUSE = 0.005


class FastClock:
    """The clock of the machine, only faster."""

    def __init__(self, base: float, factor: float) -> None:
        self.base = datetime.fromtimestamp(base, UTC)
        self.factor = factor

    def now(self) -> datetime:
        """What it shows; with the factor 1, the present time."""
        return self.base + (datetime.now(UTC) - self.base) * self.factor

    def wait(self, seconds: float) -> None:
        """Wait that much less."""
        _say("sleeps")
        time.sleep(seconds / self.factor)
        _say("slept")

    def wake(self) -> None:
        """With one worker, no run ends while it waits."""


def main() -> None:
    """Serve until a signal comes."""
    store, base, factor, timetable, *more = sys.argv[1:]

    def run(this: ScheduledRun) -> str:
        time.sleep(PAUSE)
        with Path(store, "runs.txt").open("a") as stream:
            stream.write(f"{this.id} {this.attempt}\n")
        time.sleep(PAUSE)
        while Path(store, "hold").exists():
            time.sleep(PAUSE)
        return "fine"

    settings = ScheduleSettings(catch_up=more[0] if more else "one", attempts=1000)  # type: ignore[arg-type]
    schedule = Schedule(
        [ScheduledFlow("prices", Timetable.read(timetable), settings)],
        Path(store),
        run=run,
        on_event=lambda event: _say(type(event).__name__),
        clock=FastClock(float(base), float(factor)),
    )
    schedule.serve()
    _say("ended")


def _say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
