"""The gate: floors are raised in silence and lowered never."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from bench import gate


def _results(value: float, unit: str = "share", better: str = "higher", bound: float = 0.5) -> dict[str, Any]:
    figure = {"name": "f1", "value": value, "better": better, "bound": bound, "unit": unit}
    return {"tables": {"corpora": {"set": {"hash": "abc", "files": 3}}, "figures": [figure]}}


def test_gate_accepts_what_is_at_its_floor() -> None:
    """The figure that was pinned passes, and a better one too."""
    floors = gate.updated(_results(0.8), {}, lower=False)
    assert gate.compare(_results(0.8), floors) == []
    assert gate.compare(_results(0.9), floors) == []


def test_gate_names_what_is_worse() -> None:
    """A worse figure is named with its floor."""
    floors = gate.updated(_results(0.8), {}, lower=False)
    [problem] = gate.compare(_results(0.7), floors)
    assert "f1" in problem
    assert "0.7" in problem
    assert "0.8" in problem


def test_gate_notices_other_data() -> None:
    """Figures measured on other files are not compared in silence."""
    floors = gate.updated(_results(0.8), {}, lower=False)
    results = copy.deepcopy(_results(0.9))
    results["tables"]["corpora"]["set"]["hash"] = "other"
    assert any("not the one" in problem for problem in gate.compare(results, floors))


def test_gate_notices_what_is_gone() -> None:
    """A figure or a task that is no longer measured is a problem."""
    floors = gate.updated(_results(0.8), {}, lower=False)
    results = _results(0.8)
    results["tables"]["figures"] = []
    assert any("is gone" in problem for problem in gate.compare(results, floors))
    assert any("no result" in problem for problem in gate.compare({}, floors))


def test_update_never_lowers_by_itself() -> None:
    """Updating with a worse figure keeps the old floor; only on request it is lowered."""
    floors = gate.updated(_results(0.8), {}, lower=False)
    assert gate.updated(_results(0.7), floors, lower=False) == floors
    assert gate.updated(_results(0.7), floors, lower=True)["tables"]["figures"]["f1"]["value"] == 0.7


@pytest.mark.parametrize(("value", "floor"), [(1.2, 1.38), (1.45, 1.5), (1.8, 2.07)])
def test_update_gives_times_some_slack_within_the_bound(value: float, floor: float) -> None:
    """A time is pinned with slack, but not beyond the bound it keeps."""
    pinned = gate.updated(_results(value, "x", "lower", 1.5), {}, lower=False)
    assert pinned["tables"]["figures"]["f1"]["value"] == pytest.approx(floor)


def test_figures_without_a_bound_have_no_floor() -> None:
    """They may change in silence; the others of the same task are held."""
    results = _results(0.8)
    results["tables"]["figures"].append({"name": "shown", "value": 0.3, "better": "higher", "bound": None, "unit": "x"})
    floors = gate.updated(results, {}, lower=False)
    assert list(floors["tables"]["figures"]) == ["f1"]
    assert gate.compare(_results(0.8), floors) == []


def test_only_files_with_figures_are_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What else lies beside the results is neither compared nor pinned."""
    monkeypatch.setattr(gate, "RESULTS", tmp_path)
    monkeypatch.setattr(gate, "FLOORS", tmp_path / "floors" / "floors.json")
    (tmp_path / "floors").mkdir()
    (tmp_path / "tables.json").write_text(json.dumps(_results(0.8)["tables"]))
    (tmp_path / "tables-ablation.json").write_text('{"without": {}}')
    assert gate.run(update=True, allow_regression=False) == 0
    assert list(json.loads(gate.FLOORS.read_text())) == ["tables"]
    assert gate.run(update=False, allow_regression=False) == 0


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_gate_accepts_a_loss_that_was_pinned(better: str) -> None:
    """A figure below zero passes at what it was, as any other does."""
    floors = gate.updated(_results(-0.2, unit="points", better=better, bound=0.0), {}, lower=False)
    assert gate.compare(_results(-0.2, unit="points", better=better, bound=0.0), floors) == []
