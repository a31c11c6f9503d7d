"""Streams of verdicts: of real wrappers on real pages, before and after redesigns, and made ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from bench.frame import Options
from bench.induce.sites import Site, opened, read_sites
from bench.induce.ways import settings_without, wrapper_of
from bench.teach.lessons import Step, read_steps
from bench.teach.ways import taught
from sightline.extract.wrappers import Wrapper, induce
from sightline.page import Page

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
