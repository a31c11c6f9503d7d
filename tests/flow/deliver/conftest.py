"""The databases that every test of delivery runs on; PostgreSQL is a real server, started once."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from bench.flow.postgres import LocalPostgres

from ._databases import (
    Database,
    DuckFile,
    PostgresBySqlAlchemy,
    PostgresDatabase,
    SqliteBySqlAlchemy,
    SqliteFile,
)
from ._killing import Killable

ENGINES = ("duckdb", "sqlite", "postgresql", "sqlalchemy-sqlite", "sqlalchemy-postgresql")


@pytest.fixture(scope="session")
def processes() -> Iterator[Killable]:
    """Runs code in processes that can be killed; what they import is imported once in a session."""
    with Killable() as processes:
        yield processes


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
    if request.param.endswith("postgresql"):
        postgres = request.getfixturevalue("postgres")
        return postgres if request.param == "postgresql" else PostgresBySqlAlchemy(postgres.server)
    files = {"duckdb": DuckFile, "sqlite": SqliteFile, "sqlalchemy-sqlite": SqliteBySqlAlchemy}
    return files[request.param](tmp_path)
