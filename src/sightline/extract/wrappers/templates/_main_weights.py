"""What each measure says for a field being main; written by `python -m bench.induce.fit_main --write`."""

LEAST_MAIN = 0.0637
MAIN_WEIGHTS = {
    "bias": -6.872,
    "title": 1.192,
    "named": 1.132,
    "number": -1.062,
    "set": 0.778,
    "named set": -1.208,
    "cells": 1.150,
    "long": 2.631,
    "region": -0.919,
    "heading": 0.425,
    "present": 4.044,
    "rare": 1.169,
    "varied": 1.540,
}
