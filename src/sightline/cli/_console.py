"""Printing: results go to standard output, everything else to standard error.

Texts and names come from strangers, and terminals obey what they are told. So whatever is printed passes `harmless`:
both consoles apply it to all they draw, and commands print by no other way.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

import orjson
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook
from rich.segment import Segment

from sightline.redaction import redacted, without_secrets, without_secrets_in

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import ProgressColumn

    from sightline.jobs import OnProgress, Progress

# Control characters but the line break, marks that change the direction of text, and halves of characters, which stand
# for bytes of a file name and cannot be written.
_CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
LONG = 2.0  # seconds, after which people want to know that something is going on
BAR = 40  # characters
_WORKING = "Reading"
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
            yield segment if segment.control else Segment(without_secrets(harmless(segment.text)), segment.style)


class _MakeHarmless(RenderHook):
    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Called by a console with everything that it is about to print."""
        return [_Harmless(renderable) for renderable in renderables]


class _Output(Console):
    """Standard output, whose reader may close the pipe early (`| head`); that is not an error.

    `exit_status` is what follows from what is known by then.
    """

    exit_status = 0

    def on_broken_pipe(self) -> None:
        """Stop quietly; whatever Python flushes at exit is discarded."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(self.exit_status)


output = _Output(highlight=False, soft_wrap=True)
_notes = Console(stderr=True, highlight=False, soft_wrap=True)
for _console in (output, _notes):
    _console.push_render_hook(_MakeHarmless())


# Where standard error is a log for programs, it also takes what people would be told: the stream, and who writes to it.
_log: tuple[TextIO, Callable[..., None]] | None = None


def log_to(stream: TextIO, message: Callable[..., None]) -> None:
    """Have `message` write all remarks and errors, for as long as standard error is this stream."""
    global _log
    _log = stream, message


def _is_logged(level: str, message: str, source: str = "") -> bool:
    if _log is None or _log[0] is not sys.stderr:
        return False
    _log[1](level, message, source=source)
    return True


def complain(message: str) -> None:
    """Print an error on one line of standard error."""
    if _is_logged("error", message):
        return
    _notes.print(f"sightline: {' '.join(redacted(message).split())}", style="red", markup=False)


def remark(message: str, *, source: str = "") -> None:
    """Print a remark that is not part of the result; `source` is what it is about, which cannot look like a remark."""
    if _is_logged("info", message, source):
        return
    about = f"{' '.join(source.split())}: " if source else ""
    _notes.print(redacted(f"{about}{message}"), style="dim", markup=False)


def print_json(document: dict[str, Any]) -> None:
    """Print one JSON document on standard output, and nothing else."""
    document = without_secrets_in(document)
    content = orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY)
    sys.stdout.buffer.write(_CONTROLS_IN_JSON.sub(_escaped, content) + b"\n")
    sys.stdout.buffer.flush()


def _escaped(found: re.Match[bytes]) -> bytes:
    """A control character that JSON would allow, in the way in which it writes the others."""
    return b"\\u%04x" % ord(found[0].decode())


@contextmanager
def showing_progress(part: Callable[[], str] = str) -> Iterator["OnProgress | None"]:
    """A listener that draws a progress bar on standard error, or None if that is not a terminal.

    One source alone has no bar; if it takes long, a line tells how long, and which `part` of it is being read.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress as Bar  # slow to import, rarely needed

    with Bar(_status(part), console=_notes, transient=True) as bar:
        task = bar.add_task("", total=None, facts="")

        def show(progress: "Progress") -> None:
            counted = progress.total != 1 and (progress.total is not None or progress.done)
            facts = _facts(progress) if counted else ""
            what = _WORKING if progress.total == 1 else progress.what
            bar.update(task, description=what, completed=progress.done, total=progress.total, facts=facts)

        yield show


@contextmanager
def live() -> Iterator[Callable[["RenderableType"], None]]:
    """A place on a terminal that is drawn anew again and again, and removed in the end."""
    from rich.live import Live

    with Live(console=_notes, transient=True, auto_refresh=False) as place:
        yield lambda drawn: place.update(drawn, refresh=True)


@contextmanager
def working(what: str) -> Iterator[None]:
    """A line on a terminal that tells how long some work takes, once that is long."""
    with showing_progress() as on_progress:
        if on_progress:
            from sightline.jobs import Progress

            on_progress(Progress(what))
        yield


def _status(part: Callable[[], str]) -> "ProgressColumn":
    """What is being done; a bar where there are several things to do; how far it is, and for how long."""
    from rich.console import Group
    from rich.progress import ProgressColumn, Task
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    class Status(ProgressColumn):
        max_refresh = None

        def render(self, task: Task) -> "RenderableType":
            seconds = task.elapsed or 0.0
            several = (task.total or 0) > 1
            if not several and seconds < LONG:
                return Group()
            line = Table.grid(padding=(0, 1))
            facts = " · ".join(filter(None, (task.fields["facts"], part(), f"{seconds:.0f} s")))
            bar = [ProgressBar(total=task.total, completed=task.completed, width=BAR)] if several else []
            line.add_row(Text(task.description), *bar, Text(facts))
            return line

    return Status()


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
