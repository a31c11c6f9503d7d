"""Columns made from values that are known: written as ten languages write them, then spoiled in every way we know."""

import random
from collections.abc import Callable, Iterator
from datetime import date, time, timedelta
from decimal import Decimal

from babel.dates import format_date
from babel.numbers import format_currency, format_decimal

from bench.typing.labelled import LabelledColumn

LANGUAGES = ("en_US", "en_GB", "de_DE", "fr_FR", "es_ES", "it_IT", "nl_NL", "pl_PL", "sv_SE", "pt_BR")
CURRENCY = dict(zip(LANGUAGES, ("USD", "GBP", "EUR", "EUR", "EUR", "EUR", "EUR", "PLN", "SEK", "BRL"), strict=True))
ROUNDS = 6  # columns of each kind, language and way of spoiling
WORDS = ["amber", "brook", "cedar", "delta", "ember", "field", "grove", "haven", "inlet", "jetty", "knoll", "ledge"]
UNITS = ("kg", "km", "m", "%", "cm", "km/h")

Made = tuple[list[str], list[object], str]
"""Texts, their values, and the kind."""
Spoiler = Callable[[random.Random, list[str], list[object], str], Made]


def generated_columns(seed: int = 7) -> Iterator[LabelledColumn]:
    """Every kind in every language, whole and spoiled."""
    chance = random.Random(seed)
    for language in LANGUAGES:
        for name, make in MAKERS.items():
            for spoiling, spoil in SPOILERS.items():
                for number in range(ROUNDS):
                    texts, values, kind = make(chance, language)
                    if spoil and kind in ("text", "url", "email") and spoiling != "missing":
                        continue
                    if spoil:
                        texts, values, kind = spoil(chance, texts, values, kind)
                    where = f"{name}, {language}, {spoiling}, {number}"
                    heading = chance.choice(HEADINGS.get(name, ("", "value")))
                    yield LabelledColumn(where, heading, tuple(texts), kind, language.replace("_", "-"), tuple(values))


def _rows(chance: random.Random) -> range:
    return range(chance.randint(4, 30))


def _integers(chance: random.Random, language: str) -> Made:
    values = [chance.choice((1, -1)) * int(10 ** chance.uniform(0, 7)) for _ in _rows(chance)]
    grouped = chance.random() < 0.5
    texts = [format_decimal(value, locale=language) if grouped else str(value) for value in values]
    return texts, [Decimal(value) for value in values], "number"


def _decimals(chance: random.Random, language: str) -> Made:
    values = [Decimal(chance.randint(-999_999, 999_999)) / 100 for _ in _rows(chance)]
    return [format_decimal(value, format="#,##0.00", locale=language) for value in values], list(values), "number"


def _money(chance: random.Random, language: str) -> Made:
    values = [Decimal(chance.randint(1, 999_999)) / 100 for _ in _rows(chance)]
    return [format_currency(value, CURRENCY[language], locale=language) for value in values], list(values), "money"


def _measures(chance: random.Random, language: str) -> Made:
    unit = chance.choice(UNITS)
    values = [Decimal(chance.randint(1, 9_999)) / 10 for _ in _rows(chance)]
    texts = [f"{format_decimal(value, format='#,##0.0', locale=language)} {unit}" for value in values]
    return texts, list(values), "measure"


def _days(chance: random.Random) -> list[date]:
    return [date(1950, 1, 1) + timedelta(days=chance.randint(0, 30_000)) for _ in range(chance.randint(12, 30))]


def _dates(chance: random.Random, language: str) -> Made:
    form = chance.choice(("yyyy-MM-dd", "long", "medium"))
    values = _days(chance)
    return [format_date(value, form, locale=language) for value in values], list(values), "date"


def _times(chance: random.Random, _: str) -> Made:
    values = [time(chance.randint(0, 23), chance.randint(0, 59)) for _ in range(chance.randint(8, 20))]
    return [value.strftime("%H:%M") for value in values], list(values), "time"


def _alike(one: Callable[[random.Random], str], kind: str = "text") -> Callable[[random.Random, str], Made]:
    """Texts that say what they are: their values are themselves."""

    def make(chance: random.Random, _: str) -> Made:
        texts = [one(chance) for _ in _rows(chance)]
        return texts, list(texts), kind

    return make


