"""What the commands for wrappers share, and `sightline edit` and `repair`, which change a wrapper."""

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from rich.text import Text

from sightline import Wrapper
from sightline.cli._console import complain, output, print_json, remark, working
from sightline.cli._flags import argument, flag, output_file, switch
from sightline.cli._sources import (
    JsonFlags,
    Opening,
    ReadingSettings,
    Reporter,
    SourceOpening,
    Sources,
    entry,
    exit_with,
    opened,
)
from sightline.cli._text import GAP, INDENT, clean, counted, print_rows
from sightline.data import Basic, Records, Verdict
from sightline.errors import OutputError, UsageError
from sightline.extract.wrappers import Change, Found, Patterns, Problem, Proposal
from sightline.jobs import tried_without_browser
from sightline.page import Page
from sightline.settings import Settings

SUFFIX = ".json"
WIDEST_PART = 0.6  # of a line of the outline for names and types, the rest for examples

WrapperFile = Annotated[
    Path, argument(metavar="WRAPPER", help="The .wrapper.json file that sightline teach or induce wrote.")
]


@dataclass(frozen=True, kw_only=True)
class AsNeededSettings(Settings):
    """How sources are read: the flag has a third state here, as the wrapper needs it."""

    static: bool | None = flag(
        None,
        help="whether to use only the HTML, without a browser; by default as the wrapper needs it",
        names="--static/--no-static",
        panel="Reading",
    )

    def as_needed(self, wrapper: Wrapper, opening: Opening, image: Path | None = None) -> SourceOpening:
        """Open pages as the wrapper needs them, unless the user says otherwise; a picture needs a layout."""
        return self._loading(opening, by_default=wrapper.needs == "static" and image is None)

    def as_learned(self, wrapper: Wrapper, opening: Opening) -> SourceOpening:
        """Open pages like those the wrapper was learned from, unless the user says otherwise: looks count as well."""
        return self._loading(opening, by_default=not wrapper.rendered)

    def _loading(self, opening: Opening, *, by_default: bool) -> SourceOpening:
        return opening.loading(static=by_default if self.static is None else self.static)


def wrapper_file() -> Path | None:
    """Declare the flag that names the file of a wrapper that is learned."""
    return output_file("write the wrapper to this file, such as shop.wrapper.json")


@dataclass(frozen=True, kw_only=True)
class LearningFlags(JsonFlags):
    """Where a wrapper is written that is learned."""

    out: Path | None = wrapper_file()

    def check(self) -> None:
        """Reject a file that no wrapper can be written to, before anything else."""
        if self.out:
            check_wrapper_name(self.out)
        elif not self.json:
            raise UsageError(
                "Nowhere to write the wrapper; name a file, such as -o shop.wrapper.json, or print it with --json."
            )

    def tell_next(self) -> None:
        """Say where the wrapper is, and what to do with it."""
        if self.out:
            remark(f"Written: {self.out}\nNext: {command('extract', self.out)} SOURCE…")


def without_browser(wrapper: Wrapper, pages: Sequence[tuple[str, Page]], loading: SourceOpening) -> Wrapper:
    """The wrapper, tried on pages opened without a browser; what it needs from now on is said."""
    if not wrapper.rendered:
        return wrapper
    plain = replace(loading, reading=ReadingSettings(static=True))

    def open_static(source: str) -> Page | None:
        return next((outcome.page for outcome in opened([source], plain) if outcome.error is None), None)

    tried = tried_without_browser(wrapper, [(source, page) for source, page in pages if source != "-"], open_static)
    if tried.needs == "static":
        remark("The pages read the same without a browser, so none is used to extract from them.")
    return tried


def check_wrapper_name(path: Path) -> None:
    """Reject a file that no wrapper can be written to, before anything else."""
    if path.suffix.lower() != SUFFIX:
        raise UsageError(f"{path}: wrappers are written as JSON; use a name such as shop.wrapper.json.")
    if not path.absolute().parent.is_dir():
        raise OutputError(f"Could not write {path}: there is no folder {path.parent}; create it first.")


def document(source: str, wrapper: Wrapper, verdict: Verdict = "ok") -> dict[str, Any]:
    """A wrapper as a result of the JSON contract."""
    return entry(source, "wrapper", wrapper.to_json(), verdict)


def command(*words: object) -> str:
    """A command to type, quoted for the shell.

    >>> command("extract", "my shop.json")
    "sightline extract 'my shop.json'"
    """
    return shlex.join(["sightline", *map(str, words)])


def count_fields(wrapper: Wrapper) -> int:
    """The number of fields of records, including those of sets."""
    return sum(isinstance(node, Basic) for node in wrapper.schema.walk())


