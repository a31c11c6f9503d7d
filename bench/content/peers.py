"""What other extractors read from the HTML of the same files, in an environment of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.peers import answered

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
    answers = answered("peers-content", SCRIPT, list(map(str, files)))
    return {name: Answer(**answer) for name, answer in answers.items()}
