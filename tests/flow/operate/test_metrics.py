"""Metrics of Prometheus, read by Prometheus' own parser."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from sightline.errors import UsageError
from sightline.flow.operate import MetricsFile, metrics_text
from sightline.flow.run import FlowStore, RunState, StepState, run_flow
from sightline.flow.spec import Flow

from ..run.conftest import FlowFolder, day


def values(text: str, name: str) -> dict[tuple[str, ...], float]:
    """The values of a metric by the values of its labels."""
    families = list(text_string_to_metric_families(text))
    assert all(family.type == "gauge" and family.documentation for family in families)
    assert len({family.name for family in families}) == len(families)
    return {
        tuple(sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
        if sample.name == f"sightline_{name}"
    }


def seconds(text: str) -> float:
    """A time of a state as a metric has it."""
    return round(datetime.fromisoformat(text).timestamp(), 3)


STEPS = """\
shop:
  read: shop.csv
good:
  check: shop
  rules:
    cheap: id::INT < 3
kept:
  deliver: good
  to: out.csv
"""


def test_the_last_run_is_told_with_its_steps(tmp_path: Path) -> None:
    """When it ended, for which time, how long it took, its verdict, and the rows of each step."""
    file = tmp_path / "flows.prom"
    found = FlowFolder(tmp_path).run(STEPS, now=day(16), watchers=[MetricsFile(file)])
    text = file.read_text()
    assert values(text, "run_due_timestamp_seconds") == {("prices",): day(16).timestamp()}
    assert values(text, "run_ended_timestamp_seconds") == {("prices",): seconds(found.state.ended)}
    assert values(text, "run_begun_timestamp_seconds") == {("prices",): day(16).timestamp()}
    assert values(text, "run_duration_seconds")[("prices",)] >= 0
    verdicts = {"ok": 0, "suspicious": 1, "failed": 0, "none": 0}
    assert values(text, "run_verdict") == {("prices", name): held for name, held in verdicts.items()}
    assert values(text, "runs") == {("prices", name): held for name, held in verdicts.items()}
    assert values(text, "run_last_ok_timestamp_seconds") == {}
    assert values(text, "step_rows") == {("prices", "shop"): 3, ("prices", "good"): 2, ("prices", "kept"): 2}
    assert values(text, "step_held_rows")[("prices", "good")] == 1
    assert values(text, "step_failed")[("prices", "kept")] == 0
    read = values(text, "step_read_timestamp_seconds")
    assert read[("prices", "shop")] == seconds(found.state.steps["shop"].at)


def test_a_run_that_failed_has_ended_too(tmp_path: Path) -> None:
    """It may be taken up again, but whoever is on watch wants to know now; the last good one is still told."""
    folder, file = FlowFolder(tmp_path), tmp_path / "flows.prom"
    first = folder.run("shop:\n  read: shop.csv\n", now=day(10), watchers=[MetricsFile(file)])
    (tmp_path / "shop.csv").unlink()
    folder.run(now=day(11), watchers=[MetricsFile(file)])
    text = file.read_text()
    assert values(text, "run_verdict")[("prices", "failed")] == 1
    assert values(text, "run_due_timestamp_seconds") == {("prices",): day(11).timestamp()}
    assert values(text, "step_failed") == {("prices", "shop"): 1}
    assert values(text, "run_last_ok_timestamp_seconds") == {("prices",): seconds(first.state.ended)}
    assert values(text, "runs")[("prices", "ok")] == 1
    assert values(text, "step_read_timestamp_seconds") == {}


def test_flows_share_one_file_or_have_one_each_in_a_folder(tmp_path: Path) -> None:
    """All flows of the store in a file; of a folder each flow has its own, which no other one touches."""
    file, folder = tmp_path / "all.prom", tmp_path / "metrics"
    folder.mkdir()
    for name in ("north", "south"):
        (tmp_path / f"{name}.flow.yaml").write_text("flow: 1\nsteps:\n  shop:\n    read: shop.csv\n")
    FlowFolder(tmp_path)
    for name in ("north", "south", "north"):
        flow = Flow.load(tmp_path / f"{name}.flow.yaml")
        run_flow(flow, store=tmp_path / "store", fresh=True, watchers=[MetricsFile(file), MetricsFile(folder)])
    assert values(file.read_text(), "step_rows") == {("north", "shop"): 3, ("south", "shop"): 3}
    assert values(file.read_text(), "runs")[("north", "ok")] == 2
    assert sorted(path.name for path in folder.iterdir()) == ["sightline-north.prom", "sightline-south.prom"]
    assert set(values((folder / "sightline-north.prom").read_text(), "step_rows")) == {("north", "shop")}


def test_names_are_escaped(tmp_path: Path) -> None:
    """A flow may be called what a file may be called."""
    name = 'a "b" \\ c\nd'
    store = FlowStore(tmp_path, name)
    step = StepState("done", 5, at=day(10).isoformat())
    state = RunState("x", name, day(10).isoformat(), day(10).isoformat(), "ok", steps={"shop": step})
    store.begin(state, "x")
    assert values(metrics_text([store]), "step_rows") == {(name, "shop"): 5}


def test_runs_that_were_closed_or_are_damaged_have_no_verdict(tmp_path: Path) -> None:
    """They are counted, and nothing else is said of them."""
    store = FlowStore(tmp_path, "prices")
    for number in range(3):
        began = day(10) + timedelta(hours=number)
        store.begin(RunState("", "prices", began.isoformat(), began.isoformat(), abandoned="it was left"))
    (store.run(store.run_ids()[0]).path / "run.json").write_text("{")
    text = metrics_text([store])
    assert values(text, "runs") == {
        ("prices", verdict): count for verdict, count in {"ok": 0, "suspicious": 0, "failed": 0, "none": 3}.items()
    }
    assert values(text, "run_verdict")[("prices", "none")] == 1


def test_there_may_be_no_run_at_all(tmp_path: Path) -> None:
    """Then only the counts are there."""
    assert set(values(metrics_text([FlowStore(tmp_path, "prices")]), "runs").values()) == {0}


def test_a_folder_that_is_not_there_is_told_before_the_run(tmp_path: Path) -> None:
    """And a file that can't be written later is a notice of the run."""
    with pytest.raises(UsageError, match="There is no folder"):
        MetricsFile(tmp_path / "gone" / "x.prom")
    file = tmp_path / "sub" / "x.prom"
    file.parent.mkdir()
    metrics: Any = MetricsFile(file)
    file.parent.rmdir()
    found = FlowFolder(tmp_path).run("shop:\n  read: shop.csv\n", watchers=[metrics])
    assert found.verdict == "ok"
    assert "x.prom" in found.state.notices[0]
