"""A picture of a sheet as words and drawn lines: the six steps, one after the other.

`recognise` knows no file: it gets lightness and gives boxes. Everything is in dots of the straightened picture.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sightline.sources.scans._ink import Gray, Leveled, ink_of, leveled, moved, skew_of, straightened
from sightline.sources.scans._rules import find_rules
from sightline.sources.scans._segments import Segment, find_segments, parts_of, type_size
from sightline.sources.scans._text_reader import IDEOGRAPHS, StripText, StripTexts, TextReader, strip_of
from sightline.sources.scans._words import RecognisedLine, RecognisedWord, dash_of, size_and_foot, words_of

# By judgement unless they say otherwise; the whole is measured by `python -m bench.pdf.scans`.
MARGIN = 0.16  # of the height of a segment: white above and below it in a strip
BESIDE = 0.2  # of the height: white before and after it; with 0.1, two words of a hundred more are wrong
# A strip may be pressed together before the model misses letters, which saves as much time. Of the words of six sheets
# at 150 and 300 dots an inch 95.8 % are right at 0.7 with this margin, 95.3 % unpressed with a margin of 0.3, which
# takes more time, and 92.7 % with one of 0.6, which takes as much.
PRESSED = 0.7
LOWEST = 0.62  # of the size of the type: a strip of small letters alone isn't made larger than one of capitals
CLEAR = 0.5  # a text less sure than this, on the whole, is dust or a drawing
SAME = 0.12  # sizes that differ by less are one
# Segments that are read in several directions: the longest that have so many letters at most.
TRIED, MANY_LETTERS = 9, 20
# How sure the model is of a sheet that lies right; of one on its head it is 0.83 sure, of one on its side 0.5 at most.
UPRIGHT = 0.9
BETTER = 0.1  # how much surer the model must be of a sheet after a turn
CHINESE = 0.3  # of the characters, from which on a sheet isn't written in Latin, Greek or Cyrillic letters


@dataclass(frozen=True)
class Recognised:
    """What was recognised on a picture, in dots of it after it was turned and straightened.

    `quarters` is by how many quarters it was turned against the clock, `angle` by how many degrees after that.
    """

    shape: tuple[int, int]
    lines: tuple[RecognisedLine, ...]
    rules: npt.NDArray[np.float32]
    fills: npt.NDArray[np.float32]
    quarters: int = 0
    angle: float = 0.0


@dataclass(frozen=True)
class _Cleaned:
    """A straightened picture without its drawn lines."""

    level: Gray
    ink: Gray
    size: float
    rules: npt.NDArray[np.float32]
    fills: npt.NDArray[np.float32]
    segments: Sequence[Segment]
    angle: float


def recognise(picture: Gray, reader: TextReader) -> Recognised:
    """The words and drawn lines of a picture."""
    cleaned, quarters = _upright(picture, reader)
    if cleaned is None:
        none = np.zeros((0, 4), dtype=np.float32)
        return Recognised((picture.shape[0], picture.shape[1]), (), none, none)
    shape = (cleaned.level.shape[0], cleaned.level.shape[1])
    return Recognised(shape, tuple(_lines(cleaned, reader)), cleaned.rules, cleaned.fills, quarters, cleaned.angle)


# ------------------------------------------------------------------ which way is up


def _upright(picture: Gray, reader: TextReader) -> tuple[_Cleaned | None, int]:
    """The picture turned so that its text goes from left to right, and by how many quarters it was turned."""
    level = leveled(picture)
    cleaned = _cleaned(level)
    if cleaned is None:
        return None, 0
    sureness = {0: _sureness(cleaned, reader)}
    tried = {0: cleaned}
    if sureness[0] < UPRIGHT:
        for quarters in (1, 2, 3):
            other = _cleaned(_turned(level, quarters))
            if other is not None:
                tried[quarters], sureness[quarters] = other, _sureness(other, reader)
    best = max(sureness, key=sureness.__getitem__)
    if sureness[best] < sureness[0] + BETTER:
        best = 0
    return tried[best], best


def _turned(level: Leveled, quarters: int) -> Leveled:
    """Turned against the clock; filled boxes are only looked at on sheets that lie right."""
    return Leveled(np.ascontiguousarray(np.rot90(level.picture, quarters)), level.fills[:0])


def _sureness(cleaned: _Cleaned, reader: TextReader) -> float:
    """How sure the model is of most of the longest segments."""
    enough = [one for one in cleaned.segments if len(one.letters) <= MANY_LETTERS]
    chosen = sorted(enough, key=lambda one: -len(one.letters))[:TRIED]
    readings = _readings(cleaned, chosen or cleaned.segments[:1], reader)
    sure = [float(each.any.confidences.mean()) for each, _, _ in readings if len(each.any.confidences)]
    return float(np.median(sure)) if sure else 0.0


def _cleaned(given: Leveled) -> _Cleaned | None:
    """Steps 1 to 3; None where there is no text."""
    level, fills = given
    ink = ink_of(level)
    angle = skew_of(ink)
    if angle:
        level, fills = straightened(level, angle), moved(fills, angle, level.shape)
        ink = ink_of(level)
    size = type_size(parts_of(ink))
    if not size:
        return None
    drawn = find_rules(ink, size)
    level = np.where(drawn.mask.astype(bool), np.uint8(255), level)
    ink = ink & (1 - drawn.mask)
    parts = parts_of(ink)
    size = type_size(parts) or size
    segments = find_segments(parts, size, (ink.shape[0], ink.shape[1]))
    return _Cleaned(level, ink, size, drawn.boxes, fills, segments, angle)


# ------------------------------------------------------------------ what it says


def _readings(
    cleaned: _Cleaned, segments: Sequence[Segment], reader: TextReader
) -> list[tuple[StripTexts, float, float]]:
    """What each segment says, where its strip begins, and the scale of the strip."""
    strips, begins = [], []
    for segment in segments:
        x0, y0, x1, y1 = segment.box
        missing = max(LOWEST * cleaned.size - (y1 - y0), 0) / 2
        high = y1 - y0 + 2 * missing
        box = (x0 - BESIDE * high, y0 - missing - MARGIN * high, x1 + BESIDE * high, y1 + missing + MARGIN * high)
        strip, scale = strip_of(cleaned.level, box, PRESSED)
        strips.append(strip)
        begins.append((float(round(box[0])), scale))
    return [(both, *begin) for both, begin in zip(reader.read(strips), begins, strict=True)]


def _lines(cleaned: _Cleaned, reader: TextReader) -> list[RecognisedLine]:
    """The text of all segments, from the top down."""
    segments = sorted(cleaned.segments, key=lambda one: (one.box[1], one.box[0]))
    readings = _readings(cleaned, segments, reader)
    choose = _script([both for both, _, _ in readings])
    found: list[tuple[list[RecognisedWord], float, float]] = []
    for segment, (both, left, scale) in zip(segments, readings, strict=True):
        reading = dash_of(segment, cleaned.size, left, scale) or choose(both)
        if not len(reading.confidences) or float(reading.confidences.mean()) < CLEAR:
            continue
        size, foot = size_and_foot(segment, reading.text, cleaned.size)
        words = words_of(segment, reading, left, scale, cleaned.ink, size)
        if words:
            found.append((words, size, foot))
    sizes = _same_sizes([size for _, size, _ in found], [sum(len(word.text) for word in held) for held, _, _ in found])
    return [RecognisedLine(tuple(words), size, foot) for (words, _, foot), size in zip(found, sizes, strict=True)]


def _script(readings: Sequence[StripTexts]) -> Callable[[StripTexts], StripText]:
    """Which reading to take of every segment of a sheet."""
    text = "".join(both.any.text for both in readings)
    ideographs = sum(ord(character[0]) >= IDEOGRAPHS for character in text)
    if ideographs > CHINESE * max(len(text), 1):
        return lambda both: both.any
    return lambda both: both.latin


def _same_sizes(sizes: Sequence[float], weights: Sequence[int]) -> list[float]:
    """Sizes that are about the same, as the same: the one in the middle of all characters that are set so."""
    size, weight = np.array(sizes, dtype=np.float64), np.array(weights, dtype=np.float64)
    order = np.argsort(size)
    found = size.copy()
    for place, own in enumerate(sizes):
        near = order[np.abs(size[order] / own - 1) < SAME]
        middle = np.searchsorted(np.cumsum(weight[near]), weight[near].sum() / 2)
        found[place] = size[near][min(int(middle), len(near) - 1)]
    return [float(each) for each in found]
