"""What an MCP server may open, and what a call may cost."""

from dataclasses import dataclass

from sightline.settings import Settings, setting

__all__ = ["McpSettings"]


@dataclass(frozen=True, kw_only=True)
class McpSettings(Settings):
    """What the tools of an MCP server may open, and what a call may cost.

    >>> McpSettings().allow_private
    False
    """

    static: bool = setting(default=False, help="whether to use only the HTML, without a browser")
    allow_private: bool = setting(
        default=False, help="whether private, loopback and link-local addresses may be opened, too"
    )
    allow_files: str = setting("", help="a folder whose files may be opened, too; without one, no file is")
    call_seconds: float = setting(300.0, help="maximum seconds for one call of a tool", minimum=0.01)
    calls: int = setting(4, help="how many calls are worked on at once; the others wait", minimum=1)
