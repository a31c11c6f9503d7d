"""Flow files: what is read from them, what is said about mistakes, and what a change leaves as it was."""

import textwrap
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from sightline.errors import UsageError
from sightline.flow.spec import (
    FLOW_STEPS,
    ChangeRule,
    Flow,
    FlowDocument,
    MatchStep,
    NormaliseStep,
    SqlStep,
    UnionStep,
    flow_schema,
    write_flow_step,
)
from sightline.yaml import SecretName

WHOLE = """\
flow: 1
about: Prices of two shops   # for Anna
variables:
  shop: https://shop.example
secrets:
  warehouse: {environment: WAREHOUSE}
schedule: every weekday at 6:30 Europe/Vienna
steps:
  # the shops
  north:
    collect: "{shop}/cameras"
    details: auto
  south:
    read: [south.csv, more/*.csv]
  catalogue:
    query: SELECT * FROM products
    from: {secret: warehouse}
  offers:
    union: [north, south]
    columns:
      name: {north: title, south: product}
    label: shop
  euro:
    normalise: offers
    columns:
      - money: price
        to: EUR
        rates: rates.csv
        date: seen
      - remove tax: price
        rates: tax.csv
        country: country
  known:
    match: euro
    to: catalogue
    id: sku
  best:
    sql: |
      SELECT match, min(price) AS price
      FROM known GROUP BY match
  good:
    check: best
    let: [ok, suspicious]
    need: [match]
    rules:
      price is positive: price > 0
    at least: 10
    at most fewer: 30 %
  kept:
    deliver: good
    to: {secret: warehouse}
    table: prices
    mode: upsert
    key: match
  tell:
    notify: kept
    to: [{secret: warehouse}, "json://localhost"]
    when: [not ok, {changed: price, by: 5 %}]
    key: match
"""


def flow(steps: str) -> Flow:
    """A flow of these steps."""
    return Flow.loads("flow: 1\nsteps:\n" + textwrap.indent(textwrap.dedent(steps), "  "), "x.flow.yaml")


def test_a_whole_flow_is_read() -> None:
    """Every key has its value, and the steps run after those whose rows they take."""
    read = Flow.loads(WHOLE, "prices.flow.yaml")
    assert read.name == "prices"
    assert read.schedule == "every weekday at 6:30 Europe/Vienna"
    assert list(read.order) == list(read.steps)
    euro, known, best = read.steps["euro"], read.steps["known"], read.steps["best"]
    assert isinstance(euro, NormaliseStep)
    assert [str(one) for one in euro.columns] == ["money price", "remove tax price"]
    assert euro.columns[1].beside == {"country": "country"}
    assert isinstance(known, MatchStep)
    assert known.inputs == ("euro", "catalogue")
    assert isinstance(best, SqlStep)
    assert best.inputs == ("known",)
    assert read.steps["kept"].to == SecretName("warehouse")  # type: ignore[attr-defined]
    assert read.steps["good"].fall == 0.3  # type: ignore[attr-defined]
    assert read.steps["tell"].when == (ChangeRule("not ok"), ChangeRule("changed", "price", 0.05))  # type: ignore[attr-defined]


def test_order_follows_the_rows_not_the_file() -> None:
    """A step may be written before those whose rows it takes."""
    read = flow(
        """
        kept:
          deliver: both
          to: x.duckdb#t
        both:
          union: [one, two]
        one:
          read: a.csv
        two:
          read: b.csv
        """
    )
    assert read.order == ("one", "two", "both", "kept")
    assert read.upstream("both") == ("one", "two", "both")
    assert read.readers("one") == ("both",)
    assert read.holder("kept") == "both"


def test_every_flow_that_is_read_is_valid_by_the_schema() -> None:
    """Editors accept what the program accepts."""
    jsonschema.validate(YAML(typ="safe").load(WHOLE), flow_schema())


def test_the_schema_knows_every_step() -> None:
    """One form for each, with its description."""
    forms = flow_schema()["properties"]["steps"]["additionalProperties"]["anyOf"]
    assert {next(iter(form["properties"])) for form in forms} == set(FLOW_STEPS)
    assert all(form["description"] for form in forms)


