"""Thirty nights of a price watch that nobody watches: `python -m bench.flow.month`.

Two shops on loopback and a file with a price list change from day to day. In the month a shop is down for days, a page
is empty, a page is redesigned until somebody mends the flow, a column comes in, a day is run again with a corrected
list, and one is run a day late from pages that were captured on it. The first attempt of every night is killed at a
random moment.

The clock is a simulated one; the processes that are killed, the pages, databases, files and messages are real. What
each target has to hold in the end is computed from the prices alone.
"""

import json
import random
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from time import monotonic, sleep

import duckdb
import pyarrow as pa
from pyarrow import parquet

import sightline as sl
from bench.flow.killing import KillableRuns
from bench.frame import Figure, tell
from sightline.flow.run import FlowStore, RunState
from sightline.project import Project, page_info

DAYS = 30
PATIENCE = 60.0  # seconds for a message of a process of its own
DOWN_B = {5, 6, *range(20, 25)}
KEPT_B = {5, 6, 20, 21, 22}  # of which younger rows stand in
DOWN_A_AT_FIRST, DOWN_A = {9}, {10}
EMPTY_A_AT_FIRST = {12}
REDESIGN, MENDED, NEW_COLUMN = 15, 16, 18
AGAIN, AGAIN_ON = 19, 25
LATE, LATE_ON = 27, 28
Prices = dict[str, str]
Key = tuple[str, str]

FLOW = """\
flow: 1
on_failure: "{told}"
on_suspicious: "{told}"
on_success: "{told}"
steps:
  a:
    extract: {a}/prices
    take: tables
    static: true
  b:
    extract: {b}/prices
    take: tables
    static: true
    keep_last: 80 hours
  list:
    read: list-{{date}}.csv
  together:
    union: [a, b, list]
    label: shop
    columns:
      name: {{a: {name}, b: name, list: name}}
      price: {{a: {price}, b: price, list: price}}
  good:
    check: together
    let: [ok, suspicious]
    need: [name, price]
  history:
    deliver: good
    to: prices.duckdb#history
    mode: history
    key: [shop, name]
    columns: [shop, name, price]
  log:
    deliver: good
    to: sqlite:prices.sqlite#log
    mode: append
    columns: [shop, name, price]
  folder:
    deliver: good
    to: parquet:daily/
    mode: append
    columns: [shop, name, price]
  hook:
    deliver: good
    to: {hook}/rows
    columns: [shop, name, price]
"""


def due(day: int) -> datetime:
    """When a night is due."""
    return datetime(2026, 11, 1, 6, 30, tzinfo=UTC) + timedelta(days=day - 1)


def prices_of(shop: str, items: int, day: int) -> Prices:
    """What a shop asks on a day: about a third of its prices change each night, and some items come and go."""
    found: Prices = {}
    for number in range(items):
        chance = random.Random(f"{shop} {number}")
        price = chance.randint(50, 500)
        there = True
        for one in range(2, day + 1):
            change = random.Random(f"{shop} {number} {one}")
            if change.random() < 0.33:
                price += change.randint(-20, 20)
            there = change.random() > 0.05 if change.random() < 0.2 else there
        if there:
            found[f"Camera {shop}{number}"] = f"{price}.00"
    return found


# ---------------------------------------------------------------------- what is out there


