"""The weights of the clues for sites, fitted by `python -m bench.crawl.fit_discovery --write`."""

__all__ = ["BIAS", "WEIGHTS"]

BIAS = -26.896
WEIGHTS: dict[str, float] = {
    "support": 0.000,
    "pages": 1.949,
    "usable": 6.710,
    "keys": 6.349,
    "all keys": 0.000,
    "everywhere": 6.863,
    "titled": 1.0,
    "short": 9.282,
    "digits": 1.164,
    "different": 0.000,
    "agreement": 6.274,
    "size": 6.480,
    "stuffed": -8.548,
}
