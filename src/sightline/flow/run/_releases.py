"""Rows that a check held back and a person released: they are let through as long as their values stay the same."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pyarrow as pa

from sightline.documents import MOST_BYTES
from sightline.errors import OutputError, UnreadableError, UsageError
from sightline.files import make_folder, read_bytes
from sightline.flow._sql import quoted
from sightline.flow.integrate import ROW_NUMBER, Duck, numbered
from sightline.flow.run._record_rows import META_COLUMNS
from sightline.flow.run._results import kept_rows
from sightline.flow.run._state import FlowStore, RunFolder

__all__ = ["Released", "release_rows", "released_prints", "releases_path", "row_print"]

# What matching says of a row changes with every decision that people make; who the partner is counts, not how sure.
_LEFT_OUT = ("match_candidate", "match_text", "match_score", "match_zone", "match_why")


@dataclass(frozen=True)
class Released:
    """How many rows were released now, and how many had been before."""

    rows: int
    before: int = 0


def releases_path(store: FlowStore, step: str) -> Path:
    """Where it is kept which rows of a check people released."""
    return store.folder / "releases" / f"{step}.jsonl"


def row_print(names: Sequence[str]) -> str:
    """SQL for what tells a row from every other: its values, without what only flows know.

    >>> row_print(["name", "_origins"])
    'md5(concat_ws(chr(31), coalesce(CAST("name" AS VARCHAR), chr(30))))'
    """
    shown = [name for name in names if name not in META_COLUMNS and name not in _LEFT_OUT and not name.startswith("_")]
    values = ", ".join(f"coalesce(CAST({quoted(name)} AS VARCHAR), chr(30))" for name in shown)
    return f"md5(concat_ws(chr(31), {values}))" if values else "''"


def released_prints(store: FlowStore, step: str) -> pa.Table:
    """The rows that were released, by their prints, as DuckDB reads them."""
    return pa.table({"print": pa.array(sorted(_known(releases_path(store, step))), pa.string())})


def release_rows(store: FlowStore, run: RunFolder, step: str, rows: Sequence[int] | None = None) -> Released:
    """Release rows that a step of a run held back, by their numbers from 0 on, or all of them."""
    held = run.held(step)
    if not held.exists():
        raise UsageError(f"The step `{step}` held nothing back in this run; choose another.")
    names = kept_rows(held).schema.names
    duck = Duck({"held": numbered(kept_rows(held))}, run.path)
    found = dict(duck.rows(f"SELECT {ROW_NUMBER}, {row_print(names)} FROM held"))
    wanted = list(found) if rows is None else list(dict.fromkeys(rows))
    for number in wanted:
        if number not in found:
            raise UsageError(f"There is no row {number} in quarantine; it has {len(found)}, counted from 0.")
    path = releases_path(store, step)
    known = _known(path)
    prints = dict.fromkeys(found[number] for number in wanted)
    fresh = [one for one in prints if one not in known]
    _add(path, fresh, run.path.name)
    return Released(len(wanted), len(wanted) - sum(found[number] in fresh for number in wanted))


def _known(path: Path) -> set[str]:
    if not path.exists():
        return set()
    found = set()
    for number, line in enumerate(read_bytes(path, "remove it", MOST_BYTES).splitlines(), start=1):
        try:
            found.add(str(orjson.loads(line)["print"]))
        except (orjson.JSONDecodeError, KeyError, TypeError) as problem:
            where = f"{path}, line {number}"
            raise UnreadableError(where, f"this is no release ({problem}); delete the line.") from problem
    return found


def _add(path: Path, prints: Sequence[str], run: str) -> None:
    """Write some down at once, before anybody is told that they are released."""
    if not prints:
        return
    when = datetime.now(UTC).isoformat(timespec="seconds")
    lines = b"".join(orjson.dumps({"print": one, "run": run, "when": when}) + b"\n" for one in prints)
    make_folder(path.parent)
    try:
        with path.open("ab") as stream:
            stream.write(lines)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as problem:
        raise OutputError(f"Could not write {path}: {problem.strerror}; the rows were not released.") from problem
