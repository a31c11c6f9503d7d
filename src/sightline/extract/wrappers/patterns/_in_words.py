"""Patterns in words: printed for people, who check rules by them."""

from collections.abc import Iterator, Sequence

from sightline.extract.wrappers._found import Judged
from sightline.extract.wrappers.patterns._conditions import Condition, mask_of
from sightline.extract.wrappers.patterns._pattern import Pattern, Rule, SearchSpan, found_by, items_of, search_span_in
from sightline.extract.wrappers.patterns._view import HEADINGS, View
from sightline.page import TEXT

__all__ = ["condition_in_words", "judge_node", "lines_in_words", "pattern_in_words", "rule_in_words"]

_SELF = {
    "class": "of class “{}”",
    "id": "with the id “{}”",
    "has": "with an attribute {}",
    "place": "that is the {} of its kind there",
    "last": "that is the last of its kind there",
    "after": "right after “{}”",
    "beside": "in the block that begins with “{}”",
    "following": "in the block after “{}”",
    "under": "under the heading “{}”",
    "column": "in the column “{}”",
    "text": "that says “{}”",
    "begins": "that begins with “{}”",
    "said": "that the page's own data calls {}",
    "look": "that looks like {}",
    "larger": "that is larger or bolder than what is beside it",
    "right of": "to the right of “{}”",
    "below": "below “{}”",
    "in row of": "on the same line as “{}”",
    "in column of": "in the column below “{}”",
}
_KINDS = {
    "money": "money",
    "date": "a date",
    "number": "a number",
    "phone": "a phone number",
    "email": "an e-mail address",
}
_WAYS = {"parent": "directly in {}", "inside": "inside {}", "holds": "that holds {}"}
_PICKS = {"all": "every", "first": "the first", "last": "the last"}


def condition_in_words(condition: Condition) -> str:
    """One condition in words.

    >>> condition_in_words(Condition("inside", "class", "product"))
    'inside an element of class “product”'
    """
    words = _positive_in_words(condition)
    return f"not {words}" if condition.negated else words


def _positive_in_words(condition: Condition) -> str:
    if condition.test == "tag" and condition.way == "self":
        return f"that is {_tag(condition.value)}"
    if condition.way != "self":
        return _WAYS[condition.way].format(_element(condition))
    return _of_node(condition)


def _of_node(condition: Condition) -> str:
    value = condition.value
    if condition.test == "kind":
        return f"that is {_KINDS.get(value, value)}"
    if condition.test in ("attribute", "starts"):
        name, _, wanted = value.partition("=")
        return f"with {name} “{wanted}”" if condition.test == "attribute" else f"whose {name} begins with “{wanted}”"
    return _SELF[condition.test].format(_ordinal(value) if condition.test == "place" else value)


def _element(condition: Condition) -> str:
    if condition.test == "tag":
        return _tag(condition.value)
    if condition.test == "place":
        return f"an element that is the {_ordinal(condition.value)} of its kind"
    return f"an element {_of_node(Condition('self', condition.test, condition.value))}"


def _tag(tag: str) -> str:
    if tag == TEXT:
        return "a bare text"
    spoken = tag.startswith(tuple("aeio")) or tag in HEADINGS  # an h1 is an "aitch one"
    return f"{'an' if spoken else 'a'} `{tag}`"


def _ordinal(number: str) -> str:
    ending = "th" if number[-2:] in ("11", "12", "13") else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1:], "th")
    return f"{number}{ending}"


def rule_in_words(rule: Rule, *, many: bool) -> str:
    """A rule in words.

    >>> price = Rule((Condition("self", "tag", "b"), Condition("self", "after", "price")))
    >>> rule_in_words(price, many=False)
    'the `b` right after “price”'
    """
    if not rule.conditions:
        return "the whole of it"
    is_tag = ("self", "tag", False)
    tag = next((test.value for test in rule.conditions if (test.way, test.test, test.negated) == is_tag), "")
    noun = {"": "element", TEXT: "text"}.get(tag, f"`{tag}`")
    rest = [test for test in rule.conditions if (test.way, test.test, test.value) != ("self", "tag", tag)]
    which = _PICKS[rule.pick] if many or rule.pick != "all" else "the"
    return " ".join([which, noun, *_listed(rest)])


