"""A load that is killed at any instant, and run again, leaves each row there exactly once."""

import random
import time
from pathlib import Path

import pytest

from ._databases import Database, DuckFile, PostgresDatabase
from ._killing import Killable

pytestmark = pytest.mark.slow

KILLS = 8  # for each of the two databases; `python -m bench flow` kills two hundred times
LOADS, ROWS = 20, 400

# Says a number when a load begins.
DELIVER = f"""
def rows(load):
    for part in range(4):
        ids = range(load * {ROWS} + part * {ROWS} // 4, load * {ROWS} + (part + 1) * {ROWS} // 4)
        yield pa.record_batch({{"id": [*ids], "load": [load] * len(ids)}})

def known(load):
    yield pa.record_batch({{"id": [*range({ROWS})], "load": [load] * {ROWS}}})

for load in range(first, {LOADS}):
    print(load, flush=True)
    deliver(rows(load), target + "appended", load=str(load), mode="append")
    deliver(known(load), target + "upserted", load=str(load), mode="upsert", key=["id"])
"""


def _left_by_kills(database: Database, processes: Killable) -> None:
    chance = random.Random(22)
    seen = 0
    for _ in range(KILLS):
        wanted = min(seen + chance.randint(0, 2), LOADS - 1)
        for line in processes.says(DELIVER, target=database.target(""), first=max(0, seen - 1)):
            if line.isdecimal() and int(line) >= wanted:
                seen = int(line)
                time.sleep(chance.random() * 0.1)  # any instant will do, and a load takes about as long
                processes.kill()
        assert line == "ended 9"
    *_, end = processes.says(DELIVER, target=database.target(""), first=0)
    assert end == "ended 0"
    appended = database.rows("SELECT count(*), count(DISTINCT id), sum(id) FROM appended")
    count = LOADS * ROWS
    assert [tuple(map(int, row)) for row in appended] == [(count, count, count * (count - 1) // 2)]
    upserted = database.rows("SELECT count(*), count(DISTINCT id), min(load), max(load) FROM upserted")
    assert upserted == [(ROWS, ROWS, LOADS - 1, LOADS - 1)]
    assert database.rows("SELECT count(*) FROM _sightline_loads") == [(2 * LOADS,)]
    assert database.tables() == {"appended", "upserted", "_sightline_loads"}


def test_kills_lose_and_double_nothing_in_duckdb(tmp_path: Path, processes: Killable) -> None:
    """Eight kills at random instants: all rows once, no staging table, no folder for what is staged."""
    _left_by_kills(DuckFile(tmp_path), processes)
    assert [path.name for path in tmp_path.iterdir()] == ["test.duckdb"]


def test_kills_lose_and_double_nothing_in_postgres(postgres: PostgresDatabase, processes: Killable) -> None:
    """Eight kills at random instants: all rows once, and no staging table, not even a temporary one."""
    _left_by_kills(postgres, processes)


STATEMENTS = """
import os, signal
engine = duckdb.DuckEngine if name == "duckdb" else postgres.PostgresEngine
method = "rows" if name == "duckdb" else "run"
usual, left = getattr(engine, method), stop

def counted(self, statement, *values):
    global left
    found = usual(self, statement, *values)
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return found

setattr(engine, method, counted)
batch = pa.record_batch({"id": [1, 2], "price": [load, 7]})
deliver([batch], target, load=str(load), mode="history", key=["id"])
"""


@pytest.mark.parametrize("name", ["duckdb", "postgresql"])
def test_kill_after_each_statement(
    name: str, tmp_path: Path, processes: Killable, request: pytest.FixtureRequest
) -> None:
    """Killed right after its n-th statement, for every even n, and run again: one open row a key, one row a change."""
    database = DuckFile(tmp_path) if name == "duckdb" else request.getfixturevalue("postgres")
    loads, status = 0, "ended 9"
    while status == "ended 9":
        loads += 1
        names = {"target": database.target(), "name": name, "load": loads}
        *_, status = processes.says(STATEMENTS, stop=2 * loads, **names)
        if status == "ended 9":
            *_, again = processes.says(STATEMENTS, stop=0, **names)
            assert again == "ended 0"
        assert database.rows("SELECT count(*) FROM prices WHERE valid_to IS NULL") == [(2,)]
        assert database.rows("SELECT count(*) FROM prices") == [(loads + 1,)]
    assert loads > 4
