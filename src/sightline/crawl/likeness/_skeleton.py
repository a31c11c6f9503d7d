"""Likeness as published for Lixto: the edit distance between skeleton codes."""

from collections.abc import Sequence

import numpy as np

from sightline.crawl.likeness._judgement import Judgement, Unlearning
from sightline.extract.published import bounded_distance, distance_threshold, fewest_edits, gram_counts
from sightline.sources import Outline, read_outline

__all__ = ["SkeletonLikeness"]

# A single template has no distances to take a quantile of. Then a page may differ from it by this share of its tags: the
# median of (threshold / tags) for three templates over the cases of bench/crawl, rounded.
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

    def judge(self, text: str, outline: Outline, url: str) -> Judgement:  # noqa: ARG002 - the tags alone matter
        """The judgement on a page by the nearest template; the likeness is the share of tags that stay as they are."""
        nearest = self._nearest(outline.skeleton)
        if nearest is None:
            return Judgement(is_target=False, likeness=0.0)
        distance, template = nearest
        return Judgement(is_target=True, likeness=1 - distance / max(1, len(outline.skeleton), len(template)))

    def _nearest(self, skeleton: str) -> tuple[int, str] | None:
        """The distance to the nearest template and that template, if it is near enough.

        Templates that may be nearest come first, and each distance found lowers the bound for the others.
        """
        bounds = fewest_edits(gram_counts(skeleton), self._counts)
        best, most = None, self.threshold
        for number in np.argsort(bounds, kind="stable").tolist():
            if bounds[number] > most:
                break
            distance = bounded_distance(skeleton, self._templates[number], most)
            if distance is not None:
                best, most = (distance, self._templates[number]), distance - 1
        return best
