"""What becomes of due times that have come, decided on values alone."""

from datetime import datetime, timedelta
from typing import Literal

import pytest

from sightline.flow.schedule._decide import DueDecision, Situation, decide

from ._services import at, flow

HOURS = [at(f"03-02 {hour:02}:00") for hour in range(6, 12)]
DOWN = Situation(now=at("03-02 11:30"), awake_since=at("03-02 11:30"))


def _shown(decision: DueDecision) -> tuple[int | None, list[int], list[int]]:
    """The hours that are run, covered and skipped."""
    skipped = [one.hour for group in decision.skipped for one in group.times]
    return decision.run.hour if decision.run else None, [one.hour for one in decision.covered], skipped


@pytest.mark.parametrize(
    ("catch_up", "expected"),
    [
        ("one", (11, [6, 7, 8, 9, 10], [])),
        ("none", (None, [], [6, 7, 8, 9, 10, 11])),
        ("all", (9, [], [6, 7, 8])),
    ],
)
def test_catching_up(catch_up: str, expected: tuple[int | None, list[int], list[int]]) -> None:
    """After an outage one run stands for all missed times, or none does, or the latest few run one by one."""
    hourly = flow("hourly UTC", catch_up=catch_up, catch_up_limit=3)
    assert _shown(decide(hourly, HOURS, DOWN)) == expected


def test_time_that_is_barely_late_is_not_missed() -> None:
    """A schedule that begins a minute after a due time runs it, also if it does not catch up."""
    begins = Situation(now=at("03-02 11:01"), awake_since=at("03-02 11:01"))
    assert _shown(decide(flow("hourly UTC", catch_up="none"), HOURS, begins)) == (11, [], [6, 7, 8, 9, 10])


def test_time_that_waited_for_another_flow_is_not_missed() -> None:
    """Late because others ran is not missed: one run, also if the flow does not catch up."""
    busy = Situation(now=at("03-02 11:30"), awake_since=at("03-02 01:00"))
    assert _shown(decide(flow("hourly UTC", catch_up="none"), HOURS, busy)) == (11, [6, 7, 8, 9, 10], [])


@pytest.mark.parametrize(
    ("overlap", "expected"), [("skip", (11, [], [6, 7, 8, 9, 10])), ("queue", (11, [6, 7, 8, 9, 10], []))]
)
def test_times_that_came_while_the_flow_ran(
    overlap: Literal["skip", "queue"], expected: tuple[int | None, list[int], list[int]]
) -> None:
    """They are skipped, and the next one runs; or they are queued, which is one run."""
    ran = Situation(at("03-02 11:00"), at("03-01 00:00"), (at("03-02 05:00"), at("03-02 10:30")))
    assert _shown(decide(flow("hourly UTC", overlap=overlap), HOURS, ran)) == expected


def test_times_that_come_while_others_are_caught_up_wait_their_turn() -> None:
    """A run of 6:00 takes from 9:30 to 10:30: 7:00 to 9:00 are still to be run, and 10:00 comes after them."""
    caught = Situation(at("03-02 10:30"), at("03-02 09:30"), (at("03-02 09:30"), at("03-02 10:30")))
    assert _shown(decide(flow("hourly UTC", catch_up="all"), HOURS[1:5], caught)) == (7, [], [])


@pytest.mark.parametrize("jitter", [0, 60, 3600])
def test_jitter_is_fixed_and_within_its_bound(jitter: int) -> None:
    """The same name always starts equally late, at most by the bound and never earlier; other names start elsewhere."""
    delays = [flow("hourly UTC", f"flow {number}", jitter=jitter).delay for number in range(50)]
    assert delays == [flow("hourly UTC", f"flow {number}", jitter=jitter).delay for number in range(50)]
    assert all(timedelta() <= delay <= timedelta(seconds=jitter) for delay in delays)
    assert len({*delays}) > jitter / 3600 * 20


def test_jitter_belongs_to_the_start_and_not_to_the_due_time() -> None:
    """Whether a time was missed is judged by when it would have started."""
    flows = [flow("hourly UTC", name, jitter=3600, catch_up="none") for name in "abcdefgh"]
    late = max(flows, key=lambda one: one.delay)
    assert late.delay > timedelta(minutes=10)
    started: datetime = HOURS[0] + late.delay
    awake = Situation(now=started, awake_since=started - timedelta(minutes=1))
    assert decide(late, HOURS[:1], awake).run == HOURS[0]
