"""Lists that are paged in every usual way, and lists that mislead, served here and collected in a browser."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tests.sites.paging import kinds as sites

import sightline as sl
from bench.frame import Corpus, Figure, Options, thinned
from sightline.errors import SightlineError
from sightline.net import CrawlPolicy

AT_ONCE = 2  # browsers side by side; the machine of the figures has two cores
POLITE = CrawlPolicy(delay=0)
ENDLESS = "endless"  # the list that has no end, whose run is to stop by its budget
# Pages that a run may read: a list that is scrolled in a box shows half a box of new rows at a time.
MOST_PAGES = 60
STOPS = {"counter": "counter", "end": "dead end", "repeated": "repeat", "budget": "budget", "failed": "dead end"}
FOLDER = Path(sites.__file__).parent


@dataclass(frozen=True)
class Run:
    """What came of one list: whether each record was collected, none twice, and what was said is true."""

    name: str
    pages: int
    is_trap: bool
    whole: bool = False
    doubled: int = 0
    endless: bool = False
    stop_right: bool = False
    verdict_right: bool = False
    seconds: float = 0.0
    said: str = ""

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong."""
        return self.whole and not self.doubled and not self.endless and self.stop_right and self.verdict_right


def served_corpus() -> Corpus:
    """The files that the lists are made by."""
    return Corpus("served lists", tuple(sorted(FOLDER.glob("[_k]*.py"))))


def collect_all(options: Options) -> list[Run]:
    """Every kind and every trap in three sizes, each in a browser of its own."""
    chosen = thinned([*sites.KINDS, *sites.TRAPS], options.limit)
    cases = [(kind, pages) for pages in sorted(sites.SIZES, reverse=True) for kind in chosen]
    with ThreadPoolExecutor(AT_ONCE) as workers:
        return list(workers.map(lambda case: _collected(*case), cases))


def _collected(kind: sites.PagingKind, pages: int) -> Run:
    is_trap = kind in sites.TRAPS
    began = perf_counter()
    with sites.served(kind, pages) as site:
        try:
            found = sl.collect(site.start, policy=POLITE, pages=pages if kind.name == ENDLESS else MOST_PAGES)
        except SightlineError as problem:
            return Run(kind.name, pages, is_trap, said=problem.message)
        links = [str(record.get("link")) for record in found.records.to_dicts()]
        wanted, allowed = {one.link for one in site.records}, {one.link for one in site.extra}
        must_doubt = site.may_miss or found.stop.kind in ("budget", "failed")
        return Run(
            kind.name,
            pages,
            is_trap,
            whole=wanted <= set(links) <= wanted | allowed,
            doubled=len(links) - len(set(links)),
            endless=found.stop.kind == "budget" and "budget" not in site.stops,
            stop_right=STOPS[found.stop.kind] in site.stops,
            verdict_right=(found.verdict != "ok") == must_doubt,
            seconds=perf_counter() - began,
            said=f"{len(set(links) & wanted)} of {len(wanted)} records, {found.stop.kind}, {found.verdict}",
        )


def run_figures(runs: Sequence[Run]) -> tuple[Figure, ...]:
    """What the lists and the traps must come to."""
    kinds, traps = [run for run in runs if not run.is_trap], [run for run in runs if run.is_trap]
    return (
        _all("kinds of paging: every record exactly once", kinds, lambda run: run.whole and not run.doubled),
        _all("kinds of paging: stop reason right", kinds, lambda run: run.stop_right),
        _all("kinds of paging: verdict right", kinds, lambda run: run.verdict_right),
        _none("kinds of paging: endless", kinds, lambda run: run.endless),
        _all("traps: every record", traps, lambda run: run.whole),
        _none("traps: endless", traps, lambda run: run.endless),
        _none("traps: with a record twice", traps, lambda run: run.doubled > 0),
        _all("traps: stop reason right", traps, lambda run: run.stop_right),
        _all("traps: what could be missing is said", traps, lambda run: run.verdict_right),
    )


def _all(name: str, runs: Sequence[Run], is_right: Callable[[Run], bool]) -> Figure:
    share = _share(runs, is_right)
    return Figure.of(name, share, 1.0, "higher", "share")


def _none(name: str, runs: Sequence[Run], is_wrong: Callable[[Run], bool]) -> Figure:
    share = _share(runs, is_wrong)
    return Figure.of(name, share, 0.0, "lower", "share")


def _share(runs: Sequence[Run], holds: Callable[[Run], bool]) -> float:
    return sum(map(holds, runs)) / len(runs) if runs else 0.0
