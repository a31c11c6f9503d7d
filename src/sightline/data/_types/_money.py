"""Currencies: what a sign beside a number means, decided for a column."""

from collections import Counter
from functools import cache

from sightline.data._types._lexicon import currency_symbols, home_currency, locale_of

# No sign or code of a currency is longer; what is longer is prose.
_LONGEST_SYMBOL = 12
# Signs that several lands use for different money: what they mean follows from the language.
_SHARED = {"$": "USD", "¥": "JPY", "kr": "SEK", "kr.": "DKK", "Rs": "INR", "Rs.": "INR", "₨": "INR"}
# Everyday spellings that CLDR does not have.
_EVERYDAY = {
    "euro": "EUR", "Euro": "EUR", "euros": "EUR", "eur": "EUR", "US$": "USD", "US-$": "USD", "C$": "CAD", "AU$": "AUD",
    "S$": "SGD", "Fr.": "CHF", "SFr.": "CHF", "sFr.": "CHF", "Ft": "HUF", "руб.": "RUB", "руб": "RUB", "р.": "RUB",
    "грн": "UAH", "грн.": "UAH", "TL": "TRY", "₺": "TRY", "₽": "RUB", "₴": "UAH", "₦": "NGN", "฿": "THB", "円": "JPY",
    "元": "CNY", "원": "KRW", "lei": "RON", "Lei": "RON", "лв": "BGN", "лв.": "BGN", "Rp": "IDR", "RM": "MYR",
    "zl": "PLN", "Zł": "PLN", "Kc": "CZK", "₸": "KZT", "₡": "CRC", "R$": "BRL", "د.إ": "AED", "ر.س": "SAR",
}  # fmt: skip


@cache
def is_currency(affix: str) -> bool:
    """Whether the text beside a number is nothing but a currency's sign, code or name.

    >>> is_currency("US$"), is_currency("EUR"), is_currency("zł"), is_currency("from $"), is_currency("kg")
    (True, True, True, False, False)
    """
    if not affix or len(affix) > _LONGEST_SYMBOL:
        return False
    if affix in _iso_codes() or affix in _SHARED or affix in _EVERYDAY:
        return True
    has_sign = not affix.isascii() or "$" in affix
    return has_sign and _is_sign(affix) and _known(affix) is not None


def _is_sign(affix: str) -> bool:
    from price_parser import Price  # slow to import, and most columns have no sign that is not known above

    return bool(Price.fromstring(affix).currency == affix)


@cache
def _iso_codes() -> frozenset[str]:
    from babel.numbers import list_currencies  # slow to import

    return frozenset(list_currencies())


@cache
def is_tender(code: str) -> bool:
    """Whether a code is that of money with which people pay somewhere today.

    >>> is_tender("EUR"), is_tender("DEM"), is_tender("XYZ")
    (True, False, False)
    """
    return code in _tender()


@cache
def _tender() -> frozenset[str]:
    from babel.core import get_global  # slow to import

    lands = get_global("territory_currencies").values()
    return frozenset(code for land in lands for code, _, end, is_paid in land if end is None and is_paid)


def _known(symbol: str) -> str | None:
    return _EVERYDAY.get(symbol) or currency_symbols().get(symbol)


@cache
def currency_code(symbol: str, language: str | None) -> str:
    """The ISO code of a sign on a page in `language`.

    >>> currency_code("$", "en-AU"), currency_code("kr", "da"), currency_code("€", None)
    ('AUD', 'DKK', 'EUR')
    """
    if symbol in _iso_codes():
        return symbol
    if symbol in _SHARED:
        return _at_home(symbol, language) or _SHARED[symbol]
    return _known(symbol) or symbol


@cache
def currencies_of(sign: str, language: str | None = None) -> tuple[str, ...]:
    """The ISO codes of all currencies that a sign, code or name may mean, the commonest first.

    A language with a country, such as da-DK, settles most.

    >>> currencies_of("€"), currencies_of("kr"), currencies_of("kr", "da-DK"), currencies_of("abc")
    (('EUR',), ('SEK', 'DKK', 'ISK', 'NOK'), ('DKK',), ())
    """
    if not is_currency(sign):
        return ()
    code = currency_code(sign, language)
    if sign not in _SHARED or (_named_home(code, language) and _at_home(sign, language)):
        return (code,) if code in _iso_codes() else ()
    others = sorted(code for code, signs in _OTHER_SIGNS.items() if sign in signs and code != _SHARED[sign])
    return (_SHARED[sign], *others)


def _at_home(symbol: str, language: str | None) -> str | None:
    """The currency of the page's own land, when its people write it with this sign."""
    code, _ = home_currency(language)
    locale = locale_of(language)
    if code is None or locale is None:
        return None
    local = {locale.currency_symbols.get(code, ""), *_OTHER_SIGNS.get(code, ())}
    return code if symbol in local else None


_OTHER_SIGNS = {"CNY": ("¥",), "SEK": ("kr",), "NOK": ("kr", "kr."), "DKK": ("kr", "kr."), "ISK": ("kr", "kr.")}
_OTHER_SIGNS |= {"INR": ("Rs", "Rs."), "PKR": ("Rs", "Rs."), "LKR": ("Rs", "Rs."), "NPR": ("Rs", "Rs.")}
_OTHER_SIGNS |= dict.fromkeys(("MXN", "ARS", "CLP", "COP", "AUD", "CAD", "NZD", "SGD", "HKD", "TWD"), ("$",))


def decide_currency(symbols: Counter[str], language: str | None) -> tuple[str, list[str]]:
    """The column's one currency, the commonest, and what is undecided about it.

    >>> decide_currency(Counter({"$": 9}), "en")
    ('USD', ['currency: $ is USD (supposed) or the dollar of another land'])
    """
    codes: Counter[str] = Counter()
    for symbol, count in symbols.items():
        codes[currency_code(symbol, language)] += count
    (code, _), *others = codes.most_common()
    doubts = [f"currency: {code} or {', '.join(other for other, _ in others)}"] if others else []
    spelled_out = code in symbols or _named_home(code, language)
    shared = next((sign for sign in symbols if sign in _SHARED and currency_code(sign, language) == code), None)
    if shared and not spelled_out:
        doubts.append(f"currency: {shared} is {code} (supposed) or the {_noun(shared)} of another land")
    return code, doubts


def _named_home(code: str, language: str | None) -> bool:
    return home_currency(language) == (code, True)


def _noun(symbol: str) -> str:
    return {"$": "dollar", "¥": "yuan or yen", "kr": "crown", "kr.": "crown"}.get(symbol, "rupee")
