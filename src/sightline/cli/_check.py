"""`sightline check`: whether what is extracted from pages can be trusted, as a verdict with its reasons."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.text import Text

from sightline import CheckSettings, OutlierSettings, Report, Wrapper
from sightline.checks import CHECKS, Issue, Outliers
from sightline.cli._console import complain, output, print_json, remark
from sightline.cli._content import check_extractor
from sightline.cli._files import check_suffix, content_of
from sightline.cli._flags import takes
from sightline.cli._listing import Everything
from sightline.cli._report import entry, exit_with
from sightline.cli._rows import INDENT
from sightline.cli._sources import Json, ReadingSettings, outcomes
from sightline.cli._text import clean, place_of, tell_more
from sightline.cli._wrappers import OPENING as LOADING_AS_LEARNED
from sightline.cli._wrappers import Static, as_learned
from sightline.data import Basic, Option, Record, Records, TupleOf, Value
from sightline.errors import UsageError
from sightline.extract.content import EXTRACTORS, OWN_NAME
from sightline.files import write_bytes
from sightline.jobs import (
    OPENING,
    CheckedPage,
    CheckedRun,
    Outcome,
    XPaths,
    check_run,
    checked_content,
    checked_records,
)
from sightline.page import Page
from sightline.store import History

__all__ = ["register"]

KIND = "report"
TOLD = 10  # issues of a check that are printed
PLACES = 3  # places of an issue that are printed
ABOUT = {
    **CHECKS,
    OPENING: "pages that could not be opened",
    "content": "pages without a main text",
    "outliers": "parts of the main text that look unlike the rest",
}
STYLES = {"ok": "bold green", "notice": "dim", "suspicious": "bold yellow", "failed": "bold red"}
COLUMNS = ("severity", "check", "field", "source", "reason")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(checking=CheckSettings, looks=OutlierSettings, **LOADING_AS_LEARNED)(check))


def check(  # noqa: PLR0913 - one for each flag
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[WRAPPER] SOURCE…",
            help="The wrapper (not with --by), then URLs, files, globs, folders, or - for standard input.",
            show_default=False,
        ),
    ],
    *,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="NAME",
            help=f"Check the main text instead, as found by {', '.join((OWN_NAME, *EXTRACTORS))}.",
        ),
    ] = None,
    history: Annotated[
        Path | None,
        typer.Option(
            "--history",
            metavar="FILE.json",
            help="Compare with the last good run, which this file remembers; a run that is ok takes its place.",
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="What is suspicious has failed.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the report into this file: .json, or its issues: .csv .jsonl .xml .xlsx .parquet or .html.",
        ),
    ] = None,
    features: Annotated[
        Path | None,
        typer.Option("--features", metavar="FILE.csv", help="Write how every node of the text looks, and its score."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw how the scores are distributed.")
    ] = None,
    origins: Annotated[bool, typer.Option("--origins", help="With box and XPath of what an issue is about.")] = False,
    everything: Everything = False,
    static: Static = None,
    json: Json = False,
    **settings: Any,
) -> None:
    """Check what a wrapper extracts from pages, all of them as one run: a verdict, and the reasons for it.

    ok: status 0 · suspicious: status 3 · failed: status 1.

    A page that cannot be opened is an issue like any other.

    With --by the main text of the pages is checked for parts that look unlike the rest of it.

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
        _said(outcomes(sources, settings, read)),
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
    """The wrapper if there is one, the sources, and how their pages are read."""
    if by is not None:
        if static:
            raise UsageError("Nobody knows how parts look without a browser; leave out --static.")
        settings["reading"] = ReadingSettings(static=False)
        return None, list(words), checked_content(by)
    file, *sources = words
    if not sources:
        raise UsageError(f"Give the pages after the wrapper: sightline check {file} SOURCE…")
    wrapper = Wrapper.load(file)
    as_learned(wrapper, settings, static=static)
    return wrapper, sources, checked_records(wrapper)


def _said(run: Iterable[Outcome[CheckedPage]]) -> Iterator[Outcome[CheckedPage]]:
    """The outcomes, with what failed or was cut said on standard error as it comes."""
    for outcome in run:
        if outcome.error:
            complain(outcome.error.message)
        for note in outcome.notes:
            remark(f"{outcome.source}: {note}")
        yield outcome


def _results(run: CheckedRun, xpaths: XPaths | None) -> list[dict[str, Any]]:
    """One result for each source, in order: the part of the report that is about it."""
    results = []
    for source, error in run.sources:
        about = run.about(source)
        document = None if error else about.to_json(xpath=xpaths)
        results.append(entry(source, KIND, document, about.verdict, error))
    return results


