"""Keys by which a text on a page and a value of JSON are known to be the same: texts, numbers and days, each typed."""

import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from sightline.data import Value
from sightline.extract.behind._forms import number_of
from sightline.page import full_address

_NUMERAL = re.compile(r"\d(?:[\d.,'’\u00a0\u202f]*\d)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_GROUPED = re.compile(r"\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+")
LONGEST = 2_000  # characters of a text that are compared
_SECONDS = range(10**9, 2 * 10**9)  # from 2001 to 2033: what counts the seconds since 1970
_SPACE = str.maketrans("", "", "'’\u00a0\u202f")


def keys_of_shown(value: Value) -> set[str]:
    """The keys of what a page shows.

    >>> sorted(keys_of_shown(Value("1,250.00 EUR")))
    ['n:1250', 't:1,250.00 eur']
    """
    text = value.text
    found = {_text_key(text)}
    if isinstance(value.value, date):  # a datetime is one as well
        found.add(f"d:{value.value.isoformat()[:10]}")
    numerals = _NUMERAL.findall(text) if len(text) <= LONGEST else []
    if len(numerals) == 1:
        found |= {f"n:{number}" for number in _readings(numerals[0])}
    return found


def _readings(numeral: str) -> Iterator[str]:
    """What a numeral may say; of a single mark before three digits nobody knows."""
    bare = numeral.translate(_SPACE)
    marks = [mark for mark in bare if mark in ".,"]
    if not marks:
        texts = {bare}
    elif len(set(marks)) > 1 or len(marks) > 1:
        last = marks[-1] if len(set(marks)) > 1 else ""
        texts = {"".join("." if one == last else one for one in bare if one not in ".," or one == last)}
    else:
        texts = {bare.replace(",", ".")} | ({re.sub("[.,]", "", bare)} if _GROUPED.fullmatch(bare) else set())
    for text in texts:
        try:
            yield _number_key(Decimal(text))
        except InvalidOperation:
            continue


def keys_of_value(value: Any, base: str) -> set[str]:
    """The keys of a value of JSON; an address counts from the page's own.

    >>> sorted(keys_of_value("/5d", "https://shop.example/list"))
    ['t:/5d', 't:https://shop.example/5d']
    """
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        return set()
    found: set[str] = set()
    if isinstance(value, str):
        if not value or len(value) > LONGEST:
            return found
        found.add(_text_key(value))
        if value.startswith(("/", "./", "../")):
            found.add(_text_key(full_address(base, value)))
        if _DAY.match(value):
            found.add(f"d:{value[:10]}")
    if type(value) is int and -_SECONDS[0] < value < _SECONDS[0]:  # as most numbers are
        found.add(f"n:{value}")
    elif (number := number_of(value)) is not None:
        found.add(f"n:{_number_key(number)}")
        seconds = int(number) // (1000 if number > _SECONDS[-1] else 1)
        if not isinstance(value, str) and seconds in _SECONDS:
            found.add(f"d:{datetime.fromtimestamp(seconds, UTC).date().isoformat()}")
    return found


def _text_key(text: str) -> str:
    cut = text[:LONGEST]
    folded = cut.lower() if cut.isascii() else unicodedata.normalize("NFKC", cut).casefold()
    return f"t:{' '.join(folded.split())}"


def _number_key(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
