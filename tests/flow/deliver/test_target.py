"""Texts that name targets."""

import pytest

from sightline.errors import UsageError
from sightline.flow.deliver import DeliveryTarget


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("prices.duckdb#positions", DeliveryTarget("duckdb", "prices.duckdb", "positions")),
        ("prices.db#sales.positions", DeliveryTarget("duckdb", "prices.db", "positions", "sales")),
        ("duckdb:a#b.db#t", DeliveryTarget("duckdb", "a#b.db", "t")),
        ("sqlite:prices.db#positions", DeliveryTarget("sqlite", "prices.db", "positions")),
        ("prices.SQLITE3#positions", DeliveryTarget("sqlite", "prices.SQLITE3", "positions")),
        (
            "postgresql://anna@host/db#sales.positions",
            DeliveryTarget("postgresql", "postgresql://anna@host/db", "positions", "sales"),
        ),
        ("prices.csv", DeliveryTarget("csv", "prices.csv")),
        ("out/prices.XLSX", DeliveryTarget("excel", "out/prices.XLSX")),
        ("parquet:out/prices/", DeliveryTarget("parquet-folder", "out/prices/")),
        ("delta:prices", DeliveryTarget("delta", "prices")),
        ("soap:bw.wsdl#Shop.Port.push", DeliveryTarget("soap", "bw.wsdl", "Shop.Port.push")),
        ("sqlalchemy:mysql://anna@h/db#s.t", DeliveryTarget("sqlalchemy", "mysql://anna@h/db", "t", "s")),
    ],
)
def test_target_is_read_and_shown(text: str, expected: DeliveryTarget) -> None:
    """A text gives its target, and the target gives a text that gives it again."""
    read = DeliveryTarget.read(text)
    assert read == expected
    assert DeliveryTarget.read(str(read)) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "prices.duckdb", "prices.duckdb#", "#t", "mysql://h/db#t", "sqlite:a.db#s.t", "a\0#t", ".csv"),
        *("prices.txt", "parquet:", "delta:s3://bucket/a", "https://", "http://h:x/", "https://a b/", "soap:a.wsdl"),
        *("sqlalchemy:a.db#t", "file:a.txt"),
    ],
)
def test_what_names_no_table_is_refused(text: str) -> None:
    """The error shows how to write a target, or what to leave out."""
    with pytest.raises(UsageError, match=r"write|leave out"):
        DeliveryTarget.read(text)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://anna:secret@h/db?sslpassword=secret#t",
        "sqlalchemy:mysql+pymysql://anna:secret@h/db?ssl_key_password=secret&a=b#t",
        "https://anna:secret@hooks.example/services/secret?token=secret",
        "soap:https://anna:secret@h/bw?wsdl&token=secret#A.b.c",
        "https://anna:secret@h:x/secret",
        "mysql://anna:secret@h/db#t",
        "sqlalchemy:mysql://anna:secret@h/db",
    ],
)
def test_secrets_are_not_shown(text: str) -> None:
    """Neither in texts nor in the representation nor in an error."""
    try:
        target = DeliveryTarget.read(text)
        shown = f"{target} {target!r}"
    except UsageError as problem:
        shown = str(problem)
    assert "secret" not in shown


def test_odd_file_name_is_said_with_a_scheme() -> None:
    """A name with `#` would be a table; `file:` says that it is not."""
    target = DeliveryTarget.read("file:a#b.csv")
    assert target == DeliveryTarget("csv", "a#b.csv")
    assert DeliveryTarget.read(str(target)) == target


@pytest.mark.parametrize("text", ["sqlite:///x.sqlite#t", "sqlite:////tmp/x.sqlite#t", "duckdb://x.duckdb#t"])
def test_a_file_written_as_an_address_is_refused(text: str) -> None:
    """It would be written to the root of the disk, where nobody looks for it."""
    with pytest.raises(UsageError, match=r"write `(sqlite|duckdb):[a-z].*#t` for a file in the folder of the flow"):
        DeliveryTarget.read(text)
