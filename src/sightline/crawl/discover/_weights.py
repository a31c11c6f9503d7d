"""The weights of the clues for sites, fitted by `python -m bench.crawl.fit_discovery --write`."""

__all__ = ["BIAS", "WEIGHTS"]

BIAS = -20.8
WEIGHTS: dict[str, float] = {
    "support": 0.0,
    "pages": 3.8,
    "usable": 1.94,
    "keys": 5.56,
    "all keys": 0.83,
    "everywhere": 3.81,
    "short": 6.38,
    "digits": 1.82,
    "different": 2.23,
    "agreement": 4.26,
    "size": 4.32,
    "stuffed": -6.46,
}
