"""What a run tells to programs: `--log json`, `--metrics` and `--lineage`."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from ._command import COMMAND, environment
from ._inside import sightline

FLOW = """\
flow: 1
steps:
  shop:
    read: shop.csv
  kept:
    deliver: shop
    to: out.csv
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a flow."""
    (tmp_path / "shop.csv").write_text("id,name\n1,Arden\n")
    (tmp_path / "prices.flow.yaml").write_text(FLOW)
    return tmp_path


def test_standard_error_is_json_and_standard_output_is_as_ever(folder: Path) -> None:
    """Every line is an object; people who read standard output see what they always do."""
    plain = sightline("run", "prices.flow.yaml", folder=folder)
    logged = sightline("run", "prices.flow.yaml", "--log", "json", folder=folder)
    lines = [json.loads(line) for line in logged.errors.splitlines()]
    assert [line["event"] for line in lines] == [
        "run_begun",
        *("step_begun", "step_done") * 2,
        "run_ended",
    ]
    assert plain.errors == ""
    assert plain.output.splitlines()[:2] == logged.output.splitlines()[:2]
    document = sightline("run", "prices.flow.yaml", "--log", "json", "--json", folder=folder)
    assert json.loads(document.output)["run"]["verdict"] == "ok"


def test_errors_and_remarks_are_lines_too(folder: Path) -> None:
    """Also those of a run that could not begin; the exit status is the same."""
    (folder / "shop.csv").unlink()
    for words, status in (
        (("gone.flow.yaml",), 2),
        (("prices.flow.yaml",), 1),
        (("prices.flow.yaml", "--date", "x"), 2),
    ):
        found = sightline("run", *words, "--log", "json", folder=folder)
        lines = [json.loads(line) for line in found.errors.splitlines()]
        assert found.status == status
        assert (lines[-1]["level"], lines[-1]["event"]) == ("error", "message")


def test_one_run_feeds_metrics_and_lineage(folder: Path) -> None:
    """Both are files that are made where they are not."""
    names = ("--metrics", "prices.prom", "--lineage", "lineage.jsonl")
    assert sightline("run", "prices.flow.yaml", *names, folder=folder).status == 0
    assert 'sightline_step_rows{flow="prices",step="kept"} 1' in (folder / "prices.prom").read_text()
    events = [json.loads(line) for line in (folder / "lineage.jsonl").read_text().splitlines()]
    assert [event["eventType"] for event in events] == ["START", "COMPLETE"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--metrics", "gone/x.prom"), "no folder gone"),
        (("--lineage", "gone/x.jsonl"), "no folder gone"),
        (("--lineage", "ftp://host/x"), "can't be sent to ftp:"),
    ],
)
def test_places_that_cannot_be_meant_are_refused(folder: Path, words: tuple[str, ...], said: str) -> None:
    """Before anything is read."""
    found = sightline("run", "prices.flow.yaml", *words, folder=folder)
    assert (found.status, said in found.errors) == (2, True), found.errors
    assert not (folder / "store").exists()


@pytest.mark.slow
def test_a_schedule_logs_what_it_does(folder: Path) -> None:
    """Waiting, running and ending, with the events of the runs in between; standard output has a line for each run."""
    command = [*COMMAND, "schedule", "prices.flow.yaml", "--at", "every second", "--log", "json", "--metrics", "x.prom"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        lines = []
        for line in process.stderr:
            lines.append(json.loads(line))
            if lines[-1]["event"] == "schedule_ran":
                process.send_signal(signal.SIGINT)
        output = process.stdout.read().decode()
    events = [line["event"] for line in lines]
    for event in ("message", "schedule_waits", "schedule_runs", "run_begun", "run_ended", "schedule_ran"):
        assert event in events
    assert "schedule_stops" in events
    assert output.startswith("prices: ok, 1 row delivered")
    assert 'sightline_run_verdict{flow="prices",verdict="ok"} 1' in (folder / "x.prom").read_text()
