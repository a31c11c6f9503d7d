"""Where the values of rows were seen: the page and the box of each cell, also after steps that renamed columns.

Sources write the places of a row into its column `_origins`, under the names that its columns had then. Most steps hand
that on. Where a query left it out, the rows are followed back: a row of an earlier step that has the same values, and
is the only one that has them, is where it comes from.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import pyarrow as pa

from sightline.errors import UsageError
from sightline.flow._duckdb import open_duckdb, quoted
from sightline.flow.integrate import Duck
from sightline.flow.run._context import dataset_of
from sightline.flow.run._matching import MATCH_COLUMNS
from sightline.flow.run._sources import ORIGINS
from sightline.flow.run._state import RunFolder
from sightline.flow.spec import Flow, JoinStep, MatchStep, NormaliseStep, SqlStep, UnionStep

_BESIDE = ("_original", "_problem")  # what normalising puts beside a column


@dataclass(frozen=True)
class CellPlace:
    """Where a value was seen: the page, its nodes and its box."""

    page: str
    nodes: tuple[int, ...]
    box: tuple[float, float, float, float] | None


def cell_places(flow: Flow, run: RunFolder, step: str, rows: pa.Table) -> dict[str, list[CellPlace | None]]:
    """The place of each cell of some rows of a step, by column; columns that were seen on no page are left out."""
    told = _told(rows)
    if not any(told):
        told = _followed_back(flow, run, step, rows)
    if not any(told):
        return {}
    found: dict[str, list[CellPlace | None]] = {}
    for column in rows.column_names:
        if column.startswith("_"):
            continue
        names = list(dict.fromkeys(_names_at_sources(flow, step, column)))
        cells = [_first(origins, names) for origins in told]
        if any(cells):
            found[column] = cells
    return found


def _told(rows: pa.Table) -> list[dict[str, Any]]:
    """What the rows say themselves; a join has the places of both sides."""
    columns = [name for name in rows.column_names if name.startswith(ORIGINS)]
    found: list[dict[str, Any]] = [{} for _ in range(rows.num_rows)]
    for name in reversed(columns):
        for own, text in zip(found, rows.column(name).to_pylist(), strict=True):
            own.update(_read(text))
    return found


def _read(text: Any) -> dict[str, Any]:
    """The places of a row; a column of that name that somebody else wrote says nothing."""
    if not isinstance(text, str):
        return {}
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _first(origins: Mapping[str, Any], names: Sequence[str]) -> CellPlace | None:
    for name in names:
        place = origins.get(name)
        if isinstance(place, dict) and isinstance(place.get("page"), str):
            box = place.get("box")
            return CellPlace(place["page"], tuple(place.get("nodes") or ()), tuple(box) if box else None)
    return None


# ---------------------------------------------------------------------- names


def _names_at_sources(flow: Flow, step: str, column: str) -> Iterator[str]:
    """What a column of a step was called where its values were seen."""
    before = list(_names_before(flow, step, column))
    if not before:
        yield column
    for name, old in before:
        yield from _names_at_sources(flow, name, old)


def _names_before(flow: Flow, name: str, column: str) -> Iterator[tuple[str, str]]:
    """The steps that a column of a step comes from, and what it is called there."""
    step = flow.steps[name]
    match step:
        case UnionStep():
            for one in step.steps:
                yield one, (step.columns or {}).get(column, {}).get(one, column)
        case NormaliseStep():
            plain = next((column.removesuffix(end) for end in _BESIDE if column.endswith(end)), column)
            made = [one.settings for one in step.columns if one.settings.new_name in (column, plain)]
            yield step.rows, made[0].column if made else column
        case JoinStep():
            left, right = step.steps[0], step.steps[-1]
            yield left, column
            yield right, column.removesuffix(f"_{right}")
        case MatchStep():
            if column not in MATCH_COLUMNS:
                yield step.rows, column
        case SqlStep():
            for one in step.tables:
                yield one, _renamed(step.sql).get(column, column)
        case _:
            for one in step.inputs:
                yield one, column


def _renamed(sql: str) -> dict[str, str]:
    """The columns that a query takes as they are under another name; what it computes was not seen on a page."""
    import duckdb

    with open_duckdb() as connection:
        try:
            answer = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
        except duckdb.Error:  # a query that is no SELECT has no such form
            return {}
    tree = orjson.loads(answer[0]) if answer else {}
    chosen = [
        one
        for statement in tree.get("statements", ())
        for one in statement.get("node", {}).get("select_list", ())
        if one.get("class") == "COLUMN_REF"
    ]
    return {one.get("alias") or one["column_names"][-1]: one["column_names"][-1] for one in chosen}


# ---------------------------------------------------------------------- following back


def _followed_back(flow: Flow, run: RunFolder, step: str, rows: pa.Table) -> list[dict[str, Any]]:
    """The places of rows by those of the step before that has some, where their values say which row it is."""
    nothing: list[dict[str, Any]] = [{} for _ in range(rows.num_rows)]
    here = [field.name for field in rows.schema if not field.name.startswith("_") and not _is_odd(field.type)]
    waiting: list[tuple[str, dict[str, str]]] = [(step, {name: name for name in here})]
    while waiting:
        name, names = waiting.pop(0)
        for before in flow.steps[name].inputs:
            known = {
                column: older
                for column, old in names.items()
                for one, older in _names_before(flow, name, old)
                if one == before
            }
            path = run.rows(flow.holder(before))
            if not path.exists():
                continue
            schema = dataset_of(path).schema
            if ORIGINS in schema.names:
                found = _same_rows(run, rows, before=flow.holder(before), names=known)
                if any(found):
                    return found
            else:
                waiting.append((before, known))
    return nothing


def _same_rows(run: RunFolder, rows: pa.Table, *, before: str, names: Mapping[str, str]) -> list[dict[str, Any]]:
    table = dataset_of(run.rows(before))
    shared = {
        new: old
        for new, old in names.items()
        if old in table.schema.names and table.schema.field(old).type == rows.schema.field(new).type
    }
    found: list[dict[str, Any]] = [{} for _ in range(rows.num_rows)]
    if not shared:
        return found
    numbered = rows.select(list(shared)).append_column("_number", pa.array(range(rows.num_rows), pa.int64()))
    same = " AND ".join(f"w.{quoted(new)} IS NOT DISTINCT FROM b.{quoted(old)}" for new, old in shared.items())
    sql = (
        f"SELECT w._number, any_value(b.{ORIGINS}) FROM rows_of AS w JOIN before AS b ON {same} "
        "GROUP BY 1 HAVING count(*) = 1"
    )
    try:
        answer = Duck({"rows_of": numbered, "before": table}, run.path).rows(sql)
    except UsageError:  # types that DuckDB does not compare, such as those of a database's own
        return found
    for number, text in answer:
        found[number] = _read(text)
    return found


def _is_odd(kind: pa.DataType) -> bool:
    return bool(pa.types.is_nested(kind) or pa.types.is_floating(kind))
