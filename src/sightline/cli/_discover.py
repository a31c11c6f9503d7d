"""`sightline discover`: from phrases to the sites that hold the data of a domain."""

from dataclasses import dataclass
from pathlib import Path

from rich.table import Table as Drawn
from rich.text import Text

from sightline import Wrapper
from sightline.cli._console import output, remark, showing_progress
from sightline.cli._files import check_file
from sightline.cli._flags import REQUIRED, flag, output_file
from sightline.cli._sources import JsonFlags, Reporter, SourceOpening, in_flags
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

SHOWN = 20  # on the terminal; the file and --json have them all
PROBLEMS_SHOWN = 5


@dataclass(frozen=True, kw_only=True)
class DiscoverFlags(JsonFlags):
    """What is looked for, and who is asked."""

    phrases: Path = flag(REQUIRED, help="the phrases of the domain, one a line; # begins a comment", metavar="FILE")
    search: str | None = flag(
        None,
        help="who is asked: index:FOLDER, searxng:https://HOST, or a .yaml file that describes an endpoint",
        metavar="PROVIDER",
        variable=VARIABLE,
    )
    base: str | None = flag(
        None,
        help="the address under which the folder of index:FOLDER is served, for pages that do not say their own",
        metavar="URL",
    )
    want: str | None = flag(
        None, help="what the pages must have: tables (the default), lists or wrapper", metavar="WHAT"
    )
    wrapper: Path | None = flag(None, help="keep sites whose pages this wrapper reads", names="--wrapper -w")
    out: Path | None = output_file("write the sites to this .json file, for later steps")

    @property
    def wanted(self) -> Wanted:
        """What is looked for; a wrapper says it, too."""
        want, wrapper = self.want, self.wrapper
        if want not in (None, "tables", "lists", "wrapper"):
            raise UsageError(f"--want {want}: this cannot be looked for; give tables, lists or wrapper.")
        if wrapper is not None and want in ("tables", "lists"):
            raise UsageError(f"--wrapper and --want {want} exclude each other; give one of them.")
        if wrapper is None and want == "wrapper":
            raise UsageError("--want wrapper needs a wrapper; give its file by --wrapper.")
        if wrapper is not None:
            return "wrapper"
        return "lists" if want == "lists" else "tables"


def discover_command(flags: DiscoverFlags, discovery: DiscoverSettings, loading: SourceOpening) -> None:
    """Find the sites that hold the data of a domain, starting from a handful of phrases.

    Asks a search engine for random combinations of the phrases until nothing new shows up, opens the best pages, and
    ranks the sites by the usable tables or lists on them.

    [bold]Examples[/]

      sightline discover --phrases cameras.txt --search searxng:https://search.example -o found.json

      sightline discover --phrases cameras.txt --search index:saved-pages/ --want lists --static

      sightline discover --phrases cameras.txt --search index:mirror/ --base https://shop.example/ -o found.json
    """
    if flags.out is not None:
        check_file(flags.out, ".json", "what is discovered is written as JSON")
    chosen = flags.wanted
    reporter = Reporter("discovery", json=flags.json, told=_in_flags, several=False)
    with reporter:
        found = _discovered(reporter, flags, chosen, discovery, loading)
        if found is not None:
            _tell(found, json=flags.json)
            if flags.out:
                remark(f"Written: {found.save(flags.out)} ({counted(len(found.sites), 'site')})")
            reporter.add(found.provider, found.to_json(), found.verdict)
    if reporter.ended_early:
        remark("Nothing was kept; the same command with the same --seed asks the same queries again.")
    reporter.finish()


def _discovered(
    reporter: Reporter, flags: DiscoverFlags, want: Wanted, settings: DiscoverSettings, loading: SourceOpening
) -> Discovery | None:
    """What was found; None if the provider could not be asked, which is then reported."""
    wrapper = Wrapper.load(flags.wrapper) if flags.wrapper else None
    phrases = read_phrases(flags.phrases)
    with (
        loading.loader() as loader,
        showing_progress() as on_progress,
        asked_provider(flags.search, loader, on_progress, base=flags.base or "") as provider,
    ):
        try:
            return discover(
                phrases,
                provider,
                want=want,
                wrapper=wrapper,
                loader=loader,
                settings=settings,
                on_progress=on_progress,
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
