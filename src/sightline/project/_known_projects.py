"""The projects that somebody has worked in, kept per user and not in any project."""

import os
import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import orjson

from sightline.errors import SightlineError
from sightline.files import make_folder, read_bytes, write_bytes

MOST = 20  # projects that are remembered
SHORTEST_KEY = 32  # characters; those that are made here have 43
_MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class KnownProject:
    """A project folder, and when it was opened last."""

    folder: str
    opened: str

    @property
    def name(self) -> str:
        """What the folder is called."""
        return Path(self.folder).name


def known_projects() -> list[KnownProject]:
    """The projects that are still there, the last opened first; a list that cannot be read is an empty one."""
    try:
        document = orjson.loads(read_bytes(_path(), "open a project", _MOST_BYTES))
    except (SightlineError, orjson.JSONDecodeError):
        return []
    return [one for one in _read(document) if (Path(one.folder) / "project.json").is_file()]


def remember_project(folder: str | os.PathLike[str]) -> None:
    """Put a project at the head of the list; where no list can be written, people do without."""
    now = KnownProject(str(Path(folder).resolve()), datetime.now(UTC).isoformat(timespec="seconds"))
    others = [one for one in known_projects() if one.folder != now.folder]
    path = _path()
    try:
        make_folder(path.parent)
        write_bytes(path, orjson.dumps([asdict(one) for one in [now, *others][:MOST]], option=orjson.OPT_INDENT_2))
    except SightlineError:
        return


@dataclass(frozen=True)
class ProjectKeys:
    """The secrets of the Studio in a project: the token in its address, and what a browser's cookie holds."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)


def project_keys(folder: str | os.PathLike[str]) -> ProjectKeys:
    """The keys of a project: the same at each start, so that open tabs and bookmarks keep working.

    They are kept where only this user can read them, never in the project, which people share. Where nothing can be
    written, each start has its own.
    """
    path, name = _path("keys.json"), str(Path(folder).resolve())
    known = _known_keys(path)
    if name not in known:
        known[name] = ProjectKeys()
        try:
            make_folder(path.parent)
            content = orjson.dumps({folder: asdict(keys) for folder, keys in list(known.items())[-MOST:]})
            write_bytes(path, content, mode=0o600)
        except SightlineError:
            pass
    return known[name]


def _known_keys(path: Path) -> dict[str, ProjectKeys]:
    try:
        document = orjson.loads(read_bytes(path, "start the Studio again", _MOST_BYTES))
        found = {str(name): ProjectKeys(str(one["token"]), str(one["session"])) for name, one in document.items()}
    except (SightlineError, orjson.JSONDecodeError, AttributeError, KeyError, TypeError):
        return {}
    # One that somebody emptied would let everybody in.
    return {name: keys for name, keys in found.items() if min(len(keys.token), len(keys.session)) >= SHORTEST_KEY}


def _path(name: str = "projects.json") -> Path:
    """As the XDG base directory specification says, for what is kept between runs of a program."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "sightline" / name


def _read(document: object) -> Iterator[KnownProject]:
    for one in document if isinstance(document, list) else ():
        try:
            yield KnownProject(str(one["folder"]), str(one["opened"]))
        except (KeyError, TypeError):
            continue
