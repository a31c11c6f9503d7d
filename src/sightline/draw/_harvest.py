"""Plots of a crawl: how many of the pages visited are among those looked for, and how soon they were found."""

from collections.abc import Mapping, Sequence

import numpy as np
from PIL import ImageDraw

from sightline.arrays import FloatArray
from sightline.draw._panel import INK, LINE, PANEL_WIDTH, QUIET, TEXT, Colour, Panel, canvas, png, points
from sightline.errors import UsageError

__all__ = ["plot_harvest"]

WINDOW = 100  # pages over which the rate is taken; fewer would jump about
# Distinct also with red-green blindness, as in the pictures of pages.
COLOURS: tuple[Colour, ...] = ((0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (230, 159, 0), INK)


def plot_harvest(crawls: Mapping[str, Sequence[bool]], *, targets: int | None = None) -> bytes:
    r"""Two plots side by side as a PNG: the harvest rate, and the share of all targets found, by pages visited.

    A crawl is given as whether each page visited was a target, in the order of the visits. `targets` is how many there
    are in all; by default as many as the best of the crawls found.

    >>> plot_harvest({"learned": [True, False, True]})[:4]
    b'\x89PNG'
    """
    if len(crawls) > len(COLOURS):
        raise UsageError(f"A plot shows at most {len(COLOURS)} crawls, not {len(crawls)}; plot some of them.")
    hits = {name: np.asarray(list(visits), dtype=np.float64) for name, visits in crawls.items()}
    most = max((len(visits) for visits in hits.values()), default=0)
    whole = canvas(2)
    draw = ImageDraw.Draw(whole)
    rates = {name: _rate(visits) for name, visits in hits.items()}
    _draw(draw, 0, f"Harvest rate over the last {WINDOW} pages", "share of pages visited", rates, most)
    known = targets or int(max((visits.sum() for visits in hits.values()), default=0)) or 1
    found = {name: np.concatenate([[0.0], np.cumsum(visits)]) / known for name, visits in hits.items()}
    _draw(draw, PANEL_WIDTH, "How soon the pages were found", f"share of {known:,} pages", found, most)
    return png(whole)


def _rate(visits: FloatArray) -> FloatArray:
    """The share of targets among the last pages, after each page."""
    total = np.concatenate([[0.0], np.cumsum(visits)])
    begin = np.maximum(np.arange(len(total)) - WINDOW, 0)
    return np.asarray((total - total[begin]) / np.maximum(np.arange(len(total)) - begin, 1))


def _draw(
    draw: ImageDraw.ImageDraw, left: int, title: str, about: str, curves: Mapping[str, FloatArray], most: int
) -> None:
    panel = Panel(draw, left, (0.0, float(max(most, 1))), (0.0, 1.0), counts=True)
    panel.frame(title, about, "pages visited", 0)
    colours = dict(zip(curves, COLOURS, strict=False))
    for name, values in curves.items():
        if len(values) > 1:
            panel.line(points(panel, values), colours[name], LINE)
    panel.axis()
    panel.legend(list(colours.items()))
    if not most:
        x0, y0, x1, y1 = panel.area
        panel.text(((x0 + x1) / 2, (y0 + y1) / 2), "no pages visited yet", QUIET, TEXT, "mm")
