"""How much work something is, counted and not timed: the same on every machine, however busy it is."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

__all__ = ["effort", "growth"]


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
