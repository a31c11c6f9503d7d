"""One plot of a picture: its axes, grid and legend, drawn by hand so that no plotting library has to be installed."""

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from sightline.arrays import FloatArray

__all__ = [
    "FINER",
    "GRID",
    "INK",
    "LINE",
    "PANEL_HEIGHT",
    "PANEL_WIDTH",
    "PAPER",
    "QUIET",
    "SMALL",
    "TEXT",
    "Colour",
    "Panel",
    "canvas",
    "png",
    "points",
]

Colour: TypeAlias = tuple[int, int, int]

# All sizes are in pixels of the finished picture. It is drawn larger and made smaller, which smooths every edge.
FINER = 3
PANEL_WIDTH, PANEL_HEIGHT = 600, 430
LEFT, RIGHT, TOP, BOTTOM = 66, 26, 86, 62
TITLE, TEXT, SMALL = 18, 13, 12
LINE = 2.5
TICKS = 5
DASH, DASH_GAP = 6, 4

PAPER: Colour = (255, 255, 255)
INK: Colour = (40, 40, 40)
QUIET: Colour = (112, 112, 112)
GRID: Colour = (232, 232, 232)


@dataclass(frozen=True)
class Panel:
    """One plot: where it stands, and from where to where its axes go."""

    draw: ImageDraw.ImageDraw
    left: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    counts: bool = False  # whether there is nothing between two whole numbers from left to right

    @property
    def area(self) -> tuple[float, float, float, float]:
        """What the axes enclose."""
        return self.left + LEFT, TOP, self.left + PANEL_WIDTH - RIGHT, PANEL_HEIGHT - BOTTOM

    def x(self, value: float) -> float:
        """Where a value stands from left to right."""
        low, high = self.x_range
        x0, _, x1, _ = self.area
        return x0 + (value - low) / (high - low) * (x1 - x0)

    def y(self, value: float) -> float:
        """Where a value stands from top to bottom."""
        low, high = self.y_range
        _, y0, _, y1 = self.area
        return y1 - (value - low) / (high - low) * (y1 - y0)

    def text(
        self,
        place: tuple[float, float],
        text: str,
        colour: Colour,
        size: int = TEXT,
        anchor: str = "la",
        halo: int = 0,
    ) -> None:
        """Write at a place; the anchor says which point of the text stands there, a halo keeps lines away from it."""
        font = ImageFont.load_default(size * FINER)
        edge = halo * FINER
        self.draw.text(finer(place), text, fill=colour, font=font, anchor=anchor, stroke_width=edge, stroke_fill=PAPER)

    def box(self, x0: float, y0: float, x1: float, y1: float, colour: Colour) -> None:
        """Fill a rectangle."""
        if x1 > x0 and y1 > y0:
            self.draw.rectangle((*finer((x0, y0)), x1 * FINER - 1, y1 * FINER - 1), fill=colour)

    def line(self, points: Sequence[tuple[float, float]], colour: Colour, width: float = 1.0) -> None:
        """Draw a line through points, with round corners."""
        self.draw.line([finer(point) for point in points], fill=colour, width=round(width * FINER), joint="curve")

    def frame(self, title: str, about: str, below: str, percent: int) -> None:
        """Title, grid, ticks and the names of the axes; `percent` decimals are written for the upright one."""
        x0, y0, x1, y1 = self.area
        self.text((self.left + 20, 16), title, INK, TITLE)
        for tick in ticks(*self.y_range):
            self.line([(x0, self.y(tick)), (x1, self.y(tick))], GRID)
            self.text((x0 - 9, self.y(tick)), f"{tick:.{percent}%}", QUIET, SMALL, "rm")
        for tick in ticks(*self.x_range, whole=self.counts):
            self.line([(self.x(tick), y1), (self.x(tick), y1 + 5)], QUIET)
            self.text((self.x(tick), y1 + 9), f"{tick:,.6g}", QUIET, SMALL, "ma")
        self.text((self.left + 20, y0 - 17), about, QUIET, SMALL, "ls")
        self.text(((x0 + x1) / 2, y1 + 31), below, INK, TEXT, "ma")

    def axis(self) -> None:
        """The line below everything, drawn last as bars stand on it."""
        x0, _, x1, y1 = self.area
        self.line([(x0, y1), (x1, y1)], QUIET, 1.4)

    def legend(self, names: Sequence[tuple[str, Colour]]) -> None:
        """What the colours mean, above the plot at its right."""
        font = ImageFont.load_default(SMALL * FINER)
        x = self.area[2]
        for name, colour in reversed(names):
            x -= font.getlength(name) / FINER
            self.text((x, TOP - 17), name, INK, SMALL, "ls")
            self.box(x - 16, TOP - 26, x - 6, TOP - 17, colour)
            x -= 34

    def upright(self, value: float, label: str, *, low: bool = False) -> None:
        """A dashed line from top to bottom with its name beside it, on the side that has room; `low` at its foot."""
        _, y0, x1, y1 = self.area
        x, y = self.x(value), y0
        while y < y1:
            self.line([(x, y), (x, min(y + DASH, y1))], INK, 1.5)
            y += DASH + DASH_GAP
        width = ImageFont.load_default(SMALL * FINER).getlength(label) / FINER
        at_right = x + 8 + width <= x1
        place = (x + 8 if at_right else x - 8 - width, y1 - 22 if low else y0 + 4)
        self.text(place, label, INK, SMALL, halo=2)


def finer(place: tuple[float, float]) -> tuple[float, float]:
    return place[0] * FINER, place[1] * FINER


def ticks(low: float, high: float, *, whole: bool = False) -> list[float]:
    """Round numbers from low to high, about five of them.

    >>> ticks(0, 0.43), ticks(3, 117)
    ([0.0, 0.1, 0.2, 0.3, 0.4], [20.0, 40.0, 60.0, 80.0, 100.0])
    """
    raw = (high - low) / TICKS
    unit = 10.0 ** math.floor(math.log10(raw))
    step = unit * min((factor for factor in (1, 2, 5, 10)), key=lambda factor: abs(math.log(factor * unit / raw)))
    step = max(step, 1.0) if whole else step
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 12) for number in range(first, last + 1)]


MOST_POINTS = 2_000  # of a curve; more are not seen


def canvas(panels: int) -> Image.Image:
    """An empty picture for plots side by side."""
    return Image.new("RGB", (panels * PANEL_WIDTH * FINER, PANEL_HEIGHT * FINER), PAPER)


def png(whole: Image.Image) -> bytes:
    """A drawn picture in its final size, as a PNG."""
    out = io.BytesIO()
    size = (whole.width // FINER, whole.height // FINER)
    whole.resize(size, Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
    return out.getvalue()


def points(panel: Panel, values: FloatArray) -> list[tuple[float, float]]:
    """A curve in a plot: the values stand at 0, 1, 2 and so on."""
    chosen = np.unique(np.linspace(0, len(values) - 1, min(len(values), MOST_POINTS)).round().astype(np.int64))
    return [(panel.x(float(place)), panel.y(float(values[place]))) for place in chosen.tolist()]
