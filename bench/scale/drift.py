"""Chooses and measures the test for drift: `python -m bench.scale.drift [DATA]`.

What the test assumes of bursts (`BURSTS`) is chosen on some sites and measured on the others, in five folds over sites:
the assumption under which a redesign is noticed soonest, of those with no false alarm on the sites and hardly any where
a batch begins with bursts. The chance of a false alarm once the pages are known is bounded by construction, for a chain
of two states; simulations hold that. `DATA` is the folder of the sets `sites` and `evolution`.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

from bench.frame import Options
from bench.induce.sites import Site, opened, read_sites
from bench.induce.ways import settings_without, wrapper_of
from bench.teach.lessons import Step, read_steps
from bench.teach.ways import taught
from sightline.extract.wrappers import Wrapper, induce
from sightline.page import Page
from sightline.scale.drift import WINDOW, DriftBaseline, DriftDetector
from sightline.scale.drift._detector import BURSTS

Assumed = tuple[int, int]
Pages = Iterator[bool]

CANDIDATES: tuple[Assumed, ...] = ((1, 8), (1, 4), (2, 4), (3, 4))
FOLDS = 5
SEED = 11
REPLAYED = 20_000  # pages of each site, in the hunt for false alarms
CALM = 200  # pages before a change
MILLION = 1_000_000
SHARES = (0.01, 0.02, 0.05, 0.1)
RUNS = ((0.02, 4.0), (0.05, 4.0), (0.1, 4.0), (0.05, 8.0))  # share, and pages of a burst
STARTS, START = 300, 500  # batches that begin in bursts of 4, and the pages of each
MOST_STARTS = 0.02  # of them may be stopped
CHANGES = ((0.02, 0.5), (0.02, 1.0), (0.1, 0.5), (0.1, 0.7), (0.1, 1.0))
REPEATS = 200
BLOCK = 5  # neighbours that stay together when the pages of a site are replayed: what is odd comes in groups
FEWEST = 10  # pages left to read, for a site to tell a share


@dataclass(frozen=True)
class Steady:
    """The pages of a site in order, whether each is not ok by a wrapper that was learned from others."""

    site: str
    not_ok: tuple[bool, ...]

    @property
    def share(self) -> float:
        """The share of its pages that are not ok."""
        return sum(self.not_ok) / len(self.not_ok)


@dataclass(frozen=True)
class Redesign:
    """A wrapper of one version of a site on the pages of that version, and on those of the next."""

    site: str
    name: str
    how: str
    before: tuple[bool, ...]
    after: tuple[bool, ...]

    @property
    def changes(self) -> bool:
        """Whether the wrapper says of more pages than before that they are not ok: else there is nothing to notice."""
        return sum(self.after) / len(self.after) > sum(self.before) / len(self.before)


def false_alarms(pages: Iterable[bool], assumed: Assumed = BURSTS) -> int:
    """How often a detector raises an alarm; after each it begins anew, with what it knew before."""
    detector, alarms = DriftDetector(bursts=assumed), 0
    for not_ok in pages:
        if detector.see(is_ok=not not_ok):
            alarms += 1
            detector = DriftDetector(detector.baseline, bursts=assumed)
    return alarms


def delay(before: Pages, after: Pages, assumed: Assumed = BURSTS, known: DriftBaseline | None = None) -> int | None:
    """After how many pages of another kind the change is noticed; an alarm before it is no notice."""
    detector = DriftDetector(known, bursts=assumed)
    for not_ok in islice(before, CALM):
        if detector.see(is_ok=not not_ok):
            return None
    found = (number for number, not_ok in enumerate(islice(after, WINDOW), 1) if detector.see(is_ok=not not_ok))
    return next(found, None)


def noticed(case: Redesign, assumed: Assumed = BURSTS) -> int | None:
    """The delay of a redesign, with the pages of both versions replayed."""
    random = Random(f"{SEED} {case.name} {case.how}")
    return delay(replayed(case.before, random), replayed(case.after, random), assumed)


@cache
def stopped_starts(assumed: Assumed) -> float:
    """The share of batches that are stopped for a burst among their first pages."""
    streams = [bursts(0.05, 4.0, Random(f"{SEED} {number}")) for number in range(STARTS)]
    return sum(bool(false_alarms(islice(stream, START), assumed)) for stream in streams) / STARTS


def chosen(steady: Sequence[Steady], cases: Sequence[Redesign]) -> Assumed:
    """The assumption under which most redesigns are noticed, and soonest, among those without false alarms."""
    calm = [one for one in CANDIDATES if stopped_starts(one) <= MOST_STARTS and not sum(alarms_of(steady, one))]

    def lateness(assumed: Assumed) -> int:
        return sum(noticed(case, assumed) or 2 * WINDOW for case in cases if case.changes)

    return min(calm, key=lateness, default=BURSTS)


def alarms_of(steady: Sequence[Steady], assumed: Assumed) -> list[int]:
    """The false alarms of each site."""
    return [_alarms(site, assumed) for site in steady]


@cache
def _alarms(site: Steady, assumed: Assumed) -> int:
    random = Random(f"{SEED} {site.site}")
    return false_alarms(islice(replayed(site.not_ok, random), REPLAYED), assumed)


def _fold(site: str) -> int:
    return Random(f"{SEED} {site}").randrange(FOLDS)


def folds(steady: Sequence[Steady], cases: Sequence[Redesign]) -> None:
    """Choose on four folds of the sites, and measure on the fifth."""
    alarms, delays = 0, []
    for fold in range(FOLDS):
        known, held = _split(steady, fold)
        known_cases, held_cases = _split(cases, fold)
        best = chosen(known, known_cases)
        found = sum(alarms_of(held, best))
        alarms += found
        delays += [noticed(case, best) for case in held_cases if case.changes]
        pages = REPLAYED * len(held)
        print(f"  fold {fold}: {best[0]} of {best[1]}; {found} false alarms in {pages:,} pages of {len(held)} sites")
    _tell_delays("held-out redesigns", delays)
    print(f"  held-out false alarms: {alarms} in {REPLAYED * len(steady):,} pages")


def _split(sites: Sequence[Steady | Redesign], fold: int) -> tuple[list[Steady | Redesign], list[Steady | Redesign]]:
    apart = [_fold(site.site) == fold for site in sites]
    known = [site for site, held in zip(sites, apart, strict=True) if not held]
    return known, [site for site, held in zip(sites, apart, strict=True) if held]


def real(steady: Sequence[Steady], cases: Sequence[Redesign]) -> None:
    """The assumption that is shipped, on all redesigns."""
    changing = [case for case in cases if case.changes]
    sites, moved = {case.site for case in cases}, {case.site for case in changing}
    print(f"  {len(changing)} of {len(cases)} redesigns, on {len(moved)} of {len(sites)} sites, change the verdicts")
    found = {f"{case.how} {case.name}": noticed(case) for case in changing}
    _tell_delays("noticed", list(found.values()))
    print("".join(f"    missed: {name}\n" for name, late in found.items() if late is None), end="")
    alarms = sum(alarms_of(steady, BURSTS))
    print(f"  {alarms} false alarms in {REPLAYED * len(steady):,} pages of {len(steady)} steady sites")


def simulated() -> None:
    """False alarms of steady streams, and the delay of made changes."""
    for share in SHARES:
        alarms = false_alarms(islice(coins(share, Random(f"{SEED} {share}")), MILLION))
        print(f"  {alarms} false alarms in a million pages, {share:.0%} not ok, independent")
    for share, length in RUNS:
        alarms = false_alarms(islice(bursts(share, length, Random(f"{SEED} {share} {length}")), MILLION))
        print(f"  {alarms} false alarms in a million pages, {share:.0%} not ok, in bursts of {length:g}")
    for assumed in CANDIDATES:
        share = stopped_starts(assumed)
        print(f"  {share:.1%} of batches that begin in bursts are stopped, assuming {assumed[0]} of {assumed[1]}")
    for before, after in CHANGES:
        known = DriftBaseline(1000, round(1000 * before))
        made = f"from {before:.0%} to {after:.0%}"
        _tell_delays(f"{made} after {CALM} pages", _made(before, after, None))
        _tell_delays(f"{made} after a sample of {known.pages:,} as well", _made(before, after, known))


def _made(before: float, after: float, known: DriftBaseline | None) -> list[int | None]:
    random = Random(f"{SEED} {before} {after}")
    made: Callable[[], int | None] = lambda: delay(coins(before, random), coins(after, random), known=known)  # noqa: E731
    return [made() for _ in range(REPEATS)]


def _tell_delays(what: str, found: Sequence[int | None]) -> None:
    delays = [one for one in found if one is not None]
    middle, worst = (median(delays), max(delays)) if delays else (0, 0)
    print(f"  {what}: {len(delays)} of {len(found)} within {WINDOW} pages, after {middle:g} (median), {worst} at worst")


def main() -> None:
    """Print all figures."""
    options = Options(data=Path(sys.argv[1]) if sys.argv[1:] else None)
    steady, cases = list(steady_sites(options)), list(redesigns(options))
    print("chosen and measured in folds over sites")
    folds(steady, cases)
    print(f"with {BURSTS[0]} of {BURSTS[1]}, as it is")
    real(steady, cases)
    print("simulated")
    simulated()


# ---------------------------------------------------------------- streams of verdicts


def steady_sites(options: Options) -> Iterator[Steady]:
    """Every site of the set `sites` that has pages enough."""
    for site in read_sites(options):
        if len(site.split[1]) >= FEWEST and (wrapper := wrapper_of(site, settings_without(()))):
            yield Steady(site.name, _verdicts(wrapper, _pages(site)))


def redesigns(options: Options) -> Iterator[Redesign]:
    """Every redesign of the set `evolution`: by a wrapper taught on one page, and by an induced one where it can be."""
    for step in read_steps(options):
        wrapper = taught(step.name, step.job.examples)
        if wrapper is not None:
            yield _redesign(step, "taught", wrapper, step.basis)
        if step.can_be_induced:
            names = sorted(step.old.truth)
            half = len(names) // 2
            yield _redesign(step, "induced", induce(opened(step.old_paths(names[:half]))), names[half:])


def replayed(pages: Sequence[bool], random: Random) -> Iterator[bool]:
    """The pages of a site for ever, in small groups drawn by chance."""
    length = min(BLOCK, len(pages))
    while True:
        first = random.randrange(len(pages))
        yield from (pages[(first + place) % len(pages)] for place in range(length))


def coins(share: float, random: Random) -> Iterator[bool]:
    """Pages that are not ok independently of each other."""
    while True:
        yield random.random() < share


def bursts(share: float, length: float, random: Random) -> Iterator[bool]:
    """Pages that are not ok in runs of about this length, as in the broken corner of a site."""
    leave = 1 / length
    enter = leave * share / (1 - share)
    is_bad = False
    while True:
        is_bad = random.random() >= leave if is_bad else random.random() < enter
        yield is_bad


def _redesign(step: Step, how: str, wrapper: Wrapper, basis: Sequence[str]) -> Redesign:
    before = _verdicts(wrapper, opened(step.old_paths(basis)))
    return Redesign(step.site, step.name, how, before, _verdicts(wrapper, opened(step.new_paths)))


def _pages(site: Site) -> Iterator[Page]:
    return (page for path in site.paths(site.split[1]) for page in opened([path]))


def _verdicts(wrapper: Wrapper, pages: Iterator[Page] | Sequence[Page]) -> tuple[bool, ...]:
    return tuple(wrapper.read(page).verdict != "ok" for page in islice(pages, 200))


if __name__ == "__main__":
    main()
