"""What changed between two runs, with rows that come several times."""

import tempfile
from collections import Counter
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.flow.run import RowChanges, row_changes

Row: TypeAlias = tuple[str | None, float | None]
ROWS = st.lists(st.tuples(st.sampled_from(["A", "B", "", None]), st.sampled_from([1.5, -0.0, None])), max_size=12)


def _kept(path: Path, rows: list[Row]) -> Path:
    table = pa.table({"name": pa.array([row[0] for row in rows], pa.string()), "price": [row[1] for row in rows]})
    table = table.cast(pa.schema([("name", pa.string()), ("price", pa.float64())]))
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return path


def _changes(folder: Path, before: list[Row], after: list[Row]) -> RowChanges:
    return row_changes(_kept(folder / "old.arrow", before), _kept(folder / "new.arrow", after), [], folder)


def test_rows_that_come_less_often_are_gone(tmp_path: Path) -> None:
    """A, A, A, B and then A, B: two rows are gone, and told."""
    changes = _changes(tmp_path, [("A", 1.5)] * 3 + [("B", 1.5)], [("A", 1.5), ("B", 1.5)])
    assert changes.summary == "0 new, 2 gone, 0 changed, 2 the same"
    assert changes.gone_rows == ({"name": "A", "price": 1.5},) * 2


@pytest.mark.slow
@given(ROWS, ROWS)
def test_whole_rows_differ_as_multisets_do(before: list[Row], after: list[Row]) -> None:
    """As `Counter` says, for any two tables, empty cells among them."""
    with tempfile.TemporaryDirectory() as folder:
        changes = _changes(Path(folder), before, after)
    old, new = Counter(before), Counter(after)
    assert (changes.new, changes.gone, changes.same) == ((new - old).total(), (old - new).total(), (old & new).total())
    assert Counter((row["name"], row["price"]) for row in changes.new_rows) == new - old
    assert Counter((row["name"], row["price"]) for row in changes.gone_rows) == old - new
