"""A navigation script: its variables, secrets and steps, read from a file and written to one."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap

from sightline.files import write_bytes
from sightline.navigate.script._steps import (
    STEPS,
    STEPS_FORM,
    AddStep,
    BackStep,
    CheckStep,
    ClickStep,
    DialogStep,
    DownloadStep,
    DragStep,
    ExtractStep,
    FillStep,
    FollowStep,
    ForEachStep,
    FrameStep,
    HoverStep,
    IfMissingStep,
    IfPresentStep,
    LogInStep,
    NextPagesStep,
    OpenStep,
    PressStep,
    ReloadStep,
    RepeatUntilStep,
    RepeatWhileStep,
    ScrollStep,
    SelectStep,
    SetStep,
    Step,
    StopStep,
    TabStep,
    UncheckStep,
    UploadStep,
    WaitForStep,
    WaitUntilGoneStep,
)
from sightline.navigate.script._value_forms import TARGET, RecordSource
from sightline.navigate.targets import ANYTHING, Target
from sightline.yaml import (
    LINE,
    TEXT_OR_NOTHING,
    VARIABLE,
    Mapped,
    SecretName,
    SecretPlace,
    YamlValue,
    did_you_mean,
    inside,
    keys_of,
    load_text,
    on_one_line,
    quoted,
    read_keys,
    read_secrets,
    secrets_schema,
    yaml_writer,
)

# Memories of a script: kept at its end under numbers, so that what people read is not buried in them.

MEMORY = "memory"


def put_aside(steps: list[Any]) -> dict[int, Any]:
    """Take the memories out of plain steps: each leaves its number there. Equal ones share a number."""
    kept: list[Any] = []
    for target in _mappings(steps):
        if isinstance(memory := target.get(MEMORY), dict):
            if memory not in kept:
                kept.append(memory)
            target[MEMORY] = kept.index(memory) + 1
    return dict(enumerate(kept, 1))


def recall(given: YamlValue, memories: YamlValue | None) -> None:
    """Put memories back to where their numbers are, so that steps can be read."""
    known = {} if memories is None else {pair.key.value: pair.value.value for pair in memories.pairs()}
    for target in _mappings(given.value):
        number = target.get(MEMORY)
        if isinstance(number, int):
            if number not in known:
                line = target.lc.key(MEMORY)[0] + 1 if isinstance(target, CommentedMap) else given.line
                YamlValue(number, given.file, line).fail(
                    f"there is no memory {number} at the end of the script; remove it."
                )
            target[MEMORY] = known[number]


def _mappings(value: Any) -> Iterator[dict[str, Any]]:
    """All mappings in steps, outer ones first."""
    if isinstance(value, dict):
        yield value
        for key, inner in list(value.items()):
            if key != MEMORY:
                yield from _mappings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _mappings(inner)


VERSION = 1
ABOUT_MEMORY = "\nHow the recorder saw the elements above, to find them again after a redesign."
KEYS = ("navigation", "about", "variables", "secrets", "steps", MEMORY)
_ADDRESS = re.compile(r"https?://[\w./?=&%~+:-]*[\w/]", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Script:
    r"""A navigation script, ready to be played.

    >>> script = Script.loads("navigation: 1\nsteps:\n  - open: https://shop.example\n  - click: {link: Cameras}\n")
    >>> [str(step) for step in script.steps]
    ['open https://shop.example', 'click link “Cameras”']
    """

    steps: tuple[Step, ...]
    about: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, SecretPlace] = field(default_factory=dict)
    file: str = field(default="script", compare=False)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Script":
        """The script in a file."""
        return cls.loads(load_text(path, "script"), str(path))

    @classmethod
    def loads(cls, text: str, file: str = "script") -> "Script":
        """The script in a text; `file` is what errors call it."""
        values = read_keys(text, file, KEYS, "script", VERSION)
        if "variables" in values:
            values["variables"].check_there("names with values, such as `shop: https://shop.example`")
        recall(values["steps"], values.get(MEMORY))
        script = cls(
            steps=STEPS_FORM.read(values["steps"]),
            about=TEXT_OR_NOTHING.read(values["about"]) if "about" in values else "",
            variables=Mapped(TEXT_OR_NOTHING).read(values["variables"]) if "variables" in values else {},
            secrets=read_secrets(values["secrets"]) if "secrets" in values else {},
            file=file,
        )
        _Names(script).check()
        return script

    def dumps(self) -> str:
        """The script as YAML."""
        content = CommentedMap({"navigation": VERSION})
        if self.about:
            content["about"] = quoted(self.about)
        if self.variables:
            content["variables"] = {quoted(name): quoted(text) for name, text in self.variables.items()}
        if self.secrets:
            content["secrets"] = {quoted(name): _place(place) for name, place in self.secrets.items()}
        steps = STEPS_FORM.write(self.steps)
        memories = put_aside(steps)
        content["steps"] = [flowing(one) for one in steps]
        if memories:
            content[MEMORY] = CommentedMap({number: on_one_line(one) for number, one in memories.items()})
            content.yaml_set_comment_before_after_key(MEMORY, before=ABOUT_MEMORY)
        out = StringIO()
        yaml_writer().dump(content, out)
        return out.getvalue()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the script to a file."""
        write_bytes(path, self.dumps().encode())

    @property
    def folder(self) -> Path:
        """The folder of the script, which the files in it are relative to."""
        return Path(self.file).absolute().parent


