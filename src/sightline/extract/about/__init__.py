"""What a page is about: one thing, with what is seen and what is said of it compared."""

from sightline.extract.about._find import AboutSettings, AboutTrace, find_about, trace_about
from sightline.extract.about._json_schema import thing_schema
from sightline.extract.about._kinds import KINDS, ThingField, ThingKind

__all__ = [
    "KINDS",
    "AboutSettings",
    "AboutTrace",
    "ThingField",
    "ThingKind",
    "find_about",
    "thing_schema",
    "trace_about",
]
