"""Where the targets of a script are on a page, to be shown beside its steps."""

from collections.abc import Iterator

from sightline.errors import SightlineError
from sightline.geometry import Box
from sightline.navigate.play._browsing import Browsing
from sightline.navigate.script import VARIABLE, Step, block_fields
from sightline.navigate.targets import Target

__all__ = ["placed_steps", "target_boxes", "target_of"]


def target_of(step: Step) -> Target | None:
    """What a step is about: what it acts on, waits for, or depends on."""
    found = getattr(step, "target", None) or getattr(getattr(step, "condition", None), "target", None)
    to = getattr(step, "to", None)
    return found if isinstance(found, Target) else to if isinstance(to, Target) else None


def placed_steps(steps: tuple[Step, ...], before: str = "") -> Iterator[tuple[str, Step]]:
    """All steps with their places: 3, 3.1, 3.else.1."""
    for number, step in enumerate(steps, 1):
        place = f"{before}{number}"
        yield place, step
        for at, field in enumerate(block_fields(type(step))):
            yield from placed_steps(getattr(step, field), f"{place}.{'else.' if at else ''}")


def target_boxes(browsing: Browsing, steps: tuple[Step, ...]) -> dict[str, Box]:
    """Where targets are on the page, by the places of their steps: those that are there once.

    A target that a variable names, or that is in a record, is another one each time.
    """
    found: dict[str, Box] = {}
    for place, step in placed_steps(steps):
        target = target_of(step)
        if target is None or target.inside == "record" or VARIABLE.search(str(target)):
            continue
        try:
            places = browsing.look_for(target)
        except SightlineError:  # a selector that is none, or a wrapper that is not there: the step itself says so
            continue
        node = places[0].node if len(places) == 1 else None
        if node is not None:
            x0, y0, x1, y1 = (float(side) for side in browsing.page.box[node])
            if x0 == x0:
                found[place] = (x0, y0, x1, y1)
    return found
