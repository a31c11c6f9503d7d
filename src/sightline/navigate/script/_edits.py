"""Changes of the steps of a script, as functions of plain tuples. A step is named by its place: 3, 3.1, or 3.else.2."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, TypeAlias

from sightline.errors import UsageError
from sightline.navigate.script._steps import Step, StepsForm

__all__ = [
    "BLOCK_KEYS",
    "ScriptSteps",
    "block_fields",
    "insert_step",
    "move_step",
    "remove_step",
    "replace_step",
    "step_at",
    "unwrap_step",
    "wrap_steps",
]

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
