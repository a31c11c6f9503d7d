"""`sightline collect` and `next`: all records of a list over all its pages, and where a page of it leads."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from sightline import Wrapper, next_page
from sightline.cli._console import output, remark, showing_progress
from sightline.cli._files import ExportSettings, check_suffix, write_rows
from sightline.cli._flags import ROW_FILES, argument, check_address, flag, output_file, switch, the_one
from sightline.cli._sources import JsonFlags, Reporter, SourceOpening, Sources, in_flags
from sightline.cli._text import clean, counted, print_samples
from sightline.errors import SightlineError, UsageError
from sightline.navigate import Collection, Paging
from sightline.navigate.collect import AUTO, MOST_PAGES, Details, collect

JOURNAL = ".collecting"  # beside the output; it is removed in the end


@dataclass(frozen=True, kw_only=True)
class CollectFlags(JsonFlags):
    """What is collected."""

    wrapper: Path | None = flag(None, help="read records by this wrapper", names="--wrapper -w")
    lists: bool = switch(help="collect the page's main list. This is the default")
    tables: bool = switch(help="collect the rows of the page's main table")
    top: bool = switch(help="collect the items that the page's title promises")
    details: str | None = flag(
        None,
        help="also read the page that each record leads to, by this wrapper; `auto` learns one by itself",
        metavar="WRAPPER",
    )
    pages: int = flag(MOST_PAGES, help="read at most N pages of the list", metavar="N", minimum=1)
    no_behind: bool = switch(help="open every page, also where the data behind the first ones gives the others")
    out: Path | None = output_file(f"write the records to this file: {ROW_FILES}")

    @property
    def what(self) -> str:
        """What is collected; a wrapper reads what it reads, as lists are."""
        given = {"--lists": self.lists, "--tables": self.tables, "--top": self.top}
        chosen = the_one({"--wrapper": self.wrapper is not None, **given})
        return chosen.removeprefix("--") if chosen in given else "lists"

    @property
    def journal(self) -> Path | None:
        """Where an interrupted attempt is kept."""
        return self.out.with_name(self.out.name + JOURNAL) if self.out else None


def collect_command(
    address: Annotated[str, argument(metavar="URL", help="The first page of the list.")],
    flags: CollectFlags,
    written: ExportSettings,
    loading: SourceOpening,
) -> None:
    """Collect all records of a list over all its pages, each once, with the details page of each.

    It follows next and numbered pages, presses “load more” and scrolls, and says why it stopped.

    Interrupted, the same command goes on where it was, if it writes a file.

    [bold]Examples[/]

      sightline collect https://example.org/cameras -o cameras.csv

      sightline collect https://example.org/cameras --details auto -o cameras.xlsx

      sightline collect https://example.org/results --tables -o results.csv

      sightline collect https://example.org/cameras -w cameras.wrapper.json --pages 3 --json
    """
    check_address(address)
    what, out, journal = flags.what, flags.out, flags.journal
    if out:
        check_suffix(out)
    reporter = Reporter("records", json=flags.json)
    with reporter:
        loaded = Wrapper.load(flags.wrapper) if flags.wrapper else None
        choices = {"what": what, "wrapper": loaded, "details": _details(flags.details), "pages": flags.pages}
        choices["behind"] = not flags.no_behind
        found = _collected(reporter, address, journal, choices, loading)
        if found is not None:
            _tell(found, json=flags.json)
            if out and len(found.records):
                write_rows(found.records, out, written, _counts(found))
            if journal:  # only now: what was kept on the way is needed no more
                journal.unlink(missing_ok=True)
            reporter.add(address, {**found.records.to_json(), **_facts(found)}, found.verdict)
    if reporter.ended_early and journal:
        remark(f"What was collected is in {journal}; the same command goes on from there.")
    reporter.finish()


def _collected(
    reporter: Reporter, address: str, journal: Path | None, choices: dict[str, Any], loading: SourceOpening
) -> Collection | None:
    """What was collected; None if the list could not be opened, which is then reported."""
    try:
        with loading.loader() as loader, showing_progress() as on_progress:
            return collect(address, **choices, loader=loader, journal=journal, on_progress=on_progress)
    except UsageError as problem:
        raise UsageError(_in_flags(problem.message)) from problem
    except SightlineError as problem:
        reporter.fail(address, problem)
        return None


def _counts(found: Collection) -> str:
    """How many records there are, of how many pages; those that only repeated records do not count."""
    pages = sum(bool(len(one.records)) for one in found.pages)
    return f"{counted(len(found.records), 'record')} of {counted(pages, 'page')}"


def _in_flags(text: str) -> str:
    """A sentence with the flags of this command for the names that Python knows."""
    return in_flags(text).replace("`pages`", "--pages").replace("`details`", "--details")


def _details(named: str | None) -> Details | None:
    if named is None:
        return None
    return AUTO if named == AUTO else Wrapper.load(named)


def _facts(found: Collection) -> dict[str, Any]:
    return {
        "stop": {"kind": found.stop.kind, "why": _in_flags(found.stop.why)},
        "doubts": [_in_flags(doubt) for doubt in found.doubts],
        "retries": found.retries,
        "road": _in_flags(found.road),
        "pages": [{"address": one.address, "way": one.way, "records": len(one.records)} for one in found.pages],
    }


def _tell(found: Collection, *, json: bool) -> None:
    remark(clean(_in_flags(f"Stopped: {found.stop.why.removesuffix('.')}.")))
    if found.road and len(found.pages) > 1:
        remark(clean(_in_flags(found.road.removesuffix("."))))
    if found.retries:
        remark(f"Asked again {found.retries:,} time{'s' * (found.retries != 1)}, as the site was busy or in trouble.")
    for doubt in found.doubts:
        remark(clean(_in_flags(doubt)))
    if not json:
        output.print(f"{_counts(found)} · {found.verdict}", markup=False)
        print_samples(found.records)


# `sightline next`: where a page of a list leads.

LINKS_SHOWN = 10  # pages of a list; --json has them all
WAYS = {"link": "by a link", "button": "by a button on the page", "box": "by a box to choose from"}


@dataclass(frozen=True, kw_only=True)
class NextFlags(JsonFlags):
    """What is known of a saved page."""

    base: str | None = flag(None, help="the address a saved page comes from, if the page does not say", metavar="URL")


def next_command(sources: Sources, flags: NextFlags, loading: SourceOpening) -> None:
    """Find where a page of a list leads: its next page, all pages it links to, and how many there are.

    Links are judged by what they say (in many languages), what they are called, where they lead, and what stands
    beside them; the evidence is shown.

    [bold]Examples[/]

      sightline next https://example.org/cameras

      sightline next saved.html --base https://example.org/cameras?page=2 --json
    """
    if flags.base is not None:
        check_address(flags.base, "--base")
    reporter = Reporter("paging", json=flags.json)
    with reporter:
        for name, _, found in reporter.over(sources, loading, lambda page, _: next_page(page, url=flags.base or "")):
            reporter.add(name, found.to_json())
            if not flags.json:
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
    for address in found.pages[:LINKS_SHOWN]:
        output.print(f"  {clean(address)}", markup=False)
    if len(found.pages) > LINKS_SHOWN:
        output.print(f"  … and {len(found.pages) - LINKS_SHOWN} more; --json has them all", markup=False)
    for reason in found.evidence:
        output.print(f"  because {clean(reason)}", style="dim", markup=False)
