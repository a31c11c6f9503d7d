"""`sightline collect`: all records of a list over all its pages."""

from pathlib import Path
from typing import Annotated, Any

import typer

from sightline import Wrapper, next_page
from sightline.cli._console import output, remark, showing_progress
from sightline.cli._files import ExportSettings, check_suffix, content_of
from sightline.cli._flags import takes
from sightline.cli._report import Reporter, in_flags
from sightline.cli._sources import LOADING, Json, Sources, loader_for, outcomes
from sightline.cli._text import clean, counted, shortened
from sightline.errors import SightlineError, UsageError
from sightline.files import write_bytes
from sightline.navigate import Collection, Paging
from sightline.navigate.collect import AUTO, MOST_PAGES, Details, collect

__all__ = ["register_collect"]

WEB = ("http://", "https://")
JOURNAL = ".collecting"  # beside the output; it is removed in the end
SHOWN = 5  # records on the terminal; files have them all
WIDEST_LINE = 110  # characters


def register_collect(app: typer.Typer) -> None:
    """Add the command."""
    app.command("collect")(takes(written=ExportSettings, **LOADING)(collect_list))


def collect_list(  # noqa: PLR0913 - one for each flag
    address: Annotated[str, typer.Argument(metavar="URL", help="The first page of the list.", show_default=False)],
    *,
    wrapper: Annotated[
        Path | None,
        typer.Option(
            "--wrapper",
            "-w",
            help="Read records by this wrapper.",
            show_default=False,
        ),
    ] = None,
    lists: Annotated[
        bool, typer.Option("--lists", help="Collect the page's main list. This is the default.", show_default=False)
    ] = False,
    tables: Annotated[
        bool, typer.Option("--tables", help="Collect the rows of the page's main table.", show_default=False)
    ] = False,
    top: Annotated[
        bool, typer.Option("--top", help="Collect the items that the page's title promises.", show_default=False)
    ] = False,
    details: Annotated[
        str | None,
        typer.Option(
            "--details",
            metavar="WRAPPER",
            help="Also read the page that each record leads to, by this wrapper; `auto` learns one by itself.",
            show_default=False,
        ),
    ] = None,
    pages: Annotated[
        int, typer.Option("--pages", metavar="N", min=1, help="Read at most N pages of the list.")
    ] = MOST_PAGES,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write the records to this file: .csv .jsonl .json .xml .xlsx .parquet or .html."
        ),
    ] = None,
    json: Json = False,
    **settings: Any,
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
    if not address.startswith(WEB):
        raise UsageError(f"{address} is not an address; give one that begins with https://.")
    what = _what({"--wrapper": wrapper is not None, "--lists": lists, "--tables": tables, "--top": top})
    if out:
        check_suffix(out)
    reporter = Reporter("records", json=json)
    journal = out.with_name(out.name + JOURNAL) if out else None
    with reporter:
        loaded = Wrapper.load(wrapper) if wrapper else None
        choices = {"what": what, "wrapper": loaded, "details": _details(details), "pages": pages}
        found = _collected(reporter, address, journal, choices, settings)
        if found is not None:
            _finish(found, out, journal, settings["written"], json=json)
            reporter.add(address, {**found.records.to_json(), **_facts(found)}, found.verdict)
    if reporter.ended_early and journal:
        remark(f"What was collected is in {journal}; the same command goes on from there.")
    reporter.finish()


def _what(chosen: dict[str, bool]) -> str:
    """What is collected; a wrapper reads what it reads, as lists are."""
    flags = [flag for flag, is_given in chosen.items() if is_given]
    if len(flags) > 1:
        raise UsageError(f"{flags[0]} and {flags[1]} exclude each other; give one of them.")
    return flags[0].removeprefix("--") if flags and flags[0] != "--wrapper" else "lists"


def _collected(
    reporter: Reporter, address: str, journal: Path | None, choices: dict[str, Any], settings: dict[str, Any]
) -> Collection | None:
    """What was collected; None if the list could not be opened, which is then reported."""
    try:
        with loader_for(settings) as loader, showing_progress() as on_progress:
            return collect(address, **choices, loader=loader, journal=journal, on_progress=on_progress)
    except UsageError as problem:
        raise UsageError(_in_flags(problem.message)) from problem
    except SightlineError as problem:
        reporter.fail(address, problem)
        return None


def _finish(found: Collection, out: Path | None, journal: Path | None, how: ExportSettings, *, json: bool) -> None:
    """Tell how it went, and write the records; only then what was kept on the way is removed."""
    _tell(found, json=json)
    if out and len(found.records):
        write_bytes(out, content_of(found.records, out, None, how))
        remark(f"Written: {out} ({_counts(found)})")
    if journal:
        journal.unlink(missing_ok=True)


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
        "pages": [{"address": one.address, "way": one.way, "records": len(one.records)} for one in found.pages],
    }


def _tell(found: Collection, *, json: bool) -> None:
    remark(clean(_in_flags(f"Stopped: {found.stop.why.removesuffix('.')}.")))
    if found.retries:
        remark(f"Asked again {found.retries:,} time{'s' * (found.retries != 1)}, as the site was busy or in trouble.")
    for doubt in found.doubts:
        remark(clean(_in_flags(doubt)))
    if not json:
        output.print(f"{_counts(found)} · {found.verdict}", markup=False)
        for record in found.records.to_dicts()[:SHOWN]:
            said = " · ".join(str(value) for value in record.values() if isinstance(value, str) and value)
            output.print(f"  {shortened(clean(said), WIDEST_LINE)}", markup=False)
        if len(found.records) > SHOWN:
            output.print(f"  … and {len(found.records) - SHOWN:,} more", markup=False)


# `sightline next`: where a page of a list leads.

LINKS_SHOWN = 10  # pages of a list; --json has them all
WAYS = {"link": "by a link", "button": "by a button on the page", "box": "by a box to choose from"}


def register_next(app: typer.Typer) -> None:
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
    for address in found.pages[:LINKS_SHOWN]:
        output.print(f"  {clean(address)}", markup=False)
    if len(found.pages) > LINKS_SHOWN:
        output.print(f"  … and {len(found.pages) - LINKS_SHOWN} more; --json has them all", markup=False)
    for reason in found.evidence:
        output.print(f"  because {clean(reason)}", style="dim", markup=False)
