"""What learning and reading cost: against each other, against bare parsing, and as pages grow in number."""

import gc
import multiprocessing
import statistics
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter, process_time
from typing import TypeVar

from selectolax.lexbor import LexborHTMLParser

import sightline as sl
from bench.frame import Figure, thinned
from bench.induce.by_hand import FIELDS, by_parsel, by_selectolax, selectors_of
from bench.induce.scores import score
from bench.induce.sites import LARGE, Site, opened
from bench.induce.ways import learned
from sightline import Wrapper
from sightline.extract.schemas import InduceSettings
from sightline.page import Page, dumps, loads

Made = TypeVar("Made")

ROUNDS = 3
FEW = 10  # pages that the growth begins with; it ends with LARGE
MOST_GROWTH = 13.0
FASTER = 20.0  # reading against learning from the same pages
DEAR_OPENING, DEAR, DEAR_WHOLE = 2.2, 4.0, 6.5  # opening, reading and both against bare parsing
AS_PARSEL = 1.0
MOST_FIRST = 10.0  # milliseconds
MOST_NEEDED = 0.144  # of the pages, as published
LEAST_GAIN = 1.85
RUNS = 3


@dataclass(frozen=True)
class Large:
    """Seconds of a site with many pages: learning from all of them, reading them all, learning from few and many."""

    learn: float
    read: float
    few: float
    many: float


@dataclass(frozen=True)
class Reading:
    """Seconds of a page, each done once: parsing its bytes and nothing else, opening it, reading it, making dicts.

    Beside it the same page by hand-written selectors, and whether it is the first that its wrapper reads.
    """

    bare: float
    open: float
    read: float
    dicts: float
    parsel: float
    selectolax: float
    first: bool

    @property
    def whole(self) -> float:
        """From bytes to dicts."""
        return self.open + self.read + self.dicts


@dataclass(frozen=True)
class Needed:
    """How many pages of a site were learned from until all complied, of how many, and how many comply in the end.

    Complying is the wrapper's own word for it; the page F1 says how well it then reads all pages.
    """

    used: int
    pages: int
    complying: int
    page_f1: float | None


def large_sites(sites: Sequence[Site], settings: InduceSettings) -> dict[str, Large]:
    """The times of every site that has pages enough."""
    return {site.name: _large(site, settings) for site in sites if site.is_large}


def readings(sites: Sequence[Site], wrappers: Mapping[str, Wrapper]) -> list[Reading]:
    """The times of every test page, read once by a wrapper that has read nothing before, as users do."""
    found: list[Reading] = []
    for site in sites:
        if site.name in wrappers:
            found += _readings_of(site, wrappers[site.name])
    return found


def learning(sites: Sequence[Site], settings: InduceSettings) -> dict[str, Needed]:
    """How many pages of the large sites have to be learned from, and how well all are read by what was learned."""
    return {site.name: _needed(site, settings) for site in sites if site.is_large}


def speed_figures(
    large: Mapping[str, Large], read: Sequence[Reading], needed: Mapping[str, Needed]
) -> tuple[Figure, ...]:
    """The figures; without large sites those that can be had."""
    figures: list[Figure] = []
    if needed:
        share = statistics.mean(one.used / one.pages for one in needed.values())
        figures.append(
            Figure.of("pages needed until all comply", share, MOST_NEEDED, "lower", "share", peer=MOST_NEEDED)
        )
        if read_by_few := [one.page_f1 for one in needed.values() if one.page_f1 is not None]:
            mean = statistics.mean(read_by_few)
            figures.append(Figure.of("page F1 of what was learned from them", mean, None, "higher", "share"))
    if large:
        of = list(large.values())
        learn, reads = (1000 * statistics.median(values) for values in ([o.learn for o in of], [o.read for o in of]))
        ratio = statistics.median(one.learn / one.read for one in of)
        figures.append(Figure("learning / reading all pages, ms", reads, learn, ratio, FASTER, "higher", "x"))
        few, many = (1000 * statistics.median(values) for values in ([o.few for o in of], [o.many for o in of]))
        grown = statistics.median(one.many / one.few for one in of)
        title = f"learning from {LARGE} / {FEW} pages, ms"
        figures.append(Figure(title, many, few, grown, MOST_GROWTH, "lower", "x"))
    return (*figures, *_reading_figures(read))


def _reading_figures(read: Sequence[Reading]) -> list[Figure]:
    """Every page but the first of each wrapper, which is a figure of its own."""
    later, first = [one for one in read if not one.first], [one for one in read if one.first]
    if not later:
        return []
    starting = 1000 * statistics.median(one.read for one in first)
    return [
        _side("opening a page / bare parsing, ms", later, "open", "bare", DEAR_OPENING),
        _side("reading a page once / bare parsing, ms", later, "read", "bare", DEAR),
        _side("bytes to dicts / bare parsing, ms", later, "whole", "bare", DEAR_WHOLE),
        _side(f"bytes to dicts / parsel, {FIELDS} fields, ms", later, "whole", "parsel", AS_PARSEL),
        _side(f"bytes to dicts / selectolax, {FIELDS} fields, ms", later, "whole", "selectolax", None),
        Figure.of("reading the first page of a wrapper, ms", starting, MOST_FIRST, "lower", "ms"),
    ]


