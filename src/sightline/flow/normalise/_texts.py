"""Clean texts: one Unicode form, single blanks, no HTML entities that were left over, one case if wanted."""

import html
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sightline.flow.normalise._normalised import Normalised, normalised, texts_of
from sightline.flow.normalise._settings import TextSettings

__all__ = ["clean_texts"]

# Only with the semicolon: without it, &copy may be a part of an address.
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});", re.ASCII)
# Escaped twice happens (a feed inside a page); more often than that it is a text about entities.
_ROUNDS = 2
# Marks without width that say nothing in any script: soft hyphen, zero-width space, word joiner, byte-order mark.
_NOTHING = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
_CASES = {"lower": str.lower, "upper": str.upper, "fold": str.casefold}


def clean_texts(values: Sequence[Any], settings: TextSettings | None = None) -> Normalised:
    """A column of clean texts; what is empty afterwards is None.

    >>> clean_texts(["  Caf\u0065\u0301\u00a0 &amp; Bar ", "AT&T", " "]).values
    ['Café & Bar', 'AT&T', None]
    """
    chosen = settings or TextSettings()
    texts = texts_of(values)
    known = {text: cleaned(text, chosen) or None for text in dict.fromkeys(texts) if text is not None}
    return normalised(chosen, values, [None if text is None else known[text] for text in texts], {})


def cleaned(text: str, settings: TextSettings) -> str:
    """One text, cleaned."""
    if settings.entities and "&" in text:
        for _ in range(_ROUNDS):
            text = _ENTITY.sub(_resolved, text)
    is_plain = text.isascii()  # nothing to compose or to take out
    if settings.form != "keep" and not is_plain:
        text = unicodedata.normalize(settings.form, text)  # type: ignore[arg-type]
    if settings.blanks:
        text = " ".join((text if is_plain else text.translate(_NOTHING)).split())
    return _CASES[settings.case](text) if settings.case in _CASES else text


def _resolved(found: re.Match[str]) -> str:
    return _character(found[0])


@lru_cache(maxsize=4096)
def _character(entity: str) -> str:
    return html.unescape(entity)
