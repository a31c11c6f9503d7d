"""Processes that do the runs of a schedule, so that one that crashes or eats memory takes no other with it.

A worker is started when one is needed, and stays for the runs that come after. It gets its orders as lines of JSON and
answers in lines of JSON. It ends with us, however we end: when the pipe of its orders is closed, it kills itself and
all that it has started.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Literal

import msgspec

from sightline.errors import OutputError
from sightline.flow.schedule._flow_runs import FlowOrder
from sightline.flow.schedule._store import FOLDER, WORKERS, WorkerDied

_CODE = "from sightline.flow.schedule._worker import main; main()"
_PATIENCE = 10.0  # seconds for a process that has hung up to be gone


@dataclass(frozen=True)
class WorkerMessage:
    """A line of a worker: that it is ready, something to tell on the way, or what came of its run."""

    kind: Literal["ready", "told", "done", "failed"]
    text: str = ""


class FlowWorkers:
    """Workers of a schedule in a store, as many as there are runs at once; used as a context manager, which ends them.

    A run whose worker dies is a WorkerDied; the next run gets a worker that lives.
    """

    def __init__(self, store: Path) -> None:
        self._lock_file = store / FOLDER / WORKERS
        self._lock = Lock()
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._is_closed = False

    def __enter__(self) -> "FlowWorkers":
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._is_closed = True
            left, idle, self._all, self._idle = self._all, self._idle, set(), []
        for worker in left:
            worker.end()
        for worker in idle:
            worker.close()

    @property
    def processes(self) -> frozenset[int]:
        """The numbers of the processes."""
        with self._lock:
            return frozenset(worker.pid for worker in self._all)

    def run(self, order: FlowOrder, tell: Callable[[str], None] = lambda _: None) -> str:
        """Have a run done by a worker that is free, and return its note; any thread may call this."""
        worker = self._free_worker()
        try:
            message = worker.run(order, tell)
        except WorkerDied:
            with self._lock:
                self._all.discard(worker)
            worker.close()
            raise
        with self._lock:
            self._idle.append(worker)
        if message.kind == "failed":
            raise OutputError(message.text)
        return message.text

    def _free_worker(self) -> "_Worker":
        """The one that worked last, whose memory is warm, or a new one."""
        with self._lock:
            if self._is_closed:
                raise WorkerDied("the schedule has ended")
            while self._idle:
                worker = self._idle.pop()
                if worker.is_alive:
                    return worker
                worker.end()
                worker.close()
                self._all.discard(worker)
            worker = _Worker(self._lock_file)
            self._all.add(worker)
            return worker


class _Worker:
    """One process, as seen from outside."""

    def __init__(self, lock_file: Path) -> None:
        # -P: what lies in the folder where the command was given is nothing to import.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _CODE, str(lock_file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for us alone, and a browser that it starts is ended with it
        )
        self._is_ready = False

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it can do another run."""
        return self._process.poll() is None

    def run(self, order: FlowOrder, tell: Callable[[str], None]) -> WorkerMessage:
        """Have a run done; returns the last message, which says what came of it."""
        assert self._process.stdin is not None
        if not self._is_ready:  # it holds its lock from then on, which the next schedule waits for
            self._message()
            self._is_ready = True
        with suppress(BrokenPipeError):  # it is dead, as the answer will say
            self._process.stdin.write(msgspec.json.encode(order) + b"\n")
            self._process.stdin.flush()
        while (message := self._message()).kind == "told":
            tell(message.text)
        return message

    def _message(self) -> WorkerMessage:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise WorkerDied(self._cause())
        return msgspec.json.decode(line, type=WorkerMessage)

    def _cause(self) -> str:
        """Why it died."""
        with suppress(subprocess.TimeoutExpired):  # it has hung up, and still does not end
            self._process.wait(_PATIENCE)
        status = self.end()
        if status >= 0:
            return f"its process ended with status {status}"
        with suppress(ValueError):  # signals of real-time programs have no name
            return f"its process was ended by {signal.Signals(-status).name}"
        return f"its process was ended by signal {-status}"

    def end(self) -> int:
        """End it at once, with everything that it has started; returns its status."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        return self._process.wait()

    def close(self) -> None:
        """Close the pipes of a process that has ended; only whoever has it to itself may do so."""
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # an order that it never got
                if stream is not None:
                    stream.close()
