"""Learning a wrapper: cluster the pages, train on a few until all comply, and check all of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from sightline.checks import PageRecords, profile_of_run
from sightline.errors import UsageError
from sightline.extract.schemas import (
    Induced,
    InduceSettings,
    LearningStep,
    form_of,
    induce_template,
    same_template,
    sheet_labels,
)
from sightline.extract.wrappers._found import Checked, Training
from sightline.extract.wrappers._trained import Trained
from sightline.extract.wrappers.templates import TemplateReading, Templates, add_references, read_page, set_aside
from sightline.page import Page

SAMPLE = 20  # pages that decide which fields and addresses are what the pages are about
PDF = "pdf"
FEWEST = 2  # pages; template and data can only be told apart where pages differ

LearningProgress = Callable[[int, int], None]
"""Called with the number of pages learned from, and how many of all pages comply."""


def learn(
    make: type[Trained],
    pages: Sequence[Page],
    *,
    names: Sequence[str] | None = None,
    settings: InduceSettings | None = None,
    progress: LearningProgress | None = None,
    traced: bool = False,
) -> tuple[Trained, tuple[LearningStep, ...]]:
    """A wrapper for the template, or templates, of some pages, and the decisions on the way if they are `traced`."""
    settings = settings or InduceSettings()
    _check_pages(pages)
    called = list(names) if names is not None else [page.url or page.title for page in pages]
    if len(called) != len(pages):
        raise UsageError(f"There are {len(pages)} pages but {len(called)} names; give one name for each page.")
    if len({page.text_of() for page in pages}) == 1:
        raise UsageError(
            f"All {len(pages)} pages have the same text, so there is no data in them; give pages that differ, such as "
            "different products of one shop."
        )
    sheet = sheet_labels(pages) if all(page.kind == PDF for page in pages) else None
    given, pages = pages, pages if sheet is None else [form_of(page, sheet).page for page in pages]
    groups = [group for group in same_template(pages) if len(group) >= FEWEST]
    if not groups:
        raise UsageError(
            "No two of these pages have the same template, so nothing can be learned from them; "
            "give several pages of one kind, such as products of one shop."
        )
    wrapper, steps, needed = _learn_groups(make, pages, groups, settings, progress, trace=traced)
    if not wrapper.fields:
        raise UsageError("Nothing else varies on these pages, so there is no data in them; give pages that differ.")
    if isinstance(wrapper.rules, Templates):
        wrapper = replace(wrapper, rules=replace(wrapper.rules, sheet=sheet))
    return _with_checks(wrapper, given, called, groups, needed), tuple(steps)


def _check_pages(pages: Sequence[Page]) -> None:
    for page in pages:
        if not isinstance(page, Page):
            raise UsageError(f"A wrapper is learned from pages, not from {page!r:.60}; open them first with open().")
    if len(pages) < FEWEST:
        given = "this is one page" if pages else "there is none"
        raise UsageError(
            f"A wrapper needs at least two pages of one template, and {given}; give more, or see what one page holds "
            "with `sightline lists` and `sightline tables`."
        )


def _learn_groups(
    make: type[Trained],
    pages: Sequence[Page],
    groups: list[list[int]],
    settings: InduceSettings,
    progress: LearningProgress | None,
    *,
    trace: bool,
) -> tuple[Trained, list[LearningStep], int]:
    learned: list[Induced] = []
    needed = 0
    for group in groups:
        of_template = [pages[number] for number in group]
        induced, count = _train(of_template, settings, progress, trace=trace)
        learned.append(_finished(induced, of_template, settings))
        needed += count
    languages = [page.language for page in pages if page.language]
    rules = Templates(
        tuple(induced.template for induced in learned),
        tuple(induced.each.name if induced.each else "" for induced in learned),
    )
    wrapper = make(
        rules,
        rendered=any(page.kind == "rendered" for page in pages),
        language=max(languages, key=languages.count, default=None),
    )
    return wrapper, [step for induced in learned for step in induced.steps], needed


def _finished(induced: Induced, pages: Sequence[Page], settings: InduceSettings) -> Induced:
    """The template with links and pictures, and without the fields that the pages are not about."""
    sample = pages[:: max(1, len(pages) // SAMPLE)][:SAMPLE]
    readings = [read_page(page, induced.template, None, traced=True) for page in sample]
    if not settings.all_fields and any(
        page.kind != PDF for page in pages
    ):  # sheets have no menus, and no related things
        set_aside(sample, readings, records=induced.each.name if induced.each else "")
    return replace(induced, template=add_references(induced.template, sample, readings))


def _train(
    pages: Sequence[Page], settings: InduceSettings, progress: LearningProgress | None, *, trace: bool
) -> tuple[Induced, int]:
    """Learn from all pages, or from the largest and smallest plus whichever fails worst, until all comply."""
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
        chosen.append(min(failing, key=lambda failure: _compliance(failure[1]))[0])


def _compliance(reading: TemplateReading) -> float:
    return reading.found + reading.known


def _with_checks(
    wrapper: Trained, pages: Sequence[Page], names: Sequence[str], groups: list[list[int]], needed: int
) -> Trained:
    """The wrapper with the results of checking it on all given pages."""
    found = [wrapper.read(page) for page in pages]
    checked = tuple(
        Checked(name, reading.verdict, round(reading.found, 4), round(reading.known, 4))
        for name, reading in zip(names, found, strict=True)
    )
    used = {number for group in groups for number in group}
    training = Training(
        pages=len(pages),
        needed=needed,
        complying=sum(reading.verdict == "ok" for reading in found),
        left_out=tuple(name for number, name in enumerate(names) if number not in used),
    )
    rules = wrapper.rules
    if isinstance(rules, Templates):
        run = [PageRecords(reading.records, page) for reading, page in zip(found, pages, strict=True)]
        profile = profile_of_run(run, each=next(iter(rules.each), ""))
        rules = replace(rules, profile=profile)
    made = replace(wrapper, rules=rules, training=training, checked=checked)
    return made.with_data_of(pages, found)
