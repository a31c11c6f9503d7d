"""A value and its origin."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sightline.data._bulk import filled
from sightline.data._origin import Origin
from sightline.data._types import Typed
from sightline.errors import UsageError

__all__ = ["Value", "shortened", "values_at", "values_with"]


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


def values_at(texts: Sequence[str], origins: Sequence[Origin]) -> list[Value]:
    """Texts as seen, each with its origin.

    >>> values_at(["1.234 €"], [Origin("3f2a")])
    [Value(text='1.234 €', value=None, origin=Origin(page='3f2a', ...), confidence=None)]
    """
    return filled(Value, {"text": texts, "origin": origins}, value=None, confidence=None)


def values_with(values: Sequence[Value], typed: Sequence[Typed | None]) -> list[Value]:
    """The same values with what their texts mean.

    >>> values_with([Value("5 €")], [5])
    [Value(text='5 €', value=5, origin=None, confidence=None)]
    """
    kept = {name: [getattr(value, name) for value in values] for name in ("text", "origin", "confidence")}
    return filled(Value, {**kept, "value": typed})


def shortened(value: Value, text: str) -> Value:
    """A value that is a part of the text it was read from; its origin keeps the whole.

    >>> price = shortened(Value("Price: 5 €", origin=Origin("3f2a", (17,))), "5 €")
    >>> price.text, price.origin.original
    ('5 €', 'Price: 5 €')
    """
    if text == value.text:
        return value
    origin = value.origin and replace(value.origin, original=value.origin.original or value.text)
    return replace(value, text=text, value=None, origin=origin)
