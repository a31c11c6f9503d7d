"""The figures of a batch that its summary shows."""

import msgspec

from sightline.scale.output._audit import BatchAudit
from sightline.scale.output._facts import DocumentStatus
from sightline.scale.output._steps import SummaryStep

__all__ = ["BatchFigures", "CauseExample", "CauseGroup", "FieldFill", "SlowDocument"]


class FieldFill(msgspec.Struct, frozen=True):
    """A field, and how many rows have a value in it."""

    name: str
    filled: int
    share: float


class CauseExample(msgspec.Struct, frozen=True):
    """A document that is not ok, with its first reason as it was given."""

    id: str
    source: str
    reason: str


class CauseGroup(msgspec.Struct, frozen=True):
    """Documents that are not ok for one cause, with examples; names and numbers are taken out of `reason`."""

    status: DocumentStatus
    cause: str
    reason: str
    documents: int
    examples: tuple[CauseExample, ...] = ()


class SlowDocument(msgspec.Struct, frozen=True):
    """A document that took long."""

    id: str
    source: str
    status: str
    seconds: float
    cpu_seconds: float


class BatchFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a batch, in figures and examples.

    `elapsed` is how long it ran, in seconds, with `workers`, if that is known; `stopped` says why it was stopped.
    """

    title: str = ""
    documents: int = 0
    ok: int = 0
    suspicious: int = 0
    failed: int = 0
    quarantined: int = 0
    rows: int = 0
    bytes: int = 0
    file_bytes: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    elapsed: float | None = None
    workers: int | None = None
    fields: tuple[FieldFill, ...] = ()
    steps: tuple[SummaryStep, ...] = ()
    changed: tuple[str, ...] = ()
    causes: tuple[CauseGroup, ...] = ()
    other_causes: int = 0
    slowest: tuple[SlowDocument, ...] = ()
    stopped: str = ""
    audited: BatchAudit | None = None

    @property
    def not_ok(self) -> int:
        """The documents that are suspicious, failed or quarantined."""
        return self.documents - self.ok

    def share(self, status: str) -> float:
        """The share of the documents with a status."""
        return float(getattr(self, status)) / self.documents if self.documents else 0.0
