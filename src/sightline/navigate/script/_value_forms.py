"""How a script says what is typed, what is true of a page, and what is read from it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sightline.navigate.script._target_form import TARGET
from sightline.navigate.targets import Target
from sightline.yaml import (
    COUNT,
    FLAG,
    LINE,
    TEXT_OR_NOTHING,
    WORDS,
    JsonSchema,
    Mapped,
    OneOf,
    SecretName,
    YamlValue,
    only_keys,
    the_one_key,
)

__all__ = [
    "AWAITED",
    "CONDITION",
    "READINGS",
    "SECRET",
    "SOURCE",
    "TAKEN",
    "TYPED",
    "PageCondition",
    "Reading",
    "RecordSource",
]


@dataclass(frozen=True)
class TypedForm:
    """A text to type, or a secret by its name."""

    def read(self, given: YamlValue) -> str | SecretName:
        """The text or the name of the secret."""
        if isinstance(given.value, dict):
            only_keys(given, ("secret",), "what is typed")
            return SecretName(LINE.read(the_one_key(given, {"secret": None}, "what is typed").value))
        return TEXT_OR_NOTHING.read(given)

    def write(self, value: str | SecretName) -> Any:
        """A text, or the name under `secret`."""
        return SECRET.write(value) if isinstance(value, SecretName) else value

    def schema(self) -> JsonSchema:
        """Either."""
        return {"anyOf": [LINE.schema(), SECRET.schema()]}


@dataclass(frozen=True)
class SecretForm:
    """A secret by its name, where a script must not have the text itself."""

    def read(self, given: YamlValue) -> SecretName:
        """The name of the secret; what else is there is not repeated, for it may be the secret."""
        if not isinstance(given.value, dict) or list(given.value) != ["secret"]:
            given.fail(
                "a password is never written into a script; name it as `{secret: NAME}`, and say under `secrets` where "
                "it is kept."
            )
        return SecretName(LINE.read(next(given.pairs()).value))

    def write(self, value: SecretName) -> Any:
        """The name under `secret`."""
        return {"secret": value.name}

    def schema(self) -> JsonSchema:
        """One key."""
        return {
            "type": "object",
            "properties": {"secret": {"type": "string"}},
            "required": ["secret"],
            "additionalProperties": False,
        }


SECRET = SecretForm()


# ---------------------------------------------------------------------- conditions


@dataclass(frozen=True, kw_only=True)
class PageCondition:
    """What a page shows or a variable has: one of these."""

    target: Target | None = None
    value: str = ""
    address: str = ""

    def __str__(self) -> str:
        """The condition as in a sentence."""
        if self.target:
            return str(self.target)
        return f"the value of “{self.value}”" if self.value else f"the address {self.address}"


@dataclass(frozen=True)
class PageConditionForm:
    """A target, or `value: name`, or `address: …`."""

    def read(self, given: YamlValue) -> PageCondition:
        """The condition."""
        if isinstance(given.value, dict) and len(given.value) == 1 and set(given.value) <= {"value", "address"}:
            pair = next(given.pairs())
            text = LINE.read(pair.value)
            return PageCondition(value=text) if pair.word == "value" else PageCondition(address=text)
        return PageCondition(target=TARGET.read(given))

    def write(self, value: PageCondition) -> Any:
        """As it was read."""
        if value.target:
            return TARGET.write(value.target)
        return {"value": value.value} if value.value else {"address": value.address}

    def schema(self) -> JsonSchema:
        """A target, or one of two keys."""
        keys = [
            {"type": "object", "properties": {key: LINE.schema()}, "required": [key], "additionalProperties": False}
            for key in ("value", "address")
        ]
        return {"anyOf": [TARGET.schema(), *keys]}


_TIME = re.compile(r"[\d.]+ ?(?:ms|s|sec|secs|seconds?|min|minutes?)", re.IGNORECASE)


@dataclass(frozen=True)
class AwaitedForm(PageConditionForm):
    """A condition to wait for; a bare number would be a time, which is never waited for."""

    def read(self, given: YamlValue) -> PageCondition:
        """The condition."""
        number = isinstance(given.value, int | float) and not isinstance(given.value, bool)
        if number or (type(given.value) is str and _TIME.fullmatch(given.value)):  # one in quotes is another type
            given.fail(
                f"a script waits for something on the page, not for a time; name it, or write "
                f'`{{text: "{given.value}"}}` for a text.'
            )
        return super().read(given)

    def schema(self) -> JsonSchema:
        """The same without numbers."""
        return {"allOf": [super().schema(), {"type": ["string", "object"]}]}


# ---------------------------------------------------------------------- what is read from a page

_KINDS = ("lists", "tables", "top", "content")


@dataclass(frozen=True, kw_only=True)
class RecordSource:
    """Where records of a page come from: a kind of result, or a wrapper (one field of it, if named)."""

    kind: str = ""
    wrapper: str = ""
    field: str = ""
    number: int | None = None

    def __str__(self) -> str:
        """The source as in a sentence."""
        return self.kind or f"{self.wrapper}{f', field “{self.field}”' if self.field else ''}"


@dataclass(frozen=True)
class SourceForm:
    """`lists`, `tables`, `top`, `content`, or `wrapper: FILE`."""

    def read(self, given: YamlValue) -> RecordSource:
        """The source."""
        if isinstance(given.value, str):
            return RecordSource(kind=OneOf(_KINDS).read(given))
        given.check_there("what is extracted, such as `lists`")
        only_keys(given, ("wrapper", "field", *_KINDS), "what is extracted")
        pair = the_one_key(given, dict.fromkeys(("wrapper", *_KINDS)), "what is extracted")
        values = {one.word: one.value for one in given.pairs()}
        if pair.word == "wrapper":
            field_name = LINE.read(values["field"]) if "field" in values else ""
            return RecordSource(wrapper=LINE.read(pair.value), field=field_name)
        return RecordSource(kind=pair.word, number=COUNT.read(pair.value))

    def write(self, value: RecordSource) -> Any:
        """As it was read."""
        if value.wrapper:
            return {"wrapper": value.wrapper, **({"field": value.field} if value.field else {})}
        return value.kind if value.number is None else {value.kind: value.number}

    def schema(self) -> JsonSchema:
        """Either."""
        numbers = {kind: COUNT.schema() for kind in _KINDS}
        keys = {"wrapper": LINE.schema(), "field": LINE.schema(), **numbers}
        one_of = [{"required": [key]} for key in ("wrapper", *_KINDS)]
        mapping = {"type": "object", "properties": keys, "additionalProperties": False, "oneOf": one_of}
        return {"anyOf": [{"enum": list(_KINDS)}, mapping]}


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Where a single value comes from: a text, an element, a label, a cell, a wrapper's field, or the address."""

    text: str | None = None
    target: Target | None = None
    attribute: str = ""
    beside: str = ""
    column: str = ""
    row: str = ""
    wrapper: str = ""
    field: str = ""
    address: bool = False


