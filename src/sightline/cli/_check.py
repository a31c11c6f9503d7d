"""`sightline check`: whether extracted data can be trusted, as a verdict with its reasons."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import orjson
from rich.text import Text

from sightline import Wrapper
from sightline.checks import CHECKS, CheckSettings, Issue, Outliers, OutlierSettings, Report
from sightline.cli._console import complain, output, print_json, remark
from sightline.cli._content import check_extractor
from sightline.cli._files import check_suffix, content_of
from sightline.cli._flags import argument, flag, origins_of, output_file, switch
from sightline.cli._sources import Opening, ShowingFlags, SourceOpening, entry, exit_with, in_flags, outcomes
from sightline.cli._text import INDENT, clean, counted, place_of, print_rest
from sightline.cli._wrappers import AsNeededSettings
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


@dataclass(frozen=True, kw_only=True)
class CheckFlags(ShowingFlags):
    """What is checked, and which outputs are wanted."""

    by: str | None = flag(
        None,
        help=f"check the main text instead, as found by {', '.join((OWN_NAME, *text_extractors()))}",
        metavar="NAME",
    )
    history: Path | None = flag(
        None,
        help="compare with the last good run, stored in this file; a run that is ok replaces it",
        metavar="FILE.json",
    )
    strict: bool = switch(help="treat suspicious results as failed")
    out: Path | None = output_file(
        "write the report to this file: .json, or only its issues: .csv .jsonl .xml .xlsx .parquet or .html"
    )
    features: Path | None = flag(
        None, help="write the visual features and score of every text node", metavar="FILE.csv"
    )
    plot: Path | None = flag(None, help="plot the distribution of the scores", metavar="FILE.png")
    origins: bool = origins_of("each issue's evidence")

    def check(self, words: Sequence[str]) -> None:
        """Reject impossible flags before any page is opened; never overwrite an input."""
        check_extractor(self.by)
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


def check_command(
    words: Annotated[
        list[str],
        argument(
            metavar="[WRAPPER] SOURCE…",
            help="The wrapper (omit it with --by), then URLs, files, globs, folders, or - for standard input.",
        ),
    ],
    flags: CheckFlags,
    reading: AsNeededSettings,
    checking: CheckSettings,
    looks: OutlierSettings,
    opening: Opening,
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
    flags.check(words)
    work = _work(words, flags, reading, opening)
    remembered = History(flags.history) if flags.history else None
    run = check_run(
        _with_messages(outcomes(work.sources, work.loading, work.read)),
        profile=work.wrapper.profile if work.wrapper else None,
        last=remembered.last() if remembered else None,
        settings=checking,
        looks=looks,
    )
    report = run.report.strict() if flags.strict else run.report
    if run.outliers is not None:
        _write_looks(run.outliers, flags)
    if remembered and report.verdict == "ok":
        remark(f"Remembered: {remembered.remember(run.profile)}")
    _tell(run, report, flags)
    exit_with(report.verdict)


@dataclass(frozen=True)
class _Work:
    """The pages to check, what reads them, and what a wrapper expects of them."""

    sources: list[str]
    loading: SourceOpening
    read: Callable[[Page, str], CheckedPage]
    wrapper: Wrapper | None = None


def _work(words: Sequence[str], flags: CheckFlags, reading: AsNeededSettings, opening: Opening) -> _Work:
    if flags.by is not None:
        if reading.static:
            raise UsageError("--by compares how parts look, which needs a browser; leave out --static.")
        return _Work(list(words), opening.loading(static=False), checked_content(flags.by))
    file, *sources = words
    if not sources:
        raise UsageError(f"Give the pages after the wrapper: sightline check {file} SOURCE…")
    wrapper = Wrapper.load(file)
    return _Work(sources, reading.as_learned(wrapper, opening), checked_records(wrapper), wrapper)


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


def _write_looks(outliers: Outliers, flags: CheckFlags) -> None:
    """Write the features and draw the scores."""
    if flags.features:
        write_bytes(flags.features, outliers.to_csv().encode())
        remark(f"Written: {flags.features} ({counted(len(outliers.rows), 'node')})")
    if flags.plot:
        from sightline.draw import plot_scores  # slow to import, rarely needed

        rows = outliers.rows
        scores, letters = [row.score for row in rows], [row.letters for row in rows]
        drawn = plot_scores(scores, letters, [row.removed for row in rows])
        remark(f"Picture: {write_bytes(flags.plot, drawn)}")


def _tell(run: CheckedRun, report: Report, flags: CheckFlags) -> None:
    """Write or print the report."""
    xpaths = run.xpaths() if flags.origins else None
    if flags.out:
        _write(flags.out, report, xpaths)
    if flags.json:
        print_json({"results": _results(run, xpaths), KIND: report.to_json(xpath=xpaths)})
    elif not flags.out:
        _print(report, len(run.sources), xpaths, everything=flags.everything)


def _write(out: Path, report: Report, xpaths: XPaths | None) -> None:
    """Write the report as JSON, or its issues as rows; without issues too, since an empty file says so."""
    if out.suffix.lower() == ".json":
        content = orjson.dumps(report.to_json(xpath=xpaths), option=orjson.OPT_INDENT_2) + b"\n"
    else:
        content = content_of(_rows(report), out, xpaths)
    write_bytes(out, content)
    remark(f"Written: {out} ({report.verdict}, {counted(len(report.issues), 'issue')})")


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
    facts = f" · {number or 'no'} issue{'s' * (number != 1)} on {counted(count, 'page')}"
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
