"""Bad input and bad places: each is one clear sentence, and the load can be run again when it is mended."""

import os
import resource
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver import Delivered, _duckdb, _sqlite, deliver

from ._databases import Database, DuckFile, SqliteFile
from ._killing import Killable

ROWS = pa.record_batch({"id": [1, 2], "price": [3, 4]})


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["append", "upsert"])
def test_no_batches_is_a_load_without_rows(database: Database, mode: Any) -> None:
    """It is noted as done, and makes no table."""
    key = ["id"] if mode == "upsert" else []
    assert deliver([], database.target(), load="a", mode=mode, key=key) == Delivered()
    assert deliver([ROWS], database.target(), load="a", mode=mode, key=key).was_done
    assert database.tables() == {"_sightline_loads"}


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["replace", "history"])
def test_no_batches_do_not_end_all_rows(database: Database, mode: Any) -> None:
    """Only a batch with columns and without rows does."""
    key = ["id"] if mode == "history" else []
    deliver([ROWS], database.target(), load="a", mode=mode, key=key)
    with pytest.raises(UsageError, match="no batch came"):
        deliver([], database.target(), load="b", mode=mode, key=key)
    deliver([ROWS.slice(0, 0)], database.target(), load="b", mode=mode, key=key)
    closed = " WHERE valid_to IS NULL" if mode == "history" else ""
    assert database.rows(f"SELECT count(*) FROM prices{closed}") == [(0,)]


@pytest.mark.slow
def test_cell_of_fifty_megabytes_arrives(database: Database) -> None:
    """One cell may be larger than a piece."""
    cell = "ü" * (25 << 20)
    batch = pa.record_batch({"id": [1, 2, 3], "text": ["a", cell, "b"]})
    deliver([batch], database.target(), load="a", mode="append")
    assert database.rows("SELECT length(text) FROM prices ORDER BY id") == [(1,), (25 << 20,), (1,)]


def test_odd_names_are_names(database: Database) -> None:
    """Keywords, quotes, percent signs, blanks and marks of values are quoted, in columns as in tables."""
    names = ["select", 'a "b"', "100 % $1 ?1", "it's", "rowid", "order by;--"]
    batch = pa.record_batch([pa.array([number]) for number in range(len(names))], names=names)
    target = database.target('group "x";')
    deliver([batch], target, load="it's 100 %", mode="upsert", key=["select"])
    assert deliver([batch], target, load="b", mode="upsert", key=["select"]).unchanged == 1
    assert 'group "x";' in database.tables()


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (["id", ""], "'' has a name that no table can have"),
        (["id", "a\0"], "has a name that no table can have"),
        (["id", "Price", "price"], "columns of the same name"),
        ([], "no columns"),
    ],
)
def test_impossible_names_are_refused(database: Database, names: list[str], problem: str) -> None:
    """Empty and doubled names are errors that name them."""
    batch = pa.record_batch([pa.array([1]) for _ in names], names=names)
    with pytest.raises(UsageError, match=problem):
        deliver([batch], database.target(), load="a", mode="append")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"load": "", "mode": "append"}, "needs an id"),
        ({"load": "a", "mode": "merge"}, "no mode 'merge'"),
        ({"load": "a", "mode": "upsert"}, "needs a key"),
        ({"load": "a", "mode": "append", "key": ["id"]}, "no use for a key"),
        ({"load": "a", "mode": "upsert", "key": ["ids"]}, "did you mean 'id'?"),
        ({"load": "a", "mode": "append", "at": datetime.now(UTC)}, "no use for an instant"),
        ({"load": "a", "mode": "history", "key": ["id"], "at": datetime(2026, 5, 3)}, "has no time zone"),
    ],
)
def test_arguments_that_make_no_sense(tmp_path: Path, arguments: dict[str, Any], problem: str) -> None:
    """Each is an error that says which one and what to use instead."""
    with pytest.raises(UsageError) as caught:
        deliver([ROWS], f"{tmp_path}/x.duckdb#t", **arguments)
    assert problem in str(caught.value)


def test_batches_of_different_columns(database: Database) -> None:
    """The error names the batch; nothing is delivered."""
    with pytest.raises(UsageError, match="Batch 2 has the columns other"):
        deliver([ROWS, pa.record_batch({"other": [1]})], database.target(), load="a", mode="append")
    assert deliver([ROWS], database.target(), load="a", mode="append").inserted == 2


# ---------------------------------------------------------------------- files


