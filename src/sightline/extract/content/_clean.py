"""A main text without the parts that look unlike the rest of it."""

from dataclasses import replace

import numpy as np

from sightline.checks import ExtractedNodes, find_outliers
from sightline.data import Content, ContentPart
from sightline.errors import UsageError
from sightline.extract.content._find import content_of_nodes
from sightline.extract.content._likelihoods import likelihoods
from sightline.page import Page

__all__ = ["extracted_nodes", "without_outliers"]


def without_outliers(page: Page, found: Content) -> Content:
    """The text without its visual outliers; the page needs a layout, since nobody knows how it looks without one."""
    if page.bounds is None:
        raise UsageError(
            f"{page.url or 'The page'} has no layout, so nobody can tell which parts look unlike the rest; "
            "open it with a browser."
        )
    return _only(page, found, frozenset(find_outliers([extracted_nodes(page, found)]).kept(0)))


def extracted_nodes(page: Page, found: Content, source: str = "") -> ExtractedNodes:
    """A main text as the search for outliers takes it.

    Our own text was chosen by its likelihoods, so these have nothing new to say about it; for the text of another
    extractor they are a second witness.
    """
    # A text knows its nodes by their numbers on the whole page; a part of a page numbers its own.
    nodes = np.flatnonzero(np.isin(page.numbers, found.nodes)).tolist() if page.part else found.nodes
    return ExtractedNodes(page, nodes, source=source, witness=likelihoods(page) if found.by else None)


def _only(page: Page, found: Content, kept: frozenset[int]) -> Content:
    """A text of which only these nodes are left; parts that keep all of their nodes stay as they are."""
    parts: list[ContentPart] = []
    for part in found:
        nodes = part.value.origin.nodes if part.value.origin else ()
        left = [node for node in nodes if node in kept]
        if len(left) == len(nodes):
            parts.append(part)
        elif left:
            parts.extend(replace(new, kind=part.kind) for new in content_of_nodes(page, left))
    return replace(found, parts=tuple(parts))
