"""Tables of rates: both forms, weekends, cross rates, and files that are damaged.

The figures of `ecb-sample.csv` are made up; only the format is that of the European Central Bank.
"""

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pytest

from sightline.errors import SightlineError, UnreadableError, UsageError
from sightline.flow.normalise import RateTable

ECB = Path(__file__).parent / "ecb-sample.csv"
LONG = "date,currency,rate\n2024-05-03,GBP,0.85718\n2024-05-03,USD,1.0744\n"


def _file(folder: Path, text: str, name: str = "rates.csv") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_ecb_file_is_read() -> None:
    """The file of the ECB needs no preparation: an empty last column and N/A are part of its format."""
    table = RateTable.read(ECB)
    assert table.base == "EUR"
    assert table.currencies == ("CHF", "CYP", "EUR", "GBP", "JPY", "SEK", "USD")
    assert table.rate("GBP", date(2024, 5, 3)) == Decimal("0.85718")
    assert table.rate("EUR", date(1900, 1, 1)) == 1


def test_daily_file_is_read(tmp_path: Path) -> None:
    """The daily file of the ECB has blanks, and the name of the month."""
    table = RateTable.read(_file(tmp_path, "Date, USD, GBP, \n03 May 2024, 1.0744, 0.85718, \n"))
    assert table.rate("USD", date(2024, 5, 3)) == Decimal("1.0744")


def test_long_form_is_read(tmp_path: Path) -> None:
    """A row for each rate says the same, also with a base of its own."""
    table = RateTable.read(_file(tmp_path, LONG))
    assert table.rate("USD", date(2024, 5, 3)) == Decimal("1.0744")
    dollars = RateTable.read([{"date": "2024-05-03", "currency": "JPY", "rate": "153.1", "base": "USD"}])
    assert dollars.base == "USD"
    assert dollars.currencies == ("JPY", "USD")


def test_data_frame_is_read() -> None:
    """A table may come from anywhere, with days as moments."""
    frame = pd.DataFrame({"date": [datetime(2024, 5, 3)], "currency": ["GBP"], "rate": ["0.85718"]})
    assert RateTable.read(frame.to_dict("records")).rate("GBP", date(2024, 5, 3)) == Decimal("0.85718")


def test_weekend_takes_the_rate_before_it() -> None:
    """Sunday has the rate of Friday, if that is allowed to be two days old."""
    table = RateTable.read(ECB)
    assert table.rate("USD", date(2024, 5, 5), max_age_days=2) == Decimal("1.0744")
    assert table.rate("USD", date(2024, 5, 5), max_age_days=1) == (
        "no rate for USD on 2024-05-05; the last one before is of 2024-05-03"
    )


@pytest.mark.parametrize(
    ("code", "day", "said"),
    [
        ("GBP", date(2024, 6, 1), "no rate for GBP on 2024-06-01; the table ends on 2024-05-06"),
        ("GBP", date(2000, 1, 3), "no rate for GBP on 2000-01-03; the table begins on 2007-12-31"),
        ("CYP", date(2024, 5, 3), "no rate for CYP on 2024-05-03; the table ends on 2007-12-31"),
        ("THB", date(2024, 5, 3), "no rates for THB in the table, which has CHF, CYP, EUR, GBP, JPY, SEK, USD"),
        ("XYZ", date(2024, 5, 3), "unknown currency 'XYZ'"),
    ],
)
def test_missing_rate_says_why(code: str, day: date, said: str) -> None:
    """The reason names the currency, the day and where the table ends."""
    assert RateTable.read(ECB).rate(code, day, max_age_days=4) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Date,USD\n2024-05-03,1.07\nyesterday,1.08\n", "line 3: 'yesterday' is not a date"),
        ("Date,USD\n03/05/2024,1.07\n", "line 2: '03/05/2024' is not a date"),
        ("Date,USD\n2024-02-30,1.07\n", "line 2: '2024-02-30' is not a date"),
        ("Date,USD\n2024-05-03,1.07\n\n2024-05-02,1;08\n", "line 4: '1;08' is not a rate"),
        ("Date,USD\n2024-05-03,0\n", "line 2: '0' is not a rate"),
        ("Date,USD\n2024-05-03,-1\n", "line 2: '-1' is not a rate"),
        ("Date,USD\n2024-05-03,NaN\n", "line 2: 'NaN' is not a rate"),
        ("Date,Dollar\n2024-05-03,1.07\n", "line 2: 'Dollar' is not the code of a currency"),
        ("Date,USD\n2024-05-03,1.07,2,3\n", "line 2: there are 4 cells under 2 names"),
        ("Date,USD,USD\n2024-05-03,1.07,2\n", "line 1: there are two columns named 'USD'"),
        ("Date,USD\n2024-05-03,1.07\n2024-05-03,1.08\n", "line 3: there is a second rate for USD on 2024-05-03"),
        ("date,currency,rate\n2024-05-03,GBX,1\n", "line 2: 'GBX' is not the code of a currency"),
        (
            LONG.replace("rate", "rate,base").replace("718", "718,EUR").replace("744", "744,USD"),
            "line 3: the base is 'USD'",
        ),
        ("a,b\n1,2\n", "line 2: the columns are a, b; a table of rates has Date"),
        ("", "is empty"),
        ("Date,USD\n", "has no rates"),
    ],
)
def test_damaged_file_names_the_line(tmp_path: Path, text: str, said: str) -> None:
    """Whoever has to mend a file is led to the line."""
    with pytest.raises(UnreadableError) as caught:
        RateTable.read(str(_file(tmp_path, text)))
    assert said in str(caught.value)


def test_file_in_another_encoding_names_the_line(tmp_path: Path) -> None:
    """What is not UTF-8 is not guessed at."""
    path = tmp_path / "rates.csv"
    path.write_bytes(b"Date,USD\n2024-05-03,1.07\n\xff,1\n")
    with pytest.raises(UnreadableError, match=r"line 3: is not UTF-8"):
        RateTable.read(path)


def test_missing_file_is_told(tmp_path: Path) -> None:
    """Nothing is fetched in its place."""
    with pytest.raises(UsageError, match="there is no such file; give the file of rates of exchange"):
        RateTable.read(tmp_path / "eurofxref-hist.csv")
    with pytest.raises(SightlineError):
        RateTable.read(str(tmp_path / "eurofxref-hist.parquet"))
