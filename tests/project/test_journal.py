"""What a journal was told is there after a kill, and damage is told from a line that was never finished."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import UnreadableError
from sightline.project import Journal, read_journal

from .._wait import LONG

Entry = dict[str, str | int]


def written(path: Path, *entries: Entry) -> Path:
    """A journal with entries."""
    with Journal(path, sync=False) as journal:
        journal.add(*entries)
    return path


def entries(path: Path) -> list[Entry]:
    """What is read back."""
    return read_journal(path).entries(Entry, "an entry")


def test_a_journal_that_is_not_there_is_empty(tmp_path: Path) -> None:
    """Nobody has to make it first."""
    assert entries(tmp_path / "x") == []


def test_entries_are_lines_that_other_programs_read(tmp_path: Path) -> None:
    """Each has its checksum, and is read back without it."""
    path = written(tmp_path / "x", {"a": "é\n"}, {"a": "b"})
    assert [line[: line.index(b',"crc"')] for line in path.read_bytes().splitlines()] == [
        '{"a":"é\\n"'.encode(),
        b'{"a":"b"',
    ]
    assert entries(path) == [{"a": "é\n"}, {"a": "b"}]


def test_lines_that_people_wrote_are_read(tmp_path: Path) -> None:
    """Also those of versions before there were checksums, and blank ones."""
    path = tmp_path / "x"
    path.write_bytes(b'{"a": "by hand"}\n\n')
    written(path, {"a": "ours"})
    assert entries(path) == [{"a": "by hand"}, {"a": "ours"}]


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_line_that_was_never_finished_is_not_there_and_hides_nothing(tmp_path: Path, cut: int) -> None:
    """The next entry takes its place."""
    path = written(tmp_path / "x", {"a": 1}, {"a": 2})
    os.truncate(path, path.stat().st_size - cut)
    content = read_journal(path)
    assert (content.entries(Entry, "an entry"), content.damaged) == ([{"a": 1}], 0)
    written(path, {"a": 3})
    assert entries(path) == [{"a": 1}, {"a": 3}]


def test_damage_is_an_error_that_names_the_line(tmp_path: Path) -> None:
    """What stands before it can still be had."""
    path = written(tmp_path / "x", {"a": "first"}, {"a": "second"}, {"a": "third"})
    path.write_bytes(path.read_bytes().replace(b"second", b"sECond"))
    with pytest.raises(UnreadableError, match=r"line 2.*this isn't an entry as it was written; delete the line"):
        entries(path)
    content = read_journal(path)
    assert (len(content.lines), content.damaged) == (1, 2)


def test_a_line_of_another_kind_is_an_error(tmp_path: Path) -> None:
    """It says what should be there."""
    path = tmp_path / "x"
    path.write_bytes(b'{"a": 1}\nprecious\n')
    with pytest.raises(UnreadableError, match=r"line 2.*this isn't a decision"):
        read_journal(path).entries(Entry, "a decision")


@given(cut=st.integers(0, 200), place=st.integers(0, 199), bit=st.integers(0, 7))
def test_nothing_is_invented(tmp_path_factory: pytest.TempPathFactory, cut: int, place: int, bit: int) -> None:
    """Cut anywhere, or with any bit changed: the entries that are read were written, in order from the first."""
    truth: list[Entry] = [{"number": number, "text": "x" * 20} for number in range(4)]
    whole = written(tmp_path_factory.mktemp("journal") / "a", *truth).read_bytes()
    place %= len(whole)
    changed = whole[:place] + bytes([whole[place] ^ (1 << bit)]) + whole[place + 1 :]
    for content in (whole[:cut], changed):
        path = tmp_path_factory.mktemp("journal") / "b"
        path.write_bytes(content)
        found = read_journal(path)
        try:
            read = found.entries(Entry, "an entry")
        except UnreadableError:
            continue
        assert [{key: one[key] for key in ("number", "text")} for one in read] == truth[: len(read)]


def test_one_at_a_time(tmp_path: Path) -> None:
    """Whoever waits gets it then; whoever does not is refused."""
    path = tmp_path / "x"
    with Journal(path) as journal:
        with pytest.raises(BlockingIOError):
            Journal(path, wait=False)
        waiting = threading.Thread(target=written, args=(path, {"a": 2}))
        waiting.start()
        journal.add({"a": 1})
    waiting.join(LONG)
    assert entries(path) == [{"a": 1}, {"a": 2}]


def test_what_replaces_it_is_found_by_those_who_wait(tmp_path: Path) -> None:
    """They do not write to the file that is gone."""
    path = written(tmp_path / "x", {"a": 1}, {"a": 2})
    with Journal(path) as journal:
        waiting = threading.Thread(target=written, args=(path, {"a": 3}))
        waiting.start()
        journal.replace([{"a": 1}])
    waiting.join(LONG)
    assert entries(path) == [{"a": 1}, {"a": 3}]


ADDS = """
import sys
from pathlib import Path
from sightline.project import Journal
with Journal(Path(sys.argv[1])) as journal:
    for number in range(1_000_000):
        journal.add({"number": number, "text": "x" * 5_000})
        print(number, flush=True)
"""


@pytest.mark.parametrize("after", [0, 7, 60])
def test_what_was_added_is_there_after_a_kill(tmp_path: Path, after: int) -> None:
    """Every entry that was acknowledged, in order, and at most one more."""
    path = tmp_path / "x"
    with subprocess.Popen([sys.executable, "-c", ADDS, path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = next(int(line) for line in process.stdout if int(line) >= after)
        process.send_signal(signal.SIGKILL)
        told = max([told, *(int(line) for line in process.stdout if line.endswith("\n"))])
    found = [one["number"] for one in entries(path)]
    assert found in (list(range(told + 1)), list(range(told + 2)))
    written(path, {"number": -1})
    assert entries(path)[-1] == {"number": -1}
