"""From pages to templates with names and types: all steps of the induction in order."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sightline.extract.schemas._alphabet import TEXT_SYMBOL
from sightline.extract.schemas._evidence import witness_of
from sightline.extract.schemas._generate import main_set, set_types
from sightline.extract.schemas._learn import learn
from sightline.extract.schemas._names import name_fields
from sightline.extract.schemas._outline import LearningStep, Outline, outlines_of
from sightline.extract.schemas._template import Slot, Template, leaves_in
from sightline.page import Page

__all__ = ["Induced", "induce_template", "likeness", "same_template"]

EXAMPLES = 3  # texts kept for a field


@dataclass(frozen=True, eq=False)
class Induced:
    """A template with names, the set that its pages are about (if they are lists), and the decisions made."""

    template: Template
    each: Slot | None
    steps: list[LearningStep] = field(default_factory=list)


def same_template(pages: Sequence[Page]) -> list[list[int]]:
    """Which pages share a template, the largest group first; pages without text are in none."""
    outlines = outlines_of(pages)
    written = [number for number, outline in enumerate(outlines) if len(outline)]
    clusters = clusters_of([outlines[number] for number in written])
    return [[written[number] for number in cluster] for cluster in clusters]


def induce_template(pages: Sequence[Page], without: frozenset[str] = frozenset(), *, trace: bool = False) -> Induced:
    """The template of pages that share one."""
    steps: list[LearningStep] = []
    template = learn(outlines_of(pages), without, steps if trace else None)
    languages = [page.language for page in pages if page.language]
    name_fields(template, witness_of(pages))
    set_types(template, max(languages, key=languages.count, default=None))
    each = main_set(template, len(pages))
    for leaf in leaves_in(template.root):
        for part in (leaf, *leaf.within):
            part.texts = list(dict.fromkeys(part.texts))[:EXAMPLES]
    return Induced(template, each, steps)


# Tell pages of several templates apart before anything is learned, by the paths to their texts.

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
