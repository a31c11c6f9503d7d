"""What a step consists of."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from sightline.navigate.script._steps import Step
from sightline.yaml import inside

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
            yield from inside(getattr(step, one.name), but=(Step,))
