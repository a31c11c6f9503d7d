"""What a page is about: one thing, with what is seen and what is said of it compared."""

from sightline.extract.about._asked import AskedField, AskedType, asked_text, parse_asked
from sightline.extract.about._find import AboutSettings, AboutTrace, find_about, trace_about
from sightline.extract.about._json_schema import thing_schema
from sightline.extract.about._kinds import KINDS, ThingField, ThingKind

__all__ = [
    "KINDS",
    "AboutSettings",
    "AboutTrace",
    "AskedField",
    "AskedType",
    "ThingField",
    "ThingKind",
    "asked_text",
    "find_about",
    "parse_asked",
    "thing_schema",
    "trace_about",
]
