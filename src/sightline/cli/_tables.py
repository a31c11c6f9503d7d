"""`sightline tables`: the data tables of pages, as text, JSON, files or a picture."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from sightline import Page, TableSettings
from sightline.cli._console import output, remark
from sightline.cli._flags import takes
from sightline.cli._origins import Origins
from sightline.cli._pictures import draw, prepare_image
from sightline.cli._sources import LOADING, Json, Sources, pages, report
from sightline.cli._table_files import check_name, write_tables, write_triples
from sightline.cli._table_text import print_tables, print_trace, print_triples
from sightline.cli._text import clean
from sightline.data import Table
from sightline.extract.tables import TableTrace, trace_tables
from sightline.sources import Loaded

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(finding=TableSettings, **LOADING)(tables))


def tables(  # noqa: PLR0913 - one for each flag
    sources: Sources,
    *,
    containing: Annotated[
        str | None, typer.Option("--containing", metavar="WORD", help="Only tables in which this text stands.")
    ] = None,
    first: Annotated[int | None, typer.Option("--first", min=1, help="Only the best so many of each page.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write into this file: .csv .jsonl .json .xml .grid.xml .xlsx .parquet or .html. "
            "Several tables become numbered files where the format holds only one.",
        ),
    ] = None,
    triples: Annotated[
        bool, typer.Option("--triples", help="What the tables say instead: subject, predicate and object.")
    ] = False,
    origins: Annotated[
        bool, typer.Option("--origins", help="With box and XPath of every cell, in JSON, JSON lines and XML.")
    ] = False,
    image: Annotated[
        Path | None, typer.Option("--image", help="Draw the page with its tables and the roles of their cells.")
    ] = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show what was looked at, what spoke for and against it, and the verdict.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Print all rows and columns, not only the first.")] = False,
    json: Json = False,
    **settings: Any,
) -> None:
    """Find the data tables of pages, however they were coded, with the roles of their cells, best first.

    [bold]Examples[/]

      sightline tables examples/emissions.html

      sightline tables "pages/*.html" --containing Price -o prices.csv

      sightline tables saved.page --json --origins

      sightline tables https://example.org --image tables.png --trace
    """
    if out:
        check_name(out, triples=triples)
    prepare_image(image, sources, settings)
    search = _Search(containing, settings.pop("finding"), first)
    wanted = _Wanted(triples, origins, trace, everything, image, out)
    harvest = _Harvest()

    def found(page: Page, source: str) -> list[dict[str, Any]]:
        return _found(search, page, source, wanted, harvest)

    report(
        _and_then_write(pages(sources, settings), wanted, harvest),
        "tables",
        found,
        json=json,
        show=lambda source, _, found: _show(source, found, wanted, harvest),
    )


@dataclass(frozen=True)
class _Search:
    """What to look for on every page."""

    containing: str | None
    settings: TableSettings
    first: int | None

    def of(self, page: Page) -> TableTrace:
        trace = trace_tables(page, containing=self.containing, settings=self.settings)
        return replace(trace, tables=trace.tables[: self.first])


@dataclass(frozen=True)
class _Wanted:
    """What to do with the tables."""

    triples: bool
    origins: bool
    trace: bool
    everything: bool
    image: Path | None
    out: Path | None


@dataclass
class _Harvest:
    """What was found so far; the pages themselves are not kept."""

    tables: list[Table] = field(default_factory=list)
    origins: Origins = field(default_factory=Origins)
    trace: TableTrace | None = None


def _found(search: _Search, page: Page, source: str, wanted: _Wanted, harvest: _Harvest) -> list[dict[str, Any]]:
    harvest.trace = trace = search.of(page)
    if wanted.out:
        harvest.tables.extend(trace.tables)
    if wanted.origins:
        harvest.origins.note_tables(page, trace.tables)
    if wanted.image:
        _draw(page, trace.tables, wanted.image)
    if not trace.tables:
        remark(f"{source}: no table found; {_advice(page, search, trace, traced=wanted.trace)}.")
    return [_document(table, wanted, harvest.origins) for table in trace.tables]


def _draw(page: Page, tables: Sequence[Table], image: Path) -> None:
    from sightline.draw import marks_of_tables  # slow to import, and seldom asked for

    draw(page, marks_of_tables(tables), image)


def _advice(page: Page, search: _Search, trace: TableTrace, *, traced: bool) -> str:
    """What to try next, the likeliest first."""
    if page.kind == "static":
        return "its layout is not known, so open it with a browser (without --static)"
    if not trace.candidates:
        return "nothing on it is laid out in rows and columns; see what is there by `sightline show`"
    other = "leave out --containing" if search.containing else "try a lower --least-score"
    return other if traced else f"{other}, or see what was looked at by --trace"


def _document(table: Table, wanted: _Wanted, origins: Origins) -> dict[str, Any]:
    document = table.to_json(origins=wanted.origins, xpath=origins, evidence=wanted.trace)
    return document | ({"triples": _triples(table, wanted, origins)} if wanted.triples else {})


def _triples(table: Table, wanted: _Wanted, origins: Origins) -> list[dict[str, Any]]:
    return [triple.to_json(origins=wanted.origins, xpath=origins) for triple in table.triples()]


def _and_then_write(loaded: Iterator[Loaded], wanted: _Wanted, harvest: _Harvest) -> Iterator[Loaded]:
    """The pages, and after the last one the file: also when some failed, and before their status is told."""
    yield from loaded
    if not wanted.out:
        return
    places = harvest.origins if wanted.origins else None
    if wanted.triples:
        write_triples((triple for table in harvest.tables for triple in table.triples()), wanted.out, origins=places)
    else:
        write_tables(harvest.tables, wanted.out, origins=places)


def _show(source: str, found: list[dict[str, Any]], wanted: _Wanted, harvest: _Harvest) -> None:
    if (wanted.out or not found) and not wanted.trace:
        return
    output.print(clean(source), style="dim", markup=False)
    if wanted.trace and harvest.trace:
        print_trace(harvest.trace)
    elif wanted.triples:
        print_triples(found, everything=wanted.everything)
    else:
        print_tables(found, everything=wanted.everything)
