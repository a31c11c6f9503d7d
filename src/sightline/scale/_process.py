"""A child process as its supervisor sees it: tasks to send, messages to wait for, and why it died."""

import _thread
import math
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from sightline.scale._spec import DISK_FULL, OUT_OF_MEMORY, ChildOrders, ChildTask, framed

_CODE = "from sightline.scale._child import main; main()"
_TAIL = 2_000  # bytes of its last words
_WINDOW = 1 << 16
_PATIENCE = 10.0  # seconds for a child to close its browser before it is killed
HANG, MEMORY = "hang", "memory"


class ChildMessage(NamedTuple):
    """What a child says: `r`eady, `b`egins, `d`one with a document, at the `e`nd, `w`rote the parts, `a`lone."""

    kind: str
    text: str


class ReadingProcess:
    """One child process. Its standard error goes to a file, whose end says why it died."""

    def __init__(self, orders: ChildOrders, words: Path) -> None:
        self._words = words
        self._pending = b""
        self._killed_for = ""
        self.began = False  # a document of the latest task
        self._unsent = b""
        with words.open("wb") as stderr:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _CODE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                start_new_session=True,  # a browser that it starts is ended with it
            )
        os.set_blocking(self._stdin.fileno(), False)
        self._unsent = framed(orders)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    def send(self, task: ChildTask) -> None:
        """Give it a task, which goes down while `messages` waits: a process that stands still must not stop us too."""
        self.began = False
        self._unsent += framed(task)

    def messages(self, seconds: float) -> Iterator[ChildMessage]:
        """What it says, as soon as it says something or `seconds` are over; `EOFError` if it has died."""
        assert self._process.stdout is not None
        if self._process.stdout.closed:
            raise EOFError
        stream = self._process.stdout.fileno()
        waiting = select.poll()  # `select` knows the first 1,024 files of a process alone
        waiting.register(stream, select.POLLIN)
        if self._unsent:
            waiting.register(self._stdin.fileno(), select.POLLOUT)
        ready = {file for file, _ in waiting.poll(max(0, math.ceil(1000 * seconds)))}
        if ready - {stream}:
            self._send_some()
        if stream not in ready:
            return
        data = os.read(stream, _WINDOW)
        if not data:
            raise EOFError
        *lines, self._pending = (self._pending + data).split(b"\n")
        for line in lines:
            kind, _, text = line.decode().partition(" ")
            self.began = self.began or kind == "b"
            yield ChildMessage(kind, text)

    def _send_some(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._stdin.fileno(), self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:  # it is dead, which the next wait notices
            self._unsent = b""

    def memory(self) -> int:
        """The bytes that it and the processes it has started hold; 0 where the system does not say."""
        return sum(map(_resident, _family(self.pid)))

    def kill(self, cause: str = "") -> None:
        """End it at once, with everything that it has started."""
        self._killed_for = self._killed_for or cause
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what was meant for it, and not sent
                if stream:
                    stream.close()

    def close(self) -> None:
        """End it in peace, or after a while without."""
        self._unsent = b""
        with suppress(OSError):
            self._stdin.close()
        until = time.monotonic() + _PATIENCE
        while self._process.poll() is None and time.monotonic() < until:
            with suppress(EOFError):
                list(self.messages(0.05))
                continue
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.05)
        self.kill()

    def cause_of_death(self) -> str:
        """Why it died, as a code: `hang`, `memory`, `full`, `crash:SIGSEGV`, `crash:exit 1`."""
        with suppress(subprocess.TimeoutExpired):  # it has hung up, and still does not end
            self._process.wait(_PATIENCE)
        self.kill()  # it, and what it has started
        status = self._process.wait()
        if self._killed_for:
            return self._killed_for
        if status == OUT_OF_MEMORY:
            return MEMORY
        if status == DISK_FULL:
            return "full"
        return f"crash:{_signal_name(-status) if status < 0 else f'exit {status}'}"

    def last_words(self) -> str:
        """The last line that it wrote to standard error."""
        with suppress(OSError):
            lines = self._words.read_bytes()[-_TAIL:].decode("utf-8", "replace").strip().splitlines()
            return lines[-1].strip() if lines else ""
        return ""


def _signal_name(number: int) -> str:
    """The name of a signal; those for real-time programs have none."""
    with suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


def _family(pid: int) -> Iterator[int]:
    """A process and those that it has started, where the system tells."""
    yield pid
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _family(int(child))


def _resident(pid: int) -> int:
    with suppress(OSError, IndexError, ValueError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


# -- threads that can be ended and waited for, wherever Ctrl-C strikes ----------------------------------------------

DOZE = 0.25  # seconds after which a wait looks again: a signal that comes just before it sleeps does not wake it


class Aside:
    """Work that is done beside the main thread.

    Ctrl-C is raised between any two instructions of the main thread, and `threading` is made of many: interrupted in
    `Thread.start`, it leaves a thread that runs and cannot be joined, or a lock that is released twice; in
    `Thread.is_alive`, Python before 3.13 takes a thread that runs for one that has ended. Here every step is one
    instruction, and work that has not begun when it is waited for never begins. Nothing waits for it when the program
    ends.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._turn = _thread.allocate_lock()  # for whoever comes first: the work, or the one who calls it off
        self._began, self._ended = _Mark(), _Mark()

    def start(self) -> None:
        """Begin; returns when the work has begun."""
        _thread.start_new_thread(self._run, ())
        self._began.wait()

    @property
    def has_ended(self) -> bool:
        """Whether the work is over."""
        return self._ended.is_set

    def join(self) -> None:
        """Wait until the work is over; if it has not begun yet, it never does."""
        if not self._turn.acquire(blocking=False):
            self._ended.wait()

    def _run(self) -> None:
        if not self._turn.acquire(blocking=False):
            return
        try:
            self._began.set()
            self._work()
        finally:
            self._ended.set()


class _Mark:
    """Whether something has happened: a `threading.Event` that an interrupted wait leaves whole."""

    def __init__(self) -> None:
        self.is_set = False
        self._bed = _thread.allocate_lock()
        self._bed.acquire()

    def set(self) -> None:
        """It has happened; whoever waits first wakes up at once, others soon."""
        self.is_set = True
        self._bed.release()

    def wait(self) -> None:
        """Return when it has happened."""
        while not self.is_set:
            self._bed.acquire(timeout=DOZE)
