"""Pages of a given size for the measurements, generated, so that everybody measures the same."""

import random

TABLE_KEY, LIST_KEY = "tables-1", "lists-1"
WORDS = ("lens", "camera", "mirror", "tripod", "sensor", "shutter", "focus", "battery", "strap", "filter", "flash")
NODES_OF_A_CARD = 15
STYLE = "<style>.card{display:inline-block;width:240px;padding:8px;vertical-align:top}</style>"


def shop_page(nodes: int, seed: int = 1) -> bytes:
    """A shop of about so many nodes: a menu, a table of 60 rows, and cards for the rest."""
    chance = random.Random(seed)
    head = "".join(f"<th>{name}</th>" for name in ("Model", "Price", "Weight (g)", "Pixels", "Year", "Stock"))
    rows = "".join(
        f"<tr><td>Model {number}</td><td>${chance.randint(50, 3000)}.{chance.randint(10, 99)}</td>"
        f"<td>{chance.randint(200, 1500)}</td><td>{chance.randint(8, 60)} MP</td><td>{chance.randint(2009, 2026)}</td>"
        f"<td>{chance.randint(0, 40)}</td></tr>"
        for number in range(60)
    )
    cards = max((nodes - 900) // NODES_OF_A_CARD, 1)
    menu = "".join(f"<li><a href='/c/{number}'>Category {number}</a></li>" for number in range(12))
    return (
        f"<!doctype html><html lang=en><head><title>Shop {seed}</title>{STYLE}</head><body><ul>{menu}</ul>"
        f"<h1>Cameras and more</h1><table><caption>Prices</caption><tr>{head}</tr>{rows}</table>"
        f"{''.join(_card(number, chance) for number in range(cards))}</body></html>"
    ).encode()


def _card(number: int, chance: random.Random) -> str:
    name = f"{chance.choice(WORDS).title()} {number}"
    said = " ".join(chance.choices(WORDS, k=12))
    return (
        f"<div class=card><h3><a href='/p/{number}'>{name}</a></h3><p class=price>${chance.randint(5, 3000)}.50</p>"
        f"<p>{said}</p><span>{chance.randint(1, 5)} stars</span> <span>in stock</span></div>"
    )


def long_table(rows: int) -> bytes:
    """A page that is one table of three columns."""
    lines = "".join(f"<tr><td>Star {number}<td>{number % 97}.{number % 10}<td>{number * 7}" for number in range(rows))
    return f"<!doctype html><title>Stars</title><table><tr><th>Name<th>Magnitude<th>Distance{lines}</table>".encode()
