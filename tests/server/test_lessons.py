"""Lessons over a real server: pointing, previews, edits, two tabs at once, restarts, and a PDF."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sightline as sl
from sightline.data import Origin, Value, origin_of
from sightline.extract.wrappers import Lesson
from sightline.server._open_lessons import OpenLessons, teach_rows

from ._running import Running, running

EXAMPLES = Path(__file__).parents[2] / "examples"
FIRST, PRICE, STOCK = "Arden R5 Mark II", "$4,299.00", "In stock"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with the camera shop, before and after its redesign."""
    with running(tmp_path_factory.mktemp("project")) as found:
        for name in ("cameras.html", "redesigned/cameras.html"):
            found.studio.keep(sl.open(EXAMPLES / name, static=True), name)
        yield found


def _page(studio: Running, source: str = "cameras.html") -> str:
    return next(info.id for info in studio.studio.infos() if info.source == source)


def _node(studio: Running, page: str, text: str) -> int:
    """The node of a text, as the picture's geometry gives it to a front end."""
    found = studio.studio.page(page)
    return next(node for node in range(len(found)) if found.is_text[node] and found.node(node).text.strip() == text)


def _step(studio: Running, state: dict[str, Any], **step: Any) -> dict[str, Any]:
    headers = {"If-Match": f'"{state["version"]}"'}
    found: dict[str, Any] = studio.post(f"/lessons/{state['name']}/steps?page={state['page']}", step, headers=headers)
    return found


def _taught(studio: Running, name: str, *fields: tuple[str, str]) -> dict[str, Any]:
    page = _page(studio)
    state = studio.post("/lessons", {"page": page, "name": name}, 201)
    for field, text in fields:
        state = _step(studio, state, action="want", field=field, node=_node(studio, page, text), page=page)
    return state


def _field(state: dict[str, Any], path: str) -> dict[str, Any]:
    found: dict[str, Any] = next(field for field in state["fields"] if field["path"] == path)
    return found


