"""Steps as frozen dataclasses whose fields carry the forms of their keys."""

from dataclasses import MISSING, Field, field, fields
from typing import Any

from sightline.yaml._forms import Form

__all__ = ["key", "keys_of", "main"]


def main(form: Form, default: Any = MISSING) -> Any:
    """The field whose key is the word of the step; with a default, the word may stand alone."""
    return field(metadata={"form": form, "key": ""}, **({} if default is MISSING else {"default": default}))


def key(form: Form, word: str, default: Any = MISSING) -> Any:
    """A field with a key of its own."""
    return field(metadata={"form": form, "key": word}, **({} if default is MISSING else {"default": default}))


def keys_of(kind: type[Any]) -> dict[str, "Field[Any]"]:
    """The fields of a step by their keys; the main one by the word of the step."""
    return {one.metadata["key"] or kind.word: one for one in fields(kind) if "form" in one.metadata}
