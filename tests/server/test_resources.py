"""The resources of the API over a real server: pages, pictures, geometry, uploads, examples and jobs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ._running import Running, running


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with an empty project."""
    with running(tmp_path_factory.mktemp("project")) as found:
        yield found


def test_about_tells_what_the_server_can_do(studio: Running) -> None:
    """Version, project, formats and limits."""
    about = studio.get("/about")
    assert {one["suffix"] for one in about["formats"]} >= {"csv", "json", "xlsx", "parquet"}
    assert about["limits"]["upload_bytes"] == 200_000_000
    assert Path(about["project"]["folder"]) == studio.studio.folder.resolve()


@pytest.mark.slow
def test_an_example_becomes_pages_with_pictures_and_geometry(studio: Running) -> None:
    """From the example to its picture, its geometry and its file."""
    names = [one["name"] for one in studio.get("/examples")]
    assert "camera-shop" in names
    job = studio.finished(studio.post("/examples/camera-shop", status=202))
    assert job["state"] == "done", job
    (page,) = job["result"]["pages"]
    assert page["title"].startswith("Mirrorless cameras")
    assert studio.get("/pages")["pages"][0]["id"] == page["id"]
    assert studio.get(f"/pages/{page['id']}") == page
    picture = studio.client.get(f"/api/pages/{page['id']}/pictures/0")
    assert picture.content.startswith(b"\x89PNG")
    assert "immutable" in picture.headers["cache-control"]
    geometry = studio.get(f"/pages/{page['id']}/geometry")
    assert len(geometry["boxes"]) == 4 * len(geometry["nodes"]) == 4 * len(geometry["tag"])
    assert all(-1 <= parent < place for place, parent in enumerate(geometry["parents"]))
    assert any(text and "Arden" in text for text in geometry["texts"])
    download = studio.client.get(f"/api/pages/{page['id']}/download")
    assert download.content.startswith(b"\x93SLPAGE")
    assert "next" in studio.get(f"/pages/{page['id']}/paging")
    assert studio.client.delete(f"/api/pages/{page['id']}").status_code == 204
    assert studio.get(f"/pages/{page['id']}", 404)["code"] == "not-found"
