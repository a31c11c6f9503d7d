"""The log for programs: one JSON line an event, without secrets."""

import json
from pathlib import Path
from typing import Any

import pytest

from sightline.flow.operate import JsonLog
from sightline.flow.run import FlowEvent, FlowStore, RunFolder, RunState, RunWatcher, WatchedRun
from sightline.flow.spec import Flow
from sightline.jobs import Cancel
from sightline.redaction import forget_secrets, remember

from ..run.conftest import FlowFolder, day

STEPS = """\
shop:
  read: shop.csv
good:
  check: shop
  need: [name]
  rules:
    cheap: id::INT < 3
kept:
  deliver: good
  to: out.csv
"""


class Lines:
    """What a log wrote."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.log = JsonLog(self.lines.append)

    def read(self) -> list[dict[str, Any]]:
        """Every line; each is one object."""
        assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in self.lines)
        return [json.loads(line) for line in self.lines]

    def named(self, event: str, step: str = "") -> dict[str, Any]:
        """The only line about something."""
        [found] = [line for line in self.read() if line["event"] == event and line.get("step", "") == step]
        return found


def test_a_run_is_told_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    """Each line with the flow, the run and its due date; each step with its rows, its verdict and the reasons."""
    told = Lines()
    found = FlowFolder(tmp_path).run(STEPS, now=day(16), watchers=[told.log])
    lines = told.read()
    assert [line["event"] for line in lines[:2]] == ["run_begun", "step_begun"]
    assert lines[-1]["event"] == "run_ended"
    for line in lines:
        assert (line["flow"], line["run"], line["due"]) == ("prices", found.id, "2026-11-16T06:30:00+00:00")
        assert line["level"] in ("info", "warning", "error")
        assert line["time"].endswith("+00:00")
    good = told.named("step_done", "good")
    assert (good["level"], good["rows"], good["held"], good["verdict"]) == ("warning", 2, 1, "suspicious")
    assert good["reasons"] == ["1 rows held back: not so: cheap"]
    assert good["what"] == "check shop"
    ended = told.named("run_ended")
    assert (ended["level"], ended["verdict"], ended["rows"], ended["held"]) == ("warning", "suspicious", 2, 1)


def test_a_step_that_fails_and_those_behind_it(tmp_path: Path) -> None:
    """The error is the detail; what can't run says why. The same run goes on later, and the log says so."""
    folder, told = FlowFolder(tmp_path), Lines()
    folder.run("gone:\n  read: gone.csv\nkept:\n  deliver: gone\n  to: out.csv\n", watchers=[told.log])
    failed = told.named("step_failed", "gone")
    assert failed["level"] == "error"
    assert "gone.csv" in failed["detail"]
    assert told.named("step_skipped", "kept")["detail"] == "`gone` failed"
    assert told.named("run_ended")["level"] == "error"
    again = Lines()
    (tmp_path / "gone.csv").write_text("a\n1\n")
    folder.run(resume=told.named("run_ended")["run"], watchers=[again.log])
    assert again.named("run_begun")["taken_up"] is True
    assert again.named("run_ended")["verdict"] == "ok"


def test_secrets_are_hidden_wherever_they_are() -> None:
    """Also in what a plugin says, and in what the command would have told people."""
    told = Lines()
    remember("correct horse")
    try:
        told.log.message("error", "postgresql://anna:hunter2@db/x said: correct%20horse")
    finally:
        forget_secrets()
    [line] = told.read()
    assert line["detail"] == "postgresql://anna:•••@db/x said: •••"


def test_control_characters_cannot_reach_a_terminal() -> None:
    """They are written as JSON has them."""
    told = Lines()
    told.log.message("info", "a\x9bb\x7f")
    assert b"\x9b" not in told.lines[0]
    assert b"\\u009b" in told.lines[0]
    assert told.read()[0]["detail"] == "a\x9bb\x7f"


def test_progress_is_told_now_and_then(tmp_path: Path) -> None:
    """A step tells it a thousand times a second, and the log once in ten seconds."""
    now = [0.0]
    lines: list[bytes] = []
    log = JsonLog(lines.append, lambda: now[0])
    flow = Flow.loads("flow: 1\nsteps:\n  shop:\n    read: shop.csv\n")
    state = RunState("r", "flow", day(16).isoformat())
    run = WatchedRun(flow, FlowStore(tmp_path, "flow"), RunFolder(tmp_path), state)
    log.happened(run, FlowEvent("begun", "shop"))
    for second in range(25):
        now[0] = second
        log.happened(run, FlowEvent("progress", "shop", rows=second))
    assert [json.loads(line)["rows"] for line in lines[1:]] == [10, 20]


def test_a_signal_may_tell_something_in_the_middle_of_a_line() -> None:
    """The handler of Ctrl-C runs wherever the program is just then; it does not wait for what it has interrupted."""
    lines: list[bytes] = []

    def write(line: bytes) -> None:
        if not lines:
            lines.append(b"")
            log.message("info", "stopping")
        lines.append(line)

    log = JsonLog(write)
    log.message("info", "working")
    assert [json.loads(line)["detail"] for line in lines[1:]] == ["stopping", "working"]


class _Complaining(RunWatcher):
    def begun(self, run: WatchedRun) -> list[str]:
        return [f"nobody listens to {run.state.id[:4]}"]


def test_what_watchers_complain_of_is_kept_with_the_run(tmp_path: Path) -> None:
    """As notices, which the log tells at the end; the run itself is none the worse."""
    told = Lines()
    found = FlowFolder(tmp_path).run("shop:\n  read: shop.csv\n", watchers=[_Complaining(), told.log])
    assert found.verdict == "ok"
    assert found.state.notices == (f"nobody listens to {found.id[:4]}",)
    assert told.named("run_ended")["notices"] == list(found.state.notices)
    assert RunFolder(found.folder).state.notices == found.state.notices


class _Interrupting(RunWatcher):
    def happened(self, run: WatchedRun, event: FlowEvent) -> None:
        if (event.kind, event.step, run.flow.name) == ("done", "shop", "prices"):
            raise KeyboardInterrupt


def test_a_run_that_is_interrupted_is_told(tmp_path: Path) -> None:
    """Ctrl-C between two steps; what was done stays done."""
    told = Lines()
    with pytest.raises(KeyboardInterrupt):
        FlowFolder(tmp_path).run(STEPS, watchers=[told.log, _Interrupting()], cancel=Cancel())
    assert told.read()[-1]["event"] == "run_stopped"
