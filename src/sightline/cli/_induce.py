"""`sightline induce`: a wrapper for the pages of a site, learned from a few of them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from sightline import Wrapper
from sightline.cli._console import output, print_json, remark, showing_progress
from sightline.cli._flags import takes
from sightline.cli._report import Reporter, exit_with
from sightline.cli._sources import LOADING, Json, Sources, opened
from sightline.cli._text import clean, print_trace
from sightline.cli._wrappers import check_wrapper_name, command, count_fields, document, print_outline, without_browser
from sightline.errors import UsageError
from sightline.extract.schemas import InduceSettings
from sightline.extract.wrappers import trace_induction
from sightline.jobs import Meter, OnProgress, Outcome
from sightline.page import Page

__all__ = ["register_induce"]

NAMED = 3  # pages listed by name; the others are only counted


def register_induce(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(learning_by=InduceSettings, **LOADING)(induce))


def induce(
    sources: Sources,
    *,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the wrapper to this file, such as shop.wrapper.json."),
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show every decision and the rule behind it.")] = False,
    json: Json = False,
    **settings: Any,
) -> None:
    """Learn a wrapper from a few pages of a site: no examples, no rules, no code.

    Give several pages of one kind, such as the products of a shop; two are enough to start with, ten are better.

    Whatever is the same on all of them is the template; whatever differs is data, and gets a name and a type.

    sightline extract then reads further pages of the site with the wrapper, and reports pages that do not fit.

    [bold]Examples[/]

      sightline induce "products/*.html" -o shop.wrapper.json

      sightline induce "products/*.html" --static -o shop.wrapper.json --trace

      sightline induce - -o shop.wrapper.json < addresses.txt

      sightline extract shop.wrapper.json "products/*.html" -o products.csv
    """
    if out:
        check_wrapper_name(out)
    elif not json:
        raise UsageError(
            "Nowhere to write the wrapper; name a file, such as -o shop.wrapper.json, or print it with --json."
        )
    learning_by = settings.pop("learning_by")
    reporter = Reporter("wrapper", json=json)
    pages = [(outcome.source, page) for outcome in opened(sources, settings) if (page := _page(reporter, outcome))]
    with showing_progress() as on_progress:
        found = trace_induction(
            [page for _, page in pages],
            names=[source for source, _ in pages],
            settings=learning_by,
            progress=_listener(on_progress, len(pages)),
            traced=trace,
        )
    wrapper = without_browser(found.found, pages, settings)
    if out:
        wrapper.save(out)
    if json:
        more = {"steps": list(found.steps()[0].rows)} if trace else {}
        print_json({"results": [document(" ".join(sources), wrapper) | more, *reporter.entries]})
    else:
        if trace:
            print_trace(found)
        _print(wrapper)
    _print_doubts(wrapper)
    if out:
        remark(f"Written: {out}\nNext: {command('extract', out)} SOURCE…")
    exit_with(*reporter.verdicts)


def _page(reporter: Reporter, outcome: Outcome[Page]) -> Page | None:
    opened_page = reporter.take(outcome)
    return opened_page[0] if opened_page else None


def _listener(on_progress: OnProgress | None, total: int) -> Callable[[int, int], None]:
    """The callback for the learner, with the number of pages learned from and the number that fit."""
    meter = Meter(f"Learning from {total} pages", on_progress, total=total)
    return lambda learned, complying: meter.at(complying, what=f"Learned from {learned}; pages that comply")


def _print(wrapper: Wrapper) -> None:
    training = wrapper.training
    used = "all" if training.needed == training.pages else f"{training.needed} of"
    comply = "all" if training.complying == training.pages else str(training.complying)
    fields = count_fields(wrapper)
    output.print(
        f"Learned {fields} field{'s' * (fields != 1)} from {used} {training.pages} pages; {comply} of them comply.",
        style="bold",
    )
    print_outline(wrapper)


def _print_doubts(wrapper: Wrapper) -> None:
    """Say which pages were of no use, and which do not fit what was learned."""
    if wrapper.aside:
        remark(
            f"Set aside because the pages are not about them: {_named(wrapper.aside)}; --all-fields keeps them, "
            "and `extract --all-fields` reads them."
        )
    if wrapper.beside:
        remark(f"Not in these records: {_named(wrapper.beside)}; `sightline edit --whole-page` includes them.")
    left_out = wrapper.training.left_out
    if left_out:
        remark(f"Left out, as no other page is built like it: {_named(left_out)}")
    doubtful = [check.page for check in wrapper.checked if check.verdict != "ok" and check.page not in left_out]
    if doubtful:
        remark(f"Differ from the template: {_named(doubtful)}; see where with `sightline explain`.")


def _named(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(map(clean, names[:NAMED])) + (f" and {more} more" if more > 0 else "")
