"""The Studio: everything that handlers need, in one object that hangs on the app."""

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar, runtime_checkable

from fastapi import Depends, Header, Query, Request

from sightline import draw as drawing  # its names are imported when used: pictures take long
from sightline.errors import BlockedError, UsageError
from sightline.extras import is_installed
from sightline.jobs import Survey, new_loader, structured_page, survey
from sightline.net import CrawlPolicy, Document, Limits
from sightline.page import Page, Printed, bare_page
from sightline.project import ANY, PageInfo, Project, page_info
from sightline.server._caches import Cache
from sightline.server._edits import EditedResult
from sightline.server._job_registry import JobHandle, JobRegistry
from sightline.server._problems import ProblemError, names_not_found
from sightline.settings import Settings, setting
from sightline.sources import BrowserSettings, Loaded, Loader, find_browser

# What a server of the Studio may be told at its start.

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


Part = TypeVar("Part")

VIEWS = 12  # results of a page that are remembered as they were changed; most pages have fewer
WARMING = b"<table><tr><th>a<th>b<th>c<tr><td>2 kg<td>3 May 2026<td>$5<tr><td>4 kg<td>4 June 2026<td>$6</table><p>x"
AHEAD = 4  # parts of a picture that are drawn together: what a viewer asks for at first


@runtime_checkable
class ClosingPart(Protocol):
    """What a resource keeps that has to be closed with the Studio."""

    def close(self) -> None:
        """Close it."""


