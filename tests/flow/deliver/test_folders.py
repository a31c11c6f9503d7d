"""Folders of Parquet files and Delta tables: exactly once, whatever happens on the way."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import deltalake
import msgspec
import pyarrow as pa
import pytest
from pyarrow import dataset

from sightline.errors import OutputError, SchemaChanged, UsageError
from sightline.flow.deliver import Delivered, deliver

from ._killing import Killable
from ._samples import EVERYTHING

ROWS = pa.record_batch({"id": [1, 2], "price": [3, 4]})
KINDS = ("parquet", "delta")


def _read(kind: str, folder: Path) -> pa.Table:
    if kind == "delta":
        return deltalake.DeltaTable(folder).to_pyarrow_table()
    listed = msgspec.json.decode((folder / "_sightline_loads.json").read_bytes())["files"]
    found = sorted(path.name for path in folder.glob("*.parquet"))
    assert found == sorted(listed), "whoever lists the folder sees what the manifest does"
    return dataset.dataset(folder).to_table()


@pytest.mark.parametrize("kind", KINDS)
def test_append_and_replace_happen_once(tmp_path: Path, kind: str) -> None:
    """Each load counts once, also one that is run again after others."""
    folder = tmp_path / "prices"
    for _ in range(2):
        for load in ("a", "b"):
            again = deliver([ROWS, ROWS], f"{kind}:{folder}", load=load, mode="append")
    assert again == Delivered(4, inserted=4, was_done=True)
    assert _read(kind, folder).num_rows == 8
    deliver([ROWS], f"{kind}:{folder}/", load="c", mode="replace")
    assert deliver([ROWS], f"{kind}:{folder}", load="a", mode="append").was_done
    assert sorted(_read(kind, folder).to_pylist(), key=str) == ROWS.to_pylist()


def test_parquet_folder_keeps_every_type(tmp_path: Path) -> None:
    """What is read is what was delivered."""
    deliver([EVERYTHING], f"parquet:{tmp_path / 'all'}", load="a", mode="append")
    assert _read("parquet", tmp_path / "all").equals(pa.Table.from_batches([EVERYTHING]))


def test_delta_keeps_every_type_that_it_has(tmp_path: Path) -> None:
    """Decimals, dates, instants and nested columns survive; a time is told, also one inside a list."""
    known = EVERYTHING.drop_columns(["hour"])
    for mode in ("append", "replace"):
        deliver([known], f"delta:{tmp_path / mode}", load="a", mode=mode)  # type: ignore[arg-type]
        table = _read("delta", tmp_path / mode)
        assert table.to_pylist() == known.to_pylist()
        assert table.schema.field("price").type == pa.decimal128(38, 2)
    for type in (pa.time64("us"), pa.list_(pa.time64("us"))):
        with pytest.raises(UsageError, match="'hour' has the type"):
            deliver([pa.record_batch({"hour": pa.array([None], type)})], f"delta:{tmp_path}/b", load="a", mode="append")
    with pytest.raises(OutputError, match="'at' has values that cannot be delivered without loss"):
        nested = pa.record_batch({"at": pa.array([[1]], pa.list_(pa.timestamp("ns")))})
        deliver([nested], f"delta:{tmp_path}/b", load="a", mode="append")


def test_delta_upserts_by_key(tmp_path: Path) -> None:
    """Changed rows are updated, new ones added, the rest stays; NULL and nested values are compared, too."""
    target = f"delta:{tmp_path / 'prices'}"
    known = EVERYTHING.drop_columns(["hour"])
    first = deliver([known], target, load="a", mode="upsert", key=["id"])
    assert first == Delivered(3, inserted=3)
    changed = known.set_column(0, "id", pa.array([2, 3, 4])).set_column(
        1, "name", pa.array(["new", None, "more"], pa.string())
    )
    expected = {row["id"]: row for row in [*known.to_pylist(), *changed.to_pylist()]}
    second = deliver([changed], target, load="b", mode="upsert", key=["id"])
    assert (second.inserted, second.updated + second.unchanged) == (1, 2)
    assert {row["id"]: row for row in _read("delta", tmp_path / "prices").to_pylist()} == expected
    third = deliver([changed], target, load="c", mode="upsert", key=["id"])
    assert third == Delivered(3, unchanged=3)
    assert deliver([changed], target, load="b", mode="upsert", key=["id"]) == Delivered(
        3, 1, second.updated, second.unchanged, was_done=True
    )


@pytest.mark.parametrize(
    ("ids", "problem"), [([1, None, 3], "empty in row 2 of"), ([7, 8, 7], "id is 7 in rows 1 and 3 of")]
)
def test_delta_names_the_rows_of_bad_keys(tmp_path: Path, ids: list[Any], problem: str) -> None:
    """An empty or doubled key stops the load before anything is committed."""
    with pytest.raises(OutputError, match=problem):
        deliver([pa.record_batch({"id": ids})], f"delta:{tmp_path / 'a'}", load="a", mode="upsert", key=["id"])
    assert list((tmp_path / "a").iterdir()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_new_column_is_proposed_and_added_if_allowed(tmp_path: Path, kind: str) -> None:
    """Nothing is changed unasked; a column that a load lacks, or another type, is never accepted."""
    target = f"{kind}:{tmp_path / 'a'}"
    deliver([ROWS], target, load="a", mode="append")
    wider = ROWS.append_column("shop", pa.array(["x", "y"]))
    with pytest.raises(SchemaChanged, match="lacks 'shop'; allow schema changes") as raised:
        deliver([wider], target, load="b", mode="append")
    assert raised.value.statements == ('ADD COLUMN "shop" string',)
    delivered = deliver([wider], target, load="b", mode="append", allow_schema_changes=True)
    assert delivered.schema_changes == ('ADD COLUMN "shop" string',)
    for bad in (ROWS, pa.record_batch({"id": ["1"], "price": [3], "shop": ["x"]})):
        with pytest.raises(SchemaChanged, match="change the load to fit"):
            deliver([bad], target, load="c", mode="append", allow_schema_changes=True)


def test_delta_upsert_adds_a_column_if_allowed(tmp_path: Path) -> None:
    """Rows from before have NULL there."""
    target = f"delta:{tmp_path / 'a'}"
    deliver([ROWS], target, load="a", mode="upsert", key=["id"])
    wider = ROWS.slice(1).append_column("shop", pa.array(["y"]))
    deliver([wider], target, load="b", mode="upsert", key=["id"], allow_schema_changes=True)
    rows = sorted(_read("delta", tmp_path / "a").to_pylist(), key=lambda row: row["id"])
    assert rows == [{"id": 1, "price": 3, "shop": None}, {"id": 2, "price": 4, "shop": "y"}]


@pytest.mark.parametrize("kind", KINDS)
def test_smaller_integers_fit_into_larger_ones(tmp_path: Path, kind: str) -> None:
    """The rows get the type of the folder."""
    target = f"{kind}:{tmp_path / 'a'}"
    deliver([ROWS], target, load="a", mode="append")
    small = pa.record_batch({"id": pa.array([3], pa.int16()), "price": pa.array([1], pa.uint8())})
    deliver([small], target, load="b", mode="append")
    assert _read(kind, tmp_path / "a").schema.field("id").type == pa.int64()
    assert sorted(_read(kind, tmp_path / "a")["id"].to_pylist()) == [1, 2, 3]


@pytest.mark.parametrize("kind", KINDS)
def test_no_batches_are_a_load_without_rows(tmp_path: Path, kind: str) -> None:
    """Append notes it, replace refuses it."""
    target = f"{kind}:{tmp_path / 'a'}"
    deliver([ROWS], target, load="a", mode="append")
    assert deliver([], target, load="b", mode="append") == Delivered()
    assert deliver([ROWS], target, load="b", mode="append").was_done
    with pytest.raises(UsageError, match="no batch came"):
        deliver([], target, load="c", mode="replace")
    assert _read(kind, tmp_path / "a").num_rows == 2


@pytest.mark.parametrize("kind", KINDS)
def test_error_of_the_source_leaves_nothing(tmp_path: Path, kind: str) -> None:
    """The error is the source's own, and the load can be run again."""

    def broken() -> Iterator[Any]:
        yield ROWS
        raise RuntimeError("the source broke")

    target = f"{kind}:{tmp_path / 'a'}"
    with pytest.raises(RuntimeError, match="the source broke"):
        deliver(broken(), target, load="a", mode="append")
    assert not list((tmp_path / "a").glob(".*.part"))
    assert deliver([ROWS], target, load="a", mode="append") == Delivered(2, inserted=2)


