"""The crawl: many hosts at once, one visit at a time on each, and a state that survives being killed at any instant."""

import asyncio
import os
import queue
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from sightline.crawler._addresses import Addresses, address_key, clean_address, host_of
from sightline.crawler._archive import Archive, RecordPlace, StoredAnswer, read_record
from sightline.crawler._fetch import BusyError, PageFetcher, introduce, read_feeds
from sightline.crawler._host import AnswerPace, Host
from sightline.crawler._settings import (
    CrawlSettings,
    CrawlStatus,
    CrawlTarget,
    HostStatus,
    crawl_folder,
    not_writable,
    write_indexes,
)
from sightline.crawler._state import STATE_FILE, CrawlState, Standing, WaitingAddress
from sightline.crawler._take import AnswerTaker, text_of
from sightline.crawler._traps import Traps
from sightline.crawler.likeness import AnyLikeness, Likeness, LikenessByHost, Questions
from sightline.crawler.rank import ranking_for, state_name
from sightline.errors import DeadlineError, RefusedError, SourceError, UnreachableError, UsageError
from sightline.net import CrawlPolicy, Limits, RequestPolicy, admit, jittered
from sightline.sources import Anchor, BrowserSettings, Loader
from sightline.sources.files import expand

OnStatus: TypeAlias = Callable[[CrawlStatus], None]
"""What a crawl calls with how far it is, a few times a second at most."""

Goal: TypeAlias = Callable[[Sequence[str], Sequence[str], Questions | None], Likeness]
"""From the HTML of example pages, and the addresses of the first of them, to what tells pages of their kind.

It may ask a few questions, if there is somebody to ask.
"""

Ask: TypeAlias = Callable[[str], bool | None]
"""Asks somebody whether the page at an address is one of those looked for; None if nobody says."""

_COMMIT_SECONDS = 1.0
_COMMIT_VISITS = 200
_TELL_SECONDS = 0.25
_SAVE_SECONDS = 20.0  # between two savings of a ranking; what was learned in between is soon learned again
_INDEX_SECONDS = 1.0  # between two writings of the indexes, which commands read while a crawl runs or after a kill
_INDEX_SHARE = 0.01  # of the time, at most, goes into writing them; large crawls write them less often
_LIKENESS = "likeness 2"  # under which what was learned is kept; what earlier versions learned has another form
_HANGS = 6  # failures in a row after which a host is left alone for the rest of a run
_REFUSALS = 25  # answers 401 or 403 in a row, after which it is clear that the host does not want to be visited
_FORBIDDEN = frozenset({401, 403})
_OWN_FILE = re.compile(r"pages-\d+\.warc\.gz|found\.cdxj")


