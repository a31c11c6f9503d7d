"""Pictures of pages: what was found, drawn where it was seen. A page and boxes in, the bytes of a PNG out."""

from sightline.draw._content import marks_of_content
from sightline.draw._lists import marks_of_lists
from sightline.draw._picture import Mark, marks_of, picture
from sightline.draw._plots import plot_scores
from sightline.draw._records import Read, marks_of_explained, marks_of_records
from sightline.draw._tables import marks_of_tables

__all__ = [
    "Mark",
    "Read",
    "marks_of",
    "marks_of_content",
    "marks_of_explained",
    "marks_of_lists",
    "marks_of_records",
    "marks_of_tables",
    "picture",
    "plot_scores",
]
