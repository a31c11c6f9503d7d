"""A script is read with every mistake named by its line, and written as people would write it."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from sightline.errors import UsageError
from sightline.navigate.script import (
    STEPS,
    BackStep,
    CheckStep,
    ClickStep,
    ExtractStep,
    FillStep,
    ForEachStep,
    IfMissingStep,
    OpenStep,
    PageCondition,
    PressStep,
    Reading,
    RecordSource,
    RepeatUntilStep,
    Script,
    SecretName,
    SecretPlace,
    SelectStep,
    SetStep,
    Step,
    StopStep,
    script_schema,
)
from sightline.navigate.targets import ROLES, Remembered, Target

EXAMPLE = Path(__file__).parents[3] / "examples" / "camera-shop" / "cameras.nav.yaml"
BEGIN = "navigation: 1\nvariables: {shop: https://shop.example}\nsteps:\n  - open: '{shop}'\n"


def script_of(steps: str) -> Script:
    """A script with more steps."""
    return Script.loads(f"{BEGIN}  - {steps}", "shop.nav.yaml")


def test_the_example_reads_as_it_is_printed() -> None:
    """Every key has a place, and the steps are those that a reader sees."""
    script = Script.load(EXAMPLE)
    loop = script.steps[1]
    assert isinstance(loop, ForEachStep)
    assert loop.output == "cameras"
    missing = loop.steps[0]
    assert isinstance(missing, IfMissingStep)
    assert missing.condition == PageCondition(value="price")
    assert [type(step).word for step in missing.then] == ["click", "click", "set", "back"]
    assert missing.then[0] == ClickStep(target=Target(kind="image", name="Add to cart", inside="record"))
    assert missing.then[3] == BackStep(times=2)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("clik: Search", "line 5: there is no step `clik`; did you mean `click`?"),
        ("bck", "line 5: there is no step `bck`; did you mean `back`?"),
        ("click: {buton: Search}", "line 5: a target has no key `buton`; did you mean `button`?"),
        ("click: {button: A, link: B}", "line 5: the target is either `button` or `link`; leave one of them out."),
        ("click: {in: record}", "line 5: the target is missing"),
        (
            "click: Search\n    press: Enter",
            "line 6: the step `click` has no key `press`; `click` and `press` are two steps",
        ),
        ("fill: Search", "line 5: the step `fill` needs the key `with`."),
        ("fill: Search\n    wiht: x", "line 6: the step `fill` has no key `wiht`; did you mean `with`?"),
        ("fill: Search\n    with: {secret: password}", "line 5: the secret `password` is not known"),
        ("open: '{shap}/x'", "line 5: the variable `shap` is not known; did you mean `shop`?"),
        ("click: {button: Buy, in: record}", "line 5: `in: record` means nothing here"),
        ("back: 0", "line 5: “0” should be a whole number from 1."),
        ("extract: listz", "line 5: “listz” is not known here; did you mean `lists`?"),
        ("extract: {wrapper: a.json, lists: 1}", "what is extracted is either `wrapper` or `lists`"),
        ("drag: {slider: Price}", "line 5: the step `drag` needs either `by` or `onto`."),
        ("if present: Search\n    then: []", "line 6: there are no steps here"),
        ("set: {x: {field: y}}", "line 5: where the value is is missing"),
        ("scroll: sideways", "line 5: “sideways” should be `end`, `top`, a number of pixels, or a target"),
        ("click: [a, b]", "line 5: this should be keys with values"),
        ("click: {button: A\n  - open: b", "this is not YAML"),
        ("click: a\n    click: b", "this is not YAML"),
    ],
)
def test_a_mistake_is_named_with_its_line(steps: str, said: str) -> None:
    """And with what was probably meant."""
    with pytest.raises(UsageError) as problem:
        script_of(steps)
    assert said in str(problem.value)
    assert str(problem.value).startswith("shop.nav.yaml, line ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a script has the keys"),
        ("- open: x", "a script has the keys"),
        ("steps: [back]", "begin it with `navigation: 1`"),
        ("navigation: 2\nsteps: [back]", "line 1: this is a script of version 2"),
        ("navigation: 1\nstep: [back]", "line 2: a script has no key `step`; did you mean `steps`?"),
        ("navigation: 1", "the script has no `steps`"),
        ("navigation: 1\nsecrets: {p: {value: geheim}}\nsteps: [back]", "a secret is never written into a script"),
        ("navigation: 1\nsecrets: {p: {keyring: shop}}\nsteps: [back]", "say where the secret `p` is kept"),
    ],
)
def test_a_file_that_is_no_script_is_told(text: str, said: str) -> None:
    """By what it lacks."""
    with pytest.raises(UsageError) as problem:
        Script.loads(text)
    assert said in str(problem.value)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """Missing, or not a text."""
    with pytest.raises(UsageError, match="could not be read"):
        Script.load(tmp_path / "none.nav.yaml")
    (tmp_path / "x.nav.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="UTF-8"):
        Script.load(tmp_path / "x.nav.yaml")


def test_a_step_may_be_nothing_but_its_word() -> None:
    """Where nothing needs to be said."""
    assert script_of("back").steps[1] == BackStep()
    assert script_of("stop").steps[1] == StopStep()


words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="{}"), min_size=1
).filter(lambda text: bool(text.strip()))
memories = st.builds(
    Remembered,
    role=st.sampled_from(sorted(ROLES)),
    name=words,
    attributes=st.dictionaries(st.sampled_from(["id", "name", "href"]), words, max_size=2),
    classes=st.lists(words, max_size=2).map(tuple),
    place=st.tuples(st.sampled_from([0.0, 0.25, 1.0]), st.sampled_from([0.0, 0.5])),
)
named = st.builds(
    Target,
    kind=st.sampled_from([*ROLES, "label", "text", "anything"]),
    name=words,
    number=st.none() | st.integers(1, 9),
    memory=st.none() | memories,
).filter(lambda target: target.kind != "anything" or target == Target(kind="anything", name=target.name))
selected = st.builds(Target, css=words) | st.builds(Target, xpath=words) | st.builds(Target, wrapper=words, field=words)
targets = named | selected
inside = st.builds(lambda target, around: Target(kind="button", name=target.name, inside=around), named, targets)
plain: st.SearchStrategy[Step] = st.one_of(
    st.builds(OpenStep, address=words),
    st.builds(ClickStep, target=targets | inside),
    st.builds(FillStep, target=targets, text=words | st.just(SecretName("password"))),
    st.builds(SelectStep, target=targets, options=st.lists(words, min_size=1, max_size=3).map(tuple)),
    st.builds(CheckStep, target=targets),
    st.builds(PressStep, key=words),
    st.builds(
        ExtractStep, source=st.builds(RecordSource, wrapper=words) | st.just(RecordSource(kind="tables", number=2))
    ),
    st.builds(
        SetStep, values=st.dictionaries(words, st.builds(Reading, column=words, row=words), min_size=1, max_size=2)
    ),
    st.builds(BackStep, times=st.integers(1, 5)),
)
steps = st.recursive(
    plain,
    lambda inner: st.one_of(
        st.builds(
            RepeatUntilStep,
            condition=st.builds(PageCondition, target=targets) | st.builds(PageCondition, address=words),
            steps=st.lists(inner, min_size=1, max_size=3).map(tuple),
        ),
        st.builds(
            ForEachStep,
            source=st.builds(RecordSource, kind=st.just("lists")),
            steps=st.lists(inner, min_size=1, max_size=2).map(tuple),
        ),
    ),
    max_leaves=6,
)
scripts = st.builds(
    Script,
    steps=st.lists(steps, min_size=1, max_size=4).map(tuple),
    about=st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=30).map(str.strip),
    secrets=st.just({"password": SecretPlace(environment="SHOP_PASSWORD")}),
)


# A failing script is small enough to read as it is found; shrinking one takes minutes.
@settings(max_examples=60, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(scripts)
def test_what_is_written_reads_the_same(script: Script) -> None:
    """Nothing is lost, whatever names, targets and steps there are; and editors accept it."""
    text = script.dumps()
    assert Script.loads(text) == script
    jsonschema.validate(json.loads(json.dumps(YAML(typ="safe").load(text))), script_schema())


def test_the_schema_is_one() -> None:
    """By the rules of JSON Schema, with every step in it."""
    schema = script_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    told = json.dumps(schema)
    assert all(f'"{word}"' in told for word in STEPS)


@pytest.mark.parametrize(
    "bad", ["clik: Search", "click: {buton: x}", "fill: Search", "click: a\n    press: b", "back: 0"]
)
def test_the_schema_rejects_what_the_reader_rejects(bad: str) -> None:
    """So an editor shows the mistake while it is made."""
    content = YAML(typ="safe").load(f"{BEGIN}  - {bad}")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(content, script_schema())


def test_a_script_is_written_as_people_would_write_it() -> None:
    """A target on one line, a plain name without keys, a step without anything as a word."""
    memory = Remembered(role="button", name="Search", attributes={"id": "go"})
    script = Script(
        steps=(
            OpenStep(address="https://shop.example"),
            ClickStep(target=Target(kind="anything", name="Search")),
            ClickStep(target=Target(kind="button", name="Search", memory=memory)),
            FillStep(target=Target(kind="label", name="Password"), text=SecretName("password")),
            BackStep(),
        ),
        secrets={"password": SecretPlace(environment="SHOP_PASSWORD")},
    )
    steps, _, memory_text = script.dumps().partition("\n\n")
    assert steps == (
        "navigation: 1\nsecrets:\n  password: {environment: SHOP_PASSWORD}\nsteps:\n  - open: https://shop.example\n"
        "  - click: Search\n  - click: {button: Search, memory: 1}\n  - fill: {label: Password}\n"
        "    with: {secret: password}\n  - back"
    )
    assert "1: {role: button, name: Search, attributes: {id: go}" in memory_text
