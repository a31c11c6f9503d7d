"""Prints a trace: what each step examined, the evidence for and against it, and the decision."""

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.table import Table as Drawn
from rich.text import Text

from sightline.cli._console import output
from sightline.cli._text import clean, parts_of, place_of, print_drawn
from sightline.data import Trace

__all__ = ["print_trace"]

STRONGEST = 4  # parts of the evidence to print; the others hardly move a score
FIRST = 3  # of several texts; enough to recognise their source
HEADINGS = {
    "how": "found by",
    "box": "x, y, size",
    "evidence": "evidence for and against",
    "example": "first record",
    "titles": "first titles",
}


def print_trace(trace: Trace) -> None:
    """Print every step that examined anything, as a table."""
    steps = [step for step in trace.steps() if step.rows]
    for step in steps:
        output.print(Text(f"{step.name}: {step.about}", style="dim"))
        names = list(step.rows[0])
        drawn = Drawn(*(HEADINGS.get(name, name) for name in names), box=box.SQUARE)
        for row in step.rows:
            drawn.add_row(*(Text(clean(_in_words(name, row[name]))) for name in names))
        print_drawn(drawn)
    if not steps:
        output.print(Text("The search found nothing to examine on this page.", style="dim"))


def _in_words(name: str, fact: Any) -> str:
    """A fact as printed.

    >>> _in_words("score", 0.987), _in_words("evidence", {"lines": 0.5}), _in_words("titles", ("a", "b", "c", "d"))
    ('0.99', 'lines +0.50', 'a · b · c')
    >>> _in_words("k", 7)
    '7'
    """
    if name == "box":
        return place_of(fact)
    if isinstance(fact, Mapping):
        return parts_of(fact.items(), STRONGEST)
    if isinstance(fact, float):
        return f"{fact:.2f}"
    if isinstance(fact, tuple | list):
        return " · ".join(map(str, fact[:FIRST]))
    return f"{fact:,}" if isinstance(fact, int) and not isinstance(fact, bool) else str(fact)
