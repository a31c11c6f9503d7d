"""The weights of the clues for sites, fitted by `python -m bench.crawl.fit_discovery --write`."""

__all__ = ["BIAS", "WEIGHTS"]

BIAS = -28.119
WEIGHTS: dict[str, float] = {
    "support": 0.000,
    "pages": 1.705,
    "usable": 5.989,
    "keys": 7.069,
    "all keys": 0.000,
    "everywhere": 7.854,
    "titled": 0.843,
    "short": 10.372,
    "digits": 0.795,
    "different": 0.000,
    "agreement": 6.848,
    "size": 6.037,
    "stuffed": -10.115,
}
