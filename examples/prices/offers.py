"""What the three competitors offer on each day, and what a reader of their pages should find: the truth for the tests.

North and South are shops (`shops.py`), Alpen is a price list (`make_pricelist.py`). Everything follows from one seed.
"""

import csv
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from random import Random

from products import Product, all_products, dictionary

HERE = Path(__file__).parent
DATES = {1: "2026-11-16", 2: "2026-11-17"}
CENT = Decimal("0.01")


@dataclass(frozen=True)
class Competitor:
    """Who sells, where, in which currency, and how much of it."""

    name: str
    country: str
    currency: str
    with_tax: bool
    offers: int
    unknown: int  # of them, products that we do not sell
    first: int  # number of its articles


NORTH = Competitor("north", "GB", "GBP", with_tax=True, offers=86, unknown=9, first=20417)
SOUTH = Competitor("south", "CH", "CHF", with_tax=True, offers=66, unknown=8, first=7003318)
ALPEN = Competitor("alpen", "AT", "EUR", with_tax=False, offers=60, unknown=6, first=1100)
COMPETITORS = {one.name: one for one in (NORTH, SOUTH, ALPEN)}
POOL = 150  # of our products that competitors sell: few enough that they meet
NEW, GONE = 4, 3  # offers of the second day that the first has not, and the reverse
HIDDEN = 8  # prices of South that are shown only after a click
REGIONS = {
    "north": ("England", "Scotland", "Wales", "Northern Ireland"),
    "south": ("Deutschschweiz", "Romandie", "Tessin"),
    "alpen": ("Ost", "West", "Süd"),
}
WRONG = {
    "north": Decimal("0.01"),
    "south": Decimal(12),
    "alpen": Decimal(10),
}  # what one price of each is multiplied by


@dataclass(frozen=True)
class Offer:
    """A product in a shop on a day; `amount` is what the shop shows, in its currency."""

    shop: str
    sku: str
    product: Product
    name: str
    model: str
    amount: Decimal
    stock: int
    regions: tuple[str, ...]
    is_wrong: bool = False
    is_hidden: bool = False


@cache
def offers(shop: str, day: int) -> tuple[Offer, ...]:
    """What a competitor offers on a day, in the order of its list."""
    seller = COMPETITORS[shop]
    chance = Random(f"{shop} 7")
    chosen = _chosen(seller, chance)
    costly = [
        number
        for number, one in enumerate(chosen)
        if GONE <= number < seller.offers and one.id and 150 < one.price < 900
    ]
    wrong = chance.choice(costly)
    hidden = (
        set(chance.sample([n for n in range(GONE, seller.offers) if n != wrong], HIDDEN)) if shop == "south" else set()
    )
    found = []
    for number, one in enumerate(chosen):
        own = Random(f"{shop} {one.model}")
        factor = own.uniform(0.86, 1.14)
        stock = own.choice((0, 2, 4, 8, 15, 30))
        regions = tuple(own.sample(REGIONS[shop], own.randint(1, len(REGIONS[shop]))))
        name, model = NAMES[shop](one, own), _written_model(one.model, shop, own)
        moved, restocked = own.random() < 0.3, own.random() < 0.2
        shift, later = own.choice((-1, 1)) * own.uniform(0.02, 0.12), own.choice((0, 1, 3, 9))
        if day > 1:
            factor *= 1 + shift if moved else 1
            stock = later if restocked else stock
        amount = _shown_amount(seller, one.price * factor)
        if number == wrong:
            amount = (amount * WRONG[shop]).quantize(CENT, ROUND_HALF_UP)
        ordered = tuple(sorted(regions, key=REGIONS[shop].index))
        sku = str(seller.first + 37 * number)
        found.append(Offer(shop, sku, one, name, model, amount, stock, ordered, number == wrong, number in hidden))
    return tuple(found[: seller.offers] if day == 1 else found[GONE:])


def _chosen(seller: Competitor, chance: Random) -> list[Product]:
    everything = all_products()
    pool = Random("what everybody sells").sample([one for one in everything if one.id], POOL)
    ours = chance.sample(pool, seller.offers + NEW - seller.unknown)
    others = chance.sample([one for one in everything if not one.id], seller.unknown)
    both = [*ours, *others]
    chance.shuffle(both)
    return both


# What one euro bought when the competitors made their prices; they do not change them with the rate of the day.
_USUAL_RATES = {"GBP": 0.878, "CHF": 0.935, "EUR": 1.0}


def _shown_amount(seller: Competitor, net: float) -> Decimal:
    """A price as shops like them: 1,199.00, 45.95, 12.90."""
    tax = 1 + float(tax_rate(seller.country, DATES[1])) / 100 if seller.with_tax else 1.0
    amount = net * _USUAL_RATES[seller.currency] * tax
    if amount > 400:
        return Decimal(round(amount)).quantize(CENT)
    if seller is NORTH:
        return Decimal(round(amount)).quantize(CENT) - CENT
    return (Decimal(round(amount * 10)) / 10).quantize(CENT) - Decimal("0.05" if amount > 60 else 0)


