"""How a script says what is typed, what is true of a page, and what is read from it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from sightline.navigate.targets import ANYTHING, LABEL, ROLES, TEXT, Remembered, Target
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
    listed,
    only_keys,
    the_one_key,
)


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


# -- how a script says what a step acts on --------------------------------------------------------------------------

RECORD = "record"
LIKE_RECORD = 0.7  # of 1: how alike `record` and a typing mistake are, such as `recrod` (0.83) or `recod` (0.91)
# What other tools and HTML call the roles.
OTHER_NAMES = {
    **dict.fromkeys(("dropdown", "drop-down", "drop down", "select", "listbox"), "combobox"),
    **dict.fromkeys(("input", "text field", "textfield", "textarea", "password"), "textbox"),
    **dict.fromkeys(("img", "picture", "icon"), "image"),
    **dict.fromkeys(("a", "href", "anchor"), "link"),
    **dict.fromkeys(("h1", "h2", "h3"), "heading"),
    **dict.fromkeys(("id", "class", "selector"), "css"),
}
_NAMED = (*ROLES, LABEL, TEXT)
_SELECTED = ("wrapper", "css", "xpath")
_BESIDE = ("field", "in", "number", "memory")


@dataclass(frozen=True)
class TargetForm:
    """What a step acts on: a name, or keys such as `button: Search`."""

    def read(self, given: YamlValue) -> Target:
        """The target."""
        if isinstance(given.value, str | int | float) and not isinstance(given.value, bool):
            return Target(kind=ANYTHING, name=LINE.read(given))
        given.check_there("what is meant, such as `{button: Search}`")
        self._check_role(given)
        only_keys(given, (*_NAMED, *_SELECTED, *_BESIDE), "a target", OTHER_NAMES)
        values = {pair.word: pair.value for pair in given.pairs()}
        selected = {key: LINE.read(values[key]) for key in _SELECTED if key in values}
        if ("field" in values) != ("wrapper" in values):
            hint = "" if "wrapper" in values else "; an input of a form is a `textbox`"
            given.fail(f"`wrapper` and `field` go together: a wrapper's file, and which of its fields is meant{hint}.")
        named = (
            the_one_key(given, dict.fromkeys(_NAMED), "the target").word if not selected or _is_named(values) else ""
        )
        words = {"kind": named, "name": LINE.read(values[named])} if named else {}
        return Target(
            **words,
            **selected,
            field=LINE.read(values["field"]) if "field" in values else "",
            inside=self._inside(values["in"]) if "in" in values else None,
            number=COUNT.read(values["number"]) if "number" in values else None,
            memory=MEMORY.read(values["memory"]) if "memory" in values else None,
        )

    def _check_role(self, given: YamlValue) -> None:
        """The way in which other tools say it: a role and a name."""
        if not isinstance(given.value, dict) or "role" not in given.value:
            return
        role, name = given.value["role"], given.value.get("name", "…")
        shown = f"{{{role if role in ROLES else 'button'}: {name}}}"
        given.fail(f"a target has no key `role`; the role is the key, and the name its value: `{shown}`.")

    def _inside(self, given: YamlValue) -> Any:
        word = given.value
        if isinstance(word, str) and word != RECORD and get_close_matches(word.lower(), [RECORD], 1, LIKE_RECORD):
            given.fail(f"did you mean `{RECORD}`? If {given} is a text of the page, write `in: {{text: {word}}}`.")
        return RECORD if word == RECORD else self.read(given)

    def write(self, value: Target) -> Any:
        """A plain name, or the keys."""
        if value == Target(kind=ANYTHING, name=value.name):
            return value.name
        keys: dict[str, Any] = {value.kind: value.name} if value.kind else {}
        keys |= {key: found for key in (*_SELECTED, "field") if (found := getattr(value, key))}
        if value.inside is not None:
            keys["in"] = RECORD if value.inside == RECORD else self.write(value.inside)  # type: ignore[arg-type]
        if value.number is not None:
            keys["number"] = value.number
        if value.memory is not None:
            keys["memory"] = MEMORY.write(value.memory)
        return keys

    def schema(self) -> JsonSchema:
        """See the definitions."""
        return {"$ref": "#/$defs/target"}

    def definition(self) -> JsonSchema:
        """The schema itself, which is needed once."""
        line = LINE.schema()
        described = {role: {**line, "description": text[0].upper() + text[1:]} for role, text in ROLES.items()}
        keys = {
            **described,
            LABEL: {**line, "description": "An input, by its label"},
            TEXT: {**line, "description": "Whatever has this text"},
            "wrapper": {**line, "description": "The file of a wrapper; `field` says which of its fields is meant"},
            "field": line,
            "css": {**line, "description": "A CSS selector"},
            "xpath": {**line, "description": "An XPath"},
            "in": {"anyOf": [{"const": RECORD}, self.schema()], "description": "Where to look for it"},
            "number": {**COUNT.schema(), "description": "Which one of several, from 1"},
            "memory": {"type": ["integer", "object"], "description": "What a recording remembers of the element"},
        }
        any_of = [{"required": [key]} for key in (*_NAMED, *_SELECTED)]
        mapping = {"type": "object", "properties": keys, "additionalProperties": False, "anyOf": any_of}
        return {"anyOf": [line, mapping]}


def _is_named(values: Mapping[str, YamlValue]) -> bool:
    return any(key in values for key in _NAMED)


@dataclass(frozen=True)
class MemoryForm:
    """What a recording remembers of an element; nobody writes this by hand."""

    def read(self, given: YamlValue) -> Remembered:
        """The memory."""
        known = tuple(Remembered.__dataclass_fields__)
        only_keys(given, known, "a memory")
        plain = {pair.word: pair.value.value for pair in given.pairs()}
        try:
            x, y = plain.get("place", (0.0, 0.0))
            return Remembered(
                role=str(plain["role"]),
                name=str(plain.get("name", "")),
                attributes={str(key): str(value) for key, value in dict(plain.get("attributes", {})).items()},
                classes=tuple(map(str, plain.get("classes", ()))),
                heading=str(plain.get("heading", "")),
                beside=tuple(map(str, plain.get("beside", ()))),
                others=tuple(str(plain.get("others", "")).split()),
                place=(float(x), float(y)),
            )
        except (KeyError, TypeError, ValueError):
            given.fail("this memory of an element is damaged; remove it, or record the step again.")

    def write(self, value: Remembered) -> dict[str, Any]:
        """Only what there is."""
        kept = {
            "role": value.role,
            "name": value.name,
            "attributes": dict(value.attributes),
            "classes": list(value.classes),
            "heading": value.heading,
            "beside": list(value.beside),
            "others": " ".join(value.others),
            "place": list(value.place),
        }
        return {key: one for key, one in kept.items() if one}

    def schema(self) -> JsonSchema:
        """Anything."""
        return {"type": "object"}


MEMORY = MemoryForm()


@dataclass(frozen=True)
class ScrollExtent:
    """How far to scroll: `end`, `top`, a number of pixels, or a target."""

    words: tuple[str, ...] = ("end", "top")

    def read(self, given: YamlValue) -> str | int | Target:
        """The extent."""
        if isinstance(given.value, int) and not isinstance(given.value, bool) and given.value >= 0:
            return int(given.value)
        if isinstance(given.value, str) and given.value in self.words:
            return str(given.value)
        if not isinstance(given.value, dict):
            given.fail(
                f"{given} should be {listed(self.words)}, a number of pixels, or a target such as `button: More`."
            )
        return TARGET.read(given)

    def write(self, value: str | int | Target) -> Any:
        """As it was read."""
        return TARGET.write(value) if isinstance(value, Target) else value

    def schema(self) -> JsonSchema:
        """Any of these."""
        return {"anyOf": [{"enum": list(self.words)}, {"type": "integer", "minimum": 0}, TARGET.schema()]}


TARGET = TargetForm()
EXTENT = ScrollExtent()
