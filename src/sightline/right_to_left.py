"""Hebrew, Arabic and their kin: from the order in which letters stand on paper to the order in which they are read.

Paper has letters from left to right. Words and lines of these scripts are read from right to left, numbers and words of
other scripts inside them from left to right. Where both sides say nothing, as in a line of numbers, it stays as it is.
"""

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["OURS", "as_read", "has_right_to_left", "is_right_to_left", "letters_as_read", "words_as_read"]

# Hebrew to Arabic Extended-A, and the presentation forms of both.
FIRST, LAST = 0x0590, 0x08FF
FIRST_FORM, LAST_FORM, FIRST_ARABIC_FORM, LAST_ARABIC_FORM = 0xFB1D, 0xFDFF, 0xFE70, 0xFEFC
OURS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")  # what is in such a script
FORMS = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+")
MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
STRONG, NUMBERS = ("R", "AL"), ("EN", "AN")


def has_right_to_left(code: npt.NDArray[np.integer]) -> bool:
    """Whether any of some characters may be of a script that is read from right to left."""
    if not len(code) or int(code.max()) < FIRST:
        return False
    forms = ((code >= FIRST_FORM) & (code <= LAST_FORM)) | ((code >= FIRST_ARABIC_FORM) & (code <= LAST_ARABIC_FORM))
    return bool((((code >= FIRST) & (code <= LAST)) | forms).any())


def is_right_to_left(texts: Sequence[str]) -> bool:
    """Whether more letters of some texts are read from right to left than from left to right.

    >>> is_right_to_left(["12", "\u05d0\u05d1"]), is_right_to_left(["ab", "\u05d0"])
    (True, False)
    """
    if not any(OURS.search(text) for text in texts):
        return False
    kinds = [unicodedata.bidirectional(sign) for text in texts for sign in text]
    return sum(kind in STRONG for kind in kinds) > kinds.count("L")


def letters_as_read(text: str) -> str:
    """A word whose letters stand from left to right as on paper, in the order in which they are read.

    >>> letters_as_read("\u05d1\u05d0") == "\u05d0\u05d1", letters_as_read("12:\u05d0") == "\u05d0:12"
    (True, True)
    """
    if not OURS.search(text):
        return text
    parts = _clusters(text)
    kinds = [_kind(part) for part in parts]
    order = as_read(kinds)
    read = "".join(part if kinds[place] else part.translate(MIRRORED) for place, part in _chosen(parts, order))
    return FORMS.sub(lambda form: unicodedata.normalize("NFKC", form[0]), read)


def words_as_read(texts: Sequence[str]) -> list[int]:
    """The places of the words of a line in the order in which they are read, given from left to right.

    >>> words_as_read(["12", "\u05d0\u05d1\u05d2\u05d3", "an", "ox", "\u05d4\u05d5"])
    [4, 2, 3, 1, 0]
    """
    if not is_right_to_left(texts):
        return list(range(len(texts)))
    return as_read([not OURS.search(text) and any(sign.isalnum() for sign in text) for text in texts])


def as_read(forward: Sequence[bool]) -> list[int]:
    """Places from the last to the first, those that run `forward` next to each other in their own order.

    >>> as_read([False, True, True, False])
    [3, 1, 2, 0]
    """
    found: list[int] = []
    stop = len(forward)
    while stop:
        start = stop - 1
        while forward[start] and start and forward[start - 1]:
            start -= 1
        found += range(start, stop)
        stop = start
    return found


def _chosen(parts: Sequence[str], order: Sequence[int]) -> list[tuple[int, str]]:
    return [(place, parts[place]) for place in order]


def _clusters(text: str) -> list[str]:
    """The signs of a text, each with the marks above or below it; numbers with their points as one."""
    return re.findall(r"\d+(?:[.,:/]\d+)*|.[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]*", text, re.DOTALL)


def _kind(part: str) -> bool:
    """Whether a sign or a number runs from left to right."""
    return unicodedata.bidirectional(part[0]) in ("L", *NUMBERS)
