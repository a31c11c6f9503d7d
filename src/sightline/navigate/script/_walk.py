"""What a step consists of."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from sightline.navigate.script._steps import Step

__all__ = ["blocks_of", "values_of"]


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
            yield from _inside(getattr(step, one.name))


def _inside(value: Any) -> Iterator[Any]:
    """A value and all that it consists of, but no steps."""
    if isinstance(value, Step):
        return
    yield value
    if isinstance(value, tuple):
        parts: Any = value
    elif isinstance(value, Mapping):
        parts = value.values()
    else:
        parts = [getattr(value, one.name) for one in fields(value)] if is_dataclass(value) else ()
    for part in parts:
        yield from _inside(part)
