"""A thousand steps in one session: memory must stay flat, and nothing may be left running."""

import statistics
from dataclasses import dataclass

from bench.frame import Figure
from bench.navigate.actions import DESK
from bench.processes import members, told_by
from bench.site import served

STEPS = 1_000
WARM_UP = 200
BLOCK = 100
MOST_GROWTH = 0.1


@dataclass(frozen=True)
class LongSession:
    """The megabytes by hundreds of steps, of our process and of the browser, and the processes left."""

    own: tuple[float, ...]
    browser: tuple[float, ...]
    left: int


def long_session(steps: int = STEPS) -> LongSession:
    """Walk in a process of its own."""
    with served(DESK) as address:
        told = told_by("bench.navigate.walk", address, str(steps))
    own, browser = (_blocks(told[name]) for name in ("own", "browser"))
    return LongSession(own, browser, members(told["group"]))


def long_session_figures(walked: LongSession) -> tuple[Figure, ...]:
    """How much memory the last hundred steps needed beside those right after the warm-up."""
    begin = WARM_UP // BLOCK
    both = tuple(map(sum, zip(walked.own, walked.browser, strict=True)))
    growths = [
        Figure(
            f"session: growth of {name} over {len(walked.own) * BLOCK:,} steps",
            series[-1],
            series[begin],
            series[-1] / series[begin] - 1,
            MOST_GROWTH,
            "lower",
            "growth",
        )
        for name, series in (("our memory", walked.own), ("our memory and the browser's", both))
    ]
    return (*growths, Figure.of("session: processes left", walked.left, 0, "lower"))


def _blocks(series: list[int]) -> tuple[float, ...]:
    return tuple(statistics.mean(series[at : at + BLOCK]) / 1e6 for at in range(0, len(series), BLOCK))
