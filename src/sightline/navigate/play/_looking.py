"""The steps that look at a page: conditions, waiting, and reading."""

from collections.abc import Callable, Iterator
from time import monotonic, sleep
from typing import Any

from sightline.data import Record, Value, origin_of
from sightline.errors import SightlineError
from sightline.geometry import Box
from sightline.navigate.play._browsing import Browsing, TargetError
from sightline.navigate.play._page_records import cell_in, value_beside, wrapper_values
from sightline.navigate.play._run import Run, StopAsked
from sightline.navigate.script import (
    VARIABLE,
    AddStep,
    ExtractStep,
    PageCondition,
    Reading,
    SetStep,
    Step,
    StopStep,
    WaitForStep,
    WaitUntilGoneStep,
    block_fields,
)
from sightline.navigate.targets import Target, same_name

FIRST_LOOK, LAST_LOOK = 0.05, 0.5  # seconds between two looks at a page that is waited for, growing


def is_there(run: Run, condition: PageCondition) -> bool:
    """Whether a condition holds now."""
    if condition.value:
        return bool((run.scope.text(condition.value) or "").strip())
    if condition.address:
        return same_name(run.scope.fill(condition.address), run.browsing.address)
    assert condition.target is not None
    return bool(run.browsing.look_for(run.scope.fill_target(condition.target)))


def _wait_for(run: Run, step: WaitForStep) -> None:
    if not _waited(run, step.condition, step.seconds, there=True):
        raise TargetError(f"It was not there after {step.seconds} s; raise `seconds`, or check what it is called.")


def _wait_until_gone(run: Run, step: WaitUntilGoneStep) -> None:
    if not _waited(run, step.condition, step.seconds, there=False):
        raise TargetError(f"It was still there after {step.seconds} s; raise `seconds` to wait longer.")


def _waited(run: Run, condition: PageCondition, seconds: float, *, there: bool) -> bool:
    end, look = monotonic() + seconds, FIRST_LOOK
    while is_there(run, condition) != there:
        if monotonic() >= end:
            return False
        sleep(look)
        look = min(LAST_LOOK, 2 * look)
        run.browsing.changed()
    return True


def _extract(run: Run, step: ExtractStep) -> None:
    records = run.records(step.source, step.line)
    run.note = f"{len(records):,} record{'s' * (len(records) != 1)}"
    run.put_out(step.output, records)


def _set(run: Run, step: SetStep) -> None:
    for name, reading in step.values.items():
        value = _read(run, reading)
        if value is None:
            run.doubt(f"there is no value for “{name}”")
        run.scope.put_in_record(name, value)
        told = f"{name} is “{value.text}”" if value is not None else f"there is no value for {name}"
        run.note = f"{run.note}, {told}" if run.note else told


def _add(run: Run, step: AddStep) -> None:
    values = {name: _read(run, reading) for name, reading in step.values.items()}
    for name, value in values.items():
        if value is None:
            run.doubt(f"there is no value for “{name}”")
    run.note = ", ".join(f"{name} is “{value.text}”" for name, value in values.items() if value is not None)
    run.put_out(step.output, Record(values))


def _read(run: Run, reading: Reading) -> Value | None:
    if reading.text is not None:
        return Value(run.scope.fill(reading.text))
    page = run.browsing.page
    if reading.address:
        return Value(run.browsing.address)
    run.saw(page)
    if reading.beside:
        return value_beside(page, run.scope.fill(reading.beside))
    if reading.column:
        return cell_in(page, run.scope.fill(reading.column), run.scope.fill(reading.row))
    if reading.wrapper:
        values = wrapper_values(page, run.browsing.wrapper(reading.wrapper), reading.field)
        return values[0] if len(values) == 1 else None
    assert reading.target is not None
    return _read_target(run, reading.target, reading.attribute)


def _read_target(run: Run, target: Target, attribute: str) -> Value | None:
    found = run.browsing.look_for(run.scope.fill_target(target))
    if not found:
        return None
    if len(found) > 1:
        raise TargetError(f"{target} is on the page {len(found)} times; say which one with `in` or `number`.")
    page, node = run.browsing.page, found[0].node
    if node is None:
        facts = run.session.element(found[0].xpath)
        return Value(facts.attributes.get(attribute, "") if attribute else facts.text) if facts else None
    text = page.node(node).attributes.get(attribute) if attribute else page.text_of(node)
    return None if text is None else Value(text, origin=origin_of(page, [node]))


def _stop(run: Run, step: StopStep) -> None:
    raise StopAsked(run.scope.fill(step.why))


LOOKS: dict[type[Step], Callable[[Run, Any], None]] = {
    WaitForStep: _wait_for,
    WaitUntilGoneStep: _wait_until_gone,
    ExtractStep: _extract,
    SetStep: _set,
    AddStep: _add,
    StopStep: _stop,
}
"""What each of these steps does."""


# -- where the targets of a script are on a page, to be shown beside its steps --------------------------------------


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
