"""`sightline mcp`: the verbs as tools for agents."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from sightline.cli._console import remark
from sightline.cli._flags import takes
from sightline.mcp import McpSettings, serve_http, serve_stdio
from sightline.net import Limits
from sightline.sources import BrowserSettings

__all__ = ["register"]

TOKEN = "SIGHTLINE_MCP_TOKEN"
FOLDER = Path("sightline-project")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("mcp")(takes(serving=McpSettings, browser=BrowserSettings, limits=Limits)(mcp_command))


def mcp_command(
    *,
    project: Annotated[
        Path, typer.Option("--project", metavar="DIR", help="The folder that pages and wrappers are kept in.")
    ] = FOLDER,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over streamable HTTP on this machine, instead of standard input.")
    ] = False,
    port: Annotated[int, typer.Option("--port", help="The port for --http; 0 takes any that is free.", min=0)] = 8321,
    **settings: Any,
) -> None:
    """Serve the verbs as tools for AI agents, over the Model Context Protocol: on standard input or HTTP.

    Agents may open web addresses only, and none on private networks, unless you allow it. robots.txt and pace are
    respected as everywhere.

    With --http, clients send the token that is printed; the variable SIGHTLINE_MCP_TOKEN sets one that stays.

    [bold]Examples[/]

      sightline mcp --project ~/data

      sightline mcp --allow-files ~/saved-pages

      sightline mcp --http --port 8321
    """
    serving, limits, browser = settings["serving"], settings["limits"], settings["browser"]
    if not http:
        serve_stdio(project, serving, limits=limits, browser=browser)
        return
    token = os.environ.get(TOKEN, "")
    serve_http(project, serving, port=port, token=token, on_ready=_announce, limits=limits, browser=browser)


def _announce(address: str, token: str) -> None:
    remark(f"Serving agents on {address}; end with Ctrl-C.\nAuthorization: Bearer {token}")
