"""Data files over a real server: listed, looked into, added and deleted, and never beyond their folder."""

import socket
import threading
from collections.abc import Iterator

import pytest
from starlette.requests import Request
from starlette.routing import Route

from sightline.jobs import Cancel
from sightline.server._files import while_connected

from .._wait import BOUND
from ._running import Running, running


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server of an empty project."""
    with running(tmp_path_factory.mktemp("project")) as found:
        yield found


def _put(studio: Running, name: str, content: bytes, status: int = 201, **query: str) -> dict[str, object]:
    answer = studio.client.post("/api/files", params={"name": name, **query}, content=content)
    assert answer.status_code == status, answer.text
    found: dict[str, object] = answer.json()
    return found


def test_a_file_is_added_and_looked_into(studio: Running) -> None:
    """With its columns and rows, and without the Studio's own files."""
    made = _put(studio, "catalogue.csv", b"id,name\n1,A\n2,B\n")
    assert (made["rows"], made["columns"], made["kind"]) == (2, ["id", "name"], "table")
    _put(studio, "list.pdf", b"%PDF-1.4")
    studio.post("/flows", {"name": "prices"}, 201)
    listed = {one["name"]: one for one in studio.get("/files")}
    assert set(listed) == {"catalogue.csv", "list.pdf"}
    assert listed["list.pdf"]["kind"] == "page"
    seen = studio.get("/files/catalogue.csv/preview")
    assert seen["count"] == 2
    assert list(seen["columns"]) == ["id", "name"]
    assert seen["rows"][1]["name"] == "B"
    assert studio.client.get("/api/files/catalogue.csv/download").content == b"id,name\n1,A\n2,B\n"


def test_nothing_is_overwritten_unasked(studio: Running) -> None:
    """A second file of a name needs to be told to replace the first."""
    _put(studio, "rates.csv", b"day,rate\n1,2\n")
    assert "already" in str(_put(studio, "rates.csv", b"x\n1\n", 412)["detail"])
    assert studio.client.get("/api/files/rates.csv/download").content == b"day,rate\n1,2\n"
    _put(studio, "rates.csv", b"x\n1\n", replace="1")
    assert studio.get("/files/rates.csv/preview")["columns"] == {"x": "string"}
    assert studio.client.delete("/api/files/rates.csv").status_code == 204
    assert studio.get("/files/rates.csv/preview", 404)["code"] == "not-found"


@pytest.mark.parametrize(
    "name",
    ["../x.csv", "..", "/etc/passwd", "a/b.csv", ".hidden.csv", "project.json", "x.flow.yaml", "x\x00.csv", "noend"],
)
def test_names_that_lead_elsewhere_are_refused(studio: Running, name: str) -> None:
    """And so are those of the Studio's own files, for adding, looking and deleting."""
    assert _put(studio, name, b"x", 422)["code"] == "usage"
    path = name.replace("/", "%2F").replace("\x00", "%00")
    assert studio.client.delete(f"/api/files/{path}").status_code in (404, 405)
    assert studio.client.get(f"/api/files/{path}/preview").status_code == 404
    assert (studio.studio.folder / "project.json").exists()


def test_links_out_of_the_folder_are_not_followed(studio: Running) -> None:
    """A link in the project folder to a file elsewhere is not a file of the project."""
    outside = studio.studio.folder.parent / "outside.csv"
    outside.write_text("secret\n1\n")
    (studio.studio.folder / "link.csv").symlink_to(outside)
    assert studio.get("/files/link.csv/preview", 404)["code"] == "not-found"
    assert "link.csv" not in {one["name"] for one in studio.get("/files")}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("broken.parquet", b"no parquet"),
        ("broken.xlsx", b"PK\x03\x04 no archive"),
        ("broken.json", b"{{"),
        ("broken.jsonl", b"\xff\n"),
        ("latin.csv", b"name,price\nCaf\xe9,1\n"),
        ("half.csv", b'name,price\n"open,\xff'),
        ("empty.csv", b""),
    ],
)
def test_a_file_that_cannot_be_read_is_listed_without_rows(studio: Running, name: str, content: bytes) -> None:
    """And looking into it says what is wrong."""
    _put(studio, name, content)
    listed = {one["name"]: one for one in studio.get("/files")}
    assert listed[name]["rows"] is None
    assert studio.get(f"/files/{name}/preview", 422)["code"] == "unreadable"


def test_work_ends_when_the_client_has_gone(studio: Running) -> None:
    """What is read for a request is read no further; nothing keeps the server busy for nobody."""
    begun, ended = threading.Event(), threading.Event()

    def work(cancel: Cancel) -> None:
        cancel.when_requested(ended.set)
        begun.set()
        ended.wait(BOUND)

    async def slow(request: Request) -> None:
        await while_connected(request, work)

    studio.app.router.routes.insert(0, Route("/api/slow", slow))
    with socket.create_connection(("127.0.0.1", studio.port)) as connection:
        token = studio.client.headers["authorization"]
        connection.sendall(
            f"GET /api/slow HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nAuthorization: {token}\r\n\r\n".encode()
        )
        assert begun.wait(BOUND)
        assert not ended.is_set()
    assert ended.wait(BOUND)
