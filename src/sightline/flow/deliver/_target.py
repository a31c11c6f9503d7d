"""Where rows go, read from a text such as `prices.duckdb#positions`, `prices.csv` or `https://shop.example/prices`."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any, Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from sightline.errors import OutputError, UsageError
from sightline.flow._addresses import check_server, scheme_of, shown_place
from sightline.plugins import plugins
from sightline.settings import Settings, setting

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

    kind: str
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
            if scheme in target_plugins():
                return cls(scheme, text.partition(":")[2])
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


# -- the options that some kinds of targets take beyond their address: one frozen class for each kind ---------------

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # what RFC 9110 calls so
_UNBOUNDED = {"minimum": None, "maximum": None, "choices": (), "hidden": False}


@dataclass(frozen=True, kw_only=True)
class NoOptions(Settings):
    """The address of the target says everything."""


@dataclass(frozen=True, kw_only=True)
class TextFileOptions(Settings):
    """How texts are written to CSV and TSV."""

    raw: bool = setting(
        default=False, help="whether texts are written as they are, also those that a spreadsheet would run"
    )


@dataclass(frozen=True, kw_only=True)
class XmlOptions(Settings):
    """How rows become the elements of a document."""

    schema: str = setting("", help="which XSD the document has to be valid by")
    element: str = setting("", help="the path of the element that is repeated for each row, such as prices/product")
    columns: Mapping[str, Any] | None = setting(None, help="the path of each column below the element of its row")

    def __post_init__(self) -> None:
        """Check the mapping, too."""
        super().__post_init__()
        check_columns(self.columns)
        if self.schema and "/" not in self.element.strip("/"):
            raise UsageError(
                "A schema needs the option `element`, the path from the root to the element of a row; "
                "write it as `element: prices/product`."
            )


@dataclass(frozen=True, kw_only=True)
class PostOptions(Settings):
    """How rows are posted, and where it is remembered which of them have arrived."""

    state: str = setting("", help="the file that remembers which parts have arrived")
    headers: Mapping[str, str] | None = field(  # not shown, since a header may hold a token
        default=None,
        repr=False,
        metadata={**_UNBOUNDED, "help": "further headers of each request, such as Authorization"},
    )
    part_rows: int = setting(500, help="how many rows are posted at a time", minimum=1)
    seconds: float = setting(30.0, help="how many seconds an answer may take", minimum=0.1)
    attempts: int = setting(6, help="how often a part is posted before the load fails", minimum=1)
    pause: float = setting(1.0, help="how many seconds to wait before the second attempt", minimum=0)

    def __post_init__(self) -> None:
        """Check the headers without showing them; there is no way to go on without a state."""
        super().__post_init__()
        if not self.state:
            raise UsageError(
                "Posting rows needs the option `state`, the name of a file that remembers which parts have arrived; "
                "give each target one of its own."
            )
        headers = {} if self.headers is None else self.headers
        if not isinstance(headers, Mapping):
            raise UsageError("The option `headers` must map names to texts; write `headers: {Authorization: …}`.")
        for name, text in headers.items():
            if not isinstance(name, str) or not isinstance(text, str):
                raise UsageError(f"The header {name!r} must be a text; put its value in quotes.")
            if not _TOKEN.fullmatch(name) or not text.isascii() or not text.isprintable():
                raise UsageError(
                    f"The header {name!r} has a name or a value that HTTP does not allow; use printable ASCII."
                )


@dataclass(frozen=True, kw_only=True)
class SoapOptions(PostOptions):
    """How rows become the message of an operation."""

    element: str = setting("", help="the path of the element of a row, below that of the operation")
    columns: Mapping[str, Any] | None = setting(None, help="the path of each column below the element of its row")
    values: Mapping[str, Any] | None = setting(None, help="what other elements of the message hold, by their paths")

    def __post_init__(self) -> None:
        """Check the mappings, too."""
        super().__post_init__()
        check_columns(self.columns)
        check_columns(self.values, "values")


def check_columns(columns: object, name: str = "columns") -> None:
    """Raise an error unless columns are mapped to paths; a nested one to its element and its own columns."""
    if columns is None:
        return
    if not isinstance(columns, Mapping) or not columns:
        raise UsageError(f"The option `{name}` must map names to paths; write `{name}: {{id: product/@id}}`.")
    for column, path in columns.items():
        if isinstance(path, Mapping) and name == "columns":
            _check_nested(str(column), path)
        elif not isinstance(path, str) or not path.strip("/"):
            raise UsageError(f"{name}: {column!r} must be mapped to a path such as `product/@id`, not to {path!r:.60}.")


def _check_nested(column: str, mapped: Mapping[str, Any]) -> None:
    for key in mapped:
        if key not in ("element", "columns"):
            raise UsageError(f"columns: {column!r} has the key {key!r}; {_meant(str(key), ('element', 'columns'))}")
    if not isinstance(mapped.get("element"), str):
        raise UsageError(f"columns: {column!r} needs an `element`, the path that is repeated for each of its items.")
    check_columns(mapped.get("columns"))


def read_options(kind: type[Settings], given: Settings | Mapping[str, Any] | None, shown: str) -> Settings:
    """The options of a kind from a mapping, such as the keys of a flow file; unknown ones are errors."""
    if isinstance(given, Settings):
        if type(given) is not kind:
            raise UsageError(f"{shown} takes {kind.__name__}, not {type(given).__name__}.")
        return given
    known = [declared.name for declared in fields(kind)]
    for name in given or {}:
        if name not in known:
            raise UsageError(f"{shown} has no option {name!r}; {_meant(str(name), known)}")
    return kind(**given or {})


def _meant(name: str, known: Sequence[str]) -> str:
    if not known:
        return "it takes none."
    near = get_close_matches(name, known, 1)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}."


# -- what `deliver` was asked for, as every kind of target sees it --------------------------------------------------

# What a load did, and the table beside the target that remembers it.

DeliveryMode: TypeAlias = Literal["append", "replace", "upsert", "history"]
"""What becomes of the rows that the target has: they stay, go, are updated by key, or are closed and kept."""

LOADS = "_sightline_loads"
"""In the database of the target; a load whose row is here is done, in whatever way its connection ended."""

LOADS_COLUMNS = ("load_id", "table_name", "mode", "rows", "inserted", "updated", "unchanged", "closed")

LOAD_COLUMN = "_sightline_load"
"""The column of an appended row that names the dated load it came with, so that a later revision can replace it."""


@dataclass(frozen=True)
class Delivered:
    """What a load did.

    `rows` came, and are `inserted + updated + unchanged`; in history, `updated` rows were closed and opened anew, and
    `closed` are those whose keys did not come again. `was_done` says that this load had been delivered before, and that
    nothing was done now. `schema_changes` are the statements that changed the table. `replaced` are rows of an earlier
    revision of a dated load that went; `later` is the due date that the target shows, if it is later than that of the
    load, so that what is there stayed.
    """

    rows: int = 0
    inserted: int = 0
    updated: int = 0
    unchanged: int = 0
    closed: int = 0
    was_done: bool = False
    schema_changes: tuple[str, ...] = ()
    replaced: int = 0
    later: str = ""


@dataclass(frozen=True)
class DatedLoad:
    """The load of a due date, which can be delivered again: a later revision of it replaces an earlier one.

    Loads of one `series`, such as a step of a flow, follow each other by their due dates. `revision` tells two attempts
    at the same date apart, such as two runs; the same revision again does nothing. `store` is where the revisions are
    kept: two stores that deliver the same date to one table are a mistake, and not two revisions. `before` are names
    under which rows of this date may have been delivered in another way.

    >>> print(DatedLoad("prices/kept", datetime(2026, 11, 16, 6, 30, tzinfo=UTC), "run1", "a1b2"))
    prices/kept/2026-11-16T06:30:00Z@a1b2/run1
    """

    series: str
    due: datetime
    revision: str
    store: str = ""
    before: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What all its revisions are called."""
        return f"{self.series}/{self.due.astimezone(UTC).isoformat().removesuffix('+00:00')}Z"

    def __str__(self) -> str:
        return f"{self.name}@{self.store}/{self.revision}"

    def is_earlier(self, other: str) -> bool:
        """Whether another id is that of an earlier revision; one of another store is an error."""
        if other in self.before:
            return True
        mark = f"{self.name}@"
        if not other.startswith(mark) or other == str(self):
            return False
        if not other.startswith(f"{mark}{self.store}/"):
            raise OutputError(
                f"The load {self.name} was delivered here by a run of another store; keep the runs of a flow in one "
                "store, or give one of the two flows another name."
            )
        return True