def test_the_schema_refuses_an_unknown_key() -> None:
    """A typing error shows in the editor."""
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"flow": 1, "steps": {"a": {"read": "x.csv", "sheeet": 1}}}, flow_schema())


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("SELECT * FROM a JOIN b USING (id)", ("a", "b")),
        ("WITH Best AS (SELECT id FROM a) SELECT * FROM b LEFT JOIN best USING (id)", ("a", "b")),
        ("SELECT * FROM a NATURAL JOIN b WHERE id IN (SELECT id FROM c)", ("a", "b", "c")),
    ],
)
def test_a_query_may_join_by_columns_of_the_same_name(sql: str, tables: tuple[str, ...]) -> None:
    """Which steps it reads is known, although their columns are not known yet."""
    sources = "".join(f"{name}:\n  read: {name}.csv\n" for name in "abc")
    step = flow(f"{sources}d:\n  sql: {sql}").steps["d"]
    assert isinstance(step, SqlStep)
    assert step.inputs == tables


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ("a:\n  reed: x.csv", "line 4: there is no step `reed`; did you mean `read`?"),
        ("a:\n  normalize: x", "line 4: there is no step `normalize`; did you mean `normalise`?"),
        ("a:\n  scrape: x", "there is no step `scrape`; did you mean `extract`?"),
        ("a:\n  read: x.csv\n  sheet: 1", "line 5: the step `read` has no key `sheet`"),
        ("a:\n  read: x.csv\nb:\n  deliver: a\n  to: x#t\n  modus: append", "did you mean `mode`?"),
        ("a:\n  read: x.csv\n  deliver: a", "`read` and `deliver` are two steps; give the second a name of its own."),
        ("a:\n  read: x.csv\nb:\n  deliver: a", "line 6: the step `deliver` needs the key `to`."),
        (
            "a:\n  read: x.csv\nb:\n  check: aa",
            "line 6: `b` takes the rows of `aa`, which no step makes; did you mean `a`?",
        ),
        ("a:\n  check: b\nb:\n  check: a", "the steps go round in a circle: `a` → `b` → `a`; cut it somewhere."),
        ("a:\n  check: a", "the steps go round in a circle: `a` → `a`"),
        ("a b:\n  read: x.csv", "`a b` cannot be the name of a step"),
        ("a:\n  read: x.csv\nA:\n  read: y.csv", "`A` differs from another step only by capitals"),
        ("a:\n  sql: SELECT 1", "the SQL of `a` reads no step; name one after FROM."),
        ("a:\n  sql: SELEKT 1", "the SQL of `a` cannot be read"),
        ("a:\n  read: x.csv\nb:\n  union: [a]", "name at least two steps"),
        ("a:\n  read: x.csv\nb:\n  union: [a, a]", "`a` is named twice"),
        ("a:\n  read: x.csv\nb:\n  deliver: a\n  to: {secret: db}", "the secret `db` is not known"),
        ("a:\n  read: '{folder}/x.csv'", "the variable `folder` is not known; add it under `variables`."),
        ("a:\n  read: x.csv\nb:\n  normalise: a\n  columns: [{monney: p}]", "did you mean `money`?"),
        (
            "a:\n  read: x.csv\nb:\n  normalise: a\n  columns: [{money: p, to: EUT}]",
            "'EUT' is not the code of a currency",
        ),
        ("a:\n  read: x.csv\nb:\n  normalise: a\n  columns: [{money: p, dat: x}]", "`money` has no key `dat`"),
        (
            "a:\n  read: x.csv\nb:\n  normalise: a\n  columns: [{remove tax: p, rates: t.csv}]",
            "needs the key `country`",
        ),
        ("a:\n  read: x.csv\nb:\n  check: a\n  at most fewer: 130 %", "should be a share from 0 to 1"),
        ("a:\n  read: x.csv\nb:\n  notify: a\n  to: x\n  when: price changed", "isn't a change to notify about"),
        ("a: read", "line 3: “read” isn't a step; write its keys below `a:`"),
        ("a:", "nothing is here; write a step"),
    ],
)
def test_a_mistake_is_named_with_its_line(steps: str, told: str) -> None:
    """One sentence: the line, what is wrong, and what was probably meant."""
    with pytest.raises(UsageError) as problem:
        flow(steps)
    assert told in str(problem.value)
    assert str(problem.value).startswith("x.flow.yaml, line ")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("steps: {a: {read: x.csv}}", "does not say its version; begin it with `flow: 1`."),
        ("flow: 2\nsteps: {a: {read: x.csv}}", "this is a flow of version 2"),
        ("flow: 1", "the flow has no `steps`"),
        ("flow: 1\nstep: {a: {read: x.csv}}", "a flow has no key `step`; did you mean `steps`?"),
        ("- a", "a flow has the keys"),
        ("flow: 1\nsteps: [a]", "`steps` has names, each with a step below it"),
        ("flow: 1\nsecrets: {db: hunter2}\nsteps: {a: {read: x.csv}}", "a secret is never written into a file"),
    ],
)
def test_a_mistake_in_the_head_is_named(text: str, told: str) -> None:
    """The keys around the steps are checked as well."""
    with pytest.raises(UsageError) as problem:
        Flow.loads(text, "x.flow.yaml")
    assert told in str(problem.value)
    assert "hunter2" not in str(problem.value)


