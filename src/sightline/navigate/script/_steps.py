"""The steps of a script: each a frozen dataclass whose fields carry the forms of its keys.

The main field has the word of the step as its key (`click: …`), the others have keys beside it (`with: …`).
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field
from typing import Any, ClassVar

from sightline.navigate.script._value_forms import (
    AWAITED,
    CONDITION,
    EXTENT,
    READINGS,
    SECRET,
    SOURCE,
    TAKEN,
    TARGET,
    TYPED,
    PageCondition,
    Reading,
    RecordSource,
)
from sightline.navigate.targets import Target
from sightline.yaml import (
    COUNT,
    LINE,
    OFFSET,
    TEXT_OR_NOTHING,
    WORDS,
    OneOf,
    SecretName,
    YamlValue,
    did_you_mean,
    key,
    keys_of,
    main,
)

MOST_TURNS = 100  # of `repeat until` and `next pages` unless told otherwise
WAIT_SECONDS = 30
# Keys that belong to other steps, where these have another one; `then` and `steps` are never keys of the same step.
_OTHER_KEYS = {"steps": "then", "then": "steps", "do": "steps", "text": "with", "value": "with", "as": "set"}
# What other tools call the steps.
OTHER_WORDS = {
    **dict.fromkeys(("goto", "go to", "visit", "navigate", "navigate to", "load", "url"), "open"),
    **dict.fromkeys(("type", "enter", "input", "write"), "fill"),
    **dict.fromkeys(("wait", "sleep", "pause"), "wait for"),
    **dict.fromkeys(("choose", "pick"), "select"),
    **dict.fromkeys(("tick",), "check"),
    **dict.fromkeys(("untick",), "uncheck"),
    **dict.fromkeys(("key",), "press"),
    **dict.fromkeys(("go back",), "back"),
    **dict.fromkeys(("refresh",), "reload"),
    **dict.fromkeys(("login", "sign in"), "log in"),
    **dict.fromkeys(("for", "foreach", "loop"), "for each"),
    **dict.fromkeys(("if", "if exists"), "if present"),
    **dict.fromkeys(("if not", "unless"), "if missing"),
    **dict.fromkeys(("repeat", "until"), "repeat until"),
    **dict.fromkeys(("while",), "repeat while"),
    **dict.fromkeys(("paginate", "pages", "next page"), "next pages"),
    **dict.fromkeys(("scrape", "save", "get"), "extract"),
    **dict.fromkeys(("end", "exit", "quit"), "stop"),
}


@dataclass(frozen=True)
class StepsForm:
    """A list of steps."""

    def read(self, given: YamlValue) -> "tuple[Step, ...]":
        """The steps."""
        steps = tuple(read_step(item) for item in given.items())
        if not steps:
            given.fail("there are no steps here; write at least one.")
        return steps

    def write(self, value: "tuple[Step, ...]") -> list[Any]:
        """A list."""
        return [write_step(step) for step in value]

    def schema(self) -> dict[str, Any]:
        """See the definitions."""
        return {"type": "array", "items": {"$ref": "#/$defs/step"}, "minItems": 1}


STEPS_FORM = StepsForm()


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step; `line` is where it is in its file."""

    word: ClassVar[str] = ""
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        """The step as a line of progress."""
        one = keys_of(type(self)).get(self.word)
        value = getattr(self, one.name) if one else None
        return f"{self.word} {_shown(value)}".strip() if not one or value != one.default else self.word


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(value)
    return "" if value is None else " ".join(str(value).split())


@dataclass(frozen=True, kw_only=True)
class OpenStep(Step):
    """Go to an address."""

    word: ClassVar[str] = "open"
    address: str = main(LINE)


@dataclass(frozen=True, kw_only=True)
class ClickStep(Step):
    """Click something."""

    word: ClassVar[str] = "click"
    target: Target = main(TARGET)


@dataclass(frozen=True, kw_only=True)
class FillStep(Step):
    """Replace the text of an input."""

    word: ClassVar[str] = "fill"
    target: Target = main(TARGET)
    text: str | SecretName = key(TYPED, "with")