def print_outline(wrapper: Wrapper) -> None:
    """Print the fields of each template with types and examples, cut at the terminal's width."""
    outlines = wrapper.outline().split("\n\n")
    each = wrapper.rules.each or ("",) * len(outlines)
    for number, (outline, records) in enumerate(zip(outlines, each, strict=True), start=1):
        if number > 1:
            output.print()
        which = f"Template {number} of {len(outlines)} · " if len(outlines) > 1 else ""
        what = f"A record is one of “{clean(records)}”" if records else "A page is one record"
        output.print(Text(f"{which}{what}", style="dim"))
        _print_fields(outline.splitlines())


def print_words(wrapper: Wrapper) -> None:
    """Print the rules in words, a line for each field, with the fields of records below their record."""
    for line in wrapper.words().splitlines():
        blanks = len(line) - len(line.lstrip(" "))
        name, sign, rest = clean(line).partition(": ")
        output.print(Text.assemble(" " * blanks, (name, "bold"), f"{sign}{rest}"))


def _print_fields(lines: list[str]) -> None:
    halves = [_halves(line) for line in lines]
    width = min(max(Text(left).cell_len for left, _ in halves), int(output.width * WIDEST_PART))
    for left, example in halves:
        name, sign, rest = left.partition(": ")
        line = Text.assemble((name, "bold"), f"{sign}{rest}")
        line.truncate(width, overflow="ellipsis", pad=bool(example))
        if example:
            line.append(" " * GAP + example, style="dim")
        line.truncate(output.width, overflow="ellipsis")
        output.print(line)


def _halves(line: str) -> tuple[str, str]:
    """The field with its type, and the example after it.

    >>> _halves("  price: optional money EUR  “5 €”")
    ('  price: optional money EUR', '“5 €”')
    """
    blanks = len(line) - len(line.lstrip(" "))
    left, sign, example = line.partition("  “")
    return " " * blanks + clean(left), clean("“" + example) if sign else ""


# Records: rows below the names of their fields, or a single record from top to bottom.

ROWS = 20
FIELDS = 40
PROBLEMS = 3  # per page
WIDEST_NAME = 30


def print_found(source: str, found: Found, *, everything: bool) -> None:
    """Print the results of a page: its name, the number of records, the verdict, then the records."""
    facts = f" · {counted(len(found.records), 'record')} · {found.verdict}"
    output.print(Text.assemble((clean(source), "bold"), (facts, "dim")))
    print_records(found.records, everything=everything)


def print_records(records: Records, *, everything: bool) -> None:
    """Print one record as a line for each field; several as a row each, with as many fields as fit."""
    if len(records) == 1:
        _print_record(records, everything=everything)
        return
    columns = records.columns
    shown = [column for column in columns if everything or any(column.texts[:ROWS])]
    if not shown:
        return
    fitting = print_rows(shown, None if everything else ROWS)
    if not everything and (len(records) > ROWS or fitting < len(columns)):
        rows = f"{min(len(records), ROWS)} of {len(records):,} records"
        remark(f"{rows}, {fitting} of {len(columns)} fields; --all shows all rows and columns.")


def _print_record(records: Records, *, everything: bool) -> None:
    found = [(clean(column.name), text) for column in records.columns if (text := column.texts[0]) is not None]
    shown = found if everything else found[:FIELDS]
    width = max((Text(name).cell_len for name, _ in shown), default=0)
    width = width if everything else min(width, WIDEST_NAME)
    cut = len(found) - len(shown)
    for name, text in shown:
        line = Text(name, style="italic dim")
        line.truncate(width, overflow="ellipsis", pad=True)
        line = Text.assemble(INDENT, line, " " * GAP, clean(text))
        if not everything:
            cut += line.cell_len > output.width
            line.truncate(output.width, overflow="ellipsis")
        output.print(line)
    if cut:
        remark("Only the start of the record is shown; --all shows all fields and texts.")


def doubts_of(wrapper: Wrapper, found: Found, explain: str) -> str:
    """Why the result of a page is suspicious: its first problems, and the command that shows the rest."""
    lines = [line for problem in found.problems[:PROBLEMS] for line in problem_lines(problem)]
    more = len(found.problems) - PROBLEMS
    rest = f"… {more} more; see" if more > 0 else "See"
    return "\n".join([f"suspicious; {shares_of(found, wrapper)}", *lines, f"   {rest} everything with: {explain}"])


def shares_of(found: Found, wrapper: Wrapper) -> str:
    """How well a page fits the wrapper, in words."""
    if isinstance(wrapper.rules, Patterns):
        return (
            f"{found.found:.0%} of the marks around the values are on it, {found.filled:.0%} of the fields were found"
        )
    return f"{found.found:.0%} of the template's texts are on it, {found.known:.0%} of its own are known"


