"""The driver of a batch: lists the inputs, keeps an engine at work, and checks in the end that nothing is missing."""

import hashlib
import os
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from pyarrow import parquet

from sightline._version import __version__
from sightline.data import Verdict
from sightline.errors import JobCancelled, SightlineError, SourceError, UsageError
from sightline.extract.wrappers import Wrapper
from sightline.files import make_folder, write_bytes
from sightline.jobs import Cancel
from sightline.net import Limits
from sightline.redaction import hide_passwords
from sightline.scale._folder import JOB_FILE, LEDGER_FILE, batch_folder, check_apart, tidy
from sightline.scale._process import Aside
from sightline.scale._spec import BatchSettings, BatchSpec, WorkerConfig, pack_references, unpack_references
from sightline.scale.drift import Estimate, estimate, spread_positions
from sightline.scale.engines import BatchEngine, LocalEngine
from sightline.scale.inputs import (
    BatchInput,
    DocumentReference,
    InputSettings,
    KnownInputs,
    find_inputs,
    list_documents,
)
from sightline.scale.ledger import (
    POSTGRES,
    KnownInput,
    Ledger,
    LedgerCounts,
    ListedPart,
    NewShard,
    ShardRow,
    open_ledger,
)
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

# The end of a batch: the audit, the manifest, the summary, and Delta tables by choice.
#
# A batch that was finished before is not read again: a look at its files says whether they are all there.


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


EngineName: TypeAlias = Literal["local", "ray"]
OnCounts: TypeAlias = Callable[[LedgerCounts, float], None]
"""Called with how a batch is getting on, and the seconds since it began, several times a second."""

POLL = 0.25  # seconds between two looks at the workers
COUNT_SHARE = 0.05  # of the time for counting: with millions of shards it takes a second
ROUNDS = 3  # of reading again what the audit finds damaged; a disk that damages it every time needs other help


class _Plan(msgspec.Struct, frozen=True):
    """What a batch was begun with, kept in its ledger: going on needs the same."""

    spec: BatchSpec
    shard_documents: int
    version: str
    began_in: str = ""  # the folder that names of inputs are relative to


@dataclass(frozen=True)
class BatchRun:
    """How a batch ended. It is `complete` if every document of every input has exactly one outcome."""

    folder: Path
    counts: LedgerCounts
    problems: tuple[SourceError, ...]
    seconds: float
    summary: BatchSummary

    @property
    def complete(self) -> bool:
        """Whether nothing is missing: all inputs were read, and the audit found every document once."""
        audited = self.summary.audited
        return self.counts.finished and not self.problems and audited is not None and audited.is_complete

    @property
    def stopped(self) -> str:
        """Why it stopped before its end; "" if it did not."""
        return self.counts.stopped

    @property
    def verdict(self) -> Verdict:
        """`ok`, or `suspicious` where a document is not ok, something is missing, or the batch was stopped."""
        counts = self.counts
        clean = self.complete and not (counts.suspicious or counts.failed or counts.quarantined)
        return "ok" if clean else "suspicious"

    def to_json(self) -> dict[str, Any]:
        """How it ended, as plain values."""
        return {
            "complete": self.complete,
            "stopped": self.stopped,
            "problems": [problem.message for problem in self.problems],
            "seconds": round(self.seconds, 3),
            "counts": self.counts._asdict(),
            "summary": self.summary.to_json(),
        }


