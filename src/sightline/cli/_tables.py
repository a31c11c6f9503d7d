"""`sightline tables`: the data tables on pages, as text, JSON, files or a picture."""

from pathlib import Path, PurePath
from typing import Annotated, Any

import typer

from sightline import TableSettings
from sightline.cli._console import output, remark
from sightline.cli._files import ExportSettings
from sightline.cli._flags import takes
from sightline.cli._pictures import draw, prepare_image
from sightline.cli._report import Reporter
from sightline.cli._sources import LOADING, Json, Sources, outcomes
from sightline.cli._table_files import check_name, write_tables, write_triples
from sightline.cli._table_text import print_tables, print_triples
from sightline.cli._text import clean
from sightline.cli._trace_text import print_trace
from sightline.data import Extraction, Table
from sightline.jobs import XPaths, extractor
from sightline.page import Page

__all__ = ["register"]

DATA_FILES = {".csv": "a CSV file", ".tsv": "a TSV file", ".json": "a JSON file", ".jsonl": "a file of JSON lines"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(finding=TableSettings, written=ExportSettings, **LOADING)(tables))


def tables(  # noqa: PLR0913 - one for each flag
    sources: Sources,
    *,
    containing: Annotated[
        str | None, typer.Option("--containing", metavar="WORD", help="Only tables that contain this text.")
    ] = None,
    first: Annotated[int | None, typer.Option("--first", min=1, help="Only the best N tables of each page.")] = None,
    without_totals: Annotated[
        bool, typer.Option("--without-totals", help="Leave out rows of totals and averages.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write to this file: .csv .jsonl .json .xml .grid.xml .xlsx .parquet or .html; or to this folder. "
            "Several tables become numbered files if the format holds only one.",
        ),
    ] = None,
    triples: Annotated[
        bool, typer.Option("--triples", help="Print triples instead: subject, predicate and object.")
    ] = False,
    origins: Annotated[
        bool, typer.Option("--origins", help="Include the box and XPath of every cell, in JSON, JSON lines and XML.")
    ] = False,
    image: Annotated[
        Path | None, typer.Option("--image", help="Draw the page with its tables and the roles of their cells.")
    ] = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show every candidate, the evidence for and against it, and the decision.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Print all rows and columns, not only the first.")] = False,
    json: Json = False,
    **settings: Any,
) -> None:
    """Find the data tables on pages, however they are marked up, with the roles of their cells; best first.

    [bold]Examples[/]

      sightline tables examples/emissions.html

      sightline tables "pages/*.html" --containing Price -o prices.csv

      sightline tables saved.page --json --origins

      sightline tables https://example.org --image tables.png --trace
    """
    if out:
        check_name(out, triples=triples)
    prepare_image(image, sources, settings)
    options = {"containing": containing, "first": first, "settings": settings.pop("finding"), "traced": True}
    find = extractor("tables")
    reporter, xpaths, kept = Reporter("tables", json=json), XPaths(), list[tuple[str, Table]]()
    with reporter:
        for name, page, found in reporter.found(outcomes(sources, settings, lambda page, _: find(page, **options))):
            some = [_wanted(table, without_totals=without_totals) for table in found if isinstance(table, Table)]
            if out:
                kept.extend((name, table) for table in some)
            if origins:
                xpaths.add_results(page, some)
            if image:
                draw(page, found.marks(), image)
            if not some:
                told = _told_data(name) or f"no table found; {_advice(page, found, containing, traced=trace)}."
                remark(told, source=name)
            documents = [_document(table, xpaths, origins=origins, trace=trace, triples=triples) for table in some]
            reporter.add(name, documents)
            if not json and (trace or (some and not out)):
                output.print(clean(name), style="dim", markup=False)
                _print(found, documents, trace=trace, triples=triples, everything=everything)
    if out:
        _write(out, kept, xpaths if origins else None, settings["written"], triples=triples)
    reporter.finish()


def _wanted(table: Table, *, without_totals: bool) -> Table:
    return table.without_totals() if without_totals else table


def _document(table: Table, xpaths: XPaths, *, origins: bool, trace: bool, triples: bool) -> dict[str, Any]:
    document = table.to_json(origins=origins, xpath=xpaths, evidence=trace)
    if triples:
        document["triples"] = [triple.to_json(origins=origins, xpath=xpaths) for triple in table.triples()]
    return document


def _told_data(name: str) -> str | None:
    """What to do with a file that is no page but rows already."""
    kind = DATA_FILES.get(PurePath(name.lower()).suffix)
    if kind is None:
        return None
    return f"this is {kind}, whose rows are data already; read it in a flow (`read:`) or give it to `sightline match`."


def _advice(page: Page, found: Extraction, containing: str | None, *, traced: bool) -> str:
    """What to try next, the most likely first."""
    if page.kind == "static":
        return "its layout is unknown, so use a browser (leave out --static)"
    if not (found.trace and found.trace.steps()[-1].rows):
        return "nothing on the page is laid out in rows and columns; see what it contains with `sightline show`"
    other = "leave out --containing" if containing else "try a lower --least-score"
    return other if traced else f"{other}, or see every candidate with --trace"


def _print(found: Extraction, documents: list[dict[str, Any]], *, trace: bool, triples: bool, everything: bool) -> None:
    if trace and found.trace:
        print_trace(found.trace)
    elif triples:
        print_triples(documents, everything=everything)
    else:
        print_tables(documents, everything=everything)


def _write(
    out: Path, kept: list[tuple[str, Table]], xpaths: XPaths | None, how: ExportSettings, *, triples: bool
) -> None:
    if triples:
        write_triples((triple for _, table in kept for triple in table.triples()), out, origins=xpaths, how=how)
    else:
        sources, tables = [source for source, _ in kept], [table for _, table in kept]
        write_tables(tables, out, origins=xpaths, how=how, sources=sources)
