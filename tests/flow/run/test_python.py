"""Steps of one's own: functions of Python over Arrow tables, in a process of their own, and only with trust."""

import os
from pathlib import Path

import pytest

import sightline as sl
from sightline.errors import UsageError
from sightline.flow.spec import Flow

from ...cli._inside import sightline
from .conftest import FlowFolder, day

SCORING = """
import os, sys
import pyarrow as pa
import pyarrow.compute as pc

def scored(shop, catalogue, bonus=0):
    print(f"{shop.num_rows} offers, {catalogue.num_rows} products")
    return shop.append_column("score", pa.array([len(name) + bonus for name in shop["name"].to_pylist()]))

def fixed():
    return pa.table({"id": ["1"], "process": [os.getpid()]})

def broken(shop):
    raise ValueError("no score for " + shop["name"][0].as_py())

def ended(shop):
    os._exit(7)

def nothing(shop):
    return [1, 2]
"""
SHOP = "shop:\n  read: shop.csv\n"


def step(function: str, takes: str = "shop", more: str = "") -> str:
    """A step that runs a function of the module beside the flow."""
    return f"{SHOP}scored:\n  python: scoring:{function}\n  takes: {takes}\n{more}"


@pytest.fixture
def scoring(folder: FlowFolder) -> FlowFolder:
    """A folder with a module beside the flow."""
    (folder.path / "scoring.py").write_text(SCORING)
    return folder


def test_a_function_makes_rows_of_rows(scoring: FlowFolder) -> None:
    """It gets the tables in their order, and options by their names; what it prints is kept."""
    catalogue = "catalogue:\n  read: catalogue.csv\n"
    steps = catalogue + step("scored", "[shop, catalogue]", "  options: {bonus: 100}\n")
    found = scoring.run(steps + "kept:\n  deliver: scored\n  to: kept.csv\n", trust=True)
    assert found.verdict == "ok", found.state.reasons
    assert [row["score"] for row in found.rows("scored").to_pylist()] == [119, 124, 128]
    assert found.state.steps["scored"].notes == ("3 offers, 4 products",)


def test_code_of_a_stranger_is_never_run(scoring: FlowFolder) -> None:
    """Without trust nothing is done at all, whoever runs the flow."""
    with pytest.raises(UsageError, match=r"`scored` runs the Python code of scoring:fixed.*--trust"):
        scoring.run("scored:\n  python: scoring:fixed\n")
    file = scoring.path / "prices.flow.yaml"
    with pytest.raises(UsageError, match="--trust"):
        sl.run(file)
    assert sightline("run", file).status == 2
    assert not (scoring.path / "store/flows/prices/runs").exists()
    assert sightline("run", file, "--trust").status == 0


def test_a_function_runs_in_a_process_of_its_own(scoring: FlowFolder) -> None:
    """A source may be one as well."""
    found = scoring.run("scored:\n  python: scoring:fixed\n", trust=True)
    assert found.rows("scored")["process"][0].as_py() != os.getpid()


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        ("broken", "ValueError: no score for LUMORA Z7 body only"),
        ("ended", "it ended with status 7"),
        ("nothing", "The function gave list, not an Arrow table"),
        ("missing", "The module scoring has no function missing"),
    ],
)
def test_a_function_that_fails_fails_its_step(scoring: FlowFolder, function: str, problem: str) -> None:
    """In one sentence; the whole of what it printed is in a file."""
    found = scoring.run(step(function), trust=True)
    assert problem in str(found.errors["scored"])


def test_a_module_that_is_not_there_is_told(folder: FlowFolder) -> None:
    """With the folder in which it was looked for."""
    found = folder.run(step("scored"), trust=True)
    assert f"There is no module scoring in {folder.path}" in str(found.errors["scored"])


def test_a_changed_function_begins_a_new_run(scoring: FlowFolder) -> None:
    """As any other file that a step is made from."""
    broken = "late:\n  read: later.csv\n"
    found = scoring.run("scored:\n  python: scoring:fixed\n" + broken, trust=True, now=day(10))
    (scoring.path / "scoring.py").write_text(SCORING.replace('["1"]', '["2"]'))
    again = scoring.run(trust=True, now=day(10))
    assert again.id != found.id
    assert again.rows("scored")["id"].to_pylist() == ["2"]


def test_a_package_offers_functions_by_name(
    folder: FlowFolder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By an entry point; that needs trust as well."""
    facts = tmp_path / "others" / "others-1.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1\n")
    (facts / "entry_points.txt").write_text("[sightline.steps]\nsorted = others:SORTED\n")
    (tmp_path / "others/others.py").write_text(
        "from sightline.flow.run import FlowFunction\n"
        "SORTED = FlowFunction('sorted', 'sorted by name', lambda table: table.sort_by('name'))\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "others"), os.environ.get("PYTHONPATH", "")]))
    found = folder.run(f"{SHOP}ordered:\n  python: sorted\n  takes: shop\n", trust=True)
    assert found.verdict == "ok", found.state.reasons
    assert [row["id"] for row in found.rows("ordered").to_pylist()] == ["2", "3", "1"]
    unknown = folder.run(f"{SHOP}ordered:\n  python: shuffled\n  takes: shop\n", trust=True)
    assert "No package has a step 'shuffled' (there are sorted)" in str(unknown.errors["ordered"])


def test_a_plan_runs_no_code(scoring: FlowFolder) -> None:
    """It shows what the last run gave."""
    file = scoring.write("scored:\n  python: scoring:fixed\n")
    assert "a plan runs no code" in sightline("plan", file).output + sightline("plan", file).errors
    assert str(next(iter(Flow.load(file).steps.values()))) == "python scoring:fixed"
