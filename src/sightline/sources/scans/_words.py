"""Step 5 of a scan: the words of a segment, each between the white that is really seen around it."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sightline.sources.scans._ink import Gray
from sightline.sources.scans._segments import Segment
from sightline.sources.scans._text_reader import StripText

Floats = npt.NDArray[np.floating]

# Of the size of the type: how far letters reach above and below the line they stand on. So in Times, Helvetica and most
# other faces, within a twentieth.
CAPITAL, SMALL, TAIL, BRACKET = 0.70, 0.48, 0.21, 0.16
WITHOUT_HEIGHT = frozenset("acemnorsuvwxzgpqy+-=<>~*:;,.·…–—_'’“”\"•ı")
WITH_TAIL = frozenset("gjpqyQ;,_")
WITH_BRACKET = frozenset("()[]{}|/@§")
TELLING = frozenset("·…–—-_.,'’“”\"•*~=+:;")  # a text of these alone doesn't say how large its type is

WHITE = 0.55  # of the size: white that is wider parts two words, though the model saw no blank
ASTRAY = 0.3  # of the size: how far the model may be wrong about the place of a letter; it has one answer for 0.3
SHORTEST_DASH, LONGEST_DASH = 0.15, 1.2  # of the size: how long a dash is
FLAT, FLATTEST = 1.7, 2.5  # how many times longer than thick: at least, and where no doubt is left
BEARING = 0.04  # of the size: white that belongs to a letter on either side, as it does in the boxes of a PDF
DIGITS = frozenset("0123456789.,%()-+±<>$€£ ")
HAIR = 0.03  # of the size: what is kept free between two words that touch


class RecognisedWord(NamedTuple):
    """A word: from where to where in dots, and the confidence of its least sure character."""

    text: str
    x0: float
    x1: float
    confidence: float


@dataclass(frozen=True)
class RecognisedLine:
    """The words of a segment, the size of their type and the height they stand on, in dots."""

    words: tuple[RecognisedWord, ...]
    size: float
    foot: float


def size_and_foot(segment: Segment, text: str, usual: float) -> tuple[float, float]:
    """The size of the type of a segment, and where its letters stand; `usual` is the size of the others."""
    letters = segment.letters
    tall = letters[:, 3] - letters[:, 1]
    if not set(text) - TELLING - {" "}:
        middle = float((letters[:, 1] + letters[:, 3]).mean()) / 2
        return usual, middle + usual * CAPITAL / 2
    large = tall >= 0.5 * np.median(tall[tall >= tall.max() / 3])
    foot = float(np.median(letters[large, 3]))
    top, bottom = (float(np.quantile(letters[large, side], share)) for side, share in ((1, 0.1), (3, 0.9)))
    plain = [character for character in text if character != " "]
    above = CAPITAL if any(character not in WITHOUT_HEIGHT for character in plain) else SMALL
    tails = sum(character in WITH_TAIL for character in plain)
    if tails > len(plain) / 2:  # the letters without a tail are too few to say where the line is
        below = TAIL
        foot = bottom - (bottom - top) * TAIL / (above + TAIL)
    else:
        below = 0.0
    height = (bottom if below else foot) - top
    return max(height / (above + below), 1.0), foot


def dash_of(segment: Segment, size: float, left: float, scale: float) -> StripText | None:
    """A flat mark that stands alone as a dash; the model, which saw it in lines of text only, isn't sure of it."""
    ((x0, y0, x1, y1), *others) = segment.letters.tolist()
    if others or not (SHORTEST_DASH * size < x1 - x0 < LONGEST_DASH * size) or x1 - x0 < FLAT * (y1 - y0):
        return None
    place, sure = ((x0 + x1) / 2 - left) * scale, min((x1 - x0) / (y1 - y0) / FLATTEST, 1.0)
    return StripText("-", np.array([place], dtype=np.float32), np.array([sure], dtype=np.float32))


