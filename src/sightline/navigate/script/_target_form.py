"""How a script says what a step acts on."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from sightline.navigate.targets import ANYTHING, LABEL, ROLES, TEXT, Remembered, Target
from sightline.yaml import COUNT, LINE, JsonSchema, YamlValue, listed, only_keys, the_one_key

__all__ = ["EXTENT", "TARGET"]

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
