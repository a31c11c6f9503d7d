"""How long it takes to normalise and upsert a million rows, beside the bare bulk load: python -m bench.flow.normalise.

The rows are offers of shops: prices in three currencies as texts, days over a year, two countries. Money becomes euros
by the rate of its day, and tax is removed by its country. Then the same again on the full table, with 5 % changed and
5 % new. The bare loads are those of `bench.flow.deliver`, of the rows that the upsert gets, which have columns of
originals and problems; what a bare load of the rows takes as they come is shown too. All sides are measured in turn, so
that a busy machine is busy for all of them.
"""

import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bench.flow.deliver import BATCH, CHANGED, MOST, ROWS, TIMES, clear, copy_bare, load_bare, medians, timed
from bench.flow.postgres import LocalPostgres
from bench.frame import Figure, tell
from sightline.flow.deliver import deliver
from sightline.flow.normalise import (
    BatchStep,
    CountrySettings,
    CountryStep,
    DateSettings,
    DateStep,
    FromColumn,
    MoneySettings,
    MoneyStep,
    RateTable,
    TaxSettings,
    TaxStep,
    TaxTable,
    TextSettings,
    TextStep,
    TypingSettings,
    TypingStep,
    UnitSettings,
    UnitStep,
    normalise_batches,
)

MOST_DUCKDB = 1.5
FIRST = date(2024, 1, 1)
DAYS = 366
FORMS = ("£{:,}.{:02}", "CHF {:,}.{:02}", "{:,}.{:02} €")
BARE = "id bigint, name text, price text, day text, country text, weight text, shop text, rank bigint"
OWN = (
    "id bigint, name text, price numeric(38, 2), price_original text, price_problem text, day text, country text, "
    "weight text, shop text, rank bigint"
)

Batches = list[Any]


def normalise_figures(rows: int = ROWS, times: int = TIMES) -> list[Figure]:
    """Normalising and upserting into an empty table and a full one, for both databases; and the pace of each step."""
    loads = offers(rows), offers(rows, load=1)
    with tempfile.TemporaryDirectory() as folder:
        figures = _figures("DuckDB", MOST_DUCKDB, lambda: _on_duckdb(Path(folder), *loads), times)
    with closing(LocalPostgres()) as server:
        figures += _figures("PostgreSQL", MOST, lambda: _on_postgres(server, *loads), times)
    return figures + step_figures(loads[0], times)


def _figures(name: str, most: float, work: Callable[[], tuple[float, ...]], times: int) -> list[Figure]:
    raw, bare, empty, full = medians(work, times)
    return [
        Figure.ratio(f"{name}: normalise and upsert 1 million rows", empty, bare, most, "lower", "x bare"),
        Figure.ratio("… the same again, 5 % changed and 5 % new", full, bare, most, "lower", "x bare"),
        Figure.ratio("… the first, beside a bare load of the rows as they come", empty, raw, None, "lower", "x bare"),
    ]


def offers(rows: int, load: int = 0) -> Batches:
    """Offers of shops in three currencies; some of the next load have other prices, and some are new."""
    chance = np.random.default_rng(22)
    prices = chance.integers(100, 1_000_000, rows)
    prices[1::CHANGED] += 100 * load  # so that each is another amount of cents, whatever the rate
    cents = prices.tolist()
    forms = chance.integers(0, len(FORMS), rows).tolist()
    days = [str(FIRST + timedelta(day)) for day in range(DAYS)]
    ids = chance.permutation(rows)
    ids[::CHANGED] += rows * load
    columns = {
        "id": pa.array(ids),
        "name": pa.array([f"Camera model {number}" for number in range(rows)]),
        "price": pa.array([FORMS[form].format(*divmod(cent, 100)) for form, cent in zip(forms, cents, strict=True)]),
        "day": pa.array([days[day] for day in chance.integers(0, DAYS, rows).tolist()]),
        "country": pa.array([("Germany", "AT")[number] for number in chance.integers(0, 2, rows).tolist()]),
        "weight": pa.array([f"{grams} g" for grams in chance.integers(50, 5_000, rows).tolist()]),
        "shop": pa.array([f"shop {number % 10}" for number in range(rows)]),
        "rank": pa.array(chance.integers(0, 1_000, rows)),
    }
    return pa.table(columns).to_batches(max_chunksize=BATCH)