def problem_lines(problem: Problem) -> list[str]:
    """A problem, and below it where it is.

    >>> problem_lines(Problem("/html[1]/p[2]", "the field “price” is missing"))
    ['   the field “price” is missing', '      /html[1]/p[2]']
    """
    where = [INDENT * 2 + clean(problem.xpath)] if problem.xpath else []
    return [INDENT + clean(problem.what), *where]


# `sightline edit`: rename, merge, split, drop and restore the fields of a wrapper.


@dataclass(frozen=True, kw_only=True)
class EditFlags(JsonFlags):
    """The changes to make."""

    rename: tuple[str, ...] = flag((), help="rename a field or a set", metavar="OLD=NEW")
    merge: tuple[str, ...] = flag(
        (), help="merge several fields into one, for pages that have either of them", metavar="A+B=NEW"
    )
    split: tuple[str, ...] = flag((), help="split a merged field into its parts again", metavar="NAME")
    drop: tuple[str, ...] = flag((), help="drop a field or a whole set", metavar="NAME")
    restore: tuple[str, ...] = flag((), help="restore a dropped field or set", metavar="NAME")
    records_of: str | None = flag(None, help="make each item of this set a record", metavar="SET")
    whole_page: bool = switch(help="make each page one record")
    out: Path | None = output_file("write to this file instead of overwriting the wrapper")

    @property
    def is_change(self) -> bool:
        """Whether anything is to be changed."""
        fields = (self.rename, self.merge, self.split, self.drop, self.restore)
        return any((*fields, self.records_of, self.whole_page))

    def check(self) -> None:
        """Reject malformed changes before the file is read."""
        if self.whole_page and self.records_of:
            raise UsageError("Give either --records-of or --whole-page, not both.")
        for text in self.rename:
            _pair(text)
        for text in self.merge:
            _merged_names(text)

    def made(self, wrapper: Wrapper) -> Wrapper:
        """The wrapper with all changes applied in order."""
        for old, new in map(_pair, self.rename):
            wrapper = wrapper.rename(old, new)
        for names, into in map(_merged_names, self.merge):
            wrapper = wrapper.merge(*names, into=into)
        for name in self.split:
            wrapper = wrapper.split(name)
        for name in self.drop:
            wrapper = wrapper.drop(name)
        for name in self.restore:
            wrapper = wrapper.restore(name)
        return wrapper.records_of(self.records_of) if self.records_of or self.whole_page else wrapper


def edit_command(file: WrapperFile, flags: EditFlags) -> None:
    """Edit a wrapper: rename, merge or drop fields, or change what a record is. Without flags, show it.

    Name a field in a set by both names, such as products.price. Flags for fields can be repeated.

    Changes apply in this order: rename, merge, split, drop, restore, then what a record is.

    [bold]Examples[/]

      sightline edit shop.wrapper.json

      sightline edit shop.wrapper.json --rename Price=price --drop Shipping

      sightline edit shop.wrapper.json --merge "price+sale=price" -o x.wrapper.json

      sightline edit list.wrapper.json --records-of products
    """
    flags.check()
    target = flags.out or file
    if flags.out:
        check_wrapper_name(flags.out)
    wrapper = flags.made(Wrapper.load(file))
    is_written = flags.out is not None or flags.is_change
    if is_written:
        wrapper.save(target)
    if flags.json:
        print_json({"results": [document(str(file), wrapper)]})
    else:
        print_outline(wrapper)
    if is_written:
        remark(f"Written: {target}")


def _pair(text: str) -> tuple[str, str]:
    """An old and a new name; only the old one may contain an equals sign.

    >>> _pair("a = b=c")
    ('a = b', 'c')
    """
    old, _, new = (part.strip() for part in text.rpartition("="))
    if not old or not new:
        raise UsageError(f"--rename {text}: give the old and the new name, such as --rename Price=price.")
    return old, new


def _merged_names(text: str) -> tuple[list[str], str | None]:
    """The names of fields to merge, and the new name, or None to use the first.

    >>> _merged_names("a+b=c"), _merged_names("a+b")
    ((['a', 'b'], 'c'), (['a', 'b'], None))
    """
    several, _, into = text.rpartition("=") if "=" in text else (text, "", "")
    names = [name.strip() for name in several.split("+")]
    if len(names) < 2 or not all(names):
        raise UsageError(f"--merge {text}: name the fields to merge, such as --merge 'price+sale price=price'.")
    return names, into.strip() or None


# `sightline repair`: a proposal for a wrapper that fits the pages as they are now, shown before it is used.

