"""Takes in an answer: judges the page, lets its links wait, and keeps what was seen.

The same steps run for an answer that just came and for one that was read again from the archive after a kill, so
nothing here knows the network or the time of day.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sightline.crawler._addresses import Addresses, address_key, host_of, is_no_page, parts_of
from sightline.crawler._archive import RecordPlace, StoredAnswer, payload_digest
from sightline.crawler._host import Host
from sightline.crawler._settings import CrawlSettings
from sightline.crawler._state import CrawlState, NewAddress, Standing, VisitRow, WaitingAddress
from sightline.crawler._traps import SeenPage, Trap
from sightline.crawler.likeness import Judgement, Likeness
from sightline.crawler.rank import FoundLink, Placed, VisitedPage
from sightline.net import DocumentKind, media_type_and_charset, sniff
from sightline.page import loads
from sightline.sources import Anchor, PageOutline, decode, read_outline

REDIRECTS = frozenset({301, 302, 303, 307, 308})
_GONE = frozenset({404, 410})
_MIRRORED = 5  # pages of two hosts, alike in path and content, before the second counts as a mirror of the first
_CANONICAL = 3  # pages that call one address their own, before it is no longer believed
_NOT_JUDGED = Judgement(is_target=False, likeness=0.0)
_AHEAD = 1_000.0  # a score beyond all others: where a redirect leads is visited next


def text_of(answer: StoredAnswer) -> str | None:
    """The HTML text of an answer; None if it is something else."""
    if answer.rendered:
        return loads(answer.content, name=answer.url).to_xhtml()
    media_type, charset = media_type_and_charset(answer.header("content-type"))
    if sniff(answer.content, media_type) is not DocumentKind.HTML:
        return None
    return decode(answer.content, charset).text


def outline_of(text: str, url: str, addresses: Addresses) -> tuple[PageOutline, str]:
    """The outline of a page, and the address from which its links are told."""
    outline = read_outline(text)
    return outline, (addresses.joined(url, outline.base) if outline.base else None) or url


@dataclass
class AnswerTaker:
    """Takes in the answers of one crawl."""

    state: CrawlState
    settings: CrawlSettings
    likeness: Likeness
    host_named: Callable[[str], Host]
    allowed: Callable[[str], bool]
    allow: Callable[[str], None]
    run: int
    again: bool
    addresses: Addresses

    def take(self, address: WaitingAddress, answer: StoredAnswer, place: RecordPlace) -> None:
        """Take in the answer to the request for an address."""
        if answer.unchanged or answer.status == 304:
            self._unchanged(address, answer)
        elif answer.status in REDIRECTS:
            self._redirected(address, answer)
        elif answer.status in _GONE:
            self._gone(address, f"status {answer.status}")
        elif answer.status >= 400:
            self.state.settle(address.id, Standing.FAILED, f"status {answer.status}")
        else:
            self._page(address, answer, place)

    # ------------------------------------------------------------------------------------------------ kinds of answers

    def _unchanged(self, address: WaitingAddress, answer: StoredAnswer) -> None:
        before = self.state.visit(address.id)
        self.state.settle(address.id, Standing.VISITED)
        if before is not None:
            self._keep(before._replace(run=self.run, at=answer.when))

    def _redirected(self, address: WaitingAddress, answer: StoredAnswer) -> None:
        target = self.addresses.joined(address.url, answer.header("location"))
        self.state.settle(address.id, Standing.REDIRECTED, target or "nowhere")
        if target is None or target == address.url:
            return
        if address.hops >= 20:
            self.state.tell(host_of(address.url), "redirects", f"{address.url}: more than 20 redirects; given up.")
        elif self.allowed(target) or address.depth == 0:
            self.allow(host_of(target))
            new = NewAddress(
                address_key(target), target, address.kind, _AHEAD, address.depth, address.hops + 1, address.id
            )
            self.state.add([new])

    def _gone(self, address: WaitingAddress, cause: str) -> None:
        before = self.state.visit(address.id)
        if before is not None:
            self.state.note_change(self.run, address.id, "gone")
            self.state.forget_visit(before)
        self.state.settle(address.id, Standing.GONE, cause)

    def _page(self, address: WaitingAddress, answer: StoredAnswer, place: RecordPlace) -> None:
        host = self.host_named(host_of(address.url))
        host.changed = True
        text = text_of(answer)
        # Where things stand in a window differs by a hair from time to time; what a page says and links to does not.
        digest = payload_digest(text.encode()) if answer.rendered and text is not None else answer.digest
        outline, base = (
            outline_of(text, address.url, self.addresses) if text is not None else (PageOutline(), address.url)
        )
        if text is not None and host.missing and host.missing.shows(outline):
            self._gone(address, "the page says that there is none")
            return
        if self._is_copy(address, host, digest) or self._has_canonical(address, host, outline, base):
            host.count(is_target=False)
            self._record(address, answer, place, digest, outline, _NOT_JUDGED)
            return
        judged = self._judged(address, text, outline)
        self._changed(address, digest)
        host.count(is_target=judged.is_target)
        self._record(address, answer, place, digest, outline, judged)
        self.state.settle(address.id, Standing.VISITED)
        self._follow(address, host, answer, outline, base, judged)

    def _judged(self, address: WaitingAddress, text: str | None, outline: PageOutline) -> Judgement:
        hidden = self.settings.noindex and "noindex" in outline.robots.lower()
        return _NOT_JUDGED if text is None or hidden else self.likeness.judge(text, outline, address.url)

    # ------------------------------------------------------------------------------------------------ the same again

    def _is_copy(self, address: WaitingAddress, host: Host, digest: str) -> bool:
        """Whether another address gave the same bytes; hosts that give the same pages are told as mirrors."""
        other = self.state.same_content(digest, address.id)
        if other is None:
            return False
        self.state.settle(address.id, Standing.DUPLICATE, other.url)
        there = host_of(other.url)
        if trap := host.traps.copy(address.url, other.url):
            self._spring(host, trap)
        if there != host.name and _path(other.url) == _path(address.url):
            host.mirror_of[there] += 1
            if host.mirror_of[there] == _MIRRORED:
                self._is_mirror(host, there)
        return True

    def _is_mirror(self, host: Host, there: str) -> None:
        cause = f"{host.name} shows the same pages as {there}"
        host.left = cause
        waiting = [number for number, _ in self.state.waiting_of(host.name)]
        self.state.cut_off(waiting, cause)
        self.state.tell(
            host.name, "mirror", f"Cut off: {cause}, so its {len(waiting):,} waiting addresses are left out."
        )

    def _has_canonical(self, address: WaitingAddress, host: Host, outline: PageOutline, base: str) -> bool:
        """Whether a page names another address as its own; one that many pages name is not believed."""
        own = self.addresses.joined(base, outline.canonical) if outline.canonical else None
        if own is None or own == address.url or host_of(own) != host.name or _path(own) == "/":
            return False
        host.canonical[own] += 1
        key = address_key(own)
        if host.canonical[own] > _CANONICAL or (self.state.is_done(key) and self._failed(key)):
            return False
        self.state.settle(address.id, Standing.DUPLICATE, own)
        self.state.add([NewAddress(key, own, address.kind, _AHEAD, address.depth, 0, address.id)])
        return True

    def _failed(self, key: int) -> bool:
        number = self.state.id_of(key)
        return number is None or self.state.visit(number) is None

    def _changed(self, address: WaitingAddress, digest: str) -> None:
        if not self.again:
            return
        before = self.state.visit(address.id)
        if before is None:
            self.state.note_change(self.run, address.id, "new")
        elif before.digest != digest:
            self.state.note_change(self.run, address.id, "changed")

    # ------------------------------------------------------------------------------------------------------- keeping

    def _record(
        self,
        address: WaitingAddress,
        answer: StoredAnswer,
        place: RecordPlace,
        digest: str,
        outline: PageOutline,
        judged: Judgement,
    ) -> None:
        self._keep(
            VisitRow(
                address.id,
                0,
                self.run,
                answer.when,
                answer.status,
                len(answer.content),
                digest,
                judged.is_target,
                judged.likeness,
                outline.title[:500],
                answer.header("etag"),
                answer.header("last-modified"),
                place.file,
                place.offset,
                place.length,
            )
        )

    def _keep(self, row: VisitRow) -> None:
        before = self.state.visit(row.address)
        self.state.visits += 1
        self.state.targets += row.is_target - bool(before and before.is_target)
        self.state.visited(row._replace(number=self.state.visits))

    # --------------------------------------------------------------------------------------------------------- links

    def _follow(
        self,
        address: WaitingAddress,
        host: Host,
        answer: StoredAnswer,
        outline: PageOutline,
        base: str,
        judged: Judgement,
    ) -> None:
        all_links = self._links(host, outline, base)
        keys = {url: address_key(url) for url in all_links}
        for feed in outline.feeds:
            if (url := self.addresses.joined(base, feed)) and self.allowed(url):
                host.name_feed(url)
        own = {url: anchor for url, anchor in all_links.items() if host_of(url) == host.name}
        if len(own) < len(all_links):
            self._let_wait_elsewhere(address, [link for link in all_links.items() if link[0] not in own], keys)
        open_links = self._open_links(address, host, own, keys)
        visit = VisitedPage(address.url, outline, address.kind, address.depth, *judged, order=address.id)
        host.ranking.learn(visit, open_links)
        placed = host.ranking.place(visit, open_links)
        leads = self._let_wait(address, open_links, placed, keys)
        self.state.link(address.id, keys.values())
        self.state.rescore(host.ranking.rescored().items())
        seen = SeenPage(
            address.url, answer.content, outline.skeleton, tuple(own), tuple(leads), is_target=judged.is_target
        )
        for trap in host.traps.learn(seen):
            self._spring(host, trap)

    def _links(self, host: Host, outline: PageOutline, base: str) -> dict[str, Anchor]:
        """Where a page leads, each address once, as far as the crawl may go."""
        if self.settings.nofollow and "nofollow" in outline.robots.lower():
            return {}
        found: dict[str, Anchor] = {}
        foreign = self._foreign(outline, base)
        for anchor in (*outline.anchors, *_extra(outline)):
            url = self.addresses.joined(base, anchor.href)
            if url is None or (self.settings.nofollow and "nofollow" in anchor.rel):
                continue
            url = host.traps.plain(url)
            if url not in found and url not in foreign and self.allowed(url) and not is_no_page(url):
                found[url] = anchor
        return found

    def _foreign(self, outline: PageOutline, base: str) -> set[str]:
        """The translations of a page into languages that are not wanted."""
        wanted = self.settings.languages
        if not wanted:
            return set()
        others = (link for language, link in outline.translations if not _is_of(language, wanted))
        return {url for link in others if (url := self.addresses.joined(base, link))}

    def _open_links(
        self, address: WaitingAddress, host: Host, own: dict[str, Anchor], keys: dict[str, int]
    ) -> list[FoundLink]:
        """The links that may be followed and were not yet; those that a trap swallows are kept as such."""
        found = []
        if address.depth >= self.settings.clicks:
            return []
        for url, anchor in own.items():
            key = keys[url]
            if self.state.is_done(key):
                continue
            kind = self.state.waits(key)
            if kind is None:
                host.traps.note(url)
                if host.traps.closed(url):
                    continue
            found.append(FoundLink(url, anchor, kind))
        return found

    def _let_wait(
        self,
        address: WaitingAddress,
        links: list[FoundLink],
        placed: Iterable[Placed | None],
        keys: dict[str, int],
    ) -> list[str]:
        """Let the links wait where the ranking places them; those that nobody knew before."""
        new, moved, leads = [], [], []
        for link, where in zip(links, placed, strict=True):
            if where is None:
                continue
            if link.kind is None:
                leads.append(link.url)
                new.append(
                    NewAddress(keys[link.url], link.url, where.kind, where.score, address.depth + 1, 0, address.id)
                )
            elif where.kind != link.kind:
                moved.append((keys[link.url], where.kind, where.score))
        self.state.add(new)
        self.state.move(moved)
        return leads

    def _let_wait_elsewhere(
        self, address: WaitingAddress, links: list[tuple[str, Anchor]], keys: dict[str, int]
    ) -> None:
        """Let links to other hosts wait there; the page that has them says nothing on where they stand on those."""
        if address.depth >= self.settings.clicks:
            return
        new = [(url, anchor) for url, anchor in links if self.state.id_of(keys[url]) is None]
        self.begin_at(new, depth=address.depth + 1, parent=address.id)

    def begin_at(self, links: Iterable[tuple[str, Anchor]], *, depth: int = 0, parent: int | None = None) -> int:
        """Let addresses wait that no page of their own host leads to; how many are new."""
        by_host: dict[str, list[FoundLink]] = {}
        for url, anchor in links:
            by_host.setdefault(host_of(url), []).append(FoundLink(url, anchor))
        new = 0
        for name, found in by_host.items():
            host = self.host_named(name)
            is_open = [link for link in found if not host.traps.closed(link.url)]
            nowhere = VisitedPage("", PageOutline(), "", depth, is_target=False, likeness=0.0)
            placed = zip(is_open, host.ranking.place(nowhere, is_open), strict=True)
            new += self.state.add(
                NewAddress(address_key(link.url), link.url, where.kind, where.score, depth, 0, parent)
                for link, where in placed
                if where is not None
            )
        return new

    def _spring(self, host: Host, trap: Trap) -> None:
        """Cut off what waits in a trap, and say so."""
        swallowed, doubled = [], []
        for number, url in self.state.waiting_of(host.name):
            if host.traps.closed(url):
                swallowed.append(number)
            elif trap.parameter and host.traps.plain(url) != url:
                doubled.append((number, host.traps.plain(url)))
        self.state.cut_off(swallowed, trap.text)
        for number, plain in doubled:
            address = self.state.address(number)
            self.state.settle(number, Standing.CUT_OFF, trap.text)
            new = NewAddress(address_key(plain), plain, address.kind, 0.0, address.depth, 0, number)
            self.state.add([new])
        left_out = len(swallowed) + len(doubled)
        self.state.tell(host.name, trap.what, f"{trap.text} {left_out:,} waiting addresses are left out.")


def _extra(outline: PageOutline) -> list[Anchor]:
    """Links that a page has beside those that people see."""
    found = [Anchor(outline.following, "", "link.next", "next")] if outline.following else []
    target = outline.refresh.partition("=")[2].strip("'\" ")
    return [*found, Anchor(target, "", "meta.refresh")] if target else found


def _is_of(language: str, wanted: tuple[str, ...]) -> bool:
    """Whether a language, such as en-GB, is one of those wanted, such as en; a page for all others always is."""
    name = language.lower()
    return name == "x-default" or any(name == one.lower() or name.startswith(f"{one.lower()}-") for one in wanted)


def _path(url: str) -> str:
    path, _ = parts_of(url)
    return path[path.find("/", 8) :]
