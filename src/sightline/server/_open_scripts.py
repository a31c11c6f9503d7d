"""The navigation scripts of a project: files that the command line plays as well, with edits that can be undone."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from typing_extensions import TypedDict

from sightline.documents import decoded_document
from sightline.errors import ConflictError, UsageError
from sightline.files import make_folder, write_bytes
from sightline.navigate.play import target_of
from sightline.navigate.record import Recording
from sightline.navigate.script import (
    BLOCK_KEYS,
    Script,
    Step,
    block_fields,
    comments_in,
    insert_step,
    keys_of,
    move_step,
    plain_step,
    remove_step,
    replace_step,
    step_at,
    step_of,
    step_words,
    text_after,
    unwrap_step,
    wrap_steps,
)
from sightline.project import Documents, Steps, check_version
from sightline.server._problems import ProblemError, found_document, without_folders
from sightline.server._shapes import HistoryResponse, Json, JsonResponse, encodable, history_shape
from sightline.server._studio import Studio

SUFFIX = ".nav.yaml"
BESIDE = ".nav.history.json"
HISTORIES = "scripts"  # the folder of what was changed, and of what a recording doubts
MOST_EDITS = 200  # that can be undone; a script of 40 steps has some 30 kB each
EMPTY = Script(steps=())


@dataclass
class OpenScript:
    """A script as its file has it, with what can be undone and what a recording doubts."""

    name: str
    text: str
    version: str
    script: Script = EMPTY
    problem: str = ""
    history: Steps = field(default_factory=Steps)
    doubts: list[tuple[Any, list[str]]] = field(default_factory=list)

    def doubts_of(self, step: Step) -> list[str]:
        """Why a step may not do the same again; one that was changed since has none."""
        plain = plain_step(step)
        return next((told for written, told in self.doubts if written == plain), [])


class OpenScripts:
    """Scripts by name. Asking for one that is not there is a problem with the code `not-found`."""

    def __init__(self, studio: Studio) -> None:
        self._folder = studio.folder
        self.documents = Documents(studio.folder, SUFFIX, "a script")
        self._turn = threading.RLock()

    def open(self, name: str) -> OpenScript:
        """A script as it is now; one that cannot be read says why."""
        stored = found_document(self.documents, name)
        text = stored.content.decode("utf-8", "replace")
        opened = OpenScript(name, text, stored.version)
        history, opened.doubts = self._kept(name)
        # Somebody may have changed the file by hand: then what was before is theirs to know.
        if not history.steps or _text_at(history) == text:
            opened.history = history
        try:
            opened.script = Script.loads(stored.content.decode(), str(self.documents.path(name)))
        except UnicodeDecodeError:  # an edit of a step would write what was guessed for the signs that cannot be read
            opened.problem = f"{name}{SUFFIX} is not a text in UTF-8."
        except UsageError as problem:
            opened.problem = without_folders(problem.message)
        return opened

    def create(self, name: str, text: str) -> OpenScript:
        """A new script; there must be none of that name."""
        self.documents.save(name, text.encode(), expected=None)
        self._history_path(name).unlink(missing_ok=True)
        return self.open(name)

    def delete(self, name: str, expected: str) -> None:
        """Delete a script and its history."""
        found_document(self.documents, name)
        self.documents.delete(name, expected=expected)
        self._history_path(name).unlink(missing_ok=True)

    def edit(self, name: str, expected: str, edit: Mapping[str, Any]) -> OpenScript:
        """Change a script, or undo or redo a change; refused if it has another version than expected."""
        with self._turn:
            opened = self.open(name)
            check_version(name, opened.version, expected)
            action = edit["action"]
            if action in ("undo", "redo"):
                history = opened.history.undone() if action == "undo" else opened.history.redone()
                text = _text_at(history)
                assert text is not None
                return self._save(replace(opened, text=text, history=history))
            if action == "text":
                return self._changed(opened, edit["text"], "edited the text")
            if opened.problem:
                raise UsageError(f"{opened.problem} Mend the text first.")
            script, words = edited(opened.script, edit)
            text = text_after(opened.text, opened.script, script)
            Script.loads(text, opened.script.file)  # names that nobody knows, and what no step can be
            return self._changed(opened, text, words)

    def take(self, name: str, before: Recording, after: Recording) -> OpenScript:
        """Write down what a recording has become since; what somebody changed in the script meanwhile stays."""
        try:
            return self._take(name, before, after)
        except ConflictError:  # another process was faster; what it saved is taken as it is
            return self._take(name, before, after)

    def _take(self, name: str, before: Recording, after: Recording) -> OpenScript:
        with self._turn:
            opened = self.open(name)
            if opened.problem:
                raise UsageError(f"{opened.problem} What you do is not recorded until the text is mended.")
            script, new = recorded(opened.script, before, after)
            known = [one for one in opened.doubts if one[0] not in [plain_step(step.step) for step in after.steps]]
            opened.doubts = known + [(plain_step(one.step), list(one.doubts)) for one in after.steps if one.doubts]
            text = text_after(opened.text, opened.script, script)
            if text == opened.text:
                return opened
            # While somebody types, the step of their typing changes with every letter: that is one edit.
            words = f"recorded: {step_words(after.steps[-1].step)}" if after.steps else "recorded"
            return self._changed(opened, text, words, again=new is None)

    # ------------------------------------------------------------------ how it is kept

    def _changed(self, opened: OpenScript, text: str, words: str, *, again: bool = False) -> OpenScript:
        if text == opened.text:
            return opened
        history = opened.history
        if again and history.at:
            last = history.done[-1]
            history = Steps((*history.done[:-1], {**last, "words": words, "after": text}), history.at)
        else:
            history = history.then({"words": words, "before": opened.text, "after": text})
        kept = history.steps[-MOST_EDITS:]
        return self._save(replace(opened, text=text, history=Steps(kept, len(kept))))

    def _save(self, opened: OpenScript) -> OpenScript:
        written = {"history": opened.history.to_json(), "doubts": opened.doubts}
        make_folder(self._folder / HISTORIES)
        # The version that it was made from: another process may serve the same project.
        self.documents.save(opened.name, opened.text.encode(), expected=opened.version)
        write_bytes(self._history_path(opened.name), orjson.dumps(written))
        return self.open(opened.name)

    def _history_path(self, name: str) -> Path:
        return self._folder / HISTORIES / f"{name}{BESIDE}"

    def _kept(self, name: str) -> tuple[Steps, list[tuple[Any, list[str]]]]:
        """What was changed, and what a recording doubts."""
        try:
            found = decoded_document(self._history_path(name).read_bytes())
            history = Steps.from_json(found["history"])
            _text_at(history)
            return history, [(written, list(told)) for written, told in found["doubts"]]
        except FileNotFoundError:
            return Steps(), []
        except (UsageError, LookupError, TypeError, ValueError):  # damaged; that costs the undo of older changes
            return Steps(), []


def _text_at(history: Steps) -> str | None:
    """The text that a history has come to."""
    if history.at:
        return str(history.steps[history.at - 1]["after"])
    return str(history.steps[0]["before"]) if history.steps else None


# ---------------------------------------------------------------------- edits


def edited(script: Script, edit: Mapping[str, Any]) -> tuple[Script, str]:
    """A script after an edit, and the edit in words."""
    steps, action = script.steps, edit["action"]
    place = edit.get("place", "")
    if action == "insert":
        step = step_of(edit["step"])
        return replace(script, steps=insert_step(steps, place, step)), f"inserted “{step_words(step)}”"
    if action == "wrap":
        return _wrapped(script, edit)
    if action == "variables":
        return replace(script, variables=dict(edit["values"])), "changed the variables"
    if action == "about":
        return replace(script, about=edit["text"]), "changed what it is about"
    old = step_at(steps, place)
    said = f"“{step_words(old)}”"
    if action == "remove":
        return replace(script, steps=remove_step(steps, place)), f"removed {said}"
    if action == "move":
        return replace(script, steps=move_step(steps, place, edit["to"])), f"moved {said}"
    if action == "unwrap":
        return replace(script, steps=unwrap_step(steps, place)), f"dissolved {said}"
    changed = _with_key(old, old.word if action == "target" else edit["key"], edit["value"])
    return replace(script, steps=replace_step(steps, place, changed)), f"changed {said} to “{step_words(changed)}”"


def _wrapped(script: Script, edit: Mapping[str, Any]) -> tuple[Script, str]:
    head = dict(edit["step"])

    def make(inner: tuple[Step, ...]) -> Step:
        word = next(iter(head), "")
        key = "then" if word.startswith("if ") else "steps"
        made = step_of({**head, key: [plain_step(step) for step in inner]})
        return replace(made, **{block_fields(type(made))[0]: inner})  # type: ignore[arg-type]

    steps = wrap_steps(script.steps, edit["places"], make)
    count = len(edit["places"])
    return replace(
        script, steps=steps
    ), f"put {count} {'step' if count == 1 else 'steps'} into “{next(iter(head), '')}”"


def _with_key(step: Step, key: str, value: Any) -> Step:
    """A step with another value of a key; without one, if the key can do without."""
    plain = plain_step(step)
    if value is None:
        plain.pop(key, None)
    else:
        plain[key] = value
    blocks = {name: getattr(step, name) for name in block_fields(type(step))}
    if key in map(BLOCK_KEYS.get, blocks):
        raise UsageError("The steps inside are changed one by one.")
    made = step_of(plain)
    return replace(made, line=step.line, **blocks)


def recorded(script: Script, before: Recording, after: Recording) -> tuple[Script, Step | None]:
    """A script with what a recording has become since, and the step that is new, if one is.

    Steps of the recording that have changed are found in the script by what they were; those that somebody has changed
    or removed there are left to them.
    """
    old, new = [one.step for one in before.steps], [one.step for one in after.steps]
    pairs = list(zip(old, new, strict=False))
    same = next((at for at, (was, now) in enumerate(pairs) if was != now), len(pairs))
    steps = list(script.steps)
    at = len(steps)
    for step in old[same:]:
        found = next((place for place in reversed(range(len(steps))) if steps[place] == step), None)
        if found is not None:
            del steps[found]
            at = min(at, found)
    at = min(at, len(steps))
    steps[at:at] = [replace(step, line=0) for step in new[same:]]
    made = replace(
        script,
        steps=tuple(steps),
        variables={**script.variables, **after.variables},
        secrets={**script.secrets, **after.secrets},
    )
    return made, new[-1] if len(new) > len(old) else None


# Scripts as the API shows them: steps in words, with the values that can be edited.


class ScriptInfoResponse(TypedDict):
    """A script in the list of scripts."""

    name: str
    about: str
    steps: int
    doubts: int
    changed: str
    version: str
    problem: str | None


class ScriptStepResponse(TypedDict):
    """A step: its place, its word and itself in words; `keys` are its plain values but its target and inner steps."""

    place: str
    word: str
    words: str
    keys: dict[str, Json]
    main: str
    target: str | None
    doubts: list[str]
    steps: "list[ScriptStepResponse]"
    otherwise: "list[ScriptStepResponse] | None"


class ScriptSecretResponse(TypedDict):
    """Where a secret is looked up, and whether it is there."""

    environment: str
    keyring: str
    known: bool


class ScriptResponse(TypedDict):
    """A script with its steps; `problems` say why it cannot be read, `notes` what an edit here would do to its text."""

    name: str
    version: str
    text: str
    about: str
    variables: dict[str, str]
    secrets: dict[str, ScriptSecretResponse]
    steps: list[ScriptStepResponse]
    problems: list[str]
    notes: list[str]
    history: HistoryResponse


def script_infos(scripts: OpenScripts) -> list[dict[str, Any]]:
    """All scripts, the last changed first."""
    found = sorted(((scripts.documents.changed(name), name) for name in scripts.documents.names()), reverse=True)
    shapes = []
    for changed, name in found:
        try:
            opened = scripts.open(name)
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
