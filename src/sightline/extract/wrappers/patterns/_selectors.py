"""Rules as XPath and CSS, where these can say the same: for other tools, and for people who read them."""

import re
from collections.abc import Callable

from sightline.extract.wrappers.patterns._conditions import Condition
from sightline.extract.wrappers.patterns._pattern import Rule
from sightline.extract.wrappers.patterns._value_forms import FORMS, LONGEST
from sightline.extract.wrappers.patterns._view import HEADINGS, key_of
from sightline.page import TEXT

__all__ = ["css_of", "xpath_of"]

OWN_MARKS = frozenset(("class", "id", "attribute", "has", "starts"))  # that texts cannot have
UNSEEN = ("script", "style", "noscript", "template", "head")  # texts in these are never read
_UNSEEN = " or ".join(f"ancestor-or-self::{tag}" for tag in UNSEEN)
_FRAME = "self::html or self::body"
_CSS_NAME = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)


def xpath_of(rule: Rule, *, inside: bool = False, take: str = "text") -> str | None:
    """A rule as an XPath 1.0 expression, with `re:test` for kinds of values; None where it says more than XPath can.

    `inside`: relative to a node, as the fields of a record are. `take` is the attribute that is taken, or "text".

    >>> xpath_of(Rule((Condition("self", "tag", "b"), Condition("self", "class", "price")), "first"))
    '(//b[normalize-space()][contains(concat(" ", normalize-space(@class), " "), " price ")])[1]'
    """
    if not rule.conditions and inside:
        return "."
    own_tag = next((own for own in rule.conditions if _is_tag(own)), None)
    tag = own_tag.value if own_tag else "*"
    node = _node(rule, tag, take)
    told = [_predicate(own, tag) for own in rule.conditions if own is not own_tag]
    if any(own is None for own in told):
        return None
    axis = "descendant-or-self::" if inside else "//"
    path = axis + node + "".join(f"[{own}]" for own in told)
    if rule.pick == "all":
        return path
    return f"({path})[{'1' if rule.pick == 'first' else 'last()'}]"


def _node(rule: Rule, tag: str, take: str) -> str:
    """What a rule selects from: elements of a tag, all elements, or bare texts beside others as well."""
    if take != "text":
        return f"{tag}[@{take}]"
    if tag == TEXT:
        return f"text()[normalize-space() and not({_UNSEEN})]"
    if tag != "*" or any(own.way == "self" and own.test in OWN_MARKS and not own.negated for own in rule.conditions):
        return f"{tag}[normalize-space()]"
    bare = "self::text()[normalize-space() and count(../node()[normalize-space()]) > 1]"
    return f"node()[self::*[normalize-space() and not({_FRAME})] or {bare}][not({_UNSEEN})]"


def css_of(rule: Rule) -> str | None:
    """A rule as a CSS selector; None where CSS cannot say it.

    >>> css_of(Rule((Condition("inside", "id", "main"), Condition("self", "tag", "li"))))
    '#main li'
    """
    own = {way: [one for one in rule.conditions if one.way == way] for way in ("self", "parent", "inside", "holds")}
    if rule.pick != "all" or own["holds"] or len(own["inside"]) > 1 or any(one.negated for one in rule.conditions):
        return None
    parts = {way: _compound(conditions) for way, conditions in own.items() if conditions}
    if any(part is None for part in parts.values()) or TEXT in [one.value for one in own["self"] if one.test == "tag"]:
        return None
    around = f"{parts['inside']} " if "inside" in parts else ""
    parent = f"{parts['parent']} > " if "parent" in parts else ""
    return f"{around}{parent}{parts.get('self', '*')}"


def _compound(conditions: list[Condition]) -> str | None:
    tag, rest = "", ""
    for one in conditions:
        if one.test == "tag":
            tag = one.value
        elif one.test == "class" and _CSS_NAME.fullmatch(one.value):
            rest += f".{one.value}"
        elif one.test == "id" and _CSS_NAME.fullmatch(one.value):
            rest += f"#{one.value}"
        elif one.test == "attribute":
            name, _, value = one.value.partition("=")
            rest += f"[{name}={_css_quoted(value)}]"
        elif one.test == "starts":
            name, _, value = one.value.partition("=")
            rest += f"[{name}^={_css_quoted(value)}]"
        elif one.test == "has":
            rest += f"[{one.value}]"
        elif one.test == "place":
            rest += f":nth-of-type({one.value})"
        elif one.test == "last":
            rest += ":last-of-type"
        else:
            return None
    return tag + rest


