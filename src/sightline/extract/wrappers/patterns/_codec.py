"""Patterns as plain JSON that people can read and edit, and back."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sightline.errors import UsageError
from sightline.extract.wrappers.patterns._conditions import Condition
from sightline.extract.wrappers.patterns._expression import FORMS, LONGEST, expression_of
from sightline.extract.wrappers.patterns._pattern import PICKS, Pattern, Rule, rule_in_words
from sightline.extract.wrappers.patterns._view import HEADINGS, key_of
from sightline.page import TEXT

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
    "watched",
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


# Rules as XPath and CSS, if these can express them: for other tools, and for people who read them.

OWN_MARKS = frozenset(("class", "id", "attribute", "has", "starts"))  # that texts cannot have
UNSEEN = ("script", "style", "noscript", "template", "head")  # texts in these are never read
_UNSEEN = " or ".join(f"ancestor-or-self::{tag}" for tag in UNSEEN)
_FRAME = "self::html or self::body"
_CSS_NAME = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)
# Tags and attributes that both languages can name. What else a wrapper says is never written into a selector: it would
# be read as part of the selector, and find something else, or search for ever.
_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_CSS_IDENTIFIER = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)
_NAMED = ("tag", "has", "attribute", "starts")  # tests whose value is or begins with such a name
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # what no XML document, and so no XPath, can hold


def xpath_of(rule: Rule, *, inside: bool = False, take: str = "text") -> str | None:
    """A rule as an XPath 1.0 expression, with `re:test` for kinds of values; None if XPath cannot express it.

    `inside`: relative to a node, like the fields of a record. `take` is the attribute that is extracted, or "text".

    >>> xpath_of(Rule((Condition("self", "tag", "b"), Condition("self", "class", "price")), "first"))
    '(//b[normalize-space()][contains(concat(" ", normalize-space(@class), " "), " price ")])[1]'
    """
    if not rule.conditions and inside:
        return "."
    if not all(map(_is_writable, rule.conditions)) or not _NAME.fullmatch(take):
        return None
    own_tag = next((condition for condition in rule.conditions if _is_tag(condition)), None)
    tag = own_tag.value if own_tag else "*"
    node = _node(rule, tag, take)
    predicates = [_predicate(condition, tag) for condition in rule.conditions if condition is not own_tag]
    if any(predicate is None for predicate in predicates):
        return None
    axis = "descendant-or-self::" if inside else "//"
    path = axis + node + "".join(f"[{predicate}]" for predicate in predicates)
    if rule.pick == "all":
        return path
    return f"({path})[{'1' if rule.pick == 'first' else 'last()'}]"


def _is_writable(condition: Condition) -> bool:
    """Whether what a condition says can stand in a selector."""
    if _UNWRITABLE.search(condition.value):
        return False
    return condition.test not in _NAMED or _is_text(condition) or bool(_NAME.fullmatch(_name_of(condition)))


def _is_text(condition: Condition) -> bool:
    return condition.test == "tag" and condition.value == TEXT


def _name_of(condition: Condition) -> str:
    """The tag or the attribute that a condition names."""
    return condition.value.partition("=")[0] if condition.test in ("attribute", "starts") else condition.value


def _node(rule: Rule, tag: str, take: str) -> str:
    """What a rule selects from: elements with a tag, all elements, or also bare texts beside others."""
    if take != "text":
        return f"{tag}[@{take}]"
    if tag == TEXT:
        return f"text()[normalize-space() and not({_UNSEEN})]"
    if tag != "*" or any(
        condition.way == "self" and condition.test in OWN_MARKS and not condition.negated
        for condition in rule.conditions
    ):
        return f"{tag}[normalize-space()]"
    bare = "self::text()[normalize-space() and count(../node()[normalize-space()]) > 1]"
    return f"node()[self::*[normalize-space() and not({_FRAME})] or {bare}][not({_UNSEEN})]"


def css_of(rule: Rule) -> str | None:
    """A rule as a CSS selector; None if CSS cannot express it.

    >>> css_of(Rule((Condition("inside", "id", "main"), Condition("self", "tag", "li"))))
    '#main li'
    """
    by_way = {
        way: [condition for condition in rule.conditions if condition.way == way]
        for way in ("self", "parent", "inside", "holds")
    }
    is_negated = any(condition.negated for condition in rule.conditions)
    if rule.pick != "all" or by_way["holds"] or len(by_way["inside"]) > 1 or is_negated:
        return None
    parts = {way: _compound(conditions) for way, conditions in by_way.items() if conditions}
    tags = [condition.value for condition in by_way["self"] if condition.test == "tag"]
    if any(part is None for part in parts.values()) or TEXT in tags or not all(map(_is_named_in_css, rule.conditions)):
        return None
    around = f"{parts['inside']} " if "inside" in parts else ""
    parent = f"{parts['parent']} > " if "parent" in parts else ""
    return f"{around}{parent}{parts.get('self', '*')}"


def _is_named_in_css(condition: Condition) -> bool:
    return condition.test not in _NAMED or bool(_CSS_IDENTIFIER.fullmatch(_name_of(condition)))


def _compound(conditions: list[Condition]) -> str | None:
    tag, rest = "", ""
    for condition in conditions:
        if condition.test == "tag":
            tag = condition.value
        elif condition.test == "class" and _CSS_NAME.fullmatch(condition.value):
            rest += f".{condition.value}"
        elif condition.test == "id" and _CSS_NAME.fullmatch(condition.value):
            rest += f"#{condition.value}"
        elif condition.test == "attribute":
            name, _, value = condition.value.partition("=")
            rest += f"[{name}={_css_quoted(value)}]"
        elif condition.test == "starts":
            name, _, value = condition.value.partition("=")
            rest += f"[{name}^={_css_quoted(value)}]"
        elif condition.test == "has":
            rest += f"[{condition.value}]"
        elif condition.test == "place":
            rest += f":nth-of-type({condition.value})"
        elif condition.test == "last":
            rest += ":last-of-type"
        else:
            return None
    return tag + rest


def _css_quoted(text: str) -> str:
    return (
        '"' + _CONTROL.sub(lambda found: f"\\{ord(found[0]):x} ", text.replace("\\", "\\\\").replace('"', '\\"')) + '"'
    )


# ---------------------------------------------------------------- XPath


def _is_tag(condition: Condition) -> bool:
    return (condition.way, condition.test, condition.negated) == ("self", "tag", False)


def _predicate(condition: Condition, tag: str) -> str | None:
    predicate = _WAYS[condition.way](condition, tag)
    return f"not({predicate})" if predicate and condition.negated else predicate


def _self(condition: Condition, tag: str) -> str | None:
    made = _TESTS.get(condition.test)
    return made(condition.value, tag) if made else None


def _on_axis(axis: str) -> Callable[[Condition, str], str | None]:
    def predicate(condition: Condition, _: str) -> str | None:
        if condition.test == "tag":
            kind = "text()" if condition.value == TEXT else condition.value
            return f"{axis}::{kind}"
        inner = _self(condition, "*")
        return f"{axis}::*[{inner}]" if inner else None

    return predicate


_WAYS: dict[str, Callable[[Condition, str], str | None]] = {
    "self": _self,
    "parent": _on_axis("parent"),
    "inside": _on_axis("ancestor"),
    "holds": _on_axis("descendant"),
}


def quoted(text: str) -> str:
    """A text as a literal of XPath, which has no escapes.

    >>> print(quoted('say "hi"'), quoted("it's"))
    'say "hi"' "it's"
    """
    if '"' not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    parts = ", '\"', ".join(f'"{part}"' for part in text.split('"'))
    return f"concat({parts})"


def _key(text: str) -> str:
    """The text of a node in lower case and without white space, as far as comparing it with another text needs."""
    upper = "".join(sorted({letter.upper() for letter in text if len(letter.upper()) == 1} - set(text.lower())))
    return f"translate(., {quoted(upper + ' ' + chr(9) + chr(10) + chr(13) + chr(160))}, {quoted(upper.lower())})"


def _says(label: str) -> str:
    """That a text is a label, whatever its case and with or without a colon."""
    upper = "".join(sorted({letter.upper() for letter in label if len(letter.upper()) == 1} - set(label)))
    lower = upper.lower()
    text = f"translate(., {quoted(upper + ':：*')}, {quoted(lower)})"
    return f"normalize-space({text}) = {quoted(label)}"


def _readable_texts(axis: str) -> str:
    return f"{axis}::text()[normalize-space() and not({_UNSEEN})]"


def _place(value: str, tag: str) -> str | None:
    if tag == "*":
        return None
    kind = "text()" if tag == TEXT else tag
    return f"count(preceding-sibling::{kind}) = {int(value) - 1}"


def _last(_: str, tag: str) -> str | None:
    return f"not(following-sibling::{'text()' if tag == TEXT else tag})" if tag != "*" else None


def _named(value: str, _: str) -> str:
    name, _, wanted = value.partition("=")
    return f"@{name}={quoted(wanted)}"


def _starts(value: str, _: str) -> str:
    name, _, wanted = value.partition("=")
    return f"starts-with(@{name}, {quoted(wanted)})"


def _beside(value: str, _: str) -> str:
    first = f"{_readable_texts('descendant')}[1][{_says(value)}] and count({_readable_texts('descendant')}) > 1"
    lowest = f"not(*[not(preceding-sibling::node()[normalize-space()])][count({_readable_texts('descendant')}) > 1])"
    return (
        f"ancestor::*[{first}][{lowest}][1] and not(descendant-or-self::text()[normalize-space()][1][{_says(value)}])"
    )


def _following(value: str, _: str) -> str:
    beside = "preceding-sibling::node()[normalize-space()]"
    return f"ancestor-or-self::node()[{beside}][{_readable_texts('preceding')}[1][{_says(value)}]]"


def _under(value: str, _: str) -> str:
    headings = " or ".join(f"self::{tag}" for tag in HEADINGS)
    return f"preceding::*[{headings}][1][{_says(value)}]"


def _column(value: str, _: str) -> str:
    head = f"ancestor::table[1]//tr[1]/th[{_says(value)}]"
    wide = "preceding-sibling::*[@colspan]"  # each of which stands for as many cells as it spans
    own = f"count(preceding-sibling::*) + sum({wide}/@colspan) - count({wide})"
    above = f"count({head}/preceding-sibling::*) + sum({head}/{wide}/@colspan) - count({head}/{wide})"
    return f"ancestor-or-self::td[{head} and {own} = {above}]"


def _kind(value: str, _: str) -> str | None:
    if value not in FORMS:
        return None
    form = quoted(f"^(?:{FORMS[value]})$")
    return f"string-length(normalize-space(.)) <= {LONGEST} and re:test(normalize-space(.), {form}, 'i')"


def _published(value: str, _: str) -> str | None:
    """XPath can query meta elements, but not JSON-LD."""
    if value == "title":
        return "contains(normalize-space(//title), normalize-space(.))"
    return f"normalize-space(.) = normalize-space(//meta[@property={quoted(value)}]/@content)" if ":" in value else None


_TESTS: dict[str, Callable[[str, str], str | None]] = {
    "tag": lambda value, _: "self::text()" if value == TEXT else f"self::{value}",
    "class": lambda value, _: f'contains(concat(" ", normalize-space(@class), " "), {quoted(f" {value} ")})',
    "id": lambda value, _: f"@id={quoted(value)}",
    "attribute": _named,
    "has": lambda value, _: f"@{value}",
    "starts": _starts,
    "place": _place,
    "last": _last,
    "after": lambda value, _: f"{_readable_texts('preceding')}[1][{_says(value)}]",
    "beside": _beside,
    "following": _following,
    "under": _under,
    "column": _column,
    "kind": _kind,
    "text": lambda value, _: f"{_key(value)} = {quoted(key_of(value))}",
    "begins": lambda value, _: f"starts-with({_key(value)}, {quoted(key_of(value))})",
    "said": _published,
}
