"""Flows that nobody watches: their log as JSON lines, metrics of Prometheus, and lineage by OpenLineage."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.flow.operate._json_log import JsonLog, LogLevel
    from sightline.flow.operate._lineage import LineageSender
    from sightline.flow.operate._lineage_events import lineage_event, lineage_run_id
    from sightline.flow.operate._metrics import MetricsFile, metrics_text
    from sightline.flow.operate._watchers import log_line, watchers_of

__all__ = [
    "JsonLog",
    "LineageSender",
    "LogLevel",
    "MetricsFile",
    "lineage_event",
    "lineage_run_id",
    "log_line",
    "metrics_text",
    "watchers_of",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_json_log": "JsonLog LogLevel",
        "_lineage": "LineageSender",
        "_lineage_events": "lineage_event lineage_run_id",
        "_metrics": "MetricsFile metrics_text",
        "_watchers": "log_line watchers_of",
    },
)