@pytest.mark.parametrize("kind", KINDS)
def test_same_load_at_the_same_time_counts_once(tmp_path: Path, kind: str) -> None:
    """Of two that run side by side, one finds that the other has done it."""
    together = threading.Barrier(2)

    def rows() -> Iterator[Any]:
        yield ROWS
        together.wait(60)

    found: list[Delivered] = []

    def run() -> None:
        found.append(deliver(rows(), f"{kind}:{tmp_path / 'a'}", load="a", mode="append"))

    deliver([ROWS], f"{kind}:{tmp_path / 'a'}", load="first", mode="append")
    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.was_done for one in found) == [False, True]
    assert _read(kind, tmp_path / "a").num_rows == 4


KILLED = """
import os, signal
from sightline.flow.deliver import _parquet
from sightline.project import _replacing

def counted(function):
    def call(*arguments, **keywords):
        global stop
        result = function(*arguments, **keywords)
        stop -= 1
        if stop == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    return call

for module, name in ((os, "open"), (os, "fsync"), (_parquet, "write_bytes"), (_parquet, "_write"),
                     (_replacing.Path, "replace"), (_replacing.Path, "unlink"), (_replacing.Path, "mkdir")):
    setattr(module, name, counted(getattr(module, name)))
deliver([pa.record_batch({"id": [load] * 3})], target, load=str(load), mode=mode)
"""


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["append", "replace"])
def test_kill_after_each_step_of_a_parquet_folder(tmp_path: Path, mode: str, processes: Killable) -> None:
    """Killed right after its n-th step with the disk, for every n, and run again: each row once, and no other file."""
    folder = tmp_path / "prices"
    loads, status = 0, "ended 9"
    while status == "ended 9":
        loads += 1
        names = {"target": f"parquet:{folder}", "load": loads, "mode": mode}
        *_, status = processes.says(KILLED, stop=loads, **names)
        if status == "ended 9":
            *_, again = processes.says(KILLED, stop=0, **names)
            assert again == "ended 0"
        found = sorted(_read("parquet", folder)["id"].to_pylist())
        expected = range(1, loads + 1) if mode == "append" else [loads]
        assert found == sorted([*expected] * 3)
    assert status == "ended 0"
    assert loads > 5
    hidden = [path.name for path in folder.iterdir() if path.name.startswith(".")]
    assert len(hidden) <= loads  # parts are tidied by the next load to the same file


