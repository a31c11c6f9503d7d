"""What reading costs: processor time of all processes, from the file to its tables, with everything warm."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import sightline as sl
from bench.pdf.ours import opened
from bench.processes import processor_seconds
from sightline.errors import SightlineError

ROUNDS = 3


@dataclass(frozen=True)
class Timing:
    """The processor time of a sheet in milliseconds, by all sheets that were read: opening alone, and with tables."""

    opening: float
    whole: float
    sheets: int


def timed(files: Sequence[Path]) -> Timing | None:
    """The median of some rounds over all files; None where none can be read."""
    readable = [path for path in files if _sheets(path)]  # the first look warms everything up
    if not readable:
        return None
    sheets = sum(_sheets(path) for path in readable)
    opening = statistics.median(_seconds(readable, with_tables=False) for _ in range(ROUNDS))
    whole = statistics.median(_seconds(readable, with_tables=True) for _ in range(ROUNDS))
    return Timing(1000 * opening / sheets, 1000 * whole / sheets, sheets)


def _sheets(path: Path) -> int:
    """How many sheets a document has; 0 where it cannot be read."""
    try:
        page = opened(path)
    except SightlineError:
        return 0
    sl.tables(page)
    return len(page.sheets)


def _seconds(files: Sequence[Path], *, with_tables: bool) -> float:
    """The time of one round; each page is a new one, so that nothing is remembered from the last."""
    began = processor_seconds()
    for path in files:
        page = opened(path)
        if with_tables:
            sl.tables(page)
    return processor_seconds() - began
