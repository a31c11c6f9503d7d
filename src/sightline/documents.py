"""JSON documents that may come from strangers: decoded, limited, and checked against a form in one step."""

import json
import re
from typing import Any

from sightline.errors import UsageError

__all__ = ["MOST_BYTES", "check_document", "decoded_document", "encoded_document"]

# The largest wrapper of the benchmark's sites has 1.2 MB; a page of 100,000 nodes gives one of about 20 MB.
MOST_BYTES = 64_000_000
_PLACE = re.compile(r"(.*?)(?: - at (?:`key` in )?`\$\.?(.*)`)?", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*)`")
_WORDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_PHRASES = (
    ("Expected ", "must be "),
    (", got ", ", not "),
    ("Invalid enum value ", "has the unknown value "),
    ("Number out of range", "is too large a number"),
    ("Integer value out of range", "is too large a number"),
)
_KIND = re.compile(r"`([\w | ]+)`")


def decoded_document(content: bytes | str, most: int = MOST_BYTES) -> Any:
    """A document as plain values.

    >>> decoded_document(b'{"a": [1, 2]}')
    {'a': [1, 2]}
    >>> decoded_document(b'{"a": NaN}')
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: JSON is malformed: invalid character (byte 6)
    """
    import msgspec

    if len(content) > most:
        raise UsageError(f"it has {len(content):,} bytes, and {most:,} are the most")
    try:
        # Editors write JSON in other encodings as well, and with a byte order mark.
        text = content.decode(json.detect_encoding(content)) if isinstance(content, bytes) else content
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        raise UsageError(f"{problem}") from problem


def encoded_document(document: Any) -> bytes:
    """Plain values as JSON; what no file can hold is an error.

    >>> encoded_document({"a": object()})
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: Encoding objects of type object is unsupported
    """
    import msgspec

    try:
        return msgspec.json.encode(document)
    except (TypeError, ValueError, OverflowError, RecursionError) as problem:
        raise UsageError(f"{problem}") from problem


def check_document(document: Any, form: Any) -> None:
    """Refuse a document that does not have a form, with an error that says where; entries beyond the form may be there.

    >>> check_document({"a": [1, "two"]}, dict[str, list[int]])
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: [...][1] must be a whole number, not a text
    """
    import msgspec

    try:
        msgspec.convert(document, form)
    except (msgspec.ValidationError, RecursionError) as problem:
        raise UsageError(_in_words(str(problem))) from problem


def _in_words(problem: str) -> str:
    """What is wrong with a document, and where."""
    found = _PLACE.fullmatch(problem)
    what, place = (found[1], found[2] or "") if found else (problem, "")
    missing = _MISSING.fullmatch(what)
    if missing:
        return f"{place}{'.' * bool(place)}{missing[1]} is missing"
    what = _KIND.sub(lambda kind: " or ".join(_WORDS.get(word, word) for word in kind[1].split(" | ")), what)
    for theirs, ours in _PHRASES:
        what = what.replace(theirs, ours)
    return f"{place or 'it'} {what[:1].lower()}{what[1:]}"
