"""What the databases call things, and what they hold."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sightline.flow._duckdb import quoted
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

    quote: Callable[[str], str] = quoted
    """A name as SQL writes it."""

    instant: Callable[[str], Any] = datetime.fromisoformat
    """An instant as a value of a statement."""

    decimal_is_text: bool = False
    """Whether decimals are texts, of which 1.50 and 1.5 are two, though they are one number."""

    add: str = "ADD COLUMN"
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


DUCKDB = Dialect(
    types={
        "boolean": "BOOLEAN",
        "integer16": "SMALLINT",
        "integer32": "INTEGER",
        "integer64": "BIGINT",
        "float32": "FLOAT",
        "float64": "DOUBLE",
        "decimal": "DECIMAL({size},{scale})",
        "text": "VARCHAR",
        "binary": "BLOB",
        "date": "DATE",
        "time": "TIME",
        "timestamp": "TIMESTAMP",
        "instant": "TIMESTAMP WITH TIME ZONE",
    },
    unique=False,  # an index would have to stay in memory, and a load looks at all keys anyway
)

POSTGRES = Dialect(
    types={
        "boolean": "boolean",
        "integer16": "smallint",
        "integer32": "integer",
        "integer64": "bigint",
        "float32": "real",
        "float64": "double precision",
        "decimal": "numeric({size},{scale})",
        "text": "text",
        "binary": "bytea",
        "date": "date",
        "time": "time",
        "timestamp": "timestamp",
        "instant": "timestamp with time zone",
    },
    most_digits=76,
    longest_name=63,
    holds_nul=False,
)

SQLITE = Dialect(
    types={
        "boolean": "BOOLEAN",
        "integer": "BIGINT",
        "float": "DOUBLE",
        # SQLite would turn DECIMAL into binary floats; a type with TEXT in its name stays text.
        "decimal": "DECIMAL_TEXT",
        "text": "TEXT",
        "binary": "BLOB",
        "date": "DATE",
        "time": "TIME",
        "timestamp": "TIMESTAMP",
        "instant": "TIMESTAMP WITH TIME ZONE",
    },
    kinds={
        "integer": INTEGER,
        "int": INTEGER,
        "smallint": INTEGER,
        "real": FLOAT,
        "float": FLOAT,
        "decimal_text": ANY_DECIMAL,
        "numeric": None,
        "decimal": None,
    },
    instant=str,
    decimal_is_text=True,
    retypes=False,
    most_digits=76,
    holds_nan=False,
)
