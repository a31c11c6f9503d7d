"""A script is read with every mistake named by its line, and written as people would write it."""

import json
import re
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
    WaitForStep,
    script_schema,
)
from sightline.navigate.targets import ROLES, Remembered, Target

EXAMPLE = Path(__file__).parents[3] / "examples" / "camera-shop" / "cameras.nav.yaml"
DOCS = Path(__file__).parents[3] / "docs" / "scripts.md"
YAML_IN_DOCS = [
    text
    for text in re.findall(r"^```yaml\n(.*?)^```", DOCS.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    if text.startswith("navigation: 1\n")
]
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
        ("set: {x: {field: y}}", "line 5: the place of the value is missing"),
        ("scroll: sideways", "line 5: “sideways” should be `end`, `top`, a number of pixels, or a target"),
        ("click: [a, b]", "line 5: this should be keys with values"),
        ("click: {role: link, name: News}", "line 5: a target has no key `role`; the role is the key, and the name"),
        ("click: {role: link, name: News}", "its value: `{link: News}`."),
        ("select: {dropdown: Maker}\n    option: x", "a target has no key `dropdown`; did you mean `combobox`?"),
        ("click: {img: Cart}", "did you mean `image`?"),
        ("fill: {field: Name}\n    with: x", "`wrapper` and `field` go together"),
        ("fill: {field: Name}\n    with: x", "an input of a form is a `textbox`."),
        ("goto: https://shop.example", "line 5: there is no step `goto`; did you mean `open`?"),
        ("go_to: https://shop.example", "did you mean `open`?"),
        ("type: x", "line 5: there is no step `type`; did you mean `fill`?"),
        ("wait: 3", "line 5: there is no step `wait`; did you mean `wait for`?"),
        (
            "wait for: 3",
            'line 5: a script waits for something on the page, not for a time; name it, or write `{text: "3"}`',
        ),
        ("wait for: 3 seconds", '`{text: "3 seconds"}`'),
        ("scroll: #more", 'line 5: nothing is here, because `#` begins a comment; put the text in quotes: "#more".'),
        ("extract:", "line 5: nothing is here; write what is extracted, such as `lists`."),
        ("if present: a\n    steps: [back]", "line 6: the step `if present` has no key `steps`; did you mean `then`?"),
        ("repeat until: a\n    then: [back]", "did you mean `steps`?"),
        ("fill: a\n    text: b", "did you mean `with`?"),
        ("download: a\n    name: b", "the step `download` has no key `name`; there is `set`."),
        (
            "for each: lists\n    take: {title, price}\n    steps: [back]",
            "line 6: a list of names is in brackets: [title, price]",
        ),
        ("wait until gone: 1.50", '`{text: "1.50"}`'),
        ("open: {shop}", 'line 5: a text that begins with a brace needs quotes: "{shop}".'),
        ("fill: Search\n    with: {query}", 'line 6: a text that begins with a brace needs quotes: "{query}".'),
        ("set: {x: {shop}}", 'line 5: a text that begins with a brace needs quotes: "{shop}".'),
        ("click: {button:Search}", "line 5: put a blank after the colon: `{button: Search}`."),
        ("open:https", "line 5: put a blank after the colon: `open: https`."),
        ("click: #menu\n  - back", 'nothing is here, because `#` begins a comment; put the text in quotes: "#menu".'),
        ("click: #menu\n  - back", "line 5:"),
        ("click:\n  - back", "line 5: nothing is here; write what is meant, such as `{button: Search}`."),
        ("open:\n  - back", "line 5: nothing is here; write a text"),
        ("if present: a\n    then:\n  - back", "line 6: nothing is here; write a list, each entry after a dash."),
        ("fill: Search\n    with: true", '`true` means yes or no in YAML; put it in quotes if it is a text: "true".'),
        ("for each: lists\n    steps: [{click: {button: A, in: recrod}}]", "line 6: did you mean `record`?"),
        ("for each: lists\n    take: [link]\n    steps: [{follow: link, steps: [back]}]", "`follow: {value: link}`"),
        (
            "log in: '{shop}'\n    user: anna\n    password: hunter2",
            "line 7: a password is never written into a script",
        ),
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
        ("navigation: '1'\nsteps: [back]", "line 1: the version is a number; write `navigation: 1`, without quotes."),
        ("navigation:\nsteps: [back]", "line 1: nothing is here; write the version of the language, `navigation: 1`."),
        ("navigation: 1\nvariables:\nsteps: [back]", "line 2: nothing is here; write names with values"),
        ("navigation: 1\nsteps:", "line 2: nothing is here; write a list, each entry after a dash."),
        ("navigation: 1\nstep: [back]", "line 2: a script has no key `step`; did you mean `steps`?"),
        ("navigation: 1", "the script has no `steps`"),
        ("navigation: 1\nsecrets: {p: {value: geheim}}\nsteps: [back]", "a secret is never written into a file"),
        ("navigation: 1\nsecrets: {p: {keyring: shop}}\nsteps: [back]", "say where the secret `p` is kept"),
    ],
)
def test_a_file_that_is_no_script_is_told(text: str, said: str) -> None:
    """By what it lacks."""
    with pytest.raises(UsageError) as problem:
        Script.loads(text)
    assert said in str(problem.value)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("open: {shop}/cameras", 'line 5: a text that begins with `{` needs quotes: "{shop}/cameras".'),
        ('open: "{shop}"/cameras', "line 5: the quotes end before the text does"),
        ("fill: a\n\twith: b", "line 6: there is a tab here; indent with blanks instead."),
        ("fill: Search\n  with: x", "line 6: `with` belongs to no step; indent it like `fill` above it, by 4 blanks"),
        ("fill: Search\n      with: x", "line 6: `with` is indented too far; indent it like `fill`, by 4 blanks."),
        ("click:\n  button: x", "line 6: `button` belongs to no step; indent it further than `click`"),
        ("click: button: Search", "line 5: there are two colons; write `click: {button: Search}`, or put the text in"),
        ("stop: Prices: all", 'in quotes: "Prices: all".'),
        ("next pages\n    steps:\n      - back", "line 5: `next pages` needs a colon, because `steps` belongs to it"),
        (
            "click: {css: #menu}\n  - back",
            "line 5: `#` begins a comment, so the braces never end; put the text in quotes",
        ),
        ("click: {css: #menu, number: 2}\n\n  - back", "line 5: `#` begins a comment"),
        ("click: {button: A\n  - open: b", "line 5: the `{` that begins here never ends; close it with `}`"),
        ("press: [\n", "line 5: the `[` that begins here never ends"),
        ("click: {button: A}}", "line 5: there is one `}` too many"),
        ("click: {button: A number: 2}", "line 5: a comma is missing before a key in the braces"),
        (
            "click: a\n    click: b",
            "line 6: `click` is there twice; leave one of them out, or put a dash before the second",
        ),
        ("click: {button: a, button: b}", "line 5: `button` is there twice; leave one of them out."),
        ("back\nsteps: []", "line 6: `steps` is there twice; leave one of them out."),
        ("click: 'abc\n  - back", "line 5: the quotes that begin here never end; close them."),
        ("click: @anna", 'line 5: a text cannot begin with “@”; put it in quotes: "@anna".'),
        ("click: *", 'line 5: a text cannot begin with “*”; put it in quotes: "*".'),
        ("press: *abc", 'line 5: a text cannot begin with “*”; put it in quotes: "*abc".'),
        ("click: > 5", 'line 5: a text cannot begin with “>”; put it in quotes: "> 5".'),
        ("click: - a", "line 5: a list begins on the next line"),
        ('click: "a\\d"', "line 5: a backslash means something else in double quotes; put the text in single quotes."),
        ("open: a\n   - back", "line 6: this dash belongs to no list; put it below the dash above it, behind 2 blanks"),
        ("back\n---\nx: 1", "line 6: `---` begins a second document"),
        ("click: \x07", "line 5: there is a character that no text has (number 7); remove it."),
        ("back\nwhat", "line 6: “what” cannot be read as YAML here; check its quotes, colons and blanks"),
    ],
)
def test_a_mistake_in_yaml_is_explained_by_its_line(steps: str, said: str) -> None:
    """In words about what is written there, and none about YAML's grammar."""
    with pytest.raises(UsageError) as problem:
        script_of(steps)
    assert said in str(problem.value)
    assert "expected" not in str(problem.value)


