"""Rankings by name, as `--rank` takes them."""

from collections.abc import Sequence

from sightline.crawler.rank._ranking import Ranking

__all__ = ["RANKINGS", "ranking_for"]

RANKINGS = ("learned", "published", "breadth")
"""The names that `--rank` takes; the first is the default."""


def ranking_for(name: str, state: bytes | None = None, *, examples: Sequence[str] = ()) -> Ranking:
    """A new ranking, or the one whose `dumps` gave `state`; `examples` are addresses of pages looked for.

    >>> type(ranking_for("breadth")).__name__
    'BreadthFirst'
    """
    if name == "learned":
        from sightline.crawler.rank._learned import LearnedRanking

        return LearnedRanking.loads(state) if state else LearnedRanking(examples=examples)
    if name == "published":
        from sightline.crawler.rank._published import PublishedRanking  # slow to import, rarely wanted

        return PublishedRanking.loads(state) if state else PublishedRanking()
    if name == "breadth":
        from sightline.crawler.rank._ranking import BreadthFirst

        return BreadthFirst.loads(state) if state else BreadthFirst()
    raise ValueError(f"There is no ranking {name!r}; choose one of {', '.join(RANKINGS)}.")