@dataclass(frozen=True, kw_only=True)
class SelectStep(Step):
    """Choose options of a box by their texts."""

    word: ClassVar[str] = "select"
    target: Target = main(TARGET)
    options: tuple[str, ...] = key(WORDS, "option")


@dataclass(frozen=True, kw_only=True)
class CheckStep(Step):
    """Turn a checkbox, radio button or switch on."""

    word: ClassVar[str] = "check"
    target: Target = main(TARGET)


@dataclass(frozen=True, kw_only=True)
class UncheckStep(Step):
    """Turn a checkbox or switch off."""

    word: ClassVar[str] = "uncheck"
    target: Target = main(TARGET)


@dataclass(frozen=True, kw_only=True)
class PressStep(Step):
    """Press a key: a character, or a name such as `Enter`."""

    word: ClassVar[str] = "press"
    key: str = main(LINE)


@dataclass(frozen=True, kw_only=True)
class HoverStep(Step):
    """Move the mouse to something."""

    word: ClassVar[str] = "hover"
    target: Target = main(TARGET)


@dataclass(frozen=True, kw_only=True)
class ScrollStep(Step):
    """Scroll to the `end`, the `top`, a number of pixels, or a target."""

    word: ClassVar[str] = "scroll"
    to: str | int | Target = main(EXTENT, "end")


@dataclass(frozen=True, kw_only=True)
class DragStep(Step):
    """Drag something by some pixels, or onto something else."""

    word: ClassVar[str] = "drag"
    target: Target = main(TARGET)
    by: tuple[float, float] | None = key(OFFSET, "by", None)
    onto: Target | None = key(TARGET, "onto", None)


@dataclass(frozen=True, kw_only=True)
class UploadStep(Step):
    """Choose files for an input; paths are relative to the script."""

    word: ClassVar[str] = "upload"
    target: Target = main(TARGET)
    files: tuple[str, ...] = key(WORDS, "files")


@dataclass(frozen=True, kw_only=True)
class DownloadStep(Step):
    """Click something and store the file that it offers; `set` gives its path to a variable."""

    word: ClassVar[str] = "download"
    target: Target = main(TARGET)
    variable: str = key(LINE, "set", "")


@dataclass(frozen=True, kw_only=True)
class WaitForStep(Step):
    """Wait until something is on the page."""

    word: ClassVar[str] = "wait for"
    condition: PageCondition = main(AWAITED)
    seconds: int = key(COUNT, "seconds", WAIT_SECONDS)


@dataclass(frozen=True, kw_only=True)
class WaitUntilGoneStep(Step):
    """Wait until something is no longer on the page."""

    word: ClassVar[str] = "wait until gone"
    condition: PageCondition = main(AWAITED)
    seconds: int = key(COUNT, "seconds", WAIT_SECONDS)


@dataclass(frozen=True, kw_only=True)
class BackStep(Step):
    """Go back to the previous page, or as many as told."""

    word: ClassVar[str] = "back"
    times: int = main(COUNT, 1)


@dataclass(frozen=True, kw_only=True)
class ReloadStep(Step):
    """Load the page again."""

    word: ClassVar[str] = "reload"


@dataclass(frozen=True, kw_only=True)
class FrameStep(Step):
    """Do steps inside a frame: its targets are looked for there only."""

    word: ClassVar[str] = "frame"
    target: Target = main(TARGET)
    steps: tuple[Step, ...] = key(STEPS_FORM, "steps")


@dataclass(frozen=True, kw_only=True)
class TabStep(Step):
    """Go on in another tab: the `newest`, the `first`, or the one whose number is given."""

    word: ClassVar[str] = "tab"
    which: str = main(LINE)


