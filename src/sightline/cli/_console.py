"""Where things are printed: results on standard output, everything else on standard error."""

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
    """Standard output, whose reader may have seen enough (`| head`); that is not an error."""

    def on_broken_pipe(self) -> None:
        """Stop quietly; whatever Python still flushes at its end goes nowhere."""
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


@contextmanager
def showing_progress() -> Iterator["OnProgress | None"]:
    """A listener that draws a bar on standard error while work is under way; none when that is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn  # slow to import, and seldom needed
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
    """How many of how many, how much, and how long it will still take.

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
