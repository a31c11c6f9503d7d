"""A staged load on its way into its target, in the terms of SQLAlchemy: which rows are of one key, and which differ."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from sightline.flow.deliver._engine import Engine
from sightline.flow.deliver._schema import LoadColumns
from sightline.flow.deliver._target import Load

ONE = sa.literal_column("1")


@dataclass(frozen=True)
class Move:
    """A staged load on its way into its target.

    `earlier` are the ids under which its due date was delivered before, `later` is the due date that the target shows
    if that is later, and `is_tagged` says whether appended rows name their load.
    """

    engine: Engine
    columns: LoadColumns
    rows: int
    load: Load
    target: Any = None
    earlier: tuple[str, ...] = ()
    later: str = ""
    is_tagged: bool = False
    part: Any = None
    """A table of those staged rows that have to be written, if the engine set them aside: see `to_write`."""

    @property
    def source(self) -> Any:
        """The table that the rows come from."""
        return self.engine.stage if self.part is None else self.part

    @property
    def shown(self) -> str:
        """The target, as messages name it."""
        return str(self.load.target)

    @property
    def staged(self) -> list[Any]:
        """The columns of the staging table, in the order of the names."""
        return [self.source.c[f"c{place}"] for place in range(len(self.columns.names))]

    @property
    def key(self) -> list[Any]:
        """The columns of the key in the staging table."""
        return [self.source.c[f"c{place}"] for place in self.columns.key]

    @property
    def old_key(self) -> list[Any]:
        """The columns of the key in the target."""
        return self.key_of(self.target)

    @property
    def same_key(self) -> Any:
        """Whether an old and a new row are of the same key."""
        return self.is_of_key(self.target)

    @property
    def others(self) -> list[tuple[Any, Any]]:
        """The columns that are not of the key: in the target, and in the staging table."""
        pairs = enumerate(zip(self.columns.names, self.staged, strict=True))
        return [(self.target.c[name], new) for place, (name, new) in pairs if place not in self.columns.key]

    @property
    def differs(self) -> Any:
        """Whether an old and a new row of the same key differ; a key alone never does."""
        return self.differs_from(self.target)

    def key_of(self, table: Any) -> list[Any]:
        """The columns of the key in the target, or in an alias of it."""
        return [table.c[self.columns.names[place]] for place in self.columns.key]

    def is_of_key(self, table: Any, other: Any = None) -> Any:
        """Whether a row of the target is of the key of a staged row, or of a row of another alias."""
        keys = self.key if other is None else self.key_of(other)
        return sa.and_(*(old == new for old, new in zip(self.key_of(table), keys, strict=True)))

    def differs_from(self, table: Any, other: Any = None) -> Any:
        """Whether a row of the target differs from the staged row of its key, or from a row of another alias."""
        return sa.or_(sa.false(), *self._differing(table, other).values())

    def _differing(self, table: Any, other: Any = None) -> dict[int, Any]:
        """Whether the values of each column differ, by the place of the column; those of the key never do."""
        found = {}
        for place, (name, kind) in enumerate(zip(self.columns.names, self.columns.kinds, strict=True)):
            if place in self.columns.key:
                continue
            old, new = table.c[name], self.staged[place] if other is None else other.c[name]
            is_text = kind.family == "decimal" and self.engine.dialect.decimal_is_text
            found[place] = _number(old).is_distinct_from(_number(new)) if is_text else old.is_distinct_from(new)
        return found

    @property
    def compared(self) -> Any:
        """The new rows, each with the old row of its key if there is one."""
        return self.source.outerjoin(self.target, self.same_key)

    @property
    def is_new(self) -> Any:
        """Whether a compared row has no old one."""
        return self.old_key[0].is_(None)

    @property
    def missing(self) -> Any:
        """The rows whose keys the target lacks."""
        if self.part is not None:
            return sa.select(*self.staged).where(self.part.c.is_new)
        return sa.select(*self.staged).select_from(self.compared).where(self.is_new)

    @property
    def to_write(self) -> Any:
        """The rows whose keys the target lacks, which `is_new` says, or whose values differ there.

        If the target is stored by columns, d0, d1, … say which values differ.
        """
        differing = self._differing(self.target) if self.engine.stores_columns else {}
        more = [differs.label(f"d{place}") for place, differs in differing.items()]
        found = sa.select(self.is_new.label("is_new"), *self.staged, *more).select_from(self.compared)
        return found.where(sa.or_(self.is_new, self.differs))

    def update(self) -> int:
        """Write the rows whose keys are known and whose values differ."""
        if not self.others:
            return 0
        changes = {old.name: new for old, new in self._changing()}
        if not changes:
            return 0
        known = [] if self.part is None else [~self.part.c.is_new]
        # A table of somebody else's may have a key twice, and one of its rows may be as it should be.
        return self.engine.run(sa.update(self.target).values(changes).where(*known, self.same_key, self.differs))

    def _changing(self) -> list[tuple[Any, Any]]:
        """The columns to update: where it is known, only those that differ in some row."""
        if self.part is None or not self.engine.stores_columns:
            return self.others
        names = {f"d{place}": name for place, name in enumerate(self.columns.names) if place not in self.columns.key}
        flags = [sa.func.bool_or(self.part.c[flag]) for flag in names]
        found = self.engine.rows(sa.select(*flags).where(~self.part.c.is_new))[0]
        changed = {name for name, differs in zip(names.values(), found, strict=True) if differs}
        return [(old, new) for old, new in self.others if old.name in changed]

    def insert(self, query: Any, *more: Any) -> int:
        """Insert what a query gives: the columns of the load, and some more."""
        names = [*self.columns.names, *(column.name for column in more)]
        ordered = query.order_by(self.engine.order) if self.engine.sorts else query
        return self.engine.run(sa.insert(self.target).from_select(names, ordered))


def _number(column: Any) -> Any:
    """A decimal that is a text, without zeros at its end."""
    point = sa.literal_column("'.'")
    short = sa.func.rtrim(sa.func.rtrim(column, sa.literal_column("'0'")), point)
    return sa.case((sa.func.instr(column, point) > sa.literal_column("0"), short), else_=column)
