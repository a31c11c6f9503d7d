"""Wrappers over a real server: learned from pages, edited with undo, read, drawn as machines, repaired, run."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

import sightline as sl
from sightline.extract.wrappers import Lesson

from ._running import Running, running

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with the pages of five cameras, and an induced wrapper of them."""
    with running(tmp_path_factory.mktemp("project")) as found:
        for path in sorted((EXAMPLES / "cameras").glob("*.html")):
            found.studio.keep(sl.open(path, static=True), path.name)
        for name in ("cameras.html", "redesigned/cameras.html"):
            found.studio.keep(sl.open(EXAMPLES / name, static=True), name)
        job = found.finished(found.post("/inductions", {"pages": _cameras(found), "name": "cameras"}, 202))
        assert job["result"] == {"wrapper": "cameras"}, job
        yield found


def _cameras(studio: Running) -> list[str]:
    return [info.id for info in studio.studio.infos() if info.source.endswith(".html") and "cameras" not in info.source]


def _page(studio: Running, source: str) -> str:
    return next(info.id for info in studio.studio.infos() if info.source == source)


def _edit(studio: Running, state: dict[str, Any], **step: Any) -> dict[str, Any]:
    headers = {"If-Match": f'"{state["version"]}"'}
    found: dict[str, Any] = studio.post(f"/wrappers/{state['name']}/edits", step, headers=headers)
    return found


