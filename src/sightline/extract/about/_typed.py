"""What a text means under the type of its field: amounts, days, spans of time, kinds of availability, codes."""

import re
from datetime import date
from decimal import Decimal, InvalidOperation
from html import unescape
from urllib.parse import urljoin

from sightline.data import Typed, currencies_of
from sightline.extract.about._kinds import FieldType
from sightline.extract.about._mentions import mentions_in, plain_number
from sightline.signals import days_in

TAG = re.compile(r"<[^<>]{0,500}>")
BREAKS = re.compile(r"(?:<br\s*/?>|</(?:p|li|div|h\d)>|\n)+", re.IGNORECASE)
PLAIN_WORD = re.compile(r"[^\W_]+")
SPAN = re.compile(
    r"P(?:(\d+(?:\.\d+)?)D)?T?(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?", re.IGNORECASE
)
ISO_DAY = re.compile(r"\s*(\d{4})-?(\d\d)-?(\d\d)(?!\d)")
FIGURES = re.compile(r"\d+(?:[.,'\u00a0 ]\d+)*")
# How availability is said by schema.org, Open Graph and shops.
AVAILABLE = {
    **dict.fromkeys(
        ("instock", "available", "instockonline", "true", "yes", "availablefororder", "limited"), "InStock"
    ),
    **dict.fromkeys(("outofstock", "oos", "unavailable", "notavailable", "false", "no"), "OutOfStock"),
    **{name.casefold(): name for name in ("SoldOut", "PreOrder", "BackOrder", "Discontinued", "LimitedAvailability")},
    **{name.casefold(): name for name in ("OnlineOnly", "InStoreOnly", "PreSale", "MadeToOrder", "Reserved")},
}
GONE = frozenset(("OutOfStock", "SoldOut", "Discontinued"))


def clean(text: str) -> str:
    """A text of data for machines as readers would see it: without tags and entities, blanks collapsed.

    >>> clean("Fish &amp; <b>chips</b>")
    'Fish & chips'
    """
    return " ".join(unescape(TAG.sub(" ", unescape(text)) if "<" in text or "&lt;" in text else unescape(text)).split())


def plain_words(text: str) -> str:
    """The words of a text alone, as texts are compared.

    >>> plain_words("Fish & Chips!")
    'fish chips'
    """
    return " ".join(PLAIN_WORD.findall(text.casefold()))


def lines(text: str) -> list[str]:
    """The paragraphs of such a text."""
    found = (clean(part) for part in BREAKS.split(unescape(text)))
    return [part for part in found if part]


def typed(
    text: str, type: FieldType, *, language: str | None = None, base: str = "", said: bool = False
) -> Typed | None:
    """What a text says under a type; None where it cannot be read. Data for machines has a point before decimals.

    >>> typed("https://schema.org/InStock", "availability"), typed("PT1H20M", "span"), typed("1.299,00 €", "money")
    ('InStock', 'PT1H20M', Decimal('1299.00'))
    """
    if type in ("money", "number", "rating"):
        return _number(text, said=said)
    if type == "currency":
        code = text.strip().upper()
        return code if re.fullmatch("[A-Z]{3}", code) else next(iter(currencies_of(text.strip())), None)
    if type == "availability":
        return availability(text)
    if type == "span":
        minutes = minutes_in(text, language)
        return None if minutes is None else iso_span(minutes)
    if type == "day":
        return _day(text, language)
    if type == "gtin":
        digits = re.sub(r"[\s-]", "", text)
        return digits if re.fullmatch(r"\d{8,14}|\d{9}[\dXx]", digits) else None
    if type == "address":
        return urljoin(base, text.strip())
    return None


def _number(text: str, *, said: bool) -> Decimal | None:
    if said:
        try:
            return Decimal(text.strip().replace("\u00a0", ""))
        except InvalidOperation:
            pass  # written for people after all
    found = FIGURES.search(text)
    return plain_number(found.group()) if found else None


def availability(text: str) -> str | None:
    """The name that schema.org has for how a product can be had."""
    name = re.sub(r"[\s_-]", "", text.rstrip("/").rsplit("/", 1)[-1]).casefold()
    return AVAILABLE.get(name)


def minutes_in(text: str, language: str | None = None) -> Decimal | None:
    """A span of time in minutes, as people or ISO 8601 write it.

    >>> minutes_in("PT1H20M"), minutes_in("1 hour 20 min"), minutes_in("soon")
    (Decimal('80'), Decimal('80'), None)
    """
    told = SPAN.fullmatch(text.strip())
    if told and any(told.groups()):
        days, hours, minutes, seconds = (Decimal(part or 0) for part in told.groups())
        return days * 1440 + hours * 60 + minutes + seconds / 60
    found = next((one for one in mentions_in(text, language) if one.kind == "span"), None)
    if found:
        return Decimal(str(found.value))
    return Decimal(text.strip()) if text.strip().isdigit() else None


def iso_span(minutes: Decimal) -> str:
    """Minutes as ISO 8601 writes them.

    >>> iso_span(Decimal(80)), iso_span(Decimal(0))
    ('PT1H20M', 'PT0M')
    """
    hours, rest = divmod(round(minutes), 60)
    return f"PT{f'{hours}H' if hours else ''}{f'{rest}M' if rest or not hours else ''}"


def _day(text: str, language: str | None) -> date | None:
    told = ISO_DAY.match(text)
    if told:
        try:
            return date(*map(int, told.groups()))
        except ValueError:  # no such day
            return None
    return next((found.day for found in days_in(text, language)), None)


def has_check_digit(digits: str) -> bool:
    """Whether the last digit of a GTIN or ISBN is the one that the others ask for.

    >>> has_check_digit("4006381333931"), has_check_digit("4006381333932"), has_check_digit("097522980X")
    (True, False, True)
    """
    if re.fullmatch(r"\d{9}[\dXx]", digits):
        return sum((10 - place) * (10 if one in "Xx" else int(one)) for place, one in enumerate(digits)) % 11 == 0
    if not re.fullmatch(r"\d{8}|\d{12,14}", digits):
        return False
    weighted = (int(one) * (3 if place % 2 else 1) for place, one in enumerate(reversed(digits)))
    return sum(weighted) % 10 == 0
