"""Rows with a column of every kind."""

from datetime import UTC, date, datetime, time
from decimal import Decimal

import pyarrow as pa

OFFERS = pa.list_(pa.struct([("shop", pa.string()), ("price", pa.decimal128(12, 2))]))

EVERYTHING = pa.record_batch(
    {
        "id": pa.array([1, 2, 3], pa.int64()),
        "name": pa.array(['EOS "5D", black\nbody', "", None], pa.string()),
        "price": pa.array([Decimal("12345678901234567890.12"), Decimal("0.10"), None], pa.decimal128(38, 2)),
        "weight": pa.array([0.1, -1e300, None], pa.float64()),
        "sold": pa.array([True, False, None], pa.bool_()),
        "day": pa.array([date(2026, 5, 3), date(1850, 1, 1), None], pa.date32()),
        "hour": pa.array([time(6, 30), time(23, 59, 59, 999999), None], pa.time64("us")),
        "seen": pa.array([datetime(2026, 5, 3, 6, 30, 0, 1), datetime(1999, 12, 31), None], pa.timestamp("us")),
        "instant": pa.array([datetime(2026, 5, 3, tzinfo=UTC)] * 2 + [None], pa.timestamp("us", "UTC")),
        "picture": pa.array([b"\x00\xff", b"", None], pa.binary()),
        "offers": pa.array([[{"shop": "Foto Huber", "price": Decimal("9.90")}], [], None], OFFERS),
    }
)
