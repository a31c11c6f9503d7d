"""Tests of the comparison by id, which says whether a batch has lost, doubled or spoiled anything: it must see that."""

from pathlib import Path

import pyarrow as pa
import pytest
from bench.scale.speed import is_the_row
from bench.scale.truth import Compared, Rows, compare
from pyarrow import parquet

TRUTH = {"a": "1", "b": "2", "c": "3"}
POISONED = {"p": "crash"}
DOCUMENTS: Rows = [
    {"id": "a", "status": "ok", "cause": "", "reasons": []},
    {"id": "b", "status": "ok", "cause": "", "reasons": []},
    {"id": "c", "status": "ok", "cause": "", "reasons": []},
    {"id": "p", "status": "quarantined", "cause": "crash:SIGSEGV", "reasons": ["it ended its process"]},
]
RECORDS: Rows = [{"_document": name, "_row": 1, "price": price} for name, price in TRUTH.items()]


def compared(folder: Path, documents: Rows = DOCUMENTS, records: Rows = RECORDS) -> Compared:
    """How a batch that delivered these compares with the truth."""
    for name, rows in (("documents", documents), ("records", records)):
        (folder / name).mkdir()
        parquet.write_table(pa.Table.from_pylist(rows), folder / name / "part-1.parquet")
    return compare(folder, TRUTH, POISONED, lambda rows, price: [row["price"] for row in rows] == [price])


def test_what_is_right_is_right(tmp_path: Path) -> None:
    """All healthy documents with their rows, and the poisoned one set aside with its cause."""
    assert compared(tmp_path) == Compared(documents=4)


@pytest.mark.parametrize(
    ("documents", "records", "found"),
    [
        (DOCUMENTS[1:], RECORDS[1:], Compared(documents=3, lost=1)),
        ([*DOCUMENTS, DOCUMENTS[0]], RECORDS, Compared(documents=4, doubled=1)),
        (DOCUMENTS, [*RECORDS, RECORDS[0]], Compared(documents=4, doubled=1, wrong=1)),
        (DOCUMENTS, RECORDS[1:], Compared(documents=4, wrong=1)),
        (DOCUMENTS, [{**RECORDS[0], "price": "9"}, *RECORDS[1:]], Compared(documents=4, wrong=1)),
        (DOCUMENTS, [*RECORDS, {**RECORDS[0], "_document": "x"}], Compared(documents=4, wrong=1)),
        ([*DOCUMENTS[:3], {**DOCUMENTS[3], "cause": ""}], RECORDS, Compared(documents=4, unexplained=1)),
        ([{**DOCUMENTS[3], "id": "a"}, *DOCUMENTS[1:]], RECORDS[1:], Compared(documents=4, set_aside=1)),
        ([*DOCUMENTS[:3], {**DOCUMENTS[3], "status": "ok"}], RECORDS, Compared(documents=4, wrong=1)),
    ],
    ids=["lost", "document twice", "row twice", "row lost", "value", "stranger", "no cause", "blamed", "spared"],
)
def test_each_fault_is_seen(tmp_path: Path, documents: Rows, records: Rows, found: Compared) -> None:
    """Every planted fault is counted, once, under its name."""
    assert compared(tmp_path, documents, records) == found


def test_a_row_is_compared_field_by_field() -> None:
    """A value that differs, or is missing, is not the row; a column for one value has the first of several."""
    true = {"title": "x", "cast": ["a", "b"], "more": ["first", "second"], "none": None}
    row = {"title": "x", "cast": ["a", "b"], "more": "first", "none": None}
    assert is_the_row([row], true)
    assert not is_the_row([row, row], true)
    assert not is_the_row([], true)
    assert not is_the_row([{**row, "title": "y"}], true)
    assert not is_the_row([{**row, "cast": ["b"]}], true)
    assert not is_the_row([{**row, "more": None}], true)
