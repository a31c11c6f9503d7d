"""`sightline match`: which records of two tables are the same."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table as Grid

from sightline.cli._console import output, remark
from sightline.cli._files import ExportSettings, check_suffix, content_of
from sightline.cli._flags import takes
from sightline.cli._report import Reporter
from sightline.cli._sources import Json
from sightline.cli._text import clean, counted
from sightline.errors import UsageError
from sightline.files import write_bytes
from sightline.flow.match import Matches, MatchSettings, match
from sightline.flow.rows import RowLimits

__all__ = ["Left", "Right", "register"]

SHOWN = 20  # pairs of each zone; a file has them all

Left = Annotated[Path, typer.Argument(metavar="LEFT", help="Records: a file .csv .tsv .jsonl .json .parquet or .xlsx.")]
Right = Annotated[Path, typer.Argument(metavar="RIGHT", help="The catalogue, a table of the same formats.")]
KeptIn = Annotated[
    Path | None,
    typer.Option("--decisions", metavar="FILE", help="What people decided before; `sightline review` writes it."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("match")(takes(matching=MatchSettings, written=ExportSettings, limits=RowLimits)(find))


def find(
    left: Left,
    right: Right,
    *,
    decisions: KeptIn = None,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the pairs to this file: left, right, score and zone of each."),
    ] = None,
    json: Json = False,
    **settings: Any,
) -> None:
    """Match the records of a table to those of a catalogue: the same product, however each shop writes it.

    Columns of the same name are compared: names, model numbers, descriptions and prices, told by what they hold. Pairs
    that are surely the same are `matched`, doubtful ones are for `review`, and records without a partner are `new`.
    Records are named by their column `id`, or by their number.

    [bold]Examples[/]

      sightline match shop.csv catalogue.csv -o pairs.csv

      sightline match offers.parquet catalogue.xlsx --assignment many-to-one --decisions decisions.jsonl
    """
    if out:
        check_suffix(out)
    if decisions and not decisions.exists():
        raise UsageError(f"There is no file {decisions}; `sightline review` writes one, or leave out --decisions.")
    found = match(left, right, decisions=decisions, settings=settings["matching"], limits=settings["limits"])
    if json:
        reporter = Reporter("matches", json=True)
        reporter.add(f"{left} {right}", found.to_json())
        reporter.finish()
    if out:
        write_bytes(out, content_of(found, out, None, settings["written"]))
        remark(f"Written: {out} ({counted(len(found), 'row')})")
    elif not json:
        _show(found)
    if found.unasked:
        pairs = counted(found.unasked, "more pair")
        remark(f"{pairs} may be the same, but are too many to ask about; raise --review-share, or see --json.")
    if not json:
        output.print(_summary(found), markup=False)


def _show(found: Matches) -> None:
    for zone in ("matched", "review"):
        pairs = found.of(zone)
        if not pairs:
            continue
        grid = Grid("left", "right", "score", "record", "of the catalogue", title=zone, title_justify="left")
        for pair in pairs[:SHOWN]:
            texts = clean(pair.left_text), clean(pair.right_text)
            grid.add_row(clean(pair.left), clean(pair.right or ""), f"{pair.score:.2f}", *texts)
        output.print(grid)
        if len(pairs) > SHOWN:
            remark(f"{len(pairs) - SHOWN:,} more are {zone}; -o FILE writes them all.")


def _summary(found: Matches) -> str:
    counts = {zone: len(found.of(zone)) for zone in ("matched", "review", "new")}
    return f"{counts['matched']:,} matched · {counts['review']:,} to review · {counts['new']:,} new"
