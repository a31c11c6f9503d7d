"""`sightline doctor`: whether everything needed is installed, and if not, how to install it."""

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass

import typer
from rich import box
from rich.table import Table
from rich.text import Text

import sightline as sl
from sightline import native
from sightline.cli._console import output, print_json, remark
from sightline.cli._flags import switch
from sightline.cli._sources import JsonFlags
from sightline.errors import SightlineError
from sightline.extras import EVERYTHING, EXTRAS, install_command
from sightline.sources import find_browser

OLDEST_PYTHON = (3, 11)
WITHOUT_WINDOWS = (
    "`sightline record` needs a browser with a window; install Chromium, Chrome or Edge itself (on Debian or Ubuntu: "
    "`apt-get install chromium`), or record in the Studio"
)
TRIAL = b"<title>trial</title><p style='width:100px'>It works"
INSTALL_SECONDS = 600
LOCK_SECONDS = 300


@dataclass(frozen=True)
class Finding:
    """The state of one requirement."""

    what: str
    state: str  # "ok", "missing" (needed) or "optional"
    detail: str


@dataclass(frozen=True, kw_only=True)
class DoctorFlags(JsonFlags):
    """What is done about what is missing."""

    install: bool = switch(help="install a browser if none is found")
    static: bool = switch(help="leave out the browser, which pages that are read without one do not need")


def doctor_command(flags: DoctorFlags) -> None:
    """Check that Sightline has everything it needs, test the browser, and say how to install what is missing."""
    if flags.install and find_browser() is None:
        install_browser()
    findings = [_python(), _kernels(), *([] if flags.static else [_browser(), _window()])]
    healthy = all(finding.state != "missing" for finding in findings)
    if flags.json:
        print_json({"ok": healthy, "findings": [vars(finding) for finding in findings], "extras": _extras()})
    else:
        for finding in findings:
            mark, style = {"ok": ("✓", "green"), "missing": ("✗", "red"), "optional": ("–", "dim")}[finding.state]
            output.print(Text(f"{mark} {finding.what:<10} {finding.detail}", style=style))
        output.print(_extras_table())
        if not all(extra.is_installed for extra in EXTRAS.values()):
            output.print(f"All of them: {install_command(EVERYTHING)}", markup=False, highlight=False)
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


def _extras() -> list[dict[str, object]]:
    """Every optional part: what it enables, whether it is installed, and the command that installs it."""
    return [
        {
            "name": extra.name,
            "enables": extra.enables,
            "installed": extra.is_installed,
            "command": install_command(extra.name),
        }
        for extra in EXTRAS.values()
    ]


def _extras_table() -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("optional part", "what it enables", "turn it on with"):
        table.add_column(column, overflow="fold")
    for extra in EXTRAS.values():
        installed = extra.is_installed
        mark = Text("✓ ", "green") if installed else Text("– ", "dim")
        # A text of its own: the brackets of the command would be taken for marks of a style.
        how = Text("installed" if installed else install_command(extra.name))
        table.add_row(mark + extra.name, extra.enables, how)
    return table


def _window() -> Finding:
    """Whether there is a browser that can open a window, as `sightline record` needs."""
    path = find_browser(headed=True)
    if path is None:
        return Finding("window", "optional", WITHOUT_WINDOWS)
    return Finding("window", "ok", f"{path} can open windows where there is a display")


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
        # Another program may be installing just now, as fresh machines do by themselves: wait for it.
        patient = ["-o", f"DPkg::Lock::Timeout={LOCK_SECONDS}"]
        install = [*root, "apt-get", *patient, "install", "-y", "--no-install-recommends"]
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
