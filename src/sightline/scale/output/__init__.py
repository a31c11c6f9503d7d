"""What a batch writes: rows and documents as Parquet, by shard; see docs/scale.md."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.scale.output._audit import MANIFEST, AuditedShard, BatchAudit, audit, write_manifest
    from sightline.scale.output._delta import deliver_delta
    from sightline.scale.output._facts import (
        STATUSES,
        DocumentOutcome,
        DocumentStatus,
        PartCause,
        PartFacts,
        PartFile,
        reason_form,
    )
    from sightline.scale.output._figures import CauseExample, CauseGroup, FieldFill, SlowDocument, SummaryStep
    from sightline.scale.output._layout import escaped, storable_text
    from sightline.scale.output._parts import (
        DOCUMENT_SCHEMA,
        DOCUMENTS,
        RECORDS,
        discard_all_parts,
        discard_parts,
        part_name,
        publish_parts,
        write_parts,
    )
    from sightline.scale.output._rows import RowMaker
    from sightline.scale.output._summary import BatchSummary, summarise, write_summary
    from sightline.scale.output._summary_text import bytes_in_words, duration, one_line, percent

__all__ = [
    "DOCUMENTS",
    "DOCUMENT_SCHEMA",
    "MANIFEST",
    "RECORDS",
    "STATUSES",
    "AuditedShard",
    "BatchAudit",
    "BatchSummary",
    "CauseExample",
    "CauseGroup",
    "DocumentOutcome",
    "DocumentStatus",
    "FieldFill",
    "PartCause",
    "PartFacts",
    "PartFile",
    "RowMaker",
    "SlowDocument",
    "SummaryStep",
    "audit",
    "bytes_in_words",
    "deliver_delta",
    "discard_all_parts",
    "discard_parts",
    "duration",
    "escaped",
    "one_line",
    "part_name",
    "percent",
    "publish_parts",
    "reason_form",
    "storable_text",
    "summarise",
    "write_manifest",
    "write_parts",
    "write_summary",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_audit": "AuditedShard BatchAudit audit MANIFEST write_manifest",
        "_delta": "deliver_delta",
        "_facts": "PartCause PartFacts PartFile reason_form STATUSES DocumentOutcome DocumentStatus",
        "_summary_text": "bytes_in_words duration one_line percent",
        "_parts": "DOCUMENTS DOCUMENT_SCHEMA RECORDS "
        "discard_all_parts discard_parts part_name publish_parts write_parts",
        "_rows": "RowMaker",
        "_figures": "CauseExample CauseGroup FieldFill SlowDocument SummaryStep",
        "_summary": "BatchSummary summarise write_summary",
        "_layout": "escaped storable_text",
    },
)
