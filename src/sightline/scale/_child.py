"""The process that reads documents. Whatever a page does to it, only this process dies; its supervisor goes on.

It knows nothing of the ledger: it gets a shard, keeps the journal, and writes the part files under temporary names.
"""

import ctypes
import errno
import gc
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, NoReturn

import msgspec

from sightline.errors import SightlineError, SourceError, VerificationError
from sightline.extract.wrappers import Wrapper
from sightline.files import FULL
from sightline.jobs import Extractor, extractor, new_loader, wrapper_extractor
from sightline.net import CrawlPolicy, Limits
from sightline.scale._folder import ShardJournal, read_journals
from sightline.scale._spec import (
    DISK_FULL,
    OUT_OF_MEMORY,
    TELL_SECONDS,
    BatchSpec,
    ChildOrders,
    ChildTask,
    read_frame,
    unpack_references,
)
from sightline.scale.inputs import BatchInput, DocumentReader, DocumentReference
from sightline.scale.output import DocumentOutcome, RowMaker, escaped, storable_text, write_parts
from sightline.sources import BrowserSettings, Loader

_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl
_WRAPPER = "wrapper"
_DAMAGED = "damaged"


def main() -> None:
    """Serve the supervisor at standard input and output until it hangs up."""
    up = _own_output()
    _die_with_parent()
    _end_at_hangup_only()
    down = sys.stdin.buffer
    packed = read_frame(down)
    if packed is None:
        return
    orders = msgspec.msgpack.decode(packed, type=ChildOrders)
    with suppress(OSError):  # on another machine there may be no such folder; then no name is relative to it either
        os.chdir(orders.run_in)
    reader = ShardReader(orders, up)
    gc.freeze()  # what was imported stays; looking through it again and again takes a tenth of the time
    up.write(b"r\n")
    while (message := read_frame(down)) is not None:
        try:
            reader.run(msgspec.msgpack.decode(message, type=ChildTask))
        except MemoryError:
            _leave(OUT_OF_MEMORY)
        except OSError as problem:
            if problem.errno in FULL:
                _leave(DISK_FULL)
            if problem.errno == errno.EPIPE:
                _leave(0)  # the supervisor is gone
            raise
    reader.close()


def _own_output() -> BinaryIO:
    """The way up to the supervisor; whatever a library prints goes to standard error instead."""
    up = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return up


def _die_with_parent() -> None:
    """Where the kernel can do it, it kills this process when its supervisor is gone, even in an endless loop."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)


def _end_at_hangup_only() -> None:
    """Leave Ctrl-C to the driver, which ends its children itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _leave(status: int) -> NoReturn:
    """End without any cleaning up, for which there may be no room."""
    os._exit(status)


