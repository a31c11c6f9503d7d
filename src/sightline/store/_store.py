"""The project folder itself: plain files that people can look at, copy and delete.

```
pages/3f/3f2a….page        every page by its id, so the same page is kept once
runs/2026-03-14T….json     one file for each run, named by when it began
profiles/NAME.json         what the last good run of that name took
```
"""

import os
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from sightline.data import Profile, Verdict
from sightline.documents import MOST_BYTES, check_document, decoded_document
from sightline.errors import UsageError
from sightline.files import make_folder, read_bytes, write_bytes
from sightline.page import Page, dumps, loads
from sightline.store._history import History

__all__ = ["Store", "StoredRun"]

_ID = re.compile(r"[0-9a-f]{8,128}")
_NAME = re.compile(r"\w[\w .-]{0,99}")


@dataclass(frozen=True)
class StoredRun:
    """What is kept of a run: its name, when it began, its verdict and reasons, and the pages it read, by id."""

    name: str
    verdict: Verdict
    began: str = ""
    sources: int = 0
    reasons: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The run as plain values."""
        return asdict(self)


class Store:
    """A folder of pages, runs and profiles; it is made when something is first kept in it.

    >>> import tempfile
    >>> from sightline.testing import list_page
    >>> store = Store(tempfile.mkdtemp())
    >>> number = store.keep_page(list_page(["one", "two"]))
    >>> store.page(number).title
    'A list'
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)

    # ---------------------------------------------------------------- pages

    def keep_page(self, page: Page) -> str:
        """Keep a page and return its id; a page that is here already is not written again."""
        path = self._page_path(page.id)
        if not path.exists():
            self._write(path, dumps(page))
        return page.id

    def page(self, page_id: str) -> Page:
        """The page of an id."""
        path = self._page_path(page_id)
        return loads(read_bytes(path, f"there is no page {page_id} in {self.folder}; list them with `page_ids`"))

    def page_ids(self) -> Iterator[str]:
        """The ids of all pages, sorted."""
        return (path.stem for path in sorted((self.folder / "pages").glob("*/*.page")))

    def _page_path(self, page_id: str) -> Path:
        if not _ID.fullmatch(page_id):
            raise UsageError(f"{page_id!r:.60} is not the id of a page; an id is hexadecimal, such as {'3f2a' * 4}.")
        return self.folder / "pages" / page_id[:2] / f"{page_id}.page"

    # ---------------------------------------------------------------- runs

    def keep_run(self, run: StoredRun) -> Path:
        """Keep a run under the time it began, now if it does not say so."""
        _check_name(run.name)
        began = run.began or datetime.now(UTC).isoformat(timespec="microseconds")
        document = run.to_json() | {"began": began}
        name = re.sub(r"[^\dT.-]", "-", began.removesuffix("+00:00"))
        return self._write(self.folder / "runs" / f"{name}.json", orjson.dumps(document, option=orjson.OPT_INDENT_2))

    def runs(self, name: str | None = None) -> list[StoredRun]:
        """All runs, the oldest first; with a name only those of that name."""
        found = [_run(path) for path in sorted((self.folder / "runs").glob("*.json"))]
        return [run for run in found if name is None or run.name == name]

    # ---------------------------------------------------------------- profiles

    def profile(self, name: str) -> Profile | None:
        """What the last good run of a name took, or None."""
        return self._history(name).last()

    def keep_profile(self, name: str, profile: Profile) -> Path:
        """Keep what a good run took, in place of what was kept before."""
        history = self._history(name)
        make_folder(history.path.parent)
        return history.remember(profile)

    def _history(self, name: str) -> History:
        return History(self.folder / "profiles" / f"{_check_name(name)}.json")

    def _write(self, path: Path, content: bytes) -> Path:
        make_folder(path.parent)
        return write_bytes(path, content)


def _check_name(name: str) -> str:
    """A name that is also the name of a file, and never a path."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r:.60} cannot name a run; use letters, digits, blanks, dots and dashes.")
    return name


def _run(path: Path) -> StoredRun:
    content = read_bytes(path, "remove it from the project folder", MOST_BYTES)
    try:
        found = decoded_document(content)
        check_document(found, StoredRun)
    except UsageError as problem:
        reason = str(problem)
        raise UsageError(f"{path}: this is not a run of a project ({reason}); remove it from the folder.") from problem
    lists = {key: tuple(found.get(key, ())) for key in ("reasons", "pages")}
    return StoredRun(found["name"], found["verdict"], found.get("began", ""), found.get("sources", 0), **lists)