def _css_quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# ---------------------------------------------------------------- XPath


def _is_tag(condition: Condition) -> bool:
    return (condition.way, condition.test, condition.negated) == ("self", "tag", False)


def _predicate(condition: Condition, tag: str) -> str | None:
    told = _WAYS[condition.way](condition, tag)
    return f"not({told})" if told and condition.negated else told


def _self(condition: Condition, tag: str) -> str | None:
    made = _TESTS.get(condition.test)
    return made(condition.value, tag) if made else None


def _led(axis: str) -> Callable[[Condition, str], str | None]:
    def predicate(condition: Condition, _: str) -> str | None:
        if condition.test == "tag":
            kind = "text()" if condition.value == TEXT else condition.value
            return f"{axis}::{kind}"
        told = _self(condition, "*")
        return f"{axis}::*[{told}]" if told else None

    return predicate


_WAYS: dict[str, Callable[[Condition, str], str | None]] = {
    "self": _self,
    "parent": _led("parent"),
    "inside": _led("ancestor"),
    "holds": _led("descendant"),
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
    """A text of the page in small letters and without blanks, as far as another text needs it."""
    upper = "".join(sorted({letter.upper() for letter in text if len(letter.upper()) == 1} - set(text.lower())))
    return f"translate(., {quoted(upper + ' ' + chr(9) + chr(10) + chr(13) + chr(160))}, {quoted(upper.lower())})"


def _says(label: str) -> str:
    """That a text is a label, whatever its case and with or without a colon."""
    upper = "".join(sorted({letter.upper() for letter in label if len(letter.upper()) == 1} - set(label)))
    lower = upper.lower()
    text = f"translate(., {quoted(upper + ':：*')}, {quoted(lower)})"
    return f"normalize-space({text}) = {quoted(label)}"


def _read(axis: str) -> str:
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


def _starting(value: str, _: str) -> str:
    name, _, wanted = value.partition("=")
    return f"starts-with(@{name}, {quoted(wanted)})"


def _beside(value: str, _: str) -> str:
    first = f"{_read('descendant')}[1][{_says(value)}] and count({_read('descendant')}) > 1"
    lowest = f"not(*[not(preceding-sibling::node()[normalize-space()])][count({_read('descendant')}) > 1])"
    return (
        f"ancestor::*[{first}][{lowest}][1] and not(descendant-or-self::text()[normalize-space()][1][{_says(value)}])"
    )


def _following(value: str, _: str) -> str:
    beside = "preceding-sibling::node()[normalize-space()]"
    return f"ancestor-or-self::node()[{beside}][{_read('preceding')}[1][{_says(value)}]]"


def _under(value: str, _: str) -> str:
    headings = " or ".join(f"self::{tag}" for tag in HEADINGS)
    return f"preceding::*[{headings}][1][{_says(value)}]"


def _column(value: str, _: str) -> str:
    head = f"ancestor::table[1]//tr[1]/th[{_says(value)}]"
    return f"ancestor-or-self::td[{head} and count(preceding-sibling::*) = count({head}/preceding-sibling::*)]"


def _kind(value: str, _: str) -> str | None:
    if value not in FORMS:
        return None
    form = quoted(f"^(?:{FORMS[value]})$")
    return f"string-length(normalize-space(.)) <= {LONGEST} and re:test(normalize-space(.), {form}, 'i')"


def _said(value: str, _: str) -> str | None:
    """Meta elements can be asked for in XPath, JSON-LD cannot."""
    if value == "title":
        return "contains(normalize-space(//title), normalize-space(.))"
    return f"normalize-space(.) = normalize-space(//meta[@property={quoted(value)}]/@content)" if ":" in value else None


_TESTS: dict[str, Callable[[str, str], str | None]] = {
    "tag": lambda value, _: "self::text()" if value == TEXT else f"self::{value}",
    "class": lambda value, _: f'contains(concat(" ", normalize-space(@class), " "), {quoted(f" {value} ")})',
    "id": lambda value, _: f"@id={quoted(value)}",
    "attribute": _named,
    "has": lambda value, _: f"@{value}",
    "starts": _starting,
    "place": _place,
    "last": _last,
    "after": lambda value, _: f"{_read('preceding')}[1][{_says(value)}]",
    "beside": _beside,
    "following": _following,
    "under": _under,
    "column": _column,
    "kind": _kind,
    "text": lambda value, _: f"{_key(value)} = {quoted(key_of(value))}",
    "begins": lambda value, _: f"starts-with({_key(value)}, {quoted(key_of(value))})",
    "said": _said,
}
