"""`python -m bench.lists.fit_top`: how much each measure of a choice of titles counts, found by folds of sites.

The pages are those of the set `topk`, further pages of the set `content2` whose items were read from the page
(`further_tops.jsonl`), and the first draw of made-up pages, where a layout counts as a site. For each of five folds of
sites the weights are fitted to the other four and measured on it by the whole search; the figures over all folds are
what pages of unseen sites can expect of weights. `_top.py` has weights of an earlier fit to `topk` alone, for
which the further pages and the second draw of made-up ones are unseen.

With `--chance` the pages of `content2` that promise nothing are asked for k items all the same: how often something
would be taken for a list that nobody promised, by k.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlsplit

import numpy as np

from bench.fitting import Floats, Ranking, ranked_first
from bench.frame import Options, folder_of, program
from bench.lists import generated_topk, topk
from bench.lists.items import Found
from bench.lists.pages import Truth
from bench.lists.topk import TopScore, TopTruth, title_key
from bench.pages import json_lines, rendered
from sightline.extract.lists import PageSignals, TopSettings, _top, find_top, promises_of
from sightline.extract.lists._page_signals import readable
from sightline.extract.lists._title_choices import CHOICE_MEASURES
from sightline.extract.lists._title_lines import names_below
from sightline.page import Page

FOLDS = 5
FURTHER = Path(__file__).with_name("further_tops.jsonl")
PENALTIES = (0.001, 0.01)  # of the squares of the weights, each measured in its own spread
ASKED = (2, 3, 4, 5, 7, 10, 15)  # items that pages are asked for by chance
EVERY = 5  # page of the set that is asked

MARGIN = 1e-3  # of F1 within which choices are equally right
# Of the right choices that may score too little. Whether a page has a list is judged by its title before anything is
# scored: pages without one have nothing less list-like on them, so the bias only keeps out what no page is about.
UNSURE = 0.01
LEAST_RIGHT = 0.5  # F1 of the best choice, or else the page has nothing to learn from


@dataclass(frozen=True)
class Case:
    """A page: what is known of it, its site, and the measures of the choices on it, with how right each is."""

    truth: TopTruth
    page: Page
    site: str
    measures: Floats
    right: Floats


@dataclass(frozen=True)
class Fitted:
    """Weights and bias."""

    weights: Mapping[str, float]
    bias: float


def main() -> None:
    """Fit to all sites but a fold, measure on the fold; then fit to all."""
    parser = program(__doc__)
    parser.add_argument("--keep-pages", action="store_true", help="take the pages of an earlier run")
    parser.add_argument("--chance", action="store_true", help="how often pages without a promise have k items")
    options = parser.parse_args()
    if options.chance:
        chance(Options(data=options.data), keep=options.keep_pages)
        return
    cases = read_cases(Options(data=options.data), keep=options.keep_pages)
    _print("as it is", [_score(case, None) for case in cases])
    for penalty in PENALTIES:
        by_fold = [fit([case for case in cases if fold_of(case.site) != number], penalty) for number in range(FOLDS)]
        _print(f"penalty {penalty}, out of fold", [_score(case, by_fold[fold_of(case.site)]) for case in cases])
        whole = fit(cases, penalty)
        _print(f"penalty {penalty}, in fold", [_score(case, whole) for case in cases])
        print({name: round(value, 2) for name, value in whole.weights.items()}, round(whole.bias, 2))


def read_cases(options: Options, *, keep: bool) -> list[Case]:
    """Every page, with its choices."""
    cases = []
    for name, path in (("topk", None), ("content2", FURTHER)):
        folder = folder_of(name, options)
        lines = json_lines(path or folder / "truth.jsonl")
        truth = Truth(name, folder, tuple(TopTruth.from_json(line) for line in lines))
        pages = dict(zip(truth.names, rendered(truth.files, keep=keep), strict=True))
        cases += [_case(one, pages[one.file], _site(line["url"])) for one, line in zip(truth.known, lines, strict=True)]
    made = generated_topk.generated(0)
    for page, view in zip(made, generated_topk.opened(made), strict=True):
        truth_of = TopTruth("", "generated", "generated", "", len(page.items), page.items, page.title)
        cases.append(_case(truth_of, view, page.layout))
    return cases


def _site(url: str) -> str:
    return urlsplit(url).netloc.removeprefix("www.")


def fold_of(site: str) -> int:
    """The fold of a site."""
    return hashlib.blake2b(site.encode()).digest()[0] % FOLDS


def _case(truth: TopTruth, page: Page, site: str) -> Case:
    """The choices of the promised number; of a page without a list, those of any number that seems to be promised."""
    signals = PageSignals(readable(page))
    search = _top._Search(signals, TopSettings())
    counts = [truth.k] if truth.k else [one.k for one in promises_of(signals) if one.strength > 1]
    found = [choice for k in counts for choice in search.choices(k) if not search.is_beside(choice)]
    if not found:
        return Case(truth, page, site, np.zeros((0, len(CHOICE_MEASURES))), np.zeros(0))
    measures = np.array([choice.choices.measures[choice.row] for choice in found])
    return Case(truth, page, site, measures, np.array([_rightness(search, truth, choice) for choice in found]))


def _rightness(search: _top._Search, truth: TopTruth, choice: _top._Choice) -> float:
    """The share of its titles that are right."""
    stops = choice.choices.stop[choice.row].tolist()
    spans = names_below(search.signals, choice.spans, choice.titles, stops)
    search.reader.read(spans)
    titles = [search.reader.value(span).text.replace("\n", " ") for span in spans]
    keys = frozenset().union(*truth.keys) if truth.keys else frozenset()
    return sum(title_key(title) in keys for title in titles) / len(titles)


def fit(cases: Sequence[Case], penalty: float) -> Fitted:
    """Weights with which the right choices come first, and a bias that nearly all of them pass."""
    learned = [case for case in cases if case.truth.has_list and len(case.right) and case.right.max() >= LEAST_RIGHT]
    rankings = [Ranking(case.measures, case.right >= case.right.max() - MARGIN) for case in learned]
    weights = ranked_first(rankings, penalty)
    right = [float((one.measures[one.right] @ weights).max()) for one in rankings]
    return Fitted(dict(zip(CHOICE_MEASURES, weights.tolist(), strict=True)), -float(np.quantile(right, UNSURE)))


def _score(case: Case, given: Fitted | None) -> TopScore:
    """What the search finds on a page with these weights."""
    if given is None:
        found = find_top(case.page)
    else:
        with patch.dict(_top.TOP_WEIGHTS, given.weights), patch.object(_top, "BIAS", given.bias):
            found = find_top(case.page)
    items = [Found.from_json(item) for item in found.to_json()["items"]] if found else []
    return topk.score(case.truth, items)


def chance(options: Options, *, keep: bool) -> None:
    """Print how often pages that promise nothing have something that looks like k items."""
    folder = folder_of("content2", options)
    lines = [line for name in ("truth", "snippets") for line in json_lines(folder / f"{name}.jsonl")]
    known = [TopTruth(one["id"], "content2", "", one["file"], None, ()) for one in lines[::EVERY]]
    views = [PageSignals(readable(page)) for page in rendered(Truth("content2", folder, tuple(known)).files, keep=keep)]
    searches = [_top._Search(signals, TopSettings()) for signals in views if not promises_of(signals)]
    numbered = list(CHOICE_MEASURES).index("numbered")
    for k in ASKED:
        best = [search.likeliest(sorted(search.choices(k), key=lambda one: -one.score)) for search in searches]
        found = [choice for choice in best if choice is not None]
        shares = [sum(choice.score >= least for choice in found) / len(searches) for least in (0.5, 0.8, 0.95)]
        counted = sum(choice.choices.measures[choice.row, numbered] >= _top.NUMBERED for choice in found) / len(
            searches
        )
        of = ", ".join(f"{share:.2f}" for share in shares)
        print(f"k = {k}: of {len(searches)} pages {of} score 0.5, 0.8, 0.95 or more; {counted:.2f} are numbered")


def _print(name: str, scores: Sequence[TopScore]) -> None:
    for of in sorted({score.truth.set for score in scores}):
        group = topk.summary([score for score in scores if score.truth.set == of])
        alarms = "–" if group.false_alarms is None else f"{group.false_alarms:.3f}"
        print(
            f"{name}, {of}: {group.pages} pages, P {group.paper_precision:.3f}, R {group.paper_recall:.3f}, "
            f"items {group.item_f1:.4f}, perfect {group.strict_recall:.3f}, false {alarms}"
        )


if __name__ == "__main__":
    main()
