"""Runs that are killed at 200 random moments and run again: python -m bench.flow.kills.

A flow reads, normalises and checks offers, and appends them to DuckDB and to PostgreSQL. Each time it is killed after a
random number of its events (a part of them after a random pause as well, to hit the moments between events), then run
again until it is done. Every row must be in both tables once for each run.
"""

import random
import tempfile
from contextlib import closing
from pathlib import Path

import duckdb
import psycopg

from bench.flow.killing import KillableRuns
from bench.flow.postgres import LocalPostgres
from bench.frame import Figure, tell

KILLS, ROWS = 200, 20_000
FLOW = """\
flow: 1
variables:
  database: "{url}"
steps:
  offers:
    read: offers.csv
  euro:
    normalise: offers
    columns:
      - money: price
        to: EUR
  good:
    check: euro
    need: [price]
  one:
    deliver: good
    to: prices.duckdb#offers
    mode: append
  two:
    deliver: good
    to: "{{database}}"
    table: offers
    mode: append
"""
COUNTED = "SELECT count(*), min(times), max(times) FROM (SELECT id, count(*) AS times FROM offers GROUP BY id) AS each"


def kill_figures(kills: int = KILLS) -> list[Figure]:
    """How many rows are missing or there too often, in both databases."""
    with tempfile.TemporaryDirectory() as name, closing(LocalPostgres()) as server:
        folder = Path(name)
        lines = "".join(f'{number},camera {number},"{number},50 €"\n' for number in range(1, ROWS + 1))
        (folder / "offers.csv").write_text("id,name,price\n" + lines)
        file = folder / "kills.flow.yaml"
        file.write_text(FLOW.format(url=server.url()))
        runs = _kill(file, folder / "store", kills)
        with duckdb.connect(str(folder / "prices.duckdb")) as connection:
            in_duckdb = connection.execute(COUNTED).fetchone()
        with psycopg.connect(server.url()) as connection:
            in_postgres = connection.execute(COUNTED).fetchone()
    return [_figure("DuckDB", in_duckdb, runs, kills), _figure("PostgreSQL", in_postgres, runs, kills)]


def _kill(file: Path, store: Path, kills: int) -> int:
    """Kill as often as wanted; how many runs were done in the end."""
    chance = random.Random(22)
    with KillableRuns(file, store) as runs:
        events, found = runs.run()
        assert found == "ok", found
        done = 1
        for _ in range(kills):
            pause = chance.choice((0.0, chance.random() * 0.2))
            _, found = runs.run(kill_at=chance.randint(1, events), pause=pause)
            done += found == "ok"  # it was done before the pause was over
            _, found = runs.run()
            assert found == "ok", found
            done += 1
    return done


def _figure(name: str, counted: tuple[int, int, int] | None, runs: int, kills: int) -> Figure:
    """Rows that are not there exactly once for each run."""
    rows, least, most = counted or (0, 0, 0)
    wrong = float((ROWS - rows) + abs(runs - least) + abs(most - runs))
    return Figure.of(f"{name}: rows lost or doubled by {kills} kills of a run", wrong, 0, "lower", "rows")


if __name__ == "__main__":
    tell(kill_figures())
