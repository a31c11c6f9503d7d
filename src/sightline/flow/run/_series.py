"""How values went from run to run: price histories."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sightline.errors import UsageError
from sightline.flow._sql import literal, quoted
from sightline.flow.integrate import Duck
from sightline.flow.run._results import dataset_of

__all__ = ["ValueLine", "value_lines"]


@dataclass(frozen=True)
class ValueLine:
    """What one value was in each run; None where it was missing or no number."""

    key: tuple[str, ...]
    values: tuple[float | None, ...]


def value_lines(
    files: Sequence[Path | None], key: Sequence[str], column: str, spill: Path, *, limit: int = 20, search: str = ""
) -> tuple[ValueLine, ...]:
    """The values of a column in several files of rows, one line for each key; those that changed most come first.

    `files` are those of the runs in their order, None for a run that has none. `search` keeps the keys that hold it.
    """
    there = {f"run_{at}": dataset_of(path) for at, path in enumerate(files) if path is not None and path.exists()}
    tables = {name: table for name, table in there.items() if {*key, column} <= set(table.schema.names)}
    if not key:
        raise UsageError("A history needs a key that tells rows apart; name one or more columns.")
    if there and not tables:
        raise UsageError(f"No run has the columns {', '.join([*key, column])} in that step; choose others.")
    if not tables:
        return ()
    keys = ", ".join(f"CAST({quoted(name)} AS VARCHAR) AS key_{at}" for at, name in enumerate(key))
    names = ", ".join(f"key_{at}" for at in range(len(key)))
    found = " UNION ALL ".join(
        f"SELECT {keys}, {name.removeprefix('run_')} AS run, TRY_CAST({quoted(column)} AS DOUBLE) AS value FROM {name}"
        for name in tables
    )
    filled = " AND ".join(f"key_{at} IS NOT NULL" for at in range(len(key)))
    if search:
        filled += f" AND contains(lower(concat_ws(' ', {names})), {literal(search.lower())})"
    # A key that comes twice in a run says nothing about either row.
    once = (
        f"SELECT {names}, run, any_value(value) AS value FROM ({found}) WHERE {filled} "
        f"GROUP BY {names}, run HAVING count(*) = 1"
    )
    moved = "(max(value) - min(value)) / CASE WHEN min(abs(value)) > 0 THEN min(abs(value)) ELSE 1 END"
    sql = (
        f"SELECT {names}, list(run), list(value) FROM ({once}) WHERE value IS NOT NULL GROUP BY {names} "
        f"ORDER BY {moved} DESC, {names} LIMIT {int(limit)}"
    )
    return tuple(_line(row, len(key), len(files)) for row in Duck(tables, spill).rows(sql))


def _line(row: tuple[Any, ...], width: int, runs: int) -> ValueLine:
    known = dict(zip(row[width], row[width + 1], strict=True))
    return ValueLine(tuple(map(str, row[:width])), tuple(known.get(at) for at in range(runs)))