@dataclass(frozen=True)
class ReadingForm:
    """A text, or keys that say where on the page a value is."""

    def read(self, given: YamlValue) -> Reading:
        """The reading."""
        if not isinstance(given.value, dict):
            return Reading(text=TEXT_OR_NOTHING.read(given))
        pair = the_one_key(
            given, dict.fromkeys(("read", "beside", "column", "wrapper", "address")), "the place of the value"
        )
        beside = {"read": ("attribute",), "beside": (), "column": ("row",), "wrapper": ("field",), "address": ()}[
            pair.word
        ]
        only_keys(given, (pair.word, *beside), "the value")
        more = {one.word: LINE.read(one.value) for one in given.pairs() if one.word in beside}
        if pair.word == "address":
            return Reading(address=FLAG.read(pair.value))
        if pair.word == "wrapper" and "field" not in more:
            pair.key.fail("say which `field` of the wrapper is meant.")
        if pair.word == "read":
            return Reading(target=TARGET.read(pair.value), **more)  # type: ignore[arg-type]
        return Reading(**{pair.word: LINE.read(pair.value)}, **more)  # type: ignore[arg-type]

    def write(self, value: Reading) -> Any:
        """As it was read."""
        if value.text is not None:
            return value.text
        if value.address:
            return {"address": True}
        keys = {
            key: found
            for key in ("beside", "column", "row", "wrapper", "field", "attribute")
            if (found := getattr(value, key))
        }
        return {"read": TARGET.write(value.target), **keys} if value.target else keys

    def schema(self) -> JsonSchema:
        """A text, or one of four."""
        line = LINE.schema()

        def keys(required: str, form: JsonSchema, **more: JsonSchema) -> JsonSchema:
            properties = {required: form, **more}
            return {
                "type": "object",
                "properties": properties,
                "required": [required],
                "additionalProperties": False,
            }

        return {
            "anyOf": [
                line,
                keys("read", TARGET.schema(), attribute=line),
                keys("beside", line),
                keys("column", line, row=line),
                keys("wrapper", line, field=line),
                keys("address", {"const": True}),
            ]
        }


@dataclass(frozen=True)
class TakenForm:
    """The fields that are taken: a list of names, or new names, each with the field that it is given to."""

    def read(self, given: YamlValue) -> dict[str, str]:
        """The fields by the names that they get."""
        if isinstance(given.value, list):
            names = WORDS.read(given)
            return dict(zip(names, names, strict=True))
        if isinstance(given.value, dict) and all(value is None for value in given.value.values()):
            given.fail(f"a list of names is in brackets: [{', '.join(map(str, given.value))}].")
        given.check_there("names of fields, such as [title, price]")
        return Mapped(LINE).read(given)

    def write(self, value: Mapping[str, str]) -> Any:
        """A list, if no field gets another name."""
        return list(value) if all(name == one for name, one in value.items()) else dict(value)

    def schema(self) -> JsonSchema:
        """Either."""
        names = {"type": "array", "items": LINE.schema(), "minItems": 1}
        return {"anyOf": [names, Mapped(LINE).schema()]}


TYPED = TypedForm()
AWAITED = AwaitedForm()
TAKEN = TakenForm()
CONDITION = PageConditionForm()
SOURCE = SourceForm()
READINGS = Mapped(ReadingForm())
