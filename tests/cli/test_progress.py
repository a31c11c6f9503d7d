"""On a terminal, whoever waits for more than two seconds is told what for; elsewhere standard error stays clean."""

import io
import sys

import pytest
from rich.console import Console

from sightline.cli import _console
from sightline.cli._console import showing_progress, working
from sightline.jobs import Progress

from .._wait import wait_until


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What is drawn on standard error, if that is a terminal."""
    file = io.StringIO()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(
        _console, "_notes", Console(file=file, force_terminal=True, width=80, _environ={"TERM": "xterm"})
    )
    return file


@pytest.mark.parametrize(
    ("long", "progress", "line"),
    [
        (0.0, Progress("Opening pages", done=0, total=1), "Reading sheet 12 of 340"),
        (0.0, Progress("Repairing"), "Repairing sheet 12 of 340"),
        (3600.0, Progress("Opening pages", done=3, total=12), "3 of 12 · sheet 12 of 340"),
    ],
    ids=["one source, as soon as it takes long", "work without sources, too", "several sources, at once"],
)
def test_whoever_waits_is_told_what_for(
    monkeypatch: pytest.MonkeyPatch, drawn: io.StringIO, long: float, progress: Progress, line: str
) -> None:
    """One source has no bar, but a line with the part that is being read; several have a bar from the beginning."""
    monkeypatch.setattr(_console, "LONG", long)
    with showing_progress(lambda: "sheet 12 of 340") as on_progress:
        assert on_progress
        on_progress(progress)
        wait_until(lambda: line in drawn.getvalue())
    assert line in drawn.getvalue()


def test_work_of_a_command_is_told(monkeypatch: pytest.MonkeyPatch, drawn: io.StringIO) -> None:
    """What a command does after its pages are open is named on the same line."""
    monkeypatch.setattr(_console, "LONG", 0.0)
    with working("Learning"):
        wait_until(lambda: "Learning" in drawn.getvalue())
    assert "Learning" in drawn.getvalue()


def test_what_is_done_at_once_is_not_told(monkeypatch: pytest.MonkeyPatch, drawn: io.StringIO) -> None:
    """Nobody wants to know about work of a moment."""
    monkeypatch.setattr(_console, "LONG", 3600.0)
    with working("Learning"):
        pass
    assert "Learning" not in drawn.getvalue()


def test_nothing_is_drawn_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    """Standard error that is a file has no progress in it."""
    with showing_progress() as on_progress:
        assert on_progress is None
    assert capsys.readouterr().err == ""
