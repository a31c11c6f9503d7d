"""Steps as people read them: one sentence each, without a full stop."""

from collections.abc import Callable
from typing import Any

from sightline.navigate.script._steps import (
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
from sightline.navigate.script._value_forms import RecordSource
from sightline.yaml import SecretName

__all__ = ["step_words"]

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
