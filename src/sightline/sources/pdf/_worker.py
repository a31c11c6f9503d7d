"""Reads PDFs where a hostile one can do no harm: in a child process, kept warm between documents.

    worker = PdfWorker()
    with worker.open("report.pdf", content) as document:
        for sheet in document.sheets(range(1, document.count + 1)):
            ...

Every open document has its own child process, so that several threads, or several open documents of one thread, never
wait for each other; a child that is no longer needed takes the next document.
"""

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from sightline.errors import DeadlineError, LimitError, UnreadableError, UsageError
from sightline.sources.pdf._reader import Died, Late, ReaderProcess
from sightline.sources.pdf._sheet import (
    Bookmark,
    Head,
    Malformed,
    PdfSheet,
    unpack_bookmarks,
    unpack_picture,
    unpack_sheet,
)

T = TypeVar("T")
Picture = npt.NDArray[np.uint8]

AHEAD = (
    2  # sheets that the child may have ready or under way beyond the one in use: two cores overlap, memory is bounded
)
IDLE_SECONDS = 5.0  # an unused child is ended after this time; starting one takes a sixth of a second
MOST_IDLE = 2
DRAIN_SECONDS = 1.0  # how long a child may take to finish abandoned requests
RETIRED_BYTES = 300_000_000  # a child that still holds this much after a document does not get another
UNREADABLE_SHEET = "pdfium cannot load it"
SIZELESS_SHEET = "it has no usable size"

WRONG_PASSWORD, UNSUPPORTED_PROTECTION = 4, 5  # codes of FPDF_GetLastError; any other means damage
NO_PASSWORD_GIVEN = "is protected by a password; give it with --password."
PASSWORD_NOT_RIGHT = "does not open with this password."
NOT_SUPPORTED = "has an unsupported kind of protection; save a copy without it."
DAMAGED = "is damaged or not a PDF; its structure cannot be read."
NO_SHEETS = "is a PDF without any sheets."
ENDED = "is no longer open, since its reader has ended; open it again."


@dataclass(frozen=True, kw_only=True)
class PdfLimits:
    """What one document may cost."""

    sheets: int = 5_000
    memory_bytes: int = 2_000_000_000
    sheet_seconds: float = 20.0

    def check_sheets(self, name: str, count: int) -> None:
        """Refuse to read more sheets of a document than allowed."""
        if count > self.sheets:
            problem = f"has {count:,} sheets, more than {self.sheets:,}; choose some, or raise the limit `pdf_sheets`."
            raise LimitError(name, problem, limit="pdf_sheets")


class SheetFailed(NamedTuple):
    """A sheet that could not be read, and why; others may be readable."""

    number: int
    reason: str


@dataclass(frozen=True)
class Opened:
    """The facts about a document that are known before any sheet is read."""

    count: int
    title: str
    bookmarks: tuple[Bookmark, ...]


