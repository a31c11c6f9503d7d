"""Faults planted in runs, and whether the report tells them; and clean runs, whose report should be ok.

Every site has a wrapper taught on three pages, and one induced where it has pages enough. A run is up to twenty pages
that the wrapper was not made on; of list sites each page is a run as well. `python -m bench.outliers.faults`.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

import sightline as sl
from bench.frame import Counts, Options, thinned
from bench.induce.columns import key
from bench.induce.sites import PageTruth, opened
from bench.outliers.planting import FAULTS, Case, named_texts, taken, values_of
from bench.teach.lessons import TaughtSite, _example, example_order, read_steps, read_taught_sites
from bench.teach.ways import taught
from sightline.checks import CheckSettings, PageRecords, Report, check_records
from sightline.errors import UsageError
from sightline.page import Page

EXAMPLES = 3  # pages that a wrapper is taught on
MOST_PAGES = 20  # of a run
FEWEST_TO_INDUCE = 8  # pages of a site
FEWEST_OF_VERSION = 5
RIGHT = 0.9  # of the true values read, from which on a run counts as read right
SEED = 7
# What is measured are the checks on values. A page that the wrapper itself doubts is told by reading it, and would
# count as an alarm in every third clean run.
CHECKING = CheckSettings(most_suspicious=0.8)


@dataclass
class Told(Counts):
    """How many were looked at and how many of them the report told; those left out could not be told by anyone."""

    looked: int = 0
    told: int = 0
    skipped: int = 0

    @property
    def share(self) -> float:
        """The share that was told."""
        return self.told / self.looked if self.looked else 0.0


@dataclass
class Faults:
    """All counts: clean runs by the class of site and way, planted faults by their kind, way and class of site."""

    clean: dict[tuple[str, str], Told] = field(default_factory=lambda: defaultdict(Told))
    clean_right: Told = field(default_factory=Told)
    planted: dict[tuple[str, str, str, str], Told] = field(default_factory=lambda: defaultdict(Told))
    checks: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    seconds: float = 0.0
    pages: int = 0

    def by(self, *places: int) -> dict[tuple[str, ...], Told]:
        """The planted faults, summed up by parts of their key: fault, variant, way, class of site."""
        found: dict[tuple[str, ...], Told] = defaultdict(Told)
        for name, own in self.planted.items():
            found[tuple(name[place] for place in places)] += own
        return dict(found)


# ---------------------------------------------------------------------------------------------- wrappers and runs


def cases_of(own: TaughtSite) -> Iterator[Case]:
    """The wrappers of a site and their runs."""
    site = own.site
    order = example_order(site.truth)
    pages: dict[str, Page] = {}

    def page(name: str) -> Page:
        if name not in pages:
            pages[name] = opened(site.paths([name]))[0]
        return pages[name]

    count = min(EXAMPLES, len(order) - 1)
    shown = [_example(site, site.paths([name])[0], site.truth[name]) for name in order[:count]]
    wrapper = taught(site.name, shown)
    if wrapper is not None:
        names = thinned(sorted(order[count:]), MOST_PAGES)
        run = taken(wrapper, names, [page(name) for name in names])
        wanted = frozenset().union(*(example.names for example in shown))
        yield Case(site.name, site.vertical, "taught", wrapper, run, _right(run, site.truth, wanted))
    if len(order) >= FEWEST_TO_INDUCE:
        train, test = site.split
        names = thinned(test, MOST_PAGES)
        try:
            induced = sl.induce([page(name) for name in train])
        except UsageError as problem:
            print(f"bench: {site.name}: {problem}")
            return
        yield Case(site.name, site.vertical, "induced", induced, taken(induced, names, [page(name) for name in names]))


def versions_of(options: Options) -> Iterator[Case]:
    """A wrapper for every version of the sites that were built anew over the years, taught on three of its pages.

    They are a second look and no independent one: the chance of the settings was lowered for two of them.
    """
    seen: set[Path] = set()
    for step in read_steps(options):
        for site in (step.old, step.new):
            order = example_order(site.truth)
            if site.folder in seen or len(order) < FEWEST_OF_VERSION:
                continue
            seen.add(site.folder)
            name = f"{step.site} {site.folder.name}"
            shown = [_example(site, site.folder / own, site.truth[own]) for own in order[:EXAMPLES]]
            wrapper = taught(name, shown)
            if wrapper is not None:
                names = thinned(sorted(order[EXAMPLES:]), MOST_PAGES)
                run = taken(wrapper, names, opened([site.folder / own for own in names]))
                wanted = frozenset().union(*(example.names for example in shown))
                yield Case(name, step.source, "taught", wrapper, run, _right(run, site.truth, wanted))


def _right(run: Sequence[PageRecords], truth: Mapping[str, PageTruth], names: frozenset[str]) -> float:
    """The share of the true values of the taught attributes that the run has."""
    known = found = 0
    for own in run:
        texts = {key(value.text) for record in own.records for value in values_of(record)}
        page = truth[own.source]
        true = [page.fields, *page.records]
        for fields in true:
            for name, several in fields.items():
                if name in names and several:
                    known += 1
                    found += any(key(text) in texts for text in several)
    return found / known if known else 1.0


# ------------------------------------------------------------------------------------------------- measuring


def measure(case: Case, found: Faults) -> None:
    """Look at the clean runs of a case and at each fault planted in them."""
    profile = case.wrapper.profile
    for run in case.runs:
        began = perf_counter()
        report = check_records(run, profile, settings=CHECKING)
        found.seconds += perf_counter() - began
        found.pages += len(run)
        own = found.clean[case.way, case.vertical]
        own.looked += 1
        own.told += report.verdict != "ok"
        if case.right is not None and case.right >= RIGHT:
            found.clean_right.looked += 1
            found.clean_right.told += report.verdict != "ok"
        if report.verdict != "ok":
            found.alarms.append(f"{case.site}, {case.way}: {_first(report)}")
    clean = set(check_records(case.run, profile, settings=CHECKING).issues)
    texts = named_texts(case.run)
    for fault, plant in FAULTS.items():
        for told, run, last in plant(case, random.Random(f"{SEED}:{case.site}:{fault}")):
            own = found.planted[fault, told, case.way, case.vertical]
            if run is None or (last is None and named_texts(run) == texts and fault != "block page"):
                own.skipped += 1
                continue
            own.looked += 1
            report = check_records(run, profile, last, settings=CHECKING)
            # What the clean run has as well does not tell the fault.
            new = [issue for issue in report.issues if issue.severity != "notice" and issue not in clean]
            own.told += bool(new)
            found.checks.update({f"{fault}: {issue.check}" for issue in new})
            if not new:
                found.missed.append(f"{fault}, {told}: {case.site}, {case.way}")


def _first(report: Report) -> str:
    return str(report.issues[0]) if report.issues else ""


def faults(options: Options, named: Sequence[str] = ()) -> Faults:
    """All sites of the set, clean and with faults."""
    found = Faults()
    for own in read_taught_sites(options, named):
        for case in cases_of(own):
            measure(case, found)
    return found


def versions(options: Options) -> Faults:
    """The versions of the sites that were built anew, clean and with faults."""
    found = Faults()
    for case in versions_of(options):
        measure(case, found)
    return found


def show(found: Faults, *, details: bool = True) -> None:
    """Print the shares, by fault, variant and class of site; then what was missed, and the false alarms."""
    console = Console(width=130)
    for title, counts in _views(found):
        table = Table(title, "looked at", "told", "share", "skipped")
        for name, own in counts.items():
            table.add_row(" · ".join(name), str(own.looked), str(own.told), f"{own.share:.1%}", str(own.skipped))
        console.print(table)
    console.print(f"{1000 * found.seconds / max(1, found.pages):.1f} ms a page of clean runs")
    for title, lines in (("missed", found.missed), ("false alarms", found.alarms)) if details else ():
        console.print(f"{title}: {len(lines)}")
        for line in lines:
            console.print(f"  {line}", markup=False)


def _views(found: Faults) -> Iterator[tuple[str, dict[tuple[str, ...], Told]]]:
    yield "fault", found.by(0)
    yield "fault, by way", found.by(0, 2)
    yield "fault, variant", found.by(0, 1)
    yield "fault, by class of site", found.by(3)
    clean: dict[tuple[str, ...], Told] = {**found.clean}
    total = sum(clean.values(), Told())
    yield "clean runs", {**clean, ("all",): total, ("taught, read right",): found.clean_right}


if __name__ == "__main__":
    show(faults(Options()))
    show(versions(Options()))
