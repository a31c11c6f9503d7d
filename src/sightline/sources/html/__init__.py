"""HTML without a browser: bytes are decoded, and text becomes the tree that a browser would build."""

from sightline.sources.html._encoding import decode
from sightline.sources.html._parse import parse
from sightline.sources.html._tree import StringTable, Tree, shallow, too_deep

__all__ = [
    "StringTable",
    "Tree",
    "decode",
    "parse",
    "shallow",
    "too_deep",
]
