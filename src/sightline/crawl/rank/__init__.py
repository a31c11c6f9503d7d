"""Which page to visit next: rankings that learn from the pages seen so far."""

from sightline.crawl.rank._breadth import BreadthFirst
from sightline.crawl.rank._learned import LearnedRanking, LearnedSettings
from sightline.crawl.rank._published import PublishedRanking
from sightline.crawl.rank._ranking import FoundLink, Placed, Ranking, Visit

__all__ = ["BreadthFirst", "FoundLink", "LearnedRanking", "LearnedSettings", "Placed", "PublishedRanking", "Ranking", "Visit"]


def ranking_for(name, state, examples=()):
    if name=="breadth": return BreadthFirst.loads(state) if state else BreadthFirst()
    if name=="published": return PublishedRanking.loads(state) if state else PublishedRanking()
    return LearnedRanking(None, examples)
