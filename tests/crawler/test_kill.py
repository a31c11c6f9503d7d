"""A crawl that is killed at any instant goes on: nothing is lost, nothing is fetched twice, no record is damaged."""

import asyncio
import random
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from sightline.crawler._archive import archive_path
from sightline.net import Document
from sightline.sources.files import documents

from .._server import Handler, Request, redirect, reply
from .._wait import happened, wait_until
from ._site import html, links, serving, tree

pytestmark = pytest.mark.slow

KILLS = 8  # `python -m bench crawl` kills two hundred times

CRAWL = """
import sys
from sightline.crawler import Crawler, CrawlSettings
how = CrawlSettings(render="never", sitemaps=False, pages=10_000)
print(Crawler(sys.argv[1], first=[sys.argv[2]], settings=how).run().stopped)
"""


def kept_in(folder: Path) -> Counter[str]:
    """How often each page is in the archive, whose records are all whole."""
    found = list(documents(archive_path(folder, 1)))
    assert all(isinstance(one, Document) for one in found)
    return Counter("/" + one.url.split("/", 3)[3] for one in found if isinstance(one, Document))


def test_kill_at_random_instants_loses_nothing(tmp_path: Path) -> None:
    """Eight kills at random instants of a crawl: in the end every page is there once, and was sent once.

    An instant is a number of requests that the site has seen. A page whose answer was under way when the kill came has
    to be asked for again; so a page may be asked for once more for each kill, and not more often.
    """
    chance = random.Random(20)
    pages = tree(3, 6)
    folder = tmp_path / "crawl"
    with serving(pages) as site:
        for kill in range(KILLS):
            seen = len(site.requests) + chance.randint(1, len(pages) // KILLS)
            process = subprocess.Popen([sys.executable, "-c", CRAWL, str(folder), site.url()])
            wait_until(lambda: len(site.requests) >= seen or process.poll() is not None)  # noqa: B023 - waited for here
            process.kill()
            process.wait()
            assert kill or folder.exists()
        last = subprocess.run(
            [sys.executable, "-c", CRAWL, str(folder), site.url()], capture_output=True, text=True, check=True
        )
    assert last.stdout.strip() == "nothing is left to visit"
    assert kept_in(folder) == Counter(dict.fromkeys(pages, 1))
    asked = Counter(path for path in site.paths() if "no-such-page" not in path)
    assert set(asked) == set(pages)
    assert sum(asked.values()) <= len(pages) + KILLS


HELD_CRAWL = """
import sys
import sightline as sl
from sightline.crawler import CrawlSettings
folder, first, render, *like = sys.argv[1:]
sl.crawl(first, folder, like=like, settings=CrawlSettings(render=render))
"""


class Gate:
    """Keeps one request of a site waiting until it is opened, so that a test knows where a crawl is."""

    def __init__(self, pages: dict[str, bytes], held: str, *, nth: int = 1) -> None:
        self.pages: dict[str, bytes | Handler] = {**pages, held: self._answer}
        self.content = pages[held]
        self._left = nth
        self._open = threading.Event()
        self.reached = threading.Event()

    async def _answer(self, _: Request, writer: asyncio.StreamWriter) -> None:
        self._left -= 1
        if self._left <= 0 and not self._open.is_set():
            self.reached.set()
            await happened(self._open.is_set)
        whole = self.content if self.content.startswith(b"HTTP/") else reply(self.content)
        writer.write(whole)
        await writer.drain()

    def pass_through(self, folder: Path, *command: str, kills: int = 1, committed: bool = False) -> None:
        """Kill a crawl at the gate, as often as said, then let it go on to its end."""
        crawl = [sys.executable, "-c", HELD_CRAWL, str(folder), *command]
        for _ in range(kills):
            self.reached.clear()
            self._kill_there(crawl, folder / "pages.cdxj", committed=committed)
        self._open.set()
        subprocess.run(crawl, check=True)

    def _kill_there(self, crawl: list[str], index: Path, *, committed: bool) -> None:
        """Kill a crawl at the gate; `committed` waits for a commit there, after which the index is written anew."""
        process = subprocess.Popen(crawl)
        wait_until(lambda: self.reached.is_set() or process.poll() is not None)
        before = index.stat().st_mtime_ns if committed else 0
        wait_until(lambda: not committed or index.stat().st_mtime_ns != before)
        process.kill()
        process.wait()
        assert self.reached.is_set()


def test_kill_while_a_page_is_compared_keeps_it_once(tmp_path: Path) -> None:
    """A commit while the browser still shows a page that the server has sent does not count it as known."""
    gate = Gate({"/": links("/a"), "/a": links(title="Ann")}, "/", nth=2)
    with serving(gate.pages) as site:
        gate.pass_through(tmp_path / "crawl", site.url(), "auto", committed=True)
    assert kept_in(tmp_path / "crawl") == Counter(["/", "/a"])


def test_kill_after_a_sitemap_loses_no_page(tmp_path: Path) -> None:
    """Pages that only a sitemap names are each kept once, though the kill comes before a commit by the clock."""
    pages = {f"/{number}": links(title=f"Page {number}") for number in range(6)}
    gate = Gate({"/": links(), **pages, "/sitemap.xml": b""}, "/5")
    with serving(gate.pages) as site:
        gate.pages["/sitemap.xml"] = "".join(f"<loc>{site.url(path)}</loc>" for path in pages).encode()
        gate.pass_through(tmp_path / "crawl", site.url(), "never")
    assert kept_in(tmp_path / "crawl") == Counter(["/", *pages])


def test_kill_among_the_examples_keeps_each_once(tmp_path: Path) -> None:
    """An example that redirects is known under its last address, also when the kill comes before the first commit."""
    goods = {f"/good/{number}": links("/", title=f"Good {number}") for number in range(2)}
    gate = Gate({"/": links(*goods), "/old": redirect("/good/0"), **goods}, "/good/1")
    with serving(gate.pages) as site:
        gate.pass_through(tmp_path / "crawl", site.url(), "never", site.url("/old"), site.url("/good/1"))
    assert kept_in(tmp_path / "crawl") == Counter(["/", *goods])
    assert Counter(site.paths())["/old"] == 1


def test_kill_after_a_feed_keeps_its_pages_once(tmp_path: Path) -> None:
    """Pages that only a feed names are taken from the archive, though the kill took away what the feed said."""
    front = html("", head='<link rel=alternate type="application/rss+xml" href="/feed">')
    pages = {f"/{number}": links(title=f"Page {number}") for number in range(6)}
    gate = Gate({"/": front, **pages, "/feed": b""}, "/5")
    with serving(gate.pages) as site:
        items = "".join(f"<item><link>{site.url(path)}</link></item>" for path in pages)
        gate.pages["/feed"] = f"<rss>{items}</rss>".encode()
        gate.pass_through(tmp_path / "crawl", site.url(), "never")
    assert kept_in(tmp_path / "crawl") == Counter(["/", *pages])


@pytest.mark.parametrize(("kills", "committed"), [(1, True), (3, False)])
def test_kill_before_a_feed_is_read_loses_no_page(tmp_path: Path, kills: int, committed: bool) -> None:
    """A feed whose answer was under way is read by the next run, though the page that names it is known.

    It is known by a commit before the kill, or because a run took it from the archive, and was killed in its turn.
    """
    front = html("", head='<link rel=alternate type="application/rss+xml" href="/feed">')
    gate = Gate({"/": front, "/feed": b"", "/news": links(title="News")}, "/feed")
    with serving(gate.pages) as site:
        gate.content = f"<rss><item><link>{site.url('/news')}</link></item></rss>".encode()
        gate.pass_through(tmp_path / "crawl", site.url(), "never", kills=kills, committed=committed)
    assert kept_in(tmp_path / "crawl") == Counter(["/", "/news"])


FULL_DISK = """
import resource, signal, sys
from sightline.crawler import Crawler, CrawlSettings
from sightline.errors import SightlineError
if sys.argv[3] != "all":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
how = CrawlSettings(render="never", sitemaps=False, pages=10_000)
try:
    print(Crawler(sys.argv[1], first=[sys.argv[2]], settings=how).run().stopped)
except SightlineError as problem:
    print(type(problem).__name__, problem)
"""


def test_full_disk_ends_a_crawl_in_order(tmp_path: Path) -> None:
    """Wherever the disk is full, in the archive or in the state, the error says what to do; with space it goes on."""
    pages = {path: content + path.encode() * 400 for path, content in tree(3, 5).items()}
    folder = tmp_path / "crawl"
    with serving(pages) as site:
        said = []
        for limit in ("60000", "70000", "150000", "all"):
            command = [sys.executable, "-c", FULL_DISK, str(folder), site.url(), limit]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            said.append(done.stdout.strip())
    assert all("OutputError" in one and "give the same command again" in one for one in said[:1])
    assert said[-1] == "nothing is left to visit"
    assert kept_in(folder) == Counter(dict.fromkeys(pages, 1))
    assert len([path for path in site.paths() if "no-such" not in path]) <= len(pages) + 3


def test_full_disk_at_a_commit_keeps_no_page_twice(tmp_path: Path) -> None:
    """The archive fits on the disk and the state does not: what the failed commit knew is read from the archive again.

    The pages are so many that a commit is due by their number, however fast the machine is, and so small that the
    archive stays below the limit.
    """
    pages = tree(3, 6)
    folder = tmp_path / "crawl"
    with serving(pages) as site:
        said = []
        for limit in ("150000", "all"):
            command = [sys.executable, "-c", FULL_DISK, str(folder), site.url(), limit]
            said.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())
    assert f"Could not write into {folder}" in said[0]
    assert said[1] == "nothing is left to visit"
    assert kept_in(folder) == Counter(dict.fromkeys(pages, 1))