def _paths(parts: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {part["path"]: part for own in parts for part in (own, *_paths(own["children"]).values())}


# ------------------------------------------------------------------ inductions


@pytest.mark.slow
def test_a_schema_has_examples_from_every_page(studio: Running) -> None:
    """With types, sets, and what was set aside."""
    state = studio.get("/wrappers/cameras")
    parts = _paths(state["schema"])
    assert state["learned"] == "from pages"
    assert state["training"]["pages"] == len(_cameras(studio))
    assert [page["id"] for page in state["pages"]] == _cameras(studio)
    titles = next(part for part in parts.values() if part["node"] == "field" and not part["dropped"])
    assert {example["page"] for example in titles["examples"]} <= set(_cameras(studio))
    assert len({example["page"] for example in titles["examples"]}) > 1
    assert any(part["node"] == "set" and part["children"] for part in parts.values())
    listed = studio.get("/wrappers")
    assert listed[0]["name"] == "cameras"
    assert listed[0]["fields"]


def test_too_few_pages_are_a_failed_job_with_a_sentence(studio: Running) -> None:
    """And a page that is not there is refused at once."""
    job = studio.finished(studio.post("/inductions", {"pages": _cameras(studio)[:1]}, 202))
    assert job["state"] == "failed"
    assert "at least two pages" in job["problem"]["detail"]
    assert studio.post("/inductions", {"pages": ["0" * 64]}, 404)["code"] == "not-found"


def test_the_machine_is_drawn(studio: Running) -> None:
    """Every move is between states."""
    machine = studio.get("/wrappers/cameras/machine")
    names = {state["id"] for state in machine["states"]}
    assert {move["from"] for move in machine["moves"]} | {move["to"] for move in machine["moves"]} <= names
    assert any(state["kind"] == "set" for state in machine["states"])


def test_a_wrapper_reads_a_page_and_explains_it(studio: Running) -> None:
    """A page of its template is ok, another is failed with places."""
    read = studio.post("/wrappers/cameras/read", {"page": _cameras(studio)[0], "explained": True})
    assert read["verdict"] == "ok"
    assert read["rows"]["total"] == 1
    assert {text["role"] for text in read["explained"]} >= {"template", "field"}
    other = studio.post("/wrappers/cameras/read", {"page": _page(studio, "cameras.html")})
    assert other["verdict"] == "failed"
    assert "explained" not in other


# ------------------------------------------------------------------ edits


@pytest.mark.slow
def test_edits_are_undone_and_redone_and_are_in_the_file(studio: Running) -> None:
    """Renamed, dropped, restored, merged, split; and the command line reads what was saved."""
    wrapper = sl.induce([studio.studio.page(page) for page in _cameras(studio)])
    upload = {"file": ("to edit.wrapper.json", wrapper.dumps().encode())}
    answer = studio.client.post("/api/wrappers", files=upload)
    assert answer.status_code == 201, answer.text
    state = answer.json()
    assert state["name"] == "to edit"
    first, second = [part["path"] for part in state["schema"] if part["node"] == "field" and not part["dropped"]][:2]
    before = state
    state = _edit(studio, state, action="rename", field=first, to="renamed")
    assert "renamed" in _paths(state["schema"])
    state = _edit(studio, state, action="drop", field=second)
    assert _paths(state["schema"])[second]["dropped"]
    loaded = sl.Wrapper.load(studio.studio.folder / "wrappers" / "to edit.wrapper.json")
    assert "renamed" in loaded.fields
    assert second not in loaded.fields
    state = _edit(studio, state, action="undo")
    assert not _paths(state["schema"])[second]["dropped"]
    state = _edit(studio, state, action="undo")
    assert state["version"] == before["version"]
    assert state["history"] == {"steps": [f"renamed {first} → renamed", f"dropped {second}"], "at": 0}
    state = _edit(studio, state, action="redo")
    assert "renamed" in _paths(state["schema"])
    state = _edit(studio, state, action="merge", fields=["renamed", second], into="both")
    assert _paths(state["schema"])["both"]["node"] == "alternatives"
    state = _edit(studio, state, action="split", field="both")
    assert {"both", "both 2"} <= _paths(state["schema"]).keys()
    with running(studio.studio.folder) as again:
        assert again.get("/wrappers/to edit")["history"] == state["history"]
        assert "both" in _paths(_edit(again, state, action="undo")["schema"])


def test_a_set_becomes_the_records(studio: Running) -> None:
    """And a page one record again."""
    state = studio.get("/wrappers/cameras")
    (chosen, *_) = state["sets"]
    state = _edit(studio, state, action="records", of=chosen)
    assert state["records_of"] == chosen
    assert _edit(studio, state, action="undo")["records_of"] != chosen


def test_two_tabs_editing_one_wrapper_lose_nothing(studio: Running) -> None:
    """One wins each time, the others are told and try again."""
    page = studio.studio.page(_page(studio, "cameras.html"))
    made = Lesson(page).want("name", "Arden R5 Mark II").want("price", "$4,299.00").wrapper
    answer = studio.client.post("/api/wrappers", files={"file": ("tabs.wrapper.json", made.dumps().encode())})
    state = answer.json()
    headers = {"If-Match": '"0000000000000000"'}
    problem = studio.post("/wrappers/tabs/edits", {"action": "drop", "field": "items.name"}, 412, headers=headers)
    assert problem["version"] == state["version"]

    def rename(number: int) -> None:
        while True:
            now = studio.get("/wrappers/tabs")
            field = now["schema"][0]["children"][0]["path"]
            body = {"action": "rename", "field": field, "to": f"n{number}"}
            headers = {"If-Match": f'"{now["version"]}"'}
            if studio.client.post("/api/wrappers/tabs/edits", json=body, headers=headers).status_code == 200:
                return

    threads = [threading.Thread(target=rename, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    steps = studio.get("/wrappers/tabs")["history"]["steps"]
    assert sorted(step.rpartition("→ ")[2] for step in steps) == [f"n{number}" for number in range(4)]


def test_a_wrapper_changed_by_others_begins_a_new_history(studio: Running) -> None:
    """Its file is what counts; there is nothing to undo of what somebody else did."""
    page = studio.studio.page(_page(studio, "cameras.html"))
    made = Lesson(page).want("name", "Arden R5 Mark II").want("price", "$4,299.00").wrapper
    state = studio.client.post("/api/wrappers", files={"file": ("shared.json", made.dumps().encode())}).json()
    state = _edit(studio, state, action="drop", field="items.price")
    path = studio.studio.folder / "wrappers" / "shared.wrapper.json"
    made.rename("items", "cameras").save(path)
    now = studio.get("/wrappers/shared")
    assert now["history"] == {"steps": [], "at": 0}
    assert now["records_of"] == "cameras"
    path.write_bytes(b"{}")
    damaged = next(one for one in studio.get("/wrappers") if one["name"] == "shared")
    assert "not a wrapper" in damaged["problem"]


@pytest.mark.parametrize(
    "body",
    [
        {"action": "rename", "field": "zzzzz", "to": "x"},
        {"action": "rename", "field": "zzzzz"},
        {"action": "undo"},
        {"action": "records", "of": "nowhere"},
        {"action": "explode"},
    ],
)
def test_an_edit_that_cannot_be_changes_nothing(studio: Running, body: dict[str, Any]) -> None:
    """It is refused in one sentence."""
    state = studio.get("/wrappers/cameras")
    assert state["history"]["at"] == 0
    headers = {"If-Match": f'"{state["version"]}"'}
    problem = studio.post("/wrappers/cameras/edits", body, 422, headers=headers)
    assert problem["detail"].endswith(".")
    assert studio.get("/wrappers/cameras")["version"] == state["version"]


def test_files_and_code_are_taken_away(studio: Running) -> None:
    """As attachments; what is no wrapper cannot be uploaded."""
    assert sl.Wrapper.loads(studio.client.get("/api/wrappers/cameras/download").content).fields
    page = studio.studio.page(_page(studio, "cameras.html"))
    made = Lesson(page).want("name", "Arden R5 Mark II").want("price", "$4,299.00").wrapper
    studio.client.post("/api/wrappers", files={"file": ("coded.json", made.dumps().encode())})
    code = studio.client.get("/api/wrappers/coded/code", params={"for": "scrapy"})
    assert "scrapy" in code.text
    assert "attachment" in code.headers["content-disposition"]
    assert studio.get("/wrappers/coded/code", 422, params={"for": "perl"})["code"] == "usage"
    assert studio.client.post("/api/wrappers", files={"file": ("x.json", b"[]")}).status_code == 422
    assert studio.client.delete("/api/wrappers/coded").status_code == 204
    assert studio.get("/wrappers/coded", 404)["code"] == "not-found"


# ------------------------------------------------------------------ repair


def test_a_repair_is_accepted_field_by_field(studio: Running) -> None:
    """The fields named get the new rules, the others keep the old; a step that can be undone."""
    old, new = _page(studio, "cameras.html"), _page(studio, "redesigned/cameras.html")
    state = studio.post("/lessons", {"page": old, "name": "repaired"}, 201)
    for field, text in (("name", "Arden R5 Mark II"), ("price", "$4,299.00"), ("stock", "In stock")):
        headers = {"If-Match": state["version"]}
        step = {"action": "want", "field": field, "text": text}
        state = studio.post("/lessons/repaired/steps", step, headers=headers)
    wrapper = studio.post("/lessons/repaired/wrapper", {}, 201)
    job = studio.finished(studio.post("/wrappers/repaired/repair", {"pages": [new]}, 202))
    repair = studio.get(f"/repairs/{job['result']['repair']}")
    changes = {change["field"]: change for change in repair["changes"]}
    assert list(changes) == ["items", "items.name", "items.price", "items.stock"]
    assert changes["items.price"]["status"] == "found again"
    assert changes["items.price"]["page"] == new
    assert repair["old"]["total"] == 10
    assert repair["new"]["columns"][0]["texts"][0] == "Arden R5 Mark II"
    accept = f"/repairs/{job['result']['repair']}/accept"
    assert studio.post(accept, {"fields": ["items.price"]}, 428)["code"] == "version-needed"
    headers = {"If-Match": f'"{wrapper["version"]}"'}
    assert studio.post(accept, {"fields": ["nowhere"]}, 422, headers=headers)["code"] == "usage"
    taken = studio.post(accept, {"fields": ["items.price", "items.name"]}, headers=headers)
    assert taken["history"]["steps"] == ["accepted the repair of items.price, items.name"]
    read = studio.post("/wrappers/repaired/read", {"page": new})
    texts = {column["name"]: column["texts"] for column in read["rows"]["columns"]}
    assert texts["price"][0] == "$4,299.00"
    assert set(texts["stock"]) == {None}
    undone = _edit(studio, taken, action="undo")
    assert undone["version"] == wrapper["version"]
    assert studio.get("/repairs/0000", 410)["code"] == "gone"


# ------------------------------------------------------------------ runs


def _run(studio: Running, **wanted: Any) -> dict[str, Any]:
    job = studio.finished(studio.post("/runs", wanted, 202))
    assert job["state"] == "done", job
    found: dict[str, Any] = studio.get(f"/runs/{job['result']['run']}")
    return found


def test_a_run_is_checked_and_its_rows_name_their_pages(studio: Running) -> None:
    """Verdicts for each page, issues with their pages, fill rates, and rows that are exported."""
    pages = [*_cameras(studio), _page(studio, "cameras.html")]
    run = _run(studio, wrapper="cameras", pages=pages)
    assert {page["id"] for page in run["pages"]} == set(pages)
    verdicts = {page["id"]: page["verdict"] for page in run["pages"]}
    assert verdicts[pages[-1]] == "failed"
    assert run["verdict"] != "ok"
    assert any(issue["page"] == pages[-1] for issue in run["issues"])
    assert all(0 <= column["filled"] <= column["of"] for column in run["fill"])
    rows = studio.get(f"/runs/{run['id']}/rows", params={"limit": 2})
    assert rows["total"] == run["rows"]
    assert rows["columns"][0]["pages"][0] in pages
    exported = studio.client.get(f"/api/runs/{run['id']}/export", params={"format": "jsonl"})
    assert len(exported.content.splitlines()) == run["rows"]
    assert orjson.loads(exported.content.splitlines()[0])
    listed = studio.get("/runs")
    assert listed[0]["id"] == run["id"]
    assert listed[0]["rows"] == run["rows"]


def test_two_runs_are_compared(studio: Running) -> None:
    """A page more is a row more; the same again is no difference."""
    pages = _cameras(studio)
    first, second = (_run(studio, wrapper="cameras", pages=some) for some in (pages[:-1], pages))
    found = studio.get(f"/runs/{first['id']}/diff/{second['id']}")
    assert found["removed"] == found["changed"] == 0
    assert found["added"] == second["rows"] - first["rows"] > 0
    assert {row["kind"] for row in found["rows"]} == {"added"}
    same = studio.get(f"/runs/{second['id']}/diff/{second['id']}")
    assert same["added"] == same["removed"] == same["changed"] == 0
    assert same["same"] == second["rows"]
    assert studio.get(f"/runs/{first['id']}/diff/2000", 404)["code"] == "not-found"


def test_a_run_hands_out_every_page_as_it_comes(studio: Running) -> None:
    """As events; and needs something to read."""
    job = studio.finished(studio.post("/runs", {"wrapper": "cameras", "pages": _cameras(studio)[:2]}, 202))
    events = studio.client.get(f"/api/jobs/{job['id']}/events").text
    assert events.count("event: found") == 2
    assert studio.post("/runs", {"wrapper": "cameras"}, 422)["code"] == "usage"
    assert studio.post("/runs", {"wrapper": "nobody", "pages": []}, 404)["code"] == "not-found"
    assert studio.post("/runs", {"wrapper": "cameras", "sources": ["file:///etc/passwd"]}, 422)["detail"]
