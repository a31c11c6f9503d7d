"""Step 12: the levels of headings, by their numbers where they have any, otherwise by size and weight."""

import re
from collections.abc import Sequence
from dataclasses import replace

from sightline.extract.structure._block_kinds import BlockKind
from sightline.extract.structure._sheet_parts import SheetPart

__all__ = ["levels_of", "with_levels"]

NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)\.?\s+\S")
TAG = re.compile(r"H([1-6])")
DEEPEST = 6


def with_levels(sheets: Sequence[Sequence[SheetPart]]) -> list[list[SheetPart]]:
    """The parts of all sheets, each heading with its level in the whole document."""
    levels = iter(levels_of([part for parts in sheets for part in parts if part.kind is BlockKind.HEADING]))
    return [
        [replace(part, level=next(levels)) if part.kind is BlockKind.HEADING else part for part in parts]
        for parts in sheets
    ]


def levels_of(headings: Sequence[SheetPart]) -> list[int]:
    """A level from 1 to 6 for each heading.

    Sizes make the ranks; at one size, bold stands above plain. A number such as 2.3 then puts a heading below those
    whose numbers have fewer places, whatever their size. A level that a tagged PDF names stands.
    """
    looks = [(round(max(line.size for line in one.lines), 1), any(line.bold for line in one.lines)) for one in headings]
    ranks = {look: rank for rank, look in enumerate(sorted(set(looks), reverse=True), start=1)}
    levels = []
    base = None
    for heading, look in zip(headings, looks, strict=True):
        level = ranks[look]
        number = NUMBER.match(" ".join(line.text for line in heading.lines))
        if number:
            depth = number[1].count(".")
            base = level - depth if base is None else min(base, level - depth)
            level = max(base, 1) + depth
        tagged = next((found for tag in heading.lines[0].tags if (found := TAG.fullmatch(tag))), None)
        levels.append(int(tagged[1]) if tagged else min(max(level, 1), DEEPEST))
    return levels
