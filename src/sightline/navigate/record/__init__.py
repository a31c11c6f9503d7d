"""Recording: a person works in a browser, and a script is written."""

from sightline.navigate.record._learn import Act, Learned, Understanding, learn
from sightline.navigate.record._recorder import (
    DoubtfulStep,
    RecordedStep,
    Recorder,
    Recording,
    Rehearsal,
    rehearse,
    steps_of,
)

__all__ = [
    "Act",
    "DoubtfulStep",
    "Learned",
    "RecordedStep",
    "Recorder",
    "Recording",
    "Rehearsal",
    "Understanding",
    "learn",
    "rehearse",
    "steps_of",
]
