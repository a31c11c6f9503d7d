"""`sightline tables`: the data tables on pages, as text, JSON, files or a picture."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table as Drawn
from rich.text import Text

from sightline.cli._console import output, remark
from sightline.cli._files import (
    ExportSettings,
    check_suffix,
    content_of,
    draw,
    nothing_to_write,
    prepare_image,
    write_all,
)
from sightline.cli._flags import takes
from sightline.cli._report import Reporter
from sightline.cli._sources import LOADING, Json, Sources, outcomes
from sightline.cli._text import (
    WIDEST,
    clean,
    columns_that_fit,
    print_drawn,
    print_rest,
    print_trace,
    widths_of,
)
from sightline.data import Extraction, Records, Table, Triple, XPath
from sightline.errors import UsageError
from sightline.extract.tables import TableSettings
from sightline.files import write_bytes
from sightline.jobs import XPaths, extractor
from sightline.page import Page

__all__ = ["check_name", "print_tables", "print_triples", "register_tables", "write_tables", "write_triples"]

DATA_FILES = {".csv": "a CSV file", ".tsv": "a TSV file", ".json": "a JSON file", ".jsonl": "a file of JSON lines"}


def register_tables(app: typer.Typer) -> None:
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
    """What to do with a file that isn't a page but rows already."""
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


# Prints tables as drawings, as far as the terminal has room.

ROWS = 20
STYLES = {
    "column header": "bold",
    "corner": "bold",
    "row header": "bold",
    "section": "bold italic",
    "total": "italic",
    "note": "dim",
}


def print_tables(tables: Sequence[Mapping[str, Any]], *, everything: bool) -> None:
    """Print each table of the JSON contract with its caption, shape and score."""
    for number, table in enumerate(tables, start=1):
        height, width = len(table["rows"]), len(table["rows"][0]) if table["rows"] else 0
        shape = f"{height} rows × {width} columns"
        kind = "one record · " if table.get("kind") == "record" else ""
        _title(table, f"table {number} of {len(tables)} · {kind}{shape} · score {table['score']:.2f}")
        lines = _lines(table, None if everything else ROWS)
        fitting = width if everything else columns_that_fit(lines, output.width)
        room = None if everything else output.width
        print_drawn(_grid([line[:fitting] for line in lines], table["header_rows"], room), endless=everything)
        print_rest(height - len(lines), "row")
        print_rest(width - fitting, "column")
        for doubt in table.get("doubts", ()):
            output.print(Text(f"doubt: {clean(doubt)}", style="yellow"))


def print_triples(tables: Sequence[Mapping[str, Any]], *, everything: bool) -> None:
    """Print the triples of each table."""
    for number, table in enumerate(tables, start=1):
        triples = table["triples"]
        _title(table, f"table {number} of {len(tables)} · {len(triples)} triples")
        height = None if everything else ROWS
        drawn = _drawn("subject", "predicate", "object")
        for triple in triples[:height]:
            drawn.add_row(*(Text(clean(_text(triple[name]))) for name in ("subject", "predicate", "object")))
        print_drawn(drawn)
        print_rest(len(triples) - len(triples[:height]), "triple")


def _title(table: Mapping[str, Any], facts: str) -> None:
    if table["caption"]:
        output.print(Text(clean(table["caption"]), style="bold"))
    output.print(Text(facts, style="dim"))


def _lines(table: Mapping[str, Any], height: int | None) -> list[list[Text]]:
    cells = {(cell["row"], cell["column"]): cell for cell in table["cells"]}
    rows = enumerate(table["rows"][:height])
    return [[_cell(cells.get((row, column))) for column in range(len(line))] for row, line in rows]


def _grid(lines: Sequence[Sequence[Text]], header_rows: int, room: int | None) -> Drawn:
    drawn = Drawn(box=box.SQUARE, show_header=False)
    for width in widths_of(lines, room):
        drawn.add_column("", no_wrap=True, overflow="ellipsis", width=width)
    for row, line in enumerate(lines, start=1):
        drawn.add_row(*line, end_section=row == header_rows)
    return drawn


def _cell(cell: Mapping[str, Any] | None) -> Text:
    """The text of a cell at its first place; the other places it covers stay empty."""
    return Text(clean(cell["text"]), style=STYLES.get(cell["role"], "")) if cell else Text("")


def _drawn(*names: str) -> Drawn:
    drawn = Drawn(box=box.SQUARE)
    for name in names:
        drawn.add_column(name, no_wrap=True, overflow="ellipsis", max_width=WIDEST)
    return drawn


def _text(plain: str | Mapping[str, Any]) -> str:
    """The text of a value, with or without its origin around it."""
    return plain if isinstance(plain, str) else str(plain["text"])


# Writes tables to files: in the usual formats, as grids, or as triples.

GRID = ".grid.xml"


def check_name(path: Path, *, triples: bool) -> None:
    """Reject a suffix that names no format, before any page is opened."""
    if triples and _is_grid(path):
        raise UsageError(f"{path}: a grid holds cells, not triples; use .csv or .jsonl, or leave out --triples.")
    check_suffix(path, GRID, folder=not triples)


def write_tables(
    tables: Sequence[Table],
    path: Path,
    *,
    origins: XPath | None,
    how: ExportSettings,
    sources: Sequence[str] = (),
) -> None:
    """Write one file if its format holds all tables, else one numbered file each; nothing without tables."""

    def content(part: Table | Sequence[Table], file: Path) -> bytes:
        if isinstance(part, Table) and _is_grid(file):
            return part.to_grid_xml().encode()
        return content_of(part, file, origins, how, sources)

    advice = "--first 1 writes only the best"
    write_all(tables, path, content, what="table", sources=sources, others=(GRID,), advice=advice)


def write_triples(triples: Iterable[Triple], path: Path, *, origins: XPath | None, how: ExportSettings) -> None:
    """Write all triples to one file, a row each; nothing without triples."""
    rows = [{"subject": triple.subject, "predicate": triple.predicate, "object": triple.object} for triple in triples]
    if not rows:
        nothing_to_write(path)
        return
    written = write_bytes(path, content_of(Records(rows), path, origins, how))
    remark(f"Written: {written} ({len(rows):,} triple{'s' * (len(rows) > 1)})")


def _is_grid(path: Path) -> bool:
    return path.name.lower().endswith(GRID)
