"""What learning and reading cost: against each other, against bare parsing, and as pages grow in number."""

import gc
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from selectolax.lexbor import LexborHTMLParser

import sightline as sl
from bench.capture import fresh_seconds
from bench.frame import Figure, median_seconds, thinned
from bench.induce.scores import score
from bench.induce.sites import LARGE, Site, opened
from bench.induce.ways import learned
from sightline.extract.schemas import InduceSettings
from sightline.extract.wrappers import Wrapper
from sightline.page import Page, dumps, loads

__all__ = ["Large", "Needed", "Reading", "large_sites", "learning", "readings", "speed_figures"]

ROUNDS = 3
FEW = 10  # pages that the growth begins with; it ends with LARGE
PAGES = 3  # of every site, read and parsed; more would not move the median
MOST_GROWTH = 13.0
FASTER = 20.0  # reading against learning from the same pages
DEAR = 4.0  # reading against bare parsing
MOST_NEEDED = 0.144  # of the pages, as published


@dataclass(frozen=True)
class Large:
    """Seconds of a site with many pages: learning from all of them, reading them all, learning from few and many."""

    learn: float
    read: float
    few: float
    many: float


@dataclass(frozen=True)
class Reading:
    """Seconds of a page: reading it once it is open, opening it, and parsing its bytes and nothing else."""

    read: float
    open: float
    bare: float


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
    """The times of some test pages of every site."""
    return [
        _reading(path, wrappers[site.name])
        for site in sites
        if site.name in wrappers
        for path in thinned(site.paths(site.split[1]), PAGES)
    ]


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
            Figure("pages needed until all comply", share, MOST_NEEDED, share, MOST_NEEDED, "lower", "share")
        )
        if read_by_few := [one.page_f1 for one in needed.values() if one.page_f1 is not None]:
            mean = statistics.mean(read_by_few)
            figures.append(Figure("page F1 of what was learned from them", mean, None, mean, None, "higher", "share"))
    if large:
        of = list(large.values())
        learn, reads = (1000 * statistics.median(values) for values in ([o.learn for o in of], [o.read for o in of]))
        ratio = statistics.median(one.learn / one.read for one in of)
        figures.append(Figure("learning / reading all pages, ms", reads, learn, ratio, FASTER, "higher", "x"))
        few, many = (1000 * statistics.median(values) for values in ([o.few for o in of], [o.many for o in of]))
        grown = statistics.median(one.many / one.few for one in of)
        title = f"learning from {LARGE} / {FEW} pages, ms"
        figures.append(Figure(title, many, few, grown, MOST_GROWTH, "lower", "x"))
    if read:
        bare = 1000 * statistics.median(one.bare for one in read)
        alone = 1000 * statistics.median(one.read for one in read)
        whole = 1000 * statistics.median(one.read + one.open for one in read)
        ratio = statistics.median(one.read / one.bare for one in read)
        both = statistics.median((one.read + one.open) / one.bare for one in read)
        figures.append(Figure("reading a page / bare parsing, ms", alone, bare, ratio, DEAR, "lower", "x"))
        figures.append(Figure("opening and reading / bare parsing, ms", whole, bare, both, None, "lower", "x"))
    return tuple(figures)


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
        _seconds(kept, lambda pages: [wrapper.read(page).records for page in pages], ROUNDS),
        _seconds(thinned(some, FEW), lambda pages: learned(pages, settings), ROUNDS),
        _seconds(some, lambda pages: learned(pages, settings)),
    )


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


def _reading(path: Path, wrapper: Wrapper) -> Reading:
    content = path.read_bytes()
    page = sl.open(content, static=True)
    return Reading(
        fresh_seconds(page, wrapper.read, ROUNDS),
        median_seconds(lambda: sl.open(content, static=True), ROUNDS),
        median_seconds(lambda: LexborHTMLParser(content), ROUNDS),
    )
