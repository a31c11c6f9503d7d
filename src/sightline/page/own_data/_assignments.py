"""Finding data in a script: literals that it assigns to a name, passes to `JSON.parse`, or pushes into a data layer.

A script is searched, not parsed: what comes after an equals sign is data where the tolerant reader finds nothing but
literals in it.
"""

import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecodeError
from typing import Any
from urllib.parse import unquote

from sightline.page.own_data._documents import leaves
from sightline.page.own_data._json import DECODER, fast_json, without_halves
from sightline.page.own_data._limits import OwnBudget
from sightline.page.own_data._literals import Literal, read_literal, unescaped

# A single letter before the equals sign is the variable of a compressed program.
DATA = re.compile(
    r"(?:=(?<=[\w$\"'][\w$\] ]=)|\.push\()\s*+"
    r"(?:(?P<open>[{\[])(?!\s*+[}\]])|(?P<parse>JSON\.parse\s*+\()|(?P<function>\(function))"
)
NAME = re.compile(r"[A-Za-z_$][\w$]*+(?:\.[\w$]++|\[[\"'][\w$.-]{1,60}[\"']\])*+\s*+\Z")
LONGEST_NAME = 100  # characters before the equals sign
SHORTEST_NAME, SHORTEST_OWNER = 3, 2  # of the last part and the first; shorter ones are those of compressed programs
PARTS = re.compile(r"[.\[]")
LAYER = re.compile(r"data|layer", re.IGNORECASE)
OF_CODE = ("this.", "module.", "exports", "prototype", "defaultProps", "propTypes", "displayName")
BEGINS_JSON = re.compile(r"(?:\{\s*+\"|\[\s*+[{\[\"\d])")
UNDEFINED = re.compile(r"(?<=[:,\[])\s?undefined(?=\s?[,}\]])")
STRING = re.compile(
    r"""\s*+(?P<decoder>decodeURIComponent\(|unescape\(|atob\()?\s*+
    (?P<text>"[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]*+(?:\\.[^'\\]*+)*+')""",
    re.DOTALL | re.VERBOSE,
)
RETURNING = re.compile(r"\(function\s*+\((?P<names>[\w$,\s]*+)\)\s*+\{\s*+return\s*+(?=[{\[])")
CALLED = re.compile(r"\s*+;?\s*+\}\s*+\)?\s*+\(")
NUXT = "__NUXT__"
SCALARS = (str, int, float, bool, type(None))


@dataclass(frozen=True)
class Assignment:
    """What a script calls some data, the data, and where it ends in the script."""

    name: str
    data: Any
    end: int


def assignments(text: str, budget: OwnBudget) -> Iterator[Assignment]:
    """The data in the text of a script.

    >>> text = 'var a = 1; window.shop = {id: 7, "name": "Bees"}; dataLayer.push({page: "home"}); run({b: 2})'
    >>> [(one.name, one.data) for one in assignments(text, OwnBudget())]
    [('window.shop', {'id': 7, 'name': 'Bees'}), ('dataLayer', {'page': 'home'})]
    """
    at = 0
    while found := DATA.search(text, at):
        at = found.end()
        name = _name_before(text, found.start(), is_pushed=text[found.start()] == ".")
        if not name:
            continue
        if not budget.may_try(name):
            return
        assignment = _read(text, found, name, budget)
        if assignment is not None:
            at = max(at, assignment.end)
            if assignment.data:
                yield assignment


def _name_before(text: str, end: int, *, is_pushed: bool) -> str:
    """What is assigned to, or pushed into; empty where it is the variable of a compressed program."""
    if end and text[end - 1] in "=!<>+-*/|&?%^":
        return ""
    found = NAME.search(text, max(0, end - LONGEST_NAME), end)
    if found is None:
        return ""
    name = found.group().strip()
    first, *others = PARTS.split(name)
    last = others[-1].strip("]\"'") if others else first
    if len(first) < SHORTEST_OWNER or len(last) < SHORTEST_NAME or any(word in name for word in OF_CODE):
        return ""
    return "" if is_pushed and not LAYER.search(name) else name


