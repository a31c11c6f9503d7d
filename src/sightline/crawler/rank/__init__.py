"""Which page to visit next: rankings that learn from the pages seen so far."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.crawler.rank._baseline import BaselineSettings
    from sightline.crawler.rank._learned import LearnedRanking, LearnedSettings
    from sightline.crawler.rank._ranking import BreadthFirst, FoundLink, Placed, Ranking, VisitedPage
    from sightline.crawler.rank._select import RANKINGS, PublishedRanking, ranking_for, state_name

__all__ = [
    "RANKINGS",
    "BaselineSettings",
    "BreadthFirst",
    "FoundLink",
    "LearnedRanking",
    "LearnedSettings",
    "Placed",
    "PublishedRanking",
    "Ranking",
    "VisitedPage",
    "ranking_for",
    "state_name",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_baseline": "BaselineSettings",
        "_learned": "LearnedRanking LearnedSettings",
        "_ranking": "FoundLink Placed Ranking VisitedPage BreadthFirst",
        "_select": "RANKINGS ranking_for state_name PublishedRanking",
    },
)
