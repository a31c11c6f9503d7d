"""Markdown, as CommonMark with the tables of GitHub reads it: text that is only text, marks, blocks, front matter."""

from sightline.data._markdown._blocks import markdown_of
from sightline.data._markdown._front_matter import front_matter

__all__ = ["front_matter", "markdown_of"]
