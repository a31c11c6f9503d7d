"""The kinds of steps as an editor needs them: what each is for, its ports, and a form for each of its keys.

Everything comes from the declarations that read the file; a key that is added there has its form here.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field
from typing import Any, get_args, get_type_hints

from sightline.flow.spec._draft import ports_of
from sightline.flow.spec._forms import (
    PLAIN_CHANGES,
    Changes,
    ColumnNames,
    Input,
    Inputs,
    Private,
    PrivateByName,
    Privates,
    SameColumns,
    Share,
    UnionColumns,
)
from sightline.flow.spec._normal_form import NORMAL_KINDS, NormalColumns, NormalKind, normal_keys
from sightline.flow.spec._steps import FLOW_STEPS, STEP_GROUPS, FlowStep
from sightline.yaml import COUNT, FLAG, WORDS, Codec, Line, Mapped, OneOf, keys_of

__all__ = ["flow_kinds"]

_FORMS: Mapping[type, Callable[[Any], dict[str, Any]]] = {
    Line: lambda _: {"kind": "text"},
    type(WORDS): lambda _: {"kind": "words"},
    type(FLAG): lambda _: {"kind": "flag"},
    type(COUNT): lambda _: {"kind": "number", "minimum": 1, "whole": True},
    OneOf: lambda form: {"kind": "choice", "options": list(form.words)},
    Mapped: lambda _: {"kind": "map"},
    Share: lambda _: {"kind": "share"},
    Input: lambda _: {"kind": "step"},
    Inputs: lambda _: {"kind": "steps"},
    Private: lambda _: {"kind": "secret or text"},
    Privates: lambda _: {"kind": "secret or text", "many": True},
    PrivateByName: lambda _: {"kind": "options"},
    ColumnNames: lambda _: {"kind": "names"},
    SameColumns: lambda _: {"kind": "names"},
    UnionColumns: lambda _: {"kind": "union columns"},
    Changes: lambda _: {"kind": "changes", "options": list(PLAIN_CHANGES)},
    NormalColumns: lambda _: {"kind": "normal columns", "kinds": [_normal(*one) for one in NORMAL_KINDS.items()]},
}


def flow_kinds() -> list[dict[str, Any]]:
    """Every kind of steps, in the order in which rows go through a flow.

    >>> [kind["word"] for kind in flow_kinds()][:3]
    ['read', 'query', 'extract']
    """
    return [_kind(kind) for kind in FLOW_STEPS.values()]


def _kind(kind: type[FlowStep]) -> dict[str, Any]:
    keys = keys_of(kind)
    return {
        "word": kind.word,
        "group": STEP_GROUPS[kind.word],
        "title": kind.word.capitalize() if kind.word != "sql" else "SQL",
        "about": (kind.__doc__ or "").strip(),
        "ports": [
            {"key": port, "many": many, "label": _words(keys[port].name)} for port, many in ports_of(kind.word).items()
        ],
        "keys": [_key(kind, word, one) for word, one in keys.items()],
    }


def _key(kind: type[FlowStep], word: str, one: "Field[Any]") -> dict[str, Any]:
    form: Codec = one.metadata["form"]
    required = one.default is MISSING
    default = None if required or one.default in (None, "", ()) else form.write(one.default)
    return {
        "key": word,
        "required": required,
        "default": default,
        "label": _label(kind, word, one),
        "about": one.metadata["about"],
        "form": _FORMS[type(form)](form) | dict(one.metadata["editor"]),
    }


def _label(kind: type[FlowStep], word: str, one: "Field[Any]") -> str:
    return _words(one.name if word == kind.word else word)


def _words(name: str) -> str:
    return "SQL" if name == "sql" else name.replace("_", " ").capitalize()


# ---------------------------------------------------------------------- what is normalised


def _normal(word: str, kind: NormalKind) -> dict[str, Any]:
    own = {"key": word, "required": True, "default": None, "label": "Column", "about": "", "form": {"kind": "column"}}
    files = [_beside(key, kind, {"kind": "file", "suffixes": [".csv", ".json"]}) for key in kind.files]
    beside = [_beside(key, kind, {"kind": "column or value"}) for key in kind.beside]
    settings = [_setting(kind, key, one) for key, one in normal_keys(word).items()]
    return {"word": word, "title": word.capitalize(), "about": kind.about, "keys": [own, *settings, *files, *beside]}


def _beside(key: str, kind: NormalKind, form: dict[str, Any]) -> dict[str, Any]:
    required = key in kind.needed
    return {"key": key, "required": required, "default": None, "label": key.capitalize(), "about": "", "form": form}


def _setting(kind: NormalKind, key: str, one: "Field[Any]") -> dict[str, Any]:
    type_of = get_type_hints(kind.settings)[one.name]
    types = [part for part in get_args(type_of) if part is not type(None)] or [type_of]
    form: dict[str, Any] = {"kind": "text"}
    if choices := [choice for choice in one.metadata["choices"] if choice is not None]:
        form = {"kind": "choice", "options": choices}
    elif type_of == tuple[str, ...]:
        form = {"kind": "words"}
    elif types[0] is bool:
        form = {"kind": "flag"}
    elif types[0] in (int, float):
        form = {"kind": "number", "whole": types[0] is int}
    default = None if one.default in (MISSING, None, "") else one.default
    return {
        "key": key,
        "required": one.default is MISSING,
        "default": list(default) if isinstance(default, tuple) else default,
        "label": key.capitalize(),
        "about": one.metadata["help"],
        "form": form,
    }
