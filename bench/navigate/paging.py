"""Where pages of lists lead: the sets, how answers are scored, and a plain rule to compare with.

The truth of `paging` and `paging2` was made by people upstream, and the figures are those of these two. To fit weights
there are also pages of other sets, whose next pages are written down in `further_next.jsonl`, and made-up ones.

The further labels were made by eye, from the links that say, number or name anything: `next` is what leads on in the
list, thread or search that the page shows, also by “more” or “older”. Posts and chapters that follow a page are none.
Pages where that is not clear, and those that name a next page in their head only, are left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

import sightline as sl
from bench.frame import Corpus, Options, folder_of, thinned
from bench.measures import harmonic, share
from bench.navigate.pagers import made_pages
from bench.pages import json_lines
from sightline.navigate.paging import Candidate, candidates_of
from sightline.page import Page, full_address
from sightline.signals import class_words

SETS = ("paging", "paging2")
FURTHER = Path(__file__).with_name("further_next.jsonl")
COUNTRY = ("co", "com", "org", "net", "ac", "gov", "edu")  # before the name of a country: shop.co.uk
KINDS = ("next", "prev", "page", "first", "last")
PLAIN_WORDS = re.compile(
    r"^\W*(?:next|weiter|nächste|suivant|siguiente|próxim[oa]|avanti|successiv[oa]|volgende|nästa|næste|neste|dalej"
    r"|следующая|след\.?|далее|次へ?|下一页|다음)\b|^\W*»\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class KnownPage:
    """A page of the set: where it leads, and what our finder looks at."""

    set: str
    url: str
    page: Page
    next: frozenset[str]
    all: frozenset[str] = frozenset()
    family: str = ""

    @property
    def site(self) -> str:
        """The site that it belongs to, whatever its country; folds are made of whole sites, and of whole families."""
        parts = (urlsplit(self.url).hostname or "").split(".")
        while len(parts) > 2 and parts[-2] in COUNTRY:
            parts.pop()
        return self.family or (parts[-2] if len(parts) > 1 else parts[0])

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


def read_pages(options: Options, names: Sequence[str] = SETS) -> tuple[list[KnownPage], tuple[Corpus, ...]]:
    """The pages of the sets, opened without a browser."""
    pages: list[KnownPage] = []
    corpora = []
    for name in names:
        folder = folder_of(name, options)
        truth = thinned(json_lines(folder / "truth.jsonl"), options.limit)
        pages += [_known(name, folder, known) for known in truth]
        corpora.append(Corpus(name, tuple(folder / known["file"] for known in truth)))
    return pages, tuple(corpora)


def further_pages(options: Options) -> list[KnownPage]:
    """Pages of other sets, and made-up ones, to fit weights with."""
    found = []
    labels = thinned(json_lines(FURTHER), options.limit)
    folders = {name: folder_of(name, options) for name in {str(known["set"]) for known in labels}}
    for known in labels:
        html = (folders[known["set"]] / known["file"]).read_text("utf-8", "replace")
        page = sl.open(html, url=known["url"], static=True)
        found.append(KnownPage("further", known["url"], page, frozenset(map(_bare, known["next"]))))
    for made in thinned(list(made_pages()), options.limit):
        page = sl.open(made.html, url=made.url, static=True)
        found.append(KnownPage("made", made.url, page, made.next, made.pages, made.family))
    return found


def _known(name: str, folder: Path, truth: Mapping[str, list[str]]) -> KnownPage:
    url = str(truth["url"])
    html = (folder / str(truth["file"])).read_bytes().decode(str(truth["encoding"]), "replace")
    every = {_bare(address) for kind in KINDS for address in truth[kind]} - {_bare(url)}
    page = sl.open(html, url=url, static=True)
    return KnownPage(name, url, page, frozenset(map(_bare, truth["next"])), frozenset(every))


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
    """What people write by hand: `rel=next`, or else the first link that says so or is called so."""
    found = [*_marked(page.page, page.url, "link"), *_marked(page.page, page.url, "a")]
    called = page.page.attribute("class")
    for candidate in page.candidates:
        names = [page.page.strings[called[node]] for node in candidate.links if called[node] >= 0]
        if any("next" in class_words(name) for name in names) or any(map(PLAIN_WORDS.search, candidate.labels)):
            found.append(candidate.address)
    return Answer(next(iter(found), None), frozenset())


def _marked(page: Page, url: str, tag: str) -> list[str]:
    """The addresses that elements of a tag mark as the next page (`rel=next`)."""
    rel, href = page.attribute("rel"), page.attribute("href")
    nodes = [node for node in page.with_tag(tag).tolist() if rel[node] >= 0 and href[node] >= 0]
    said = [node for node in nodes if "next" in page.strings[rel[node]].lower().split()]
    return [_bare(full_address(url, page.strings[href[node]])) for node in said]