KIND = "repair"
STATUSES: dict[str, str] = {"kept": "dim", "found again": "green", "unsure": "yellow", "missing": "red"}


@dataclass(frozen=True, kw_only=True)
class RepairFlags(JsonFlags):
    """Where the proposal is written."""

    out: Path | None = output_file("write the proposed wrapper to this file; never overwrites the wrapper itself")


def repair_command(
    file: WrapperFile, sources: Sources, flags: RepairFlags, reading: AsNeededSettings, opening: Opening
) -> None:
    """Propose a new wrapper for redesigned pages, and show what happened to every field.

    [bold]kept[/]: its rule still works · [bold]found again[/]: by another rule

    [bold]unsure[/]: perhaps by another rule, please check · [bold]missing[/]: not found

    The wrapper itself is not changed. If a field is unsure or missing, the exit status is 3.

    [bold]Examples[/]

      sightline repair shop.wrapper.json "new/*.html"

      sightline repair shop.wrapper.json "new/*.html" -o repaired.wrapper.json

      sightline extract repaired.wrapper.json "new/*.html"
    """
    out = flags.out
    if out:
        check_wrapper_name(out)
        _check_other(out, file)
    wrapper = Wrapper.load(file)
    reporter = Reporter(KIND, json=flags.json)
    pages = reporter.pages(opened(sources, reading.as_learned(wrapper, opening)))
    results = []
    proposal = None
    try:
        with working("Repairing"):
            proposal = wrapper.repair([page for _, page in pages]) if pages else None
    except UsageError as problem:  # the command is valid, but the wrapper cannot be repaired with these pages
        complain(problem.message)
        results.append(entry(" ".join(sources), KIND, error=problem))
    if proposal:
        results.append(entry(" ".join(sources), KIND, proposal.to_json(), proposal.verdict))
        if out:
            proposal.wrapper.save(out)
    if flags.json:
        print_json({"results": [*results, *reporter.entries]})
    elif proposal:
        _print_proposal(proposal, len(pages))
    if proposal and out:
        _print_next_steps(proposal, file, out)
    exit_with(*(result["verdict"] for result in results), *reporter.verdicts)


def _check_other(out: Path, file: Path) -> None:
    """Refuse to overwrite the wrapper, under any name."""
    if out.exists() and file.exists() and out.samefile(file):
        by_hand = shlex.join(["mv", "repaired.wrapper.json", str(file)])
        raise UsageError(
            f"{out} is the wrapper itself, which repair never overwrites; write to another file, such as "
            f"-o repaired.wrapper.json, check what it reads, and then replace the wrapper yourself: {by_hand}"
        )


def _print_proposal(proposal: Proposal, count: int) -> None:
    """Print what happened to every field, and with what confidence."""
    if not proposal.is_needed:
        output.print(_nothing_to_repair(proposal, count), style="bold")
        return
    for change in proposal.changes:
        _print_change(change)
    counts: Counter[str] = Counter(change.status for change in proposal.changes)
    summary = " · ".join(f"{status} {counts[status]}" for status in STATUSES if counts[status])
    output.print(Text.assemble((f"Confidence {proposal.confidence:.0%}", "bold"), (f" · {summary}", "dim")))


def _nothing_to_repair(proposal: Proposal, count: int) -> str:
    doubted = sum(check.verdict != "ok" for check in proposal.checked)
    if doubted:
        return (
            f"Nothing to repair: the wrapper still reads the pages, but doubts {doubted} of {count}; check its values."
        )
    what = "the page" if count == 1 else f"all {count} pages"
    return f"Nothing to repair: the wrapper reads {what} correctly."


def _print_change(change: Change) -> None:
    head = f" ({change.confidence:.0%}; {clean(change.why)})"
    output.print(
        Text.assemble((clean(change.name), "bold"), ": ", (change.status, STATUSES[change.status]), (head, "dim"))
    )
    if change.status == "kept":
        return
    lines = [
        ("- ", change.before, "red"),
        ("+ ", change.after, "green"),
        ("before: ", _joined(change.old), ""),
        ("now:    ", _joined(change.new), ""),
    ]
    for sign, text, style in lines:
        if text:
            output.print(Text(f"{INDENT}{sign}{clean(text)}", style=style))


def _joined(texts: Sequence[str]) -> str:
    return " · ".join(texts)


def _print_next_steps(proposal: Proposal, file: Path, out: Path) -> None:
    remark(f"Written: {out}")
    if proposal.is_needed:
        by_hand = shlex.join(["mv", str(out), str(file)])
        remark(f"Check what it reads: {command('extract', out)} SOURCE…\nThen use it: {by_hand}")
