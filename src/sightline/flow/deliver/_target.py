"""Where rows go: a table of a database, read from a text such as `prices.duckdb#positions`."""

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from sightline.errors import UsageError

__all__ = ["DeliveryTarget", "EngineName"]

EngineName: TypeAlias = Literal["duckdb", "sqlite", "postgresql"]

_SQLITE_SUFFIXES = (".sqlite", ".sqlite3")
_FORMS = "`prices.duckdb#positions`, `sqlite:prices.db#positions` or `postgresql://user@host/db#schema.table`"


@dataclass(frozen=True)
class DeliveryTarget:
    """A table of a database; `place` is the file, or the address of the server."""

    engine: EngineName
    place: str = field(repr=False)
    table: str
    schema: str = ""

    @classmethod
    def read(cls, text: str) -> "DeliveryTarget":
        """The target that a text names; without a scheme it is a DuckDB file.

        >>> DeliveryTarget.read("prices.duckdb#positions")
        DeliveryTarget(engine='duckdb', table='positions', schema='')
        >>> str(DeliveryTarget.read("postgresql://anna:secret@db.example/shop#sales.prices"))
        'postgresql://anna@db.example/shop#sales.prices'
        """
        place, _, name = text.rpartition("#")
        schema, _, table = name.rpartition(".")
        engine, place = _engine_of(place)
        if not place or not table or "\0" in text:
            raise UsageError(f"{_without_password(text)!r} names no table of a database; write it as {_FORMS}.")
        if engine == "sqlite" and schema:
            raise UsageError(f"{text!r} names a schema, which SQLite does not have; leave out `{schema}.`.")
        return cls(engine, place, table, schema)

    def __str__(self) -> str:
        """The text that names it, without the password."""
        name = f"{self.schema}.{self.table}" if self.schema else self.table
        scheme = "sqlite:" if self.engine == "sqlite" else ""
        return f"{scheme}{_without_password(self.place)}#{name}"


def _engine_of(place: str) -> tuple[EngineName, str]:
    """The engine, and the place without what only says which engine it is."""
    scheme = re.match(r"([a-z]{2,}):", place)
    if scheme is None:
        return ("sqlite" if place.lower().endswith(_SQLITE_SUFFIXES) else "duckdb"), place
    if scheme[1] in ("postgres", "postgresql"):
        return "postgresql", place
    if scheme[1] in get_args(EngineName):
        return scheme[1], place[scheme.end() :]  # type: ignore[return-value]
    raise UsageError(f"{_without_password(place)!r} is of no database that is known; write the target as {_FORMS}.")


def _without_password(place: str) -> str:
    """An address as it may be shown: passwords are also given as `?password=…`."""
    if "://" not in place:
        return place
    parts = urlsplit(place)
    user, found, host = parts.netloc.rpartition("@")
    query = re.sub(r"((?:ssl)?password=)[^&]*", r"\1…", parts.query)
    return parts._replace(netloc=user.partition(":")[0] + found + host, query=query).geturl()
