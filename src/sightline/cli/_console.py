"""Where things are printed: results on standard output, everything else on standard error."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import orjson
from rich.console import Console

__all__ = ["complain", "learning", "output", "print_json", "progress", "remark"]

T = TypeVar("T")


class _Output(Console):
    """Standard output, whose reader may have seen enough (`| head`): that is no error."""

    def on_broken_pipe(self) -> None:
        """Stop quietly; what Python would still flush at its end goes nowhere."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0)


output = _Output(highlight=False, soft_wrap=True)
_notes = Console(stderr=True, highlight=False, soft_wrap=True)


def complain(message: str) -> None:
    """One line on standard error."""
    _notes.print(f"sightline: {' '.join(message.split())}", style="red", markup=False)


def remark(message: str) -> None:
    """Something worth knowing that is not the result."""
    _notes.print(message, style="dim", markup=False)


def print_json(document: dict[str, Any]) -> None:
    """One JSON document on standard output, and nothing else."""
    sys.stdout.buffer.write(orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY) + b"\n")
    sys.stdout.buffer.flush()


def progress(items: Iterable[T], *, total: int | None, what: str) -> Iterator[T]:
    """The items, with a bar on standard error when that is a terminal and there is more than one."""
    if not sys.stderr.isatty() or total == 1:
        yield from items
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # slow to import

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=_notes, transient=True) as bar:
        yield from bar.track(items, total=total)


@contextmanager
def learning(total: int) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error while pages are learned from, when that is a terminal: how many of them comply so far.

    What it gives is called with how many pages were learned from, and how many comply; until then the bar pulses.
    """
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # slow to import

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=_notes, transient=True) as bar:
        task = bar.add_task(f"Learning from {total} pages", total=None)
        yield lambda learned, comply: bar.update(
            task, description=f"Learned from {learned}, {comply} of {total} comply", completed=comply, total=total
        )
