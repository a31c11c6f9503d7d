"""What may be opened: web addresses, and files of one folder if the user said so."""

import re
from pathlib import Path

from sightline.errors import RefusedError, UnreachableError

__all__ = ["admitted_file", "is_address"]

_WEB = re.compile(r"https?://", re.IGNORECASE)
_NO_FILES = (
    "is not a web address, and this server opens nothing else; give an address with https://, "
    "or ask the user to start the server with --allow-files FOLDER."
)


def is_address(source: str) -> bool:
    """Whether a source is a web address; whether it may be visited is decided by `sightline.net`."""
    return bool(_WEB.match(source))


def admitted_file(source: str, folder: str) -> str:
    """The path of a file inside the folder, links followed; an error that tells nothing of what lies elsewhere.

    >>> admitted_file("/etc/passwd", "")
    Traceback (most recent call last):
    ...
    sightline.errors.RefusedError: /etc/passwd: is not a web address, and this server opens nothing else; ...
    """
    if not folder:
        raise RefusedError(source, _NO_FILES)
    home = Path(folder).resolve()
    try:
        place = (home / source).resolve()
        is_file = place.is_relative_to(home) and not _is_hidden(place, home) and place.is_file()
    except (OSError, ValueError, RuntimeError):  # a name too long, with a NUL in it, or links in a circle
        is_file = False
    if not is_file:
        raise UnreachableError(
            source, f"is neither a web address nor a file in {home}; check the path, which begins in that folder."
        )
    return str(place)


def _is_hidden(place: Path, home: Path) -> bool:
    """Whether something is kept out of sight, as keys and passwords are."""
    return any(part.startswith(".") for part in place.relative_to(home).parts)
