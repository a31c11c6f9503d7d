"""The fields that a reader asks a page for: by a list of names, or by a JSON Schema.

`name, price: money, colours: texts` names three fields, one of them an amount and one with several values.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import orjson

from sightline.errors import UsageError
from sightline.extract.about._concepts import meant_by
from sightline.extract.about._context import plain_words_of
from sightline.signals import word_set

AskedType: TypeAlias = Literal["text", "money", "number", "date", "span", "code", "phone", "email", "url", "address"]
"""What a field may be asked for as; a plural asks for several values."""

SINGULAR: Mapping[str, AskedType] = {one: one for one in get_args(AskedType)}
PLURAL: Mapping[str, AskedType] = {f"{one}es" if one == "address" else f"{one}s": one for one in get_args(AskedType)}
OF_FORMAT: Mapping[str, AskedType] = {
    "date": "date",
    "date-time": "date",
    "duration": "span",
    "email": "email",
    "idn-email": "email",
    "uri": "url",
    "uri-reference": "url",
    "iri": "url",
    "iri-reference": "url",
}
OF_JSON: Mapping[str, AskedType] = {"string": "text", "number": "number", "integer": "number", "boolean": "text"}
# Words that say what a value is, whatever it is a value of.
TYPE_WORDS: Mapping[AskedType, frozenset[str]] = {
    "money": word_set("price prices cost costs fee msrp preis prix precio prezzo prijs preço pris cena цена"),
    "date": word_set("date datum fecha data дата published posted updated released born"),
    "span": word_set("duration runtime dauer durée duración durata"),
    "code": word_set("code sku isbn upc ean gtin mpn asin id"),
    "phone": word_set("phone telephone tel mobile fax telefon téléphone teléfono telefono телефон"),
    "email": word_set("email mail"),
    "url": word_set("url website homepage link site"),
    "address": word_set("address adresse dirección indirizzo adres endereço адрес"),
}
NAME_WORDS = word_set("name title headline model titel nom nombre nome titre título titolo naam имя название")
MOST_FIELDS = 100
LONGEST_NAME = 80
LONGEST_ASKED = 1_000_000  # characters of a schema


@dataclass(frozen=True)
class AskedField:
    """A field that is asked for: its name, its type where one is said, whether it may have several values.

    >>> AskedField("publicationDate").words, AskedField("publicationDate").likely_type
    (('publication', 'date'), 'date')
    """

    name: str
    type: AskedType | None = None
    many: bool = False
    title: str = ""
    required: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The words of its name, or of its title where it has one."""
        return words_of_name(self.title) or words_of_name(self.name)

    @property
    def concepts(self) -> tuple[str, ...]:
        """What its words mean, in whatever language.

        >>> AskedField("price").concepts == AskedField("Preis").concepts
        True
        """
        return meant_by(self.words)

    @property
    def likely_type(self) -> AskedType | None:
        """The type that is said, or the one that its words tell."""
        if self.type:
            return self.type
        words = set(self.words)
        return next((type for type, own in TYPE_WORDS.items() if own & words), None)

    @property
    def is_name(self) -> bool:
        """Whether it asks for what the thing is called."""
        return self.words[-1:] != () and self.words[-1] in NAME_WORDS


def words_of_name(name: str) -> tuple[str, ...]:
    """The words of a name, however they are joined.

    >>> words_of_name("mpaa_rating"), words_of_name("frameSize"), words_of_name("ISBN-13")
    (('mpaa', 'rating'), ('frame', 'size'), ('isbn', '00'))
    """
    parted = re.sub(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])", " ", name).replace("_", " ")
    return plain_words_of(parted)


# ---------------------------------------------------------------- reading what is asked


def asked_text(fields: str | Mapping[str, Any]) -> str:
    """Fields as settings keep them, which is a text; a mistake in them is told before any page is opened."""
    if not isinstance(fields, str | Mapping):
        raise UsageError(f"Fields are asked for by names in a text, or by a JSON Schema, not by {fields!r:.60}.")
    try:
        text = fields if isinstance(fields, str) else orjson.dumps(dict(fields)).decode()
    except orjson.JSONEncodeError as error:
        raise UsageError(f"The JSON Schema of the fields has something that JSON cannot have: {error}.") from error
    parse_asked(text)
    return text


def parse_asked(text: str) -> tuple[AskedField, ...]:
    """The fields that a list of names asks for, or a JSON Schema.

    >>> [(one.name, one.type, one.many) for one in parse_asked("name, price: money, colours: texts")]
    [('name', None, False), ('price', 'money', False), ('colours', 'text', True)]
    >>> parse_asked('{"type": "object", "properties": {"born": {"type": "string", "format": "date"}}}')[0].type
    'date'
    """
    if len(text) > LONGEST_ASKED:
        raise UsageError(f"The fields have {len(text):,} characters; ask for fewer than {LONGEST_ASKED:,}.")
    return _checked(list(_of_schema(text) if text.lstrip().startswith("{") else _of_list(text)))


