"""The records that the sites list: made up, the same at every run, and different from site to site."""

import random
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Record", "Trade", "aside_of", "records_of"]


@dataclass(frozen=True)
class Record:
    """One thing of a catalogue as its site shows it; `link` is the path of its own page."""

    title: str
    price: str
    link: str
    about: str


@dataclass(frozen=True)
class Trade:
    """What a site sells: makers, kinds of things, how it writes prices, and where their pages are."""

    makers: tuple[str, ...]
    things: tuple[str, ...]
    about: tuple[str, ...]
    price: str = "${:,.2f}"
    folder: str = "/item/"
    dearest: int = 900
    comma: bool = False

    def priced(self, amount: float) -> str:
        """An amount as the site writes it."""
        text = self.price.format(amount)
        return text.translate(str.maketrans(",.", ".,")) if self.comma else text


@lru_cache(maxsize=256)
def records_of(name: str, trade: Trade, count: int) -> tuple[Record, ...]:
    """The first records of a site, no two of which have the same title or link."""
    chance = random.Random(name)
    pairs = [f"{maker} {thing}" for maker in trade.makers for thing in trade.things]
    chance.shuffle(pairs)
    found = []
    for number in range(count):
        series = number // len(pairs)
        title = pairs[number % len(pairs)] + (f" {'II' * series}" if series else "")
        price = trade.priced(chance.randrange(200, trade.dearest * 100) / 100)
        link = f"{trade.folder}{7000 + number * 13 + chance.randrange(9)}"
        found.append(Record(title, price, link, chance.choice(trade.about)))
    return tuple(found)


def aside_of(name: str, titles: tuple[str, ...]) -> list[tuple[str, str]]:
    """A short list beside the main one: other things, without prices, on other addresses."""
    chance = random.Random(name)
    return [(title, f"/guide/{chance.randrange(100, 999)}-{place}") for place, title in enumerate(titles)]
