"""Visual outliers: parts of an extracted text that look unlike the rest are probably wrong."""

from sightline.checks.outliers._extracted import ExtractedNodes
from sightline.checks.outliers._other_capture import mapped
from sightline.checks.outliers._outliers import Outlier, Outliers, OutlierSettings, find_outliers, outlier_report
from sightline.checks.outliers._published_scores import hbos, nearest_neighbours

__all__ = [
    "ExtractedNodes",
    "Outlier",
    "OutlierSettings",
    "Outliers",
    "find_outliers",
    "hbos",
    "mapped",
    "nearest_neighbours",
    "outlier_report",
]
