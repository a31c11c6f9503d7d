"""`sightline studio` and `mcp`: the Studio in a web browser with the REST API, and the tools for agents."""

import os
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Annotated

from sightline.cli._console import output, remark
from sightline.cli._flags import Flags, argument, flag, switch
from sightline.errors import UsageError
from sightline.files import read_bytes
from sightline.mcp import McpSettings, serve_http, serve_stdio
from sightline.net import Limits
from sightline.project import Project, ProjectKeys, project_keys, remember_project
from sightline.server import PASSWORD_VARIABLE, StudioSettings, is_loopback_name
from sightline.sources import BrowserSettings

LONGEST_PASSWORD = 1_000  # characters
SHORTEST_PASSWORD = 8


@dataclass(frozen=True, kw_only=True)
class StudioFlags(Flags):
    """Who may come in, and how the Studio is shown."""

    password_file: Path | None = flag(
        None, help=f"file whose first line is the password; else {PASSWORD_VARIABLE} says it"
    )
    no_open: bool = switch(help="only print the address; open no browser")


def studio_command(
    sources: Annotated[
        list[str] | None,
        argument(metavar="[SOURCE…]", help="Pages to open at the start: URLs, files, globs or folders."),
    ] = None,
    *,
    flags: StudioFlags,
    studio: StudioSettings,
) -> None:
    """Start the Studio, where pages, tables, lists and wrappers are worked with by hand, in your web browser.

    It prints its address and opens it. Everything is kept in a project folder, as files that the other commands
    read as well: pages, wrappers, lessons, runs. Ctrl-C ends it; jobs that run are cancelled.

    The address has a token in it, which only you know. Programs use the same server as a REST API, with
    `Authorization: Bearer TOKEN`; /api/openapi.json describes it.

    [bold]Examples[/]

      sightline studio

      sightline studio https://example.org/cameras report.pdf --project cameras

      sightline studio --no-open --port 9000

      SIGHTLINE_PASSWORD=… sightline studio --host 0.0.0.0
    """
    password = _password(flags.password_file)
    if password is None and not is_loopback_name(studio.host):
        raise UsageError(
            f"With --host {studio.host} others can reach the Studio, so it needs a password; set {PASSWORD_VARIABLE}, "
            "or give --password-file."
        )
    folder = Path(studio.project)
    Project(folder).prepare()
    _serve(studio, folder, password, sources or [], no_open=flags.no_open)


def _serve(chosen: StudioSettings, folder: Path, password: str | None, sources: list[str], *, no_open: bool) -> None:
    from sightline.server import Access, claimed, create_app, listening, open_several, serve  # slow to import

    # With a password, others can reach the Studio: then nobody who was once let in stays so.
    keys = project_keys(folder) if password is None else ProjectKeys()
    app = create_app(chosen, access=Access(chosen.host, password, keys.token, keys.session))
    with listening(chosen.host, chosen.port) as listener, claimed(folder) as other, _browsing(no_open) as show:
        remember_project(folder)
        if other:
            remark(f"{folder} is served by {other} as well; both can be used, and no save is lost.")
        if sources:
            studio = app.state.studio
            title = sources[0] if len(sources) == 1 else f"{len(sources)} sources"
            studio.board.start("open", title, open_several(studio, sources, None, trusted=True))
        try:
            serve(app, listener, lambda address: _ready(address, folder, show))
        except KeyboardInterrupt:
            remark("Stopped.")


def _password(file: Path | None) -> str | None:
    if file is not None:
        content = read_bytes(file, "write the password into it, or give another file", LONGEST_PASSWORD)
        password = content.decode("utf-8", "replace").splitlines()[0].strip() if content.strip() else ""
    else:
        password = os.environ.get(PASSWORD_VARIABLE, "")
    if file is None and not password:
        return None
    if len(password) < SHORTEST_PASSWORD:
        raise UsageError(f"The password is too short; use at least {SHORTEST_PASSWORD} characters.")
    return password


class _Shower:
    """Opens an address in the user's browser, by a file that only the user can read: other users see command lines."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def __call__(self, address: str) -> None:
        if self._folder is None:
            return
        page = self._folder / "studio.html"
        page.touch(mode=0o600)
        refresh = f'<meta http-equiv="refresh" content="0; url={escape(address)}">'
        page.write_text(f"<!doctype html><title>Sightline Studio</title>{refresh}\n", "utf-8")
        webbrowser.open(page.as_uri())


@contextmanager
def _browsing(no_open: bool) -> Iterator[_Shower]:  # noqa: FBT001 - a flag of the command line
    """What opens a browser, if there is one to open and somebody who would look at it."""
    has_display = sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if no_open or not has_display or not sys.stdout.isatty():
        yield _Shower(None)
        return
    with tempfile.TemporaryDirectory(prefix="sightline-studio-") as folder:
        yield _Shower(Path(folder))


def _ready(address: str, folder: Path, show: _Shower) -> None:
    output.print(f"Sightline Studio: {address}  (project {folder}; Ctrl-C ends it)", markup=False, soft_wrap=True)
    output.file.flush()
    show(address)


# `sightline mcp`: the verbs as tools for agents.

TOKEN = "SIGHTLINE_MCP_TOKEN"
FOLDER = Path("sightline-project")


@dataclass(frozen=True, kw_only=True)
class McpFlags(Flags):
    """Where agents find the tools."""

    project: Path = flag(FOLDER, help="the folder that pages and wrappers are kept in", metavar="DIR")
    http: bool = switch(help="serve over streamable HTTP on this machine, instead of standard input")
    port: int = flag(8321, help="the port for --http; 0 takes any that is free", minimum=0)


def mcp_command(flags: McpFlags, serving: McpSettings, browser: BrowserSettings, limits: Limits) -> None:
    """Serve the verbs as tools for AI agents, over the Model Context Protocol: on standard input or HTTP.

    Agents may open web addresses only, and none on private networks, unless you allow it. robots.txt and pace are
    respected as everywhere.

    With --http, clients send the token that is printed; the variable SIGHTLINE_MCP_TOKEN sets one that stays.

    [bold]Examples[/]

      sightline mcp --project ~/data

      sightline mcp --allow-files ~/saved-pages

      sightline mcp --http --port 8321
    """
    if not flags.http:
        serve_stdio(flags.project, serving, limits=limits, browser=browser)
        return
    token = os.environ.get(TOKEN, "")
    serve_http(flags.project, serving, port=flags.port, token=token, on_ready=_announce, limits=limits, browser=browser)


def _announce(address: str, token: str) -> None:
    remark(f"Serving agents on {address}; end with Ctrl-C.\nAuthorization: Bearer {token}")