def test_variables_are_filled_into_texts_and_can_be_replaced() -> None:
    """Also inside lists and nested values; an unknown one is an error."""
    read = Flow.loads(WHOLE, "prices.flow.yaml").with_variables({"shop": "http://127.0.0.1:8000"})
    assert read.filled(read.steps["north"]).address == "http://127.0.0.1:8000/cameras"  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="has no variable `shpo`; did you mean `shop`"):
        read.with_variables({"shpo": "x"})


def test_a_change_leaves_everything_else_as_it_was_written() -> None:
    """Comments, order, quotes and blank lines stay."""
    document = FlowDocument(WHOLE)
    document.set("kept", "mode", "history")
    document.rename("north", "nord")
    before, after = WHOLE.splitlines(), document.text.splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert changed == [
        ("  north:", "  nord:"),
        ("    union: [north, south]", "    union: [nord, south]"),
        ("      name: {north: title, south: product}", "      name: {nord: title, south: product}"),
        ("    mode: upsert", "    mode: history"),
    ]
    assert document.flow.steps["offers"].inputs == ("nord", "south")


def test_a_change_that_makes_no_flow_is_refused() -> None:
    """The document is then what it was."""
    document = FlowDocument(WHOLE)
    with pytest.raises(UsageError, match="takes the rows of `north`, which no step makes"):
        document.remove("north")
    with pytest.raises(UsageError, match="There is a step `south` already"):
        document.rename("north", "south")
    assert document.text == WHOLE


def test_steps_are_added_and_taken_away() -> None:
    """A step that nobody reads can go; a new one is written as people would."""
    document = FlowDocument(WHOLE)
    document.remove("tell")
    document.add("again", {"deliver": "good", "to": "x.duckdb#t", "columns": {"product": "match"}})
    assert document.text.endswith(
        '  again:\n    deliver: good\n    to: "x.duckdb#t"\n    columns:\n      product: match\n'
    )
    assert "tell" not in document.flow.steps


def test_a_flow_without_changes_is_written_as_it_was() -> None:
    """Also one that is indented in another way."""
    other = "flow: 1\nsteps:\n  a:\n    read:\n    - x.csv # one\n    - 'y.csv'\n"
    assert FlowDocument(WHOLE).text == WHOLE
    assert FlowDocument(other).text == other


names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
texts = st.text(st.characters(codec="ascii", exclude_characters="{}\0"), min_size=1, max_size=12).filter(str.strip)


@pytest.mark.slow
@given(texts, st.dictionaries(names, st.fixed_dictionaries({"one": texts, "two": texts}), max_size=3), texts)
def test_steps_are_written_as_they_are_read(file: str, columns: dict[str, dict[str, str]], label: str) -> None:
    """Whatever is in a text, it comes back."""
    document = FlowDocument("flow: 1\nsteps:\n  one:\n    read: x.csv\n  two:\n    read: x.csv\n")
    document.add("both", {"union": ["one", "two"], "label": label, **({"columns": columns} if columns else {})})
    document.set("one", "read", file)
    step = document.flow.steps["both"]
    assert isinstance(step, UnionStep)
    assert step.label == label
    assert (step.columns or {}) == columns
    assert document.flow.steps["one"].files == (file,)  # type: ignore[attr-defined]
    assert Flow.loads(document.text) == document.flow


@pytest.mark.slow
def test_every_step_is_written_without_its_defaults() -> None:
    """What is written is what is read again."""
    for name, step in Flow.loads(WHOLE).steps.items():
        document = FlowDocument(WHOLE)
        written = write_flow_step(step)
        for key, value in written.items():
            document.set(name, key, value)
        assert document.flow.steps[name] == step


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("flow: 1\n#" + "x" * 300_000 + "\nsteps:\n  a:\n    read: x.csv\n", "has more than 250,000 letters"),
        ("flow: 1\nsteps:\n" + "".join(f"  s{n}: {{read: x}}\n" for n in range(1_001)), "has 1,001 steps"),
    ],
)
def test_a_flow_that_is_too_long_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    """By an error that says so, and not after minutes."""
    path = tmp_path / "x.flow.yaml"
    path.write_text(text)
    with pytest.raises(UsageError, match=problem):
        Flow.load(path)
