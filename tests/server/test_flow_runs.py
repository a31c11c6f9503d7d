"""Runs of flows over a real server: history, rows with their places, profiles, series, differences, alerts, home."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sightline.flow.run import run_flow
from sightline.flow.spec import Flow

from ._flow_project import FlowProject
from ._running import Running, running


@dataclass
class Watched:
    """A server, and the ids of the three runs of its flow."""

    studio: Running
    project: FlowProject
    runs: list[str]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """A flow that ran on three days; the price of one offer fell, another is gone, one is new."""
    project = FlowProject(tmp_path_factory.mktemp("watched"))
    runs = [project.run(14).id]
    project.change("879.00", "799.00")
    runs.append(project.run(15).id)
    project.change("1,LUMORA Z7 body only,2849.00", "5,Arden R7 body,1299.00")
    runs.append(project.run(16).id)
    with running(project.folder) as studio:
        yield Watched(studio, project, runs)


def _grid(watched: Watched, step: str, run: int = -1, **params: Any) -> dict[str, dict[str, list[Any]]]:
    path = f"/flows/prices/runs/{watched.runs[run]}/steps/{step}/rows"
    return {one["name"]: one for one in watched.studio.get(path, params=params)["columns"]}


@pytest.mark.slow
def test_runs_are_listed_the_newest_first(watched: Watched) -> None:
    """With verdict, rows that were delivered, and rows that were held back."""
    found = watched.studio.get("/flows/prices/runs")
    assert [one["id"] for one in found] == watched.runs[::-1]
    assert {(one["verdict"], one["rows"], one["held"], one["running"]) for one in found} == {
        ("suspicious", 3, 1, False)
    }
    assert found[0]["reasons"] == ["good: 1 rows held back: `price` is missing"]
    assert len(watched.studio.get("/flows/prices/runs", params={"limit": 2})) == 2


def test_a_run_tells_what_became_of_each_step(watched: Watched) -> None:
    """In the order in which they ran, with the columns of their rows and what tells these apart."""
    run = watched.studio.get(f"/flows/prices/runs/{watched.runs[0]}")
    steps = {one["name"]: one for one in run["steps"]}
    assert list(steps)[:2] == ["shop", "catalogue"]
    assert (steps["good"]["word"], steps["good"]["what"], steps["good"]["held"]) == ("check", "check known", 1)
    assert steps["positions"]["key"] == ["offer"]
    assert steps["shop"]["key"] == []
    assert [column["name"] for column in steps["positions"]["columns"]] == ["offer", "name", "price"]
    assert steps["positions"]["columns"][2]["type"]["kind"] == "number"
    assert steps["kept"]["inputs"] == ["positions"]
    assert run["text"].startswith("flow: 1")


@pytest.mark.parametrize(
    "path",
    [
        "/flows/nowhere/runs",
        "/flows/..%2Fprices/runs",
        "/flows/prices/runs/nowhere",
        "/flows/prices/runs/..%2F..",
        "/flows/prices/runs/{run}/steps/nowhere/rows",
        "/flows/prices/runs/{run}/steps/..%2Fgood/rows",
        "/flows/prices/runs/{run}/steps/shop/rows?held=true",
        "/flows/prices/runs/{run}/diff/{run}?step=nowhere",
    ],
)
def test_what_is_not_there_is_not_found(watched: Watched, path: str) -> None:
    """And no name leads out of the folder of the project."""
    assert watched.studio.get(path.format(run=watched.runs[0]), 404)["code"] == "not-found"


def test_rows_come_in_windows(watched: Watched) -> None:
    """Only those that are asked for, with the number of all."""
    path = f"/flows/prices/runs/{watched.runs[0]}/steps/shop/rows"
    found = watched.studio.get(path, params={"offset": 1, "limit": 2})
    assert (found["offset"], found["total"]) == (1, 4)
    assert found["columns"][0]["texts"] == ["2", "3"]
    assert found["columns"][2]["filled"] == 3
    beyond = watched.studio.get(path, params={"offset": 99})
    assert (beyond["offset"], beyond["columns"][0]["texts"]) == (4, [])


def test_a_delivery_shows_the_rows_that_it_took(watched: Watched) -> None:
    """It keeps none of its own."""
    assert _grid(watched, "kept")["offer"]["texts"] == ["5", "2", "3"]


def test_held_rows_say_why(watched: Watched) -> None:
    """With all their columns."""
    held = _grid(watched, "good", held=True)
    assert held["name"]["texts"] == ["Heliox pocket radio"]
    assert held["_held_because"]["texts"] == ["`price` is missing"]


def test_every_cell_leads_to_its_place_on_the_page(watched: Watched) -> None:
    """The page is one of the project, and the nodes are those of the text."""
    title, money = (_grid(watched, "cameras")[name] for name in ("title", "money"))
    (page_id,) = set(title["pages"])
    assert watched.studio.get(f"/pages/{page_id}")["id"] == page_id
    page = watched.studio.studio.page(page_id)
    for column in (title, money):
        for text, nodes in zip(column["texts"], column["nodes"], strict=True):
            assert " ".join(page.node(node).text for node in nodes) == text


def test_a_query_that_renames_columns_keeps_their_places(watched: Watched) -> None:
    """Its rows are followed back to those of the page, by their values."""
    cameras, cheap = _grid(watched, "cameras"), _grid(watched, "cheap")
    assert cheap["model"]["nodes"] == cameras["title"]["nodes"]
    assert cheap["price"]["pages"] == cameras["money"]["pages"]


def test_rows_of_files_have_no_place(watched: Watched) -> None:
    """And say so."""
    assert set(_grid(watched, "good")["name"]["pages"]) == {None}


def test_a_profile_says_what_the_columns_hold(watched: Watched) -> None:
    """Numbers as a histogram, also that of the scores of a match; and it is the same the second time."""
    path = f"/flows/prices/runs/{watched.runs[0]}/steps/known/profile"
    found = watched.studio.get(path)
    columns = {one["name"]: one for one in found["columns"]}
    assert found["rows"] == 4
    assert (columns["price"]["filled"], columns["price"]["distinct"]) == (3, 3)
    assert sum(columns["match_score"]["histogram"]["counts"]) == 4
    assert len(columns["price"]["histogram"]["edges"]) == len(columns["price"]["histogram"]["counts"]) + 1
    assert columns["match_zone"]["commonest"] == [["matched", 3]]
    assert watched.studio.get(path) == found


def test_series_tell_how_much_came_in_each_run(watched: Watched) -> None:
    """The oldest first."""
    found = watched.studio.get("/flows/prices/series")
    assert [one["id"] for one in found["runs"]] == watched.runs
    assert found["steps"]["good"]["rows"] == [3, 3, 3]
    assert found["steps"]["good"]["held"] == [1, 1, 1]
    assert found["steps"]["shop"]["fill"]["price"] == [0.75, 0.75, 0.75]


def test_price_histories_begin_with_what_changed_most(watched: Watched) -> None:
    """A line for each key, with gaps where it was not there."""
    params = {"step": "positions", "column": "price"}
    found = watched.studio.get("/flows/prices/series/values", params=params)
    assert found["key"] == ["offer"]
    assert found["lines"][0] == {"key": ["2"], "values": [879.0, 799.0, 799.0]}
    assert {"key": ["5"], "values": [None, None, 1299.0]} in found["lines"]
    searched = watched.studio.get("/flows/prices/series/values", params=params | {"key": "name", "search": "corvus"})
    assert [one["key"] for one in searched["lines"]] == [["Corvus M-12 10x42 binoculars"]]
    wrong = watched.studio.get("/flows/prices/series/values", 422, params=params | {"key": "nowhere"})
    assert "nowhere" in wrong["detail"]


def test_two_runs_differ_row_by_row(watched: Watched) -> None:
    """By the key of the delivery, or by another."""
    path = f"/flows/prices/runs/{watched.runs[1]}/diff/{watched.runs[0]}"
    found = watched.studio.get(path)
    assert (found["step"], found["key"]) == ("kept", ["offer"])
    assert (found["new"], found["gone"], found["changed"], found["same"]) == (0, 0, 1, 2)
    assert found["changed_rows"] == [{"key": ["2"], "values": {"price": ["879", "799"]}}]
    later = watched.studio.get(f"/flows/prices/runs/{watched.runs[2]}/diff/{watched.runs[1]}?step=positions&key=offer")
    assert [row["name"] for row in later["new_rows"]] == ["Arden R7 body"]
    assert [row["name"] for row in later["gone_rows"]] == ["LUMORA Z7 body only"]


def test_runs_that_are_not_ok_are_alerts(watched: Watched) -> None:
    """The newest first, each with a link to its run."""
    found = watched.studio.get("/alerts", params={"limit": 2})
    assert [one["run"] for one in found] == [watched.runs[2], watched.runs[1]]
    assert found[0]["severity"] == "suspicious"
    assert found[0]["step"] == "good"
    assert found[0]["link"] == f"/history/prices/{watched.runs[2]}"


def test_a_file_that_no_flow_can_be_called_does_not_hide_the_others(watched: Watched) -> None:
    """Copies in a file manager are called so, and file systems take longer names than we do."""
    odd = [watched.project.folder / f"{name}.flow.yaml" for name in ("prices (copy)", "價" * 70)]
    try:
        for path in odd:
            path.write_text("flow: 1\nsteps:\n")
        for path in ("/home", "/alerts", "/flows", "/reviews"):
            watched.studio.get(path)
        assert [one["name"] for one in watched.studio.get("/home")["flows"]] == ["prices"]
    finally:
        for path in odd:
            path.unlink()


def test_home_says_what_needs_attention(watched: Watched) -> None:
    """Held rows, when the flow is due, and what changed last."""
    home = watched.studio.get("/home")
    (flow,) = home["flows"]
    assert (flow["name"], flow["about"], flow["steps"]) == ("prices", "What the shops ask", 9)
    assert [one["run"] for one in flow["verdicts"]] == watched.runs[::-1]
    assert flow["last"]["held"] == 1
    assert "1 row held back in prices" in {one["title"] for one in home["attention"]}
    assert [one["flow"] for one in home["due"]] == ["prices"]
    assert {"kind": "flow", "name": "prices"}.items() <= home["recent"][0].items() or len(home["recent"]) > 1


@pytest.mark.slow
def test_rows_in_quarantine_are_released(tmp_path: Path) -> None:
    """A run that goes on from this one delivers them, without reading anything again."""
    project = FlowProject(tmp_path)
    first = project.run(14)
    with running(tmp_path) as studio:
        path = f"/flows/prices/runs/{first.id}/steps/good/release"
        assert studio.post(path, {}, 422)["code"] == "usage"
        assert "counted from 0" in studio.post(path, {"rows": [7]}, 422)["detail"]
        assert studio.post(path.replace("good", "shop"), {"all": True}, 422)["code"] == "usage"
        said = studio.post(path, {"rows": [0]})
        assert said == {
            "released": 1,
            "before": 0,
            "words": "1 row is released; run the flow again from this run to deliver them.",
        }
        assert studio.post(path, {"all": True})["before"] == 1
        (tmp_path / "shop.csv").unlink()
        job = studio.finished(studio.post("/flows/prices/runs", {"from": first.id}, 202))
        assert job["state"] == "done", job
        assert studio.get("/flows/prices/runs")[0]["held"] == 0
        steps = {one["name"]: one for one in studio.get(f"/flows/prices/runs/{job['result']['run']}")["steps"]}
        assert steps["good"]["notes"] == ["1 row was let through, since a person released them"]
        assert (steps["kept"]["rows"], steps["kept"]["counts"]) == (4, {"inserted": 1, "unchanged": 3})


@pytest.mark.slow
def test_rows_that_are_released_take_their_place_in_what_was_added(tmp_path: Path) -> None:
    """A run that goes on is for the same date, so that it replaces what the first one added."""
    project = FlowProject(tmp_path)
    flow = tmp_path / "prices.flow.yaml"
    flow.write_text(flow.read_text().replace("key: offer", "mode: append"))
    run = project.run(14)
    with running(tmp_path) as studio:
        said = studio.post(f"/flows/prices/runs/{run.id}/steps/good/release", {"all": True})
        assert said["words"].endswith("run the flow again from this run to deliver them.")
    again = run_flow(Flow.load(flow), store=tmp_path, from_run=run.id)
    assert again.state.steps["kept"].counts["replaced"] == run.state.steps["kept"].rows


@pytest.mark.slow
def test_a_flow_that_did_not_run_when_it_was_due_needs_attention(tmp_path: Path) -> None:
    """Until it has run again."""
    project = FlowProject(tmp_path)
    flow, now = Flow.load(tmp_path / "prices.flow.yaml"), datetime.now(UTC)
    run_flow(flow, store=tmp_path, now=now - timedelta(days=2))
    with running(project.folder) as studio:

        def late() -> bool:
            return any("did not run when it was due" in one["title"] for one in studio.get("/home")["attention"])

        assert late()
        run_flow(flow, store=tmp_path, now=now)
        assert not late()


def test_a_flow_that_cannot_be_read_needs_attention(tmp_path: Path) -> None:
    """And does not keep Home from showing the others; nor does half a run."""
    project = FlowProject(tmp_path)
    project.write("flow: 1\nsteps:\n  a:\n    red: x.csv\n", "broken")
    (tmp_path / "flows" / "prices" / "runs" / "half").mkdir(parents=True)
    (tmp_path / "flows" / "prices" / "runs" / "half" / "run.json").write_text("{")
    with running(tmp_path) as studio:
        home = studio.get("/home")
        assert [one["name"] for one in home["flows"]] == ["broken", "prices"]
        assert home["attention"][0]["title"] == "broken cannot run"
        assert "there is no step `red`" in home["attention"][0]["detail"]
        assert studio.get("/flows/prices/runs") == []
        assert studio.get("/flows/prices/series")["runs"] == []