@dataclass(frozen=True, kw_only=True)
class DialogStep(Step):
    """Say how dialogs are answered from here on: `accept` or `dismiss`, and what is typed into a prompt."""

    word: ClassVar[str] = "dialog"
    answer: str = main(OneOf(("accept", "dismiss")))
    text: str | None = key(TEXT_OR_NOTHING, "text", None)


@dataclass(frozen=True, kw_only=True)
class LogInStep(Step):
    """Answer a site that asks for a user and password by HTTP, in a window of the browser."""

    word: ClassVar[str] = "log in"
    address: str = main(LINE)
    user: str | SecretName = key(TYPED, "user")
    password: SecretName = key(SECRET, "password")


@dataclass(frozen=True, kw_only=True)
class ExtractStep(Step):
    """Add what the page shows to the output, as records."""

    word: ClassVar[str] = "extract"
    source: RecordSource = main(SOURCE)
    output: str = key(LINE, "as", "records")


@dataclass(frozen=True, kw_only=True)
class ForEachStep(Step):
    """Do steps for each record of the page, and add it to the output with what the steps `set`."""

    word: ClassVar[str] = "for each"
    source: RecordSource = main(SOURCE)
    take: Mapping[str, str] | None = key(TAKEN, "take", None)
    steps: tuple[Step, ...] = key(STEPS_FORM, "steps")
    output: str = key(LINE, "as", "records")


@dataclass(frozen=True, kw_only=True)
class IfPresentStep(Step):
    """Do steps if something is there, and others if it is not."""

    word: ClassVar[str] = "if present"
    condition: PageCondition = main(CONDITION)
    then: tuple[Step, ...] = key(STEPS_FORM, "then")
    otherwise: tuple[Step, ...] = key(STEPS_FORM, "else", ())


@dataclass(frozen=True, kw_only=True)
class IfMissingStep(Step):
    """Do steps if something is not there, and others if it is."""

    word: ClassVar[str] = "if missing"
    condition: PageCondition = main(CONDITION)
    then: tuple[Step, ...] = key(STEPS_FORM, "then")
    otherwise: tuple[Step, ...] = key(STEPS_FORM, "else", ())


@dataclass(frozen=True, kw_only=True)
class RepeatUntilStep(Step):
    """Repeat steps until something is there, at most so many times; reaching that is told."""

    word: ClassVar[str] = "repeat until"
    condition: PageCondition = main(CONDITION)
    steps: tuple[Step, ...] = key(STEPS_FORM, "steps")
    most: int = key(COUNT, "at most", MOST_TURNS)


@dataclass(frozen=True, kw_only=True)
class RepeatWhileStep(Step):
    """Repeat steps as long as something is there, at most so many times; reaching that is told."""

    word: ClassVar[str] = "repeat while"
    condition: PageCondition = main(CONDITION)
    steps: tuple[Step, ...] = key(STEPS_FORM, "steps")
    most: int = key(COUNT, "at most", MOST_TURNS)


@dataclass(frozen=True, kw_only=True)
class NextPagesStep(Step):
    """Do steps on this page and on each of the pages that follow it; how pages are turned is found out."""

    word: ClassVar[str] = "next pages"
    most: int = main(COUNT, MOST_TURNS)
    steps: tuple[Step, ...] = key(STEPS_FORM, "steps")


@dataclass(frozen=True, kw_only=True)
class FollowStep(Step):
    """Open the address that a link or a variable has, do steps there, and come back."""

    word: ClassVar[str] = "follow"
    condition: PageCondition = main(CONDITION)
    steps: tuple[Step, ...] = key(STEPS_FORM, "steps")


@dataclass(frozen=True, kw_only=True)
class SetStep(Step):
    """Give values to variables; in `for each` they are fields of the record."""

    word: ClassVar[str] = "set"
    values: Mapping[str, Reading] = main(READINGS)


@dataclass(frozen=True, kw_only=True)
class AddStep(Step):
    """Add one record to the output, of values from the page."""

    word: ClassVar[str] = "add"
    values: Mapping[str, Reading] = main(READINGS)
    output: str = key(LINE, "as", "records")


