"""The summary of a batch as plain text."""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate

from sightline.scale.output._facts import STATUSES
from sightline.scale.output._figures import BatchFigures

WIDTH = 100
_NAME = 28  # columns of a name
_BAR = 40
_BLOCKS = "▁▂▃▄▅▆▇█"


def text_of(summary: BatchFigures) -> str:
    """The whole summary; every line fits into `WIDTH` columns."""
    parts = (_head, _verdicts, _fields, _course, _causes, _slowest)
    return "\n\n".join(text for part in parts if (text := "\n".join(part(summary)))) + "\n"


def _head(summary: BatchFigures) -> Iterator[str]:
    if summary.title:
        yield one_line(summary.title, WIDTH)
    if summary.stopped:
        yield from _wrapped(f"Stopped: {summary.stopped}")
    if summary.audited:
        yield from _wrapped(str(summary.audited))
        told = (*summary.audited.mending, *summary.audited.problems)
        yield from (line for problem in told[:10] for line in _wrapped(f"- {problem}"))


def _verdicts(summary: BatchFigures) -> Iterator[str]:
    yield "Verdicts"
    for status in STATUSES:
        share = summary.share(status)
        yield f"  {status:<{_NAME}}{getattr(summary, status):>12,}  {percent(share):>8}  {_bar(share)}".rstrip()
    documents = max(1, summary.documents)
    rows = f"{summary.rows:,} rows, {amount(summary.rows / documents)} a document"
    yield f"  {rows}; {bytes_in_words(summary.bytes)} read, {bytes_in_words(summary.file_bytes)} written"
    yield f"  {_speed(summary)}{duration(summary.cpu_seconds / documents)} CPU a document"


def _speed(summary: BatchFigures) -> str:
    if not summary.elapsed:
        return ""
    workers = f" with {summary.workers:,} worker{'s' * (summary.workers != 1)}" if summary.workers else ""
    rate = amount(summary.documents / summary.elapsed)
    return f"{rate} documents a second in {duration(summary.elapsed)}{workers}; "


def _fields(summary: BatchFigures) -> Iterator[str]:
    if summary.fields:
        yield "Fields: rows that have a value"
    for field in summary.fields:
        yield f"  {_named(field.name)}{field.filled:>12,}  {percent(field.share):>8}  {_bar(field.share)}".rstrip()


def _course(summary: BatchFigures) -> Iterator[str]:
    steps = summary.steps
    if len(steps) < 2:
        return
    yield f"In the course of the batch: {len(steps)} steps of about {steps[0].documents:,} documents"
    yield _line("not ok", [step.not_ok_share for step in steps])
    places = {field.name: place for place, field in enumerate(summary.fields)}
    for name in summary.changed:
        yield _line(name, [step.fill(places[name]) for step in steps])


def _line(name: str, shares: Sequence[float | None]) -> str:
    known = [share for share in shares if share is not None] or [0.0]
    marks = "".join(" " if share is None else _BLOCKS[min(7, int(8 * share))] for share in shares)
    return f"  {_named(name)}{marks}  {percent(known[0])} → {percent(known[-1])}"


def _causes(summary: BatchFigures) -> Iterator[str]:
    if summary.causes:
        yield "Why documents are not ok"
    for group in summary.causes:
        cause = one_line(group.cause, 24)
        told = f"{group.status}{f' ({cause})' if cause and cause != group.status else ''}"
        told += f": {group.reason}" if group.reason else ""
        yield f"{group.documents:>12,}  {one_line(told, WIDTH - 14)}"
        for example in group.examples:
            yield f"{'':16}{one_line(example.source or example.id, WIDTH - 16)}"
    if summary.other_causes:
        yield f"{summary.other_causes:>12,}  for other causes"


def _slowest(summary: BatchFigures) -> Iterator[str]:
    if summary.slowest:
        yield "Slowest documents"
    for one in summary.slowest:
        yield f"{duration(one.seconds):>12}  {one.status:<12}{one_line(one.source or one.id, WIDTH - 26)}"


def _named(name: str) -> str:
    shown = one_line(name, _NAME - 2)
    return shown + " " * (_NAME - width_of(shown))


def _bar(share: float) -> str:
    return "█" * round(_BAR * share) or ("▏" if share else "")


def _wrapped(text: str) -> Iterator[str]:
    """A sentence on as many lines as it needs."""
    line = ""
    for word in one_line(text, 100 * WIDTH).split(" "):
        if line and width_of(line) + 1 + width_of(word) > WIDTH:
            yield line
            line = "  "
        line += f"{' ' * bool(line.strip())}{one_line(word, WIDTH - 2)}"
    yield line


# Figures and names as people read them, in the text and on the page of a summary.


def percent(share: float) -> str:
    """A share, with as many digits as tell it from nothing and from all.

    >>> percent(0.5), percent(0.0004), percent(0), percent(0.9996), percent(1), percent(0.0000004)
    ('50.0 %', '0.04 %', '0 %', '99.96 %', '100 %', '<0.01 %')
    """
    if share in (0, 1):
        return f"{share:.0%}".replace("%", " %")
    if not 0.001 <= share <= 0.999:
        return "<0.01 %" if share < 0.0001 else ">99.99 %" if share > 0.9999 else f"{100 * share:.2f} %"
    return f"{100 * share:.1f} %"


def duration(seconds: float) -> str:
    """A time, in the unit that suits it.

    >>> duration(0.0123), duration(3.2), duration(600), duration(7200), duration(1e6)
    ('12.3 ms', '3.2 s', '10.0 min', '2.0 h', '11.6 days')
    """
    for unit, length in (("days", 86400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0)):
        if seconds >= 2 * length or (unit == "s" and seconds >= 1):
            return f"{seconds / length:,.1f} {unit}"
    return f"{1000 * seconds:.1f} ms"


def bytes_in_words(count: float) -> str:
    """A number of bytes.

    >>> bytes_in_words(999), bytes_in_words(1_500_000), bytes_in_words(2e15)
    ('999 bytes', '1.5 MB', '2,000.0 TB')
    """
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count:,.0f} bytes"


def amount(count: float) -> str:
    """A number, without digits that nobody reads.

    >>> amount(12.345), amount(1234.5), amount(0.0123)
    ('12.3', '1,234', '0.012')
    """
    return f"{count:,.0f}" if count >= 100 else f"{count:.1f}" if count >= 1 else f"{count:.2g}"


def width_of(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def one_line(text: str, width: int) -> str:
    r"""A text from outside on one line: no control of the terminal survives, and what is too long is cut.

    >>> one_line("a\x1b[31m\nb", 20), one_line("abcdef", 4)
    ('a�[31m b', 'abc…')
    """
    line = "".join(letter if letter.isprintable() else "\ufffd" for letter in " ".join(text[: 4 * width].split()))
    if width_of(line) <= width and len(text) <= 4 * width:
        return line
    ends = accumulate(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)
    return line[: sum(end < width for end in ends)] + "…"
