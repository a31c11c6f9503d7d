"""The text of a script after a change: what was not changed stays as somebody wrote it, with their comments.

Each step knows its line. Steps that are as they were are copied from there, others are written anew. The result is read
again: if it is not what was meant (YAML has many ways to write a list), the whole script is written anew instead.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from io import StringIO
from typing import Any, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.tokens import ScalarToken

from sightline.errors import UsageError
from sightline.navigate.script._script import ABOUT_MEMORY, Script, flowing
from sightline.navigate.script._steps import STEPS_FORM, Step, StepsForm, write_step
from sightline.yaml import check_plain, read_yaml, yaml_writer

# Changes of the steps of a script, as functions of plain tuples. A step is named by its place: 3, 3.1, or 3.else.2.

ScriptSteps: TypeAlias = tuple[Step, ...]
StepBlocks: TypeAlias = tuple[str, ...]
BLOCK_KEYS = {"steps": "steps", "then": "then", "otherwise": "else"}
"""The fields of steps that have steps in them, with their keys in the file."""

ELSE, END = "else", "end"
_At: TypeAlias = tuple[tuple[int, str], ...]  # the steps on the way, each with the field that is entered


def block_fields(kind: type[Step]) -> StepBlocks:
    """The fields of a kind of step that hold steps, the main one first.

    >>> from sightline.navigate.script import STEPS
    >>> block_fields(STEPS["if missing"]), block_fields(STEPS["click"])
    (('then', 'otherwise'), ())
    """
    return tuple(one.name for one in fields(kind) if isinstance(one.metadata.get("form"), StepsForm))


def step_at(steps: ScriptSteps, place: str) -> Step:
    """The step at a place."""
    way, number = _parsed(steps, place)
    inside = _inside(steps, way)
    if number >= len(inside):
        raise _missing(place)
    return inside[number]


def replace_step(steps: ScriptSteps, place: str, step: Step) -> ScriptSteps:
    """Put another step in the place of one."""
    way, number = _parsed(steps, place)
    step_at(steps, place)
    return _changed(steps, way, lambda inside: (*inside[:number], step, *inside[number + 1 :]))


def insert_step(steps: ScriptSteps, place: str, *new: Step) -> ScriptSteps:
    """Put steps before the one at a place; `end` and `3.end` are after the last."""
    way, number = _parsed(steps, place)
    if number > len(_inside(steps, way)):
        raise _missing(place)
    return _changed(steps, way, lambda inside: (*inside[:number], *new, *inside[number:]))


def remove_step(steps: ScriptSteps, place: str) -> ScriptSteps:
    """Take a step out; a block that would be empty without it is refused."""
    step_at(steps, place)
    return _filled(_taken(steps, place), place)


def move_step(steps: ScriptSteps, place: str, to: str) -> ScriptSteps:
    """Put a step before the one at another place, also into a block or out of one."""
    if to == place or to.startswith(f"{place}."):
        raise UsageError("A step cannot be moved into itself; choose a place outside of it.")
    step = step_at(steps, place)
    mark = replace(step, line=-1)  # an object of its own, to be found again when places have changed
    marked = replace_step(steps, place, mark)
    moved = insert_step(marked, to, step)
    return _filled(_without(moved, mark), place)


def wrap_steps(steps: ScriptSteps, places: Sequence[str], make: Callable[[ScriptSteps], Step]) -> ScriptSteps:
    """Put steps that follow each other into a block, which `make` makes of them."""
    parsed = sorted(_parsed(steps, place) for place in places)
    ways, numbers = {way for way, _ in parsed}, [number for _, number in parsed]
    if not parsed or len(ways) != 1 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        raise UsageError("Choose steps that follow each other; only those can be put into one block.")
    first, count = numbers[0], len(numbers)
    for place in places:
        step_at(steps, place)

    def wrapped(inside: ScriptSteps) -> ScriptSteps:
        return (*inside[:first], make(inside[first : first + count]), *inside[first + count :])

    return _changed(steps, parsed[0][0], wrapped)


def unwrap_step(steps: ScriptSteps, place: str) -> ScriptSteps:
    """Put the steps of a block in its place; those of `else` are dropped with it."""
    way, number = _parsed(steps, place)
    step = step_at(steps, place)
    blocks = block_fields(type(step))
    if not blocks:
        raise UsageError("This step has no steps inside.")
    inner: ScriptSteps = getattr(step, blocks[0])
    return _changed(steps, way, lambda inside: (*inside[:number], *inner, *inside[number + 1 :]))


# ---------------------------------------------------------------------- how it is done


def _missing(place: str) -> UsageError:
    return UsageError(f"There is no step {place}; the script has changed meanwhile.")


def _parsed(steps: ScriptSteps, place: str) -> tuple[_At, int]:
    """The way to a place, and the number there; that of `end` is behind the last."""
    way: list[tuple[int, str]] = []
    inside = steps
    tokens = place.split(".")
    for at, token in enumerate(tokens):
        if token == ELSE and way:
            continue
        last = at == len(tokens) - 1
        number = len(inside) if token == END and last else _number(token, place)
        if last:
            return tuple(way), number
        if number >= len(inside):
            raise _missing(place)
        blocks = block_fields(type(inside[number]))
        wants_else = tokens[at + 1] == ELSE
        if len(blocks) <= wants_else:
            raise _missing(place)
        way.append((number, blocks[wants_else]))
        inside = getattr(inside[number], blocks[wants_else])
    raise _missing(place)


def _number(token: str, place: str) -> int:
    if not token.isdecimal() or not token.isascii() or not 0 < len(token) < 7 or int(token) < 1:
        raise _missing(place)
    return int(token) - 1


def _inside(steps: ScriptSteps, way: _At) -> ScriptSteps:
    for number, field in way:
        steps = getattr(steps[number], field)
    return steps


def _changed(steps: ScriptSteps, way: _At, change: Callable[[ScriptSteps], ScriptSteps]) -> ScriptSteps:
    """The steps with those at the end of a way changed; all others stay the objects that they are."""
    if not way:
        return change(steps)
    (number, field), *rest = way
    step: Any = steps[number]
    inner = _changed(getattr(step, field), tuple(rest), change)
    return (*steps[:number], replace(step, **{field: inner}), *steps[number + 1 :])


def _taken(steps: ScriptSteps, place: str) -> ScriptSteps:
    way, number = _parsed(steps, place)
    return _changed(steps, way, lambda inside: (*inside[:number], *inside[number + 1 :]))


def _without(steps: ScriptSteps, mark: Step) -> ScriptSteps:
    """The steps without one object; blocks that have it in them are new, all others stay the objects that they are."""
    kept: list[Step] = []
    for step in steps:
        if step is mark:
            continue
        changed: dict[str, Any] = {
            field: inner
            for field in block_fields(type(step))
            if (inner := _without(getattr(step, field), mark)) != getattr(step, field)
        }
        kept.append(replace(step, **changed) if changed else step)
    return tuple(kept)


def _filled(steps: ScriptSteps, place: str) -> ScriptSteps:
    """Refuse steps with a block that lost its last one; a script without any step is as useless."""
    if not steps:
        raise UsageError("A script needs at least one step; delete the script instead.")
    for step in steps:
        for number, field in enumerate(block_fields(type(step))):
            inner: ScriptSteps = getattr(step, field)
            if inner:
                _filled(inner, place)
            elif not number:
                raise UsageError(
                    f"“{step.word}” needs at least one step inside; remove it as a whole, or put another step into it."
                )
    return steps


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
