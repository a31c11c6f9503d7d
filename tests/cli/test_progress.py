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


def test_a_long_document_alone_is_told_with_its_part(monkeypatch: pytest.MonkeyPatch, drawn: io.StringIO) -> None:
    """One source has no bar, but a line with the part that is being read, as soon as it takes long."""
    monkeypatch.setattr(_console, "LONG", 0.0)
    with showing_progress(lambda: "sheet 12 of 340") as on_progress:
        assert on_progress
        on_progress(Progress("Opening pages", done=0, total=1))
        wait_until(lambda: "Reading sheet 12 of 340" in drawn.getvalue())


def test_work_without_sources_is_told(monkeypatch: pytest.MonkeyPatch, drawn: io.StringIO) -> None:
    """Learning and repairing have nothing to count, and are told all the same."""
    monkeypatch.setattr(_console, "LONG", 0.0)
    with working("Repairing"):
        wait_until(lambda: "Repairing" in drawn.getvalue())


def test_several_sources_have_a_bar_at_once(monkeypatch: pytest.MonkeyPatch, drawn: io.StringIO) -> None:
    """How many of how many are done, and not only if it takes long."""
    monkeypatch.setattr(_console, "LONG", 3600.0)
    with showing_progress() as on_progress:
        assert on_progress
        on_progress(Progress("Opening pages", done=3, total=12))
        wait_until(lambda: "3 of 12" in drawn.getvalue())


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
