"""The review of doubtful pairs over a real server: evidence, answers, learning, undo, bulk, and two people at once."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sightline.flow.match import Decisions
from sightline.flow.run import FlowStore

from ._flow_project import FlowProject
from ._running import Running, running

EXAMPLES = Path(__file__).parents[2] / "examples" / "matching"
FLOW = """
flow: 1
steps:
  shop:
    read: shop.csv
  catalogue:
    read: catalogue.csv
  known:
    match: shop
    to: catalogue
    matched: 0.999
"""
REVIEW = "/reviews/prices/known"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> FlowProject:
    """A project whose flow was run, with pairs to review."""
    project = FlowProject(tmp_path_factory.mktemp("reviewed"))
    for name in ("shop.csv", "catalogue.csv"):
        shutil.copy(EXAMPLES / name, project.folder / name)
    project.write(FLOW)
    project.run()
    return project


@pytest.fixture
def project(made: FlowProject, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(made.folder, tmp_path / "project"))


@pytest.fixture
def studio(project: Path) -> Iterator[Running]:
    """A server with it."""
    with running(project) as found:
        yield found


def _kept(project: Path) -> Decisions:
    return Decisions(FlowStore(project, "prices").decisions / "known.jsonl")


def _answer(studio: Running, pair: dict[str, Any], answer: str, status: int = 200) -> Any:
    return studio.post(f"{REVIEW}/decisions", {"id": pair["id"], "answer": answer}, status)


def _first(state: dict[str, Any]) -> Any:
    return state["pairs"][0]


def test_reviews_are_listed(studio: Running) -> None:
    """With how much waits."""
    (found,) = studio.get("/reviews")
    assert (found["flow"], found["step"], found["decided"]) == ("prices", "known", 0)
    assert found["pairs"] == found["waiting"] > 10


def test_a_pair_shows_both_records_with_the_evidence_marked(studio: Running) -> None:
    """Model numbers as spans, the price in words, and what speaks for and against it."""
    pair = next(one for one in studio.get(REVIEW)["pairs"] if "PX420B" in one["left"]["text"])
    fields = {field["name"]: field for field in pair["left"]["fields"]}
    assert set(fields) == {"name", "price"}
    (code,) = [mark for mark in fields["name"]["marks"] if mark["kind"] == "shared code"]
    assert fields["name"]["text"][code["start"] : code["end"]] == "PX420B"
    assert pair["price"]["field"] == "price"
    assert pair["price"]["words"]
    assert fields["price"]["marks"] == []
    reason = next(one for one in pair["why"] if one["words"] == "they share a model number")
    assert (reason["speaks"], reason["detail"]) == ("for", "PX420B, PX-420B")
    assert pair["right"]["id"].startswith("P-")
    card = next(one for one in studio.get(REVIEW, params={"limit": 50})["pairs"] if "Quill" in one["left"]["text"])
    told = [(one["words"], one["detail"]) for one in card["why"]]
    assert ("they share a number", "128GB, 170MB/s") in told


def test_an_answer_brings_the_next_pair_and_what_was_learned(studio: Running, project: Path) -> None:
    """And is on the disk when it does."""
    before = studio.get(REVIEW)
    after = _answer(studio, _first(before), "same")
    assert _first(after)["record"] != _first(before)["record"]
    assert after["progress"]["waiting"] < before["progress"]["waiting"]
    assert sum(after["histogram"]["counts"]) == sum(before["histogram"]["counts"]) - 1
    assert after["history"]["steps"][-1].startswith("accepted ")
    assert len(_kept(project).all()) == 1
    worse = _answer(studio, _first(after), "different")
    assert worse["learned"].endswith(".")


@pytest.mark.slow
def test_the_next_run_uses_the_answers(studio: Running, project: Path) -> None:
    """A record that was accepted has its partner; one that was called new has none."""
    state = studio.get(REVIEW)
    accepted = _first(state)
    state = _answer(studio, accepted, "same")
    rejected = _first(state)
    _answer(studio, rejected, "new")
    again = FlowProject.__new__(FlowProject)
    again.folder = project
    rows = {row["name"]: row for row in again.run(17).rows("known").to_pylist()}
    assert rows[accepted["left"]["text"]]["match"] == accepted["right"]["id"]
    assert rows[rejected["left"]["text"]]["match"] is None
    after = studio.get(REVIEW)
    assert after["run"] != state["run"]
    assert not {accepted["id"], rejected["id"]} & {one["id"] for one in after["pairs"]}


def test_home_asks_for_what_waits(studio: Running) -> None:
    """Until all is decided."""

    def asked() -> list[str]:
        return [one["title"] for one in studio.get("/home")["attention"] if one["link"] == "/match/prices/known"]

    waiting = studio.get(REVIEW)["progress"]["waiting"]
    assert asked() == [f"{waiting} pairs to review in prices"]
    studio.post(f"{REVIEW}/bulk", {"above": 0}, headers={"If-Match": "*"})
    assert asked() == []


def test_answers_are_undone_and_given_again(studio: Running, project: Path) -> None:
    """Each by one request, also everything above a line."""
    start = studio.get(REVIEW)
    count = sum(start["histogram"]["counts"][70:])
    bulk = studio.post(f"{REVIEW}/bulk", {"above": 0.7}, headers={"If-Match": start["version"]})
    assert len(_kept(project).all()) == count > 1
    assert bulk["history"]["steps"] == [f"accepted {count} pairs from 70 % on"]
    undone = studio.post(f"{REVIEW}/undo", headers={"If-Match": bulk["version"]})
    assert undone["progress"]["waiting"] == start["progress"]["waiting"]
    assert undone["history"] == {"steps": [f"accepted {count} pairs from 70 % on"], "at": 0}
    again = studio.post(f"{REVIEW}/redo", headers={"If-Match": undone["version"]})
    assert again["progress"] == bulk["progress"] | {"seconds": None, "left": None}
    assert studio.post(f"{REVIEW}/redo", status=422, headers={"If-Match": again["version"]})["code"] == "usage"


@pytest.mark.slow
def test_two_people_do_not_undo_each_other(studio: Running) -> None:
    """Both may answer; but what is undone, and what a line accepts, has to be what one has seen."""
    mine = studio.get(REVIEW)
    _answer(studio, _first(mine), "same")
    headers = {"If-Match": mine["version"]}
    for path, body in (("undo", None), ("bulk", {"above": 0.5})):
        assert studio.post(f"{REVIEW}/{path}", body, 412, headers=headers)["code"] == "conflict"
    assert studio.post(f"{REVIEW}/undo", status=428)["code"] == "version-needed"
    assert _answer(studio, _first(mine), "different", 412)["code"] == "conflict"
    other = studio.get(REVIEW)["pairs"][-1]
    _answer(studio, other, "skip")


@pytest.mark.slow
def test_answers_of_the_command_line_count_here(studio: Running, project: Path) -> None:
    """It may be used meanwhile, and the next look shows what it decided."""
    before = studio.get(REVIEW)
    command = [sys.executable, "-m", "sightline", "review", "prices.flow.yaml", "--store", "."]
    done = subprocess.run(command, cwd=project, input="y\nq\n", capture_output=True, text=True, check=True)
    assert "1 decision kept" in done.stdout
    after = studio.get(REVIEW)
    assert after["progress"]["waiting"] < before["progress"]["waiting"]
    assert after["version"] != before["version"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/reviews/prices/shop/decisions", {"id": "x", "answer": "same"}, 404),
        ("/reviews/nowhere/known/decisions", {"id": "x", "answer": "same"}, 404),
        (f"{REVIEW}/decisions", {"id": "x", "answer": "same"}, 422),
        (f"{REVIEW}/decisions", {"id": "x", "answer": "maybe"}, 422),
        (f"{REVIEW}/bulk", {"above": 2}, 422),
    ],
)
def test_what_makes_no_sense_is_refused(studio: Running, path: str, body: Any, status: int) -> None:
    """In one sentence."""
    problem = studio.post(path, body, status, headers={"If-Match": "*"})
    assert problem["detail"].endswith(".")


def test_a_spoilt_file_is_told_where_it_is_opened(studio: Running, project: Path) -> None:
    """And does not keep the others from being listed."""
    path = _kept(project).path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("nonsense\n")
    assert studio.get("/reviews") == []
    assert "line 1" in studio.get(REVIEW, 422)["detail"]
