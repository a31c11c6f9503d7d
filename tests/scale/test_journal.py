"""Tests of the journal of a shard."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.scale._folder import ShardJournal, journal_path, journals_of, read_journals


def written(path: Path, *outcomes: tuple[int, bytes], begun: int | None = None) -> Path:
    """A journal with outcomes, and a document on the table."""
    with ShardJournal(path) as journal:
        for number, packed in outcomes:
            journal.begin(number)
            journal.outcome(number, packed)
        if begun is not None:
            journal.begin(begun)
    return path


def test_outcomes_and_what_was_on_the_table_are_read_back(tmp_path: Path) -> None:
    """The document that was begun and has no outcome is the one that its process died over."""
    state = read_journals([written(tmp_path / "a", (0, b"zero"), (2, b"two"), begun=3)])
    assert state.outcomes == {0: b"zero", 2: b"two"}
    assert state.on_the_table == 3


def test_a_later_attempt_goes_on_with_what_earlier_ones_did(tmp_path: Path) -> None:
    """Outcomes add up; of documents on the table, only the last attempt's counts."""
    paths = [written(tmp_path / "a", (0, b"zero"), begun=1), written(tmp_path / "b", (1, b"one"))]
    state = read_journals(paths)
    assert state.outcomes == {0: b"zero", 1: b"one"}
    assert state.on_the_table is None


def test_attempts_are_read_in_the_order_of_their_fences(tmp_path: Path) -> None:
    """Ten comes after nine, and other shards are left alone."""
    for fence in (10, 9, 2):
        written(journal_path(tmp_path, "shard", fence), (0, str(fence).encode()))
    written(journal_path(tmp_path, "other", 1), (0, b"other"))
    assert read_journals(journals_of(tmp_path, "shard")).outcomes == {0: b"10"}


def test_a_frame_that_was_cut_hides_nothing_that_comes_later(tmp_path: Path) -> None:
    """A process was killed in the middle of writing; the next one goes on in the same file, and all of it is read."""
    path = written(tmp_path / "a", (0, b"zero"), (1, b"one" * 100))
    os.truncate(path, path.stat().st_size - 50)
    written(path, (1, b"again"), (2, b"two"), begun=3)
    state = read_journals([path])
    assert state.outcomes == {0: b"zero", 1: b"again", 2: b"two"}
    assert state.on_the_table == 3


@given(cut=st.integers(min_value=0, max_value=200), flipped=st.integers(min_value=0, max_value=199))
def test_damage_ends_a_journal_and_invents_nothing(
    tmp_path_factory: pytest.TempPathFactory, cut: int, flipped: int
) -> None:
    """Cut anywhere, or with any byte changed: what is read was written, in order from the first."""
    truth = {number: bytes([number]) * 20 for number in range(4)}
    whole = written(tmp_path_factory.mktemp("journal") / "a", *truth.items()).read_bytes()
    for content in (whole[:cut], whole[:flipped] + bytes([whole[flipped % len(whole)] ^ 1]) + whole[flipped + 1 :]):
        path = tmp_path_factory.mktemp("journal") / "b"
        path.write_bytes(content)
        outcomes = read_journals([path]).outcomes
        assert outcomes == {number: truth[number] for number in range(len(outcomes))}
