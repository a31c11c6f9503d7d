"""The lab over a real server: methods with their rules and settings, and what they find step by step."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sightline.jobs import methods
from sightline.testing import grid_page

from ._running import Running, running

EXAMPLES = Path(__file__).parents[2] / "examples"
STARS = [["Star", "Magnitude"], ["Sirius", "-1.46"], ["Canopus", "-0.74"], ["Vega", "0.03"]]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with an empty project."""
    with running(tmp_path_factory.mktemp("project")) as found:
        yield found


@pytest.fixture(scope="module")
def page(studio: Running) -> str:
    """A web page with a table."""
    return studio.studio.keep(grid_page(STARS), "stars.html").id


@pytest.fixture(scope="module")
def pdf(studio: Running) -> str:
    """A PDF that was opened in the Studio."""
    job = studio.finished(studio.post("/examples/quotation", status=202))
    (found,) = job["result"]["pages"]
    return str(found["id"])


def _try(studio: Running, page: str, method: str, status: int = 200, **how: Any) -> dict[str, Any]:
    found: dict[str, Any] = studio.post("/lab/tries", {"page": page, "method": method, **how}, status)
    return found


def test_methods_come_with_rules_and_settings(studio: Running) -> None:
    """Everything that a form needs: names, words, kinds, defaults and bounds; what is for studies stays hidden."""
    found = {one["name"]: one for one in studio.get("/lab/methods")}
    assert list(found) == list(methods())
    tables = found["tables"]
    assert {rule["name"]: rule["words"] for rule in tables["rules"]} == dict(methods()["tables"].rules())
    score = next(one for one in tables["settings"] if one["name"] == "least_score")
    assert (score["kind"], score["minimum"], score["maximum"]) == ("float", 0, 1)
    assert isinstance(score["default"], float)
    assert "without" not in {one["name"] for one in tables["settings"]}
    assert (found["ventrec"]["paper"], found["ventrec"]["settings"]) == ("Gatterbauer and Bohunsky, AAAI 2006", [])
    assert [name for name, one in found.items() if one["counts"]] == ["top", "basic top-k"]


def test_a_try_gives_what_was_found_and_every_step(studio: Running, page: str) -> None:
    """Rows as everywhere, and steps with boxes to draw."""
    tried = _try(studio, page, "tables")
    (found,) = tried["found"]
    assert (found["key"], found["kind"], len(found["items"])) == ("tables-1", "table", len(STARS))
    assert 0 < found["score"] <= 1
    assert all(len(item["box"]) == 4 for item in found["items"])
    assert [column["texts"] for column in tried["rows"]["columns"]] == [
        list(texts) for texts in zip(*STARS[1:], strict=True)
    ]
    assert "pages" not in tried["rows"]["columns"][0]  # they are all of the page shown
    assert len(tried["steps"]) > 1
    assert any(step["boxes"] for step in tried["steps"])
    assert all(set(step["columns"]) <= set(row) for step in tried["steps"] for row in step["rows"])


def test_a_rule_that_is_switched_off_does_nothing(studio: Running, page: str) -> None:
    """Without what makes grids there is no table."""
    tried = _try(studio, page, "tables", without=["elements", "words", "markup"])
    assert (tried["found"], tried["rows"]) == ([], None)


@pytest.mark.parametrize(
    ("method", "how", "words"),
    [
        ("ventrec", {"settings": {"least_score": 1}}, "is as its paper has it"),
        ("ventrec", {"without": ["words"]}, "is as its paper has it"),
        ("tables", {"settings": {"magic": 1}}, "has no setting 'magic'"),
        ("tables", {"without": ["magic"]}, "There is no rule 'magic'"),
        ("guessing", {}, "There is no method 'guessing'"),
        ("structure", {}, "open one"),
    ],
)
def test_a_try_that_makes_no_sense_is_a_problem(
    studio: Running, page: str, method: str, how: dict[str, Any], words: str
) -> None:
    """With one sentence that says why."""
    problem = _try(studio, page, method, 422, **how)
    assert problem["code"] == "usage"
    assert words in problem["detail"]


def test_the_structure_of_a_pdf_is_found_step_by_step(studio: Running, pdf: str) -> None:
    """On the PDF as it is printed, which is kept beside the page that everything else reads."""
    tried = _try(studio, pdf, "structure")
    assert [one["kind"] for one in tried["found"]] == ["table"] * len(tried["found"]) != []
    assert all(step["about"] for step in tried["steps"])
    assert any(step["boxes"] for step in tried["steps"])
    assert studio.client.delete(f"/api/pages/{pdf}").status_code == 204
    assert studio.studio.store.bare_page(pdf) is None
