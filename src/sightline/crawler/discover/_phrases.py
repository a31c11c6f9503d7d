"""The phrases of a domain: their file, and where they occur in a text."""

import math
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from sightline.errors import UsageError
from sightline.files import read_bytes

__all__ = ["DomainPhrases", "quoted", "rarity_weights", "read_phrases", "weighted_share"]

MOST_BYTES = 1_000_000
LEAST_PHRASES = 2  # a conjunction joins at least two
_ADVICE = "give a text file with one phrase a line"
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class DomainPhrases:
    """The phrases of a domain, each once, in the order in which they were given.

    Case, hyphens and a plural `s` make no difference:

    >>> DomainPhrases.of(["optical zoom", "megapixel", "ISO"]).found_in("20 Megapixels, 3x optical-zoom, isolated")
    frozenset({0, 1})
    """

    texts: tuple[str, ...]

    @classmethod
    def of(cls, phrases: Iterable[str]) -> "DomainPhrases":
        """Tidy phrases; fewer than two are an error, since queries join several.

        >>> DomainPhrases.of(["Zoom ", "zoom", "", "ISO"]).texts
        ('Zoom', 'ISO')
        """
        if isinstance(phrases, str):
            raise UsageError(f"The phrases must be a list of texts, not one text; write [{phrases!r}, …].")
        tidy: dict[str, str] = {}
        for phrase in (" ".join(one.split()) for one in phrases):
            if _WORD.search(phrase):
                tidy.setdefault(phrase.casefold(), phrase)
        kept = tuple(tidy.values())
        if len(kept) < LEAST_PHRASES:
            raise UsageError(
                f"Queries join several phrases, and {len(kept)} cannot be joined; give at least {LEAST_PHRASES}, "
                "better ten or more."
            )
        return cls(kept)

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(_pattern(text) for text in self.texts)

    def found_in(self, text: str) -> frozenset[int]:
        """The numbers of the phrases that occur in a text."""
        folded = text.casefold()
        return frozenset(number for number, pattern in enumerate(self._patterns) if pattern.search(folded))

    def count_in(self, text: str) -> int:
        """How often phrases occur in a text, all together."""
        folded = text.casefold()
        return sum(len(pattern.findall(folded)) for pattern in self._patterns)


def _pattern(phrase: str) -> re.Pattern[str]:
    words = _WORD.findall(phrase.casefold())
    joined = r"[\W_]{1,3}".join(map(re.escape, words))
    return re.compile(rf"(?<![^\W_]){joined}(?:e?s)?(?![^\W_])")


def rarity_weights(commonness: Sequence[float]) -> list[float]:
    """How much each phrase says about the domain, summing to 1: rare ones more, as the logarithm of their rarity.

    >>> [round(weight, 2) for weight in rarity_weights([0.5, 0.05])]
    [0.19, 0.81]
    """
    raw = [-math.log(min(max(common, 0.001), 0.95)) for common in commonness]
    whole = sum(raw)
    return [weight / whole for weight in raw]


def weighted_share(found: Iterable[int], weights: Sequence[float]) -> float:
    """The share of the phrases that were found, rare ones counting more."""
    return sum(weights[number] for number in found)


def read_phrases(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The phrases of a file: one a line; empty lines and lines that begin with `#` are skipped."""
    content = read_bytes(path, _ADVICE, MOST_BYTES)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise UsageError(f"{path}: the phrases are not UTF-8 text; save the file as UTF-8.") from problem
    lines = (line.strip() for line in text.splitlines())
    try:
        return DomainPhrases.of(line for line in lines if line and not line.startswith("#")).texts
    except UsageError as problem:
        raise UsageError(f"{path}: {problem.message[:1].lower()}{problem.message[1:]}") from problem


def quoted(phrases: Iterable[str]) -> str:
    """Phrases as search engines take them: those of several words in quotation marks.

    >>> quoted(["optical zoom", "ISO"])
    '"optical zoom" ISO'
    """
    plain = (phrase.replace('"', " ") for phrase in phrases)
    return " ".join(f'"{phrase}"' if len(phrase.split()) > 1 else phrase for phrase in plain)
