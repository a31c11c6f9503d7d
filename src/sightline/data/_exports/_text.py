"""What every format needs: texts that can be encoded, and that no spreadsheet executes."""

import re

__all__ = ["defused", "encodable", "xml_text"]

_SURROGATES = re.compile("[\ud800-\udfff]")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

# What spreadsheets take as the start of a formula, also in its full-width form.
_STARTS = "=+-@\t\r\n＝＋－＠"
# Blanks and invisible marks that an importing program may drop, so that what follows comes first.
_SKIPPED = " \u00a0\u200b\u200e\u200f\u2060\u3000\ufeff"
_AFTER_A_BREAK = re.compile(rf"([;\t\r\n])([{_SKIPPED}\"]*)((?=[=+\-@＝＋－＠])[^;\t\r\n]*)")
# A number with a sign, a currency before it or a short unit behind it runs nothing; nor does a dash for nothing.
_NUMBER = re.compile(
    r"[+-][$€£¥]? ?[0-9](?:[0-9.,]*[0-9])?(?:[eE][+-]?[0-9]+)?(?: ?(?:[%‰°$€£¥]|°?[A-Za-z]{1,3}))?"
    r"|[+-][.,][0-9]+|-{1,3}"
)


def encodable(text: str) -> str:
    r"""The text with lone surrogates, which no encoding can write, replaced.

    >>> encodable("a\ud800b")
    'a�b'
    """
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def xml_text(text: str) -> str:
    r"""The text with every character that XML 1.0 forbids replaced.

    >>> xml_text("a\x00b\x1bc")
    'a�b�c'
    """
    return _NOT_IN_XML.sub("\ufffd", text)


def defused(text: str) -> str:
    """The text with an apostrophe in front if a spreadsheet could take it for a formula; numbers and dashes stay.

    Where semicolons separate fields, a spreadsheet splits a file at each of them, and at line breaks within a quoted
    field as well; so what follows one inside of a text is treated like the beginning.

    >>> [defused(text) for text in ("=1+1", "-5", "+1.5 %", "-$300", "--", "-1+1", "@SUM(A1)", "a=b")]
    ["'=1+1", '-5', '+1.5 %', '-$300', '--', "'-1+1", "'@SUM(A1)", 'a=b']
    >>> defused("a;=1+1")
    "a;'=1+1"
    """
    start = text.lstrip(_SKIPPED + '"')[:1]
    harmless = not start or start not in _STARTS or _NUMBER.fullmatch(text)
    return _AFTER_A_BREAK.sub(_defused_piece, text if harmless else f"'{text}")


def _defused_piece(piece: re.Match[str]) -> str:
    separator, blanks, rest = piece.groups()
    return f"{separator}{blanks}{rest}" if _NUMBER.fullmatch(rest) else f"{separator}'{blanks}{rest}"
