"""The three databases that every test of delivery runs on; PostgreSQL is a real server, started once."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from bench.flow.postgres import LocalPostgres

from ._databases import Database, DuckFile, PostgresDatabase, SqliteFile

ENGINES = ("duckdb", "sqlite", "postgresql")


@pytest.fixture(scope="session")
def server() -> Iterator[LocalPostgres]:
    """A PostgreSQL server of this session."""
    server = LocalPostgres()
    yield server
    server.close()


@pytest.fixture
def postgres(server: LocalPostgres) -> Iterator[PostgresDatabase]:
    """A database of this test on the server."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS test WITH (FORCE)")
        connection.execute("CREATE DATABASE test")
    yield PostgresDatabase(server)


@pytest.fixture(params=ENGINES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """Each of the databases in turn, empty."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgres")  # type: ignore[no-any-return]
    return DuckFile(tmp_path) if request.param == "duckdb" else SqliteFile(tmp_path)
