"""What speaks against a name: texts that no label is about, and labels that are themselves values or headings.

A neutral name is better than a wrong one, so a label, a heading or a class names a field only if nothing here objects.
Found on the sites of the benchmark that are not held out; `python -m bench.induce.naming` tells what each is worth.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from sightline.signals import word_set

__all__ = ["FixedText", "are_peers", "can_be", "common_steps", "counted", "has_word", "is_byline", "is_named_elsewhere"]

MOST = 0.6  # of the texts of a field; a few are always something else
# What a link or a button says to do. The list has the verbs of buttons, not those of any sentence.
DOING = word_set("""
    add apply be browse buy check choose click compare create download enlarge enter explore find follow get go join
    learn listen print rate read register remove reply request reserve review save search see select send share shop
    show sign submit subscribe try upload view visit watch write
    """)
# Things that are counted beside what they are about: "(220 reviews)" beside a rating is not a rating.
COUNTED = re.compile(
    r"\(?\d[\d,.]*\+? (?:\w+ )?(reviews?|ratings?|votes?|comments?|pages?|copies|customers?)\)?", re.IGNORECASE
)
YEARS = re.compile(r"\b(?:1[89]|20)\d\d\b|[\W_]|\b(?:\d\d|present|now|today)\b")
MOST_BESIDE_YEAR = 1  # words; "2010 Suzuki SX4" is a car
CELLS = frozenset(["td", "th", "dt", "dd"])
_WORD = re.compile(r"[^\W\d_]{3}")


class FixedText(NamedTuple):
    """A fixed text that may be a label: the elements around it, by name and number, and those that mark it as one."""

    text: str
    names: tuple[str, ...]
    path: tuple[int, ...]
    marks: frozenset[str]
    share: float = 1.0  # of the records that have it
    in_row: bool = False  # one of several labels beside each other: a heading row, and not the label of what follows
    in_block: bool = False  # another label is before it in its row: labels come first there, and then their values

    @property
    def tag(self) -> str:
        """The element that it is in."""
        return self.names[-1].partition(" ")[0] if self.names else ""

    @property
    def is_marked(self) -> bool:
        """Whether it is marked as a label by an element or a colon."""
        return bool(self.marks) or self.has_colon

    @property
    def has_colon(self) -> bool:
        """Whether it ends with a colon, as labels do."""
        return self.text.endswith(":")


def has_word(text: str) -> bool:
    """Whether a text has a word, so that what follows it is about that.

    >>> has_word("Reviews"), has_word("|"), has_word("of")
    (True, False, False)
    """
    return _WORD.search(text) is not None


def is_named_elsewhere(texts: Sequence[str]) -> bool:
    """Whether most texts are no values: they say what to do, or are labels of what follows them.

    >>> is_named_elsewhere(["Read reviews", "Be the first to review"]), is_named_elsewhere(["Find it in:"])
    (True, True)
    >>> is_named_elsewhere(["Red", "Find me"])
    False
    """
    return sum(_says_what_to_do(text) or text.endswith((":", "：")) for text in texts) >= MOST * max(1, len(texts))


def _says_what_to_do(text: str) -> bool:
    words = text.split()
    return len(words) > 1 and words[0].lower() in DOING


def is_byline(texts: Sequence[str]) -> bool:
    """Whether most texts say who wrote something; a heading above is about what they wrote.

    >>> is_byline(["by Hal Erickson", "by Paul Brenner"])
    True
    """
    return sum(text[:3].lower() == "by " for text in texts) >= MOST * max(1, len(texts))


def counted(texts: Sequence[str]) -> str:
    """What most texts count, if they say it themselves.

    >>> counted(["(220 Reviews)", "(1 Review)"]), counted(["5 stars"]), counted(["12 User Reviews"])
    ('reviews', '', 'reviews')
    """
    found = [match[1].lower() for text in texts if (match := COUNTED.fullmatch(text))]
    if len(found) < MOST * max(1, len(texts)) or not found:
        return ""
    return found[0] if found[0].endswith("s") else f"{found[0]}s"


def can_be(name: str, texts: Sequence[str]) -> bool:
    """Whether texts can be years, if that is what a class calls them.

    >>> can_be("years", ["2010 Suzuki SX4", "2009 Suzuki SX4"]), can_be("year", ["2010", "2010-11", "© 2011"])
    (False, True)
    """
    if name.rpartition(" ")[2].removesuffix("s") != "year":
        return True
    return sum(len(YEARS.sub(" ", text).split()) <= MOST_BESIDE_YEAR for text in texts) >= MOST * max(1, len(texts))


def are_peers(label: FixedText, names: Sequence[str], path: Sequence[int], texts: Sequence[str]) -> bool:
    """Whether a fixed text and a value beside it are of one kind by their markup: both labels, or both values.

    They are words in elements with the same class or id, each in its own (cells of a table often share theirs); or the
    text is an item like the value, marked as nothing, and some records have none.
    """
    if label.has_colon:
        return False
    common = common_steps(label.path, path)
    styled = _nearest_style(label.names[common:])
    if styled and styled == _nearest_style(names[common:]) and not _have_digits(texts):
        return True
    return bool(label.tag) and not label.is_marked and label.share < 1.0 and tuple(names) == label.names


def common_steps(path: Sequence[int], other: Sequence[int]) -> int:
    """How many steps two places share from the top.

    >>> common_steps((1, 2, 3), (1, 2, 5, 6)), common_steps((1, 2), (1, 2, 5))
    (2, 2)
    """
    shorter = min(len(path), len(other))
    return next((at for at in range(shorter) if path[at] != other[at]), shorter)


def _have_digits(texts: Sequence[str]) -> bool:
    return 2 * sum(any(map(str.isdigit, text)) for text in texts) > len(texts)


def _nearest_style(names: Sequence[str]) -> str:
    """The classes and ids of the nearest element around that has any, with its tag."""
    for name in reversed(names):
        if any(word[0] in ".#" for word in name.split()[1:]) and name.partition(" ")[0] not in CELLS:
            return " ".join(word for word in name.split() if word[0] != ":")
    return ""
