"""The table of loads beside a target: which loads are done, what each did, and which due dates they were of."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.schema import CreateTable

from sightline.errors import UsageError
from sightline.flow.deliver._engine import Engine
from sightline.flow.deliver._schema import alteration
from sightline.flow.deliver._target import LOADS, LOADS_COLUMNS, Delivered, Load, instant


def find_load(engine: Engine, load: Load) -> Delivered | None:
    """What a load did, if it is done."""
    if not engine.columns(LOADS):
        return None
    loads, counts = engine.loads, LOADS_COLUMNS[3:]
    ours = (loads.c.load_id == load.id, loads.c.table_name == load.target.table)
    found = engine.rows(sa.select(*(loads.c[name] for name in counts)).where(*ours))
    if not found:
        return None
    rows, inserted, updated, unchanged, closed = map(int, found[0])
    return Delivered(rows, inserted, updated, unchanged, closed)


def note_load(engine: Engine, load: Load, delivered: Delivered) -> None:
    """Write down in the transaction of the rows that the load is done."""
    loads = engine.loads
    if not engine.columns(LOADS):
        engine.run(CreateTable(loads))
    due = engine.dialect.instant(load.due) if load.due else None
    counts = (delivered.rows, delivered.inserted, delivered.updated, delivered.unchanged, delivered.closed)
    values = (load.id, load.target.table, load.mode, *counts, engine.dialect.instant(instant(None)), due)
    engine.run(sa.insert(loads).values(dict(zip((*LOADS_COLUMNS, "delivered_at", "due"), values, strict=True))))


def prepare_ledger(engine: Engine) -> bool:
    """Give a table of loads that an earlier version made the column of due dates; it is ours, so nobody is asked."""
    known = engine.columns(LOADS)
    if not known or "due" in {name.lower() for name in known}:
        return False
    kind = engine.loads.c.due.type.compile(dialect=engine.core)
    place = engine.core.identifier_preparer.format_table(engine.loads)
    engine.run(alteration(place, f"{engine.dialect.add} {engine.dialect.quote('due')} {kind}"))
    return True


def earlier_revisions(engine: Engine, load: Load) -> tuple[str, ...]:
    """The ids of the loads by which the same due date was delivered to this table before."""
    if load.dated is None or not engine.columns(LOADS):
        return ()
    loads = engine.loads
    revision = loads.c.load_id.startswith(f"{load.dated.name}@", autoescape=True)
    named = sa.or_(revision, *(loads.c.load_id == one for one in load.dated.before))
    found = engine.rows(sa.select(loads.c.load_id).where(loads.c.table_name == load.target.table, named))
    return load.earlier(id for (id,) in found)


def latest_due(engine: Engine, load: Load) -> str:
    """The latest due date of the same series in this table, if it is later than that of the load."""
    if load.dated is None or not engine.columns(LOADS):
        return ""
    loads = engine.loads
    ours = loads.c.load_id.startswith(f"{load.dated.series}/", autoescape=True)
    later = loads.c.due > engine.dialect.instant(load.at)
    found = engine.rows(sa.select(sa.func.max(loads.c.due)).where(loads.c.table_name == load.target.table, ours, later))
    return str(found[0][0]) if found and found[0][0] is not None else ""


def check_instant_is_free(engine: Engine, load: Load, earlier: Sequence[str]) -> None:
    """Refuse a load of a history at the instant of another one: one of the two would be lost."""
    if not engine.columns(LOADS):
        return
    loads = engine.loads
    same = (loads.c.due == engine.dialect.instant(load.at), loads.c.mode == "history")
    query = sa.select(loads.c.load_id).where(loads.c.table_name == load.target.table, *same)
    others = [id for (id,) in engine.rows(query) if id not in earlier]
    if others:
        raise UsageError(
            f"{load.target} has a load of {load.at} already, {others[0]!r:.100}; give each load an instant of its own."
        )
