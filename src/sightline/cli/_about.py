"""`sightline about`: what pages are about, as cards, JSON, files or a picture."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from rich.table import Table as Drawn
from rich.text import Text

from sightline.cli._console import harmless, output, remark
from sightline.cli._files import check_suffix, content_of, draw, nothing_to_write, prepare_image
from sightline.cli._flags import flag, origins_of, output_file
from sightline.cli._sources import JsonFlags, Reporter, SourceOpening, Sources
from sightline.cli._text import clean, counted
from sightline.data import Record, Records, Thing, ThingProposal, ThingValue, Value, join_records
from sightline.errors import UsageError
from sightline.extract.about import KINDS, AboutSettings, AskedType, asked_text
from sightline.files import read_bytes, write_bytes
from sightline.jobs import XPaths, extractor

SHOWN = 5  # values of a field with many
LONGEST = 300  # characters of a value on the card
LONGEST_PROPOSAL = 60
MOST_BYTES = 1_000_000  # of a file with a JSON Schema
TYPES = get_args(AskedType)


@dataclass(frozen=True, kw_only=True)
class AboutFlags(JsonFlags):
    """What is wanted of the things, and how they are written."""

    kind: str | None = flag(
        None, help=f"read the pages as this kind of thing: {', '.join(KINDS)}", metavar="KIND", names="--as"
    )
    fields: str | None = flag(
        None,
        help="read these fields instead: names with commas between them, each with a type if you like "
        f"({', '.join(TYPES)}; a plural asks for several values), or a file with a JSON Schema (.json)",
        metavar="FIELDS",
    )
    out: Path | None = output_file(
        "write all things to this file, one a row: .csv .jsonl .json .xml .xlsx .parquet .html"
    )
    origins: bool = origins_of("every value, and where the page's own data says it")
    image: Path | None = flag(None, help="draw the page with every value framed")

    def check(self) -> None:
        """Reject what cannot be done before any page is opened."""
        if self.out:
            check_suffix(self.out)
        if self.kind is not None and self.kind not in KINDS:
            raise UsageError(f"--as {self.kind}: there is no such kind; use one of {', '.join(KINDS)}.")

    def asked(self) -> str:
        """The fields that are asked for, from their file where one is named."""
        if self.fields is None:
            return ""
        if self.fields.strip().endswith(".json"):
            content = read_bytes(self.fields.strip(), "give the file of a JSON Schema, or names of fields.", MOST_BYTES)
            try:
                return asked_text(content.decode("utf-8-sig"))
            except UnicodeDecodeError as error:
                raise UsageError(f"--fields {self.fields}: the file is not UTF-8; save it as UTF-8.") from error
        return asked_text(self.fields)


def about_command(sources: Sources, flags: AboutFlags, loading: SourceOpening) -> None:
    """Find what pages are about: a product, an article, a recipe, a job …, with its fields.

    What a page says for machines (JSON-LD, microdata, meta elements) is compared with what it shows to people. Where
    the two differ, the field is doubtful, both are shown, and the exit status is 3.

    With --fields, fields of your own are read instead, on any page and without an example: by labels, by names in the
    markup and in the page's own data, and by their types. What was not found is null; what comes nearest is proposed.

    [bold]Examples[/]

      sightline about https://shop.example/lamp

      sightline about "recipes/*.html" -o recipes.csv

      sightline about saved.page --as product --json --origins

      sightline about https://shop.example/bike --fields "name, price: money, frame size, colours: texts"

      sightline about "bikes/*.html" --fields bike.schema.json -o bikes.csv
    """
    flags.check()
    loading = prepare_image(flags.image, sources, loading)
    find = extractor("about")
    settings = AboutSettings(kind=flags.kind or "", fields=flags.asked())
    reporter, xpaths, kept = Reporter("thing", json=flags.json), XPaths(), _Things(flags)
    with reporter:
        for name, page, found in reporter.over(sources, loading, lambda page, _: find(page, settings=settings)):
            (thing,) = (result for result in found if isinstance(result, Thing))
            xpaths.add_results(page, [thing])
            if flags.out and (thing.kind or thing.fields):
                kept.things.append((name, thing))
            if flags.image:
                draw(page, found.marks(), flags.image)
            for reason in found.reasons:
                remark(reason, source=name)
            reporter.add(name, found.to_json(origins=flags.origins, xpath=xpaths), found.verdict)
            if not flags.json and not flags.out:
                _print(name, thing)
    if flags.out:
        kept.write(flags.out, xpaths)
    reporter.finish()


@dataclass
class _Things:
    """The things to write at the end."""

    flags: AboutFlags
    things: list[tuple[str, Thing]] = field(default_factory=list)

    def write(self, out: Path, xpaths: XPaths) -> None:
        if not self.things:
            nothing_to_write(out)
            return
        rows = join_records([_row(name, thing) for name, thing in self.things])
        write_bytes(out, content_of(rows, out, xpaths if self.flags.origins else None))
        remark(f"Written: {out} ({counted(len(self.things), 'thing')})")


def _row(source: str, thing: Thing) -> Records:
    """A thing as a row with its source, its kind and how many doubts there are."""
    about: dict[str, Any] = {"source": Value(source), "kind": Value(thing.kind or "")}
    doubts = {"doubts": Value("; ".join(f"{one.field}: {one.reason}" for one in thing.doubts))}
    return Records([Record({**about, **record, **doubts}) for record in thing.records()], None, thing.language)


def _print(source: str, thing: Thing) -> None:
    """A card: the kind and a line for each field, the doubtful ones marked."""
    output.print(Text(clean(source), style="dim"))
    if thing.kind:
        output.print(Text(thing.kind, style="bold"))
    if not thing.fields:
        return
    doubted = {one.field for one in thing.doubts}
    drawn = Drawn.grid(padding=(0, 2))
    drawn.add_column(style="dim", no_wrap=True)
    drawn.add_column(overflow="fold")
    for name, found in thing.fields.items():
        drawn.add_row(
            f"{name} ?" if name in doubted else name, _shown(found), style="yellow" if name in doubted else ""
        )
        if near := thing.proposals.get(name):
            drawn.add_row("", Text(f"perhaps: {' · '.join(_nearest(one) for one in near)}", style="dim"))
    output.print(drawn)


def _nearest(one: ThingProposal) -> str:
    text = harmless(one.value.text)
    return text if len(text) <= LONGEST_PROPOSAL else f"{text[:LONGEST_PROPOSAL]}…"


def _shown(found: Sequence[ThingValue]) -> Text:
    if not found:
        return Text("–", style="dim")
    texts = [_text(one) for one in found[:SHOWN]]
    more = [f"… and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    return Text("\n".join([*texts, *more]))


def _text(one: ThingValue) -> str:
    text = harmless(str(one.plain) if one.value.value is not None else one.value.text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
