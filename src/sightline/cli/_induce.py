"""`sightline induce`: a wrapper for the pages of a site, learned from some of them alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table as Drawn
from rich.text import Text

from sightline import InduceSettings, Page, Wrapper
from sightline.cli._console import complain, learning, output, print_json, remark
from sightline.cli._flags import takes
from sightline.cli._sources import LOADING, Json, Sources, failure, pages
from sightline.cli._text import clean, print_drawn
from sightline.cli._wrappers import check_wrapper_name, command, count_fields, document, print_outline
from sightline.errors import UsageError
from sightline.extract.schemas import LearningStep
from sightline.extract.wrappers import trace_induction

__all__ = ["register"]

NAMED = 3  # pages that are told by their name; of the others only how many there are


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(learning_by=InduceSettings, **LOADING)(induce))


def induce(
    sources: Sources,
    *,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the wrapper into this file, such as shop.wrapper.json."),
    ] = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show every decision, and by which rule it was taken.")
    ] = False,
    json: Json = False,
    **settings: Any,
) -> None:
    """Learn what the pages of a site hold, from some of its pages alone: no examples, no rules, no code.

    Give several pages of one kind, such as the products of one shop; two are enough to begin with, ten are better.

    What is the same on all of them is the template; what differs is data, and gets a name and a type.

    The wrapper reads further pages of the site by sightline extract, and says when a page is not one of them.

    [bold]Examples[/]

      sightline induce "products/*.html" -o shop.wrapper.json

      sightline induce "products/*.html" --static -o shop.wrapper.json --trace

      sightline induce - -o shop.wrapper.json < addresses.txt

      sightline extract shop.wrapper.json "products/*.html" -o products.csv
    """
    if out:
        check_wrapper_name(out)
    elif not json:
        raise UsageError("A wrapper is kept in a file; name it, such as -o shop.wrapper.json (or print it by --json).")
    learning_by = settings.pop("learning_by")
    opened = _open(sources, settings)
    with learning(len(opened.pages)) as told:
        wrapper, steps = trace_induction(
            opened.pages, names=opened.names, settings=learning_by, progress=told, trace=trace
        )
    if out:
        wrapper.save(out)
    if json:
        more = {"steps": [step._asdict() for step in steps]} if trace else {}
        print_json({"results": [document(" ".join(sources), wrapper) | more, *opened.failed]})
    else:
        _print(wrapper, steps)
    _tell_doubts(wrapper)
    if out:
        remark(f"Written: {out}\nNext: {command('extract', out)} SOURCE…")
    if opened.failed:
        raise typer.Exit(1)


@dataclass
class _Opened:
    """The pages to learn from, what they are called, and the results of those that could not be opened."""

    pages: list[Page] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    failed: list[dict[str, Any]] = field(default_factory=list)


def _open(sources: list[str], settings: dict[str, Any]) -> _Opened:
    opened = _Opened()
    for one in pages(sources, settings):
        if one.page is None:
            assert one.error is not None
            complain(one.error.message)
            entry = {"source": one.source, "kind": "wrapper", "verdict": None, "wrapper": None, "error": None}
            opened.failed.append(entry | failure(one.error))
            continue
        for note in one.page.notes:
            remark(f"{one.source}: {note}")
        opened.pages.append(one.page)
        opened.names.append(one.source)
    return opened


def _print(wrapper: Wrapper, steps: Sequence[LearningStep]) -> None:
    if steps:
        _print_steps(steps)
    training = wrapper.training
    used = "all" if training.needed == training.pages else f"{training.needed} of"
    comply = "all" if training.complying == training.pages else str(training.complying)
    fields = count_fields(wrapper)
    output.print(
        f"Learned {fields} field{'s' * (fields != 1)} from {used} {training.pages} pages; {comply} of them comply.",
        style="bold",
    )
    print_outline(wrapper)


def _print_steps(steps: Sequence[LearningStep]) -> None:
    drawn = Drawn("rule", "what was decided", "where", box=box.SQUARE)
    for step in steps:
        drawn.add_row(*map(Text, map(clean, (step.rule, step.what, step.path))))
    print_drawn(drawn)


def _tell_doubts(wrapper: Wrapper) -> None:
    """Which of the pages were of no use, and which do not comply with what was learned from all."""
    if wrapper.beside:
        remark(f"Not in these records: {_named(wrapper.beside)}; `sightline mend --whole-page` has them.")
    left_out = wrapper.training.left_out
    if left_out:
        remark(f"Left out, since no other page is made like it: {_named(left_out)}")
    doubtful = [one.page for one in wrapper.checked if one.verdict != "ok" and one.page not in left_out]
    if doubtful:
        remark(f"Not quite of the template: {_named(doubtful)}; `sightline explain` shows where they differ.")


def _named(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(map(clean, names[:NAMED])) + (f" and {more} more" if more > 0 else "")
