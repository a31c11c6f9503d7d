"""The process that opens hostile sources: it is told numbers of cases and answers what became of each.

It is watched by its parent, which counts what it cannot count itself: hangs and crashes.
"""

import json
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.hostile.cases import Case, cases
from sightline import Wrapper, induce
from sightline import open as open_page
from sightline.data import export
from sightline.errors import SightlineError
from sightline.jobs import extractors
from sightline.net import CrawlPolicy, Limits
from sightline.page import Page, dumps, loads
from sightline.sources import BrowserSettings, Loaded, Loader

FORMATS = ("csv", "json", "xml", "html")
# A rendered page that moves for ever is captured after the first of these, and given up after the last.
RENDERING = Limits(load_seconds=8, settle_seconds=1, page_seconds=25)
NOBODY = CrawlPolicy(robots=False, delay=0)
SERVER = CrawlPolicy(robots=False, delay=0, public_only=True)


class Tally:
    """What became of one case."""

    def __init__(self) -> None:
        self.pages = self.clean = self.calls = 0
        self.foreign: list[str] = []
        self.slowest: tuple[float, str] = (0.0, "")

    @contextmanager
    def watching(self, what: str) -> Iterator[None]:
        """Count a call: errors of ours are clean, all others foreign."""
        self.calls += 1
        began = perf_counter()
        try:
            yield
        except SightlineError:
            self.clean += 1
        except Exception as error:  # noqa: BLE001 - counting these is what this program is for
            self.foreign.append(f"{what}: {type(error).__name__}: {error}"[:300])
        self.slowest = max(self.slowest, (perf_counter() - began, what))


def main() -> None:
    """Answer one line of JSON for each number on standard input."""
    everything = cases(Path(sys.argv[1]))
    for line in sys.stdin:
        tally = Tally()
        _try(everything[int(line)], tally)
        print(json.dumps({**vars(tally), "memory": _memory()}), flush=True)


def _try(case: Case, tally: Tally) -> None:
    loading = _loader(case.how).load_all([case.source if case.content is None else case.content])
    while loaded := _next(loading, tally):
        tally.clean += loaded.error is not None
        if loaded.page is not None:
            tally.pages += 1
            _extract(loaded.page, tally)


def _next(loading: Iterator[Loaded], tally: Tally) -> Loaded | None:
    with tally.watching("opening"):
        return next(loading, None)
    return None


def _extract(page: Page, tally: Tally) -> None:
    """Everything that can be done to a page."""
    for name, extractor in extractors().items():
        with tally.watching(name):
            found = extractor(page)
            _give(list(found), tally, name)
    with tally.watching("wrapper"):
        _wrapper().read(page)
    with tally.watching("saving"):
        assert loads(dumps(page)).id == page.id


def _give(results: list[Any], tally: Tally, name: str) -> None:
    for result in results:
        with tally.watching(f"{name}, JSON"):
            json.dumps(result.to_json())
        for suffix in FORMATS if hasattr(result, "to_csv") else ():
            with tally.watching(f"{name}, {suffix}"):
                export(result, suffix)


@cache
def _loader(how: str) -> Loader:
    if how == "rendered":
        return Loader(browser=BrowserSettings(tabs=1), limits=RENDERING, policy=NOBODY)
    return Loader(static=True, policy=SERVER if how == "server name" else NOBODY)


@cache
def _wrapper() -> Wrapper:
    """A wrapper for a small shop, which no hostile page fits."""
    products = [
        f"<title>Thing {n}</title><h1>Thing {n}</h1><p class=price>{n}9.50 €</p><ul>{'<li>point' * n}</ul>"
        for n in range(2, 6)
    ]
    pages = [open_page(f"<!doctype html><meta charset=utf-8>{text}".encode(), static=True) for text in products]
    return induce(pages)


def _memory() -> int:
    """The most that this process and any that it waited for has used, in bytes."""
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return 1024 * max(resource.getrusage(who).ru_maxrss for who in both)


if __name__ == "__main__":
    main()
