"""Compares the columns of a load with those of the target, and proposes what would have to change."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from difflib import get_close_matches
from typing import Any

import pyarrow as pa

from sightline.errors import SchemaChanged, UsageError
from sightline.flow._duckdb import quoted
from sightline.flow.deliver._arrays import ARROW_REFUSES, unfit
from sightline.flow.deliver._dialect import Dialect, TableColumn
from sightline.flow.deliver._kinds import Kind, fits, kind_of, wider

VALIDITY = ("valid_from", "valid_to")
"""The columns that history adds: a row was so from the first instant on, and until before the second."""


@dataclass(frozen=True)
class LoadColumns:
    """What a load brings; `key` are the places of its key."""

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    key: tuple[int, ...]


def load_columns(schema: Any, key: Sequence[str], dialect: Dialect, *, reserved: Sequence[str] = ()) -> LoadColumns:
    """The columns of an Arrow schema; an error names those that no table could have."""
    names = tuple(schema.names)
    _check_names(names, dialect, reserved)
    kinds = []
    for field in schema:
        kind = kind_of(field.type)
        if kind is None or (kind.family == "decimal" and kind.size > dialect.most_digits):
            raise UsageError(
                f"The column {field.name!r} is of the type {field.type}, which the target cannot hold without loss; "
                "convert it first."
            )
        kinds.append(kind)
    for name in key:
        if name not in names:
            near = get_close_matches(name, names, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"the load has {', '.join(map(repr, names))}."
            raise UsageError(f"The key {name!r} isn't a column of the load; {hint}")
    return LoadColumns(names, tuple(kinds), tuple(names.index(name) for name in key))


def _check_names(names: Sequence[str], dialect: Dialect, reserved: Sequence[str]) -> None:
    if not names:
        raise UsageError("The load has no columns; give batches with at least one.")
    for name in names:
        if not name.strip() or "\0" in name:
            raise UsageError(f"The column {name!r} has a name that no table can have; rename it first.")
        if len(name.encode()) > dialect.longest_name:
            raise UsageError(
                f"The column {name!r:.100} has a name of more than {dialect.longest_name} bytes, which the target "
                "would cut off; rename it first."
            )
        if name.lower() in reserved:
            raise UsageError(f"The column {name!r} is one that history adds itself; rename it first.")
    doubled = [name for name, count in Counter(name.lower() for name in names).items() if count > 1]
    if doubled:
        shown = ", ".join(repr(name) for name in names if name.lower() in doubled)
        raise UsageError(f"The load has columns of the same name ({shown}); rename or drop one of them first.")


@dataclass(frozen=True)
class _Change:
    """One way in which the target differs; it is `safe` if no value or column would be lost by the action."""

    problem: str
    action: str
    safe: bool


def additions(
    columns: LoadColumns,
    existing: Mapping[str, TableColumn],
    dialect: Dialect,
    *,
    shown: str,
    named: str,
    allowed: bool,
) -> tuple[LoadColumns, tuple[str, ...]]:
    """The columns under the names that they have in the table, and what has to be done to it: `ADD COLUMN …`.

    Whatever is not allowed, or would lose something, raises SchemaChanged with the statements; `named` is what they
    call the table.
    """
    spelled = {name.lower(): name for name in existing}
    names = tuple(name if name in existing else spelled.get(name.lower(), name) for name in columns.names)
    changes = [
        change
        for name, kind in zip(names, columns.kinds, strict=True)
        if (change := _change(name, kind, existing.get(name), dialect))
    ]
    changes += [
        _Change(f"has the column {name!r}, which the load lacks", f"DROP COLUMN {dialect.quote(name)}", safe=False)
        for name, column in existing.items()
        if name not in names and not column.filled
    ]
    if changes and not (allowed and all(change.safe for change in changes)):
        statements = tuple(alteration(named, change.action) for change in changes if change.action)
        raise SchemaChanged(shown, f"{shown} {_sentence(changes, named)}.", statements)
    return changed(columns, names=names), tuple(change.action for change in changes)


def alteration(table: str, action: str) -> str:
    """The statement that does something to a table."""
    return f"ALTER TABLE {table} {action}"


def _change(name: str, kind: Kind, column: TableColumn | None, dialect: Dialect) -> _Change | None:
    type = dialect.type_of(kind)
    if column is None:
        return _Change(f"lacks the column {name!r}", f"{dialect.add} {dialect.quote(name)} {type}", safe=True)
    if column.kind and fits(kind, column.kind):
        return None
    problem = f"has {column.type} for {name!r}, which does not hold the load's {type}"
    if not dialect.retypes:
        return _Change(f"{problem} and cannot get another type there: use a new table", "", safe=False)
    wide = wider(kind, column.kind, dialect.most_digits) if column.kind else None
    action = f"ALTER COLUMN {dialect.quote(name)} TYPE {dialect.type_of(wide or kind)}"
    return _Change(problem, action, safe=wide is not None)


def _sentence(changes: Sequence[_Change], named: str) -> str:
    """All that differs, and what to do: allow what loses nothing, or see to the rest by hand."""
    problems = "; it ".join(change.problem for change in changes)
    if all(change.safe for change in changes):
        statements = "; ".join(alteration(named, change.action) for change in changes)
        return f"{problems}; allow schema changes, or run: {statements}"
    unsafe = "; ".join(alteration(named, change.action) for change in changes if change.action and not change.safe)
    choice = f", or decide yourself about what is never done for you: {unsafe}" if unsafe else ""
    return f"{problems}; change the load to fit{choice}"


# Compares the columns of a load with those of a folder, by their Arrow types; proposes what would have to change.


def fitted_schema(new: Any, old: Any, shown: str, *, allowed: bool) -> tuple[Any, tuple[str, ...]]:
    """The schema that the rows of a load are cast to, and the columns that it adds.

    Whatever is not allowed, or would lose something, raises SchemaChanged.
    """
    unsafe = [f"has the column {name!r}, which the load lacks" for name in old.names if name not in new.names]
    added, fitted = [], []
    for field in new:
        if field.name not in old.names:
            added.append(field)
            fitted.append(field)
        elif _fits(field.type, old.field(field.name).type):
            fitted.append(old.field(field.name))
        else:
            type = old.field(field.name).type
            unsafe.append(f"has {type} for {field.name!r}, which does not hold the load's {field.type}")
    changes = tuple(f"ADD COLUMN {quoted(field.name)} {field.type}" for field in added)
    if unsafe:
        raise SchemaChanged(
            shown, f"{shown} {'; it '.join(unsafe)}; change the load to fit, or use a new folder.", changes
        )
    if added and not allowed:
        lacks = ", ".join(repr(field.name) for field in added)
        raise SchemaChanged(shown, f"{shown} lacks {lacks}; allow schema changes, or leave that out.", changes)
    return pa.schema(fitted), changes


def _fits(new: Any, old: Any) -> bool:
    if new.equals(old):
        return True
    if pa.types.is_nested(new) or pa.types.is_nested(old):
        return False
    kinds = kind_of(new), kind_of(old)
    return kinds[0] is not None and kinds[1] is not None and fits(kinds[0], kinds[1])


def cast_batch(batch: Any, schema: Any) -> Any:
    """A batch with the types of a schema, column by column; an error names the column whose values do not fit."""
    columns = [_cast(column, field) for column, field in zip(batch.columns, schema, strict=True)]
    return pa.record_batch(columns, schema=schema)


def _cast(column: Any, field: Any) -> Any:
    if column.type.equals(field.type):
        return column
    try:
        return column.cast(field.type)
    except ARROW_REFUSES as problem:
        raise unfit(field.name, problem) from problem
