"""Kills at random instants, with poisoned pages in the input: what is lost, doubled, wrong or unexplained, by id.

Four campaigns: processes that read pages, drivers, the raylet of a Ray node, and the head of its cluster are killed by
SIGKILL. When a batch comes to its end, another begins, until all kills are done; each has to be complete.
`python -m bench.scale.faults --workers 10 --drivers 5 --raylets 2 --heads 0`
"""

import argparse
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bench.frame import Figure, tell
from bench.processes import family
from bench.scale.poisoned import LOG, PLUGIN
from bench.scale.speed import DONE
from bench.scale.truth import Compared, Rows, compare

WORKERS, DRIVERS, RAYLETS, HEADS = 100, 50, 20, 5
PAGES, ROWS, SHARD = 3_000, 3, 25
POISONS = ("crash", "hang", "memory")
EACH_POISON = 2
SEED = 25
PATIENCE = 300.0  # seconds for a batch that is not killed any more
MOST_RECOVERY = {
    "worker": 30.0,
    "driver": 60.0,
    "raylet": 120.0,
    "head": 120.0,
}  # seconds; from the plan of the fault campaigns
LOOK = 0.01
LIMITS = ["--document-seconds", "2", "--worker-memory", "700000000", "--shard", str(SHARD), "--keep-going"]


@dataclass
class Campaign:
    """What was killed how often, and what came of it."""

    what: str
    kills: int = 0
    batches: int = 0
    compared: Compared = field(default_factory=Compared)
    read_again: int = 0
    recoveries: list[float] = field(default_factory=list)
    left_running: int = 0
    problems: list[str] = field(default_factory=list)


def run_campaigns(
    workers: int = WORKERS, drivers: int = DRIVERS, raylets: int = RAYLETS, heads: int = HEADS
) -> list[Campaign]:
    """All of them, each with its number of kills, at some seconds after the last shard."""
    plans = (
        ("worker", workers, "local", (0.2, 1.2)),
        ("driver", drivers, "local", (0.5, 4.0)),
        ("raylet", raylets, "ray", (0.5, 6.0)),
        ("head", heads, "ray", (0.5, 6.0)),
    )
    return [_campaign(what, kills, engine, pauses) for what, kills, engine, pauses in plans if kills]


def _campaign(what: str, kills: int, engine: str, pauses: tuple[float, float]) -> Campaign:
    campaign = Campaign(what)
    chance = random.Random(f"{SEED}:{what}")
    while campaign.kills < kills:
        with tempfile.TemporaryDirectory() as folder:
            _Victim(campaign, Path(folder), engine, chance).run(kills, pauses)
    return campaign


class _Victim:
    """One batch that is killed again and again."""

    def __init__(self, campaign: Campaign, folder: Path, engine: str, chance: random.Random) -> None:
        self._campaign, self._folder, self._chance = campaign, folder, chance
        self._poisons = _poisons(chance)
        _write_pages(folder / "pages", self._poisons)
        self._environment = {**os.environ, **_installed(folder / "plugin"), LOG: str(folder / "log")}
        self._output = folder / "out"
        self._members: set[int] = set()
        self._command = [sys.executable, "-m", "sightline", "batch", "poisoned", "pages", str(self._output)]
        self._command += ["--engine", engine, "--workers", "2", *LIMITS]

    def run(self, most: int, pauses: tuple[float, float]) -> None:
        """Kill until the batch is done or there were enough kills; then compare what it delivered."""
        driver = self._begun()
        while self._campaign.kills < most and driver.poll() is None:
            if not self._at_work(driver, self._parts()):
                break
            self._wait(driver, self._chance.uniform(*pauses))
            driver = self._killed(driver)
        self._end(driver)
        self._campaign.left_running += _left(self._members)
        self._compare()

    def _begun(self) -> "subprocess.Popen[bytes]":
        with (self._folder / "words").open("ab") as words:
            return subprocess.Popen(self._command, cwd=self._folder, env=self._environment, stdout=words, stderr=words)

    def _killed(self, driver: "subprocess.Popen[bytes]") -> "subprocess.Popen[bytes]":
        """Kill something, and wait until the batch gets on; the driver that is at work then."""
        victims = list(_victims(self._campaign.what, driver.pid))
        if not victims or driver.poll() is not None:
            return driver
        started = {process.pid for process in family(driver.pid)}
        self._members |= started
        with suppress(ProcessLookupError):
            os.kill(self._chance.choice(victims), signal.SIGKILL)
            self._campaign.kills += 1
        began = time.monotonic()
        if self._campaign.what == "driver":
            driver.wait()
            self._campaign.left_running += _left(started)
            driver = self._begun()
        if self._is_replaced(driver, set(victims)) and self._at_work(driver, self._parts()):
            self._campaign.recoveries.append(time.monotonic() - began)
        return driver

    def _is_replaced(self, driver: "subprocess.Popen[bytes]", known: set[int]) -> bool:
        """Wait until another process does the work of the one that was killed; False if the batch ended before.

        Others go on meanwhile, and those that a node has started even without it, which is not to count as recovery.
        """
        return self._waits_until(driver, lambda: set(_victims(self._campaign.what, driver.pid)) - known)

    def _at_work(self, driver: "subprocess.Popen[bytes]", parts: int) -> bool:
        """Wait until one more shard is done; False if the batch ended before."""
        return self._waits_until(driver, lambda: self._parts() > parts)

    def _waits_until(self, driver: "subprocess.Popen[bytes]", condition: Callable[[], object]) -> bool:
        until = time.monotonic() + PATIENCE
        while not condition():
            if driver.poll() is not None:
                return False
            if time.monotonic() > until:
                raise SystemExit(f"bench: a batch stands still after a kill; see {self._folder}.")
            time.sleep(LOOK)
        return True

    def _wait(self, driver: "subprocess.Popen[bytes]", seconds: float) -> None:
        with suppress(subprocess.TimeoutExpired):
            driver.wait(seconds)

    def _parts(self) -> int:
        return sum(1 for _ in (self._output / "documents").glob("part-*"))

    def _end(self, driver: "subprocess.Popen[bytes]") -> None:
        status = driver.wait(PATIENCE)
        self._campaign.batches += 1
        if status not in DONE:
            words = (self._folder / "words").read_text("utf-8", "replace")[-2000:]
            self._campaign.problems.append(f"exit status {status}: {words}")

    def _compare(self) -> None:
        names = {number: f"pages/{number:05d}.html" for number in range(PAGES)}
        poisoned = {names[number]: poison for number, poison in self._poisons.items()}
        truth = {name: _prices(number) for number, name in names.items() if number not in self._poisons}
        self._campaign.compared += compare(self._output, truth, poisoned, _has_prices)
        read = [int(line) for line in (self._folder / "log").read_text().splitlines()]
        healthy = [number for number in read if number not in self._poisons]
        self._campaign.read_again += len(healthy) - len(set(healthy))


