"""The weights of the clues for strangers, written by `bench/teach/fit_strangers.py`."""

STRANGER_WEIGHTS = {
    "another label": 0.972,
    "no label": 1.643,
    "is a label": 1.362,
    "words of another field": 3.66,
    "another element": 3.772,
    "digits are new": 0.479,
    "digits are missing": 1.551,
    "a colon inside": 1.019,
    "no letters or digits": 2.123,
    "of every value": -3.873,
}
