"""Asks for the pages of a crawl: by HTTP, or in a browser where that shows more."""

import asyncio
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from html import unescape
from itertools import islice

from sightline.crawler._addresses import Addresses, is_no_page, shape_of
from sightline.crawler._archive import Archive, RecordPlace, StoredAnswer
from sightline.crawler._host import Host, MissingPage, adds_much
from sightline.crawler._settings import CrawlSettings
from sightline.crawler._state import CrawlState, VisitRow, WaitingAddress
from sightline.crawler._take import REDIRECTS, AnswerTaker, outline_of, text_of
from sightline.errors import BrowserError, BrowserMissing, RefusedError, SourceError, UnreachableError
from sightline.net import BUSY, Answer, DamagedStreamError, Fetcher, Inflater, Limits, RequestPolicy, TooLargeError
from sightline.page import dumps
from sightline.sources import Anchor, Loader, PageOutline

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


# -- the first contact with a host ----------------------------------------------------------------------------------

_SITEMAP_FILES = 500  # of a site; an index may name 50,000, but few sites have more than some hundreds
_SITEMAP_BYTES = 60_000_000  # the protocol allows 50 MB
_BREATH = 1_000  # addresses after which other hosts get their turn


async def introduce(host: Host, url: str, fetcher: PageFetcher, taker: AnswerTaker) -> None:
    """Look at what a host says of itself, once; a RefusedError if it forbids every visit, or wants rest."""
    rules = await fetcher.requests.rules(url)
    if rules is not None and rules.forbids_everything:
        raise RefusedError(host.name, "its robots.txt forbids every visit.")
    origin = url[: url.find("/", 8)]
    await _learn_missing(host, origin, fetcher)
    if fetcher.settings.sitemaps:
        named = [address for address in (rules.sitemaps if rules else ()) if taker.allowed(address)]
        await _read_sitemaps(host, named or [f"{origin}/sitemap.xml"], fetcher, taker)
    host.is_known = True
    host.changed = True


async def _learn_missing(host: Host, origin: str, fetcher: PageFetcher) -> None:
    """Ask for a page that cannot exist; a host that shows one all the same shows it for every page that is missing."""
    name = blake2b(host.name.encode(), digest_size=6).hexdigest()
    try:
        answer = await fetcher.get(f"{origin}/no-such-page-{name}.html", host)
    except SourceError:  # whatever is wrong with the host, its first page will tell
        return
    outline = _outline(answer, origin, fetcher)
    if outline is None:
        return
    front = await fetcher.get(f"{origin}/", host)
    if _outline(front, origin, fetcher) == outline:
        text = f"{host.name} answers every address with its front page; pages that are missing cannot be told."
        fetcher.state.tell(host.name, "missing pages", text)
        return
    host.missing = MissingPage(outline.title, outline.skeleton)
    text = f"{host.name} answers with status 200 where there is no page; such pages are told by their looks."
    fetcher.state.tell(host.name, "missing pages", text)


def _outline(answer: Answer, origin: str, fetcher: PageFetcher) -> PageOutline | None:
    """The outline of a page that a host shows; None for answers that aren't a page."""
    text = text_of(StoredAnswer(origin, answer.status, answer.headers, answer.content, 0.0))
    return None if answer.status != 200 or text is None else outline_of(text, origin, fetcher.addresses)[0]


async def _read_sitemaps(host: Host, files: list[str], fetcher: PageFetcher, taker: AnswerTaker) -> None:
    """Let the addresses of a site's sitemaps wait."""
    left = fetcher.settings.sitemap_addresses
    waiting, done = list(files), 0
    while waiting and left > 0 and done < _SITEMAP_FILES:
        content = await _sitemap(waiting.pop(0), host, fetcher)
        done += 1
        if is_sitemap_index(content):
            waiting += [url for url in sitemap_addresses(content) if taker.allowed(url)][:_SITEMAP_FILES]
            continue
        taken, cut = await _let_wait(sitemap_addresses(content), "sitemap", left, taker, fetcher.addresses)
        left -= taken
        if cut:
            text = (
                f"Its sitemaps name more than {fetcher.settings.sitemap_addresses:,} addresses; the rest is left out."
            )
            fetcher.state.tell(host.name, "sitemap", f"{text} Raise sitemap_addresses to take more.")
    if waiting and done >= _SITEMAP_FILES:
        fetcher.state.tell(host.name, "sitemap", f"It has more than {_SITEMAP_FILES} sitemaps; the rest is left out.")


async def _sitemap(url: str, host: Host, fetcher: PageFetcher) -> bytes:
    """The text of a sitemap; nothing if there is none."""
    try:
        answer = await fetcher.get(url, host, limit=_SITEMAP_BYTES)
    except (BusyError, SourceError) as problem:
        fetcher.state.tell(host.name, "sitemap", f"A sitemap could not be read: {problem}")
        return b""
    if answer.status != 200:
        return b""
    content, cut = unpacked_sitemap(answer.content, _SITEMAP_BYTES)
    if cut or len(answer.content) >= _SITEMAP_BYTES:
        fetcher.state.tell(host.name, "sitemap", f"{url} is damaged or larger than 60 MB; what follows is left out.")
    return content


