"""Two hundred clients at a time: no answer fails, none takes much longer than alone, and memory stays flat.

Each client works like a person with a quick hand: it looks at what it got for one to three seconds, and asks again.
"""

import asyncio
import json
import random
import statistics
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from bench.frame import Figure, tell
from bench.studio.pages import LIST_KEY, TABLE_KEY, shop_page
from bench.studio.served import Client, ServedStudio, served

CLIENTS = 200
SECONDS = 60.0
THINKING = (1.0, 3.0)
PAGES, NODES = 8, 3_000
IDLE_ASKED = 300
MOST_SLOWER, MOST_GROWTH = 10.0, 0.1
SAMPLE_SECONDS = 1.0


@dataclass
class Load:
    """What was measured: seconds of each kind of request, alone and among many; statuses; memory over time."""

    idle: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    busy: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    memory: list[int] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def failed(self) -> int:
        """How many answers say that the server failed."""
        return sum(count for status, count in self.statuses.items() if status >= 500)

    @property
    def slower(self) -> float:
        """The 95th percentile among many over the median alone, of all requests."""
        alone = [seconds for several in self.idle.values() for seconds in several]
        among = sorted(seconds for several in self.busy.values() for seconds in several)
        return among[int(len(among) * 0.95)] / statistics.median(alone)

    @property
    def growth(self) -> float:
        """How much memory grew: the last sixth of the time over the second."""
        part = max(len(self.memory) // 6, 1)
        return statistics.mean(self.memory[-part:]) / statistics.mean(self.memory[part : 2 * part]) - 1


def _requests(pages: list[str], chance: random.Random) -> tuple[str, str, str, bytes]:
    """A request of those that the Studio makes, in about the shares in which it makes them."""
    page = chance.choice(pages)
    key = chance.choice((TABLE_KEY, LIST_KEY))
    rows = f"/pages/{page}/results/{key}?offset={chance.choice((0, 0, 50))}&limit=500"
    wishes = (
        (6, "rows", "GET", rows),
        (3, "results", "GET", f"/pages/{page}/results"),
        (2, "page", "GET", f"/pages/{page}"),
        (2, "picture", "GET", f"/pages/{page}/pictures/0"),
        (1, "geometry", "GET", f"/pages/{page}/geometry"),
        (1, "pages", "GET", "/pages"),
        (1, "jobs", "GET", "/jobs"),
        (1, "about", "GET", "/about"),
        (1, "export", "GET", f"/pages/{page}/results/{TABLE_KEY}/export?format=csv"),
        (2, "edit", "POST", f"/pages/{page}/results/{TABLE_KEY}/edits?limit=500"),
    )
    _, kind, method, path = chance.choices(wishes, [wish[0] for wish in wishes])[0]
    return kind, method, path, b""


async def _one(
    client: Client, pages: list[str], chance: random.Random, found: Load, into: dict[str, list[float]]
) -> None:
    kind, method, path, body = _requests(pages, chance)
    headers = ""
    if kind == "edit":
        # The version that a person sees; two who change one result at a time are told apart by it.
        place = path.partition("/edits")[0]
        _, state = await client.ask("GET", f"{place}?limit=0")
        seen = json.loads(state)
        headers = f'If-Match: "{seen["version"]}"\r\n'
        name = seen["info"]["columns"][0]["name"]
        to = f"Model {chance.randint(1, 10**6)}"
        undo = {"action": "undo"} if seen["history"]["at"] > 5 else {"action": "rename", "column": name, "to": to}
        body = json.dumps(undo).encode()
    began = time.perf_counter()
    status, _ = await client.ask(method, path, body, headers)
    into[kind].append(time.perf_counter() - began)
    found.statuses[status] += 1


async def _client(studio: ServedStudio, pages: list[str], seed: int, until: float, found: Load) -> None:
    chance = random.Random(seed)
    client = Client(studio)
    await asyncio.sleep(chance.uniform(0, THINKING[1]))
    while time.perf_counter() < until:
        await _one(client, pages, chance, found, found.busy)
        await asyncio.sleep(chance.uniform(*THINKING))
    client.close()


async def _watch(studio: ServedStudio, until: float, found: Load) -> None:
    while time.perf_counter() < until:
        found.memory.append(studio.resident())
        await asyncio.sleep(SAMPLE_SECONDS)


async def _run(studio: ServedStudio, pages: list[str], clients: int, seconds: float) -> Load:
    found = Load()
    chance, alone = random.Random(0), Client(studio)
    for _ in range(40):
        await _one(alone, pages, chance, Load(), defaultdict(list))  # so that nothing is asked for the first time
    for _ in range(IDLE_ASKED):
        await _one(alone, pages, chance, found, found.idle)
    began = time.perf_counter()
    until = began + seconds
    several = [_client(studio, pages, seed, until, found) for seed in range(1, clients + 1)]
    await asyncio.gather(_watch(studio, until, found), *several)
    found.seconds = time.perf_counter() - began
    alone.close()
    return found


def measure_load(clients: int = CLIENTS, seconds: float = SECONDS) -> Load:
    """Let so many clients work for so long."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as studio:
        pages = [studio.upload(f"shop-{number}.html", shop_page(NODES, number)) for number in range(PAGES)]
        return asyncio.run(_run(studio, pages, clients, seconds))


def load_figures(clients: int = CLIENTS, seconds: float = SECONDS) -> tuple[list[Figure], list[str]]:
    """The figures of many clients, and what they consist of."""
    found = measure_load(clients, seconds)
    asked = sum(len(several) for several in found.busy.values())
    megabytes = [size / 1e6 for size in (found.memory[len(found.memory) // 6], found.memory[-1])]
    figures = [
        Figure.of(f"{clients} clients, {seconds:.0f} s: answers 5xx", found.failed, 0, "lower"),
        Figure.of("p95 among them / median alone", found.slower, MOST_SLOWER, "lower", "x"),
        Figure(
            "growth of memory, last sixth over second, MB",
            megabytes[1],
            megabytes[0],
            found.growth,
            MOST_GROWTH,
            "lower",
        ),
    ]
    remarks = [
        f"{asked:,} requests, {asked / found.seconds:.0f} a second; statuses {dict(sorted(found.statuses.items()))}"
    ]
    for kind in sorted(found.busy):
        alone, among = found.idle.get(kind) or [0.0], sorted(found.busy[kind])
        remarks.append(
            f"{kind}: alone median {1e3 * statistics.median(alone):.1f} ms; among many median "
            f"{1e3 * statistics.median(among):.1f} ms, p95 {1e3 * among[int(len(among) * 0.95)]:.1f} ms ({len(among)})"
        )
    return figures, remarks


if __name__ == "__main__":
    measured, said = load_figures()
    tell(measured, *said)