@dataclass(frozen=True)
class _Wanted:
    """What to do with the report."""

    by: str | None
    history: Path | None
    out: Path | None
    features: Path | None
    plot: Path | None

    def check(self, words: Sequence[str]) -> None:
        """Refuse what cannot be, before any page is opened; what is read is never written over."""
        if self.out:
            check_suffix(self.out)
        if self.by and self.history:
            raise UsageError("--history remembers the records of a wrapper; leave it out with --by.")
        if not self.by and (self.features or self.plot):
            raise UsageError(
                "--features and --plot tell how parts of a main text look; say --by, such as --by sightline."
            )
        for path, suffix in ((self.features, ".csv"), (self.plot, ".png"), (self.history, ".json")):
            if path and path.suffix.lower() != suffix:
                raise UsageError(f"{path}: this is written as {suffix[1:].upper()}; give the file the suffix {suffix}.")
        read = {Path(word).absolute() for word in words}
        for path in (self.out, self.history, self.features, self.plot):
            if path and path.absolute() in read:
                raise UsageError(f"{path} is what is checked; write into another file.")

    def write_looks(self, outliers: Outliers) -> None:
        """Write the features and draw the scores."""
        if self.features:
            write_bytes(self.features, outliers.to_csv().encode())
            remark(f"Written: {self.features} ({len(outliers.rows):,} nodes)")
        if self.plot:
            from sightline.draw import plot_scores  # slow to import, and seldom asked for

            rows = outliers.rows
            scores, letters = [row.score for row in rows], [row.letters for row in rows]
            drawn = plot_scores(scores, letters, [row.removed for row in rows])
            remark(f"Picture: {write_bytes(self.plot, drawn)}")


def _write(out: Path, report: Report, xpaths: XPaths | None) -> None:
    """The report as JSON, else its issues as rows; without issues there is a file all the same, as it says that."""
    if out.suffix.lower() == ".json":
        content = orjson.dumps(report.to_json(xpath=xpaths), option=orjson.OPT_INDENT_2) + b"\n"
    else:
        content = content_of(_rows(report), out, xpaths)
    write_bytes(out, content)
    count = len(report.issues)
    remark(f"Written: {out} ({report.verdict}, {count:,} issue{'s' * (count != 1)})")


def _rows(report: Report) -> Records:
    """A row for every issue; where it can be seen is the origin of its reason."""
    schema = TupleOf(tuple((name, Option(Basic()) if name in ("field", "source") else Basic()) for name in COLUMNS))
    return Records([_row(issue) for issue in report.issues], schema)


def _row(issue: Issue) -> Record:
    told = {name: getattr(issue, name) for name in COLUMNS}
    reason = Value(issue.reason, origin=issue.evidence[0] if issue.evidence else None)
    return Record(told | {"reason": reason})


def _print(report: Report, count: int, xpaths: XPaths | None, *, everything: bool) -> None:
    """The verdict, and below it the issues of each check, the worst first."""
    number = len(report.issues)
    facts = f" · {number or 'no'} issue{'s' * (number != 1)} on {count:,} page{'s' * (count != 1)}"
    output.print(Text.assemble((report.verdict, STYLES[report.verdict]), (facts, "dim")))
    order = {name: place for place, name in enumerate(dict.fromkeys(issue.check for issue in report.issues))}
    grouped = groupby(sorted(report.issues, key=lambda issue: order[issue.check]), key=lambda issue: issue.check)
    for name, group in grouped:
        issues = list(group)
        about = f" · {ABOUT[name]}" if name in ABOUT else ""
        output.print(Text.assemble((name, "bold"), (about, "dim")))
        for issue in issues if everything else issues[:TOLD]:
            _print_issue(issue, xpaths)
        tell_more(0 if everything else len(issues) - TOLD, "issue")


def _print_issue(issue: Issue, xpaths: XPaths | None) -> None:
    about = (f"{clean(issue.field)}: ", "italic") if issue.field else ""
    output.print(Text.assemble(INDENT, (issue.severity, STYLES[issue.severity]), "  ", about, clean(issue.reason)))
    if issue.source:
        output.print(Text(f"{INDENT * 2}{clean(issue.source)}", style="dim"))
    for origin in issue.evidence[:PLACES] if xpaths else ():
        told = "  ".join(part for part in (xpaths(origin) if xpaths else "", place_of(origin.box)) if part)
        if told:
            output.print(Text(f"{INDENT * 2}{clean(told)}", style="dim"))