async def read_feeds(host: Host, fetcher: PageFetcher, taker: AnswerTaker) -> None:
    """Let the entries of the feeds that pages of a host named wait."""
    while host.feeds:
        url = host.feeds[-1]
        try:
            answer = await fetcher.get(url, host)
        except SourceError as problem:
            fetcher.state.tell(host.name, "feed", f"A feed could not be read: {problem}")
        else:
            found = feed_addresses(answer.content) if answer.status == 200 else []
            await _let_wait(found, "feed", len(found), taker, fetcher.addresses)
        host.feeds.remove(url)  # only now: after a kill it is read again
        host.changed = True


async def _let_wait(
    found: Iterable[str], where: str, most: int, taker: AnswerTaker, addresses: Addresses
) -> tuple[int, bool]:
    """Let addresses wait; how many were new, and whether there were more than allowed."""
    wanted = (url for link in found if (url := addresses.joined("https://none.invalid/", link)) and taker.allowed(url))
    pages = (url for url in wanted if not is_no_page(url))
    taken = 0
    while some := list(islice(pages, _BREATH)):
        if taken + len(some) > most:
            return taken + taker.begin_at(_anchors(some[: most - taken], where), depth=1), True
        taken += taker.begin_at(_anchors(some, where), depth=1)
        await asyncio.sleep(0)
    return taken, False


def _anchors(urls: list[str], where: str) -> list[tuple[str, Anchor]]:
    return [(url, Anchor(url, place=where)) for url in urls]


# The addresses that a site names itself: sitemaps (also of sitemaps, compressed, of news) and feeds.

# Sitemaps are often cut, wrongly escaped or of 50 MB, and all that is wanted of them stands between two tags; other
# parts (pictures, videos, news) have tags with a prefix.
_LOCATION = re.compile(rb"<loc\b[^>]*>\s*(?:<!\[CDATA\[)?\s*([^<\]]{1,8192}?)\s*(?:\]\]>)?\s*</loc\s*>", re.IGNORECASE)
_INDEX = re.compile(rb"<sitemapindex[\s>]", re.IGNORECASE)
_ITEM = re.compile(rb"<(item|entry)[\s>](.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_LINK_TEXT = re.compile(
    rb"<link\b[^>]*>\s*(?:<!\[CDATA\[)?\s*([^<\]]{1,8192}?)\s*(?:\]\]>)?\s*</link\s*>", re.IGNORECASE
)
_LINK_HREF = re.compile(
    rb"""<link\b(?![^>]*\brel=["'](?!alternate))[^>]*\bhref=["']([^"']{1,8192})["']""", re.IGNORECASE
)
_GZIP = b"\x1f\x8b"
_PLAIN = re.compile(rb"https?://\S{1,8192}")


def unpacked_sitemap(content: bytes, limit: int) -> tuple[bytes, bool]:
    """The text of a sitemap, unpacked if it is compressed, and whether it was cut at the limit or is damaged."""
    if not content.startswith(_GZIP):
        return content[:limit], len(content) > limit
    pieces = bytearray()
    inflater = Inflater(("gzip",), limit=limit)
    try:
        for piece in inflater.feed(content):
            pieces += piece
    except (TooLargeError, DamagedStreamError):
        return bytes(pieces), True
    return bytes(pieces), not inflater.complete


def is_sitemap_index(content: bytes) -> bool:
    """Whether this is a sitemap of sitemaps."""
    return bool(_INDEX.search(content, 0, 4096))


def sitemap_addresses(content: bytes) -> Iterator[str]:
    r"""The addresses of a sitemap, as they stand there.

    >>> list(sitemap_addresses(b"<urlset><url><loc>https://example.org/?a=1&amp;b=2</loc></url></urlset>"))
    ['https://example.org/?a=1&b=2']
    >>> list(sitemap_addresses(b"https://example.org/a\nhttps://example.org/b\n"))
    ['https://example.org/a', 'https://example.org/b']
    """
    if content.lstrip()[:4].lower() == b"http":  # the third form that is allowed: one address a line
        for line in _PLAIN.finditer(content):
            yield line[0].decode("utf-8", "replace")
        return
    for found in _LOCATION.finditer(content):
        yield unescape(found[1].decode("utf-8", "replace"))


def feed_addresses(content: bytes) -> list[str]:
    """The addresses of the entries of a feed, RSS or Atom.

    >>> feed_addresses(b"<rss><channel><link>https://example.org/</link><item><link>https://example.org/a</link></item>")
    ['https://example.org/a']
    """
    found = []
    for entry in _ITEM.finditer(content):
        link = _LINK_TEXT.search(entry[2]) or _LINK_HREF.search(entry[2])
        if link:
            found.append(unescape(link[1].decode("utf-8", "replace")))
    return found
