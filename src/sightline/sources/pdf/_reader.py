"""The parent's side of the process that runs pdfium: started, queried with deadlines, and certain to end."""

import atexit
import errno
import fcntl
import os
import select
import signal
import subprocess
import sys
import time
import weakref
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from sightline import native
from sightline.sources.pdf import _child
from sightline.sources.pdf._sheet import Head, Malformed, frame, receive

START_SECONDS = 30.0
PIPE_BYTES = 1 << 20  # two sheets fit in: the child works ahead while we use the one before
LOADER_VARIABLES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")  # without which some installations of Python do not start
THREADS_VARIABLE = "OPENBLAS_NUM_THREADS"  # every thread that numpy would start takes memory from the limit
NEEDED = ("numpy", "orjson", "pypdfium2", "pypdfium2_raw", "pypdfium2_cfg")  # what a child imports that is not Python's
MOST_ERRORS = 10_000  # bytes read of what a child said that did not start


class Late(Exception):
    """The child exceeded its time limit."""


class Died(Exception):
    """The child is gone; the text says why, as far as known."""


class ReaderProcess:
    """A child process. Its pipe is its lifeline: however we die, the pipe closes and the child quits.

    Not thread-safe: each is used by one thread at a time.
    """

    def __init__(self, memory_bytes: int) -> None:
        self.memory_bytes = memory_bytes
        self.lost = False
        self._ready = False
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(Path(_child.__file__).resolve()), str(memory_bytes), *_folders()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=_environment(),
            cwd="/",
            start_new_session=True,  # an interrupt on the terminal is for us, who then end it
        )
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._to, self._from = self._process.stdin.fileno(), self._process.stdout.fileno()
        for fd in (self._to, self._from):
            os.set_blocking(fd, False)
            _enlarge(fd)
        _running.add(self)

    @property
    def pid(self) -> int:
        """The number of the process, which is that of its session and group."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return not self.lost and self._process.poll() is None

    def send(self, head: Head, body: bytes = b"", *, seconds: float) -> None:
        """Send a request."""
        until = time.monotonic() + (seconds if self._ready else START_SECONDS)
        try:
            for part in (frame(head, len(body)), body):
                rest = memoryview(part)
                while rest:
                    self._await(self._to, select.POLLOUT, until)
                    rest = rest[os.write(self._to, rest) :]
        except BrokenPipeError:
            raise Died(self._cause()) from None

    def receive(self, *, seconds: float) -> tuple[Head, bytearray]:
        """The next answer."""
        if not self._ready:
            self._start()
        until = time.monotonic() + seconds
        return receive(lambda count: self._read(count, until))

    def kill(self) -> None:
        """Kill it; it may already be gone."""
        if self.lost:
            return
        self.lost = True
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        self._close()

    def abandon(self) -> None:
        """Release it in a forked process, where it still belongs to the parent."""
        if not self.lost:
            self.lost = True
            self._close()
            self._process.returncode = 0  # not ours to wait for

    def _start(self) -> None:
        until = time.monotonic() + START_SECONDS
        head, _ = receive(lambda count: self._read(count, until), most_body=0)
        if "ready" not in head:
            raise Malformed("no greeting")
        self._ready = True

    def _read(self, count: int, until: float) -> bytearray:
        whole = bytearray(count)
        rest = memoryview(whole)
        while rest:
            try:
                got = os.readv(self._from, [rest])
            except BlockingIOError:  # mostly an answer is there as a whole, and only its beginning is waited for
                self._await(self._from, select.POLLIN, until)
                continue
            if not got:
                raise Died(self._cause())
            rest = rest[got:]
        return whole

    def _await(self, fd: int, event: int, until: float) -> None:
        poll = select.poll()
        poll.register(fd, event)
        if not poll.poll(max(until - time.monotonic(), 0) * 1000):
            raise Late

    def _cause(self) -> str:
        """Why a child that closed its pipe is gone; if it still runs, it is killed."""
        try:
            status = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "it closed its pipe"
        if status == -signal.SIGXCPU:
            raise Late
        if status == -signal.SIGABRT:
            return "out of memory"  # what pdfium does when an allocation fails
        if status < 0:
            return f"signal {signal.Signals(-status).name}"
        return f"status {status}" if self._ready else self._complaint() or f"status {status}"

    def _complaint(self) -> str:
        """The last line of what a child wrote that did not start."""
        assert self._process.stderr
        lines = os.read(self._process.stderr.fileno(), MOST_ERRORS).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

    def _close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                stream.close()


_running: "weakref.WeakSet[ReaderProcess]" = weakref.WeakSet()


def _end_all() -> None:
    for process in list(_running):
        process.kill()


def _forget_in_child() -> None:
    for process in list(_running):
        process.abandon()


atexit.register(_end_all)
os.register_at_fork(after_in_child=_forget_in_child)


def _folders() -> list[str]:
    """The folders that a child imports from; no others, and never the current folder."""
    found = [(name, find_spec(name)) for name in NEEDED]
    missing = [name for name, spec in found if spec is None]
    if missing:
        raise FileNotFoundError(errno.ENOENT, f"{missing[0]} is not installed")
    return list(dict.fromkeys(str(Path(spec.origin).parents[1]) for _, spec in found if spec and spec.origin))


def _environment() -> dict[str, str]:
    """An almost empty environment: a hostile document must not find our secrets in it."""
    kept = {name: os.environ[name] for name in LOADER_VARIABLES if name in os.environ}
    without_kernels = {native.SWITCH: "0"} if native.kernels is None else {}  # a child does as we do
    return kept | without_kernels | {THREADS_VARIABLE: "1"}


def _enlarge(fd: int) -> None:
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):  # the system's limit for unprivileged users may be lower
            fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
