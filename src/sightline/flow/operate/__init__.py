"""Flows that nobody watches: their log as JSON lines, metrics of Prometheus, and lineage by OpenLineage."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.flow.operate._json_log import JsonLog, LogLevel
    from sightline.flow.operate._lineage import LineageSender
    from sightline.flow.operate._lineage_events import lineage_event, lineage_run_id
    from sightline.flow.operate._metrics import MetricsFile, metrics_text

__all__ = ["JsonLog", "LineageSender", "LogLevel", "MetricsFile", "lineage_event", "lineage_run_id", "metrics_text"]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_json_log": "JsonLog LogLevel",
        "_lineage": "LineageSender",
        "_lineage_events": "lineage_event lineage_run_id",
        "_metrics": "MetricsFile metrics_text",
    },
)
