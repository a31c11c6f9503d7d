"""The flags of commands that run flows unattended: how they log, and where metrics and lineage go."""

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sightline.cli._console import log_to
from sightline.cli._flags import Flags, flag

if TYPE_CHECKING:
    from sightline.flow.operate import JsonLog
    from sightline.flow.run import RunWatcher


@dataclass(frozen=True, kw_only=True)
class OperatingFlags(Flags):
    """What is told of runs, and to whom."""

    log: Literal["text", "json"] = flag(
        "text", help="what standard error tells: lines for people, or one JSON object for each event"
    )
    metrics: Path | None = flag(
        None,
        help="write metrics for Prometheus to this file after each run, or to a file for each flow in this folder",
        metavar="FILE",
    )
    lineage: str = flag(
        "",
        help="append OpenLineage events to this file, or post them to this address",
        metavar="FILE|URL",
    )

    @property
    def is_quiet(self) -> bool:
        """Whether standard error is for programs, so that no table is drawn there."""
        return self.log == "json"

    def opened_log(self) -> "JsonLog | None":
        """The log, if it is one for programs; from now on it takes remarks and errors as well."""
        if not self.is_quiet:
            return None
        from sightline.flow.operate import JsonLog  # with Arrow, which help does not need

        log = JsonLog(_write)
        log_to(sys.stderr, log.message)
        return log

    def watchers(self, log: "JsonLog | None") -> "list[RunWatcher]":
        """Who is told of each run; the log comes last, and so knows what the others have to complain of."""
        found: list[RunWatcher] = []
        if self.lineage:
            from sightline.flow.operate import LineageSender

            found.append(LineageSender.to(self.lineage))
        if self.metrics is not None:
            from sightline.flow.operate import MetricsFile

            found.append(MetricsFile(self.metrics))
        return found if log is None else [*found, log]


def _write(line: bytes) -> None:
    """Write one line at once: whoever handles a signal may write another one in the middle of this."""
    try:
        handle = sys.stderr.fileno()
    except OSError:  # no file, as in tests
        sys.stderr.buffer.write(line)
        return
    with suppress(OSError):  # whoever reads the log may have gone, which is no reason to stop
        while line:
            line = line[os.write(handle, line) :]
