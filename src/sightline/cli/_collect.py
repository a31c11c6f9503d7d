"""`sightline collect`: all records of a list over all its pages."""

from pathlib import Path
from typing import Annotated, Any

import typer

from sightline import Collection, Wrapper
from sightline._api import new_loader
from sightline.cli._console import output, remark, showing_progress
from sightline.cli._files import ExportSettings, check_suffix, content_of
from sightline.cli._flags import takes
from sightline.cli._report import Reporter, in_flags
from sightline.cli._sources import LOADING, Json
from sightline.cli._text import clean
from sightline.errors import SightlineError, UsageError
from sightline.files import write_bytes
from sightline.navigate import AUTO, MOST_PAGES, Details, collect

__all__ = ["register"]

WEB = ("http://", "https://")
JOURNAL = ".collecting"  # beside the output; it is removed in the end
SHOWN = 5  # records on the terminal; files have them all


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("collect")(takes(written=ExportSettings, **LOADING)(collect_list))


def collect_list(
    address: Annotated[str, typer.Argument(metavar="URL", help="The first page of the list.", show_default=False)],
    *,
    wrapper: Annotated[
        Path | None,
        typer.Option(
            "--wrapper",
            "-w",
            help="Read records by this wrapper; otherwise those of the page's main list.",
            show_default=False,
        ),
    ] = None,
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

      sightline collect https://example.org/cameras -w cameras.wrapper.json --pages 3 --json
    """
    if not address.startswith(WEB):
        raise UsageError(f"{address} is not an address; give one that begins with https://.")
    if out:
        check_suffix(out)
    reporter = Reporter("records", json=json)
    with reporter, showing_progress() as on_progress:
        loader = new_loader(
            static=settings["reading"].static,
            settings=settings["browser"],
            limits=settings["limits"],
            manners=settings["manners"],
            pdf=settings["pdf"],
        )
        try:
            with loader:
                found = collect(
                    address,
                    wrapper=Wrapper.load(wrapper) if wrapper else None,
                    details=_details(details),
                    pages=pages,
                    loader=loader,
                    journal=out.with_name(out.name + JOURNAL) if out else None,
                    on_progress=on_progress,
                )
        except UsageError:
            raise
        except SightlineError as problem:
            reporter.fail(address, problem)
            reporter.finish()
            return
        _tell(found, json=json)
        if out and len(found.records):
            write_bytes(out, content_of(found.records, out, None, settings["written"]))
            remark(f"Written: {out} ({len(found.records):,} records of {len(found.pages):,} pages)")
        reporter.add(address, {**found.records.to_json(), **_facts(found)}, found.verdict)
    reporter.finish()


def _details(named: str | None) -> Details | None:
    if named is None:
        return None
    return AUTO if named == AUTO else Wrapper.load(named)


def _facts(found: Collection) -> dict[str, Any]:
    return {
        "stop": {"kind": found.stop.kind, "why": found.stop.why},
        "doubts": list(found.doubts),
        "pages": [{"address": one.address, "way": one.way, "records": len(one.records)} for one in found.pages],
    }


def _tell(found: Collection, *, json: bool) -> None:
    remark(in_flags(f"Stopped: {found.stop.why}."))
    for doubt in found.doubts:
        remark(clean(in_flags(doubt)))
    if not json:
        counts = f"{len(found.records):,} records of {len(found.pages):,} pages · {found.verdict}"
        output.print(counts, markup=False)
        for record in found.records.to_dicts()[:SHOWN]:
            said = " · ".join(str(value) for value in record.values() if isinstance(value, str) and value)
            output.print(f"  {clean(said)[:110]}", markup=False)
        if len(found.records) > SHOWN:
            output.print(f"  … and {len(found.records) - SHOWN:,} more", markup=False)
