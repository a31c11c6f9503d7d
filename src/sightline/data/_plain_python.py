"""From the model to plain Python and JSON, for users who do not know our classes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from sightline.data._value import Origin, Value
from sightline.geometry import Box

__all__ = ["Plain", "XPath", "box_json"]

XPath: TypeAlias = Callable[[Origin], str | None]
"""Finds the XPath of an origin, which takes the page itself."""


@dataclass(frozen=True, slots=True)
class Plain:
    """How to convert values: as seen, typed, or with their origins."""

    typed: bool = False
    origins: bool = False
    xpath: XPath | None = None

    def of(self, value: Value | None) -> Any:
        """One value; None stays None.

        >>> Plain().of(Value("5 kg", 5.0)), Plain(typed=True).of(Value("5 kg", 5.0))
        ('5 kg', 5.0)
        >>> Plain(origins=True).of(Value("5 kg", 5.0))
        {'text': '5 kg', 'value': 5.0, 'xpath': None, 'box': None}
        """
        if value is None:
            return None
        if self.origins:
            return {"text": value.text, "value": value.value, **self.place(value.origin)}
        return value.value if self.typed and value.value is not None else value.text

    def place(self, origin: Origin | None) -> dict[str, Any]:
        """Box and XPath of an origin, as the JSON contract names them, and the whole text that a value is part of."""
        xpath = self.xpath(origin) if origin and self.xpath else None
        place = {"xpath": xpath, "box": box_json(origin.box) if origin else None}
        return place | {"original": origin.original} if origin and origin.original else place


def box_json(box: Box | None) -> list[float] | None:
    """A box for JSON; an undefined box (NaN) is null."""
    return None if box is None or box[0] != box[0] else list(box)
