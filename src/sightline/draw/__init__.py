"""Pictures of pages: what was found, drawn where it was seen. A page and boxes in, the bytes of a PNG out."""

from sightline.draw._picture import Mark, marks_of, picture

__all__ = ["Mark", "marks_of", "picture"]
