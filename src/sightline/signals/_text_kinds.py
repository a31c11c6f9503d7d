"""The kind of a text, judged cheaply from its characters: enough to see whether cells are alike."""

import re
from enum import IntEnum
from functools import lru_cache

__all__ = ["TextKind", "text_kind"]

MOST_TEXTS = 8192  # whose kinds are remembered: about a megabyte
LONG = 60  # characters; the longest names and titles are shorter, sentences are not

NUMBER = r"[^\w]{0,3}\d[\d.,'’\s]*[^\w]{0,3}(?:[a-zA-Z%°$€£¥µ²³/]{1,4})?[^\w]*"
# A number, a digit, a letter: the group that matches is the kind. Tables ask for every cell, and one search is fastest.
KIND = re.compile(rf"({NUMBER}\Z)|(\D*\d)|([\W_]*[^\W_])")


class TextKind(IntEnum):
    """Kinds of text, from nothing to prose."""

    EMPTY = 0
    NUMBER = 1
    DIGITS = 2
    WORDS = 3
    PROSE = 4


KINDS = tuple(TextKind)


def text_kind(text: str) -> TextKind:
    """The kind of a text.

    >>> [text_kind(text).name for text in ("", "$1,200.50", "12 May 1999", "Canon", "−4.1 %")]
    ['EMPTY', 'NUMBER', 'DIGITS', 'WORDS', 'NUMBER']
    """
    return TextKind.PROSE if len(text) > LONG else _short_kind(text)


@lru_cache(maxsize=MOST_TEXTS)  # labels come again on every page of a site
def _short_kind(text: str) -> TextKind:
    found = KIND.match(text)
    return KINDS[found.lastindex or 0] if found else TextKind.EMPTY
