"""Algorithms as their papers published them, for comparison, the benchmark and `sightline crawl --rank published`."""

from sightline.extract.published._basic_top_k import BasicTopTrace, basic_top, trace_basic_top
from sightline.extract.published._lixto_crawl import (
    bounded_distance,
    distance_threshold,
    fewest_edits,
    gram_counts,
    hub_scores,
    page_rank,
    weighted_sum,
)
from sightline.extract.published._ventrec import VentrecTrace, trace_ventrec, ventrec

__all__ = [
    "BasicTopTrace",
    "VentrecTrace",
    "basic_top",
    "bounded_distance",
    "distance_threshold",
    "fewest_edits",
    "gram_counts",
    "hub_scores",
    "page_rank",
    "trace_basic_top",
    "trace_ventrec",
    "ventrec",
    "weighted_sum",
]
