"""From the bytes of an answer to its JSON, and to the address that its headers call next."""

import re
from collections.abc import Iterable
from typing import Any

import orjson

from sightline.page import PageAnswer, PageRequest, full_address

_GUARD = re.compile(rb"\s*(?:\)\]\}'|while\s*\(1\);|for\s*\(;;\);)[,\s]*")  # against being read as a script
_LONGEST_GUARD = 20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NEXT = re.compile(r"<([^<>]*)>(?:\s*;[^,<]*)?;\s*rel\s*=\s*\"?next\b", re.IGNORECASE)
_LONGEST_LINK = 10_000  # characters of a header that are searched


def page_answer(
    request: PageRequest, status: int, headers: Iterable[tuple[str, str]], content: bytes
) -> PageAnswer | None:
    """The JSON that a request brought, whatever its type says; None if it is no object and no array.

    >>> page_answer(PageRequest("https://a.example/"), 200, [("Link", '</?p=2>; rel="next"')], b"[1]").next
    'https://a.example/?p=2'
    """
    data = _json(content)
    if not isinstance(data, dict | list):
        return None
    link = next((value for name, value in headers if name.lower() == "link"), "")
    found = _NEXT.search(link[:_LONGEST_LINK])
    return PageAnswer(request, data, status, full_address(request.url, found[1]) if found else "")


def _json(content: bytes) -> Any:
    content = content.removeprefix(_BYTE_ORDER_MARK)
    if guard := _GUARD.match(content[:_LONGEST_GUARD]):
        content = content[guard.end() :]
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:  # also what is nested deeper than anybody writes
        return None
