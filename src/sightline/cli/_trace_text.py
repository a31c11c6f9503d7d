"""A trace for people: what each step looked at, what spoke for and against it, and what became of it."""

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.table import Table as Drawn
from rich.text import Text

from sightline.cli._console import output
from sightline.cli._text import clean, parts_of, place_of, print_drawn
from sightline.data import Trace

__all__ = ["print_trace"]

STRONGEST = 4  # parts of the evidence that are printed; the others hardly move a score
FIRST = 3  # of several texts; enough to recognise what they belong to
HEADINGS = {
    "how": "found by",
    "box": "x, y, size",
    "evidence": "what spoke for and against it",
    "example": "first record",
    "titles": "first titles",
}


def print_trace(trace: Trace) -> None:
    """Every step that looked at something, as a table."""
    steps = [step for step in trace.steps() if step.rows]
    for step in steps:
        output.print(Text(f"{step.name}: {step.about}", style="dim"))
        names = list(step.rows[0])
        drawn = Drawn(*(HEADINGS.get(name, name) for name in names), box=box.SQUARE)
        for row in step.rows:
            drawn.add_row(*(Text(clean(_told(name, row[name]))) for name in names))
        print_drawn(drawn)
    if not steps:
        output.print(Text("The search looked at nothing on this page.", style="dim"))


def _told(name: str, fact: Any) -> str:
    """One fact, as it is printed.

    >>> _told("score", 0.987), _told("evidence", {"lines": 0.5}), _told("titles", ("a", "b", "c", "d")), _told("k", 7)
    ('0.99', 'lines +0.50', 'a · b · c', '7')
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
