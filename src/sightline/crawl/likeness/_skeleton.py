"""Likeness as published for Lixto: the edit distance between skeleton codes."""

from collections.abc import Sequence

import numpy as np

from sightline.crawl.likeness._judgement import Judgement, Unlearning
from sightline.extract.published import bounded_distance, distance_threshold, fewest_edits, gram_counts
from sightline.sources import PageOutline, read_outline

__all__ = ["SkeletonLikeness"]

# A single template has no distances to take a quantile of. Then a page may differ from it by this share of its tags.
# The paper has no such case; this is our choice, not a fitted one.
ALONE = 0.3


class SkeletonLikeness(Unlearning):
    """A page is a target if its skeleton is at most as far from a template as the templates are from each other."""

    def __init__(self, templates: Sequence[str]) -> None:
        """`templates` are skeleton codes; at least one."""
        self._templates = tuple(templates)
        self._counts = np.array([gram_counts(template) for template in templates])
        found = distance_threshold(self._templates)
        self.threshold = round(ALONE * len(self._templates[0])) if found is None else found

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> "SkeletonLikeness":
        """From the HTML of example pages."""
        return cls([read_outline(text).skeleton for text in texts])

    def judge(self, text: str, outline: PageOutline, url: str) -> Judgement:  # noqa: ARG002 - the tags alone matter
        """The judgement by the first template near enough; the likeness is the share of tags that stay as they are.

        Templates that are nearer by their q-grams come first, so that most pages cost one distance or none.
        """
        skeleton = outline.skeleton
        bounds = fewest_edits(gram_counts(skeleton), self._counts)
        for number in np.argsort(bounds, kind="stable").tolist():
            if bounds[number] > self.threshold:
                break
            template = self._templates[number]
            distance = bounded_distance(skeleton, template, self.threshold)
            if distance is not None:
                return Judgement(is_target=True, likeness=1 - distance / max(1, len(skeleton), len(template)))
        return Judgement(is_target=False, likeness=0.0)