class PdfDocument:
    """A document that is open in a child; close it, or use it in a `with`.

    It gives one stream of sheets or pictures at a time: beginning another ends the one before.
    """

    def __init__(self, worker: "PdfWorker", reader: ReaderProcess, name: str, limits: PdfLimits) -> None:
        self.opened = Opened(count=0, title="", bookmarks=())
        self._worker = worker
        self._reader: ReaderProcess | None = reader
        self._name = name
        self._limits = limits
        self._asked = 0  # requests that were not answered yet
        self._stream = 0

    @property
    def count(self) -> int:
        """How many sheets it has."""
        return self.opened.count

    @property
    def title(self) -> str:
        """Its title as set by its author; often empty or nonsense."""
        return self.opened.title

    @property
    def bookmarks(self) -> tuple[Bookmark, ...]:
        """Its outline."""
        return self.opened.bookmarks

    def sheets(self, numbers: Sequence[int]) -> Iterator[PdfSheet | SheetFailed]:
        """These sheets, counted from 1, one at a time in this order; of one that cannot be read, the reason."""

        def sheet(number: int, head: Head, body: bytearray) -> PdfSheet | SheetFailed:
            if "nothing" in head:
                return SheetFailed(number, UNREADABLE_SHEET)
            return unpack_sheet(head, body, number) or SheetFailed(number, SIZELESS_SHEET)

        self._check(numbers)
        return self._answers(numbers, {"do": "sheet"}, sheet)

    def render(self, numbers: Sequence[int], scale: float) -> Iterator[Picture | None]:
        """Pictures of these sheets, `scale` dots to a CSS pixel; None for one that cannot be drawn or is too large."""

        def picture(_: int, head: Head, body: bytearray) -> Picture | None:
            return None if "nothing" in head else unpack_picture(head, body)

        self._check(numbers)
        return self._answers(numbers, {"do": "render", "scale": scale}, picture)

    def close(self) -> None:
        """Return the child for the next document; if it does not finish soon, it is ended instead."""
        self._stream += 1
        reader, self._reader = self._reader, None
        if reader is None or reader.lost:
            return
        memory_bytes = None
        try:
            while self._asked:
                self._answer(reader, DRAIN_SECONDS)
            self._ask(reader, {"do": "close"}, seconds=DRAIN_SECONDS)
            memory_bytes = self._answer(reader, DRAIN_SECONDS)[0].get("held")
        except (Late, Died, Malformed):
            pass  # an abandoned request needs no error
        finally:
            if memory_bytes is None:
                reader.kill()
        if memory_bytes is not None:
            self._worker.give_back(reader, memory_bytes)

    def __enter__(self) -> "PdfDocument":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    # ------------------------------------------------------------------ the talk with the child

    def begin(self, content: bytes, password: str | None) -> None:
        """Hand the document over; what the child knows of it before any sheet is `opened` then."""
        with self._talk("when it was opened") as reader:
            self._ask(reader, {"do": "open", "password": password}, content)
            head, _ = self._answer(reader, self._limits.sheet_seconds)
            if "refused" not in head:
                count, title = head.get("count"), head.get("title")
                if type(count) is not int or not isinstance(title, str):
                    raise Malformed("no count and title")
                self.opened = Opened(count, title, unpack_bookmarks(head.get("bookmarks"), max(count, 0)))
        if "refused" in head:
            raise UnreadableError(self._name, _refusal(head["refused"], password))
        if self.count < 1:
            raise UnreadableError(self._name, NO_SHEETS)

    def _answers(
        self, numbers: Sequence[int], request: Head, unpack: Callable[[int, Head, bytearray], T]
    ) -> Iterator[T]:
        """The unpacked answer to the same request for each sheet, a few of them asked for ahead."""
        self._stream += 1
        mine, next_asked = self._stream, 0
        with self._talk("between two streams") as reader:
            while self._asked:
                self._answer(reader, self._limits.sheet_seconds)
        for number in numbers:
            if mine != self._stream:
                raise UsageError(f"{self._name}: this stream has ended, as the document was closed or another begun.")
            with self._talk(f"at sheet {number}") as reader:
                while next_asked < len(numbers) and self._asked <= AHEAD:
                    self._ask(reader, {**request, "number": numbers[next_asked]})
                    next_asked += 1
                found = unpack(number, *self._answer(reader, self._limits.sheet_seconds))
            yield found

    def _check(self, numbers: Sequence[int]) -> None:
        self._limits.check_sheets(self._name, len(numbers))
        for number in numbers:
            if not 1 <= number <= self.count:
                raise UsageError(f"{self._name}: there is no sheet {number}; the last one is {self.count}.")

    def _ask(self, reader: ReaderProcess, request: Head, body: bytes = b"", *, seconds: float | None = None) -> None:
        allowed = self._limits.sheet_seconds
        self._asked += 1
        reader.send({**request, "seconds": allowed}, body, seconds=allowed if seconds is None else seconds)

    def _answer(self, reader: ReaderProcess, seconds: float) -> tuple[Head, bytearray]:
        head, body = reader.receive(seconds=seconds)
        self._asked -= 1
        if "broken" in head:
            raise Died(_printable(head["broken"]))
        return head, body

    @contextmanager
    def _talk(self, place: str) -> Iterator[ReaderProcess]:
        """Use the child; any interruption ends it, since it is then unclear which answer would come next."""
        reader = self._reader
        if reader is None or reader.lost:
            raise UnreadableError(self._name, ENDED)
        sound = False
        try:
            yield reader
            sound = True
        except Late:
            limit = f"{self._limits.sheet_seconds:g} seconds"
            problem = f"kept the PDF reader busy for more than {limit} {place}; raise `sheet_seconds` to wait longer."
            raise DeadlineError(self._name, problem) from None
        except Died as death:
            raise UnreadableError(self._name, f"made the PDF reader fail {place} ({death}).") from None
        except Malformed as problem:
            raise UnreadableError(
                self._name, f"made the PDF reader send invalid data {place} ({problem})."
            ) from problem
        finally:
            if not sound:
                self._reader = None
                reader.kill()