def _listed(conditions: Sequence[Condition]) -> list[str]:
    words = [condition_in_words(condition) for condition in conditions]
    return [", ".join(words[:-1]) + " and " + words[-1]] if len(words) > 1 else words


def pattern_in_words(pattern: Pattern) -> str:
    r"""A pattern in words, with its alternatives.

    >>> print(pattern_in_words(Pattern("price", (Rule((Condition("self", "class", "price"),)),), cut=r"(\d+)")))
    price: the element of class “price”, of which (\d+) is taken
    """
    if not pattern.rules:
        return f"{pattern.name}: no rule finds it"
    rules = [rule_in_words(rule, many=pattern.many) for rule in pattern.rules]
    alternatives = (" or " if pattern.needs_all else "; failing that, ").join(rules)
    parts = [alternatives]
    if pattern.take != "text":
        parts.append(f"of which the attribute {pattern.take} is taken")
    if pattern.cut:
        parts.append(f"of which {pattern.cut} is taken")
    if pattern.split:
        parts.append(f"separated by {' or '.join(f'“{mark}”' for mark in pattern.split)}")
    if pattern.joined:
        parts.append("and what a comma joins to it")
    if pattern.flat:
        parts.append("each up to the next")
    if pattern.optional:
        parts.append("if there is one")
    return f"{pattern.name}: {', '.join(parts)}"


def lines_in_words(patterns: Sequence[Pattern], indent: str = "") -> Iterator[str]:
    """A line for each pattern, followed by the fields of its records; patterns seen on one page only are marked."""
    for pattern in patterns:
        if not pattern.dropped:
            once = "  (seen on one page only)" if pattern.pages == 1 and not indent else ""
            yield f"{indent}{pattern_in_words(pattern)}{once}"
            yield from lines_in_words(pattern.fields, indent + "  ")


# Why a node is matched, or not: every condition of every rule, and whether it holds there.


def judge_node(view: View, patterns: Sequence[Pattern], node: int) -> list[Judged]:
    """What every rule says about a node."""
    whole = SearchSpan(0, len(view.page))
    found = []
    for pattern in patterns:
        if pattern.dropped:
            continue
        found += _all_rules(view, pattern, pattern.name, node, [whole])
    return found


def _all_rules(view: View, pattern: Pattern, name: str, node: int, spans: Sequence[SearchSpan]) -> list[Judged]:
    """What the rules of a pattern, and of its fields, say about a node."""
    found = _rules(view, pattern, name, node, spans)
    items = [item for span in spans for item in items_of(view, pattern, span)[0]] if pattern.fields else []
    around = [item for item in items if item.start <= node < item.stop]
    for field in pattern.fields:
        found += _all_rules(view, field, f"{name}.{field.name}", node, [search_span_in(field, item) for item in around])
    return found


def _rules(view: View, pattern: Pattern, name: str, node: int, spans: Sequence[SearchSpan]) -> list[Judged]:
    same = set(view.nodes_of(int(view.first[node]), int(view.last[node]))) | {node}
    matched = {int(match) for span in spans for match in found_by(view, pattern, span)[0]}
    judgements = []
    for rule in pattern.rules:
        best = max(same, key=lambda other: sum(bool(mask_of(view, test)[other]) for test in rule.conditions))
        holds = [condition for condition in rule.conditions if mask_of(view, condition)[best]]
        fails = [condition_in_words(condition) for condition in rule.conditions if condition not in holds]
        if not fails and not matched & same:
            fails = ["in a record"] if not spans else [f"{rule.pick} of its matches"]
        words = rule_in_words(rule, many=pattern.many)
        judgements.append(
            Judged(name, words, bool(matched & same), tuple(map(condition_in_words, holds)), tuple(fails))
        )
    return judgements
