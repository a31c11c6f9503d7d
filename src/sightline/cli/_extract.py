"""`sightline extract`: the records of pages, read by a wrapper, each page with its verdict."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from sightline import Page, Wrapper
from sightline.cli._console import remark
from sightline.cli._files import check_suffix, content_of, nothing_to_write
from sightline.cli._flags import takes
from sightline.cli._listing import Everything
from sightline.cli._origins import Origins
from sightline.cli._pictures import draw, prepare_image
from sightline.cli._record_text import print_found, problem_lines, shares_of
from sightline.cli._sources import Json, Sources, Suspicious, pages, report
from sightline.cli._wrappers import OPENING, Static, WrapperFile, as_learned, command
from sightline.data import Basic, Record, Records, TupleOf, Value, join_records
from sightline.errors import UsageError, VerificationError
from sightline.extract.wrappers import Found
from sightline.files import write_bytes
from sightline.sources import Loaded

__all__ = ["register"]

SOURCE = "source"
OTHER_SOURCE = "source page"  # where the pages have a field of the first name
TOLD = 3  # problems of a page


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(**OPENING)(extract))


def extract(  # noqa: PLR0913 - one for each flag
    file: WrapperFile,
    sources: Sources,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write all records into this file: .csv .jsonl .json .xml .xlsx .parquet or .html.",
        ),
    ] = None,
    origins: Annotated[
        bool, typer.Option("--origins", help="With box and XPath of every value, in JSON, JSON lines and XML.")
    ] = False,
    image: Annotated[
        Path | None, typer.Option("--image", help="Draw the page with a frame around every value.")
    ] = None,
    everything: Everything = False,
    static: Static = None,
    json: Json = False,
    **settings: Any,
) -> None:
    """Extract the records of pages by a wrapper, and say of each page whether it is one that the wrapper knows.

    A page of another template is refused: an error, and no records.

    A page that differs somewhat is suspicious: its records are given, and the exit status is 3.

    Pages are opened as those that the wrapper was learned from, with or without a browser.

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
    as_learned(wrapper, settings, static=static, image=image)
    harvest = _Harvest(file, wrapper, origins, image, out)
    report(
        harvest.and_then_write(pages(sources, settings)),
        "records",
        harvest.take,
        json=json,
        show=lambda source, *_: _show(source, harvest.found, everything=everything, written=out is not None),
    )


def _check_out(out: Path, file: Path) -> None:
    check_suffix(out)
    if out.absolute() == file.absolute():
        raise UsageError(f"{out} is the wrapper itself; write the records into another file.")


@dataclass
class _Harvest:
    """What was found so far, for the file at the end; the pages themselves are not kept."""

    file: Path
    wrapper: Wrapper
    with_origins: bool
    image: Path | None
    out: Path | None
    found: Found | None = None
    kept: list[tuple[str, Records]] = field(default_factory=list)
    opened: int = 0
    origins: Origins = field(default_factory=Origins)

    def take(self, page: Page, source: str) -> Any:
        """The document of the records of a page; what is wanted of them beyond that is done or kept."""
        self.found = found = self.wrapper.read(page)
        if found.verdict == "failed":
            self._refuse(page, source)
        if not len(found.records):
            remark(f"{source}: no record found, though it is a page that the wrapper knows.")
        if self.out:
            self.kept.append((source, found.records))
        if self.with_origins:
            self.origins.note_records(page, found.records)
        if self.image:
            from sightline.draw import marks_of_records  # slow to import, and seldom asked for

            draw(page, marks_of_records(found.records), self.image)
        records = found.records.to_json(origins=self.with_origins, xpath=self.origins)
        if found.verdict == "ok":
            return records
        remark(self._doubts(source, found))
        return Suspicious(records)

    def _refuse(self, page: Page, source: str) -> NoReturn:
        """Say why a page is refused, by the name that the user gave it, and what to do next."""
        advice = f"See where it differs: {command('explain', self.file, source)}"
        if page.kind == "static" and self.wrapper.rendered:
            advice = "The wrapper was learned from rendered pages; open it without --static."
        try:
            self.wrapper.extract(page)
        except VerificationError as refused:
            raise VerificationError(source, f"{refused.problem} {advice}") from refused
        raise AssertionError("a page that failed was not refused")

    def _doubts(self, source: str, found: Found) -> str:
        """The first of what is wrong with a page, and how to see the rest."""
        told = [line for one in found.problems[:TOLD] for line in problem_lines(one)]
        more = len(found.problems) - TOLD
        rest = f"… {more} more; see" if more > 0 else "See"
        return "\n".join(
            [
                f"{source}: suspicious; {shares_of(found, self.wrapper)}",
                *told,
                f"   {rest} all by: {command('explain', self.file, source)}",
            ]
        )

    def and_then_write(self, loaded: Iterator[Loaded]) -> Iterator[Loaded]:
        """The pages, and after the last one the file: also when some failed, and before their status is told."""
        for one in loaded:
            self.opened += 1
            yield one
        if self.out:
            self._write(self.out)

    def _write(self, out: Path) -> None:
        parts = [_with_source(*one) if self.opened > 1 else one[1] for one in self.kept]
        records = join_records(part for part in parts if len(part))
        if not len(records):
            nothing_to_write(out)
            return
        write_bytes(out, content_of(records, out, self.origins if self.with_origins else None))
        counts = [(len(records), "record"), (len(self.kept), "page")]
        told = " of ".join(f"{count:,} {what}{'s' * (count != 1)}" for count, what in counts)
        remark(f"Written: {out} ({told})")


def _with_source(source: str, records: Records) -> Records:
    """Records that say where they are from; a field of that name keeps it, and ours gets another."""
    schema = records.schema
    if not isinstance(schema, TupleOf):
        return records
    name = SOURCE if SOURCE not in schema.names else OTHER_SOURCE
    if name in schema.names:
        return records
    told = Value(source)
    return Records(
        (Record({name: told, **record}) for record in records),
        TupleOf(((name, Basic()), *schema.fields)),
        records.language,
    )


def _show(source: str, found: Found | None, *, everything: bool, written: bool) -> None:
    if written or found is None:
        return
    print_found(source, found, everything=everything)
