"""Draw where our prices stand, and how the prices of others moved: `python plot.py prices.duckdb positions.png`."""

import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
from PIL import Image, ImageDraw, ImageFont

# All sizes are in pixels of the finished picture. It is drawn larger and made smaller, which smooths every edge.
FINER = 3
WIDTH, TOP, ROW, BOTTOM = 1240, 96, 30, 62
NAMES, PANEL, GAP = 300, 330, 30  # left edge of the first plot, its width, and the space beside it
INK, QUIET, GRID, PAPER = (40, 40, 40), (112, 112, 112), (230, 230, 230), (255, 255, 255)
# Distinct also with red-green blindness.
COLOURS = {"north": (0, 114, 178), "south": (213, 94, 0), "alpen": (0, 158, 115)}
SHOWN = 14  # products with several rivals, half of them where we are dear and half where we are cheap
MOVES = 12  # offers, half of them those that fell most and half those that rose most

POSITIONS = """
SELECT p.product, p.name, p.our_price::DOUBLE, list({shop: o.shop, price: o.price::DOUBLE} ORDER BY o.shop)
FROM positions p JOIN offers o ON o.product = p.product AND o.valid_to IS NULL AND o.in_stock AND o.plausible
WHERE p.offers_in_stock > 1 GROUP BY p.product, p.name, p.our_price, p.percent_above ORDER BY p.percent_above DESC, 1
"""
HISTORY = """
SELECT o.shop, p.name, list({since: valid_from, price: o.price::DOUBLE} ORDER BY valid_from)
FROM offers o JOIN positions p USING (product) WHERE o.plausible
GROUP BY o.shop, o.sku, p.name HAVING count(DISTINCT o.shown) > 1
ORDER BY arg_max(o.price, valid_from)::DOUBLE / arg_min(o.price, valid_from)::DOUBLE, 1, 2
"""


@dataclass(frozen=True)
class Pen:
    """Draws in pixels of the finished picture."""

    draw: ImageDraw.ImageDraw

    def text(self, at: tuple[float, float], text: str, colour=INK, size: int = 13, anchor: str = "lm") -> None:
        """Write a line; the anchor says which point of it is at the place."""
        font = ImageFont.load_default(size * FINER)
        self.draw.text((at[0] * FINER, at[1] * FINER), text, fill=colour, font=font, anchor=anchor)

    def line(self, points: Sequence[tuple[float, float]], colour, width: float = 1.0) -> None:
        """A line through points."""
        self.draw.line(
            [(x * FINER, y * FINER) for x, y in points], fill=colour, width=round(width * FINER), joint="curve"
        )

    def dot(self, at: tuple[float, float], colour, radius: float = 5.5) -> None:
        """A dot with a thin white edge, so that two of them can be told apart."""
        x, y, r = at[0] * FINER, at[1] * FINER, radius * FINER
        self.draw.ellipse((x - r, y - r, x + r, y + r), fill=colour, outline=PAPER, width=FINER)

    def fitted(self, text: str, width: float, size: int = 13) -> str:
        """The text, cut to a width."""
        font = ImageFont.load_default(size * FINER)
        if font.getlength(text) <= width * FINER:
            return text
        while text and font.getlength(f"{text}…") > width * FINER:
            text = text[:-1]
        return f"{text.rstrip(' ,')}…"


