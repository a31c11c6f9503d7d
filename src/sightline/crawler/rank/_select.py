"""Rankings by name, as `--rank` takes them."""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from sightline.arrays import FloatArray
from sightline.crawler.rank._ranking import FoundLink, Placed, Ranking, VisitedPage
from sightline.extract.published import page_rank, weighted_sum

# -- the ranking published for Lixto: the best weighted sum of hub score and PageRank comes first -------------------

_ONLY = "all"
_EVERY = 20  # pages between two rounds of scores; a round takes about 1 ms for 100,000 links
# Of the hub score; the paper gives no figure. More than half, since candidates are what the crawl is for; not fitted.
HUB_WEIGHT = 0.7


class _State(msgspec.Struct):
    urls: list[str]
    sources: list[int]
    targets: list[int]
    visited: list[int]
    candidates: list[int]
    rank: list[float]


class PublishedRanking:
    """Keeps the link graph of the site in memory, so it is for sites of up to some 100,000 pages.

    The hub score of a page is the number of candidate pages it links to, as far as they are known. A page that was not
    visited has the best hub score of the pages that link to it.
    """

    def __init__(self, *, weight: float = HUB_WEIGHT) -> None:
        self._weight = weight
        self._numbers: dict[str, int] = {}
        self._urls: list[str] = []
        self._sources: list[int] = []
        self._targets: list[int] = []
        self._visited: set[int] = set()
        self._candidates: set[int] = set()
        self._rank: FloatArray = np.zeros(0)
        self._scores: FloatArray = np.zeros(0)

    @classmethod
    def loads(cls, state: bytes) -> "PublishedRanking":
        """The ranking that `dumps` wrote down."""
        kept = msgspec.msgpack.decode(state, type=_State)
        ranking = cls()
        ranking._urls, ranking._sources, ranking._targets = kept.urls, kept.sources, kept.targets
        ranking._numbers = {url: number for number, url in enumerate(kept.urls)}
        ranking._visited, ranking._candidates = set(kept.visited), set(kept.candidates)
        ranking._rank = np.array(kept.rank)
        ranking._scores = ranking._judged()
        return ranking

    def learn(self, visit: VisitedPage, links: Sequence[FoundLink]) -> None:
        """Add a page and its links to the graph."""
        page = self._number(visit.url)
        self._visited.add(page)
        if visit.is_target:
            self._candidates.add(page)
        found = {self._number(link.url) for link in links}
        self._sources.extend([page] * len(found))
        self._targets.extend(sorted(found))

    def place(self, visit: VisitedPage, links: Sequence[FoundLink]) -> Sequence[Placed | None]:  # noqa: ARG002 - the graph has it
        """New addresses wait with the score of their graph as it was last judged, which is 0 for new ones."""
        return [Placed(_ONLY, self._score(link.url)) if link.kind is None else None for link in links]

    def choose(self, waiting: Mapping[str, int]) -> str:
        """The kind to follow next."""
        return next(kind for kind, count in waiting.items() if count)

    def rescored(self) -> Mapping[str, float]:
        """The scores of all pages not yet visited, once in a number of pages."""
        if len(self._visited) % _EVERY:
            return {}
        self._scores = self._judged()
        scores = self._scores.tolist()
        return {url: scores[number] for number, url in enumerate(self._urls) if number not in self._visited}

    def dumps(self) -> bytes:
        """The graph, and the PageRank to go on from."""
        visited, candidates = sorted(self._visited), sorted(self._candidates)
        state = _State(self._urls, self._sources, self._targets, visited, candidates, self._rank.tolist())
        return msgspec.msgpack.encode(state)

    def _judged(self) -> FloatArray:
        pages = len(self._urls)
        if not pages:
            return np.zeros(0)
        sources, targets = np.array(self._sources, np.int64), np.array(self._targets, np.int64)
        self._rank = page_rank(sources, targets, pages, start=self._rank)
        is_candidate = np.zeros(pages)
        is_candidate[list(self._candidates)] = 1
        own = np.bincount(sources, weights=is_candidate[targets], minlength=pages)
        hub = np.zeros(pages)
        np.maximum.at(hub, targets, own[sources])
        return weighted_sum(hub, self._rank, weight=self._weight)

    def _score(self, url: str) -> float:
        number = self._number(url)
        return float(self._scores[number]) if number < len(self._scores) else 0.0

    def _number(self, url: str) -> int:
        number = self._numbers.setdefault(url, len(self._urls))
        if number == len(self._urls):
            self._urls.append(url)
        return number


# -- rankings by name, as `--rank` takes them -----------------------------------------------------------------------

RANKINGS = ("learned", "published", "breadth")
"""The names that `--rank` takes; the first is the default."""

_FORMS = {"learned": 2}  # of what rankings write down, where it was another once


def state_name(name: str) -> str:
    """What the state of a ranking is kept as: what one ranking learned, or one of another form, is nothing to another.

    >>> state_name("learned"), state_name("breadth")
    ('learned 2', 'breadth')
    """
    return f"{name} {_FORMS[name]}" if name in _FORMS else name


def ranking_for(name: str, state: bytes | None = None, *, examples: Sequence[str] = ()) -> Ranking:
    """A new ranking, or the one whose `dumps` gave `state`; `examples` are addresses of pages looked for.

    >>> type(ranking_for("breadth")).__name__
    'BreadthFirst'
    """
    if name == "learned":
        from sightline.crawler.rank._learned import LearnedRanking

        return LearnedRanking.loads(state) if state else LearnedRanking(examples=examples)
    if name == "published":
        return PublishedRanking.loads(state) if state else PublishedRanking()
    if name == "breadth":
        from sightline.crawler.rank._ranking import BreadthFirst

        return BreadthFirst.loads(state) if state else BreadthFirst()
    raise ValueError(f"There is no ranking {name!r}; choose one of {', '.join(RANKINGS)}.")
