"""The webs that discovery is measured on, and how its figures are made."""

from dataclasses import replace

import pytest
from bench.crawl.discovery import Looked, Observed, all_in_first, discovery_figures, discovery_told, observe, precision
from bench.crawl.discovery_corpus import RELEVANT, SITES, make_web
from bench.crawl.discovery_domains import DOMAINS
from bench.crawl.fit_discovery import fit, out_of_fold

from sightline.crawler import site_of
from sightline.crawler.discover._score import CLUES


@pytest.mark.slow
def test_web_is_of_the_size_that_is_said() -> None:
    """Sixty sites, six of them relevant, each a site of its own; the same seed gives the same pages."""
    web = make_web(DOMAINS[0], 7, 1200)
    assert len({site_of(f"https://{site.host}/") for site in web}) == SITES
    assert sum(site.sort == "relevant" for site in web) == RELEVANT
    assert sum(len(site.pages) for site in web) == 1200
    assert web == make_web(DOMAINS[0], 7, 1200)
    assert web != make_web(DOMAINS[0], 8, 1200)


@pytest.mark.slow
def test_hard_cases_have_the_phrases() -> None:
    """Every sort of site but other shops has pages with several phrases; a glossary has them all on one page."""
    domain = DOMAINS[1]
    for site in make_web(domain, 3, 1500):
        most = max(sum(phrase.lower() in html.lower() for phrase in domain.phrases) for _, html in site.pages)
        assert most >= (len(domain.phrases) if site.sort == "glossary" else 0 if site.sort == "shop" else 3), site.sort


def _looked(number: int, *, is_relevant: bool, good: float) -> Looked:
    return Looked(f"s{number}", "relevant" if is_relevant else "blog", True, dict.fromkeys(CLUES, good), good)


def _run(domain: str, seed: int, *, late: int = 0) -> Observed:
    """Sixteen sites; with `late`, so many of the relevant ones are scored last."""
    order = [*range(late, 6), *range(6, 16), *range(late)]
    looked = [_looked(n, is_relevant=n < 6, good=1 - place / 16) for place, n in enumerate(order)]
    relevant = tuple(f"s{n}" for n in range(6))
    return Observed(domain, seed, tuple(looked), "rule", 50, relevant, 1.0, (), relevant)


def _turned(clues: dict[str, float]) -> dict[str, float]:
    return {name: 1 - value for name, value in clues.items()}


def test_places_are_counted() -> None:
    """A site that is missing from the first ten is seen."""
    good, bad = _run("a", 0), _run("a", 1, late=1)
    assert (all_in_first(good.looked), precision(good.looked)) == (True, 1.0)
    assert (all_in_first(bad.looked), precision(bad.looked)) == (False, 5 / 6)


def test_weights_are_fitted_without_the_domain_that_is_judged() -> None:
    """Where another domain says the contrary, its ranking is turned round; so no domain judges itself."""
    right = [_run("a", seed) for seed in range(3)]
    turned = [replace(run, looked=tuple(replace(one, clues=_turned(one.clues)) for one in run.looked)) for run in right]
    wrong = [replace(run, domain="b") for run in turned]
    folds = out_of_fold([*right, *wrong])
    assert not any(all_in_first(one) for one in folds)


def test_clues_keep_their_sign() -> None:
    """What speaks for a site never speaks against it, whatever the webs say; stuffed phrases never speak for one."""
    right = [_run("a", seed) for seed in range(3)]
    wrong = [replace(run, looked=tuple(replace(one, clues=_turned(one.clues)) for one in run.looked)) for run in right]
    for runs in (right, wrong):
        weights = dict(zip(CLUES, fit(runs), strict=False))
        assert weights.pop("stuffed") <= 0
        assert min(weights.values()) >= 0
    assert max(fit(right)[:-1]) > 0


def test_figures_tell_what_is_missing() -> None:
    """Every web where a site is missed is named."""
    runs = [_run(domain, seed) for domain in ("cameras", "telescopes") for seed in range(2)]
    figures = {figure.name: figure for figure in discovery_figures(runs)}
    assert figures["discovery: all 6 in the first 10"].value == 1.0
    assert all(figure.kept for figure in figures.values())
    told = discovery_told([*runs, _run("books", 9, late=1)])
    assert told[-1] == "Missed: books, seed 9: at place 16."


@pytest.mark.slow
def test_small_web_is_discovered() -> None:
    """A whole run over a web of a fifth of the size ends by itself, and most of the relevant sites come first."""
    found = observe(DOMAINS[0], 1, pages=1000)
    assert found.ended == "rule"
    assert precision(found.looked, 6) >= 0.5
