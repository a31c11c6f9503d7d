"""Steps of a script are moved, wrapped and changed as plain values; text that somebody wrote stays as it is."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from sightline.errors import UsageError
from sightline.navigate.play import placed_steps
from sightline.navigate.script import (
    Script,
    Step,
    comments_in,
    insert_step,
    move_step,
    plain_step,
    remove_step,
    replace_step,
    step_at,
    step_of,
    step_words,
    text_after,
    unwrap_step,
    wrap_steps,
)

FEW = settings(max_examples=30, deadline=None)  # reading YAML takes its time

PLAIN = some.sampled_from(
    [
        {"open": "https://shop.example/a"},
        {"click": {"button": "Search"}},
        {"fill": {"textbox": "Name"}, "with": "Anna: #1"},
        {"extract": "lists"},
        {"press": "Enter"},
        {"select": {"combobox": "Sort"}, "option": ["Newest"]},
        {"wait for": {"text": "Done"}, "seconds": 5},
        "back",
    ]
)
STEPS = some.recursive(
    PLAIN,
    lambda inner: some.one_of(
        some.builds(lambda steps: {"for each": "lists", "steps": steps}, some.lists(inner, min_size=1, max_size=3)),
        some.builds(
            lambda then, other: {"if present": {"text": "x"}, "then": then, **({"else": other} if other else {})},
            some.lists(inner, min_size=1, max_size=3),
            some.lists(inner, max_size=2),
        ),
    ),
    max_leaves=8,
)
SCRIPTS = some.lists(STEPS.map(step_of), min_size=1, max_size=5).map(tuple)


def places(steps: tuple[Step, ...]) -> list[str]:
    """The places of all steps."""
    return [place for place, _ in placed_steps(steps)]


def words(steps: tuple[Step, ...]) -> list[str]:
    """All steps without those inside of them, sorted."""
    return sorted(f"{step.word} {step_words(step)}" for _, step in placed_steps(steps))


@pytest.mark.slow
@FEW
@given(SCRIPTS, some.data())
def test_moving_a_step_loses_none(steps: tuple[Step, ...], data: some.DataObject) -> None:
    """Whatever is moved wherever, the same steps are there, or the move is refused with a sentence."""
    place = data.draw(some.sampled_from(places(steps)))
    to = data.draw(some.sampled_from([*places(steps), "end"]))
    try:
        moved = move_step(steps, place, to)
    except UsageError as problem:
        assert problem.message.endswith(".")
        return
    assert words(moved) == words(steps)


@FEW
@given(SCRIPTS, some.data())
def test_wrapping_and_unwrapping_gives_the_same(steps: tuple[Step, ...], data: some.DataObject) -> None:
    """Steps that are put into a block and taken out again are where they were."""
    place = data.draw(some.sampled_from(places(steps)))

    def make(inner: tuple[Step, ...]) -> Step:
        made = step_of({"next pages": 3, "steps": [plain_step(step) for step in inner]})
        return replace(made, steps=inner)  # type: ignore[call-arg]

    wrapped = wrap_steps(steps, [place], make)
    assert step_at(wrapped, place).word == "next pages"
    assert unwrap_step(wrapped, place) == steps


@pytest.mark.slow
@FEW
@given(SCRIPTS, PLAIN.map(step_of), some.data())
def test_inserting_and_removing_gives_the_same(steps: tuple[Step, ...], step: Step, data: some.DataObject) -> None:
    """A step that is put somewhere is there, and gone when it is removed."""
    place = data.draw(some.sampled_from(places(steps)))
    inserted = insert_step(steps, place, step)
    assert step_at(inserted, place) == step
    assert remove_step(inserted, place) == steps


@pytest.mark.slow
@FEW
@given(SCRIPTS, some.data())
def test_text_after_an_edit_means_what_was_meant(steps: tuple[Step, ...], data: some.DataObject) -> None:
    """The text of a script that somebody wrote by hand is edited by lines, and read again it is the new script."""
    text = "# Kept.\n" + Script(steps=steps).dumps().replace("steps:\n", "steps:\n  # First.\n", 1)
    before = Script.loads(text)
    place = data.draw(some.sampled_from(places(before.steps)))
    new = data.draw(PLAIN.map(step_of))
    after = replace(before, steps=replace_step(before.steps, place, new))
    made = text_after(text, before, after)
    assert Script.loads(made) == after
    assert made.startswith("# Kept.\n")


HAND_WRITTEN = """\
# Prices, every morning.
navigation: 1

steps:
  # The shop moved in May.
  - open: https://shop.example   # with the cookie banner
  - click: {button: Accept}

  # All of them.
  - for each: lists
    take: [title]
    steps:
      - follow: {link: Details}   # a page of its own
        steps:
          - set: {price: {beside: Price}}
  - stop
"""


def test_one_edit_changes_only_its_lines() -> None:
    """Comments and odd blanks stay where they are, also when steps are moved out of a block."""
    before = Script.loads(HAND_WRITTEN)
    changed = step_of({"click": {"button": "Agree"}})
    after = replace(before, steps=replace_step(before.steps, "2", replace(changed, line=before.steps[1].line)))
    assert text_after(HAND_WRITTEN, before, after) == HAND_WRITTEN.replace("Accept", "Agree")
    moved = replace(before, steps=move_step(before.steps, "2", "3.1"))
    text = text_after(HAND_WRITTEN, before, moved)
    assert Script.loads(text) == moved
    for comment in (
        "# Prices, every",
        "# The shop moved",
        "# with the cookie",
        "# All of them.",
        "# a page of its own",
    ):
        assert comment in text


def test_only_comments_of_people_count() -> None:
    """Not the one that a recording has above its memories, and no `#` in an address or a text."""
    memory = {"role": "button", "name": "Search"}
    step = step_of({"click": {"button": "Search", "memory": memory}})
    recorded = Script(steps=(step_of({"open": "https://shop.example/#new"}), step)).dumps()
    assert "# How the recorder saw" in recorded
    assert comments_in(recorded) == []
    assert comments_in(recorded.replace("\n", "\r\n")) == []
    assert comments_in(recorded.replace("steps:", "steps:  # of Anna")) == ["# of Anna"]
    assert len(comments_in(HAND_WRITTEN)) >= 5


@pytest.mark.parametrize("place", ["0", "7", "1.1", "3.else.1", "x", "", "3.", "1.end", "99999999999999999999"])
def test_a_place_that_is_not_there_is_refused(place: str) -> None:
    """A place of a script that has changed meanwhile is an error with a sentence."""
    steps = Script.loads(HAND_WRITTEN).steps
    with pytest.raises(UsageError, match="There is no step"):
        step_at(steps, place)


def test_blocks_are_never_left_empty() -> None:
    """The last step of a block stays, and so does that of the script."""
    steps = Script.loads(HAND_WRITTEN).steps
    with pytest.raises(UsageError, match="needs at least one step inside"):
        remove_step(steps, "3.1")
    with pytest.raises(UsageError, match="into itself"):
        move_step(steps, "3", "3.1")
    with pytest.raises(UsageError, match="follow each other"):
        wrap_steps(steps, ["1", "3"], lambda inner: inner[0])
    with pytest.raises(UsageError, match="at least one step"):
        remove_step((step_of({"open": "https://shop.example"}),), "1")
