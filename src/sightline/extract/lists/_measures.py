"""What can be said of regions in numbers, from which their importance is judged; all regions of a page at once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, FloatArray, IntArray
from sightline.extract.lists._nesting import enclosing
from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._region import Region
from sightline.page import below

__all__ = ["MEASURES", "below_tags", "below_words", "measured"]

# Elements that say that a part of the page is no part of what it tells.
FURNITURE_TAGS = ("nav", "footer", "header", "aside", "form", "dialog", "menu", "button")
MENU_TAGS = ("nav", "footer", "aside", "menu")
MAIN_TAGS = ("main", "article")
# The same, said by class, id or role.
FURNITURE_WORDS = (
    *("nav", "menu", "footer", "header", "sidebar", "aside", "breadcrumb", "pagination", "pager", "share", "social"),
    *("related", "recommend", "popular", "trending", "widget", "cookie", "consent", "banner", "promo", "newsletter"),
    *("toolbar", "tabs", "filter", "facet", "login", "modal", "popup", "copyright", "sponsor", "advert"),
)
COMMENT_WORDS = ("comment", "discussion", "review", "respond", "disqus")

MEASURES: dict[str, str] = {
    "records": "how many records (logarithm)",
    "words": "how many words in all (logarithm)",
    "words a record": "words of the middle record (logarithm)",
    "share": "share of the page's words",
    "linked": "share of the words that are in links",
    "likeness": "how alike the records are made",
    "furniture": "whether it stands in what is furniture by its tag",
    "furniture words": "whether it stands in what is furniture by class, id or role",
    "comments": "whether it stands among comments by class, id or role",
    "main": "whether it stands in the main part by its tag",
    "inline": "whether it is one line of inline elements",
    "forest": "whether records are made of several units",
    "items": "whether records are list items by their tag",
    "headed": "whether a heading or a bold text stands right above it",
    "holds": "whether other regions lie in its records",
}


def measured(seen: PageSignals, regions: list[Region]) -> FloatArray:
    """A row for each region, a column for each of `MEASURES`."""
    if not regions:
        return np.zeros((0, len(MEASURES)))
    many = _Many(seen, regions)
    return np.column_stack([getattr(many, name.replace(" ", "_")) for name in MEASURES]).astype(np.float64)


@dataclass(frozen=True, eq=False)
class _Many:
    """The records of all regions in one column, and where those of each region begin."""

    seen: PageSignals
    regions: list[Region]

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
        return np.concatenate([[0], np.cumsum(self._count)[:-1]])

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
        return self.seen.below(self._start, self._stop, self.seen.tallies.words)

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
        return self._sum(self._words) / max(1, int(self.seen.tallies.words[-1]))

    @property
    def linked(self) -> FloatArray:
        linked = self.seen.below(self._start, self._stop, self.seen.tallies.linked)
        return self._sum(linked) / np.maximum(1, self._sum(self._words))

    @property
    def likeness(self) -> FloatArray:
        """The length of the mean of the records' profiles: 1 when all are equal."""
        rows = self.seen.profiles.of(self._start, self._stop)
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
    def headed(self) -> BoolArray:
        seen = self.seen
        before = np.searchsorted(seen.leaves, self._first) - 1
        above = seen.leaves[before] if len(seen.leaves) else self._first
        headed: BoolArray = (before >= 0) & (seen.in_heading[above] | seen.looks.bold[above])
        return headed

    @property
    def holds(self) -> BoolArray:
        holds = np.zeros(len(self.regions), dtype=bool)
        holds[[outer for held in enclosing(self.regions) for outer, _ in held]] = True
        return holds

    def _in_tags(self, tags: tuple[str, ...]) -> BoolArray:
        return below_tags(self.seen, tags)[self._first]

    def _in_words(self, words: tuple[str, ...]) -> BoolArray:
        return below_words(self.seen, words)[self._first]


def below_tags(seen: PageSignals, tags: tuple[str, ...]) -> BoolArray:
    """The nodes in elements of these tags."""
    marked = np.zeros(len(seen.page), dtype=bool)
    marked[seen.page.with_tag(*tags)] = True
    return below(marked, seen.page.end)


def below_words(seen: PageSignals, words: tuple[str, ...]) -> BoolArray:
    """The nodes in elements whose class, id or role has one of the words in it; the page's own frame does not count."""
    page = seen.page
    hits = np.zeros(len(page.strings) + 1, dtype=bool)
    hits[seen.names_with(words)] = True
    marked = np.logical_or.reduce([hits[ids] for ids in seen.callings])
    marked[page.with_tag("html", "body", "main", "article")] = False
    return below(marked, page.end)
