"""What breadth-first would have found by now, estimated while a crawl goes another way.

A ranking that learns must not find clearly less than breadth-first, which learns nothing. Nobody can know what
breadth-first would have found without going its way, but a *conservative bandit* (Wu and others 2016) bounds the loss:
it goes its own way only while what it has found covers what the baseline would have found, up to a small share and an
allowance, with the baseline judged by an upper estimate. So at first it follows breadth-first for the most part; where
that finds much, it keeps to it until something better is known; where it finds nothing, the estimate falls with each
page, and the share of breadth-first with it.

Breadth-first stands at the first address that waits. It has passed all pages found before that one, whoever visited
them, and what they were is known. The pages that the crawl visited beyond are those that it is behind.
"""

import heapq
from dataclasses import dataclass

import msgspec


@dataclass(frozen=True, kw_only=True)
class BaselineSettings:
    """How much may be lost against breadth-first; `python -m bench.crawl.fit_ranking` compares them with others."""

    share: float = 0.05
    """Of what breadth-first would have found."""
    allowance: float = 3.0
    """Targets that may be lost beyond that share."""
    prior: float = 2.0
    """Pages that the hope counts for that the next page of breadth-first is a target."""
    window: int = 50
    """Pages of breadth-first over which its harvest is estimated."""


_MOST_AHEAD = 2_000  # pages beyond where breadth-first stands whose order is kept; it seldom comes so far


class BaselineState(msgspec.Struct):
    """How far breadth-first has come, what it found, and the pages visited beyond."""

    passed: int = 0
    hits: float = 0.0
    recent: list[float] = []
    ahead: list[tuple[int, int, float]] = []
    forgotten: int = 0
    found: float = 0.0


class Baseline:
    """Keeps what was visited in the order of breadth-first."""

    def __init__(self, settings: BaselineSettings, state: BaselineState | None = None) -> None:
        self._settings = settings
        self._state = state or BaselineState()

    def state(self) -> BaselineState:
        """What was kept, to go on after a stop."""
        return self._state

    def visited(self, depth: int, order: int, *, by_breadth: bool, found: float) -> None:
        """Take in a page: how deep it lies, how many addresses were found before it, and how likely it is a target."""
        state = self._state
        state.found += found
        heapq.heappush(state.ahead, (depth, order, found))
        if by_breadth:
            while state.ahead and state.ahead[0][:2] <= (depth, order):
                self._pass(heapq.heappop(state.ahead)[2])
        elif len(state.ahead) > _MOST_AHEAD:
            state.ahead.remove(max(state.ahead))
            heapq.heapify(state.ahead)
            state.forgotten += 1

    def _pass(self, found: float) -> None:
        state = self._state
        state.passed += 1
        state.hits += found
        state.recent.append(found)
        if len(state.recent) > self._settings.window:
            del state.recent[0]

    @property
    def rate(self) -> float:
        """An upper estimate of the targets a page that breadth-first would find next."""
        state, prior = self._state, self._settings.prior
        mean = sum(state.recent) / max(1, len(state.recent))
        return min(1.0, mean + prior / (state.passed + prior))

    def is_covered(self, chance: float) -> bool:
        """Whether a page that is a target with some chance may be visited before the next one of breadth-first."""
        rate = self.rate
        if chance >= rate:
            return True
        state, settings = self._state, self._settings
        behind = len(state.ahead) + state.forgotten + 1
        due = (1 - settings.share) * (state.hits + behind * rate)
        return state.found + chance + settings.allowance >= due