def _read(text: str, found: re.Match[str], name: str, budget: OwnBudget) -> Assignment | None:
    if found["parse"]:
        return _parsed(text, found.end(), name, budget)
    if found["function"]:
        return _returned(text, found.start("function"), name, budget)
    return _literal(text, found.start("open"), name, budget)


def _literal(text: str, start: int, name: str, budget: OwnBudget) -> Assignment | None:
    """The object or array that begins at a place, unless it is code."""
    what = f"The state {name}"
    if BEGINS_JSON.match(text, start):
        read = _json_at(text, start, budget, what)
        if read is not None:
            return Assignment(name, budget.bounded(read[0], what), read[1])
    literal = read_literal(text, start)
    if not literal.is_whole or not literal.value or _is_program(literal):
        budget.has_tried(literal.end - start)
        return None
    if not budget.takes_repair(literal.end - start, what):
        return None
    return Assignment(name, budget.bounded(literal.value, what), literal.end)


def _is_program(literal: Literal) -> bool:
    """Whether most of its values are computed."""
    return literal.unknown > 0 and literal.unknown > sum(1 for _ in leaves(literal.value))


def _json_at(text: str, start: int, budget: OwnBudget, what: str, *, is_mended: bool = False) -> tuple[Any, int] | None:
    """The JSON that begins at a place, and where it ends; all that it has of a program may be `undefined`."""
    try:
        data, end = DECODER.raw_decode(text, start)
    except JSONDecodeError as error:
        if is_mended or not text.startswith("undefined", error.pos):
            return None
        budget.has_tried(0)
        read = _json_at(UNDEFINED.sub(_null, text[start:]), 0, budget, what, is_mended=True)
        return (read[0], start + read[1]) if read else None
    except (RecursionError, ValueError):
        return None
    return (without_halves(data, text[start:end]) if budget.takes_text(end - start, what) else None), end


def _null(undefined: re.Match[str]) -> str:
    """What JSON has for `undefined`, as long as that, so that places stay what they are."""
    return "null".rjust(len(undefined.group()))


def _parsed(text: str, start: int, name: str, budget: OwnBudget) -> Assignment | None:
    """What stands in a string that is parsed as JSON."""
    found = STRING.match(text, start)
    if found is None or not budget.takes_text(2 * len(found.group()), f"The state {name}"):
        budget.has_tried(0)
        return None
    data = fast_json(_decoded(unescaped(found["text"][1:-1]), found["decoder"] or ""))
    return Assignment(name, budget.bounded(data, f"The state {name}"), found.end())


def _decoded(text: str, decoder: str) -> str:
    if decoder.startswith("atob"):
        try:
            return b64decode(text).decode("utf-8", "replace")
        except (NotBase64, ValueError):
            return ""
    return unquote(text) if decoder else text


def _returned(text: str, start: int, name: str, budget: OwnBudget) -> Assignment | None:
    """What a function returns that is called at once: so Nuxt writes values that come again only once."""
    found = RETURNING.match(text, start)
    first = read_literal(text, found.end()) if found else None
    call = CALLED.match(text, first.end) if first and first.is_whole else None
    what = f"The state {name}"
    if found is None or first is None or call is None:
        budget.has_tried(first.end - start if first else 0)
        if NUXT in name:
            budget.tell(f"{what} was left out: it is computed by a program.")
        return None
    if not budget.takes_repair(2 * (first.end - start) + len(text) - call.end(), what):
        return None
    names = [word.strip() for word in found["names"].split(",")]
    values = read_literal("[" + text[call.end() :]).value
    bound = {word: value for word, value in zip(names, values, strict=False) if isinstance(value, SCALARS)}
    return Assignment(name, budget.bounded(read_literal(text, found.end(), names=bound).value, what), first.end)
