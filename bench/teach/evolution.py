"""Redesigns: what a wrapper of the old version reads of the new one and says of it, and what repair brings back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bench.induce.attributes import agreement, attribute_scores
from bench.induce.columns import Trail, columns_of
from bench.induce.sites import Texts, opened
from bench.induce.ways import learned, settings_without
from bench.measures import mean
from bench.teach.lessons import Delivered, Step
from bench.teach.scores import Measured, flat, measured, rate
from bench.teach.ways import mended, read_pages, taught

LEARNED = 0.5  # value F1 on the old version; a wrapper below that has nothing that could survive
SURVIVES = 0.9  # of that F1


@dataclass(frozen=True)
class Survived:
    """A wrapper on the version that it was made on, on the next one, and there again after repair, if any."""

    step: Any  # a Step, or any other pair of pages with a name
    basis: Measured
    before: Measured
    after: Measured | None = None

    @property
    def learned(self) -> bool:
        """Whether there is anything to survive."""
        return self.basis.value_f1 >= LEARNED

    def survived(self, now: Measured) -> bool:
        """Whether nearly all of it is still there."""
        return self.learned and now.value_f1 >= SURVIVES * self.basis.value_f1


def survival(steps: Sequence[Survived], phase: str) -> float:
    """The share of the wrappers that were learned and survive."""
    measures = [(one, _phase(one, phase)) for one in steps if one.learned]
    return mean(float(one.survived(now)) for one, now in measures if now is not None) or 0.0


def silent(steps: Sequence[Survived], phase: str, part: str, whole: str) -> float:
    """A share of values or pages, over all steps."""
    return rate((now for one in steps if (now := _phase(one, phase)) is not None), part, whole)


def evolved(step: Step) -> Survived:
    """Teach on one page of the old version, read both, repair, and read the new one again."""
    job = step.job
    old, new = opened(step.old_paths(step.basis)), opened(step.new_paths)
    wrapper = taught(step.name, job.examples)
    basis, before = read_pages(step.name, wrapper, old), read_pages(step.name, wrapper, new)
    after = None
    if wrapper is not None:
        after = read_pages(step.name, mended(step.name, wrapper, new), new)
    return _survived(step, basis, before, after)


def of_peer(step: Step, found: Sequence[Delivered]) -> Survived:
    """What a peer read of the pages of a step's job; peers repair nothing."""
    count = len(step.basis)
    return _survived(step, found[:count], found[count:], None)


def induced(steps: Sequence[Step]) -> Iterator[Survived]:
    """The same by wrappers that are learned from pages alone, where a version has enough of them.

    Their columns have names of their own: which is which is found on the old version, and kept.
    """
    for step in steps:
        if not step.can_be_induced:
            continue
        # The choice is made by the name of the site, as everywhere; a version is called by its number.
        train, basis = replace(step.old, name=step.site).split
        wrapper = learned(opened(step.old_paths(train)), settings_without(()))
        old = read_pages(step.name, wrapper, opened(step.old_paths(basis)))
        pages = opened(step.new_paths)
        truth = [flat(step.old.truth[name]) for name in basis]
        columns = _columns(truth, old)
        new = [flat(step.new.truth[name]) for name in step.fresh]
        after = None
        if wrapper is not None:
            again = read_pages(step.name, mended(step.name, wrapper, pages), pages)
            after = measured(new, again, columns)
        before = measured(new, read_pages(step.name, wrapper, pages), columns)
        yield Survived(step, measured(truth, old, columns), before, after)


def _phase(one: Survived, phase: str) -> Measured | None:
    return one.after if phase == "after" else one.before


def survived(
    step: Any,
    truth: tuple[Sequence[Texts], Sequence[Texts]],
    found: tuple[Sequence[Delivered], Sequence[Delivered], Sequence[Delivered] | None],
) -> Survived:
    """What was read of the old pages, of the new ones, and of these after repair, against what is true."""
    (old, new), (basis, before, after) = truth, found
    return Survived(
        step, measured(old, basis), measured(new, before), measured(new, after) if after is not None else None
    )


def _survived(
    step: Step, basis: Sequence[Delivered], before: Sequence[Delivered], after: Sequence[Delivered] | None
) -> Survived:
    names = step.job.taught
    old = [flat(step.old.truth[name], names) for name in step.basis]
    new = [flat(step.new.truth[name], names) for name in step.fresh]
    return survived(step, (old, new), (basis, before, after))


def _columns(truth: Sequence[Mapping[str, Sequence[str]]], found: Sequence[Delivered]) -> dict[str, Trail]:
    scores = attribute_scores(agreement(truth, [columns_of(one.records) for one in found]))
    return {one.name: one.column for one in scores if one.column is not None}
