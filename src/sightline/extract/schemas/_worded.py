"""Several values in one text: "Company: Acme · Berlin · Posted 3 May" is three fields.

The words that all texts of a field have in common, in one order, are their wording, and what is between them are
values. Commas and hyphens alone never separate values: names and places have them.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from sightline.extract.schemas._labels import is_label, without_joining

__all__ = ["Wording", "value_in", "values_in", "wording_of"]

LEAST_TEXTS = 4  # different ones; words that three share may be chance
SAMPLE = 60  # texts that decide
LONGEST = 200  # characters; more is prose, which has words in common as well
LONGEST_SENTENCE = 120  # characters of a text whose values only words separate
ALL = 0.95  # of the texts have the wording
MOST_VALUES = 8
# What stands alone between two values. By itself, it must vary what is on both sides of it.
SEPARATORS = frozenset(["·", "|", "•", "–", "—", "∙", "‧", "/", "»", "›", "⋅", "●"])
LEAST_JOINTS = 2  # pieces of wording between and before values, where these are words


class Wording(NamedTuple):
    """What is before, between and after the values of a text, in words; and the names that this gives them.

    >>> wording_of(["Maker: Ada | 3 May", "Maker: Bo | 4 May", "Maker: Cy | 5 May", "Maker: Di | 6 June"])
    Wording(joints=('Maker:', '|', ''), names=('Maker', ''))
    """

    joints: tuple[str, ...]
    names: tuple[str, ...]


def value_in(text: str, joints: Sequence[str], place: int) -> str | None:
    """One of the values of a text; None if it is worded otherwise.

    >>> value_in("Company: Acme · Posted 3 May", ("Company:", "· Posted", ""), 1)
    '3 May'
    """
    values = values_in(text.split(), [joint.split() for joint in joints])
    return values[place] if values and place < len(values) else None


def values_in(words: Sequence[str], joints: Sequence[Sequence[str]]) -> list[str] | None:
    """All values of a text between joints, each found as early as possible; None if one is missing or empty."""
    first, *between, last = joints
    stop = len(words) - len(last)
    if list(words[: len(first)]) != list(first) or list(words[stop:]) != list(last):
        return None
    at, values = len(first), []
    for joint in between:
        found = next((n for n in range(at + 1, stop) if list(words[n : n + len(joint)]) == list(joint)), -1)
        if found < 0:
            return None
        values.append(" ".join(words[at:found]))
        at = found + len(joint)
    values.append(" ".join(words[at:stop]))
    return values if all(values) else None


def wording_of(texts: Sequence[str]) -> Wording | None:
    """The wording that texts have in common, if they have several values in it."""
    some = list(dict.fromkeys(texts))[:SAMPLE]
    if len(some) < LEAST_TEXTS or max(map(len, some)) > LONGEST:
        return None
    split = [text.split() for text in some]
    joints = _joints(split)
    if not 2 < len(joints) <= MOST_VALUES + 1 or not _tells(joints, some):
        return None
    read = [values for words in split if (values := values_in(words, joints))]
    if len(read) < ALL * len(some):
        return None
    columns = list(zip(*read, strict=True))
    if any(len(set(column)) < 2 for column in columns):
        return None
    return Wording(tuple(map(" ".join, joints)), tuple(map(_name, joints[:-1])))


def _tells(joints: Sequence[Sequence[str]], texts: Sequence[str]) -> bool:
    """Whether joints separate values: by marks or labels, or, in short texts, by several words."""
    if all(any(map(_is_mark, joint)) for joint in joints[1:-1]):
        return True
    if max(map(len, texts)) > LONGEST_SENTENCE or not joints[0]:
        return False
    return len([joint for joint in joints if joint]) >= LEAST_JOINTS


def _is_mark(word: str) -> bool:
    return word in SEPARATORS or (len(word) > 2 and word.endswith((":", "：")))


def _joints(split: Sequence[Sequence[str]]) -> list[list[str]]:
    """The words that all texts have, in runs: what is before, between and after the values."""
    common = list(split[0])
    for words in split[1:]:
        common = _shared(common, words)
        if not common:
            return []
    places = [list(_places(common, words)) for words in split]
    near = [all(place[n + 1] == place[n] + 1 for place in places) for n in range(len(common) - 1)]
    starts = all(place[0] == 0 for place in places)
    ends = all(place[-1] == len(words) - 1 for place, words in zip(places, split, strict=True))
    runs: list[list[str]] = [[common[0]]]
    for word, joined in zip(common[1:], near, strict=True):
        if joined:
            runs[-1].append(word)
        else:
            runs.append([word])
    return [*([] if starts else [[]]), *runs, *([] if ends else [[]])]


def _places(common: Sequence[str], words: Sequence[str]) -> Iterator[int]:
    """Where common words are among the words of a text, each as early as possible."""
    at = -1
    for word in common:
        at = words.index(word, at + 1)
        yield at


def _shared(first: Sequence[str], other: Sequence[str]) -> list[str]:
    """The longest sequence of words that is in both."""
    lengths = [[0] * (len(other) + 1)]
    for word in first:
        above = lengths[-1]
        row = accumulate(
            range(len(other)),
            lambda left, n, word=word, above=above: (  # type: ignore[misc]
                above[n] + 1 if word == other[n] else max(above[n + 1], left)
            ),
            initial=0,
        )
        lengths.append(list(row))
    found, n, m = [], len(first), len(other)
    while n and m:
        if first[n - 1] == other[m - 1] and lengths[n][m] == lengths[n - 1][m - 1] + 1:
            found.append(first[n - 1])
            n, m = n - 1, m - 1
        elif lengths[n - 1][m] >= lengths[n][m - 1]:
            n -= 1
        else:
            m -= 1
    return found[::-1]


def _name(joint: Sequence[str]) -> str:
    """The name that the words before a value give it; those of a sentence give none."""
    words = [word for word in joint if word not in SEPARATORS]
    if not words:
        return ""
    label = words[-1].endswith((":", "："))
    name = without_joining(words).strip(" :：,;")
    is_name = is_label(name) and (label or name[:1].isupper()) and len(name) > 2
    return name if is_name else ""
