"""The variables that a step can use: those of the script, and in loops those of the record."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from sightline.data import Field, Value, named_values
from sightline.errors import UsageError
from sightline.navigate.script import VARIABLE
from sightline.navigate.targets import Target

__all__ = ["RecordFinder", "Scope"]


class RecordFinder(Protocol):
    """Knows the record that a loop is at."""

    label: str

    def __call__(self) -> tuple[int, int] | None:
        """The nodes of the record on the page as it is now; None if it is not on it."""


@dataclass
class Scope:
    """Variables by name; those of an inner scope come first. In a loop, `record` finds the record that it is at."""

    values: dict[str, Field] = field(default_factory=dict)
    outer: "Scope | None" = None
    record: RecordFinder | None = None

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> "Scope":
        """The variables that a script begins with."""
        return cls({name: Value(text) for name, text in variables.items()})

    def get(self, name: str) -> Field:
        """The value of a variable; None if it has none."""
        if name in self.values:
            return self.values[name]
        return self.outer.get(name) if self.outer else None

    def text(self, name: str) -> str | None:
        """The text of a variable; of several values, joined by commas."""
        value = self.get(name)
        return None if value is None else ", ".join(one.text for _, one in named_values(value))

    def put_in_record(self, name: str, value: Field) -> None:
        """Give the record of the innermost loop a field; outside of loops, a variable a value."""
        if self.record is None and self.outer is not None:
            self.outer.put_in_record(name, value)
        else:
            self.values[name] = value

    @property
    def current(self) -> RecordFinder | None:
        """Finds the record that the innermost loop is at."""
        return self.record or (self.outer.current if self.outer else None)

    def fill(self, text: str) -> str:
        """A text with the values of its variables."""
        return VARIABLE.sub(lambda found: self._text_of(found[1]), text)

    def fill_target(self, target: Target) -> Target:
        """A target with the values of its variables."""
        inside = self.fill_target(target.inside) if isinstance(target.inside, Target) else target.inside
        named = {key: self.fill(getattr(target, key)) for key in ("name", "css", "xpath", "field", "wrapper")}
        return replace(target, inside=inside, **named)  # type: ignore[arg-type]

    def _text_of(self, name: str) -> str:
        text = self.text(name)
        if text is None:
            raise UsageError(f"The variable `{name}` has no value here; `set` it before, or use `if present`.")
        return text
