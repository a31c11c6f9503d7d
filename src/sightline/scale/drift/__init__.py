"""Whether a wrapper still fits the pages of a batch, and what all of it will take; see docs/scale.md."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.scale.drift._detector import WINDOW, Drift, DriftBaseline, DriftDetector
    from sightline.scale.drift._estimate import Estimate, EstimatedShare, EstimatedTime, estimate, spread_positions

__all__ = [
    "WINDOW",
    "Drift",
    "DriftBaseline",
    "DriftDetector",
    "Estimate",
    "EstimatedShare",
    "EstimatedTime",
    "estimate",
    "spread_positions",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_detector": "WINDOW Drift DriftBaseline DriftDetector",
        "_estimate": "Estimate EstimatedShare EstimatedTime estimate spread_positions",
    },
)
