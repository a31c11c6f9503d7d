"""Files as sources: globs and folders, WARC, MHTML, and what the bytes of a file turn out to be."""

from typing import TYPE_CHECKING

from sightline._lazy import lazily

if TYPE_CHECKING:
    from sightline.sources.files._expand import expand
    from sightline.sources.files._mhtml import read_mhtml
    from sightline.sources.files._read import documents

__all__ = [
    "documents",
    "expand",
    "read_mhtml",
]

__getattr__ = lazily(
    __name__,
    {
        "_expand": "expand",
        "_mhtml": "read_mhtml",
        "_read": "documents",
    },
)
