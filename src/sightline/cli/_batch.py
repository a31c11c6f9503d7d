"""`sightline batch`: a wrapper, or another extractor, over any number of documents."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from sightline.cli._console import live, output, print_json, remark
from sightline.cli._flags import argument, flag, switch
from sightline.cli._sources import Fetching, JsonFlags, Reporter, entry, in_flags
from sightline.cli._text import clean
from sightline.errors import SightlineError, UsageError
from sightline.scale import BatchSettings, InputSettings

if TYPE_CHECKING:
    from rich.console import RenderableType

    from sightline.scale import Batch, BatchRun, LedgerCounts, OnCounts, SampleRun

LEAST = 3  # WHAT, one INPUT and OUTPUT
SHOWN_PROBLEMS = 5
KIND = "batch"
WRONG_USAGE = 2  # the exit status


@dataclass(frozen=True, kw_only=True)
class BatchFlags(JsonFlags):
    """Where a batch runs, and what it writes."""

    engine: Literal["local", "ray"] = flag("local", help="where workers run: on this machine, or on Ray")
    render: bool | None = flag(
        None,
        help="whether pages are rendered by a browser; by default if the wrapper needs that",
        names="--render/--static",
    )
    sample: int | None = flag(
        None,
        help="first read N documents from all over the inputs, and say what the whole will give, take and cost",
        metavar="N",
        minimum=1,
    )
    yes: bool = switch(help="go on after the sample without asking", names="--yes -y")
    price: float = flag(0.04, help="what an hour of one core costs, for the estimate", minimum=0)
    origins: bool = flag(
        default=True, help="whether rows say where each value was seen", names="--origins/--no-origins"
    )
    delta: bool = switch(help="also write a Delta table, OUTPUT/delta")
    verify: bool = switch(help="read every file of a finished batch again, and redo what is damaged")
    ledger: str | None = flag(
        None,
        help="keep the ledger in PostgreSQL, postgresql://…, for workers on several machines",
        metavar="ADDRESS",
    )
    job: str | None = flag(None, help="the name of the batch in a shared ledger")
    ray_address: str | None = flag(None, help="a Ray cluster that runs already; else one is started here")


def batch_command(
    names: Annotated[
        list[str],
        argument(
            metavar="WHAT INPUT… OUTPUT",
            help="WHAT is a .wrapper.json file, or tables, lists, top or content. INPUT is a WARC, a WACZ, a folder, a "
            "glob, a list of addresses (.txt), a Parquet file with HTML, or one of these in an object store. OUTPUT is "
            "a folder.",
        ),
    ],
    flags: BatchFlags,
    batch: BatchSettings,
    reading: InputSettings,
    fetching: Fetching,
) -> None:
    """Run a wrapper, or another extractor, over any number of documents, into Parquet files.

    Killed or interrupted, the same command goes on where it was: no document is lost, none is counted twice. A document
    that crashes, hangs or eats all memory is set aside with its cause, and the others go on.

    In the end every document is ok, suspicious, failed or quarantined, and the sum is checked by name. If the share of
    pages that are not ok rises, the batch stops and says why.

    [bold]Examples[/]

      sightline batch shop.wrapper.json crawl/*.warc.gz products/ --sample 1000

      sightline batch tables reports/ tables/

      sightline batch content s3://archive/2026/*.wacz texts/ --workers 8

      sightline batch shop.wrapper.json addresses.txt products/ --engine ray --ledger postgresql://db/ledger
    """
    reporter = Reporter(KIND, json=flags.json, several=False)
    run: BatchRun | None = None
    with (
        reporter,
        _reported(reporter, names),
        _watching() as on_counts,
        _begun(names, flags, batch, reading, fetching, on_counts) as begun,
    ):
        if flags.sample and not _agreed(begun.sample(flags.sample, price=flags.price), reporter, yes=flags.yes):
            reporter.finish()
            return
        run = begun.run(verify=flags.verify, delta=flags.delta)
    if run is None or reporter.ended_early:
        remark("The same command goes on where this one was interrupted.")
    else:
        _tell(run, reporter)
    reporter.finish()


def _begun(
    names: list[str],
    flags: BatchFlags,
    settings: BatchSettings,
    reading: InputSettings,
    fetching: Fetching,
    on_counts: "OnCounts | None",
) -> "Batch":
    from sightline.scale import Batch, batch_spec, engine_of

    what, inputs, folder = _named(names)
    return Batch(
        batch_spec(
            what,
            render=flags.render,
            origins=flags.origins,
            limits=fetching.limits,
            policy=fetching.policy,
            browser=fetching.browser,
        ),
        inputs,
        folder,
        engine=engine_of(flags.engine, flags.ray_address),
        settings=settings,
        reading=reading,
        ledger=flags.ledger,
        job=flags.job,
        on_counts=on_counts,
    )


def _named(names: list[str]) -> tuple[str, list[str], Path]:
    from sightline.scale import output_folder  # with Arrow, which `--help` has no use for

    if len(names) < LEAST:
        raise UsageError(
            "A batch needs what to run, what to run it on, and a folder: sightline batch WRAPPER INPUT… OUTPUT."
        )
    what, *inputs, folder = names
    return what, inputs, output_folder(folder)


@contextmanager
def _reported(reporter: Reporter, names: list[str]) -> Iterator[None]:
    """With `--json`, an error that ends the batch is its result; the exit status is what it would be without."""
    try:
        yield
    except SightlineError as error:
        if not reporter.json:
            raise
        reporter.fail(names[-1], error)
        if isinstance(error, UsageError):
            print_json({"results": reporter.entries})
            raise typer.Exit(WRONG_USAGE) from error
        reporter.finish()


def _agreed(found: "SampleRun", reporter: Reporter, *, yes: bool) -> bool:
    """Show the estimate; whether to go on."""
    if reporter.json:
        reporter.entries.append(entry(str(found.folder), "sample", found.to_json()))
        return yes
    output.print(found.to_text(), markup=False)
    if yes:
        return True
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        remark("To begin, give the same command with --yes, or without --sample.")
        return False
    return typer.confirm("Begin?", err=True)


def _tell(run: "BatchRun", reporter: Reporter) -> None:
    for problem in run.problems[:SHOWN_PROBLEMS]:
        remark(in_flags(problem.message))
    if len(run.problems) > SHOWN_PROBLEMS:
        remark(f"… and {len(run.problems) - SHOWN_PROBLEMS:,} more names that match no input.")
    if run.stopped:
        remark(f"Stopped: {clean(run.stopped)} Repair the wrapper, or go on with --keep-going.")
    if not reporter.json:
        output.print(run.summary.to_text(), markup=False)
    reporter.add(str(run.folder), run.to_json(), run.verdict)


# -- what people see -------------------------------------------------------------------------------------------------


@contextmanager
def _watching() -> Iterator["OnCounts | None"]:
    """Lines on the terminal that show how the batch is getting on; nothing if standard error isn't a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with live() as show:
        before: int | None = None

        def watch(counts: "LedgerCounts", seconds: float) -> None:
            nonlocal before
            before = counts.done_documents if before is None else before
            show(_drawn(counts, seconds, before))

        yield watch


def _drawn(counts: "LedgerCounts", seconds: float, before: int) -> "RenderableType":
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    bar = ProgressBar(total=max(1, counts.documents), completed=counts.done_documents, width=60)
    return Group(bar, Text(_line(counts, seconds, before)))


def _line(counts: "LedgerCounts", seconds: float, before: int) -> str:
    """How far it is; `before` are the documents that earlier runs have read, which say nothing about the speed."""
    from sightline.scale.output import duration

    done = counts.done_documents
    parts = [f"{done:,} of {counts.documents:,}{'' if counts.listed else ' listed so far'}"]
    parts += [f"{count:,} {name}" for name, count in _not_ok(counts)]
    if counts.deaths:
        parts.append(f"{counts.deaths:,} workers died")
    if done > before and seconds:
        parts.append(f"{(done - before) / seconds:,.0f} a second")
        if counts.listed:
            parts.append(f"{duration((counts.documents - done) * seconds / (done - before))} left")
    return " · ".join(parts)


def _not_ok(counts: "LedgerCounts") -> list[tuple[str, int]]:
    found = (("suspicious", counts.suspicious), ("failed", counts.failed), ("quarantined", counts.quarantined))
    return [(name, count) for name, count in found if count]
