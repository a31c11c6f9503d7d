"""The summary of a batch as one HTML page, without scripts; all that comes from outside is escaped."""

import re
from collections.abc import Iterable
from html import escape

from sightline.scale.output._charts import area_chart
from sightline.scale.output._figures import amount, bytes_in_words, duration, one_line, percent
from sightline.scale.output._outcome import STATUSES
from sightline.scale.output._summary import BatchSummary, CauseGroup, FieldFill, SlowDocument
from sightline.scale.output._summary_style import STYLE

__all__ = ["page_of"]

LONGEST = 300  # characters of a name or a reason on the page

_SAFE = "default-src 'none'; style-src 'unsafe-inline'"
"""Should anything slip through, a browser neither runs nor loads it."""


def page_of(summary: BatchSummary) -> str:
    """The whole page."""
    title = _text(summary.title) or "Batch"
    parts = (_head, _tiles, _verdicts, _course, _fields, _causes, _slowest)
    body = "\n".join(text for part in parts if (text := part(summary)))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_SAFE}">'
        f"<title>{title} · Sightline</title>\n<style>{STYLE}</style></head>\n"
        f"<body><main>\n{body}\n</main></body></html>\n"
    )


def _text(text: str, longest: int = LONGEST) -> str:
    return escape(one_line(text, longest))


def _head(summary: BatchSummary) -> str:
    found = summary.audited
    sentence = str(found) if found else f"{summary.documents:,} documents, not audited."
    problems = [_text(problem) for problem in ((*found.mending, *found.problems)[:10] if found else ())]
    notes = [f"Stopped: {_text(summary.stopped, 1000)}"] if summary.stopped else []
    if found and not found.is_complete:
        notes.append("The batch is not complete.")
    told = "".join(f"<p>{note}</p>" for note in [*notes, *problems])
    title = _text(summary.title) or "Batch"
    return f"<h1>{title}</h1>\n<p>{_text(sentence)}</p>" + (f'\n<div class="note">{told}</div>' if told else "")


def _tiles(summary: BatchSummary) -> str:
    documents = max(1, summary.documents)
    tiles = [
        (f"{summary.documents:,}", f"documents, {bytes_in_words(summary.bytes)} read"),
        (f"{summary.rows:,}", f"rows, {bytes_in_words(summary.file_bytes)} written"),
        (duration(summary.cpu_seconds / documents), f"CPU a document, {duration(summary.cpu_seconds)} in all"),
    ]
    if summary.elapsed:
        workers = f" with {summary.workers:,} worker{'s' * (summary.workers != 1)}" if summary.workers else ""
        rate = amount(summary.documents / summary.elapsed)
        tiles.append((rate, f"documents a second, {duration(summary.elapsed)}{workers}"))
    shown = "".join(f'<div class="tile"><b>{figure}</b><span>{_unbroken(what)}</span></div>' for figure, what in tiles)
    return f'<div class="tiles">{shown}</div>'


def _unbroken(text: str) -> str:
    """A figure stays on the line of its unit."""
    return re.sub(r"(?<=\d) (?=\w)", "\u00a0", text)


def _verdicts(summary: BatchSummary) -> str:
    counted = [(status, getattr(summary, status), summary.share(status)) for status in STATUSES]
    bars = "".join(
        f'<i style="flex:{count} 1 0;background:var(--{status})"></i>' for status, count, _ in counted if count
    )
    legend = "".join(
        f'<li><i style="background:var(--{status})"></i>{count:,} {status} <span>{percent(share)}</span></li>'
        for status, count, share in counted
    )
    return f'<div class="stack">{bars}</div>\n<ul class="legend">{legend}</ul>'


def _course(summary: BatchSummary) -> str:
    steps = summary.steps
    if len(steps) < 2:
        return ""
    ends = ("document 1", f"document {summary.documents:,}")
    shares = [step.not_ok_share for step in steps]
    large = _figure("not ok", shares, area_chart(shares, ends, colour="--failed", label="not ok", small=False))
    places = {field.name: place for place, field in enumerate(summary.fields)}
    small = []
    for name in summary.changed:
        fills = [step.fill(places[name]) for step in steps]
        chart = area_chart(fills, ("first", "last"), colour="--bar", label=_text(name, 60), small=True)
        small.append(_figure(f"rows with {name}", fills, chart))
    pair = f'<div class="pair">{"".join(small)}</div>' if small else ""
    about = f'<p class="quiet">{len(steps)} steps of about {steps[0].documents:,} documents, in the order of the input.'
    return f"<h2>In the course of the batch</h2>\n{about}</p>{large}{pair}"


def _figure(name: str, shares: Iterable[float | None], chart: str) -> str:
    known = [share for share in shares if share is not None] or [0.0]
    change = f"{percent(known[0])} → {percent(known[-1])}"
    return f"<figure><figcaption>{_text(name, 80)} <span>{change}</span></figcaption>{chart}</figure>"


def _fields(summary: BatchSummary) -> str:
    if not summary.fields:
        return ""
    head = '<tr><th>field</th><th class="number">rows with a value</th><th class="number">share</th><th></th></tr>'
    return f"<h2>Fields</h2>\n<table>{head}{''.join(map(_field_row, summary.fields))}</table>"


def _field_row(field: FieldFill) -> str:
    return (
        f'<tr><td class="name">{_text(field.name, 80)}</td><td class="number">{field.filled:,}</td>'
        f'<td class="number">{percent(field.share)}</td>'
        f'<td style="width:42%"><div class="track"><i style="width:{100 * field.share:.2f}%"></i></div></td></tr>'
    )


def _causes(summary: BatchSummary) -> str:
    if not summary.causes:
        return ""
    rest = f'<p class="quiet">{summary.other_causes:,} more for other causes.</p>' if summary.other_causes else ""
    head = '<tr><th class="number">documents</th><th>verdict</th><th>reason, and some of them</th></tr>'
    return f"<h2>Why documents are not ok</h2>\n<table>{head}{''.join(map(_cause_row, summary.causes))}</table>{rest}"


def _cause_row(group: CauseGroup) -> str:
    cause = _text(group.cause, 60)
    beside = f' <span class="quiet">{cause}</span>' if cause and cause != group.status else ""
    examples = "".join(f"<li>{_text(one.source or one.id)}</li>" for one in group.examples)
    return (
        f'<tr><td class="number">{group.documents:,}</td><td><span class="status {group.status}">{group.status}</span>'
        f'</td><td>{_text(group.reason) or "no reason given"}{beside}<ul class="examples">{examples}</ul></td></tr>'
    )


def _slowest(summary: BatchSummary) -> str:
    if not summary.slowest:
        return ""
    head = '<tr><th class="number">time</th><th class="number wide">CPU</th><th>verdict</th><th>document</th></tr>'
    return f"<h2>Slowest documents</h2>\n<table>{head}{''.join(map(_slow_row, summary.slowest))}</table>"


def _slow_row(one: SlowDocument) -> str:
    status = one.status if one.status in STATUSES else "failed"
    return (
        f'<tr><td class="number">{duration(one.seconds)}</td><td class="number wide">{duration(one.cpu_seconds)}</td>'
        f'<td><span class="status {status}">{status}</span></td><td>{_text(one.source or one.id)}</td></tr>'
    )
