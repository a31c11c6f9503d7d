"""What is on a page over the API: ranked results, windows of rows, edits with undo and redo, and exports."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from sightline.data import Table
from sightline.project import Steps
from sightline.server._edits import edited
from sightline.server._shapes import RowsView

from ._running import Running, running


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with one page: a table, a list and a menu, without a browser."""
    with running(tmp_path_factory.mktemp("project")) as found:
        yield found


PAGE = """<!doctype html><html lang=en><title>Cameras</title><body>
<h1>Cameras in stock</h1>
<table><caption>Prices</caption><tr><th>Camera<th>Price<th>Weight (g)<th>Note
<tr><td>EOS 5D<td>$1,200.50<td>795<td>=1+1<tr><td>D850<td>$2,300<td>1005<td>new
<tr><td>X100<td>$999<td>n/a<td><script>alert(1)</script>sold<tr><td>Z8<td>ask us<td>910<td>used</table>
<h2>Related</h2><ul><li><b>Tripod</b> $20<li><b>Bag</b> $35<li><b>Strap</b> $9</ul></body>"""


@pytest.fixture(scope="module")
def page(studio: Running) -> str:
    """The id of the page, uploaded."""
    answer = studio.client.post("/api/uploads", files={"files": ("cameras.html", PAGE.encode())})
    assert answer.status_code == 202, answer.text
    job = studio.finished(answer.json())
    assert job["state"] == "done", job
    found: str = job["result"]["pages"][0]["id"]
    return found


def _edit(studio: Running, page: str, change: dict[str, Any], version: str, status: int = 200) -> dict[str, Any]:
    path = f"/pages/{page}/results/tables-1/edits"
    found: dict[str, Any] = studio.post(path, change, status, headers={"If-Match": f'"{version}"'})
    return found


def test_results_are_ranked_and_say_what_reads_the_same(studio: Running, page: str) -> None:
    """The table is first; the list that reads the same rows says so."""
    found = studio.get(f"/pages/{page}/results")
    assert found["summary"] == "1 table, 1 list"
    first = found["results"][0]
    assert (first["key"], first["kind"], first["caption"], first["rows"]) == ("tables-1", "table", "Prices", 4)
    assert [column["name"] for column in first["columns"]] == ["Camera", "Price", "Weight (g)", "Note"]
    assert len(first["parts"]) == 5
    assert first["box"] is not None
    assert {one["reading_of"] for one in found["results"]} == {None, "tables-1"}


def test_rows_come_in_windows_with_their_places(studio: Running, page: str) -> None:
    """Texts, values, boxes and nodes are in step; what lies behind the end is empty."""
    found = studio.get(f"/pages/{page}/results/tables-1?offset=1&limit=2")
    rows = found["rows"]
    assert (rows["offset"], rows["total"]) == (1, 4)
    camera, price = rows["columns"][:2]
    assert camera["texts"] == ["D850", "X100"]
    assert price["texts"] == price["values"] == ["$2,300", "$999"]
    assert all(len(box) == 4 for box in camera["boxes"])
    assert len(rows["row_boxes"]) == 2
    assert rows["row_boxes"][0][0] <= camera["boxes"][0][0]
    assert studio.get(f"/pages/{page}/results/tables-1?offset=99")["rows"]["columns"][0]["texts"] == []
    assert studio.get(f"/pages/{page}/results/tables-9", 404)["code"] == "not-found"
    assert studio.get(f"/pages/{page}/results/tables-1?offset=-1", 422)["code"] == "usage"


def test_edits_are_kept_undone_and_redone(studio: Running, page: str) -> None:
    """Each edit is a step in words; undo and redo move along them; a new step takes the place of what was undone."""
    state = studio.get(f"/pages/{page}/results/tables-1")
    assert state["history"] == {"steps": [], "at": 0}
    state = _edit(studio, page, {"action": "rename", "column": "Price", "to": " Our  price "}, state["version"])
    assert state["rows"]["columns"][1]["name"] == "Our price"
    state = _edit(studio, page, {"action": "type", "column": "Our price", "kind": "money"}, state["version"])
    price = state["rows"]["columns"][1]
    assert (price["type"]["kind"], price["values"], price["misfits"]) == (
        "money",
        ["1200.50", "2300", "999", None],
        ["ask us"],
    )
    state = _edit(studio, page, {"action": "drop", "column": "Note"}, state["version"])
    assert [column["name"] for column in state["rows"]["columns"]] == ["Camera", "Our price", "Weight (g)"]
    assert state["dropped"] == ["Note"]
    assert state["history"]["steps"] == ["renamed Price → Our price", "type of Our price: money", "dropped Note"]
    state = _edit(studio, page, {"action": "undo"}, state["version"])
    assert (state["history"]["at"], state["dropped"]) == (2, [])
    state = _edit(studio, page, {"action": "redo"}, state["version"])
    assert state["dropped"] == ["Note"]
    csv = studio.client.get(f"/api/pages/{page}/results/tables-1/export?format=csv").text
    assert csv.splitlines()[0] == "Camera,Our price,Our price (text),Weight (g)"
    assert csv.splitlines()[4] == "Z8,,ask us,910.0"
    for _ in range(3):
        state = _edit(studio, page, {"action": "undo"}, state["version"])
    assert _edit(studio, page, {"action": "undo"}, state["version"], 422)["detail"] == "There is nothing to undo."
    state = _edit(studio, page, {"action": "headers", "count": 2}, state["version"])
    assert state["history"]["steps"] == ["2 header rows"]
    assert state["rows"]["total"] == 3
    state = _edit(studio, page, {"action": "undo"}, state["version"])


