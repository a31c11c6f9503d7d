"""What is special about databases that SQLAlchemy reaches; all else is in the tests that run on every database."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver import Delivered, _sqlalchemy, deliver

from ._databases import PostgresBySqlAlchemy, PostgresDatabase, SqliteBySqlAlchemy, SqliteFile
from ._killing import Killable
from ._proxy import Proxy

ROWS = pa.record_batch({"id": [1, 2], "price": [3, 4]})


def test_both_ways_to_a_database_know_each_others_loads(tmp_path: Path, postgres: PostgresDatabase) -> None:
    """A table can be delivered to by SQLAlchemy and by the engine of its database, each load once."""
    pairs: list[tuple[Any, Any]] = [
        (SqliteFile(tmp_path), SqliteBySqlAlchemy(tmp_path)),
        (postgres, PostgresBySqlAlchemy(postgres.server)),
    ]
    for native, other in pairs:
        deliver([ROWS], native.target(), load="a", mode="upsert", key=["id"])
        assert deliver([ROWS], other.target(), load="a", mode="upsert", key=["id"]).was_done
        assert deliver([ROWS], other.target(), load="b", mode="upsert", key=["id"]) == Delivered(2, unchanged=2)
        assert deliver([ROWS], native.target(), load="b", mode="upsert", key=["id"]).was_done
        assert native.tables() == {"prices", "_sightline_loads"}


# Before the rows are moved, the staging table, its rows and the table of loads are committed.
BEFORE_THE_MOVE = 3


@pytest.mark.parametrize("passed_on", [True, False], ids=["answer lost", "commit lost"])
def test_lost_commit_is_found_out(postgres: PostgresDatabase, passed_on: bool) -> None:
    """Whether the server committed is asked over a new connection; the load counts once in either case."""
    proxy = Proxy(postgres.server.socket, cuts=1, passed_on=passed_on, spared=BEFORE_THE_MOVE)
    address = f"postgresql+psycopg://postgres@127.0.0.1:{proxy.port}/test?sslmode=disable&gssencmode=disable"
    target = f"sqlalchemy:{address}#prices"
    try:
        if passed_on:
            assert deliver([ROWS], target, load="a", mode="append") == Delivered(2, inserted=2)
        else:
            with pytest.raises(OutputError, match=r"lost during the commit .*; nothing was changed"):
                deliver([ROWS], target, load="a", mode="append")
            assert postgres.tables() == {"_sightline_loads"}
        assert deliver([ROWS], target, load="a", mode="append").was_done is passed_on
    finally:
        proxy.close()
    assert postgres.rows("SELECT count(*) FROM prices") == [(2,)]


@pytest.mark.parametrize("advisory", [True, False], ids=["advisory", "row"])
def test_two_loads_of_one_table_wait_for_each_other(
    postgres: PostgresDatabase, monkeypatch: pytest.MonkeyPatch, advisory: bool
) -> None:
    """By PostgreSQL's locks, and by the row that is locked in databases without an engine here."""
    monkeypatch.setattr(_sqlalchemy, "ADVISORY", advisory)
    database = PostgresBySqlAlchemy(postgres.server)
    together = threading.Barrier(4)
    problems: list[BaseException] = []

    def rows(load: int) -> Iterator[Any]:
        together.wait(60)
        yield pa.record_batch({"id": [*range(300)], "price": [load] * 300})

    target = database.target("appended")

    def append(load: int) -> None:
        try:
            deliver(rows(load), target, load=str(load % 2), mode="append")
        except BaseException as problem:  # noqa: BLE001 - told by the test
            problems.append(problem)

    threads = [threading.Thread(target=append, args=(load,)) for load in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert database.rows("SELECT count(*) FROM appended") == [(600,)]
    assert ("_sightline_locks" in database.tables()) is not advisory


KILLED = """
import os, signal, sqlalchemy as sa

def counted(function):
    def call(*arguments, **keywords):
        global stop
        result = function(*arguments, **keywords)
        stop -= 1
        if stop == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    return call

sa.Connection.execute = counted(sa.Connection.execute)
sa.Connection.commit = counted(sa.Connection.commit)
batch = pa.record_batch({"id": [1, 2], "price": [load, 7]})
deliver([batch], target, load=str(load), mode="history", key=["id"])
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sqlite", "postgresql"])
def test_kill_after_each_statement(
    name: str, tmp_path: Path, processes: Killable, request: pytest.FixtureRequest
) -> None:
    """Killed right after its n-th statement, for every third n, and run again: one open row a key, one row a change."""
    database: Any = SqliteBySqlAlchemy(tmp_path)
    if name == "postgresql":
        database = PostgresBySqlAlchemy(request.getfixturevalue("postgres").server)
    loads, status = 0, "ended 9"
    while status == "ended 9":
        loads += 1
        *_, status = processes.says(KILLED, target=database.target(), load=loads, stop=3 * loads)
        if status == "ended 9":
            *_, again = processes.says(KILLED, target=database.target(), load=loads, stop=0)
            assert again == "ended 0"
        assert database.rows("SELECT count(*) FROM prices WHERE valid_to IS NULL") == [(2,)]
        assert database.rows("SELECT count(*) FROM prices") == [(loads + 1,)]
    assert status == "ended 0"
    assert loads > 3
    assert database.tables() == {"prices", "_sightline_loads"}


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("nosuch://anna:secret@h/db", "SQLAlchemy knows no such dialect"),
        ("mssql+pyodbc://anna:secret@h/db", "the driver 'pyodbc' is not installed"),
        ("postgresql+psycopg://anna:secret@h:port/db", "isn't a SQLAlchemy address"),
    ],
)
def test_addresses_that_lead_nowhere_are_told(address: str, problem: str) -> None:
    """One sentence, without the password."""
    with pytest.raises(UsageError, match=problem) as raised:
        deliver([ROWS], f"sqlalchemy:{address}#prices", load="a", mode="append")
    assert "secret" not in str(raised.value)


def test_database_that_is_down_is_told() -> None:
    """The error says what to do, without the password."""
    target = "sqlalchemy:postgresql+psycopg://anna:secret@127.0.0.1:9/db#prices"
    with pytest.raises(OutputError, match="the database is down, busy, or ended the connection") as raised:
        deliver([ROWS], target, load="a", mode="append")
    assert "secret" not in str(raised.value)
