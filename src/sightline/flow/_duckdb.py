"""The one place where DuckDB is opened: it fetches nothing, and reads and writes no file but those that it is given."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_SAFE = {
    # No part of DuckDB is fetched from the network, or loaded, because of what a query says or a file looks like.
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    # A name in a query is that of a table, never of a variable of the program.
    "python_enable_replacements": "false",
}


def open_duckdb(
    database: str | Path = ":memory:",
    *,
    read_only: bool = False,
    folders: Iterable[Path] = (),
    spill: Path | str | None = None,
    memory: str = "",
    has_error_codes: bool = False,
) -> Any:
    """A connection to a database, or to an empty one; its queries reach only files in `folders`, or named there.

    Beyond `memory`, rows go to the folder `spill`. Errors that have codes are written as JSON.
    """
    import duckdb

    options: dict[str, Any] = dict(_SAFE)
    if memory:
        options["memory_limit"] = memory
    if spill is not None:
        options["temp_directory"] = str(spill)
    connection = duckdb.connect(str(database), read_only=read_only, config=options)
    try:
        connection.execute("SET enable_progress_bar = false")  # it would go to standard output
        places = {place for folder in folders for place in (folder.absolute(), folder.resolve())}
        within = [f"{str(place).rstrip('/')}/" for place in places if place.is_dir()]
        connection.execute(f"SET allowed_directories = [{', '.join(map(literal, sorted(within)))}]")
        single = [str(place) for place in places if not place.is_dir()]
        connection.execute(f"SET allowed_paths = [{', '.join(map(literal, sorted(single)))}]")
        connection.execute("SET enable_external_access = false")
        if has_error_codes:
            connection.execute("SET errors_as_json = true")
        connection.execute("SET lock_configuration = true")
    except duckdb.Error:
        connection.close()
        raise
    return connection


def not_allowed(problem: Exception) -> str:
    """What a query that wants more than it may have is told."""
    named = re.search(r'"([^"]*)"', str(problem))
    what = f"reads {named[1]:.200}" if named else "reads a file"
    return (
        f"the query {what}, which is not in the folder of the flow; move the file there, read it by a step of its own, "
        "or name its folder in the key `files` of a `sql` or `query` step."
    )


# Names and texts as SQL writes them.


def quoted(*names: str) -> str:
    """Names of a table or column as SQL writes them, whatever is in them; empty ones are left out.

    >>> quoted("sales", 'a "b" c')
    '"sales"."a ""b"" c"'
    """
    return ".".join('"' + name.replace('"', '""') + '"' for name in names if name)


def literal(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"
