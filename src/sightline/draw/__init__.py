"""Pictures of pages: results drawn where they were seen. Takes a page and marks, returns the bytes of a PNG."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.draw._picture import (
        ExplainedText,
        draw_tiles,
        marks_of_explained,
        marks_of_page,
        picture,
        tiles_of,
    )
    from sightline.draw._plots import plot_harvest, plot_scores

__all__ = [
    "ExplainedText",
    "draw_tiles",
    "marks_of_explained",
    "marks_of_page",
    "picture",
    "plot_harvest",
    "plot_scores",
    "tiles_of",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_picture": "ExplainedText draw_tiles marks_of_explained marks_of_page picture tiles_of",
        "_plots": "plot_harvest plot_scores",
    },
)
