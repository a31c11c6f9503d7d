"""Shared by all commands that print results: texts made safe for the terminal, and columns that fit."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from rich import box
from rich.measure import Measurement
from rich.table import Table as Drawn
from rich.text import Text

from sightline.cli._console import harmless, output, remark
from sightline.data import Column, Records, Trace
from sightline.geometry import Box

LEAST_PART = 0.005  # the least that two decimals show
WIDEST, NARROWEST = 40, 12
BORDERS = 3  # of each column: a line and two spaces
SAMPLES = 5  # records on the terminal; files have them all
WIDEST_SAMPLE = 110  # characters
ENDLESS = 1_000_000  # a line that the terminal wraps, since everything is wanted


def clean(text: str) -> str:
    r"""A text on one line, harmless already when its width is measured.

    >>> clean("a\n b\x1b[31m")
    'a b�[31m'
    """
    return harmless(" ".join(text.split()))


def shortened(text: str, most: int) -> str:
    """A text of at most so many characters; one that is cut ends in an ellipsis.

    >>> shortened("a long text", 20), shortened("a long text", 7)
    ('a long text', 'a long…')
    """
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def counted(count: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "step"), counted(1200, "step")
    ('1 step', '1,200 steps')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"


def widths_of(lines: Sequence[Sequence[Text]], room: int | None, borders: int = BORDERS) -> list[int]:
    """The width of each column: that of its longest text, or less if the long columns must be cut to fit.

    >>> widths_of([[Text("1994"), Text("a long text that is cut"), Text("another one that is cut")]], 40)
    [4, 13, 13]
    """
    wanted = [min(max(text.cell_len for text in column), WIDEST) for column in zip(*lines, strict=True)]
    if room is None:
        return wanted
    cap = WIDEST
    while cap > 1 and sum(min(width, cap) for width in wanted) + borders * len(wanted) >= room:
        cap -= 1
    return [min(width, cap) for width in wanted]


def columns_that_fit(lines: Sequence[Sequence[Text]], room: int, borders: int = BORDERS) -> int:
    """How many columns fit side by side without cutting any to an unreadable width.

    >>> columns_that_fit([[Text("a"), Text("bb"), Text("a long text that is cut")]], 30)
    3
    >>> columns_that_fit([[Text("a long text that is cut")]], 5)
    1
    """
    widths = (max(text.cell_len for text in column) for column in zip(*lines, strict=True))
    ends = accumulate(min(width, NARROWEST) + borders for width in widths)
    fitting: int = sum(end < room for end in ends)
    return max(fitting, 1)


def print_drawn(drawn: Drawn, *, endless: bool = False) -> None:
    """Print a drawn table at the terminal's width, or at its full width."""
    if endless:
        drawn.width = Measurement.get(output, output.options.update(max_width=ENDLESS), drawn).maximum
    output.print(drawn, soft_wrap=False, crop=not endless)


def print_samples(records: Records) -> None:
    """Print the first records, a line each."""
    for record in records.to_dicts()[:SAMPLES]:
        said = " · ".join(str(value) for value in record.values() if isinstance(value, str) and value)
        output.print(f"  {shortened(clean(said), WIDEST_SAMPLE)}", markup=False)
    if len(records) > SAMPLES:
        output.print(f"  … and {len(records) - SAMPLES:,} more", markup=False)


def print_rest(rest: int, what: str) -> None:
    """Say how many results are not shown, if any, and how to see them."""
    if rest > 0:
        remark(f"… {rest:,} more {what}{'s' * (rest > 1)}; --all shows them.")


def place_of(place: Box | None) -> str:
    """The position and size of a box.

    >>> place_of((10.0, 20.0, 110.0, 70.0))
    '10, 20, 100 × 50'
    """
    if place is None:
        return ""
    x0, y0, x1, y1 = place
    return f"{x0:.0f}, {y0:.0f}, {x1 - x0:.0f} × {y1 - y0:.0f}"


def parts_of(evidence: Iterable[tuple[str, float]], most: int | None = None) -> str:
    """The parts of a score, largest first, without those near zero and those beyond `most`.

    >>> parts_of([("lines", 0.25), ("prose", -0.5), ("code", 0.0)])
    'prose -0.50, lines +0.25'
    """
    notable = [(name, part) for name, part in evidence if abs(part) >= LEAST_PART]
    weighty = sorted(notable, key=lambda pair: -abs(pair[1]))[:most]
    return ", ".join(f"{name} {part:+.2f}" for name, part in weighty)


# Prints columns side by side below their names, as many as fit the terminal.

INDENT = "   "
GAP = 2  # spaces between columns


def print_rows(columns: Sequence[Column], height: int | None) -> int:
    """Print `height` rows of as many columns as fit, or everything; return the number of columns printed."""
    lines = lines_of(columns, height)
    fitting = len(columns) if height is None else columns_that_fit(lines, _room(), GAP)
    print_lines([line[:fitting] for line in lines], everything=height is None)
    return fitting


def lines_of(columns: Sequence[Column], height: int | None) -> list[list[Text]]:
    """The names of the columns, then their rows."""
    names = [Text(clean(column.name), style="italic dim") for column in columns]
    rows = zip(*(column.texts[:height] for column in columns), strict=True)
    return [names, *([Text(clean(text or "")) for text in row] for row in rows)]


def print_lines(lines: Sequence[Sequence[Text]], *, everything: bool) -> None:
    """Print aligned rows of texts: long ones are cut until all fit, or kept whole."""
    drawn = Drawn(box=None, show_header=False, pad_edge=False, padding=(0, GAP, 0, 0))
    drawn.add_column("", width=len(INDENT) - GAP)
    whole = [max(text.cell_len for text in column) for column in zip(*lines, strict=True)]
    for width in whole if everything else widths_of(lines, _room(), GAP):
        drawn.add_column("", no_wrap=True, overflow="ellipsis", width=width)
    for line in lines:
        drawn.add_row(Text(""), *line)
    print_drawn(drawn, endless=everything)


def _room() -> int:
    return output.width - len(INDENT) + GAP  # no gap after the last column


# Prints a trace: what each step examined, the evidence for and against it, and the decision.

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
