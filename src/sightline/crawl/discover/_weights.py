"""The weights of the clues for sites, fitted by `python -m bench.crawl.fit_discovery --write`."""

__all__ = ["BIAS", "WEIGHTS"]

BIAS = -4.0
WEIGHTS: dict[str, float] = {
    "support": 1.0,
    "pages": 1.0,
    "usable": 1.0,
    "keys": 2.0,
    "all keys": 2.0,
    "everywhere": 1.0,
    "short": 0.5,
    "digits": 0.5,
    "different": 0.5,
    "agreement": 0.5,
    "size": 0.2,
    "stuffed": -2.0,
}
