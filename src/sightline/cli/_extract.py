"""`sightline extract`: records read from pages by a wrapper, with a verdict on each page."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from sightline import Wrapper
from sightline.cli._console import output, remark
from sightline.cli._files import ExportSettings, check_suffix, content_of, draw, nothing_to_write, prepare_image
from sightline.cli._flags import takes
from sightline.cli._listing import Everything
from sightline.cli._record_text import doubts_of, print_found, problem_lines, shares_of
from sightline.cli._report import Reporter
from sightline.cli._sources import Json, Sources, outcomes
from sightline.cli._text import INDENT, clean, print_lines, print_rest
from sightline.cli._wrappers import OPENING, Static, WrapperFile, as_needed, command
from sightline.data import Basic, Record, Records, TupleOf, Value, join_records
from sightline.errors import UsageError, VerificationError
from sightline.extract.wrappers import Explained, Found, Judged
from sightline.files import write_bytes
from sightline.jobs import XPaths
from sightline.page import Page

__all__ = ["register_extract"]

SOURCE = "source"
OTHER_SOURCE = "source page"  # if the pages have a field named “source”


def register_extract(app: typer.Typer) -> None:
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


# `sightline explain`: every text of a page, what a wrapper reads it as, and why.

ROWS = 40
PROBLEMS = 5
WIDEST_NAME = 18  # of a field, to leave room for the text and the reason
ROLES = {
    "field": "green",
    "template": "dim",
    "changed": "yellow",
    "dropped": "dim italic",
    "unknown": "red",
    "other": "dim",
}
TAKEN, NOT_TAKEN = "yes", "no"
YES, NO = "✓", "✗"
VERDICTS = {"ok": "bold green", "suspicious": "bold yellow", "failed": "bold red"}


def register_explain(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(**OPENING)(explain))


def explain(  # noqa: PLR0913 - one for each flag
    file: WrapperFile,
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="A URL, a file, or - for standard input.", show_default=False)
    ],
    *,
    only: Annotated[
        list[str],
        typer.Option("--only", metavar="ROLE", help=f"Show only texts read as: {', '.join(ROLES)}. Repeatable."),
    ] = [],  # noqa: B006 - typer's way of saying that there may be none
    image: Annotated[
        Path | None, typer.Option("--image", help="Draw the page with every text coloured by what it was read as.")
    ] = None,
    text: Annotated[
        str | None,
        typer.Option(
            "--text", metavar="TEXT", help="Explain only this text: what every rule decides about it, and why."
        ),
    ] = None,
    node: Annotated[
        int | None, typer.Option("--node", metavar="NUMBER", help="Explain only the node with this number.", min=0)
    ] = None,
    everything: Everything = False,
    static: Static = None,
    json: Json = False,
    **settings: Any,
) -> None:
    """Explain how a wrapper reads a page: every text in order, what it was read as, and why.

    [bold]field[/]: data · [bold]template[/]: the same on all pages · [bold]changed[/]: the template has another text

    [bold]dropped[/]: a field that was dropped with edit · [bold]unknown[/]: the template has no place for it

    [bold]other[/]: no rule of a taught wrapper matches it

    The verdict on the page follows, with its problems.

    [bold]Examples[/]

      sightline explain shop.wrapper.json https://example.org/product/7

      sightline explain shop.wrapper.json saved.page --only unknown

      sightline explain shop.wrapper.json saved.page --text "500 €"

      sightline explain shop.wrapper.json saved.page --image read.png
    """
    _check_roles(only)
    _check_one(text, node, only, image)
    prepare_image(image, [source], settings)
    wrapper = Wrapper.load(file)
    as_needed(wrapper, settings, static=static, image=image)
    reporter = Reporter("explanation", json=json)
    if text is not None or node is not None:
        example = text if node is None else node
        assert example is not None
        judge = partial(_judged, wrapper, example)
        for name, _, judged in reporter.found(outcomes([source], settings, judge)):
            reporter.add(name, {"example": example, "judged": [verdict._asdict() for verdict in judged]})
            if not json:
                _print_judged(name, judged, everything=everything)
        reporter.finish()
        return
    explain = partial(_explained, wrapper, only)
    for name, page, read in reporter.found(outcomes([source], settings, explain)):
        if image:
            from sightline.draw import marks_of_explained  # slow to import, rarely needed

            draw(page, marks_of_explained(read.shown), image)
        reporter.add(name, read.to_json())
        if not json:
            _print(name, read, everything=everything)
    reporter.finish()


def _explained(wrapper: Wrapper, only: Sequence[str], page: Page, _: str) -> "_ReadPage":
    texts = wrapper.explain(page)
    shown = [text for text in texts if not only or text.role in only]
    return _ReadPage(wrapper, wrapper.read(page, traced=True), texts, shown)


def _judged(wrapper: Wrapper, example: str | int, page: Page, source: str) -> list[Judged]:
    """What every rule decides about one text or node."""
    judged = wrapper.judge(page, example)
    if not judged:
        what = f"“{example}”" if isinstance(example, str) else f"node {example}"
        raise UsageError(f"{source}: no text to explain at {what}; give a text exactly as the page shows it.")
    return judged


def _check_roles(roles: Sequence[str]) -> None:
    for role in roles:
        if role not in ROLES:
            raise UsageError(f"--only {role}: there is no such role; use one of {', '.join(ROLES)}.")


def _check_one(text: str | None, node: int | None, only: Sequence[str], image: Path | None) -> None:
    if text is not None and node is not None:
        raise UsageError("Give either --text or --node, not both.")
    if (text is not None or node is not None) and (only or image):
        raise UsageError("--text and --node explain a single place; leave out --only and --image.")


def _print_judged(name: str, judged: Sequence[Judged], *, everything: bool) -> None:
    """Print a line for every condition of each rule: first those that reject the text, as they are the reason."""
    output.print(Text(clean(name), style="bold"))
    head = [Text(word, style="italic dim") for word in ("field", "takes it", "", "condition")]
    lines = [head]
    for judgement in judged:
        decision = [(TAKEN, "green") if judgement.taken else (NOT_TAKEN, "red"), ("", "")]
        signs = [*((NO, "red", what) for what in judgement.fails), *((YES, "green", what) for what in judgement.holds)]
        for place, (sign, style, what) in enumerate(signs or [("", "", judgement.rule)]):
            first = place == 0
            lines.append(
                [
                    Text(clean(judgement.field or judgement.rule) if first else "", style="bold"),
                    Text(*decision[not first]),
                    Text(sign, style=style),
                    Text(clean(what)),
                ]
            )
    print_lines(lines, everything=everything)


@dataclass(frozen=True)
class _ReadPage:
    """How a page was read: the verdict, all its texts, and those to show."""

    wrapper: Wrapper
    found: Found
    texts: Sequence[Explained]
    shown: Sequence[Explained]

    def to_json(self) -> dict[str, Any]:
        found = self.found
        return {
            "verdict": found.verdict,
            "found": round(found.found, 4),
            "known": round(found.known, 4),
            "problems": [{"xpath": problem.xpath, "what": problem.what} for problem in found.problems],
            "texts": [text._asdict() for text in self.shown],
        }


def _print(name: str, read: _ReadPage, *, everything: bool) -> None:
    output.print(Text(clean(name), style="bold"))
    shown = read.shown if everything else read.shown[:ROWS]
    if shown:
        head = [Text(word, style="italic dim") for word in ("read as", "field", "text", "why")]
        print_lines([head, *(_line(text, everything=everything) for text in shown)], everything=everything)
    print_rest(len(read.shown) - len(shown), "text")
    _print_verdict(read, everything=everything)


def _line(text: Explained, *, everything: bool) -> list[Text]:
    name = Text(clean(text.field or ""), style="bold")
    if not everything:
        name.truncate(WIDEST_NAME, overflow="ellipsis")
    return [
        Text(text.role, style=ROLES.get(text.role, "")),
        name,
        Text(clean(text.text)),
        Text(clean(text.why), style="dim"),
    ]


def _print_verdict(read: _ReadPage, *, everything: bool) -> None:
    """Print the verdict, how much was found and known, the number of texts per role, and the problems."""
    found = read.found
    output.print(Text.assemble((found.verdict, VERDICTS[found.verdict]), f"; {shares_of(found, read.wrapper)}"))
    counts = Counter(text.role for text in read.texts)
    summary = " · ".join(f"{role} {counts[role]}" for role in ROLES if counts[role])
    if summary:
        output.print(Text(f"{INDENT}{summary}", style="dim"))
    shown = found.problems if everything else found.problems[:PROBLEMS]
    for problem in shown:
        what, *where = problem_lines(problem)
        line = Text(what)
        if not everything:
            line.truncate(output.width, overflow="ellipsis")
        output.print(line, *(Text(place, style="dim") for place in where), sep="\n")
    print_rest(len(found.problems) - len(shown), "problem")
