"""Scripts as the API shows them: steps in words, with the values that can be edited."""

from datetime import UTC, datetime
from typing import Any

from typing_extensions import TypedDict

from sightline.navigate.play import target_of
from sightline.navigate.script import (
    BLOCK_KEYS,
    Script,
    Step,
    block_fields,
    comments_in,
    keys_of,
    plain_step,
    step_words,
)
from sightline.server._problems import ProblemError
from sightline.server._script_desk import OpenScript, ScriptDesk
from sightline.server._shapes import HistoryShape, JsonResponse, encodable, history_shape

__all__ = ["ScriptInfoShape", "ScriptShape", "ScriptStepShape", "script_answer", "script_infos", "script_shape"]


class ScriptInfoShape(TypedDict):
    """A script in the list of scripts."""

    name: str
    about: str
    steps: int
    doubts: int
    changed: str
    version: str
    problem: str | None


class ScriptStepShape(TypedDict):
    """A step: its place, its word and itself in words; `keys` are its plain values but its target and inner steps."""

    place: str
    word: str
    words: str
    keys: dict[str, Any]
    main: str
    target: str | None
    doubts: list[str]
    steps: "list[ScriptStepShape]"
    otherwise: "list[ScriptStepShape] | None"


class ScriptShape(TypedDict):
    """A script with its steps; `problems` say why it cannot be read, `notes` what an edit here would do to its text."""

    name: str
    version: str
    text: str
    about: str
    variables: dict[str, str]
    secrets: dict[str, dict[str, Any]]
    steps: list[ScriptStepShape]
    problems: list[str]
    notes: list[str]
    history: HistoryShape


def script_infos(desk: ScriptDesk) -> list[dict[str, Any]]:
    """All scripts, the last changed first."""
    found = sorted(((desk.documents.changed(name), name) for name in desk.documents.names()), reverse=True)
    shapes = []
    for changed, name in found:
        try:
            opened = desk.open(name)
        except ProblemError:  # deleted while the others were read
            continue
        shapes.append(
            {
                "name": name,
                "about": opened.script.about,
                "steps": _count(opened.script.steps),
                "doubts": sum(bool(opened.doubts_of(step)) for step in opened.script.steps),
                "changed": datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds"),
                "version": opened.version,
                "problem": opened.problem or None,
            }
        )
    return shapes


def script_answer(opened: OpenScript, status: int = 200) -> JsonResponse:
    """A script as an answer, with its version."""
    return JsonResponse(script_shape(opened), status, headers={"ETag": f'"{opened.version}"'})


def script_shape(opened: OpenScript) -> dict[str, Any]:
    """A script as the API shows it."""
    script = opened.script
    return {
        "name": opened.name,
        "version": opened.version,
        "text": opened.text,
        "about": script.about,
        "variables": dict(script.variables),
        "secrets": {
            name: {"environment": place.environment, "keyring": place.keyring, "known": place.is_known}
            for name, place in script.secrets.items()
        },
        "steps": [_step(opened, step, str(number)) for number, step in enumerate(script.steps, 1)],
        "problems": [opened.problem] if opened.problem else [],
        "notes": _notes(opened, script),
        "history": history_shape(opened.history),
    }


def _count(steps: tuple[Step, ...]) -> int:
    return sum(1 + sum(_count(getattr(step, name)) for name in block_fields(type(step))) for step in steps)


def _notes(opened: OpenScript, script: Script) -> list[str]:
    if opened.problem or not script.steps or not comments_in(opened.text):
        return []
    return [
        "This script has comments. Editing steps keeps them, but a step that is changed is written anew, and changing "
        "variables writes the whole script anew, without them."
    ]


def _step(opened: OpenScript, step: Step, place: str) -> dict[str, Any]:
    blocks = block_fields(type(step))
    inner = [
        [
            _step(opened, one, f"{place}.{'else.' if at else ''}{number}")
            for number, one in enumerate(getattr(step, name), 1)
        ]
        for at, name in enumerate(blocks)
    ]
    target = target_of(step)
    hidden = {BLOCK_KEYS[name] for name in blocks}
    main = step.word
    written = plain_step(step)
    known = {
        key: written.get(key, one.default)
        for key, one in keys_of(type(step)).items()
        if key not in hidden and not (key == main and target is not None)
    }
    return {
        "place": place,
        "word": step.word,
        "words": encodable(step_words(step)),
        "keys": {key: _plain(value) for key, value in known.items()},
        "main": main,
        "target": encodable(str(target)) if target is not None else None,
        "doubts": opened.doubts_of(step),
        "steps": inner[0] if inner else [],
        "otherwise": inner[1] if len(inner) > 1 else None,
    }


def _plain(value: Any) -> Any:
    """A value that JSON has; what has no default has none to show."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if isinstance(value, str | int | float | bool) or value is None else None
