"""Printing: results go to standard output, everything else to standard error.

Texts and names come from strangers, and terminals obey what they are told. So whatever is printed passes `harmless`:
both consoles apply it to all they draw, and commands print by no other way.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import orjson
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook
from rich.segment import Segment

if TYPE_CHECKING:
    from sightline.jobs import OnProgress, Progress

__all__ = ["complain", "harmless", "output", "print_json", "remark", "showing_progress"]

# Control characters but the line break, marks that change the direction of text, and halves of characters, which stand
# for bytes of a file name and cannot be written.
_CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_CONTROLS_IN_JSON = re.compile(rb"\x7f|\xc2[\x80-\x9f]")


def harmless(text: str) -> str:
    r"""A text that a terminal only shows: nothing in it can move the cursor, set the title or turn lines around.

    >>> harmless("a\tb\x1b[31m\u202e")
    'a b�[31m�'
    """
    return _CONTROLS.sub("\ufffd", text.replace("\t", " "))


class _Harmless:
    """Something to print, with all its texts made harmless; colours and the like are the console's."""

    def __init__(self, renderable: ConsoleRenderable) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[Segment]:
        for segment in console.render(self._renderable, options):
            yield segment if segment.control else Segment(harmless(segment.text), segment.style)


class _MakeHarmless(RenderHook):
    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Called by a console with everything that it is about to print."""
        return [_Harmless(renderable) for renderable in renderables]


class _Output(Console):
    """Standard output, whose reader may close the pipe early (`| head`); that is not an error."""

    def on_broken_pipe(self) -> None:
        """Stop quietly; whatever Python flushes at exit is discarded."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0)


output = _Output(highlight=False, soft_wrap=True)
_notes = Console(stderr=True, highlight=False, soft_wrap=True)
for _console in (output, _notes):
    _console.push_render_hook(_MakeHarmless())


def complain(message: str) -> None:
    """Print an error on one line of standard error."""
    _notes.print(f"sightline: {' '.join(message.split())}", style="red", markup=False)


def remark(message: str, *, source: str = "") -> None:
    """Print a remark that is not part of the result; `source` is what it is about, which cannot look like a remark."""
    about = f"{' '.join(source.split())}: " if source else ""
    _notes.print(f"{about}{message}", style="dim", markup=False)


def print_json(document: dict[str, Any]) -> None:
    """Print one JSON document on standard output, and nothing else."""
    content = orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY)
    sys.stdout.buffer.write(_CONTROLS_IN_JSON.sub(_escaped, content) + b"\n")
    sys.stdout.buffer.flush()


def _escaped(found: re.Match[bytes]) -> bytes:
    """A control character that JSON would allow, in the way in which it writes the others."""
    return b"\\u%04x" % ord(found[0].decode())


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
