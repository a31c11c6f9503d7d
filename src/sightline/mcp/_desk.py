"""Where pages lie that agents work on: opened once, kept in the project, and searched once for each question."""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from sightline import Wrapper
from sightline.data import Extraction
from sightline.errors import JobCancelled, RefusedError, SightlineError, UnreachableError, UsageError
from sightline.jobs import Cancel, Progress, ProjectWrappers, extractor, new_loader
from sightline.net import CrawlPolicy, Limits
from sightline.page import Page
from sightline.project import Project, is_page_id
from sightline.settings import Settings, setting
from sightline.sources import BrowserSettings, Loaded, Loader

# What an MCP server may open, and what a call may cost.


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


# One call of a tool while it is worked on: how far it is, and whether anybody still waits for it.

Tell: TypeAlias = Callable[[Progress], None]
"""What hears of progress; it is called in the thread that works."""


def _nobody(_: Progress) -> None:
    """Discard progress."""


@dataclass(frozen=True)
class ToolCall:
    """A call under way. `cancel` is requested when the client cancels it, goes away, or waits in vain."""

    cancel: Cancel = field(default_factory=Cancel)
    tell: Tell = _nobody

    def at(self, what: str, done: int = 0, total: int | None = None) -> None:
        """Tell how far it is; raises `JobCancelled` if nobody waits for it any more."""
        self.cancel.check(done)
        self.tell(Progress(what, done=done, total=total))


# The project folder of an MCP server: pages by short ids, and wrappers by name; Studio and command line read both.

# Hexadecimal digits: a chance of 1 in 500 million that two of 1,000 pages share them; 32 cost more to repeat.
_SHORT = 12
_LISTED = 10


def short_id(page_id: str) -> str:
    """The beginning of an id, which is as good as the whole and cheaper to repeat."""
    return page_id[:_SHORT]


class ProjectFolder:
    """A folder of pages and wrappers, shared by all clients of a server and by whatever else works in it."""

    def __init__(self, folder: Path) -> None:
        self.store = Project(folder)
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


_PAGES_AT_HAND = 8  # pages in memory; a large one takes some 100 MB
_RESULTS_AT_HAND = 32
OPENING = "Opening pages"


@dataclass(frozen=True)
class PageAtHand:
    """A page and its short id."""

    id: str
    page: Page


@dataclass(frozen=True)
class DeskPage:
    """One of several pages that are asked for: the page and its short id, or the error that says why there is none.

    `source` is what the caller named.
    """

    source: str
    id: str = ""
    page: Page | None = None
    error: SightlineError | None = None


class Desk:
    """The pages and results that the tools of one server share, whoever calls them."""

    def __init__(
        self,
        project: ProjectFolder,
        settings: McpSettings | None = None,
        *,
        limits: Limits | None = None,
        browser: BrowserSettings | None = None,
    ) -> None:
        self.project = project
        self.settings = settings or McpSettings()
        self._limits = limits
        self._browser = browser
        self._loaders: dict[tuple[bool, bool], Loader] = {}
        self._lock = threading.Lock()  # calls come in threads, and a second loader would never be closed
        self._page: Callable[[str], Page] = lru_cache(_PAGES_AT_HAND)(project.page)
        self._found: Callable[..., Extraction] = lru_cache(_RESULTS_AT_HAND)(self._search)

    def close(self) -> None:
        """Close the browsers."""
        with self._lock:
            loaders = list(self._loaders.values())
        for loader in loaders:
            loader.close()

    # ---------------------------------------------------------------- pages

    def open(self, source: str, call: ToolCall, *, static: bool = False) -> PageAtHand:
        """The page of a source, or of an id; an error if there is none."""
        found = next(self._opened([source], call, static=static))
        if found.page is None:
            raise found.error or _no_page(source)
        return PageAtHand(found.id, found.page)

    def open_all(self, sources: Sequence[str], call: ToolCall, *, static: bool = False) -> Iterator[DeskPage]:
        """The pages of several sources in order; one that fails has its error and stops no other."""
        for done, found in enumerate(self._opened(sources, call, static=static), start=1):
            call.at(OPENING, done, len(sources))
            yield found

    def _opened(self, sources: Sequence[str], call: ToolCall, *, static: bool = False) -> Iterator[DeskPage]:
        static = static or self.settings.static
        addresses = [source for source in sources if is_address(source)]
        # All at once, so that several tabs load them while the first ones are read.
        loading = self._loader(is_web=True, static=static).load_all(addresses)
        call.cancel.when_requested(loading.cancel)
        try:
            for source in sources:
                call.cancel.check()
                try:
                    yield self._one(source, loading if is_address(source) else None, call, static=static)
                except JobCancelled:
                    raise
                except SightlineError as error:
                    yield DeskPage(source, error=error)
        finally:
            loading.close()

    def _one(self, source: str, addresses: Iterator[Loaded] | None, call: ToolCall, *, static: bool) -> DeskPage:
        """The next page of the addresses, the page of an id, or that of a file."""
        if addresses is None and is_page_id(source):
            page = self._page(source)
            return DeskPage(source, short_id(page.id), page)
        loaded = self._file(source, call, static=static) if addresses is None else next(addresses, None)
        call.cancel.check()
        if loaded is None or loaded.page is None:
            raise (loaded and loaded.error) or _no_page(source)
        return DeskPage(source, self.project.keep(loaded.page), loaded.page)

    def _file(self, source: str, call: ToolCall, *, static: bool) -> Loaded | None:
        path = admitted_file(source, self.settings.allow_files)
        loading = self._loader(is_web=False, static=static).load_all([path])
        call.cancel.when_requested(loading.cancel)
        try:
            found = list(islice(loading, 2))
        finally:
            loading.close()
        if len(found) > 1:
            raise UsageError(f"{source} holds several pages; save the one you want as a file of its own.")
        return found[0] if found else None

    def _loader(self, *, is_web: bool, static: bool) -> Loader:
        """One loader for each way of opening, so that calls share browsers, and the pace of hosts."""
        with self._lock:
            if (is_web, static) not in self._loaders:
                public_only = is_web and not self.settings.allow_private
                self._loaders[is_web, static] = new_loader(
                    static=static,
                    limits=self._limits,
                    browser=self._browser,
                    policy=CrawlPolicy(public_only=public_only),
                )
            return self._loaders[is_web, static]

    # ---------------------------------------------------------------- results

    def find(self, name: str, page_id: str, **options: Any) -> Extraction:
        """What an extractor finds on a page; the same question is not worked on twice."""
        return self._found(name, page_id, **options)

    def _search(self, name: str, page_id: str, **options: Any) -> Extraction:
        return extractor(name)(self._page(page_id), **options)


def _no_page(source: str) -> UsageError:
    return UsageError(f"{source} holds no page; give the address of one.")


# What may be opened: web addresses, and files of one folder if the user said so.

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
