"""The levels of headings: by their numbers where they have any, else by how large and heavy they are."""

import re
from collections.abc import Sequence

from sightline.extract.structure._part import Part

__all__ = ["levels_of"]

NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)\.?\s+\S")
TAG = re.compile(r" H([1-6]) ")
DEEPEST = 6


def levels_of(parts: Sequence[Part]) -> dict[int, int]:
    """A level from 1 to 6 for each heading, by its id.

    Sizes make the ranks; at one size, bold stands above plain. Numbers such as 2.3 then move a heading below those with
    fewer places, whatever their size. What a tagged PDF says of a level stands.
    """
    looks = [(round(max(line.size for line in part.lines), 1), any(line.bold for line in part.lines)) for part in parts]
    ranks = {look: rank for rank, look in enumerate(sorted(set(looks), reverse=True), start=1)}
    levels = {}
    base = None
    for part, look in zip(parts, looks, strict=True):
        level = ranks[look]
        number = NUMBER.match(" ".join(line.text for line in part.lines))
        if number:
            depth = number[1].count(".")
            base = level - depth if base is None else min(base, level - depth)
            level = max(base, 1) + depth
        told = TAG.search(part.lines[0].tags)
        levels[id(part)] = int(told[1]) if told else min(max(level, 1), DEEPEST)
    return levels
