"""The texts of a row of a table, and how like the texts of other rows they are, column by column."""

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray
from sightline.extract.tables._draft import TableDraft
from sightline.extract.tables._heading_words import has_heading_word
from sightline.signals import TextKind

__all__ = ["SMALL", "TextRow", "length_changes", "unlikeness"]

Floats: TypeAlias = npt.NDArray[np.float64]

SMALL = 1  # which of the answers says that a text begins with a small letter
SEVERAL = 4  # spaces: a text of more words is a phrase
LEAST_SPREAD = 0.35  # of the logarithms of lengths: the texts of any column differ at least by so much
FARTHEST = 4.0  # spreads; what is farther away is not more unlike
PRIOR = 0.5  # of a yes and of a no, before any text has answered


class TextRow:
    """The texts in the places of one row, their kinds, and what they are like."""

    def __init__(self, draft: TableDraft, cells: IntArray) -> None:
        places = cells.tolist()
        self.texts = [draft.texts[cell].strip() if cell >= 0 else "" for cell in places]
        self.kinds = np.where(cells >= 0, draft.kinds[cells], TextKind.EMPTY)
        self.held: BoolArray = self.kinds != TextKind.EMPTY
        self._places = places
        links = draft.links[cells].tolist()
        linked = [cell >= 0 and link > 0 for cell, link in zip(places, links, strict=True)]
        each = zip(self.texts, self.kinds.tolist(), linked, strict=True)
        self.answers: Floats = np.array([_answers(*one) for one in each], dtype=np.float64)

    @cached_property
    def once(self) -> list[str]:
        """The texts that are not empty, those of a cell over several places once."""
        places = zip(self.texts, self._places, [-1, *self._places], strict=False)
        return [text for text, cell, before in places if text and cell != before]

    @cached_property
    def named(self) -> list[bool]:
        """Which of the texts have a word that columns are often named with."""
        return [has_heading_word(text) for text in self.once]

    @cached_property
    def lengths(self) -> Floats:
        """The logarithms of the lengths of the texts."""
        return np.log([len(text) + 1.0 for text in self.texts])


def _answers(text: str, kind: int, is_linked: bool) -> tuple[bool, ...]:  # noqa: FBT001 - a fact about the text
    """What a text is like: yes or no to some questions, which the texts of a column tend to answer alike."""
    first, last, spaces = text[:1], text[-1:], text.count(" ")
    return (
        first.isupper(),
        first.islower(),
        not text,
        first != "" and not first.isalnum(),
        last == ".",
        last == ":",
        "(" in text,
        "_" in text or "/" in text or "\\" in text or "=" in text,
        len(text) > 1 and text.isupper(),
        spaces > 0 or "\n" in text,
        spaces >= SEVERAL,
        "-" in text[:2],
        "," in text,
        kind == TextKind.NUMBER,
        kind == TextKind.DIGITS,
        kind == TextKind.PROSE,
        is_linked,
    )


def unlikeness(own: TextRow, under: Sequence[TextRow]) -> Floats:
    """For each column how little the answers of its text were to be expected from the texts of other rows.

    Taken off is how little those of another row were to be expected from the rest, so that 0 is as usual.
    """
    answers = np.array([other.answers for other in under])
    held, count = answers.sum(axis=0), len(under)
    usual = _surprise(answers, held - answers, count - 1).mean(axis=0)
    found: Floats = _surprise(own.answers, held, count) - usual
    return found


def _surprise(answers: Floats, held: Floats, count: int) -> Floats:
    """How unlikely answers are where so many of `count` other texts said yes: the sum over all questions."""
    yes = (held + PRIOR) / (count + 2 * PRIOR)
    found: Floats = -np.log(np.where(answers > 0, yes, 1 - yes)).sum(axis=-1)
    return found


def length_changes(own: TextRow, under: Sequence[TextRow]) -> Floats:
    """For each column how much longer its text is than those of other rows, in their spread."""
    lengths = np.array([other.lengths for other in under])
    spread = np.maximum(lengths.std(axis=0), LEAST_SPREAD)
    found: Floats = np.clip((own.lengths - lengths.mean(axis=0)) / spread, -FARTHEST, FARTHEST)
    return found