def _column(rows: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(column for column in rows["columns"] if column["name"] == name)
    return found


# ------------------------------------------------------------------ pointing


def test_two_clicks_teach_a_list(studio: Running) -> None:
    """With matches, records, rows, the rule in words, and a version in the header."""
    state = _taught(studio, "two clicks", ("name", FIRST), ("price", PRICE))
    assert [field["path"] for field in state["fields"]] == ["items", "items.name", "items.price"]
    name = _field(state, "items.name")
    assert name["parent"] == "items"
    assert [match["text"] for match in name["matches"]][:2] == [FIRST, "Arden R50"]
    assert [match["record"] for match in name["matches"]] == list(range(10))
    assert name["rules"][0]["conditions"][0]["words"] in name["rules"][0]["words"]
    assert [example["text"] for example in name["examples"]] == [FIRST]
    assert state["rows"]["total"] == 10
    assert _column(state["rows"], "price")["type"]["kind"] == "money"
    assert _column(state["rows"], "price")["texts"][0] == PRICE
    assert state["pages"][0]["records"] == 10
    assert state["pages"][0]["examples"] == 2
    assert state["history"] == {"steps": [f"name: “{FIRST}”", f"price: “{PRICE}”"], "at": 2}
    answer = studio.client.get("/api/lessons/two clicks")
    assert answer.headers["etag"] == f'"{state["version"]}"'
    assert answer.json()["fields"] == state["fields"]


def test_a_link_is_taken_by_pointing_at_its_words(studio: Running) -> None:
    """Where a value leads becomes a field of its own; what leads nowhere is said to."""
    page = _page(studio)
    state = _taught(studio, "linked", ("name", FIRST))
    node = _node(studio, page, FIRST)
    state = _step(studio, state, action="want", field="link", node=node, link=True, page=page)
    links = _column(state["rows"], "link")["texts"]
    assert len(links) == len(_column(state["rows"], "name")["texts"])
    assert all(links)
    price = _node(studio, page, PRICE)
    headers = {"If-Match": f'"{state["version"]}"'}
    body = {"action": "want", "field": "more", "node": price, "link": True, "page": page}
    told = studio.post(f"/lessons/linked/steps?page={page}", body, 422, headers=headers)
    assert "leads nowhere" in told["detail"]


def test_a_preview_changes_nothing(studio: Running) -> None:
    """It shows what the click would match; nor does it need a version."""
    state = _taught(studio, "preview", ("name", FIRST))
    body = {"field": "stock", "node": _node(studio, state["page"], "2 left"), "page": state["page"]}
    preview = studio.post("/lessons/preview/preview", body)
    assert len(preview["matches"]) > 1
    assert "2 left" in [match["text"] for match in preview["matches"]]
    assert studio.get("/lessons/preview")["version"] == state["version"]


def test_edits_undo_and_redo_are_steps(studio: Running) -> None:
    """Rename, a rule by hand, group, drop; each with a name in the history."""
    state = _taught(studio, "edits", ("name", FIRST), ("price", PRICE))
    state = _step(studio, state, action="rename", field="price", to="cost")
    offered = studio.get("/lessons/edits/completions", params={"field": "cost", "q": "stars"})
    assert offered == []
    rule = {"if": [{"way": "self", "test": "class", "value": "stars"}], "pick": "all"}
    state = _step(studio, state, action="rule", field="cost", rules=[rule])
    assert _field(state, "items.cost")["edited"]
    assert _column(state["rows"], "cost")["texts"][0] == "★ 4.8"
    state = _step(studio, state, action="undo")
    assert _column(state["rows"], "cost")["texts"][0] == PRICE
    state = _step(studio, state, action="redo")
    state = _step(studio, state, action="group", fields=["name", "cost"], into="cameras")
    assert _field(state, "cameras")["is_set"]
    state = _step(studio, state, action="drop", field="cost")
    assert [field["path"] for field in state["fields"]] == ["cameras", "cameras.name"]
    assert state["history"]["steps"][2:] == [
        "renamed price → cost",
        "edited the rule of cost",
        "grouped name, cost as cameras",
        "dropped cost",
    ]


def test_completions_say_what_they_match(studio: Running) -> None:
    """In words, with the number of matches."""
    _taught(studio, "completions", ("name", FIRST), ("price", PRICE))
    offered = studio.get("/lessons/completions/completions", params={"field": "price", "q": "class “price”"})
    assert offered[0]["condition"]["value"] == "price"
    assert offered[0]["keeps_examples"]
    assert offered[0]["matches"] == 10


def test_a_question_is_answered(studio: Running) -> None:
    """Yes makes it an example, no a rejected one; an answer without a question is an error."""
    state = _taught(studio, "question", ("name", "Arden R50"))
    question = state["question"]
    if question is None:
        body = {"action": "answer", "yes": True}
        assert _refused(studio, state, body)["code"] == "usage"
        return
    after = _step(studio, state, action="answer", yes=False)
    assert after["history"]["at"] == 2
    assert question["text"] in after["history"]["steps"][1]


def _refused(studio: Running, state: dict[str, Any], body: dict[str, Any], status: int = 422) -> dict[str, Any]:
    headers = {"If-Match": f'"{state["version"]}"'}
    found: dict[str, Any] = studio.post(f"/lessons/{state['name']}/steps", body, status, headers=headers)
    return found


def test_a_field_without_a_rule_is_told_beside_the_others(studio: Running) -> None:
    """The step counts, and can be undone; the other fields are read all the same."""
    state = _taught(studio, "contradiction", ("name", FIRST), ("price", PRICE))
    node = _node(studio, state["page"], FIRST)
    state = _step(studio, state, action="reject", field="name", node=node, page=state["page"])
    failed = [field for field in state["fields"] if field["error"]]
    assert [field["name"] for field in failed] == ["name"]
    assert "both wanted and rejected" in failed[0]["error"]
    assert _step(studio, state, action="undo")["rows"]["total"] == 10


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"action": "want", "field": "name"}, 422),
        ({"action": "want", "field": "a.b", "text": FIRST}, 422),
        ({"action": "want", "field": "name", "text": "nowhere on it"}, 422),
        ({"action": "want", "field": "name", "node": 99_999_999}, 422),
        ({"action": "rename", "field": "name"}, 422),
        ({"action": "fly"}, 422),
        ({"action": "rule", "field": "name", "rules": [{"if": [{"way": "up", "test": "tag"}]}]}, 422),
        ({"action": "add page", "page": "0" * 64}, 404),
    ],
)
def test_a_step_that_cannot_be_changes_nothing(studio: Running, body: dict[str, Any], status: int) -> None:
    """It is refused in one sentence, and the version stays."""
    try:
        state = studio.get("/lessons/refused")
    except AssertionError:
        state = _taught(studio, "refused", ("name", FIRST))
    problem = _refused(studio, state, body, status)
    assert problem["detail"].endswith(".")
    assert studio.get("/lessons/refused")["version"] == state["version"]