def plot_positions(warehouse: Path) -> bytes:
    """Two plots as a PNG: the prices of others beside ours, and how they moved from run to run."""
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        products = _ends(connection.execute(POSITIONS).fetchall(), SHOWN)
        moves = _ends(connection.execute(HISTORY).fetchall(), MOVES)
        runs = [one for (one,) in connection.execute("SELECT DISTINCT valid_from FROM offers ORDER BY 1").fetchall()]
    height = TOP + ROW * max(len(products), 8) + BOTTOM
    whole = Image.new("RGB", (WIDTH * FINER, height * FINER), PAPER)
    pen = Pen(ImageDraw.Draw(whole))
    _draw_positions(pen, products, height)
    _draw_moves(pen, moves, runs, height)
    out = io.BytesIO()
    whole.resize((WIDTH, height), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
    return out.getvalue()


def _ends(rows: list[tuple], most: int) -> list[tuple]:
    """The first and the last rows, as many in all."""
    return rows if len(rows) <= most else [*rows[: most // 2], *rows[-(most // 2) :]]


def _draw_positions(pen: Pen, products: list[tuple], height: int) -> None:
    """A row for each product: what others ask, in percent of what we ask."""
    pen.text((20, 26), "What others ask, in percent of our price", size=18)
    shares = [100 * one["price"] / ours for _, _, ours, offers in products for one in offers]
    low = min([90.0, *(share - 2 for share in shares)])
    high = max([110.0, *(share + 2 for share in shares)])

    def x(share: float) -> float:
        return NAMES + (share - low) / (high - low) * PANEL

    foot = height - BOTTOM + 6
    for tick in range(round(low / 10) * 10, int(high) + 1, 10):
        if tick >= low:
            pen.line([(x(tick), TOP - 14), (x(tick), foot)], INK if tick == 100 else GRID, 1.4 if tick == 100 else 1)
            pen.text((x(tick), foot + 14), f"{tick} %", QUIET, 12, "mm")
    pen.text((x(100), TOP - 24), "we", INK, 12, "mm")
    at = 20.0
    for name, colour in COLOURS.items():
        pen.dot((at + 5, 56), colour)
        pen.text((at + 16, 56), name, INK, 12)
        at += 76
    for row, (_, name, ours, offers) in enumerate(products):
        y = TOP + ROW * row + ROW / 2
        pen.text((20, y - 6), pen.fitted(name, NAMES - 50), INK, 13)
        pen.text((20, y + 8), f"ours: EUR {ours:,.2f}", QUIET, 10)
        places = [x(100 * one["price"] / ours) for one in offers]
        pen.line([(min([*places, x(100)]), y), (max([*places, x(100)]), y)], (205, 205, 205), 3)
        for place, one in zip(places, offers, strict=True):
            pen.dot((place, y), COLOURS[one["shop"]])


def _draw_moves(pen: Pen, moves: list[tuple], runs: list, height: int) -> None:
    """A line for each offer, from run to run, in percent of its first price."""
    left, right = NAMES + PANEL + GAP + 60, WIDTH - 310
    pen.text((left - 46, 26), "How prices moved since they were first seen", size=18)
    foot = height - BOTTOM + 6
    if len(runs) < 2 or not moves:
        pen.text(((left + WIDTH) / 2, height / 2), "run the flow on another day to see it", QUIET, 13, "mm")
        return
    ends = [100 * prices[-1]["price"] / prices[0]["price"] - 100 for _, _, prices in moves]
    low, high = min([-5.0, *ends]) - 1, max([5.0, *ends]) + 1

    def y(change: float) -> float:
        return foot - (change - low) / (high - low) * (foot - TOP + 14)

    def x(when) -> float:
        return left + runs.index(when) / (len(runs) - 1) * (right - left)

    for tick in range(round(low / 5) * 5, int(high) + 1, 5):
        if tick >= low:
            pen.line([(left, y(tick)), (right, y(tick))], GRID)
            pen.text((left - 9, y(tick)), f"{tick:+} %" if tick else "0 %", QUIET, 12, "rm")
    for when in (runs[0], runs[-1]):
        pen.text((x(when), foot + 14), f"{when:%d %b %H:%M}", QUIET, 12, "mm")
    labels = []
    for shop, name, prices in moves:
        first = prices[0]["price"]
        points = []
        for before, one in zip([None, *prices], prices, strict=False):
            change = 100 * one["price"] / first - 100
            if before is not None and runs.index(one["since"]) > 0:  # a price holds until the run before the next one
                points.append((x(runs[runs.index(one["since"]) - 1]), points[-1][1]))
            points.append((x(one["since"]), y(change)))
        points.append((right, points[-1][1]))
        pen.line(points, COLOURS[shop], 2)
        pen.dot(points[0], COLOURS[shop], 4)
        pen.dot(points[-1], COLOURS[shop], 4)
        labels.append((points[-1][1], shop, name, f"EUR {first:,.2f}, now {prices[-1]['price']:,.2f}"))
    _draw_labels(pen, sorted(labels), right + 12, foot)


def _draw_labels(pen: Pen, labels: list[tuple[float, str, str, str]], left: float, foot: float) -> None:
    """The names of the lines at their ends, moved apart where they would cover each other."""
    step = 26
    places = [place for place, *_ in labels]
    for number in range(1, len(places)):
        places[number] = max(places[number], places[number - 1] + step)
    limit = foot - 4
    for number in range(len(places) - 1, -1, -1):
        places[number] = min(places[number], limit)
        limit = places[number] - step
    for place, (end, shop, name, prices) in zip(places, labels, strict=True):
        pen.line([(left - 6, end), (left + 10, place)], GRID, 1)
        pen.text((left + 14, place - 6), pen.fitted(name, WIDTH - left - 24, 12), COLOURS[shop], 12)
        pen.text((left + 14, place + 7), prices, QUIET, 10)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python plot.py prices.duckdb positions.png")
    Path(sys.argv[2]).write_bytes(plot_positions(Path(sys.argv[1])))
