"""What other extractors read from the HTML of the same files, in an environment of their own."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PEERS_PYTHON = Path.home() / ".cache" / "sightline" / "bench" / "peers-content" / "bin" / "python"
SCRIPT = Path(__file__).with_name("readers.py")

Fields = Mapping[str, object]


@dataclass(frozen=True)
class Answer:
    """What one way read: the texts of all pages, the processor's seconds for each, and what it says of them."""

    texts: Sequence[str]
    seconds: Sequence[float]
    fields: Sequence[Fields] = ()
    version: str = ""


def read_by_peers(files: Sequence[Path]) -> dict[str, Answer]:
    """The answers of all peers that are installed."""
    python = PEERS_PYTHON if PEERS_PYTHON.exists() else Path(sys.executable)
    question = json.dumps([str(path) for path in files])
    done = subprocess.run([python, "-I", SCRIPT], input=question, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"bench: the peers of the main content failed in {python}:\n{done.stderr}")
    return {name: Answer(**answer) for name, answer in json.loads(done.stdout).items()}
