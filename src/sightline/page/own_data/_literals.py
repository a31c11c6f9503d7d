"""A reader of JSON as pages write it, and of object literals of JavaScript: nothing is executed, and nothing raises.

It reads what a browser would: unquoted keys, single quotes, comments, trailing commas, `undefined`, `!0`. What is not a
literal, such as a call, becomes `None` and is counted, so callers can tell data from code. Mistakes that pages make are
mended: quotes within strings, brackets that are missing, and ends that are.

Every token is looked at once and nothing is nested in Python's own stack, so time is linear in the text.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeAlias

Container: TypeAlias = dict[str, Any] | list[Any]

SKIPPED = re.compile(r"(?:[\s\ufeff;,]++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/|<!--|-->|<!\[CDATA\[|\]\]>)*+")
STRINGS = r"""(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]*+(?:\\.[^'\\]*+)*+'|`[^`\\]*+(?:\\.[^`\\]*+)*+`)"""
NUMBER = r"[-+]?(?:0[xX][\da-fA-F]++|(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?+)"
WORD = r"[^\W\d][\w$]*+|\$[\w$]*+"
ENDED = r"(?=[\s\ufeff]*+(?:[,:}\];]|//|/\*|\)|<|\Z))"  # what may follow a value
# Commas are passed over like blanks, for they say nothing that the values beside them don't.
TOKEN = re.compile(
    rf"""{SKIPPED.pattern}
    (?:
        (?P<key>{STRINGS}|{WORD}|\d++)\s*+:
        | (?P<string>{STRINGS}){ENDED}
        | (?P<open>[{{\[])
        | (?P<close>[}}\]])
        | (?P<number>{NUMBER}){ENDED}
        | (?P<truth>![01]){ENDED}
        | (?P<word>{WORD}){ENDED}
        | (?P<odd>{STRINGS})
        | (?P<other>.)
    )
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
AFTER_STRING = re.compile(ENDED)
CONTINUED = re.compile(r"[\s\ufeff]*+[+.]")  # the text is a part of an expression
NEXT_QUOTE = {quote: re.compile(rf"[^{quote}\\]*+(?:\\.[^{quote}\\]*+)*+{quote}", re.DOTALL) for quote in "\"'`"}
ESCAPE = re.compile(r"\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|.))", re.DOTALL)
ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": "", "\r": ""}
SURROGATES = re.compile("[\ud800-\udfff]")
LAST_CHARACTER = 0x10FFFF
EXACT = 18  # characters of a whole number that fits into 64 bits, as numbers in JSON should
QUOTES = frozenset("\"'`")
CLOSED_BY = {"}": dict, "]": list}
LONGEST_EXPRESSION = 4_000  # characters; what is longer is a program, not a value

# What may stand within an expression that is no literal.
PIECE = re.compile(rf"(?:{STRINGS}|[^\"'`{{}}\[\](),]++)", re.DOTALL)


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
    if len(text) <= EXACT and text.isdigit():
        return int(text)
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
        takes: dict[str, Callable[[re.Match[str], str], bool]] = {
            "key": self._read_key,
            "string": self._read_string,
            "open": self._open,
            "close": self._close,
            "number": self._read_number,
            "truth": self._read_truth,
            "word": self._read_word,
            "odd": self._read_odd_string,
            "other": self._read_expression,
        }
        text, match = self.text, TOKEN.match
        while not self.is_done:
            found = match(text, self.at)
            kind = found.lastgroup if found else None
            if found is None or kind is None:
                return self._broken()
            self.at = found.end()
            if not takes[kind](found, found[kind]):
                return self._broken()
        return Literal(self.value, self.at, unknown=self.unknown)

    def _broken(self) -> Literal:
        return Literal(self.open[0] if self.open else None, self.at, is_whole=False, unknown=self.unknown)

    # ------------------------------------------------------------------ where a value goes

    @property
    def _expects_key(self) -> bool:
        return self.key is None and bool(self.open) and type(self.open[-1]) is dict

    def _put(self, value: Any) -> bool:
        """Put a value where it belongs; False where a key should stand."""
        if not self.open:
            self.value, self.is_done = value, True
            return True
        holder = self.open[-1]
        if isinstance(holder, list):
            holder.append(value)
        elif self.key is not None:
            holder[self.key] = value
            self.key = None
        else:
            return False
        return True

    def _open(self, _: re.Match[str], token: str) -> bool:
        container: Container = {} if token == "{" else []
        if self.open and not self._put(container):
            return False
        self.open.append(container)
        return True

    def _close(self, _: re.Match[str], token: str) -> bool:
        """Close the innermost container of a kind, and the one in it that was left open."""
        self.key = None
        kind = CLOSED_BY[token]
        if kind not in map(type, self.open[-2:]):
            return bool(self.open)  # a bracket too many
        while True:
            closed = self.open.pop()
            if not self.open:
                self.value, self.is_done = closed, True
                return True
            if type(closed) is kind:
                return True

    # ------------------------------------------------------------------ what stands there

    def _read_key(self, found: re.Match[str], token: str) -> bool:
        if not self._expects_key and (self.key is None or not _is_after_comma(found)):
            return self._read_expression(found, token)  # a condition: `a ? b : c`
        self.key = unescaped(token[1:-1]) if token[0] in QUOTES else token
        return True

    def _read_string(self, _: re.Match[str], token: str) -> bool:
        return self._put(token[1:-1] if "\\" not in token else unescaped(token[1:-1]))

    def _read_number(self, _: re.Match[str], token: str) -> bool:
        return self._put(number_of(token))

    def _read_truth(self, _: re.Match[str], token: str) -> bool:
        return self._put(TRUTHS[token])

    def _read_word(self, found: re.Match[str], token: str) -> bool:
        if token in WORDS:
            return self._put(WORDS[token])
        if token in self.names:
            return self._put(self.names[token])
        return self._read_expression(found, token)

    def _read_odd_string(self, found: re.Match[str], token: str) -> bool:
        """A string with quotes in it, of which the last is the one that something of JSON follows."""
        began, quote = found.start("odd"), token[0]
        if CONTINUED.match(self.text, self.at):
            return self._read_expression(found, token)
        while not AFTER_STRING.match(self.text, self.at):
            further = NEXT_QUOTE[quote].match(self.text, self.at)
            if further is None or (quote != '"' and "\n" in further.group()):
                break
            self.at = further.end()
        return bool(self.open) and self._put(unescaped(self.text[began + 1 : self.at - 1]))

    def _read_expression(self, found: re.Match[str], _: str) -> bool:
        """Pass over what is no literal, up to the comma or bracket that ends it; it is an unknown value."""
        began = found.start(found.lastgroup or 0)
        end = _expression_end(self.text, began) if self.open else None
        if end is None or end == began:
            self.at = began
            return False
        self.at = end
        self.unknown += 1
        return self._put(None)


def _is_after_comma(found: re.Match[str]) -> bool:
    """Whether a key follows another one that has no value, as in `{"a": , "b": 1}`."""
    return "," in found.group()[: found.start("key") - found.start()]


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
