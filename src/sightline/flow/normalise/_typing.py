"""Column typing: one type for the whole column, decided from all its values."""

import html
import re
import unicodedata
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from sightline.data import ColumnType, infer
from sightline.flow.normalise._normalised import Normalised, normalised, quoted, texts_of
from sightline.flow.normalise._settings import TextSettings, TypingSettings
from sightline.flow.normalise._shapes import ShapedTexts, read_numbers

__all__ = ["clean_texts", "type_column"]

# No text of so many characters has more digits than a float keeps.
_CERTAINLY_EXACT = 15


def type_column(
    values: Sequence[Any], settings: TypingSettings | None = None, *, type: ColumnType | None = None
) -> Normalised:
    """A column of typed values, by the type that all its texts together have, or by the given one.

    A value that does not fit the type is None, with its problem; none is read in another way than the others.

    >>> found = type_column(["1.234,56", "3.350", "n/a", "ask"])
    >>> found.values, found.type.kind
    (['1.234,56', '3.350', None, 'ask'], 'text')
    >>> type_column(["1.234,56", "3.350", "7", "8", "ask"]).values
    [1234.56, 3350.0, 7.0, 8.0, None]
    """
    chosen = settings or TypingSettings()
    texts = texts_of(values)
    present = [text for text in texts if text is not None]
    column = ShapedTexts.of(present)
    decided = type or infer(column.sample(), chosen.language, year=chosen.year, unit=chosen.unit)
    read = _numbers(column, decided) if decided.kind in ("number", "money") else _others(present, decided)
    known = dict(zip(present, read, strict=True))
    found = read if len(read) == len(texts) else [None if text is None else known[text] for text in texts]
    unread = {text for text, value in known.items() if value is None and not decided.is_whole(text, None)}
    problems = {row: f"{quoted(text)} is not {_noun(decided)}." for row, text in enumerate(texts) if text in unread}
    return normalised(chosen, values, found, problems, (*decided.ambiguous, *_losses(known, decided)), decided)


def _numbers(column: ShapedTexts, type: ColumnType) -> list[Any]:
    """Numbers and money; by their digits alone where that is the same."""

    def read(text: str) -> tuple[Any, None] | None:
        value = type.parse(text)
        return None if value is None else (value, None)

    number: Callable[[str], Any] = Decimal if type.kind == "money" else int if type.integer else float
    return read_numbers(column, type.decimal or ".", read, number)[0]


def _others(texts: Sequence[str], type: ColumnType) -> list[Any]:
    known = {text: _typed(text, type) for text in set(texts)}
    return [known[text] for text in texts]


def _typed(text: str, type: ColumnType) -> Any:
    """The value of a text; in a column of texts, one that says nothing isn't a value."""
    return None if type.kind == "text" and type.is_whole(text, None) else type.parse(text)


def _noun(type: ColumnType) -> str:
    noun = {"money": f"an amount of {type.currency or 'money'}", "measure": f"a measure in {type.unit}"}
    nouns = {**noun, "url": "an address", "email": "an e-mail address"}
    return nouns.get(type.kind, f"a {type.kind}")


def _losses(known: dict[str, Any], type: ColumnType) -> tuple[str, ...]:
    """What the typed values do not say of their texts, such as digits beyond those of a float."""
    if type.kind == "text":
        return ()
    doubtful = (text for text in known if len(text) > _CERTAINLY_EXACT or "0" in text[:2] or type.kind == "date")
    lost = [text for text in doubtful if known[text] is not None and not type.is_whole(text, known[text])]
    return (f"exactness: {quoted(lost[0])} and the like say more than their typed values",) if lost else ()


# Clean texts: one Unicode form, single blanks, no HTML entities that were left over, one case if wanted.

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
