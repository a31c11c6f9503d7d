"""The graph of the steps: who takes whose rows, and in which order they can run."""

from collections.abc import Mapping, Sequence

from sightline.flow.spec._steps import FlowStep
from sightline.yaml import Given, did_you_mean

__all__ = ["circle_from", "in_circles", "in_order"]


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


def circle_from(name: str, inputs: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The way that the rows of a step take back to it, the step first and last; none if they never come back.

    >>> circle_from("a", {"a": ["c"], "b": ["a"], "c": ["b"]})
    ('a', 'b', 'c', 'a')
    """
    came: dict[str, str] = {}
    waiting = [name]
    while waiting:
        taker = waiting.pop()
        for giver in inputs.get(taker, ()):
            if giver == name:
                circle = [name]
                while taker != name:
                    circle.append(taker)
                    taker = came[taker]
                return (*circle, name) if len(circle) == 1 else (name, *circle[1:], name)
            if giver not in came and giver in inputs:
                came[giver] = taker
                waiting.append(giver)
    return ()


def in_circles(inputs: Mapping[str, Sequence[str]]) -> set[str]:
    """The steps that cannot be put in an order: those of circles, and those between two of them.

    >>> sorted(in_circles({"a": [], "b": ["a", "c"], "c": ["b"], "d": ["c"]}))
    ['b', 'c']
    """
    left = {name: set(givers) for name, givers in inputs.items()}
    for _ in range(2):  # first without those that only take from others, then without those that only give
        takers: dict[str, list[str]] = {name: [] for name in left}
        for name, givers in left.items():
            for giver in givers:
                takers[giver].append(name)
        ready = [name for name, givers in left.items() if not givers]
        while ready:
            done = ready.pop()
            del left[done]
            for taker in takers[done]:
                left[taker].discard(done)
                if not left[taker]:
                    ready.append(taker)
        turned: dict[str, set[str]] = {name: set() for name in left}
        for name, givers in left.items():
            for giver in givers:
                turned[giver].add(name)
        left = turned
    return set(left)


def _line(step: FlowStep) -> int:
    return step.lines.get(step.word, step.line)
