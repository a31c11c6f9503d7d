"""Edits of a flow's text: whatever way it is written in, only the lines that an edit is about change."""

import difflib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from sightline.errors import UsageError
from sightline.flow.spec import FlowDraft, add_step, remove_steps, rename_step, set_key
from sightline.yaml import YamlText

# Whatever YAML allows in a text: quotes, colons, hashes, braces, other scripts, and lines.
texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12) | st.sampled_from(
    [
        "",
        "yes",
        "null",
        "~",
        "1",
        "01",
        "0x1f",
        "1e3",
        "- a",
        "a: b",
        "# c",
        "'",
        '"',
        "it's",
        "{a}",
        "[x",
        "@",
        "%",
        " x",
        "x ",
    ]
)
lines = st.lists(st.sampled_from(["SELECT *", "  FROM a", "", "-- # no comment", "WHERE x = ':'", "\ttab"]), max_size=4)
long_texts = lines.map("\n".join)
scalars = texts | long_texts | st.integers(-99, 99) | st.booleans() | st.floats(-9, 9).map(lambda one: round(one, 2))
keys = st.sampled_from(["to", "columns", "label", "catalogue columns", "a: b", "x'y", "ключ", "at least"])
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=6,
)
comments = st.sampled_from(["", "", "  # why", "   # a: b"])


@st.composite
def flows(draw: st.DrawFn) -> tuple[str, dict[str, dict[str, Any]]]:
    """A flow as anybody could have written it, and what its steps say."""
    outer, inner = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    parts: list[str] = []
    for number in range(draw(st.integers(1, 4))):
        name = f"s{number}"
        parts += draw(st.sampled_from([[], [""], ["", f"{' ' * outer}# about {name}"], ["# far left"]]))
        body = draw(st.dictionaries(keys, st.sampled_from(list(WRITTEN)), max_size=3))
        if draw(st.booleans()) and all("\n" not in WRITTEN[one][0] for one in body.values()):
            inside = ", ".join(f'"{key}": {WRITTEN[one][0]}' for key, one in body.items() if "#" not in WRITTEN[one][0])
            body = {key: one for key, one in body.items() if "#" not in WRITTEN[one][0]}
            parts.append(f"{' ' * outer}{name}: {{read: x.csv{', ' if inside else ''}{inside}}}{draw(comments)}")
        else:
            parts += [f"{' ' * outer}{name}:{draw(comments)}", f"{' ' * (outer + inner)}read: x.csv{draw(comments)}"]
            for key, one in body.items():
                written = WRITTEN[one][0].replace("\n", "\n" + " " * (outer + inner))
                parts.append(f'{" " * (outer + inner)}"{key}": {written}')
    text = "\n".join(["# head", "flow: 1", "steps:", *parts]) + draw(st.sampled_from(["", "\n", "\n\n# the end\n"]))
    if text.endswith(("FROM a", "  b")):
        text += "\n"  # without it, the text in the last lines would have another end after the edit
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(["", "\ufeff"])) + text, _read(text)["steps"]


# Values as people write them, and what they mean.
WRITTEN: dict[str, tuple[str, Any]] = {
    "plain": ("a b", "a b"),
    "single": ("'it''s'  # said", "it's"),
    "double": ('"a\\tb"', "a\tb"),
    "list": ("[a, 'b', 1]", ["a", "b", 1]),
    "list over lines": ("[a,  # first\n  b\n  ]", ["a", "b"]),
    "block list": ("\n  - a\n  # between\n  -   b", ["a", "b"]),
    "list at the key": ("\n- a\n- b", ["a", "b"]),
    "block": ("\n   x: 1  # one\n   y: [2]", {"x": 1, "y": [2]}),
    "braces": ("{x: 1, y: {z: '2'}}", {"x": 1, "y": {"z": "2"}}),
    "list of blocks": ("\n  - x: 1\n    y: 2\n  - x: 3", [{"x": 1, "y": 2}, {"x": 3}]),
    "literal": ("|\n  SELECT *\n\n  FROM a", "SELECT *\n\nFROM a\n"),
    "literal kept": ("|-  # sql\n  SELECT *", "SELECT *"),
    "folded": (">\n  a\n  b", "a b\n"),
    "nothing": ("", None),
    "over lines": ('"a\n  b"', "a b"),
}


def _read(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text.removeprefix("\ufeff"))


