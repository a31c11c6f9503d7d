"""What other libraries find in the same PDFs, in an environment of their own, and what it costs them.

What they find is kept between runs, by the version of the library, the script that calls it and the files. Those whose
time ours is held against are read anew in every run.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.frame import CACHE, Corpus
from bench.pdf.icdar import Found
from bench.peers import answered
from sightline.files import write_bytes

KEPT = CACHE / "peers-pdf-answers"
SCRIPT = Path(__file__).with_name("readers.py")
LINES, VECTOR = "pdfplumber", "camelot, vector"
NAMES = (LINES, "pdfplumber, text", "camelot, hybrid", VECTOR, "camelot, auto", "tabula")
TIMED = (LINES, VECTOR)
ROUNDS = 3


@dataclass(frozen=True)
class Peer:
    """What a peer found in each document, and its processor time a sheet, in milliseconds; or why it is missing."""

    name: str
    version: str = ""
    found: tuple[tuple[Found, ...], ...] = ()
    milliseconds: float | None = None
    errors: tuple[str, ...] = ()
    missing: str = ""
    is_kept: bool = False

    @classmethod
    def from_json(cls, name: str, answer: Mapping[str, Any], *, is_kept: bool = False) -> "Peer":
        """What the script answered."""
        if "missing" in answer:
            return cls(name, missing=answer["missing"])
        documents = answer["documents"]
        return cls(
            name,
            answer["version"],
            tuple(tuple(Found.from_json(table) for table in own["tables"]) for own in documents),
            _milliseconds(documents),
            tuple(own["error"] for own in documents if own["error"]),
            is_kept=is_kept,
        )


def _milliseconds(documents: Sequence[Mapping[str, Any]]) -> float | None:
    """The median round over all documents, by sheet."""
    rounds = sorted(map(sum, zip(*(own["seconds"] for own in documents), strict=True)))
    sheets = sum(own["pages"] for own in documents)
    return 1000 * rounds[len(rounds) // 2] / sheets if rounds and sheets else None


def read_by_peers(files: Sequence[Path], names: Sequence[str] = NAMES, *, is_timed: bool = True) -> dict[str, Peer]:
    """All peers of these names, those included that are missing."""
    known = _asked("versions", "")
    return {name: _peer(name, files, known[name], is_timed=is_timed and name in TIMED) for name in names}


def _peer(name: str, files: Sequence[Path], known: str, *, is_timed: bool) -> Peer:
    if is_timed:
        return Peer.from_json(name, _read(name, files, ROUNDS))
    path = KEPT / f"{_key(name, files, known)}.json"
    if path.exists():
        return Peer.from_json(name, json.loads(path.read_text("utf-8")), is_kept=True)
    answer = _read(name, files, 1)
    if "missing" not in answer:
        KEPT.mkdir(parents=True, exist_ok=True)
        write_bytes(path, json.dumps(answer).encode())
    return Peer.from_json(name, answer)


def _key(name: str, files: Sequence[Path], known: str) -> str:
    parts = (name, known, SCRIPT.read_text("utf-8"), Corpus("", tuple(files)).hash)
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()


def _read(name: str, files: Sequence[Path], rounds: int) -> Mapping[str, Any]:
    return _asked(name, {"files": list(map(str, files)), "rounds": rounds})


def _asked(name: str, question: object) -> Mapping[str, Any]:
    answer: Mapping[str, Any] = answered("peers-pdf", SCRIPT, question, name)
    return answer