@pytest.mark.parametrize(
    "text",
    [
        "secrets: {password: hunter2}\nsteps: [back]",
        "secrets: hunter2\nsteps: [back]",
        "secrets: {password: [hunter2]}\nsteps: [back]",
        "secrets: {password: {value: hunter2}}\nsteps: [back]",
        "secrets: {password: {hunter2}}\nsteps: [back]",
        "secrets:\n  p: hunter2: x\nsteps: [back]",
        "secrets:\n  p: {hunter2}x\nsteps: [back]",
        "secrets:\n  p: 'hunter2\nsteps: [back]",
        "steps:\n  - fill: {label: Password}\n    with: hunter2: x",
        "steps:\n  - log in: x\n    user: anna\n    password: hunter2",
        "steps:\n  - log in: x\n    user: anna\n    password: {hunter2: x}",
    ],
)
def test_an_error_never_repeats_a_secret(text: str) -> None:
    """That somebody wrote into a script by mistake."""
    with pytest.raises(UsageError) as problem:
        Script.loads(f"navigation: 1\n{text}")
    assert "hunter2" not in str(problem.value)
    assert "line" in str(problem.value)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (
            "fill: a\n    with: '{password}'",
            "line 5: `password` is a secret, which is typed as a whole and nowhere else: ",
        ),
        ("fill: a\n    with: '{password}'", "write `with: {secret: password}`."),
        ("open: 'https://x/{password}'", "type it with `fill` and `with: {secret: password}`."),
    ],
)
def test_a_secret_is_no_variable(step: str, said: str) -> None:
    """And the error says how it is typed."""
    secrets = "navigation: 1\nsecrets: {password: {environment: SHOP_PASSWORD}}\nsteps:\n  - back\n"
    with pytest.raises(UsageError) as problem:
        Script.loads(f"{secrets}  - {step}")
    assert said in str(problem.value)


