"""Memories of a script: kept at its end under numbers, so that what people read is not buried in them."""

from collections.abc import Iterator
from typing import Any

from ruamel.yaml.comments import CommentedMap

from sightline.yaml import Given

__all__ = ["MEMORY", "put_aside", "recall"]

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


def recall(given: Given, memories: Given | None) -> None:
    """Put memories back to where their numbers are, so that steps can be read."""
    known = {} if memories is None else {pair.key.value: pair.value.value for pair in memories.pairs()}
    for target in _mappings(given.value):
        number = target.get(MEMORY)
        if isinstance(number, int):
            if number not in known:
                line = target.lc.key(MEMORY)[0] + 1 if isinstance(target, CommentedMap) else given.line
                Given(number, given.file, line).fail(
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
