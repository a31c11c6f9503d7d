"""Tell pages of several templates apart before anything is learned, by the paths to their texts."""

from collections.abc import Sequence

from sightline.extract.schemas._alphabet import TEXT_SYMBOL
from sightline.extract.schemas._outline import Outline

__all__ = ["clusters_of", "likeness"]

# Jaccard index of the paths. Over the sites of the benchmark the nearest page of the same template is at 0.48 or
# more, that of another template of the same site at 0.25 or less.
SAME_TEMPLATE = 0.3
COMPARED = 5  # pages of a cluster; enough, and the work grows with the pages and not with their pairs


def clusters_of(outlines: Sequence[Outline]) -> list[list[int]]:
    """Which pages share a template, as lists of their numbers, the largest first.

    >>> from sightline.extract.schemas._outline import outlines_of
    >>> from sightline.testing import element, list_page, page_of
    >>> table = page_of(element("table", element("tr", element("td", "x"))), kind="static")
    >>> clusters_of(outlines_of([list_page(["a"]), table, list_page(["b"])]))
    [[0, 2], [1]]
    """
    paths = [_paths(outline) for outline in outlines]
    clusters: list[list[int]] = []
    for number, page_paths in enumerate(paths):
        near = [
            cluster
            for cluster in clusters
            if max(likeness(page_paths, paths[other]) for other in cluster[:COMPARED]) >= SAME_TEMPLATE
        ]
        joined = sorted([number, *(page for cluster in near for page in cluster)])
        clusters = [cluster for cluster in clusters if cluster not in near] + [joined]
    return sorted(clusters, key=lambda cluster: (-len(cluster), cluster[0]))


def likeness(first: frozenset[int], other: frozenset[int]) -> float:
    """The share of paths that two pages have in common."""
    return len(first & other) / max(1, len(first | other))


def _paths(outline: Outline) -> frozenset[int]:
    """The symbol paths that lead to the texts of a page."""
    path = [0] * len(outline)
    found = set()
    for node, symbol in enumerate(outline.symbol):
        if symbol == TEXT_SYMBOL:
            found.add(path[node])
        else:
            here = hash((path[node], outline.alphabet.names[symbol]))
            for kid in outline.kids(node):
                path[kid] = here
    return frozenset(found)
