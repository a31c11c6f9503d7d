"""What a batch has delivered, compared with the truth by id: lost, doubled, wrong, unexplained."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyarrow import dataset

from bench.frame import Counts

Rows = list[dict[str, Any]]


@dataclass
class Compared(Counts):
    """How many documents are not as they should be."""

    documents: int = 0
    lost: int = 0
    doubled: int = 0
    wrong: int = 0
    unexplained: int = 0
    set_aside: int = 0  # although nothing is wrong with them


def compare(
    folder: Path, truth: Mapping[str, Any], poisoned: Mapping[str, str], is_right: Callable[[Rows, Any], bool]
) -> Compared:
    """Compare documents and rows with the truth of every healthy document, and the causes of the poisoned ones."""
    documents = delivered_documents(folder)
    found = {str(row["id"]): row for row in documents}
    rows = delivered_rows(folder)
    healthy = [name for name in truth if name in found and found[name]["status"] in ("ok", "suspicious")]
    aside = [name for name in truth if name in found and name not in healthy]
    strange = [name for name in (*found, *rows) if name not in truth and name not in poisoned]
    spared = [name for name in poisoned if name in found and found[name]["status"] != "quarantined"]
    doubled_rows = sum(len(several) - len({row["_row"] for row in several}) for several in rows.values())
    return Compared(
        documents=len(found),
        lost=len({*truth, *poisoned} - set(found)),
        doubled=len(documents) - len(found) + doubled_rows,
        wrong=sum(not is_right(rows.get(name, []), truth[name]) for name in healthy) + len(strange) + len(spared),
        unexplained=sum(not (row["cause"] and row["reasons"]) for row in documents if row["status"] != "ok"),
        set_aside=len(aside),
    )


def delivered_documents(folder: Path) -> Rows:
    """The rows of documents, as somebody else reads them."""
    columns = ["id", "status", "cause", "reasons"]
    return dataset.dataset(folder / "documents", format="parquet").to_table(columns).to_pylist()


def delivered_rows(folder: Path) -> dict[str, Rows]:
    """The rows that were extracted, by the id of their document, in their order."""
    found: dict[str, Rows] = {}
    for batch in dataset.dataset(folder / "records", format="parquet").to_batches():
        for row in batch.to_pylist():
            found.setdefault(row["_document"], []).append(row)
    return found
