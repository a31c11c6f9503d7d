"""Is a visited page one of those looked for? By its likeness to examples, by a wrapper, or by what it is about.

The default likeness, that to examples, is in `_profile.py`.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec
import numpy as np

from sightline.crawler._addresses import host_of
from sightline.crawler._profile import Judgement, ProfileLikeness, Questions
from sightline.data import Records, Verdict
from sightline.extract.about import trace_about
from sightline.extract.published import bounded_distance, distance_threshold, fewest_edits, gram_counts
from sightline.extract.wrappers import Wrapper
from sightline.sources import PageOutline, parse, read_outline

__all__ = [
    "AnyLikeness",
    "Judgement",
    "KindLikeness",
    "Likeness",
    "LikenessByHost",
    "ProfileLikeness",
    "Questions",
    "SkeletonLikeness",
    "WrapperLikeness",
]


# -- what every likeness answers ------------------------------------------------------------------------------------


class Likeness(Protocol):
    """Recognises the pages looked for."""

    def judge(self, text: str, outline: PageOutline, url: str) -> Judgement:
        """The judgement on a page, given its HTML, its outline and its address."""

    def dumps(self) -> bytes:
        """What was learned from the pages judged, to go on after a stop; nothing for most."""

    def resume(self, state: bytes) -> None:
        """Go on with what `dumps` wrote down."""


class Unlearning:
    """For a likeness that keeps nothing of the pages it judges."""

    def dumps(self) -> bytes:
        """Nothing."""
        return b""

    def resume(self, state: bytes) -> None:
        """Nothing to go on with."""


class AnyLikeness(Unlearning):
    """Every page is one of those looked for: `sightline crawl --any`."""

    def judge(self, text: str, outline: PageOutline, url: str) -> Judgement:  # noqa: ARG002 - none of it matters
        """Yes."""
        return Judgement(is_target=True, likeness=1.0)


# A likeness for each host, where examples come from several: what makes a page of one is nothing on another.


class LikenessByHost:
    """Judges pages by the examples of their own host, and those of hosts without any by `otherwise`."""

    def __init__(self, hosts: Mapping[str, Likeness], otherwise: Likeness | None = None) -> None:
        self._hosts = dict(hosts)
        self._otherwise = otherwise

    def judge(self, text: str, outline: PageOutline, url: str) -> Judgement:
        """The judgement of the likeness for the page's host."""
        likeness = self._hosts.get(host_of(url), self._otherwise)
        return likeness.judge(text, outline, url) if likeness else Judgement(is_target=False, likeness=0.0)

    def dumps(self) -> bytes:
        """What the likenesses of all hosts learned."""
        learned = {host: likeness.dumps() for host, likeness in self._hosts.items()}
        return msgspec.msgpack.encode({**learned, "": self._otherwise.dumps() if self._otherwise else b""})

    def resume(self, state: bytes) -> None:
        """Go on with what `dumps` wrote down."""
        learned = msgspec.msgpack.decode(state, type=dict[str, bytes])
        for host, likeness in self._hosts.items():
            if learned.get(host):
                likeness.resume(learned[host])
        if self._otherwise and learned.get(""):
            self._otherwise.resume(learned[""])


# Likeness as published for Lixto: the edit distance between skeleton codes.

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
        self.threshold: int = round(ALONE * len(self._templates[0])) if found is None else found

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


# Likeness by a wrapper: the pages looked for are those that it can read.

LIKENESS: dict[Verdict, float] = {"ok": 1.0, "suspicious": 0.5, "failed": 0.0}


class WrapperLikeness(Unlearning):
    """A page is a target if the wrapper finds records on it and does not reject its template.

    Suspicious pages with data are targets, too: the user wants their records, with the doubts that extraction reports.
    """

    def __init__(self, wrapper: Wrapper) -> None:
        self._wrapper = wrapper

    def judge(self, text: str, outline: PageOutline, url: str) -> Judgement:  # noqa: ARG002 - the wrapper reads the page
        """The judgement on a page by the wrapper's verdict."""
        found = self._wrapper.read(parse(text, url=url), heal=False)
        is_target = found.verdict == "ok" or (found.verdict == "suspicious" and _is_filled(found.records))
        return Judgement(is_target, LIKENESS[found.verdict] if is_target else 0.0)


def _is_filled(records: Records) -> bool:
    """Whether at least half of the fields have a value: the frame of a site alone fills none, or the title."""
    values = [value for record in records.to_dicts() for value in record.values()]
    return bool(values) and 2 * sum(value not in (None, [], "") for value in values) >= len(values)


# Likeness by what a page is about: the pages looked for are about one thing of a kind, whatever their template.


class KindLikeness(Unlearning):
    """A page is a target if it is about one thing of a kind, such as a product; no example is needed.

    It is told as `sightline about` tells it, from the page as it came, without a browser.
    """

    def __init__(self, kind: str) -> None:
        """`kind` is one of `sightline.extract.about.KINDS`."""
        self._kind = kind

    def judge(self, text: str, outline: PageOutline, url: str) -> Judgement:  # noqa: ARG002 - what it is about matters
        """The judgement on a page; the likeness is how likely it is of the kind, also where it is no target."""
        trace = trace_about(parse(text, url=url))
        return Judgement(trace.found.kind == self._kind, min(trace.kinds.get(self._kind, 0.0), 1.0))
