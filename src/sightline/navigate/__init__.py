"""Getting to the data: where the pages of a list lead, and all records of all of them."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.navigate._ready import missing_secret, problems_in_files
    from sightline.navigate.code import playwright_code
    from sightline.navigate.collect import AUTO, MOST_PAGES, Collection, Details, Stop, StopKind, Visited, What
    from sightline.navigate.paging import Paging, PagingWay, find_paging
    from sightline.navigate.play import Played, Playing, TraceFolder
    from sightline.navigate.record import Recorder, Recording, Rehearsal, rehearse
    from sightline.navigate.script import Script, script_schema

# The function `collect` has the name of its package, and is imported from there.
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
    "find_paging",
    "missing_secret",
    "playwright_code",
    "problems_in_files",
    "rehearse",
    "script_schema",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_ready": "missing_secret problems_in_files",
        "code": "playwright_code",
        "collect": "AUTO MOST_PAGES Collection Details Stop StopKind Visited What",
        "paging": "Paging PagingWay find_paging",
        "play": "Played Playing TraceFolder",
        "record": "Recorder Recording Rehearsal rehearse",
        "script": "Script script_schema",
    },
)
