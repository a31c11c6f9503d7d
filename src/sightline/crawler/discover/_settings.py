"""The settings of a discovery."""

from dataclasses import dataclass

from sightline.settings import Settings, setting

__all__ = ["DiscoverSettings"]


@dataclass(frozen=True, kw_only=True)
class DiscoverSettings(Settings):
    """How much is asked, and how much is opened."""

    seed: int = setting(0, help="the seed of the random queries; the same seed asks the same queries", minimum=0)
    queries: int = setting(200, help="maximum number of queries", minimum=1)
    results: int = setting(30, help="how many results of each query count, at most two of each site", minimum=1)
    sites: int = setting(100, help="how many sites are looked at, those found by most queries first", minimum=1)
    probes: int = setting(2, help="how many pages of each of them are opened first", minimum=1)
    finalists: int = setting(30, help="how many sites, the best after that, are looked at again", minimum=0)
    pages: int = setting(6, help="how many pages of each of these are opened in all", minimum=1)
    # Chosen by `python -m bench.crawl.fit_discovery`: it prints what each choice costs in queries and finds in sites.
    quiet: int = setting(20, help="how many queries in a row must bring no new site that matters", minimum=1)
    unseen: float = setting(
        0.02, help="how likely, by the counts, the next find may make another site matter", minimum=0, maximum=1
    )
    least_score: float = setting(0.2, help="the lowest score of a site that is kept", minimum=0, maximum=1)
