"""What a wrapper read on a page, as marks: every text in the colour of what it was read as."""

from collections.abc import Iterable
from typing import Protocol

from sightline.data import Mark
from sightline.geometry import Box

__all__ = ["ExplainedText", "marks_of_explained"]

_ATTENTION = {"template": -1, "other": -1, "changed": 1, "unknown": 2}


class ExplainedText(Protocol):
    """A text of a page and what it was read as; `Wrapper.explain` returns these."""

    @property
    def box(self) -> Box | None:
        """Where it is."""

    @property
    def role(self) -> str:
        """`field`, `template`, `changed`, `dropped` or `unknown`."""


def marks_of_explained(texts: Iterable[ExplainedText]) -> list[Mark]:
    """The marks for a page that a wrapper read; texts that need attention come last, on top."""
    marks = [Mark(text.box, text.role) for text in texts if text.box]
    return sorted(marks, key=lambda mark: _ATTENTION.get(mark.kind, 0))
