"""DuckDB is opened in one place, fetches nothing, and reads only the files that it is given."""

import re
import socket
import threading
from pathlib import Path

import duckdb
import pytest

import sightline
from sightline.flow._duckdb import open_duckdb
from sightline.flow.spec import Flow

from .run.conftest import FlowFolder

SOURCES = Path(sightline.__file__).parent


def _reading(name: object, more: str = "") -> str:
    """A step whose query reads a file beside the rows of another step."""
    query = f"SELECT f.* FROM read_csv('{name}') AS f WHERE (SELECT count(*) FROM shop) > 0"
    return f'shop:\n  read: shop.csv\nfound:\n  sql: "{query}"{more}'


@pytest.fixture
def folder(tmp_path: Path) -> FlowFolder:
    """A folder with a shop, and a file beside that folder."""
    (tmp_path / "own").mkdir()
    (tmp_path / "other.csv").write_text("x\n7\n")
    return FlowFolder(tmp_path / "own")


def test_nothing_else_opens_a_connection() -> None:
    """One module asks DuckDB for a connection, so that what it may do is said once."""
    opening = re.compile(r"\bduckdb\.(connect|sql|query|execute|read_\w+|from_\w+|default_connection)\(")
    found = [path for path in SOURCES.rglob("*.py") if opening.search(path.read_text())]
    assert [str(path.relative_to(SOURCES)) for path in found] == ["flow/_duckdb.py"]


def test_a_connection_fetches_nothing_and_cannot_be_opened_further() -> None:
    """No extension is installed or loaded, no file is read, and no query can change that."""
    with open_duckdb() as connection:
        for name in ("autoinstall_known_extensions", "autoload_known_extensions", "enable_external_access"):
            assert connection.execute("SELECT current_setting(?)", [name]).fetchone() == (False,)
        for statement in (
            "SET autoload_known_extensions = true",
            "SET enable_external_access = true",
            "SET allowed_directories = ['/']",
            "INSTALL httpfs",
            "LOAD httpfs",
            "ATTACH '/tmp/other.duckdb'",
            "COPY (SELECT 1) TO '/tmp/other.csv'",
            "SELECT * FROM read_csv('/etc/hostname')",
            "SELECT * FROM '/etc/hostname.csv'",
            "SELECT * FROM glob('/etc/*')",
            "SELECT * FROM read_text('/etc/hostname')",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(statement)


def test_names_of_queries_are_not_variables_of_the_program() -> None:
    """What the program holds in its memory is no table."""
    secret = duckdb.sql("SELECT 1 AS x").arrow()
    with open_duckdb() as connection, pytest.raises(duckdb.CatalogException):
        connection.execute("SELECT * FROM secret")
    assert secret is not None


def test_reading_a_flow_asks_no_network(folder: FlowFolder) -> None:
    """A query that names an address is read as a text; nobody is called."""
    calls = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.01)
        done = threading.Event()

        def listen() -> None:
            while not done.is_set():
                try:
                    calls.append(server.accept())
                except TimeoutError:
                    continue

        thread = threading.Thread(target=listen)
        thread.start()
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x.csv"
        steps = f"shop:\n  read: shop.csv\nfar:\n  sql: SELECT * FROM shop, read_csv('{address}')"
        flow = Flow.load(folder.write(steps))
        assert flow.steps["far"].inputs == ("shop",)
        failed = folder.run()
        done.set()
        thread.join()
    assert calls == []
    assert "not in the folder of the flow" in failed.state.reasons[0]


@pytest.mark.parametrize("how", ["{folder}/shop.csv", "{folder}/more/../shop.csv"])
def test_a_query_reads_files_of_its_flow(folder: FlowFolder, how: str) -> None:
    """Those in its folder, as ever."""
    (folder.path / "more").mkdir()
    name = how.format(folder=folder.path)
    assert folder.run(_reading(name)).state.steps["found"].rows == 3


def test_a_query_reads_no_other_files_unless_the_flow_names_them(folder: FlowFolder) -> None:
    """Neither by a name, nor by dots, nor by a link; `files` opens a folder, or a single file."""
    other = folder.path.parent / "other.csv"
    (folder.path / "link.csv").symlink_to(other)
    for name in (str(other), f"{folder.path}/../other.csv", f"{folder.path}/link.csv"):
        failed = folder.run(_reading(name), fresh=True)
        assert "the key `files` of a `sql` or `query` step" in failed.state.reasons[0]
    for opened in ("..", str(other), "/"):
        found = folder.run(_reading(other, f"\n  files: {opened}"), fresh=True)
        assert found.state.steps["found"].rows == 1, found.state.reasons


def test_a_query_of_a_database_file_reads_no_other_files(folder: FlowFolder) -> None:
    """Whatever the database is asked; its own tables are read."""
    with duckdb.connect(str(folder.path / "own.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 5 AS x")
    other = folder.path.parent / "other.csv"
    assert folder.run("own:\n  query: SELECT * FROM t\n  from: own.duckdb").rows("own").to_pylist() == [{"x": 5}]
    asked = f"far:\n  query: SELECT * FROM t, read_csv('{other}')\n  from: own.duckdb"
    assert "not in the folder of the flow" in folder.run(asked).state.reasons[0]
    assert folder.run(f"{asked}\n  files: {other}").state.steps["far"].rows == 1


def test_rules_of_a_check_read_no_files(folder: FlowFolder) -> None:
    """They are about rows."""
    rule = f"(SELECT count(*) FROM read_csv('{folder.path}/shop.csv')) > 0"
    failed = folder.run(f'shop:\n  read: shop.csv\ngood:\n  check: shop\n  rules:\n    some: "{rule}"')
    assert "which is not in the folder of the flow" in failed.state.reasons[0]
