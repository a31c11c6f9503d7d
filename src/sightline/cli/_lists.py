"""`sightline lists`: every list of pages, as text, JSON, files or a picture."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer

from sightline import ListSettings, Page
from sightline.cli._console import output, remark
from sightline.cli._flags import takes
from sightline.cli._list_text import print_lists, print_trace
from sightline.cli._listing import Everything, Harvest, Image, ListOutput, Out, Trace, WithOrigins
from sightline.cli._sources import LOADING, Json, Sources, pages, report
from sightline.cli._text import clean
from sightline.data import ItemList
from sightline.extract.lists import ListTrace, trace_lists

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(finding=ListSettings, **LOADING)(lists))


def lists(  # noqa: PLR0913 - one for each flag
    sources: Sources,
    *,
    containing: Annotated[
        str | None, typer.Option("--containing", metavar="WORD", help="Only lists in which this text stands.")
    ] = None,
    first: Annotated[int | None, typer.Option("--first", min=1, help="Only the best so many of each page.")] = None,
    out: Out = None,
    origins: WithOrigins = False,
    image: Image = None,
    trace: Trace = False,
    everything: Everything = False,
    json: Json = False,
    **settings: Any,
) -> None:
    """Find every list of pages: whatever repeats, as records with named parts, the most important first.

    Search results, products, articles and plain bullets are lists alike; menus are marked as navigation.

    For the one list that a title promises ("7 Telescopes Worth a Detour") there is sightline top.

    [bold]Examples[/]

      sightline lists examples/cameras.html

      sightline lists "pages/*.html" --first 1 -o records.csv

      sightline lists saved.page --containing Canon --json --origins

      sightline lists https://example.org --no-navigation --image lists.png --trace
    """
    wanted = ListOutput(origins, trace, everything, image, out)
    wanted.prepare(sources, settings)
    search = _Search(containing, settings.pop("finding"), first)
    harvest = Harvest(wanted, ListTrace(()))

    def found(page: Page, source: str) -> list[dict[str, Any]]:
        harvest.trace = search.of(page)
        if not harvest.trace.lists:
            remark(f"{source}: no list found; {_advice(page, search, harvest.trace, traced=trace)}.")
        return harvest.take(page, harvest.trace.lists)

    report(
        harvest.and_then_write(pages(sources, settings), "--first 1 writes only the best"),
        "lists",
        found,
        json=json,
        show=lambda source, *_: _show(source, harvest.trace, wanted),
    )


@dataclass(frozen=True)
class _Search:
    """What to look for on every page."""

    containing: str | None
    settings: ListSettings
    first: int | None

    def of(self, page: Page) -> ListTrace:
        trace = trace_lists(page, settings=self.settings)
        kept = [one for one in trace.lists if self.containing is None or _holds(one, self.containing)]
        return replace(trace, lists=tuple(kept[: self.first]))


def _holds(one: ItemList, word: str) -> bool:
    """Whether a text stands in a list: in its name or in one of its items, in small letters or capitals."""
    wanted = clean(word).casefold()
    return any(wanted in clean(text).casefold() for text in (one.caption or "", *(item.text.text for item in one)))


def _advice(page: Page, search: _Search, trace: ListTrace, *, traced: bool) -> str:
    """What to try next, the likeliest first."""
    verdicts = {one.verdict for one in trace.candidates}
    if search.containing and verdicts & {"list", "navigation"}:
        return "leave out --containing"
    if page.kind == "static":
        return "its layout is not known, so open it with a browser (without --static)"
    if not verdicts:
        return "nothing on it repeats; see what is there by `sightline show`"
    if verdicts == {"menu left out"}:
        return "it has nothing but menus, so leave out --no-navigation"
    return "try a lower --least-score" + ("" if traced else ", or see what was looked at by --trace")


def _show(source: str, trace: ListTrace, wanted: ListOutput) -> None:
    if (wanted.out or not trace.lists) and not wanted.trace:
        return
    output.print(clean(source), style="dim", markup=False)
    if wanted.trace:
        print_trace(trace)
    else:
        print_lists(trace.lists, everything=wanted.everything)
