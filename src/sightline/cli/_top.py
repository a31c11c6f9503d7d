"""`sightline top`: the list that a page's title promises, as text, JSON, files or a picture."""

from typing import Annotated, Any

import typer

from sightline import TopSettings
from sightline.cli._console import output, remark
from sightline.cli._files import ExportSettings
from sightline.cli._flags import takes
from sightline.cli._listing import Everything, Image, ListOutput, Out, ShowTrace, WithOrigins
from sightline.cli._report import Reporter
from sightline.cli._sources import LOADING, Json, Sources, outcomes
from sightline.cli._text import clean
from sightline.cli._top_text import print_top
from sightline.cli._trace_text import print_trace
from sightline.data import Extraction, ItemList
from sightline.errors import UsageError
from sightline.jobs import extractor

__all__ = ["register"]

FEWEST = 2
OTHERWISE = "or see every list with `sightline lists`"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(finding=TopSettings, written=ExportSettings, **LOADING)(top))


def top(  # noqa: PLR0913 - one for each flag
    sources: Sources,
    *,
    items: Annotated[
        int | None,
        typer.Option("--items", "-k", metavar="N", help="Look for N items (2 or more), whatever the title says."),
    ] = None,
    out: Out = None,
    origins: WithOrigins = False,
    image: Image = None,
    trace: ShowTrace = False,
    everything: Everything = False,
    json: Json = False,
    **settings: Any,
) -> None:
    """Find the list that a page's title promises: seven items under “7 Telescopes Worth a Detour”.

    The number is read from the titles of the page; if they have none, give it with -k.

    Each item has its title and full text, plus its number, picture and link if present.

    [bold]Examples[/]

      sightline top examples/telescopes.html

      sightline top https://example.org/stars -k 25

      sightline top "pages/*.html" -o items.xlsx

      sightline top saved.page --image top.png --trace
    """
    wanted = ListOutput(origins, trace, image, out, settings["written"])
    wanted.prepare(sources, settings)
    _check_number(items)
    options = {"k": items, "settings": settings.pop("finding"), "traced": True}
    find = extractor("top")
    reporter = Reporter("list", json=json)
    with reporter:
        for name, page, found in reporter.found(outcomes(sources, settings, lambda page, _: find(page, **options))):
            if not len(found):
                remark(f"{_advice(found, items, traced=trace)}.", source=name)
            reporter.add(name, wanted.take(name, page, found))
            if not json and (trace or (len(found) and not out)):
                output.print(clean(name), style="dim", markup=False)
                if trace and found.trace:
                    print_trace(found.trace)
                for result in found if not trace else ():
                    if isinstance(result, ItemList):
                        print_top(result, page.title, everything=everything)
    wanted.write()
    reporter.finish()


def _check_number(k: int | None) -> None:
    """Reject a number that the search would reject on every page, before any is opened."""
    if k is not None and k < FEWEST:
        raise UsageError(f"-k {k}: a list has at least {FEWEST} items; give the number of items to look for.")


def _advice(found: Extraction, k: int | None, *, traced: bool) -> str:
    """Why there is no list, and what to try next, the most likely first."""
    promises = found.trace.steps()[0].rows if found.trace else ()
    look = "" if traced else "see every candidate with --trace, "
    if not promises:
        return f"no title promises a number of items; give the number with -k N, {OTHERWISE}"
    if k is not None:
        return f"no list of {k} items found; try another -k, {look}{OTHERWISE}"
    numbers = " or ".join(dict.fromkeys(str(promise["k"]) for promise in promises))
    title = clean(promises[0]["title"])
    return f"no list of {numbers} items found for “{title}”; try another number with -k, {look}{OTHERWISE}"
