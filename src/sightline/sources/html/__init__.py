"""HTML without a browser: bytes are decoded, and text becomes the tree that a browser would build."""

from sightline.sources.html._encoding import decode
from sightline.sources.html._outline import Anchor, PageOutline, read_outline
from sightline.sources.html._parse import PLAIN, StringTable, Tree, parse, shallow, shows_more, too_deep

__all__ = [
    "PLAIN",
    "Anchor",
    "PageOutline",
    "StringTable",
    "Tree",
    "decode",
    "parse",
    "read_outline",
    "shallow",
    "shows_more",
    "too_deep",
]
