"""The state of a crawl in SQLite."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.crawler._addresses import address_key
from sightline.crawler._archive import Archive
from sightline.crawler._state import STATE_FILE, CrawlState, NewAddress, Standing, connect, unpacked
from sightline.errors import UnreadableError, UsageError


def new(path: str, kind: str = "all", score: float = 0.0, host: str = "example.org") -> NewAddress:
    """An address to wait."""
    url = f"https://{host}{path}"
    return NewAddress(address_key(url), url, kind, score, depth=1)


def opened(folder: Path) -> CrawlState:
    """The state of a folder."""
    folder.mkdir(exist_ok=True)
    return CrawlState(folder)


def order(state: CrawlState, kind: str, host: str = "example.org") -> list[str]:
    """Visit everything of a kind; the paths in the order of the visits."""
    paths = []
    while (found := state.next(host, kind)) is not None:
        paths.append(found.url.removeprefix(f"https://{host}"))
        state.settle(found.id, Standing.VISITED)
    return paths


def test_next_gives_the_highest_score_first(tmp_path: Path) -> None:
    """Of one kind, the highest score comes first; of equal scores, the address that was found first."""
    state = opened(tmp_path)
    state.add([new("/a", score=1), new("/b", score=3), new("/c", score=3), new("/d", "other", score=9)])
    assert order(state, "all") == ["/b", "/c", "/a"]
    assert state.waiting == {"example.org": {"other": 1}}
    state.close()


def test_next_without_a_kind_goes_by_depth(tmp_path: Path) -> None:
    """Of all kinds, the first found of those at the least depth comes first, and what was put back last."""
    state = opened(tmp_path)
    deep, near = new("/deep", "menu", score=9), new("/near", "list")._replace(depth=0)
    state.add([deep, new("/next", "list"), near, new("/busy", "list")._replace(depth=0)])
    found = state.next("example.org", None)
    assert found is not None
    assert (found.url, found.kind, found.depth) == ("https://example.org/near", "list", 0)
    state.settle(found.id, Standing.VISITED)
    busy = state.next("example.org", None)
    assert busy is not None
    state.put_back(busy.id, "it was busy")
    paths = []
    while (found := state.next("example.org", None)) is not None:
        paths.append(found.url.rpartition("/")[2])
        state.settle(found.id, Standing.VISITED)
    assert paths == ["deep", "next", "busy"]
    state.close()


def test_state_of_an_earlier_version_goes_by_depth_as_well(tmp_path: Path) -> None:
    """What an older Sightline left has no index for it; it is made."""
    state = opened(tmp_path)
    state.add([new("/a")])
    state.commit()
    state.close()
    with sqlite3.connect(tmp_path / STATE_FILE) as database:
        database.execute("DROP INDEX by_depth")
    state = opened(tmp_path)
    assert state.next("example.org", None) is not None
    assert state._execute("SELECT 1 FROM sqlite_master WHERE name = 'by_depth'").fetchone()
    state.close()


def test_add_keeps_each_address_once(tmp_path: Path) -> None:
    """An address that waits or was visited is not added again."""
    state = opened(tmp_path)
    assert state.add([new("/a"), new("/a"), new("/b")]) == 2
    assert order(state, "all") == ["/a", "/b"]
    assert state.add([new("/a")]) == 0
    assert state.waits(address_key("https://example.org/a")) is None
    assert state.is_done(address_key("https://example.org/a"))
    state.close()


def test_move_lets_an_address_wait_elsewhere(tmp_path: Path) -> None:
    """An address that is found again at a better place waits there, and nowhere else."""
    state = opened(tmp_path)
    state.add([new("/a", "menu"), new("/b", "menu")])
    state.move([(address_key("https://example.org/b"), "list", 5.0)])
    assert state.waiting["example.org"] == {"menu": 1, "list": 1}
    assert order(state, "list") == ["/b"]
    state.close()


def test_commit_is_what_survives(tmp_path: Path) -> None:
    """What was committed is there after a kill, and what was not is not; counts and kinds are as before."""
    state = opened(tmp_path)
    state.add([new("/a"), new("/b", "list")])
    state.commit(Archive(tmp_path))
    found = state.next("example.org", "all")
    assert found is not None
    state.settle(found.id, Standing.VISITED)
    state.close()
    again = opened(tmp_path)
    assert again.waiting == {"example.org": {"all": 1, "list": 1}}
    assert again.recall("archive") == "1 0"
    again.close()


FULL_DISK = """
import resource, signal, sqlite3, sys
from pathlib import Path
from sightline.crawler._archive import Archive
from sightline.crawler._state import CrawlState, NewAddress, Standing
folder = Path(sys.argv[1])
state, archive = CrawlState(folder), Archive(folder)
state.add([NewAddress(1, "https://example.org/", "all", 0.0, 0)])
state.commit(archive)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = (folder / "crawl.sqlite-wal").stat().st_size + 50_000
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
state.add(NewAddress(key, f"https://example.org/{key}", "all", 0.0, 1) for key in range(2, 2_000))
archive.end = 1_000_000
commit = lambda: state.commit(archive)
settle = lambda: state.settle(1, Standing.VISITED)
move = lambda: state.move([(1, "list", 0.0)])
remember = lambda: state.remember("a", "b")
for step in (commit, settle, move, remember, commit):
    try:
        step()
        print("done")
    except sqlite3.OperationalError as problem:
        print(problem)
