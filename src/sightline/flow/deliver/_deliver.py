"""The one verb of delivery: it checks what was asked for and hands the load to its kind of target."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from typing import Any, get_args

from sightline.errors import MissingExtra, UsageError
from sightline.flow.deliver._target import (
    KEYED,
    DatedLoad,
    Delivered,
    DeliveryMode,
    DeliveryTarget,
    DeliveryWay,
    Load,
    PostOptions,
    SoapOptions,
    TargetKind,
    TextFileOptions,
    XmlOptions,
    instant,
    read_options,
    target_plugins,
)
from sightline.settings import Settings

# The module of each kind, imported only when it is used; all others are files.
_MODULES: dict[str, str] = {
    "duckdb": "_moves",
    "sqlite": "_moves",
    "postgresql": "_moves",
    "sqlalchemy": "_moves",
    "parquet-folder": "_parquet",
    "delta": "_delta",
    "webhook": "_posting",
    "soap": "_soap",
    "xml": "_xml",
}


def deliver(  # noqa: PLR0913 - keywords, each of them said seldom
    batches: Iterable[Any],
    target: str | DeliveryTarget,
    *,
    load: str | DatedLoad,
    mode: DeliveryMode,
    key: Sequence[str] = (),
    at: datetime | None = None,
    allow_schema_changes: bool = False,
    options: Settings | Mapping[str, Any] | None = None,
    complete: bool = True,
) -> Delivered:
    """Deliver Arrow record batches to a target; the same `load` again does nothing, however the first one ended.

    A `DatedLoad` replaces what an earlier revision of the same due date delivered, and leaves alone what is of later
    dates. `at` is the instant from which a history holds what came; without it, that is now. New columns and wider
    types are proposed by SchemaChanged, and made if `allow_schema_changes`; nothing is ever dropped. `options` are
    those of the kind of target, which `target_kind` names. In a history, keys that did not come are closed, unless the
    load is not `complete`.
    """
    place = DeliveryTarget.read(target) if isinstance(target, str) else target
    names = (key,) if isinstance(key, str) else tuple(key)
    dated = load if isinstance(load, DatedLoad) else None
    if not str(load) or "\0" in str(load):
        raise UsageError(f"A load needs an id, which {load!r} is not; give each run one of its own.")
    chosen = check_delivery(place, mode=mode, key=names, options=options)
    _check_instant(at, mode)
    if dated is not None:
        if at is not None:
            raise UsageError("A dated load has its instant itself; leave out `at`.")
        at = dated.due
        _check_instant(at, "history")
    wanted = Load(place, str(load), mode, names, instant(at), allow_schema_changes, chosen, complete, dated)
    return _way(place)(wanted, batches)


def check_target(
    target: str | DeliveryTarget,
    *,
    mode: DeliveryMode,
    key: Sequence[str] = (),
    schema: Any | None = None,
    allow_schema_changes: bool = False,
    options: Settings | Mapping[str, Any] | None = None,
) -> None:
    """Raise what a delivery to a table would be refused for, before any row comes; nothing is changed.

    That is a key that the table lacks, rights that the user lacks, and columns that do not fit, if the `schema` of the
    rows is known. A server that is down is no reason: it may be up when there are rows.
    """
    place = DeliveryTarget.read(target) if isinstance(target, str) else target
    chosen = check_delivery(place, mode=mode, key=key, options=options)
    if _MODULES.get(place.kind) == "_moves":
        _way(place)  # says which extra is missing
        from sightline.flow.deliver._moves import check_table

        check_table(Load(place, "check", mode, tuple(key), instant(None), allow_schema_changes, chosen), schema)


def _way(target: DeliveryTarget) -> DeliveryWay:
    if (own := target_kind(target).way) is not None:
        return own
    module = _MODULES.get(target.kind, "_files")
    try:
        way: DeliveryWay = import_module(f"sightline.flow.deliver.{module}").deliver_load
    except ImportError as problem:
        extra = "flow" if problem.name == "sqlalchemy" else target_kind(target).extra
        raise MissingExtra(extra, f"Delivering to {target}") from problem
    return way


def _check_instant(at: datetime | None, mode: DeliveryMode) -> None:
    if at and mode != "history":
        raise UsageError(f"The mode {mode!r} has no use for an instant; leave out `at`, or use 'history'.")
    if at and at.tzinfo is None:
        raise UsageError(f"{at} has no time zone; give `at` one, such as `datetime.now(UTC)`.")


# The kinds of targets: how each is written, which modes and options it takes, and which extra it needs.


_TABLE: tuple[DeliveryMode, ...] = ("append", "replace", "upsert", "history")

TARGET_KINDS = (
    TargetKind("duckdb", "prices.duckdb#positions", "a table of a DuckDB file", _TABLE),
    TargetKind("sqlite", "sqlite:prices.db#positions", "a table of a SQLite file", _TABLE),
    TargetKind(
        "postgresql", "postgresql://user@host/db#schema.table", "a table of PostgreSQL", _TABLE, extra="postgres"
    ),
    TargetKind(
        "sqlalchemy",
        "sqlalchemy:mysql+pymysql://user@host/db#table",
        "a table of any database that SQLAlchemy knows",
        _TABLE,
    ),
    TargetKind("csv", "prices.csv", "a CSV file in UTF-8", ("replace",), TextFileOptions),
    TargetKind("tsv", "prices.tsv", "a file of tab-separated values", ("replace",), TextFileOptions),
    TargetKind("json", "prices.json", "a JSON file with a list of objects", ("replace",)),
    TargetKind("jsonl", "prices.jsonl", "a file with one JSON object a line", ("replace",)),
    TargetKind("excel", "prices.xlsx", "an Excel workbook with one sheet", ("replace",), extra="excel"),
    TargetKind("parquet", "prices.parquet", "a Parquet file", ("replace",)),
    TargetKind("xml", "prices.xml", "an XML file, by a schema (XSD) if you give one", ("replace",), XmlOptions, "xml"),
    TargetKind("parquet-folder", "parquet:prices/", "a folder of Parquet files, one a load", ("append", "replace")),
    TargetKind("delta", "delta:prices/", "a folder with a Delta table", ("append", "replace", "upsert"), extra="delta"),
    TargetKind(
        "webhook", "https://shop.example/prices", "a web address that rows are posted to", ("append",), PostOptions
    ),
    TargetKind(
        "soap",
        "soap:service.wsdl#Service.port.operation",
        "an operation of a SOAP service that a WSDL describes",
        ("append",),
        SoapOptions,
        "soap",
    ),
)
"""All of them, databases first."""

_BY_NAME: dict[str, TargetKind] = {kind.name: kind for kind in TARGET_KINDS}


def target_kind(target: str | DeliveryTarget) -> TargetKind:
    """The kind of the target that a text names; nothing is opened or asked.

    >>> target_kind("prices.xlsx").modes
    ('replace',)
    """
    name = (DeliveryTarget.read(target) if isinstance(target, str) else target).kind
    return _BY_NAME[name] if name in _BY_NAME else target_plugins()[name]


def check_delivery(
    target: str | DeliveryTarget,
    *,
    mode: DeliveryMode,
    key: Sequence[str] = (),
    options: Settings | Mapping[str, Any] | None = None,
) -> Settings:
    """Raise UsageError if a delivery could not be meant so, before any row comes; nothing is opened or asked.

    What comes back are the options, with the defaults of those that were not given.
    """
    kind = target_kind(target)
    if mode not in get_args(DeliveryMode):
        raise UsageError(f"There is no mode {mode!r}; use {', '.join(get_args(DeliveryMode))}.")
    if mode not in kind.modes:
        raise UsageError(
            f"The mode {mode!r} is not for {kind.summary}; use {_listed(kind.modes)}{_instead(mode, kind)}."
        )
    if (mode in KEYED) != bool(key):
        problem = "needs a key; name the columns that tell rows apart" if mode in KEYED else "has no use for a key"
        raise UsageError(f"The mode {mode!r} {problem}.")
    return read_options(kind.options, options, kind.summary[:1].upper() + kind.summary[1:])


def _instead(mode: DeliveryMode, kind: TargetKind) -> str:
    """A target of the same sort that does take the mode."""
    if kind.modes == ("replace",):
        return ", or `parquet:folder/`" if mode == "append" else ", or a table of a database"
    return ", or a table of a database" if mode in KEYED else ""


def _listed(modes: Sequence[str]) -> str:
    return " or ".join(repr(mode) for mode in modes)
