"""The JSON Schema of navigation scripts, for editors that complete and check them while they are written."""

from dataclasses import MISSING
from typing import Any

from sightline.navigate.script._script import VERSION
from sightline.navigate.script._steps import STEPS, STEPS_FORM, Step
from sightline.navigate.script._target_form import TARGET
from sightline.yaml import LINE, keys_of, secrets_schema

__all__ = ["script_schema"]


def script_schema() -> dict[str, Any]:
    """The schema of a whole script, made from the same declarations that read one."""
    properties = {
        "navigation": {"const": VERSION, "description": "The version of the language"},
        "about": {"type": "string", "description": "What the script does, for people"},
        "variables": {
            "type": "object",
            "additionalProperties": LINE.schema(),
            "description": "Names with values, used as {name}",
        },
        "secrets": secrets_schema(),
        "steps": {**STEPS_FORM.schema(), "description": "What is done, in order"},
        "memory": {"type": "object", "description": "What a recording remembers of elements, by number"},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Navigation script of Sightline",
        "type": "object",
        "properties": properties,
        "required": ["navigation", "steps"],
        "additionalProperties": False,
        "$defs": {"target": TARGET.definition(), "step": {"anyOf": [_alone(), *map(_step, STEPS.values())]}},
    }


def _alone() -> dict[str, Any]:
    """Steps that may be nothing but their word."""
    return {"enum": [word for word, kind in STEPS.items() if not _required(kind)]}


def _step(kind: type[Step]) -> dict[str, Any]:
    keys = keys_of(kind)
    properties = {word: _key(one.metadata["form"].schema(), one.default is MISSING) for word, one in keys.items()}
    properties.setdefault(kind.word, {"type": "null"})
    return {
        "type": "object",
        "description": (kind.__doc__ or "").strip(),
        "properties": properties,
        "required": [kind.word, *(word for word in _required(kind) if word != kind.word)],
        "additionalProperties": False,
    }


def _key(schema: dict[str, Any], required: bool) -> dict[str, Any]:  # noqa: FBT001 - an inner helper
    return schema if required else {"anyOf": [schema, {"type": "null"}]}


def _required(kind: type[Step]) -> list[str]:
    return [word for word, one in keys_of(kind).items() if one.default is MISSING]