def test_an_edit_of_an_old_version_is_refused(studio: Running, page: str) -> None:
    """The second of two writers gets the version of now, and loses nothing of the first."""
    version = studio.get(f"/pages/{page}/results/tables-1")["version"]
    first = _edit(studio, page, {"action": "rename", "column": "Camera", "to": "Model"}, version)
    refused = _edit(studio, page, {"action": "drop", "column": "Note"}, version, 412)
    assert (refused["code"], refused["version"]) == ("conflict", first["version"])
    path = f"/pages/{page}/results/tables-1/edits"
    assert studio.post(path, {"action": "undo"}, 428)["code"] == "version-needed"
    _edit(studio, page, {"action": "undo"}, first["version"])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"action": "rename", "column": "None such", "to": "x"}, "There is no column"),
        ({"action": "rename", "column": "Camera", "to": "Price"}, "already"),
        ({"action": "rename", "column": "Camera", "to": "  "}, "1 to 200 characters"),
        ({"action": "rename", "column": "Camera"}, "needs 'to'"),
        ({"action": "type", "column": "Camera", "kind": "colour"}, "is not a type"),
        ({"action": "restore", "column": "Camera"}, "is not dropped"),
        ({"action": "headers", "count": 99}, "cannot have 99 header rows"),
        ({"action": "explode"}, "does not fit"),
    ],
)
def test_an_edit_that_makes_no_sense_is_a_problem(
    studio: Running, page: str, change: dict[str, Any], told: str
) -> None:
    """The sentence says what is wrong, and nothing is saved."""
    before = studio.get(f"/pages/{page}/results/tables-1")
    assert told in _edit(studio, page, change, before["version"], 422)["detail"]
    assert studio.get(f"/pages/{page}/results/tables-1")["version"] == before["version"]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json", "xml", "xlsx", "parquet", "html"])
def test_a_result_is_exported_in_every_format(studio: Running, page: str, suffix: str) -> None:
    """Each is a file with a safe name, which no browser shows as a page."""
    answer = studio.client.get(f"/api/pages/{page}/results/tables-1/export?format={suffix}&origins=true")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].startswith(f'attachment; filename="Prices.{suffix}"')
    assert answer.content
    if suffix == "csv":
        assert "'=1+1" in answer.text
    if suffix == "json":
        assert "xpath" in answer.text


def test_a_text_is_exported_as_markdown(studio: Running, page: str) -> None:
    """Only a text is; a table has no such format."""
    answer = studio.client.get(f"/api/pages/{page}/results/content-1/export?format=md")
    assert answer.headers["content-type"].startswith("text/markdown")
    assert studio.get(f"/pages/{page}/results/tables-1/export?format=md", 422)["code"] == "usage"


def test_a_file_has_no_further_pages_to_collect(studio: Running, page: str) -> None:
    """Only what has an address is collected."""
    told = studio.post(f"/pages/{page}/results/tables-1/collect", {}, 422)["detail"]
    assert "open it by its address" in told


def test_damaged_edits_are_as_good_as_none(studio: Running, page: str) -> None:
    """A file that somebody broke does not take the result with it."""
    state = studio.get(f"/pages/{page}/results/lists-1")
    folder = studio.studio.folder / "results" / page
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lists-1.json").write_bytes(b"{")
    assert studio.get(f"/pages/{page}/results/lists-1")["rows"] == state["rows"]
    (folder / "lists-1.json").write_bytes(orjson.dumps({"steps": [{"action": "rename", "column": "?"}], "at": 1}))
    assert studio.get(f"/pages/{page}/results/lists-1")["rows"] == state["rows"]


def test_a_window_of_many_rows_does_not_touch_the_others() -> None:
    """A view finds out once what concerns all rows; a window then costs what it holds."""
    table = Table.from_rows([["a", "b"], *([str(number), "x"] for number in range(2_000))])
    view = RowsView(table.columns)
    assert view.window(1_990, 500)["columns"][0]["texts"][-1] == "1999"
    assert view.window(0, 10**9)["total"] == 2_000
    assert edited(table, "", Steps()).exported() is table
