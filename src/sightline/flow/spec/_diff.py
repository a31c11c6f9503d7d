"""What differs between two versions of a flow: step by step for the picture, and line by line for the text."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from sightline.flow.spec._draft import DraftStep, FlowDraft

__all__ = ["FlowDifference", "KeyDifference", "LineDifference", "StepChange", "StepDifference", "flow_difference"]

StepChange: TypeAlias = Literal["added", "removed", "changed", "renamed", "same"]
ALIKE = 0.5  # of the keys of two steps that say the same, from which on one with another name was renamed


@dataclass(frozen=True)
class KeyDifference:
    """A key of a step that differs; None is a key that is not there."""

    key: str
    before: Any
    after: Any


@dataclass(frozen=True)
class StepDifference:
    """What became of a step; `name` is the one that it has now, or had before it was removed."""

    name: str
    change: StepChange
    before: DraftStep | None
    after: DraftStep | None
    keys: tuple[KeyDifference, ...] = ()


@dataclass(frozen=True)
class LineDifference:
    """A line of the text, with its number before and after; None where it is not there."""

    kind: Literal["same", "added", "removed"]
    text: str
    before: int | None
    after: int | None


@dataclass(frozen=True)
class FlowDifference:
    """What differs between two versions of a flow."""

    steps: tuple[StepDifference, ...]
    lines: tuple[LineDifference, ...]


def flow_difference(before: FlowDraft, after: FlowDraft) -> FlowDifference:
    r"""What differs between two versions of a flow.

    >>> old = FlowDraft.loads("flow: 1\nsteps:\n  a:\n    read: a.csv\n")
    >>> new = FlowDraft.loads("flow: 1\nsteps:\n  a:\n    read: b.csv\n  b:\n    read: c.csv\n")
    >>> found = flow_difference(old, new)
    >>> [(step.name, step.change) for step in found.steps]
    [('a', 'changed'), ('b', 'added')]
    >>> [(line.kind, line.text.strip()) for line in found.lines if line.kind != "same"]
    [('removed', 'read: a.csv'), ('added', 'read: b.csv'), ('added', 'b:'), ('added', 'read: c.csv')]
    """
    return FlowDifference(tuple(_steps(before.steps, after.steps)), tuple(_lines(before.text, after.text)))


def _steps(before: Mapping[str, DraftStep], after: Mapping[str, DraftStep]) -> Iterator[StepDifference]:
    renamed = _renamed(before, after)
    known = set(renamed.values())
    for name, step in after.items():
        old = before.get(renamed.get(name, name))
        if old is None:
            yield StepDifference(name, "added", None, step)
            continue
        keys = tuple(_keys(old.values, step.values))
        change: StepChange = "renamed" if name in renamed else "changed" if keys else "same"
        yield StepDifference(name, change, old, step, keys)
    for name, step in before.items():
        if name not in after and name not in known:
            yield StepDifference(name, "removed", step, None)


def _renamed(before: Mapping[str, DraftStep], after: Mapping[str, DraftStep]) -> dict[str, str]:
    """The old names of new steps that say almost the same as one that is gone."""
    gone = {name: step for name, step in before.items() if name not in after}
    found: dict[str, str] = {}
    for name, step in after.items():
        if name in before:
            continue
        alike = {old: _likeness(one, step) for old, one in gone.items() if one.word == step.word}
        best = max(alike, key=lambda old: alike[old], default="")
        if best and alike[best] >= ALIKE:
            found[name] = best
            del gone[best]
    return found


def _likeness(one: DraftStep, other: DraftStep) -> float:
    """The share of keys that two steps have alike."""
    keys = {**one.values, **other.values}
    return sum(one.values.get(key) == other.values.get(key) for key in keys) / len(keys) if keys else 0.0


def _keys(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[KeyDifference]:
    for key in {**before, **after}:
        if key not in before or key not in after or repr(before[key]) != repr(after[key]):
            yield KeyDifference(key, before.get(key), after.get(key))


def _lines(before: str, after: str) -> Iterator[LineDifference]:
    old, new = before.splitlines(), after.splitlines()
    for what, first, last, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            for number in range(last - first):
                yield LineDifference("same", old[first + number], first + number + 1, start + number + 1)
            continue
        for number in range(first, last):
            yield LineDifference("removed", old[number], number + 1, None)
        for number in range(start, end):
            yield LineDifference("added", new[number], None, number + 1)
