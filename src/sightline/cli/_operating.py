"""The flags of commands that run flows unattended: how they log, and where metrics and lineage go."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sightline.cli._console import log_to
from sightline.cli._flags import Flags, flag

if TYPE_CHECKING:
    from sightline.flow.operate import JsonLog
    from sightline.flow.run import RunWatcher
    from sightline.flow.schedule import FlowOrder


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
        from sightline.flow.operate import JsonLog, log_line  # with Arrow, which help does not need

        log = JsonLog(log_line)
        log_to(sys.stderr, log.message)
        return log

    def order(self, file: str, store: str, variables: Mapping[str, str], *, trust: bool) -> "FlowOrder":
        """What a schedule has done of a flow, whose runs are watched in the process that does them."""
        from sightline.flow.schedule import FlowOrder

        now = datetime.now(UTC)
        told = {"lineage": self.lineage, "metrics": str(self.metrics or "")}
        return FlowOrder(file, store, now, variables, trust, **told, log=self.is_quiet)

    def watchers(self) -> "tuple[RunWatcher, ...]":
        """Who is told of each run; places that can't be meant are refused."""
        if not (self.lineage or self.metrics or self.is_quiet):
            return ()
        from sightline.flow.operate import watchers_of

        return watchers_of(self.lineage, str(self.metrics or ""), log=self.is_quiet)
