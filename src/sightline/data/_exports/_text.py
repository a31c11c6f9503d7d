"""What every format needs: texts that can be encoded, and that no spreadsheet executes."""

import re

__all__ = ["defused", "encodable", "xml_text"]

_SURROGATES = re.compile("[\ud800-\udfff]")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

# Blanks and invisible marks that an importing program may drop, so that what follows comes first.
_SKIPPED = " \u00a0\u200b\u200e\u200f\u2060\u3000\ufeff"
# What spreadsheets take as the start of a formula, also in its full-width form.
_ALWAYS = "=@＝＠\t\r"
_SIGNS = "+-＋－"
_AFTER_A_BREAK = re.compile(rf"([;\t\r\n])([{_SKIPPED}\"]*)((?=[=+\-@＝＋－＠])[^;\t\r\n]*)")
# After a sign, only names can run: of a function, a cell or a program, at the start or behind an operator. Numbers,
# telephone numbers and dates have none; a unit behind a number has no operator before it.
_OPERATORS = frozenset("-+*/^&=(<>,!|@＋－＝＠（")
_MARKS = re.compile(r"\W+")


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
    """The text with an apostrophe in front if a spreadsheet could run it; numbers, telephone numbers and dates stay.

    Where semicolons separate fields, a spreadsheet splits a file at each of them, and at line breaks within a quoted
    field as well; so what follows one inside of a text is treated like the beginning.

    >>> [defused(text) for text in ("=1+1", "-5 kg", "+1-793-555-0100", "--", "-1+A1", "@SUM(A1)", "a=b")]
    ["'=1+1", '-5 kg', '+1-793-555-0100', '--', "'-1+A1", "'@SUM(A1)", 'a=b']
    >>> defused("a;=1+1")
    "a;'=1+1"
    """
    return _AFTER_A_BREAK.sub(_defused_piece, f"'{text}" if _may_run(text) else text)


def _may_run(text: str) -> bool:
    bare = text.lstrip(_SKIPPED + '"')
    if not bare:
        return False
    return bare[0] in _ALWAYS or (bare[0] in _SIGNS and _names_something(bare))


def _names_something(text: str) -> bool:
    """Whether a name stands behind an operator, whatever other marks are between them."""
    for marks in _MARKS.finditer(text):  # run by run, so that a long row of signs is read once
        following = text[marks.end() : marks.end() + 1]
        if following and not following.isdecimal() and not _OPERATORS.isdisjoint(marks[0]):
            return True
    return False


def _defused_piece(piece: re.Match[str]) -> str:
    separator, blanks, rest = piece.groups()
    return f"{separator}'{blanks}{rest}" if _may_run(rest) else piece[0]
