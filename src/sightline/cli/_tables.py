"""`sightline tables`: the data tables on pages, as text, JSON, files or a picture."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from rich import box
from rich.table import Table as Drawn
from rich.text import Text

from sightline.cli._console import output, remark
from sightline.cli._files import (
    TRACED,
    ExportSettings,
    FindingFlags,
    Findings,
    check_suffix,
    content_of,
    nothing_to_write,
    prepare_image,
    write_all,
    write_rows,
)
from sightline.cli._flags import flag, origins_of, output_file, switch
from sightline.cli._sources import Reporter, SourceOpening, Sources
from sightline.cli._text import WIDEST, clean, columns_that_fit, counted, print_drawn, print_rest, widths_of
from sightline.data import Extraction, Records, Table, Triple, XPath
from sightline.errors import UsageError
from sightline.extract.tables import TableSettings
from sightline.jobs import XPaths, extractor
from sightline.page import Page

DATA_FILES = {".csv": "a CSV file", ".tsv": "a TSV file", ".json": "a JSON file", ".jsonl": "a file of JSON lines"}


@dataclass(frozen=True, kw_only=True)
class TablesFlags(FindingFlags):
    """What is wanted of the tables."""

    containing: str | None = flag(None, help="only tables that contain this text", metavar="WORD")
    first: int | None = flag(None, help="only the best N tables of each page", minimum=1)
    without_totals: bool = switch(help="leave out rows of totals and averages")
    out: Path | None = output_file(
        "write to this file: .csv .jsonl .json .xml .grid.xml .xlsx .parquet or .html; or to this folder. "
        "Several tables become numbered files if the format holds only one"
    )
    triples: bool = switch(help="print triples instead: subject, predicate and object")
    origins: bool = origins_of("every cell, in JSON, JSON lines and XML")
    image: Path | None = flag(None, help="draw the page with its tables and the roles of their cells")
    trace: bool = switch(help=TRACED)
    everything: bool = switch(help="print all rows and columns, not only the first", names="--all")

    def document(self, table: Table, xpaths: XPaths) -> dict[str, Any]:
        """A table for the JSON contract."""
        document = table.to_json(origins=self.origins, xpath=xpaths, evidence=self.trace)
        if self.triples:
            document["triples"] = [one.to_json(origins=self.origins, xpath=xpaths) for one in table.triples()]
        return document


def tables_command(
    sources: Sources, flags: TablesFlags, finding: TableSettings, written: ExportSettings, loading: SourceOpening
) -> None:
    """Find the data tables on pages, however they are marked up, with the roles of their cells; best first.

    [bold]Examples[/]

      sightline tables examples/emissions.html

      sightline tables "pages/*.html" --containing Price -o prices.csv

      sightline tables saved.page --json --origins

      sightline tables https://example.org --image tables.png --trace
    """
    if flags.out:
        check_name(flags.out, triples=flags.triples)
    loading = prepare_image(flags.image, sources, loading)
    options = {"containing": flags.containing, "first": flags.first, "settings": finding, "traced": True}
    find = extractor("tables")
    reporter, findings = Reporter("tables", json=flags.json), Findings[Table](flags, written, XPaths())
    with reporter:
        for name, page, found in reporter.over(sources, loading, lambda page, _: find(page, **options)):
            some = [_wanted(table, flags) for table in found if isinstance(table, Table)]
            findings.take(name, page, found, some)
            if not some:
                told = _told_data(name) or f"no table found; {_advice(page, found, flags)}."
                remark(told, source=name)
            documents = [flags.document(table, findings.xpaths) for table in some]
            reporter.add(name, documents)
            if findings.are_printed(name, found, some):
                show = print_triples if flags.triples else print_tables
                show(documents, everything=flags.everything)
    _write(findings, flags)
    reporter.finish()


def _wanted(table: Table, flags: TablesFlags) -> Table:
    return table.without_totals() if flags.without_totals else table


def _told_data(name: str) -> str | None:
    """What to do with a file that isn't a page but rows already."""
    kind = DATA_FILES.get(PurePath(name.lower()).suffix)
    if kind is None:
        return None
    return f"this is {kind}, whose rows are data already; read it in a flow (`read:`) or give it to `sightline match`."


def _advice(page: Page, found: Extraction, flags: TablesFlags) -> str:
    """What to try next, the most likely first."""
    if page.kind == "static":
        return "its layout is unknown, so use a browser (leave out --static)"
    if not (found.trace and found.trace.steps()[-1].rows):
        return "nothing on the page is laid out in rows and columns; see what it contains with `sightline show`"
    other = "leave out --containing" if flags.containing else "try a lower --least-score"
    return other if flags.trace else f"{other}, or see every candidate with --trace"


def _write(findings: Findings[Table], flags: TablesFlags) -> None:
    if not flags.out:
        return
    how, origins = findings.how, findings.origins
    if flags.triples:
        write_triples((one for table in findings.kept for one in table.triples()), flags.out, origins=origins, how=how)
    else:
        write_tables(findings.kept, flags.out, origins=origins, how=how, sources=findings.sources)


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
    write_rows(Records(rows), path, how, counted(len(rows), "triple"), origins)


def _is_grid(path: Path) -> bool:
    return path.name.lower().endswith(GRID)
