"""JSON as it stands in pages: read by the fastest reader that can, and mended where none of them can."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import orjson

from sightline.page.own_data._limits import CONTAINERS, OwnBudget
from sightline.page.own_data._literals import SKIPPED, number_of, read_literal, without_surrogates

HALF_CHARACTERS = re.compile(r"\\u[dD][89a-fA-F]")
START = re.compile(r"[{\[]")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});")
# Of the standard library, for raw line ends in strings, which the fast reader refuses. Infinite numbers are no JSON.
DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None, parse_float=number_of, parse_int=number_of)


def read_json(text: str, budget: OwnBudget, what: str, *, mended: bool = True) -> Any:
    """What a text of JSON says; None where it says nothing, with a gap where more was expected.

    >>> budget = OwnBudget()
    >>> read_json('{"a": 1, /* two */ "b": "x",}', budget, "JSON-LD"), budget.gaps
    ({'a': 1, 'b': 'x'}, ())
    >>> read_json('{"a": [1', budget, "JSON-LD"), budget.gaps
    ({'a': [1]}, ('JSON-LD is broken; what stands before the break was read.',))
    """
    if not budget.takes_text(len(text), what):
        return None
    data = fast_json(text)
    if data is None and mended:
        data = _mended(text, budget, what)
    return None if data is None else budget.bounded(data, what)


def fast_json(text: str) -> Any:
    """What valid JSON says, apart from line ends in strings; None for any other text."""
    text = text.strip(" \t\r\n;\ufeff")
    if not text:
        return None
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    try:
        data = DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return without_halves(data, text)


def without_halves(data: Any, text: str) -> Any:
    """Data without halves of characters, which no encoding can write, if the text that it was read from has any."""
    return mapped(data, without_surrogates) if HALF_CHARACTERS.search(text) else data


def plain(data: Any) -> Any:
    """Data whose texts were written as HTML, as many pages do: `Tom &amp; Jerry`.

    >>> plain({"name": "Tom &amp; Jerry", "url": "?a=1&copy=2"})
    {'name': 'Tom & Jerry', 'url': '?a=1&copy=2'}
    """
    return mapped(data, lambda text: ENTITY.sub(_character, text) if "&" in text else text)


def _character(entity: re.Match[str]) -> str:
    return without_surrogates(unescape(entity.group()))


def mapped(data: Any, change: Callable[[str], str]) -> Any:
    """Data with every text in it changed, keys apart; data itself is changed where it is no text."""
    if isinstance(data, str):
        return change(data)
    waiting = [data]
    while waiting:
        holder = waiting.pop()
        if not isinstance(holder, CONTAINERS):
            continue
        for key, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
            if isinstance(value, str):
                holder[key] = change(value)  # no key is added, so this may be done on the way
            elif isinstance(value, CONTAINERS):
                waiting.append(value)
    return data


def _mended(text: str, budget: OwnBudget, what: str) -> Any:
    """What a text says that is not JSON; several values one after another are a list."""
    if not budget.takes_repair(len(text), what):
        return None
    if '"' not in text and "&quot;" in text:
        text = unescape(text)
    found, at = [], _start(text, 0)
    while at >= 0:
        literal = read_literal(text, at)
        if literal.value:
            found.append(literal.value)
        if not literal.is_whole:
            budget.tell(f"{what} is broken; what stands before the break was read.")
            break
        at = _start(text, literal.end)
    return found[0] if len(found) == 1 else found or None


def _start(text: str, start: int) -> int:
    """Where the next object or array begins; -1 where there is none."""
    skipped = SKIPPED.match(text, start)
    found = START.search(text, skipped.end() if skipped else start)
    return found.start() if found else -1