class PdfWorker:
    """Opens PDFs in child processes and keeps them warm: for some seconds after use, at most until we exit.

    For any number of threads. In a forked process it begins anew; what was open in the parent is not open there.
    """

    def __init__(self) -> None:
        self._begin()
        _workers.add(self)

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[tuple[ReaderProcess, float]] = []
        self._timer: threading.Timer | None = None

    def open(
        self, name: str, content: bytes, *, password: str | None = None, limits: PdfLimits | None = None
    ) -> PdfDocument:
        """A document, to be closed after use; `name` is what errors call it."""
        limits = limits or PdfLimits()
        document = PdfDocument(self, self._take(name, limits.memory_bytes), name, limits)
        opened = False
        try:
            document.begin(content, password)
            opened = True
        finally:
            if not opened:
                document.close()
        return document

    def give_back(self, reader: ReaderProcess, memory_bytes: object) -> None:
        """Keep a child for the next document, if it is worth it; `memory_bytes` is how much memory it reports."""
        with self._lock:
            slim = type(memory_bytes) is int and memory_bytes < RETIRED_BYTES
            if slim and reader.alive and len(self._idle) < MOST_IDLE:
                self._idle.append((reader, time.monotonic()))
                self._watch(IDLE_SECONDS)
                return
        reader.kill()

    def close(self) -> None:
        """End the children that are not in use; the next document gets a new one."""
        with self._lock:
            idle, self._idle = self._idle, []
            timer, self._timer = self._timer, None
        if timer:
            timer.cancel()
        for reader, _ in idle:
            reader.kill()

    def _take(self, name: str, memory_bytes: int) -> ReaderProcess:
        with self._lock:
            for place, (reader, _) in enumerate(self._idle):
                if reader.memory_bytes == memory_bytes and reader.alive:
                    del self._idle[place]
                    return reader
        try:
            return ReaderProcess(memory_bytes)
        except OSError as problem:
            raise UnreadableError(
                name, f"cannot be read: the PDF reader did not start ({problem.strerror})."
            ) from problem

    def _watch(self, seconds: float) -> None:
        """Schedule a check of the idle children; the caller must hold the lock."""
        if self._timer is None:
            self._timer = threading.Timer(seconds, self._sweep)
            self._timer.daemon = True
            self._timer.start()

    def _sweep(self) -> None:
        """End the children that were idle for long."""
        with self._lock:
            self._timer = None
            now = time.monotonic()
            old = [reader for reader, since in self._idle if now - since >= IDLE_SECONDS]
            self._idle = [(reader, since) for reader, since in self._idle if now - since < IDLE_SECONDS]
            if self._idle:
                self._watch(IDLE_SECONDS - (now - self._idle[0][1]))
        for reader in old:
            reader.kill()


_workers: "weakref.WeakSet[PdfWorker]" = weakref.WeakSet()


def _begin_anew() -> None:
    for worker in list(_workers):
        worker._begin()


os.register_at_fork(after_in_child=_begin_anew)


def _refusal(code: object, password: str | None) -> str:
    if code == WRONG_PASSWORD:
        return PASSWORD_NOT_RIGHT if password else NO_PASSWORD_GIVEN
    if code == UNSUPPORTED_PROTECTION:
        return NOT_SUPPORTED
    return DAMAGED


def _printable(message: object) -> str:
    """A child's last message, made safe for a terminal."""
    return "".join(mark if mark.isprintable() else " " for mark in str(message)[:300])
