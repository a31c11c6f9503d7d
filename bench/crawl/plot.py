"""Harvest curves as a picture: targets found by pages visited."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

__all__ = ["plot"]

WIDTH, HEIGHT, EDGE = 900, 520, 60
COLOURS = ("#0b62c4", "#d1495b", "#8a8a8a", "#2e8b57", "#c98a00")


def plot(title: str, curves: Mapping[str, Sequence[int]], targets: int, path: Path) -> None:
    """Draw the number of targets found, a line for each ranking, and save the picture."""
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(15)
    pages = max(len(curve) for curve in curves.values())
    across, up = (WIDTH - 2 * EDGE) / max(pages, 1), (HEIGHT - 2 * EDGE) / max(targets, 1)
    draw.text((EDGE, 15), f"{title}: targets found ({targets}) by pages visited", fill="black", font=font)
    draw.rectangle((EDGE, EDGE, WIDTH - EDGE, HEIGHT - EDGE), outline="#cccccc")
    for part in range(5):
        x, y = EDGE + part / 4 * (WIDTH - 2 * EDGE), HEIGHT - EDGE - part / 4 * (HEIGHT - 2 * EDGE)
        draw.text((x - 15, HEIGHT - EDGE + 8), f"{pages * part // 4:,}", fill="#555555", font=font)
        draw.text((10, y - 8), f"{targets * part // 4:,}", fill="#555555", font=font)
    for curve, colour in zip(curves.values(), COLOURS, strict=False):
        line = [(EDGE + page * across, HEIGHT - EDGE - found * up) for page, found in enumerate([0, *curve])]
        draw.line(line, fill=colour, width=3)
    for number, (name, colour) in enumerate(zip(curves, COLOURS, strict=False)):
        draw.text((WIDTH - EDGE - 100, HEIGHT - EDGE - 110 + 20 * number), name, fill=colour, font=font)
    image.save(path)
