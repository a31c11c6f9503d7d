"""The benchmark of schedules: it finds nothing wrong with a month, and notices what is lost, doubled or made up."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from bench.flow.schedule import _unexplained, schedule_figures

from sightline.flow.schedule import ScheduleEntry

DUES = [datetime(2026, 3, day, 6, tzinfo=UTC) for day in range(1, 6)]
ENTRIES = [ScheduleEntry(number, "done", due, due) for number, due in enumerate(DUES)]
END = DUES[-1] + timedelta(days=2)


@pytest.mark.slow
def test_month_of_schedules_has_no_run_twice_and_none_missed() -> None:
    """The simulation runs, with some kills, and every bound is kept."""
    figures = {figure.name.partition(": ")[2]: figure for figure in schedule_figures(days=30)}
    assert all(figure.kept for figure in figures.values())
    assert figures["kills"].value > 0
    assert figures["due times"].value > 1000


@pytest.mark.parametrize(
    ("entries", "count"),
    [
        (ENTRIES, 0),
        (ENTRIES[1:], 1),
        ([*ENTRIES, ENTRIES[0]], 1),
        ([replace(ENTRIES[0], until=DUES[1], count=2), *ENTRIES[2:]], 0),
        ([replace(ENTRIES[0], until=DUES[1], count=3), *ENTRIES[2:]], 1),
        ([replace(ENTRIES[0], due=DUES[0] + timedelta(hours=1), until=DUES[0] + timedelta(hours=1)), *ENTRIES[1:]], 2),
    ],
)
def test_every_fault_of_a_history_is_counted(entries: list[ScheduleEntry], count: int) -> None:
    """A missing entry, a second one, a wrong count and an entry for a time that is not due each count."""
    assert _unexplained(DUES, entries, END) == count
