"""The default likeness: does a page have what all examples have, and what other pages of the site lack?

The profile of a page is a set: its classes with their tags, its ids, and the triples of tags that follow each other. A
set does not care whether a class has 2 methods or 200. The *core* is what the profiles of all examples share. Each part
of it weighs -log of its share among the pages seen that were no targets, so the frame of the site weighs nothing. The
likeness of a page is the weight of the parts of the core that it has, as a share of the whole weight.
"""

import re
import zlib
from collections.abc import Sequence

import numpy as np

from sightline.arrays import BoolArray, FloatArray, LongArray
from sightline.crawl.likeness._judgement import Judgement
from sightline.sources import Outline, read_outline

__all__ = ["ProfileLikeness"]

# Thresholds for one, two, three, four, and five or more examples. With more examples, less of the core is there by chance.
# Chosen over the cases of bench/crawl; F1 changes by less than 0.02 within 0.05 of each. Run bench/crawl/fit_likeness.py
# after changing the profile.
THRESHOLDS = (0.65, 0.75, 0.75, 0.8, 0.8)
# Pages of the background after which older ones count half. A few dozen suffice; sites have parts.
REMEMBERED = 400
BUCKETS = 1 << 16  # parts of profiles are numbers below this; a page has about a thousand
_REMEMBERED_NAMES = 50_000

_CLASSES = re.compile(r"""<([a-zA-Z][\w-]*)\s(?:[^<>]*?\s)?class\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s>"']+))""")
_IDS = re.compile(r"""\sid\s*=\s*["']?([^"'\s<>]+)""")
_DIGITS = re.compile(r"\d+")


class ProfileLikeness:
    """Recognises pages like some examples. It learns from the pages that it rejects what the whole site has."""

    def __init__(self, examples: Sequence[str]) -> None:
        """`examples` are the HTML of pages looked for; at least one."""
        self._names: dict[tuple[str, ...], list[int]] = {}
        profiles = [self._profile(text, read_outline(text)) for text in examples]
        self._core = np.flatnonzero(np.logical_and.reduce(profiles))
        self.threshold = THRESHOLDS[min(len(examples), len(THRESHOLDS)) - 1]
        self._background: LongArray = np.zeros(BUCKETS, np.int64)
        self._pages = 0
        self._weights = self._weigh()

    def judge(self, text: str, outline: Outline, url: str) -> Judgement:  # noqa: ARG002 - a site may name pages anyhow
        """The judgement on a page; a page that is no target becomes part of the background."""
        profile = self._profile(text, outline)
        likeness = float(self._weights @ profile[self._core])
        is_target = likeness >= self.threshold
        if not is_target:
            self._learn(profile)
        return Judgement(is_target, likeness)

    def dumps(self) -> bytes:
        """The background, to go on after a stop."""
        return zlib.compress(self._pages.to_bytes(8, "little") + self._background.astype("<i8").tobytes(), 1)

    def resume(self, state: bytes) -> None:
        """Go on with the background that `dumps` wrote down."""
        kept = zlib.decompress(state)
        self._pages = int.from_bytes(kept[:8], "little")
        self._background = np.frombuffer(kept[8:], dtype="<i8").astype(np.int64)
        self._weights = self._weigh()

    def _learn(self, profile: BoolArray) -> None:
        self._background += profile
        self._pages += 1
        if self._pages >= REMEMBERED:
            self._background //= 2
            self._pages //= 2
        self._weights = self._weigh()

    def _weigh(self) -> FloatArray:
        """The weight of each part of the core; together they weigh 1."""
        shares = (self._background[self._core] + 0.5) / (self._pages + 1)
        weights: FloatArray = -np.log(shares)
        return weights / max(float(weights.sum()), 1e-9)

    def _profile(self, text: str, outline: Outline) -> BoolArray:
        found = np.zeros(BUCKETS, np.bool_)
        found[_triples(outline.skeleton)] = True
        named: set[tuple[str, ...]] = set(_CLASSES.findall(text))
        named.update((name,) for name in _IDS.findall(text))
        if len(self._names) > _REMEMBERED_NAMES:
            self._names.clear()
        numbers: list[int] = []
        for name in named:
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
    if len(name) == 1:
        return [] if _DIGITS.search(name[0]) else [_number(f"#{name[0]}")]
    tag, *values = name
    return [_number(f"{tag.lower()}.{_DIGITS.sub('0', word)}") for word in "".join(values).split()]


def _number(part: str) -> int:
    return zlib.crc32(part.encode("utf-8", "surrogatepass")) % BUCKETS
