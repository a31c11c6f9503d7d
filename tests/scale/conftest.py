"""The databases that a ledger can stand in; PostgreSQL is a real server, started once."""

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from bench.flow.postgres import LocalPostgres

from sightline.scale.ledger import Ledger, open_ledger


@pytest.fixture(scope="session")
def server() -> Iterator[LocalPostgres]:
    """A PostgreSQL server of this session."""
    server = LocalPostgres()
    yield server
    server.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty ledger can be made."""
    if request.param == "sqlite":
        return str(tmp_path / "ledger.sqlite")
    server: LocalPostgres = request.getfixturevalue("server")
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS test WITH (FORCE)")
        connection.execute("CREATE DATABASE test")
    return server.url("test")


@pytest.fixture
def opened(address: str) -> Iterator[Callable[..., Ledger]]:
    """Opens the ledger as one more worker or driver would."""
    ledgers: list[Ledger] = []

    def opened(job: str = "job") -> Ledger:
        ledgers.append(open_ledger(address, job))
        return ledgers[-1]

    yield opened
    for ledger in ledgers:
        ledger.close()
