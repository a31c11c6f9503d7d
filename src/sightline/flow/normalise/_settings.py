"""What can be set about each step."""

from dataclasses import dataclass
from difflib import get_close_matches

from sightline.data import currencies_of, dimension_of
from sightline.errors import UsageError
from sightline.settings import Settings, setting

ROUNDINGS = ("half-up", "half-even")
# The longest run of days without rates of the ECB: from Good Friday to Easter Monday, or Christmas before a weekend.
_LONGEST_PAUSE = 4
# More digits behind the point than any currency or exchange has.
_MOST_DIGITS = 10


@dataclass(frozen=True, kw_only=True)
class NormaliseSettings(Settings):
    """What all steps share: the names of the columns."""

    column: str = setting("value", help="the name of the column to normalise")
    into: str = setting("", help="the name of the new column; if empty, it takes the name of the old one")

    @property
    def new_name(self) -> str:
        """The name of the column with the new values."""
        return self.into or self.column

    @property
    def original_name(self) -> str:
        """The name of the column with the originals: its own, unless the new column takes that.

        >>> NormaliseSettings(column="price").original_name, NormaliseSettings(column="price", into="eur").original_name
        ('price_original', 'price')
        """
        return self.column if self.new_name != self.column else f"{self.column}_original"

    @property
    def problem_name(self) -> str:
        """The name of the column that says of each row of a stream why it could not be read."""
        return f"{self.new_name}_problem"


@dataclass(frozen=True, kw_only=True)
class MoneySettings(NormaliseSettings):
    """How money is read, converted and rounded."""

    currency: str = setting("EUR", help="the currency of the new column, as an ISO code")
    from_currency: str | None = setting(
        None, help="the currency of amounts without a sign, and what a sign of several currencies means"
    )
    signs: tuple[str, ...] = setting((), help="what signs of several currencies mean, such as $=USD and kr=SEK")
    language: str | None = setting(None, help="the language of the column, such as de-AT")
    decimal: str | None = setting(
        None, help="the decimal mark, if the column does not show it", choices=(None, ".", ",")
    )
    max_age_days: int = setting(
        _LONGEST_PAUSE, help="how many days before the date a rate may be, for weekends and holidays", minimum=0
    )
    digits: int | None = setting(
        None,
        help="how many digits to keep behind the point; if not given, those of the currency",
        minimum=0,
        maximum=_MOST_DIGITS,
    )
    rounding: str = setting("half-up", help="what becomes of exact halves", choices=ROUNDINGS)

    def __post_init__(self) -> None:
        """Reject what is not a currency."""
        super().__post_init__()
        for code in filter(None, (self.currency, self.from_currency)):
            check_code(code)
        for sign in self.signs:
            _, _, code = sign.partition("=")
            check_code(code, f" in {sign!r}")

    @property
    def meanings(self) -> dict[str, str]:
        """The signs that the settings name, and their currencies."""
        pairs = (sign.partition("=") for sign in self.signs)
        return {sign.strip(): code.strip() for sign, _, code in pairs}


@dataclass(frozen=True, kw_only=True)
class TaxSettings(NormaliseSettings):
    """How amounts are read, and rounded after tax was added or removed."""

    currency: str | None = setting(
        None, help="the currency of amounts without a sign, which decides how many digits they have"
    )
    language: str | None = setting(None, help="the language of the column, such as de-AT")
    decimal: str | None = setting(
        None, help="the decimal mark, if the column does not show it", choices=(None, ".", ",")
    )
    digits: int | None = setting(
        None,
        help="how many digits to keep behind the point; if not given, those of the currency",
        minimum=0,
        maximum=_MOST_DIGITS,
    )
    rounding: str = setting("half-up", help="what becomes of exact halves", choices=ROUNDINGS)

    def __post_init__(self) -> None:
        """Reject what is not a currency."""
        super().__post_init__()
        if self.currency:
            check_code(self.currency)


@dataclass(frozen=True, kw_only=True)
class UnitSettings(NormaliseSettings):
    """Which unit the new column has."""

    unit: str = setting("kg", help="the unit of the new column, such as kg")
    from_unit: str | None = setting(None, help="the unit of numbers that have none beside them")
    language: str | None = setting(None, help="the language of the column, such as de-AT")

    def __post_init__(self) -> None:
        """Reject what is not a unit, and two units of different dimensions."""
        super().__post_init__()
        for unit in filter(None, (self.unit, self.from_unit)):
            _check_unit(unit)
        if self.from_unit and dimension_of(self.from_unit) != dimension_of(self.unit):
            raise UsageError(
                f"{self.from_unit} is a unit of {dimension_of(self.from_unit)} and {self.unit} one of "
                f"{dimension_of(self.unit)}; name two units of one kind."
            )


@dataclass(frozen=True, kw_only=True)
class DateSettings(NormaliseSettings):
    """How dates are read and written."""

    order: str | None = setting(
        None,
        help="the order of day, month and year, if the column does not show it",
        choices=(None, "DMY", "MDY", "YMD"),
    )
    language: str | None = setting(None, help="the language of the column, such as de-AT")
    year: int | None = setting(None, help="the year of dates that are written without one", minimum=1, maximum=9999)
    form: str = setting("text", help="dates as ISO 8601 texts, or as dates of Python", choices=("text", "date"))


@dataclass(frozen=True, kw_only=True)
class CountrySettings(NormaliseSettings):
    """How names of countries are read."""

    language: str | None = setting(None, help="the language of the names, whose meaning of a name goes before others")


@dataclass(frozen=True, kw_only=True)
class TextSettings(NormaliseSettings):
    """What is cleaned in texts."""

    form: str = setting(
        "NFC",
        help="the Unicode form: NFC changes no meaning, NFKC also makes ① a 1 and ﬁ two letters",
        choices=("NFC", "NFKC", "keep"),
    )
    blanks: bool = setting(default=True, help="whether runs of blanks become one, and none is left at the ends")
    entities: bool = setting(
        default=True, help="whether HTML entities that were left over, such as &amp;, are resolved"
    )
    case: str = setting(
        "keep",
        help="upper or lower case; fold is lower case made for comparing",
        choices=("keep", "lower", "upper", "fold"),
    )


@dataclass(frozen=True, kw_only=True)
class TypingSettings(NormaliseSettings):
    """What helps to decide the type of a column."""

    language: str | None = setting(None, help="the language of the column, such as de-AT")
    year: int | None = setting(None, help="the year of dates that are written without one", minimum=1, maximum=9999)
    unit: str | None = setting(None, help="the unit or currency that the heading gives for plain numbers")


def check_code(code: str, where: str = "") -> None:
    """Reject what is not the ISO code of a currency."""
    if len(code.strip()) != 3 or currencies_of(code.strip()) != (code.strip(),):
        raise UsageError(f"{code!r:.40}{where} is not the code of a currency; give one of ISO 4217, such as EUR.")


def _check_unit(unit: str) -> None:
    if dimension_of(unit) is None:
        close = get_close_matches(unit, _USUAL_UNITS, n=1, cutoff=0.5)
        meant = f"; did you mean {close[0]}?" if close else "; give one such as kg, cm, l, h, km/h or °C."
        raise UsageError(f"{unit!r:.40} is not a unit that can be read{meant}")


_USUAL_UNITS = ("kg", "gram", "pound", "ounce", "meter", "centimeter", "inch", "foot", "liter", "gallon", "watt")