class Studio:
    """A project with its board of jobs and what is remembered between requests.

    Pages are frozen, so that any number of threads may use one at a time.
    """

    def __init__(self, settings: StudioSettings | None = None) -> None:
        self.settings: StudioSettings = settings or StudioSettings()
        self.store: Project = Project(self.settings.project)
        self.store.prepare()
        self.board: JobRegistry = JobRegistry(self.settings.workers, self.settings.finished_jobs)
        self._pages: Cache[str, Page] = Cache(self.settings.cached_pages)
        self._drawn: Cache[tuple[str, int], list[bytes]] = Cache(1)
        self._surveys: Cache[str, Survey] = Cache(self.settings.cached_pages)
        self.views: Cache[tuple[str, str, str], EditedResult] = Cache(VIEWS * self.settings.cached_pages)
        self._loaders: dict[tuple[bool, bool], Loader] = {}
        self._lock = threading.RLock()  # a part may be made of others
        self._parts: dict[Any, Any] = {}

    def part(self, kind: "Callable[[Studio], Part]") -> "Part":
        """What a resource keeps for itself between requests, such as open lessons; made when first asked for."""
        with self._lock:
            if kind not in self._parts:
                self._parts[kind] = kind(self)
            found: Part = self._parts[kind]
            return found

    @property
    def folder(self) -> Path:
        """Where the project is."""
        return self.store.folder

    @cached_property
    def has_browser(self) -> bool:
        """Whether pages can be rendered on this machine."""
        return find_browser() is not None

    # ------------------------------------------------------------------ pages

    def page(self, page_id: str) -> Page:
        """A kept page; the last ones stay in memory."""
        self.check_page(page_id)
        return self._pages.get(page_id, lambda: self.store.page(page_id))

    def bare_page(self, page_id: str) -> Page:
        """A kept PDF as it is printed, before its structure was found."""
        self.check_page(page_id)
        found = self.store.bare_page(page_id)
        if found is None:
            raise UsageError("Only PDFs that were opened in the Studio are kept as they are printed; open one.")
        return found

    def check_page(self, page_id: str) -> None:
        """A problem if there is no such page."""
        with names_not_found():
            known = self.store.has_page(page_id)
        if not known:
            raise ProblemError("not-found", "There is no such page in the project; it may have been deleted.")

    def info(self, page_id: str) -> PageInfo:
        """What is known of a page; of one that the command line kept, the page itself is looked at once."""
        self.check_page(page_id)
        found = self.store.info(page_id)
        if found is not None:
            return found
        page = self.page(page_id)
        kept = datetime.fromtimestamp(self.store.page_path(page_id).stat().st_mtime, UTC)
        info = page_info(page, source=page.url, pictures=drawing.tiles_of(page), opened=kept)
        self.store.keep_info(info)
        return info

    def survey(self, page_id: str) -> Survey:
        """What is on a page; it is searched once, as long as it is remembered."""
        self.check_page(page_id)
        return self._surveys.get(page_id, lambda: survey(self.page(page_id)))

    def infos(self) -> list[PageInfo]:
        """What is known of all pages, the last opened first."""
        return sorted(map(self.info, self.store.page_ids()), key=lambda info: info.opened, reverse=True)

    def keep(self, page: Page, source: str, *, wall: str | None = None) -> PageInfo:
        """Keep a page in the project."""
        info = page_info(page, source=source, pictures=drawing.tiles_of(page), wall=wall)
        self.store.keep_page(page, info)
        self.forget(page.id)
        if info.pictures:
            self.picture(page.id, 0, page)
        return info

    def delete(self, page_id: str) -> None:
        """Delete a page."""
        self.check_page(page_id)
        self.store.delete_page(page_id)
        self.forget(page_id)

    def forget(self, page_id: str) -> None:
        """Keep nothing of a page in memory."""
        self._drawn.clear()
        self._pages.forget(page_id)
        self._surveys.forget(page_id)

    def picture(self, page_id: str, index: int, page: Page | None = None) -> bytes:
        """A part of the picture of a page. The next few are drawn with it, since opening a screenshot takes longest."""
        self.check_page(page_id)
        kept = self.store.picture(page_id, index)
        if kept is not None:
            return kept
        boxes = self.info(page_id).pictures
        if not 0 <= index < len(boxes):
            raise ProblemError("not-found", f"The picture of this page has {len(boxes)} parts.")
        first = index - index % AHEAD
        wanted = range(first, min(first + AHEAD, len(boxes)))

        def draw() -> list[bytes]:
            parts = drawing.draw_tiles(page or self.page(page_id), boxes, wanted)
            for number, part in zip(wanted, parts, strict=True):
                self.store.keep_picture(page_id, number, part)
            return parts

        return self._drawn.get((page_id, first), draw)[index - first]

    # ------------------------------------------------------------------ opening

    def loader(self, *, static: bool = False, trusted: bool = False) -> Loader:
        """What opens sources; only a `trusted` one opens whatever the owner of this machine names at the start."""
        static = static or not self.has_browser
        with self._lock:
            if (static, trusted) not in self._loaders:
                self._loaders[static, trusted] = new_loader(
                    static=static,
                    browser=BrowserSettings(screenshot=True),
                    limits=Limits(document_bytes=max(Limits().document_bytes, self.settings.upload_bytes)),
                    policy=CrawlPolicy(public_only=not (trusted or self.settings.allow_private)),
                    structure=self._structured,
                )
            return self._loaders[static, trusted]

    def flow_loader(self, static: bool) -> Loader:  # noqa: FBT001 - as runs of flows ask for one
        """What opens the pages of a flow, which its owner wrote: also files, and addresses of this machine.

        Each run gets its own and closes it. Pages come with their pictures, so that every value can be shown in its
        place.
        """
        return new_loader(static=static or not self.has_browser, browser=BrowserSettings(screenshot=True))

    def _structured(self, printed: Printed) -> Page:
        """A PDF with its structure; as it is printed, it is kept for the lab."""
        page = structured_page(printed)
        self.store.keep_bare_page(page.id, bare_page(printed))
        return page

    def opened(
        self,
        job: JobHandle,
        sources: Iterable[str | Document],
        total: int | None,
        *,
        static: bool = False,
        trusted: bool = False,
    ) -> Iterator[tuple[Loaded, PageInfo | None]]:
        """The pages of some sources as they come, each kept in the project; a wall is kept as well, to look at it."""
        loading = self.loader(static=static, trusted=trusted).load_all(sources, in_order=False)
        job.cancel.when_requested(loading.cancel)
        done = 0
        job.progress(0, total, "Opening")
        try:
            for loaded in loading:
                info = self._kept(loaded)
                done += 1
                total = None if total is not None and done > total else total  # an archive has more pages than one
                job.progress(done, total, "Opening")
                yield loaded, info
            job.cancel.check(done)
        finally:
            loading.close()

    def _kept(self, loaded: Loaded) -> PageInfo | None:
        if loaded.page is not None:
            return self.keep(loaded.page, loaded.source)
        if isinstance(loaded.error, BlockedError) and isinstance(loaded.error.page, Page):
            return self.keep(loaded.error.page, loaded.source, wall=loaded.error.message)
        return None

    def warm(self) -> None:
        """Import what the first page needs, before it is there: extractors, and what reads numbers, money and dates."""
        found = survey(new_loader(static=True).load(WARMING))
        for one in found:
            EditedResult(one.result, "")
        if any(self.folder.glob("*.flow.yaml")) and is_installed("flow"):
            from sightline.flow.run import cell_places, kept_profiles  # noqa: F401 - with Arrow and DuckDB

    def close(self) -> None:
        """Cancel what runs, and close the browsers."""
        self.board.close()
        with self._lock:
            loaders = list(self._loaders.values())
            parts = [part for part in self._parts.values() if isinstance(part, ClosingPart)]
        for part in parts:
            part.close()
        for loader in loaders:
            loader.close()


# How a handler gets at the Studio that it works for, and at the version that a change was made from.


def studio_of(request: Request) -> Studio:
    """The Studio of the app that answers a request."""
    found: Studio = request.app.state.studio
    return found


def expected_version(if_match: Annotated[str | None, Header()] = None) -> str:
    """The version that a change was made from, as `If-Match` names it; `*` is `ANY`."""
    if if_match is None:
        raise ProblemError("version-needed", "Name the version that you changed, with If-Match.")
    return if_match.strip().removeprefix("W/").strip('"')


def any_version(if_match: Annotated[str | None, Header()] = None) -> str:
    """The version that `If-Match` names, or any: for deleting, which people mean whatever is there."""
    return ANY if if_match is None else expected_version(if_match)


@dataclass(frozen=True)
class AskedRows:
    """Which rows are asked for."""

    offset: Annotated[int, Query(ge=0)] = 0
    limit: Annotated[int, Query(ge=0)] = 500


StudioDep = Annotated[Studio, Depends(studio_of)]
"""The Studio, as an argument of a handler."""

IfMatch = Annotated[str, Depends(expected_version)]
"""The version that a change was made from, as an argument of a handler; without it the request is refused."""

MaybeMatch = Annotated[str, Depends(any_version)]
"""The same where it may be left out."""

WindowDep = Annotated[AskedRows, Depends()]
"""The rows that are asked for (`?offset=0&limit=500`), as an argument of a handler."""
