"""Fit what speaks for a title, an author or a date, by folds over domains: `python -m bench.content.fit_about title`.

Every page of the set `content2` and every article of `things` has candidates: whatever its data, its headings and the
lines around its text say. The weights of what speaks for them are those of a conditional logit with a penalty: the
probability that one of the right candidates is taken. Parts that hardly matter are left out, and the rest is fitted
again. No two folds share a domain, and parts are chosen anew in every fold, without its pages.

The articles are harder: a title is right only if it is the same word by word, and an author if the name is. They are
few, so each counts several times for the title, and the figures of both sets are told apart.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bench.content.grow import held_out
from bench.content.pages import FOLDS, PageTruth, domain_of, read_articles, read_truth
from bench.content.scores import agrees, words
from bench.fitting import descended
from bench.frame import Options, program
from bench.pages import static
from sightline.arrays import BoolArray, FloatArray, IntArray
from sightline.extract.content import trace_content
from sightline.extract.content._beginning import Beginning, Said
from sightline.extract.content._byline import BYLINE_WEIGHTS, best_name, name_candidates, people_in_list
from sightline.extract.content._date import DATE_WEIGHTS, best_date, date_candidates
from sightline.extract.content._main_text import TITLE_WEIGHTS, best_title, title_candidates
from sightline.extract.content._model import ContentModel
from sightline.page import Page

# How often each article counts: of 1 and 3 the better one over both sets, out of fold.
TIMES = {"title": 3, "author": 1, "date": 1}
CHUNK = 50  # pages that are open at once
# Of 1 and 3, and of 0 to 0.5 in steps of 0.1, among the best out of fold; the differences are below half a point.
PENALTY = {"title": 1.0, "author": 1.0, "date": 3.0}
MATTERS = {"title": 0.3, "author": 0.3, "date": 0.2}  # weight of a part; of rare ones more
COMMON = 400  # candidates; a part that as many have counts in full
LEAST = 10  # candidates that a part has to have
STEPS = 400
IN_FORCE: Mapping[str, Mapping[str, float]] = {
    "title": TITLE_WEIGHTS,
    "author": BYLINE_WEIGHTS,
    "date": DATE_WEIGHTS,
}
BEST: Mapping[str, Callable[[Any, Mapping[str, float]], Any]] = {
    "title": best_title,
    "author": best_name,
    "date": best_date,
}


@dataclass(frozen=True, eq=False)
class Asked:
    """One page: its domain, its type, what is true, and its candidates with whether each is right."""

    id: str
    domain: str
    fold: int
    type: str
    truth: str
    is_article: bool  # of the set of newspapers
    candidates: Sequence[Any]
    right: BoolArray


@dataclass(frozen=True, eq=False)
class Numbers:
    """The candidates of all pages as numbers: a row for each, page by page."""

    names: tuple[str, ...]
    parts: FloatArray
    right: FloatArray
    page: IntArray


def main() -> None:
    """Fit on all domains and in folds, and print weights and shares."""
    parser = program(__doc__)
    parser.add_argument("field", choices=tuple(IN_FORCE))
    parser.add_argument("--failures", action="store_true")
    arguments = parser.parse_args()
    field = arguments.field
    asked = list(_asked(field, Options(data=arguments.data, keep_pages=True)))
    asked += [page for page in asked if page.is_article] * (TIMES[field] - 1)
    numbers = _numbers(asked)
    print(f"{len(asked)} pages of {len({page.domain for page in asked})} domains, {len(numbers.names)} parts")
    print(f"the true one is among the candidates of {np.mean([page.right.any() for page in asked]):.4f}")
    weights = _chosen(numbers, field, np.ones(len(numbers.page), dtype=bool))
    folds = np.array([page.fold for page in asked])
    fitted = [_chosen(numbers, field, folds[numbers.page] != fold) for fold in range(FOLDS)]
    outside = [fitted[fold] for fold in folds.tolist()]
    print("in force:", _told(field, asked, [IN_FORCE[field]] * len(asked)))
    print("in fold:", _told(field, asked, [weights] * len(asked)))
    print("out of fold:", _told(field, asked, outside))
    print(json.dumps({name: round(weight, 2) for name, weight in weights.items()}, indent=4))
    if arguments.failures:
        _show_failures(field, asked, outside)


# ---------------------------------------------------------------------- pages


def _candidates(field: str, page: Page, model: ContentModel, title: str = "") -> list[Any]:
    """What might be the title, the author or the date of a page, whose text is read by a model that has not seen it."""
    trace = trace_content(page, model=model)
    said = Said(page, trace.found.page_kind or "")
    beginning = Beginning(trace.blocks, trace.kept) if len(trace.blocks) else None
    if field == "title":
        return list(title_candidates(said, beginning))
    if field == "date":
        return list(date_candidates(said, beginning))
    return list(name_candidates(said, beginning, title))


def _asked(field: str, options: Options) -> Iterator[Asked]:
    models = held_out()
    for truth in (read_truth(options), read_articles(options)):
        for begin in range(0, len(truth.pages), CHUNK):
            pages = static(truth.files[begin : begin + CHUNK])
            for own, page in zip(truth.pages[begin : begin + CHUNK], pages, strict=True):
                known = own.fields.get(field) or "; ".join(own.authors if field == "author" else ())
                if known:
                    found = _candidates(field, page, models[own.fold], own.fields.get("title", ""))
                    right = np.array([_is_true(field, own, _said_by(one)) for one in found], dtype=bool)
                    domain = domain_of(own.url or own.id)
                    yield Asked(own.id, domain, own.fold, own.type, known, own.from_newspaper, found, right)


def _is_true(field: str, own: PageTruth, said: str) -> bool:
    """Whether a candidate is right; of an article only if it is the same, word by word."""
    if not own.from_newspaper or field == "date":
        return agrees(field, own.fields.get(field, ""), said)
    true = [own.fields["title"]] if field == "title" else own.authors
    given = [said] if field == "title" else people_in_list(said)
    return any(words(one) == words(other) for one in true for other in given)


def _said_by(candidate: Any) -> str:
    for name in ("text", "name"):
        if hasattr(candidate, name):
            return str(getattr(candidate, name))
    return str(candidate.day.isoformat())


# ---------------------------------------------------------------------- fitting


def _numbers(asked: Sequence[Asked]) -> Numbers:
    own = [(one.parts, right) for page in asked for one, right in zip(page.candidates, page.right, strict=True)]
    seen = Counter(name for parts, _ in own for name, value in parts.items() if value)
    names = tuple(sorted(name for name, count in seen.items() if count >= LEAST))
    return Numbers(
        names,
        np.array([[parts.get(name, 0.0) for name in names] for parts, _ in own]),
        np.array([float(right) for _, right in own]),
        np.repeat(np.arange(len(asked)), [len(page.candidates) for page in asked]),
    )


def _chosen(numbers: Numbers, field: str, rows: BoolArray) -> dict[str, float]:
    """The weights of the parts that matter, fitted on some rows."""
    every = _fitted(numbers, PENALTY[field], rows)
    seen = (numbers.parts[rows] != 0).sum(axis=0) * len(rows) / rows.sum()
    matters = np.abs(every) * np.sqrt(np.minimum(seen, COMMON) / COMMON) >= MATTERS[field]
    names = tuple(name for name, does in zip(numbers.names, matters.tolist(), strict=True) if does)
    fewer = replace(numbers, names=names, parts=numbers.parts[:, matters])
    return dict(zip(names, _fitted(fewer, PENALTY[field], rows).tolist(), strict=True))


def _fitted(numbers: Numbers, penalty: float, rows: BoolArray) -> FloatArray:
    """The weights of a conditional logit, by gradient steps of adapted size.

    Pages without a right candidate say nothing.
    """
    parts, right, page = numbers.parts, numbers.right, numbers.page
    told = np.isin(page, page[right > 0])
    used = told & rows
    parts, right, page = parts[used], right[used], page[used]
    starts = np.flatnonzero(np.append(True, page[1:] != page[:-1]))
    sizes = np.diff(np.append(starts, len(page)))

    def slope(weights: FloatArray) -> FloatArray:
        worth = parts @ weights
        odds = np.exp(worth - np.repeat(np.maximum.reduceat(worth, starts), sizes))
        wanted = odds * right
        error = odds / np.repeat(np.add.reduceat(odds, starts), sizes)
        error -= wanted / np.repeat(np.add.reduceat(wanted, starts), sizes)
        return np.asarray(parts.T @ error + penalty * weights, dtype=np.float64)

    return descended(slope, parts.shape[1], STEPS)


# ---------------------------------------------------------------------- what comes of it


def _is_right(field: str, page: Asked, weights: Mapping[str, float]) -> bool | None:
    """Whether the best candidate of a page is right; None if there is none."""
    best = BEST[field](page.candidates, weights)
    return None if best is None else bool(page.right[list(page.candidates).index(best)])


def _counts(field: str, asked: Sequence[Asked], weights: Sequence[Mapping[str, float]]) -> tuple[int, int, int]:
    found = [_is_right(field, page, own) for page, own in zip(asked, weights, strict=True)]
    return found.count(True), found.count(False), found.count(None)


def _told(field: str, asked: Sequence[Asked], weights: Sequence[Mapping[str, float]]) -> str:
    told = []
    for name, wanted in (("pages", False), ("articles", True)):
        places = [place for place, page in enumerate(asked) if page.is_article == wanted]
        own = [asked[place] for place in places]
        right, wrong, missing = _counts(field, own, [weights[place] for place in places])
        told.append(f"{name} {right / max(1, len(own)):.4f} right, {wrong} wrong, {missing} missing")
    return "; ".join(told)


def _show_failures(field: str, asked: Sequence[Asked], weights: Sequence[Mapping[str, float]]) -> None:
    for page, own in zip(asked, weights, strict=True):
        if not _is_right(field, page, own):
            best = BEST[field](page.candidates, own)
            reach = "among them" if page.right.any() else "nowhere"
            print(f"{page.id} {page.type} {page.truth!r}: {_said_by(best) if best else None!r} ({reach})")


if __name__ == "__main__":
    main()
