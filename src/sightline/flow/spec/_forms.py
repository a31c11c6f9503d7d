"""The forms of values that only flows have: names of steps, secrets, shares, lengths of time, conditions, columns."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sightline.yaml import LINE, JsonSchema, Line, SecretName, YamlValue, did_you_mean, only_keys

STEP_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""What a step may be called: also the name of a table in SQL."""
PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%")
PLAIN_CHANGES = ("verdict changed", "not ok", "new rows", "gone rows")


@dataclass(frozen=True)
class Input:
    """The name of the step whose rows are taken."""

    def read(self, given: YamlValue) -> str:
        """The name; whether there is such a step is checked when all of them are known."""
        name = LINE.read(given)
        if not STEP_NAME.fullmatch(name):
            given.fail(f"{given} cannot be the name of a step; names have letters, digits and `_`, no digit first.")
        return name

    def write(self, value: str) -> str:
        """As it is."""
        return value

    def schema(self) -> JsonSchema:
        """A name."""
        return {"type": "string", "pattern": f"^{STEP_NAME.pattern}$"}


@dataclass(frozen=True)
class Inputs:
    """The names of steps, of two or more if not said otherwise."""

    least: int = 2

    def read(self, given: YamlValue) -> tuple[str, ...]:
        """The names."""
        items = given.items() if isinstance(given.value, list) or self.least > 1 else [given]
        names = tuple(Input().read(item) for item in items)
        if len(names) < self.least and self.least > 1:
            given.fail("name at least two steps, such as `[north, south]`.")
        if doubled := next((name for at, name in enumerate(names) if name in names[:at]), ""):
            given.fail(f"`{doubled}` is named twice; leave one of them out.")
        return names

    def write(self, value: tuple[str, ...]) -> list[str]:
        """A list."""
        return list(value)

    def schema(self) -> JsonSchema:
        """Names; a single one may stand for itself."""
        many: JsonSchema = {"type": "array", "items": Input().schema(), "uniqueItems": True}
        return many | {"minItems": self.least} if self.least > 1 else {"anyOf": [Input().schema(), many]}


@dataclass(frozen=True)
class Private:
    """A text that may be a secret, by its name: `{secret: warehouse}`."""

    def read(self, given: YamlValue) -> str | SecretName:
        """The text, or the name of the secret."""
        if isinstance(given.value, dict):
            only_keys(given, ("secret",), "a text that is kept elsewhere")
            return SecretName(LINE.read(next(given.pairs()).value))
        return LINE.read(given)

    def write(self, value: str | SecretName) -> Any:
        """A text, or the name under `secret`."""
        return {"secret": value.name} if isinstance(value, SecretName) else value

    def schema(self) -> JsonSchema:
        """Either."""
        named = {"type": "object", "properties": {"secret": {"type": "string"}}, "required": ["secret"]}
        return {"anyOf": [LINE.schema(), {**named, "additionalProperties": False}]}


@dataclass(frozen=True)
class Privates:
    """One such text, or several."""

    def read(self, given: YamlValue) -> tuple[str | SecretName, ...]:
        """The texts."""
        if isinstance(given.value, list):
            return tuple(Private().read(item) for item in given.items())
        return (Private().read(given),)

    def write(self, value: tuple[str | SecretName, ...]) -> Any:
        """One as itself."""
        written = [Private().write(one) for one in value]
        return written[0] if len(written) == 1 else written

    def schema(self) -> JsonSchema:
        """A text or several."""
        one = Private().schema()
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}


@dataclass(frozen=True)
class PrivateByName:
    """Options by their names; values are texts, numbers, lists, mappings, or secrets."""

    def read(self, given: YamlValue) -> dict[str, Any]:
        """The options."""
        return {pair.word: _plain(pair.value) for pair in given.pairs()}

    def write(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """The same."""
        return {name: _written(one) for name, one in value.items()}

    def schema(self) -> JsonSchema:
        """Any object."""
        return {"type": "object"}


def _plain(given: YamlValue) -> Any:
    """A value without what YAML adds to it; `{secret: NAME}` is a secret wherever it is."""
    if isinstance(given.value, dict):
        if list(given.value) == ["secret"]:
            return Private().read(given)
        return {pair.word: _plain(pair.value) for pair in given.pairs()}
    if isinstance(given.value, list):
        return [_plain(item) for item in given.items()]
    if isinstance(given.value, str):
        return str(given.value)
    if isinstance(given.value, bool) or given.value is None:
        return given.value
    return int(given.value) if isinstance(given.value, int) else float(given.value)


def _written(value: Any) -> Any:
    if isinstance(value, SecretName):
        return {"secret": value.name}
    if isinstance(value, Mapping):
        return {name: _written(one) for name, one in value.items()}
    return [_written(one) for one in value] if isinstance(value, list) else value


@dataclass(frozen=True)
class Share:
    """A part of a whole: `0.3` or `30 %`."""

    def read(self, given: YamlValue) -> float:
        """The part, from 0 to 1."""
        value = given.value
        if isinstance(value, str) and (found := PERCENT.fullmatch(value.strip())):
            value = float(found[1]) / 100
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            given.fail(f"{given} should be a share from 0 to 1, or a percentage such as `30 %`.")
        return float(value)

    def write(self, value: float) -> float:
        """A number."""
        return value

    def schema(self) -> JsonSchema:
        """A number or a percentage."""
        return {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "string", "pattern": "%$"}]}


_DURATION = re.compile(r"(\d+)\s*(second|minute|hour|day|week)s?", re.IGNORECASE)


