"""The default likeness: a page is a target if it has what all examples have and other pages of the site lack.

The profile of a page is a set: its classes, its ids, and the triples of tags that follow each other. A
set does not care whether a class has 2 methods or 200. The *core* is what the profiles of all examples share. Each part
of it weighs -log of its share among the other pages seen, so the frame of the site weighs nothing. The
likeness of a page is the weight of the parts of the core that it has, as a share of the whole weight.
"""

import re
import zlib
from collections.abc import Sequence

import numpy as np

from sightline.arrays import BoolArray, FloatArray, LongArray
from sightline.crawl.likeness._judgement import Judgement
from sightline.sources import PageOutline, read_outline

__all__ = ["ProfileLikeness"]

# Thresholds for one, two, three, four, and five or more examples: with more, less of the core is there by chance.
# Best on average over the cases of bench/crawl, in steps of 0.05. A single example gives no more than a rough idea: the
# core is all of it, and no threshold is good on all sites.
THRESHOLDS = (0.55, 0.8, 0.8, 0.8, 0.85)
# How much pages judged to be targets count for in the background; the first pages count in full. Were it 0, a page
# taken for a target by mistake would never teach that others look like it, too.
FIRST, OF_TARGETS = 20, 0.05
# Pages of the background after which older ones count half. A few dozen suffice; sites have parts.
REMEMBERED = 400
BUCKETS = 1 << 16  # parts of profiles are numbers below this; a page has about a thousand
_REMEMBERED_NAMES = 50_000

_NAMES = re.compile(r"""\s(class|id)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s<>"']+))""")
_DIGITS = re.compile(r"\d+")


class ProfileLikeness:
    """Recognises pages like some examples. It learns from the pages that it rejects what the whole site has."""

    def __init__(self, examples: Sequence[str]) -> None:
        """`examples` are the HTML of pages looked for; at least one."""
        self._names: dict[tuple[str, ...], list[int]] = {}
        profiles = [self._profile(text, read_outline(text)) for text in examples]
        self._core = np.flatnonzero(np.logical_and.reduce(profiles))
        self.threshold = THRESHOLDS[min(len(examples), len(THRESHOLDS)) - 1]
        self._background: FloatArray = np.zeros(BUCKETS)
        self._pages = 0.0
        self._weights = self._weigh()

    def judge(self, text: str, outline: PageOutline, url: str) -> Judgement:  # noqa: ARG002 - a site may name pages anyhow
        """The judgement on a page, which then becomes part of the background."""
        profile = self._profile(text, outline)
        likeness = float(self._weights @ profile[self._core])
        is_target = likeness >= self.threshold
        self._learn(profile, 1.0 if not is_target or self._pages < FIRST else OF_TARGETS)
        return Judgement(is_target, likeness)

    def dumps(self) -> bytes:
        """The background, to go on after a stop."""
        return zlib.compress(np.append(self._background, self._pages).astype("<f8").tobytes(), 1)

    def resume(self, state: bytes) -> None:
        """Go on with the background that `dumps` wrote down."""
        kept = np.frombuffer(zlib.decompress(state), dtype="<f8").astype(np.float64)
        self._background, self._pages = kept[:-1], float(kept[-1])
        self._weights = self._weigh()

    def _learn(self, profile: BoolArray, weight: float) -> None:
        self._background[profile] += weight
        self._pages += weight
        if self._pages >= REMEMBERED:
            self._background /= 2
            self._pages /= 2
        self._weights = self._weigh()

    def _weigh(self) -> FloatArray:
        """The weight of each part of the core; together they weigh 1."""
        shares = np.minimum((self._background[self._core] + 0.5) / (self._pages + 1), 1.0)
        weights: FloatArray = -np.log(shares)
        return weights / max(float(weights.sum()), 1e-9)

    def _profile(self, text: str, outline: PageOutline) -> BoolArray:
        found = np.zeros(BUCKETS, np.bool_)
        found[_triples(outline.skeleton)] = True
        if len(self._names) > _REMEMBERED_NAMES:
            self._names.clear()
        numbers: list[int] = []
        for name in set(_NAMES.findall(text)):
            known = self._names.get(name)
            if known is None:
                known = self._names[name] = _numbers(name)
            numbers.extend(known)
        found[numbers] = True
        return found


def _triples(skeleton: str) -> LongArray:
    letters = np.frombuffer(skeleton.encode("utf-32-le"), dtype="<u4").astype(np.int64)
    return (letters[:-2] * 961 + letters[1:-1] * 31 + letters[2:]) % BUCKETS


def _numbers(name: tuple[str, ...]) -> list[int]:
    """The numbers of the parts that a class attribute or an id stands for; an id with digits is the page's own."""
    attribute, *values = name
    value = "".join(values)
    if attribute == "id":
        return [] if _DIGITS.search(value) else [_number(f"#{value}")]
    return [_number(f".{_DIGITS.sub('0', word)}") for word in value.split()]


def _number(part: str) -> int:
    return zlib.crc32(part.encode("utf-8", "surrogatepass")) % BUCKETS