@contextmanager
def _without_rights() -> Iterator[None]:
    """As a user who may not do everything; root may, whatever the permissions of a file say."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture(params=[DuckFile, SqliteFile])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> DuckFile | SqliteFile:
    """A file of either kind."""
    return request.param(tmp_path)  # type: ignore[no-any-return]


@pytest.mark.parametrize("kind", [DuckFile, SqliteFile])
@pytest.mark.parametrize("rights", [0o555, 0o000], ids=["read-only", "closed"])
def test_file_that_may_not_be_written(kind: type[DuckFile | SqliteFile], rights: int) -> None:
    """The error says so; with permissions, the load goes through."""
    with tempfile.TemporaryDirectory() as folder:
        file = kind(Path(folder))
        deliver([ROWS], file.target(), load="a", mode="append")
        file.path.chmod(0o444)
        file.path.parent.chmod(rights)
        with _without_rights(), pytest.raises(OutputError, match="check its permissions"):
            deliver([ROWS], file.target(), load="b", mode="append")
        file.path.parent.chmod(0o755)
        file.path.chmod(0o644)
        assert deliver([ROWS], file.target(), load="b", mode="append").inserted == 2


def test_damaged_file(file: DuckFile | SqliteFile) -> None:
    """It is named as such and left as it is."""
    file.path.write_bytes(b"no database at all" * 1_000)
    with pytest.raises(OutputError, match="damaged or of another kind"):
        deliver([ROWS], file.target(), load="a", mode="append")
    assert file.path.read_bytes() == b"no database at all" * 1_000


def test_folder_that_does_not_exist(tmp_path: Path) -> None:
    """It is not made unasked."""
    for scheme in ("duckdb", "sqlite"):
        with pytest.raises(OutputError, match=r"no such folder|cannot be written"):
            deliver([ROWS], f"{scheme}:{tmp_path}/missing/x.db#t", load="a", mode="append")


def test_sqlite_file_is_not_taken_for_duckdb(tmp_path: Path) -> None:
    """DuckDB would fetch a part of itself from the network to read it."""
    database = SqliteFile(tmp_path)
    database.run("CREATE TABLE t (a)")
    with pytest.raises(OutputError, match="is a SQLite file; write the target with `sqlite:`"):
        deliver([ROWS], f"duckdb:{database.path}#t", load="a", mode="append")


FULL_DISK = """
import resource, signal
from sightline.errors import OutputError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
texts = [f"text {number * 7919 % 200_000}" for number in range(200_000)]
table = pa.table({"id": pa.array(range(200_000)), "text": texts})
try:
    deliver(table.to_batches(), target, load="b", mode="append")
except OutputError as problem:
    print(problem, flush=True)
"""


@pytest.mark.slow
def test_full_disk_leaves_the_table_as_it_was(file: DuckFile | SqliteFile, processes: Killable) -> None:
    """A file that cannot grow ends the load with an error; with space, all rows arrive once."""
    deliver([pa.record_batch({"id": [-1], "text": ["old"]})], file.target(), load="a", mode="append")
    for limit, said in ((file.path.stat().st_size + 100_000, "the disk is full"), (resource.RLIM_INFINITY, "")):
        *told, status = processes.says(FULL_DISK, target=file.target(), limit=limit)
        assert status == "ended 0"
        assert said in "".join(told)
        assert bool(said) == bool(told)
        assert file.rows("SELECT count(*) FROM prices") == [(1 if said else 200_001,)]
    assert [path.name for path in file.path.parent.iterdir()] == [file.path.name]


def test_file_in_use_is_waited_for(file: DuckFile | SqliteFile) -> None:
    """A second load waits until whoever has the file lets go of it."""
    deliver([ROWS], file.target(), load="a", mode="append")
    held: Any = (
        duckdb.connect(str(file.path))
        if isinstance(file, DuckFile)
        else sqlite3.connect(file.path, isolation_level=None, check_same_thread=False)
    )
    held.execute("BEGIN" if isinstance(file, DuckFile) else "BEGIN IMMEDIATE")
    letting_go = threading.Timer(0.5, held.close)
    letting_go.start()
    assert deliver([ROWS], file.target(), load="b", mode="append").inserted == 2
    letting_go.join()
    assert file.rows("SELECT count(*) FROM prices") == [(4,)]


def test_file_that_stays_in_use_is_named(file: DuckFile | SqliteFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the end the error says that another program has it."""
    monkeypatch.setattr(_duckdb, "WAIT_SECONDS", 0.2)
    monkeypatch.setattr(_sqlite, "WAIT_SECONDS", 0.2)
    deliver([ROWS], file.target(), load="a", mode="append")
    held: Any = (
        duckdb.connect(str(file.path))
        if isinstance(file, DuckFile)
        else sqlite3.connect(file.path, isolation_level=None)
    )
    held.execute("BEGIN" if isinstance(file, DuckFile) else "BEGIN IMMEDIATE")
    with pytest.raises(OutputError, match="another program"):
        deliver([ROWS], file.target(), load="b", mode="append")
    held.close()
    assert deliver([ROWS], file.target(), load="b", mode="append").inserted == 2


def test_folder_of_a_killed_load_is_removed(tmp_path: Path) -> None:
    """What a killed process had staged on disk goes with the next load, and that of a living one stays."""
    (tmp_path / ".test.duckdb.dead.staging").mkdir()
    (tmp_path / ".test.duckdb.dead.staging" / "rows.tmp").write_bytes(b"x")
    living = _duckdb._Spill(tmp_path / "test.duckdb")
    deliver([ROWS], DuckFile(tmp_path).target(), load="a", mode="append")
    assert {path.name for path in tmp_path.iterdir()} == {"test.duckdb", living.folder.name}
    living.remove()
