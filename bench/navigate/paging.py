"""Where pages of lists lead: the set, how answers are scored, and a plain rule to compare with."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urldefrag, urlsplit

import sightline as sl
from bench.frame import Corpus, Options, folder_of, thinned
from bench.measures import harmonic, share
from bench.pages import json_lines
from sightline.navigate.paging import Candidate, candidates_of
from sightline.page import Page

KINDS = ("next", "prev", "page", "first", "last")
PLAIN_WORDS = re.compile(
    r"^\W*(?:next|weiter|nächste|suivant|siguiente|próxim[oa]|avanti|successiv[oa]|volgende|nästa|næste|neste|dalej"
    r"|следующая|след\.?|далее|次へ?|下一页|다음)\b|^\W*»\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class KnownPage:
    """A page of the set: where it leads, and what our finder looks at."""

    url: str
    page: Page
    next: frozenset[str]
    all: frozenset[str]

    @property
    def domain(self) -> str:
        """The site that it belongs to; folds are made of whole sites."""
        return ".".join((urlsplit(self.url).hostname or "").split(".")[-2:])

    @property
    def candidates(self) -> list[Candidate]:
        """The addresses that it links to."""
        return candidates_of(self.page, self.url)


@dataclass(frozen=True)
class Answer:
    """What was found on a page."""

    next: str | None
    pages: frozenset[str]


@dataclass(frozen=True)
class PagingScore:
    """Precision, recall and F1 of the next page and of all pages; and how often a page without next was given one."""

    next_precision: float
    next_recall: float
    next_f1: float
    given: float
    pages_precision: float
    pages_recall: float
    pages_f1: float


def read_pages(options: Options) -> tuple[list[KnownPage], Corpus]:
    """The pages of the set, opened without a browser."""
    folder = folder_of("paging", options)
    truth = thinned(json_lines(folder / "truth.jsonl"), options.limit)
    files = [folder / known["file"] for known in truth]
    pages = [
        _known(known, path.read_bytes().decode(known["encoding"], "replace"))
        for known, path in zip(truth, files, strict=True)
    ]
    return pages, Corpus("paging", tuple(files))


def _known(truth: Mapping[str, list[str]], html: str) -> KnownPage:
    url = str(truth["url"])
    every = {_bare(address) for kind in KINDS for address in truth[kind]} - {_bare(url)}
    page = sl.open(html, url=url, static=True)
    return KnownPage(url, page, frozenset(map(_bare, truth["next"])), frozenset(every))


def _bare(address: str) -> str:
    """An address as it is compared: without its fragment."""
    return urldefrag(address.strip())[0]


def score(known: Sequence[KnownPage], answers: Sequence[Answer]) -> PagingScore:
    """The figures, counted as the scorer that comes with the set counts them."""
    pairs = list(zip(known, answers, strict=True))
    said = sum(answer.next is not None for _, answer in pairs)
    hits = sum(answer.next is not None and _bare(answer.next) in page.next for page, answer in pairs)
    true = sum(bool(page.next) for page in known)
    without = [answer for page, answer in pairs if not page.next]
    listed = [
        (page.all, {_bare(one) for one in (*answer.pages, *([answer.next] if answer.next else []))} - {_bare(page.url)})
        for page, answer in pairs
        if page.all
    ]
    page_hits = sum(len(wanted & found) for wanted, found in listed)
    next_p, next_r = share(hits, said), share(hits, true)
    pages_p = share(page_hits, sum(len(found) for _, found in listed))
    pages_r = share(page_hits, sum(len(wanted) for wanted, _ in listed))
    given = share(sum(answer.next is not None for answer in without), len(without))
    return PagingScore(next_p, next_r, harmonic(next_p, next_r), given, pages_p, pages_r, harmonic(pages_p, pages_r))


def plain_rule(page: KnownPage) -> Answer:
    """What people write by hand: `rel=next`, or else a link that says so."""
    for candidate in page.candidates:
        if "declared next" in candidate.clues:
            return Answer(candidate.address, frozenset())
    for candidate in page.candidates:
        if "called next" in candidate.clues or any(PLAIN_WORDS.search(label) for label in candidate.labels):
            return Answer(candidate.address, frozenset())
    return Answer(None, frozenset())
