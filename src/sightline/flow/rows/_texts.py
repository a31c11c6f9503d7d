"""How a value is written as the text of a cell: in one way, whatever kind of file or object it comes from."""

import base64
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import orjson

__all__ = ["text_of_value"]

# So that a date inside a list is written as one alone is: by `_plain`.
_OPTIONS = orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS


def text_of_value(value: Any) -> str | None:
    """A value as a text; what is empty is None. Truth, lists and objects are written as JSON, so nothing is lost.

    >>> [text_of_value(one) for one in ("", True, 2.5, Decimal("380.20"), ["a", 1], {"b": None})]
    [None, 'true', '2.5', '380.20', '["a",1]', '{"b":null}']
    """
    if isinstance(value, str):
        return value or None
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple | Mapping):
        return orjson.dumps(_jsonable(value), default=_plain, option=_OPTIONS).decode()
    return _plain(value) or None


def _jsonable(value: Any) -> Any:
    """The same with numbers that JSON libraries do not write as texts of their digits."""
    if isinstance(value, Mapping):
        return {str(name): _jsonable(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(one) for one in value]
    is_long = isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 63
    return str(value) if is_long else value


def _plain(value: Any) -> str:
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    if isinstance(value, bytes | bytearray | memoryview):
        return _of_bytes(bytes(value))
    return str(value)


def _of_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return base64.b64encode(value).decode()
