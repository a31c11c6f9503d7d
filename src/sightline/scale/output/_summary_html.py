"""The summary of a batch as one HTML page, without scripts; all that comes from outside is escaped."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from sightline.scale.output._facts import STATUSES
from sightline.scale.output._figures import BatchFigures, CauseGroup, FieldFill, SlowDocument
from sightline.scale.output._summary_text import amount, bytes_in_words, duration, one_line, percent

LONGEST = 300  # characters of a name or a reason on the page

_SAFE = "default-src 'none'; style-src 'unsafe-inline'"
"""Should anything slip through, a browser neither runs nor loads it."""


def page_of(summary: BatchFigures) -> str:
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


def _head(summary: BatchFigures) -> str:
    found = summary.audited
    sentence = str(found) if found else f"{summary.documents:,} documents, not audited."
    problems = [_text(problem) for problem in ((*found.mending, *found.problems)[:10] if found else ())]
    notes = [f"Stopped: {_text(summary.stopped, 1000)}"] if summary.stopped else []
    if found and not found.is_complete:
        notes.append("The batch is not complete.")
    told = "".join(f"<p>{note}</p>" for note in [*notes, *problems])
    title = _text(summary.title) or "Batch"
    return f"<h1>{title}</h1>\n<p>{_text(sentence)}</p>" + (f'\n<div class="note">{told}</div>' if told else "")


def _tiles(summary: BatchFigures) -> str:
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


def _verdicts(summary: BatchFigures) -> str:
    counted = [(status, getattr(summary, status), summary.share(status)) for status in STATUSES]
    bars = "".join(
        f'<i style="flex:{count} 1 0;background:var(--{status})"></i>' for status, count, _ in counted if count
    )
    legend = "".join(
        f'<li><i style="background:var(--{status})"></i>{count:,} {status} <span>{percent(share)}</span></li>'
        for status, count, share in counted
    )
    return f'<div class="stack">{bars}</div>\n<ul class="legend">{legend}</ul>'


def _course(summary: BatchFigures) -> str:
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


def _fields(summary: BatchFigures) -> str:
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


def _causes(summary: BatchFigures) -> str:
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


def _slowest(summary: BatchFigures) -> str:
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


# Charts as inline SVG: their colours are those of the page around them, light or dark.

WIDTH, HEIGHT = 860, 150  # of the large chart, in CSS pixels; a page shows it at most so wide
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 8, 8, 22
_TOPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def nice_top(highest: float) -> float:
    """The end of an axis of shares.

    >>> nice_top(0.004), nice_top(0.13), nice_top(1.0)
    (0.01, 0.2, 1.0)
    """
    return next((top for top in _TOPS if highest <= top), 1.0)


def area_chart(shares: Sequence[float | None], ends: tuple[str, str], *, colour: str, label: str, small: bool) -> str:
    """Shares in the course of a batch; where there is none, the line is interrupted.

    `ends` are the words below the first and the last one, `label` what a screen reader says.
    """
    width, height = (WIDTH // 2 - 12, 96) if small else (WIDTH, HEIGHT)
    top = 1.0 if small else nice_top(max((share for share in shares if share is not None), default=0.0))
    across = (width - _LEFT - _RIGHT) / max(1, len(shares) - 1)
    down = height - _TOP - _BOTTOM
    places = [
        None if share is None else (_LEFT + across * number, _TOP + down * (1 - share / top))
        for number, share in enumerate(shares)
    ]
    size = "small" if small else "large"
    return (
        f'<svg class="{size}" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">'
        f"{_grid(top, width, height, small=small)}"
        f"{''.join(_run(run, _TOP + down, colour) for run in _runs(places))}"
        f'<text x="{_LEFT}" y="{height - 6}">{ends[0]}</text>'
        f'<text x="{width - _RIGHT}" y="{height - 6}" text-anchor="end">{ends[1]}</text></svg>'
    )


def _grid(top: float, width: int, height: int, *, small: bool) -> str:
    down = height - _TOP - _BOTTOM
    lines = []
    for part in (0.0, 1.0) if small else (0.0, 0.5, 1.0):
        y = _TOP + down * (1 - part)
        lines.append(f'<line x1="{_LEFT}" x2="{width - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(f'<text x="{_LEFT - 6}" y="{y + 3.5:.1f}" text-anchor="end">{_axis(part * top)}</text>')
    return f'<g class="grid">{"".join(lines)}</g>'


def _axis(share: float) -> str:
    return f"{100 * share:g} %" if round(100 * share, 3) == 100 * share else percent(share)


def _runs(places: Sequence[tuple[float, float] | None]) -> list[list[tuple[float, float]]]:
    """Points that follow each other."""
    runs: list[list[tuple[float, float]]] = [[]]
    for place in places:
        if place is None:
            runs.append([])
        else:
            runs[-1].append(place)
    return [run for run in runs if run]


def _run(points: Sequence[tuple[float, float]], floor: float, colour: str) -> str:
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    if len(points) == 1:
        return f'<circle cx="{points[0][0]:.1f}" cy="{points[0][1]:.1f}" r="2.5" fill="var({colour})"/>'
    area = f"{points[0][0]:.1f},{floor:.1f} {line} {points[-1][0]:.1f},{floor:.1f}"
    return (
        f'<polygon points="{area}" fill="var({colour})" opacity=".14"/>'
        f'<polyline points="{line}" fill="none" stroke="var({colour})" stroke-width="2" stroke-linejoin="round"/>'
    )


# The looks of the summary page: the colours of the Studio, light and dark by the reader's choice.

STYLE = """
:root { color-scheme: light dark; --surface: #fff; --raised: #f7f7f8; --track: #efeff2; --line: #e2e3e8;
  --ink: #16181d; --ink-2: #4a4e59; --ink-3: #5c616e; --accent: #3451e0;
  --ok: #0a7a55; --suspicious: #b87400; --failed: #b3261e; --quarantined: #7a3fa0;
  --suspicious-text: #8f5a00; --bar: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --surface: #17181c; --raised: #1d1f24; --track: #272a31; --line: #2c2f37;
  --ink: #eceef2; --ink-2: #b6bac6; --ink-3: #9297a5; --accent: #8a9cff;
  --ok: #4fc795; --suspicious: #f0b94f; --failed: #ff8b80; --quarantined: #c79bea;
  --suspicious-text: #f0b94f; --bar: #56b4e9; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--surface); color: var(--ink);
  font: 14px/1.5 "Inter Variable", Inter, system-ui, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 924px; margin: 0 auto; padding: 40px 32px 64px; }
