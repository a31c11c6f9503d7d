"""Where pages lie that agents work on: opened once, kept in the project, and searched once for each question."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from sightline._api import new_loader
from sightline.data import Extraction
from sightline.errors import JobCancelled, SightlineError, UsageError
from sightline.jobs import extractor
from sightline.mcp._admission import admitted_file, is_address
from sightline.mcp._call import ToolCall
from sightline.mcp._project import ProjectFolder, short_id
from sightline.mcp._settings import McpSettings
from sightline.net import Limits, Manners
from sightline.page import Page
from sightline.sources import BrowserSettings, Loaded, Loader
from sightline.store import is_page_id

__all__ = ["Desk", "DeskPage", "PageAtHand"]

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
                    static=static, limits=self._limits, settings=self._browser, manners=Manners(public_only=public_only)
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
