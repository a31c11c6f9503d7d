"""Words that are broken at the end of a line: whether their hyphen belongs to them is told by the rest of the document.

`tele-` above `scope` is telescope, `well-` above `known` is well-known, and `X42-` above `BK` keeps its hyphen in any
case.
"""

from collections.abc import Collection, Sequence
from functools import cached_property

from sightline.extract.structure._layout import PrintedWords

SOFT_HYPHEN = "\u00ad"
HYPHENS = ("-", "\u2010")
AROUND = "()[]{}<>.,;:!?\"'“”„‘’«»*"  # what may stand around a word


class BrokenWords:
    """The breaks of a document, by the words that stand unbroken elsewhere in it."""

    def __init__(self, words: PrintedWords) -> None:
        self._texts: Sequence[str] = words.text

    @cached_property
    def _known(self) -> Collection[str]:
        return {text.strip(AROUND).casefold() for text in self._texts}

    def before_break(self, broken: str, rest: str, *, otherwise: str) -> str | None:
        """How a text is written that goes on, without a blank, in the first word of the next line; None if it doesn't.

        Where both or neither of the ways to read it stand elsewhere in the document, `otherwise` takes the place of
        the hyphen.
        """
        start, hyphen = broken[:-1], broken[-1:]
        if hyphen not in HYPHENS or not start[-1:].isalnum() or not rest[:1].isalnum():
            return None
        if not (start[-1:].isalpha() and rest[:1].islower()):
            return broken
        before, after = start.strip(AROUND).casefold(), rest.strip(AROUND).casefold()
        is_one, is_two = before + after in self._known, f"{before}-{after}" in self._known
        return start + (otherwise if is_one == is_two else SOFT_HYPHEN if is_one else hyphen)
