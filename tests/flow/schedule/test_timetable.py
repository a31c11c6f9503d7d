"""Timetables: what words mean, what is due when the clock is set, and what is said of words that mean nothing."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.errors import UsageError
from sightline.flow.schedule import Timetable

from ._timetables import DAY, DAY_NAMES, Clock, clock_times, found, instants, zones

SPAN = 7  # days that are looked at minute by minute
AFTER = datetime(2026, 10, 23, tzinfo=UTC)  # a Friday, two days before the clocks of Europe are set back


def _next(text: str, after: datetime = AFTER, count: int = 3) -> list[str]:
    return [f"{due:%Y-%m-%d %H:%M %z}" for due in islice(Timetable.read(text).times(after), count)]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("every weekday at 6:30 Europe/Vienna", "every weekday at 6:30 Europe/Vienna"),
        ("Weekdays at 06:30 europe/vienna", "every weekday at 6:30 Europe/Vienna"),
        ("Mon to Fri at 6:30 am UTC", "every weekday at 6:30 UTC"),
        ("daily at 18:00 and 6:30 UTC", "every day at 6:30 and 18:00 UTC"),
        ("at 6:30 p.m., noon and midnight UTC", "every day at 0:00, 12:00 and 18:30 UTC"),
        ("at 12 am UTC", "every day at 0:00 UTC"),
        ("every weekend at 8:00 UTC", "every weekend at 8:00 UTC"),
        ("on Thursdays and mondays at 7pm in Asia/Tokyo", "every Monday and Thursday at 19:00 Asia/Tokyo"),
        ("weekly on Friday at 6:30 UTC", "every Friday at 6:30 UTC"),
        ("Friday to Monday at 6:30 UTC", "every Monday, Friday, Saturday and Sunday at 6:30 UTC"),
        ("hourly UTC", "every hour UTC"),
        ("every 90 minutes UTC", "every 90 minutes UTC"),
        ("every 120 minutes UTC", "every 2 hours UTC"),
        ("every 15 minutes on weekdays UTC", "every 15 minutes on weekdays UTC"),
        (
            "weekdays every 15 minutes from 8:00 to 18:00 UTC",
            "every 15 minutes between 8:00 and 18:00 on weekdays UTC",
        ),
        ("at 6:30 on the first day of the month UTC", "on the first day of the month at 6:30 UTC"),
        ("every last weekday of each quarter at 6:30 UTC", "on the last weekday of the quarter at 6:30 UTC"),
        ("on the 15th and 1st of the month at 6:30 UTC", "on the first and 15th day of the month at 6:30 UTC"),
        ("every other week on tue at 9:00 UTC", "every 2 weeks on Tuesday at 9:00 counted from 2024-01-01 UTC"),
        ("30  6 * * mon-fri UTC", "30 6 * * MON-FRI UTC"),
        ("@daily UTC", "0 0 * * * UTC"),
    ],
)
def test_words_have_a_canonical_form(text: str, canonical: str) -> None:
    """Words in any order, case and number become one form, which always names its zone."""
    assert str(Timetable.read(text)) == canonical
    assert Timetable.read(canonical) == Timetable.read(text)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("every weekday at 6:30 UTC", ["2026-10-23 06:30 +0000", "2026-10-26 06:30 +0000", "2026-10-27 06:30 +0000"]),
        ("on the first Monday of the month at 6:30 UTC", ["2026-11-02 06:30 +0000", "2026-12-07 06:30 +0000"]),
        ("on the last weekday of the month at 6:30 UTC", ["2026-10-30 06:30 +0000", "2026-11-30 06:30 +0000"]),
        ("on the last Friday of the quarter at 6:30 UTC", ["2026-12-25 06:30 +0000", "2027-03-26 06:30 +0000"]),
        ("on the third weekday of the year at 6:30 UTC", ["2027-01-05 06:30 +0000", "2028-01-05 06:30 +0000"]),
        ("on the last day of the year at 6:30 UTC", ["2026-12-31 06:30 +0000", "2027-12-31 06:30 +0000"]),
        ("on the 31st of the month at 6:30 UTC", ["2026-10-31 06:30 +0000", "2026-12-31 06:30 +0000"]),
        ("every 2 weeks on Monday at 6:30 UTC", ["2026-11-02 06:30 +0000", "2026-11-16 06:30 +0000"]),
        (
            "every 2 weeks on Monday at 6:30 counted from 2026-10-21 UTC",
            ["2026-11-02 06:30 +0000", "2026-11-16 06:30 +0000"],
        ),
        (
            "every 2 weeks on Monday at 6:30 counted from 2026-10-28 UTC",
            ["2026-10-26 06:30 +0000", "2026-11-09 06:30 +0000"],
        ),
        ("every 40 minutes between 8:00 and 9:00 UTC", ["2026-10-23 08:00 +0000", "2026-10-23 08:40 +0000"]),
        ("every 20 minutes Asia/Kathmandu", ["2026-10-23 06:00 +0545", "2026-10-23 06:20 +0545"]),
        ("0 0 29 2 * UTC", ["2028-02-29 00:00 +0000", "2032-02-29 00:00 +0000"]),
        ("0 12 * * MON#5 UTC", ["2026-11-30 12:00 +0000", "2027-03-29 12:00 +0000"]),
    ],
)
def test_words_mean_these_times(text: str, times: list[str]) -> None:
    """The next times of each kind of timetable, worked out by hand with a calendar."""
    assert _next(text, count=len(times)) == times


@pytest.mark.parametrize(
    ("text", "after", "times"),
    [
        # The clock goes from 2:00 to 3:00: 2:30 runs at 3:00, once, also together with what is due then.
        ("at 2:30 Europe/Vienna", "2026-03-28T12:00Z", ["2026-03-29 03:00 +0200", "2026-03-30 02:30 +0200"]),
        (
            "at 2:10, 2:50 and 3:00 Europe/Vienna",
            "2026-03-29T00:00Z",
            ["2026-03-29 03:00 +0200", "2026-03-30 02:10 +0200"],
        ),
        ("30 2 * * * Europe/Vienna", "2026-03-28T12:00Z", ["2026-03-29 03:00 +0200", "2026-03-30 02:30 +0200"]),
        ("*/20 2 * * * Europe/Vienna", "2026-03-28T12:00Z", ["2026-03-29 03:00 +0200", "2026-03-30 02:00 +0200"]),
        # It goes from 3:00 to 2:00: 2:30 runs the first time that it comes.
        ("at 2:30 Europe/Vienna", "2026-10-24T12:00Z", ["2026-10-25 02:30 +0200", "2026-10-26 02:30 +0100"]),
        ("30 2 * * * Europe/Vienna", "2026-10-24T12:00Z", ["2026-10-25 02:30 +0200", "2026-10-26 02:30 +0100"]),
        # Intervals go by elapsed time.
        ("every hour Europe/Vienna", "2026-03-29T00:00Z", ["2026-03-29 03:00 +0200", "2026-03-29 04:00 +0200"]),
        ("every hour Europe/Vienna", "2026-10-25T00:00Z", ["2026-10-25 02:00 +0100", "2026-10-25 03:00 +0100"]),
        ("0 * * * * Europe/Vienna", "2026-03-29T00:30Z", ["2026-03-29 03:00 +0200", "2026-03-29 04:00 +0200"]),
        ("0 * * * * Europe/Vienna", "2026-10-25T00:30Z", ["2026-10-25 02:00 +0100", "2026-10-25 03:00 +0100"]),
        ("30 * * * * Europe/Vienna", "2026-10-25T00:00Z", ["2026-10-25 02:30 +0200", "2026-10-25 02:30 +0100"]),
        (
            "every 50 minutes between 1:00 and 3:30 Europe/Vienna",
            "2026-03-28T12:00Z",
            ["2026-03-29 01:00 +0100", "2026-03-29 01:50 +0100", "2026-03-30 01:00 +0200"],
        ),
        # Lord Howe sets its clock by half an hour, from 2:00 to 2:30.
        ("at 2:15 Australia/Lord_Howe", "2026-10-03T12:00Z", ["2026-10-04 02:30 +1100", "2026-10-05 02:15 +1100"]),
        ("*/10 3 * * * Australia/Lord_Howe", "2026-10-03T15:00Z", ["2026-10-04 03:00 +1100", "2026-10-04 03:10 +1100"]),
        # Apia had no 30 December in 2011: what was due then runs when the 31st begins.
        (
            "at 6:30 and 18:00 Pacific/Apia",
            "2011-12-30T04:00Z",
            ["2011-12-31 00:00 +1400", "2011-12-31 06:30 +1400", "2011-12-31 18:00 +1400"],
        ),
        ("every 12 hours Pacific/Apia", "2011-12-29T22:00Z", ["2011-12-29 13:00 -1000", "2011-12-31 01:00 +1400"]),
        # Havana sets its clock at midnight.
        ("at midnight America/Havana", "2026-03-07T12:00Z", ["2026-03-08 01:00 -0400", "2026-03-09 00:00 -0400"]),
    ],
)
def test_clock_that_is_set(text: str, after: str, times: list[str]) -> None:
    """A time that is skipped runs when the gap ends, a time that comes twice runs once, and intervals go on."""
    assert _next(text, datetime.fromisoformat(after), len(times)) == times


def test_zone_is_the_local_one_without_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a zone it is that of the machine, and what is shown says which."""
    monkeypatch.setattr("tzlocal.get_localzone_name", lambda: "Asia/Kathmandu")
    assert str(Timetable.read("every day at 6:30")) == "every day at 6:30 Asia/Kathmandu"
    assert "Asia/Kathmandu" in Timetable.read("every day at 6:30").describe(AFTER)


