"""Sightline's verbs as tools for agents, over the Model Context Protocol: on standard input and output, or on HTTP.

How clients are configured, what the tools take and give, and what they refuse is described in docs/mcp.md.
"""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.mcp._desk import McpSettings
    from sightline.mcp._serve import serve_http, serve_stdio

__all__ = [
    "McpSettings",
    "serve_http",
    "serve_stdio",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_protocol": "",
        "_serve": "serve_http serve_stdio",
        "_desk": "McpSettings",
    },
)
