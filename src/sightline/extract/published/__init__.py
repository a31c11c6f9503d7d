"""Algorithms as their papers published them, for comparison, the benchmark and the lab; nothing else uses them."""

from sightline.extract.published._basic_top_k import basic_top
from sightline.extract.published._ventrec_expansion import ventrec

__all__ = ["basic_top", "ventrec"]