class Batch:
    """A batch in its folder; use it in a `with`. Whoever opens it again goes on with it."""

    def __init__(  # noqa: PLR0913 - keywords, each of them said seldom
        self,
        spec: BatchSpec,
        inputs: Sequence[str],
        folder: Path,
        *,
        engine: Callable[[], BatchEngine] = LocalEngine,
        settings: BatchSettings | None = None,
        reading: InputSettings | None = None,
        ledger: str | None = None,
        job: str | None = None,
        cancel: Cancel | None = None,
        on_counts: OnCounts | None = None,
    ) -> None:
        self.folder = folder
        self._place = folder.absolute()  # pyarrow takes a relative path with a colon for an address
        self._inputs = [hide_passwords(name) for name in inputs]  # one with a password is refused
        self._engine = engine
        self._settings = settings or BatchSettings()
        self._reading = reading or InputSettings()
        self._address = ledger or str(folder.absolute() / LEDGER_FILE)
        self._job = job or (str(folder.absolute()) if self._shared else "batch")
        self._cancel = cancel or Cancel()
        self._on_counts = on_counts
        self._spec = spec
        self._sampled = (0, 0)
        self._stack = ExitStack()

    @property
    def _shared(self) -> bool:
        return self._address.startswith(POSTGRES)

    def __enter__(self) -> "Batch":
        with ExitStack() as stack:
            check_apart(self.folder, self._inputs)
            self._work = stack.enter_context(batch_folder(self.folder, shared=self._shared))
            self._book = stack.enter_context(open_ledger(self._address, self._job))
            size = self._settings.shard_documents(render=self._spec.render)
            plan = _Plan(self._spec, size, __version__, str(Path.cwd()))
            told = self._book.begin(self._spec.digest, msgspec.json.encode(plan))
            self._plan = msgspec.json.decode(told, type=_Plan)
            _describe(self.folder, self._plan, self._inputs)
            limits = Limits(**self._spec.limits)
            self._listing = InputListing(self._book, self._plan.shard_documents, limits, self._plan.began_in)
            stack.callback(self._listing.stop)
            self._listing.begin(self._inputs, self._reading)
            self._begin = time.monotonic()
            self._next_count = 0.0
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    # ------------------------------------------------------------------ the whole

    def run(self, *, verify: bool = False, delta: bool = False) -> BatchRun:
        """Read what is not read yet; then check everything, and write the manifest and the summary.

        Of a batch that is finished only the number and length of its files are compared, unless with `verify`: then
        every file is read. What is damaged or missing is made anew, and the audit says so.
        """
        self._begin = time.monotonic()  # a sample before it is not counted
        audited: BatchAudit | None = None
        elapsed: float | None = None
        for _ in range(ROUNDS):
            if self._book.open_shards():
                (self.folder / MANIFEST).unlink(missing_ok=True)  # of fewer inputs, or of files that were damaged
                self._keep_at_work(self._book, self._station(self._book.job, self.folder, keep_going=self._keeps_going))
                elapsed = time.monotonic() - self._begin
            if not self._book.counts().finished:
                break
            found = finish(self._book, self._place, self._plan.spec, verify=verify, delta=delta)
            audited = found.after(audited)
            if not self._book.redo(audited.faulty_shards):
                tidy(self.folder)
                break
        return self._ended(audited, elapsed)

    def _ended(self, audited: BatchAudit | None, elapsed: float | None) -> BatchRun:
        spec = self._plan.spec
        title = f"{'A wrapper' if spec.wrapper else spec.extractor.capitalize()} over {', '.join(self._inputs)}"
        workers = self._workers if elapsed is not None else None
        summary = sum_up(self._book, self._place, spec, title=title, audited=audited, elapsed=elapsed, workers=workers)
        problems = tuple(self._listing.problems)
        seconds = time.monotonic() - self._begin
        return BatchRun(self.folder, self._book.counts(), problems, seconds, summary)

    # ------------------------------------------------------------------ a sample

    def sample(self, count: int, *, price: float) -> SampleRun:
        """Read some documents from all over the inputs, apart from the batch itself, and say what the whole takes."""
        self._listing.wait()
        documents = self._book.counts().documents
        name = f"{count}-of-{documents}"  # another number, or more inputs, need another sample
        folder = self._place / SAMPLE_FOLDER / name
        with open_ledger(self._address, f"{self._job} sample {name}") as book:
            add_sample(self._book, book, folder, count, self._workers)
            if book.open_shards():
                self._keep_at_work(book, self._station(book.job, folder, keep_going=True))
            found = estimated(book, folder, self._plan.spec, documents, self._workers, price)
        self._sampled = (found.estimate.sample, found.estimate.not_ok)
        return found

    # ------------------------------------------------------------------ keeping an engine at work

    @property
    def _workers(self) -> int:
        return self._settings.workers or os.cpu_count() or 1

    @property
    def _keeps_going(self) -> bool:
        """Only a wrapper can drift: it alone knows how pages should be."""
        return self._settings.keep_going or not self._plan.spec.wrapper

    def _station(self, job: str, folder: Path, *, keep_going: bool) -> WorkerConfig:
        settings = self._settings
        return WorkerConfig(
            ledger=self._address,
            job=job,
            folder=str(folder.absolute()),
            work=str(self._work.absolute()),
            spec=msgspec.json.encode(self._plan.spec),
            render=self._plan.spec.render,
            workers=self._workers,
            document_seconds=settings.document_seconds,
            worker_memory=settings.worker_memory,
            lone_memory=settings.lone_memory,
            lease_seconds=settings.lease_seconds,
            keep_going=keep_going,
            version=__version__,
            run_in=str(Path.cwd()),
            sampled=self._sampled,
        )

    def _keep_at_work(self, book: Ledger, station: WorkerConfig) -> None:
        engine = self._engine()
        try:
            engine.start(station, self._workers)  # interrupted in the middle of it, some of it may be at work
            while not engine.idle():
                engine.check()
                self._listing.check()
                if self._cancel.requested:
                    raise JobCancelled(book.counts().done_documents)
                self._count(book)
                time.sleep(POLL)
            engine.check()
            self._listing.check()
        finally:
            engine.stop()

    def _count(self, book: Ledger) -> None:
        """Tell how it is getting on, as often as counting is cheap."""
        now = time.monotonic()
        if self._on_counts is None or now < self._next_count:
            return
        self._on_counts(book.counts(), now - self._begin)
        self._next_count = now + (time.monotonic() - now) / COUNT_SHARE


