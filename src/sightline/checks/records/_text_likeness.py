"""How the texts of a field look: their characters, words and lengths, as one vector to compare."""

import re
from collections.abc import Iterable, Sequence
from math import log
from zlib import crc32

import numpy as np
import numpy.typing as npt

__all__ = ["TextLook", "text_look"]

TextLook = npt.NDArray[np.float64]
"""The look of texts. The product of two looks is their similarity, 0 to 1 (weighted Bhattacharyya coefficients)."""

MOST_TEXTS = 60
MOST_CHARACTERS = 60
SHAPES, WORDS, LENGTHS = 512, 512, 24
STEP = log(1.35)  # lengths that differ by a third fall into different classes, and count half for their neighbours
# Of shapes, words and lengths: shapes tell most fields apart, lengths titles from names, words few-valued fields. Set
# by hand on the sites of the benchmark, where other weights between 0.2 and 0.6 do nearly as well.
WEIGHTS = (0.5, 0.2, 0.3)
_SCALE = np.repeat(WEIGHTS, (SHAPES, WORDS, LENGTHS))
_WORD = re.compile(r"[^\W\d_]+")
_CLASSES = ((str.isdigit, "0"), (str.isupper, "A"), (str.isalpha, "a"), (str.isspace, " "))


def text_look(texts: Sequence[str]) -> TextLook:
    """The look of some texts; every text counts the same, regardless of its length.

    >>> prices, names = text_look(["5.00 €", "12.50 €"]), text_look(["Canon EOS", "Nikon Z"])
    >>> bool(text_look(["7.99 €"]) @ prices > 2 * text_look(["7.99 €"]) @ names)
    True
    """
    vector = np.zeros(SHAPES + WORDS + LENGTHS)
    for text in texts[:MOST_TEXTS]:
        flat = " ".join(text.split())
        cut = flat[:MOST_CHARACTERS]
        _spread(vector, 0, SHAPES, _trigrams(cut))
        _spread(vector, SHAPES, WORDS, _WORD.findall(cut.casefold()))
        place = SHAPES + WORDS + min(LENGTHS - 2, int(log(len(flat) + 1) / STEP))
        vector[place - 1 : place + 2] += (0.25, 0.5, 0.25)
    return np.sqrt(_SCALE * vector / max(1, min(len(texts), MOST_TEXTS)))


def _spread(vector: TextLook, first: int, size: int, parts: Iterable[str]) -> None:
    """Distribute a total of one over the places of some parts."""
    found = [first + crc32(part.encode("utf-8", "surrogatepass")) % size for part in parts]
    for place in found:
        vector[place] += 1 / len(found)


def _trigrams(text: str) -> list[str]:
    """All trigrams, with letters and digits replaced by their class, so that different numbers look alike."""
    padded = f"^{''.join(map(_class, text))}$"
    return [padded[place : place + 3] for place in range(len(padded) - 2)]


def _class(character: str) -> str:
    return next((name for test, name in _CLASSES if test(character)), character)
