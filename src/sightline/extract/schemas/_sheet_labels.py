"""What documents of one template share: their lines, and the labels among these.

Labels are what the values of a form are found by, wherever they stand. Nothing but comparing documents tells them from
values: a label is on many of them, once or twice on a sheet; a value is on few, or is in the rows of a table.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sightline.extract.schemas._evidence import has_word
from sightline.extract.schemas._labels import is_label
from sightline.extract.schemas._sheet_lines import SheetPiece

COLONS = (":", "：")
LEAST_PREFIX = 2  # words before a number, as in “Delivery note D2479”


@dataclass(frozen=True)
class SheetLabels:
    """What documents of one template share, as it is compared: their lines, the labels among these, and beginnings."""

    lines: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset()

    def is_label(self, piece: SheetPiece) -> bool:
        """Whether a piece is a label and nothing else."""
        return compared(piece.text) in self.labels

    def is_known(self, piece: SheetPiece) -> bool:
        """Whether a piece is a label or a line of the template."""
        text = compared(piece.text)
        return text in self.labels or text in self.lines

    def is_constant(self, piece: SheetPiece) -> bool:
        """Whether all documents say this, line by line."""
        return all(text in self.lines for text in texts_of(piece))

    def label_words(self, piece: SheetPiece) -> int:
        """How many words of a piece are its label; all of them where it is nothing else."""
        if len(piece.lines) == 1 and self.is_label(piece):
            return len(piece.numbers)
        line = piece.part(0, 1)
        count = prefix_words(line)
        if not count or self.is_constant(piece):
            return 0
        return count if compared(line.cut(count)[0].text) in self.prefixes else 0


def compared(text: str) -> str:
    """A text as labels are compared.

    >>> compared("Invoice  No. :")
    'invoice no.'
    """
    return " ".join(text.casefold().split()).rstrip(":： ")


def can_be_label(text: str) -> bool:
    """Whether a text that documents share can be a label.

    >>> can_be_label("payable until"), can_be_label("no."), can_be_label("2024")
    (True, False, False)
    """
    return is_label(text) and has_word(text)


def texts_of(piece: SheetPiece) -> Iterator[str]:
    """What each line of a piece says, as it is compared."""
    return (compared(line.text) for line in piece.each_line())


def prefix_words(line: SheetPiece) -> int:
    """How many words of a line may be a label before its value, up to a colon or to a word with digits; 0 if none."""
    words = [line.words.one(word) for word in line.lines[0]]
    for place, word in enumerate(words[:-1]):
        if word.endswith(COLONS):
            return place + 1
        if any(map(str.isdigit, word)):
            return place if place >= LEAST_PREFIX else 0
    ends_in_number = any(map(str.isdigit, words[-1]))
    return len(words) - 1 if ends_in_number and len(words) > LEAST_PREFIX else 0
