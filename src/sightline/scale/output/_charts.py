"""Charts as inline SVG: their colours are those of the page around them, light or dark."""

from collections.abc import Sequence

from sightline.scale.output._figures import percent

__all__ = ["area_chart", "nice_top"]

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
