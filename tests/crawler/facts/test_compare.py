"""Values are compared by what they mean in their column."""

import pytest

from sightline.crawler.facts import Comparable, agree, comparables
from sightline.crawler.facts._compare import decimal_marks, with_unit


def _read(text: str, heading: str = "X", language: str = "en", decimal: str | None = None) -> Comparable:
    return comparables(heading, [text], language, decimal)[text]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("675 g", "0.675 kg"),
        ("675 g", "0,675 kg"),
        ("675 g", "1.49 lb"),
        ("675 g", "675g (body only)"),
        ("0.675 kg (1.49 lb)", "675 g"),
        ("approx. 675 g", "675 g"),
        ("24.2 MP", "24 megapixels"),
        ("8 fps", "8.0fps"),
        ("$1,200.00", "1200 USD"),
        ("EUR 5", "5 €"),
        ("138 x 98 x 88 mm", "13.8 × 9.8 × 8.8 cm"),
        ("22 Aug 2005", "2005-08-22"),
        ("August 2005", "22 Aug 2005"),
        ("2005", "22 Aug 2005"),
        ("Yes", "✓"),
        ("Full-frame", "full frame"),
        ("1/8000 s", "1/8000s"),
    ],
)
def test_agree_whatever_the_spelling(first: str, second: str) -> None:
    """Units, number formats, dates, marks, case and punctuation do not matter."""
    assert agree(_read(first), _read(second))
    assert agree(_read(second), _read(first))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("675 g", "657 g"),
        ("675 g", "675 mg"),
        ("675 g", "0.66 kg"),
        ("675 g", "675"),
        ("$1,200", "1,200 €"),
        ("$1,200.00", "$1,199.99"),
        ("138 x 98 x 88 mm", "138 x 98 mm"),
        ("138 x 98 x 88 mm", "98 x 138 x 88 mm"),
        ("2005-08-22", "2005-08-23"),
        ("August 2005", "September 2005"),
        ("2005", "2006"),
        ("yes", "no"),
        ("8 fps", "8 shots"),
        ("24 70 mm", "2470 mm"),
    ],
)
def test_agree_never_beyond_rounding(first: str, second: str) -> None:
    """Digits that are swapped, other units, currencies, days and words are other values."""
    assert not agree(_read(first), _read(second))


def test_comparables_read_the_unit_of_the_heading() -> None:
    """A plain number below `Weight (kg)` is in kilograms, and below `US$ million` in millions."""
    assert agree(_read("0.675", "Weight (kg)"), _read("675 g"))
    assert agree(_read("1.2", "Revenue (US$ million)"), _read("US$ 1,200,000"))
    assert _read("0.675", "Weight (kg)").shown == "0.675 kg"
    assert _read("675 g").shown == "675 g"
    assert _read("4 x", "Optical zoom").shown == "4 x"


def test_comparables_decide_by_column_and_site() -> None:
    """`1,234` is what the other values of the column, else of the site, else the language make of it."""
    column = comparables("Weight (kg)", ["1,234", "0,5"], "en")
    assert str(column["1,234"].amounts[0].written) == "1.234"
    assert str(_read("1,234 kg", decimal=",").amounts[0].written) == "1.234"
    english = _read("1,234 kg")
    assert str(english.amounts[0].written) == "1234"
    assert english.doubt.startswith("decimal separator: 1,234")
    assert _read("1,234 kg", decimal=",").doubt == ""


def test_decimal_marks_are_those_of_clear_columns() -> None:
    """A column that can be read in two ways says nothing, and neither do two that contradict each other."""
    clear, unclear = ("Price", ["1.200,00 €"], None), ("Weight", ["1,234 kg"], "en")
    assert decimal_marks([unclear, clear]) == ","
    assert decimal_marks([unclear]) is None
    assert decimal_marks([clear, ("Width", ["1.5 cm"], None)]) is None


def test_with_unit_reads_a_plain_number_as_others_write_it() -> None:
    """The number stays as written; only what it counts is added."""
    assert agree(with_unit(_read("24.2"), "MP"), _read("24.2 megapixels"))
    assert with_unit(_read("full frame"), "MP") == _read("full frame")
