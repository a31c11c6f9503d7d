"""Expressions of strangers: they mean what `re` says, and whatever they ask for, their work has an end."""

import pickle
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.errors import UsageError
from sightline.extract.wrappers.patterns._expression import (
    LONGEST_TEXT,
    STEPS,
    SlowExpression,
    StepBudget,
    expression_of,
)
from sightline.extract.wrappers.patterns._split import apply_cut, learn_cut

LONG = "a" * LONGEST_TEXT


def _by_machine(expression: str, text: str) -> str | None:
    """What the machine captures, also where `re` would have been quick."""
    spans = expression_of(expression)._machine.search(text, StepBudget())
    return text[spans[0] : spans[1]] if spans and spans[1] >= 0 else None


@pytest.mark.parametrize(
    "expression",
    [
        r"((a+)+)b$",
        r"((a|a)*)b",
        r"((?:a|aa)+)b",
        r"(.*.*.*.*.*.*x)",
        r"(\w*\d*\w*\d*\w*x)",
        r"((?:\w+\s?)*)x",
        "(" * 20 + "a?" + ")+" * 20 + "z",
        "(" * 20 + "a?" + ")+?" * 20 + "z",
        r"(a{0,8}){0,8}b",
    ],
)
def test_an_expression_that_hangs_in_re_is_answered(expression: str) -> None:
    """Some of these take `re` years; the machine looks at no place twice in the same state."""
    budget = StepBudget(10 * STEPS)
    assert expression_of(expression).first_group(LONG, budget) is None
    assert budget.left > 0


@pytest.mark.parametrize("expression", [r"((?:(?!.*z)a)*)*b", r"((?>a*)*)*b", r"((?=(?:.*)*a)a)*z"])
def test_an_expression_that_needs_too_much_is_given_up(expression: str) -> None:
    """Never a silent nothing: the error names the expression."""
    with pytest.raises(SlowExpression) as caught:
        expression_of(expression).first_group(LONG, StepBudget(20_000))
    assert expression in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).expression == expression


def test_a_thousand_values_share_one_budget() -> None:
    """A page costs its budget once, and not once for each of its values."""
    budget, slow = StepBudget(10_000), expression_of(r"((?:(?!.*z)a)*)*b")
    with pytest.raises(SlowExpression):
        slow.first_group(LONG, budget)
    for _ in range(1_000):
        with pytest.raises(SlowExpression):
            slow.first_group(LONG, budget)
    assert budget.is_spent


def test_a_page_of_many_records_has_steps_for_all_of_them() -> None:
    """What a learned expression needs is granted for every text, so that long pages are read as short ones."""
    budget = StepBudget()
    text = "Director: Jane Campion, who was born in Wellington, and lives in Sydney" * 3
    for _ in range(500):
        assert expression_of(r"Director:\s*(.+?)\s*$").first_group(text, budget)
    assert budget.left > STEPS / 2


CHARACTERS = st.sampled_from(
    ["a", "b", r"\w", r"\s", r"\d", "[ab]", "[^a]", ".", r"[\W_]", "é", r"\S", "(?i:A)", r"\-"]
)
PLACES = st.sampled_from(["^", "$", r"\b", r"\B", "(?=b)", "(?!b)", "(?<=a)", "(?<!a)", r"\A", r"\Z", ""])
REPEATS = st.sampled_from(["", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}"])
SHORT = st.lists(CHARACTERS, min_size=1, max_size=2).map("".join)
PARTS = st.builds("{}{}{}".format, CHARACTERS, REPEATS, PLACES) | st.builds(
    "(?:{}|{}){}{}".format, SHORT, SHORT, REPEATS, PLACES
)
SEQUENCES = st.lists(PARTS, min_size=1, max_size=3).map("".join)
EXPRESSIONS = st.builds("{}({}){}".format, SEQUENCES | st.just(""), SEQUENCES, SEQUENCES | st.just(""))
TEXTS = st.text("aab 1é\nA-_²\u0301\x1c", max_size=10)


@pytest.mark.slow
@settings(max_examples=400, deadline=None, derandomize=True, database=None)
@given(EXPRESSIONS, TEXTS)
def test_the_machine_captures_what_re_captures(expression: str, text: str) -> None:
    """Words, blanks and marks are those of `re`, and of several matches it takes the same."""
    found = re.search(expression, text, re.DOTALL)
    assert _by_machine(expression, text) == (found[1] if found else None)


LEARNED = [
    ("Director: Jane Campion", "Jane Campion"),
    ("45 MP, full frame", "45"),
    ("Price (incl. tax): $5.50 only", "$5.50"),
    ("by José Saramago (1995)", "José Saramago"),
    ("कीमत: ₹500", "₹500"),
    ("Größe – 12 cm²", "12"),
]


@pytest.mark.parametrize(("text", "value"), LEARNED)
def test_learned_expressions_capture_as_ever(text: str, value: str) -> None:
    """What teaching learns gives the same by the machine as by `re`, on its text and on longer ones."""
    expression = learn_cut([(text, value)])
    assert expression
    for more in (text, f"{text} {text}", text * 40):
        found = re.search(expression, more[:LONGEST_TEXT], re.DOTALL)
        assert _by_machine(expression, more[:LONGEST_TEXT]) == (found[1] if found else None)
        assert apply_cut(expression, more) == (found[1].strip() if found else None)


def test_a_group_that_takes_no_part_captures_nothing() -> None:
    """The expression matches, but there is no value."""
    assert apply_cut(r"(x)?b", "b") is None
    assert apply_cut(r"(x)?b", "b" * 400) is None


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("(", "not a regular expression"),
        ("(a", "not a regular expression"),
        ("a", "no group"),
        ("", "no group"),
        ("(a)" + "b" * 2_000, "longer than 2,000"),
        ("(" * 900 + ")" * 900, "not a regular expression"),
        ("(a{1000}){1000}", "repeats too much"),
        (r"((?:(?:a?){1000}){1000})b", "repeats too much"),
        ("(a{99999999999999999999})", "not a regular expression"),
        (r"(a)\1", "refers back"),
        (r"(a)?(?(1)b|c)", "refers back"),
        ("([[a])", ""),
    ],
)
def test_an_expression_that_cannot_be_used_is_refused(expression: str, told: str) -> None:
    """Before any page is read, with what is wrong with it; Python's own warnings stay inside."""
    if told:
        with pytest.raises(UsageError, match=told):
            expression_of(expression)
    else:
        assert expression_of(expression).pattern.groups


def test_nothing_repeated_for_ever_is_nothing() -> None:
    """Four thousand million times nothing is compiled at once."""
    assert apply_cut(r"(?:){4294967294}(a)", "a") == "a"