def words_of(
    segment: Segment, reading: StripText, left: float, scale: float, ink: Gray, size: float
) -> list[RecognisedWord]:
    """The words of a reading whose strip begins at `left`, `scale` of its dots to one."""
    x0, y0, x1, y1 = segment.box
    gaps = _gaps(np.asarray(ink[y0:y1, x0:x1].any(axis=0)), x0)
    places = reading.places / scale + left
    letters = [(place, char, sure) for place, char, sure in _characters(reading, places) if char != " "]
    if not letters:
        return []
    cuts = _cuts(reading, places, gaps, size)
    words: list[RecognisedWord] = []
    start, begin = 0, float(x0)
    for number, (end, resume) in [*cuts, (len(letters), (float(x1), float(x1)))]:
        held = letters[start:number]
        if held:
            text = as_number("".join(char for _, char, _ in held))
            bearing = BEARING * size
            words.append(
                RecognisedWord(text, begin - bearing, max(end, begin + 1) + bearing, min(sure for _, _, sure in held))
            )
        start, begin = number, resume
    return words


def as_number(text: str) -> str:
    """A word with zeros in place of letters O, where all other characters are those of a number.

    Alone, an O is a zero as well: in tables, zeros stand alone, and the model sees no difference.

    >>> as_number("1O.O"), as_number("O"), as_number("OK"), as_number("CO2")
    ('10.0', '0', 'OK', 'CO2')
    """
    return text.replace("O", "0") if "O" in text and set(text) <= DIGITS | {"O"} else text


def _characters(reading: StripText, places: Floats) -> list[tuple[float, str, float]]:
    return list(zip(places.tolist(), reading.text, reading.confidences.tolist(), strict=True))


def _gaps(column: npt.NDArray[np.bool_], left: int) -> Floats:
    """Where no ink is between the first and the last letter: from and to."""
    edges = np.flatnonzero(np.diff(column.astype(np.int8)))
    starts, ends = edges[~column[edges + 1]] + 1, edges[column[edges + 1]] + 1
    ends = ends[ends > starts[0]] if len(starts) else ends[:0]
    return np.stack([starts[: len(ends)], ends], axis=1).astype(np.float64) + left


def _cuts(reading: StripText, places: Floats, gaps: Floats, size: float) -> list[tuple[int, tuple[float, float]]]:
    """Before which letter a word begins, and from where to where the white before it is."""
    cuts = []
    number, last, blank = 0, None, None
    for place, char in zip(places.tolist(), reading.text, strict=True):
        if char == " ":
            blank = place
            continue
        if last is not None:
            white = _white_at(gaps, last, place, size) if blank is None else _blank_at(gaps, blank, (last, place), size)
            if white is not None:
                cuts.append((number, white))
                gaps = gaps[gaps[:, 0] >= white[1]]
        number, last, blank = number + 1, place, None
    return cuts


def _white_at(gaps: Floats, left: float, right: float, size: float) -> tuple[float, float] | None:
    """The white between two letters of one word, if it is as wide as between columns."""
    wide = gaps[gaps[:, 1] - gaps[:, 0] > WHITE * size]
    middle = (wide[:, 0] + wide[:, 1]) / 2
    inside = wide[(middle > left) & (middle < right)]
    return (float(inside[0, 0]), float(inside[0, 1])) if len(inside) else None


def _blank_at(gaps: Floats, blank: float, between: tuple[float, float], size: float) -> tuple[float, float]:
    """The white that a blank stands for: wide, and not far from where the model saw it; a hair where none is."""
    near = gaps[(gaps[:, 1] > between[0] - ASTRAY * size) & (gaps[:, 0] < between[1] + ASTRAY * size)]
    if not len(near):
        return blank - (HAIR + BEARING) * size, blank + (HAIR + BEARING) * size
    off = np.abs((near[:, 0] + near[:, 1]) / 2 - blank)
    start, end = near[int(np.argmax(near[:, 1] - near[:, 0] - off / 2))].tolist()
    return start, end