DeliveryWay: TypeAlias = Callable[["Load", Iterable[Any]], Delivered]
"""What delivers a load to its target: it gets Arrow record batches, and does nothing if the load has been delivered."""


@dataclass(frozen=True)
class TargetKind:
    """One kind of target; `form` is an example of how it is written, `options` the class of its options.

    A plugin's is named by the scheme of its addresses, and has a `way` of its own.
    """

    name: str
    form: str
    summary: str
    modes: tuple[DeliveryMode, ...]
    options: type[Settings] = NoOptions
    extra: str = "flow"
    way: DeliveryWay | None = None


def target_plugins() -> dict[str, TargetKind]:
    """The kinds of targets that plugins add, by the schemes of their addresses."""
    return plugins("sightline.targets", TargetKind, (*_SCHEMES, *get_args(KindName)))


KEYED = ("upsert", "history")


@dataclass(frozen=True)
class Load:
    """One call of `deliver`; `options` are those of the target's kind.

    A load that is not `complete` says nothing about keys that did not come.
    """

    target: DeliveryTarget
    id: str
    mode: DeliveryMode
    key: tuple[str, ...]
    at: str
    allowed: bool
    options: Settings = field(default_factory=Settings)
    complete: bool = True
    dated: DatedLoad | None = None

    @property
    def due(self) -> str:
        """The instant that the ledger of the target remembers: what a history or a dated load is valid from."""
        return self.at if self.dated or self.mode == "history" else ""

    @property
    def tag(self) -> str:
        """What its rows are marked by, if that is needed to replace them one day."""
        return self.dated.name if self.dated and self.mode == "append" else ""

    def earlier(self, known: Iterable[str]) -> tuple[str, ...]:
        """The ids of earlier revisions of this load among those that are known."""
        return tuple(one for one in known if self.dated and self.dated.is_earlier(one))

    @property
    def is_keyed(self) -> bool:
        """Whether the mode tells rows apart by their key."""
        return self.mode in KEYED


