"""The child's side: opens one document at a time and answers requests for its sheets in turn.

Any failure beyond a rejection ends the process: after a failed allocation or a surprise, the state of pdfium is
unknown, and a new process costs a sixth of a second. Before it ends, it reports what it knows of the reason.
"""

import ctypes
import gc
import math
import os
import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from sightline.sources.pdf._jail import confine
from sightline.sources.pdf._objects import outline, read_sheet, render, sheet_count
from sightline.sources.pdf._pack import MOST_TITLE, pack_bookmarks, pack_sheet
from sightline.sources.pdf._wire import Head, frame, read_all, receive, send_all

__all__ = ["serve"]

MOST_DOTS = 100_000_000  # of a picture: A0 at 200 dots an inch has 60 million
MOST_DOCUMENT = 1 << 40  # RLIMIT_AS sets the real bound
SPARE_SECONDS = 2  # of CPU, beyond what the parent waits for: the parent should be the one to stop it
PARENT, OUTPUT, ERRORS = 0, 1, 2


def serve(memory_bytes: int) -> None:
    """Answer requests on standard input until it closes."""
    answers = os.dup(OUTPUT)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (OUTPUT, ERRORS):  # nothing that a library prints may get between the frames, or block us
        os.dup2(nowhere, stream)
    confine(memory_bytes)
    gc.disable()  # a sheet is many small objects without reference cycles, and looking for these takes 3 % of the time
    server = _Server(answers)
    sys.excepthook = server.last_word
    with suppress(EOFError, BrokenPipeError):
        server.tell({"ready": os.getpid()})
        while True:
            request, body = receive(lambda count: read_all(PARENT, count), most_body=MOST_DOCUMENT)
            server.answer(request, body)
    os._exit(0)  # without shutting pdfium down: it is not needed, and may be what hangs


class _Server:
    def __init__(self, answers: int) -> None:
        self._answers = answers
        self._document: Any = None
        self._content = bytearray()  # pdfium reads from it as long as the document is open
        self._does: dict[str, Callable[[Head, bytearray], None]] = {
            "open": self._open,
            "sheet": self._sheet,
            "render": self._render,
            "close": self._close,
        }

    def answer(self, request: Head, body: bytearray) -> None:
        """Serve a request within its time limit."""
        _allow(request["seconds"])
        self._does[request["do"]](request, body)

    def tell(self, head: Head, *body: bytes | memoryview) -> None:
        """Send one frame."""
        send_all(self._answers, frame(head, sum(len(part) for part in body)), *body)

    def last_word(self, kind: type[BaseException], problem: BaseException, where: TracebackType | None) -> None:
        """Report what ended the process, if that is still possible."""
        while where and where.tb_next:
            where = where.tb_next
        place = f" in line {where.tb_lineno} of {Path(where.tb_frame.f_code.co_filename).name}" if where else ""
        memory = issubclass(kind, MemoryError)
        with suppress(OSError):
            self.tell({"broken": "out of memory" if memory else f"{kind.__name__}: {problem}{place}"[:300]})

    def _open(self, request: Head, body: bytearray) -> None:
        password = request["password"]
        self._content = body
        raw = (ctypes.c_char * len(body)).from_buffer(body) if body else b""
        self._document = pdfium.FPDF_LoadMemDocument64(raw, len(body), password and password.encode())
        if not self._document:
            self.tell({"refused": pdfium.FPDF_GetLastError()})
            return
        self.tell(
            {
                "count": sheet_count(self._document),
                "title": _title(self._document)[:MOST_TITLE],
                "bookmarks": pack_bookmarks(outline(self._document)),
            }
        )

    def _sheet(self, request: Head, _: bytearray) -> None:
        sheet = read_sheet(self._document, request["number"])
        if sheet is None:
            self.tell({"number": request["number"], "nothing": True})
        else:
            head, columns = pack_sheet(sheet)
            self.tell(head, *columns)

    def _render(self, request: Head, _: bytearray) -> None:
        number, scale = request["number"], request["scale"]
        picture = render(self._document, number, scale) if _dots(self._document, number, scale) <= MOST_DOTS else None
        if picture is None:
            self.tell({"number": number, "nothing": True})
        else:
            tall, wide, _colours = picture.shape
            dots = np.ascontiguousarray(picture).reshape(-1).data
            self.tell({"number": number, "picture": [tall, wide]}, dots)

    def _close(self, _request: Head, _body: bytearray) -> None:
        if self._document:
            pdfium.FPDF_CloseDocument(self._document)
        self._document, self._content = None, bytearray()
        self.tell({"held": _memory_bytes()})


def _title(document: Any) -> str:
    size = pdfium.FPDF_GetMetaText(document, b"Title", None, 0)
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDF_GetMetaText(document, b"Title", buffer, size)
    return buffer.raw.decode("utf-16-le", "replace").rstrip("\0").strip()


def _dots(document: Any, number: int, scale: float) -> float:
    """How many dots the picture of a sheet would have; infinite if unknown."""
    size = pdfium.FS_SIZEF()
    if not pdfium.FPDF_GetPageSizeByIndexF(document, number - 1, size):
        return math.inf
    dots = float(size.width * size.height * (scale * 96 / 72) ** 2)
    return dots if math.isfinite(dots) else math.inf


def _allow(seconds: float) -> None:
    """Have the system end this process when a request takes too long, in case the parent cannot."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    until = math.ceil(used.ru_utime + used.ru_stime + seconds) + SPARE_SECONDS
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))


def _memory_bytes() -> int:
    """The memory of this process in bytes; 0 if that cannot be read."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[1]) * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        return 0
