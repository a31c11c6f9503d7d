"""PostgreSQL when things go wrong: cut connections, restarts, a server that does not answer, two loads at once."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pyarrow as pa
import pytest
from bench.flow.postgres import LocalPostgres

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver import Delivered, _postgres, deliver

from ..._wait import wait_until
from ._databases import PostgresDatabase
from ._proxy import Proxy

BATCH = pa.record_batch({"id": [1, 2, 3], "price": [100, 200, 300]})


def _deliver(target: str, load: str = "a") -> Delivered:
    return deliver([BATCH], target, load=load, mode="upsert", key=["id"])


def _count(postgres: PostgresDatabase) -> list[tuple[int, ...]]:
    return postgres.rows("SELECT (SELECT count(*) FROM prices), (SELECT count(*) FROM _sightline_loads)")


# ---------------------------------------------------------------------- a commit whose answer is lost


@contextmanager
def _proxied(postgres: PostgresDatabase, *, cuts: int, passed_on: bool) -> Iterator[str]:
    proxy = Proxy(postgres.server.socket, cuts=cuts, passed_on=passed_on)
    try:
        yield f"postgresql://postgres@127.0.0.1:{proxy.port}/test?sslmode=disable&gssencmode=disable#prices"
    finally:
        proxy.close()


def test_lost_answer_to_a_commit_is_found_out(postgres: PostgresDatabase) -> None:
    """The server committed, the client never heard of it: the load is found by its id, and reported as done."""
    with _proxied(postgres, cuts=1, passed_on=True) as target:
        assert _deliver(target) == Delivered(rows=3, inserted=3)
        assert _deliver(target).was_done
    assert _count(postgres) == [(3, 1)]


def test_lost_commit_is_found_out(postgres: PostgresDatabase) -> None:
    """The server never got the commit: nothing was changed, which the error says, and the load can be run again."""
    with _proxied(postgres, cuts=1, passed_on=False) as target:
        with pytest.raises(OutputError, match="nothing was changed, so run the load again"):
            _deliver(target)
        assert postgres.tables() == set()
        assert _deliver(target).inserted == 3
    assert _count(postgres) == [(3, 1)]


def test_commit_that_cannot_be_asked_about(postgres: PostgresDatabase) -> None:
    """If the second connection breaks as well, the error says that the same load finds out, and it does."""
    with _proxied(postgres, cuts=2, passed_on=True) as target:
        with pytest.raises(OutputError, match="run the same load again, which finds out"):
            _deliver(target)
        assert _deliver(target).was_done
    assert _count(postgres) == [(3, 1)]


# ---------------------------------------------------------------------- down, restarted, stopped


@pytest.fixture(scope="module")
def own_server() -> Iterator[LocalPostgres]:
    """A server that may be stopped without disturbing other tests."""
    server = LocalPostgres()
    yield server
    server.close()


@pytest.fixture
def restarting(own_server: LocalPostgres) -> PostgresDatabase:
    """An empty database on that server."""
    with psycopg.connect(own_server.url(), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS test WITH (FORCE)")
        connection.execute("CREATE DATABASE test")
    return PostgresDatabase(own_server)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_restart_during_a_load(restarting: PostgresDatabase, how: str) -> None:
    """A server that restarts while rows come ends the load with an error; run again, all rows are there once."""

    def batches(during: Callable[[], None]) -> Iterator[pa.RecordBatch]:
        yield BATCH
        during()

    def restart() -> None:
        restarting.server.stop(how)
        restarting.server.start()

    with pytest.raises(OutputError, match="run the load again when it is up"):
        deliver(batches(restart), restarting.target(), load="a", mode="append")
    assert restarting.tables() == set()
    deliver(batches(lambda: None), restarting.target(), load="a", mode="append")
    assert _count(restarting) == [(3, 1)]


def test_server_that_is_down(restarting: PostgresDatabase) -> None:
    """The error is one sentence that names the target; when the server is up, the load goes through."""
    restarting.server.stop()
    try:
        with pytest.raises(OutputError, match=r"prices: the server is down.*run the load again when it is up\.$"):
            _deliver(restarting.target())
    finally:
        restarting.server.start()
    assert _deliver(restarting.target()).inserted == 3


def test_server_that_does_not_answer(restarting: PostgresDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that hangs in the middle of a load is given up after a while; nothing is there of the load."""
    monkeypatch.setattr(_postgres, "ANSWER_SECONDS", 1.0)
    stopped: list[int] = []

    def batches() -> Iterator[pa.RecordBatch]:
        yield BATCH
        query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'sightline'"
        stopped.extend(pid for (pid,) in restarting.rows(query))
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)

    try:
        with pytest.raises(OutputError, match="did not answer"):
            deliver(batches(), restarting.target(), load="a", mode="append")
        assert len(stopped) == 1
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
    monkeypatch.undo()
    assert deliver([BATCH], restarting.target(), load="a", mode="append").inserted == 3


