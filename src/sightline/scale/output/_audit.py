"""The audit of a batch: every document that was put in is in exactly one file, once, and every file is as written."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import orjson
import pyarrow as pa
from pyarrow import parquet

from sightline._version import __version__
from sightline.files import put_in_place, sync_folder
from sightline.scale.output._facts import STATUSES, PartFacts, PartFile
from sightline.scale.output._layout import escaped
from sightline.scale.output._parts import DOCUMENT_SCHEMA, DOCUMENTS, RECORDS, explained, part_name

LOOKED_AT = "Only the number and length of the files were compared; --verify reads them all."
MOST_NAMED = 100
"""Ids and files that an audit names; all of them are counted."""


class AuditedShard(msgspec.Struct, frozen=True):
    """A shard as the ledger has it: the ids that were put into it, and what its files hold, if it is done."""

    id: str
    ids: Sequence[str]
    facts: PartFacts | None = None


class BatchAudit(msgspec.Struct, frozen=True):
    """What an audit found: documents by status, and what is not as it should be.

    `documents` were put in; `lost` are those that no file has, `doubled` those that a file has more than once and
    `unknown` those that nobody put in. `wrong_rows` are rows of other documents, or missing ones. Some of them are
    named. `faulty_shards` are those that have to be done again, all of them. `contents` says whether the files were
    read, or only looked at; `mended` are the files that were damaged and have been made anew, `mending` says how.

    >>> print(BatchAudit(shards=1, documents=3, ok=2, failed=1, contents=True))
    3 documents: 2 ok, 0 suspicious, 1 failed, 0 quarantined; none lost, none doubled. All files were read.
    """

    shards: int = 0
    unfinished: int = 0
    documents: int = 0
    ok: int = 0
    suspicious: int = 0
    failed: int = 0
    quarantined: int = 0
    rows: int = 0
    files: int = 0
    file_bytes: int = 0
    lost: int = 0
    doubled: int = 0
    unknown: int = 0
    wrong_rows: int = 0
    damaged: int = 0
    lost_ids: tuple[str, ...] = ()
    doubled_ids: tuple[str, ...] = ()
    unknown_ids: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    faulty_shards: tuple[str, ...] = ()
    contents: bool = False
    mended: int = 0
    mending: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every document is accounted for, once, in files that are as they were written."""
        wrong = (self.unfinished, self.lost, self.doubled, self.unknown, self.wrong_rows, self.damaged)
        return not any(wrong) and self.documents == self.ok + self.suspicious + self.failed + self.quarantined

    def __str__(self) -> str:
        """The count in one sentence, as it is printed at the end of a job."""
        counts = ", ".join(f"{getattr(self, status):,} {status}" for status in STATUSES)
        wrong = [
            f"{self.lost:,} lost" if self.lost else "none lost",
            f"{self.doubled:,} doubled" if self.doubled else "none doubled",
            *([f"{self.unknown:,} unknown"] if self.unknown else []),
            *([f"{self.wrong_rows:,} rows wrong"] if self.wrong_rows else []),
            *([f"{self.damaged:,} files damaged"] if self.damaged else []),
            *([f"{self.unfinished:,} of {self.shards:,} shards not done"] if self.unfinished else []),
        ]
        return " ".join((f"{self.documents:,} documents: {counts}; {', '.join(wrong)}.", *self._checked()))

    def _checked(self) -> Iterator[str]:
        """What was looked at, and what was not as it should be when this began."""
        yield "All files were read." if self.contents else LOOKED_AT
        if self.mended:
            files = "1 file was" if self.mended == 1 else f"{self.mended:,} files were"
            yield f"{files} damaged or missing; what {'it' if self.mended == 1 else 'they'} held was made anew."

    def after(self, before: "BatchAudit | None") -> "BatchAudit":
        """This audit, after what another one found was made anew."""
        if before is None:
            return self
        mended = before.mended + max(0, before.damaged - self.damaged)
        told = (*before.mending, *(one for one in before.problems if one not in self.problems))
        return msgspec.structs.replace(self, mended=mended, mending=told[:MOST_NAMED])


