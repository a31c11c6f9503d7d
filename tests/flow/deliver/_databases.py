"""The databases as a test sees them: where to deliver to, and what is there."""

import sqlite3
from pathlib import Path
from typing import Any, Protocol

import duckdb
import psycopg
from bench.flow.postgres import LocalPostgres

TABLES = (
    "SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')"
)


class Database(Protocol):
    """One of the three."""

    name: str

    def target(self, table: str = "prices") -> str:
        """The text that names a table."""

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What a query gives to somebody else."""

    def run(self, *statements: str) -> None:
        """Change something as somebody else."""

    def tables(self) -> set[str]:
        """The names of all tables."""


class DuckFile:
    """A DuckDB file."""

    name = "duckdb"

    def __init__(self, folder: Path) -> None:
        self.path = folder / "test.duckdb"

    def target(self, table: str = "prices") -> str:
        return f"{self.path}#{table}"

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(self.path)) as connection:
            return connection.execute(query).fetchall()

    def run(self, *statements: str) -> None:
        with duckdb.connect(str(self.path)) as connection:
            for statement in statements:
                connection.execute(statement)

    def tables(self) -> set[str]:
        return {name for (name,) in self.rows(TABLES)}


class SqliteFile:
    """A SQLite file."""

    name = "sqlite"

    def __init__(self, folder: Path) -> None:
        self.path = folder / "test.sqlite"

    def target(self, table: str = "prices") -> str:
        return f"sqlite:{self.path}#{table}"

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        connection = sqlite3.connect(self.path)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def run(self, *statements: str) -> None:
        connection = sqlite3.connect(self.path, isolation_level=None)
        try:
            for statement in statements:
                connection.execute(statement)
        finally:
            connection.close()

    def tables(self) -> set[str]:
        return {name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}


class SqliteBySqlAlchemy(SqliteFile):
    """A SQLite file that is reached by SQLAlchemy."""

    def target(self, table: str = "prices") -> str:
        return f"sqlalchemy:sqlite:///{self.path}#{table}"


class PostgresDatabase:
    """A database of a PostgreSQL server."""

    name = "postgresql"

    def __init__(self, server: LocalPostgres) -> None:
        self.server = server

    @property
    def url(self) -> str:
        return self.server.url("test")

    def target(self, table: str = "prices") -> str:
        return f"{self.url}#{table}"

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url) as connection:
            return connection.execute(query).fetchall()

    def run(self, *statements: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def tables(self) -> set[str]:
        return {name for (name,) in self.rows(TABLES)}


class PostgresBySqlAlchemy(PostgresDatabase):
    """A database of a PostgreSQL server that is reached by SQLAlchemy."""

    def target(self, table: str = "prices") -> str:
        return f"sqlalchemy:{self.url.replace('postgresql://', 'postgresql+psycopg://')}#{table}"