state.close()
"""


def test_nothing_is_kept_after_a_full_disk(tmp_path: Path) -> None:
    """A commit for which the disk has no room is undone whole, and nothing after it is kept, small as it may be."""
    said = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert len(said) == 5
    assert set(said) <= {"disk I/O error", "database or disk is full"}
    again = opened(tmp_path)
    assert again.waiting == {"example.org": {"all": 1}}
    assert (again.recall("archive"), again.recall("a")) == ("1 0", None)
    again.close()


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from(["k", "l"]), st.integers(0, 3)), max_size=30))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_counts_agree_with_the_database(tmp_path: Path, steps: list[tuple[str, str, int]]) -> None:
    """However addresses come, move and go, the counts in memory are those of the database."""
    for old in tmp_path.glob(f"{STATE_FILE}*"):
        old.unlink()
    state = opened(tmp_path)
    for letter, kind, step in steps:
        address = new(f"/{letter}", kind)
        if step == 0 or state.id_of(address.key) is None:
            state.add([address])
        elif step == 1:
            state.move([(address.key, kind, 1.0)])
        else:
            state.settle(state.id_of(address.key) or 0, Standing.GONE)
    state.commit(Archive(tmp_path))
    before = state.waiting
    state.close()
    again = opened(tmp_path)
    assert {host: kinds for host, kinds in again.waiting.items() if kinds} == {
        host: kinds for host, kinds in before.items() if kinds
    }
    again.close()


def test_put_back_waits_behind_the_others(tmp_path: Path) -> None:
    """An address whose visit failed is tried again after the others of its kind."""
    state = opened(tmp_path)
    state.add([new("/a"), new("/b")])
    first = state.next("example.org", "all")
    assert first is not None
    state.put_back(first.id, "it hung")
    assert order(state, "all") == ["/b", "/a"]
    state.close()


def test_link_is_packed_and_unpacked(tmp_path: Path) -> None:
    """Where a page leads comes back as the numbers of addresses, in ascending order."""
    state = opened(tmp_path)
    state.add([new(f"/{number}") for number in range(700)])
    wanted = [3, 4, 699, 300]
    state.link(1, (new(f"/{number}").key for number in wanted))
    state.commit(Archive(tmp_path))
    packed = connect(tmp_path, read_only=True).execute("SELECT targets FROM link").fetchone()[0]
    assert unpacked(packed) == sorted(number + 1 for number in wanted)
    state.close()


def test_begin_run_again_lets_everything_wait(tmp_path: Path) -> None:
    """A repetition visits what was visited, is gone or failed; what a trap swallowed stays cut off."""
    state = opened(tmp_path)
    state.add([new("/a"), new("/b"), new("/c"), new("/d")])
    for number, standing in enumerate((Standing.VISITED, Standing.GONE, Standing.CUT_OFF), 1):
        state.settle(number, standing)
    state.begin_run(again=True)
    assert sorted(order(state, "all")) == ["/a", "/b", "/d"]
    state.close()


def test_connect_refuses_a_newer_version(tmp_path: Path) -> None:
    """A folder of a newer version is left as it is, and the error says what to do."""
    opened(tmp_path).close()
    with sqlite3.connect(tmp_path / STATE_FILE) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(UsageError, match="made by a newer Sightline; update it, or choose another folder"):
        CrawlState(tmp_path)


def test_connect_refuses_what_is_no_crawl(tmp_path: Path) -> None:
    """A folder without a crawl, and a file that is no database, are errors that say so."""
    with pytest.raises(UsageError, match="is not the folder of a crawl"):
        connect(tmp_path, read_only=True)
    (tmp_path / STATE_FILE).write_bytes(b"no database at all" * 100)
    with pytest.raises(UnreadableError, match="the state of the crawl is damaged"):
        connect(tmp_path)
