"""What to draw over the picture of a page: boxes in the colour of what they are."""

from dataclasses import dataclass

from sightline.geometry import Box

__all__ = ["SERIES", "Mark", "series"]

SERIES = 6  # colours that can be told apart beside each other


@dataclass(frozen=True)
class Mark:
    """A box to draw: what is in it (which decides the colour), and how the legend and a badge name it.

    A hollow mark is only a frame; a thin one is the frame of a part inside another frame.
    """

    box: Box
    kind: str = "other"
    label: str = ""
    hollow: bool = False
    thin: bool = False
    badge: str = ""


def series(number: int) -> str:
    """The kind of mark for the n-th of several alike things; colours come again after the last.

    >>> series(1), series(7)
    ('series 1', 'series 1')
    """
    return f"series {(number - 1) % SERIES + 1}"
