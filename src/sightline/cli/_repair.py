"""`sightline repair`: what a wrapper has to become for the pages as they are now, told before it is taken."""

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from sightline import Wrapper
from sightline.cli._console import complain, output, print_json, remark
from sightline.cli._flags import takes
from sightline.cli._report import Reporter, entry, exit_with
from sightline.cli._rows import INDENT
from sightline.cli._sources import Json, Sources, opened
from sightline.cli._text import clean
from sightline.cli._wrappers import OPENING, Static, WrapperFile, as_learned, check_wrapper_name, command
from sightline.errors import UsageError
from sightline.extract.wrappers import Change, Proposal

__all__ = ["register"]

KIND = "repair"
STATUSES: dict[str, str] = {"kept": "dim", "found again": "green", "unsure": "yellow", "missing": "red"}
DOUBTFUL = ("unsure", "missing")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(**OPENING)(repair))


def repair(
    file: WrapperFile,
    sources: Sources,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write the proposed wrapper into this file; never over the wrapper itself."
        ),
    ] = None,
    static: Static = None,
    json: Json = False,
    **settings: Any,
) -> None:
    """Propose a wrapper for pages that were redesigned, and say what became of every field.

    [bold]kept[/]: its rule still holds · [bold]found again[/]: by another rule

    [bold]unsure[/]: perhaps by another rule, look at it · [bold]missing[/]: not found

    The wrapper itself stays as it is. Where a field is unsure or missing the exit status is 3.

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
    taken = [reporter.take(outcome) for outcome in opened(sources, settings)]
    pages = [found[0] for found in taken if found]
    results = []
    proposal = None
    try:
        proposal = wrapper.repair(pages) if pages else None
    except UsageError as problem:  # the command was right; the wrapper cannot be repaired with these pages
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
        _tell_next(proposal, file, out)
    exit_with(*(result["verdict"] for result in (*results, *reporter.entries)))


def _check_other(out: Path, file: Path) -> None:
    """Refuse to write over the wrapper, by whatever name it goes."""
    if out.exists() and file.exists() and out.samefile(file):
        by_hand = shlex.join(["mv", "repaired.wrapper.json", str(file)])
        raise UsageError(
            f"{out} is the wrapper itself, which a repair only proposes to replace; write into another file, such as "
            f"-o repaired.wrapper.json, look at what it reads, and then replace the wrapper by hand: {by_hand}"
        )


def _result(source: str, proposal: Proposal) -> dict[str, Any]:
    doubtful = any(change.status in DOUBTFUL for change in proposal.changes)
    return entry(source, KIND, proposal.to_json(), "suspicious" if doubtful else "ok")


def _print(proposal: Proposal, count: int) -> None:
    """What became of every field, and how sure that is."""
    if not proposal.is_needed:
        told = "the page" if count == 1 else f"all {count} pages"
        output.print(f"Nothing to repair: the wrapper reads {told} as it should.", style="bold")
        return
    for change in proposal.changes:
        _print_change(change)
    counts: Counter[str] = Counter(own.status for own in proposal.changes)
    told = " · ".join(f"{status} {counts[status]}" for status in STATUSES if counts[status])
    output.print(Text.assemble((f"Confidence {proposal.confidence:.0%}", "bold"), (f" · {told}", "dim")))


def _print_change(own: Change) -> None:
    head = f" ({own.confidence:.0%}; {clean(own.why)})"
    output.print(Text.assemble((clean(own.name), "bold"), ": ", (own.status, STATUSES[own.status]), (head, "dim")))
    if own.status == "kept":
        return
    lines = [
        ("- ", own.before, "red"),
        ("+ ", own.after, "green"),
        ("before: ", _several(own.old), ""),
        ("now:    ", _several(own.new), ""),
    ]
    for sign, text, style in lines:
        if text:
            output.print(Text(f"{INDENT}{sign}{clean(text)}", style=style))


def _several(texts: Sequence[str]) -> str:
    return " · ".join(texts)


def _tell_next(proposal: Proposal, file: Path, out: Path) -> None:
    remark(f"Written: {out}")
    if proposal.is_needed:
        by_hand = shlex.join(["mv", str(out), str(file)])
        remark(f"Look at what it reads: {command('extract', out)} SOURCE…\nThen take it: {by_hand}")
