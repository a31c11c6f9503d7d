"""Measures of regions from which their importance is judged; computed for all regions of a page at once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, FloatArray, IntArray, prefix_sum
from sightline.extract.lists._page_signals import LINE, PageSignals
from sightline.extract.lists._region import Enclosing, Region
from sightline.page import below

# Elements that mark a part of the page as not part of its content.
FURNITURE_TAGS = ("nav", "footer", "header", "aside", "form", "dialog", "menu", "button")
MENU_TAGS = ("nav", "footer", "aside", "menu")
MAIN_TAGS = ("main", "article")
# The same, by class, id or role.
FURNITURE_WORDS = (
    *("nav", "menu", "footer", "header", "sidebar", "aside", "breadcrumb", "pagination", "pager", "share", "social"),
    *("related", "recommend", "popular", "trending", "widget", "cookie", "consent", "banner", "promo", "newsletter"),
    *("toolbar", "tabs", "filter", "facet", "login", "modal", "popup", "copyright", "sponsor", "advert"),
)
FRACTIONS = frozenset("½¼¾⅓⅔⅛")
SENTENCE_ENDS = (".", "!", "?")
COMMENT_WORDS = ("comment", "discussion", "review", "respond", "disqus")

MEASURES: dict[str, str] = {
    "records": "number of records (logarithm)",
    "words": "number of words in all (logarithm)",
    "words a record": "words in the median record (logarithm)",
    "share": "share of the page's words",
    "linked": "share of the words that are in links",
    "likeness": "how similar the records are in structure",
    "furniture": "whether its tags place it in page furniture",
    "furniture words": "whether a class, id or role places it in page furniture",
    "comments": "whether a class, id or role places it among comments",
    "main": "whether its tags place it in the main part",
    "inline": "whether it is one line of inline elements",
    "forest": "whether records consist of several units",
    "items": "whether records are list items by their tag",
    "headed": "whether a heading or bold text stands right above it",
    "holds": "whether its records contain other regions",
    "digits": "share of the records that begin with a number: a quantity, a rank, a date",
    "sentences": "share of the records that end like a sentence",
    "paragraphs": "whether records are paragraphs by their tag",
    "lines": "whether records are lines of one element",
    "area": "share of the page's area that its texts and pictures cover",
    "before": "share of the page's words that stand before it",
}


def measure_regions(signals: PageSignals, regions: list[Region], around: Enclosing) -> FloatArray:
    """A row for each region, a column for each of `MEASURES`; `around` are the regions around each."""
    if not regions:
        return np.zeros((0, len(MEASURES)))
    many = _RegionMeasures(signals, regions, around)
    return np.column_stack([getattr(many, name.replace(" ", "_")) for name in MEASURES]).astype(np.float64)


@dataclass(frozen=True, eq=False)
class _RegionMeasures:
    """The records of all regions in one column, and where those of each region begin."""

    signals: PageSignals
    regions: list[Region]
    around: Enclosing

    @cached_property
    def _start(self) -> IntArray:
        return np.concatenate([region.start for region in self.regions])

    @cached_property
    def _stop(self) -> IntArray:
        return np.concatenate([region.stop for region in self.regions])

    @cached_property
    def _count(self) -> IntArray:
        return np.array([len(region) for region in self.regions], dtype=np.int32)

    @cached_property
    def _bound(self) -> npt.NDArray[np.int64]:
        return prefix_sum(self._count)[:-1]

    @cached_property
    def _first(self) -> IntArray:
        """The first node of each region."""
        return self._start[self._bound]

    def _sum(self, amount: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        total: npt.NDArray[np.int64] = np.add.reduceat(amount, self._bound)
        return total

    @cached_property
    def _words(self) -> npt.NDArray[np.int64]:
        """The words of each record."""
        return self.signals.below(self._start, self._stop, self.signals.tallies.words)

    @property
    def records(self) -> FloatArray:
        return np.log(self._count)

    @property
    def words(self) -> FloatArray:
        return np.log1p(self._sum(self._words))

    @property
    def words_a_record(self) -> FloatArray:
        owner = np.repeat(np.arange(len(self.regions)), self._count)
        ordered = self._words[np.lexsort((self._words, owner))]
        below, above = ordered[self._bound + (self._count - 1) // 2], ordered[self._bound + self._count // 2]
        return np.asarray(np.log1p((below + above) / 2), dtype=np.float64)

    @property
    def share(self) -> FloatArray:
        return self._sum(self._words) / max(1, int(self.signals.tallies.words[-1]))

    @property
    def linked(self) -> FloatArray:
        linked = self.signals.below(self._start, self._stop, self.signals.tallies.linked)
        return self._sum(linked) / np.maximum(1, self._sum(self._words))

    @property
    def likeness(self) -> FloatArray:
        """The length of the mean of the records' profiles: 1 if all are equal."""
        rows = self.signals.profiles.of(self._start, self._stop)
        mean = np.add.reduceat(rows, self._bound, axis=0) / self._count[:, None]
        return np.asarray(np.linalg.norm(mean, axis=1), dtype=np.float64)

    @property
    def furniture(self) -> BoolArray:
        return self._in_tags(FURNITURE_TAGS)

    @property
    def main(self) -> BoolArray:
        return self._in_tags(MAIN_TAGS)

    @property
    def furniture_words(self) -> BoolArray:
        return self._in_words(FURNITURE_WORDS)

    @property
    def comments(self) -> BoolArray:
        return self._in_words(COMMENT_WORDS)

    @property
    def inline(self) -> list[bool]:
        return [region.how == "inline" for region in self.regions]

    @property
    def forest(self) -> list[bool]:
        return [region.how == "forest" for region in self.regions]

    @property
    def items(self) -> list[bool]:
        return [region.tag in ("li", "dd") for region in self.regions]

    @property
    def digits(self) -> FloatArray:
        return self._share(self._first_texts, lambda text: text[:1].isdigit() or text[:1] in FRACTIONS)

    @property
    def sentences(self) -> FloatArray:
        return self._share(self._last_texts, lambda text: text.endswith(SENTENCE_ENDS))

    def _share(self, texts: IntArray, fits: Callable[[str], bool]) -> FloatArray:
        """For each region the share of its records whose text, given as a string id, fits; -1 isn't text."""
        strings, ids = self.signals.page.strings, texts.tolist()
        known = {number: number >= 0 and fits(strings[number].strip()) for number in set(ids)}
        found = np.array([known[number] for number in ids], dtype=np.float64)
        return np.asarray(np.add.reduceat(found, self._bound) / self._count, dtype=np.float64)

    @cached_property
    def _text_bounds(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        texts = self.signals.texts
        return np.searchsorted(texts, self._start), np.searchsorted(texts, self._stop)

    @property
    def _first_texts(self) -> IntArray:
        return self._text_at(self._text_bounds[0])

    @property
    def _last_texts(self) -> IntArray:
        return self._text_at(self._text_bounds[1] - 1)

    def _text_at(self, place: npt.NDArray[np.intp]) -> IntArray:
        """The string of the text at a place of each record; -1 for records without text."""
        low, high = self._text_bounds
        texts = self.signals.texts
        if not len(texts):
            return np.full(len(low), -1, dtype=np.int32)
        found = self.signals.page.text[texts[np.clip(place, 0, len(texts) - 1)]]
        return np.where(low < high, found, -1).astype(np.int32)

    @property
    def paragraphs(self) -> list[bool]:
        return [region.tag == "p" for region in self.regions]

    @property
    def lines(self) -> list[bool]:
        return [region.tag == LINE for region in self.regions]

    @property
    def area(self) -> FloatArray:
        leaves, sums = self.signals.leaves, self.signals.area_sums
        covered = sums[np.searchsorted(leaves, self._stop)] - sums[np.searchsorted(leaves, self._start)]
        return np.asarray(np.minimum(1.0, np.add.reduceat(covered, self._bound)), dtype=np.float64)

    @property
    def before(self) -> FloatArray:
        words = self.signals.tallies.words
        return np.asarray(words[self._first] / max(1, int(words[-1])), dtype=np.float64)

    @property
    def headed(self) -> BoolArray:
        signals = self.signals
        before = np.searchsorted(signals.leaves, self._first) - 1
        above = signals.leaves[before] if len(signals.leaves) else self._first
        headed: BoolArray = (before >= 0) & (signals.in_heading[above] | signals.looks.bold[above])
        return headed

    @property
    def holds(self) -> BoolArray:
        holds = np.zeros(len(self.regions), dtype=bool)
        holds[[outer for outer_records in self.around for outer, _ in outer_records]] = True
        return holds

    def _in_tags(self, tags: tuple[str, ...]) -> BoolArray:
        return below_tags(self.signals, tags)[self._first]

    def _in_words(self, words: tuple[str, ...]) -> BoolArray:
        return below_words(self.signals, words)[self._first]


def below_tags(signals: PageSignals, tags: tuple[str, ...]) -> BoolArray:
    """Which nodes are in elements with these tags."""
    marked = signals.page.mask(*tags)
    return below(marked, signals.page.end)


def below_words(signals: PageSignals, words: tuple[str, ...]) -> BoolArray:
    """Which nodes are in elements with one of the words in their class, id or role, the page's own frame aside."""
    page = signals.page
    hits = np.zeros(len(page.strings) + 1, dtype=bool)
    hits[signals.names_with(words)] = True
    marked = np.logical_or.reduce([hits[ids] for ids in signals.name_attributes])
    marked[page.with_tag("html", "body", "main", "article")] = False
    return below(marked, page.end)


# How important a region is on its page, and whether it is a menu.

# Fitted to 166 pages (search results and recipes) so that their lists come first among the regions of their page. By
# five folds of sites the first region has a record F1 of 0.876, on the fitted pages 0.900; without the last six
# measures it has 0.849 and 0.862 (`bench/lists/fit_rank.py`).
WEIGHTS: dict[str, float] = {
    "records": 1.10,
    "words": 0.38,
    "words a record": 0.29,
    "share": 2.53,
    "linked": -1.62,
    "likeness": 5.81,
    "furniture": -0.95,
    "furniture words": -1.30,
    "comments": -2.69,
    "main": 0.80,
    "inline": -0.78,
    "forest": -1.85,
    "items": 0.94,
    "headed": 0.52,
    "holds": -0.66,
    "digits": 1.90,
    "sentences": 1.56,
    "paragraphs": -1.22,
    "lines": 0.90,
    "area": 0.24,
    "before": -0.76,
}
BIAS = -9.47

# Menus consist almost entirely of links, and of short ones.
MOSTLY_LINKS = 0.8
SHORT_LINKS = np.log1p(6)


def contributions(measures: npt.NDArray[np.float64], without: tuple[str, ...] = ()) -> list[dict[str, float]]:
    """What each measure adds to the importance of each region."""
    used = [(place, name) for place, name in enumerate(MEASURES) if f"measure: {name}" not in without]
    return [{name: WEIGHTS[name] * row[place] for place, name in used} for row in measures.tolist()]


def scores(parts: list[dict[str, float]]) -> list[float]:
    """From 0 to 1: how likely each list is what the page is for."""
    return [float(1 / (1 + np.exp(-(sum(part.values()) + BIAS)))) for part in parts]


def is_navigation(row: npt.NDArray[np.float64]) -> bool:
    """Whether a region is a menu: short and almost only links, in page furniture or in one line."""
    measures = dict(zip(MEASURES, row.tolist(), strict=True))
    short = measures["words a record"] <= SHORT_LINKS
    furniture = measures["furniture"] or measures["furniture words"] or measures["inline"]
    return bool(measures["linked"] >= MOSTLY_LINKS and short and furniture)
