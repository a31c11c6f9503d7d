"""Which page to visit next: rankings that learn from the pages seen so far."""

from sightline.crawl.rank._ranking import FoundLink, Placed, Ranking, Visit

__all__ = ["FoundLink", "Placed", "Ranking", "Visit"]
