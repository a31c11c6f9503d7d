"""Asks for the pages of a crawl: by HTTP, or in a browser where that shows more."""

import asyncio
import time
from dataclasses import dataclass

from sightline.crawler._addresses import Addresses, shape_of
from sightline.crawler._archive import Archive, RecordPlace, StoredAnswer
from sightline.crawler._host import Host, adds_much
from sightline.crawler._settings import CrawlSettings
from sightline.crawler._state import CrawlState, VisitRow, WaitingAddress
from sightline.crawler._take import REDIRECTS, outline_of, text_of
from sightline.errors import BrowserError, BrowserMissing, SourceError, UnreachableError
from sightline.net import BUSY, Answer, Fetcher, Limits, RequestPolicy
from sightline.page import dumps
from sightline.sources import Loader

__all__ = ["BusyError", "PageFetcher"]

_SERVER_TROUBLE = 500


class BusyError(UnreachableError):
    """A host has too much to do, or is in trouble: the same request may succeed later."""

    def __init__(self, source: str, status: int, headers: tuple[tuple[str, str], ...]) -> None:
        super().__init__(source, f"answered with status {status}.")
        self.status = status
        self.headers = headers


@dataclass
class PageFetcher:
    """Gets answers, and keeps each in the archive at once."""

    state: CrawlState
    archive: Archive
    requests: RequestPolicy
    settings: CrawlSettings
    limits: Limits
    loader: Loader
    addresses: Addresses

    async def visit(self, address: WaitingAddress, host: Host) -> tuple[StoredAnswer, RecordPlace]:
        """The answer for an address, kept; a BusyError if it should be asked for later.

        Nothing is waited for once it is kept: a commit in between would count it as known before it is taken in.
        """
        if self.settings.render == "never":
            return self.keep(await self.plain(address, host))
        shape = shape_of(address.url)
        if self.settings.render == "always" or host.rendering.needs_browser(shape):
            return self.keep(await self._rendered(address.url, host))
        answer = await self.plain(address, host)
        if answer.status == 200 and host.rendering.wants_try(shape):
            answer = await self._tried_both_ways(address, host, answer)
        return self.keep(answer)

    async def plain(self, address: WaitingAddress, host: Host) -> StoredAnswer:
        """The server's answer; if the page was seen before, only if it has changed since."""
        before = self.state.visit(address.id)
        answer = await self.get(address.url, host, headers=_conditions(before))
        if answer.status == 304 and before is not None:
            return StoredAnswer(address.url, 304, answer.headers, b"", time.time(), unchanged=True)
        return StoredAnswer(address.url, answer.status, answer.headers, answer.content, time.time())

    async def get(
        self, url: str, host: Host, *, headers: dict[str, str] | None = None, limit: int | None = None
    ) -> Answer:
        """One answer in the host's turn, with its time taken."""
        clock = asyncio.get_running_loop().time
        async with self.requests.turn(url, pause=host.pace.pause) as location:
            begin = clock()
            answer = await self.requests.get(
                location,
                source=url,
                seconds=self.limits.load_seconds,
                limit=limit,
                headers=headers,
            )
            if answer.status in BUSY or answer.status >= _SERVER_TROUBLE:
                raise BusyError(url, answer.status, answer.headers)
            host.pace.answered(clock() - begin)
        return answer

    async def example(self, url: str) -> StoredAnswer:
        """A page that shows what is looked for, with redirects followed."""
        document = await Fetcher(self.requests).fetch(url)
        if document.status != 200:
            raise UnreachableError(url, f"answered with status {document.status}; name an example that is there.")
        return StoredAnswer(document.url, 200, document.headers, document.content, time.time())

    def keep(self, answer: StoredAnswer) -> tuple[StoredAnswer, RecordPlace]:
        """Write an answer to the archive; where it stands there."""
        return answer, self.archive.add(answer, answer.digest)

    # ------------------------------------------------------------------------------------------------------- browser

    async def _rendered(self, url: str, host: Host) -> StoredAnswer:
        async with self.requests.turn(url, pause=host.pace.pause):
            page = await asyncio.to_thread(self.loader.load, url)
        return StoredAnswer(url, 200, (), dumps(page), time.time(), rendered=True)

    async def _tried_both_ways(self, address: WaitingAddress, host: Host, answer: StoredAnswer) -> StoredAnswer:
        """Compare what the server sends with what a browser shows, and go on with the better."""
        text = text_of(answer)
        if text is None:
            return answer
        try:
            rendered = await self._rendered(address.url, host)
        except (BrowserMissing, BrowserError, SourceError) as problem:
            self.state.tell(host.name, "browser", f"Pages are read without a browser: {problem}")
            host.rendering.give_up()
            return answer
        shown = text_of(rendered) or ""
        plain, _ = outline_of(text, address.url, self.addresses)
        after, _ = outline_of(shown, address.url, self.addresses)
        differs = adds_much(plain, after)
        shape = shape_of(address.url)
        host.rendering.learn(shape, differs=differs)
        if host.rendering.needs_browser(shape) and differs:
            text = f"Pages like {address.url} are opened in a browser, which shows more than the server sends."
            self.state.tell(host.name, "browser", text)
        return rendered if differs else answer


def _conditions(before: VisitRow | None) -> dict[str, str]:
    """Ask for a page only if it has changed since it was seen."""
    if before is None or before.status in REDIRECTS:
        return {}
    named = {"If-None-Match": before.etag, "If-Modified-Since": before.modified}
    return {name: value for name, value in named.items() if value}
