"""How much memory ten million rows take through normalise, match and upsert: python -m bench.flow.memory.

The rows are the offers of many days: twenty thousand different names, a price, a currency and a day in each row. They
are matched by their names to a catalogue of a thousand products. The flow runs in a process of its own, whose peak is
what is measured.
"""

import argparse
import json
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from bench.frame import Figure, tell
from bench.processes import told_by

ROWS, BATCH = 10_000_000, 100_000
NAMES, PRODUCTS = 20_000, 1_000
MOST_MB = 1536
BRANDS = ("Lumora", "Arden", "Corvus", "Heliox", "Vireo", "Astra", "Norvik", "Tallis", "Brixen", "Oreval")
THINGS = ("camera", "lens", "tripod", "binoculars", "telescope", "microscope", "projector", "flash", "monitor", "drone")
FLOW = """\
flow: 1
steps:
  offers:
    read: offers.parquet
  catalogue:
    read: catalogue.csv
  euro:
    normalise: offers
    columns:
      - money: price
        to: EUR
        rates: rates.csv
        date: seen
  known:
    match: euro
    to: catalogue
    columns: [name]
    catalogue columns: [name]
  kept:
    deliver: known
    to: prices.duckdb#offers
    mode: upsert
    key: id
    columns: [id, name, price, seen, match]
"""


def memory_figures(rows: int = ROWS) -> list[Figure]:
    """The peak of the memory, and the seconds, of a whole run."""
    with tempfile.TemporaryDirectory() as folder:
        write_case(Path(folder), rows)
        found = told_by("bench.flow.memory", "--run", folder)
    assert found["rows"] == rows, found
    name = f"{rows:,} rows through normalise, match and upsert"
    return [
        Figure.of(f"{name}: peak", found["mb"], MOST_MB, "lower", "MB at the peak"),
        Figure.of(f"{name}: time", found["seconds"], None, "lower", "s"),
    ]


def write_case(folder: Path, rows: int) -> None:
    """The flow, the offers, the catalogue and the rates."""
    chance = np.random.default_rng(22)
    products = [
        f"{BRANDS[n % 10]} {THINGS[n // 10 % 10]} {chr(65 + n % 26)}{chr(65 + n // 26 % 26)}-{1000 + n * 7}"
        for n in range(PRODUCTS)
    ]
    names = np.array([_written(products[n % PRODUCTS], n) for n in range(NAMES)])
    lines = "".join(f"P-{n:04},{name}\n" for n, name in enumerate(products))
    (folder / "catalogue.csv").write_text("id,name\n" + lines)
    days = np.datetime64("2026-01-01") + np.arange(300)
    rates = "".join(
        f"{day},GBP,{0.83 + n % 40 / 1000:.5f}\n{day},CHF,{0.93 + n % 30 / 1000:.5f}\n" for n, day in enumerate(days)
    )
    (folder / "rates.csv").write_text("date,currency,rate\n" + rates)
    (folder / "memory.flow.yaml").write_text(FLOW)

    def batches() -> Iterator[pa.RecordBatch]:
        for first in range(0, rows, BATCH):
            count = min(BATCH, rows - first)
            cents = chance.integers(500, 500_000, count)
            signs = np.array(["£", "CHF ", "€"])[chance.integers(0, 3, count)]
            prices = [f"{sign}{cent // 100:,}.{cent % 100:02}" for sign, cent in zip(signs, cents, strict=True)]
            yield pa.record_batch(
                {
                    "id": pa.array(np.arange(first, first + count)),
                    "name": pa.array(names[chance.integers(0, NAMES, count)]),
                    "price": pa.array(prices),
                    "seen": pa.array(days[chance.integers(0, len(days), count)].astype(str)),
                }
            )

    made = batches()
    head = next(made)
    with parquet.ParquetWriter(folder / "offers.parquet", head.schema) as writer:
        writer.write_batch(head)
        for batch in made:
            writer.write_batch(batch)


def _written(product: str, number: int) -> str:
    """A name as some shop writes it; a part of them are no product of ours."""
    brand, thing, model = product.split()
    variant = number // PRODUCTS
    if variant % 5 == 4:
        return f"{brand} {thing} {model[:2]}{number * 13 % 9973}"
    return (
        f"{brand} {model} {thing}",
        f"{thing.title()} {brand.upper()} {model.replace('-', '')}",
        f"{brand} {model} {thing}, {variant} in 1",
        f"{model} {brand} {thing} new",
    )[variant % 5]


def _run(folder: Path) -> None:
    from sightline.flow.run import run_flow
    from sightline.flow.spec import Flow

    began = perf_counter()
    found = run_flow(Flow.load(folder / "memory.flow.yaml"), store=folder / "store")
    seconds = perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    steps = {name: [state.rows, state.seconds] for name, state in found.state.steps.items()}
    rows = found.state.steps["kept"].rows if "kept" in found.state.steps else found.state.reasons
    sys.stdout.write(
        json.dumps({"rows": rows, "mb": peak, "seconds": seconds, "steps": steps, "verdict": found.verdict}) + "\n"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", type=Path, help="a folder with a case; used inside")
    parser.add_argument("--rows", type=int, default=ROWS)
    given = parser.parse_args()
    if given.run:
        _run(given.run)
    else:
        tell(memory_figures(given.rows))
