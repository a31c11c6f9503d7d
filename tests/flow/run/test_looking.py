"""Looking at what runs left: windows of rows, the places of cells, profiles and histories."""

from decimal import Decimal
from pathlib import Path

import orjson
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import UsageError
from sightline.flow.run import RowWindows, RunFolder, cell_places, column_profiles, value_lines
from sightline.flow.run._context import keep_rows
from sightline.flow.spec import Flow


def _kept(path: Path, table: pa.Table, batch: int = 1000) -> Path:
    keep_rows(path, table.schema, table.to_batches(batch), lambda _: None)
    return path


@given(sizes=st.lists(st.integers(0, 7), max_size=6), offset=st.integers(-2, 40), limit=st.integers(0, 40))
def test_a_window_is_a_slice_of_all_rows(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], offset: int, limit: int
) -> None:
    """However the rows lie in batches."""
    path = tmp_path_factory.mktemp("rows") / "x.arrow"
    schema = pa.schema([("text", pa.string()), ("number", pa.int64())])
    numbers = list(range(sum(sizes)))
    parts, at = [], 0
    for size in sizes:
        own = numbers[at : at + size]
        parts.append(pa.record_batch([pa.array(map(str, own), pa.string()), pa.array(own, pa.int64())], schema=schema))
        at += size
    keep_rows(path, schema, parts, lambda _: None)
    found = RowWindows.of(path)
    assert found.total == len(numbers)
    start = max(offset, 0)
    assert found.window(offset, limit).column("number").to_pylist() == numbers[start : start + limit]


def _origins(**cells: int) -> str:
    return orjson.dumps(
        {name: {"page": "p", "nodes": [node], "box": [0, 0, 1, 1]} for name, node in cells.items()}
    ).decode()


FLOW = """\
flow: 1
steps:
  north:
    extract: north.html
    take: tables
  south:
    extract: south.html
    take: tables
  both:
    union: [north, south]
    columns:
      name: {north: title, south: name}
  clean:
    normalise: both
    columns:
      - text: name
        into: label
  chosen:
    sql: SELECT label AS product, upper(label) AS loud FROM clean
  counted:
    sql: SELECT label, count(*) AS times FROM clean GROUP BY 1
"""


def test_places_survive_renamed_columns(tmp_path: Path) -> None:
    """Through a union, a normalisation and a query; what a query computes was seen nowhere."""
    flow, run = Flow.loads(FLOW), RunFolder(tmp_path)
    clean = pa.table(
        {
            "name": ["a", "b", "a"],
            "label": ["a", "b", "a"],
            "_origins": [_origins(title=1), _origins(name=2), _origins(title=3)],
        }
    )
    _kept(run.rows("clean"), clean)
    found = cell_places(flow, run, "clean", clean)
    assert [place.nodes if place else None for place in found["label"]] == [(1,), (2,), (3,)]
    chosen = pa.table({"product": ["b", "a"], "loud": ["B", "A"]})
    followed = cell_places(flow, run, "chosen", chosen)
    assert [place.nodes if place else None for place in followed["product"]] == [(2,), None]
    assert "loud" not in followed
    counted = pa.table({"label": ["a", "b"], "times": [2, 1]})
    assert [bool(place) for place in cell_places(flow, run, "counted", counted)["label"]] == [False, True]


def test_a_foreign_column_of_that_name_says_nothing(tmp_path: Path) -> None:
    """Whatever somebody wrote into it."""
    rows = pa.table({"title": ["a", "b", "c"], "_origins": ["no JSON", "[1]", '{"title": {"page": 5}}']})
    assert cell_places(Flow.loads(FLOW), RunFolder(tmp_path), "north", rows) == {}


def test_a_profile_counts_every_value_once(tmp_path: Path) -> None:
    """Also at the ends; numbers that are not finite are left out of the histogram."""
    table = pa.table(
        {
            "price": pa.array([Decimal("1.00"), Decimal("2.00"), None, Decimal("9.00")], pa.decimal128(9, 2)),
            "ratio": [0.5, float("nan"), float("inf"), 1.5],
            "same": ["x", "x", "x", "y"],
            "parts": [["a"], [], None, ["b"]],
            "_meta": ["1", "2", "3", "4"],
        }
    )
    found = {one.name: one for one in column_profiles(_kept(tmp_path / "x.arrow", table), tmp_path)}
    assert list(found) == ["price", "ratio", "same", "parts"]
    spread = found["price"].histogram
    assert spread is not None
    assert (spread.counts[0], spread.counts[-1], sum(spread.counts)) == (1, 1, 3)
    assert (spread.edges[0], spread.edges[-1]) == (1.0, 9.0)
    assert found["same"].commonest == (("x", 3),)
    assert (found["same"].filled, found["same"].distinct) == (4, 2)
    assert (found["parts"].filled, found["parts"].distinct) == (3, None)


def test_a_history_leaves_out_keys_that_come_twice(tmp_path: Path) -> None:
    """Nobody knows which of the rows is meant; and the greatest change comes first."""
    first = pa.table({"id": ["a", "b", "c", "c"], "price": ["10", "20", "1", "2"]})
    second = pa.table({"id": ["a", "b", "d"], "price": ["11", "40", "none"]})
    files = [_kept(tmp_path / "1.arrow", first), None, _kept(tmp_path / "2.arrow", second)]
    lines = value_lines(files, ["id"], "price", tmp_path)
    assert [(line.key, line.values) for line in lines] == [(("b",), (20.0, None, 40.0)), (("a",), (10.0, None, 11.0))]
    assert value_lines([None], ["id"], "price", tmp_path) == ()
    with pytest.raises(UsageError, match="needs a key"):
        value_lines(files, [], "price", tmp_path)
