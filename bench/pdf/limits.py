"""What must not happen: memory that grows with the sheets, and hostile files that take the caller down or hang it."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import pypdfium2

from bench.processes import Watched, family_memory

ROOT = Path(__file__).parent.parent.parent
SHEETS = 1000
DEADLINE = 90.0  # seconds; a page has 60, and ending what takes longer may take some more
OPENING = 600.0  # seconds for the thousand sheets
HEAD = 1024  # bytes in which the mark of a PDF may stand
BAD = ("foreign", "crash", "hang")


@dataclass(frozen=True)
class Answer:
    """How one file ended, and the peaks of memory while it was open: of all processes, and of the largest child."""

    end: str
    kind: str
    text: str
    seconds: float
    bytes: int
    child_bytes: int
    sheets: int = 0


class Caller(Watched):
    """A process that opens files, with the peaks of its memory."""

    def __init__(self) -> None:
        super().__init__()
        self._total = self._child = 0

    def start(self) -> "subprocess.Popen[str]":
        """The caller."""
        return _started()

    def look(self, pid: int) -> None:
        """Note the memory."""
        total, child = family_memory(pid)
        self._total, self._child = max(self._total, total), max(self._child, child)

    def open(self, path: Path, deadline: float) -> Answer:
        """Open a file, and watch."""
        self._total = self._child = 0
        began = monotonic()
        end, said = self.ask(str(path), deadline)
        taken = monotonic() - began
        if end != "answer":
            return Answer(end, "", said, taken, self._total, self._child)
        told: dict[str, Any] = json.loads(said)
        child = max(self._child, told["child_bytes"])
        return Answer(told["end"], told["kind"], told["text"], taken, self._total, child, told.get("sheets", 0))


def _started() -> "subprocess.Popen[str]":
    """The caller writes no more than it answers with: what libraries print on the way is thrown away."""
    return subprocess.Popen(
        [sys.executable, "-m", "bench.pdf.caller"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def thousand_sheets(files: Sequence[Path]) -> Answer:
    """Open the sheets of these files, repeated up to a thousand."""
    with TemporaryDirectory(prefix="sightline-bench-") as folder, Caller() as caller:
        path = Path(folder) / "thousand.pdf"
        write_sheets(files, path)
        return caller.open(path, OPENING)


def write_sheets(files: Sequence[Path], path: Path, sheets: int = SHEETS) -> None:
    """One document of so many sheets, those of the files again and again."""
    sources = [pypdfium2.PdfDocument(file) for file in files]
    made = pypdfium2.PdfDocument.new()
    while len(made) < sheets:
        for source in sources:
            count = min(len(source), sheets - len(made))
            if count:
                made.import_pages(source, pages=list(range(count)))
    made.save(path)
    for document in (made, *sources):
        document.close()


@dataclass(frozen=True)
class Hostile:
    """How all hostile files ended."""

    files: tuple[Path, ...]
    answers: tuple[Answer, ...]

    @property
    def ends(self) -> Counter[str]:
        """How many ended in which way."""
        return Counter(answer.end for answer in self.answers)

    @property
    def good(self) -> float:
        """The share that ended in a page or one of our errors."""
        return 1 - sum(self.ends[end] for end in BAD) / max(1, len(self.answers))

    @property
    def child_bytes(self) -> int:
        """The largest memory of any child."""
        return max((answer.child_bytes for answer in self.answers), default=0)

    @property
    def slowest(self) -> float:
        """The seconds of the slowest file."""
        return max((answer.seconds for answer in self.answers), default=0.0)

    @property
    def bad(self) -> list[str]:
        """The files that ended in any other way, and in which."""
        return [
            f"{path.name}: {answer.end} {answer.kind} {answer.text}"[:200]
            for path, answer in zip(self.files, self.answers, strict=True)
            if answer.end in BAD
        ]


def hostile_files(folder: Path) -> list[Path]:
    """The files below a folder that say they are PDFs, by name or by content."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path for path in files if path.suffix == ".pdf" or b"%PDF" in _head(path)]


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(HEAD)


def open_hostile(files: Sequence[Path]) -> Hostile:
    """Open every file by one caller, as long as that lives."""
    with Caller() as caller:
        return Hostile(tuple(files), tuple(caller.open(path, DEADLINE) for path in files))
