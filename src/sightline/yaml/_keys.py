"""Steps as frozen dataclasses whose fields carry the forms of their keys."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, field, fields
from typing import Any

from sightline.yaml._forms import Form

__all__ = ["key", "keys_of", "main"]


def main(form: Form, default: Any = MISSING, *, about: str = "", editor: Mapping[str, Any] | None = None) -> Any:
    """The field whose key is the word of the step; with a default, the word may stand alone.

    `about` says what it is for, and `editor` what a form on a screen needs to know beyond the form of its values.
    """
    return key(form, "", default, about=about, editor=editor)


def key(
    form: Form, word: str, default: Any = MISSING, *, about: str = "", editor: Mapping[str, Any] | None = None
) -> Any:
    """A field with a key of its own."""
    metadata = {"form": form, "key": word, "about": about, "editor": editor or {}}
    return field(metadata=metadata, **({} if default is MISSING else {"default": default}))


def keys_of(kind: type[Any]) -> dict[str, "Field[Any]"]:
    """The fields of a step by their keys; the main one by the word of the step."""
    return {one.metadata["key"] or kind.word: one for one in fields(kind) if "form" in one.metadata}
