"""What a session may cause: one declaration for all that only sessions do."""

from dataclasses import dataclass
from pathlib import Path

from sightline.settings import Settings, setting

__all__ = ["SessionFiles", "SessionSettings"]


@dataclass(frozen=True, kw_only=True)
class SessionSettings(Settings):
    """What the pages of a session may do in answer to an action."""

    dialogs: int = setting(20, help="maximum number of dialogs that one action may open", minimum=0)
    tabs: int = setting(20, help="maximum number of tabs that pages may have open", minimum=1)
    download_bytes: int = setting(500_000_000, help="maximum bytes of a download", minimum=1)
    download_seconds: float = setting(600.0, help="maximum seconds for the downloads of one action", minimum=0.01)


@dataclass(frozen=True, kw_only=True)
class SessionFiles:
    """Where a session keeps things, if anywhere: a folder for downloads, a file for cookies and storage."""

    downloads: Path | None = None
    state: Path | None = None
