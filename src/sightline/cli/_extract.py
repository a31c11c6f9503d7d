"""`sightline extract` and `explain`: records read from pages by a wrapper, and how it reads them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from rich.text import Text

from sightline import Wrapper
from sightline.cli._console import output, remark
from sightline.cli._files import ExportSettings, check_suffix, draw, nothing_to_write, prepare_image, write_rows
from sightline.cli._flags import ROW_FILES, argument, flag, origins_of, output_file, switch
from sightline.cli._sources import ALL, JsonFlags, Opening, Reporter, ShowingFlags, SourceOpening, Sources
from sightline.cli._text import INDENT, clean, counted, print_lines, print_rest
from sightline.cli._wrappers import (
    AsNeededSettings,
    WrapperFile,
    command,
    doubts_of,
    print_found,
    problem_lines,
    shares_of,
)
from sightline.data import Basic, Record, Records, TupleOf, Value, join_records
from sightline.errors import UsageError, VerificationError
from sightline.extract.wrappers import Explained, Found, Judged
from sightline.jobs import XPaths
from sightline.page import Page

SOURCE = "source"
OTHER_SOURCE = "source page"  # if the pages have a field named “source”


@dataclass(frozen=True, kw_only=True)
class ExtractFlags(JsonFlags):
    """Which values are read, and where they go."""

    out: Path | None = output_file(f"write all records to this file: {ROW_FILES}")
    origins: bool = origins_of("every value, in JSON, JSON lines and XML")
    image: Path | None = flag(None, help="draw the page with every value framed")
    everything: bool = switch(help=ALL, names="--all")
    all_fields: bool = switch(help="also read the fields that were set aside: menus, related items and so on")


def extract_command(
    file: WrapperFile,
    sources: Sources,
    flags: ExtractFlags,
    reading: AsNeededSettings,
    written: ExportSettings,
    opening: Opening,
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
    if flags.out:
        _check_out(flags.out, file)
    opening = prepare_image(flags.image, sources, opening)
    wrapper = Wrapper.load(file)
    wrapper = wrapper.all_fields() if flags.all_fields else wrapper
    left_out = 0 if flags.all_fields else len(wrapper.aside)
    loading = reading.as_needed(wrapper, opening, flags.image)
    reporter, kept = Reporter("records", json=flags.json), _Kept()
    with reporter:
        for name, page, found in reporter.over(sources, loading, partial(_read, wrapper, file)):
            kept.take(name, page, found, flags)
            if found.verdict != "ok":
                remark(doubts_of(wrapper, found, command("explain", file, name)), source=name)
            document = found.records.to_json(origins=flags.origins, xpath=kept.xpaths)
            reporter.add(name, document | {"set_aside": left_out} if left_out else document, found.verdict)
            if not flags.json and not flags.out:
                print_found(name, found, everything=flags.everything)
    if left_out and not flags.json:
        remark(f"{counted(left_out, 'field')} set aside, as the pages are not about them; --all-fields reads them too.")
    if flags.out:
        several = len(reporter.entries) > 1 or reporter.ended_early
        kept.write(flags.out, written, origins=flags.origins, with_source=several)
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


@dataclass
class _Kept:
    """The records of all pages, for a file."""

    records: list[tuple[str, Records]] = field(default_factory=list)
    xpaths: XPaths = field(default_factory=XPaths)

    def take(self, source: str, page: Page, found: Found, flags: ExtractFlags) -> None:
        """Keep the records of a page as far as they are wanted, and draw them."""
        if not len(found.records):
            remark("no records found, though the page fits the wrapper.", source=source)
        if flags.out:
            self.records.append((source, found.records))
        if flags.origins:
            self.xpaths.add_results(page, [found.records])
        if flags.image:
            draw(page, found.records.marks(), flags.image)

    def write(self, out: Path, how: ExportSettings, *, origins: bool, with_source: bool) -> None:
        """Write all records to one file; nothing without records."""
        parts = [_with_source(source, records) if with_source else records for source, records in self.records]
        records = join_records(part for part in parts if len(part))
        if not len(records):
            nothing_to_write(out)
            return
        told = f"{counted(len(records), 'record')} of {counted(len(self.records), 'page')}"
        write_rows(records, out, how, told, self.xpaths if origins else None)


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


@dataclass(frozen=True, kw_only=True)
class ExplainFlags(ShowingFlags):
    """What is explained."""

    only: tuple[str, ...] = flag((), help=f"show only texts read as: {', '.join(ROLES)}. Repeatable", metavar="ROLE")
    image: Path | None = flag(None, help="draw the page with every text coloured by what it was read as")
    text: str | None = flag(
        None, help="explain only this text: what every rule decides about it, and why", metavar="TEXT"
    )
    node: int | None = flag(None, help="explain only the node with this number", metavar="NUMBER", minimum=0)

    @property
    def example(self) -> str | int | None:
        """The single place to explain, if there is one."""
        return self.text if self.node is None else self.node

    def check(self) -> None:
        """Reject unknown roles, and what cannot be said together."""
        for role in self.only:
            if role not in ROLES:
                raise UsageError(f"--only {role}: there is no such role; use one of {', '.join(ROLES)}.")
        if self.text is not None and self.node is not None:
            raise UsageError("Give either --text or --node, not both.")
        if self.example is not None and (self.only or self.image):
            raise UsageError("--text and --node explain a single place; leave out --only and --image.")


def explain_command(
    file: WrapperFile,
    source: Annotated[str, argument(metavar="SOURCE", help="A URL, a file, or - for standard input.")],
    flags: ExplainFlags,
    reading: AsNeededSettings,
    opening: Opening,
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
    flags.check()
    opening = prepare_image(flags.image, [source], opening)
    wrapper = Wrapper.load(file)
    loading = reading.as_needed(wrapper, opening, flags.image)
    reporter = Reporter("explanation", json=flags.json)
    if flags.example is None:
        _explain_all(wrapper, source, flags, loading, reporter)
    else:
        _explain_one(wrapper, source, flags.example, loading, reporter, everything=flags.everything)
    reporter.finish()


def _explain_all(
    wrapper: Wrapper, source: str, flags: ExplainFlags, loading: SourceOpening, reporter: Reporter
) -> None:
    """Every text of a page, and the verdict."""
    for name, page, read in reporter.over([source], loading, partial(_explained, wrapper, flags.only)):
        if flags.image:
            from sightline.draw import marks_of_explained  # slow to import, rarely needed

            draw(page, marks_of_explained(read.shown), flags.image)
        reporter.add(name, read.to_json())
        if not flags.json:
            _print(name, read, everything=flags.everything)


def _explain_one(
    wrapper: Wrapper, source: str, example: str | int, loading: SourceOpening, reporter: Reporter, *, everything: bool
) -> None:
    """What every rule decides about one place."""
    for name, _, judged in reporter.over([source], loading, partial(_judged, wrapper, example)):
        reporter.add(name, {"example": example, "judged": [verdict._asdict() for verdict in judged]})
        if not reporter.json:
            _print_judged(name, judged, everything=everything)


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
