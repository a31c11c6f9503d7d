"""`sightline discover`: from phrases to the sites that hold the data of a domain."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table as Drawn
from rich.text import Text

from sightline import Wrapper
from sightline.cli._console import output, remark, showing_progress
from sightline.cli._files import check_file
from sightline.cli._flags import takes
from sightline.cli._report import Reporter, in_flags
from sightline.cli._sources import LOADING, Json, loader_for
from sightline.cli._text import clean, counted, print_drawn
from sightline.crawler.discover import (
    VARIABLE,
    DiscoveredSite,
    DiscoverSettings,
    Discovery,
    Wanted,
    asked_provider,
    discover,
    read_phrases,
)
from sightline.errors import SightlineError, UsageError

__all__ = ["register_discover"]

SHOWN = 20  # sites on the terminal; the file and --json have them all
PROBLEMS_SHOWN = 5


def register_discover(app: typer.Typer) -> None:
    """Add the command."""
    app.command("discover")(takes(discovery=DiscoverSettings, **LOADING)(discover_sites))


def discover_sites(  # noqa: PLR0913 - one for each flag
    *,
    phrases: Annotated[
        Path,
        typer.Option(
            "--phrases",
            metavar="FILE",
            help="The phrases of the domain, one a line; # begins a comment.",
            show_default=False,
        ),
    ],
    search: Annotated[
        str | None,
        typer.Option(
            "--search",
            metavar="PROVIDER",
            help="Who is asked: index:FOLDER, searxng:https://HOST, or a .yaml file that describes an endpoint.",
            envvar=VARIABLE,
            show_default=False,
        ),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            "--base",
            metavar="URL",
            help="The address under which the folder of index:FOLDER is served, for pages that do not say their own.",
            show_default=False,
        ),
    ] = None,
    want: Annotated[
        str | None,
        typer.Option(
            "--want",
            metavar="WHAT",
            help="What the pages must have: tables (the default), lists or wrapper.",
            show_default=False,
        ),
    ] = None,
    wrapper: Annotated[
        Path | None,
        typer.Option("--wrapper", "-w", help="Keep sites whose pages this wrapper reads.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the sites to this .json file, for later steps.")
    ] = None,
    json: Json = False,
    **settings: Any,
) -> None:
    """Find the sites that hold the data of a domain, starting from a handful of phrases.

    Asks a search engine for random combinations of the phrases until nothing new shows up, opens the best pages, and
    ranks the sites by the usable tables or lists on them.

    [bold]Examples[/]

      sightline discover --phrases cameras.txt --search searxng:https://search.example -o found.json

      sightline discover --phrases cameras.txt --search index:saved-pages/ --want lists --static

      sightline discover --phrases cameras.txt --search index:mirror/ --base https://shop.example/ -o found.json
    """
    if out is not None:
        check_file(out, ".json", "what is discovered is written as JSON")
    chosen = _wanted(want, wrapper)
    reporter = Reporter("discovery", json=json, told=_in_flags, several=False)
    with reporter:
        choices = {"want": chosen, "wrapper": Wrapper.load(wrapper) if wrapper else None}
        found = _discovered(reporter, read_phrases(phrases), (search, base or ""), choices, settings)
        if found is not None:
            _tell(found, json=json)
            if out:
                remark(f"Written: {found.save(out)} ({counted(len(found.sites), 'site')})")
            reporter.add(found.provider, found.to_json(), found.verdict)
    if reporter.ended_early:
        remark("Nothing was kept; the same command with the same --seed asks the same queries again.")
    reporter.finish()


def _wanted(want: str | None, wrapper: Path | None) -> Wanted:
    """What is looked for; a wrapper says it, too."""
    if want not in (None, "tables", "lists", "wrapper"):
        raise UsageError(f"--want {want}: this cannot be looked for; give tables, lists or wrapper.")
    if wrapper is not None and want in ("tables", "lists"):
        raise UsageError(f"--wrapper and --want {want} exclude each other; give one of them.")
    if wrapper is None and want == "wrapper":
        raise UsageError("--want wrapper needs a wrapper; give its file by --wrapper.")
    if wrapper is not None:
        return "wrapper"
    return "lists" if want == "lists" else "tables"


def _discovered(
    reporter: Reporter,
    phrases: tuple[str, ...],
    asked: tuple[str | None, str],
    choices: dict[str, Any],
    settings: dict[str, Any],
) -> Discovery | None:
    """What was found; None if the provider could not be asked, which is then reported. `asked` is who, and a base."""
    with (
        loader_for(settings) as loader,
        showing_progress() as on_progress,
        asked_provider(asked[0], loader, on_progress, base=asked[1]) as provider,
    ):
        try:
            return discover(
                phrases, provider, **choices, loader=loader, settings=settings["discovery"], on_progress=on_progress
            )
        except UsageError:
            raise
        except SightlineError as problem:
            reporter.fail(provider.name, problem)
            return None


def _in_flags(text: str) -> str:
    """A sentence with the flags of this command for the names that Python knows."""
    return in_flags(text, of=(DiscoverSettings,))


def _tell(found: Discovery, *, json: bool) -> None:
    """The sites for people; how it ended, and what went wrong."""
    if not json:
        if found.sites:
            print_drawn(_drawn(found.sites[:SHOWN]))
        count = f"{counted(len(found.sites), 'site')} of {len(found.sites) + len(found.left_out):,} looked at"
        output.print(f"{count} · {found.queries:,} queries · {found.verdict}")
    remark(clean(_in_flags(f"Stopped: {found.stopped}")))
    for problem in found.problems[:PROBLEMS_SHOWN]:
        remark(clean(_in_flags(problem)))
    if len(found.problems) > PROBLEMS_SHOWN:
        remark(f"… and {len(found.problems) - PROBLEMS_SHOWN:,} more problems; -o and --json have them all.")


def _drawn(sites: tuple[DiscoveredSite, ...]) -> Drawn:
    table = Drawn(box=None, pad_edge=False)
    table.add_column("site")
    table.add_column("score", justify="right")
    table.add_column("queries", justify="right")
    table.add_column("found")
    table.add_column("why", ratio=1)
    for site in sites:
        why = "; ".join(site.why[1:])  # the first tells the support again
        cells = (site.site, f"{site.score:.2f}", str(site.support), site.found, why)
        table.add_row(*(Text(clean(cell)) for cell in cells))
    return table
