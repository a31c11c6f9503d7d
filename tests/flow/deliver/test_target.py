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
    ],
)
def test_target_is_read_and_shown(text: str, expected: DeliveryTarget) -> None:
    """A text gives its target, and the target gives a text that gives it again."""
    read = DeliveryTarget.read(text)
    assert read == expected
    assert DeliveryTarget.read(str(read)) == expected


@pytest.mark.parametrize(
    "text", ["", "prices.duckdb", "prices.duckdb#", "#t", "mysql://h/db#t", "sqlite:a.db#s.t", "a\0#t"]
)
def test_what_names_no_table_is_refused(text: str) -> None:
    """The error shows how to write a target, or what to leave out."""
    with pytest.raises(UsageError, match=r"write|leave out"):
        DeliveryTarget.read(text)


def test_password_is_not_shown() -> None:
    """Neither in texts nor in the representation."""
    target = DeliveryTarget.read("postgresql://anna:secret@h/db?sslpassword=secret#t")
    assert "secret" not in f"{target} {target!r}"
