"""`sightline extract`: records read from pages by a wrapper, with a verdict on each page."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from sightline import Wrapper
from sightline.cli._console import remark
from sightline.cli._files import ExportSettings, check_suffix, content_of, nothing_to_write
from sightline.cli._flags import takes
from sightline.cli._listing import Everything
from sightline.cli._pictures import draw, prepare_image
from sightline.cli._record_text import doubts_of, print_found
from sightline.cli._report import Reporter
from sightline.cli._sources import Json, Sources, outcomes
from sightline.cli._wrappers import OPENING, Static, WrapperFile, as_needed, command
from sightline.data import Basic, Record, Records, TupleOf, Value, join_records
from sightline.errors import UsageError, VerificationError
from sightline.extract.wrappers import Found
from sightline.files import write_bytes
from sightline.jobs import XPaths
from sightline.page import Page

__all__ = ["register"]

SOURCE = "source"
OTHER_SOURCE = "source page"  # if the pages have a field named “source”


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(written=ExportSettings, **OPENING)(extract))


def extract(  # noqa: PLR0913 - one for each flag
    file: WrapperFile,
    sources: Sources,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write all records to this file: .csv .jsonl .json .xml .xlsx .parquet or .html.",
        ),
    ] = None,
    origins: Annotated[
        bool, typer.Option("--origins", help="Include the box and XPath of every value, in JSON, JSON lines and XML.")
    ] = False,
    image: Annotated[Path | None, typer.Option("--image", help="Draw the page with every value framed.")] = None,
    everything: Everything = False,
    all_fields: Annotated[
        bool,
        typer.Option("--all-fields", help="Also read the fields that were set aside: menus, related items and so on."),
    ] = False,
    static: Static = None,
    json: Json = False,
    **settings: Any,
) -> None:
    """Extract records from pages with a wrapper, with a verdict on how well each page fits it.

    A page with a different template is an error and gives no records.

    A page that differs somewhat is suspicious: it gives its records, and the exit status is 3.

    A browser is used only if the wrapper needs one, which is tried when it is learned.

    [bold]Examples[/]

      sightline extract shop.wrapper.json https://example.org/product/7

      sightline extract shop.wrapper.json "products/*.html" -o products.csv

      sightline extract shop.wrapper.json saved.page --json --origins

      sightline extract shop.wrapper.json saved.page --image values.png
    """
    if out:
        _check_out(out, file)
    prepare_image(image, sources, settings)
    wrapper = Wrapper.load(file)
    wrapper = wrapper.all_fields() if all_fields else wrapper
    as_needed(wrapper, settings, static=static, image=image)
    reporter, xpaths, kept = Reporter("records", json=json), XPaths(), list[tuple[str, Records]]()
    read = partial(_read, wrapper, file)
    with reporter:
        for name, page, found in reporter.found(outcomes(sources, settings, read)):
            if not len(found.records):
                remark("no records found, though the page fits the wrapper.", source=name)
            if out:
                kept.append((name, found.records))
            if origins:
                xpaths.add_results(page, [found.records])
            if image:
                draw(page, found.records.marks(), image)
            if found.verdict != "ok":
                remark(doubts_of(wrapper, found, command("explain", file, name)), source=name)
            reporter.add(name, found.records.to_json(origins=origins, xpath=xpaths), found.verdict)
            if not json and not out:
                print_found(name, found, everything=everything)
    if out:
        several = len(reporter.entries) > 1 or reporter.ended_early
        _write(out, kept, xpaths if origins else None, settings["written"], with_source=several)
    reporter.finish()


def _check_out(out: Path, file: Path) -> None:
    check_suffix(out)
    if out.absolute() == file.absolute():
        raise UsageError(f"{out} is the wrapper itself; write the records to another file.")


def _read(wrapper: Wrapper, file: Path, page: Page, source: str) -> Found:
    """What a page holds; a rejected page is an error under the name the user gave, with what to do next."""
    found = wrapper.read(page)
    if found.verdict != "failed":
        return found
    advice = f"See where it differs: {command('explain', file, source)}"
    if page.kind == "static" and wrapper.rendered:
        advice = "The wrapper was learned from rendered pages; try --no-static."
    try:
        wrapper.extract(page)
    except VerificationError as refused:
        raise VerificationError(source, f"{refused.problem} {advice}") from refused
    raise AssertionError("a page that failed was not refused")


def _write(
    out: Path, kept: list[tuple[str, Records]], xpaths: XPaths | None, how: ExportSettings, *, with_source: bool
) -> None:
    parts = [_with_source(source, records) if with_source else records for source, records in kept]
    records = join_records(part for part in parts if len(part))
    if not len(records):
        nothing_to_write(out)
        return
    write_bytes(out, content_of(records, out, xpaths, how))
    counts = [(len(records), "record"), (len(kept), "page")]
    summary = " of ".join(f"{count:,} {what}{'s' * (count != 1)}" for count, what in counts)
    remark(f"Written: {out} ({summary})")


def _with_source(source: str, records: Records) -> Records:
    """Records with their source; if they have a field of that name, the source gets another name."""
    schema = records.schema
    if not isinstance(schema, TupleOf):
        return records
    name = SOURCE if SOURCE not in schema.names else OTHER_SOURCE
    if name in schema.names:
        return records
    value = Value(source)
    return Records(
        (Record({name: value, **record}) for record in records),
        TupleOf(((name, Basic()), *schema.fields)),
        records.language,
    )
