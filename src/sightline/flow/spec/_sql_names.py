"""Which steps a query reads, and the same query after one of them got another name."""

import atexit
import re
import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import orjson

from sightline.errors import MissingExtra
from sightline.flow._duckdb import open_duckdb

__all__ = ["QueryTables", "renamed_in_sql", "tables_of"]

REMEMBERED = 2_000  # queries whose tables are known: those of every flow that people have open
_NAMED = re.compile(r'\b(?:from|join)\s+"?([A-Za-z_]\w*)', re.IGNORECASE)
_lock = threading.Lock()


class QueryTables(tuple[str, ...]):
    """The tables that a query reads, sorted; `problem` says why it cannot be read, and they are then only guessed."""

    problem: str = ""

    @classmethod
    def guessed(cls, sql: str, problem: str) -> "QueryTables":
        """The names after FROM and JOIN in what isn't a query yet."""
        found = cls(sorted(set(_NAMED.findall(sql))))
        found.problem = problem
        return found


def tables_of(sql: str) -> QueryTables:
    """The tables that a query reads; what DuckDB said of one is remembered, since asking takes a millisecond."""
    try:
        import duckdb  # noqa: F401 - asked for here, so that what is remembered is never its absence
    except ImportError as problem:
        raise MissingExtra("flow", "A step of SQL") from problem
    return _asked(sql)


@lru_cache(maxsize=REMEMBERED)
def _asked(sql: str) -> QueryTables:
    import duckdb

    with _lock:
        try:
            return QueryTables(sorted(_read(_connection(), sql)))
        except duckdb.Error as problem:
            return QueryTables.guessed(sql, str(problem).splitlines()[0].removesuffix("."))


@lru_cache(maxsize=1)
def _connection() -> Any:
    """A database without tables, for questions about texts; opening one takes longer than a hundred questions."""
    atexit.register(_close)  # a connection that is open at the end makes its library complain of leaks
    return open_duckdb()


def _close() -> None:
    _connection().close()
    _connection.cache_clear()


def _read(connection: Any, sql: str) -> set[str]:
    """The tables that a query reads; by its text alone where DuckDB wants to see their columns, as for USING."""
    import duckdb

    try:
        return set(connection.get_table_names(sql))
    except (duckdb.BinderException, duckdb.PermissionException):  # files are not looked at to read a flow
        tree = _tree(connection, sql)
        if tree is None:
            raise
    parts = list(_objects(tree))
    named = {one["key"].casefold() for part in parts if (ctes := part.get("cte_map")) for one in ctes["map"]}
    read = {part["table_name"] for part in parts if part.get("type") == "BASE_TABLE"}
    return {name for name in read if name.casefold() not in named}


def _tree(connection: Any, sql: str) -> Any:
    (text,) = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    tree = orjson.loads(text)
    return None if tree["error"] else tree


def _objects(tree: Any) -> Iterator[dict[str, Any]]:
    """All objects of a JSON document."""
    if isinstance(tree, dict):
        yield tree
    for part in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from _objects(part)


# ---------------------------------------------------------------------- renaming


def renamed_in_sql(sql: str, name: str, new: str) -> str | None:
    """The query with another name for a table; None if it could come to mean something else, such as by an alias.

    >>> renamed_in_sql("SELECT north.price FROM north -- of north", "north", "nord")
    'SELECT nord.price FROM nord -- of north'
    >>> renamed_in_sql("SELECT north FROM north", "north", "nord") is None
    True
    """
    import duckdb

    with _lock:
        connection = _connection()
        try:
            before = _tree(connection, sql)
            made = _with_words(sql, name, new)
            after = _tree(connection, made)
        except duckdb.Error:
            return None
    if before is None or after is None:
        return None
    return made if _meant(before, name, new) == _without_places(after) else None


def _with_words(sql: str, name: str, new: str) -> str:
    """Every identifier that is the name, replaced."""
    import duckdb

    tokens = duckdb.tokenize(sql)
    raw = sql.encode()
    parts, place = [], 0
    for number, (start, kind) in enumerate(tokens):
        end = tokens[number + 1][0] if number + 1 < len(tokens) else len(raw)
        word = re.match(rb'"(?:[^"]|"")*"|\w+', raw[start:end])
        if kind != duckdb.token_type.identifier or word is None:
            continue
        if word[0].decode().strip('"').casefold() == name.casefold():
            parts += [raw[place:start], new.encode()]
            place = start + word.end()
    return b"".join((*parts, raw[place:])).decode()


def _meant(tree: Any, name: str, new: str) -> Any:
    """What a query means, after a table got another name: that of the table, and before the dot of its columns."""
    if isinstance(tree, list):
        return [_meant(one, name, new) for one in tree]
    if not isinstance(tree, dict):
        return tree
    found = {key: _meant(one, name, new) for key, one in tree.items() if not key.startswith("query_location")}
    if found.get("type") == "BASE_TABLE" and str(found["table_name"]).casefold() == name.casefold():
        found["table_name"] = new
        if isinstance(whole := found.get("qualified_name"), dict):
            found["qualified_name"] = {**whole, "path": [*whole["path"][:-1], new]}
    columns = found.get("column_names")
    if isinstance(columns, list) and len(columns) > 1 and str(columns[0]).casefold() == name.casefold():
        found["column_names"] = [new, *columns[1:]]
    if "relation_name" in found and str(found["relation_name"]).casefold() == name.casefold():
        found["relation_name"] = new
    return found


def _without_places(tree: Any) -> Any:
    return _meant(tree, "", "")
