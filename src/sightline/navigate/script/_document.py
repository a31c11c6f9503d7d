"""The text of a script after a change: what was not changed stays as somebody wrote it, with their comments.

Each step knows its line. Steps that are as they were are copied from there, others are written anew. The result is read
again: if it is not what was meant (YAML has many ways to write a list), the whole script is written anew instead.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.tokens import ScalarToken

from sightline.errors import UsageError
from sightline.navigate.script._edits import BLOCK_KEYS, ScriptSteps, block_fields
from sightline.navigate.script._script import ABOUT_MEMORY, Script, flowing
from sightline.navigate.script._steps import STEPS_FORM, Step, write_step
from sightline.yaml import check_plain, read_yaml, yaml_writer

__all__ = ["comments_in", "plain_step", "step_of", "text_after"]

WRITTEN = "the step"
DASH = "- "
_COMMENT = re.compile(r"(?<!\S)#[^\n\r]*")


def plain_step(step: Step) -> dict[str, Any]:
    """A step as plain values, under its word and keys.

    >>> plain_step(step_of({"wait for": {"text": "Done"}}))
    {'wait for': {'text': 'Done'}}
    """
    written = write_step(step)
    return {written: None} if isinstance(written, str) else written


def step_of(plain: Any) -> Step:
    """The step of plain values, as a file would have it; an error says what is wrong with it."""
    check_plain(plain)
    out = StringIO()
    yaml_writer().dump([flowing(plain)], out)
    (step,) = STEPS_FORM.read(read_yaml(out.getvalue(), WRITTEN))
    return _new(step)


def _new(step: Step) -> Step:
    """A step that is in no file yet."""
    inner = {field: tuple(map(_new, getattr(step, field))) for field in block_fields(type(step))}
    return replace(step, line=0, **inner)


def comments_in(text: str) -> list[str]:
    r"""The comments that people wrote into a script: all but the one that every recording has above its memories.

    >>> comments_in("steps:\n  - open: https://shop.example/#new  # the shop\n  - click: {css: '#menu'}\n")
    ['# the shop']
    """
    others = "\n".join(line for line in text.split("\n") if line.strip() != f"# {ABOUT_MEMORY.strip()}")
    if "#" not in others:
        return []
    tokens = YAML(typ="safe", pure=True).scan(others)
    scalars = [(one.start_mark.index, one.end_mark.index) for one in tokens if isinstance(one, ScalarToken)]
    return [
        found[0]
        for found in _COMMENT.finditer(others)
        if not any(start <= found.start() < end for start, end in scalars)
    ]


def text_after(text: str, before: Script, after: Script) -> str:
    """The text of a script after a change, where `text` is that of the script before."""
    if text == before.dumps():
        return after.dumps()
    found = _spliced(text, before, after)
    return after.dumps() if found is None else found


def _spliced(text: str, before: Script, after: Script) -> str | None:
    """The text with other steps in it; None if that cannot be done by lines."""
    same = before.about == after.about and before.variables == after.variables and before.secrets == after.secrets
    lines = text.split("\n")
    splicer = _Splicer(lines, before.steps)
    if not same or not splicer.fits:
        return None
    first, end = splicer.whole
    made = "\n".join((*lines[:first], *splicer.written(after.steps, splicer.dash), *lines[end:]))
    try:
        again = Script.loads(made, after.file)
    except UsageError:
        return None
    return made if again == after else None


class _Splicer:
    """Knows the lines of every step of a text."""

    def __init__(self, lines: list[str], steps: ScriptSteps) -> None:
        self._lines = lines
        self._spans: dict[int, tuple[int, int]] = {}
        self._steps: dict[int, Step] = {}
        self.fits = self._learn(steps)
        self.dash = _indent(lines[steps[0].line - 1]) if self.fits else 0
        starts = [self._spans[step.line] for step in steps] if self.fits else []
        self.whole = (starts[0][0], starts[-1][1]) if starts else (0, 0)

    def _learn(self, steps: ScriptSteps) -> bool:
        for step in steps:
            at = step.line - 1
            if not 0 <= at < len(self._lines) or not self._lines[at].lstrip().startswith(DASH.strip()):
                return False
            dash = _indent(self._lines[at])
            begin, end = at, at + 1
            while begin > 0 and _is_idle(self._lines[begin - 1]):
                begin -= 1  # a comment belongs to the step below it
            for number in range(at + 1, len(self._lines)):
                line = self._lines[number]
                if not _is_idle(line):
                    if _indent(line) <= dash:
                        break
                    end = number + 1
            self._spans[step.line], self._steps[step.line] = (begin, end), step
            if not all(self._learn(getattr(step, field)) for field in block_fields(type(step))):
                return False
        return True

    def written(self, steps: ScriptSteps, dash: int) -> Iterator[str]:
        """The lines of steps whose dashes are so far from the left."""
        for step in steps:
            yield from self._step(step, dash)

    def _step(self, step: Step, dash: int) -> Iterator[str]:
        old = self._steps.get(step.line)
        if old is not None and old == step:
            yield from self._moved(*self._spans[step.line], dash)
            return
        blocks = [field for field in block_fields(type(step)) if getattr(step, field)]
        yield from self._comments(step)
        head = {key: value for key, value in plain_step(step).items() if key not in map(BLOCK_KEYS.get, blocks)}
        yield from _dumped(head, dash)
        for field in blocks:
            yield f"{' ' * (dash + 2)}{BLOCK_KEYS[field]}:"
            yield from self.written(getattr(step, field), dash + 4)

    def _comments(self, step: Step) -> Iterator[str]:
        """The comments above a step that was changed."""
        if step.line in self._spans:
            begin, _ = self._spans[step.line]
            yield from self._lines[begin : step.line - 1]

    def _moved(self, begin: int, end: int, dash: int) -> Iterator[str]:
        """Lines of the text with their dash somewhere else."""
        first = next(number for number in range(begin, end) if not _is_idle(self._lines[number]))
        by = dash - _indent(self._lines[first])
        for line in self._lines[begin:end]:
            if by < 0:
                yield line[-by:] if not line[:-by].strip() else line.lstrip()
            else:
                yield " " * by + line if line.strip() else line


def _is_idle(line: str) -> bool:
    """Whether a line is blank, or nothing but a comment."""
    return not line.strip() or line.lstrip().startswith("#")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _dumped(plain: dict[str, Any], dash: int) -> Iterator[str]:
    out = StringIO()
    content: Any = flowing(plain) if plain else CommentedMap()
    yaml_writer().dump([content], out)
    written = out.getvalue().rstrip("\n").split("\n")
    by = _indent(written[0])
    for line in written:
        yield " " * dash + line[by:]
