"""Labels with what is right of them or below them, and all else in paragraphs.

A value is the next text on the line of its label. Where there is none, it is what begins right below; so are the lines
of an address below “Deliver to”. What stands alone is joined as lines of paragraphs are set: whether the page has made
one block of them depends on what is around.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sightline.extract.schemas._sheet_labels import SheetLabels, texts_of
from sightline.extract.schemas._sheet_lines import HEADINGS, SheetPiece, is_next_line, on_one_line
from sightline.geometry import Box

# In sizes of the type: from a label down to its value, and from one line of a paragraph to the next, top to top. Lines
# are set at 1.1 to 1.5; blocks are two and more apart.
BELOW, JOINED = 2.2, 1.6
SAME_SIZE = 0.9  # the smaller of two sizes by the larger
REACH = 4.0  # sizes of the type above a line, where what is beside it may begin


class Entry(NamedTuple):
    """A label with its value, or one of both."""

    label: SheetPiece | None
    value: SheetPiece | None

    @property
    def box(self) -> Box:
        """Where it begins."""
        piece = self.label or self.value
        assert piece is not None
        return piece.first


class _Tops:
    """Pieces by where they begin, so that only those near a line are looked at."""

    def __init__(self, pieces: Sequence[SheetPiece]) -> None:
        self._pieces = sorted(pieces, key=lambda piece: piece.first[1])
        self._tops = [piece.first[1] for piece in self._pieces]

    def between(self, low: float, high: float) -> list[SheetPiece]:
        """Those that begin between two heights."""
        return self._pieces[bisect_left(self._tops, low) : bisect_left(self._tops, high)]


def entries_of(pieces: Sequence[SheetPiece], known: SheetLabels) -> list[Entry]:
    """Labels with what is right of them, or else below them; and everything else by itself."""
    found: list[Entry] = []
    labels: list[SheetPiece] = []
    values: list[SheetPiece] = []
    for piece in (part for whole in pieces for part in _segments(whole, known)):
        count = known.label_words(piece)
        if count == 0:
            values.append(piece)
        elif count == len(piece.numbers):
            labels.append(piece)
        else:
            found.append(Entry(*piece.cut(count)))
    beside, waiting = _beside(labels, values)
    found += beside
    taken = {id(entry.value) for entry in beside}
    values = _joined([value for value in values if id(value) not in taken], known)
    under = _under(waiting, values, [*labels, *(entry.label for entry in found if entry.label)], known)
    taken = {id(entry.value) for entry in under}
    return [*found, *under, *(Entry(None, value) for value in values if id(value) not in taken)]


def _segments(piece: SheetPiece, known: SheetLabels) -> Iterator[SheetPiece]:
    """A block in parts that begin with a label each; what all documents say stays whole."""
    if known.is_constant(piece):
        yield piece
        return
    start, texts = 0, list(texts_of(piece))
    for number, line in enumerate(piece.each_line()):
        if number and (known.label_words(line) or texts[number - 1] in known.labels):
            yield piece.part(start, number)
            start = number
    yield piece.part(start)


def _beside(labels: Sequence[SheetPiece], values: Sequence[SheetPiece]) -> tuple[list[Entry], list[SheetPiece]]:
    """Labels with the next piece on their line, if that is no label itself; and the labels that have none."""
    tops, free = _Tops([*values, *labels]), {id(value) for value in values}
    found, waiting = [], []
    for label in labels:
        near = tops.between(label.first[1] - REACH * label.size, label.first[3])
        right = [
            piece
            for piece in near
            if piece is not label and piece.first[0] >= label.first[2] - 1 and on_one_line(label.first, piece.first)
        ]
        value = min(right, key=lambda piece: piece.first[0], default=None)
        if value is not None and id(value) in free:
            free.remove(id(value))
            found.append(Entry(label, value))
        else:
            waiting.append(label)
    return found, waiting


def _under(
    waiting: Sequence[SheetPiece], values: Sequence[SheetPiece], labels: Sequence[SheetPiece], known: SheetLabels
) -> list[Entry]:
    """Labels with what begins right below, if that is no label and not what all documents say."""
    tops, free = _Tops([*values, *labels]), {id(value) for value in values}
    found = []
    for label in waiting:
        near = tops.between(label.last[1], label.last[1] + BELOW * label.size + 1)
        below = [piece for piece in near if piece is not label and is_next_line(label, piece, BELOW)]
        value = min(below, key=lambda piece: piece.first[1], default=None)
        if value is not None and id(value) in free and not known.is_constant(value):
            free.remove(id(value))
            found.append(Entry(label, value))
        else:
            found.append(Entry(label, None))
    return found


def _joined(values: Sequence[SheetPiece], known: SheetLabels) -> list[SheetPiece]:
    """Lines that follow each other as those of a paragraph do: blocks may have been parted between any two of them."""
    done: list[SheetPiece] = []
    open_ones: list[SheetPiece] = []
    for piece in sorted(values, key=lambda piece: piece.first[1]):
        near = [one for one in open_ones if piece.first[1] - one.last[1] <= JOINED * one.size]
        done += [one for one in open_ones if piece.first[1] - one.last[1] > JOINED * one.size]
        above = next((one for one in near if _go_together(one, piece, known)), None)
        open_ones = [*(one for one in near if one is not above), above.joined(piece) if above else piece]
    return done + open_ones


def _go_together(above: SheetPiece, piece: SheetPiece, known: SheetLabels) -> bool:
    if above.tag in HEADINGS or piece.tag in HEADINGS or known.is_constant(above.part(-1)) or known.is_constant(piece):
        return False
    alike = min(above.size, piece.size) >= SAME_SIZE * max(above.size, piece.size)
    return alike and is_next_line(above, piece, JOINED)