# ------------------------------------------------------------------ pages, versions, restarts


def test_further_pages_are_judged(studio: Running) -> None:
    """A page of another make is failed, with its verdict in the strip of pages."""
    state = _taught(studio, "pages", ("name", FIRST), ("price", PRICE))
    other = _page(studio, "redesigned/cameras.html")
    state = _step(studio, state, action="add page", page=other)
    verdicts = {page["id"]: page["verdict"] for page in studio.get("/lessons/pages")["pages"]}
    assert verdicts[other] == "failed"
    assert verdicts[_page(studio)] in ("ok", "suspicious")
    there = studio.get("/lessons/pages", params={"page": other})
    assert there["page"] == other
    assert there["rows"]["total"] == 0
    state = _step(studio, state, action="remove page", page=other)
    assert [page["id"] for page in state["pages"]] == [_page(studio)]


def test_two_tabs_lose_nothing(studio: Running) -> None:
    """Of many at once one wins each time; the others are told the version of now, and try again."""
    state = _taught(studio, "tabs", ("name", FIRST))
    stale = {"If-Match": '"0000000000000000"'}
    step = {"action": "want", "field": "price", "text": PRICE}
    problem = studio.post("/lessons/tabs/steps", step, 412, headers=stale)
    assert problem["version"] == state["version"]
    assert studio.post("/lessons/tabs/steps", step, 428)["code"] == "version-needed"

    def rename(number: int) -> None:
        while True:
            now = studio.get("/lessons/tabs")
            body = {"action": "rename", "field": now["fields"][-1]["name"], "to": f"name {number}"}
            headers = {"If-Match": f'"{now["version"]}"'}
            answer = studio.client.post("/api/lessons/tabs/steps", json=body, headers=headers)
            if answer.status_code == 200:
                return
            assert answer.status_code == 412, answer.text

    threads = [threading.Thread(target=rename, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    steps = studio.get("/lessons/tabs")["history"]["steps"]
    assert len(steps) == 5
    assert {step.rpartition("→ ")[2] for step in steps[1:]} == {f"name {number}" for number in range(4)}


def test_a_lesson_goes_on_after_a_restart(studio: Running) -> None:
    """From its file, at the same step, with the same rules; also what was undone is there."""
    before = _taught(studio, "restart", ("name", FIRST), ("price", PRICE), ("stock", STOCK))
    before = _step(studio, before, action="undo")
    with running(studio.studio.folder) as again:
        after = again.get("/lessons/restart")
        for key in ("version", "fields", "rows", "history", "question", "notes"):
            assert after[key] == before[key], key
        redone = _step(again, after, action="redo")
        assert "items.stock" in [field["path"] for field in redone["fields"]]
    assert studio.get("/lessons/restart")["version"] == redone["version"]


def test_only_the_last_lessons_stay_open(studio: Running) -> None:
    """Others are replayed from their steps, and give the same."""
    first = _taught(studio, "evicted", ("name", FIRST))
    lessons = studio.studio.part(OpenLessons)
    for number in range(8):
        studio.post("/lessons", {"page": _page(studio), "name": f"other {number}"}, 201)
        studio.get(f"/lessons/other {number}")
    assert "evicted" not in lessons._live
    assert studio.get("/lessons/evicted")["fields"] == first["fields"]
    names = [lesson["name"] for lesson in studio.get("/lessons")]
    assert {"evicted", "other 0"} <= set(names)
    assert studio.client.delete("/api/lessons/evicted").status_code == 204
    assert studio.get("/lessons/evicted", 404)["code"] == "not-found"
    assert studio.get("/lessons/..%2Fx", 404)["code"] == "not-found"


def test_a_lesson_becomes_a_wrapper_that_the_command_line_reads(studio: Running) -> None:
    """Saved again after another example, it takes the place of the first."""
    state = _taught(studio, "saved", ("name", FIRST), ("price", PRICE))
    made = studio.post("/lessons/saved/wrapper", {"name": "camera list"}, 201)
    assert made["learned"] == "by examples"
    assert made["pages"][0]["id"] == _page(studio)
    wrapper = sl.Wrapper.load(studio.studio.folder / "wrappers" / "camera list.wrapper.json")
    assert len(wrapper.extract(studio.studio.page(_page(studio)))) == 10
    state = studio.get("/lessons/saved")
    assert state["saved_as"] == "camera list"
    _step(studio, state, action="want", field="stock", text=STOCK)
    again = studio.post("/lessons/saved/wrapper", {}, 201)
    assert [part["path"] for part in again["schema"][0]["children"]][-1] == "items.stock"
    _taught(studio, "another", ("name", FIRST))
    assert studio.post("/lessons/another/wrapper", {"name": "camera list"}, 412)["code"] == "conflict"


def test_a_result_becomes_a_lesson(studio: Running) -> None:
    """Its first rows are the examples, and all its rows are found."""
    page = _page(studio)
    best = studio.get(f"/pages/{page}/results")["results"][0]
    state = studio.post(f"/pages/{page}/results/{best['key']}/lesson", {"name": "of a result"}, 201)
    assert state["rows"]["total"] == best["rows"]
    assert state["history"]["at"] >= 2


def test_a_column_that_hardly_any_row_has_does_not_cost_the_others() -> None:
    """A result with notes in two of its rows still gives all of them."""
    rows = "".join(
        f"<div class=r><b>Star {n}</b><i>{n}.3</i>{'<u>variable</u><s>double</s>' * (n < 3)}</div>" for n in range(1, 9)
    )
    page = sl.open(f"<h1>Stars</h1><div>{rows}</div><p>{'More about stars. ' * 9}</p>", static=True)
    lesson = Lesson(page)
    cells = sl.Records(
        [
            {"name": Value(f"Star {n}", origin=_origin(page, f"Star {n}"))}
            | ({"note": Value("variable", origin=_origin(page, "variable", n - 1))} if n < 3 else {})
            for n in range(1, 9)
        ]
    )
    teach_rows(lesson, page, cells.columns)
    assert len(lesson.found(page).records) == 8


def _origin(page: sl.Page, text: str, place: int = 0) -> Origin:
    nodes = [node for node in range(len(page)) if page.is_text[node] and page.node(node).text.strip() == text]
    return origin_of(page, [nodes[place]])


# ------------------------------------------------------------------ PDFs


def test_a_pdf_is_taught_by_pointing_at_its_rendition(studio: Running) -> None:
    """A cell of a table in a PDF stands for its column, with boxes on the sheet."""
    page = sl.open(EXAMPLES / "instruments.pdf")
    page_id = studio.studio.keep(page, "instruments.pdf").id
    table = sl.tables(page)[0]
    cells = [table.cells[1][column] for column in range(2)]
    state = studio.post("/lessons", {"page": page_id, "name": "report"}, 201)
    for field, cell in zip(("one", "two"), cells, strict=True):
        node = cell.value.origin.nodes[0]
        state = _step(studio, state, action="want", field=field, node=node, page=page_id)
    first = next(field for field in state["fields"] if field["name"] == "one")
    assert first["error"] is None
    assert first["matches"]
    assert all(match["box"] for match in first["matches"])
    x0, y0, x1, y1 = first["matches"][0]["box"]
    point = [(x0 + x1) / 2, (y0 + y1) / 2]
    again = _step(studio, _step(studio, state, action="undo"), action="undo")
    pointed = _step(studio, again, action="want", field="one", point=point, page=page_id)
    assert pointed["fields"]
    found = studio.post("/lessons/report/wrapper", {"name": "report"}, 201)
    read = studio.post("/wrappers/report/read", {"page": page_id})
    assert found["needs"] in ("static", "rendered")
    assert read["rows"]["total"] >= 1