def test_folder_of_other_files_is_left_alone(tmp_path: Path) -> None:
    """A folder without a manifest is not taken over, and a damaged manifest is not guessed at."""
    (tmp_path / "mine.parquet").write_bytes(b"")
    with pytest.raises(UsageError, match=r"has files, such as 'mine\.parquet', and no _sightline_loads\.json"):
        deliver([ROWS], f"parquet:{tmp_path}", load="a", mode="replace")
    deliver([ROWS], f"parquet:{tmp_path / 'a'}", load="a", mode="replace")
    (tmp_path / "a" / "_sightline_loads.json").write_text("{")
    with pytest.raises(OutputError, match="not known which files belong"):
        deliver([ROWS], f"parquet:{tmp_path / 'a'}", load="b", mode="append")


@pytest.mark.parametrize("kind", KINDS)
def test_folder_of_a_missing_folder_is_told(tmp_path: Path, kind: str) -> None:
    """Only the folder itself is made."""
    with pytest.raises(OutputError, match="there is no such folder"):
        deliver([ROWS], f"{kind}:{tmp_path / 'no' / 'a'}", load="a", mode="append")


FULL = """
import os, resource, signal
from sightline.errors import OutputError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
batch = pa.record_batch({"id": [*range(200_000)], "price": [int.from_bytes(os.urandom(7)) for _ in range(200_000)]})
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, 1 << 19))
try:
    deliver([batch], target, load="b", mode="append")
except OutputError as problem:
    print(problem, flush=True)
"""


@pytest.mark.parametrize("kind", KINDS)
def test_full_disk_leaves_the_folder_as_it_was(tmp_path: Path, kind: str, processes: Killable) -> None:
    """A write beyond what may be written is one clear sentence; the load can be run again."""
    target = f"{kind}:{tmp_path / 'a'}"
    deliver([ROWS], target, load="a", mode="append")
    *said, status = processes.says(FULL, target=target)
    assert status == "ended 0"
    assert "the disk is full" in said[0]
    assert _read(kind, tmp_path / "a").num_rows == 2
    assert not list((tmp_path / "a").glob(".*.part"))
    assert deliver([ROWS], target, load="b", mode="append") == Delivered(2, inserted=2)
