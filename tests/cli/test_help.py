"""The help of every command, and `doctor`."""

import json
from dataclasses import fields

import pytest
import typer

from sightline.cli import program
from sightline.sources import BrowserSettings, Limits, Manners, find_browser

from ._command import sightline

ALL = typer.main.get_command(program()).commands  # type: ignore[attr-defined]
COMMANDS = sorted(ALL)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_mentions_every_flag(command: str) -> None:
    """What a command can be told is said by its help, with examples where it takes sources."""
    done = sightline(command, "--help")
    assert done.status == 0
    own = ALL[command]
    flags = [name for parameter in own.params for name in parameter.opts if name.startswith("--")]
    assert flags
    assert [flag for flag in flags if flag not in done.output] == []


@pytest.mark.parametrize("command", ["save", "show", "tables"])
def test_help_has_every_setting(command: str) -> None:
    """Every setting of loading is a flag of the commands that load."""
    own = ALL[command]
    flags = {name for parameter in own.params for name in parameter.opts}
    for kind in (BrowserSettings, Limits, Manners):
        assert {f"--{field.name.replace('_', '-')}" for field in fields(kind)} <= flags


def test_help_of_the_program_names_its_commands() -> None:
    """`sightline` alone and `sightline --help` list the commands; `--version` tells the version."""
    done = sightline("--help")
    assert all(command in done.output for command in COMMANDS)
    assert sightline("--version").output.startswith("sightline ")


def test_doctor_finds_everything() -> None:
    """On a machine with a browser the doctor tries it and is content."""
    assert find_browser(), "these tests need a browser; run `sightline doctor --install`"
    done = sightline("doctor", "--json")
    found = json.loads(done.output)
    assert (done.status, found["ok"]) == (0, True), found
    browser = next(finding for finding in found["findings"] if finding["what"] == "browser")
    assert browser["state"] == "ok"


def test_doctor_misses_a_browser() -> None:
    """Where the named browser does not exist the doctor says so and ends with status 1."""
    done = sightline("doctor", SIGHTLINE_BROWSER="/nonexistent")
    assert done.status == 1
    assert "✗ browser" in done.output
    assert "SIGHTLINE_BROWSER" in done.output
    done = sightline("show", "-", stdin=b"<p>x", SIGHTLINE_BROWSER="/nonexistent")
    assert done.status == 1
    assert "/nonexistent" in done.errors
