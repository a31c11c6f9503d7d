"""Plots of outlier scores: their distribution, and what deleting the worst nodes costs and gains."""

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from sightline.arrays import BoolArray, FloatArray, prefix_sum
from sightline.errors import UsageError

# One plot of a picture: its axes, grid and legend, drawn by hand so that no plotting library has to be installed.

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


BARS = 48
LEAST_BAR = 2  # high; what is there can be seen, however little it is
ROOM_ABOVE = 1.08  # of what the highest bar needs
ROOM_BESIDE = 0.02  # of what all bars need

# Distinct also with red-green blindness, as in the pictures of pages.
KEPT: Colour = (0, 114, 178)
REMOVED: Colour = (213, 94, 0)
REMOVED_GROUND: Colour = (253, 244, 238)
PRECISION: Colour = (0, 158, 115)
RECALL: Colour = (204, 121, 167)


def plot_scores(
    scores: Sequence[float] | FloatArray,
    letters: Sequence[int] | npt.NDArray[np.integer],
    removed: Sequence[bool] | BoolArray,
    truth: Sequence[bool] | BoolArray | None = None,
    *,
    cut: float | None = None,
) -> bytes:
    r"""Two plots side by side as a PNG: the scores weighted by letters, and what is left as nodes are deleted by rank.

    `removed` says which nodes are outliers, `cut` from which score on; `truth` says which nodes belong to the text, and
    with it the second plot has precision, recall and F1 in letters. Nodes whose score is not a number are left out.

    >>> plot_scores([0.1, 0.2, 3.0], [120, 80, 4], [False, False, True])[:4]
    b'\x89PNG'
    """
    nodes = _nodes(scores, letters, removed, truth)
    whole = canvas(2)
    draw = ImageDraw.Draw(whole)
    _draw_scores(draw, nodes, nodes.cut if cut is None else cut)
    _draw_deletion(draw, nodes)
    return png(whole)


@dataclass(frozen=True, eq=False)
class _Nodes:
    """The nodes of a plot: all arrays in step, the highest score first."""

    scores: FloatArray
    letters: FloatArray
    removed: BoolArray
    truth: BoolArray | None

    @property
    def total(self) -> float:
        """All letters; never nothing, as it is divided by."""
        return max(float(self.letters.sum()), 1.0)

    @property
    def cut(self) -> float | None:
        """Between the scores of what is kept and what is removed; where no cut parts them, the lowest removed."""
        if not self.removed.any():
            return None
        lowest = float(self.scores[self.removed].min())
        highest = float(self.scores[~self.removed].max(initial=-math.inf))
        return (lowest + highest) / 2 if lowest > highest > -math.inf else lowest


def _nodes(scores: object, letters: object, removed: object, truth: object) -> _Nodes:
    values = np.asarray(scores, dtype=np.float64).ravel()
    weights = np.asarray(letters, dtype=np.float64).ravel()
    gone = np.asarray(removed, dtype=bool).ravel()
    right = None if truth is None else np.asarray(truth, dtype=bool).ravel()
    if {len(weights), len(gone), len(values if right is None else right)} != {len(values)}:
        raise UsageError("Scores, letters, removed and truth must have the same length, one entry per node.")
    finite = np.flatnonzero(np.isfinite(values) & np.isfinite(weights))
    order = finite[np.argsort(-values[finite], kind="stable")]
    return _Nodes(values[order], np.maximum(weights[order], 0.0), gone[order], None if right is None else right[order])


def _draw_scores(draw: ImageDraw.ImageDraw, nodes: _Nodes, cut: float | None) -> None:
    """The distribution: how many of all letters have which score, and where the cut is."""
    edges = _edges(nodes.scores, cut)
    weights = nodes.letters / nodes.total
    kept, gone = (
        np.histogram(nodes.scores[rows], edges, weights=weights[rows])[0] for rows in (~nodes.removed, nodes.removed)
    )
    highest = float((kept + gone).max(initial=0.0)) or 1.0
    beside = ROOM_BESIDE * float(edges[-1] - edges[0])
    panel = Panel(draw, 0, (float(edges[0]) - beside, float(edges[-1]) + beside), (0.0, highest * ROOM_ABOVE))
    x0, y0, x1, y1 = panel.area
    parts = bool(cut is not None and (nodes.scores[~nodes.removed] <= cut).all())
    if cut is not None and parts:
        panel.box(max(panel.x(cut), x0), y0, x1, y1, REMOVED_GROUND)
    panel.frame(
        "How much of the text has which score", "share of letters", "outlier score of the node", _decimals(highest)
    )
    for low, high, below, above in zip(edges[:-1], edges[1:], kept.tolist(), gone.tolist(), strict=True):
        left, right = panel.x(float(low)) + 0.5, panel.x(float(high)) - 0.5
        foot = _bar(panel, (left, right), (y1, below), KEPT)
        _bar(panel, (left, right), (foot, above), REMOVED)
    panel.axis()
    if cut is not None:
        # If each page has a different cut, no single one separates them all.
        panel.upright(cut, f"{'cut at' if parts else 'lowest removed:'} {cut:.3g}")
    panel.legend([("kept", KEPT), ("removed", REMOVED)])
    if not len(nodes.scores):
        panel.text(((x0 + x1) / 2, (y0 + y1) / 2), "no nodes", QUIET, TEXT, "mm")


