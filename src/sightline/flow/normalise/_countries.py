"""Countries to ISO 3166 alpha-2: from codes, and from names in the languages of CLDR."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache

from sightline.flow.normalise._normalised import quoted

# The languages that are read first, since reading all takes more than a second; the rest follow for a name they lack.
_USUAL_TEXT = """
en de fr es it pt nl pl cs sk hu ro bg hr sl sr sv da nb fi is et lv lt el tr ru uk be ja zh ko ar he fa hi id vi th
"""
# In CLDR's list, but no countries of ISO 3166: unions, and codes that are reserved for other uses.
_NO_COUNTRIES = ("AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "ZZ")
# Names that people use and CLDR does not have, in every spelling after folding.
_EVERYDAY = {
    "US": "usa;u s a;u s;united states of america;america;vereinigte staaten von amerika;"
    "etats unis d amerique;eeuu;ee uu",
    "GB": "great britain;britain;england;scotland;wales;northern ireland;u k;united kingdom of great britain and "
    "northern ireland;grossbritannien;england und wales;grande bretagne;gran bretana",
    "AE": "uae;u a e",
    "BO": "bolivia plurinational state of",
    "BA": "bosnia;bosnia herzegovina;bosnien",
    "BN": "brunei darussalam",
    "CD": "dr congo;d r congo;drc;congo drc;congo kinshasa;democratic republic of the congo;"
    "congo democratic republic of the;congo the democratic republic of the;zaire",
    "CG": "congo brazzaville;republic of the congo;congo republic of the",
    "CI": "ivory coast;elfenbeinkuste",
    "CN": "people s republic of china;prc;mainland china;volksrepublik china",
    "CV": "cape verde",
    "CZ": "czech republic;tschechische republik;republique tcheque",
    "DE": "federal republic of germany;bundesrepublik deutschland;brd",
    "FM": "micronesia federated states of",
    "HK": "hong kong;hongkong",
    "IR": "iran islamic republic of;islamic republic of iran",
    "KP": "dprk;korea north;korea democratic people s republic of;democratic people s republic of korea",
    "KR": "republic of korea;korea republic of;korea south",
    "LA": "lao people s democratic republic;lao pdr",
    "MD": "republic of moldova;moldova republic of",
    "MK": "macedonia;fyrom;the former yugoslav republic of macedonia",
    "MM": "burma;myanmar;birma",
    "MO": "macau;macao",
    "NL": "holland;the netherlands",
    "PS": "palestine;state of palestine;palestine state of",
    "RU": "russian federation",
    "SY": "syrian arab republic",
    "SZ": "swaziland",
    "TL": "east timor",
    "TR": "turkey",
    "TW": "taiwan province of china;republic of china;chinese taipei",
    "TZ": "united republic of tanzania;tanzania united republic of",
    "VA": "vatican;holy see",
    "VE": "venezuela bolivarian republic of",
    "VN": "viet nam",
}
# The codes of the European Union for tax numbers and statistics, where they differ.
_OTHER_CODES = {"EL": ("GR",), "UK": ("GB",)}
# Names of two countries each.
_DOUBLE = {
    "congo": ("CD", "CG"),
    "korea": ("KP", "KR"),
    "virgin islands": ("VG", "VI"),
    "saint martin": ("MF", "SX"),
    "st martin": ("MF", "SX"),
}
# Longer texts are prose; the longest name in CLDR has 66 characters.
_LONGEST = 120


def country_code(text: str | None, language: str | None = None) -> tuple[str | None, str | None]:
    """The code of a country, or None with the problem; both are None where nothing is named.

    >>> country_code("Österreich"), country_code("Congo"), country_code("n/a")
    (('AT', None), (None, "'Congo' may be CD or CG; write the code."), (None, None))
    """
    name = (text or "").strip()
    if not name or name.casefold() in ("n/a", "-", "–", "—"):
        return None, None
    codes = () if len(name) > _LONGEST else _coded(name) or _named(_folded(name), language)
    if len(codes) == 1:
        return codes[0], None
    if not codes:
        return None, f"{quoted(name)} is not a country that is known."
    return None, f"{quoted(name)} may be {', '.join(codes[:-1])} or {codes[-1]}; write the code."


def _coded(name: str) -> tuple[str, ...]:
    """What a code of ISO 3166 stands for: two letters, three letters or three digits, also of a former country."""
    code = name.upper()
    if not code.isascii() or not code.isalnum() or len(code) not in (2, 3):
        return ()
    if code in _current():
        return (code,)
    return _OTHER_CODES.get(code) or _aliases().get(code, ())


@cache
def _current() -> frozenset[str]:
    return frozenset(_territories("en"))


@cache
def _aliases() -> dict[str, tuple[str, ...]]:
    from babel.core import get_global  # slow to import

    aliases = get_global("territory_aliases").items()
    return {old: codes for old, new in aliases if (codes := tuple(code for code in new if code in _current()))}


def _territories(language: str) -> dict[str, str]:
    from babel import Locale  # slow to import

    names = Locale.parse(language).territories.items()
    return {code: name for code, name in names if len(code) == 2 and code.isalpha() and code not in _NO_COUNTRIES}


def _named(name: str, language: str | None) -> tuple[str, ...]:
    """The countries of a folded name: in the given language, then in the usual ones, then in all."""
    own = _names_in(language).get(name, ()) if language else ()
    return own or _DOUBLE.get(name) or _usual_names().get(name) or _all_names().get(name, ())


@cache
def _names_in(language: str) -> Mapping[str, tuple[str, ...]]:
    from babel import UnknownLocaleError

    try:
        return _index([language.replace("-", "_")])
    except (UnknownLocaleError, ValueError):
        return {}


@cache
def _usual_names() -> Mapping[str, tuple[str, ...]]:
    everyday = {name: (code,) for code, names in _EVERYDAY.items() for name in names.split(";")}
    return {**_index(_USUAL_TEXT.split()), **everyday}


@cache
def _all_names() -> Mapping[str, tuple[str, ...]]:
    from babel.localedata import locale_identifiers

    return _index(language for language in locale_identifiers() if "_" not in language)


def _index(languages: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = defaultdict(set)
    for language in languages:
        for code, name in _territories(language).items():
            found[_folded(name)].add(code)
    return {name: tuple(sorted(codes)) for name, codes in found.items()}


@cache
def _folded(name: str) -> str:
    """A name without case, accents and marks: Côte d’Ivoire and COTE D'IVOIRE are one."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(letter if _is_letter(letter) else " " for letter in letters if not _is_accent(letter))
    return " ".join(plain.split()).removeprefix("the ")


def _is_letter(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LMN"


def _is_accent(letter: str) -> bool:
    """Whether a mark is an accent of the Latin, Greek or Cyrillic script; in others, marks are vowels."""
    return "\u0300" <= letter <= "\u036f"