class Crawler:
    """A crawl in a folder: new, or where it was when it ended, however it ended.

    `like` are addresses of pages that the crawl looks for, and `examples` the HTML of such pages that are at hand;
    `goal` makes of them what tells the others. Without a goal, every page is wanted. `target` names what a goal without
    examples looks for, so that the folder keeps to it. `ask` is called up to three times with the address of a page
    that may or may not be one of those looked for; the crawl waits for the answer.
    """

    def __init__(  # noqa: PLR0913 - keywords, each of them said seldom
        self,
        folder: str | os.PathLike[str],
        *,
        first: Sequence[str] = (),
        like: Sequence[str] = (),
        examples: Sequence[str] = (),
        goal: Goal | None = None,
        target: CrawlTarget | None = None,
        settings: CrawlSettings | None = None,
        limits: Limits | None = None,
        policy: CrawlPolicy | None = None,
        browser: BrowserSettings | None = None,
        again: bool = False,
        ask: Ask | None = None,
        on_status: OnStatus | None = None,
    ) -> None:
        self.folder: Path = Path(folder)
        self.settings: CrawlSettings = settings or CrawlSettings()
        self._first = [_clean(url) for url in first]
        self._like = [_clean(url) for url in like]
        self._examples = list(examples)
        self._goal = goal
        self._target = target
        self._limits = limits or Limits()
        self._policy = policy or CrawlPolicy()
        self._browser = browser
        self._again = again
        self._questions = Questions(lambda url: self._answer(ask, url)) if ask else None
        self._on_status = on_status
        self._hosts: dict[str, Host] = {}
        self._addresses = Addresses()
        self._stopped = ""
        self._in_flight = 0
        self._told_at = 0.0
        self._committed = (0.0, 0)
        self._index_at = 0.0
        self._saved_at: dict[str, float] = {}
        self._waits: dict[str, str] = {}
        self._wake: asyncio.Event | None = None

    def run(self) -> CrawlStatus:
        """Crawl until nothing is left, the budget is used up, or somebody interrupts; how it stands then."""
        try:
            self._check_folder()
            with crawl_folder(self.folder, self._has_begun):
                self._state = CrawlState(self.folder)
                try:
                    _run_apart(self._crawl(), self.stop)
                    write_indexes(self.folder)
                finally:
                    self._state.close()
            return CrawlStatus.of(self.folder)
        except (sqlite3.OperationalError, OSError) as problem:
            raise not_writable(self.folder, problem) from problem

    def _has_begun(self) -> bool:
        """Whether anything is kept that a later run would go on with."""
        return self._committed != (0.0, 0)

    def stop(self, why: str = "interrupted") -> None:
        """Stop after the visits that are under way; from any thread."""
        self._stopped = self._stopped or why

    def _answer(self, ask: Ask, url: str) -> bool | None:
        """What somebody says of a page; a crawl that is stopped waits no longer."""
        said: queue.SimpleQueue[bool | None] = queue.SimpleQueue()
        threading.Thread(target=lambda: said.put(ask(url)), name="sightline-ask", daemon=True).start()
        while not self._stopped:
            with suppress(queue.Empty):
                return said.get(timeout=_TELL_SECONDS)
        return None

    def _check_folder(self) -> None:
        """Refuse what cannot begin before anything is written."""
        if file := next(
            (one for one in (self.folder, *self.folder.parents) if one.exists() and not one.is_dir()), None
        ):
            raise UsageError(f"{file} is a file, and a crawl needs a folder; name another one.")
        if (self.folder / STATE_FILE).exists():
            return
        if self._again:
            raise UsageError(f"{self.folder} holds no crawl to repeat; run it once without --again.")
        if not (self._first or self._like):
            raise UsageError("There is no address to begin with; name one, such as `sightline crawl https://…`.")
        if page := _other_page(self.folder):
            raise UsageError(
                f"{self.folder} has pages that are not of a crawl, such as {page}, and commands would no longer read "
                "them; choose another folder."
            )

    async def _crawl(self) -> None:
        self._wake = asyncio.Event()
        file, end = (self._state.recall("archive") or "1 0").split()
        self._archive = Archive(self.folder, file=int(file), end=int(end), file_bytes=self.settings.file_bytes)
        self._bind()
        loader = Loader(browser=self._browser, limits=self._limits, policy=self._policy)
        self._begin_run()
        try:
            async with RequestPolicy(self._limits, self._policy, keep_alive=True) as requests:
                self._fetcher = PageFetcher(
                    self._state, self._archive, requests, self.settings, self._limits, loader, self._addresses
                )
                await self._prepare()
                self._commit()
                self._write_indexes()
                await self._visit_all()
        finally:
            self._archive.close()
            loader.close()
        self._state.end_run(self._run, self._stopped)
        self._save_hosts(everything=True)
        self._commit()
        self._tell(final=True)

    # ------------------------------------------------------------------------------------------------------ beginning

    def _bind(self) -> None:
        """Send headers and cookies to the sites that were named, when the crawl began or now, and to no other."""
        kept = (self._state.recall("named") or "").split()
        self._policy = self._policy.bound_to([*kept, *self._first, *self._like])
        if (self._policy.header or self._policy.cookie) and not self._policy.named:
            raise UsageError(f"{self.folder} does not say which sites were named; name the first address again.")
        self._state.remember("named", " ".join(self._policy.named))

    def _begin_run(self) -> None:
        self._keep_target()
        last = self._state.last_run()
        if self._again and last is None:  # the first run ended before it had begun
            raise UsageError(f"{self.folder} holds no crawl to repeat; run it once without --again.")
        goes_on = last is not None and last.stopped is None and last.again == self._again
        self._run = last.number if last is not None and goes_on else self._state.begin_run(again=self._again)
        self._earlier = self._state.visits - self._state.visits_in(self._run) if self._again else 0
        kept = (self._state.recall("hosts") or "").split()
        own = {host_of(url) for url in (*self._first, *self._like)}
        self._allowed_hosts = {*self.settings.hosts, *own} if self.settings.hosts else {*kept, *own}
        self._state.remember("hosts", " ".join(sorted(self._allowed_hosts)))

    def _keep_target(self) -> None:
        """Go on only with the target that the folder was crawled for."""
        target = self._target or CrawlTarget("wrapper" if self._goal else "any")
        if self._like or self._examples:
            target = CrawlTarget.of_examples(self._like, self._examples)
        if before := self._state.recall("target"):
            target.check_same(CrawlTarget.loads(before), self.folder)
        self._state.remember("target", target.dumps())

    def _allowed(self, url: str) -> bool:
        name = host_of(url)
        if name in self._allowed_hosts:
            return True
        return any(name.endswith(host[1:]) for host in self._allowed_hosts if host.startswith("*."))

    def _allow(self, name: str) -> None:
        """Go on at a host to which a first address leads."""
        if not self._allowed(f"https://{name}/"):
            self._allowed_hosts.add(name)
            self._state.remember("hosts", " ".join(sorted(self._allowed_hosts)))

    async def _prepare(self) -> None:
        """Take up what a kill left in the archive, and let the first addresses wait."""
        left = [(answer, place) for place, answer in self._archive.unread()]
        likeness = await self._likeness(left)
        self._taker = AnswerTaker(
            state=self._state,
            settings=self.settings,
            likeness=likeness,
            host_named=self._host,
            allowed=self._allowed,
            allow=self._allow,
            run=self._run,
            again=self._again,
            addresses=self._addresses,
        )
        self._taker.begin_at((url, Anchor(url, place="first")) for url in (*self._like, *self._first))
        for answer, place in left:
            if (number := self._number_of(answer.url)) is not None:
                self._taker.take(self._state.address(number), answer, place)
        if not len(self._state):
            raise UsageError("There is no address to begin with; name one, such as `sightline crawl https://…`.")

    def _number_of(self, url: str) -> int | None:
        """The number of an address whose answer a kill left; None for a trap, which would not be asked for again.

        Where no answer of the archive leads to it, a feed or the sitemap of another host did, and the kill took that
        away.
        """
        number = self._state.id_of(address_key(url))
        if number is None and self._taker.begin_at([(url, Anchor(url, place="feed"))], depth=1):
            number = self._state.id_of(address_key(url))
        return number

    async def _likeness(self, left: list[tuple[StoredAnswer, RecordPlace]]) -> Likeness:
        """What tells the pages looked for: from examples at hand, and from pages of the web, asked for only once."""
        if self._goal is None:
            return AnyLikeness()
        of_host: dict[str, dict[str, str]] = {}
        named, self._like = self._like, []
        problems: list[SourceError] = []
        for url in named:
            answer = self._kept(url, left)
            if answer is None:
                try:
                    answer = await self._fetcher.example(url)
                except SourceError as problem:
                    problems.append(problem)
                    continue
                # Under which address it is kept must be known after a kill, or it would be asked for and kept again.
                self._state.remember(f"like {url}", answer.url)
                self._state.commit()
                left.append(self._fetcher.keep(answer))
            self._like.append(answer.url)
            text = text_of(answer)
            if text is None:
                raise UsageError(f"{url} isn't an HTML page, so pages can't be compared with it; name another one.")
            of_host.setdefault(host_of(answer.url), {})[answer.url] = text
        if problems and not of_host and not self._examples:
            raise problems[0]
        for lack in problems:
            self._state.tell(host_of(lack.source), "left out", f"An example is left out: {lack.message}")
        likeness = self._by_host(self._goal, of_host)
        if learned := self._state.recall_bytes(_LIKENESS):
            likeness.resume(learned)
        return likeness

    def _by_host(self, goal: Goal, of_host: dict[str, dict[str, str]]) -> Likeness:
        """One likeness, or one for each host that examples come from; files are examples for all of them."""

        def made(texts: dict[str, str]) -> Likeness:
            return goal([*texts.values(), *self._examples], list(texts), self._questions)

        if len(of_host) < 2:
            return made({url: text for texts in of_host.values() for url, text in texts.items()})
        return LikenessByHost(
            {host: made(texts) for host, texts in of_host.items()}, made({}) if self._examples else None
        )

    def _kept(self, url: str, left: list[tuple[StoredAnswer, RecordPlace]]) -> StoredAnswer | None:
        """An example that is in the archive already."""
        final = self._state.recall(f"like {url}") or url
        for answer, _ in left:
            if answer.url == final and answer.status == 200:
                return answer
        number = self._state.id_of(address_key(final))
        row = self._state.visit(number) if number is not None else None
        return read_record(self.folder, row.place) if row is not None else None

    def _host(self, name: str) -> Host:
        if name not in self._hosts:
            self._state.host(name)
            saved, notes = self._state.saved_host(name)
            # What one ranking learned is nothing to another.
            ranking = saved if self._state.recall("rank") == state_name(self.settings.rank) else None
            host = Host(
                name,
                ranking_for(self.settings.rank, ranking, examples=[url for url in self._like if host_of(url) == name]),
                Traps(focused=self._goal is not None, known=self._is_known),
                pace=AnswerPace(self.settings.retry_seconds),
            )
            host.restore(notes)
            self._hosts[name] = host
        return self._hosts[name]

    def _is_known(self, url: str) -> bool:
        return self._state.id_of(address_key(url)) is not None

    # ------------------------------------------------------------------------------------------------------- visiting

    async def _visit_all(self) -> None:
        """Visit every host that something waits for, as many at once as allowed, until nothing is left."""
        room = asyncio.Semaphore(self.settings.hosts_at_once)
        tasks: dict[str, asyncio.Task[None]] = {}
        try:
            while not self._stopped:
                for name in self._ready(tasks):
                    tasks[name] = asyncio.create_task(self._in_room(self._host(name), room))
                if not tasks:
                    break
                done, _ = await asyncio.wait(tasks.values(), timeout=_TELL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                for name in [name for name, task in tasks.items() if task in done]:
                    tasks.pop(name).result()
                self._keep_up()
            self._stopped = self._stopped or self._why_at_end()
        finally:
            await _ended(tasks.values(), self._stopped)
        # Not after an error: what was half taken in then is read from the archive again, and taken in whole.
        self._keep_up()

    def _ready(self, tasks: dict[str, Any]) -> list[str]:
        return [
            name
            for name, kinds in self._state.waiting.items()
            if (kinds or self._has_feeds(self._host(name))) and name not in tasks and not self._host(name).left
        ]

    def _has_feeds(self, host: Host) -> bool:
        """Whether feeds of a host are still to be read, after a kill for instance."""
        return bool(host.feeds) and self.settings.sitemaps

    def _why_at_end(self) -> str:
        left = [host for host in self._hosts.values() if host.left and self._state.waiting[host.name]]
        if not left:
            return "nothing is left to visit"
        return f"what is left waits for {', '.join(sorted(host.name for host in left)[:3])}, left alone for now"

    async def _in_room(self, host: Host, room: asyncio.Semaphore) -> None:
        async with room:
            await self._visit_host(host)

    async def _visit_host(self, host: Host) -> None:
        """Visit the pages of one host, one after the other, while something waits for it."""
        if self._has_feeds(host):
            await read_feeds(host, self._fetcher, self._taker)
        while not self._stopped and not host.left and (kinds := self._state.waiting[host.name]):
            if self._state.visits - self._earlier + self._in_flight >= self.settings.pages:
                self.stop(f"the budget of {self.settings.pages:,} pages is used up")
                return
            address = self._state.next(host.name, host.ranking.choose(kinds))
            if address is None:
                raise AssertionError("the counts of what waits are wrong")
            self._in_flight += 1
            try:
                await self._visit(address, host)
            finally:
                self._in_flight -= 1
            self._keep_up()

    async def _visit(self, address: WaitingAddress, host: Host) -> None:
        try:
            if not host.is_known:
                await self._introduce(address, host)
            answer, place = await self._fetcher.visit(address, host)
        except BusyError as problem:
            await self._come_back(address, host, problem, problem.headers)
        except (UnreachableError, DeadlineError) as problem:
            await self._come_back(address, host, problem, None)
        except RefusedError as problem:
            self._refused(address, host, problem)
        except SourceError as problem:
            self._failed(address, host, problem)
        else:
            self._taker.take(address, answer, place)
            if self._has_feeds(host):
                await read_feeds(host, self._fetcher, self._taker)
            host.refusals = host.refusals + 1 if answer.status in _FORBIDDEN else 0
            if host.refusals >= _REFUSALS:
                self._leave(host, f"it answered the last {_REFUSALS} requests with “forbidden”")

    async def _introduce(self, address: WaitingAddress, host: Host) -> None:
        """Look at a host before its first visit, and keep at once what its sitemaps say, which no archive holds."""
        await introduce(host, address.url, self._fetcher, self._taker)
        self._saved_at.pop(host.name, None)
        self._commit()

    def _failed(self, address: WaitingAddress, host: Host, problem: SourceError) -> None:
        host.failed += 1
        host.changed = True
        self._state.settle(address.id, Standing.FAILED, problem.problem)

    def _refused(self, address: WaitingAddress, host: Host, problem: RefusedError) -> None:
        """What the robots.txt forbids is refused; a host that forbids everything, or wants rest, is left alone."""
        if host.is_known:
            self._state.settle(address.id, Standing.REFUSED, problem.problem)
        else:
            self._leave(host, problem.problem.rstrip("."))

    async def _come_back(
        self, address: WaitingAddress, host: Host, problem: SourceError, headers: tuple[tuple[str, str], ...] | None
    ) -> None:
        """Ask again later; a page that fails too often is given up, and so is a host for the rest of this run."""
        pause = host.pace.failed(headers)
        if address.tries + 1 >= self.settings.tries:
            self._failed(address, host, problem)
        else:
            self._state.put_back(address.id, problem.problem)
        if host.pace.failures >= _HANGS:
            self._leave(host, f"{host.pace.failures} requests in a row failed ({problem.problem.rstrip('.')})")
        elif pause > self.settings.patience:
            self._leave(host, f"it asks to come back in {pause:,.0f} s")
        else:
            self._waits[host.name] = f"waits {pause:,.0f} s: {problem.problem}"
            await self._pause(jittered(pause))
            self._waits.pop(host.name, None)

    async def _pause(self, seconds: float) -> None:
        """Wait, but not longer than the crawl goes on."""
        end = asyncio.get_running_loop().time() + seconds
        while not self._stopped and (left := end - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(min(left, _TELL_SECONDS))

    def _leave(self, host: Host, why: str) -> None:
        """Leave a host alone for the rest of this run; what waits for it waits on."""
        host.left = why
        self._state.tell(host.name, "left alone", f"It is left alone for now: {why}.")

    # -------------------------------------------------------------------------------------------------- keeping track

    def _keep_up(self) -> None:
        now = time.monotonic()
        since, visits = self._committed
        if now - since >= _COMMIT_SECONDS or self._state.visits - visits >= _COMMIT_VISITS:
            self._commit()
            if now >= self._index_at:
                self._write_indexes()
        if now - self._told_at >= _TELL_SECONDS:
            self._told_at = now
            self._tell()

    def _commit(self) -> None:
        self._save_hosts()
        self._state.commit(self._archive)
        self._committed = (time.monotonic(), self._state.visits)

    def _write_indexes(self) -> None:
        begin = time.monotonic()
        write_indexes(self.folder)
        end = time.monotonic()
        self._index_at = end + max(_INDEX_SECONDS, (end - begin) / _INDEX_SHARE)

    def _save_hosts(self, *, everything: bool = False) -> None:
        now = time.monotonic()
        for name, host in self._hosts.items():
            # The page that names a feed is not taken in again, so the feed must not be forgotten.
            is_due = everything or self._has_feeds(host) or now - self._saved_at.get(name, 0.0) >= _SAVE_SECONDS
            if host.changed and is_due:
                self._state.save_host(name, host.ranking.dumps(), host.notes())
                self._state.remember("rank", state_name(self.settings.rank))
                self._state.remember(_LIKENESS, self._taker.likeness.dumps())
                self._saved_at[name] = now
                host.changed = False

    def _tell(self, *, final: bool = False) -> None:
        if self._on_status:
            hosts = [self._host_status(name, sum(kinds.values())) for name, kinds in self._state.waiting.items()]
            self._on_status(
                CrawlStatus(
                    visits=self._state.visits,
                    targets=self._state.targets,
                    known=len(self._state),
                    stopped=self._stopped if final else None,
                    is_running=not final,
                    hosts=tuple(hosts),
                )
            )

    def _host_status(self, name: str, waiting: int) -> HostStatus:
        host = self._host(name)
        doing = self._waits.get(name) or host.left
        return HostStatus(name, host.visits, host.targets, waiting, host.failed, doing, host.rate)


def _clean(url: str) -> str:
    """An address that the user named, in its one spelling."""
    try:
        named = admit(url).url
    except RefusedError as problem:
        raise UsageError(problem.message) from problem
    return clean_address(named, "") or named


async def _ended(tasks: Any, stopped: str) -> None:
    """Let what is under way come to its end; after an error, cancel it."""
    waiting = list(tasks)
    if not stopped:
        for task in waiting:
            task.cancel()
    await asyncio.gather(*waiting, return_exceptions=not stopped)


def _other_page(folder: Path) -> str | None:
    """A saved page in a folder that no crawl has written; archives without their state are taken up again."""
    pages = (Path(one) for one in expand([str(folder)]) if isinstance(one, str)) if folder.exists() else ()
    return next((str(page.relative_to(folder)) for page in pages if not _OWN_FILE.fullmatch(page.name)), None)


def _run_apart(work: Coroutine[Any, Any, None], stop: Callable[[], None]) -> None:
    """Run a coroutine in a thread of its own, so that it works inside a running loop; an interrupt stops it gently."""
    problems: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            asyncio.run(work)
        except BaseException as problem:  # noqa: BLE001 - it is raised again below, in the thread that waits
            problems.append(problem)
        finally:
            done.set()

    thread = threading.Thread(target=run, name="sightline-crawl", daemon=True)
    thread.start()
    asked: SystemExit | None = None
    # Up to Python 3.12, a `join` that is interrupted takes a thread that still runs for one that has ended.
    while not done.is_set():
        try:
            done.wait()
        except KeyboardInterrupt:
            stop()
        except SystemExit as request:  # what `kill` becomes
            stop()
            asked = request
    thread.join()
    if problems:
        raise problems[0]
    if asked:
        raise asked
