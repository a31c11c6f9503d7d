"""Texts as Parquet and JSON can hold them: pages and file systems have half characters, and UTF-8 has none."""

import re
from typing import Any

import orjson

__all__ = ["escaped", "json_text", "storable", "storable_text"]

_SURROGATES = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def storable_text(text: str) -> str:
    r"""The text with lone surrogates replaced.

    >>> storable_text("a\ud800b")
    'a�b'
    """
    return text if text.isascii() else _SURROGATES.sub(_REPLACEMENT, text)


def escaped(text: str) -> str:
    r"""A name with lone surrogates spelled out, so that two names stay two.

    >>> escaped("page-\udce4.html")
    'page-\\udce4.html'
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def storable(content: Any) -> Any:
    """Plain lists and dicts with every text in them storable."""
    if isinstance(content, str):
        return storable_text(content)
    if isinstance(content, list | tuple):
        return [storable(one) for one in content]
    if isinstance(content, dict):
        return {storable(name): storable(one) for name, one in content.items()}
    return content


def json_text(content: Any) -> str:
    r"""Plain values as JSON.

    >>> json_text({"title": ["\ud800"]})
    '{"title":["�"]}'
    """
    try:
        return orjson.dumps(content).decode()
    except orjson.JSONEncodeError:  # a lone surrogate, which next to no page has: looking for them first would cost
        return orjson.dumps(storable(content)).decode()
