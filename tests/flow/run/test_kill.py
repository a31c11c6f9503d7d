"""A run that is killed at any moment, and run again, delivers every row once, to DuckDB and to PostgreSQL."""

import random

import psycopg
import pytest
from bench.flow.killing import KillableRuns
from bench.flow.postgres import LocalPostgres

from .conftest import FlowFolder

pytestmark = pytest.mark.slow

ROWS = 3000
KILLS = 10  # `python -m bench flow` kills two hundred times

STEPS = """
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
  to: "{database}"
  table: killed_offers
  mode: append
"""


def test_every_row_arrives_once_whenever_a_run_is_killed(folder: FlowFolder, server: LocalPostgres) -> None:
    """Ten kills, each at another moment; after each, the same run is taken up and finished."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS killed_offers, _sightline_loads")
    lines = "".join(f'{number},camera {number},"{number},50 €"\n' for number in range(1, ROWS + 1))
    (folder.path / "offers.csv").write_text("id,name,price\n" + lines)
    file = folder.write(STEPS, head=f"variables:\n  database: {server.url()}\n")
    chance = random.Random(22)
    with KillableRuns(file, folder.path / "store") as runs:
        events, found = runs.run()
        assert found == "ok"
        moments = [1 + number * events // KILLS for number in range(KILLS)]
        done = 1
        for moment in chance.sample(moments, KILLS):
            _, found = runs.run(kill_at=moment)
            done += found == "ok"  # it had fewer events than the first one, and was done before
            _, found = runs.run()
            assert found == "ok"
            done += 1
    assert done <= KILLS + 3, "most runs must have been killed"
    expected = [(ROWS, done)]
    counted = "SELECT count(*), min(times), max(times) FROM (SELECT id, count(*) AS times FROM {} GROUP BY id) AS each"
    rows, least, most = folder.query(counted.format("offers"))[0]
    assert [(rows, most)] == expected
    assert least == most
    with psycopg.connect(server.url()) as connection:
        rows, least, most = connection.execute(counted.format("killed_offers")).fetchone()  # type: ignore[misc]
    assert [(rows, most)] == expected
    assert least == most
