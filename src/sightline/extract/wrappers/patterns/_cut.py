"""Values that are only a part of a text: a regular expression from examples, short enough to be read."""

import re
from collections.abc import Iterator, Sequence

from sightline.extract.schemas import squeezed
from sightline.extract.wrappers.patterns._view import key_of

__all__ = ["cut_by", "learned_cut"]

LONGEST_LEFT = 30  # characters of a text before a value that are likely its label
LONGEST_TEXT = 5_000  # characters; an expression is not tried on more

FORMS = (r"[\d.,]*\d", r"\d+", r"[^,;|()\[\]]+?", r"\S+", r".+?")


def cut_by(expression: str, text: str) -> str | None:
    r"""What an expression cuts out of a text, or None.

    >>> cut_by(r"Director:\s*(.+)", "Director: Jane Campion")
    'Jane Campion'
    """
    found = re.search(expression, text[:LONGEST_TEXT], re.DOTALL)
    return found[1].strip() if found else None


def learned_cut(pairs: Sequence[tuple[str, str]]) -> str | None:
    r"""The first expression that cuts each value out of its text, the most general tried first; None where none does.

    >>> print(learned_cut([("Director: Jane Campion", "Jane Campion")]))
    Director:\s*(.+?)\s*$
    """
    if all(key_of(text) == key_of(value) for text, value in pairs):
        return None
    sides = [side for text, value in pairs if (side := _sides(text, value)) is not None]
    if len(sides) < len(pairs):
        return None
    for left in _lefts([side[0] for side in sides]):
        for right in _rights([side[1] for side in sides]):
            for form in reversed(FORMS):
                expression = rf"{left}({form}){right}"
                if all(key_of(cut_by(expression, text) or "") == key_of(value) for text, value in pairs):
                    return expression
    return None


def _sides(text: str, value: str) -> tuple[str, str] | None:
    words = r"\s*".join(map(re.escape, squeezed(value).split(" ")))
    found = re.search(words, text, re.IGNORECASE)
    return (text[: found.start()], text[found.end() :]) if found else None


def _lefts(befores: list[str]) -> Iterator[str]:
    """What can stand before a value: nothing, its label, a mark."""
    if not any(map(str.strip, befores)):
        yield r"^\s*"
        return
    shared = _shared_end(befores)
    if shared.strip():
        mark = shared.strip()[-1]
        if not mark.isalnum() and mark not in ":：":
            yield _literal(mark) + r"\s*"
        if len(shared) <= LONGEST_LEFT and all(own.strip() == shared.strip() for own in befores):
            yield _literal(shared) + r"\s*"
        last = re.search(r"(\w+\W*|\W+)$", shared)
        if last:
            yield _literal(last[0]) + r"\s*"
        yield _literal(shared) + r"\s*"
    yield r"^\w+\s*"  # all but the first word


def _rights(afters: list[str]) -> Iterator[str]:
    if not any(map(str.strip, afters)):
        yield r"\s*$"
    shared = _shared_start(afters)
    if shared.strip():
        for form in (r"\w+|\W", r"\W*\w+"):  # a word or a mark, or a mark with the word behind it
            first = re.match(form, shared.strip())
            if first:
                yield r"\s*" + _literal(first[0].strip())
    yield r"(?=\s|[,;|()]|$)"
    yield ""


def _literal(text: str) -> str:
    return r"\s*".join(map(re.escape, text.split()))


def _shared_end(texts: list[str]) -> str:
    return _shared_start([text[::-1] for text in texts])[::-1]


def _shared_start(texts: list[str]) -> str:
    first = min(texts, key=len)
    size = next((place for place, letter in enumerate(first) if any(own[place] != letter for own in texts)), len(first))
    return first[:size]
