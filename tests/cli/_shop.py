"""A small shop as files: pages of products, pages of lists, and pages that are neither."""

from pathlib import Path

from ._inside import sightline

HEAD = "<!doctype html><html lang=en><meta charset=utf-8>"
FOOT = (
    "<h2>Shipping</h2><p>We ship on the same day.</p>"
    "<footer><i>By card</i><b>Imprint</b><u>All prices include tax.</u></footer>"
)


def product(number: int, *, more: str = "", foot: str = FOOT) -> str:
    """A page about one thing: a name, a price and, on every second page, a weight; `more` comes before its foot."""
    weight = f"<tr><th>Weight:</th><td>{500 + 10 * number} g</td></tr>" if number % 2 == 0 else ""
    price = f"<tr><th>Price:</th><td>{100 + number}.50 €</td></tr>"
    top = f"{HEAD}<title>Camera {number}</title><header><a href=/>Home</a></header><h1>Camera {number}</h1>"
    return f"{top}<table>{price}{weight}</table>{more}{foot}"


def listing(number: int) -> str:
    """A page of several things, more of them on each page."""
    items = "".join(
        f"<li><h3>Lens {number}-{place}</h3><p class=price>{number}{place}.50 €</p><p class=stock>{place} left</p>"
        for place in range(1, 6 + number)
    )
    return f"{HEAD}<title>Lenses {number}</title><h1>Lenses</h1><ul>{items}</ul>{FOOT}"


OTHER = f"{HEAD}<title>News</title><h1>The river</h1><div><p>It rained today.<p>And it rained yesterday.</div>"
ODD = product(8, more="<div>Only today!</div>", foot=FOOT.replace("<b>Imprint</b>", ""))


def build(folder: Path) -> Path:
    """Write all pages into a folder: `p0` to `p5`, `l0` to `l5`, `other` and `odd`, which is suspicious."""
    pages = {f"p{number}": product(number) for number in range(6)} | {
        f"l{number}": listing(number) for number in range(6)
    }
    for name, content in (pages | {"other": OTHER, "odd": ODD}).items():
        (folder / f"{name}.html").write_text(content, encoding="utf-8")
    return folder


def learn(folder: Path, letter: str) -> str:
    """Learn a wrapper from the first four pages of a letter, and give the name of its file."""
    name = f"{letter}.wrapper.json"
    done = sightline(
        "induce", *(f"{letter}{number}.html" for number in range(4)), "--static", "-o", name, folder=folder
    )
    assert done.status == 0, done.errors
    return name
