"""Teaching: how few clicks and examples a wrapper needs, and what becomes of it when its site is made anew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from rich.table import Table as Sheet

from bench.frame import MOST_SHOWN, Figure, Options, Outcome, asked_to_show, shown
from bench.induce.sites import PageTruth
from bench.induce.speed import Reading, readings, speed_figures
from bench.measures import mean
from bench.teach.articles import article_steps, evolved_article
from bench.teach.clicks import FEW, MOST, PAGES, Clicked, click_site
from bench.teach.evolution import Survived, evolved, induced, of_peer, silent, survival
from bench.teach.lessons import KS, Delivered, Step, TaughtSite, corpora, read_steps, read_taught_sites
from bench.teach.listings import (
    listing_details,
    listing_figures,
    listing_remarks,
    listing_sheet,
    report_listings,
    taught_listings,
)
from bench.teach.peers import Answers, autoscraper, contexts
from bench.teach.report import report_site, report_steps
from bench.teach.scores import Measured, NamedScore, flat, measured, named_score, rate
from bench.teach.speed import Timed, click_figures, timed_clicks
from bench.teach.ways import DEFAULT, SiteReading, read_site
from sightline.extract.wrappers import Wrapper

__all__ = ["run", "show"]

CLICKS, WITHIN_FEW = 2.0, 0.9
PAGE_F1 = {1: 0.94, 3: 0.98}
SURVIVAL = {"before": 0.60, "after": 0.90}
SILENT_WRONG = 0.015
PHASES = {"before": "without repair", "after": "after repair"}


@dataclass(frozen=True)
class Taught:
    """All that one way made of the sites, by the number of examples, and of the redesigns."""

    scores: Mapping[int, Sequence[NamedScore]]
    measures: Mapping[int, Sequence[Measured]]
    steps: Sequence[Survived]

    def page_f1(self, k: int) -> float | None:
        """The mean over the sites that have fields and pages enough."""
        return mean(value for one in self.scores[k] if (value := one.page_f1) is not None)

    def record_f1(self, k: int) -> float | None:
        """The mean over the sites that have records."""
        return mean(one.records.record_f1 for one in self.scores[k] if one.records)

    def cell_f1(self, k: int) -> float | None:
        """The same of the cells of their records."""
        return mean(one.records.cell_f1 for one in self.scores[k] if one.records)


@dataclass(frozen=True)
class Own:
    """What only ours is asked for."""

    clicked: Sequence[Clicked]
    timed: Sequence[Timed]
    read: Sequence[Reading]
    induced: Sequence[Survived]
    articles: Sequence[Survived] = ()


def run(options: Options) -> Outcome:
    """Teach every site, and every version that another followed, by clicks and by examples; ours and the peers."""
    sites, steps = read_taught_sites(options), read_steps(options)
    # First what is timed: with hundreds of pages in memory, Python's collector would be measured as well.
    timed = timed_clicks(sites)
    read = {own.site.name: read_site(own) for own in sites}
    own = Own(
        [one for site in sites for one in click_site(site)],
        timed,
        readings([site.site for site in sites], _wrappers(read)),
        list(induced(steps)),
        [evolved_article(step) for step in article_steps(options)],
    )
    ours = _taught(sites, {name: _pages(by_k) for name, by_k in read.items()}, [evolved(step) for step in steps])
    peers, missing = _peers(sites, steps)
    listings = taught_listings(options)
    ways = {DEFAULT: ours, **peers}
    return Outcome(
        task="teach",
        peer="best peer",
        corpora=(*corpora(sites, steps), listings.corpus),
        figures=(*_click_figures(own), *_quality(ways), *listing_figures(listings), *_own_figures(ours, own)),
        remarks=(*_remarks(sites, steps, own), *listing_remarks(listings), *missing),
        details=_details(ways, own) | listing_details(listings),
        views=(_side_by_side(ways), _redesigns(ways, own), _by_family(ours, own), listing_sheet(listings)),
    )


def show(options: Options) -> None:
    """Print what is wrong on the sites asked for, taught on the most examples: `worst`, a number, or parts of names."""
    number, named = asked_to_show(options)
    found = []
    for own in read_taught_sites(options, named):
        for k, reading in read_site(own).items():
            if k == max(k for k in own.ks if k in PAGE_F1):
                score = named_score(own.site, _truth(own), reading.pages, own.job(k).taught)
                found.append((own, k, score, reading.pages))
    for own, k, score, pages in sorted(found, key=lambda one: _goodness(one[2]))[:number]:
        report_site(own, k, score, pages, click_site(own))
    report_listings(taught_listings(options), named, number)
    if not named:
        report_steps([evolved(step) for step in read_steps(options)])


def _goodness(score: NamedScore) -> float:
    found = [score.page_f1, score.records.cell_f1 if score.records else None]
    return min(value for value in (*found, 1.0) if value is not None)


def _truth(own: TaughtSite) -> list[PageTruth]:
    return [own.site.truth[name] for name in own.test]


def _wrappers(read: Mapping[str, Mapping[int, SiteReading]]) -> dict[str, Wrapper]:
    """Of every site the wrapper of the most examples."""
    last = {name: by_k[max(by_k)].wrapper for name, by_k in read.items() if by_k}
    return {name: wrapper for name, wrapper in last.items() if wrapper is not None}


def _pages(by_k: Mapping[int, SiteReading]) -> dict[int, Sequence[Delivered]]:
    return {k: reading.pages for k, reading in by_k.items()}


def _taught(
    sites: Sequence[TaughtSite], found: Mapping[str, Mapping[int, Sequence[Delivered]]], steps: Sequence[Survived]
) -> Taught:
    """The scores of what one way read."""
    scores: dict[int, list[NamedScore]] = {k: [] for k in KS}
    measures: dict[int, list[Measured]] = {k: [] for k in KS}
    for own in sites:
        for k, pages in found[own.site.name].items():
            taught = own.job(k).taught
            scores[k].append(named_score(own.site, _truth(own), pages, taught))
            truth = [flat(page, taught) for page in _truth(own)]
            measures[k].append(measured(truth, pages, any_of=own.site.any_of))
    return Taught(scores, measures, steps)


def _peers(sites: Sequence[TaughtSite], steps: Sequence[Step]) -> tuple[dict[str, Taught], tuple[str, ...]]:
    """What the peers make of the same examples, and a word of one that is not installed."""
    places = [(own.site.name, k) for own in sites for k in own.ks]
    jobs = [own.job(k) for own in sites for k in own.ks] + [step.job for step in steps]

    def of_answers(answers: Answers) -> Taught:
        found: dict[str, dict[int, Sequence[Delivered]]] = {own.site.name: {} for own in sites}
        for (name, k), pages in zip(places, answers, strict=False):
            found[name][k] = pages
        later = zip(steps, answers[len(places) :], strict=True)
        return _taught(sites, found, [of_peer(step, pages) for step, pages in later])

    peers = {"contexts": of_answers(contexts(jobs))}
    if (answer := autoscraper(jobs)) is None:
        return peers, ("AutoScraper is not installed, and left out; see docs/benchmarks.md.",)
    return {f"AutoScraper {answer[0]}": of_answers(answer[1]), **peers}, ()


def _click_figures(own: Own) -> tuple[Figure, ...]:
    every = [one.clicks for one in own.clicked]
    standing = [one.clicks for one in own.clicked if one.stands]
    average, few = mean(every) or 0.0, mean(float(count <= FEW) for count in every) or 0.0
    of_whole = mean(standing) or 0.0
    return (
        Figure.of("clicks until a field is right", average, CLICKS, "lower", "clicks"),
        Figure.of(f"fields right after {FEW} clicks", few, WITHIN_FEW, "higher", "share"),
        Figure.of("clicks, fields that stand alone", of_whole, None, "lower", "clicks"),
        *click_figures(own.timed),
    )


def _quality(ways: Mapping[str, Taught]) -> tuple[Figure, ...]:
    """Ours beside the best of the peers, which is not the same one everywhere."""
    figures = [_figure(ways, f"page F1, taught on {k}", partial(Taught.page_f1, k=k), PAGE_F1.get(k)) for k in KS]
    figures += [_figure(ways, f"record F1, taught on {k}", partial(Taught.record_f1, k=k), None) for k in PAGE_F1]
    for phase, told in PHASES.items():
        name = f"redesigns survived {told}"
        figures.append(_figure(ways, name, partial(_survival, phase=phase), SURVIVAL[phase]))
    for phase, told in PHASES.items():
        name = f"redesigned, wrong and said ok, {told}"
        figures.append(_figure(ways, name, partial(_wrong, phase=phase), SILENT_WRONG, "lower"))
    return tuple(figure for figure in figures if figure is not None)


def _figure(
    ways: Mapping[str, Taught],
    name: str,
    value: Callable[[Taught], float | None],
    bound: float | None,
    better: Literal["lower", "higher"] = "higher",
) -> Figure | None:
    ours = value(ways[DEFAULT])
    others = [found for way, of in ways.items() if way != DEFAULT and (found := value(of)) is not None]
    if ours is None:
        return None
    best = (min if better == "lower" else max)(others, default=None)
    return Figure.of(name, ours, bound, better, "share", peer=best)


def _survival(way: Taught, phase: str) -> float | None:
    """None where nothing was tried, as of peers after repair."""
    return survival(way.steps, phase) if _tried(way, phase) else None


def _wrong(way: Taught, phase: str) -> float | None:
    return silent(way.steps, phase, "ok_wrong", "ok_delivered") if _tried(way, phase) else None


def _tried(way: Taught, phase: str) -> bool:
    return bool(way.steps) and (phase == "before" or any(one.after is not None for one in way.steps))


def _own_figures(ours: Taught, own: Own) -> tuple[Figure, ...]:
    figures = []
    for k in PAGE_F1:
        alarms = rate(ours.measures[k], "alarm_right", "pages")
        wrong = rate(ours.measures[k], "ok_wrong", "ok_delivered")
        figures.append(Figure.of(f"right and not said ok, taught on {k}", alarms, None, "lower", "share"))
        figures.append(Figure.of(f"wrong and said ok, taught on {k}", wrong, None, "lower", "share"))
    # Held by the task `induce`; here for comparison.
    return (*figures, *(replace(figure, bound=None) for figure in speed_figures({}, own.read, {})))


def _remarks(sites: Sequence[TaughtSite], steps: Sequence[Step], own: Own) -> tuple[str, ...]:
    lost = [one for one in own.clicked if not one.learned]
    told = ", ".join(f"{one.site} {one.name}" for one in lost[:MOST_SHOWN])
    more = f" and {len(lost) - MOST_SHOWN} more" if len(lost) > MOST_SHOWN else ""
    clicks = [
        f"{one.page} ({one.nodes:,} nodes) {1000 * one.want:.0f} ms, to reject {1000 * one.reject:.0f} ms"
        for one in own.timed
    ]
    whole = sum(one.stands for one in own.clicked)
    return (
        f"{len(sites)} sites, {len(steps)} redesigns; read without a browser.",
        f"Clicks: {len(own.clicked)} fields, {whole} of them always whole texts; at most {PAGES} pages of a site are "
        f"looked at, and after {MOST} clicks it counts as {MOST + 1}. Published: usually 3 to 5.",
        *((f"Not learned by clicks: {told}{more}.",) if lost else ()),
        *((f"A click: {'; '.join(clicks)}.",) if clicks else ()),
        "Peers: in the same run with the same examples; of each figure the best of them.",
    )


def _details(ways: Mapping[str, Taught], own: Own) -> dict[str, float]:
    details: dict[str, float | None] = {}
    for name, way in ways.items():
        for k in KS:
            told = f"{name}, taught on {k}"
            details[f"{told}: page F1"] = way.page_f1(k)
            details[f"{told}: record F1"] = way.record_f1(k)
            details[f"{told}: record cells"] = way.cell_f1(k)
            details[f"{told}: wrong and said ok"] = rate(way.measures[k], "ok_wrong", "ok_delivered")
            details[f"{told}: right and not said ok"] = rate(way.measures[k], "alarm_right", "pages")
            details |= {f"{told}, {one.site.name}: page F1": one.page_f1 for one in way.scores[k]}
        details |= _step_details(name, way.steps)
    details |= _step_details("induced", own.induced)
    details |= _step_details("articles of other sites", own.articles)
    for family, steps in _families(ways[DEFAULT].steps).items():
        details |= _step_details(f"{DEFAULT}, {family}", steps)
    details |= {f"clicks, {one.site} {one.name}": one.clicks for one in own.clicked}
    return {name: round(value, 6) for name, value in details.items() if value is not None}


def _step_details(name: str, steps: Sequence[Survived]) -> dict[str, float | None]:
    found: dict[str, float | None] = {f"{name}, basis": mean(one.basis.value_f1 for one in steps)}
    for phase in PHASES:
        if any(phase == "before" or one.after is not None for one in steps):
            found |= {f"{name}, {phase}: {told}": value for told, value in _rates(steps, phase).items()}
    return found


def _rates(steps: Sequence[Survived], phase: str) -> dict[str, float]:
    """What is asked of redesigns."""
    return {
        "survival": survival(steps, phase),
        "said ok": silent(steps, phase, "ok", "pages"),
        "silent wrong": silent(steps, phase, "ok_wrong", "ok_delivered"),
        "silent missing": silent(steps, phase, "ok_missing", "true"),
        "silent pages": silent(steps, phase, "ok_bad", "pages"),
        "false alarms": silent(steps, phase, "alarm_good", "pages"),
    }


def _side_by_side(ways: Mapping[str, Taught]) -> Sheet:
    titles = [f"{what}, {k}" for what in ("page F1", "records", "cells") for k in KS]
    sheet = Sheet("", *titles, title="side by side, by the number of example pages")
    for name, way in ways.items():
        values = [value(k) for value in (way.page_f1, way.record_f1, way.cell_f1) for k in KS]
        sheet.add_row(name, *map(shown, values))
    return sheet


def _redesigns(ways: Mapping[str, Taught], own: Own) -> Sheet:
    several = {**{name: way.steps for name, way in ways.items()}, "induced": own.induced}
    titles = ("survival", "said ok", "silent wrong", "silent missing", "silent pages", "false alarms")
    sheet = Sheet("", "pairs", "learned", *titles, title="redesigns")
    for name, steps in several.items():
        for phase, told in PHASES.items():
            tried = [one for one in steps if phase == "before" or one.after is not None]
            if tried:
                counts = (str(len(tried)), str(sum(one.learned for one in tried)))
                sheet.add_row(f"{name} {told}", *counts, *map(shown, _rates(tried, phase).values()))
    return sheet


def _families(steps: Sequence[Survived]) -> dict[str, list[Survived]]:
    """Redesigns by the set that their sites come from: news, recipes, documentation."""
    found: dict[str, list[Survived]] = {}
    for one in steps:
        found.setdefault(one.step.source, []).append(one)
    return found


def _by_family(ours: Taught, own: Own) -> Sheet:
    """Ours by family. Weights are chosen without the family that is shown; see `fit_redesigns`."""
    titles = ("survival", "said ok", "silent wrong", "silent missing", "silent pages", "false alarms")
    sheet = Sheet("", "pairs", *titles, title="redesigns by family")
    for name, steps in {**_families(ours.steps), "articles of other sites": list(own.articles)}.items():
        for phase, told in PHASES.items():
            tried = [one for one in steps if phase == "before" or one.after is not None]
            if tried:
                sheet.add_row(f"{name} {told}", str(len(tried)), *map(shown, _rates(tried, phase).values()))
    return sheet
