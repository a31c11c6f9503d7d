"""Texts of pages on their way to an agent: harmless, and no longer than they are worth."""

import re

__all__ = ["as_said", "one_sentence"]

# Control characters, and marks that change the direction of text. And characters that no person sees but every language
# model reads: tag characters and variation selectors spell out hidden instructions.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]+"
)
_LONGEST_ERROR = 600  # characters; the longest of our own messages are half as long


def as_said(text: str, most: int) -> str:
    r"""A text as a person sees it, on one line; what is beyond `most` characters is cut, and how much is told.

    >>> as_said("EOS\n 5D\x1b[31m\U000e0041\U000e0042", 100)
    'EOS 5D�[31m�'
    >>> as_said("x" * 1200, 5)
    'xxxxx… [1,195 characters more]'
    """
    seen = " ".join(_UNSEEN.sub("\ufffd", text).split())
    return seen if len(seen) <= most else f"{seen[:most]}… [{len(seen) - most:,} characters more]"


def one_sentence(message: str) -> str:
    """An error for an agent: one line, in which whatever a page or a caller said is harmless."""
    return as_said(message, _LONGEST_ERROR)
