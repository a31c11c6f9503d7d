"""How well a main text agrees with the truth: words and shingles of four, snippets, title, author and date."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import dateparser

from bench.content.pages import PageTruth
from bench.measures import harmonic, mean

WORD = re.compile(r"\w+")
SHINGLE = 4
FIELDS = ("title", "author", "date")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
# Titles are written with the name of the site behind them or without; most of the words have to be the same.
TITLE_ALIKE = 0.8
JOINING = ("by", "and")
REMEMBERED = 5_000  # texts: those of the truth are compared with every way to read a page

Shingles = Counter[tuple[str, ...]]


@dataclass(frozen=True)
class PageScore:
    """One page: precision and recall of its shingles, F1 of its words, and how many snippets are as they should be."""

    truth: PageTruth
    precision: float
    recall: float
    word_f1: float
    present: int
    absent: int

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        return harmonic(self.precision, self.recall)


@dataclass(frozen=True)
class Summary:
    """Means over some pages; F1 is that of the mean precision and the mean recall, `page_f1` the mean of the pages'.

    `word_f1` is the mean of the F1 of single words, as the benchmark has it that the pages come from. `snippet_f1` is
    that of snippets, as trafilatura's own evaluation has it: unwanted ones that are there make precision worse.
    """

    pages: int
    precision: float
    recall: float
    f1: float
    page_f1: float
    word_f1: float
    present: float
    absent: float
    snippet_f1: float


def score(truth: PageTruth, found: str) -> PageScore:
    """What was found on a page against what is known of it."""
    true, given = _shingles(truth.text), _shingles(found)
    hits = (true & given).total()
    empty = 1.0 if not true and not given else 0.0
    same = _flat if truth.has_text else _plain  # as the benchmarks have it that the pages come from
    said = same(found)
    return PageScore(
        truth,
        _share(hits, given.total(), empty),
        _share(hits, true.total(), empty),
        word_f1(truth.text, found),
        sum(same(snippet) in said for snippet in truth.present),
        sum(same(snippet) not in said for snippet in truth.absent),
    )


def summary(pages: Sequence[PageScore]) -> Summary:
    """The means of some pages; snippets are counted over all of them."""
    precision, recall = ((mean(getattr(page, name) for page in pages) or 0.0) for name in ("precision", "recall"))
    present, wanted = sum(page.present for page in pages), sum(len(page.truth.present) for page in pages)
    unwanted = sum(len(page.truth.absent) - page.absent for page in pages)
    return Summary(
        len(pages),
        precision,
        recall,
        harmonic(precision, recall),
        (mean(page.f1 for page in pages) or 0.0),
        (mean(page.word_f1 for page in pages) or 0.0),
        _share(present, wanted, 1.0),
        _share(sum(page.absent for page in pages), sum(len(page.truth.absent) for page in pages), 1.0),
        harmonic(_share(present, present + unwanted, 1.0), _share(present, wanted, 1.0)),
    )


def groups(pages: Iterable[PageScore]) -> dict[str, Summary]:
    """All pages, and those of every type."""
    found: dict[str, list[PageScore]] = defaultdict(list)
    for page in pages:
        for name in ("all", page.truth.type):
            found[name].append(page)
    return {name: summary(found[name]) for name in sorted(found)}


def agrees(name: str, truth: str, found: object) -> bool:
    """Whether a title, author or date is the true one.

    A title has four fifths of its words in common, one of two authors stands in the other (without “by” and “and”), and
    a date is the same day, however it is written.

    >>> agrees("author", "Mike Marshall, Shipping Expert", "By Mike Marshall")
    True
    >>> agrees("date", "2025-09-04", "Sep 4, 2025"), agrees("date", "2025-09-04", "2025-09-05T08:00:00Z")
    (True, False)
    """
    if found is None or not (said := words(str(found))):
        return False
    if name == "date":
        day = _day(str(found))
        return day is not None and day == _day(truth)
    true = words(truth)
    if name == "title":
        return 2 * (Counter(true) & Counter(said)).total() >= TITLE_ALIKE * (len(true) + len(said))
    one, other = (f" {' '.join(word for word in name if word not in JOINING)} " for name in (true, said))
    return one in other or other in one


def words(text: str) -> list[str]:
    """The words of a text as they are compared.

    >>> words("Ｆall’s “Best”, 2nd_Edition")
    ['fall', 's', 'best', '2nd_edition']
    """
    return WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _day(text: str) -> str | None:
    if found := DATE.match(text):
        return found.group()
    read = dateparser.parse(text)
    return read.date().isoformat() if read else None


def word_f1(truth: str, found: str) -> float:
    """F1 of the words of two texts, each as often as it occurs.

    >>> word_f1("one two", "two three")
    0.5
    """
    true, given = Counter(words(truth)), Counter(words(found))
    return _share(2 * (true & given).total(), true.total() + given.total(), 1.0)


@lru_cache(REMEMBERED)
def _shingles(text: str) -> Shingles:
    found = words(text)
    if len(found) < SHINGLE:
        return Counter([tuple(found)] if found else [])
    return Counter(zip(*(found[start:] for start in range(SHINGLE)), strict=False))


@lru_cache(REMEMBERED)
def _flat(text: str) -> str:
    return " ".join(words(text))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _share(part: float, whole: float, empty: float) -> float:
    return part / whole if whole else empty
