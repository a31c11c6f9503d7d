"""Who is told of runs, by what a command was told; each process of a schedule has watchers of its own."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from sightline.flow.run import RunWatcher


def log_line(line: bytes) -> None:
    """Write a line to standard error at once: whoever handles a signal may write another one in the middle of this."""
    try:
        handle = sys.stderr.fileno()
    except OSError:  # no file, as in tests
        sys.stderr.buffer.write(line)
        return
    with suppress(OSError):  # whoever reads the log may have gone, which is no reason to stop
        while line:
            line = line[os.write(handle, line) :]


def watchers_of(lineage: str = "", metrics: str = "", *, log: bool = False) -> tuple[RunWatcher, ...]:
    """Those that send lineage to a place, write metrics to a file, and log to standard error.

    The log comes last, and so knows what the others have to complain of.
    """
    from sightline.flow.operate._json_log import JsonLog
    from sightline.flow.operate._lineage import LineageSender
    from sightline.flow.operate._metrics import MetricsFile

    found: list[RunWatcher] = []
    found += [LineageSender.to(lineage)] if lineage else []
    found += [MetricsFile(Path(metrics))] if metrics else []
    found += [JsonLog(log_line)] if log else []
    return tuple(found)