def _side(title: str, read: Sequence[Reading], ours: str, peer: str, bound: float | None) -> Figure:
    mine, theirs = ([getattr(one, which) for one in read] for which in (ours, peer))
    ratio = statistics.median(a / b for a, b in zip(mine, theirs, strict=True))
    medians = (1000 * statistics.median(times) for times in (mine, theirs))
    return Figure(title, *medians, ratio, bound, "lower", "x")


def _needed(site: Site, settings: InduceSettings) -> Needed:
    pages = opened(site.files)
    wrapper = learned(pages, replace(settings, learn_from=len(pages)))
    if wrapper is None:
        return Needed(len(pages), len(pages), 0, 0.0)
    truth = [site.truth[path.name] for path in site.files]
    found = score(site, truth, [wrapper.read(page).records.to_dicts() for page in pages])
    return Needed(wrapper.training.needed, len(pages), wrapper.training.complying, found.page_f1)


def _large(site: Site, settings: InduceSettings) -> Large:
    kept = [dumps(page) for page in opened(site.files)]
    wrapper = learned(_fresh(kept), settings)
    if wrapper is None:
        raise SystemExit(f"bench: nothing can be learned from {site.name}.")
    some = thinned(kept, LARGE)
    return Large(
        _seconds(kept, lambda pages: learned(pages, settings)),
        _seconds(kept, _reader_of(wrapper.dumps()), ROUNDS),
        _seconds(thinned(some, FEW), lambda pages: learned(pages, settings), ROUNDS),
        _seconds(some, lambda pages: learned(pages, settings)),
    )


def _reader_of(saved: str) -> Callable[[list[Page]], object]:
    """Reads all pages by a wrapper that has read nothing before."""
    fresh = iter([Wrapper.loads(saved) for _ in range(ROUNDS)])

    def read_all(pages: list[Page]) -> object:
        wrapper = next(fresh)
        return [wrapper.read(page).records for page in pages]

    return read_all


def _seconds(kept: Sequence[bytes], work: Callable[[list[Page]], object], rounds: int = 1) -> float:
    """The median time of work on pages just opened: nothing is known of them from the round before."""
    taken = []
    for _ in range(rounds):
        pages = _fresh(kept)
        gc.collect()
        began = perf_counter()
        work(pages)
        taken.append(perf_counter() - began)
    return statistics.median(taken)


def _fresh(kept: Sequence[bytes]) -> list[Page]:
    return [loads(content) for content in kept]


def _readings_of(site: Site, learned: Wrapper) -> list[Reading]:
    contents = [path.read_bytes() for path in site.paths(site.split[1])]
    example = sl.open(contents[0], static=True)
    selectors = selectors_of(example, learned.read(example).records)
    fresh = Wrapper.loads(learned.dumps())
    gc.collect()
    return [_reading(content, fresh, selectors, first=number == 0) for number, content in enumerate(contents)]


def _reading(content: bytes, wrapper: Wrapper, selectors: Mapping[str, str], *, first: bool) -> Reading:
    bare, _ = _timed(lambda: LexborHTMLParser(content) is None)  # with the time to free it, as in all others
    opening, page = _timed(lambda: sl.open(content, static=True))
    reading, found = _timed(lambda: wrapper.read(page))
    telling, _ = _timed(found.records.to_dicts)
    parsel, _ = _timed(lambda: by_parsel(content, selectors))
    selectolax, _ = _timed(lambda: by_selectolax(content, selectors))
    return Reading(bare, opening, reading, telling, parsel, selectolax, first)


def _timed(work: Callable[[], Made]) -> tuple[float, Made]:
    """The time of the processor: other work on the machine does not count."""
    began = process_time()
    made = work()
    return process_time() - began, made


# ---------------------------------------------------------------- pages a second


def throughput_figures(sites: Sequence[Site], wrappers: Mapping[str, Wrapper]) -> tuple[Figure, ...]:
    """How many pages one process reads in a second, and how much more two of them read."""
    work = [(wrappers[site.name].dumps(), site.paths(site.split[1])) for site in sites if site.name in wrappers]
    # The largest first, so that at the end no process waits long for the other.
    work.sort(key=lambda one: -len(one[1]))
    if not work:
        return ()
    one, two = (_pages_a_second(work, processes) for processes in (1, 2))
    return (
        Figure.of("pages a second, bytes to dicts, 1 process", one, None, "higher"),
        Figure.ratio("pages a second, 2 processes / 1", two, one, LEAST_GAIN, "higher"),
    )


def _pages_a_second(work: Sequence[tuple[str, list[Path]]], processes: int) -> float:
    """The best of some rounds: what others do on the machine only ever takes away from it."""
    pages = sum(len(paths) for _, paths in work)
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        list(pool.map(_read_all, [one[0] for one in work[:processes]], [one[1][:1] for one in work[:processes]]))
        best = 0.0
        for _ in range(RUNS):
            began = perf_counter()
            list(pool.map(_read_all, [one[0] for one in work], [one[1] for one in work]))
            best = max(best, pages / (perf_counter() - began))
    return best


def _read_all(wrapper: str, paths: list[Path]) -> int:
    """Read the pages of a site by a wrapper just loaded."""
    fresh = Wrapper.loads(wrapper)
    return sum(len(fresh.read(sl.open(path.read_bytes(), static=True)).records.to_dicts()) for path in paths)
