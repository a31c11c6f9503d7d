"""The end of a batch: the audit, the manifest, the summary, and Delta tables by choice.

A batch that was finished before is not read again: a look at its files says whether they are all there.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from pyarrow import parquet

from sightline.extract.wrappers import Wrapper
from sightline.files import make_folder
from sightline.scale._spec import BatchSpec, pack_references, unpack_references
from sightline.scale.drift import Estimate, estimate, spread_positions
from sightline.scale.inputs import DocumentReference
from sightline.scale.ledger import Ledger, ListedPart, NewShard, ShardRow
from sightline.scale.output import (
    DOCUMENTS,
    MANIFEST,
    RECORDS,
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

__all__ = ["SAMPLE_FOLDER", "SampleRun", "add_sample", "estimated", "finish", "maker_of", "sum_up"]


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


# A sample: some documents from all over the inputs, read first, to say what the whole will give, take and cost.
#
# It is a small batch of its own in a folder of `sample/`: a job of the same ledger, read by the same engine, with the
# same protection. The whole reads its documents again, so that no row depends on whether there was a sample.

SAMPLE_FOLDER = "sample"
_SHARDS_A_WORKER = 4  # so that no worker waits long for the last one
_ID_LETTERS = 16


@dataclass(frozen=True)
class SampleRun:
    """What a sample says about the whole."""

    folder: Path
    estimate: Estimate

    def to_text(self) -> str:
        """The estimate as plain text."""
        return self.estimate.to_text()

    def to_json(self) -> dict[str, Any]:
        """The estimate as plain values."""
        return self.estimate.to_json()


def add_sample(whole: Ledger, book: Ledger, folder: Path, count: int, workers: int) -> None:
    """Put a sample of a batch that is listed into a ledger as a job of its own, unless it is there already."""
    for name in (RECORDS, DOCUMENTS):
        make_folder(folder / name)
    book.begin("sample", b"")
    if not book.open_shards():
        return
    size = max(1, count // (workers * _SHARDS_A_WORKER))
    for name, references in _by_input(_chosen(whole, count)):
        known = whole.input(name)
        assert known is not None  # its shards came from there
        book.add_inputs([(name, known.identity, known.told)])
        source = book.input(name)
        assert source is not None
        chunks = [references[first : first + size] for first in range(0, len(references), size)]
        shards = [_shard(book.job, name, number, chunk) for number, chunk in enumerate(chunks)]
        book.add_listed([ListedPart(source.number, shards, len(references))])
    book.finish_listing()


def _chosen(whole: Ledger, count: int) -> Iterator[tuple[str, DocumentReference]]:
    """The documents of a sample with the names of their inputs; only shards that have one are unpacked."""
    wanted = spread_positions(whole.counts().documents, count)
    first = 0
    for shard in whole.shards():
        begin, end = (bisect_left(wanted, place) for place in (first, first + shard.documents))
        here = [place - first for place in wanted[begin:end]]
        references = unpack_references(shard.references) if here else []
        yield from ((shard.input, references[place]) for place in here)
        first += shard.documents


def _by_input(chosen: Iterator[tuple[str, DocumentReference]]) -> list[tuple[str, list[DocumentReference]]]:
    found: dict[str, list[DocumentReference]] = {}
    for name, reference in chosen:
        found.setdefault(name, []).append(reference)
    return list(found.items())


def _shard(job: str, name: str, number: int, references: list[DocumentReference]) -> NewShard:
    told = "\n".join((job, name, *(reference.id for reference in references)))
    digest = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_LETTERS]
    return NewShard(digest, number, len(references), pack_references(references))


def estimated(book: Ledger, folder: Path, spec: BatchSpec, documents: int, workers: int, price: float) -> SampleRun:
    """What the sample in a ledger says about that many documents."""
    facts = [msgspec.json.decode(shard.told, type=PartFacts) for shard in book.shards() if shard.done]
    table = parquet.read_table(folder / DOCUMENTS, columns=["seconds", "cpu_seconds"])
    found = estimate(
        facts,
        maker_of(spec).fields,
        seconds=table["seconds"].to_pylist(),
        cpu_seconds=table["cpu_seconds"].to_pylist(),
        documents=documents,
        workers=workers,
        price=price,
        by_wrapper=bool(spec.wrapper),
    )
    return SampleRun(folder, found)