def _describe(folder: Path, plan: _Plan, inputs: Sequence[str]) -> None:
    """A file that says to people what this folder is."""
    told = {"inputs": list(inputs), **msgspec.to_builtins(plan)}
    write_bytes(folder / JOB_FILE, msgspec.json.format(msgspec.json.encode(told), indent=2))


# -- listing: the documents of all inputs, as shards in the ledger. Work begins while it goes on --------------------
# What is listed stays listed: a batch that is begun again looks only at whether an input is still the same.

AT_ONCE = 100  # parts added in one transaction, each of which waits for the disk
MOST_SECONDS = 0.5  # that workers wait for what is listed
_INPUT_BITS = 32  # the number of a shard is that of its input, then its own within it


class InputListing:
    """Lists inputs into a ledger, in a thread of its own where there is anything new."""

    def __init__(self, ledger: Ledger, shard_documents: int, limits: Limits, began_in: str = "") -> None:
        self.problems: list[SourceError] = []  # names that match no input
        self._ledger = ledger
        self._size = shard_documents
        self._limits = limits
        self._began_in = began_in
        self._cancelled = threading.Event()
        self._thread: Aside | None = None
        self._failure: SightlineError | None = None

    def begin(self, names: Iterable[str], settings: InputSettings) -> None:
        """List what is new; returns when the rest is known to be unchanged.

        What an earlier driver did not list to its end is listed as well, even if it is not named this time.
        """
        known = KnownInputs((_unpacked(one) for one in self._ledger.inputs()), self._began_in)
        found = [news for one in find_inputs(names, settings) if (news := self._news(known, one))]
        known.compare_rest(self._ledger.open_inputs())
        if found:
            self._ledger.add_inputs([(one.name, one.identity, msgspec.msgpack.encode(one)) for one in found])
        inputs = self._ledger.inputs()
        if not inputs:
            raise self.problems[0] if self.problems else UsageError("There is nothing to read; name an input.")
        unlisted = [one for one in inputs if not one.listed]
        if not unlisted:
            self._ledger.finish_listing()
        else:
            self._thread = Aside(partial(self._list_all, unlisted))
            self._thread.start()

    def check(self) -> None:
        """Raise what ended the listing."""
        if self._failure:
            raise self._failure

    def wait(self) -> None:
        """Wait until everything is listed."""
        if self._thread:
            self._thread.join()
        self.check()

    def stop(self) -> None:
        """End it; what is missing is listed the next time."""
        self._cancelled.set()
        if self._thread:
            self._thread.join()

    # ------------------------------------------------------------------ inputs

    def _news(self, known: KnownInputs, found: BatchInput | SourceError) -> BatchInput | None:
        if isinstance(found, SourceError):
            self.problems.append(found)
            return None
        return known.news(found)

    def _list_all(self, unlisted: list[KnownInput]) -> None:
        try:
            for part in _in_batches(chain.from_iterable(map(self._parts, unlisted))):
                if self._cancelled.is_set():
                    return
                self._ledger.add_listed(part)
            self._ledger.finish_listing()
        except SightlineError as failure:  # a full disk, a ledger that is gone: the driver raises it
            self._failure = failure

    def _parts(self, known: KnownInput) -> Iterator[ListedPart]:
        """The shards of an input, one by one; then how many documents it has."""
        found = _unpacked(known)
        documents = damaged = 0
        for index, references in enumerate(_chunks(list_documents(found, self._limits), self._size)):
            documents += len(references)
            damaged += sum(bool(reference.problem) for reference in references)
            yield ListedPart(known.number, [_new_shard(found, known.number, index, references)])
        yield ListedPart(known.number, [], documents, damaged)


def _in_batches(parts: Iterable[ListedPart]) -> Iterator[list[ListedPart]]:
    """Many parts at a time, but the first one at once, so that work begins; and none waits for long."""
    waiting: list[ListedPart] = []
    since = 0.0
    for part in parts:
        waiting.append(part)
        if len(waiting) >= AT_ONCE or time.monotonic() - since >= MOST_SECONDS:
            yield waiting
            waiting, since = [], time.monotonic()
    yield waiting


def _unpacked(known: KnownInput) -> BatchInput:
    return msgspec.msgpack.decode(known.told, type=BatchInput)


def _chunks(references: Iterable[DocumentReference], size: int) -> Iterator[list[DocumentReference]]:
    rest = iter(references)
    while some := list(islice(rest, size)):
        yield some


def _new_shard(found: BatchInput, number: int, index: int, references: list[DocumentReference]) -> NewShard:
    told = "\n".join((found.name, found.identity, str(index), *(reference.id for reference in references)))
    name = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_LETTERS]
    return NewShard(name, (number << _INPUT_BITS) + index, len(references), pack_references(references))
