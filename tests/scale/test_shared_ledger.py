"""Tests of batches whose ledger is in PostgreSQL, so that several drivers share the work."""

import json
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from bench.flow.postgres import LocalPostgres

from sightline.scale import BatchSettings, batch

from ._corpus import Output, true_prices, write_pages

pytestmark = pytest.mark.slow

SCRIPT = """
import json, sys
from sightline.scale import BatchSettings, batch
pages, folder, ledger = sys.argv[1:]
run = batch("tables", pages, folder, ledger=ledger, settings=BatchSettings(workers=1, shard=10))
print(json.dumps({"complete": run.complete, "attempts": run.counts.attempts}))
"""


@pytest.fixture
def ledger(server: LocalPostgres) -> str:
    """An empty database."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS test WITH (FORCE)")
        connection.execute("CREATE DATABASE test")
    return server.url("test")


def test_two_drivers_share_one_batch(tmp_path: Path, ledger: str) -> None:
    """Both find it complete in the end; every shard was done once."""
    pages = write_pages(tmp_path / "pages", 60)
    command = [sys.executable, "-c", SCRIPT, str(pages), str(tmp_path / "out"), ledger]
    drivers = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    told = [json.loads(driver.communicate()[0]) for driver in drivers]
    assert told == [{"complete": True, "attempts": 6}] * 2
    assert Output(tmp_path / "out").prices() == true_prices(range(60))


def test_batches_into_two_folders_do_not_mix(tmp_path: Path, ledger: str) -> None:
    """A shared ledger tells batches apart by their folder, unless they are named."""
    for name, count in (("a", 4), ("b", 7)):
        pages = write_pages(tmp_path / f"pages-{name}", count)
        run = batch("tables", pages, tmp_path / name, ledger=ledger, settings=BatchSettings(workers=1))
        assert run.complete
        assert run.counts.documents == count
    assert not (tmp_path / "a" / "ledger.sqlite").exists()