def _bar(panel: Panel, sides: tuple[float, float], upwards: tuple[float, float], colour: Colour) -> float:
    """A bar that stands on something; how high it reaches."""
    foot, share = upwards
    if share <= 0:
        return foot
    top = foot - max(panel.y(0) - panel.y(share), LEAST_BAR)
    panel.box(sides[0], top, sides[1], foot, colour)
    return top


def _edges(scores: FloatArray, cut: float | None) -> FloatArray:
    """Where bars begin and end: all scores are within, and the cut is, so that it can be drawn."""
    within = [*scores.tolist(), *([] if cut is None or not math.isfinite(cut) else [cut])] or [0.0, 1.0]
    low, high = min(within), max(within)
    if not high - low > 1e-9 * max(abs(low), abs(high), 1e-300):
        reach = max(abs(low) * 0.1, 0.5)
        low, high = low - reach, high + reach
    return np.linspace(low, high, BARS + 1)


def _decimals(highest: float) -> int:
    """How many decimals the percents of an axis need to differ.

    >>> _decimals(0.4), _decimals(0.02)
    (0, 1)
    """
    return 0 if highest >= 0.04 else 1 if highest >= 0.004 else 2


def _draw_deletion(draw: ImageDraw.ImageDraw, nodes: _Nodes) -> None:
    """What is left when nodes are deleted one after the other, those of the highest score first."""
    count = len(nodes.scores)
    panel = Panel(draw, PANEL_WIDTH, (0.0, float(max(count, 1))), (0.0, 1.0), counts=True)
    x0, y0, x1, y1 = panel.area
    gone = int(nodes.removed.sum())
    if gone:
        panel.box(x0, y0, panel.x(gone), y1, REMOVED_GROUND)
    title = "What is left as nodes are deleted" if nodes.truth is None else "What deleting nodes costs and gains"
    panel.frame(title, "share of letters", "nodes deleted, the highest score first", 0)
    curves = _curves(nodes)
    for _, colour, values in curves:
        panel.line(points(panel, values), colour, LINE)
    panel.axis()
    if gone:
        panel.upright(gone, f"{gone:,} of {count:,} removed", low=True)
    panel.legend([(name, colour) for name, colour, _ in curves])
    if not count:
        panel.text(((x0 + x1) / 2, (y0 + y1) / 2), "no nodes", QUIET, TEXT, "mm")


def _curves(nodes: _Nodes) -> list[tuple[str, Colour, FloatArray]]:
    """Each curve with its name and colour: a value before the first deletion and after each."""
    left = _left(nodes.letters)
    if nodes.truth is None:
        return [("letters kept", KEPT, left / nodes.total)]
    right = _left(nodes.letters * nodes.truth)
    # Nothing that is left is wrong, where nothing is left.
    precision = np.where(left > 0, right / np.maximum(left, 1e-9), 1.0)
    recall = right / right[0] if right[0] > 0 else np.zeros_like(right)
    both = 2 * precision * recall / np.maximum(precision + recall, 1e-9)
    return [("precision", PRECISION, precision), ("recall", RECALL, recall), ("F1", INK, both)]


def _left(weights: FloatArray) -> FloatArray:
    """What is left after each deletion; rounding leaves nothing below nothing."""
    left: FloatArray = np.maximum(float(weights.sum()) - prefix_sum(weights), 0.0)
    left[-1] = 0.0
    return left


# Plots of a crawl: how many of the pages visited are among those looked for, and how soon they were found.

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
