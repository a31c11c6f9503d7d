"""Printing: results go to standard output, everything else to standard error."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import orjson
from rich.console import Console

if TYPE_CHECKING:
    from sightline.jobs import OnProgress, Progress

__all__ = ["complain", "output", "print_json", "remark", "showing_progress"]


class _Output(Console):
    """Standard output, whose reader may close the pipe early (`| head`); that is not an error."""

    def on_broken_pipe(self) -> None:
        """Stop quietly; whatever Python flushes at exit is discarded."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0)


output = _Output(highlight=False, soft_wrap=True)
_notes = Console(stderr=True, highlight=False, soft_wrap=True)


def complain(message: str) -> None:
    """Print an error on one line of standard error."""
    _notes.print(f"sightline: {' '.join(message.split())}", style="red", markup=False)


def remark(message: str) -> None:
    """Print a remark that is not part of the result."""
    _notes.print(message, style="dim", markup=False)


def print_json(document: dict[str, Any]) -> None:
    """Print one JSON document on standard output, and nothing else."""
    sys.stdout.buffer.write(orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY) + b"\n")
    sys.stdout.buffer.flush()


@contextmanager
def showing_progress() -> Iterator["OnProgress | None"]:
    """A listener that draws a progress bar on standard error, or None if that is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn  # slow to import, rarely needed
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[facts]}"), TimeElapsedColumn())
    with Bar(*columns, console=_notes, transient=True) as bar:
        task = bar.add_task("", total=None, facts="")

        def show(progress: "Progress") -> None:
            alone = progress.total == 1
            bar.update(
                task,
                description=progress.what,
                completed=progress.done,
                total=progress.total,
                facts=_facts(progress),
                visible=not alone,
            )

        yield show


def _facts(progress: "Progress") -> str:
    """The progress in numbers: how many of how many, how much data, and the time left.

    >>> from sightline.jobs import Progress
    >>> _facts(Progress("Opening pages", done=3, total=12, seconds=6.0, bytes=2_500_000, failed=1))
    '3 of 12 · 1 failed · 2.5 MB · 18 s left'
    """
    facts = [f"{progress.done} of {progress.total}" if progress.total is not None else str(progress.done)]
    if progress.failed:
        facts.append(f"{progress.failed} failed")
    if progress.bytes:
        facts.append(f"{progress.bytes / 1e6:.1f} MB")
    if progress.remaining and progress.done < (progress.total or 0):
        facts.append(f"{progress.remaining:.0f} s left")
    return " · ".join(facts)
