"""Following a road: all records of a list, asked for without a browser; and the lines that do so."""

from collections.abc import Iterator
from dataclasses import dataclass
from shlex import quote

from sightline.data import Record
from sightline.errors import UnreadableError
from sightline.jobs import new_loader
from sightline.navigate.behind._find import DataBehind
from sightline.navigate.behind._road import DataRoad, LostRoad
from sightline.net import Document
from sightline.page import PageRequest
from sightline.sources import Loader

MOST_PAGES = 100


def road_records(road: DataRoad, *, loader: Loader | None = None, pages: int = MOST_PAGES) -> Iterator[Record]:
    """The records of the page that a road was found on, and of at most so many pages in all, each record once.

    Every request goes through the loader's policy: robots.txt, pace and limits. Where an answer holds something that no
    page has shown, an UnreadableError says so.
    """
    if loader is not None:
        yield from _followed(road, loader, pages)
        return
    with new_loader(static=True) as own:
        yield from _followed(road, own, pages)


def _followed(road: DataRoad, loader: Loader, pages: int) -> Iterator[Record]:
    known: set[Record] = set()
    request: PageRequest | None = road.request
    for _ in range(pages):
        if request is None:
            return
        try:
            answer = road.ask(request, _Asking(loader))
            fresh = [record for record in road.read(answer.data) if record not in known]
        except LostRoad as problem:
            raise UnreadableError(request.url, f"{problem}; collect the list with the browser.") from problem
        if not fresh:
            return
        known.update(fresh)
        yield from fresh
        request = road.following(answer)


@dataclass(frozen=True)
class _Asking:
    """Asks by a loader."""

    loader: Loader

    def __call__(self, request: PageRequest) -> Document:
        posted = request.body.encode() if request.method == "POST" else None
        return self.loader.fetch(request.url, headers=dict(request.headers), posted=posted)


def command_for(found: DataBehind) -> str:
    """The command that collects the list of a page, without the browser where that gives the same."""
    return f"sightline collect {quote(found.address)} -o records.csv"


def python_for(found: DataBehind, file: str = "") -> str:
    """Python lines that print the records of the best list, of all its pages; "" if there is no road to them.

    They open the page once to find the road, with fresh tokens, unless it is kept in a `file`; the rest is asked for
    without a browser.
    """
    if found.best is None:
        return ""
    if file:
        lines = ["from sightline.navigate.behind import DataRoad, road_records", "", f"road = DataRoad.load({file!r})"]
    else:
        follow = ", follow=True" if found.followed else ""
        lines = [
            "from sightline.jobs import new_loader",
            "from sightline.navigate.behind import behind, road_records",
            "",
            f"road = behind({found.address!r}, loader=new_loader(){follow}).best.road",
        ]
    return "\n".join([*lines, "for record in road_records(road):", "    print(record.to_dict())"])
