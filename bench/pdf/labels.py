"""The words of DocBank pages, and the share of them whose block is labelled right.

DocBank took its labels from the LaTeX source, so that a few are wrong. A word of the truth is looked for among ours by
its middle, which must lie in our word's box, and by its text: one of the two must hold the other, as words are not cut
alike everywhere. A word that we lack is wrong.
"""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.measures import harmonic

HEADING, PARAGRAPH, LIST, TABLE, CAPTION, OTHER = LABELS = (
    "heading",
    "paragraph",
    "list",
    "table",
    "caption",
    "other",
)
MISSED = "missed"
LABEL_OF = {
    "section": HEADING,
    "title": HEADING,
    "paragraph": PARAGRAPH,
    "abstract": PARAGRAPH,
    "list": LIST,
    "table": TABLE,
    "caption": CAPTION,
}
NO_WORD = "##LT"  # lines and pictures stand among the words of the truth
UNKNOWN = "(cid:"  # characters that the truth could not read
SLACK = 2.0  # thousandths of a sheet: boxes of words are drawn by the font or by the ink

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Word:
    """A word with its box in thousandths of its sheet, origin at the upper left, and its label."""

    text: str
    box: Box
    label: str


@dataclass(frozen=True)
class Confusion:
    """How many words of each true label were given each label; those that we lack are `missed`."""

    counts: Counter[tuple[str, str]]

    def __add__(self, other: "Confusion") -> "Confusion":
        return Confusion(self.counts + other.counts)

    @property
    def words(self) -> int:
        """The words of the truth."""
        return self.counts.total()

    @property
    def right(self) -> float:
        """The share of words that are labelled right."""
        return sum(self.counts[label, label] for label in LABELS) / max(1, self.words)

    @property
    def missed(self) -> float:
        """The share of words that we lack."""
        return sum(self.counts[label, MISSED] for label in LABELS) / max(1, self.words)

    def precision(self, label: str) -> float:
        """Of the words that were given a label, how many have it."""
        return self.counts[label, label] / max(1, sum(self.counts[true, label] for true in LABELS))

    def recall(self, label: str) -> float:
        """Of the words that have a label, how many were given it."""
        return self.counts[label, label] / max(1, sum(self.counts[label, given] for given in (*LABELS, MISSED)))

    def f1(self, label: str) -> float:
        """The harmonic mean of the two."""
        return harmonic(self.precision(label), self.recall(label))

    def by_label(self) -> Mapping[str, tuple[float, float, float]]:
        """Precision, recall and F1 of every label."""
        return {label: (self.precision(label), self.recall(label), self.f1(label)) for label in LABELS}


def read_words(path: Path) -> list[Word]:
    """The words of a page of the truth."""
    found = []
    for line in path.read_text("utf-8").split("\n"):
        if not line.strip():
            continue
        text, *numbers, _, label = line.split("\t")
        if not text.startswith(NO_WORD):
            x0, y0, x1, y1 = map(float, numbers[:4])
            found.append(Word(text, (x0, y0, x1, y1), LABEL_OF.get(label, OTHER)))
    return found


def compare(truth: Sequence[Word], found: Sequence[Word]) -> Confusion:
    """The labels of one page against those of the truth."""
    boxes = np.array([word.box for word in found], dtype=np.float64).reshape(-1, 4)
    boxes += np.array([-SLACK, -SLACK, SLACK, SLACK])
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    texts = [_plain(word.text) for word in found]
    counts: Counter[tuple[str, str]] = Counter()
    for word in truth:
        x, y = (word.box[0] + word.box[2]) / 2, (word.box[1] + word.box[3]) / 2
        around = (boxes[:, 0] <= x) & (x <= boxes[:, 2]) & (boxes[:, 1] <= y) & (y <= boxes[:, 3])
        near = sorted(np.flatnonzero(around).tolist(), key=lambda place: areas[place])
        partner = next((place for place in near if _agree(word.text, texts[place])), None)
        counts[word.label, MISSED if partner is None else found[partner].label] += 1
    return Confusion(counts)


def _agree(true: str, own: str) -> bool:
    """Whether two texts can be one word; marks alone, and what the truth could not read, are told by their place."""
    plain = _plain(true)
    return not plain or not own or UNKNOWN in true or plain in own or own in plain


def _plain(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())
