"""Learning a wrapper: clustering, training from few pages until all comply, and the check on all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sightline.checks import PageRecords, profile_of_run
from sightline.data import TraceStep
from sightline.errors import UsageError
from sightline.extract.schemas import Induced, InduceSettings, LearningStep, induce_template, same_template
from sightline.extract.wrappers._found import Checked, Training
from sightline.extract.wrappers._wrapper import Wrapper
from sightline.extract.wrappers.templates import TemplateReading, Templates, read_page
from sightline.page import Page

__all__ = ["InductionTrace", "induce", "trace_induction"]

FEWEST = 2  # pages; what is template and what is data shows only where they differ

LearningProgress = Callable[[int, int], None]
"""Called with how many pages were learned from, and how many of all comply."""


@dataclass(frozen=True, eq=False)
class InductionTrace:
    """The wrapper, and every decision on the way to it."""

    found: Wrapper
    decisions: tuple[LearningStep, ...] = ()

    def steps(self) -> tuple[TraceStep, ...]:
        """One step with a row for every decision."""
        rows = tuple(decision._asdict() for decision in self.decisions)
        return (TraceStep("decisions", "what was decided about each element, and by which rule", rows),)


def induce(
    pages: Sequence[Page],
    *,
    names: Sequence[str] | None = None,
    settings: InduceSettings | None = None,
    progress: LearningProgress | None = None,
) -> Wrapper:
    """A wrapper for the template, or the templates, that these pages were made by.

    `names` are what the pages are called in the wrapper; by default their addresses.

    >>> from sightline.testing import shop_pages
    >>> induce(shop_pages(1))
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: A wrapper is learned from at least two pages of one template, and this is one page; ...
    """
    return trace_induction(pages, names=names, settings=settings, progress=progress, traced=False).found


def trace_induction(
    pages: Sequence[Page],
    *,
    names: Sequence[str] | None = None,
    settings: InduceSettings | None = None,
    progress: LearningProgress | None = None,
    traced: bool = True,
) -> InductionTrace:
    """As `induce`, with every decision; without `traced` they are not written down."""
    settings = settings or InduceSettings()
    _check_pages(pages)
    called = list(names) if names is not None else [page.url or page.title for page in pages]
    if len(called) != len(pages):
        raise UsageError(f"There are {len(pages)} pages and {len(called)} names; give one name for each page.")
    if len({page.text_of() for page in pages}) == 1:
        raise UsageError(
            f"All {len(pages)} pages say the same, so there is no data in them; give pages that differ, such as "
            "different products of one shop."
        )
    groups = [group for group in same_template(pages) if len(group) >= FEWEST]
    if not groups:
        raise UsageError(
            "No two of these pages are of one template, so nothing can be learned from them; "
            "give several pages of the same kind, such as products of one shop."
        )
    wrapper, steps, needed = _learn_groups(pages, groups, settings, progress, trace=traced)
    if not wrapper.fields:
        raise UsageError(
            "Nothing varies on these pages but what was left out, so there is no data in them; give pages that differ."
        )
    return InductionTrace(_checked(wrapper, pages, called, groups, needed), tuple(steps))


def _check_pages(pages: Sequence[Page]) -> None:
    for page in pages:
        if not isinstance(page, Page):
            raise UsageError(f"A wrapper is learned from pages, not from {page!r:.60}; open them first, with open().")
    if len(pages) < FEWEST:
        told = "this is one page" if pages else "there is none"
        raise UsageError(
            f"A wrapper is learned from at least two pages of one template, and {told}; give more, or find what one "
            "page holds by `sightline lists` and `sightline tables`."
        )


def _learn_groups(
    pages: Sequence[Page],
    groups: list[list[int]],
    settings: InduceSettings,
    progress: LearningProgress | None,
    *,
    trace: bool,
) -> tuple[Wrapper, list[LearningStep], int]:
    learned: list[Induced] = []
    needed = 0
    for group in groups:
        own = [pages[number] for number in group]
        induced, count = _train(own, settings, progress, trace=trace)
        learned.append(induced)
        needed += count
    languages = [page.language for page in pages if page.language]
    rules = Templates(
        tuple(own.template for own in learned), tuple(own.each.name if own.each else "" for own in learned)
    )
    wrapper = Wrapper(
        rules,
        rendered=any(page.kind == "rendered" for page in pages),
        language=max(languages, key=languages.count, default=None),
    )
    return wrapper, [step for own in learned for step in own.steps], needed


def _train(
    pages: Sequence[Page], settings: InduceSettings, progress: LearningProgress | None, *, trace: bool
) -> tuple[Induced, int]:
    """Learn from all pages; or from the largest and the smallest, and whichever fails next, until all comply."""
    without = frozenset(settings.without)
    if settings.learn_from is None or len(pages) <= FEWEST:
        return induce_template(pages, without, trace=trace), len(pages)
    order = sorted(range(len(pages)), key=lambda number: len(pages[number]))
    chosen = [order[-1], order[0]]
    while True:
        induced = induce_template([pages[number] for number in chosen], without, trace=trace)
        rest = [(number, read_page(pages[number], induced.template, None)) for number in order if number not in chosen]
        failing = [(number, reading) for number, reading in rest if reading.verdict != "ok"]
        if progress:
            progress(len(chosen), len(pages) - len(failing))
        if not failing or len(chosen) >= settings.learn_from:
            return induced, len(chosen)
        chosen.append(min(failing, key=lambda own: _compliance(own[1]))[0])


def _compliance(reading: TemplateReading) -> float:
    return reading.found + reading.known


def _checked(
    wrapper: Wrapper, pages: Sequence[Page], names: Sequence[str], groups: list[list[int]], needed: int
) -> Wrapper:
    """The wrapper with what it makes of all the pages that it was given."""
    found = [wrapper.read(page) for page in pages]
    checked = tuple(
        Checked(name, own.verdict, round(own.found, 4), round(own.known, 4))
        for name, own in zip(names, found, strict=True)
    )
    used = {number for group in groups for number in group}
    training = Training(
        pages=len(pages),
        needed=needed,
        complying=sum(own.verdict == "ok" for own in found),
        left_out=tuple(name for number, name in enumerate(names) if number not in used),
    )
    rules = wrapper.rules
    if isinstance(rules, Templates):
        run = [PageRecords(own.records, page) for own, page in zip(found, pages, strict=True)]
        profile = profile_of_run(run, each=next(iter(rules.each), ""))
        rules = replace(rules, profile=profile)
    return replace(wrapper, rules=rules, training=training, checked=checked)
