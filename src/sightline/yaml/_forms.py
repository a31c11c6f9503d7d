"""The plain forms of values. One declaration reads a value, writes it, and gives its JSON Schema."""

import inspect
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, Protocol

from sightline.errors import MissingExtra, UsageError
from sightline.redaction import remember
from sightline.yaml._yaml_value import GivenPair, YamlValue, did_you_mean, listed

VARIABLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_ .-]*)\}")
"""A variable in a text: `{name}`."""
JsonSchema = dict[str, Any]


class Codec(Protocol):
    """How a value is read from a file, written to one, and described to editors."""

    def read(self, given: YamlValue) -> Any:
        """The value; what does not fit is an error with its line."""

    def write(self, value: Any) -> Any:
        """The value as plain YAML."""

    def schema(self) -> JsonSchema:
        """What editors accept."""


def the_one_key(given: YamlValue, kinds: Mapping[str, Any], what: str) -> GivenPair:
    """The pair whose key says of which kind something is; there must be exactly one."""
    found = [pair for pair in given.pairs() if pair.word in kinds]
    if len(found) > 1:
        found[1].key.fail(f"{what} is either `{found[0].word}` or `{found[1].word}`; leave one of them out.")
    if not found:
        given.check_braces()
        given.fail(f"{what} is missing; say it with one of {listed(kinds)}.")
    return found[0]


def only_keys(given: YamlValue, known: Sequence[str], what: str, others: Mapping[str, str] | None = None) -> None:
    """Reject a key that is not known; `others` are words that mean a known one."""
    if isinstance(given.value, dict) and str(next(iter(given.value), "")) not in known:
        given.check_braces()
    for pair in given.pairs():
        if pair.word not in known:
            pair.key.fail(f"{what} has no key `{pair.word}`; {did_you_mean(pair.word, known, others)}")


@dataclass(frozen=True)
class Line:
    """A text, or a number that is meant as one."""

    empty: bool = False

    def read(self, given: YamlValue) -> str:
        """The text."""
        value = given.value
        given.check_there("a text, or leave the key out if it is not needed")
        given.check_braces()
        if isinstance(value, bool):
            word = str(value).lower()
            given.fail(f'`{word}` means yes or no in YAML; put it in quotes if it is a text: "{word}".')
        if not isinstance(value, str | int | float):
            given.fail(f"{given} should be a text.")
        text = str(value)
        if "\0" in text:
            given.fail("the text holds a NUL, which neither names nor addresses can have; take it out.")
        if not text.strip() and not self.empty:
            given.fail("the text is empty; write what is meant.")
        return text

    def write(self, value: str) -> str:
        """As it is."""
        return value

    def schema(self) -> JsonSchema:
        """A text or a number."""
        return {"type": ["string", "number"]}


@dataclass(frozen=True)
class Lines:
    """One text, or a list of them."""

    def read(self, given: YamlValue) -> tuple[str, ...]:
        """The texts."""
        if isinstance(given.value, list):
            return tuple(Line().read(item) for item in given.items())
        return (Line().read(given),)

    def write(self, value: tuple[str, ...]) -> Any:
        """One as itself."""
        return value[0] if len(value) == 1 else list(value)

    def schema(self) -> JsonSchema:
        """A text or several."""
        one = Line().schema()
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}


@dataclass(frozen=True)
class OneOf:
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, given: YamlValue) -> str:
        """The word."""
        given.check_there(f"one of {listed(self.words)}")
        if str(given.value) not in self.words:
            given.fail(f"{given} is not known here; {did_you_mean(str(given.value), self.words)}")
        return str(given.value)

    def write(self, value: str) -> str:
        """As it is."""
        return value

    def schema(self) -> JsonSchema:
        """These words."""
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class Count:
    """A whole number from 1."""

    def read(self, given: YamlValue) -> int:
        """The number."""
        if isinstance(given.value, bool) or not isinstance(given.value, int) or given.value < 1:
            given.fail(f"{given} should be a whole number from 1.")
        return int(given.value)

    def write(self, value: int) -> int:
        """As it is."""
        return value

    def schema(self) -> JsonSchema:
        """A whole number."""
        return {"type": "integer", "minimum": 1}


