"""`sightline doctor`: whether everything needed is installed, and if not, how to install it."""

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.text import Text

import sightline as sl
from sightline import native
from sightline.cli._console import output, print_json, remark
from sightline.cli._sources import Json
from sightline.errors import SightlineError
from sightline.sources import find_browser

__all__ = ["register"]

OLDEST_PYTHON = (3, 11)
EXTRAS = {"excel": "xlsxwriter", "parquet": "pyarrow", "pandas": "pandas", "polars": "polars", "duckdb": "duckdb"}
TRIAL = b"<title>trial</title><p style='width:100px'>It works"
INSTALL_SECONDS = 600


@dataclass(frozen=True)
class Finding:
    """The state of one requirement."""

    what: str
    state: str  # "ok", "missing" (needed) or "optional"
    detail: str


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(doctor)


def doctor(
    *,
    install: Annotated[bool, typer.Option("--install", help="Install a browser if none is found.")] = False,
    json: Json = False,
) -> None:
    """Check that Sightline has everything it needs, test the browser, and say how to install what is missing."""
    if install and find_browser() is None:
        install_browser()
    findings = [_python(), _kernels(), _browser(), *_extras()]
    healthy = all(finding.state != "missing" for finding in findings)
    if json:
        print_json({"ok": healthy, "findings": [vars(finding) for finding in findings]})
    else:
        for finding in findings:
            mark, style = {"ok": ("✓", "green"), "missing": ("✗", "red"), "optional": ("–", "dim")}[finding.state]
            output.print(Text(f"{mark} {finding.what:<10} {finding.detail}", style=style))
    if not healthy:
        raise typer.Exit(1)


def _python() -> Finding:
    version = platform.python_version()
    good = sys.version_info >= OLDEST_PYTHON
    return Finding("python", "ok" if good else "missing", f"{version}, sightline {sl.__version__}")


def _kernels() -> Finding:
    """Whether the loops that take longest run as compiled code."""
    return Finding("speed", "ok" if native.kernels else "optional", native.in_use())


def _browser() -> Finding:
    """Whether a browser is installed and renders a page."""
    try:
        page = sl.open(TRIAL)
    except SightlineError as error:
        return Finding("browser", "missing", error.message)
    path = find_browser()
    box = page.node(int(page.with_tag("p")[0])).box
    if box is None or box[2] - box[0] != 100:
        return Finding("browser", "missing", f"{path} starts but does not lay out pages; try another browser.")
    sandbox = ", without its sandbox because you are root" if os.geteuid() == 0 else ""
    return Finding("browser", "ok", f"{path} renders{sandbox}")


def _extras() -> list[Finding]:
    return [
        Finding(extra, "ok", "installed")
        if importlib.util.find_spec(module)
        else Finding(extra, "optional", f"not installed; pip install 'sightline-data[{extra}]'")
        for extra, module in EXTRAS.items()
    ]


def install_browser() -> None:
    """Install Chromium with the system's package manager; nothing is downloaded from anywhere else."""
    for command in _installers():
        remark("Running: " + " ".join(command))
        subprocess.run(command, check=False, timeout=INSTALL_SECONDS, stdout=sys.stderr)
        if find_browser():
            return
    raise SightlineError(
        "No browser could be installed automatically; install Chromium, Chrome or Edge yourself, "
        "or set SIGHTLINE_BROWSER to the path of one."
    )


def _installers() -> list[list[str]]:
    """The commands to try, best first, for this machine's package manager."""
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if shutil.which("apt-get"):
        install = [*root, "apt-get", "install", "-y", "--no-install-recommends"]
        fonts = "fonts-liberation"
        return [
            [*root, "apt-get", "update"],
            [*install, "chromium-headless-shell", fonts],
            [*install, "chromium", fonts],
            [*install, "chromium-browser", fonts],
        ]
    if shutil.which("brew"):
        return [["brew", "install", "--cask", "chromium"], ["brew", "install", "--cask", "google-chrome"]]
    if shutil.which("dnf"):
        return [[*root, "dnf", "install", "-y", "chromium-headless"], [*root, "dnf", "install", "-y", "chromium"]]
    return []
