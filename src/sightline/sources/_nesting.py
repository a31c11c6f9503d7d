"""Guarding the parser against deep nesting, which costs it the square of the depth."""

import re

import numpy as np

__all__ = ["flattened", "may_nest_deeper"]

# Start tags that close an open one of their kind, or stand alone: they never nest by themselves.
UNNESTED = frozenset(
    "p li td th tr dt dd option optgroup tbody thead tfoot area base br col embed hr img input link meta param source "
    "track wbr".split()
)
# A name is cut at 60 characters: enough to tell it from the ones above.
TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]{0,60})[^>]*>?")


def may_nest_deeper(text: str, limit: int) -> bool:
    """Whether the opening tags ever outnumber the closing ones by more than `limit`: never misses, may be wrong."""
    content = np.frombuffer(text.encode("utf-8", "replace"), dtype=np.uint8)
    following = content[1:][content[:-1] == ord("<")]
    closing = following == ord("/")
    opening = (following | 0x20) - ord("a") < 26  # unsigned: everything but a letter is far above
    change = opening.astype(np.int32) - closing
    running = np.cumsum(change)
    return bool((running - np.minimum.accumulate(np.minimum(running, 0))).max(initial=0) > limit)


def flattened(text: str, limit: int) -> str:
    """The same text with the tags left out that would open deeper than `limit`, and as many closing ones."""
    kept: list[str] = []
    depth = position = 0
    for tag in TAG.finditer(text):
        if tag[2].lower() in UNNESTED:
            continue
        inside = max(depth, 1)
        depth = max(0, depth - 1) if tag[1] else depth + 1
        if max(inside, depth) > limit:
            kept.append(text[position : tag.start()])
            position = tag.end()
    kept.append(text[position:])
    return "".join(kept)
