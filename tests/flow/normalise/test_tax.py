"""Tax in and out: by country, date and category; a table that may be misread is refused."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.errors import UnreadableError, UsageError
from sightline.flow.normalise import TaxBasis, TaxSettings, TaxTable, add_tax, remove_tax

RULES = """country,from,rate,category
DE,2007-01-01,19,
DE,2020-07-01,16,standard
DE,2021-01-01,19 %,
DE,2007-01-01,7,reduced
Austria,1984-01-01,20,
EL,2016-06-01,24,
JP,2019-10-01,10,
"""
DAY = date(2024, 5, 3)


@pytest.fixture
def table(tmp_path: Path) -> TaxTable:
    """Rates as in a file; the figures are examples, not advice."""
    path = tmp_path / "tax.csv"
    path.write_text(RULES, "utf-8")
    return TaxTable.read(path)


def test_rate_is_that_of_the_date(table: TaxTable) -> None:
    """A rate holds from its day on until the next one."""
    days = ["2020-06-30", "2020-07-01", "2020-12-31", "2021-01-01"]
    found = add_tax(["100 €"] * 4, table, TaxBasis("DE", days))
    assert found.values == [Decimal("119.00"), Decimal("116.00"), Decimal("116.00"), Decimal("119.00")]


def test_country_and_category_may_be_columns(table: TaxTable) -> None:
    """Countries are understood as everywhere else: names and codes."""
    basis = TaxBasis(["Deutschland", "DEU", "AT", "Greece"], DAY, ["reduced", "", None, "standard"])
    assert add_tax([100, 100, 100, 100], table, basis).values == [107, 119, 120, 124]


def test_result_has_the_minor_units_of_its_currency(table: TaxTable) -> None:
    """Yen have none; the sign beside the number, or the settings, say which currency it is."""
    assert str(add_tax(["¥ 995"], table, TaxBasis("JP", DAY), TaxSettings(currency="JPY")).values[0]) == "1095"
    assert str(add_tax(["JPY 995"], table, TaxBasis("JP", DAY)).values[0]) == "1095"
    assert str(add_tax([995], table, TaxBasis("JP", DAY)).values[0]) == "1094.50"


@pytest.mark.slow
def test_what_cannot_be_taxed_is_told(table: TaxTable) -> None:
    """Unknown country, country without a rule, no date, too early, unknown category, no amount."""
    basis = TaxBasis(
        ["Atlantis", "FR", "DE", "DE", "DE", "DE", None],
        [DAY, DAY, None, date(1990, 1, 1), DAY, DAY, DAY],
        ["", "", "", "", "books", "", ""],
    )
    found = remove_tax(["5 €", "5 €", "5 €", "5 €", "5 €", "ask", "5 €"], table, basis)
    assert found.values == [None] * 7
    assert list(found.problems.values()) == [
        "'Atlantis' is not a country that is known.",
        "no tax rates for FR in the table.",
        "there is no date, and so no tax rate.",
        "no tax rate for DE on 1990-01-01; the first is from 2007-01-01 on.",
        "no tax rates for the category 'books' of DE; it has reduced, standard.",
        "'ask' is not an amount of money.",
        "there is no country, and so no tax rate.",
    ]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("DE,2007-01-01,0.19,", "line 2: '0.19' may be a fraction or a percentage; write 19 or 0.19 %."),
        ("DE,2007-01-01,190,", "line 2: '190' is not a rate in percent"),
        ("DE,2007-01-01,much,", "line 2: 'much' is not a rate in percent"),
        ("DE,1.1.2007,19,", "line 2: '1.1.2007' is not a date"),
        ("Atlantis,2007-01-01,19,", "line 2: 'Atlantis' is not a country that is known"),
        (",2007-01-01,19,", "line 2: there is no country"),
        ("DE,2007-01-01,19,\nDE,2007-01-01,7,", "line 3: there is a second rate for DE (standard) from 2007-01-01 on"),
    ],
)
def test_damaged_table_names_the_line(tmp_path: Path, row: str, said: str) -> None:
    """A rule that may be misread is refused, with its line."""
    path = tmp_path / "tax.csv"
    path.write_text(f"country,from,rate,category\n{row}\n", "utf-8")
    with pytest.raises(UnreadableError) as caught:
        TaxTable.read(path)
    assert said in str(caught.value)


def test_table_without_a_column_is_refused() -> None:
    """The names that a tax table has are listed."""
    with pytest.raises(UnreadableError, match="there is no column 'from'"):
        TaxTable.read([{"country": "DE", "rate": "19"}])
    with pytest.raises(UsageError, match="2 values, but 1 countries"):
        add_tax([1, 2], TaxTable.read([{"country": "DE", "from": "2007-01-01", "rate": "19"}]), TaxBasis(["DE"], DAY))


@settings(max_examples=200, deadline=None)
@given(
    st.decimals(min_value=-(10**9), max_value=10**9, places=2),
    st.decimals(min_value=1, max_value=100, places=1),
)
def test_net_to_gross_and_back(net: Decimal, rate: Decimal) -> None:
    """A net amount comes back to the cent, because one cent net is at least one cent gross."""
    table = TaxTable.read([{"country": "DE", "from": "2007-01-01", "rate": str(rate)}])
    basis = TaxBasis("DE", DAY)
    gross = add_tax([net], table, basis)
    assert remove_tax(gross.values, table, basis).values == [net]
    assert gross.originals == [net]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(st.none(), st.text(max_size=20)), max_size=20), st.text(max_size=10))
def test_no_text_raises(texts: list[str | None], country: str) -> None:
    """Whatever stands in the columns, order and length are kept."""
    table = TaxTable.read([{"country": "DE", "from": "2007-01-01", "rate": "19"}])
    found = add_tax(texts, table, TaxBasis(country, DAY))
    assert found.originals == texts
    assert found.read + found.missing + len(found.problems) == len(texts)
