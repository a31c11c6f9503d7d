"""What a server of the Studio may be told at its start."""

from dataclasses import dataclass

from sightline.settings import Settings, setting

__all__ = ["PASSWORD_VARIABLE", "StudioSettings"]

_MB = 1_000_000
PASSWORD_VARIABLE = "SIGHTLINE_PASSWORD"


@dataclass(frozen=True, kw_only=True)
class StudioSettings(Settings):
    """Where the Studio keeps its things, where it listens, and what it accepts."""

    project: str = setting("sightline-project", help="folder of the project")
    host: str = setting("127.0.0.1", help="address to listen on; any but this machine's own needs a password")
    port: int = setting(8765, help="port to listen on; the next free one if it is taken", minimum=0, maximum=65_535)
    allow_private: bool = setting(
        default=False, help="whether addresses of this machine and its network may be opened from the Studio"
    )
    upload_bytes: int = setting(200 * _MB, help="maximum bytes of an uploaded file", minimum=1, hidden=True)
    upload_files: int = setting(500, help="maximum number of files in one upload", minimum=1, hidden=True)
    # Two of the largest files; a folder of 500 saved pages has about 50 MB.
    request_bytes: int = setting(400 * _MB, help="maximum bytes of one upload", minimum=1, hidden=True)
    workers: int = setting(4, help="how many jobs run at once", minimum=1, maximum=64, hidden=True)
    # A page of 10,000 nodes with what was found on it takes some 30 MB.
    cached_pages: int = setting(12, help="how many pages stay in memory", minimum=1, hidden=True)
    finished_jobs: int = setting(200, help="how many finished jobs can still be asked for", minimum=1, hidden=True)
    idle_seconds: float = setting(
        900.0, help="seconds after which a live browser that nobody looks at is closed", minimum=0.1, hidden=True
    )
