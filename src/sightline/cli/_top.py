"""`sightline top`: the list that the title of a page promises, as text, JSON, files or a picture."""

from typing import Annotated, Any

import typer

from sightline import Page, TopSettings
from sightline.cli._console import output, remark
from sightline.cli._flags import takes
from sightline.cli._listing import Everything, Harvest, Image, ListOutput, Out, Trace, WithOrigins
from sightline.cli._sources import LOADING, Json, Sources, pages, report
from sightline.cli._text import clean
from sightline.cli._top_text import print_top, print_trace
from sightline.errors import UsageError
from sightline.extract.lists import TopTrace, trace_top

__all__ = ["register"]

FEWEST = 2
OTHERWISE = "or see every list by `sightline lists`"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(finding=TopSettings, **LOADING)(top))


def top(  # noqa: PLR0913 - one for each flag
    sources: Sources,
    *,
    items: Annotated[
        int | None,
        typer.Option("--items", "-k", metavar="N", help="So many items (2 or more), whatever the title says."),
    ] = None,
    out: Out = None,
    origins: WithOrigins = False,
    image: Image = None,
    trace: Trace = False,
    everything: Everything = False,
    json: Json = False,
    **settings: Any,
) -> None:
    """Find the list that the title of a page promises: seven items below "7 Telescopes Worth a Detour".

    The number is read from the titles of the page; where they do not say it, say it by -k.

    Each item has its title and whole text, and its number, picture and link where it has them.

    [bold]Examples[/]

      sightline top examples/telescopes.html

      sightline top https://example.org/stars -k 25

      sightline top "pages/*.html" -o items.xlsx

      sightline top saved.page --image top.png --trace
    """
    wanted = ListOutput(origins, trace, everything, image, out)
    wanted.prepare(sources, settings)
    _check_number(items)
    finding = settings.pop("finding")
    harvest = Harvest(wanted, TopTrace(()))

    def found(page: Page, source: str) -> dict[str, Any] | None:
        harvest.trace = trace_top(page, k=items, settings=finding)
        one = harvest.trace.found
        if one is None:
            remark(f"{source}: {_advice(harvest.trace, items, traced=trace)}.")
        return next(iter(harvest.take(page, [one] if one else [])), None)

    report(
        harvest.and_then_write(pages(sources, settings)),
        "list",
        found,
        json=json,
        show=lambda source, page, _: _show(source, page, harvest.trace, wanted),
    )


def _check_number(k: int | None) -> None:
    """Refuse what the search would refuse on every page, before any is opened."""
    if k is not None and k < FEWEST:
        raise UsageError(f"-k {k}: a list has at least {FEWEST} items; give the number of items to look for.")


def _advice(trace: TopTrace, k: int | None, *, traced: bool) -> str:
    """Why there is no list, and what to try next, the likeliest first."""
    look = "" if traced else "see what was looked at by --trace, "
    if not trace.promises:
        return f"no title of it promises a number of items; say how many by -k N, {OTHERWISE}"
    if k is not None:
        return f"no list of {k} items found; try another -k, {look}{OTHERWISE}"
    numbers = " or ".join(dict.fromkeys(str(promise.k) for promise in trace.promises))
    title = clean(trace.promises[0].title)
    return f"no list of {numbers} items keeps the promise of “{title}”; try another number by -k, {look}{OTHERWISE}"


def _show(source: str, page: Page, trace: TopTrace, wanted: ListOutput) -> None:
    if (wanted.out or not trace.found) and not wanted.trace:
        return
    output.print(clean(source), style="dim", markup=False)
    if wanted.trace:
        print_trace(trace)
    elif trace.found:
        print_top(trace.found, page.title, everything=wanted.everything)