@dataclass(frozen=True)
class Flag:
    """Yes or no."""

    def read(self, given: YamlValue) -> bool:
        """The choice."""
        if not isinstance(given.value, bool):
            given.fail(f"{given} should be `true` or `false`.")
        return bool(given.value)

    def write(self, value: bool) -> bool:  # noqa: FBT001 - a value like any other
        """As it is."""
        return value

    def schema(self) -> JsonSchema:
        """A boolean."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Offset:
    """Two numbers of pixels, to the right and down."""

    def read(self, given: YamlValue) -> tuple[float, float]:
        """The numbers."""
        numbers = [item.value for item in given.items()]
        if len(numbers) != 2 or not all(isinstance(one, int | float) for one in numbers):
            given.fail("this should be two numbers of pixels, to the right and down: [40, 0].")
        return float(numbers[0]), float(numbers[1])

    def write(self, value: tuple[float, float]) -> list[float]:
        """A list."""
        return [int(one) if one == int(one) else one for one in value]

    def schema(self) -> JsonSchema:
        """Two numbers."""
        return {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}


@dataclass(frozen=True)
class Mapped:
    """Names, each with a value of one form."""

    form: Codec
    names: str = "name"

    def read(self, given: YamlValue) -> dict[str, Any]:
        """The values by their names."""
        return {pair.word: self.form.read(pair.value) for pair in given.pairs()}

    def write(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """The same."""
        return {name: self.form.write(one) for name, one in value.items()}

    def schema(self) -> JsonSchema:
        """An object of these."""
        return {"type": "object", "additionalProperties": self.form.schema(), "minProperties": 1}


COUNT = Count()
FLAG = Flag()
LINE = Line()
TEXT_OR_NOTHING = Line(empty=True)
OFFSET = Offset()
WORDS = Lines()


# Steps as frozen dataclasses whose fields carry the forms of their keys.


def main(form: Codec, default: Any = MISSING, *, about: str = "", editor: Mapping[str, Any] | None = None) -> Any:
    """The field whose key is the word of the step; with a default, the word may stand alone.

    `about` says what it is for, and `editor` what a form on a screen needs to know beyond the form of its values.
    """
    return key(form, "", default, about=about, editor=editor)


def key(
    form: Codec, word: str, default: Any = MISSING, *, about: str = "", editor: Mapping[str, Any] | None = None
) -> Any:
    """A field with a key of its own."""
    metadata = {"form": form, "key": word, "about": about, "editor": editor or {}}
    return field(metadata=metadata, **({} if default is MISSING else {"default": default}))


def keys_of(kind: type[Any]) -> dict[str, "Field[Any]"]:
    """The fields of a step by their keys, its own before those of every such step; the main one by its word."""
    own = inspect.get_annotations(kind)
    ordered = sorted(fields(kind), key=lambda one: one.name not in own)
    return {one.metadata["key"] or kind.word: one for one in ordered if "form" in one.metadata}


# Where the secrets of a file are kept: the file names the place, and never holds the secret itself.

PLACES = ("environment", "keyring", "user")


@dataclass(frozen=True)
class SecretName:
    """A secret by its name; what it is stays where it is kept."""

    name: str


@dataclass(frozen=True, kw_only=True)
class SecretPlace:
    """Where a secret is kept: an environment variable, or an entry of the system's keyring."""

    environment: str = ""
    keyring: str = ""
    user: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the environment has it; what a keyring has shows when it is asked."""
        return not self.environment or self.environment in os.environ


def read_secrets(given: YamlValue) -> dict[str, SecretPlace]:
    """Where the secrets are kept. What else is there is not repeated in an error, for it may be a secret."""
    found = {}
    never = "a secret is never written into a file, only where it is kept"
    ways = "`{environment: NAME}`, or `{keyring: SERVICE, user: NAME}`"
    if not isinstance(given.value, dict):
        given.fail(f"`secrets` has the names of secrets, each with where it is kept: {ways}.")
    for pair in given.pairs():
        if not isinstance(pair.value.value, dict):
            pair.key.fail(f"{never}; write `{pair.word}:` with {ways}.")
        for one in pair.value.pairs():
            if one.word not in PLACES:
                one.key.fail(f"{never}; write `{pair.word}:` with {ways}.")
        keys = {one.word: LINE.read(one.value) for one in pair.value.pairs()}
        if ("environment" in keys) == ("keyring" in keys) or ("user" in keys) != ("keyring" in keys):
            pair.key.fail(f"say where the secret `{pair.word}` is kept: {ways}.")
        found[pair.word] = SecretPlace(**keys)
    return found


def secrets_schema() -> dict[str, object]:
    """What editors accept below `secrets`."""
    place = {word: LINE.schema() for word in PLACES}
    return {
        "type": "object",
        "additionalProperties": {"type": "object", "properties": place, "additionalProperties": False},
        "description": "Names of secrets with where each is kept",
    }


def look_up(name: str, place: SecretPlace) -> str:
    """The secret itself; one that is not there is an error that says where to put it."""
    found = os.environ.get(place.environment) if place.environment else _from_keyring(place)
    if not found:
        where = f"set the environment variable {place.environment}"
        if place.keyring:
            where = f"store it with `keyring set {place.keyring} {place.user}`"
        raise UsageError(f"The secret `{name}` is not there; {where} first.")
    return remember(found)


def _from_keyring(place: SecretPlace) -> str | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError as problem:
        raise MissingExtra("keyring", "A secret in the keyring") from problem
    try:
        return keyring.get_password(place.keyring, place.user)
    except KeyringError as problem:
        what = f"The keyring could not be read ({type(problem).__name__})"
        raise UsageError(f"{what}; unlock it, or keep the secret in an environment variable.") from problem
