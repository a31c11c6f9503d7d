"""Visual outliers: parts of an extracted text that look unlike the rest and are probably wrong."""

from sightline.checks.outliers._likeness import ExtractedNodes, hbos, map_nodes, nearest_neighbours
from sightline.checks.outliers._outliers import Outlier, Outliers, OutlierSettings, find_outliers, outlier_report

__all__ = [
    "ExtractedNodes",
    "Outlier",
    "OutlierSettings",
    "Outliers",
    "find_outliers",
    "hbos",
    "map_nodes",
    "nearest_neighbours",
    "outlier_report",
]
