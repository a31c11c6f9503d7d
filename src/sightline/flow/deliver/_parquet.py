"""Delivery to a folder of Parquet files: one file a load, and a manifest that says which of them belong."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace as changed
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from pyarrow import parquet

from sightline.errors import OutputError, UsageError
from sightline.files import write_bytes
from sightline.flow.deliver._arrays import in_pieces
from sightline.flow.deliver._files import ParquetWriter, fill, schema_without_runs, without_runs
from sightline.flow.deliver._rows import PLAIN
from sightline.flow.deliver._schema import cast_batch, fitted_schema, load_columns
from sightline.flow.deliver._target import Delivered, DeliveryMode, Load, instant, no_batch
from sightline.project import Lock, Part, explained, part_of

MANIFEST = "_sightline_loads.json"
"""Readers of Parquet folders skip names that begin with an underscore or a dot."""

_LONGEST_ID = 60  # of a load's id in the name of its file; what tells loads apart is the hash behind it
_OURS = "load-*.parquet"


class _Done(msgspec.Struct, frozen=True):
    """A load that is done."""

    mode: DeliveryMode
    rows: int
    delivered_at: str
    due: str = ""


class _Manifest(msgspec.Struct, frozen=True):
    """Which files belong to the folder, and which loads are done."""

    files: tuple[str, ...] = ()
    loads: dict[str, _Done] = msgspec.field(default_factory=dict)


def deliver_load(load: Load, batches: Iterable[Any]) -> Delivered:
    """Write the file of a load, then note it in the manifest; a load that is noted is done."""
    folder, shown = Path(load.target.place).absolute(), str(load.target)
    _prepare(folder, shown)
    if done := _find(folder, load):
        with _alone(folder, shown):
            _tidy(folder, shown)  # it may have been killed right after it was noted
        return done
    pieces = in_pieces(batches)
    first = next(pieces, None)
    if first is None:
        if load.mode == "replace":
            raise no_batch(load)
        with _alone(folder, shown):
            return _find(folder, load) or _note(folder, load, 0, _manifest(folder).files)
    schema, changes = _fitted(folder, load, first.schema)  # now, since the rows may take hours to come
    path = folder / _name(load.id)
    with part_of(path, shown) as part:
        rows = _write(part, chain([first], pieces), schema)
        with _alone(folder, shown):
            if done := _find(folder, load):
                return done
            _fitted(folder, load, first.schema)
            if later := _later(folder, load):
                return changed(_note(folder, load, 0, _manifest(folder).files), later=later)
            return changed(_put(folder, load, part, rows), schema_changes=changes)


def _write(part: Part, pieces: Iterable[Any], schema: Any) -> int:
    with explained(part.shown):
        writer = ParquetWriter(part.stream, schema)
    return fill(writer, (cast_batch(without_runs(piece), schema) for piece in pieces), part.shown)


def _put(folder: Path, load: Load, part: Part, rows: int) -> Delivered:
    """Give the file its name and note it; then remove what no longer belongs, such as what the same date had before."""
    name = _name(load.id)
    part.put(folder / name)
    manifest = _manifest(folder)
    earlier = {_name(id): manifest.loads[id].rows for id in load.earlier(manifest.loads)}
    replaced = {file: count for file, count in earlier.items() if file in manifest.files}
    before = () if load.mode == "replace" else manifest.files
    files = (*(file for file in before if file != name and file not in replaced), name)
    delivered = _note(folder, load, rows, files)
    _tidy(folder, part.shown)
    return changed(delivered, replaced=sum(replaced.values()) if load.mode == "append" else 0)


def _later(folder: Path, load: Load) -> str:
    """The due date that the folder shows, if that is later than that of a load which would replace it."""
    if load.dated is None or load.mode != "replace":
        return ""
    series = f"{load.dated.series}/"
    dues = (done.due for id, done in _manifest(folder).loads.items() if id.startswith(series))
    return max((due for due in dues if due > load.at), default="")


def _tidy(folder: Path, shown: str) -> None:
    """Remove files of loads that were replaced, or killed before they were noted."""
    files = _manifest(folder).files
    with explained(shown):
        for path in folder.glob(_OURS):
            if path.name not in files:
                path.unlink(missing_ok=True)


def _note(folder: Path, load: Load, rows: int, files: tuple[str, ...]) -> Delivered:
    done = {**_manifest(folder).loads, load.id: _Done(load.mode, rows, instant(None), load.due)}
    content = msgspec.json.encode({"version": 1, "files": files, "loads": done})
    write_bytes(folder / MANIFEST, msgspec.json.format(content, indent=1) + b"\n")
    return Delivered(rows, inserted=rows)


def _find(folder: Path, load: Load) -> Delivered | None:
    done = _manifest(folder).loads.get(load.id)
    return Delivered(done.rows, inserted=done.rows, was_done=True) if done else None


def _manifest(folder: Path) -> _Manifest:
    path = folder / MANIFEST
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Manifest)
    except (OSError, msgspec.DecodeError) as problem:
        raise OutputError(
            f"{path} cannot be read ({problem!s:.200}), so it is not known which files belong to the folder; "
            "restore it, or deliver to a new folder."
        ) from problem


def _prepare(folder: Path, shown: str) -> None:
    """Make the folder and its manifest; a folder of somebody else's files is left alone."""
    with explained(shown):
        folder.mkdir(exist_ok=True)
        if (folder / MANIFEST).exists():
            return
        with _alone(folder, shown):
            others = sorted(path.name for path in folder.iterdir() if not path.name.startswith((".", "_")))
            if others and not (folder / MANIFEST).exists():
                raise UsageError(
                    f"{shown} has files, such as {others[0]!r:.60}, and no {MANIFEST}; name a new or an empty folder."
                )
            if not (folder / MANIFEST).exists():
                write_bytes(folder / MANIFEST, b'{"version": 1, "files": [], "loads": {}}\n')


@contextmanager
def _alone(folder: Path, shown: str) -> Iterator[None]:
    """While no other load changes the folder."""
    with explained(shown):
        lock = Lock(folder, wait=True)
    with lock:
        yield


def _fitted(folder: Path, load: Load, schema: Any) -> tuple[Any, tuple[str, ...]]:
    """The types that the file gets, and the columns that files before it lack."""
    load_columns(schema, (), PLAIN)
    bare = schema_without_runs(schema)
    files = _manifest(folder).files
    if load.mode == "replace" or not files:
        return bare, ()
    with explained(str(load.target)):
        return fitted_schema(bare, parquet.read_schema(folder / files[-1]), str(load.target), allowed=load.allowed)


def _name(id: str) -> str:
    """The name of a load's file.

    >>> _name("May 1/2")
    'load-May-1-2-58f61605a594.parquet'
    """
    readable = re.sub(r"[^A-Za-z0-9_.-]+", "-", id)[:_LONGEST_ID]
    return f"load-{readable}-{hashlib.sha256(id.encode()).hexdigest()[:12]}.parquet"
