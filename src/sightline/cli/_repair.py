"""`sightline repair`: a proposal for a wrapper that fits the pages as they are now, shown before it is used."""

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from sightline import Wrapper
from sightline.cli._console import complain, output, print_json, remark, working
from sightline.cli._flags import takes
from sightline.cli._report import Reporter, entry, exit_with
from sightline.cli._sources import Json, Sources, opened
from sightline.cli._text import INDENT, clean
from sightline.cli._wrappers import OPENING, Static, WrapperFile, as_learned, check_wrapper_name, command
from sightline.errors import UsageError
from sightline.extract.wrappers import Change, Proposal

__all__ = ["register_repair"]

KIND = "repair"
STATUSES: dict[str, str] = {"kept": "dim", "found again": "green", "unsure": "yellow", "missing": "red"}


def register_repair(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(**OPENING)(repair))


def repair(
    file: WrapperFile,
    sources: Sources,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write the proposed wrapper to this file; never overwrites the wrapper itself."
        ),
    ] = None,
    static: Static = None,
    json: Json = False,
    **settings: Any,
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
    if out:
        check_wrapper_name(out)
        _check_other(out, file)
    wrapper = Wrapper.load(file)
    as_learned(wrapper, settings, static=static)
    reporter = Reporter(KIND, json=json)
    opened_pages = [reporter.take(outcome) for outcome in opened(sources, settings)]
    pages = [found[0] for found in opened_pages if found]
    results = []
    proposal = None
    try:
        with working("Repairing"):
            proposal = wrapper.repair(pages) if pages else None
    except UsageError as problem:  # the command is valid, but the wrapper cannot be repaired with these pages
        complain(problem.message)
        results.append(entry(" ".join(sources), KIND, error=problem))
    if proposal:
        results.append(_result(" ".join(sources), proposal))
        if out:
            proposal.wrapper.save(out)
    if json:
        print_json({"results": [*results, *reporter.entries]})
    elif proposal:
        _print(proposal, len(pages))
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


def _result(source: str, proposal: Proposal) -> dict[str, Any]:
    return entry(source, KIND, proposal.to_json(), proposal.verdict)


def _print(proposal: Proposal, count: int) -> None:
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
