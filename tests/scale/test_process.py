"""Tests of a child process as its supervisor sees it: one that stands still, hangs up, or cannot even start."""

import os
import signal
import time
from pathlib import Path

import msgspec
import pytest

from sightline.errors import OutputError
from sightline.scale import Batch, BatchSettings, batch_spec
from sightline.scale._folder import ShardJournal, journal_path
from sightline.scale._process import ReadingProcess
from sightline.scale._spec import ChildOrders, ChildTask
from sightline.scale.ledger import open_ledger

from .._wait import BOUND
from ._corpus import Output, true_prices, write_pages

LARGE = 5_000_000  # bytes, more than any pipe takes at once


@pytest.fixture
def orders(tmp_path: Path) -> ChildOrders:
    """What a child is told first."""
    return ChildOrders(msgspec.json.encode(batch_spec("tables")), str(tmp_path), 0, 1.0)


def test_a_child_that_stands_still_does_not_stop_its_supervisor(orders: ChildOrders, tmp_path: Path) -> None:
    """A task larger than the pipe is given to a stopped process: waiting ends when it should, and so does the child."""
    child = ReadingProcess(orders, tmp_path / "words")
    os.kill(child.pid, signal.SIGSTOP)
    child.send(ChildTask("shard", 1, bytes(LARGE), b"", []))
    begun = time.monotonic()
    assert list(child.messages(0.1)) == []
    assert list(child.messages(0.1)) == []
    child.kill("hang")
    assert time.monotonic() - begun < BOUND  # a supervisor that waits for the pipe would wait for ever
    assert child.cause_of_death() == "hang"


def test_signals_without_a_name_are_causes_too(orders: ChildOrders, tmp_path: Path) -> None:
    """Real-time signals end processes as well."""
    child = ReadingProcess(orders, tmp_path / "words")
    os.kill(child.pid, signal.SIGRTMIN + 3)
    assert child.cause_of_death() == f"crash:signal {signal.SIGRTMIN + 3}"


@pytest.mark.slow
def test_children_leave_no_open_files(orders: ChildOrders, tmp_path: Path) -> None:
    """However a child ends, its pipes are closed."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    for end in (ReadingProcess.kill, ReadingProcess.cause_of_death, ReadingProcess.close):
        child = ReadingProcess(orders, tmp_path / "words")
        if end is ReadingProcess.cause_of_death:
            os.kill(child.pid, signal.SIGKILL)
        end(child)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.slow
def test_a_document_is_not_blamed_for_children_that_cannot_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was interrupted twice, so it is read alone; a machine that can start nothing sets nothing aside."""
    pages = write_pages(tmp_path / "pages", 3)
    spec, settings = batch_spec("tables"), BatchSettings(workers=1)
    with Batch(spec, [str(pages)], tmp_path / "out", settings=settings) as prepared:
        prepared._listing.wait()
    with open_ledger(str(tmp_path / "out" / "ledger.sqlite"), "batch") as ledger:
        lease = ledger.claim("somebody", 0)
        assert lease is not None
        ledger.blame(lease, str(pages / "0001.html"), "interrupted")
        with ShardJournal(journal_path(tmp_path / "out" / "_work", lease.shard, lease.fence)) as journal:
            journal.begin(1)
        ledger.release(lease)
    with monkeypatch.context() as broken:
        broken.setattr("sightline.scale._process._CODE", "import sys; sys.exit('no such library')")
        with (
            Batch(spec, [str(pages)], tmp_path / "out", settings=settings) as begun,
            pytest.raises(OutputError, match=r"not reading any document .*no such library"),
        ):
            begun.run()
    with Batch(spec, [str(pages)], tmp_path / "out", settings=settings) as begun:
        assert begun.run().verdict == "ok"
    assert Output(tmp_path / "out").prices() == true_prices(range(3))
