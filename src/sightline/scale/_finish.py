"""The end of a batch: the audit, the manifest, the summary, and Delta tables by choice.

A batch that was finished before is not read again: a look at its files says whether they are all there.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from sightline.extract.wrappers import Wrapper
from sightline.scale._packing import unpack_references
from sightline.scale._spec import BatchSpec
from sightline.scale.ledger import Ledger, ShardRow
from sightline.scale.output import (
    MANIFEST,
    AuditedShard,
    BatchAudit,
    BatchSummary,
    PartFacts,
    RowMaker,
    audit,
    summarise,
    write_manifest,
    write_summary,
)

__all__ = ["finish", "maker_of", "sum_up"]


def finish(book: Ledger, folder: Path, spec: BatchSpec, *, verify: bool, delta: bool) -> BatchAudit:
    """Check what was written, by the id of every document; if all is there, write the manifest."""
    known = (folder / MANIFEST).exists()
    audited = audit(folder, map(_audited, book.shards()), quick=known and not verify)
    if not audited.is_complete:
        (folder / MANIFEST).unlink(missing_ok=True)
    elif not known or verify:
        write_manifest(folder, (facts for _, facts in _facts(book)), maker_of(spec).schema, audited, spec.digest)
    if delta and audited.is_complete:
        _deliver(book, folder, spec)
    return audited


def sum_up(  # noqa: PLR0913
    book: Ledger,
    folder: Path,
    spec: BatchSpec,
    *,
    title: str,
    audited: BatchAudit | None,
    elapsed: float | None = None,
    workers: int | None = None,
) -> BatchSummary:
    """Sum up what is done so far; it is written if anything was done just now, else only returned."""
    summary = summarise(
        folder,
        _facts(book),
        maker_of(spec).fields,
        title=title,
        elapsed=elapsed,
        workers=workers,
        stopped=book.stopped(),
        audited=audited,
    )
    if elapsed is not None or not (folder / "summary.json").exists():
        write_summary(folder, summary)
    return summary


def maker_of(spec: BatchSpec) -> RowMaker:
    """What makes the rows of a batch, and knows their columns."""
    return RowMaker(spec, Wrapper.loads(spec.wrapper) if spec.wrapper else None)


def _audited(shard: ShardRow) -> AuditedShard:
    ids = [reference.id for reference in unpack_references(shard.references)]
    return AuditedShard(shard.id, ids, _facts_of(shard) if shard.done else None)


def _facts_of(shard: ShardRow) -> PartFacts:
    return msgspec.json.decode(shard.told, type=PartFacts)


def _facts(book: Ledger) -> Iterator[tuple[str, PartFacts]]:
    return ((shard.id, _facts_of(shard)) for shard in book.shards() if shard.done)


def _deliver(book: Ledger, folder: Path, spec: BatchSpec) -> None:
    from sightline.scale.output import deliver_delta  # deltalake is an extra

    deliver_delta(folder, (shard.id for shard in book.shards()), maker_of(spec).schema, spec.digest)
