"""The graph of the steps: who takes whose rows, and in which order they can run."""

from collections.abc import Mapping

from sightline.flow.spec._steps import FlowStep
from sightline.yaml import Given, did_you_mean

__all__ = ["in_order"]


def in_order(steps: Mapping[str, FlowStep], file: str) -> tuple[str, ...]:
    """The names of the steps, each after those whose rows it takes; else as in the file.

    A step that takes what nobody makes, or its own rows by a detour, is an error with its line.
    """
    for step in steps.values():
        for name in step.inputs:
            if name not in steps:
                others = [other for other in steps if other != step.name]
                hint = did_you_mean(name, others) if others else "there is no other step."
                Given(None, file, _line(step)).fail(
                    f"`{step.name}` takes the rows of `{name}`, which no step makes; {hint}"
                )
    done: dict[str, None] = {}
    for name in steps:
        _visit(name, steps, file, done, ())
    return tuple(done)


def _visit(name: str, steps: Mapping[str, FlowStep], file: str, done: dict[str, None], path: tuple[str, ...]) -> None:
    if name in done:
        return
    if name in path:
        circle = (*path[path.index(name) :], name)
        told = " → ".join(f"`{one}`" for one in reversed(circle))
        Given(None, file, _line(steps[name])).fail(f"the steps go round in a circle: {told}; cut it somewhere.")
    for other in steps[name].inputs:
        _visit(other, steps, file, done, (*path, name))
    done[name] = None


def _line(step: FlowStep) -> int:
    return step.lines.get(step.word, step.line)
