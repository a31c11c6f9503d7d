"""Playing navigation scripts in a real browser."""

from sightline.navigate.play._browsing import Browsing, TargetError, TargetPlace
from sightline.navigate.play._looking import placed_steps, target_boxes, target_of
from sightline.navigate.play._page_records import read_records
from sightline.navigate.play._play import Mend, Player, Playing
from sightline.navigate.play._run import StepError
from sightline.navigate.play._secrets import Secrets
from sightline.navigate.play._trace import Ended, Moment, Played, StepOutcome, TraceFolder, Watcher

__all__ = [
    "Browsing",
    "Ended",
    "Mend",
    "Moment",
    "Played",
    "Player",
    "Playing",
    "Secrets",
    "StepError",
    "StepOutcome",
    "TargetError",
    "TargetPlace",
    "TraceFolder",
    "Watcher",
    "placed_steps",
    "read_records",
    "target_boxes",
    "target_of",
]
