"""Runs, backfills and tests that are killed at 200 random moments: python -m bench.flow.kills.

A flow reads, normalises and checks the offers of a day, and adds them to six targets: DuckDB, SQLite, PostgreSQL, a
folder of Parquet files, a Delta table and a web hook. Each time it is killed after a random number of its events (a
part of them after a random pause as well, to hit the moments between events), then done again. Some runs are of days
that were run before, with other offers; some are tests of the flow, which deliver nothing. In the end every target has
to have the offers of every day once, as they were last.
"""

import json
import random
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock

import duckdb
import psycopg
from pyarrow import parquet

from bench.flow.killing import KillableRuns
from bench.flow.postgres import LocalPostgres
from bench.flow.serving import Answered, served
from bench.frame import Figure, tell

KILLS, ROWS = 200, 500
FLOW = """\
flow: 1
variables:
  database: "{url}"
steps:
  offers:
    read: offers-{{date}}.csv
  euro:
    normalise: offers
    columns:
      - money: price
        to: EUR
  good:
    check: euro
    need: [price]
  dated:
    sql: SELECT id, price, '{{date}}' AS day FROM good
  one:
    deliver: dated
    to: prices.duckdb#offers
    mode: append
  two:
    deliver: dated
    to: "{{database}}"
    table: offers
    mode: append
  three:
    deliver: dated
    to: sqlite:prices.sqlite#offers
    mode: append
  four:
    deliver: dated
    to: parquet:daily/
    mode: append
  five:
    deliver: dated
    to: delta:lake/
    mode: append
  six:
    deliver: dated
    to: {hook}/offers
"""
Row = tuple[str, str, str]


class Receiver:
    """Keeps what came last for each load and part, and each message once."""

    def __init__(self) -> None:
        self.parts: dict[tuple[str, int], list[dict[str, str]]] = {}
        self._keys: set[str] = set()
        self._lock = Lock()

    def __call__(self, path: str, headers: dict[str, str], body: bytes) -> Answered:  # noqa: ARG002 - one address
        """Take a part."""
        with self._lock:
            if headers["idempotency-key"] not in self._keys:
                self._keys.add(headers["idempotency-key"])
                part = json.loads(body)
                self.parts[part["load"], part["part"]] = part["rows"]
        return 200, "{}"


class _Kills:
    """A flow that is killed again and again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.chance = random.Random(22)
        self.versions: dict[int, int] = {}  # how often the offers of a day were changed

    def write(self, day: int) -> None:
        """Other offers for a day; a changed day has some less, and other prices."""
        version = self.versions[day] = self.versions.get(day, -1) + 1
        lines = "".join(f"{number},{number + version}.50 €\n" for number in range(1, ROWS + 1 - version))
        (self.folder / f"offers-{_due(day):%Y-%m-%d}.csv").write_text("id,price\n" + lines)

    @property
    def expected(self) -> Counter[Row]:
        """What each target has to have."""
        return Counter(
            (str(number), f"{number + version}.50", f"{_due(day):%Y-%m-%d}")
            for day, version in self.versions.items()
            for number in range(1, ROWS + 1 - version)
        )

    def run(self, runs: KillableRuns, kills: int) -> int:
        """Kill as often as wanted; how many tests did not find what was captured."""
        events, found = self.day(runs, 0)
        assert found == "ok", found
        wrong = int(self.of_test(runs, "capture") != "ok")
        for number in range(1, kills + 1):
            pause = self.chance.choice((0.0, self.chance.random() * 0.2))
            kill_at = self.chance.randint(1, events)
            kind = self.chance.random()
            if kind < 0.15:
                what = self.chance.choice(("capture", "test"))
                runs.run(kill_at=kill_at, pause=pause, what=what, **self.times_of(0, what))
                wrong += int(self.of_test(runs, "test") != "ok")
                continue
            day = self.chance.choice(list(self.versions)) if kind < 0.5 else number
            self.write(day)
            runs.run(kill_at=kill_at, pause=pause, now=_due(number), due=_due(day))
            _, found = runs.run(now=_due(number), due=_due(day))
            assert found == "ok", found
        return wrong

    def day(self, runs: KillableRuns, day: int) -> tuple[int, str]:
        """A run of a day that nobody kills."""
        self.write(day)
        return runs.run(now=_due(day), due=_due(day))

    def of_test(self, runs: KillableRuns, what: str) -> str:
        """What a test says that nobody kills."""
        return runs.run(what=what, **self.times_of(0, what))[1]

    def times_of(self, day: int, what: str) -> dict[str, datetime]:
        """The times that a capture is told of; a test knows its own."""
        return {"now": _due(day), "due": _due(day)} if what == "capture" else {}


def _due(day: int) -> datetime:
    return datetime(2026, 1, 1, 6, 30, tzinfo=UTC) + timedelta(days=day)


def kill_figures(kills: int = KILLS) -> list[Figure]:
    """How many rows are missing or there too often, in every target."""
    receiver = Receiver()
    with tempfile.TemporaryDirectory() as name, closing(LocalPostgres()) as server, served(receiver) as hook:
        folder = Path(name)
        file = folder / "kills.flow.yaml"
        file.write_text(FLOW.format(url=server.url(), hook=hook))
        work = _Kills(folder)
        with KillableRuns(file, folder / "store") as runs:
            wrong = work.run(runs, kills)
        found = {
            "DuckDB": _in_duckdb(folder),
            "PostgreSQL": _in_postgres(server),
            "SQLite": _in_sqlite(folder),
            "Parquet": _in_parquet(folder),
            "Delta": _in_delta(folder),
            "web hook": _rows([row for part in receiver.parts.values() for row in part]),
        }
        expected = work.expected
    of = f"{kills} kills of runs, backfills and tests"
    figures = [_figure(f"{name}: rows lost or doubled by {of}", _wrong(rows, expected)) for name, rows in found.items()]
    return [*figures, _figure(f"tests that did not find what was captured, by {of}", wrong)]


def _figure(name: str, wrong: int) -> Figure:
    return Figure.of(name, float(wrong), 0, "lower", "")


def _wrong(found: Counter[Row], expected: Counter[Row]) -> int:
    return ((found - expected) + (expected - found)).total()


SELECT = "SELECT CAST(id AS VARCHAR(20)), CAST(price AS VARCHAR(20)), day FROM offers"


def _in_duckdb(folder: Path) -> Counter[Row]:
    with duckdb.connect(str(folder / "prices.duckdb")) as connection:
        return Counter(connection.execute(SELECT).fetchall())


def _in_postgres(server: LocalPostgres) -> Counter[Row]:
    with psycopg.connect(server.url()) as connection:
        return Counter(connection.execute(SELECT).fetchall())  # type: ignore[call-overload,no-any-return]


def _in_sqlite(folder: Path) -> Counter[Row]:
    with closing(sqlite3.connect(folder / "prices.sqlite")) as connection:
        return Counter(connection.execute(SELECT).fetchall())


def _in_parquet(folder: Path) -> Counter[Row]:
    return _rows([row for path in (folder / "daily").glob("*.parquet") for row in parquet.read_table(path).to_pylist()])


def _in_delta(folder: Path) -> Counter[Row]:
    from deltalake import DeltaTable

    return _rows(DeltaTable(folder / "lake").to_pyarrow_dataset().to_table().to_pylist())


def _rows(found: list[dict[str, str]]) -> Counter[Row]:
    """Rows as texts; JSON has no trailing zeros of decimals."""
    return Counter((str(row["id"]), f"{float(row['price']):.2f}", str(row["day"])) for row in found)


if __name__ == "__main__":
    tell(kill_figures())