@pytest.mark.parametrize("written", ["01234", "1.10", "12.50", "1_000", "0x1F", "1e3", "2026-03-01", "+49", "-0", ".5"])
def test_numbers_and_dates_are_typed_as_they_are_written(written: str) -> None:
    """With their zeros, also as the values of variables and the names of things."""
    script = Script.loads(
        f"navigation: 1\nvariables: {{x: {written}}}\nsteps:\n  - fill: {written}\n    with: {written}\n"
        f"  - select: Size\n    option: [{written}]\n  - set: {{y: {written}}}\n"
    )
    fill, select, put = script.steps
    assert script.variables == {"x": written}
    assert fill == FillStep(target=Target(kind="anything", name=written), text=written)
    assert isinstance(select, SelectStep)
    assert select.options == (written,)
    assert isinstance(put, SetStep)
    assert put.values["y"].text == written
    assert Script.loads(script.dumps()) == script


@pytest.mark.parametrize("text", YAML_IN_DOCS)
def test_the_scripts_in_the_docs_are_scripts(text: str) -> None:
    """As they are printed."""
    assert Script.loads(text, "docs.nav.yaml").steps


@pytest.mark.parametrize("text", ["3", "3 seconds", "1.50"])
def test_a_number_in_quotes_is_waited_for(text: str) -> None:
    """As a text of the page, also after the script was written."""
    script = script_of(f"wait for: '{text}'")
    assert script.steps[1] == WaitForStep(condition=PageCondition(target=Target(kind="anything", name=text)))
    assert Script.loads(script.dumps()) == script


def test_fields_are_taken_by_a_list() -> None:
    """Under the names that they have."""
    step = script_of("for each: lists\n    take: [title, price]\n    steps: [back]").steps[1]
    assert isinstance(step, ForEachStep)
    assert step.take == {"title": "title", "price": "price"}


def test_a_file_with_nearly_this_name_is_proposed(tmp_path: Path) -> None:
    """If it is in the same folder."""
    (tmp_path / "2.nav.yaml").write_text("navigation: 1\nsteps: [back]\n")
    with pytest.raises(UsageError, match=r"did you mean .*2\.nav\.yaml\?"):
        Script.load(tmp_path / "2.nav.yml")


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


ACCEPTED = jsonschema.Draft202012Validator(script_schema())


# A failing script is small enough to read as it is found; shrinking one takes minutes.
@pytest.mark.slow
@settings(max_examples=60, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(scripts)
def test_what_is_written_reads_the_same(script: Script) -> None:
    """Nothing is lost, whatever names, targets and steps there are; and editors accept it."""
    text = script.dumps()
    assert Script.loads(text) == script
    ACCEPTED.validate(json.loads(json.dumps(YAML(typ="safe").load(text))))


def test_the_schema_is_one() -> None:
    """By the rules of JSON Schema, with every step in it."""
    schema = script_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    told = json.dumps(schema)
    assert all(f'"{word}"' in told for word in STEPS)


@pytest.mark.slow
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
