"""How much work something is: counted, the same on every machine however busy it is; or timed, where nothing counts."""

import sys
from collections.abc import Callable
from time import process_time
from types import FrameType
from typing import Any

__all__ = ["effort", "growth", "slowdown"]

SEEMS_SLOW = 14.0  # times as long; what takes ten times as long need not be timed again
NOISE = 0.02  # seconds; shorter times say more about the machine than about the work


def effort(work: Callable[[], object]) -> int:
    """How many lines of Python are run by the work."""
    lines = 0

    def traced(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return traced

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        work()
    finally:
        sys.settrace(before)
    return lines


def growth(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """By how much the work grows when there are four times as many: about 4, and 16 if it grows with the square.

    `work(size)` prepares what is not counted and gives what is. It is done once before, so that what is made only once
    (tables of words, compiled expressions) counts for neither.
    """
    work(size)()
    return effort(work(4 * size)) / effort(work(size))


def slowdown(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """How many times as long work takes for ten times as much: about 10, and 100 if it grows with the square.

    For what is done in one call, such as searching by an expression, where no lines can be counted. It is the
    processor's time, the shortest of a few, so that a busy machine hardly matters; and the shorter of the two counts as
    `NOISE` at least, so that what takes no time at all is never found slow.
    """
    work(size)()
    small = min(_seconds(work(size)) for _ in range(2))
    large = _seconds(work(10 * size))
    for _ in range(5):  # again only if it seems slow
        if large > SEEMS_SLOW * max(small, NOISE):
            large = min(large, _seconds(work(10 * size)))
    return large / max(small, NOISE)


def _seconds(work: Callable[[], object]) -> float:
    begin = process_time()
    work()
    return process_time() - begin