h1 { font-size: 22px; line-height: 1.3; margin: 0 0 4px; font-weight: 650; overflow-wrap: anywhere; }
h2 { font-size: 15px; margin: 40px 0 12px; font-weight: 650; }
p { margin: 0 0 8px; color: var(--ink-2); }
.note { border-left: 3px solid var(--failed); padding: 2px 0 2px 12px; margin: 16px 0; color: var(--ink); }
.note p { color: var(--ink); }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(180px, 1fr)); gap: 12px; margin: 24px 0 20px; }
.tile { background: var(--raised); border-radius: 8px; padding: 14px 16px; }
.tile b { display: block; font-size: 22px; line-height: 1.25; font-weight: 600; }
.tile span { color: var(--ink-3); font-size: 12.5px; }
.stack { display: flex; gap: 2px; height: 18px; border-radius: 5px; overflow: hidden; background: var(--track); }
.stack i { min-width: 3px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 24px; list-style: none; margin: 10px 0 0; padding: 0; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 7px; }
.legend span { color: var(--ink-3); }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 500; color: var(--ink-3); font-size: 12.5px; padding: 0 12px 6px 0; }
td { border-top: 1px solid var(--line); padding: 7px 12px 7px 0; vertical-align: top; overflow-wrap: anywhere; }
td:last-child, th:last-child { padding-right: 0; }
th { white-space: nowrap; } td:has(> .status) { width: 1%; padding-right: 24px; }
.number { text-align: right; white-space: nowrap; overflow-wrap: normal; width: 1%; padding-right: 24px; }
.name { min-width: 160px; }
.track { background: var(--track); border-radius: 3px; height: 8px; margin-top: 6px; width: 100%; }
.track i { display: block; background: var(--bar); border-radius: 3px; height: 8px; }
.status { white-space: nowrap; font-weight: 550; }
.status.ok { color: var(--ok); } .status.suspicious { color: var(--suspicious-text); }
.status.failed { color: var(--failed); } .status.quarantined { color: var(--quarantined); }
.quiet { color: var(--ink-3); font-size: 12.5px; }
ul.examples { list-style: none; margin: 3px 0 0; padding: 0; color: var(--ink-3); font-size: 12.5px; }
ul.examples li { margin-top: 2px; }
svg { display: block; width: 100%; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink-3); }
svg .grid line { stroke: var(--line); stroke-width: 1; }
.pair { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 20px 24px; margin-top: 20px; }
figure { margin: 0; } figcaption { margin-bottom: 4px; overflow-wrap: anywhere; }
figcaption span { color: var(--ink-3); }
@media (max-width: 560px) { main { padding: 24px 16px 40px; } .wide { display: none; }
  svg.large text { font-size: 20px; } }
@media print { main { padding: 0; } }
"""
