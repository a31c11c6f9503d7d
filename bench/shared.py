"""What extractors share on one page: tables, lists and content together, against each alone on a fresh page.

Processor time, so that other work on the machine hardly matters. What the results make later is made as well in a
second pair of figures, since who asks for all items and cells has to wait for them.
"""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from time import process_time

import sightline as sl
from bench.frame import Figure, Options, Outcome, corpus
from bench.pages import rendered
from sightline.page import Page, dumps, loads
from sightline.sources import parse

SETS = ("tables", "lists", "content")
PAGES = 20  # of each set
ROUNDS = 3
MOST_SHARED = 0.7  # of the sum of the three alone

Extract = Callable[[Page], object]
EXTRACTORS: tuple[Extract, ...] = (sl.tables, sl.lists, sl.content)


@dataclass(frozen=True)
class Timing:
    """The processor time of one page in seconds: each extractor on a page of its own, and all of them on one."""

    alone: tuple[float, ...]
    together: float

    @property
    def ratio(self) -> float:
        """What sharing leaves to do."""
        return self.together / sum(self.alone)


def run(options: Options) -> Outcome:
    """Measure on pages of three sets, as the browser shows them and as they are written."""
    sets = [corpus(name, options, most=PAGES) for name in SETS]
    shown = [page for one in sets for page in rendered(one.files, keep=options.keep_pages)]
    written = [parse(path.read_text("utf-8", "replace")) for one in sets for path in one.files]
    whole = tuple(map(_read_whole, EXTRACTORS))
    timings = {
        "rendered": [_timing(page, EXTRACTORS) for page in shown],
        "static": [_timing(page, EXTRACTORS) for page in written],
        "rendered, with all items and cells": [_timing(page, whole) for page in shown],
        "static, with all items and cells": [_timing(page, whole) for page in written],
    }
    bounds = {"rendered": MOST_SHARED, "static": MOST_SHARED}
    return Outcome(
        task="shared",
        peer="each alone",
        corpora=tuple(sets),
        figures=tuple(_figure(name, several, bounds.get(name)) for name, several in timings.items()),
        remarks=(f"{len(shown)} pages of {', '.join(SETS)}; processor time, the least of {ROUNDS} rounds.",),
        details={
            f"{name}: {extract.__name__} alone, CPU ms": round(
                1000 * statistics.median(timing.alone[place] for timing in several), 3
            )
            for name, several in timings.items()
            for place, extract in enumerate(EXTRACTORS)
        },
    )


def _figure(name: str, several: Sequence[Timing], bound: float | None) -> Figure:
    together = 1000 * statistics.median(timing.together for timing in several)
    alone = 1000 * statistics.median(sum(timing.alone) for timing in several)
    ratio = statistics.median(timing.ratio for timing in several)
    title = f"tables + lists + content of one page / alone, {name}, CPU ms"
    return Figure(title, together, alone, ratio, bound, "lower", "x")


def _read_whole(extract: Extract) -> Extract:
    def read(page: Page) -> object:
        found = extract(page)
        results = found if isinstance(found, list) else [found]
        return found, list(chain.from_iterable(one.values() for one in results))

    return read


def _timing(page: Page, extractors: Sequence[Extract]) -> Timing:
    content = dumps(page)
    return Timing(
        tuple(_seconds(content, (extract,)) for extract in extractors),
        _seconds(content, extractors),
    )


def _seconds(content: bytes, extractors: Sequence[Extract]) -> float:
    """The least time of some rounds, each on a page just opened, so that nothing is known from the round before."""
    taken = []
    for _ in range(ROUNDS):
        page = loads(content)
        began = process_time()
        for extract in extractors:
            extract(page)
        taken.append(process_time() - began)
    return min(taken)