@contextmanager
def served(answer: Callable[[str, dict[str, str], bytes], tuple[int, str]]) -> Iterator[str]:
    """A web server on loopback; its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            status, text = answer(self.path, {name.lower(): one for name, one in self.headers.items()}, body)
            content = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = _answer  # noqa: N815 - as the standard library calls them

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@dataclass
class World:
    """What the shops show, and what was posted and told."""

    prices: dict[str, Prices] = field(default_factory=dict)
    status: dict[str, int] = field(default_factory=dict)
    heads: dict[str, tuple[str, ...]] = field(default_factory=dict)
    parts: dict[tuple[str, int], list[dict[str, str]]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    told: list[str] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def page(self, shop: str) -> Callable[[str, dict[str, str], bytes], tuple[int, str]]:
        """The page of a shop as it is now."""

        def answer(path: str, _: dict[str, str], __: bytes) -> tuple[int, str]:
            if path == "/robots.txt":
                return 404, ""
            heads = self.heads.get(shop, ("name", "price"))
            more = "".join("<td>7" for _ in heads[2:])
            rows = "".join(f"<tr><td>{name}<td>{price}{more}" for name, price in self.prices[shop].items())
            head = "".join(f"<th>{one}" for one in heads) if rows else ""
            return self.status.get(shop, 200), f"<!doctype html><title>{shop}</title><table><tr>{head}{rows}</table>"

        return answer

    def posted(self, _: str, headers: dict[str, str], body: bytes) -> tuple[int, str]:
        """Rows that a flow posts: what came last for each load and part counts, and each key once."""
        with self.lock:
            key = headers["idempotency-key"]
            if key not in self.keys:
                self.keys.add(key)
                part = json.loads(body)
                self.parts[part["load"], part["part"]] = part["rows"]
        return 200, "{}"

    def heard(self, _: str, __: dict[str, str], body: bytes) -> tuple[int, str]:
        """A message."""
        with self.lock:
            said = json.loads(body)
            self.told.append("cut off" if "its process ended" in said["message"] else said["title"].split(": ")[1])
        return 200, "{}"


# ---------------------------------------------------------------------- the month


@dataclass
class Month:
    """What is wrong after a month; every number is to be 0."""

    history: int = 0
    doubled: int = 0
    unexplained: int = 0
    notifications: int = 0
    stale: int = 0
    kills: int = 0
    runs: int = 0


class _Watch:
    """The price watch, night by night."""

    def __init__(self, folder: Path, seed: int, addresses: dict[str, str], world: World) -> None:
        self.folder, self.world, self.addresses = folder, world, addresses
        self.chance = random.Random(seed)
        self.store = FlowStore(folder / "store", "prices")
        self.expected: dict[int, dict[Key, str]] = {}  # what each day that was delivered has to hold
        self.messages: list[str] = []
        self.result = Month()

    def write_flow(self, day: int) -> None:
        """The flow as it is on a day: it is mended on the day after the redesign."""
        name, price = ("name", "price") if day < MENDED else ("product", "cost")
        (self.folder / "prices.flow.yaml").write_text(FLOW.format(**self.addresses, name=name, price=price))

    def show(self, day: int, *, first: bool) -> None:
        """Let the shops show what they show on a day."""
        world = self.world
        world.prices = {"a": prices_of("a", 20, day), "b": prices_of("b", 15, day)}
        if first and day in EMPTY_A_AT_FIRST:
            world.prices["a"] = {}
        down = day in DOWN_A or (first and day in DOWN_A_AT_FIRST)
        world.status = {"a": 404 if down else 200, "b": 404 if day in DOWN_B else 200}
        world.heads = {
            "a": ("product", "cost") if day >= REDESIGN else ("name", "price"),
            "b": ("name", "price", "stock") if day >= NEW_COLUMN else ("name", "price"),
        }
        self.write_list(day, prices_of("l", 10, day))

    def write_list(self, day: int, prices: Prices) -> None:
        """The price list of a day."""
        lines = "".join(f"{name},{price}\n" for name, price in prices.items())
        (self.folder / f"list-{due(day):%Y-%m-%d}.csv").write_text("name,price\n" + lines)

    def snapshot(self, day: int) -> dict[Key, str]:
        """What is to be delivered for a day."""
        from_b = max(one for one in range(1, day + 1) if one not in DOWN_B) if day in KEPT_B else day
        parts = {"a": prices_of("a", 20, day), "b": prices_of("b", 15, from_b), "list": prices_of("l", 10, day)}
        return {(shop, name): price for shop, prices in parts.items() for name, price in prices.items()}

    def night(self, runs: KillableRuns, day: int) -> None:
        """One night: an attempt that is killed, one that goes on, and another one if that failed for a while."""
        self.write_flow(day)
        self.show(day, first=True)
        at = due(day)
        runs.run(kill_at=self.chance.randint(1, 8), pause=self.chance.choice((0.0, 0.05)), now=at)
        self.result.kills += 1
        self.heard("cut off")
        verdict = self.attempt(runs, now=at + timedelta(minutes=5))
        if day in DOWN_A_AT_FIRST | EMPTY_A_AT_FIRST:
            self.show(day, first=False)
            verdict = self.attempt(runs, now=at + timedelta(minutes=20))
        if verdict != "failed":
            self.expected[day] = self.snapshot(day)

    def attempt(self, runs: KillableRuns, **at: datetime) -> str:
        """An attempt that nobody kills; its verdict, of which somebody hears."""
        _, found = runs.run(**at)
        self.result.runs += 1
        verdict = found.partition(" ")[0]
        self.heard(verdict)
        return verdict

    def heard(self, what: str) -> None:
        """Wait until a message has come; one that never comes is missing."""
        self.messages.append(what)
        until = monotonic() + PATIENCE
        while len(self.world.told) < len(self.messages) and monotonic() < until:
            sleep(0.01)

    def month(self) -> Month:
        """All nights, and what is wrong afterwards."""
        with KillableRuns(self.folder / "prices.flow.yaml", self.folder / "store") as runs:
            for day in range(1, DAYS + 1):
                if day == LATE:
                    self.capture(day)
                    continue
                self.night(runs, day)
                if day == MENDED:
                    self.again(runs, REDESIGN, day)
                if day == AGAIN_ON:
                    corrected = {**prices_of("l", 10, AGAIN), "Camera l0": "1.00"}
                    self.write_list(AGAIN, corrected)
                    self.again(runs, AGAIN, day, corrected)
                if day == LATE_ON:
                    self.again(runs, LATE, day)
        self.judge()
        return self.result

    def capture(self, day: int) -> None:
        """Nothing runs on this day, but somebody captures the pages."""
        self.show(day, first=False)
        pages = Project(self.folder / "store")
        for shop in ("a", "b"):
            address = f"{self.addresses[shop]}/prices"
            page = sl.open(address, static=True)
            pages.keep_page(page, page_info(page, source=address, opened=due(day)))

    def again(self, runs: KillableRuns, day: int, today: int, prices_in_list: Prices | None = None) -> None:
        """A day that is past, from what was captured on it; killed as well."""
        now = due(today) + timedelta(hours=3)
        runs.run(kill_at=self.chance.randint(1, 8), now=now, due=self.due_of(day))
        self.result.kills += 1
        self.heard("cut off")
        self.attempt(runs, now=now + timedelta(minutes=5), due=self.due_of(day))
        self.expected[day] = self.snapshot(day)
        for name, price in (prices_in_list or {}).items():
            self.expected[day]["list", name] = price

    def due_of(self, day: int) -> datetime:
        """The due date of a night that ran, or the one that it should have had."""
        return next((state.due_at for state in self.store.runs() if state.due_at.date() == due(day).date()), due(day))

    # ------------------------------------------------------------------ what is wrong

    def judge(self) -> None:
        """Count what is wrong."""
        self.result.history = len(set(self.history()) ^ set(self.expected_history()))
        self.result.history += len(self.history()) - len(set(self.history()))
        wanted = sorted((*key, price) for rows in self.expected.values() for key, price in rows.items())
        found = (self.in_log(), self.in_folder(), self.in_hook())
        self.result.doubled = sum(_different(one, wanted) for one in found)
        states = self.store.runs()
        self.result.unexplained = sum(not self.is_explained(day, states) for day in range(1, DAYS + 1))
        self.result.notifications = _different(sorted(self.world.told), sorted(self.messages))
        self.result.stale = sum(self.stale_rows(state) for state in states if state.verdict == "ok")

    def history(self) -> list[tuple[str, str, str, date, date | None]]:
        """The rows of the history by days."""
        with duckdb.connect(str(self.folder / "prices.duckdb")) as connection:
            rows = connection.execute("SELECT shop, name, price, valid_from, valid_to FROM history").fetchall()
        return [(*row[:3], _day(row[3]), _day(row[4]) if row[4] else None) for row in rows]

    def expected_history(self) -> list[tuple[str, str, str, date, date | None]]:
        """What it has to hold: a price from the day on which it was first seen until that on which it was no more."""
        found: list[list[object]] = []
        open_rows: dict[Key, list[object]] = {}
        for day in sorted(self.expected):
            rows = self.expected[day]
            for key in [key for key, row in open_rows.items() if rows.get(key) != row[2]]:
                open_rows.pop(key)[4] = due(day).date()
            for key, price in rows.items():
                if key not in open_rows:
                    open_rows[key] = [*key, price, due(day).date(), None]
                    found.append(open_rows[key])
        return [tuple(row) for row in found]  # type: ignore[misc]

    def in_log(self) -> list[tuple[str, ...]]:
        """All rows of the log."""
        with closing(sqlite3.connect(self.folder / "prices.sqlite")) as connection:
            return sorted(connection.execute("SELECT shop, name, price FROM log").fetchall())

    def in_folder(self) -> list[tuple[str, ...]]:
        """All rows of the folder."""
        tables = [parquet.read_table(path).to_pylist() for path in (self.folder / "daily").glob("*.parquet")]
        return sorted((row["shop"], row["name"], row["price"]) for table in tables for row in table)

    def in_hook(self) -> list[tuple[str, ...]]:
        """All rows that the service has."""
        parts = self.world.parts.values()
        return sorted((row["shop"], row["name"], row["price"]) for rows in parts for row in rows)

    def is_explained(self, day: int, states: list[RunState]) -> bool:
        """Whether a day was delivered, or a run of it says why not."""
        own = [state for state in states if state.due_at.date() == due(day).date()]
        if day in self.expected:
            return any(state.is_complete for state in own)
        return any(state.verdict == "failed" and state.reasons for state in own)

    def stale_rows(self, state: RunState) -> int:
        """Rows of a run under ok that are not of its day."""
        rows = self.store.run(state.id).rows("together")
        with pa.OSFile(str(rows), "rb") as file, pa.ipc.open_file(file) as reader:
            table = reader.read_all().select(["shop", "name", "price"]).to_pylist()
        day = (state.due_at.date() - due(1).date()).days + 1
        known = (self.snapshot(day), self.expected.get(day, {}))  # before and after the list was corrected
        keys = [((row["shop"], row["name"]), row["price"]) for row in table]
        return sum(all(one.get(key) != price for one in known) for key, price in keys)


def _day(instant: datetime) -> date:
    return instant.astimezone(UTC).date()


def _different(found: Iterable[object], wanted: Iterable[object]) -> int:
    """How many entries of two lists have no partner."""
    one, other = Counter(found), Counter(wanted)
    return sum(((one - other) + (other - one)).values())


def simulate(folder: Path, seed: int = 30) -> Month:
    """A month in a folder."""
    world = World()
    with (
        served(world.page("a")) as a,
        served(world.page("b")) as b,
        served(world.posted) as hook,
        served(world.heard) as told,
    ):
        addresses = {"a": a, "b": b, "hook": hook, "told": told.replace("http://", "json://")}
        return _Watch(folder, seed, addresses, world).month()


def month_figures() -> list[Figure]:
    """What is wrong after a month; all of it is to be 0."""
    with tempfile.TemporaryDirectory() as folder:
        found = simulate(Path(folder))
    names = {
        "rows of the history that are missing, wrong or doubled": found.history,
        "rows of the log, the folder and the web hook that are not there once": found.doubled,
        "days without data that no run explains": found.unexplained,
        "messages missing or doubled": found.notifications,
        "rows older than their day under ok": found.stale,
    }
    told = f"in 30 nights with {found.kills} kills"
    return [Figure.of(f"{name}, {told}", float(value), 0, "lower", "") for name, value in names.items()]


if __name__ == "__main__":
    tell(month_figures())
