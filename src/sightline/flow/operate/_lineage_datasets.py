"""The datasets that a flow reads and writes, by the names that OpenLineage gives to such things.

| what | namespace | name |
|---|---|---|
| a file, a folder or a pattern of files | `file` | its absolute path |
| a page or a list of pages | `https://shop.example` | the path of its address |
| a table of PostgreSQL | `postgres://host:5432` | `database.schema.table` |
| a table of DuckDB | `duckdb:///srv/prices.duckdb` | `prices.main.table`, as dbt has it |
| a table of SQLite | `sqlite:///srv/prices.sqlite` | `table` |
| a web service | `https://host` | the name of the step, since the path may be a secret |
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from sightline.errors import SightlineError
from sightline.flow.deliver import DeliveryTarget
from sightline.flow.run import QueryColumns, WatchedRun, delivery_target, hosts_of, watched_context
from sightline.flow.spec import (
    AboutSource,
    CollectSource,
    DeliverStep,
    ExtractSource,
    FlowStep,
    PlaySource,
    QuerySource,
    ReadSource,
    tables_of,
)

FILES = "file"
_PORTS = {"postgres": 5432, "mysql": 3306, "mariadb": 3306, "mssql": 1433, "oracle": 1521, "redshift": 5439}
_FILE_KINDS = ("csv", "excel", "json", "jsonl", "parquet", "tsv", "xml", "delta", "parquet-folder")
_SQLITE = (".sqlite", ".sqlite3", ".db")


@dataclass(frozen=True, order=True)
class LineageDataset:
    """A dataset by its names; `table` is what a query calls it, and `source` what rows call it that come from it."""

    namespace: str
    name: str
    table: str = ""
    source: str = ""

    @property
    def uri(self) -> str:
        """The address of what holds it."""
        return f"file://{self.name}" if self.namespace == FILES else self.namespace


def datasets_read(run: WatchedRun, step: FlowStep) -> list[LineageDataset]:
    """What a source reads."""
    step = run.flow.filled(step)
    match step:
        case ReadSource():
            return [_file(run, name) for name in step.files]
        case QuerySource():
            return list(_tables(run, step))
        case ExtractSource() | AboutSource():
            return [_page(run, name) for name in step.sources]
        case CollectSource():
            return [_page(run, step.address)]
        case PlaySource():
            hosts = sorted(hosts_of(run.flow, step))
            return [LineageDataset(f"https://{host}", "/") for host in hosts] or [_file(run, step.script)]
    return []


def dataset_written(run: WatchedRun, step: DeliverStep) -> LineageDataset | None:
    """What a step delivers to; None if that cannot be told."""
    filled = run.flow.filled(step)
    assert isinstance(filled, DeliverStep)
    target = delivery_target(run, filled)
    return None if target is None else _target(run, target, step.name)


def _file(run: WatchedRun, name: str) -> LineageDataset:
    path = str((run.flow.folder / Path(name).expanduser()).absolute())
    return LineageDataset(FILES, path, source=path)


def _page(run: WatchedRun, name: str) -> LineageDataset:
    parts = urlsplit(name)
    if not parts.netloc:
        return _file(run, name)
    query = f"?{parts.query}" if parts.query else ""
    return LineageDataset(f"{parts.scheme}://{_host(name)}", f"{parts.path or '/'}{query}", source=name)


def _host(address: str, port: int | None = None) -> str:
    """The host and port of an address, without whoever logs in there."""
    parts = urlsplit(address)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or "localhost"
    own = parts.port or port
    return f"{host}:{own}" if own else host


# ---------------------------------------------------------------------- databases


def _target(run: WatchedRun, target: DeliveryTarget, step: str) -> LineageDataset:
    place = target.place
    match target.kind:
        case "duckdb":
            return _duckdb(run.flow.folder / place, target.schema, target.table)
        case "sqlite":
            return LineageDataset(f"sqlite://{(run.flow.folder / place).absolute()}", target.table)
        case "postgresql":
            return _server(place, "postgres", target.schema or "public", target.table)
        case "sqlalchemy":
            return _server(place, urlsplit(place).scheme.partition("+")[0], target.schema, target.table)
        case kind if kind in _FILE_KINDS:
            return LineageDataset(FILES, str((run.flow.folder / place).absolute()))
    parts = urlsplit(place)
    if parts.scheme in ("http", "https"):
        return LineageDataset(f"{parts.scheme}://{_host(place)}", step)
    return LineageDataset(target.kind, step)


def _duckdb(path: Path, schema: str, table: str) -> LineageDataset:
    return LineageDataset(f"duckdb://{path.absolute()}", f"{path.stem}.{schema or 'main'}.{table}")


def _server(address: str, scheme: str, schema: str, table: str) -> LineageDataset:
    parts = urlsplit(address)
    asked = dict(parse_qsl(parts.query))
    port = int(asked["port"]) if asked.get("port", "").isdigit() else _PORTS.get(scheme)
    host = _host(address, port)
    if not parts.hostname and "host" in asked:
        host = f"{asked['host']}:{port}" if port else asked["host"]
    database = unquote(parts.path.strip("/")) or asked.get("dbname", "") or unquote(parts.username or "")
    return LineageDataset(f"{scheme}://{host}", ".".join(filter(None, (database, schema, table))))


def _tables(run: WatchedRun, step: QuerySource) -> Iterator[LineageDataset]:
    """The tables that a query of a database reads; the database as a whole if DuckDB can't read its SQL."""
    try:
        database = watched_context(run, step).secret(step.database)
    except SightlineError:  # the step itself tells it
        return
    scheme = urlsplit(database).scheme
    names: Sequence[str] = sorted(_named_tables(step.sql)) or [""]
    for name in names:
        schema, _, table = name.rpartition(".")
        if scheme in ("postgres", "postgresql"):
            found = _server(database, "postgres", (schema or "public") if table else "", table)
        else:
            path = (run.flow.folder / database.removeprefix(f"{scheme}:")).absolute()
            is_sqlite = scheme == "sqlite" or path.suffix.lower() in _SQLITE
            found = LineageDataset(f"sqlite://{path}", table) if is_sqlite else _duckdb(path, schema, table)
        yield LineageDataset(found.namespace, found.name or path.stem, table=name)


def _named_tables(sql: str) -> set[str]:
    """The tables of a query with their schemas, where these are told."""
    whole = QueryColumns.of(sql)
    used = {one.table for made in whole.columns for one in made.used} | {one.table for one in whole.rows}
    used |= {whole.rest} if whole.rest else set()
    tables = tables_of(sql)
    if tables.problem:
        return set()
    return used | {name for name in tables if name not in {one.rpartition(".")[2] for one in used}}
