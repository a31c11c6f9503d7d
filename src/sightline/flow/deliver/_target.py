"""Where rows go, read from a text such as `prices.duckdb#positions`, `prices.csv` or `https://shop.example/prices`."""

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from sightline.errors import UsageError
from sightline.flow._addresses import check_server, scheme_of, shown_place

__all__ = ["DeliveryTarget", "KindName"]

KindName: TypeAlias = Literal[
    "csv",
    "delta",
    "duckdb",
    "excel",
    "json",
    "jsonl",
    "parquet",
    "parquet-folder",
    "postgresql",
    "soap",
    "sqlalchemy",
    "sqlite",
    "tsv",
    "webhook",
    "xml",
]

_SUFFIXES: dict[str, KindName] = {
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
    ".tsv": "tsv",
    ".xlsx": "excel",
    ".xml": "xml",
}
_SCHEMES: dict[str, KindName] = {
    "delta": "delta",
    "duckdb": "duckdb",
    "http": "webhook",
    "https": "webhook",
    "parquet": "parquet-folder",
    "postgres": "postgresql",
    "postgresql": "postgresql",
    "soap": "soap",
    "sqlalchemy": "sqlalchemy",
    "sqlite": "sqlite",
}
_DIALECTS = ("mariadb", "mssql", "mysql", "oracle", "redshift", "snowflake")  # of SQLAlchemy, without a driver
_FOLDERS = ("delta", "parquet-folder")
_SQLITE_SUFFIXES = (".sqlite", ".sqlite3")
_FORMS = "`prices.duckdb#positions`, `postgresql://user@host/db#schema.table`, `prices.csv` or `parquet:prices/`"


@dataclass(frozen=True)
class DeliveryTarget:
    """A table, file, folder or service; `place` is the file, or the address of the server.

    Of a web service, `table` is the operation.
    """

    kind: KindName
    place: str = field(repr=False)
    table: str = ""
    schema: str = ""

    @classmethod
    def read(cls, text: str) -> "DeliveryTarget":
        """The target that a text names; without a scheme it is a file, and one with a table is DuckDB's.

        >>> DeliveryTarget.read("prices.duckdb#positions")
        DeliveryTarget(kind='duckdb', table='positions', schema='')
        >>> DeliveryTarget.read("prices.csv").kind
        'csv'
        >>> str(DeliveryTarget.read("postgresql://anna:secret@db.example/shop#sales.prices"))
        'postgresql://anna@db.example/shop#sales.prices'
        """
        scheme = scheme_of(text)
        text = scheme + text[len(scheme) :]
        if scheme == "file":
            return _file(cls, text[len("file:") :], text)
        if scheme and scheme not in _SCHEMES:
            raise _unknown_scheme(scheme, text)
        kind = _SCHEMES[scheme] if scheme else None
        if kind == "webhook":
            return _webhook(cls, text)
        if kind in _FOLDERS:
            return _folder(cls, kind, text)
        if "#" not in text and kind is None:
            return _file(cls, text, text)
        return _table(cls, kind, text)

    def __str__(self) -> str:
        """The text that names it, without what may be a secret."""
        if self.kind == "webhook":  # whoever knows the path of a hook may use it
            parts = urlsplit(self.place)
            return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/…"
        name = f"{self.schema}.{self.table}" if self.schema else self.table
        scheme = _SHOWN.get(self.kind, "file:" if "#" in self.place and not name else "")
        return f"{scheme}{shown_place(self.place)}{'#' * bool(name)}{name}"


_SHOWN = {
    "sqlite": "sqlite:",
    "sqlalchemy": "sqlalchemy:",
    "soap": "soap:",
    "delta": "delta:",
    "parquet-folder": "parquet:",
}


def _unknown_scheme(scheme: str, text: str) -> UsageError:
    """The error for an address that nothing here delivers to; only its scheme is repeated, the rest may be a secret."""
    if "://" not in text:
        return UsageError(f"{shown_place(text)!r:.200} is of no kind that is known; write the target as {_FORMS}.")
    name, plus, _ = scheme.partition("+")
    meant = _FORMS
    if name in _SCHEMES:
        meant = f"`{name}://…#table`"
    elif plus or name in _DIALECTS:
        meant = f"`sqlalchemy:{scheme}://…#table`"
    return UsageError(f"Rows cannot be delivered to an address of the kind {scheme}://; write the target as {meant}.")


def _file(cls: type[DeliveryTarget], place: str, text: str) -> DeliveryTarget:
    suffix = re.search(r"[^/](\.[a-z]+)$", place.lower())
    kind = _SUFFIXES.get(suffix[1]) if suffix else None
    if kind is None or "\0" in text:
        raise UsageError(
            f"{shown_place(text)!r:.200} names no table of a database, and its name ends in none of "
            f"{', '.join(_SUFFIXES)}; write the target as {_FORMS}."
        )
    return cls(kind, place)


def _webhook(cls: type[DeliveryTarget], text: str) -> DeliveryTarget:
    try:
        parts = urlsplit(text)
        is_address = bool(parts.hostname) and not re.search(r"[\0-\x20\x7f]", text) and (parts.port or 1) > 0
    except ValueError:
        is_address = False
    if not is_address:
        raise UsageError("The address to post rows to is malformed; write it as `https://host/path`.")
    return cls("webhook", text)


def _folder(cls: type[DeliveryTarget], kind: KindName, text: str) -> DeliveryTarget:
    place = text.partition(":")[2]
    if not place or "\0" in place or "://" in place:
        raise UsageError(f"{shown_place(text)!r} names no folder; write it as `{_SHOWN[kind]}prices/`.")
    return cls(kind, place)


def _table(cls: type[DeliveryTarget], kind: KindName | None, text: str) -> DeliveryTarget:
    place, _, name = text.rpartition("#")
    if kind is None:
        kind = "sqlite" if place.lower().endswith(_SQLITE_SUFFIXES) else "duckdb"
    elif kind != "postgresql":
        place = place.partition(":")[2]
    if kind in ("sqlite", "duckdb") and place.startswith("//"):
        _refuse_address(kind, place, name)
    schema, _, table = ("", "", name) if kind == "soap" else name.rpartition(".")
    if not place or not table or "\0" in text:
        what = "operation of a service" if kind == "soap" else "table of a database"
        forms = "`soap:service.wsdl#Service.port.operation`" if kind == "soap" else _FORMS
        raise UsageError(f"{shown_place(text)!r} names no {what}; write it as {forms}.")
    if kind == "sqlite" and schema:
        raise UsageError(f"{shown_place(text)!r} names a schema, which SQLite does not have; leave out `{schema}.`.")
    if kind == "postgresql":
        check_server(place, "postgresql://user@host/db#schema.table")
    if kind == "sqlalchemy" and "://" not in place:
        raise UsageError(
            f"{shown_place(text)!r} has no address of a database; write it as `sqlalchemy:DIALECT://host/db#table`."
        )
    return cls(kind, place, table, schema)


def _refuse_address(kind: str, place: str, name: str) -> None:
    """A file is named by its path. As an address, `sqlite:///x` is x to some programs, and /x to others."""
    path, shown = place.lstrip("/"), shown_place(f"{kind}:{place}#{name}")
    raise UsageError(
        f"{shown!r:.200} is written as an address, and a {kind} file is named by its path; write "
        f"`{kind}:{path}#{name}` for a file in the folder of the flow, or `{kind}:/{path}#{name}` for one at the root."
    )
