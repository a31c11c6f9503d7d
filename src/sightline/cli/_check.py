"""`sightline check`: whether extracted data can be trusted, as a verdict with its reasons."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.text import Text

from sightline import Wrapper
from sightline.checks import CHECKS, CheckSettings, Issue, Outliers, OutlierSettings, Report
from sightline.cli._console import complain, output, print_json, remark
from sightline.cli._content import check_extractor
from sightline.cli._files import check_suffix, content_of
from sightline.cli._flags import takes
from sightline.cli._listing import Everything
from sightline.cli._report import entry, exit_with, in_flags
from sightline.cli._sources import Json, ReadingSettings, outcomes
from sightline.cli._text import INDENT, clean, place_of, print_rest
from sightline.cli._wrappers import OPENING as LOADING_AS_LEARNED
from sightline.cli._wrappers import Static, as_learned
from sightline.data import Basic, Option, Record, Records, TupleOf, Value
from sightline.errors import UsageError
from sightline.files import write_bytes
from sightline.jobs import (
    OPENING,
    OWN_NAME,
    CheckedPage,
    CheckedRun,
    Outcome,
    XPaths,
    check_run,
    checked_content,
    checked_records,
    text_extractors,
)
from sightline.page import Page
from sightline.project import History

__all__ = ["register_check"]

KIND = "report"
PRINTED = 10  # issues per check
PLACES = 3  # places per issue
ABOUT = {
    **CHECKS,
    OPENING: "pages that could not be opened",
    "content": "pages without a main text",
    "outliers": "parts of the main text that look unlike the rest",
}
STYLES = {"ok": "bold green", "notice": "dim", "suspicious": "bold yellow", "failed": "bold red"}
COLUMNS = ("severity", "check", "field", "source", "reason")


def register_check(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(checking=CheckSettings, looks=OutlierSettings, **LOADING_AS_LEARNED)(check))


def check(  # noqa: PLR0913 - one for each flag
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[WRAPPER] SOURCE…",
            help="The wrapper (omit it with --by), then URLs, files, globs, folders, or - for standard input.",
            show_default=False,
        ),
    ],
    *,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="NAME",
            help=f"Check the main text instead, as found by {', '.join((OWN_NAME, *text_extractors()))}.",
        ),
    ] = None,
    history: Annotated[
        Path | None,
        typer.Option(
            "--history",
            metavar="FILE.json",
            help="Compare with the last good run, stored in this file; a run that is ok replaces it.",
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Treat suspicious results as failed.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the report to this file: .json, or only its issues: .csv .jsonl .xml .xlsx .parquet or .html.",
        ),
    ] = None,
    features: Annotated[
        Path | None,
        typer.Option("--features", metavar="FILE.csv", help="Write the visual features and score of every text node."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE.png", help="Plot the distribution of the scores.")
    ] = None,
    origins: Annotated[
        bool, typer.Option("--origins", help="Include the box and XPath of each issue's evidence.")
    ] = False,
    everything: Everything = False,
    static: Static = None,
    json: Json = False,
    **settings: Any,
) -> None:
    """Check what a wrapper extracts from pages, together as one run: a verdict with its reasons.

    ok: status 0 · suspicious: status 3 · failed: status 1.

    A page that cannot be opened is an issue like any other.

    With --by, the main text of the pages is checked for parts that look unlike the rest.

    [bold]Examples[/]

      sightline check shop.wrapper.json "products/*.html"

      sightline check shop.wrapper.json urls.txt --history shop.history.json --strict

      sightline check shop.wrapper.json saved.page --json --origins

      sightline check --by trafilatura "news/*.html" --plot scores.png --features looks.csv
    """
    check_extractor(by)
    wanted = _Wanted(by, history, out, features, plot)
    wanted.check(words)
    wrapper, sources, read = _reading(words, by, settings, static=static)
    remembered = History(history) if history else None
    last = remembered.last() if remembered else None
    run = check_run(
        _with_messages(outcomes(sources, settings, read)),
        profile=wrapper.profile if wrapper else None,
        last=last,
        settings=settings["checking"],
        looks=settings["looks"],
    )
    report = run.report.strict() if strict else run.report
    if run.outliers is not None:
        wanted.write_looks(run.outliers)
    if remembered and report.verdict == "ok":
        remark(f"Remembered: {remembered.remember(run.profile)}")
    xpaths = run.xpaths() if origins else None
    if out:
        _write(out, report, xpaths)
    if json:
        print_json({"results": _results(run, xpaths), KIND: report.to_json(xpath=xpaths)})
    elif not out:
        _print(report, len(run.sources), xpaths, everything=everything)
    exit_with(report.verdict)


def _reading(
    words: Sequence[str], by: str | None, settings: dict[str, Any], *, static: bool | None
) -> tuple[Wrapper | None, list[str], Callable[[Page, str], CheckedPage]]:
    """The wrapper if there is one, the sources, and the function that reads their pages."""
    if by is not None:
        if static:
            raise UsageError("--by compares how parts look, which needs a browser; leave out --static.")
        settings["reading"] = ReadingSettings(static=False)
        return None, list(words), checked_content(by)
    file, *sources = words
    if not sources:
        raise UsageError(f"Give the pages after the wrapper: sightline check {file} SOURCE…")
    wrapper = Wrapper.load(file)
    as_learned(wrapper, settings, static=static)
    return wrapper, sources, checked_records(wrapper)


def _with_messages(run: Iterable[Outcome[CheckedPage]]) -> Iterator[Outcome[CheckedPage]]:
    """The outcomes; errors and notes go to standard error as they arrive."""
    for outcome in run:
        if outcome.error:
            complain(in_flags(outcome.error.message))
        for note in outcome.notes:
            remark(clean(in_flags(note)), source=outcome.source)
        yield outcome


def _results(run: CheckedRun, xpaths: XPaths | None) -> list[dict[str, Any]]:
    """One result for each source, in order: the part of the report that concerns it."""
    results = []
    for source, error in run.sources:
        about = run.about(source)
        document = None if error else about.to_json(xpath=xpaths)
        results.append(entry(source, KIND, document, about.verdict, error))
    return results


@dataclass(frozen=True)
class _Wanted:
    """Which outputs are wanted."""

    by: str | None
    history: Path | None
    out: Path | None
    features: Path | None
    plot: Path | None

    def check(self, words: Sequence[str]) -> None:
        """Reject impossible options before any page is opened; never overwrite an input."""
        if self.out:
            check_suffix(self.out)
        if self.by and self.history:
            raise UsageError("--history stores the records of a wrapper; it cannot be used with --by.")
        if not self.by and (self.features or self.plot):
            raise UsageError("--features and --plot describe a main text; add --by, such as --by sightline.")
        for path, suffix in ((self.features, ".csv"), (self.plot, ".png"), (self.history, ".json")):
            if path and path.suffix.lower() != suffix:
                raise UsageError(f"{path}: this file is written as {suffix[1:].upper()}; use the suffix {suffix}.")
        read = {Path(word).absolute() for word in words}
        for path in (self.out, self.history, self.features, self.plot):
            if path and path.absolute() in read:
                raise UsageError(f"{path} is one of the inputs; write to another file.")

    def write_looks(self, outliers: Outliers) -> None:
        """Write the features and draw the scores."""
        if self.features:
            write_bytes(self.features, outliers.to_csv().encode())
            remark(f"Written: {self.features} ({len(outliers.rows):,} nodes)")
        if self.plot:
            from sightline.draw import plot_scores  # slow to import, rarely needed

            rows = outliers.rows
            scores, letters = [row.score for row in rows], [row.letters for row in rows]
            drawn = plot_scores(scores, letters, [row.removed for row in rows])
            remark(f"Picture: {write_bytes(self.plot, drawn)}")


def _write(out: Path, report: Report, xpaths: XPaths | None) -> None:
    """Write the report as JSON, or its issues as rows; without issues too, since an empty file says so."""
    if out.suffix.lower() == ".json":
        content = orjson.dumps(report.to_json(xpath=xpaths), option=orjson.OPT_INDENT_2) + b"\n"
    else:
        content = content_of(_rows(report), out, xpaths)
    write_bytes(out, content)
    count = len(report.issues)
    remark(f"Written: {out} ({report.verdict}, {count:,} issue{'s' * (count != 1)})")


def _rows(report: Report) -> Records:
    """A row for every issue; its first evidence is the origin of its reason."""
    schema = TupleOf(tuple((name, Option(Basic()) if name in ("field", "source") else Basic()) for name in COLUMNS))
    return Records([_row(issue) for issue in report.issues], schema)


def _row(issue: Issue) -> Record:
    values = {name: getattr(issue, name) for name in COLUMNS}
    reason = Value(issue.reason, origin=issue.evidence[0] if issue.evidence else None)
    return Record(values | {"reason": reason})


def _print(report: Report, count: int, xpaths: XPaths | None, *, everything: bool) -> None:
    """Print the verdict, then the issues of each check, worst first."""
    number = len(report.issues)
    facts = f" · {number or 'no'} issue{'s' * (number != 1)} on {count:,} page{'s' * (count != 1)}"
    output.print(Text.assemble((report.verdict, STYLES[report.verdict]), (facts, "dim")))
    order = {name: place for place, name in enumerate(dict.fromkeys(issue.check for issue in report.issues))}
    grouped = groupby(sorted(report.issues, key=lambda issue: order[issue.check]), key=lambda issue: issue.check)
    for name, group in grouped:
        issues = list(group)
        about = f" · {ABOUT[name]}" if name in ABOUT else ""
        output.print(Text.assemble((name, "bold"), (about, "dim")))
        for issue in issues if everything else issues[:PRINTED]:
            _print_issue(issue, xpaths)
        print_rest(0 if everything else len(issues) - PRINTED, "issue")


def _print_issue(issue: Issue, xpaths: XPaths | None) -> None:
    about = (f"{clean(issue.field)}: ", "italic") if issue.field else ""
    output.print(
        Text.assemble(INDENT, (issue.severity, STYLES[issue.severity]), "  ", about, clean(in_flags(issue.reason)))
    )
    if issue.source:
        output.print(Text(f"{INDENT * 2}{clean(issue.source)}", style="dim"))
    for origin in issue.evidence[:PLACES] if xpaths else ():
        place = "  ".join(part for part in (xpaths(origin) if xpaths else "", place_of(origin.box)) if part)
        if place:
            output.print(Text(f"{INDENT * 2}{clean(place)}", style="dim"))
