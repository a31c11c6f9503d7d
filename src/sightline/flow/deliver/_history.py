"""Moves a staged load into a history: at its end, or into its place among the loads of other instants.

A history holds intervals: a row was so from `valid_from` on and until before `valid_to`. A load says what was so at its
instant D. Nothing else is known until the next instant N of which there was a load, so the load holds for [D, N): what
the history said of that time gives way, what it says of other times stays, and rows that then say the same without a
gap are one.
"""

from typing import Any

import sqlalchemy as sa

from sightline.errors import UsageError
from sightline.flow.deliver._ledger import check_instant_is_free
from sightline.flow.deliver._move import ONE, Move
from sightline.flow.deliver._schema import VALIDITY
from sightline.flow.deliver._target import LOADS, Delivered


def move_history(move: Move) -> Delivered:
    """Bring the rows of a load into a history."""
    check_instant_is_free(move.engine, move.load, move.earlier)
    at = move.engine.dialect.instant(move.load.at)
    last = _instant_after(move, at, or_at=True)
    if last is None and not move.earlier:
        return _at_the_end(move, at)
    _check_reach(move, at)
    return _in_its_place(move, at, _instant_after(move, at))


def _instant_after(move: Move, at: Any, *, or_at: bool = False) -> Any:
    """The first instant behind another, or from there on, of which the history or its ledger knows a load."""
    engine, target = move.engine, move.target
    columns = [target.c[name] for name in VALIDITY]
    places = [(target, column, sa.true()) for column in columns]
    if engine.columns(LOADS):
        loads = engine.loads
        ours = sa.and_(loads.c.table_name == move.load.target.table, loads.c.mode == "history")
        places.append((loads, loads.c.due, ours))
    found = [
        engine.rows(
            sa.select(sa.func.min(column)).select_from(table).where(where, column >= at if or_at else column > at)
        )
        for table, column, where in places
    ]
    return min((rows[0][0] for rows in found if rows and rows[0][0] is not None), default=None)


def _check_reach(move: Move, at: Any) -> None:
    """Refuse what would lose something: another load of the same instant, or a database that can't do it."""
    since, until = (move.target.c[name] for name in VALIDITY)
    same = sa.select(sa.func.count()).select_from(move.target).where(sa.or_(since == at, until == at))
    if not move.engine.reaches_back or (not move.earlier and move.engine.rows(same)[0][0]):
        raise UsageError(
            f"{move.shown} has a history up to {move.load.at} or later, so nothing can be added at that instant; "
            "deliver loads in the order of their instants."
        )


def _at_the_end(move: Move, at: Any) -> Delivered:
    """Close the open rows that changed or did not come, and open a row for each key that has none; the rest stays."""
    engine, target = move.engine, move.target
    since, until = (target.c[name] for name in VALIDITY)
    is_open = until.is_(None)
    same = sa.select(ONE).select_from(engine.stage).where(move.same_key).correlate(target)
    changed: tuple[Any, ...] = (is_open, ~sa.exists(same.where(~move.differs)))
    gone = 0
    if move.load.complete:
        missing = sa.select(sa.func.count()).select_from(target).where(is_open, ~sa.exists(same))
        gone = int(engine.rows(missing)[0][0])
    else:
        changed = (*changed, sa.exists(same))
    closed = engine.run(sa.update(target).values({until.name: at}).where(*changed))
    joined = engine.stage.outerjoin(target, sa.and_(move.same_key, is_open))
    new = sa.select(*move.staged, sa.literal(at, since.type)).select_from(joined).where(move.old_key[0].is_(None))
    opened = move.insert(new, since)
    updated = closed - gone
    return Delivered(move.rows, opened - updated, updated, move.rows - opened, gone)


def _in_its_place(move: Move, at: Any, following: Any) -> Delivered:
    """Let the load hold from its instant to the following one; `following` is None if there is no later load.

    No row begins or ends between the two, so one that holds at the first holds until the second.
    """
    engine, target = move.engine, move.target
    since, until = (target.c[name] for name in VALIDITY)
    staged = sa.select(ONE).select_from(engine.stage).where(move.same_key).correlate(target)
    holds = sa.and_(since <= at, sa.or_(until.is_(None), until > at))
    gives_way = sa.and_(holds, ~sa.exists(staged.where(~move.differs)))
    if not move.load.complete:
        gives_way = sa.and_(gives_way, sa.exists(staged))
    with engine.looking_up([column.name for column in move.old_key]):
        gone = engine.rows(sa.select(sa.func.count()).select_from(target).where(gives_way, ~sa.exists(staged)))[0][0]
        other = engine.rows(sa.select(sa.func.count()).select_from(target).where(gives_way, sa.exists(staged)))[0][0]
        _cut(move, gives_way, at, following)
        new = _insert_missing(move, at, following)
        _join_equal(move, at)
        if following is not None:
            _join_equal(move, following)
    return Delivered(move.rows, new - int(other), int(other), move.rows - new, int(gone))


def _cut(move: Move, gives_way: Any, at: Any, following: Any) -> None:
    """Take the time between two instants out of rows: what they said before and afterwards stays."""
    engine, target = move.engine, move.target
    since, until = (target.c[name] for name in VALIDITY)
    names = [*move.columns.names, *VALIDITY]
    before = sa.select(*(target.c[name] for name in move.columns.names), since, sa.literal(at, until.type))
    engine.run(sa.insert(target).from_select(names, before.where(gives_way, since < at)))
    if following is None:
        engine.run(sa.delete(target).where(gives_way))
        return
    engine.run(sa.delete(target).where(gives_way, until == following))
    engine.run(sa.update(target).values({since.name: following}).where(gives_way))


def _insert_missing(move: Move, at: Any, following: Any) -> int:
    """Insert the rows of the load that the history does not have at its instant."""
    engine, target = move.engine, move.target
    since, until = (target.c[name] for name in VALIDITY)
    holds = sa.and_(move.same_key, since <= at, sa.or_(until.is_(None), until > at))
    joined = engine.stage.outerjoin(target, holds)
    ends = sa.null() if following is None else sa.literal(following, until.type)
    rows = sa.select(*move.staged, sa.literal(at, since.type), ends)
    return move.insert(rows.select_from(joined).where(move.old_key[0].is_(None)), since, until)


def _join_equal(move: Move, at: Any) -> None:
    """Make one row of two that say the same and meet at an instant."""
    engine, target = move.engine, move.target
    first, second = target.alias("first_part"), target.alias("second_part")
    since, until = VALIDITY
    meets = (first.c[until] == at, move.is_of_key(target, first), ~move.differs_from(target, first))
    began = sa.select(first.c[since]).where(*meets).correlate(target)
    engine.run(
        sa.update(target)
        .values({since: began.scalar_subquery()})
        .where(target.c[since] == at, sa.exists(sa.select(ONE).select_from(first).where(*meets).correlate(target)))
    )
    # The second part begins with the first one now, and ends later.
    longer = sa.or_(second.c[until].is_(None), second.c[until] > at)
    is_held = (move.is_of_key(target, second), second.c[since] == target.c[since], longer)
    held = sa.exists(sa.select(ONE).select_from(second).where(*is_held).correlate(target))
    engine.run(sa.delete(target).where(target.c[until] == at, held))
