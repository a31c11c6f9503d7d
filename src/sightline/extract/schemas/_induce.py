"""From pages to templates with names and types: all steps of the induction in order."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sightline.extract.schemas._clusters import clusters_of
from sightline.extract.schemas._generate import main_set, set_types
from sightline.extract.schemas._instances import LearningStep
from sightline.extract.schemas._learn import learn
from sightline.extract.schemas._names import name_fields
from sightline.extract.schemas._outline import outlines_of
from sightline.extract.schemas._template import Slot, Template, leaves_in
from sightline.extract.schemas._witness import witness_of
from sightline.page import Page

__all__ = ["Induced", "induce_template", "same_template"]

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