def _postcodes(chance: random.Random, _: str) -> Made:
    texts = [f"{chance.randint(1, 99_999):05}" for _ in _rows(chance)]
    return [*texts, "04103"], [*texts, "04103"], "text"


def _long_postcodes(chance: random.Random, _: str) -> Made:
    texts = [f"{chance.randint(10_000, 99_999)}" for _ in _rows(chance)]
    texts += [f"{text}-{chance.randint(1000, 9999)}" for text in texts[:2]]
    return texts, list(texts), "text"


def _phones(chance: random.Random, _: str) -> Made:
    form = chance.choice(("+1-{}-{}-{}", "({}) {}-{}", "+49 {} {}{}", "{}.{}.{}"))
    texts = [
        form.format(*(chance.randint(100, 999) for _ in range(2)), chance.randint(1000, 9999)) for _ in _rows(chance)
    ]
    return texts, list(texts), "text"


MAKERS: dict[str, Callable[[random.Random, str], Made]] = {
    "integers": _integers,
    "decimals": _decimals,
    "money": _money,
    "measures": _measures,
    "dates": _dates,
    "times": _times,
    "addresses": _alike(lambda chance: f"https://{chance.choice(WORDS)}.example/{chance.randint(1, 999)}", "url"),
    "mail": _alike(lambda chance: f"{chance.choice(WORDS)}@{chance.choice(WORDS)}.example", "email"),
    "words": _alike(lambda chance: " ".join(chance.sample(WORDS, chance.randint(1, 4)))),
    "postcodes": _postcodes,
    "long postcodes": _long_postcodes,
    "telephones": _phones,
    "ISBN": _alike(lambda chance: f"978{chance.randint(10**9, 10**10 - 1)}"),
    "article numbers": _alike(lambda chance: f"{chance.choice('ABC')}{chance.randint(10, 9_999)}"),
}
HEADINGS = {
    "postcodes": ("ZIP", "PLZ", "", "Code"),
    "long postcodes": ("ZIP code", ""),
    "telephones": ("Phone", "Tel.", ""),
    "ISBN": ("ISBN", "ISBN-13", ""),
    "money": ("Price", "Preis", ""),
    "dates": ("Date", "Datum", ""),
}

# ------------------------------------------------------------------ what happens to columns


def _with(chance: random.Random, texts: list[str], values: list[object], text: str, value: object) -> None:
    place = chance.randint(0, len(texts))
    texts.insert(place, text)
    values.insert(place, value)


def _missing(chance: random.Random, texts: list[str], values: list[object], kind: str) -> Made:
    mark = chance.choice(("", "n/a", "–", "-", "N/A", "—"))
    for _ in range(chance.randint(1, 3)):
        _with(chance, texts, values, mark, mark if kind == "text" else None)
    return texts, values, kind


def _among(*others: str) -> Spoiler:
    """One text among the others that makes texts of all."""

    def spoil(chance: random.Random, texts: list[str], values: list[object], _kind: str) -> Made:
        _with(chance, texts, values, chance.choice(others) if len(others) > 1 else others[0], None)
        return texts, list(texts), "text"

    return spoil


def _remark(chance: random.Random, texts: list[str], _values: list[object], _kind: str) -> Made:
    place = chance.randrange(len(texts))
    texts[place] += chance.choice((" (PB)", " approx.", " or so", " (est.)"))
    return texts, list(texts), "text"


def _range(chance: random.Random, texts: list[str], _values: list[object], _kind: str) -> Made:
    first, second = chance.sample(range(len(texts)), 2)
    texts[first] = f"{texts[first]} – {texts[second]}"
    return texts, list(texts), "text"


SPOILERS: dict[str, Spoiler | None] = {
    "whole": None,
    "missing": _missing,
    "a word": _among("DNF", "sold out", "call us", "see below", "withdrawn"),
    "a remark": _remark,
    "a range": _range,
    "a product": _among("3 x 5 km"),
    "too many digits": _among("12345678901234567890123"),
}
