"""The summary of a batch: made from what the ledger knows of its shards, and a few of their files."""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import orjson
import pyarrow as pa
from pyarrow import parquet

from sightline.files import write_bytes
from sightline.scale.output._audit import BatchAudit
from sightline.scale.output._facts import STATUSES, DocumentStatus, PartFacts, first_reason, reason_form
from sightline.scale.output._figures import (
    BatchFigures,
    CauseExample,
    CauseGroup,
    FieldFill,
    SlowDocument,
    StepSeries,
    changed_fields,
)
from sightline.scale.output._parts import DOCUMENTS, part_name
from sightline.scale.output._summary_html import page_of
from sightline.scale.output._summary_text import text_of

MOST_GROUPS = 20  # causes that a summary shows; the rest is counted
MOST_EXAMPLES = 3  # documents that it names for each
MOST_SLOW = 10
MOST_KEPT = 2000  # causes that are counted apart while shards are read; hostile pages have more


class BatchSummary(BatchFigures, frozen=True, kw_only=True):
    """What became of a batch, for people and programs."""

    def to_json(self) -> dict[str, Any]:
        """The summary as plain values."""
        document: dict[str, Any] = msgspec.to_builtins(self)
        if self.audited:
            document["audited"] |= {"is_complete": self.audited.is_complete, "sentence": str(self.audited)}
        return document

    def to_text(self) -> str:
        """The summary as plain text of at most 100 columns."""
        return text_of(self)

    def to_html(self) -> str:
        """The summary as one HTML page that needs nothing else."""
        return page_of(self)


def summarise(  # noqa: PLR0913 - keywords, each of them known to the driver alone
    folder: Path,
    shards: Iterable[tuple[str, PartFacts]],
    fields: Sequence[str],
    *,
    title: str = "",
    elapsed: float | None = None,
    workers: int | None = None,
    stopped: str = "",
    audited: BatchAudit | None = None,
) -> BatchSummary:
    """Sum up the shards of a batch, in order; of their files only those are read that hold an example.

    `fields` are those of its `RowMaker`. Time and memory grow with the number of shards alone, and hardly.
    """
    sums = _Sums(len(fields))
    for shard, facts in shards:
        sums.add(shard, facts)
    steps = sums.series.steps()
    groups, others = sums.groups()
    totals = sums.totals
    return BatchSummary(
        title=title,
        **{name: int(totals[name]) for name in ("documents", *STATUSES, "rows", "bytes", "file_bytes")},
        seconds=totals["seconds"],
        cpu_seconds=totals["cpu_seconds"],
        elapsed=elapsed,
        workers=workers,
        fields=tuple(
            FieldFill(name, filled, filled / max(1, int(totals["rows"])))
            for name, filled in zip(fields, sums.filled, strict=True)
        ),
        steps=steps,
        changed=changed_fields(steps, fields),
        causes=tuple(_with_examples(folder, group, where) for group, where in groups),
        other_causes=others,
        slowest=_slowest(folder, sums.slow),
        stopped=stopped,
        audited=audited,
    )


def write_summary(folder: Path, summary: BatchSummary) -> tuple[Path, ...]:
    """Write `summary.txt`, `summary.json` and `summary.html`."""
    document = orjson.dumps(summary.to_json(), option=orjson.OPT_INDENT_2)
    return (
        write_bytes(folder / "summary.txt", summary.to_text().encode()),
        write_bytes(folder / "summary.json", document + b"\n"),
        write_bytes(folder / "summary.html", summary.to_html().encode()),
    )


class _Sums:
    """The sums over shards, and where examples are."""

    def __init__(self, width: int) -> None:
        self.totals: Counter[str] = Counter()
        self.filled = [0] * width
        self.series = StepSeries()
        self.slow: list[tuple[float, str]] = []
        self._causes: Counter[tuple[DocumentStatus, str, str]] = Counter()
        self._where: dict[tuple[DocumentStatus, str, str], list[str]] = {}

    def add(self, shard: str, facts: PartFacts) -> None:
        """Add a shard."""
        for name in ("documents", *STATUSES, "rows", "bytes", "seconds", "cpu_seconds"):
            self.totals[name] += getattr(facts, name)
        self.totals["file_bytes"] += sum(file.bytes for file in facts.files)
        self.filled = [a + b for a, b in zip(self.filled, facts.filled, strict=True)]
        self.series.add(facts)
        heapq.heappush(self.slow, (facts.slowest, shard))
        if len(self.slow) > MOST_SLOW:
            heapq.heappop(self.slow)
        for one in facts.causes:
            key = (one.status, one.cause, one.reason)
            if key not in self._causes and len(self._causes) >= MOST_KEPT:
                key = (one.status, one.cause[:40], "")
            self._causes[key] += one.documents
            where = self._where.setdefault(key, [])
            if len(where) < MOST_EXAMPLES:
                where.append(shard)

    def groups(self) -> tuple[list[tuple[CauseGroup, list[str]]], int]:
        """The most frequent causes, each with shards that have examples, and how many documents have others."""
        ranked = self._causes.most_common()
        named = [(CauseGroup(*key, count), self._where[key]) for key, count in ranked[:MOST_GROUPS]]
        return named, sum(count for _, count in ranked[MOST_GROUPS:])


def _with_examples(folder: Path, group: CauseGroup, shards: Sequence[str]) -> CauseGroup:
    """The group with its first documents; a shard is read only if those before it had too few."""
    examples = islice((one for shard in shards for one in _alike(folder, group, shard)), MOST_EXAMPLES)
    return msgspec.structs.replace(group, examples=tuple(examples))


def _alike(folder: Path, group: CauseGroup, shard: str) -> Iterator[CauseExample]:
    for row in _documents(folder, shard):
        reason = first_reason(row["reasons"], row["source"])
        is_same = (row["status"], row["cause"]) == (group.status, group.cause)
        if is_same and (not group.reason or reason_form(reason) == group.reason):
            yield CauseExample(row["id"], row["source"], reason)


def _slowest(folder: Path, shards: Sequence[tuple[float, str]]) -> tuple[SlowDocument, ...]:
    """The slowest documents of all are in the shards with the slowest of their own."""
    rows = (row for _, shard in shards for row in _documents(folder, shard))
    slowest = heapq.nlargest(MOST_SLOW, rows, key=lambda row: float(row["seconds"]))
    names = msgspec.structs.fields(SlowDocument)
    return tuple(SlowDocument(**{field.name: row[field.name] for field in names}) for row in slowest)


def _documents(folder: Path, shard: str) -> Iterator[dict[str, Any]]:
    """The documents of a shard; none if its file cannot be read, which the audit says."""
    columns = ["id", "source", "status", "cause", "reasons", "seconds", "cpu_seconds"]
    try:
        with parquet.ParquetFile(folder / part_name(DOCUMENTS, shard)) as file:
            for batch in file.iter_batches(columns=columns):
                yield from batch.to_pylist()
    except (OSError, pa.ArrowException):
        return
