"""The help of every command, and `doctor`."""

import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from unittest.mock import patch

import pytest
import typer
from rich.console import Console

from sightline.cli import program
from sightline.cli._app import COMMANDS as SUMMARIES
from sightline.cli._doctor import _extras_table
from sightline.cli._sources import LOADING
from sightline.extract.lists import ListSettings, TopSettings
from sightline.extract.schemas import InduceSettings
from sightline.extract.tables import TableSettings
from sightline.extract.wrappers import TeachSettings
from sightline.extras import EXTRAS, Extra
from sightline.net import CrawlPolicy, Limits
from sightline.settings import Settings, describe
from sightline.sources import BrowserSettings, find_browser

from .._wait import BOUND
from ._command import started
from ._inside import sightline

with patch.object(sys, "argv", ["sightline", "--help-all"]):
    ALL = typer.main.get_command(program()).commands  # type: ignore[attr-defined]
COMMANDS = sorted(ALL)
LOADING_COMMANDS = ["save", "show", "tables", "lists", "top", "induce", "teach", "extract", "explain", "repair"]
IMPORTS_OF_EACH = """
import os, sys
from rich.console import Console

from sightline.cli import program
for command in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        program([command])
        parts = ('sightline.extract', 'sightline.draw', 'PIL')
        print(*(name for name in sys.modules if name.startswith(parts)), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""
CLI = (Path(__file__).parent.parent.parent / "docs" / "cli.md").read_text("utf-8")


def _shown_flags(command: str) -> set[str]:
    """The flags of a command without hidden ones, which are for the study of the algorithms (docs/ablation.md)."""
    shown = [parameter for parameter in ALL[command].params if not getattr(parameter, "hidden", False)]
    return {name for parameter in shown for name in parameter.opts if name.startswith("--")}


@pytest.mark.parametrize("command", COMMANDS)
def test_help_mentions_every_flag(command: str) -> None:
    """What a command can be told is said by its whole help, with examples where it takes sources."""
    done = sightline(command, "--help-all" if "--help-all" in _shown_flags(command) else "--help")
    assert done.status == 0
    flags = _shown_flags(command)
    assert flags
    assert {flag for flag in flags if flag not in done.output} == set()


@pytest.mark.parametrize("command", LOADING_COMMANDS)
def test_help_is_about_the_command(command: str) -> None:
    """The flags of browser, limits and policy are for those who ask for all; the help says how."""
    done = sightline(command, "--help")
    assert "--help-all" in done.output
    assert "--pages-per-tab" not in done.output
    assert "--ignore-robots-for" not in done.output
    assert "--json" in done.output


@pytest.mark.parametrize("command", ["tables", "lists", "top", "induce"])
def test_switches_of_single_rules_are_not_for_users(command: str) -> None:
    """They work, for whoever studies the algorithms, and the help does not list them."""
    assert "--without" in {name for parameter in ALL[command].params for name in parameter.opts}
    assert not re.search(r"--without(?!-)", sightline(command, "--help").output)


@pytest.mark.parametrize("command", LOADING_COMMANDS)
def test_help_has_every_setting(command: str) -> None:
    """Every setting of loading is a flag of the commands that load."""
    own = ALL[command]
    flags = {name for parameter in own.params for name in parameter.opts}
    for kind in (BrowserSettings, Limits, CrawlPolicy):
        assert {f"--{one.name.replace('_', '-')}" for one in describe(kind)} <= flags


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("tables", TableSettings),
        ("lists", ListSettings),
        ("top", TopSettings),
        ("induce", InduceSettings),
        ("teach", TeachSettings),
        ("extract", None),
        ("explain", None),
        ("edit", None),
        ("repair", None),
        ("code", None),
    ],
)
def test_documentation_of_a_command_has_its_flags(command: str, kind: type[Settings] | None) -> None:
    """Each section has every flag that the command has beyond those of all, and the defaults as they are."""
    section = CLI.split(f"\n## `{command}`\n")[1].split("\n## ")[0]
    common = {f"--{declared.name.replace('_', '-')}" for one in LOADING.values() for declared in fields(one)}
    flags = _shown_flags(command)
    assert {flag for flag in flags - common - {"--help", "--help-all"} if f"`{flag}" not in section} == set()
    for declared in describe(kind) if kind else ():
        if type(declared.default) in (int, float):
            line = next(line for line in section.splitlines() if f"| `--{declared.name.replace('_', '-')}`" in line)
            assert f"({declared.default:g})" in line


def test_help_of_the_program_names_its_commands() -> None:
    """`sightline` alone and `sightline --help` list the commands; `--version` tells the version."""
    done = sightline("--help")
    assert all(command in done.output for command in COMMANDS)
    assert sightline("--version").output.startswith("sightline ")


@pytest.mark.parametrize("command", COMMANDS)
def test_summary_is_the_first_line_of_the_help(command: str) -> None:
    """`sightline --help` lists commands without importing them, so their lines are written twice."""
    documented = ALL[command].callback.__doc__
    assert documented.splitlines()[0] == SUMMARIES[command]


def test_nothing_is_imported_that_is_not_called() -> None:
    """Saving a page loads no extractor, and an extractor loads no other and no pictures."""
    commands = ("save", "lists", "top", "extract", "edit", "teach", "repair", "code")
    script = [sys.executable, "-c", IMPORTS_OF_EACH, *commands]
    done = subprocess.run(script, capture_output=True, text=True, check=True, timeout=BOUND)
    loaded = dict(zip(commands, map(str.split, done.stdout.splitlines()), strict=True))
    assert loaded["save"] == loaded["code"] == []  # the latter takes wrappers and scripts, and imports what it is given
    owners = {"lists": "lists", "top": "lists"} | dict.fromkeys(("extract", "edit", "teach", "repair"), "wrappers")
    for command, own in owners.items():
        assert f"sightline.extract.{own}" in loaded[command]
        others = tuple(f"sightline.extract.{name}" for name in ("tables", "lists", "wrappers") if name != own)
        assert not [name for name in loaded[command] if name.startswith((*others, "sightline.draw"))]


def test_doctor_finds_everything() -> None:
    """On a machine with a browser the doctor tries it and is content."""
    assert find_browser(), "these tests need a browser; run `sightline doctor --install`"
    done = started("doctor", "--json")
    found = json.loads(done.output)
    assert (done.status, found["ok"]) == (0, True), found
    browser = next(finding for finding in found["findings"] if finding["what"] == "browser")
    assert browser["state"] == "ok"


def test_doctor_misses_a_browser() -> None:
    """Where the named browser does not exist the doctor says so and ends with status 1."""
    done = started("doctor", SIGHTLINE_BROWSER="/nonexistent")
    assert done.status == 1
    assert "✗ browser" in done.output
    assert "SIGHTLINE_BROWSER" in done.output
    done = sightline("show", "-", stdin=b"<p>x", SIGHTLINE_BROWSER="/nonexistent")
    assert done.status == 1
    assert "/nonexistent" in done.errors


def test_doctor_tells_the_whole_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the name of the extra in its brackets, which a style of the terminal must not swallow."""
    monkeypatch.setattr(Extra, "is_installed", False)
    console = Console(width=200)
    with console.capture() as shown:
        console.print(_extras_table())
    for name in EXTRAS:
        assert f"pip install 'sightline-data[{name}]'" in shown.get()


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_no_names_of_classes(command: str) -> None:
    """The panels of flags have plain names, also those that a command declares itself."""
    assert "Settings" not in sightline(command, "--help").output
