"""How a flow says what is normalised: a list, each entry a kind with its column and the settings of that kind."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field
from typing import Any, get_args, get_type_hints

from sightline.errors import UsageError
from sightline.flow.normalise import (
    CountrySettings,
    DateSettings,
    MoneySettings,
    NormaliseSettings,
    TaxSettings,
    TextSettings,
    TypingSettings,
    UnitSettings,
)
from sightline.settings import describe
from sightline.yaml import LINE, JsonSchema, YamlValue, did_you_mean, listed, the_one_key


@dataclass(frozen=True)
class NormalKind:
    """A kind of normalising: its settings, and what it takes besides them, as a column of the rows or one value."""

    settings: type[NormaliseSettings]
    about: str
    files: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()


NORMAL_KINDS: Mapping[str, NormalKind] = {
    "money": NormalKind(
        MoneySettings,
        "Bring prices to one currency, by a table of dated rates",
        files=("rates",),
        beside=("date", "currency column"),
    ),
    "remove tax": NormalKind(
        TaxSettings,
        "Make gross prices net, by a table of rates",
        files=("rates",),
        beside=("country", "date", "category"),
        needed=("rates", "country"),
    ),
    "add tax": NormalKind(
        TaxSettings,
        "Make net prices gross, by a table of rates",
        files=("rates",),
        beside=("country", "date", "category"),
        needed=("rates", "country"),
    ),
    "unit": NormalKind(UnitSettings, "Bring measures to one unit"),
    "date": NormalKind(DateSettings, "Write dates by ISO 8601"),
    "country": NormalKind(CountrySettings, "Write countries as ISO codes"),
    "text": NormalKind(TextSettings, "Clean texts"),
    "type": NormalKind(TypingSettings, "Give a column the type that its texts have"),
}
"""Every kind by its word."""

# Keys whose setting has another name, because the word of the kind takes the plain one.
_OTHER_NAMES = {"money": {"currency": "to"}, "unit": {"unit": "to"}}


@dataclass(frozen=True)
class NormalColumn:
    """One thing to normalise; `files` and `beside` are what it takes besides its settings, by their keys."""

    kind: str
    settings: NormaliseSettings
    files: Mapping[str, str] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        """As a line of progress."""
        return f"{self.kind} {self.settings.column}"


def normal_keys(kind: str) -> dict[str, "Field[Any]"]:
    """The settings of a kind by their keys in a file."""
    other = _OTHER_NAMES.get(kind, {})
    found = {}
    for one in describe(NORMAL_KINDS[kind].settings):
        if one.name != "column":
            found[other.get(one.name, one.name.replace("_", " "))] = one
    return found


@dataclass(frozen=True)
class NormalColumns:
    """A list of what is normalised, in order."""

    def read(self, given: YamlValue) -> tuple[NormalColumn, ...]:
        """The columns with their kinds."""
        found = tuple(self._one(item) for item in given.items())
        if not found:
            given.fail("there is nothing to normalise here; write at least one entry, such as `- money: price`.")
        return found

    def _one(self, given: YamlValue) -> NormalColumn:
        kind = _kind_of(given)
        known, declared = NORMAL_KINDS[kind], normal_keys(kind)
        values: dict[str, Any] = {}
        files, beside = {}, {}
        for pair in given.pairs():
            if pair.word == kind:
                values["column"] = LINE.read(pair.value)
            elif pair.word in known.files:
                files[pair.word] = LINE.read(pair.value)
            elif pair.word in known.beside:
                beside[pair.word] = LINE.read(pair.value)
            elif pair.word in declared:
                values[declared[pair.word].name] = _setting(pair.value, known.settings, declared[pair.word])
            else:
                words = [*known.files, *known.beside, *declared]
                pair.key.fail(f"`{kind}` has no key `{pair.word}`; {did_you_mean(pair.word, words)}")
        for word in known.needed:
            if word not in files and word not in beside:
                given.fail(f"`{kind}` needs the key `{word}`.")
        try:
            settings = known.settings(**values)
        except UsageError as problem:
            given.fail(str(problem))
        return NormalColumn(kind, settings, files, beside, given.line)

    def write(self, value: tuple[NormalColumn, ...]) -> list[Any]:
        """A list of mappings, with what is not the default."""
        return [self._written(one) for one in value]

    def _written(self, one: NormalColumn) -> dict[str, Any]:
        chosen = {
            word: list(value) if isinstance(value := getattr(one.settings, declared.name), tuple) else value
            for word, declared in normal_keys(one.kind).items()
            if getattr(one.settings, declared.name) != declared.default
        }
        return {one.kind: one.settings.column, **chosen, **one.files, **one.beside}

    def schema(self) -> JsonSchema:
        """A list of objects, one form for each kind."""
        return {"type": "array", "items": {"anyOf": [_kind_schema(kind) for kind in NORMAL_KINDS]}, "minItems": 1}


def _kind_of(given: YamlValue) -> str:
    """The kind that an entry is of: its first key, since some kinds have keys that are kinds of their own."""
    first = next(given.pairs(), None)
    if first is not None and first.word in NORMAL_KINDS:
        return first.word
    if first is not None and not any(pair.word in NORMAL_KINDS for pair in given.pairs()):
        first.key.fail(f"nothing is normalised as `{first.word}`; {did_you_mean(first.word, NORMAL_KINDS)}")
    return the_one_key(given, NORMAL_KINDS, "what is normalised").word


def _setting(given: YamlValue, settings: type[NormaliseSettings], declared: "Field[Any]") -> Any:
    kind = get_type_hints(settings)[declared.name]
    kinds = [one for one in get_args(kind) if one is not type(None)] or [kind]
    if kind == tuple[str, ...]:
        return (
            tuple(LINE.read(item) for item in given.items()) if isinstance(given.value, list) else (LINE.read(given),)
        )
    if kinds[0] is bool:
        if not isinstance(given.value, bool):
            given.fail(f"{given} should be `true` or `false`.")
        return bool(given.value)
    if kinds[0] in (int, float):
        if isinstance(given.value, bool) or not isinstance(given.value, kinds[0] | int):
            given.fail(f"{given} should be a {'whole ' if kinds[0] is int else ''}number.")
        return kinds[0](given.value)
    text = LINE.read(given)
    choices = [one for one in declared.metadata["choices"] if one is not None]
    if choices and text not in choices:
        given.fail(f"{given} is not known here; it is one of {listed(choices)}.")
    return text


def _kind_schema(kind: str) -> JsonSchema:
    known = NORMAL_KINDS[kind]
    properties = {kind: {**LINE.schema(), "description": known.about}}
    for word in (*known.files, *known.beside):
        properties.setdefault(word, LINE.schema())
    for word, declared in normal_keys(kind).items():
        properties[word] = _setting_schema(known.settings, declared)
    return {
        "type": "object",
        "properties": properties,
        "required": [kind, *known.needed],
        "additionalProperties": False,
    }


def _setting_schema(settings: type[NormaliseSettings], declared: "Field[Any]") -> JsonSchema:
    kind = get_type_hints(settings)[declared.name]
    kinds = [one for one in get_args(kind) if one is not type(None)] or [kind]
    about = {"description": declared.metadata["help"]}
    if choices := [one for one in declared.metadata["choices"] if one is not None]:
        return {"enum": choices, **about}
    if kind == tuple[str, ...]:
        one = LINE.schema()
        return {"anyOf": [one, {"type": "array", "items": one}], **about}
    names = {bool: "boolean", int: "integer", float: "number"}
    plain = {"type": names[kinds[0]]} if kinds[0] in names else LINE.schema()
    return {**plain, **about, **({} if declared.default in (None, MISSING, "") else {"default": declared.default})}


NORMAL_COLUMNS = NormalColumns()
