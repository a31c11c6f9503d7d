"""The kind of a text, judged cheaply from its characters: enough to see whether cells are alike."""

import re
from enum import IntEnum

__all__ = ["TextKind", "text_kind"]

LONG = 60  # characters; the longest names and titles are shorter, sentences are not

DIGIT, LETTER = re.compile(r"\d"), re.compile(r"[^\W_]")
NUMBER = re.compile(r"[^\w]{0,3}\d[\d.,'’\s]*[^\w]{0,3}(?:[a-zA-Z%°$€£¥µ²³/]{1,4})?[^\w]*")


class TextKind(IntEnum):
    """Kinds of text, from nothing to prose."""

    EMPTY = 0
    NUMBER = 1
    DIGITS = 2
    WORDS = 3
    PROSE = 4


def text_kind(text: str) -> TextKind:
    """The kind of a text.

    >>> [text_kind(text).name for text in ("", "$1,200.50", "12 May 1999", "Canon", "−4.1 %")]
    ['EMPTY', 'NUMBER', 'DIGITS', 'WORDS', 'NUMBER']
    """
    if len(text) > LONG:
        return TextKind.PROSE
    if not DIGIT.search(text):
        return TextKind.WORDS if LETTER.search(text) else TextKind.EMPTY
    return TextKind.NUMBER if NUMBER.fullmatch(text) else TextKind.DIGITS
