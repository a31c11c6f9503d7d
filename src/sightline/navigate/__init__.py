"""Getting to the data: where the pages of a list lead, and all records of all of them."""

from sightline.navigate.code import playwright_code
from sightline.navigate.collect import AUTO, MOST_PAGES, Collection, Details, Stop, StopKind, Visited, What, collect
from sightline.navigate.paging import Paging, PagingWay, find_paging
from sightline.navigate.play import Played, Playing, TraceFolder
from sightline.navigate.record import Recorder, Recording, Rehearsal, rehearse
from sightline.navigate.script import Script, script_schema

__all__ = [
    "AUTO",
    "MOST_PAGES",
    "Collection",
    "Details",
    "Paging",
    "PagingWay",
    "Played",
    "Playing",
    "Recorder",
    "Recording",
    "Rehearsal",
    "Script",
    "Stop",
    "StopKind",
    "TraceFolder",
    "Visited",
    "What",
    "collect",
    "find_paging",
    "playwright_code",
    "rehearse",
    "script_schema",
]
