"""Keys that are looked at while rows come: what is said of them is certain."""

from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import OutputError
from sightline.flow.deliver import _key_watch, deliver
from sightline.flow.deliver._dialect import POSTGRES
from sightline.flow.deliver._key_watch import KeyWatch
from sightline.flow.deliver._schema import load_columns

from ._databases import PostgresDatabase


@pytest.fixture(autouse=True)
def every_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small loads are watched, too."""
    monkeypatch.setattr(_key_watch, "FEW_ROWS", 0)


def _watch(*batches: Any) -> KeyWatch:
    watch = KeyWatch(load_columns(batches[0].schema, batches[0].schema.names, POSTGRES))
    for batch in batches:
        watch.see(batch)
    return watch


def _keys(*columns: list[Any]) -> Any:
    return pa.record_batch({f"c{place}": pa.array(column) for place, column in enumerate(columns)})


@given(rows=st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["", "a", "b"])), min_size=1, max_size=8))
def test_doubled_keys_are_never_missed(rows: list[tuple[int, str]]) -> None:
    """Keys differ if no two of them are the same, over all batches."""
    batches = [_keys([number], [text]) for number, text in rows]
    watch = _watch(*batches)
    assert watch.differ() == (len(set(rows)) == len(rows))
    watch.close()


def test_empty_keys_are_seen() -> None:
    """In any batch and column."""
    assert _watch(_keys([1], ["a"])).filled
    assert not _watch(_keys([1], ["a"]), _keys([2], [None])).filled


def test_nothing_is_said_of_decimals_and_floats() -> None:
    """Two of them may be the same and have other bytes."""
    assert not _watch(_keys([Decimal("1.50")])).differ()
    assert not _watch(_keys([0.5])).differ()


def test_long_loads_are_left_to_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered stays bounded."""
    monkeypatch.setattr(_key_watch, "MOST_ROWS", 3)
    assert _watch(_keys([1, 2]), _keys([3])).differ()
    assert not _watch(_keys([1, 2]), _keys([3, 4])).differ()
    assert not _watch(_keys([1, 2]), _keys([3, 4]), _keys([5])).differ()


def test_short_loads_are_left_to_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB takes longer to start than the server to look."""
    monkeypatch.setattr(_key_watch, "FEW_ROWS", 3)
    assert not _watch(_keys([1, 2])).differ()
    assert _watch(_keys([1, 2, 3]), _keys([4])).differ()


@pytest.mark.parametrize("is_full", [False, True])
@pytest.mark.parametrize("mode", ["upsert", "history"])
def test_error_names_key_and_rows(postgres: PostgresDatabase, mode: Any, *, is_full: bool) -> None:
    """As without a watch, in new tables and full ones."""
    if is_full:
        deliver([_keys([1], ["a"])], postgres.target(), load="a", mode=mode, key=["c0", "c1"])
    doubled = [_keys([1, 2], ["a", "b"]), _keys([1, 2], ["b", "b"])]
    with pytest.raises(OutputError, match="the key c0, c1 is 2, 'b' in rows 2 and 4 of the load"):
        deliver(doubled, postgres.target(), load="b", mode=mode, key=["c0", "c1"])
    with pytest.raises(OutputError, match="the key c0, c1 is empty in row 2 of the load"):
        deliver([_keys([1, None], ["a", "b"])], postgres.target(), load="c", mode=mode, key=["c0", "c1"])


def test_texts_that_the_database_tells_apart(postgres: PostgresDatabase) -> None:
    """One letter written in two ways is two keys, for the watch as for the database."""
    batch = _keys(["é", "e\u0301", "E", "e", ""])
    assert deliver([batch], postgres.target(), load="a", mode="upsert", key=["c0"]).inserted == 5
    assert deliver([batch], postgres.target(), load="b", mode="upsert", key=["c0"]).unchanged == 5