def instant(at: datetime | None) -> str:
    """An instant as all databases read it, and as those that keep it as a text can order it."""
    return (at or datetime.now(UTC)).astimezone(UTC).isoformat(" ", "microseconds")


def no_batch(load: Load) -> UsageError:
    """The error for a load that would end all rows though not even a batch without rows came."""
    return UsageError(
        f"{load.target}: no batch came, which would end all rows that are there; if that is meant, "
        "deliver one batch that has columns and no rows."
    )


def untold_rows(load: "Load") -> OutputError:
    """The error for a date that is delivered again to where nobody can tell which rows it brought."""
    assert load.dated is not None
    return OutputError(
        f"{load.target}: rows of {load.dated.name} were added before, and no column {LOAD_COLUMN} says which they are, "
        "so they can't be replaced; remove them by hand and their line from the table of loads, or deliver with a key."
    )


SHOWN = 5  # rows that an error names


def numbered_rows(rows: Sequence[int]) -> str:
    """The first rows that something is wrong with, in words.

    >>> numbered_rows([1]), numbered_rows([1, 3])
    ('row 1', 'rows 1 and 3')
    """
    numbers = [str(number) for number in rows[:SHOWN]]
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    if len(numbers) == SHOWN:
        return f"rows {', '.join(numbers)}, …"
    return f"rows {', '.join(numbers[:-1])} and {numbers[-1]}"
