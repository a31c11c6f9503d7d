"""Plans and runs of flows over a real server: what they tell, what stops them, and what is edited meanwhile."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import orjson
import pytest

from .._server import Request, reply, serve_from_thread
from .._wait import wait_until
from ._running import Running, running

TEXT = """\
flow: 1
variables: {suffix: csv}
steps:
  north:
    read: "north.{suffix}"
  south:
    read: south.csv
  offers:
    union: [north, south]
    label: shop
  cheap:
    sql: SELECT * FROM offers WHERE price::int < 20
  kept:
    deliver: cheap
    to: out.duckdb#cheap
    mode: replace
"""


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server of a project with two tables."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "north.csv").write_text("name,price\nA,10\nB,20\nC,15\n")
    (folder / "south.csv").write_text("names,price\nD,5\nE,50\n")
    with running(folder) as found:
        yield found


def _events(studio: Running, job: dict[str, Any]) -> list[dict[str, Any]]:
    """What a job found, in order, once it has ended."""
    text = studio.client.get(f"/api/jobs/{job['id']}/events").text
    found = [part.splitlines() for part in text.split("\n\n")]
    return [
        orjson.loads(line.removeprefix("data: "))
        for lines in found
        if "event: found" in lines
        for line in lines
        if line.startswith("data: ")
    ]


def test_a_plan_shows_columns_and_rows_of_every_step(studio: Running) -> None:
    """With the mapping that a union lacks; nothing is delivered."""
    studio.post("/flows", {"name": "planned", "text": TEXT}, 201)
    job = studio.finished(studio.post("/flows/planned/plan", None, 202))
    assert job["state"] == "done", job
    steps = job["result"]["steps"]
    assert steps["north"]["columns"] == {"name": "string", "price": "string"}
    assert [row["name"] for row in steps["north"]["rows"]] == ["A", "B", "C"]
    assert steps["offers"]["rows_known"] == 5
    assert job["result"]["mappings"]["offers"]["price"] == {"north": "price", "south": "price"}
    assert any("would" in note for note in steps["kept"]["notes"])
    assert not (studio.studio.folder / "out.duckdb").exists()


def test_a_step_with_a_problem_does_not_stop_the_plan_of_the_others(studio: Running) -> None:
    """Those that take its rows say so; paths of the machine are in none of the sentences."""
    text = TEXT.replace("SELECT * FROM offers WHERE price::int < 20", "SELEC").replace("south.csv", "missing.csv")
    studio.post("/flows", {"name": "broken", "text": text}, 201)
    steps = studio.finished(studio.post("/flows/broken/plan", None, 202))["result"]["steps"]
    assert len(steps["north"]["rows"]) == 3
    assert "cannot be read" in steps["cheap"]["problem"]
    assert "`cheap`" in steps["kept"]["problem"]
    assert "missing.csv" in steps["south"]["problem"]
    assert "south" in steps["offers"]["problem"]
    assert studio.post("/flows/broken/runs", {}, 422)["detail"].startswith("The flow cannot run yet: line ")


def test_a_run_tells_of_every_step(studio: Running) -> None:
    """Its events come over the stream of the job; the last run is in the list of flows."""
    studio.post("/flows", {"name": "told", "text": TEXT}, 201)
    job = studio.post("/flows/told/runs", {"variables": {"suffix": "csv"}}, 202)
    events = _events(studio, job)
    done = studio.finished(job)
    assert done["state"] == "done", done
    assert done["result"]["verdict"] == "ok"
    assert [event["step"] for event in events if event["kind"] == "done"] == [
        *("north", "south", "offers", "cheap", "kept")
    ]
    last = next(event for event in events if event["kind"] == "done" and event["step"] == "cheap")
    assert (last["rows"], last["state"]["verdict"]) == (3, "ok")
    info = next(one for one in studio.get("/flows") if one["name"] == "told")
    assert info["last"]["run"] == done["result"]["run"]
    assert (info["last"]["verdict"], info["last"]["rows"], info["running"]) == ("ok", 3, None)
    assert studio.post("/flows/told/runs", {"variables": {"other": "x"}}, 422)["code"] == "usage"


PAGE = b"<table><tr><th>names<th>price<tr><td>D<td>5<tr><td>E<td>50<tr><td>F<td>7</table>"


@contextmanager
def _slow_page() -> Iterator[tuple[str, Callable[[], None]]]:
    """The address of a page that does not come before it is let go."""
    let_go = threading.Event()

    async def slowly(_: Request, writer: asyncio.StreamWriter) -> None:
        while not let_go.is_set():
            await asyncio.sleep(0.01)
        writer.write(reply(PAGE))

    with serve_from_thread({"/slow": slowly}) as site:
        try:
            yield site.url("/slow"), let_go.set
        finally:
            let_go.set()


def _with_page(address: str) -> str:
    source = f'extract: "{address}"\n    take: tables\n    static: true'
    return TEXT.replace("read: south.csv", source)


def _wait_for_page(studio: Running, job: dict[str, Any]) -> None:
    wait_until(lambda: studio.get(f"/jobs/{job['id']}")["progress"]["what"] == "south")


def test_a_step_deleted_while_its_run_goes_on_is_still_told_of(studio: Running) -> None:
    """The run keeps the text that it began with; meanwhile a second one is refused, and so is deleting the flow."""
    with _slow_page() as (address, let_go):
        state = studio.post("/flows", {"name": "long", "text": _with_page(address)}, 201)
        job = studio.post("/flows/long/runs", {}, 202)
        _wait_for_page(studio, job)
        assert studio.get("/flows/long")["running"] == job["id"]
        refused = studio.post("/flows/long/runs", {}, 503)
        assert refused["detail"] == "The flow long is running already; wait until it ends, or stop it."
        assert refused["job"] == job["id"]
        assert studio.client.delete("/api/flows/long").status_code == 503
        edit = {"action": "remove", "steps": ["south"]}
        removed = studio.post("/flows/long/edits", edit, headers={"If-Match": state["version"]})
        assert [step["name"] for step in removed["steps"]] == ["north", "offers", "cheap", "kept"]
        let_go()
        ended = studio.finished(job)
    assert ended["result"]["verdict"] == "ok", ended
    assert any(event["step"] == "south" and event["kind"] == "done" for event in _events(studio, job))
    assert studio.get("/flows/long")["version"] == removed["version"]


def test_a_run_is_stopped(studio: Running) -> None:
    """It ends as cancelled, and the next one goes on where it was."""
    with _slow_page() as (address, let_go):
        studio.post("/flows", {"name": "stopped", "text": _with_page(address)}, 201)
        job = studio.post("/flows/stopped/runs", {}, 202)
        _wait_for_page(studio, job)
        assert studio.client.delete(f"/api/jobs/{job['id']}").status_code == 200
        assert studio.finished(job)["state"] == "cancelled"
        let_go()
        again = studio.post("/flows/stopped/runs", {}, 202)
        kinds = {event["step"]: event["kind"] for event in _events(studio, again)}
    assert kinds["north"] == "reused"
    assert studio.finished(again)["result"]["verdict"] == "ok"


def test_the_example_of_prices_is_put_into_the_project(studio: Running) -> None:
    """It has no problems, its price list and catalogue are there to be planned, and nothing is overwritten."""
    assert [one["name"] for one in studio.get("/examples", params={"kind": "flow"})] == ["prices"]
    job = studio.finished(studio.post("/examples/prices", None, 202))
    assert job["result"] == {"pages": [], "flow": "prices"}, job
    state = studio.get("/flows/prices")
    assert state["problems"] == []
    assert len(state["steps"]) == 21
    files = {one["name"]: one["rows"] for one in studio.get("/files")}
    assert files["catalogue.csv"] == 1000
    assert {"north", "north-product", "south"} <= {one["name"] for one in studio.get("/wrappers")}
    assert studio.finished(studio.post("/examples/prices", None, 202))["result"]["flow"] == "prices 2"
    (studio.studio.folder / "rates.csv").write_text("mine\n1\n")
    refused = studio.finished(studio.post("/examples/prices", None, 202))
    assert "rates.csv already" in refused["problem"]["detail"]
    assert (studio.studio.folder / "rates.csv").read_text() == "mine\n1\n"


def test_an_empty_flow_has_an_empty_plan(studio: Running) -> None:
    """And cannot run."""
    studio.post("/flows", {"name": "empty"}, 201)
    assert studio.finished(studio.post("/flows/empty/plan", None, 202))["result"] == {"steps": {}, "mappings": {}}
    assert "cannot run yet" in studio.post("/flows/empty/runs", {}, 422)["detail"]
