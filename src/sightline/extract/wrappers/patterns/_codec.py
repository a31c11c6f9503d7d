"""Patterns as plain JSON that people can read and edit, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

from sightline.errors import UsageError
from sightline.extract.wrappers.patterns._conditions import Condition
from sightline.extract.wrappers.patterns._expression import expression_of
from sightline.extract.wrappers.patterns._in_words import rule_in_words
from sightline.extract.wrappers.patterns._pattern import PICKS, Pattern, Rule
from sightline.extract.wrappers.patterns._selectors import css_of, xpath_of

__all__ = [
    "check_distinct",
    "condition_to_json",
    "pattern_from_json",
    "pattern_to_json",
    "rule_from_json",
    "rule_to_json",
]

# Nested records; nobody teaches more than a few, and exported code with many more of them cannot be compiled.
DEEPEST = 20
FLAGS = (
    "many",
    "optional",
    "joined",
    "lined",
    "whole",
    "flat",
    "dropped",
    "unsure",
    "lone",
    "partial",
    "loose",
    "unlearned",
    "needs_all",
)


def pattern_to_json(pattern: Pattern, *, inside: bool = False) -> dict[str, Any]:
    """A pattern as JSON, leaving out defaults. `in words`, `xpath` and `css` are only for reading.

    `inside`: it is a field of records, and looks inside each of them.

    >>> rule = Rule((Condition("self", "class", "price"),))
    >>> document = pattern_to_json(Pattern("price", (rule,)))
    >>> document["rules"][0]["css"], pattern_from_json(document) == Pattern("price", (rule,))
    ('.price', True)
    """
    document: dict[str, Any] = {"name": pattern.name}
    document |= {flag.replace("_", " "): True for flag in FLAGS if getattr(pattern, flag)}
    if pattern.take != "text":
        document["take"] = pattern.take
    if pattern.cut:
        document["cut"] = pattern.cut
    if pattern.split:
        document["split"] = list(pattern.split)
    if pattern.pages:
        document["pages"] = pattern.pages
    document["rules"] = [_rule_to_json(rule, pattern, inside=inside) for rule in pattern.rules]
    if pattern.fields:
        document["fields"] = [pattern_to_json(field, inside=True) for field in pattern.fields]
    return document


def _rule_to_json(rule: Rule, pattern: Pattern, *, inside: bool) -> dict[str, Any]:
    document: dict[str, Any] = {"in words": rule_in_words(rule, many=pattern.many)}
    if rule.pick != "all":
        document["pick"] = rule.pick
    document["if"] = [condition_to_json(condition) for condition in rule.conditions]
    selectors = {
        "xpath": xpath_of(rule, inside=inside, take=pattern.take),
        "css": css_of(rule) if rule.conditions else None,
    }
    return document | {name: text for name, text in selectors.items() if text}


def rule_to_json(rule: Rule) -> dict[str, Any]:
    """A rule as JSON: its conditions, and which of their matches it picks."""
    return {"pick": rule.pick, "if": list(map(condition_to_json, rule.conditions))}


def condition_to_json(condition: Condition) -> dict[str, Any]:
    """A condition as JSON."""
    document: dict[str, Any] = {"way": condition.way, "test": condition.test, "value": condition.value}
    return document | ({"not": True} if condition.negated else {})


def pattern_from_json(document: Mapping[str, Any], depth: int = 1) -> Pattern:
    """The inverse of `pattern_to_json`."""
    if depth > DEEPEST:
        raise UsageError(f"Its records are nested more than {DEEPEST} deep; leave out the innermost.")
    flags = {flag: bool(document.get(flag.replace("_", " "), False)) for flag in FLAGS}
    pattern = Pattern(
        str(document["name"]),
        tuple(rule_from_json(rule) for rule in document["rules"]),
        take=str(document.get("take", "text")),
        cut=document.get("cut"),
        split=tuple(map(str, document.get("split", ()))),
        fields=tuple(pattern_from_json(field, depth + 1) for field in document.get("fields", ())),
        pages=int(document.get("pages", 0)),
        **flags,
    )
    if not pattern.rules and not pattern.unlearned:
        raise UsageError(f"The pattern “{pattern.name}” has no rule; give it one, or remove it.")
    if not pattern.name.strip() or "." in pattern.name:
        raise UsageError(f"A pattern cannot be named {pattern.name!r}; give it a name without dots.")
    if pattern.cut is not None:
        _check_cut(pattern)
    check_distinct(pattern.fields)
    return pattern


def check_distinct(patterns: Sequence[Pattern]) -> None:
    """Refuse two patterns with one name, of which one would hide the other."""
    names = [pattern.name for pattern in patterns]
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise UsageError(f"it has two patterns named {double!r:.60}")


def _check_cut(pattern: Pattern) -> None:
    try:
        expression_of(pattern.cut or "")
    except UsageError as problem:
        raise UsageError(f"The cut {pattern.cut!r:.60} of “{pattern.name:.60}” cannot be used: {problem}.") from problem


def rule_from_json(document: Mapping[str, Any]) -> Rule:
    """The inverse of `rule_to_json`, for a document that has been checked against its form."""
    pick = document.get("pick", "all")
    if pick not in PICKS:
        raise UsageError(f"A rule picks one of {', '.join(PICKS)} of its matches, not {pick!r}.")
    return Rule(tuple(_condition_from_json(condition) for condition in document["if"]), pick)


def _condition_from_json(document: Mapping[str, Any]) -> Condition:
    return Condition(
        str(document["way"]), str(document["test"]), str(document.get("value", "")), bool(document.get("not", False))
    )
