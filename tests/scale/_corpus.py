"""Pages with a table of known numbers, and an extractor that some of them crash, hang, or make eat all memory."""

import os
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

ROWS = 3
PLUGIN = """
import ctypes
import os
import time
from pathlib import Path

from sightline.jobs import Extractor, extractor


def extract(page, **options):
    text = page.text_of(0)
    if "Poison: crash" in text:
        ctypes.string_at(0)
    if "Poison: hang" in text:
        while True:
            pass
    if "Poison: memory" in text:
        kept = []
        while True:
            kept.append(bytearray(20_000_000))
    if "Poison: mistake" in text:
        raise KeyError("no such thing")
    if "Poison: half a character" in text:
        raise ValueError("no \\ud800 such thing")
    if "Poison: wait" in text:
        gate = Path(os.environ["GATE"])
        gate.with_suffix(".reached").write_text(str(os.getpid()))
        while gate.exists():
            time.sleep(0.01)
    return extractor("tables")(page, **options)


POISONED = Extractor("poisoned", "tables", "tables, of pages that may be poisoned", extract)
"""


def page(number: int, poison: str = "") -> str:
    """A page with a table; its numbers tell which page it is."""
    marked = f"<p>Poison: {poison}</p>" if poison else ""
    rows = "".join(f"<tr><td>Camera {number}-{row}<td>{number * 10 + row}<td>19{row + 50}</tr>" for row in range(ROWS))
    return (
        f"<!DOCTYPE html><title>Cameras {number}</title>{marked}<table><tr><th>Name<th>Price<th>Year</tr>{rows}</table>"
    )


def write_pages(folder: Path, count: int, poison: dict[int, str] | None = None) -> Path:
    """A folder of pages, some of them poisoned."""
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:04d}.html").write_text(page(number, (poison or {}).get(number, "")))
    return folder


def write_plugin(folder: Path) -> dict[str, str]:
    """The poisoned extractor, as a package that others could have installed; the environment that finds it."""
    facts = folder / "poisoned-1.dist-info"
    facts.mkdir(parents=True)
    (folder / "poisoned.py").write_text(PLUGIN)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: poisoned\nVersion: 1\n")
    (facts / "entry_points.txt").write_text("[sightline.extractors]\npoisoned = poisoned:POISONED\n")
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))}


class Gate:
    """A file at which the extractor waits on a page that says so, and tells which process waits."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "gate"
        self.close()

    def close(self) -> None:
        """Whoever comes now waits."""
        self.path.touch()
        self._reached.unlink(missing_ok=True)

    def open(self) -> None:
        """Let everybody pass."""
        self.path.unlink()

    def process(self) -> int:
        """The process that waits; 0 if none does."""
        return int(self._reached.read_text() or 0) if self._reached.exists() else 0

    @property
    def _reached(self) -> Path:
        return self.path.with_suffix(".reached")


@dataclass(frozen=True)
class Output:
    """What a batch has written, as somebody else reads it."""

    folder: Path

    def documents(self) -> list[dict[str, object]]:
        """The rows of all documents."""
        return pq.read_table(self.folder / "documents").to_pylist()

    def statuses(self) -> dict[str, str]:
        """The status of each document by the name of its file; a document that is there twice is an error."""
        rows = self.documents()
        found = {Path(str(row["id"])).name: str(row["status"]) for row in rows}
        assert len(found) == len(rows), "a document is there twice"
        return found

    def prices(self) -> dict[str, list[str]]:
        """The prices that were read, by the name of the file."""
        found: dict[str, list[str]] = {}
        for row in pq.read_table(self.folder / "records").to_pylist():
            found.setdefault(Path(row["_document"]).name, []).append(row["cells"][1])
        return found


def true_prices(numbers: range | list[int]) -> dict[str, list[str]]:
    """What the prices are."""
    return {f"{number:04d}.html": [str(number * 10 + row) for row in range(ROWS)] for number in numbers}
