"""Quarantine with release: rows that a person let through, and runs that go on from earlier ones."""

import pytest

from sightline.errors import UnreadableError, UsageError
from sightline.flow.run import FlowRun, FlowStore, RunFolder, release_rows

from .conftest import FlowFolder, day

STEPS = """
shop:
  read: shop.csv
dear:
  check: shop
  rules:
    not the kit: name NOT LIKE '%kit%'
kept:
  deliver: dear
  to: prices.duckdb#shop
  key: id
"""
COPY = """
copy:
  deliver: shop
  to: copy.duckdb#shop
  mode: append
"""


def _release(folder: FlowFolder, run: FlowRun, rows: list[int] | None = None) -> None:
    release_rows(FlowStore(folder.path / "store", "prices"), RunFolder(run.folder), "dear", rows)


def _delivered(folder: FlowFolder) -> list[str]:
    return [row[0] for row in folder.query("SELECT id FROM shop ORDER BY id")]


@pytest.mark.slow
def test_a_released_row_is_let_through_from_then_on(folder: FlowFolder) -> None:
    """By the run that goes on, and by the next whole one."""
    first = folder.run(STEPS, now=day(14))
    assert _delivered(folder) == ["1", "3"]
    _release(folder, first)
    second = folder.run(from_run=first.id, now=day(15))
    assert folder.kinds() == {"shop": "reused", "dear": "done", "kept": "done"}
    assert (second.verdict, second.state.steps["dear"].held) == ("ok", 0)
    assert _delivered(folder) == ["1", "2", "3"]
    third = folder.run(now=day(16))
    assert folder.kinds()["shop"] == "done"
    assert third.state.steps["dear"].held == 0


def test_a_release_ends_when_the_row_changes(folder: FlowFolder) -> None:
    """A person has seen that row, and no other."""
    _release(folder, folder.run(STEPS, now=day(14)), [0])
    shop = folder.path / "shop.csv"
    shop.write_text(shop.read_text().replace("879,00", "1,00"))
    assert folder.run(now=day(15)).state.steps["dear"].held == 1


@pytest.mark.slow
def test_a_run_that_was_interrupted_heeds_releases(folder: FlowFolder) -> None:
    """The check is done again, since it was made from something else."""
    broken = STEPS.replace("prices.duckdb#shop", "missing/prices.duckdb#shop")
    first = folder.run(broken, now=day(14))
    assert first.errors
    _release(folder, first)
    (folder.path / "missing").mkdir()
    again = folder.run(now=day(15), resume=first.id)
    assert again.id == first.id
    assert folder.kinds() == {"shop": "reused", "dear": "done", "kept": "done"}


@pytest.mark.slow
def test_all_rows_may_be_released_though_the_check_stopped(folder: FlowFolder) -> None:
    """Too few rows stop a run; but a person who releases every row has seen them all."""
    first = folder.run(STEPS.replace("rules:", "at least: 9\n  rules:"), now=day(14))
    assert first.state.steps["dear"].state == "held"
    _release(folder, first, [0, 1])
    assert folder.run(from_run=first.id, now=day(15)).state.steps["dear"].state == "held"
    _release(folder, first)
    last = folder.run(from_run=first.id, now=day(16))
    assert last.state.steps["dear"].rows == 3
    assert "all rows were released" in last.state.steps["dear"].notes[-1]
    assert _delivered(folder) == ["1", "2", "3"]


def test_what_was_delivered_is_not_delivered_twice(folder: FlowFolder) -> None:
    """Rows that are added again take the place of those of the first run; what is the same is left alone."""
    first = folder.run(f"{STEPS.replace('key: id', 'mode: append')}{COPY}", now=day(14))
    _release(folder, first)
    again = folder.run(from_run=first.id, now=day(15))
    assert _delivered(folder) == ["1", "2", "3"]
    assert again.state.steps["kept"].counts == {"inserted": 3, "replaced": 2}
    assert again.state.due_at == first.state.due_at
    assert folder.kinds()["copy"] == "reused"
    assert folder.query("SELECT count(*) FROM shop", "copy.duckdb") == [(3,)]


def test_what_is_not_there_is_told(folder: FlowFolder) -> None:
    """In one sentence each."""
    first = folder.run(STEPS, now=day(14))
    with pytest.raises(UsageError, match="has no run nowhere"):
        folder.run(from_run="nowhere")
    with pytest.raises(UsageError, match="no row 5 in quarantine"):
        _release(folder, first, [5])
    _release(folder, first)
    (folder.path / "store/flows/prices/releases/dear.jsonl").write_text("nonsense\n")
    found = folder.run(now=day(15))
    assert isinstance(found.errors["dear"], UnreadableError)
    assert "line 1" in str(found.errors["dear"])
