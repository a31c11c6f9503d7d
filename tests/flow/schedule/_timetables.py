"""Timetables by chance, and what they mean, found minute by minute."""

from bisect import bisect_right
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from sightline.flow.schedule._rules import next_shift

# Zones whose clocks are set by an hour, by half an hour, at midnight, across the date line, in Ramadan, or never.
ZONES = (
    "Europe/Vienna",
    "America/New_York",
    "America/Havana",
    "America/Santiago",
    "America/St_Johns",
    "America/Caracas",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "Asia/Pyongyang",
    "UTC",
)
DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)

zones = st.sampled_from(ZONES).map(ZoneInfo)
clock_times = st.builds(time, st.integers(0, 23), st.integers(0, 59))


@st.composite
def instants(draw: st.DrawFn, zone: ZoneInfo) -> datetime:
    """Any minute of some decades; half of them shortly before the clock is set, the year ends, or a leap day."""
    any_time = datetime(1996, 1, 1, tzinfo=UTC) + draw(st.integers(0, 40 * 365 * 24 * 60)) * MINUTE
    earlier = draw(st.integers(0, 2 * 24 * 60)) * MINUTE
    match draw(st.sampled_from(["any", "shift", "shift", "year", "leap"])):
        case "shift":
            return (next_shift(any_time, any_time + 400 * DAY, zone) or any_time) - earlier
        case "year":
            return datetime(any_time.year, 12, 31, tzinfo=UTC) - earlier
        case "leap":
            return datetime(any_time.year // 4 * 4, 2, 29, tzinfo=UTC) - earlier
    return any_time


class Clock:
    """What the clock of a zone shows at every minute of a span of days."""

    def __init__(self, zone: ZoneInfo, begin: datetime, days: int) -> None:
        self.minutes = [begin + number * MINUTE for number in range(days * 24 * 60)]
        self.shown = [minute.astimezone(zone).replace(tzinfo=None, fold=0) for minute in self.minutes]

    @property
    def dates(self) -> list[date]:
        """Every date of the calendar in the span, also one that the clock skips."""
        first, last = self.shown[0].date(), self.shown[-1].date()
        return [first + number * DAY for number in range((last - first).days + 1)]

    def first(self, wall: datetime) -> datetime:
        """The first minute at which the clock shows a time, or a later one."""
        return next(
            (minute for minute, shown in zip(self.minutes, self.shown, strict=True) if shown >= wall),
            datetime.max.replace(tzinfo=UTC),
        )

    def between(self, dues: set[datetime], margin: int = 2) -> list[datetime]:
        """Those that are far enough from the ends of the span to be found for certain."""
        ordered = sorted(dues)
        first = bisect_right(ordered, self.minutes[0] + margin * DAY)
        return ordered[first : bisect_right(ordered, self.minutes[-1] - margin * DAY)]


def found(timetable_times: list[datetime]) -> list[datetime]:
    """Times as instants."""
    return [due.astimezone(UTC) for due in timetable_times]
