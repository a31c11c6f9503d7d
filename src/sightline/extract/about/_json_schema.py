"""What the JSON of a thing may hold, as JSON Schema, for those who read it with other programs."""

from collections.abc import Mapping
from typing import Any

from sightline.extract.about._kinds import KINDS, FieldType, ThingKind

SHAPES: Mapping[FieldType, Mapping[str, Any]] = {
    "money": {"type": ["number", "string"]},
    "number": {"type": ["number", "string"]},
    "rating": {"type": ["number", "string"]},
    "day": {"type": "string", "format": "date"},
    "span": {"type": "string", "format": "duration"},
    "address": {"type": "string", "format": "uri-reference"},
    "currency": {"type": "string", "pattern": "^[A-Z]{3}$"},
    "gtin": {"type": "string", "pattern": "^[0-9]{8,14}$|^[0-9]{9}[0-9Xx]$"},
    "availability": {"type": "string"},
}
DOUBT = {
    "type": "object",
    "required": ["field", "reason", "said", "seen"],
    "properties": {
        "field": {"type": "string"},
        "reason": {"type": "string"},
        "said": {"type": ["string", "null"]},
        "seen": {"type": ["string", "null"]},
    },
}


def thing_schema() -> dict[str, Any]:
    """The JSON Schema of what `sightline about --json` says of a page.

    >>> sorted(thing_schema()["$defs"]["recipe"]["properties"])[:3]
    ['author', 'cookTime', 'datePublished']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What a page is about",
        "type": "object",
        "required": ["kind", "fields", "doubts"],
        "properties": {
            "kind": {"enum": [*KINDS, None]},
            "fields": {"anyOf": [{"$ref": f"#/$defs/{kind}"} for kind in KINDS]},
            "doubts": {"type": "array", "items": DOUBT},
            "list": {"type": "boolean", "description": "whether the page lists many things"},
        },
        "$defs": {kind.name: _fields(kind) for kind in KINDS.values()},
    }


def _fields(kind: ThingKind) -> dict[str, Any]:
    shapes = {one.name: SHAPES.get(one.type, {"type": "string"}) for one in kind.fields}
    several = {one.name: {"type": "array", "items": shapes[one.name]} for one in kind.fields if one.many}
    return {"type": "object", "additionalProperties": False, "properties": {**shapes, **several}}
