"""`sightline check`: whether what is extracted from pages can be trusted, as a verdict with its reasons."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer
from rich.text import Text

from sightline import CheckSettings, OutlierSettings, Page, Report, Wrapper
from sightline.checks import CHECKS, Issue, PageRecords, check_records, profile_of_run
from sightline.cli._console import complain, output, print_json, remark
from sightline.cli._content import OWN, check_extractor, content_by, has_layout, seen_on
from sightline.cli._files import check_suffix, content_of
from sightline.cli._flags import takes
from sightline.cli._listing import Everything
from sightline.cli._origins import Origins
from sightline.cli._rows import INDENT
from sightline.cli._sources import SUSPICIOUS, Json, ReadingSettings, failure, pages
from sightline.cli._text import clean, place_of, tell_more
from sightline.cli._wrappers import OPENING, Static, as_learned
from sightline.data import Basic, Option, Profile, Record, Records, TupleOf, Value
from sightline.errors import SightlineError, UsageError
from sightline.extract.content import EXTRACTORS
from sightline.files import read_bytes, write_bytes
from sightline.sources import Loaded

if TYPE_CHECKING:
    from sightline.checks import ExtractedNodes, Outliers

__all__ = ["register"]

KIND = "report"
TOLD = 10  # issues of a check that are printed
PLACES = 3  # places of an issue that are printed
OPENED = "opening"  # the check whose issues are pages that could not be read at all
ABOUT = {
    **CHECKS,
    OPENED: "pages that could not be opened",
    "content": "pages without a main text",
    "outliers": "parts of the main text that look unlike the rest",
}
STYLES = {"ok": "bold green", "notice": "dim", "suspicious": "bold yellow", "failed": "bold red"}
COLUMNS = ("severity", "check", "field", "source", "reason")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(checking=CheckSettings, looks=OutlierSettings, **OPENING)(check))


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
            help=f"Check the main text instead, as found by {', '.join((OWN, *EXTRACTORS))}.",
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
    run = _run(words, by, settings, static=static)
    last = _remembered(history)
    for one in pages(run.sources, settings):
        run.take(one)
    report, outliers = run.report(last, settings["checking"], settings["looks"])
    report = report.strict() if strict else report
    if outliers is not None:
        wanted.write_looks(outliers)
    if history and report.verdict == "ok":
        _remember(history, run.taken)
    places = run.places(report) if origins else None
    if out:
        _write(out, report, places)
    if json:
        print_json({"results": run.results(report, places), KIND: report.to_json(xpath=places)})
    elif not out:
        _print(report, len(run.entries), places, everything=everything)
    if report.verdict != "ok":
        raise typer.Exit(1 if report.verdict == "failed" else SUSPICIOUS)


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

    def write_looks(self, outliers: "Outliers") -> None:
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


@dataclass
class _Run:
    """One run: what was taken from each page, and the pages that could not be read."""

    sources: list[str]
    by: str | None = None
    wrapper: Wrapper | None = None
    entries: list[dict[str, Any]] = field(default_factory=list)
    taken: list[PageRecords] = field(default_factory=list)
    seen: "list[ExtractedNodes]" = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)

    def take(self, one: Loaded) -> None:
        """Read a page; one that cannot be read is an issue and stops no other."""
        entry: dict[str, Any] = {"source": one.source, "kind": KIND, "verdict": None, KIND: None, "error": None}
        self.entries.append(entry)
        try:
            if one.error:
                raise one.error
            assert one.page is not None
            self._read(one.page, one.source)
        except SightlineError as error:
            entry |= failure(error)
            complain(error.message)
            self.issues.append(
                Issue(OPENED, "failed", error.message.removeprefix(f"{one.source}: "), source=one.source)
            )
        else:
            for note in one.page.notes:
                remark(f"{one.source}: {note}")

    def _read(self, page: Page, source: str) -> None:
        if self.wrapper is not None:
            found = self.wrapper.read(page)
            problems = tuple(one.what for one in found.problems)
            self.taken.append(PageRecords(found.records, page, source, found.verdict, problems))
            return
        text = content_by(page, self.by)
        if not text.nodes:  # what a page only says of itself stands nowhere on it
            self.issues.append(Issue("content", "suspicious", "no main text was found.", source=source))
        elif not has_layout(page):
            reason = "the page has no layout, so nobody knows how its parts look; open it with a browser."
            self.issues.append(Issue("outliers", "notice", reason, source=source))
        else:
            self.seen.append(seen_on(page, text, source))

    def report(
        self, last: Profile | None, settings: CheckSettings, looks: OutlierSettings
    ) -> "tuple[Report, Outliers | None]":
        """What is to be thought of the run, and what looks unlike the rest of main texts."""
        own = Report(tuple(self.issues))
        if self.wrapper is not None:
            if own.issues and not self.taken:
                return own, None  # nothing could be opened, and that is said
            return Report.joined([own, check_records(self.taken, self.wrapper.profile, last, settings)]), None
        from sightline.checks import find_outliers, outlier_report

        outliers = find_outliers(self.seen, looks)
        return Report.joined([own, outlier_report(outliers)]), outliers

    def places(self, report: Report) -> Origins:
        """The XPaths of all evidence."""
        pages = [one.page for one in self.taken] + [one.page for one in self.seen]
        known = {page.whole_id: page for page in pages if page is not None}
        origins = Origins()
        for issue in report.issues:
            for origin in issue.evidence:
                if origin.page in known:
                    origins.note(known[origin.page], [origin])
        return origins

    def results(self, report: Report, places: Origins | None) -> list[dict[str, Any]]:
        """One result a source, in order: the part of the report that is about it."""
        for entry in self.entries:
            if entry["error"] is None:
                own = Report(tuple(issue for issue in report.issues if issue.source == entry["source"]))
                entry |= {"verdict": own.verdict, KIND: own.to_json(xpath=places)}
        return self.entries


def _run(words: Sequence[str], by: str | None, settings: dict[str, Any], *, static: bool | None) -> _Run:
    """A run that is yet to be: with its wrapper, or with an extractor of main texts."""
    if by is not None:
        if static:
            raise UsageError("How parts look is not known without a browser; leave out --static.")
        settings["reading"] = ReadingSettings(static=False)
        return _Run(list(words), by=by)
    file, *sources = words
    if not sources:
        raise UsageError(f"Give the pages behind the wrapper: sightline check {file} SOURCE…")
    wrapper = Wrapper.load(file)
    as_learned(wrapper, settings, static=static)
    return _Run(sources, wrapper=wrapper)


def _remembered(history: Path | None) -> Profile | None:
    """The profile of the last good run, if there was one."""
    if history is None or not history.exists():
        return None
    advice = "name another file, or remove it to begin anew"
    try:
        document = orjson.loads(read_bytes(history, advice))
        # What is something else is not taken for a history, as it would be written over.
        if not {"pages", "fields", "marks"} <= set(document):
            raise KeyError("fields")
        return Profile.from_json(document)
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise UsageError(f"{history}: this is not the history of a run; {advice}.") from problem


def _remember(history: Path, taken: Sequence[PageRecords]) -> None:
    document = orjson.dumps(profile_of_run(taken).to_json(), option=orjson.OPT_INDENT_2)
    write_bytes(history, document + b"\n")
    remark(f"Remembered: {history}")


def _write(out: Path, report: Report, places: Origins | None) -> None:
    """The report as JSON, else its issues as rows; without issues there is a file all the same, as it says that."""
    if out.suffix.lower() == ".json":
        content = orjson.dumps(report.to_json(xpath=places), option=orjson.OPT_INDENT_2) + b"\n"
    else:
        content = content_of(_rows(report), out, places)
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


def _print(report: Report, count: int, places: Origins | None, *, everything: bool) -> None:
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
            _print_issue(issue, places)
        tell_more(0 if everything else len(issues) - TOLD, "issue")


def _print_issue(issue: Issue, places: Origins | None) -> None:
    about = (f"{clean(issue.field)}: ", "italic") if issue.field else ""
    output.print(Text.assemble(INDENT, (issue.severity, STYLES[issue.severity]), "  ", about, clean(issue.reason)))
    if issue.source:
        output.print(Text(f"{INDENT * 2}{clean(issue.source)}", style="dim"))
    for origin in issue.evidence[:PLACES] if places else ():
        told = "  ".join(part for part in (places(origin) if places else "", place_of(origin.box)) if part)
        if told:
            output.print(Text(f"{INDENT * 2}{clean(told)}", style="dim"))
