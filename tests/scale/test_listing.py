"""Tests of listing: whatever is named, in whatever order and way, and however often, each document is listed once."""

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import pytest

from sightline.errors import UnreachableError, UsageError
from sightline.net import Limits
from sightline.scale._batch import InputListing
from sightline.scale._spec import unpack_references
from sightline.scale.inputs import BatchInput, InputSettings, find_inputs
from sightline.scale.ledger import Ledger, ShardFacts

from ._corpus import write_pages

Opened = Callable[..., Ledger]


@pytest.fixture
def ledger(opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ledger:
    """An empty ledger, and a folder to be in."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    begun = opened()
    begun.begin("digest", b"plan")
    return begun


def listed(ledger: Ledger, *names: str, began_in: str | None = None) -> list[str]:
    """List some names as a driver would; the ids of all documents that the ledger has then."""
    listing = InputListing(ledger, 10, Limits(), began_in or str(Path.cwd()))
    listing.begin(names, InputSettings())
    listing.wait()
    return ids(ledger)


def ids(ledger: Ledger) -> list[str]:
    """All documents of a ledger."""
    return [reference.id for shard in ledger.shards() for reference in unpack_references(shard.references)]


def names_of(folder: str, count: int) -> list[str]:
    """The ids of pages in a folder."""
    return [f"{folder}/{number:04d}.html" for number in range(count)]


def test_names_that_are_added_bring_only_their_own_documents(ledger: Ledger) -> None:
    """A folder, then with a second one, then both again with a glob and a file of them, and the first alone."""
    write_pages(Path("a"), 3)
    write_pages(Path("b"), 12)
    write_pages(Path("c"), 2)
    assert listed(ledger, "a") == names_of("a", 3)
    assert listed(ledger, "b", "a") == names_of("a", 3) + names_of("b", 12)
    everything = names_of("a", 3) + names_of("b", 12) + names_of("c", 2)
    assert listed(ledger, "a", "b", "c", "b/*.html", "c/0001.html") == everything
    assert listed(ledger, "a") == everything
    assert listed(ledger, "c", "b/*.html") == everything
    assert ledger.counts().listed


def test_another_way_to_write_a_name_is_the_same_input(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Absolute instead of relative, from another folder, with a dot: no document gets a second id."""
    here = Path.cwd()
    write_pages(Path("a"), 3)
    Path("list.txt").write_text("https://shop.example/1\nhttps://shop.example/2\n")
    first = listed(ledger, "a", "list.txt")
    assert len(first) == 5
    assert listed(ledger, str(here / "a"), "./list.txt") == first
    _do_all(ledger)
    monkeypatch.chdir(here / "a")
    assert listed(ledger, str(here / "list.txt"), began_in=str(here)) == first


def test_an_input_that_is_gone_does_not_fail_page_by_page(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents that are still to be read need their input: named or not, elsewhere or gone, the batch says so."""
    here = Path.cwd()
    write_pages(Path("a"), 3)
    Path("list.txt").write_text("https://shop.example/1\n")
    listed(ledger, "a", "list.txt")
    monkeypatch.chdir(here / "a")
    with pytest.raises(UsageError, match=r"begun in .*here, where .* lies"):
        listed(ledger, "a", "list.txt", began_in=str(here))
    monkeypatch.chdir(here)
    Path("list.txt").unlink()
    with pytest.raises(UsageError, match=r"list.txt is gone since"):
        listed(ledger, "a")
    with pytest.raises(UsageError, match=r"list.txt is gone since"):
        listed(ledger, "a", "list.txt")


def test_an_input_whose_documents_are_all_read_may_go(ledger: Ledger) -> None:
    """Others can be added to the batch then."""
    write_pages(Path("a"), 2)
    write_pages(Path("b"), 2)
    Path("list.txt").write_text("https://shop.example/1\n")
    listed(ledger, "list.txt")
    _do_all(ledger)
    Path("list.txt").unlink()
    assert len(listed(ledger, "a", "b")) == 5


def test_what_a_killed_driver_did_not_list_is_listed_by_the_next(ledger: Ledger) -> None:
    """Even if the next one does not name it: a batch never counts as listed while an input is not."""
    write_pages(Path("a"), 2)
    write_pages(Path("b"), 2)
    (begun,) = (found for found in find_inputs(["b"]) if isinstance(found, BatchInput))
    ledger.add_inputs([(begun.name, begun.identity, msgspec.msgpack.encode(begun))])
    ledger.finish_listing()
    assert not ledger.counts().listed
    assert listed(ledger, "a") == names_of("b", 2) + names_of("a", 2)
    assert ledger.counts().listed


def test_nothing_to_read_is_an_error_and_begins_nothing(ledger: Ledger) -> None:
    """The folder can then be used for something else."""
    with pytest.raises(UnreachableError, match="no such file"):
        listed(ledger, "a")
    with pytest.raises(UsageError, match="nothing to read"):
        listed(ledger)
    assert ledger.begin("another digest", b"another plan") == b"another plan"


def test_drivers_that_add_inputs_at_once_do_not_lose_one(ledger: Ledger, opened: Opened) -> None:
    """Every input has its own number."""
    others = [opened() for _ in range(4)]

    def add(number: int, other: Ledger) -> None:
        for index in range(5):
            other.add_inputs([(f"{number}-{index}", "identity", b"told")])

    threads = [threading.Thread(target=add, args=pair) for pair in enumerate(others)]
    _run_all(threads)
    assert sorted(known.number for known in ledger.inputs()) == list(range(1, 21))


def _run_all(threads: Iterable[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _do_all(ledger: Ledger) -> None:
    while lease := ledger.claim("owner", 60):
        done = ShardFacts(lease.documents, 0, 0, 0, 0, 0, 0.0, 0.0, b"")
        assert ledger.commit(lease, done, lambda: None)
