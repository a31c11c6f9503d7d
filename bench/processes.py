"""Processes: what they cost, which are left, what they say, and how one is watched that may die or hang."""

import json
import os
import selectors
import signal
import subprocess
import sys
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from time import monotonic, process_time
from typing import Any, NamedTuple, Self

PROC = Path("/proc")
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
SAMPLE = 0.02  # seconds between two looks at a process
# Places in `/proc/PID/stat` behind the name, which may hold blanks and brackets.
STATE, PARENT, TIMES, RESIDENT = 0, 1, slice(11, 15), 21


class Process(NamedTuple):
    """One process: who started it, the seconds of processor time of it and of its ended children, and its memory."""

    pid: int
    parent: int
    seconds: float
    bytes: int


def family(root: int) -> list[Process]:
    """A process and all that it started, directly or not, itself first."""
    children: dict[int, list[Process]] = defaultdict(list)
    found = []
    for folder in PROC.iterdir():
        if folder.name.isdigit() and (process := _read(folder)) is not None:
            children[process.parent].append(process)
            if process.pid == root:
                found.append(process)
    for process in found:  # grows while it is walked
        found += children[process.pid]
    return found


def _read(folder: Path) -> Process | None:
    try:
        text = (folder / "stat").read_text("utf-8", "replace")
    except (FileNotFoundError, ProcessLookupError):
        return None  # it ended meanwhile
    values = text.rpartition(")")[2].split()
    ticks = sum(map(int, values[TIMES]))
    return Process(int(folder.name), int(values[PARENT]), ticks / TICK, int(values[RESIDENT]) * PAGE)


def processor_seconds() -> float:
    """The processor time of this process and all that it started, those included that run on."""
    me, ended = os.getpid(), os.times()
    own = process_time() + ended.children_user + ended.children_system
    return own + sum(process.seconds for process in family(me) if process.pid != me)


def family_memory(root: int) -> tuple[int, int]:
    """The bytes of memory of a process with all that it started, and of the largest of the latter."""
    found = family(root)
    return sum(process.bytes for process in found), max((process.bytes for process in found[1:]), default=0)


def resident(pid: int) -> int:
    """The resident bytes of a process."""
    statm = PROC / str(pid) / "statm"
    if statm.exists():
        return int(statm.read_text().split()[1]) * PAGE
    return 1024 * int(subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], check=True, capture_output=True).stdout)


def members(group: int) -> int:
    """How many processes of a group are alive."""
    listing = subprocess.run(["ps", "-e", "-o", "pgid=,stat="], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in listing.splitlines()]
    return sum(int(pgid) == group and not state.startswith("Z") for pgid, state in rows)


def told_by(module: str, *arguments: str) -> Any:
    """What a program of ours prints as JSON, in a process of its own."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"bench: {module} ended early:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


class Watched:
    """A process that answers a line by a line, watched from outside; one that dies or hangs is started anew."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self) -> "subprocess.Popen[str]":
        """Start the process."""
        raise NotImplementedError

    def look(self, pid: int) -> None:
        """Look at the process while it works."""

    def ask(self, question: str, deadline: float) -> tuple[str, str]:
        """`answer` and what it is; or `hang` or `crash`, and a word on it."""
        process = self.process = self.process or self.start()
        assert process.stdin
        assert process.stdout
        began = monotonic()
        process.stdin.write(f"{question}\n")
        process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while not selector.select(SAMPLE):
                self.look(process.pid)
                if monotonic() - began > deadline:
                    self.end()
                    return "hang", f"no answer for {deadline:g} s"
        line = process.stdout.readline()
        if not line:
            code = process.wait()
            self.end()
            return "crash", f"the caller ended with {code}"
        self.look(process.pid)
        return "answer", line

    def end(self) -> None:
        """End the process and what it started, which would live on where the process hangs."""
        process, self.process = self.process, None
        if process is None:
            return
        for one in family(process.pid):
            with suppress(ProcessLookupError):
                os.kill(one.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe
            pipe.close()