def test_password_is_not_shown() -> None:
    """Neither the address nor the error of a refused connection shows it."""
    with pytest.raises(OutputError) as caught:
        _deliver("postgresql://anna:secret@127.0.0.1:1/shop?password=other#prices")
    assert "anna@127.0.0.1:1/shop" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "other" not in str(caught.value)


# ---------------------------------------------------------------------- two loads at once, names, values


def test_two_loads_of_one_table_wait_for_each_other(postgres: PostgresDatabase) -> None:
    """Eight loads at once, two of each id: each row is there once, and every second one of an id finds it done."""
    with ThreadPoolExecutor(8) as several:
        ids = [str(number % 4) for number in range(8)]
        done = list(several.map(lambda load: deliver([BATCH], postgres.target(), load=load, mode="append"), ids))
    assert sum(one.was_done for one in done) == 4
    assert _count(postgres) == [(12, 4)]


def test_load_that_waits_too_long_says_so(postgres: PostgresDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another load that holds the lock, for longer than allowed, is what the error names."""
    monkeypatch.setattr(_postgres, "LOCK_SECONDS", 1)
    holding, free = threading.Event(), threading.Event()

    def hold() -> None:
        with psycopg.connect(postgres.url) as connection:
            name = 'sightline "public"."prices"'
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
            holding.set()
            free.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    wait_until(holding.is_set)
    try:
        with pytest.raises(OutputError, match="another load of this table runs"):
            _deliver(postgres.target())
    finally:
        free.set()
        holder.join()
    assert _deliver(postgres.target()).inserted == 3


def test_nul_in_a_text_is_named(postgres: PostgresDatabase) -> None:
    """PostgreSQL keeps no NUL; the error names the column."""
    with pytest.raises(OutputError, match="column 'name' has texts with a NUL"):
        deliver([pa.record_batch({"id": [1], "name": ["a\0b"]})], postgres.target(), load="a", mode="append")


def test_long_name_is_refused(postgres: PostgresDatabase) -> None:
    """PostgreSQL would cut it off, and two columns might become one."""
    with pytest.raises(UsageError, match="more than 63 bytes"):
        deliver([pa.record_batch({"ä" * 32: [1]})], postgres.target(), load="a", mode="append")


def test_schema_of_the_target(postgres: PostgresDatabase) -> None:
    """A schema can be named; one that does not exist is an error and is not made."""
    postgres.run("CREATE SCHEMA shop")
    deliver([BATCH], postgres.target("shop.prices"), load="a", mode="append")
    assert postgres.rows("SELECT count(*) FROM shop.prices") == [(3,)]
    assert postgres.rows("SELECT count(*) FROM shop._sightline_loads") == [(1,)]
    with pytest.raises(OutputError, match='schema "missing" does not exist'):
        deliver([BATCH], postgres.target("missing.prices"), load="a", mode="append")


def test_key_stays_unique_whoever_writes(postgres: PostgresDatabase) -> None:
    """The database itself holds that a key is there once, and that it is open once."""
    deliver([BATCH], postgres.target(), load="a", mode="upsert", key=["id"])
    deliver([BATCH], postgres.target("past"), load="a", mode="history", key=["id"])
    for statement in ("INSERT INTO prices VALUES (1, 1)", "INSERT INTO past VALUES (1, 1, now(), NULL)"):
        with pytest.raises(psycopg.errors.UniqueViolation):
            postgres.run(statement)
