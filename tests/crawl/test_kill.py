"""A crawl that is killed at any instant goes on: nothing is lost, nothing is fetched twice, no record is damaged."""

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

from sightline.crawl._archive import archive_path
from sightline.net import Document
from sightline.sources.files import documents

from .._wait import wait_until
from ._site import serving, tree

KILLS = 20

CRAWL = """
import sys
from sightline.crawl import Crawler, CrawlSettings
how = CrawlSettings(render="never", sitemaps=False, pages=10_000)
print(Crawler(sys.argv[1], first=[sys.argv[2]], settings=how).run().stopped)
"""


def kept_in(folder: Path) -> Counter[str]:
    """How often each page is in the archive, whose records are all whole."""
    found = list(documents(archive_path(folder, 1)))
    assert all(isinstance(one, Document) for one in found)
    return Counter("/" + one.url.split("/", 3)[3] for one in found if isinstance(one, Document))


def test_kill_at_random_instants_loses_nothing(tmp_path: Path) -> None:
    """Twenty kills at random instants of a crawl: in the end every page is there once, and was sent once.

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


FULL_DISK = """
import resource, signal, sys
from sightline.crawl import Crawler, CrawlSettings
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
    assert max(Counter(path for path in site.paths() if "no-such" not in path).values()) <= 2


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