def test_describe_says_the_next_times() -> None:
    """The next times come with their day and the name of the offset, with seconds only where there are some."""
    daily = Timetable.read("daily at 6:30 Europe/Vienna")
    assert daily.describe(AFTER + DAY, 2).endswith("next: Sat 2026-10-24 06:30 CEST, Sun 2026-10-25 06:30 CET")
    assert "00:00:30 UTC, Fri 2026-10-23 00:01 UTC" in Timetable.read("every 30 seconds UTC").describe(AFTER)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("every wekday at 6:30", "did you mean “weekday”?"),
        ("evry day at 6:30", "did you mean “every”?"),
        ("every day at 6:30 Europe/Viena", "did you mean Europe/Vienna?"),
        ("30 6 * * 1-5 Europe/Viena", "did you mean Europe/Vienna?"),
        ("every day at 6:30 Vienna", "did you mean Europe/Vienna?"),
        ("every day at 6", "write 6:00 or 6 am"),
        ("every day at 26:30", "not a time of the day"),
        ("every day at 13 pm", "not a time of the day"),
        ("every day", "does not say at what time"),
        ("", "does not say at what time"),
        ("every 0 minutes", "at least a second"),
        ("every 99999999999999999999 hours", "at most a year"),
        ("every 3 days at 6:30", "count seconds, minutes, hours or weeks"),
        ("every 3 wekdays at 6:30", "did you mean “weekday”?"),
        ("every 60 weeks on Monday at 6:30", "1 to 53 weeks"),
        ("every 2 weeks at 6:30", "weeks need their days"),
        ("every 15 minutes at 6:30", "an interval and times"),
        ("every 15 minutes between 8:00 and 8:00", "ends when it begins"),
        ("every 15 minutes between 8:00", "needs two times"),
        ("between 8:00 and 9:00", "“between” needs an interval"),
        ("at 6:30 at 7:30", "gives times twice"),
        ("weekly every 2 weeks on Monday at 6:30", "gives weeks twice"),
        ("every Monday at 6:30 and Thursday at 7:00", "“thursday” cannot stand where it does"),
        ("every day at 6:30 and", "ends too early"),
        ("on the first Monday at 6:30", "of the month"),
        ("on the 32nd of the month at 6:30", "up to 31"),
        ("on the 6th Monday of the month at 6:30", "up to 5"),
        ("at 6:30 counted from 2026-01-01", "only “every 2 weeks”"),
        ("every 2 weeks on Monday at 6:30 counted from soon", "“soon” is not a date"),
        ("30 6 * *", "4 fields"),
        ("61 6 * * *", "bad minute"),
        ("0 0 30 2 *", "bad day-of-month"),
        ("0 0 */30 2 1#3", "never comes"),
    ],
)
def test_words_that_mean_nothing(text: str, said: str) -> None:
    """Each mistake is an error that says what is wrong, and what to write instead."""
    with pytest.raises(UsageError) as problem:
        Timetable.read(text)
    assert said in str(problem.value)