def flowing(step: Any) -> Any:
    """A step as YAML: its keys below each other, and what each of them has on one line, as people write it."""
    if not isinstance(step, dict):
        return quoted(step)
    made = CommentedMap()
    for key, value in step.items():
        plain = isinstance(value, str) and _ADDRESS.fullmatch(value)
        made[key] = [flowing(one) for one in value] if _is_steps(value) else value if plain else on_one_line(value)
    return made


def _is_steps(value: Any) -> bool:
    return isinstance(value, list) and any(
        isinstance(one, dict) or (isinstance(one, str) and one in STEPS) for one in value
    )


def _place(place: SecretPlace) -> CommentedMap:
    keys = CommentedMap({one.name: quoted(value) for one in fields(place) if (value := getattr(place, one.name))})
    keys.fa.set_flow_style()
    return keys


class _Names:
    """Checks that every variable and secret that a script uses can have a value."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._known = {*script.variables, *_set_by(script.steps)}

    def check(self) -> None:
        """Say which name is not known, and where."""
        self._check(self._script.steps, in_record=False, fields_known=True)

    def _check(self, steps: tuple[Step, ...], *, in_record: bool, fields_known: bool) -> None:
        for step in steps:
            for value in values_of(step):
                self._check_value(step, value, in_record=in_record, fields_known=fields_known)
            if isinstance(step, FollowStep):
                self._check_follow(step)
            loops = isinstance(step, ForEachStep)
            known = fields_known and not (isinstance(step, ForEachStep) and step.take is None)
            for inner in blocks_of(step):
                self._check(inner, in_record=in_record or loops, fields_known=known)

    def _check_value(self, step: Step, value: Any, *, in_record: bool, fields_known: bool) -> None:
        at = YamlValue(None, self._script.file, step.line)
        if isinstance(value, SecretName) and value.name not in self._script.secrets:
            hint = "add it under `secrets`, with where it is kept"
            at.fail(f"the secret `{value.name}` is not known; {hint}.")
        if isinstance(value, Target) and value.inside == "record" and not in_record:
            at.fail("`in: record` means nothing here, outside of `for each`.")
        if isinstance(value, str) and (
            name := next((one for one in VARIABLE.findall(value) if self._is_secret(one)), "")
        ):
            at.fail(f"`{name}` is a secret, which is typed as a whole and nowhere else: {_typed_as(step, name)}.")
        if isinstance(value, str) and fields_known:
            for name in VARIABLE.findall(value):
                if name not in self._known:
                    known = did_you_mean(name, self._known) if self._known else "add it under `variables`."
                    at.fail(f"the variable `{name}` is not known; {known}")

    def _is_secret(self, name: str) -> bool:
        return name in self._script.secrets and name not in self._known

    def _check_follow(self, step: FollowStep) -> None:
        """A plain name is what a link is called; that of a variable is easily meant instead."""
        target = step.condition.target
        if target == Target(kind=ANYTHING, name=target.name if target else "") and target.name in self._known:
            either = f"`follow: {{value: {target.name}}}` for its value, or `{{link: {target.name}}}` for a link"
            YamlValue(None, self._script.file, step.line).fail(f"`{target.name}` is a variable; write {either}.")


def _typed_as(step: Step, name: str) -> str:
    key = {"fill": "with", "log in": "user"}.get(step.word)
    return f"write `{key}: {{secret: {name}}}`" if key else f"type it with `fill` and `with: {{secret: {name}}}`"


def _set_by(steps: tuple[Step, ...]) -> Iterator[str]:
    """The names that steps give values to."""
    for step in steps:
        if isinstance(step, SetStep):
            yield from step.values
        if isinstance(step, ForEachStep):
            yield from step.take or ()
        if isinstance(step, DownloadStep) and step.variable:
            yield step.variable
        if isinstance(step, NextPagesStep):
            yield "page"
        for inner in blocks_of(step):
            yield from _set_by(inner)


# The JSON Schema of navigation scripts, for editors that complete and check them while they are written.


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


# What a step consists of.


def blocks_of(step: Step) -> Iterator[tuple[Step, ...]]:
    """The lists of steps inside a step."""
    for one in fields(step):
        value = getattr(step, one.name)
        if isinstance(value, tuple) and value and isinstance(value[0], Step):
            yield value


def values_of(step: Step) -> Iterator[Any]:
    """All values of a step, and what they consist of, but no steps."""
    for one in fields(step):
        if "form" in one.metadata:
            yield from inside(getattr(step, one.name), but=(Step,))


# -- steps as people read them: one sentence each, without a full stop ----------------------------------------------

_SOURCES = {
    "lists": "the list",
    "tables": "the table",
    "top": "the list that the title promises",
    "content": "the main text",
}


def step_words(step: Step) -> str:
    """A step in words.

    >>> from sightline.navigate.targets import Target
    >>> step_words(FillStep(target=Target(kind="textbox", name="Search"), text="lens"))
    'Type “lens” into textbox “Search”'
    >>> step_words(FillStep(target=Target(kind="textbox", name="Password"), text=SecretName("password")))
    'Type the secret “password” into textbox “Password”'
    """
    return _WORDS[type(step)](step)


def _typed(text: str | SecretName) -> str:
    return f"the secret “{text.name}”" if isinstance(text, SecretName) else f"“{text}”"


def _source(source: RecordSource) -> str:
    if not source.kind:
        field = f", field “{source.field}”" if source.field else ""
        return f"what {source.wrapper} finds{field}"
    number = f" number {source.number}" if source.number is not None else ""
    return f"{_SOURCES[source.kind]}{number}"


def _named(output: str) -> str:
    return "" if output == "records" else f" as “{output}”"


def _listed(texts: tuple[str, ...]) -> str:
    return ", ".join(f"“{text}”" for text in texts)


def _dragged(step: DragStep) -> str:
    if step.onto is not None:
        return f"Drag {step.target} onto {step.onto}"
    x, y = step.by or (0.0, 0.0)
    return f"Drag {step.target} by {x:g} and {y:g} pixels"


def _dialog(step: DialogStep) -> str:
    typed = f", and type “{step.text}” into prompts" if step.text is not None else ""
    return f"Answer dialogs with {'OK' if step.answer == 'accept' else 'Cancel'} from here{typed}"


def _scrolled(step: ScrollStep) -> str:
    if isinstance(step.to, int):
        return f"Scroll to {step.to} pixels"
    return f"Scroll to {f'the {step.to}' if isinstance(step.to, str) else step.to}"


_WORDS: dict[type[Step], Callable[[Any], str]] = {
    OpenStep: lambda step: f"Open {step.address}",
    ClickStep: lambda step: f"Click {step.target}",
    FillStep: lambda step: f"Type {_typed(step.text)} into {step.target}",
    SelectStep: lambda step: f"Choose {_listed(step.options)} in {step.target}",
    CheckStep: lambda step: f"Tick {step.target}",
    UncheckStep: lambda step: f"Untick {step.target}",
    PressStep: lambda step: f"Press {step.key}",
    HoverStep: lambda step: f"Move the mouse to {step.target}",
    ScrollStep: _scrolled,
    DragStep: _dragged,
    UploadStep: lambda step: f"Give {_listed(step.files)} to {step.target}",
    DownloadStep: lambda step: f"Download what {step.target} offers",
    WaitForStep: lambda step: f"Wait for {step.condition}",
    WaitUntilGoneStep: lambda step: f"Wait until {step.condition} is gone",
    BackStep: lambda step: "Go back" if step.times == 1 else f"Go back {step.times} pages",
    ReloadStep: lambda _: "Load the page again",
    FrameStep: lambda step: f"Inside the frame {step.target}",
    TabStep: lambda step: f"Go on in {f'the {step.which} tab' if not step.which.isdigit() else f'tab {step.which}'}",
    DialogStep: _dialog,
    LogInStep: lambda step: f"Log in to {step.address} as {_typed(step.user)}",
    ExtractStep: lambda step: f"Extract {_source(step.source)}{_named(step.output)}",
    ForEachStep: lambda step: f"For each record of {_source(step.source)}{_named(step.output)}",
    IfPresentStep: lambda step: f"If {step.condition} is there",
    IfMissingStep: lambda step: f"If {step.condition} is missing",
    RepeatUntilStep: lambda step: f"Repeat until {step.condition} is there, at most {step.most} times",
    RepeatWhileStep: lambda step: f"Repeat while {step.condition} is there, at most {step.most} times",
    NextPagesStep: lambda step: f"On this page and the next ones, at most {step.most}",
    FollowStep: lambda step: f"Follow {step.condition}, and come back",
    SetStep: lambda step: f"Set {', '.join(step.values)}",
    AddStep: lambda step: f"Add a record of {', '.join(step.values)}{_named(step.output)}",
    StopStep: lambda step: f"Stop: {step.why}" if step.why else "Stop",
}
