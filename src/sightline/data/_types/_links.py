"""Addresses: URLs and e-mail."""

import re

__all__ = ["read_email", "read_url"]

_LONGEST_URL = 8000
_LONGEST_EMAIL = 320

_URL = re.compile(r"(?:(?:https?|ftp)://|www\.)[^\s<>\"]+", re.IGNORECASE)
_EMAIL = re.compile(r"[^\s@<>()\[\],;:\"]+@[\w-]+(?:\.[\w-]+)+")


def read_url(text: str) -> str | None:
    """The URL that the whole text is, or None.

    >>> read_url(" https://shop.example/a?b=c "), read_url("see www.shop.example")
    ('https://shop.example/a?b=c', None)
    """
    stripped = text.strip()
    return stripped if len(stripped) <= _LONGEST_URL and _URL.fullmatch(stripped) else None


def read_email(text: str) -> str | None:
    """The e-mail address that the whole text is, or None.

    >>> read_email("mailto:ada@engine.example"), read_email("ada@engine")
    ('ada@engine.example', None)
    """
    stripped = text.strip().removeprefix("mailto:")
    return stripped if len(stripped) <= _LONGEST_EMAIL and _EMAIL.fullmatch(stripped) else None