def audit(folder: Path, shards: Iterable[AuditedShard], *, quick: bool = False) -> BatchAudit:
    """Compare the files in a folder with the ledger, shard by shard, by the id of every document.

    Memory does not grow with the number of documents. A `quick` audit opens no file: it looks whether all are there and
    as long as they were written, and compares the digests of the ids.
    """
    found = _Findings(folder)
    for shard in shards:
        found.look_at(shard, quick=quick)
    found.look_for_strangers()
    return msgspec.structs.replace(found.audit(), contents=not quick)


class _Findings:
    """What an audit has found so far."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._counts: Counter[str] = Counter()
        self._named: dict[str, list[str]] = {"lost": [], "doubled": [], "unknown": [], "problems": []}
        self._shards: set[str] = set()
        self._faulty: list[str] = []

    def look_at(self, shard: AuditedShard, *, quick: bool) -> None:
        """Compare one shard, and remember it if it is not as it should be."""
        before = self._wrong()
        (self.glance if quick else self.add)(shard)
        if shard.facts is not None and self._wrong() > before:
            self._faulty.append(shard.id)

    def _wrong(self) -> int:
        return sum(self._counts[what] for what in ("lost", "doubled", "unknown", "wrong_rows", "damaged"))

    def add(self, shard: AuditedShard) -> None:
        """Compare one shard by the id of every document."""
        self._shards.add(shard.id)
        wanted = [escaped(id) for id in shard.ids]
        self._counts.update(shards=1, documents=len(wanted))
        if shard.facts is None:
            self._counts["unfinished"] += 1
            self._name("lost", wanted)
            return
        for file in shard.facts.files:
            self._compare(file)
        documents = self._read(part_name(DOCUMENTS, shard.id), ["id", "status", "rows"])
        if documents is None:
            self._name("lost", wanted)
            return
        self._compare_ids(wanted, documents)
        self._compare_rows(documents, self._read(part_name(RECORDS, shard.id), ["_document"]))

    def glance(self, shard: AuditedShard) -> None:
        """Believe what was reported of a shard, if its files are there and it is about these documents."""
        self._shards.add(shard.id)
        facts = shard.facts
        ids = "\n".join(escaped(id) for id in shard.ids).encode()
        if facts is None or hashlib.sha256(ids).hexdigest() != facts.ids_digest:
            self.add(shard)
            return
        self._counts.update(shards=1, documents=len(shard.ids), rows=facts.rows)
        self._counts.update({status: getattr(facts, status) for status in STATUSES})
        for file in facts.files:
            self._compare_size(file)

    def look_for_strangers(self) -> None:
        """Find files that belong to no shard: readers of the folder would take them for rows of the batch."""
        for kind in (RECORDS, DOCUMENTS):
            inside = self._folder / kind
            names = sorted(path.name for path in inside.iterdir()) if inside.is_dir() else []
            for name in names:
                shard = name.removeprefix("part-").removesuffix(".parquet")
                if name.endswith(".parquet") and shard not in self._shards:
                    self._damage(f"{kind}/{name} belongs to no shard of this batch; move it elsewhere.")

    def audit(self) -> BatchAudit:
        """All of it."""
        lost, doubled, unknown, problems = (tuple(names) for names in self._named.values())
        named = {"lost_ids": lost, "doubled_ids": doubled, "unknown_ids": unknown, "problems": problems}
        return msgspec.convert({**self._counts, **named, "faulty_shards": tuple(self._faulty)}, BatchAudit)

    def _compare(self, file: PartFile) -> None:
        """The bytes of a file with what was reported of it."""
        path = self._folder / file.name
        try:
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
                size = stream.tell()
        except OSError as problem:
            self._damage(f"{file.name} cannot be read ({problem.strerror}).")
            return
        if self._has_size(file, size) and digest != file.sha256:
            self._damage(f"{file.name} has as many bytes as were written, but others.")

    def _compare_size(self, file: PartFile) -> None:
        try:
            self._has_size(file, (self._folder / file.name).stat().st_size)
        except OSError as problem:
            self._damage(f"{file.name} cannot be read ({problem.strerror}).")

    def _has_size(self, file: PartFile, size: int) -> bool:
        self._counts.update(files=1, file_bytes=size)
        if size != file.bytes:
            self._damage(f"{file.name} has {size:,} bytes, but {file.bytes:,} were written.")
        return size == file.bytes

    def _read(self, name: str, columns: list[str]) -> Any:
        """Some columns of a file; None if it cannot be read, which `_compare` has said unless its size is right."""
        try:
            with parquet.ParquetFile(self._folder / name) as file:
                return file.read(columns)
        except (OSError, pa.ArrowException):
            return None

    def _compare_ids(self, wanted: list[str], documents: Any) -> None:
        ids, statuses = documents["id"].to_pylist(), documents["status"].to_pylist()
        if ids == wanted and len({*ids}) == len(ids):  # as nearly always
            self._counts.update(Counter(statuses))
            return
        found, known = Counter(ids), {*wanted}
        self._name("lost", [id for id in wanted if id not in found])
        self._name("doubled", [id for id, times in found.items() if times > 1])
        self._name("unknown", [id for id in found if id not in known])
        # A document that is there twice is counted once, so that the statuses never hide that one is missing.
        status = dict(zip(ids, statuses, strict=True))
        self._counts.update(Counter(status[id] for id in found if id in known))

    def _compare_rows(self, documents: Any, records: Any) -> None:
        """The number of rows that each document should have, with those that are there."""
        should = documents["rows"].to_numpy()
        if records is not None:
            self._counts["rows"] += records.num_rows
            numbers = np.repeat(np.arange(len(should)), should)
            if documents["id"].take(pa.array(numbers)).equals(records["_document"]):  # as nearly always
                return
        wanted = dict(zip(documents["id"].to_pylist(), should.tolist(), strict=True))
        has = Counter(records["_document"].to_pylist() if records is not None else ())
        self._counts["wrong_rows"] += sum(abs(wanted.get(id, 0) - has[id]) for id in {*wanted, *has})

    def _name(self, what: str, ids: Sequence[str]) -> None:
        self._counts[what] += len(ids)
        self._named[what] += ids[: MOST_NAMED - len(self._named[what])]

    def _damage(self, sentence: str) -> None:
        self._counts["damaged"] += 1
        if len(self._named["problems"]) < MOST_NAMED:
            self._named["problems"].append(sentence)


# -- the manifest of a batch ----------------------------------------------------------------------------------------

MANIFEST = "manifest.json"
_INDENTED = orjson.OPT_INDENT_2


def write_manifest(folder: Path, parts: Iterable[PartFacts], schema: Any, audited: BatchAudit, job: str = "") -> Path:
    """Write the manifest of a complete batch, one line a file; it appears whole, or not at all.

    `parts` are those of all shards in order, `schema` that of the rows, `job` the digest of what was done.
    """
    path = folder / MANIFEST
    with explained(path):
        with put_in_place(path) as temporary, temporary.open("wb") as stream:
            for piece in _pieces(parts, schema, audited, job):
                stream.write(piece)
        sync_folder(folder)
    return path


def _pieces(parts: Iterable[PartFacts], schema: Any, audited: BatchAudit, job: str) -> Iterable[bytes]:
    """The document, as it is written: a batch has too many files to hold all of their entries at once."""
    head = {
        "format": "sightline batch",
        "version": 1,
        "sightline": __version__,
        "job": job,
        "complete": audited.is_complete,
        "totals": _totals(audited),
        "records": _columns(schema),
        "documents": _columns(DOCUMENT_SCHEMA),
    }
    yield orjson.dumps(head, option=_INDENTED)[:-2] + b',\n  "files": ['
    between = b"\n    "
    for facts in parts:
        for file in facts.files:
            yield between + orjson.dumps(msgspec.structs.asdict(file))
            between = b",\n    "
    yield b"\n  ]\n}\n"


def _totals(audited: BatchAudit) -> dict[str, int]:
    return {name: count for name, count in msgspec.structs.asdict(audited).items() if type(count) is int}


def _columns(schema: Any) -> list[dict[str, str]]:
    return [{"name": field.name, "type": str(field.type)} for field in schema]
