"""The child's side: opens one document at a time and answers requests for its sheets in turn.

Any failure beyond a rejection ends the process: after a failed allocation or a surprise, the state of pdfium is
unknown, and a new process costs a sixth of a second. Before it ends, it reports what it knows of the reason.
"""

import ctypes
import errno
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

from sightline.sources.pdf._objects import outline, read_sheet, render, sheet_count
from sightline.sources.pdf._sheet import (
    MOST_TITLE,
    Head,
    frame,
    pack_bookmarks,
    pack_sheet,
    read_all,
    receive,
    send_all,
)

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


# The rights that the PDF reader's process gives up before it sees a document.
#
# Two walls: limits of the system, and on Linux a filter on system calls, so that code which a document smuggled in can
# neither reach the network, nor start a program, nor change a file. Reading stays possible, since pdfium looks for
# fonts. Where the system knows no such thing, the child goes on without: the filter is a second wall, not the first.

MOST_FILES = 32  # open at once
NO_NEW_PRIVILEGES, SET_FILTER, BY_PROGRAM = 38, 22, 2  # of prctl
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # of the filter's machine
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
CALL, MACHINE, ARGUMENTS = 0, 4, 16  # where they lie in what the filter sees; an argument has 8 bytes
FOREIGN_CALLS = 0x40000000  # the x32 calls of an x86-64 kernel, under which the same things have other numbers
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

# name of the machine: its number, calls that open a file with the place of their flags, and calls that are refused:
# socket, socketpair, connect, io_uring_setup; execve, execveat, fork, vfork; ptrace, process_vm_writev, kill; openat2,
# creat, truncate, ftruncate, rename*, unlink*, rmdir, link*, symlink*, mkdir*, chmod*, chown*; mount, unshare, setns.
MACHINES = {
    "x86_64": (
        0xC000003E,
        {2: 1, 257: 2},
        (
            *(41, 53, 42, 425, 59, 322, 57, 58, 101, 311, 62, 437, 85, 76, 77, 82, 264, 316, 87, 263, 84, 86, 265, 88),
            *(266, 83, 258, 90, 91, 268, 92, 93, 94, 260, 165, 272, 308),
        ),
    ),
    "aarch64": (
        0xC00000B7,
        {56: 2},
        (
            *(198, 199, 203, 425, 221, 281, 117, 271, 129, 437, 45, 46, 38, 276, 35, 37, 36, 34, 52, 53, 54, 55, 40),
            *(97, 268),
        ),
    ),
}


class _Step(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("value", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("steps", ctypes.POINTER(_Step)))


def confine(memory_bytes: int) -> None:
    """Set every limit that this system supports, irrevocably."""
    for kind, most in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, MOST_FILES),
    ):
        with suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(kind, (most, most))
    if sys.platform == "linux" and os.uname().machine in MACHINES:
        _filter(*MACHINES[os.uname().machine])


def _filter(machine: int, opening: dict[int, int], refused: tuple[int, ...]) -> None:
    """Have the kernel reject some calls; a kernel without filters still allows them."""
    steps = [
        *((LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, machine), (RETURN, 0, 0, REFUSE)),
        *((LOAD, 0, 0, CALL), (AT_LEAST, 0, 1, FOREIGN_CALLS), (RETURN, 0, 0, REFUSE)),
    ]
    for call in refused:
        steps += [(EQUAL, 0, 1, call), (RETURN, 0, 0, REFUSE)]
    for call, flags in opening.items():
        steps += [(EQUAL, 0, 4, call), (LOAD, 0, 0, ARGUMENTS + 8 * flags), (ANY_BIT, 0, 1, WRITING)]
        steps += [(RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
    steps.append((RETURN, 0, 0, ALLOW))
    program = _Program(len(steps), (_Step * len(steps))(*(_Step(*step) for step in steps)))
    prctl = ctypes.CDLL(None).prctl
    zero = ctypes.c_ulong(0)
    if prctl(NO_NEW_PRIVILEGES, ctypes.c_ulong(1), zero, zero, zero) == 0:
        prctl(SET_FILTER, ctypes.c_ulong(BY_PROGRAM), ctypes.byref(program), zero, zero)