# ---------------------------------------------------------------- the pages


def _poisons(chance: random.Random) -> dict[int, str]:
    """Which pages are poisoned; other ones in each batch."""
    numbers = chance.sample(range(PAGES), EACH_POISON * len(POISONS))
    return {number: POISONS[place % len(POISONS)] for place, number in enumerate(numbers)}


def _write_pages(folder: Path, poisons: dict[int, str]) -> None:
    folder.mkdir()
    for number in range(PAGES):
        poison = f"<p>Poison: {poisons[number]}</p>" if number in poisons else ""
        rows = "".join(f"<tr><td>Camera {number}-{row}<td>{price}" for row, price in enumerate(_prices(number)))
        table = f"<table><tr><th>Name<th>Price</tr>{rows}</table>"
        (folder / f"{number:05d}.html").write_text(f"<!DOCTYPE html><p>Page {number}.</p>{poison}{table}")


def _prices(number: int) -> list[str]:
    return [str(number * 10 + row) for row in range(ROWS)]


def _has_prices(found: Rows, true: list[str]) -> bool:
    return [row["cells"][1] for row in sorted(found, key=lambda row: int(row["_row"]))] == true


def _installed(folder: Path) -> dict[str, str]:
    """The environment in which the plugin is installed."""
    facts = folder / "poisoned-1.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: poisoned\nVersion: 1\n")
    (facts / "entry_points.txt").write_text(f"[sightline.extractors]\n{PLUGIN}\n")
    here = Path(__file__).parents[2]
    known = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(folder), str(here), known)))}


# ---------------------------------------------------------------- the processes; only those that we have started


def _victims(what: str, driver: int) -> Iterator[int]:
    """The processes of a batch that may be killed."""
    if what == "driver":
        yield driver
        return
    named = {"worker": "sightline.scale._child", "raylet": "raylet/raylet", "head": "gcs/gcs_server"}[what]
    for process in family(driver):
        if named in _command(process.pid):
            yield process.pid


def _command(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    return ""


def _left(processes: set[int]) -> int:
    """How many of the processes of a batch still run, a while after its driver has ended."""
    until = time.monotonic() + 30
    while (left := sum(bool(_command(one)) for one in processes)) and time.monotonic() < until:
        time.sleep(LOOK)
    return left


# ---------------------------------------------------------------- the figures


def fault_figures(campaigns: list[Campaign]) -> list[Figure]:
    """What must not happen, and how often it happened; what was read again, and how long it took to get on."""
    figures = []
    for one in campaigns:
        name = f"{one.what} killed {one.kills} x, {one.compared.documents:,} documents"
        counts: list[tuple[str, int]] = [
            ("lost", one.compared.lost),
            ("doubled", one.compared.doubled),
            ("wrong", one.compared.wrong),
            ("unexplained", one.compared.unexplained),
            ("healthy documents set aside", one.compared.set_aside),
            ("processes left running", one.left_running),
            ("batches that failed", len(one.problems)),
        ]
        figures += [Figure.of(f"{name}: {what}", count, 0, "lower") for what, count in counts]
        figures += _costs(name, one)
    return figures


def _costs(name: str, one: Campaign) -> Iterator[Figure]:
    again = one.read_again / max(1, one.kills)
    yield Figure.of(f"{name}: pages read again", again, 2 * SHARD, "lower", "a kill")
    if one.recoveries:
        middle, longest = statistics.median(one.recoveries), max(one.recoveries)
        yield Figure.of(f"{name}: until the next shard, median", middle, None, "lower", "s")
        yield Figure.of(f"{name}: longest", longest, MOST_RECOVERY[one.what], "lower", "s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=WORKERS)
    parser.add_argument("--drivers", type=int, default=DRIVERS)
    parser.add_argument("--raylets", type=int, default=RAYLETS)
    parser.add_argument("--heads", type=int, default=HEADS)
    given = parser.parse_args()
    found = run_campaigns(given.workers, given.drivers, given.raylets, given.heads)
    tell(fault_figures(found), *(problem for one in found for problem in one.problems))
