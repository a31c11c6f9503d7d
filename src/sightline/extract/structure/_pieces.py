"""Pieces of lines, as cells have them: cut at drawn lines, behind leaders and between numbers."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from sightline.extract.structure._edges import Edges
from sightline.extract.structure._layout import Layout, Line

__all__ = ["LEADER", "part_of", "parted_at", "pieces_of"]

LEADER = re.compile(r"[.…·_]{4,}")
DOT = re.compile(r"[.…·_]+")
FEWEST_DOTS = 4
NUMBER = re.compile(r"[(\[+–−-]?[$€£]?\d[\d.,]*%?[)\]*]{0,2}")
NUMBERS_APART = (
    0.55  # of the size: a gap between two numbers; between groups of digits it is that of a blank, 0.25 to 0.35
)
SIGN = re.compile(r"[$€£¥]|US\$|EUR|USD")
SIGN_GAP = 7.0  # of the size: how far a currency sign may stand before its number, at the left edge of the column
TAIL = re.compile(r"%|[)\]]|\*{1,3}|[†‡§]|[a-z]")
TAIL_GAP = 1.0
FEW_WORDS = 3  # up to which a piece of running text may be a cell
EDGE = 0.4  # of the size: how far the gap between two cells may lie beside the border of the columns
WIDER = 1.25  # gaps between cells set close together against the blanks inside of them


def pieces_of(layout: Layout, lines: Sequence[Line], edges: Edges) -> list[Line]:
    """The pieces that the lines are made of."""
    found: list[Line] = []
    for line in lines:
        cuts = _cuts(layout, line, edges) if len(line.words) > 1 else set()
        found += _parts(layout, line, cuts) if cuts else [line]
    return _with_signs(layout, found)


def part_of(layout: Layout, line: Line, words: Sequence[int]) -> Line:
    """Some words of a line as a line."""
    boxes = [layout.word_box[word] for word in words]
    text = "".join(f" {layout.word_text[w]}" if layout.spaced[w] else layout.word_text[w] for w in words).strip()
    return replace(
        line,
        words=tuple(words),
        text=text,
        x0=min(box[0] for box in boxes),
        x1=max(box[2] for box in boxes),
        prose=line.prose and len(words) > FEW_WORDS,
    )


def _cuts(layout: Layout, line: Line, edges: Edges) -> set[int]:
    """Before which words of a line, by their place in it, a new piece begins."""
    boxes = [layout.word_box[word] for word in line.words]
    texts = [layout.word_text[word] for word in line.words]
    cuts = _at_edges(line, boxes, edges) | _behind_leaders(texts)
    for place in range(1, len(texts)):
        gap = boxes[place][0] - boxes[place - 1][2]
        if gap > NUMBERS_APART * line.size and NUMBER.fullmatch(texts[place]) and NUMBER.fullmatch(texts[place - 1]):
            cuts.add(place)
    return cuts


def _at_edges(line: Line, boxes: list[list[float]], edges: Edges) -> set[int]:
    """Where an upright line is drawn between two words."""
    left, right, middle = line.x0 + 1, line.x1 - 1, line.middle
    cuts = set()
    for x, top, bottom in edges.upright:
        if not (left < x < right and top < middle < bottom):
            continue
        before = sum((box[0] + box[2]) / 2 < x for box in boxes)
        if 0 < before < len(boxes):
            cuts.add(before)
    return cuts


def _behind_leaders(texts: list[str]) -> set[int]:
    """Behind rows of dots that lead the eye to a number."""
    cuts = set()
    dots = 0
    for place, text in enumerate(texts):
        if DOT.fullmatch(text):
            dots += len(text)
            continue
        if dots >= FEWEST_DOTS or (
            place and LEADER.search(texts[place - 1]) and texts[place - 1].endswith(("..", "…", "__"))
        ):
            cuts.add(place)
        dots = 0
    return cuts


def _parts(layout: Layout, line: Line, cuts: set[int]) -> list[Line]:
    bounds = [0, *sorted(cuts), len(line.words)]
    return [part_of(layout, line, line.words[a:b]) for a, b in pairwise(bounds) if b > a]


def _with_signs(layout: Layout, lines: list[Line]) -> list[Line]:
    """Currency signs with the number to the right of them, marks and per cent with the number to the left."""
    signs = [
        place
        for place, line in enumerate(lines)
        if len(line.text) <= 3 and (SIGN.fullmatch(line.text) or TAIL.fullmatch(line.text))
    ]
    if not signs:
        return lines
    gone: set[int] = set()
    found = list(lines)
    for place in signs:
        one = found[place]
        before = SIGN.fullmatch(one.text) is not None
        reach = (SIGN_GAP if before else TAIL_GAP) * one.size
        best, gap = None, reach
        for other, line in enumerate(found):
            if (
                other == place
                or other in gone
                or abs(line.middle - one.middle) > 0.4 * one.size
                or not any(c.isdigit() for c in line.text)
            ):
                continue
            room = line.x0 - one.x1 if before else one.x0 - line.x1
            if -1 <= room < gap:
                best, gap = other, room
        if best is None:
            continue
        words = (*one.words, *found[best].words) if before else (*found[best].words, *one.words)
        found[best] = part_of(layout, found[best], words)
        gone.add(place)
    return [line for place, line in enumerate(found) if place not in gone]


def parted_at(layout: Layout, lines: Sequence[Line], borders: Sequence[float]) -> list[Line]:
    """Pieces that stand across the borders of columns, cut there if they are several cells set close together.

    They are if a gap lies at every border that they cross and the parts are numbers, or single words, or the gaps are
    wider than those between the other words; else it is one text over several columns.
    """
    found: list[Line] = []
    for line in lines:
        crossed = [x for x in borders if line.x0 + 0.3 * line.size < x < line.x1 - 0.3 * line.size]
        cuts = _gaps_at(layout, line, crossed) if crossed and len(line.words) > 1 else None
        found += _parts(layout, line, cuts) if cuts else [line]
    return found


def _gaps_at(layout: Layout, line: Line, borders: Sequence[float]) -> set[int] | None:
    """Before which words the borders lie, if there is a gap at every one and the parts speak for cells of their own."""
    boxes = [layout.word_box[word] for word in line.words]
    spaced = [layout.spaced[word] for word in line.words]
    gaps = {place: boxes[place][0] - boxes[place - 1][2] for place in range(1, len(boxes)) if spaced[place]}
    cuts = set()
    for x in borders:
        near = [
            place for place in gaps if boxes[place - 1][2] - EDGE * line.size <= x <= boxes[place][0] + EDGE * line.size
        ]
        if not near:
            return None
        cuts.add(min(near, key=lambda place: abs((boxes[place - 1][2] + boxes[place][0]) / 2 - x)))
    parts = _parts(layout, line, cuts)
    numbers = sum(any(c.isdigit() for c in part.text) and sum(c.isalpha() for c in part.text) <= 3 for part in parts)
    others = [gap for place, gap in gaps.items() if place not in cuts]
    wider = min(gaps[place] for place in cuts) > WIDER * max(others, default=0.0)
    if 2 * numbers > len(parts) or (wider and (others or min(gaps[place] for place in cuts) > 0.35 * line.size)):
        return cuts
    return None