def _checked(fields: list[AskedField]) -> tuple[AskedField, ...]:
    if not fields:
        raise UsageError('No field is asked for; name at least one, as in "name, price: money".')
    if len(fields) > MOST_FIELDS:
        raise UsageError(f"{len(fields)} fields are asked for; ask for at most {MOST_FIELDS} at once.")
    seen: set[str] = set()
    for one in fields:
        if len(one.name) > LONGEST_NAME:
            raise UsageError(f"The name {one.name[:30]!r}… is longer than {LONGEST_NAME} characters; shorten it.")
        if not one.words:
            raise UsageError(f"The field {one.name!r} has no word to look for; call it what the page calls it.")
        if one.name.casefold() in seen:
            raise UsageError(f"The field {one.name!r} is asked for twice; name each field once.")
        seen.add(one.name.casefold())
    return tuple(fields)


def _of_list(text: str) -> Iterator[AskedField]:
    if not text.strip():
        return
    for part in text.split(","):
        name, colon, type = (" ".join(piece.split()) for piece in part.partition(":"))
        if not name:
            raise UsageError(f"A field in {text.strip()[:60]!r} has no name; write names with commas between them.")
        if colon and type.casefold() not in {**SINGULAR, **PLURAL}:
            raise UsageError(f"There is no type {type[:40]!r} for the field {name!r}; use {_types_told()}.")
        kind = type.casefold()
        yield AskedField(name, SINGULAR.get(kind) or PLURAL.get(kind), many=kind in PLURAL)


def _types_told() -> str:
    return f"{', '.join(SINGULAR)}, or a plural such as texts for several values"


def _of_schema(text: str) -> Iterator[AskedField]:
    try:
        schema = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise UsageError(
            f"The JSON Schema of the fields is no JSON: {error}; mend it, or give names instead."
        ) from error
    properties = schema.get("properties")
    if schema.get("type", "object") != "object" or not isinstance(properties, dict):
        raise UsageError(
            "The JSON Schema of the fields must describe an object with properties; "
            'write {"type": "object", "properties": {"name": {"type": "string"}}}.'
        )
    required = schema.get("required", [])
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        raise UsageError(f"`required` of the JSON Schema must be a list of names, not {required!r:.60}.")
    if missing := [name for name in required if name not in properties]:
        raise UsageError(f"The JSON Schema requires {missing[0]!r:.60}, which is none of its properties; add it there.")
    for name, told in properties.items():
        yield _property(name, _without_null(told, name), required=name in required)


def _without_null(told: Any, name: str) -> Mapping[str, Any]:
    """A property as it is when it is there: of alternatives the first that is not null."""
    if told is True:
        return {}
    if not isinstance(told, dict):
        raise UsageError(f"The property {name!r:.60} of the JSON Schema must be an object, not {told!r:.40}.")
    several = told.get("anyOf") or told.get("oneOf")
    if not isinstance(several, list):
        return told
    chosen = next((one for one in several if isinstance(one, dict) and one.get("type") != "null"), {})
    return {**chosen, **{key: told[key] for key in ("title", "description") if key in told}}


def _kinds(told: Mapping[str, Any]) -> list[Any]:
    """The types of JSON that a property may have, without null."""
    kinds = told.get("type", [])
    return [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if kind != "null"]


def _property(name: str, told: Mapping[str, Any], *, required: bool) -> AskedField:
    kinds = _kinds(told)
    if kinds == ["array"]:
        items = _without_null(told.get("items", {}), name)
        if _kinds(items) == ["array"]:
            raise UsageError(f"The property {name!r} is a list of lists; fields have one value, or a list of values.")
        one = _property(name, items, required=required)
        return _titled(AskedField(name, one.type, many=True, required=required), told)
    known = all(isinstance(kind, str) and kind in OF_JSON for kind in kinds)
    if len(kinds) > 1 or not known or "properties" in told or "$ref" in told:
        raise UsageError(
            f"The property {name!r} is neither a single value nor a list of them; fields are flat: "
            f"use {', '.join(OF_JSON)} or an array of those."
        )
    format = str(told.get("format", ""))
    type = OF_FORMAT.get(format) or SINGULAR.get(format) or OF_JSON.get(kinds[0] if kinds else "")
    return _titled(AskedField(name, type, required=required), told)


def _titled(field: AskedField, told: Mapping[str, Any]) -> AskedField:
    title = told.get("title")
    return replace(field, title=title[:LONGEST_NAME]) if isinstance(title, str) else field
