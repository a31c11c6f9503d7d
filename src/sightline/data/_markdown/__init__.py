"""Markdown, as CommonMark with the tables of GitHub reads it: text that is only text, marks, blocks, front matter."""

from sightline.data._markdown._blocks import front_matter, markdown_of

__all__ = ["front_matter", "markdown_of"]
