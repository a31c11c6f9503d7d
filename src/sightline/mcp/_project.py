"""The project folder of an MCP server: pages by short ids, and wrappers by name; Studio and command line read both."""

from collections.abc import Sequence
from pathlib import Path

from sightline import Wrapper
from sightline.errors import UsageError
from sightline.jobs import ProjectWrappers
from sightline.page import Page
from sightline.store import Store

__all__ = ["ProjectFolder", "short_id"]

# Hexadecimal digits: a chance of 1 in 500 million that two of 1,000 pages share them; 32 cost more to repeat.
_SHORT = 12
_LISTED = 10


def short_id(page_id: str) -> str:
    """The beginning of an id, which is as good as the whole and cheaper to repeat."""
    return page_id[:_SHORT]


class ProjectFolder:
    """A folder of pages and wrappers, shared by all clients of a server and by whatever else works in it."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder)
        self.store.prepare()
        self._wrappers = ProjectWrappers(self.store)

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

    def wrapper(self, name: str) -> Wrapper:
        """The wrapper of a name."""
        if self._wrappers.documents.find(name) is None:
            raise UsageError(f"There is no wrapper {name!r}; {self._choices()}.")
        return self._wrappers.load(name).wrapper

    def check_new(self, name: str, *, replace: bool) -> None:
        """Refuse a name that no file can have, or that is taken, before any work is done for it."""
        if self._wrappers.path(name).exists() and not replace:
            raise UsageError(f"There is a wrapper {name!r} already; choose another name, or say replace=true.")

    def keep_wrapper(self, name: str, wrapper: Wrapper, pages: Sequence[Page], *, replace: bool) -> Path:
        """Save a wrapper and the pages it was learned from; one of that name is replaced only if that is wanted."""
        self._wrappers.put(name, wrapper, [page.id for page in pages], replaces=replace)
        return self._wrappers.path(name)

    def _choices(self) -> str:
        known = self._wrappers.names()
        if not known:
            return "this project has none yet, so learn one first with induce or teach"
        more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
        return f"there are {', '.join(known[:_LISTED])}{more}; or learn one with induce or teach"
