"""Kills at random instants: what is lost, kept twice or damaged, and what the site was asked for twice."""

import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from bench.crawl.served import served
from bench.frame import Counts, Figure
from sightline.net import Document
from sightline.sources.files import documents

KILLS = 200
SECONDS = (0.05, 1.5)  # after the process was started; importing takes the first half second of them
SEED = 21

CRAWL = """
import sys
from sightline.crawler import Crawler, CrawlSettings
how = CrawlSettings(render="never", sitemaps=False, pages=1_000_000, rank="breadth")
print(Crawler(sys.argv[1], first=[sys.argv[2]], settings=how).run().stopped)
"""


@dataclass
class Killed(Counts):
    """What a crawl that was killed again and again came to, beside one that was not."""

    kills: int = 0
    pages: int = 0
    lost: int = 0
    kept_twice: int = 0
    damaged: int = 0
    asked_again: int = 0


def kill_and_go_on(site: Path, kills: int = KILLS) -> Killed:
    """Crawl a site that is killed as often, and compare with what is there.

    When a crawl comes to its end, another begins, until all kills are done; each has to be complete.
    """
    chance = random.Random(SEED)
    total = Killed()
    with tempfile.TemporaryDirectory() as place:
        whole = _whole(site, Path(place))
        number = 0
        while total.kills < kills:
            number += 1
            total += _one_crawl(site, Path(place) / str(number), kills - total.kills, whole, chance)
    return total


def _whole(site: Path, place: Path) -> set[str]:
    """The paths that a crawl without a kill keeps."""
    with served(site, place / "whole.log") as running:
        subprocess.run([sys.executable, "-c", CRAWL, str(place / "whole"), running.address], check=True, stdout=-3)
    return set(_kept(place / "whole")[0])


def _one_crawl(site: Path, folder: Path, most: int, whole: set[str], chance: random.Random) -> Killed:
    kills = 0
    with served(site, folder.with_suffix(".log")) as running:
        while True:
            process = subprocess.Popen([sys.executable, "-c", CRAWL, str(folder), running.address], stdout=-3)
            end = time.monotonic() + chance.uniform(*SECONDS)
            while process.poll() is None and (kills >= most or time.monotonic() < end):
                time.sleep(0.005)
            if process.poll() is not None:
                break
            process.kill()
            process.wait()
            kills += 1
        asked = Counter(path for path in running.asked() if path != "/robots.txt" and "no-such-page" not in path)
    kept, damaged = _kept(folder)
    return Killed(
        kills,
        len(kept),
        len(whole - set(kept)),
        sum(count - 1 for count in kept.values()),
        damaged,
        sum(count - 1 for count in asked.values()),
    )


def _kept(folder: Path) -> tuple[Counter[str], int]:
    """How often each path stands in the archive, and how many records are damaged."""
    kept: Counter[str] = Counter()
    damaged = 0
    for file in sorted(folder.glob("pages-*.warc.gz")):
        for found in documents(file):
            if isinstance(found, Document):
                kept["/" + found.url.split("/", 3)[3]] += 1
            else:
                damaged += 1
    return kept, damaged


def kill_figures(killed: Killed) -> tuple[Figure, ...]:
    """What must not happen, and how often it happened."""
    name = f"{killed.kills} kills"
    return (
        Figure.of(f"{name}: pages lost", killed.lost, 0, "lower", "pages"),
        Figure.of(f"{name}: pages kept twice", killed.kept_twice, 0, "lower", "pages"),
        Figure.of(f"{name}: damaged records", killed.damaged, 0, "lower", "records"),
        Figure.of(f"{name}: asked for again, answer on its way", killed.asked_again, killed.kills, "lower", "requests"),
    )
