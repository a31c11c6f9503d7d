"""A value and the place where it was seen."""

from dataclasses import dataclass

from sightline.data._origin import Origin
from sightline.data._types import Typed
from sightline.errors import UsageError

__all__ = ["Value"]


@dataclass(frozen=True, slots=True)
class Value:
    """A text as it was seen, what it means if somebody has typed it, where it stood, and how sure that is.

    A text that was there and empty is `Value("")`; what was not found at all is None instead of a `Value`.

    >>> Value("1.234 €").text
    '1.234 €'
    """

    text: str
    value: Typed | None = None
    origin: Origin | None = None
    confidence: float | None = None

    def __post_init__(self) -> None:
        """Refuse a confidence outside 0 to 1."""
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            raise UsageError(f"The confidence of a value lies between 0 and 1, not at {self.confidence:g}.")

    def __str__(self) -> str:
        """The text as seen."""
        return self.text
