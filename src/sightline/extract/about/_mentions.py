"""What is written in a text as an amount of money, a time span, a day, a number or a code."""

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Literal, TypeAlias

import orjson

from sightline.data import currencies_of
from sightline.signals import days_in

MentionKind: TypeAlias = Literal["money", "span", "day", "number", "code"]

LONGEST = 400  # characters; of longer texts only the beginning is searched
_BLANK = "[ '’\u00a0\u202f]"
NUMBER = re.compile(
    rf"(?<![\w.,/-])(?:\d{{1,3}}(?:(?:{_BLANK}|[.,])\d{{3}}(?!\d))+|\d+)(?:[.,](?:\d{{1,4}}(?!\d)|[-–—]{{1,2}}))?(?![\d/])"
)
# An amount behind the letters of its currency: `EUR15.99`, `Rs1,500`.
GLUED = re.compile(r"(?<![^\W_])([^\W\d_]{1,4})(\d+(?:[.,]\d+)*)(?![\w/-])")
GROUPED = re.compile(rf"\d{{1,3}}(?:(?:{_BLANK}|[.,])\d{{3}})+")
PARTED = re.compile(r"\d+(?:\.\d+)+\.\d{1,2}|\d+(?:,\d+)+,\d{1,2}")  # `904.230.19` is a code
BLANK = re.compile(_BLANK)
FRACTIONS = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75"), "⅓": Decimal(1) / 3, "⅔": Decimal(2) / 3}
SPAN = re.compile(r"(?<![\d.,])(\d+(?:[.,]\d+)?)?[ \u00a0]?([½¼¾⅓⅔])?[\s\u00a0-]{0,2}([^\W\d_]+)")
LEAD = re.compile(r"(?:(?<=[\d\s(:>-])|^)([^\W\d_]{1,4}\.?|[^\W\d_]{0,3}[$€£¥₪₹₽₴₺฿₫₩₦₱]|руб\.?|р\.)[\s\u00a0]?$")
TRAIL = re.compile(r"[\s\u00a0]?([^\W\d_]{1,4}(?:\.|(?![^\W\d_]))|[$€£¥₪₹₽₴₺฿₫₩₦₱])")
CODE = re.compile(r"(?<![\w/.,-])(?=[\w./-]*\d)[A-Za-z0-9][\w./-]{2,39}(?![\w-])")
YEAR = re.compile(r"\d\d")


@dataclass(frozen=True, slots=True)
class Mention:
    """Something typed in a text: from where to where, what it says, and as what it is read."""

    kind: MentionKind
    start: int
    stop: int
    value: Decimal | datetime.date | str
    currency: str = ""


def mentions_in(text: str, language: str | None = None) -> Iterator[Mention]:
    """Everything typed that a text mentions.

    >>> [(one.kind, str(one.value)) for one in mentions_in("From $1,299.00, in 1 hour 20 min")]
    [('money', '1299.00'), ('span', '80'), ('number', '1299.00'), ('number', '1'), ('number', '20')]
    """
    text = text[:LONGEST]
    if not any(map(str.isnumeric, text)):
        return
    numbers = [
        (found.start(), found.end(), plain_number(found.group()))
        for found in NUMBER.finditer(text)
        if not PARTED.fullmatch(found.group())
    ]
    for start, stop, value in numbers:
        yield from _money(text, start, stop, value)
    for glued in GLUED.finditer(text):
        if code := _currency(glued[1]):
            yield Mention("money", glued.start(), glued.end(), plain_number(glued[2]), code)
    yield from _spans(text)
    if YEAR.search(text):
        for day in days_in(text, language):
            yield Mention("day", day.start, day.stop, day.day)
    for start, stop, value in numbers:
        yield Mention("number", start, stop, value)
    for found in CODE.finditer(text):
        yield Mention("code", found.start(), found.end(), found.group().rstrip("./-"))


def plain_number(written: str) -> Decimal:
    """A number as most of the world writes it: the last mark is decimal, unless it parts groups of three digits.

    >>> plain_number("1.299,00"), plain_number("12,5"), plain_number("1,299"), plain_number("49,-")
    (Decimal('1299.00'), Decimal('12.5'), Decimal('1299'), Decimal('49'))
    """
    digits = BLANK.sub("", written).rstrip("-–—").rstrip(".,")
    comma, point = digits.rfind(","), digits.rfind(".")
    if comma >= 0 and point >= 0:
        return Decimal(digits.replace("." if comma > point else ",", "").replace(",", "."))
    if GROUPED.fullmatch(written) or max(digits.count(","), digits.count(".")) > 1:
        return Decimal(digits.replace(".", "").replace(",", ""))
    return Decimal(digits.replace(",", "."))


def _money(text: str, start: int, stop: int, value: Decimal) -> Iterator[Mention]:
    lead = LEAD.search(text, max(0, start - 6), start)
    if lead and (code := _currency(lead[1])):
        yield Mention("money", lead.start(), stop, value, code)
        return
    trail = TRAIL.match(text, stop)
    if trail and (code := _currency(trail[1])):
        yield Mention("money", start, trail.end(), value, code)


@cache
def _currency(mark: str) -> str:
    """The currency of a sign, the likeliest first; empty where it is none."""
    found = currencies_of(mark) or currencies_of(mark.rstrip("."))
    return found[0] if found else ""


def _spans(text: str) -> Iterator[Mention]:
    """Time spans in minutes; "1 hour 20 minutes" is one."""
    words = span_words()
    start, stop, minutes = -1, -1, Decimal(0)
    for found in SPAN.finditer(text):
        factor = words.get(found[3].casefold()) if found[1] or found[2] else None
        if factor is None:
            continue
        own = (plain_number(found[1]) if found[1] else Decimal(0)) + FRACTIONS.get(found[2] or "", Decimal(0))
        if start >= 0 and found.start() - stop <= 5:
            minutes += own * factor
        else:
            if start >= 0:
                yield Mention("span", start, stop, minutes)
            start, minutes = found.start(), own * factor
        stop = found.end()
    if start >= 0:
        yield Mention("span", start, stop, minutes)


@cache
def span_words() -> dict[str, Decimal]:
    """How many minutes a word for a span of time means, in the languages of most of the web."""
    document = orjson.loads(resources.files("sightline.extract.about").joinpath("spans.json").read_bytes())
    return {word: Decimal(minutes) for minutes, words in document.items() for word in words}
