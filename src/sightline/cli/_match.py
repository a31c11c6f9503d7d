"""`sightline match` and `review`: which records of two tables are the same, and what people say to that."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as Grid

from sightline.cli._console import output, remark
from sightline.cli._files import ExportSettings, check_suffix, write_rows
from sightline.cli._flags import argument, flag, output_file
from sightline.cli._flows import StoreFlags
from sightline.cli._sources import JsonFlags, Reporter
from sightline.cli._text import clean, counted
from sightline.errors import UsageError
from sightline.flow import run as flow_run  # its names are imported when used: Arrow takes long
from sightline.flow.match import (
    Decisions,
    DuplicateSettings,
    Matches,
    MatchSettings,
    Pair,
    deduplicate,
    match,
    read_review,
)
from sightline.flow.rows import RowLimits
from sightline.flow.spec import Flow, MatchStep

SHOWN = 20  # pairs of each zone; a file has them all


@dataclass(frozen=True, kw_only=True)
class MatchFlags(JsonFlags):
    """What is known, and where the pairs are written."""

    decisions: Path | None = flag(None, help="what people decided before; `sightline review` writes it", metavar="FILE")
    out: Path | None = output_file("write the pairs to this file: left, right, score and zone of each")

    def check(self) -> None:
        """Reject what cannot be read or written."""
        if self.out:
            check_suffix(self.out)
        if self.decisions and not self.decisions.exists():
            raise UsageError(
                f"There is no file {self.decisions}; `sightline review` writes one, or leave out --decisions."
            )


def match_command(
    left: Annotated[Path, argument(metavar="LEFT", help="Records: a file .csv .tsv .jsonl .json .parquet or .xlsx.")],
    right: Annotated[Path, argument(metavar="RIGHT", help="The catalogue, a table of the same formats.")],
    flags: MatchFlags,
    matching: MatchSettings,
    written: ExportSettings,
    limits: RowLimits,
) -> None:
    """Match the records of a table to those of a catalogue: the same thing, however each side writes it.

    Columns of the same name are compared, each as what it holds: names, identifiers, days, numbers, texts. What each is
    worth, and from which likeness on pairs are matches, is estimated from the two tables. Pairs that are likely the
    same are `matched`, doubtful ones are for `review`, and records without a partner are `new`. Records are named by
    their column `id`, or by their number.

    [bold]Examples[/]

      sightline match shop.csv catalogue.csv -o pairs.csv

      sightline match offers.parquet catalogue.xlsx --assignment many-to-one --decisions decisions.jsonl

      sightline match members.csv register.csv --on "name, born = date of birth, phone" --precision 0.99
    """
    flags.check()
    found = match(left, right, decisions=flags.decisions, settings=matching, limits=limits)
    if flags.json:
        reporter = Reporter("matches", json=True)
        reporter.add(f"{left} {right}", found.to_json())
        reporter.finish()
    if flags.out:
        write_rows(found, flags.out, written, counted(len(found), "row"))
    elif not flags.json:
        _show(found)
    if found.unasked:
        pairs = counted(found.unasked, "more pair")
        remark(f"{pairs} may be the same, but are too many to ask about; raise --review-share, or see --json.")
    if not flags.json:
        output.print(_summary(found), markup=False)


def _show(found: Matches) -> None:
    for zone in ("matched", "review"):
        pairs = found.of(zone)
        if not pairs:
            continue
        grid = Grid("left", "right", "score", "record", "of the catalogue", title=zone, title_justify="left")
        for pair in pairs[:SHOWN]:
            texts = clean(pair.left_text), clean(pair.right_text)
            grid.add_row(clean(pair.left), clean(pair.right or ""), f"{pair.score:.2f}", *texts)
        output.print(grid)
        if len(pairs) > SHOWN:
            remark(f"{len(pairs) - SHOWN:,} more are {zone}; -o FILE writes them all.")


def _summary(found: Matches) -> str:
    counts = {zone: len(found.of(zone)) for zone in ("matched", "review", "new")}
    zones = f"{counts['matched']:,} matched · {counts['review']:,} to review · {counts['new']:,} new"
    guess = found.estimate
    right, reached = f"{guess.precision:.0%}", f"{guess.recall:.0%}"
    return f"{zones}\nestimated: {right} of the matched are right, {reached} of all matches are found"


# `sightline deduplicate`: which records of one table are the same.


@dataclass(frozen=True, kw_only=True)
class DuplicateFlags(JsonFlags):
    """Where the clusters are written."""

    out: Path | None = output_file("write the records to this file, each with the number of the thing that it is")

    def check(self) -> None:
        """Reject what cannot be written."""
        if self.out:
            check_suffix(self.out)


def deduplicate_command(
    table: Annotated[Path, argument(metavar="TABLE", help="Records: a file .csv .tsv .jsonl .json .parquet or .xlsx.")],
    flags: DuplicateFlags,
    matching: DuplicateSettings,
    written: ExportSettings,
    limits: RowLimits,
) -> None:
    """Find the records of a table that are the same thing, however they are written.

    Every column is compared as what it holds (names, identifiers, days, numbers, texts) and counts as much as the table
    itself shows that it tells records apart. Records are named by their column `id`, or by their number.

    [bold]Examples[/]

      sightline deduplicate persons.csv -o persons-with-clusters.csv

      sightline deduplicate shops.xlsx --on "name, address, phone" --precision 0.99
    """
    flags.check()
    found = deduplicate(table, settings=matching, limits=limits)
    if flags.json:
        reporter = Reporter("duplicates", json=True)
        reporter.add(str(table), found.to_json())
        reporter.finish()
        return
    if flags.out:
        write_rows(found, flags.out, written, counted(len(found), "row"))
    else:
        grid = Grid("thing", "records", "least score")
        for number, own in enumerate(found.duplicates[:SHOWN], start=1):
            grid.add_row(str(number), ", ".join(map(clean, own)), f"{min(found.scores[one] for one in own):.2f}")
        if found.duplicates:
            output.print(grid)
        if len(found.duplicates) > SHOWN:
            remark(f"{len(found.duplicates) - SHOWN:,} more have duplicates; -o FILE writes them all.")
    more = sum(len(own) - 1 for own in found.duplicates)
    summary = f"{counted(len(found), 'record')} of {counted(len(found.clusters), 'thing')} · {more:,} more than needed"
    output.print(summary, markup=False)


# `sightline review`: a person decides about doubtful pairs.


@dataclass(frozen=True, kw_only=True)
class ReviewFlags(StoreFlags):
    """Where decisions are kept."""

    decisions: Path | None = flag(
        None,
        help="where decisions are kept, and used again; decisions.jsonl if not said, or the store of the flow",
        metavar="FILE",
    )


def review_command(
    left: Annotated[
        Path, argument(metavar="LEFT", help="Records, a table; or a flow, *.flow.yaml, to review its last run.")
    ],
    right: Annotated[Path | None, argument(metavar="[RIGHT]", help="The catalogue, a table; not for a flow.")] = None,
    *,
    flags: ReviewFlags,
    matching: MatchSettings,
    limits: RowLimits,
) -> None:
    """Decide about doubtful pairs of two tables, one after another; decisions are kept and learned from.

    Answer y (the same), n (not the same), s (skip), u (take back the last answer) or q (stop). Every answer is written
    down at once, and `sightline match --decisions` uses them. Of a flow, the pairs of its last run are asked about, and
    the next run uses the answers.

    [bold]Examples[/]

      sightline review shop.csv catalogue.csv --decisions decisions.jsonl

      sightline review prices.flow.yaml
    """
    if left.suffix.lower() in (".yaml", ".yml"):
        _review_flow(left, right, flags)
        return
    if right is None:
        raise UsageError(f"{left} is a table, and needs a second one to be matched to; name the catalogue.")
    file = flags.decisions or Path("decisions.jsonl")
    found = match(left, right, decisions=file, settings=matching, limits=limits)
    _review([pair for pair in found if pair.zone == "review" and not pair.decided], file)


def _review(pairs: list[Pair], file: Path) -> None:
    """Ask about some pairs, and keep the answers in a file."""
    if not pairs:
        output.print("There is nothing to review.", markup=False)
        return
    answered = _ask_all(sorted(pairs, key=_most_doubtful), Decisions(file))
    output.print(f"{counted(answered, 'decision')} kept in {file}.", markup=False)


def _review_flow(file: Path, right: Path | None, flags: ReviewFlags) -> None:
    """Ask about the pairs of the last run of a flow, step by step."""
    if right is not None:
        raise UsageError(f"{file} is a flow, which has its own catalogue; leave {right} out.")
    flow = Flow.load(file)
    kept = flags.of(flow)
    steps = [step for step in flow.steps.values() if isinstance(step, MatchStep)]
    if not steps:
        raise UsageError(f"{file} matches nothing, so there is nothing to review; it has {', '.join(flow.steps)}.")
    for step in steps:
        runs = [kept.run(run_id).review(step.name) for run_id in reversed(kept.run_ids())]
        pairs = next((path for path in runs if path.exists()), None)
        if pairs is None:
            raise UsageError(f"`{step.name}` of {file} has not been run with this store; run the flow first.")
        target = flags.decisions or flow_run.decisions_of(flow, kept, step)
        known = Decisions(target)
        found = [one.pair for one in read_review(pairs)]
        _review([pair for pair in found if known.same(pair.left_text, pair.right_text) is None], target)


def _most_doubtful(pair: Pair) -> float:
    return -pair.score


def _ask_all(pairs: list[Pair], kept: Decisions) -> int:
    """Ask about each pair until the end or until the user stops; how many decisions were added."""
    at = answered = 0
    history: list[int] = []
    while at < len(pairs):
        pair = pairs[at]
        output.print(_side_by_side(pair, at + 1, len(pairs)))
        answer = _answer()
        if answer == "q":
            break
        if answer == "u":
            if not history:
                remark("There is no answer to take back.")
                continue
            kept.take_back()
            answered -= 1
            at = history.pop()
            continue
        if answer in "yn":
            kept.add(pair.decision(same=answer == "y"))
            history.append(at)
            answered += 1
        at += 1
    return answered


def _answer() -> str:
    while True:
        try:
            said: str = typer.prompt("The same? [y/n/s/u/q]", prompt_suffix=" ", show_default=False)
        except typer.Abort:
            return "q"
        answer = said.strip().lower()[:1]
        if answer in tuple("ynsuq"):
            return answer
        remark("Answer y (the same), n (not the same), s (skip), u (take back) or q (stop).")


def _side_by_side(pair: Pair, number: int, of: int) -> Grid:
    grid = Grid(title=f"Pair {number} of {of}, chance {pair.score:.0%}", show_header=False, title_justify="left")
    grid.add_row("record", clean(pair.left), clean(pair.left_text))
    grid.add_row("catalogue", clean(pair.right or ""), clean(pair.right_text))
    for reason in pair.why:
        grid.add_row("", "", reason)
    return grid
