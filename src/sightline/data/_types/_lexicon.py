"""The words around a number: units and scales.

Only units that stand here are recognised: pint alone would read "5 points" as a length and "7 R" as a gas constant.
Conversion between them is pint's.
"""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pint
    from babel import Locale


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: the dimension within which it may be converted, its name for pint, and how we write it."""

    dimension: str
    pint: str
    symbol: str


# dimension | pint's name | our symbol | other spellings
_TABLE = """
mass | microgram | µg | μg mcg ug
mass | milligram | mg | milligram milligrams Milligramm
mass | gram | g | gr gram grams gramme grammes Gramm грамм г
mass | kilogram | kg | kgs Kg KG kilo kilos kilogram kilograms kilogramme Kilogramm кг
mass | tonne | t | tonne tonnes Tonne Tonnen т
mass | pound | lb | lbs lb. lbs. pound pounds
mass | ounce | oz | oz. ounce ounces
mass | carat | ct | carat carats Karat
length | nanometer | nm |
length | micrometer | µm | μm um
length | millimeter | mm | millimetre millimetres millimeter millimeters Millimeter мм
length | centimeter | cm | centimetre centimetres centimeter centimeters Zentimeter см
length | meter | m | metre metres meter meters mètre mètres metro metros Meter м
length | kilometer | km | kms kilometre kilometres kilometer kilometers Kilometer км
length | inch | in | in. inch inches " '' Zoll pouces pulgadas
length | foot | ft | ft. foot feet '
length | yard | yd | yds yard yards
length | mile | mi | mi. mile miles Meilen
length | nautical_mile | nmi | sm NM
area | millimeter**2 | mm² | mm2 mm^2 qmm
area | centimeter**2 | cm² | cm2 cm^2 qcm
area | meter**2 | m² | m2 m^2 qm sqm Quadratmeter mètres-carrés м²
area | kilometer**2 | km² | km2 km^2 qkm км²
area | hectare | ha | hectare hectares Hektar га
area | acre | ac | acre acres
area | foot**2 | ft² | ft2 ft^2 sqft sq.ft.
area | mile**2 | mi² | mi2 sqmi
volume | milliliter | ml | mL millilitre millilitres milliliter milliliters мл
volume | centiliter | cl | cL
volume | deciliter | dl | dL
volume | liter | l | L Ltr ltr litre litres liter liters Liter л
volume | hectoliter | hl | hL
volume | centimeter**3 | cm³ | cm3 cm^3 ccm cc
volume | meter**3 | m³ | m3 m^3 cbm м³
volume | gallon | gal | gallon gallons
volume | fluid_ounce | fl oz | fl.oz. floz fl-oz
time | millisecond | ms | msec
time | second | s | sec sec. secs second seconds Sek. Sekunde Sekunden seconde secondes сек
time | minute | min | min. mins minute minutes Minute Minuten minutos minuti мин
time | hour | h | hr hrs hour hours Std. Std Stunde Stunden heure heures horas ore Uhr. ч
time | day | d | day days Tag Tage jour jours día días dias giorni дней
time | week | wk | wks week weeks Woche Wochen semaine semaines semanas
time | month | mo | mos month months Monat Monate mois meses mesi
time | year | yr | yrs year years Jahr Jahre an ans año años anni лет
speed | kilometer/hour | km/h | kmh kph km/hr км/ч
speed | mile/hour | mph | mi/h
speed | meter/second | m/s | м/с
speed | knot | kn | kt kts knots Knoten
temperature | degC | °C | ℃ degC °c
temperature | degF | °F | ℉ degF °f
temperature | kelvin | K |
angle | degree | ° | deg degrees Grad
power | milliwatt | mW |
power | watt | W | watt watts Watt Вт
power | kilowatt | kW | KW кВт
power | megawatt | MW |
power | gigawatt | GW |
power | metric_horsepower | PS | ch cv CV л.с.
power | horsepower | hp | HP bhp
energy | joule | J |
energy | kilojoule | kJ | kj KJ
energy | megajoule | MJ |
energy | calorie | cal |
energy | kilocalorie | kcal | Kcal kcals
energy | watt_hour | Wh |
energy | kilowatt_hour | kWh | KWh kwh
energy | megawatt_hour | MWh |
energy | gigawatt_hour | GWh |
energy | terawatt_hour | TWh |
charge | milliampere_hour | mAh | mah
charge | ampere_hour | Ah |
current | milliampere | mA |
current | ampere | A | Amp amp amps Ampere
voltage | millivolt | mV |
voltage | volt | V | volt volts Volt В
voltage | kilovolt | kV |
resistance | ohm | Ω | Ω Ohm ohm ohms
frequency | hertz | Hz | hz Гц
frequency | kilohertz | kHz | khz KHz
frequency | megahertz | MHz | Mhz mhz
frequency | gigahertz | GHz | Ghz ghz
rotation | revolutions_per_minute | rpm | RPM U/min tr/min 1/min
pressure | pascal | Pa |
pressure | hectopascal | hPa |
pressure | kilopascal | kPa |
pressure | bar | bar | Bar
pressure | millibar | mbar |
pressure | psi | psi | PSI
force | newton | N |
torque | newton*meter | Nm | N·m N.m
data | byte | bytes | byte Byte Bytes
data | kilobyte | kB | KB kb
data | megabyte | MB | Mo
data | gigabyte | GB | Gb Go ГБ
data | terabyte | TB | To
data | petabyte | PB |
data | kibibyte | KiB |
data | mebibyte | MiB |
data | gibibyte | GiB |
data | tebibyte | TiB |
data rate | kilobit/second | kbit/s | kbps Kbps kb/s
data rate | megabit/second | Mbit/s | Mbps mbps Mb/s
data rate | gigabit/second | Gbit/s | Gbps gbps Gb/s
pixels | pixel | px | pixel pixels Pixel
pixels | megapixel | MP | Megapixel megapixel megapixels Mpx MPixel
level | decibel | dB | db dB(A)
light | lumen | lm |
illuminance | lux | lx | lux
density | kilogram/meter**3 | kg/m³ | kg/m3
density | gram/centimeter**3 | g/cm³ | g/cm3
share | percent | % | percent Prozent pct pct. v.H.
share | permille | ‰ |
concentration | ppm | ppm |
"""

UNITS: dict[str, Unit] = {}
for _row in _TABLE.strip().splitlines():
    _dimension, _pint, _symbol, _others = (part.strip() for part in _row.split("|"))
    for _spelling in (_symbol, *_others.split()):
        UNITS.setdefault(_spelling, Unit(_dimension, _pint, _symbol))

# Spelled-out words are also found in other case; short ones are not, since mW is not MW.
_LONG_ENOUGH_TO_FOLD = 4
_FOLDED = {spelling.casefold(): unit for spelling, unit in UNITS.items() if len(spelling) >= _LONG_ENOUGH_TO_FOLD}

SCALES: dict[str, int] = {
    word: 10**power
    for power, words in {
        3: "k K thousand Tsd Tsd. tausend mille mil тыс тыс. 千",
        4: "万 萬",
        5: "lakh lakhs lac",
        6: "M mn mln mio Mio Mio. million millions Million Millionen millones milioni млн млн. 百万",
        7: "crore crores Cr",
        8: "億 亿",
        9: "bn Bn mrd Mrd Mrd. mld Mld milliard milliards Milliarde Milliarden miliardi млрд млрд. billion billions",
        12: "tn trillion trillions",
    }.items()
    for word in words.split()
}


def find_unit(word: str) -> Unit | None:
    """The unit that a word stands for.

    >>> find_unit("KG").symbol, find_unit("Zoll").symbol, find_unit("pairs")
    ('kg', 'in', None)
    """
    return UNITS.get(word) or _FOLDED.get(word.casefold())


# Measures: one unit for a column, and conversion into it by pint.

# More digits than any page shows; fewer would lose some, more would show the noise of binary fractions.
_DIGITS = 12

# The same word for different things, by country or by trade.
_DOUBTS = {
    "oz": "oz is an ounce of mass or of volume",
    "gal": "gal is a US or an imperial gallon",
    "mo": "a month is taken as a twelfth of a year",
}


def commonest_unit(units: Counter[Unit]) -> tuple[Unit, str | None]:
    """The unit in which a column is read: the commonest of its commonest dimension; and what is doubtful about it."""
    dimensions: Counter[str] = Counter()
    for unit, count in units.items():
        dimensions[unit.dimension] += count
    (dimension, _), *others = dimensions.most_common()
    chosen = max((unit for unit in units if unit.dimension == dimension), key=lambda unit: units[unit])
    doubt = _DOUBTS.get(chosen.symbol)
    if others:
        doubt = f"{dimension} or {others[0][0]}"
    return chosen, f"unit: {doubt}" if doubt else None


def convert(number: Decimal, unit: Unit, target: str) -> float | None:
    """A number of `unit` in the unit whose symbol is `target`; None when one is not the other's kind.

    >>> from sightline.data._types._lexicon import UNITS
    >>> convert(Decimal(500), UNITS["g"], "kg"), convert(Decimal(1), UNITS["%"], "kg")
    (0.5, None)
    """
    if unit.symbol == target:
        return float(number)
    wanted = UNITS.get(target)
    if wanted is None or wanted.dimension != unit.dimension:
        return None
    factor, offset = _conversion(unit.pint, wanted.pint)
    return float(f"{float(number) * factor + offset:.{_DIGITS}g}")


def convert_measure(number: float, unit: str, target: str) -> float | None:
    """A number in another unit, both named as people write them; None when a name is unknown or the dimensions differ.

    >>> convert_measure(20, "Zoll", "cm"), convert_measure(20, "kg", "cm")
    (50.8, None)
    """
    source, wanted = find_unit(unit), find_unit(target)
    return convert(Decimal(str(number)), source, wanted.symbol) if source and wanted else None


def dimension_of(unit: str) -> str | None:
    """What a unit measures, such as `mass`; None when it is not known.

    >>> dimension_of("kg"), dimension_of("furlong")
    ('mass', None)
    """
    found = find_unit(unit)
    return found.dimension if found else None


@cache
def _conversion(source: str, target: str) -> tuple[float, float]:
    registry = _registry()
    zero, one = (registry.Quantity(amount, source).to(target).magnitude for amount in (0.0, 1.0))
    return one - zero, zero


@cache
def _registry() -> "pint.UnitRegistry[float]":
    import pint  # slow to import, and needed only where a column mixes units

    return pint.UnitRegistry()


# -- what a language settles ----------------------------------------------------------------------------------------
# babel is imported where it is used, so that other code need not wait for it.


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