@dataclass(frozen=True, kw_only=True)
class StopStep(Step):
    """End the script here, and say why."""

    word: ClassVar[str] = "stop"
    why: str = main(LINE, "")


STEPS: dict[str, type[Step]] = {
    kind.word: kind
    for kind in (
        *(
            OpenStep,
            ClickStep,
            FillStep,
            SelectStep,
            CheckStep,
            UncheckStep,
            PressStep,
            HoverStep,
            ScrollStep,
            DragStep,
            UploadStep,
            DownloadStep,
        ),
        *(WaitForStep, WaitUntilGoneStep, BackStep, ReloadStep, FrameStep, TabStep, DialogStep, LogInStep),
        *(
            ExtractStep,
            ForEachStep,
            IfPresentStep,
            IfMissingStep,
            RepeatUntilStep,
            RepeatWhileStep,
            NextPagesStep,
            FollowStep,
            SetStep,
            AddStep,
            StopStep,
        ),
    )
}
"""Every step by its word."""


# ---------------------------------------------------------------------- reading and writing


def read_step(given: YamlValue) -> Step:
    """A step of a script; an unknown word or a missing key is an error with its line."""
    if isinstance(given.value, str):
        return _alone(given)
    given.check_there("a step after the dash")
    pairs = list(given.pairs())
    kind = next((STEPS[pair.word] for pair in pairs if pair.word in STEPS), None)
    if kind is None:
        word = pairs[0].word if pairs else ""
        hint = did_you_mean(word, STEPS, OTHER_WORDS)
        (pairs[0].key if pairs else given).fail(f"there is no step `{word}`; {hint}")
    known = keys_of(kind)
    values: dict[str, Any] = {"line": pairs[0].key.line}
    for pair in pairs:
        if pair.word not in known and not (pair.word == kind.word and pair.value.value is None):
            other = f"`{kind.word}` and `{pair.word}` are two steps; put a dash before the second."
            hint = (
                other
                if pair.word in STEPS
                else did_you_mean(pair.word, [word for word in known if word != kind.word], _OTHER_KEYS)
            )
            pair.key.fail(f"the step `{kind.word}` has no key `{pair.word}`; {hint}")
        if pair.word in known and known[pair.word].metadata["form"] is EXTENT:
            pair.value.check_comment()
        if pair.word in known and not (pair.value.value is None and known[pair.word].default is not MISSING):
            values[known[pair.word].name] = known[pair.word].metadata["form"].read(pair.value)
    return _complete(kind, values, given)


def _alone(given: YamlValue) -> Step:
    """A step that is nothing but its word."""
    kind = STEPS.get(given.value.strip())
    if kind is None:
        word, colon, rest = given.value.partition(":")
        if colon and word in STEPS:
            given.fail(f"put a blank after the colon: `{word}: {rest}`.")
        given.fail(f"there is no step `{given.value}`; {did_you_mean(given.value, STEPS, OTHER_WORDS)}")
    return _complete(kind, {"line": given.line}, given)


def _complete(kind: type[Step], values: dict[str, Any], given: YamlValue) -> Step:
    for word, one in keys_of(kind).items():
        if one.name not in values and one.default is MISSING:
            given.fail(f"the step `{kind.word}` needs {'a value' if word == kind.word else f'the key `{word}`'}.")
    if kind is DragStep and (values.get("by") is None) == (values.get("onto") is None):
        given.fail("the step `drag` needs either `by` or `onto`.")
    return kind(**values)


def write_step(step: Step) -> Any:
    """A step as plain YAML."""
    found: dict[str, Any] = {}
    for word, one in keys_of(type(step)).items():
        value = getattr(step, one.name)
        if one.default is MISSING or value != one.default or word == step.word:
            found[word] = one.metadata["form"].write(value)
    return step.word if not found or (list(found) == [step.word] and _is_default(step)) else found


def _is_default(step: Step) -> bool:
    one = keys_of(type(step))[step.word]
    return bool(getattr(step, one.name) == one.default)
