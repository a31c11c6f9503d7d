"""The project folder of an MCP server: pages by short ids, and wrappers by name; the command line reads both."""

import re
import threading
from pathlib import Path

from sightline import Wrapper
from sightline.errors import UsageError
from sightline.files import make_folder
from sightline.page import Page
from sightline.store import Store

__all__ = ["ProjectFolder", "is_page_id", "short_id"]

_PAGE_ID = re.compile(r"[0-9a-f]{8,128}")
_NAME = re.compile(r"\w[\w .-]{0,99}")
_SUFFIX = ".wrapper.json"
_SHORT = (
    12  # hexadecimal digits: a chance of 1 in 500 million that two of 1,000 pages share them; 32 cost more to repeat
)
_LISTED = 10


def is_page_id(text: str) -> bool:
    """Whether a text can be the id of a page, or its beginning.

    >>> is_page_id("4352de3aaefe"), is_page_id("https://example.org/")
    (True, False)
    """
    return bool(_PAGE_ID.fullmatch(text))


def short_id(page_id: str) -> str:
    """The beginning of an id, which is as good as the whole and cheaper to repeat."""
    return page_id[:_SHORT]


class ProjectFolder:
    """A folder of pages and wrappers, shared by all clients of a server."""

    def __init__(self, folder: Path) -> None:
        self.folder = make_folder(folder)
        self.store = Store(folder)
        self._saving = threading.Lock()

    # ---------------------------------------------------------------- pages

    def keep(self, page: Page) -> str:
        """Keep a page, and return its short id."""
        return short_id(self.store.keep_page(page))

    def page(self, page_id: str) -> Page:
        """The page of an id, or of the beginning of one."""
        found = [one for one in self.store.page_ids() if one.startswith(page_id)]
        if len(found) != 1:
            problem = "Several pages begin with" if found else "There is no page"
            raise UsageError(f"{problem} {page_id} in this project; open the page again by its address.")
        return self.store.page(found[0])

    # ---------------------------------------------------------------- wrappers

    @property
    def wrappers(self) -> list[str]:
        """The names of all wrappers, sorted."""
        return sorted(path.name.removesuffix(_SUFFIX) for path in (self.folder / "wrappers").glob(f"*{_SUFFIX}"))

    def wrapper(self, name: str) -> Wrapper:
        """The wrapper of a name."""
        path = self.wrapper_path(name)
        if not path.exists():
            raise UsageError(f"There is no wrapper {name!r}; {self._choices()}.")
        return Wrapper.load(path)

    def check_new(self, name: str, *, replace: bool) -> None:
        """Refuse a name that is no name, or taken, before any work is done for it."""
        if self.wrapper_path(name).exists() and not replace:
            raise UsageError(f"There is a wrapper {name!r} already; choose another name, or say replace=true.")

    def keep_wrapper(self, name: str, wrapper: Wrapper, *, replace: bool) -> Path:
        """Save a wrapper under a name; one that is there is replaced only if that is wanted."""
        with self._saving:  # between looking and writing, no other call of this server writes
            self.check_new(name, replace=replace)
            make_folder(self.folder / "wrappers")
            return wrapper.save(self.wrapper_path(name))

    def wrapper_path(self, name: str) -> Path:
        """Where the wrapper of a name is kept."""
        if not _NAME.fullmatch(name):
            raise UsageError(f"{name!r:.60} cannot name a wrapper; use letters, digits, blanks, dots and dashes.")
        return self.folder / "wrappers" / f"{name}{_SUFFIX}"

    def _choices(self) -> str:
        known = self.wrappers
        if not known:
            return "this project has none yet, so learn one first with induce or teach"
        more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
        return f"there are {', '.join(known[:_LISTED])}{more}; or learn one with induce or teach"