def test_time_without_a_zone_is_refused() -> None:
    """`next` of a time that could be anywhere is an error, not a guess."""
    with pytest.raises(UsageError, match="has no zone"):
        Timetable.read("hourly UTC").next(datetime(2026, 1, 1))


# ---------------------------------------------------------------------- by chance, over zones and years

day_sets = st.sets(st.integers(0, 6), min_size=1).map(sorted)
time_lists = st.lists(clock_times, min_size=1, max_size=4, unique=True)


def _days_text(days: list[int]) -> str:
    return " and ".join(DAY_NAMES[day] for day in days)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Words of every kind of timetable."""
    at = "at " + ", ".join(f"{one:%H:%M}" for one in draw(time_lists))
    days = _days_text(draw(day_sets))
    interval = f"every {draw(st.integers(1, 600))} {draw(st.sampled_from(['seconds', 'minutes', 'hours']))}"
    first, last = draw(st.lists(clock_times, min_size=2, max_size=2, unique=True))
    between = f"between {first:%H:%M} and {last:%H:%M}"
    place = draw(st.sampled_from(["first", "second", "last", "first and last", "5th"]))
    kind = draw(st.sampled_from(["day", "weekday", *DAY_NAMES]))
    period = draw(st.sampled_from(["month", "quarter", "year"]))
    weeks = f"every {draw(st.integers(1, 53))} weeks on {days}"
    choices = [f"every {days} {at}", interval, f"{interval} {between}", f"{interval} {between} on {days}"]
    choices += [f"on the {place} {kind} of the {period} {at}", f"{weeks} {at}", f"{interval} {weeks}"]
    choices += [f"{draw(st.integers(0, 59))} {draw(st.integers(0, 23))} * * {draw(st.integers(0, 7))}"]
    return f"{draw(st.sampled_from(choices))} {draw(zones).key}"


@given(texts())
def test_canonical_form_reads_to_the_same_timetable(text: str) -> None:
    """What a timetable says of itself is a timetable, the same one, in the same words."""
    timetable = Timetable.read(text)
    assert Timetable.read(str(timetable)) == timetable
    assert str(Timetable.read(str(timetable))) == str(timetable)


@given(texts(), st.data())
@settings(deadline=None)
def test_times_increase_from_wherever_they_are_asked_for(text: str, data: st.DataObject) -> None:
    """Each time is later than the one before, and is the next one of every instant between the two."""
    timetable = Timetable.read(text)
    after = data.draw(instants(timetable.zone))
    times = [after, *found(list(islice(timetable.times(after), 5)))]
    for one, other in pairwise(times):
        assert one < other
        between = one + (other - one) * data.draw(st.floats(0, 0.999))
        assert timetable.next(between).astimezone(UTC) == other


def _expected_at(clock: Clock, days: list[int], times: list[time]) -> set[datetime]:
    walls = [datetime.combine(day, at) for day in clock.dates if day.weekday() in days for at in times]
    return {clock.first(wall) for wall in walls}


def _checked(timetable: Timetable, clock: Clock, expected: set[datetime]) -> None:
    wanted = clock.between(expected)
    begin, end = clock.minutes[0] + 2 * DAY, clock.minutes[-1] - 2 * DAY
    assert found(list(timetable.times(begin, end))) == wanted


def _clock(data: st.DataObject, zone: ZoneInfo) -> Clock:
    return Clock(zone, data.draw(instants(zone)) - 3 * DAY, SPAN)


@pytest.mark.slow
@given(zones, day_sets, time_lists, st.data())
@settings(deadline=None, max_examples=60)
def test_no_time_of_the_clock_is_missed_or_doubled(
    zone: ZoneInfo, days: list[int], times: list[time], data: st.DataObject
) -> None:
    """Times on days are those that looking at the clock every minute gives, each once, in words and by cron."""
    clock = _clock(data, zone)
    named = ", ".join(f"{one:%H:%M}" for one in times)
    timetable = Timetable.read(f"every {_days_text(days)} at {named} {zone.key}")
    _checked(timetable, clock, _expected_at(clock, days, times))
    cron_days = ",".join(str(day + 1) for day in days)
    cron = Timetable.read(f"{times[0].minute} {times[0].hour} * * {cron_days} {zone.key}")
    _checked(cron, clock, _expected_at(clock, days, times[:1]))


@pytest.mark.slow
@given(zones, st.sets(st.integers(0, 59) | st.sampled_from([0, 30]), min_size=1, max_size=4), day_sets, st.data())
@settings(deadline=None, max_examples=50)
def test_cron_of_every_hour_runs_whenever_the_clock_shows_it(
    zone: ZoneInfo, minutes: set[int], days: list[int], data: st.DataObject
) -> None:
    """With `*` for the hour, every minute at which the clock shows what fits is due, and no other."""
    clock = _clock(data, zone)
    text = f"{','.join(map(str, sorted(minutes)))} * * * {','.join(str(day + 1) for day in days)} {zone.key}"
    shown = zip(clock.minutes, clock.shown, strict=True)
    expected = {minute for minute, wall in shown if wall.minute in minutes and wall.weekday() in days}
    _checked(Timetable.read(text), clock, expected)


@pytest.mark.slow
@given(zones, st.integers(1, 400), st.lists(clock_times, min_size=2, max_size=2, unique=True), day_sets, st.data())
@settings(deadline=None, max_examples=50)
def test_no_step_of_a_window_is_missed_or_doubled(
    zone: ZoneInfo, step: int, window: list[time], days: list[int], data: st.DataObject
) -> None:
    """Steps begin when the clock first shows the start of the window, and go by elapsed time until it shows its end."""
    clock = _clock(data, zone)
    text = f"every {step} minutes between {window[0]:%H:%M} and {window[1]:%H:%M} on {_days_text(days)} {zone.key}"
    expected: set[datetime] = set()
    for day in clock.dates:
        if day.weekday() in days:
            begin, end = clock.first(datetime.combine(day, window[0])), clock.first(_end(day, window))
            number = int((min(end, clock.minutes[-1]) - begin) / timedelta(minutes=step)) + 1
            expected.update(begin + place * timedelta(minutes=step) for place in range(number))
    _checked(Timetable.read(text), clock, expected)


def _end(day: date, window: list[time]) -> datetime:
    return datetime.combine(day if window[0] < window[1] else day + DAY, window[1])


@given(zones, st.integers(1, 5000), st.data())
def test_intervals_are_of_elapsed_time(zone: ZoneInfo, minutes: int, data: st.DataObject) -> None:
    """Whatever the clock does, the same number of minutes is between two times."""
    times = islice(Timetable.read(f"every {minutes} minutes {zone.key}").times(data.draw(instants(zone))), 6)
    assert {other - one for one, other in pairwise(found(list(times)))} == {timedelta(minutes=minutes)}
