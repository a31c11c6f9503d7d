"""What the databases call things, and the protocol that each of them keeps."""

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from sightline.flow.deliver._kinds import (
    BINARY,
    BOOLEAN,
    DATE,
    FLOAT,
    INSTANT,
    INTEGER,
    TEXT,
    TIME,
    TIMESTAMP,
    Kind,
    decimal,
)

__all__ = ["ANY_DECIMAL", "AnswerLost", "Dialect", "Engine", "TableColumn"]

ANY_DECIMAL = decimal(2_000, 1_000)
"""A column without declared digits, which holds every decimal that Arrow has."""

# What the databases call their types when asked; `decimal` and `numeric` come with their digits.
_KINDS = {
    "boolean": BOOLEAN,
    "smallint": Kind("integer", 16),
    "integer": Kind("integer", 32),
    "bigint": INTEGER,
    "hugeint": decimal(38, 0),
    "real": Kind("float", 32),
    "float": Kind("float", 32),
    "double": FLOAT,
    "double precision": FLOAT,
    "numeric": ANY_DECIMAL,
    "text": TEXT,
    "varchar": TEXT,
    "character varying": TEXT,
    "blob": BINARY,
    "bytea": BINARY,
    "date": DATE,
    "time": TIME,
    "time without time zone": TIME,
    "timestamp": TIMESTAMP,
    "timestamp without time zone": TIMESTAMP,
    "timestamp with time zone": INSTANT,
}


class AnswerLost(Exception):
    """The connection broke after COMMIT was sent: the load is done, or it is not, and only the database knows."""


@dataclass(frozen=True)
class TableColumn:
    """A column of a table that exists; `kind` is None for types that nothing of ours fits into exactly.

    One that is `filled` by the database may be missing in a load.
    """

    kind: Kind | None
    type: str
    filled: bool = False


@dataclass(frozen=True)
class Dialect:
    """How one database says what all of them can do."""

    types: Mapping[str, str]
    """The type of each family, with its bits where sizes differ: `integer16`."""

    kinds: Mapping[str, Kind | None] = field(default_factory=dict)
    """Types that mean something else here than elsewhere."""

    mark: str = "$"
    """Stands before the number of a value in a statement."""

    differs: str = "IS DISTINCT FROM"
    decimal: str = "{0}"
    """How a decimal is compared; where it is a text, 1.50 and 1.5 are two of them, and one number."""

    instant: str = "CAST({} AS TIMESTAMP WITH TIME ZONE)"
    order: str = "rowid"
    """What the rows of the staging table are ordered by as they came."""

    retypes: bool = True
    """Whether a column can get a wider type; where it cannot, rows need a new table."""

    most_digits: int = 38
    longest_name: int = 1_000_000
    unique: bool = True
    """Whether keys get an index, which doubled ones cannot pass; a database of columns needs none."""

    holds_nan: bool = True
    holds_nul: bool = True

    def type_of(self, kind: Kind) -> str:
        """What the database calls a kind."""
        if kind.family == "decimal":
            return self.types["decimal"].format(size=kind.size, scale=kind.scale)
        return self.types.get(f"{kind.family}{kind.size or ''}") or self.types[kind.family]

    def kind_of(self, type: str) -> Kind | None:
        """The kind of a type that the database names."""
        found = re.fullmatch(r"([a-z_ ]+?)\s*(?:\((\d+)(?:,\s*(\d+))?\))?( with(?:out)? time zone)?", type.lower())
        if not found:
            return None
        name = found[1] + (found[4] or "")
        if name in self.kinds:
            return self.kinds[name]
        if name in ("decimal", "numeric") and found[2]:
            return decimal(int(found[2]), int(found[3] or 0))
        # Fewer digits of a second than ours would cut some off.
        return None if found[2] and name.startswith("time") and found[2] != "6" else _KINDS.get(name)


class Engine(Protocol):
    """One load into one table; whatever goes wrong in the database is an OutputError."""

    dialect: Dialect
    table: str
    """The target, quoted, as it is called while `looking` or `moving`."""

    named: str
    """The target, quoted, as it is called by whoever opens the database alone."""

    loads: str
    stage: str
    keeps_stage: bool
    """Whether the staging table outlives a move that failed."""

    def looking(self) -> AbstractContextManager[None]:
        """While the target is open to be read."""

    def moving(self) -> AbstractContextManager[None]:
        """While no other load moves rows into the target: one transaction, committed at the end."""

    def columns(self, table: str) -> dict[str, TableColumn]:
        """The columns of a table beside the target, or of itself, by its name; none if there is no such table."""

    def create_stage(self, kinds: Sequence[Kind], *, becomes_target: bool) -> None:
        """Make the staging table, with columns c0, c1, …; nobody else sees it, and it ends with the connection.

        It probably `becomes_target`, if the engine can do that.
        """

    def adopt_stage(self, names: Sequence[str], key: Sequence[str]) -> bool:
        """Make the staging table the target, with these columns and an index on the key; False if that cannot be done.

        If it fails, the staging table is what it was.
        """

    def fill_stage(self, batch: Any) -> None:
        """Add a batch whose columns are of the kinds of the staging table."""

    def finish_stage(self, key: Sequence[int]) -> None:
        """Make the staging table ready to be compared by the columns at these places."""

    def index_key(self, names: Sequence[str], *, open_only: bool) -> None:
        """Let a new target have each key once; in a history, once among the rows that are open."""

    def run(self, statement: str, *values: object) -> int:
        """Run a statement; the number of rows that it changed."""

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a statement gives."""

    def close(self) -> None:
        """Let go of the database, and of the staging table."""