@dataclass(frozen=True)
class Duration:
    """A length of time: `30 minutes`, `1 hour`, `3 days`."""

    def read(self, given: YamlValue) -> timedelta:
        """The length."""
        found = _DURATION.fullmatch(str(given.value).strip())
        if found is None:
            given.fail(f"{given} isn't a length of time; write one such as `30 minutes`, `1 hour` or `3 days`.")
        number, unit = int(found[1]), f"{found[2].lower()}s"
        try:
            return timedelta(**{unit: number})
        except OverflowError:
            given.fail(f"{given} is longer than can be counted; write fewer days.")

    def write(self, value: timedelta) -> str:
        """A number of the largest unit that it is a whole number of."""
        seconds = int(value.total_seconds())
        for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
            if seconds >= size and seconds % size == 0:
                return f"{seconds // size} {unit}{'s' if seconds != size else ''}"
        return f"{seconds} seconds"

    def schema(self) -> JsonSchema:
        """A number and a unit."""
        return {"type": "string", "pattern": r"^\d+ (second|minute|hour|day|week)s?$"}


@dataclass(frozen=True)
class ColumnNames:
    """One column, a list of them, or new names with the old ones: `{product: name}`."""

    def read(self, given: YamlValue) -> dict[str, str]:
        """The old name of each new one."""
        if isinstance(given.value, dict):
            return {pair.word: LINE.read(pair.value) for pair in given.pairs()}
        if isinstance(given.value, list):
            names = [Line().read(item) for item in given.items()]
            if doubled := next((name for at, name in enumerate(names) if name in names[:at]), ""):
                given.fail(f"`{doubled}` is named twice; leave one of them out.")
            return {name: name for name in names}
        return {(name := LINE.read(given)): name}

    def write(self, value: Mapping[str, str]) -> Any:
        """A list if no name changes."""
        return list(value) if all(new == old for new, old in value.items()) else dict(value)

    def schema(self) -> JsonSchema:
        """A name, names, or an object of them."""
        one = LINE.schema()
        return {
            "anyOf": [one, {"type": "array", "items": one}, {"type": "object", "additionalProperties": one}],
        }


@dataclass(frozen=True)
class UnionColumns:
    """For each column of a union, what it is called in each step: `price: {north: price, south: cost}`."""

    def read(self, given: YamlValue) -> dict[str, dict[str, str]]:
        """The names by column and step."""
        found = {}
        for pair in given.pairs():
            if isinstance(pair.value.value, dict):
                found[pair.word] = {one.word: LINE.read(one.value) for one in pair.value.pairs()}
            else:
                pair.value.fail(
                    f"say what `{pair.word}` is called in each step, such as `{pair.word}: {{north: {pair.word}}}`."
                )
        return found

    def write(self, value: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
        """The same."""
        return {name: dict(steps) for name, steps in value.items()}

    def schema(self) -> JsonSchema:
        """An object of objects."""
        return {
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": LINE.schema()},
        }


@dataclass(frozen=True)
class ChangeRule:
    """A change that people want to hear of: one of the plain ones, or a column that moved by more than a share."""

    kind: str
    column: str = ""
    by: float = 0.0

    def __str__(self) -> str:
        """As in a message."""
        return f"{self.column} changed by more than {self.by:.3g}" if self.column else self.kind


@dataclass(frozen=True)
class Changes:
    """A list of changes: `verdict changed`, `not ok`, `new rows`, `gone rows`, `{changed: price, by: 5 %}`."""

    def read(self, given: YamlValue) -> tuple[ChangeRule, ...]:
        """The changes."""
        items = given.items() if isinstance(given.value, list) else [given]
        return tuple(self._one(item) for item in items)

    def _one(self, given: YamlValue) -> ChangeRule:
        if isinstance(given.value, dict):
            only_keys(given, ("changed", "by"), "a change")
            values = {pair.word: pair.value for pair in given.pairs()}
            if "changed" not in values:
                given.fail("say which column, such as `{changed: price, by: 5 %}`.")
            by = Share().read(values["by"]) if "by" in values else 0.0
            return ChangeRule("changed", LINE.read(values["changed"]), by)
        word = LINE.read(given)
        if word not in PLAIN_CHANGES:
            known = did_you_mean(word, PLAIN_CHANGES)
            given.fail(f"{given} isn't a change to notify about; {known} Or write `{{changed: price, by: 5 %}}`.")
        return ChangeRule(word)

    def write(self, value: tuple[ChangeRule, ...]) -> list[Any]:
        """A list."""
        return [{"changed": one.column, "by": one.by} if one.column else one.kind for one in value]

    def schema(self) -> JsonSchema:
        """A list of words and objects."""
        column = {"changed": LINE.schema(), "by": Share().schema()}
        moved = {"type": "object", "properties": column, "required": ["changed"], "additionalProperties": False}
        one = {"anyOf": [{"enum": list(PLAIN_CHANGES)}, moved]}
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}


@dataclass(frozen=True)
class SameColumns:
    """The columns by which two steps are joined: names, or left names with right ones."""

    def read(self, given: YamlValue) -> dict[str, str]:
        """The right name of each left one."""
        return ColumnNames().read(given)

    def write(self, value: Mapping[str, str]) -> Any:
        """A list if both sides say the same."""
        return ColumnNames().write(value)

    def schema(self) -> JsonSchema:
        """As columns."""
        return ColumnNames().schema()


CHANGES = Changes()
DURATION = Duration()
COLUMN_NAMES = ColumnNames()
INPUT = Input()
INPUTS = Inputs()
ANY_INPUTS = Inputs(least=0)
PRIVATE = Private()
PRIVATES = Privates()
PRIVATE_BY_NAME = PrivateByName()
SAME_COLUMNS = SameColumns()
SHARE = Share()
UNION_COLUMNS = UnionColumns()
