"""What a language settles, from CLDR by way of babel: separators, the order of dates, month names, the currency.

babel is imported where it is used, so that other code need not wait for it.
"""

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel import Locale

__all__ = [
    "calendar_words",
    "currency_symbols",
    "date_order",
    "decimal_separator",
    "home_currency",
    "locale_of",
    "month_words",
]


@cache
def locale_of(language: str | None) -> "Locale | None":
    """The CLDR locale of a page's `lang`, as exact as known, or None for nonsense.

    >>> str(locale_of("de-AT-x-none")), locale_of("*")
    ('de_AT', None)
    """
    from babel import Locale, UnknownLocaleError

    parts = (language or "").strip().replace("-", "_").split("_")
    for length in range(min(len(parts), 3), 0, -1):
        try:
            return Locale.parse("_".join(parts[:length]))
        except (ValueError, TypeError, UnknownLocaleError):
            continue
    return None


@cache
def decimal_separator(language: str | None) -> str:
    """`.` or `,`; a point where the language is not known.

    >>> decimal_separator("de"), decimal_separator("de-CH"), decimal_separator(None)
    (',', '.', '.')
    """
    locale = locale_of(language)
    symbols = locale.number_symbols.get("latn", {}) if locale else {}
    return "," if symbols.get("decimal") == "," else "."


@cache
def date_order(language: str | None) -> str:
    """DMY, MDY or YMD as the language's short dates have it; DMY, the commonest in the world, where not known.

    >>> date_order("en"), date_order("en-GB"), date_order("ja"), date_order(None)
    ('MDY', 'DMY', 'YMD', 'DMY')
    """
    locale = locale_of(language)
    if locale is None:
        return "DMY"
    pattern = locale.date_formats["short"].pattern.casefold()
    order = "".join(sorted("dmy", key=pattern.find)).upper()
    return order if order in ("DMY", "MDY", "YMD") else "DMY"


@cache
def month_words(language: str) -> frozenset[str]:
    """Every name of a month, whole or shortened, in small letters and without points."""
    return _words(language, "months")


@cache
def calendar_words(language: str) -> frozenset[str]:
    """Names of months and of days of the week."""
    return month_words(language) | _words(language, "days")


def _words(language: str, what: str) -> frozenset[str]:
    locale = locale_of(language)
    if locale is None:
        return frozenset()
    widths = chain.from_iterable(getattr(locale, what)[context].items() for context in ("format", "stand-alone"))
    names = chain.from_iterable(values.values() for width, values in widths if width != "narrow")
    return frozenset(name.casefold().strip(".") for name in names if not name.isdecimal())


@cache
def home_currency(language: str | None) -> tuple[str | None, bool]:
    """The currency of the language's land, and whether the land was named or only supposed.

    >>> home_currency("en"), home_currency("en-CA"), home_currency("sv")
    (('USD', False), ('CAD', True), ('SEK', False))
    """
    from babel.core import get_global
    from babel.numbers import get_territory_currencies

    locale = locale_of(language)
    if locale is None:
        return None, False
    likely = get_global("likely_subtags").get(str(locale), get_global("likely_subtags").get(locale.language, ""))
    territory = locale.territory or likely.rpartition("_")[2]
    current = get_territory_currencies(territory) if territory else []
    return (current[0] if current else None), bool(locale.territory)


# The languages in which currencies with a sign of their own are at home; English has the signs of the big ones.
_SYMBOL_LANGUAGES = (
    *("en", "pl", "cs", "sv", "nb", "hu", "ro", "bg", "ru", "uk", "tr", "th"),
    *("id", "he", "vi", "ko", "pt", "hi", "de_CH", "da", "is", "kk"),
)


@cache
def currency_symbols() -> dict[str, str]:
    """Sign to ISO code, wherever one of the signs' home languages writes it so; the earlier language wins."""
    from babel import Locale

    found: dict[str, str] = {}
    for language in _SYMBOL_LANGUAGES:
        locale = Locale.parse(language)
        home, _ = home_currency(language)
        for code, symbol in locale.currency_symbols.items():
            if language == "en" or code == home:
                found.setdefault(symbol, code)
    return found
