"""The JSON Schema of flows, for editors that complete and check them while they are written."""

from dataclasses import MISSING
from typing import Any

from sightline.flow.spec._flow import FLOW_VERSION
from sightline.flow.spec._forms import STEP_NAME
from sightline.flow.spec._steps import FLOW_STEPS, FlowStep
from sightline.yaml import LINE, keys_of, secrets_schema

__all__ = ["flow_schema"]


def flow_schema() -> dict[str, Any]:
    """The schema of a whole flow, made from the same declarations that read one."""
    properties = {
        "flow": {"const": FLOW_VERSION, "description": "The version of the language"},
        "about": {"type": "string", "description": "What the flow does, for people"},
        "variables": {
            "type": "object",
            "additionalProperties": LINE.schema(),
            "description": "Names with values, used as {name}",
        },
        "secrets": secrets_schema(),
        "schedule": {"type": "string", "description": "When it runs, such as: every weekday at 6:30 Europe/Vienna"},
        "steps": {
            "type": "object",
            "propertyNames": {"pattern": f"^{STEP_NAME.pattern}$"},
            "additionalProperties": {"anyOf": [_step(kind) for kind in FLOW_STEPS.values()]},
            "minProperties": 1,
            "description": "What is done: names, each with a step",
        },
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Flow of Sightline",
        "type": "object",
        "properties": properties,
        "required": ["flow", "steps"],
        "additionalProperties": False,
    }


def _step(kind: type[FlowStep]) -> dict[str, Any]:
    keys = keys_of(kind)
    required = [word for word, one in keys.items() if one.default is MISSING]
    properties = {}
    for word, one in keys.items():
        schema = one.metadata["form"].schema()
        properties[word] = schema if word in required else {"anyOf": [schema, {"type": "null"}]}
    return {
        "type": "object",
        "description": (kind.__doc__ or "").strip(),
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
