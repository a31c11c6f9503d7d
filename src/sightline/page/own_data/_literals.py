"""A reader of JSON as pages write it, and of object literals of JavaScript: nothing is executed, and nothing raises.

It reads what a browser would: unquoted keys, single quotes, comments, trailing commas, `undefined`, `!0`. What is not a
literal, such as a call, becomes `None` and is counted, so callers can tell data from code. Mistakes that pages make are
mended: quotes within strings, brackets that are missing, and ends that are.

Every token is looked at once and nothing is nested in Python's own stack, so time is linear in the text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeAlias

Container: TypeAlias = dict[str, Any] | list[Any]

SKIPPED = re.compile(r"(?:[\s\ufeff;]++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/|<!--|-->|<!\[CDATA\[|\]\]>)++")
TOKEN = re.compile(
    r"""
    (?P<mark>[{}\[\]:,])
    | (?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]*+(?:\\.[^'\\]*+)*+'|`[^`\\]*+(?:\\.[^`\\]*+)*+`)
    | (?P<number>[-+]?(?:0[xX][\da-fA-F]++|(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?+)(?![\w$]))
    | (?P<truth>![01](?!\w))
    | (?P<word>[^\W\d][\w$]*+|\$[\w$]*+)
    """,
    re.VERBOSE | re.DOTALL,
)
WORDS: Mapping[str, Any] = {
    "true": True,
    "false": False,
    "null": None,
    "undefined": None,
    "NaN": None,
    "Infinity": None,
}
TRUTHS = {"!0": True, "!1": False}
AFTER_STRING = re.compile(r"[\s\ufeff]*+(?:[,:}\];]|//|/\*|\)|<|\Z)")
CONTINUED = re.compile(r"[\s\ufeff]*+[+.]")  # the text is a part of an expression
NEXT_QUOTE = {quote: re.compile(rf"[^{quote}\\]*+(?:\\.[^{quote}\\]*+)*+{quote}", re.DOTALL) for quote in "\"'`"}
ESCAPE = re.compile(r"\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|.))", re.DOTALL)
ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": "", "\r": ""}
SURROGATES = re.compile("[\ud800-\udfff]")
LAST_CHARACTER = 0x10FFFF
EXACT = 18  # characters of a whole number that fits into 64 bits, as numbers in JSON should
CLOSED_BY = {"}": dict, "]": list}
LONGEST_EXPRESSION = 4_000  # characters; what is longer is a program, not a value

# What may stand within an expression that is no literal.
PIECE = re.compile(
    r"""(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]*+(?:\\.[^'\\]*+)*+'|`[^`\\]*+(?:\\.[^`\\]*+)*+`|[^"'`{}\[\](),]++)""",
    re.DOTALL,
)


@dataclass(frozen=True)
class Literal:
    """What was read: the value, where it ends, whether it did, and how many of its values are no literals.

    >>> read_literal("{a: 'b', c: undefined, d: now(),} and more")
    Literal(value={'a': 'b', 'c': None, 'd': None}, end=33, is_whole=True, unknown=1)
    """

    value: Any
    end: int
    is_whole: bool = True
    unknown: int = 0


def read_literal(text: str, start: int = 0, *, names: Mapping[str, Any] | None = None) -> Literal:
    """The value that begins at a place in a text; `names` are the values of variables.

    >>> read_literal('{"a": "say "hi"", "b": [1, 2').value
    {'a': 'say "hi"', 'b': [1, 2]}
    """
    return _Reader(text, start, names or {}).read()


def unescaped(text: str) -> str:
    r"""The text that a string literal means, without its quotes.

    >>> unescaped(r"caf\u00e9 \x41\'s")
    "café A's"
    """
    if "\\" not in text:
        return text
    plain = ESCAPE.sub(_meant, text)
    return without_surrogates(plain) if SURROGATES.search(plain) else plain


def without_surrogates(text: str) -> str:
    r"""Pairs of surrogates as the character that they mean; a single one means nothing.

    >>> without_surrogates("\ud83d\udc1d \ud83d")
    '🐝 \ufffd'
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _meant(found: re.Match[str]) -> str:
    braced, four, two, letter = found.groups()
    if letter is not None:
        return ESCAPED.get(letter, letter)
    number = int(braced or four or two, 16)
    return chr(number) if number <= LAST_CHARACTER else "\ufffd"


def number_of(text: str) -> int | float | None:
    """A number as JSON has it; None where it is too large for one.

    >>> number_of("12"), number_of("0x1F"), number_of(".5"), number_of("1e999")
    (12, 31, 0.5, None)
    """
    digits = text.lstrip("+-")
    if digits[:2] in ("0x", "0X"):
        return int(text, 16) if len(text) <= EXACT else None
    if len(text) <= EXACT and digits.isdigit():
        return int(text)
    number = float(text)
    return number if isfinite(number) else None


class _Reader:
    """One reading of one text."""

    def __init__(self, text: str, start: int, names: Mapping[str, Any]) -> None:
        self.text, self.at, self.names = text, start, names
        self.open: list[Container] = []
        self.key: str | None = None  # the one that waits for its value
        self.unknown = 0
        self.value: Any = None
        self.is_done = False

    def read(self) -> Literal:
        while not self.is_done:
            if not self._step():
                whole = self.open[0] if self.open else None
                return Literal(whole, self.at, is_whole=False, unknown=self.unknown)
        return Literal(self.value, self.at, unknown=self.unknown)

    def _step(self) -> bool:
        """Read one token; False where nothing can be made of it."""
        self._skip()
        found = TOKEN.match(self.text, self.at)
        if found is None:
            return self._read_expression(self.at)
        kind, token = found.lastgroup, found.group()
        began, self.at = self.at, found.end()
        if kind == "mark":
            return self._mark(token)
        if self._expects_key:
            return self._read_key(kind, token)
        if kind == "string" and not CONTINUED.match(self.text, self.at):
            return self._put(self._string(token))
        if kind in ("word", "string"):
            return self._word(token, began)
        return self._put_scalar(TRUTHS[token] if kind == "truth" else number_of(token), began)

    def _skip(self) -> None:
        found = SKIPPED.match(self.text, self.at)
        if found:
            self.at = found.end()

    @property
    def _expects_key(self) -> bool:
        return bool(self.open) and self.key is None and isinstance(self.open[-1], dict)

    def _mark(self, token: str) -> bool:
        if token in "{[":
            return self._enter({} if token == "{" else [])
        if token in "}]":
            return self._close(CLOSED_BY[token])
        if token == "," and self.open:
            self.key = None  # a key without a value, or a place without one
            return True
        return False

    def _enter(self, container: Container) -> bool:
        if self._expects_key:
            return False
        self._store(container)
        self.open.append(container)
        self.key = None
        return True

    def _close(self, kind: type) -> bool:
        """Close the innermost container of a kind, and those in it that were left open."""
        self.key = None
        if not any(type(one) is kind for one in self.open[-2:]):
            return bool(self.open)  # a bracket too many
        while True:
            closed = self.open.pop()
            if not self.open:
                self.value, self.is_done = closed, True
                return True
            if type(closed) is kind:
                return True

    def _store(self, value: Any) -> None:
        """Put a value where it belongs, if anything waits for it."""
        if not self.open:
            return
        holder = self.open[-1]
        if isinstance(holder, list):
            holder.append(value)
        elif self.key is not None:
            holder[self.key] = value
            self.key = None

    def _put(self, value: Any) -> bool:
        if not self.open:
            self.value, self.is_done = value, True
            return True
        self._store(value)
        return True

    def _put_scalar(self, value: Any, began: int) -> bool:
        """A number or word is a value only where an expression does not go on after it."""
        if not self.open or AFTER_STRING.match(self.text, self.at):
            return self._put(value)
        return self._read_expression(began)

    def _read_key(self, kind: str | None, token: str) -> bool:
        key = self._string(token) if kind == "string" else token
        self._skip()
        if self.text[self.at : self.at + 1] != ":":
            return False
        self.at += 1
        self.key = key
        return True

    def _string(self, token: str) -> str:
        """The text of a string; a quote that nothing of JSON follows is part of it."""
        began, quote = self.at - len(token) + 1, token[0]
        if not self.open:
            return unescaped(token[1:-1])
        while not AFTER_STRING.match(self.text, self.at):
            further = NEXT_QUOTE[quote].match(self.text, self.at)
            if further is None or (quote != '"' and "\n" in further.group()):
                break
            self.at = further.end()
        return unescaped(self.text[began : self.at - 1])

    def _word(self, word: str, began: int) -> bool:
        if word in WORDS:
            return self._put_scalar(WORDS[word], began)
        if word in self.names:
            return self._put_scalar(self.names[word], began)
        return self._read_expression(began)

    def _read_expression(self, began: int) -> bool:
        """Pass over what is no literal, up to the comma or bracket that ends it; it is an unknown value."""
        if not self.open or self._expects_key:
            return False
        end = _expression_end(self.text, began)
        if end is None or end == began:
            return False
        self.at = end
        self.unknown += 1
        self._store(None)
        return True


def _expression_end(text: str, start: int) -> int | None:
    """Where an expression ends; None where it is a function, goes on for too long, or does not end."""
    at, depth, last = start, 0, min(len(text), start + LONGEST_EXPRESSION)
    while at < last:
        letter = text[at]
        if letter in ",}])" and not depth:
            return at
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter != ",":
            found = PIECE.match(text, at, last)
            if found is None or "function" in found.group() or "=>" in found.group():
                return None
            at = found.end()
            continue
        at += 1
    return None