class ShardReader:
    """Reads the documents of shards with one extractor."""

    def __init__(self, orders: ChildOrders, up: BinaryIO) -> None:
        self._up = up
        self._untold, self._told_at = b"", time.monotonic()
        self._folder = Path(orders.folder)
        spec = msgspec.json.decode(orders.spec, type=BatchSpec)
        self._options = spec.options
        self._limits = Limits(**spec.limits)
        self._loader = _loader(spec, self._limits, orders.delay_factor)
        wrapper = Wrapper.loads(spec.wrapper) if spec.extractor == _WRAPPER else None
        self._extractor: Extractor = wrapper_extractor(wrapper) if wrapper else extractor(spec.extractor)
        self._maker = RowMaker(spec, wrapper)
        if orders.memory_bytes:
            _limit_memory(orders.memory_bytes)

    def run(self, task: ChildTask) -> None:
        """Read what of a shard has no outcome yet; of a whole shard, write the parts then."""
        references = unpack_references(task.references)
        known = read_journals([Path(path) for path in task.journals]).outcomes
        wanted = range(len(references)) if task.only is None else (task.only,)
        with ShardJournal(Path(task.journals[-1])) as journal:
            for number, outcome in self._outcomes(task, references, [n for n in wanted if n not in known], journal):
                known[number] = outcome
        if task.only is None:
            self._write(task, [known[number] for number in range(len(references))])
        else:
            self._up.write(b"a\n")

    def close(self) -> None:
        """Close the browser, if there is one."""
        self._loader.close()

    def _outcomes(
        self, task: ChildTask, references: Sequence[DocumentReference], numbers: Sequence[int], journal: ShardJournal
    ) -> Iterator[tuple[int, bytes]]:
        self._up.write(b"b\n" * bool(numbers))
        with DocumentReader(msgspec.msgpack.decode(task.input, type=BatchInput), self._limits) as reader:
            for number in numbers:
                journal.begin(number)
                outcome = self._outcome(reader, references[number])
                packed = msgspec.msgpack.encode(outcome)
                journal.outcome(number, packed)
                self._tell(outcome)
                yield number, packed
        self._up.write(self._untold + b"e\n")
        self._untold = b""

    def _tell(self, outcome: DocumentOutcome) -> None:
        """Say that a document is done; together with others, since waking the supervisor for each takes longer."""
        self._untold += b"d " + msgspec.json.encode(_brief(outcome)) + b"\n"
        if time.monotonic() - self._told_at >= TELL_SECONDS:
            self._up.write(self._untold)
            self._untold, self._told_at = b"", time.monotonic()

    def _outcome(self, reader: DocumentReader, reference: DocumentReference) -> DocumentOutcome:
        """What became of one document. Whatever an extractor raises is this document's failure, and no other's."""
        wall, cpu = time.perf_counter(), time.process_time()
        self._known = DocumentOutcome(id=reference.id, source=reference.known_as, status="failed")
        try:
            outcome = self._extracted(reader, reference)
        except MemoryError:
            raise
        except SightlineError as error:
            outcome = msgspec.structs.replace(self._known, cause=type(error).__name__, reasons=(_problem(error),))
        # A document is a border like a step of a flow: an extractor's mistake on one page must not cost the others.
        except Exception as error:  # noqa: BLE001
            reason = f"{type(error).__name__}: {error}"
            outcome = msgspec.structs.replace(self._known, cause=f"bug:{type(error).__name__}", reasons=(reason,))
        return msgspec.structs.replace(
            outcome,
            url=escaped(outcome.url),  # the journal and the way up are UTF-8, which texts from pages need not be
            reasons=tuple(map(storable_text, outcome.reasons)),
            seconds=time.perf_counter() - wall,
            cpu_seconds=time.process_time() - cpu,
        )

    def _extracted(self, reader: DocumentReader, reference: DocumentReference) -> DocumentOutcome:
        got = reader.read(reference)
        if isinstance(got, SourceError):
            cause = _DAMAGED if reference.problem else type(got).__name__
            return msgspec.structs.replace(self._known, cause=cause, reasons=(_problem(got),))
        page = self._loader.load(got)
        size = 0 if isinstance(got, str) else len(got.content)
        self._known = msgspec.structs.replace(self._known, url=page.url, bytes=size, page=page.id)
        found = self._extractor(page, **self._options)
        rows, row_count = self._maker.rows(reference.id, page, found)
        return msgspec.structs.replace(
            self._known,
            status=found.verdict,
            reasons=(*found.reasons, *page.notes),
            cause="" if found.verdict == "ok" else found.verdict,
            rows=rows,
            row_count=row_count,
        )

    def _write(self, task: ChildTask, packed: Sequence[bytes]) -> None:
        outcomes = [msgspec.msgpack.decode(one, type=DocumentOutcome) for one in packed]
        facts = write_parts(self._folder, task.shard, task.fence, outcomes, self._maker)
        self._up.write(b"w " + msgspec.json.encode(facts) + b"\n")


def _brief(outcome: DocumentOutcome) -> DocumentOutcome:
    """What a supervisor wants to know at once."""
    return msgspec.structs.replace(outcome, rows=b"", reasons=outcome.reasons[:1])


def _loader(spec: BatchSpec, limits: Limits, delay_factor: float) -> Loader:
    policy = CrawlPolicy(**spec.policy)
    return new_loader(
        static=not spec.render,
        browser=BrowserSettings(**spec.browser),
        limits=limits,
        policy=replace(policy, delay=policy.delay * delay_factor),
    )


def _limit_memory(most: int) -> None:
    """Limit what documents may take; what a process has before the first one grows with the cores of the machine."""
    with suppress(ValueError, OSError):  # macOS refuses
        whole = _address_space() + most
        resource.setrlimit(resource.RLIMIT_AS, (whole, whole))


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _problem(error: SightlineError) -> str:
    return error.problem if isinstance(error, SourceError | VerificationError) else str(error)


if __name__ == "__main__":
    main()
