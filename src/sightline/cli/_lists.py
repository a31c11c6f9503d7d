"""`sightline lists`: every list on pages, as text, JSON, files or a picture."""

from typing import Annotated, Any

import typer

from sightline import ListSettings
from sightline.cli._console import output, remark
from sightline.cli._files import ExportSettings
from sightline.cli._flags import takes
from sightline.cli._list_text import print_lists
from sightline.cli._listing import Everything, Image, ListOutput, Out, ShowTrace, WithOrigins
from sightline.cli._report import Reporter
from sightline.cli._sources import LOADING, Json, Sources, outcomes
from sightline.cli._text import clean
from sightline.cli._trace_text import print_trace
from sightline.data import Extraction, ItemList
from sightline.jobs import extractor
from sightline.page import Page

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(finding=ListSettings, written=ExportSettings, **LOADING)(lists))


def lists(  # noqa: PLR0913 - one for each flag
    sources: Sources,
    *,
    containing: Annotated[
        str | None, typer.Option("--containing", metavar="WORD", help="Only lists that contain this text.")
    ] = None,
    first: Annotated[int | None, typer.Option("--first", min=1, help="Only the best N lists of each page.")] = None,
    out: Out = None,
    origins: WithOrigins = False,
    image: Image = None,
    trace: ShowTrace = False,
    everything: Everything = False,
    json: Json = False,
    **settings: Any,
) -> None:
    """Find every list on pages: anything that repeats, as records with named parts; most important first.

    Search results, products, articles and plain bullet lists all count; menus are marked as navigation.

    For the one list that a title promises ("7 Telescopes Worth a Detour"), use sightline top.

    [bold]Examples[/]

      sightline lists examples/cameras.html

      sightline lists "pages/*.html" --first 1 -o records.csv

      sightline lists saved.page --containing Canon --json --origins

      sightline lists https://example.org --no-navigation --image lists.png --trace
    """
    wanted = ListOutput(origins, trace, image, out, settings["written"])
    wanted.prepare(sources, settings)
    options = {"containing": containing, "first": first, "settings": settings.pop("finding"), "traced": True}
    find = extractor("lists")
    reporter = Reporter("lists", json=json)
    with reporter:
        for name, page, found in reporter.found(outcomes(sources, settings, lambda page, _: find(page, **options))):
            if not len(found):
                remark(f"no list found; {_advice(page, found, containing, traced=trace)}.", source=name)
            reporter.add(name, wanted.take(name, page, found))
            if not json and (trace or (len(found) and not out)):
                output.print(clean(name), style="dim", markup=False)
                if trace and found.trace:
                    print_trace(found.trace)
                else:
                    print_lists([result for result in found if isinstance(result, ItemList)], everything=everything)
    wanted.write("--first 1 writes only the best")
    reporter.finish()


def _advice(page: Page, found: Extraction, containing: str | None, *, traced: bool) -> str:
    """What to try next, the most likely first."""
    rows = found.trace.steps()[-1].rows if found.trace else ()
    decisions = {row["decision"] for row in rows}
    if containing and decisions & {"list", "navigation"}:
        return "leave out --containing"
    if page.kind == "static":
        return "its layout is unknown, so use a browser (leave out --static)"
    if not decisions:
        return "nothing on the page repeats; see what it contains with `sightline show`"
    if decisions == {"menu left out"}:
        return "the page has only menus, so leave out --no-navigation"
    return "try a lower --least-score" + ("" if traced else ", or see every candidate with --trace")
