"""The summary of a batch as plain text."""

from collections.abc import Iterator, Sequence

from sightline.scale.output._facts import STATUSES
from sightline.scale.output._figures import amount, bytes_in_words, duration, one_line, percent, width_of
from sightline.scale.output._summary import BatchSummary

__all__ = ["text_of"]

WIDTH = 100
_NAME = 28  # columns of a name
_BAR = 40
_BLOCKS = "▁▂▃▄▅▆▇█"


def text_of(summary: BatchSummary) -> str:
    """The whole summary; every line fits into `WIDTH` columns."""
    parts = (_head, _verdicts, _fields, _course, _causes, _slowest)
    return "\n\n".join(text for part in parts if (text := "\n".join(part(summary)))) + "\n"


def _head(summary: BatchSummary) -> Iterator[str]:
    if summary.title:
        yield one_line(summary.title, WIDTH)
    if summary.stopped:
        yield from _wrapped(f"Stopped: {summary.stopped}")
    if summary.audited:
        yield from _wrapped(str(summary.audited))
        told = (*summary.audited.mending, *summary.audited.problems)
        yield from (line for problem in told[:10] for line in _wrapped(f"- {problem}"))


def _verdicts(summary: BatchSummary) -> Iterator[str]:
    yield "Verdicts"
    for status in STATUSES:
        share = summary.share(status)
        yield f"  {status:<{_NAME}}{getattr(summary, status):>12,}  {percent(share):>8}  {_bar(share)}".rstrip()
    documents = max(1, summary.documents)
    rows = f"{summary.rows:,} rows, {amount(summary.rows / documents)} a document"
    yield f"  {rows}; {bytes_in_words(summary.bytes)} read, {bytes_in_words(summary.file_bytes)} written"
    yield f"  {_speed(summary)}{duration(summary.cpu_seconds / documents)} CPU a document"


def _speed(summary: BatchSummary) -> str:
    if not summary.elapsed:
        return ""
    workers = f" with {summary.workers:,} worker{'s' * (summary.workers != 1)}" if summary.workers else ""
    rate = amount(summary.documents / summary.elapsed)
    return f"{rate} documents a second in {duration(summary.elapsed)}{workers}; "


def _fields(summary: BatchSummary) -> Iterator[str]:
    if summary.fields:
        yield "Fields: rows that have a value"
    for field in summary.fields:
        yield f"  {_named(field.name)}{field.filled:>12,}  {percent(field.share):>8}  {_bar(field.share)}".rstrip()


def _course(summary: BatchSummary) -> Iterator[str]:
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


def _causes(summary: BatchSummary) -> Iterator[str]:
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


def _slowest(summary: BatchSummary) -> Iterator[str]:
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
