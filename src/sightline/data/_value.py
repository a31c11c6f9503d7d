"""A value and its origin."""

from dataclasses import dataclass

from sightline.data._origin import Origin
from sightline.data._types import Typed
from sightline.errors import UsageError

__all__ = ["Value"]


@dataclass(frozen=True, slots=True)
class Value:
    """A text as seen, its typed value if known, its origin, and the confidence in it.

    An empty text is `Value("")`; something not found at all is None instead of a `Value`.

    >>> Value("1.234 €").text
    '1.234 €'
    """

    text: str
    value: Typed | None = None
    origin: Origin | None = None
    confidence: float | None = None

    def __post_init__(self) -> None:
        """Reject a confidence outside 0 to 1."""
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            raise UsageError(f"The confidence of a value must be between 0 and 1, not {self.confidence:g}.")

    def __str__(self) -> str:
        """The text as seen."""
        return self.text
