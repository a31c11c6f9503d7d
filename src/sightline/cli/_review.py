"""`sightline review`: a person decides about doubtful pairs."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table as Grid

from sightline.cli._console import output, remark
from sightline.cli._flags import takes
from sightline.cli._match import Left, Right
from sightline.cli._text import clean, counted
from sightline.flow.match import Decisions, MatchSettings, Pair, match

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("review")(takes(matching=MatchSettings)(ask))


def ask(
    left: Left,
    right: Right,
    *,
    decisions: Annotated[
        Path, typer.Option("--decisions", metavar="FILE", help="Where decisions are kept, and used again.")
    ] = Path("decisions.jsonl"),
    **settings: Any,
) -> None:
    """Decide about doubtful pairs of two tables, one after another; decisions are kept and learned from.

    Answer y (the same), n (not the same), s (skip), u (take back the last answer) or q (stop). Every answer is written
    down at once, and `sightline match --decisions` uses them.

    [bold]Examples[/]

      sightline review shop.csv catalogue.csv --decisions decisions.jsonl
    """
    kept = Decisions(decisions)
    pairs = [
        pair
        for pair in sorted(match(left, right, decisions=decisions, settings=settings["matching"]), key=_most_doubtful)
        if pair.zone == "review" and not pair.decided
    ]
    if not pairs:
        output.print("There is nothing to review.", markup=False)
        return
    answered = _ask_all(pairs, kept)
    output.print(f"{counted(answered, 'decision')} kept in {decisions}.", markup=False)


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
