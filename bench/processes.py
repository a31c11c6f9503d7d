"""What processes cost, and which are left: processor time and memory, read from `/proc` or from `ps`."""

import os
import subprocess
from collections import defaultdict
from pathlib import Path
from time import process_time
from typing import NamedTuple

PROC = Path("/proc")
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
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