def _rates() -> RateTable:
    quotes = (("GBP", 85_718), ("CHF", 97_610))
    return RateTable.read(
        [
            {"date": str(FIRST + timedelta(day)), "currency": code, "rate": f"{(rate + 7 * day) / 100_000:.5f}"}
            for day in range(DAYS)
            for code, rate in quotes
        ]
    )


def _tax() -> TaxTable:
    rates = {"DE": "19", "AT": "20"}
    return TaxTable.read([{"country": land, "from": "2007-01-01", "rate": rate} for land, rate in rates.items()])


def _money_and_tax() -> list[BatchStep]:
    return [
        MoneyStep(rates=_rates(), dates=FromColumn("day"), settings=MoneySettings(column="price")),
        TaxStep(
            table=_tax(),
            tax="remove",
            countries=FromColumn("country"),
            dates=FromColumn("day"),
            settings=TaxSettings(column="price", currency="EUR"),
        ),
    ]


def _upserts(target: str, first: Batches, second: Batches) -> tuple[float, float]:
    return timed(lambda: _upsert(first, target, "1")), timed(lambda: _upsert(second, target, "2"))


def _upsert(batches: Batches, target: str, load: str) -> None:
    """Both passes, and the rows to the target; nothing may be lost on the way."""
    found = normalise_batches(lambda: batches, _money_and_tax())
    deliver(found, target, load=load, mode="upsert", key=["id"])
    rows = sum(batch.num_rows for batch in batches)
    if any(report.read != rows for report in found.reports):
        raise RuntimeError(f"not all rows were read: {[report.summary for report in found.reports]}")


def _on_duckdb(folder: Path, first: Batches, second: Batches) -> tuple[float, ...]:
    paths = [folder / f"{name}.duckdb" for name in ("raw", "bare", "own")]
    for path in paths:
        path.unlink(missing_ok=True)
    normalised = list(normalise_batches(lambda: first, _money_and_tax()))
    return (
        timed(lambda: load_bare(paths[0], first)),
        timed(lambda: load_bare(paths[1], normalised)),
        *_upserts(f"{paths[2]}#offers", first, second),
    )


def _on_postgres(server: LocalPostgres, first: Batches, second: Batches) -> tuple[float, ...]:
    normalised = list(normalise_batches(lambda: first, _money_and_tax()))
    clear(server, BARE)
    raw = timed(lambda: copy_bare(server.url(), first))
    clear(server, OWN)
    bare = timed(lambda: copy_bare(server.url(), normalised))
    clear(server, BARE)
    return raw, bare, *_upserts(f"{server.url()}#offers", first, second)


def step_figures(batches: Batches, times: int = TIMES) -> list[Figure]:
    """Rows a second of each step alone, both passes together."""
    money, tax = _money_and_tax()
    numbers = list(normalise_batches(lambda: batches, [money]))
    several: list[tuple[str, BatchStep, Batches]] = [
        ("money", money, batches),
        ("tax, on numbers", tax, [batch.drop_columns(["price_original", "price_problem"]) for batch in numbers]),
        ("tax, on texts", tax, batches),
        ("units", UnitStep(settings=UnitSettings(column="weight")), batches),
        ("dates", DateStep(settings=DateSettings(column="day")), batches),
        ("countries", CountryStep(settings=CountrySettings(column="country")), batches),
        ("texts", TextStep(settings=TextSettings(column="name")), batches),
        ("types, of texts", TypingStep(settings=TypingSettings(column="name")), batches),
        ("types, of numbers", TypingStep(), _plain_numbers(batches)),
    ]
    rows = sum(batch.num_rows for batch in batches)
    figures = []
    for name, step, given in several:
        seconds = median(timed(lambda step=step, given=given: _run(step, given)) for _ in range(times))
        figures.append(Figure.of(f"normalise: {name}", rows / seconds, None, "higher", "rows/s"))
    return figures


def _plain_numbers(batches: Batches) -> Batches:
    """The prices without their currencies."""
    return [pa.record_batch({"value": pc.replace_substring_regex(batch["price"], "[^0-9.,]", "")}) for batch in batches]


def _run(step: BatchStep, batches: Batches) -> None:
    for _ in normalise_batches(lambda: batches, [step]):
        pass


if __name__ == "__main__":
    tell(normalise_figures())