# ---------------------------------------------------------------------- how each of them writes


def _written_model(model: str, shop: str, own: Random) -> str:
    """A model number as typed by somebody in a hurry; some are not given at all."""
    plain = model.replace("-", "")
    forms = {
        "north": (model, model, model, plain, ""),
        "south": (model, plain, plain, model.replace("-", " ", 1).replace("-", ""), ""),
        "alpen": (model, model, plain),
    }
    return own.choice(forms[shop])


_ENGLISH = {
    "body, black": "Body Only - Black",
    "body, silver": "Body Only - Silver",
    "kit with 18-55 mm lens, black": "with 18-55mm Lens - Black",
    "kit with 18-55 mm lens, silver": "with 18-55mm Lens - Silver",
}


def _north_name(one: Product, own: Random) -> str:
    brand = one.brand.upper() if own.random() < 0.25 else one.brand
    series = one.series.replace(" mm", "mm") if own.random() < 0.7 else one.series
    series = series.replace("f/", "f") if own.random() < 0.4 else series
    noun = one.noun if one.noun == "LED light" else one.noun.title()
    variant = _ENGLISH.get(one.variant, one.variant.replace(" mm", "mm").replace(" GB", "GB"))
    joined = own.choice((" - {}", ", {}", " ({})")).format(variant) if variant else ""
    return f"{brand} {series} {noun}{joined}"


_GERMAN = dictionary(
    """mirrorless camera = Systemkamera; compact camera = Kompaktkamera; lens = Objektiv; zoom lens = Zoomobjektiv;
    binoculars = Fernglas; telescope = Teleskop; spotting scope = Spektiv; eyepiece = Okular; tripod = Stativ;
    ball head = Kugelkopf; strap = Tragegurt; flash = Blitz; memory card = Speicherkarte; filter = Filter;
    camera bag = Tasche; LED light = LED-Leuchte; softbox = Softbox; microphone = Mikrofon; battery = Akku;
    teleconverter = Telekonverter; drone = Drohne; gimbal = Gimbal; photo printer = Fotodrucker"""
)
_GERMAN_WORDS = dictionary(
    """black = schwarz; silver = silber; green = grün; grey = grau; olive = oliv; white = weiss;
    body, = Body; kit = Kit; lens, = ; with = mit; for = für; aluminium = Alu; carbon = Carbon;
    charger = Ladegerät; mount = Montierung;
    angled = Schrägeinblick; straight = Geradeeinblick; daylight = Tageslicht; bi-colour = Bi-Color; plate = Platte;
    tube = nur; only = Tubus; remote = Fernsteuerung; wind = Wind-; shield = Schutz; grid = Wabe; set = Set; of = mit;
    three = drei; batteries = Akkus"""
)


def _german(variant: str) -> str:
    return " ".join(filter(None, (_GERMAN_WORDS.get(word, word) for word in variant.split())))


def _south_name(one: Product, own: Random) -> str:
    brand = one.brand.upper() if own.random() < 0.4 else one.brand
    series = one.series.replace(" mm", "mm") if own.random() < 0.5 else one.series
    return f"{brand} {series} {_GERMAN[one.noun]} {_german(one.variant)}".strip()


def _alpen_name(one: Product, own: Random) -> str:
    noun = _GERMAN[one.noun]
    short = noun if own.random() < 0.6 else f"{noun[:5]}."
    return f"{one.brand} {one.series} {short}" + (f" {_german(one.variant)}" if one.variant else "")


NAMES = {"north": _north_name, "south": _south_name, "alpen": _alpen_name}


# ---------------------------------------------------------------------- what a reader should find


def net_euros(offer: Offer, day: int) -> Decimal:
    """The price without tax in euros, to the cent."""
    seller = COMPETITORS[offer.shop]
    rate = exchange_rate(seller.currency, DATES[day])
    tax = 1 + tax_rate(seller.country, DATES[day]) / 100 if seller.with_tax else Decimal(1)
    return (offer.amount / rate / tax).quantize(CENT, ROUND_HALF_UP)


def exchange_rate(currency: str, date: str) -> Decimal:
    """What one euro costs on a day, by `rates.csv`."""
    return (
        Decimal(1)
        if currency == "EUR"
        else Decimal(next(row for row in _rows("rates.csv") if row["Date"] == date)[currency])
    )


def tax_rate(country: str, date: str) -> Decimal:
    """In percent, by `vat.csv`."""
    rows = [row for row in _rows("vat.csv") if row["country"] == country and row["from"] <= date]
    return Decimal(max(rows, key=lambda row: row["from"])["rate"])


@cache
def _rows(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))