def _outside(before: str, after: str, name: str) -> None:
    """Every line that was changed is between the step and the next one."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    start = next(number for number, line in enumerate(old) if line.strip().startswith(f"{name}:"))
    indent = len(old[start]) - len(old[start].lstrip())
    stops = [
        number
        for number, line in enumerate(old)
        if number > start and line.strip() and len(line) - len(line.lstrip()) <= indent and line.strip()[0] not in "#-]"
    ]
    stop = stops[0] if stops else len(old)
    for what, first, last, _, _ in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal" and old[first:last] and stop < len(old):
            assert start <= first
            assert last <= stop


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(flows(), keys, values)
def test_a_key_is_set_and_nothing_else_changes(flow: tuple[str, dict[str, Any]], key: str, value: Any) -> None:
    """Whatever the value is, it comes back, and so does everything else."""
    text, steps = flow
    draft = FlowDraft.loads(text)
    assert draft.readable, (text, draft.problems)
    assert {name: dict(step.values) for name, step in draft.steps.items()} == steps
    made = set_key(draft, "s0", key, value).yaml if value is not None else draft.yaml
    wanted = {name: dict(step) for name, step in steps.items()}
    wanted["s0"][key] = value
    assert _read(made.text)["steps"] == wanted
    _outside(text, made.text, "s0")
    assert made.text.startswith("\ufeff") == text.startswith("\ufeff")
    assert "\n" not in made.text.replace("\r\n", "") or "\r\n" not in text


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(flows(), st.data())
def test_steps_come_and_go_and_the_others_stay(flow: tuple[str, dict[str, Any]], data: st.DataObject) -> None:
    """Byte for byte, in their order."""
    text, steps = flow
    draft = FlowDraft.loads(text)
    after = data.draw(st.sampled_from([None, *steps]))
    made = add_step(draft, "deliver", {"deliver": "s0", "columns": {"a": "b"}}, name="new", after=after)
    found = _read(made.yaml.text)["steps"]
    assert found["new"] == {"deliver": "s0", "columns": {"a": "b"}}
    assert {name: one for name, one in found.items() if name != "new"} == steps
    order = list(steps)
    order.insert(order.index(after) + 1 if after else len(order), "new")
    assert list(found) == order
    old, new = text.splitlines(), made.yaml.text.splitlines()
    assert [line for line in difflib.ndiff(old, new) if line.startswith("- ")] == []
    gone = data.draw(st.lists(st.sampled_from(list(steps)), min_size=1, unique=True))
    left = remove_steps(draft, gone).yaml
    assert (_read(left.text)["steps"] or {}) == {name: one for name, one in steps.items() if name not in gone}
    assert [line for line in difflib.ndiff(old, left.text.splitlines()) if line.startswith("+ ")] in (
        [],
        ["+ steps: {}"],
    )


@settings(max_examples=25, deadline=None)
@given(flows(), keys)
def test_a_key_is_removed(flow: tuple[str, dict[str, Any]], key: str) -> None:
    """With its lines alone."""
    text, steps = flow
    draft = FlowDraft.loads(text)
    if key not in steps["s0"]:
        return
    made = set_key(draft, "s0", key, None).yaml
    wanted = {name: dict(step) for name, step in steps.items()}
    del wanted["s0"][key]
    assert _read(made.text)["steps"] == wanted
    _outside(text, made.text, "s0")


@settings(max_examples=15, deadline=None)
@given(flows())
def test_a_step_is_renamed_in_one_line(flow: tuple[str, dict[str, Any]]) -> None:
    """Only its name differs."""
    text, _ = flow
    made = rename_step(FlowDraft.loads(text), "s0", "renamed").yaml.text
    assert made == text.replace("s0:", "renamed:", 1)


def test_an_anchor_is_kept_or_the_edit_is_refused() -> None:
    """What other places use by an alias is never lost, and never changed with the one place."""
    text = "flow: 1\nsteps:\n  a: &a\n    read: x.csv\n  b: *a\n  c:\n    <<: *a\n    label: z\n"
    draft = FlowDraft.loads(text)
    made = set_key(draft, "c", "label", "new").yaml.text
    assert made == text.replace("label: z", "label: new")
    assert set_key(draft, "c", "read", "own.csv").yaml.values["steps"]["c"] == {"label": "z", "read": "own.csv"}
    with pytest.raises(UsageError, match="an anchor that is used elsewhere"):
        remove_steps(draft, ["a"])
    with pytest.raises(UsageError, match="change it in the text"):
        set_key(draft, "a", "read", "y.csv")


def test_other_ways_to_write_keys_are_kept_or_refused_in_words() -> None:
    """Such as `? key`, a list in a list, and a text with tabs."""
    text = "flow: 1\nsteps:\n  ? a\n  : read: x.csv\n  b:\n    read:\n    - - x\n      - y\n"
    draft = FlowDraft.loads(text)
    assert set_key(draft, "a", "read", "y.csv").yaml.text == text.replace("x.csv", "y.csv")
    with pytest.raises(UsageError, match="change it in the text"):
        rename_step(draft, "a", "c")
    yaml = YamlText("a:\n- - x\n  - y\n")
    assert yaml.set(("a", 0, 1), "z").text == "a:\n- - x\n  - z\n"


def test_a_step_is_added_after_a_text_that_ends_with_the_file() -> None:
    """The text gets the line end that it lacked."""
    text = "flow: 1\nsteps:\n  a:\n    sql: |\n      SELECT 1\n      FROM b"
    made = add_step(FlowDraft.loads(text), "read", {"read": "x.csv"}, name="b").yaml.text
    assert made == text + "\n  b:\n    read: x.csv\n"
