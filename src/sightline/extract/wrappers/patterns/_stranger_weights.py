"""The weights of the clues for strangers, written by `bench/teach/fit_strangers.py`."""

STRANGER_WEIGHTS = {
    "another label": 0.799,
    "no label": 1.407,
    "is a label": 1.24,
    "words of another field": 3.441,
    "another element": 3.582,
    "digits are new": 0.672,
    "digits are missing": 1.651,
    "a colon inside": 0.949,
    "no letters or digits": 2.016,
    "of every value": -3.666,
}
