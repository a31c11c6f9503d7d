"""`sightline next`: where a page of a list leads."""

from typing import Annotated, Any

import typer

from sightline import Paging, next_page
from sightline.cli._console import output, remark
from sightline.cli._flags import takes
from sightline.cli._report import Reporter
from sightline.cli._sources import LOADING, Json, Sources, outcomes
from sightline.cli._text import clean
from sightline.errors import UsageError

__all__ = ["register"]

WEB = ("http://", "https://")
SHOWN = 10  # pages of a list; --json has them all
WAYS = {"link": "by a link", "button": "by a button on the page", "box": "by a box to choose from"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("next")(takes(**LOADING)(show_next))


def show_next(
    sources: Sources,
    *,
    base: Annotated[
        str | None,
        typer.Option(
            "--base",
            metavar="URL",
            help="The address a saved page comes from, if the page does not say.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
    **settings: Any,
) -> None:
    """Find where a page of a list leads: its next page, all pages it links to, and how many there are.

    Links are judged by what they say (in many languages), what they are called, where they lead, and what stands
    beside them; the evidence is shown.

    [bold]Examples[/]

      sightline next https://example.org/cameras

      sightline next saved.html --base https://example.org/cameras?page=2 --json
    """
    if base is not None and not base.startswith(WEB):
        raise UsageError(f"--base {base}: this is not an address; give one that begins with https://.")
    reporter = Reporter("paging", json=json)
    with reporter:
        for name, _, found in reporter.found(
            outcomes(sources, settings, lambda page, _: next_page(page, url=base or ""))
        ):
            reporter.add(name, found.to_json())
            if not json:
                _print(name, found)
    reporter.finish()


def _print(name: str, found: Paging) -> None:
    output.print(clean(name), style="dim", markup=False)
    if found.way is None:
        remark("no next page was found", source=name)
    else:
        output.print(f"next: {clean(found.next or 'no address of its own')} ({WAYS[found.way]})", markup=False)
    if found.total or found.records:
        counts = [f"{found.total:,} pages"] if found.total else []
        counts += [f"{found.records:,} records"] if found.records else []
        output.print(f"the page counts {' and '.join(counts)}", markup=False)
    for address in found.pages[:SHOWN]:
        output.print(f"  {clean(address)}", markup=False)
    if len(found.pages) > SHOWN:
        output.print(f"  … and {len(found.pages) - SHOWN} more; --json has them all", markup=False)
    for reason in found.evidence:
        output.print(f"  because {clean(reason)}", style="dim", markup=False)
